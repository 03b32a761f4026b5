// The q, k and v of every token of one head, and how one query meets every key. Computed here from the model's own
// vectors.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { choice, segmented, textField, tokenPicker } from "../look/inputs.js";
import { lastOf, ownText, remembering } from "../look/kept.js";
import { fill, h, onceShown, onTheme, scale, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, label, num, range } from "../look/words.js";
import { finished, live } from "../steps/numbers.js";
import { maps } from "./maps.js";
import { heading, PAGE, rows, view } from "./numbers.js";
import { picture } from "./picture.js";
import { pointed, readout } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "head", "query", "page"];

export function render({ model, el }) {
  const f = frame(model);
  // the reading that is drawn, the number that was chosen, the one a mouse points at
  let seen = finished(model),
    kept = [0, 0],
    preview = null,
    typed = false;
  const state = bind(model, STATE, change),
    places = remembering();
  const inputs = bar(model, state, {
    cap: CAP,
    ontext: (text) => {
      typed = true;
      state.set({ text });
    },
  });
  const source = feed({
    model,
    cap: CAP,
    want: ["q", "k", "v"],
    say: inputs.say,
    show: (reading) => arrived(live(reading)),
  });
  const all = maps({
    onpreview: (at) => {
      preview = at;
      point();
    },
    onkeep: (...at) => {
      kept = at;
      preview = null;
      point();
    },
  });
  const table = meetView((j) => {
      preview = j === null ? null : [j, kept[1]];
      point();
    }),
    note = h("p", { class: "vc-pointed", role: "status" });
  const now = () => view(seen, state.read());

  function arrived(reading) {
    const was = state.read(),
      sizes = { layer: reading.L, head: reading.H, query: reading.n, page: Math.ceil(reading.d / PAGE) };
    seen = reading;
    const asks = typed && reading.text === was.text ? { query: lastOf(reading.tokens) } : {}; // the last token typed
    const inside = places({ ...was, ...asks }, sizes);
    typed = false;
    kept = [inside.query, 0];
    preview = null;
    state.keep(inside);
    inputs.build(seen, state.read());
    table.build(seen.tokens, seen.d);
    f.source(seen.info.label);
    draw();
  }
  function change() {
    const { model: name, text } = state.read();
    if (name !== seen.info.name || text !== seen.text) source.want({ name, text });
    draw();
  }
  let built = [];
  function draw() {
    const v = now();
    f.tell(v ? "" : "The other heads appear when the model is there.");
    if (!v) return;
    inputs.show({ ...state.read(), layer: v.layer, head: v.headIndex, query: v.i, page: v.page });
    if (built[0] !== seen || built[1] !== v.columns) {
      all.build(seen.tokens, v.columns);
      built = [seen, v.columns];
    }
    all.paint(v.head, v.page, scale(f.root, "div"));
    table.draw(v);
    f.say(readout({ ...v, head: v.headIndex }));
    point();
    f.fresh();
  }
  /** The part that follows a pointer: one number in all three maps, and what it is. */
  function point() {
    const v = now();
    if (!v) return;
    const [row, column] = preview ?? kept,
      at = [index(row, seen.n), index(column, v.columns)];
    all.point(...at, v.i);
    table.mark(at[0]);
    fill(note, pointed({ tokens: seen.tokens, row: at[0], column: v.page * PAGE + at[1], head: v.head }));
  }

  f.bar.append(...inputs.rows);
  f.stage.append(all.el, note, table.el);
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Vectors", state.read()),
  });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  });
  return () => {
    off();
    state.off();
    source.stop();
    f.root.remove();
  };
}

// --- What a reader of the vectors operates: model and text, layer and head, the query, and the page of columns.

/** @returns { rows, say, build(seen, now), show(now) }: the elements, and how they follow a reading and the state */
function bar(model, state, { cap, ontext }) {
  const models = model.get("models"),
    names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => swap(models[i]),
  });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: ontext });
  const slots = Object.fromEntries(
      ["layer", "head", "page", "query"].map((name) => [
        name,
        h("div", { class: `itt-slot${name === "query" ? " itt-grow" : ""}` }),
      ]),
    ),
    inside = {};

  const textFor = ownText();
  const swap = (to) => state.set({ model: to.name, text: textFor(model.get("model"), to, model.get("text")) });
  function build(seen, now) {
    const pages = Math.ceil(seen.d / PAGE),
      some = (label, size, name, words = String) =>
        choice({ label, options: range(size).map(words), value: index(now[name], size), onpick: set(name) });
    Object.assign(inside, {
      layer: some("Layer", seen.L, "layer"),
      head: some("Head", seen.H, "head"),
      page:
        pages > 1
          ? some(`Columns of ${seen.d}`, pages, "page", (p) => `${p * PAGE}–${Math.min(seen.d, (p + 1) * PAGE) - 1}`)
          : null,
      query: tokenPicker({
        label: "Query: the token that asks",
        tokens: seen.tokens,
        value: index(now.query, seen.n),
        onpick: set("query"),
      }),
    });
    for (const [name, slot] of Object.entries(slots)) slot.replaceChildren(...(inside[name] ? [inside[name].el] : []));
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }
  function show(now) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    for (const name in inside) inside[name]?.set(now[name]);
  }
  return {
    rows: [row(pickModel.el, text.el), row(slots.layer, slots.head, slots.page), slots.query],
    say: text.say,
    build,
    show,
  };
}

// --- The table below the maps: for each key its direction against the query, its length, the score and the weight,
// side by side.

/** @param onpick called with the position of a key that a reader points at or leaves (null) */
function meetView(onpoint) {
  const score = h("div", { class: "vc-score" }),
    formula = h("p", { class: "vc-formula" });
  const heads = h(
    "div",
    { class: "vc-row vc-heads", role: "row" },
    [
      ["vc-name", "key"],
      ["vc-cos", "cosine of q and k"],
      ["vc-len", "length of k"],
    ].map(([cls, text]) => h("div", { class: cls, role: "columnheader", text })),
    score,
    h("div", { class: "vc-w", role: "columnheader", text: "weight w" }),
  );
  score.setAttribute("role", "columnheader");
  const table = h("div", { class: "vc-table", role: "table", "aria-label": "Every key as the query meets it" }),
    el = h("div", { class: "vc-meet" }, formula, table);
  let rows = [];

  function build(tokens, d) {
    score.textContent = `score q · k ÷ √${d}`;
    rows = tokens.map((token, j) => {
      const cell = (cls) => {
        const bar = h("span", { class: "vc-bar" }),
          number = h("b", { class: "vc-num" });
        return { bar, number, el: h("div", { class: cls, role: "cell" }, bar, number) };
      };
      const parts = {
        cos: cell("vc-cos"),
        score: cell("vc-score"),
        w: cell("vc-w"),
        len: h("div", { class: "vc-len", role: "cell" }),
      };
      const el = h(
        "div",
        { class: "vc-row", role: "row", onpointerenter: () => onpoint(j), onpointerleave: () => onpoint(null) },
        h("div", { class: "vc-name", role: "rowheader" }, bdi(label(token)), h("sub", { class: "itt-pos", text: j })),
        parts.cos.el,
        parts.len,
        parts.score.el,
        parts.w.el,
      );
      return { ...parts, el };
    });
    table.replaceChildren(heads, ...rows.map((row) => row.el));
  }

  function draw({ m, i, tokens, head: { d } }) {
    const far = Math.max(...m.score.map(Math.abs)) || 1;
    fill(
      formula,
      "score = cosine × length of q × length of k ÷ ",
      `√${d}`,
      "; the query of ",
      bdi(`“${label(tokens[i])}”`),
      " is ",
      h("b", { text: num(m.length) }),
      " long",
    );
    rows.forEach((row, j) => {
      const off = m.masked[j];
      row.el.className = `vc-row${off ? " is-off" : ""}`;
      Number.isNaN(m.cosine[j])
        ? fillBar(row.cos, "is-missing", 0, 1, "none")
        : fillBar(row.cos, "is-signed", ...ends(m.cosine[j]), num(m.cosine[j]));
      fillBar(row.score, "is-signed", ...ends(m.score[j] / far), num(m.score[j]));
      off ? fillBar(row.w, "is-masked", 0, 1, "masked") : fillBar(row.w, "is-w", 0, m.weight[j], num(m.weight[j], 3));
      write(row.len, num(m.lengths[j]));
    });
  }
  return {
    el,
    build,
    draw,
    mark: (j) =>
      rows.forEach((row, k) => {
        row.el.classList.toggle("is-on", k === j);
      }),
  };
}

const ends = (t) => [Math.min(0.5, 0.5 + t / 2), Math.max(0.5, 0.5 + t / 2)];
function fillBar({ bar: el, number }, kind, from, to, text) {
  el.className = `vc-bar ${kind}`;
  el.style.setProperty("--from", from.toFixed(4));
  el.style.setProperty("--to", to.toFixed(4));
  write(number, text);
}
