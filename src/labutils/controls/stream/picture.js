// The stream at rest: a cell for each token and half of a layer, and the neurons of the one that is chosen.
import {
  BOLD,
  bold,
  cells,
  drawing,
  END,
  fitted,
  MIDDLE,
  missing,
  SMALL,
  TICK,
  text,
  wide,
  wrapped,
} from "../look/draw.js";
import { plain, s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, num, range } from "../look/words.js";
import { FAR, finished, heading, step, view } from "./numbers.js";
import { inCell, neuronsTitle, said, UNIT } from "./words.js";

const LINE = 24,
  HEAD = 44,
  LARGEST = 8; // px of a row and of what stands above; neurons that are listed

export function picture(v, width) {
  const g = layout(v, width),
    each = stepsOf(v, g),
    there = each.filter(({ ratio }) => !Number.isNaN(ratio)),
    low = v.neurons ? list(v, g.foot + 62, width) : { high: g.foot + 48, marks: [] };
  const { side } = g,
    gone = each.filter(({ ratio }) => Number.isNaN(ratio));
  return drawing(
    width,
    low.high,
    above(v, g),
    beside(v, g),
    cells(
      "seq",
      there.map(({ x, y, ratio }) => ({
        x: x + 0.5,
        y: y + 0.5,
        width: side - 1,
        height: LINE - 1,
        t: Math.min(1, ratio / FAR),
      })),
    ),
    gone.map(({ x, y }) => missing(x + 2, y + 2, side - 4, LINE - 4)),
    side >= 22 && there.map((one) => number(one, side)),
    chosen(g.at(v.l, v.p, v.i), side),
    legend(v.measure, g.foot + 16, width),
    low.marks,
  );
}

/** Where the cells lie, in px, and the names of the rows. */
function layout({ seen, tokens }, width) {
  const names = tokens.map((token, i) => `${label(token)} ${i}`),
    left = 10 + Math.min(0.3 * width, Math.max(...names.map((name) => wide(name, 12)))),
    side = (width - left) / (2 * seen.L);
  return {
    width,
    names,
    left,
    side,
    foot: HEAD + LINE * seen.n,
    at: (l, p, i) => ({ x: left + (2 * l + p) * side, y: HEAD + i * LINE }),
  };
}

/** Each half of a layer at each token: its place, and the ratio that is shown. */
const stepsOf = ({ seen, measure }, { at }) =>
  range(seen.n).flatMap((i) =>
    range(2 * seen.L).map((k) => ({
      ...at(k >> 1, k & 1, i),
      ratio: step(seen, k >> 1, k & 1, i).ratios[measure],
    })),
  );

/** The layers and their halves, above the cells. */
function above({ seen: { L } }, { left, side, width }) {
  const centred = (x, y, words, more) => text(x, y, words, { ...more, ...MIDDLE }),
    halves = side >= 62 ? ["attention", "network"] : ["a", "n"];
  return range(L).map((l) => [
    centred(left + (2 * l + 1) * side, 10, width < 500 && L > 4 ? String(l) : `layer ${l}`, SMALL),
    halves.map((words, p) => centred(left + (2 * l + p + 0.5) * side, 30, words, TICK)),
  ]);
}

/** The tokens, beside the cells. */
const beside = ({ i: here }, { names, left }) =>
  names.map((name, i) =>
    text(left - 10, HEAD + LINE * (i + 0.5), fitted(name, left - 10, 12), {
      "font-size": 12,
      ...END,
      ...(i === here ? BOLD : {}),
    }),
  );

const number = ({ x, y, ratio }, side) =>
  text(x + side / 2, y + LINE / 2, inCell(ratio), {
    "font-size": 11,
    ...MIDDLE,
    fill: `var(--itt-${ratio / FAR > 0.52 ? "paper" : "ink"})`,
  });

const chosen = ({ x, y }, side) =>
  s("rect", {
    x: x - 1,
    y: y - 1,
    width: side + 2,
    height: LINE + 2,
    rx: 3,
    fill: "none",
    stroke: "var(--itt-ink)",
    "stroke-width": 2,
  });

function legend(measure, y, width) {
  const words = fitted(UNIT[measure], width - 150, 12),
    x = 12 + wide(words, 12);
  return [
    text(0, y + 5, words, SMALL),
    range(9).map((k) => s("rect", { x: x + k * 14, y, width: 14, height: 10, fill: `var(--itt-seq-${k})` })),
    [
      ["0", 0, {}],
      ["1", 63, MIDDLE],
      [`${FAR}+`, 126, END],
    ].map(([word, at, more]) => text(x + at, y + 20, word, { ...TICK, ...more })),
  ];
}

/** The largest neurons of the token, as bars about a zero line. */
function list(v, above, width) {
  const { order, row } = v.neurons,
    first = order.slice(0, LARGEST),
    far = Math.abs(row[first[0]]) || 1,
    left = 90,
    right = 60,
    mid = left + 0.15 * (width - left - right),
    room = width - right - mid,
    title = wrapped(plain(neuronsTitle(v)), width / 1.08, 12),
    top = above + 16 * (title.length - 1),
    foot = top + 22 + first.length * 20;
  const bar = (j, k) => {
    const y = top + 22 + k * 20,
      t = row[j] / far,
      w = Math.max(1, Math.abs(t) * (t < 0 ? mid - left : room));
    return [
      text(left - 10, y + 8, `neuron ${j}`, { "font-size": 12, ...END }),
      s("rect", {
        x: t < 0 ? mid - w : mid,
        y: y + 2,
        width: w,
        height: 12,
        rx: 2,
        fill: `var(--itt-div-${t < 0 ? 1 : 7})`,
      }),
      text(width, y + 8, num(row[j]), { "font-size": 12, ...END }),
    ];
  };
  return {
    high: foot + 6,
    marks: [
      title.map((words, k) => text(0, above + 6 + 16 * k, bold(words), { "font-size": 12 })),
      first.map(bar),
      s("line", { x1: mid, x2: mid, y1: top + 20, y2: foot, stroke: "var(--itt-edge)" }),
    ],
  };
}

export function still(traits) {
  const seen = finished(traits.finished),
    v = view(seen, traits);
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: heading(v),
    said: said(v),
    source: seen.info.label,
  });
}
