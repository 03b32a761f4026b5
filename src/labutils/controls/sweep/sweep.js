// Results along one or two sliders: bars, curves, or both. All numbers came from Python; nothing is computed here.
import { h, onceShown } from "../look/kit.js";
import { index } from "../look/words.js";
import { frame } from "../look/frame.js";
import { segmented, slider } from "../look/inputs.js";
import { bind } from "../look/state.js";
import { WIDE, titled } from "../look/still.js";
import { bars as barsView } from "./bars.js";
import { cell } from "./cell.js";
import { STATE, read, rows, view } from "./numbers.js";
import { picture } from "./picture.js";
import { plot } from "./plot.js";
import { bold } from "./words.js";

const WORDY = 36; // letters that fit into one row of choices

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"),
      name: model.get("name") });
  const data = read(model), state = bind(model, STATE, draw),
    inputs = data.over.map((one, s) => input(one, state.read()[STATE[s]], (i) => state.set({ [STATE[s]]: i })));
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
  f.bar.style.setProperty("--values",
    `${Math.max(...data.over.flatMap((one) => one.values.map((value) => Array.from(value).length)))}ch`);
  f.bar.append(...inputs.map((one) => one.el));
  f.stage.append(h("div", { class: `sw-cols${list && graph ? " is-both" : ""}` }, list?.el, graph?.el));
  f.source(model.get("source"));
  f.offer({ rows: () => rows(data, model.get("title")),
      picture: () => titled(picture(now(), WIDE), model.get("title"), model.get("source")), state: state.read,
      call: () => cell(model, data, now().at) });
  el.append(f.root);
  const watch = new ResizeObserver(() => draw());
  onceShown(f.root, () => { draw(); if (graph) watch.observe(graph.el); });
  return () => { watch.disconnect(); state.off(); f.root.remove(); };
}

/** A few words are a choice; numbers, and many words, are a slider. */
function input({ label, values, numbers }, value, onpick) {
  const few = !numbers && values.length <= 6 && values.join("").length <= WORDY;
  if (few) return segmented({ label, options: values, value: index(value, values.length), onpick });
  return slider({ label, min: 0, max: values.length - 1, step: 1, value: index(value, values.length),
      words: (i) => values[i], oninput: onpick });
}
