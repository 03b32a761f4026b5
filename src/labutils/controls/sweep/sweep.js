// Results along one or two sliders: bars, curves, or both. All numbers came from Python; nothing is computed here.
import { h, floats, index, onceShown } from "../look/kit.js";
import { frame } from "../look/frame.js";
import { segmented, slider } from "../look/inputs.js";
import { bind } from "../look/state.js";
import { bars as barsView } from "./bars.js";
import { cell } from "./cell.js";
import { picture } from "./picture.js";
import { plot } from "./plot.js";
import { automatic, bold, shown } from "./words.js";

const STATE = ["first", "second"], WORDY = 36; // letters that fit into one row of choices

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"), name: model.get("name") });
  const data = read(model), state = bind(model, STATE, draw), inputs = data.over.map((one, s) => input(one, state.read()[STATE[s]], (i) => state.set({ [STATE[s]]: i })));
  const list = data.bars && barsView(data.bars), graph = data.curves && plot((i) => { state.set({ first: i }); });
  const now = () => view(data, state.read());

  function draw() {
    const v = now();
    inputs.forEach((one, s) => one.set(v.at[s]));
    list?.draw(v.bars.values);
    graph?.draw(v);
    f.say(bold(v.said));
    f.fresh();
  }

  f.bar.classList.add("sw-sliders");
  f.bar.style.setProperty("--values", `${Math.max(...data.over.flatMap((one) => one.values.map((value) => Array.from(value).length)))}ch`);
  f.bar.append(...inputs.map((one) => one.el));
  f.stage.append(h("div", { class: `sw-cols${list && graph ? " is-both" : ""}` }, list?.el, graph?.el));
  f.source(model.get("source"));
  f.offer({ rows: () => rows(data, model.get("title")), picture: () => picture(now(), model.get("title")), state: state.read, call: () => cell(model, data, now().at) });
  el.append(f.root);
  const watch = new ResizeObserver(() => draw());
  onceShown(f.root, () => { draw(); if (graph) watch.observe(graph.el); });
  return () => { watch.disconnect(); state.off(); f.root.remove(); };
}

/** A few words are a choice; numbers, and many words, are a slider. */
function input({ label, values, numbers }, value, onpick) {
  const few = !numbers && values.length <= 6 && values.join("").length <= WORDY;
  if (few) return segmented({ label, options: values, value: index(value, values.length), onpick });
  return slider({ label, min: 0, max: values.length - 1, step: 1, value: index(value, values.length), words: (i) => values[i], oninput: onpick });
}

/** The traits, their bytes as numbers: `bars.at([i, j])` and `curves.along(c, j)`. */
export function read(model) {
  const over = model.get("over"), sizes = over.map((one) => one.values.length), b = model.get("bars"), c = model.get("curves"), total = sizes.reduce((x, y) => x * y, 1);
  const rank = ([i, j = 0]) => (sizes.length > 1 ? i * sizes[1] + j : i), told = model.get("said");
  const heights = b.labels && floats(b.heights), lines = c.names && floats(c.values);
  if (heights && heights.length !== total * b.labels.length) throw new Error(`the bars have ${heights.length} heights, not ${total * b.labels.length}`);
  if (lines && lines.length !== total * c.names.length) throw new Error(`the curves have ${lines.length} heights, not ${total * c.names.length}`);
  return {
    over, sizes, rank, told,
    bars: heights && { ...b, of: (at) => heights.subarray(rank(at) * b.labels.length, (rank(at) + 1) * b.labels.length) },
    curves: lines && { ...c, of: (k, j = 0) => Float32Array.from({ length: sizes[0] }, (_, i) => lines[k * total + rank([i, j])]) },
  };
}

/** What is shown at a position; an address can ask for any. */
function view({ over, sizes, rank, told, bars, curves }, now) {
  const at = sizes.map((size, s) => index(now[STATE[s]], size));
  const v = { over, at, bars: bars && { ...bars, values: bars.of(at) }, curves: curves && { ...curves, lines: curves.names.map((name, k) => ({ name, values: curves.of(k, at[1]) })) } };
  return { ...v, said: told.length ? told[rank(at)] : automatic(v) };
}

/** All positions as a table. */
function rows({ over, sizes, bars, curves }, caption) {
  const all = sizes.length > 1 ? over[0].values.flatMap((_, i) => over[1].values.map((__, j) => [i, j])) : over[0].values.map((_, i) => [i]);
  const lines = curves ? curves.names.map((_, k) => over.at(1)?.values.map((__, j) => curves.of(k, j)) ?? [curves.of(k)]) : [];
  const write = (x) => (Number.isFinite(x) ? String(+x.toPrecision(6)).replace("-", "−") : shown(x, 0));
  return {
    caption, head: [...over.map((one) => one.label), ...(bars?.labels ?? []), ...(curves?.names ?? [])],
    rows: all.map((at) => [...at.map((i, s) => over[s].values[i]), ...Array.from(bars ? bars.of(at) : [], write), ...lines.map((line) => write(line[at[1] ?? 0][at[0]]))]),
  };
}
