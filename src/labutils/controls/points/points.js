// Words on a plane, the nearest of the chosen one, and lines that separate two groups. All numbers came from Python.

import { frame, row } from "../look/frame.js";
import { segmented, select, slider, textField } from "../look/inputs.js";
import { fill, h, onceShown, s, widthOf, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { num, range } from "../look/words.js";
import { beside, found, NONE, read, rows, STATE, view } from "./numbers.js";
import { picture } from "./picture.js";
import { colour, drawing, layout, shape } from "./scatter.js";
import { heading, named, nearestTo, readout } from "./words.js";

const CLOSE = 26,
  WORDY = 44; // px from a point that still mean it; letters that fit into one row of choices

export function render({ model, el }) {
  const f = frame(model);
  const data = read(model),
    state = bind(model, STATE, draw),
    set = (name) => (value) => state.set({ [name]: value });
  const now = () => view(data, state.read()),
    first = now();

  // --- what a reader operates
  const few = (options) => options.length <= 6 && options.join("").length <= WORDY;
  const of = (label, options, name) =>
    options.length < 2
      ? null
      : (few(options) ? segmented : select)({
          label,
          options,
          value: first[name === "table" ? "at" : "which"],
          onpick: set(name),
        });
  const many = data.tables.length > 6,
    names = data.tables.map((one) => one.name);
  const table = many
    ? slider({
        label: "Vectors",
        min: 0,
        max: names.length - 1,
        step: 1,
        value: first.at,
        words: (i) => names[i],
        oninput: set("table"),
      })
    : of("Vectors", names, "table");
  const probe = of("Horizontal axis", ["the plane", ...data.probes.map((one) => one.name)], "probe");
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
  f.bar.append(row(search.el, k.el), row(table?.el, probe?.el));

  const plane = scatter((i) => state.set({ word: i })),
    list = nearest((i) => state.set({ word: i }));
  const key = h(
    "p",
    { class: "pt-key" },
    [
      ...data.names.map((name, group) => [name, group]),
      ...(data.names.length && data.of.includes(-1) ? [["other", -1]] : []),
    ].map(([name, group]) =>
      h(
        "span",
        {},
        s(
          "svg",
          { viewBox: "0 0 16 16", "aria-hidden": "true" },
          s("path", { d: shape(group, 8, 8, 5), fill: colour(group) }),
        ),
        h("bdi", { text: name }),
      ),
    ),
  );
  f.stage.append(h("div", { class: "pt-cols" }, h("div", { class: "pt-left" }, plane.el, key), list.el));

  function draw() {
    const v = now();
    table?.set(v.at);
    probe?.set(v.which);
    k.set(v.k);
    plane.draw(v);
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
  el.append(f.root);
  const watch = new ResizeObserver(() => plane.draw(now()));
  onceShown(f.root, () => {
    draw();
    watch.observe(plane.el);
  });
  return () => {
    watch.disconnect();
    state.off();
    f.root.remove();
  };
}

/** The state in the words of the Python that makes it. */
function started({ words, i, k, table, at, line }) {
  return { word: i === NONE ? null : words[i], k, table: table || at, ...(line ? { probe: line.name } : {}) };
}

/** The plane: a pointer or the arrow keys choose a word. */
function scatter(onpick) {
  const marks = s("g"),
    svg = s(
      "svg",
      { class: "pt-svg", tabindex: 0, role: "application", "aria-roledescription": "plane of words" },
      marks,
    ),
    el = h("div", { class: "pt-plane" }, svg);
  let v = null,
    g = null,
    hover = null;
  const under = (event) => {
    const box = svg.getBoundingClientRect(),
      x = ((event.clientX - box.left) * g.width) / box.width,
      y = ((event.clientY - box.top) * g.width) / box.width;
    const best = range(v.n).reduce(
      (a, i) => (Math.hypot(g.xs[i] - x, g.ys[i] - y) < Math.hypot(g.xs[a] - x, g.ys[a] - y) ? i : a),
      0,
    );
    return Math.hypot(g.xs[best] - x, g.ys[best] - y) <= CLOSE ? best : null;
  };
  const show = (i) => {
    if (i !== hover) {
      hover = i;
      paint();
    }
  };
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") show(under(event));
  });
  svg.addEventListener("pointerleave", () => show(null));
  svg.addEventListener("click", (event) => {
    const i = under(event);
    if (i !== null) onpick(i);
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const end = { Home: 0, End: v.n - 1 }[event.key];
    if ((!step && end === undefined) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onpick(step ? beside(g.xs, g.ys, v.i, ...step) : end);
  });
  const paint = () => fill(marks, drawing(g, v, hover === v.i ? null : hover));
  function draw(next) {
    v = next;
    g = layout(v, Math.max(240, widthOf(el) || 320));
    svg.setAttribute("viewBox", `0 0 ${g.width} ${Math.ceil(g.high)}`);
    svg.setAttribute(
      "aria-label",
      `${v.n} words on a plane, ${v.i === NONE ? "none" : named(v.words[v.i])} chosen; arrow keys go to the next ` +
        "word in a direction, Home and End to the first and the last of the list",
    );
    paint();
  }
  return { el, draw };
}

/** The nearest words with their cosines; each is a button that chooses it. */
function nearest(onpick) {
  const title = h("p", { class: "itt-label" }),
    list = h("div", { class: "pt-rows" }),
    el = h("div", { class: "pt-list" }, title, list);
  let lines = [];
  function build(n) {
    lines = range(n).map(() => {
      const mark = s("path", {}),
        word = h("span", { class: "pt-word" }),
        bar = h("span", { class: "itt-share" }),
        number = h("span", { class: "pt-number" }),
        line = { mark, word, bar, number, i: 0 };
      line.el = h(
        "button",
        { type: "button", class: "pt-row", onclick: () => onpick(line.i) },
        s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, mark),
        word,
        bar,
        number,
      );
      return line;
    });
    list.replaceChildren(...lines.map((line) => line.el));
  }
  function draw(v) {
    if (lines.length !== v.near.length) build(v.near.length);
    fill(title, ...nearestTo(v, bdi));
    v.near.forEach(({ i, cosine }, r) => {
      const line = lines[r],
        group = v.of[i];
      line.i = i;
      line.mark.setAttribute("d", shape(group, 8, 8, 5));
      line.mark.setAttribute("fill", colour(group));
      fill(line.word, bdi(named(v.words[i])));
      line.bar.style.setProperty("--p", Math.max(0, cosine));
      write(line.number, num(cosine, 3));
    });
  }
  return { el, draw };
}
