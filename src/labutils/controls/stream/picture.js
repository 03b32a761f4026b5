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
import { inCell, neuronsTitle, readout, UNIT } from "./words.js";

const LINE = 24,
  HEAD = 44,
  LARGEST = 8; // px of a row and of what stands above; neurons that are listed

export function picture(v, width) {
  const { seen, tokens, measure } = v,
    names = tokens.map((token, i) => `${label(token)} ${i}`);
  const left = 10 + Math.min(0.3 * width, Math.max(...names.map((name) => wide(name, 12))));
  const side = (width - left) / (2 * seen.L),
    foot = HEAD + LINE * seen.n,
    inside = side >= 22;
  const at = (l, p, i) => ({ x: left + (2 * l + p) * side, y: HEAD + i * LINE });
  const each = range(seen.n).flatMap((i) =>
    range(2 * seen.L).map((k) => {
      const l = k >> 1,
        p = k & 1;
      return { ...at(l, p, i), l, p, i, x0: step(seen, l, p, i).ratios[measure] };
    }),
  );
  const drawn = each.filter(({ x0 }) => !Number.isNaN(x0));
  const box = ({ x, y, x0 }) => ({
    x: x + 0.5,
    y: y + 0.5,
    width: side - 1,
    height: LINE - 1,
    t: Math.min(1, x0 / FAR),
  });
  const number = ({ x, y, x0 }) =>
    text(x + side / 2, y + LINE / 2, inCell(x0), {
      "font-size": 11,
      ...MIDDLE,
      fill: `var(--itt-${x0 / FAR > 0.52 ? "paper" : "ink"})`,
    });
  const here = at(v.l, v.p, v.i);
  const above = range(seen.L).map((l) => [
    text(left + (2 * l + 1) * side, 10, width < 500 && seen.L > 4 ? String(l) : `layer ${l}`, {
      ...SMALL,
      ...MIDDLE,
    }),
    range(2).map((p) =>
      text(left + (2 * l + p + 0.5) * side, 30, side >= 62 ? ["attention", "network"][p] : ["a", "n"][p], {
        ...TICK,
        ...MIDDLE,
      }),
    ),
  ]);
  const low = v.neurons ? list(v, foot + 62, width) : { high: foot + 48, marks: [] };
  return drawing(
    width,
    low.high,
    above,
    names.map((name, i) =>
      text(left - 10, HEAD + LINE * (i + 0.5), fitted(name, left - 10, 12), {
        "font-size": 12,
        ...END,
        ...(i === v.i ? BOLD : {}),
      }),
    ),
    cells("seq", drawn.map(box)),
    each.filter(({ x0 }) => Number.isNaN(x0)).map(({ x, y }) => missing(x + 2, y + 2, side - 4, LINE - 4)),
    inside && drawn.map(number),
    s("rect", {
      x: here.x - 1,
      y: here.y - 1,
      width: side + 2,
      height: LINE + 2,
      rx: 3,
      fill: "none",
      stroke: "var(--itt-ink)",
      "stroke-width": 2,
    }),
    legend(measure, foot + 16, width),
    low.marks,
  );
}

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
    said: readout(v),
    source: seen.info.label,
  });
}
