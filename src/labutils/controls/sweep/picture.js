// A sweep at one position: bars, curves, or both. The still picture and the file.
import {
  END,
  fitted,
  hatched,
  MIDDLE,
  missing,
  SMALL,
  bold as strong,
  drawing as svg,
  TICK,
  text,
  track,
  wide,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, spelt } from "../look/words.js";
import { barMarks, drawing, parts } from "./curves.js";
import { layout, map, outline, scale } from "./grid.js";
import { cellWords } from "./matrix.js";
import { read, view } from "./numbers.js";
import { bold, kindOf, ofBar } from "./words.js";

const LINE = 26,
  GAP = 28,
  TOP = 40,
  BESIDE = 600, // px; from this width on, curves stand beside the bars
  NARROWEST = 400; // px up to which a control has the narrowest scale, as in sweep.css

export function picture(v, width) {
  const at = v.over.flatMap((one, k) => [k ? "   " : "", `${one.label} `, strong(one.values[v.at[k]])]);
  const heat = v.matrix ? plate(v.matrix, width) : { high: 0 },
    low = v.bars || v.curves ? heights(v, width) : { high: 0 },
    gap = heat.high && low.high ? GAP : 0;
  return svg(
    width,
    TOP + heat.high + gap + low.high,
    text(0, 10, at, { "xml:space": "preserve" }),
    v.matrix && s("g", { transform: `translate(0 ${TOP})` }, heat.marks),
    low.marks && s("g", { transform: `translate(0 ${TOP + heat.high + gap})` }, low.marks),
  );
}

/** The matrix with its chosen cell, and its scale. */
function plate(m, width) {
  const g = layout(m, width),
    key = scale(m, g.high + 16, width);
  const chosen = s("rect", {
    ...outline(g, m.i, m.j),
    rx: 2,
    fill: "none",
    stroke: "var(--itt-ink)",
    "stroke-width": 2,
  });
  return { high: key.high, marks: [map(g, m), chosen, key.marks] };
}

/** Bars and curves, side by side where there is room. */
function heights(v, width) {
  const beside = v.bars && v.curves && width >= BESIDE,
    half = beside ? (width - GAP) / 2 : width;
  const bars = v.bars ? rows(v.bars, half, width <= NARROWEST) : { high: 0 };
  const graph = v.curves && parts(v, half),
    x = beside ? half + GAP : 0,
    y = (beside ? 0 : bars.high) + (graph?.unit ? 18 : 0);
  return {
    high: Math.max(bars.high, graph ? y + graph.high : 0),
    marks: [
      v.bars && bars.marks,
      graph &&
        s("g", { transform: `translate(${x} ${y})` }, graph.unit && text(0, -6, graph.unit, SMALL), drawing(graph)),
    ],
  };
}

/** The bars in this width: a name, a bar, a number in each line, and the scale below, with `few` marks if asked. */
function rows({ labels, values, tints, axis: { low, high, ticks }, decimals, unit }, width, few) {
  const names = labels.map((name) => label(name)),
    numbers = Array.from(values, (x) => ofBar(x, { decimals, unit })),
    room = (words, most) => Math.min(most, Math.max(...words.map((word) => wide(word))));
  const left = 12 + room(names, 0.34 * width),
    end = width - 10 - room(numbers, 0.3 * width),
    top = unit ? 26 : 8,
    foot = top + LINE * names.length;
  const place = (x) => left + ((end - left) * (x - low)) / (high - low || 1),
    marks = barMarks(ticks)[few ? "few" : "marks"];
  const line = (name, i) => {
    const y = top + LINE * (i + 0.5);
    return [
      text(left - 12, y, fitted(name, left - 12), END),
      bar(values[i], tints[i], place, left, end, y),
      text(width, y, numbers[i], END),
    ];
  };
  return {
    high: foot + 24,
    marks: [
      unit && text(left, 8, unit, SMALL),
      names.map((_, i) => !kindOf(values[i]) && track(left, top + LINE * (i + 0.5) - 7, Math.round(end - left), 14)),
      marks.map(([t, word]) => {
        const x = left + t * (end - left);
        return [
          s("line", { x1: x, x2: x, y1: top, y2: foot, stroke: "var(--itt-line)" }),
          text(x, foot + 12, word, { ...TICK, ...MIDDLE }),
        ];
      }),
      names.map(line),
    ],
  };
}

function bar(x, fill, place, left, end, y) {
  const box = [left, y - 7, end - left, 14];
  if (kindOf(x)) return kindOf(x) === "is-masked" ? hatched(...box) : missing(...box);
  const [from, to] = [place(0), place(x)].sort((a, b) => a - b);
  return s("rect", { x: from, y: y - 7, width: Math.max(1, to - from), height: 14, rx: 2, fill });
}

/** The sentence of the position, and that of the chosen cell. */
const said = (v) => (v.matrix ? `${v.said} ${cellWords(v.matrix, v.matrix.i, v.matrix.j)}` : v.said);

export function still(traits) {
  const data = read({ get: (name) => traits[name] }),
    at = (state) => {
      const v = view(data, state);
      return { draw: (width) => picture(v, width), said: bold(said(v)) };
    },
    [first, second] = traits.paper;
  return framed(traits, {
    ...at(traits),
    name: spelt(traits.title),
    source: traits.source,
    paper: traits.paper.length ? at({ ...traits, first, second }) : null,
  });
}
