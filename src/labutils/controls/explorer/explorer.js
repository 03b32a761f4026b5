// Attention of every head: the map of one, all as thumbnails, one row or column as text. Weights, or what they
// contribute.

import { feed } from "../look/feed.js";
import { called, frame, row } from "../look/frame.js";
import { button, choice, folded, segmented, textField, toggle } from "../look/inputs.js";
import { lastOf, remembering } from "../look/kept.js";
import { fill, h, onceShown, onTheme, scale } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { END, nextParts, speller } from "../look/nexts.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, label, num, range, short } from "../look/words.js";
import { headsOf, read, toggled } from "./ahead.js";
import { heads, heatmap } from "./map.js";
import { live, unpack } from "./numbers.js";
import { picture } from "./picture.js";
import { watcher } from "./watch.js";
import { aheadTitle, changedHeads, effect, heading, line, lineTitle, oneTitle, readout, tick, UNIT } from "./words.js";

const PARTS = ["row", "column"];

export async function render({ model, el }) {
  // the reading that is drawn, what a mouse points at, whether the reader has typed, whether a map was chosen
  const at = { seen: await unpack(model.get("finished")), preview: null, typed: false, chosen: false };
  const watched = model.get("watch"),
    watch = watcher(watched, model.get("guess"), { flip, seen: answered });
  let source = null;
  const f = frame(model, watch.onMaps ? watch.form : undefined);
  const state = bind(model, change),
    places = remembering();
  const inputs = bar(model, state, {
    ontext: (text) => {
      at.typed = true;
      state.set({ text });
    },
  });
  const said = watch.on ? (sentence) => f.tell(sentence) : inputs.say;
  source = feed({
    model,
    want: MEASURES,
    read,
    say: said,
    show: (reading) => {
      watch.heard(reading);
      arrived(live(reading));
    },
  });
  const words = speller(() => shown.point()),
    shown = canvas(model, f, { at, state, inputs, watched, watch, words });
  const wish = () => {
    const { model: name, text, off } = state.read();
    return { name, text, off, watch: watch.wish() };
  };

  /** The answer is seen: what all heads leave; or hidden again. */
  function answered(open) {
    if (!source) return;
    if (open) source.want(wish());
    else state.set({ off: "" });
  }
  function flip() {
    const { off, layer, head } = shown.now();
    state.set({ off: toggled(off, layer, head) });
  }
  function arrived(reading) {
    const was = state.read(),
      sizes = { layer: reading.L, head: reading.H, query: reading.n, key: reading.n };
    const last = lastOf(reading.tokens),
      asks = at.typed && reading.text === was.text ? { query: last, key: last } : {};
    Object.assign(at, { seen: reading, preview: null, typed: false });
    state.keep(places({ ...was, ...asks }, sizes)); // a typed text asks with its last token
    inputs.build(reading, state.read());
    shown.mask(reading.causal);
    shown.draw();
  }
  function change() {
    // an address may ask for heads that there are not
    const { seen } = at,
      asked = wish(),
      off = seen.asked ?? seen.off;
    if (asked.name !== seen.info.name || asked.text !== seen.text || asked.off !== off) source.want(asked);
    shown.draw();
  }

  f.offer({
    rows: () => table(shown.now()),
    state: state.read,
    call: () => pythonCall("Explorer", state.read()),
    picture: () => file(shown.now()),
  });
  el.append(f.root);
  const off = onTheme(shown.draw),
    wide = onWidth(shown.plot, shown.draw);
  onceShown(f.root, () => {
    arrived(at.seen);
    wide.start();
    source.want(wish());
  });
  return () => {
    off();
    wide.stop();
    state.off();
    source.stop();
    words.stop();
    f.root.remove();
  };
}

/**
 * Everything that is drawn, in the frame `f`, and how it follows what is `at` hand and the state.
 * @returns {{plot, now, draw, point, mask}}: the element of the map, what is shown, and the ways to draw it again
 */
function canvas(model, f, { at, state, inputs, watched, watch, words }) {
  const now = () => ({
    ...view(at.seen, state.read(), at.preview),
    watch: watch.on ? watched : null,
    chosen: at.chosen,
  });
  const keep = (i, j, part) => {
    at.preview = null;
    state.keep({ query: i, key: j, ...(part === "cell" ? {} : { part }) });
    point();
  };
  const map = heatmap({
    onpreview: (hit) => {
      at.preview = hit;
      point();
    },
    onkeep: keep,
  });
  const all = heads((layer, head) => {
    at.chosen = true;
    state.set({ layer, head, ...besides(at.seen, layer, head, { watch, watched }) });
  });
  const key = legend({ label: "Weight", ticks: [], masked: "masked, not 0" }),
    text = rowAsText((part) => {
      state.keep({ part });
      point();
    });
  const ahead = expectations(words, watch),
    allOn = button("All heads on", () => state.set({ off: "" }), "itt-plain");
  const changed = h("span", { class: "itt-flag" }, h("span", {}), allOn);
  const plot = h("div", { class: "ex-scroll" }, map.el),
    mapTitle = h("p", { class: "itt-label" });
  place(f, {
    all,
    ahead,
    text,
    inputs: { ...inputs, waits: model.get("folded") },
    watch,
    one: h(
      "div",
      { class: "ex-left" },
      watch.on && mapTitle,
      plot,
      h("div", { class: "ex-keys" }, key.el, !watch.on && inputs.toggles),
    ),
  });

  function draw() {
    const v = now(),
      { seen } = at,
      colour = scale(f.root, "seq"),
      top = seen.tops[v.measure];
    const room = layOut(map, plot, seen, v.now.labels, `The map of ${called(model)}`);
    inputs.show(v, room);
    key.set(UNIT[v.measure], ["0", tick(top / 2), tick(top)]);
    map.paint(
      seen.at(v.measure, v.layer, v.head),
      top,
      colour,
      v.now.numbers && room.numbers ? inCell(top) : watch.on ? inRow(v) : null,
    );
    all.draw(seen, v, colour);
    all.note(watched, watch.left);
    changed.firstChild.textContent = changedHeads(headsOf(seen.off));
    f.source(seen.off ? changed : seen.info.label);
    point();
    f.fresh();
  }
  /** The part that follows a pointer: the crosshair, the words, the sentence. */
  function point() {
    const v = now();
    map.point(v.i, v.j, v.part);
    ahead.show(v);
    text.show(v, line(v, scale(f.root, "seq"), keep));
    watch.name(v);
    if (watch.on) fill(mapTitle, oneTitle(v));
    f.say(readout(v));
  }
  return { plot, now, draw, point, mask: key.mask };
}

/**
 * Put the parts into the frame: where a word is watched all maps come first, and there is no bar. A guess that is made
 * on the maps stands with them. Elsewhere what the map says in words stands beside it, and settings that wait below it.
 */
function place(f, { one, all, ahead, text, inputs, watch }) {
  const guess = watch.onMaps ? f.root.querySelector(".guess") : null;
  if (watch.on) f.bar.remove();
  else if (inputs.waits)
    f.bar.append(
      folded("Another text, model or head; contributions", "ex-more", [...inputs.rows, row(...inputs.toggles)]),
    );
  else f.bar.append(...inputs.rows);
  f.bar.classList.toggle("ex-waits", inputs.waits);
  if (inputs.waits) f.readout.after(f.bar);
  f.root.classList.toggle("is-watching", watch.on);
  const besides = h("div", { class: "ex-besides" }, all.el, text.el, ahead.el);
  f.stage.append(h("div", { class: "ex-cols" }, watch.on ? [all.el, guess, ahead.el, one] : [one, besides]));
}

/** The key to which a head gives most in one row. */
function largest(seen, layer, head, i) {
  const row = seen.at("weights", layer, head).subarray(i * seen.n, (i + 1) * seen.n);
  return row.indexOf(Math.max(...row));
}

/** What else changes with a head where a word is watched: the key it looks at, and that no other head is off. */
const besides = (seen, layer, head, { watch, watched }) => ({
  ...(watch.on ? { key: largest(seen, layer, head, watched.at) } : {}),
  ...(watch.single ? { off: "" } : {}),
});

/** What is shown as a file. */
function file(v) {
  const { reading: seen } = v;
  return titled(
    picture({ ...v, values: seen.at(v.measure, v.layer, v.head), top: seen.tops[v.measure] }, WIDE),
    heading(v),
    seen.info.label,
  );
}

/** The state within the reading that is there. What a mouse points at goes before what was kept. */
function view(seen, now, preview) {
  const [i, j, hovered] = preview ?? [now.query, now.key, "cell"],
    kept = PARTS.includes(now.part) ? now.part : "row";
  return {
    reading: seen,
    tokens: seen.tokens,
    now,
    layer: index(now.layer, seen.L),
    head: index(now.head, seen.H),
    i: index(i, seen.n),
    j: index(j, seen.n),
    measure: MEASURES.includes(now.measure) ? now.measure : "weights",
    part: hovered === "cell" ? kept : hovered,
    off: now.off,
  };
}

/** Lay the map out in the width there is. A map wider than its place can be scrolled with the keyboard. */
function layOut(map, plot, seen, labels, words) {
  const width = plot.clientWidth || 320,
    room = map.lay(seen, width, labels),
    scrolls = map.size().width > width + 1;
  for (const [name, value] of [
    ["tabindex", 0],
    ["role", "region"],
    ["aria-label", words],
  ])
    scrolls ? plot.setAttribute(name, value) : plot.removeAttribute(name);
  return room;
}

/** Call `fn` when the width of an element changes. */
function onWidth(el, fn) {
  let was = 0;
  const watch = new ResizeObserver(() => {
    if (Math.abs(el.clientWidth - was) >= 1) {
      was = el.clientWidth;
      fn();
    }
  });
  return {
    start() {
      was = el.clientWidth;
      watch.observe(el);
    },
    stop: () => watch.disconnect(),
  };
}

/** What the model expects at the token that asks, beside what it expected with all heads on; and the switch. */
function expectations(words, watch) {
  const title = h("p", { class: "itt-label" }),
    rows = h("div", { class: "ex-rows" }),
    said = h("p", { class: "ex-effect", role: "status" });
  const el = h(
    "div",
    { class: "ex-ahead" },
    h("div", { class: "ex-texthead" }, title, !watch.onMaps && watch.flip),
    rows,
    said,
  );
  function show(v) {
    const i = v.watch?.at ?? v.i,
      { ahead, off, info } = v.reading,
      ended = info.causal && i > 0 && v.tokens[i] === END,
      ones = ended ? [] : ahead[i],
      write = v.watch ? short : (p) => num(p, 3);
    words.know(v.reading, i + 1, ones);
    fill(title, aheadTitle(v));
    rows.replaceChildren(
      ...ones.map((one) =>
        h(
          "div",
          { class: `ex-next${one.id === v.watch?.id ? " is-watched" : ""}` },
          h("span", { class: "itt-share-token" }, nextParts(one, v.tokens[i], info)),
          h("span", { class: `itt-share${off ? " has-before" : ""}`, style: { "--p": one.p, "--before": one.before } }),
          h("span", { class: "ex-p", text: write(one.p) }),
          !v.watch && h("span", { class: "ex-was", text: off ? `before: ${num(one.before, 3)}` : "" }),
        ),
      ),
    );
    fill(said, ended ? "The story has ended: nothing comes after the end sign." : v.watch ? "" : effect(v));
  }
  return { el, show };
}

function rowAsText(onpick) {
  const title = h("span"),
    words = h("div", { class: "ex-words" });
  const part = segmented({
    label: "Read the map by",
    hidden: true,
    options: ["Row", "Column"],
    value: 0,
    onpick: (i) => onpick(PARTS[i]),
  });
  const el = h(
    "div",
    { class: "ex-text" },
    h("div", { class: "ex-texthead" }, h("p", { class: "itt-label" }, title), part.el),
    words,
  );
  return {
    el,
    show(v, shown) {
      part.set(PARTS.indexOf(v.part));
      fill(title, lineTitle(v));
      fill(words, shown);
    },
  };
}

/** How a number is written in a cell: weights as .94, lengths with one decimal while they are small. */
const inCell = (top) =>
  top <= 1 ? (w) => (w >= 0.995 ? "1" : w < 0.005 ? "0" : w.toFixed(2).slice(1)) : (x) => num(x, x < 10 ? 1 : 0);

/** In the row that is watched: its weights in percent, where they are worth a word. */
const inRow =
  ({ watch: { at }, reading: { n } }) =>
  (w, k) =>
    Math.floor(k / n) === at && w >= 0.05 ? Math.round(100 * w) : "";

function table(v) {
  const { n, causal } = v.reading,
    values = v.reading.at(v.measure, v.layer, v.head),
    names = v.tokens.map((t) => label(t));
  return {
    caption: heading(v),
    head: ["query \\ key", ...names],
    rows: names.map((name, i) => [
      `${i} ${name}`,
      ...range(n).map((j) => (causal && j > i ? "masked" : num(values[i * n + j], 3))),
    ]),
  };
}

// --- What a reader of the explorer operates: model and text, layer and head, what is shown, and two ways to write more
// on the map.

export const MEASURES = ["weights", "contributions"];

/**
 * @returns { rows, toggles, say, build(seen, now), show(now, room) }: the elements, and how they follow a reading and
 * the state
 */
function bar(model, state, { ontext }) {
  const cap = model.get("cap");
  const models = model.get("models"),
    names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => state.set({ model: names[i] }),
  });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: ontext });
  const measure = segmented({
    label: "Show",
    options: ["Weights", "Contributions"],
    value: 0,
    onpick: (i) => state.set({ measure: MEASURES[i] }),
  });
  const numbers = toggle({
    label: "Numbers",
    hidden: true,
    text: "Numbers in the cells",
    value: model.get("numbers"),
    onpick: set("numbers"),
  });
  const labels = toggle({
    label: "Labels",
    hidden: true,
    text: "A label on every token",
    value: model.get("labels"),
    onpick: set("labels"),
  });
  const slots = { layer: h("div", { class: "itt-slot" }), head: h("div", { class: "itt-slot" }) },
    inside = {};

  function build(seen, now) {
    for (const [name, title, size] of [
      ["layer", "Layer", seen.L],
      ["head", "Head", seen.H],
    ]) {
      inside[name] = choice({ label: title, options: range(size).map(String), value: now[name], onpick: set(name) });
      slots[name].replaceChildren(inside[name].el);
    }
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }

  /** `room` says what the map has room for: numbers in the cells, a label on every token. */
  function show({ now, layer, head, measure: shown }, room) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    inside.layer?.set(layer);
    inside.head?.set(head);
    measure.set(MEASURES.indexOf(shown));
    numbers.set(now.numbers);
    labels.set(now.labels);
    numbers.el.hidden = !room.numbers;
    labels.el.hidden = room.labels && !now.labels;
  }
  return {
    rows: [row(pickModel.el, text.el), row(slots.layer, slots.head, measure.el)],
    toggles: [numbers.el, labels.el],
    say: text.say,
    build,
    show,
  };
}
