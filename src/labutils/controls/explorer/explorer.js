// Attention of every head: the map of one, all as thumbnails, one row or column as text. Weights, or what they
// contribute.
import { fill, h, onTheme, onceShown, scale } from "../look/kit.js";
import { index, label, num, range } from "../look/words.js";
import { frame, row } from "../look/frame.js";
import { bdi } from "../look/markup.js";
import { button, choice, segmented, textField, toggle } from "../look/inputs.js";
import { legend } from "../look/marks.js";
import { bind, pythonCall } from "../look/state.js";
import { WIDE, titled } from "../look/still.js";
import { feed } from "../look/feed.js";
import { lastOf, remembering } from "../look/kept.js";
import { headsOf, isOff, read, toggled } from "./ahead.js";
import { heads, heatmap } from "./map.js";
import { live, unpack } from "./numbers.js";
import { picture } from "./picture.js";
import { UNIT, aheadTitle, changedHeads, chip, effect, heading, line, lineTitle, readout, tick } from "./words.js";

export const CAP = 64;
const STATE = ["model", "text", "layer", "head", "query", "key", "measure", "part", "numbers", "labels", "off"];
const PARTS = ["row", "column"];

export async function render({ model, el }) {
  const f = frame(model);
  // the reading that is drawn, what a mouse points at, what the map has room for
  let seen = await unpack(model.get("finished")), preview = null, room = {}, typed = false;
  const state = bind(model, STATE, change), places = remembering();
  const inputs = bar(model, state, { cap: CAP, ontext: (text) => { typed = true; state.set({ text }); } });
  const source = feed({ model, cap: CAP, want: MEASURES, read, say: inputs.say,
      show: (reading) => arrived(live(reading)) });
  const keep = (i, j, part) => {
    preview = null;
    state.keep({ query: i, key: j, ...(part === "cell" ? {} : { part }) });
    point();
  };
  const map = heatmap({ onpreview: (hit) => { preview = hit; point(); }, onkeep: keep });
  const all = heads((layer, head) => state.set({ layer, head }));
  const key = legend({ label: "Weight", ticks: [], masked: "masked, not 0" }), text = rowAsText((part) => {
    state.keep({ part });
    point();
  });
  const ahead = expectations(() => { const { off, layer, head } = view(seen, state.read(), null);
    state.set({ off: toggled(off, layer, head) }); });
  const changed = h("span", { class: "itt-flag" }, h("span", {}), button("All heads on", () => state.set({ off: "" }),
    "itt-plain"));
  const plot = h("div", { class: "ex-scroll" }, map.el);
  const now = () => view(seen, state.read(), preview);

  function arrived(reading) {
    const was = state.read(), sizes = { layer: reading.L, head: reading.H, query: reading.n, key: reading.n };
    const last = lastOf(reading.tokens), asks = typed && reading.text === was.text ? { query: last, key: last } : {};
    seen = reading;
    preview = null;
    state.keep(places({ ...was, ...asks }, sizes)); // a typed text asks with its last token
    typed = false;
    inputs.build(seen, state.read());
    key.mask(seen.causal);
    draw();
  }
  function change() {
    const { model: name, text: words, off } = state.read();
    const asked = seen.asked ?? seen.off; // an address may ask for heads that there are not
    if (name !== seen.info.name || words !== seen.text || off !== asked) source.want({ name, text: words, off });
    draw();
  }
  function draw() {
    const v = now(), colour = scale(f.root, "seq"), top = seen.tops[v.measure];
    room = layOut(map, plot, seen, v.now.labels);
    inputs.show(v, room);
    key.set(UNIT[v.measure], ["0", tick(top / 2), tick(top)]);
    map.paint(seen.at(v.measure, v.layer, v.head), top, colour, v.now.numbers && room.numbers ? inCell(top) : null);
    all.draw(seen, v, colour);
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
    f.say(readout(v));
  }

  f.bar.append(...inputs.rows);
  f.stage.append(h("div", { class: "ex-cols" },
      h("div", { class: "ex-left" }, plot, h("div", { class: "ex-keys" }, key.el, inputs.toggles)), all.el),
    text.el, ahead.el);
  f.offer({
    rows: () => table(now()), state: state.read, call: () => pythonCall("Explorer", state.read()),
    picture: () => {
      const v = now();
      return titled(picture({ ...v, values: seen.at(v.measure, v.layer, v.head), top: seen.tops[v.measure] }, WIDE),
        heading(v), seen.info.label);
    },
  });
  el.append(f.root);
  const off = onTheme(draw), wide = onWidth(plot, draw);
  onceShown(f.root, () => {
    arrived(seen);
    wide.start();
    source.want({ name: model.get("model"), text: model.get("text"), off: model.get("off") });
  });
  return () => { off(); wide.stop(); state.off(); source.stop(); f.root.remove(); };
}

/** The state within the reading that is there. What a mouse points at goes before what was kept. */
function view(seen, now, preview) {
  const [i, j, hovered] = preview ?? [now.query, now.key, "cell"], kept = PARTS.includes(now.part) ? now.part : "row";
  return {
    reading: seen, tokens: seen.tokens, now, layer: index(now.layer, seen.L), head: index(now.head, seen.H),
    i: index(i, seen.n), j: index(j, seen.n),
    measure: MEASURES.includes(now.measure) ? now.measure : "weights", part: hovered === "cell" ? kept : hovered,
    off: now.off,
  };
}

/** Lay the map out in the width there is. A map wider than its place can be scrolled with the keyboard. */
function layOut(map, plot, seen, labels) {
  const width = plot.clientWidth || 320, room = map.lay(seen, width, labels), scrolls = map.size().width > width + 1;
  for (const [name, value] of [["tabindex", 0], ["role", "region"], ["aria-label", "The map, which scrolls"]])
    scrolls ? plot.setAttribute(name, value) : plot.removeAttribute(name);
  return room;
}

/** Call `fn` when the width of an element changes. */
function onWidth(el, fn) {
  let was = 0;
  const watch = new ResizeObserver(() => { if (Math.abs(el.clientWidth - was) >= 1) { was = el.clientWidth; fn(); } });
  return { start() { was = el.clientWidth; watch.observe(el); }, stop: () => watch.disconnect() };
}

/** What the model expects at the token that asks, beside what it expected with all heads on; and the switch. */
function expectations(onswitch) {
  const title = h("p", { class: "itt-label" }), rows = h("div", { class: "ex-rows" }), flip = button("", onswitch),
    said = h("p", { class: "ex-effect", role: "status" });
  const el = h("div", { class: "ex-ahead" }, h("div", { class: "ex-texthead" }, title, flip), rows, said);
  function show(v) {
    fill(title, aheadTitle(v));
    flip.textContent = `Switch head ${v.layer}.${v.head} ${isOff(v.off, v.layer, v.head) ? "on" : "off"}`;
    rows.replaceChildren(...v.reading.ahead[v.i].map(({ token, p, before }) => h("div", { class: "ex-next" },
      h("span", { class: "itt-share-token" }, bdi(chip(token))),
      h("span", { class: "itt-share has-before", style: { "--p": p, "--before": before } }),
      h("span", { class: "ex-p", text: num(p, 3) }),
      h("span", { class: "ex-was", text: v.reading.off ? `was ${num(before, 3)}` : "" }))));
    fill(said, effect(v));
  }
  return { el, show };
}

function rowAsText(onpick) {
  const title = h("span"), words = h("div", { class: "ex-words" });
  const part = segmented({ label: "Read the map by", hidden: true, options: ["Row", "Column"], value: 0,
      onpick: (i) => onpick(PARTS[i]) });
  const el = h("div", { class: "ex-text" }, h("div", { class: "ex-texthead" }, h("p", { class: "itt-label" }, title),
      part.el), words);
  return { el, show(v, shown) { part.set(PARTS.indexOf(v.part)); fill(title, lineTitle(v)); fill(words, shown); } };
}

/** How a number is written in a cell: weights as .94, lengths with one decimal while they are small. */
const inCell = (top) => (top <= 1 ? (w) => (w >= 0.995 ? "1" : w < 0.005 ? "0" : w.toFixed(2).slice(1))
  : (x) => num(x, x < 10 ? 1 : 0));

function table(v) {
  const { n, causal } = v.reading, values = v.reading.at(v.measure, v.layer, v.head),
    names = v.tokens.map((t) => label(t));
  return { caption: heading(v), head: ["query \\ key", ...names],
    rows: names.map((name, i) => [`${i} ${name}`,
      ...range(n).map((j) => (causal && j > i ? "masked" : num(values[i * n + j], 3)))]) };
}

// --- What a reader of the explorer operates: model and text, layer and head, what is shown, and two ways to write more
// on the map.

export const MEASURES = ["weights", "contributions"];

/**
 * @returns { rows, toggles, say, build(seen, now), show(now, room) }: the elements, and how they follow a reading and
 * the state
 */
function bar(model, state, { cap, ontext }) {
  const models = model.get("models"), names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({ label: "Model", options: models.map((one) => one.title),
      value: names.indexOf(model.get("model")), onpick: (i) => state.set({ model: names[i] }) });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: ontext });
  const measure = segmented({ label: "Show", options: ["Weights", "Contributions"], value: 0,
      onpick: (i) => state.set({ measure: MEASURES[i] }) });
  const numbers = toggle({ label: "Numbers", hidden: true, text: "Numbers in the cells", value: model.get("numbers"),
      onpick: set("numbers") });
  const labels = toggle({ label: "Labels", hidden: true, text: "A label on every token", value: model.get("labels"),
      onpick: set("labels") });
  const slots = { layer: h("div", { class: "itt-slot" }), head: h("div", { class: "itt-slot" }) }, inside = {};

  function build(seen, now) {
    for (const [name, title, size] of [["layer", "Layer", seen.L], ["head", "Head", seen.H]]) {
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
  return { rows: [row(pickModel.el, text.el), row(slots.layer, slots.head, measure.el)],
    toggles: [numbers.el, labels.el], say: text.say, build, show };
}
