// Words on a plane, the nearest of the chosen one, and lines that separate two groups. All numbers came from Python.

import { frame, row, stand } from "../look/frame.js";
import { segmented, select, slider, textField } from "../look/inputs.js";
import { h, s } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { found, NONE, read, rows, view } from "./numbers.js";
import { picture } from "./picture.js";
import { nearest, plane } from "./plane.js";
import { colour, shape } from "./scatter.js";
import { heading, readout } from "./words.js";

const MANY = 6, // options, beyond which they are a list or a slider
  WORDY = 44; // letters that fit into one row of choices

export function render({ model, el }) {
  const f = frame(model);
  const data = read(model),
    state = bind(model, draw),
    now = () => view(data, state.read());
  const inputs = bar(data, state, now()),
    choose = (i) => state.set({ word: i }),
    on = plane(choose),
    list = nearest(choose);
  f.bar.append(...inputs.rows);
  f.stage.append(h("div", { class: "pt-cols" }, h("div", { class: "pt-left" }, on.el, key(data)), list.el));

  function draw() {
    const v = now();
    inputs.show(v);
    on.draw(v);
    list.draw(v);
    f.say(readout(v));
    f.fresh();
  }

  const shared = () => {
    const v = now();
    return { word: v.i, k: v.k, table: v.at, probe: v.which };
  };
  f.source(model.get("source"));
  f.offer({
    rows: () => rows(now(), heading(now(), model.get("title"))),
    state: shared,
    picture: () => titled(picture(now(), WIDE), heading(now(), model.get("title")), model.get("source")),
    call: () => `# In the cell that made this figure, write: ${pythonCall("", started(now())).slice(1, -1)}`,
  });
  const watch = new ResizeObserver(() => on.draw(now()));
  const begin = () => {
    draw();
    watch.observe(on.el);
  };
  return stand(el, f.root, begin, [() => watch.disconnect(), state.off]);
}

/** The state in the words of the Python that makes it. */
function started({ words, i, k, table, at, line }) {
  return { word: i === NONE ? null : words[i], k, table: table || at, ...(line ? { probe: line.name } : {}) };
}

// --- What a reader of the points operates: a word that is looked for, how many of the nearest, the table, the axis.

/** @returns { rows, show(v) } */
function bar(data, state, first) {
  const set = (name) => (value) => state.set({ [name]: value });
  const table = tables(
      data.tables.map((one) => one.name),
      first.at,
      set("table"),
    ),
    axes = ["the plane", ...data.probes.map((one) => one.name)],
    probe = choice("Horizontal axis", axes, first.which, set("probe"));
  const search = textField({
    label: "Find a word",
    value: "",
    oninput: (words) => {
      const i = found(data.words, words);
      search.say(i < 0 && words.trim() ? "No word here begins like this." : "", i < 0 && words.trim() !== "");
      if (i >= 0) state.set({ word: i });
    },
  });
  const k = slider({
    label: "Nearest words",
    min: 1,
    max: data.most,
    step: 1,
    value: first.k,
    words: String,
    oninput: set("k"),
  });
  return {
    rows: [row(search.el, k.el), row(table?.el, probe?.el)],
    show(v) {
      table?.set(v.at);
      probe?.set(v.which);
      k.set(v.k);
    },
  };
}

/** The tables of vectors: a few to choose from, or many to slide through. */
function tables(names, value, oninput) {
  if (names.length <= MANY) return choice("Vectors", names, value, oninput);
  return slider({ label: "Vectors", min: 0, max: names.length - 1, step: 1, value, words: (i) => names[i], oninput });
}

/** One of several; null where there is no choice. */
function choice(label, options, value, onpick) {
  if (options.length < 2) return null;
  const few = options.length <= MANY && options.join("").length <= WORDY;
  return (few ? segmented : select)({ label, options, value, onpick });
}

/** What the marks of the groups mean. */
function key({ names, of }) {
  const groups = names.map((name, group) => [name, group]),
    other = names.length && of.includes(-1) ? [["other", -1]] : [];
  const mark = (group) =>
    s(
      "svg",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      s("path", { d: shape(group, 8, 8, 5), fill: colour(group) }),
    );
  return h(
    "p",
    { class: "pt-key" },
    [...groups, ...other].map(([name, group]) => h("span", {}, mark(group), h("bdi", { text: name }))),
  );
}
