// A way at rest: the drawing itself, and the same as one SVG, for a file, for paper and for previews.
import { BOLD, END, fitted, hatched, ramp, SMALL, drawing as svg, TICK, text, track } from "../look/draw.js";
import { e, s } from "../look/markup.js";
import { rest, WIDE } from "../look/still.js";
import { label, range, short } from "../look/words.js";
import { below, drawing } from "./drawing.js";
import { finished, view } from "./numbers.js";
import { stripAt } from "./strips.js";
import { before, heading, inOne, reachName, readout } from "./words.js";

const HEAD = 56,
  LINE = 30,
  TOKENS = 58,
  GAP = 10; // px

export function picture(v, width) {
  const { seen, columns } = v,
    side = Math.min(30, 160 / seen.n) * seen.n,
    states = columns.length - 3;
  const room = (width - TOKENS - side - (columns.length - 2) * GAP) / states,
    foot = HEAD + LINE * seen.n;
  let x = TOKENS + GAP;
  const marks = columns.slice(1, -1).map((column) => {
    const at = x,
      wide = column.kind === "map" ? side : room;
    x += wide + GAP;
    return column.kind === "map" ? map(v, at, wide) : stage(v, column, at, wide);
  });
  const names = seen.tokens.map((one, i) =>
    text(0, HEAD + LINE * (i + 0.5), fitted(label(one), TOKENS, 14), { "font-size": 14, ...(i === v.i ? BOLD : {}) }),
  );
  return svg(width, foot + 66 + 22 * seen.next[v.i].length, names, marks, bars(v, foot + 62, width));
}

function stage({ seen, i }, { stage: k, name }, x, wide) {
  const one = seen.lens[k][i];
  const lines = range(seen.n).map((t) => line(seen, k, t, x, wide));
  return [
    text(x, 16, fitted(name.replace("After b", "B"), wide, 12), { "font-size": 12, ...BOLD }),
    text(x, 36, fitted(reachName(seen, k).replace("numbers to\u00a0", ""), wide, 11), TICK),
    lines,
    text(x, HEAD + LINE * seen.n + 14, fitted(inOne(one, seen.tokens[i], seen.info), wide, 12), { "font-size": 12 }),
    text(x, HEAD + LINE * seen.n + 31, short(one.p), TICK),
  ];
}
const line = (seen, k, t, x, wide) =>
  stripAt(seen.row(k, t), seen.reach[k], { x, y: HEAD + LINE * t + 4, width: wide, height: LINE - 8 });

function map(v, x, wide) {
  const { seen } = v,
    { n, head } = seen,
    size = wide / n,
    y = (t) => HEAD + LINE * t;
  const cell = (t, j) =>
    j > t
      ? hatched(x + j * size, y(t) + 1, size - 1, LINE - 2)
      : s("rect", {
          x: x + j * size,
          y: y(t) + 1,
          width: size - 1,
          height: LINE - 2,
          rx: 2,
          fill: ramp("seq", seen.weight(t, j)),
        });
  return [
    text(x, 16, fitted(`Block ${head.layer}, head ${head.head}`, wide, 12), { "font-size": 12, ...BOLD }),
    text(x, 36, fitted(`takes from ${label(seen.tokens[head.key])}`, wide, 11), TICK),
    range(n).flatMap((t) => range(n).map((j) => cell(t, j))),
  ];
}

function bars(v, top, width) {
  const { seen, i } = v,
    left = 120,
    room = width - left - 60;
  return [
    text(0, top - 4, `Next word ${before(v)}`, { ...SMALL, ...BOLD }),
    seen.next[i].map((one, k) => {
      const y = top + 20 + 22 * k;
      return [
        text(0, y, fitted(inOne(one, seen.tokens[i], seen.info), left, 14), { "font-size": 14, ...(k ? {} : BOLD) }),
        track(left, y - 6, room, 12),
        s("rect", { x: left, y: y - 6, width: Math.max(2, room * one.p), height: 12, rx: 2, fill: "var(--itt-w)" }),
        text(width, y, short(one.p), { ...END, ...(k ? {} : BOLD) }),
      ];
    }),
  ];
}

export function still(traits) {
  const v = view(finished(traits.finished), traits),
    { props, kids } = picture(v, WIDE);
  const paper = s("svg", { class: "is-wide wy-paper", role: "img", "aria-label": heading(v), ...props }, kids);
  return rest(traits, {
    look: "wy-control",
    stage: e("div", { class: "itt-stage" }, drawing(v), below(v), paper),
    said: readout(v),
    source: v.seen.info.label,
  });
}
