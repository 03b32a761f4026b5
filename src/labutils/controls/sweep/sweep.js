// Results along one or two sliders: bars, curves, a matrix. All numbers came from Python; nothing is computed here.

import { frame } from "../look/frame.js";
import { segmented, slider } from "../look/inputs.js";
import { fill, h, onceShown, onTheme, s, widthOf, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { bind } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, label, spelt } from "../look/words.js";
import { barMarks, drawing, parts } from "./curves.js";
import { heatmap } from "./heatmap.js";
import { opened } from "./matrix.js";
import { CELL, cell, read, rows, STATE, view } from "./numbers.js";
import { picture } from "./picture.js";
import { bold, kindOf, ofBar } from "./words.js";

const WORDY = 44; // letters that fit into one row of choices

export async function render({ model, el }) {
  const f = frame(model);
  const data = read(model),
    names = data.matrix ? [...STATE, ...CELL] : STATE;
  if (data.matrix) data.matrix = await opened(model.get("matrix"));
  const state = bind(model, draw, names),
    inputs = data.over.map((one, s) => input(one, state.read()[STATE[s]], (i) => state.set({ [STATE[s]]: i })));
  const list = data.bars && barsView(data.bars),
    graph =
      data.curves &&
      plot((i) => {
        state.set({ first: i });
      }),
    heat =
      data.matrix &&
      heatmap(data.matrix, (row, column) => {
        state.set({ row, column });
      });
  const now = () => view(data, state.read());

  function draw() {
    const v = now();
    inputs.forEach((one, s) => {
      one.set(v.at[s]);
    });
    list?.draw(v.bars);
    graph?.draw(v);
    heat?.draw(v.matrix);
    f.say(bold(v.said));
    f.fresh();
  }

  arrange(f, data.over);
  f.bar.append(...inputs.map((one) => one.el));
  if (heat) f.stage.append(heat.el);
  const both = list && graph ? " is-both" : "";
  if (list || graph) f.stage.append(h("div", { class: `sw-cols${both}` }, list?.el, graph?.el));
  f.source(model.get("source"));
  f.offer({
    rows: () => rows(data, now(), spelt(model.get("title"))),
    picture: () => titled(picture(now(), WIDE), spelt(model.get("title")), model.get("source")),
    state: state.read,
    call: () => cell(model, data, now().at, now().matrix),
  });
  el.append(f.root);
  const watch = new ResizeObserver(() => draw());
  onceShown(f.root, () => {
    draw();
    if (graph) watch.observe(graph.el);
    if (heat) watch.observe(heat.el);
  });
  const off = heat ? onTheme(draw) : () => {};
  return () => {
    off();
    watch.disconnect();
    state.off();
    f.root.remove();
  };
}

/** The picture comes first, its sentence directly below it, then the guess about both; the sliders end at one place. */
function arrange(f, over) {
  f.root.classList.add("sw-control");
  const guess = f.root.querySelector(":scope > .guess");
  if (guess) f.readout.after(guess);
  f.bar.classList.add("sw-sliders");
  const longest = Math.max(...over.flatMap((one) => one.values.map((value) => Array.from(value).length)));
  f.bar.style.setProperty("--values", `${longest}ch`);
}

/** A few words are a choice; numbers, and many words, are a slider. */
function input({ values, numbers, written }, value, onpick) {
  const few = !numbers && values.length <= 6 && values.join("").length <= WORDY;
  if (few) {
    const { label: name, values: options } = written;
    return segmented({ label: name, options, value: index(value, values.length), onpick });
  }
  return slider({
    label: written.label,
    min: 0,
    max: values.length - 1,
    step: 1,
    value: index(value, values.length),
    words: (i) => values[i],
    oninput: onpick,
  });
}

// --- Horizontal bars with their numbers. Rows are built once and then only rewritten.

function barsView({ labels, axis: { low, high, ticks }, decimals, unit }) {
  const place = (x) => (x - low) / (high - low || 1),
    zero = place(0),
    names = labels.map((name) => label(name));
  const rows = names.map((name) => {
    const bar = h("span", { class: "sw-bar" }),
      number = h("span", { class: "sw-number" });
    const el = h("div", { class: "sw-row" }, h("span", { class: "sw-name" }, bdi(name)), bar, number);
    return { el, bar, number };
  });
  const { marks, few } = barMarks(ticks);
  const scale = h(
    "div",
    { class: "sw-row sw-scale", "aria-hidden": "true" },
    h("span"),
    h(
      "span",
      { class: "sw-marks" },
      marks.map((mark) =>
        h("span", {
          class: few.includes(mark) ? "sw-mark" : "sw-mark is-spare",
          text: mark[1],
          style: { "--x": mark[0] },
        }),
      ),
    ),
    h("span"),
  );
  const longest = Math.max(...names.map((name) => Array.from(name).length));
  const el = h(
    "div",
    { class: "sw-bars", style: { "--names": `${Math.min(longest + 1, 16)}ch`, "--zero": zero } },
    unit && h("p", { class: "itt-label", text: unit }),
    h(
      "div",
      { class: "sw-rows" },
      rows.map((row) => row.el),
    ),
    scale,
  );

  function draw({ values, tints }) {
    rows.forEach(({ el, bar, number }, i) => {
      const x = values[i],
        kind = kindOf(x),
        [from, to] = [place(x), zero].sort((a, b) => a - b);
      bar.className = `sw-bar ${kind}`;
      el.classList.toggle("is-none", kind !== "");
      bar.style.setProperty("--from", kind ? 0 : from);
      bar.style.setProperty("--to", kind ? 1 : to);
      bar.style.setProperty("--tint", tints[i]);
      write(number, ofBar(x, { decimals, unit }));
    });
  }
  return { el, draw };
}

// --- The curves in a page: they follow the width there is, and a pointer moves the slider.

/** @param onpick called with the position that a reader points at */
function plot(onpick) {
  const svg = s("svg", { class: "sw-svg", role: "img" }),
    unit = h("p", { class: "itt-label" }),
    el = h("div", { class: "sw-plot" }, unit, svg);
  let last = null;
  const pick = (event) => {
    const box = svg.getBoundingClientRect(),
      x = ((event.clientX - box.left) * last.width) / box.width;
    const near = last.xs.reduce((best, at, i) => (Math.abs(at - x) < Math.abs(last.xs[best] - x) ? i : best), 0);
    if (last.xs[near] !== last.here) onpick(near);
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture?.(event.pointerId);
    pick(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons) pick(event);
  });
  return {
    el,
    draw(v) {
      last = parts(v, Math.max(240, widthOf(el) || 320));
      svg.setAttribute("viewBox", `0 0 ${last.width} ${last.high}`);
      svg.setAttribute(
        "aria-label",
        `${v.curves.names
          .map((name, c) => `${label(name)} ${last.numbers[c]}`)
          .join(", ")}, at ${last.along} ${last.said}`,
      );
      fill(svg, drawing(last));
      write(unit, last.unit);
      unit.hidden = !last.unit;
    },
  };
}
