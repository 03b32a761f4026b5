// Points on a plane: laid out for a width, and drawn. The same in the page, in the still picture and in the file.
import { BOLD, END, MIDDLE, SMALL, text, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { clamp, range } from "../look/words.js";
import { NONE } from "./numbers.js";
import { axisWords, named } from "./words.js";

const EDGE = 16,
  TOP = 26,
  FOOT = 30,
  R = 4.6,
  SMALLER = 2.6,
  LINE = 15; // px
const SHAPES = [
  (x, y, r) => `M${p(x - r)} ${p(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`, // circle
  (x, y, r) => `M${p(x - 0.9 * r)} ${p(y - 0.9 * r)}h${p(1.8 * r)}v${p(1.8 * r)}h${p(-1.8 * r)}z`, // square
  (x, y, r) => `M${p(x)} ${p(y - 1.2 * r)}l${p(1.15 * r)} ${p(2.1 * r)}h${p(-2.3 * r)}z`, // triangle
  (x, y, r) =>
    `M${p(x)} ${p(y - 1.3 * r)}l${p(1.3 * r)} ${p(1.3 * r)}l${p(-1.3 * r)} ${p(1.3 * r)}l${p(-1.3 * r)} ` +
    `${p(-1.3 * r)}z`, // diamond
  (x, y, r) => cross(x, y, r), // plus
  (x, y, r) => `M${p(x)} ${p(y + 1.2 * r)}l${p(1.15 * r)} ${p(-2.1 * r)}h${p(-2.3 * r)}z`, // triangle on its tip
];
const p = (x) => String(+x.toFixed(1));
function cross(x, y, r) {
  const a = 0.42 * r,
    b = 1.25 * r - a;
  return (
    `M${p(x - a)} ${p(y - a - b)}h${p(2 * a)}v${p(b)}h${p(b)}v${p(2 * a)}h${p(-b)}v${p(b)}h${p(-2 * a)}v${p(-b)}` +
    `h${p(-b)}v${p(-2 * a)}h${p(b)}z`
  );
}

/** The shape and the colour of a group; words without one are small grey circles. */
export const shape = (group, x, y, r = R) => (group < 0 ? SHAPES[0](x, y, SMALLER) : SHAPES[group](x, y, r));
export const colour = (group) => (group < 0 ? "var(--itt-ghost)" : `var(--itt-c${group + 1})`);

/** Where every point lies, in px. Both axes have one scale unless one of them is a line. */
export function layout(v, width) {
  const high = clamp(0.85 * width, 290, 350),
    ends = (all) => [Math.min(...all), Math.max(...all)];
  const [x0, x1] = ends(v.x.at),
    [y0, y1] = ends(v.y.at),
    room = width - 2 * EDGE,
    tall = high - TOP - FOOT - EDGE;
  let [fx, fy] = [room / (x1 - x0 || 1), tall / (y1 - y0 || 1)];
  if (!v.line && v.x.share !== null) fx = fy = Math.min(fx, fy);
  const cx = width / 2 - (fx * (x0 + x1)) / 2,
    cy = TOP + EDGE / 2 + tall / 2 + (fy * (y0 + y1)) / 2;
  return {
    width,
    high,
    xs: Float64Array.from(v.x.at, (x) => cx + fx * x),
    ys: Float64Array.from(v.y.at, (y) => cy - fy * y),
    zero: [cx, cy],
    top: TOP,
    foot: high - FOOT,
  };
}

/** @param hover the place of a word that is pointed at, or null */
export function drawing(g, v, hover = null) {
  const { xs, ys } = g,
    near = v.near.map((one) => one.i),
    chosen = v.i === NONE ? [] : [v.i],
    special = [...new Set([...chosen, ...near])];
  return [
    axes(g, v),
    [-1, ...range(v.names.length)].map((group) => points(g, v, group)),
    near.map((j) => hair(xs[v.i], ys[v.i], xs[j], ys[j], { stroke: "var(--itt-edge)", "stroke-width": 0.75 })),
    special.map((i) => point(g, v, i)),
    special.map((i) => ring(g, i, i === v.i ? 8 : 6.5, { "stroke-width": i === v.i ? 2 : 1 })),
    hover === null
      ? null
      : ring(g, hover, 8, { "stroke-width": 1.5, "stroke-dasharray": "2 2" }, { class: "pt-hover" }),
    labels(g, v, [...(hover === null ? [] : [hover]), ...chosen, ...near]),
  ];
}

const hair = (x1, y1, x2, y2, more = {}) => s("line", { x1, y1, x2, y2, stroke: "var(--itt-line)", ...more });

/** The zero of both axes, where it is inside, and what the axes are. */
function axes(g, v) {
  const [zx, zy] = g.zero,
    inside = (x, low, high) => x >= low && x <= high,
    border = { stroke: "var(--itt-edge)", "stroke-dasharray": "4 3" };
  return [
    inside(zx, 0, g.width) && hair(zx, g.top, zx, g.foot, v.line ? border : {}),
    inside(zy, g.top, g.foot) && hair(0, zy, g.width, zy),
    text(0, 8, `↑ ${axisWords(v.y)}`, SMALL),
    v.line
      ? [
          text(0, g.high - 8, `← ${v.line.below}`, SMALL),
          text(g.width, g.high - 8, `${v.line.above} →`, { ...SMALL, ...END }),
          text(clamp(zx, 40, g.width - 40), g.high - 8, "border", { ...SMALL, ...MIDDLE }),
        ]
      : text(g.width, g.high - 8, `${axisWords(v.x)} →`, { ...SMALL, ...END }),
  ];
}

/** All words of a group as one path. */
const points = ({ xs, ys }, v, group) =>
  s("path", {
    class: "pt-points",
    fill: colour(group),
    "data-group": group,
    d: range(v.n)
      .filter((i) => v.of[i] === group)
      .map((i) => shape(group, xs[i], ys[i]))
      .join(""),
  });

/** A word that is chosen or near, above the others. */
const point = ({ xs, ys }, v, i) =>
  s("path", {
    fill: v.of[i] < 0 ? "var(--itt-muted)" : colour(v.of[i]),
    d: v.of[i] < 0 ? SHAPES[0](xs[i], ys[i], 3.6) : shape(v.of[i], xs[i], ys[i]),
    stroke: "var(--itt-paper)",
    "stroke-width": 1,
  });

const ring = ({ xs, ys }, i, r, stroke, more = {}) =>
  s("circle", { ...more, cx: xs[i], cy: ys[i], r, fill: "none", stroke: "var(--itt-ink)", ...stroke });

/** Names beside their points, the first before the later ones; one that finds no free place is left out. */
function labels(g, v, wanted) {
  const taken = wanted.map((i) => ({ x: g.xs[i] - 6, y: g.ys[i] - 6, w: 12, h: 12, of: i })),
    marks = [];
  const free = (box, i) =>
    box.x >= 0 &&
    box.x + box.w <= g.width &&
    box.y >= g.top - 4 &&
    box.y + box.h <= g.foot + 4 &&
    !taken.some(
      (one) =>
        one.of !== i &&
        one.x < box.x + box.w &&
        box.x < one.x + one.w &&
        one.y < box.y + box.h &&
        box.y < one.y + one.h,
    );
  for (const [rank, i] of [...new Set(wanted)].entries()) {
    const words = named(v.words[i]),
      w = 1.08 * wide(words, 13) + 2,
      x = g.xs[i],
      y = g.ys[i];
    const places = [
      [x + 10, y],
      [x - 10 - w, y],
      [x - w / 2, y - 17],
      [x - w / 2, y + 17],
      [x + 7, y - 14],
      [x + 7, y + 14],
      [x - 7 - w, y - 14],
      [x - 7 - w, y + 14],
    ].map(([left, mid]) => ({ x: left, y: mid - LINE / 2, w, h: LINE, of: -1 }));
    const box =
      places.find((one) => free(one, i)) ?? (rank === 0 ? { ...places[0], x: clamp(x + 10, 0, g.width - w) } : null);
    if (!box) continue;
    taken.push(box);
    marks.push(
      text(box.x + 1, box.y + LINE / 2, words, {
        class: "pt-label",
        ...(i === v.i ? BOLD : {}),
        stroke: "var(--itt-paper)",
        "stroke-width": 3,
        "stroke-linejoin": "round",
        "paint-order": "stroke",
      }),
    );
  }
  return marks;
}
