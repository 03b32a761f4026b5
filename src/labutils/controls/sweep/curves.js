// Curves along the first slider: each named where it ends, with a mark and its number at the position of the slider.
// Drawn in the page and in the picture.
import { wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { label, range } from "../look/words.js";
import { height, shown } from "./words.js";

export const HIGH = 272,
  TOP = 25, // room for a number above the highest mark
  FOOT = 40,
  LINE = 17; // px
const DOTTED = 24,
  BESIDE = 10; // positions; px between a mark and its number
const GONE = shown(Infinity, 0);
const total = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** About how wide a text in bold is. */
const heavy = (words) => 1.08 * wide(words);

/** The outline of a line that breaks where a height is missing. */
export function path(xs, ys) {
  let out = "",
    on = false;
  xs.forEach((x, i) => {
    if (Number.isFinite(ys[i])) out += `${on ? "L" : "M"}${x.toFixed(1)} ${ys[i].toFixed(1)}`;
    on = Number.isFinite(ys[i]);
  });
  return out;
}

/**
 * Where each label stands, `tall` px each, as near to its own place as the others allow: from `top` to `foot`. Those
 * that would touch move apart together, half of it up and half down.
 */
export function spread(wanted, tall, top, foot) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b),
    groups = [],
    out = [];
  /** Some labels below one another, as near as can be to where each would stand. */
  const group = (some) => {
    let high = 0,
      off = 0;
    for (const i of some) {
      off += wanted[i] - high;
      high += tall[i];
    }
    return { some, high, from: Math.max(top, Math.min(off / some.length, foot - high)) };
  };
  for (const i of order) {
    let one = group([i]);
    while (groups.length && end(groups) > one.from) one = group([...groups.pop().some, ...one.some]);
    groups.push(one);
  }
  for (const { some, from } of groups) {
    let y = from;
    for (const i of some) {
      out[i] = y;
      y += tall[i];
    }
  }
  return out;
}
const end = (groups) => groups.at(-1).from + groups.at(-1).high;

/** Those of the ticks that do not touch one another; the two ends stay, and the one at `here` where they leave room. */
export function thinned(ticks, width, here = null) {
  const room = (i, k) =>
      Math.abs(ticks[k][0] - ticks[i][0]) * width - 3.4 * (ticks[i][1].length + ticks[k][1].length) - 8,
    kept = new Set([0, ticks.length - 1]);
  const first = ticks.findIndex(([t]) => t === here);
  for (const i of [Math.max(0, first), ...ticks.keys()])
    if (Array.from(kept).every((k) => room(i, k) >= 0)) kept.add(i);
  return ticks.filter((_, i) => kept.has(i));
}

const NARROW = 170,
  NARROWEST = 100; // px that bars have for their scale in a control, and in the narrowest
/** The even steps that lead from 0 to the end. */
const whole = (end) => range(end).flatMap((i) => (end % (i + 1) ? [] : [i + 1]));
/**
 * The marks of the scale below bars: at rest, alive and in the file the same.
 * @param {[number, string][]} ticks
 * @returns {{marks: [number, string][], few: [number, string][]}} `few` of them fit in the narrowest control
 */
export function barMarks(ticks) {
  const marks = thinned(ticks, NARROW),
    some = whole(marks.length - 1).map((step) => marks.filter((_, i) => i % step === 0));
  return { marks, few: some.find((few) => thinned(few, NARROWEST).length === few.length) ?? marks.slice(0, 1) };
}

/** How far a number stands above or below its mark, in lines, from the best place on. */
const AWAY = [-0.7, 0.7, -1.4, 1.4, -2.1, 2.1, -2.8, 2.8, -3.5, 3.5, -4.2, 4.2];

/**
 * Whether a line goes through a box, where it is drawn.
 * @param {number[]} xs @param {number[]} ys
 * @param {number[]} box left, right, top, foot
 */
export function crosses(xs, ys, [left, right, top, foot]) {
  return xs.slice(1).some((to, i) => {
    const [x, y, z] = [xs[i], ys[i], ys[i + 1]],
      at = (where) => y + ((z - y) * (where - x)) / (to - x || 1);
    if (!Number.isFinite(y) || !Number.isFinite(z) || to < left || x > right) return false;
    const [from, end] = [at(Math.max(x, left)), at(Math.min(to, right))];
    return Math.max(from, end) > top && Math.min(from, end) < foot;
  });
}
const overlap = (a, b) => a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];

/**
 * The place of a number beside its mark at (x, y): above it or below, right of it or left, where it stands neither on a
 * line nor on another number, nor left of the axis, whose own numbers stand there; if it has to, on a line.
 */
function beside(words, x, y, { xs, lines, taken, end, foot, turned }) {
  const long = heavy(words),
    places = [false, true].flatMap((left) =>
      AWAY.map((away, rank) => {
        const from = left ? x - BESIDE - long : x + BESIDE,
          mid = y + away * LINE,
          box = [from, from + long, mid - 0.45 * LINE, mid + 0.45 * LINE],
          out = from < xs[0] || from + long > end || mid < TOP / 2 || mid > foot;
        const hits = lines.filter((ys) => crosses(xs, ys, box)).length,
          on = taken.some((other) => overlap(box, other));
        const cost = (out ? 100 : 0) + (on ? 50 : 0) + 25 * hits + rank + (left === turned ? 0 : 2.5);
        return { left, y: mid, box, cost };
      }),
    );
  return places.reduce((best, one) => (one.cost < best.cost ? one : best));
}

/** Whether a later line has the same number at the same place: then its mark covers this one, and it is said once. */
const covered = (numbers, paths, i, c) =>
  numbers.some((words, k) => k > c && words === numbers[c] && Math.abs(paths[k][i] - paths[c][i]) < 1);

/** The numbers of all lines at the slider, each beside its mark; on the left where the axis ends. */
function marked(numbers, paths, levels, i, xs, end, foot) {
  const x = xs[i],
    turned = x + BESIDE + Math.max(...numbers.map(heavy)) > end,
    said = paths.map((_, c) => c).filter((c) => !covered(numbers, paths, i, c)),
    lines = [...paths, ...levels.map(({ y }) => Array(xs.length).fill(y))],
    heights = said.map((c) => (numbers[c] === GONE ? TOP : Number.isFinite(paths[c][i]) ? paths[c][i] : foot)),
    marks = heights.map((y) => [x - 6, x + 6, y - 6, y + 6]);
  const words = said.map((c) => (numbers[c] === GONE ? `↑ ${GONE}` : numbers[c]));
  const found = orders(said.length).map((order) => {
    const taken = [...marks],
      at = [];
    for (const k of order) {
      at[k] = beside(words[k], x, heights[k], { xs, lines, taken, end, foot, turned });
      taken.push(at[k].box);
    }
    return { at, cost: at.reduce((sum, one) => sum + one.cost, INVERTED * inverted(at, heights)) };
  });
  const { at } = found.reduce((best, one) => (one.cost < best.cost ? one : best));
  return said.map((c, k) => {
    const { left, y } = at[k];
    return { c, words: words[k], x: x + (left ? -BESIDE : BESIDE), y, anchor: left ? "end" : "start" };
  });
}
/** In which orders numbers look for their places: of few all, of many the one in which they come. */
function orders(count) {
  const all = count <= 4 ? count : 1;
  if (all < 2) return [Array.from({ length: count }, (_, k) => k)];
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, k) => [...order.slice(0, k), count - 1, ...order.slice(k)]),
  );
}
const INVERTED = 6;
/** How many pairs of numbers on one side stand the other way round than their marks. */
const inverted = (at, heights) =>
  at.reduce(
    (sum, one, i) =>
      sum +
      at.filter((other, k) => k > i && other.left === one.left && (other.y - one.y) * (heights[k] - heights[i]) < 0)
        .length,
    0,
  );

/** The parts of the drawing, for a width: used on the page and in the picture that a reader takes along. */
export function parts({ over, curves, at }, width) {
  const { axis, lines, unit } = curves,
    [least = -Infinity] = curves.bottom ?? [],
    numbers = lines.map((line) => height(line.values[at[0]], curves)),
    most = 0.42 * width,
    named = [...lines, ...curves.levels].map(({ name }) => name),
    full = named.map((name) => label(name)),
    longest = (list) => Math.max(...list.map(heavy));
  // a name that is too long stands in two lines
  const narrow = width < 460 || 12 + longest(full) > most;
  const letters = Math.floor((most - 14) / heavy("n")),
    names = named.map((name, c) => (narrow ? wrapped(label(name, 2 * letters), letters) : [full[c]]));
  const left = 14 + 6.6 * Math.max(...axis.ticks.map(([, word]) => word.length)),
    right = Math.min(most, 14 + longest(names.flat()));
  const f = axis.log ? Math.log : (x) => x,
    span = f(axis.high) - f(axis.low) || 1,
    wide = width - left - right,
    tall = names.map((words) => words.length * LINE),
    foot = Math.max(HIGH - FOOT, TOP + 4 + total(tall)); // many names need a higher drawing
  const y = (x) => foot - ((f(Math.max(x, least)) - f(axis.low)) / span) * (foot - TOP),
    xs = over[0].at.map((t) => left + t * wide);
  const paths = lines.map((line) => Array.from(line.values, (x) => (Number.isFinite(x) ? y(x) : NaN)));
  const levels = curves.levels.map((one) => ({ ...one, y: y(one.height) })),
    ends = [...paths.map((ys) => ys.findLast(Number.isFinite) ?? foot), ...levels.map((one) => one.y)],
    labels = spread(ends, tall, TOP + 4, foot + LINE - (narrow ? 6 : 0));
  return {
    axis,
    unit,
    left,
    right,
    wide,
    width,
    high: foot + FOOT,
    top: TOP,
    foot,
    xs,
    paths,
    levels,
    labels,
    names,
    numbers,
    marks: marked(numbers, paths, levels, at[0], xs, left + wide, foot),
    here: xs[at[0]],
    ticks: thinned(over[0].ticks, wide, over[0].at[at[0]]),
    said: over[0].values[at[0]],
    along: over[0].label,
  };
}

/** Everything that is drawn, as SVG. */
export function drawing(p) {
  const text = (cls, x, y, words, more = {}) => s("text", { class: cls, x, y, text: words, ...more }),
    colour = colours(p.levels),
    tones = [...p.paths.map((_, c) => colour(c)), ...p.levels.map(tone)];
  const height = (t) => p.foot - t * (p.foot - p.top),
    end = p.left + p.wide;
  return [
    p.axis.ticks.map(([t, word]) => [
      s("line", { class: "sw-grid", x1: p.left, x2: end, y1: height(t), y2: height(t), stroke: "var(--itt-line)" }),
      text("sw-tick", p.left - 8, height(t), word, {
        "text-anchor": "end",
        "dominant-baseline": "central",
        fill: "var(--itt-muted)",
        "font-size": 11,
      }),
    ]),
    p.ticks.map(([t, word]) =>
      text("sw-tick", Math.max(wide(word, 11) / 2, p.left + t * p.wide), p.foot + 15, word, {
        "text-anchor": "middle",
        fill: "var(--itt-muted)",
        "font-size": 11,
      }),
    ),
    text("sw-tick", end, p.foot + 34, `${p.along} →`, {
      "text-anchor": "end",
      fill: "var(--itt-muted)",
      "font-size": 12,
    }),
    s("line", {
      class: "sw-here",
      ...{ x1: p.here, x2: p.here, y1: p.top - 6, y2: p.foot, stroke: "var(--itt-edge)", "stroke-dasharray": "3 3" },
    }),
    p.levels.map((one) => level(one, p.left, end)),
    p.paths.map((ys, c) => [
      s("path", {
        class: "sw-line",
        d: path(p.xs, ys),
        stroke: colour(c),
        fill: "none",
        "stroke-width": 2,
        "stroke-linejoin": "round",
      }),
      dots(p.xs, ys, colour(c)),
      dot(p.here, ys[p.xs.indexOf(p.here)], colour(c)),
    ]),
    called(p, end, colour, tones, text),
    p.marks.map(({ c, words, x, y, anchor }) =>
      text("sw-at", x, y, words, { ...END, ...HALO, fill: colour(c), "text-anchor": anchor }),
    ),
  ];
}
/** The mark of a line at the slider, with a ring: of two lines that are near each other, both are seen. */
const dot = (cx, cy, fill) =>
  Number.isFinite(cy)
    ? s("circle", { class: "sw-dot", r: 3.5, cx, cy, fill, stroke: "var(--itt-paper)", "stroke-width": 1.5 })
    : null;
/** The names of the lines, where the axis ends. */
const called = (p, end, colour, tones, text) =>
  p.names.map((words, c) => [
    c < p.paths.length && leader(p, p.paths[c], c, colour(c)), // behind the lines stand the names of the levels
    words.map((word, i) => text("sw-end", end + 12, p.labels[c] + i * LINE, word, { ...END, fill: tones[c] })),
  ]);
/** A line that ends early is led to its name. */
function leader({ xs, labels, left, wide: across }, ys, c, stroke) {
  const last = ys.findLastIndex(Number.isFinite);
  if (last < 0 || last === ys.length - 1) return null;
  const d = `M${xs[last].toFixed(1)} ${ys[last].toFixed(1)}L${(left + across + 8).toFixed(1)} ${labels[c].toFixed(1)}`;
  return s("path", {
    class: "sw-leader",
    d,
    fill: "none",
    stroke,
    "stroke-dasharray": "1 4",
    "stroke-linecap": "round",
  });
}
/** What the curves are compared with: dashed, a floor in one line. */
const level = ({ y, floor }, x1, x2) =>
  s("line", {
    class: "sw-level",
    ...{ x1, x2, y1: y, y2: y, stroke: floor ? tone({ floor }) : "var(--itt-edge)" },
    ...(floor ? { "stroke-width": 2 } : { "stroke-dasharray": "4 4" }),
  });
/** The colour of a level: floors have one of their own, in every figure. */
const tone = ({ floor }) => (floor ? "var(--itt-v)" : "var(--itt-muted)");
const HUES = [1, 2, 3, 4, 5, 6],
  FLOOR = 3; // of the categories the one that is --itt-v, so no curve above a floor has it
/** The colour of each curve. */
export function colours(levels) {
  const hues = levels.some((one) => one.floor) ? HUES.filter((hue) => hue !== FLOOR) : HUES;
  return (c) => `var(--itt-c${hues[c % hues.length]})`;
}
const END = { "font-size": 13, "font-weight": 600, "dominant-baseline": "central" };
const HALO = { "paint-order": "stroke", stroke: "var(--itt-paper)", "stroke-width": 6, "stroke-linejoin": "round" };

/** A name in one or two lines of at most `most` letters, broken at a space or behind a hyphen where there is one. */
function wrapped(name, most) {
  if (name.length <= most) return [name];
  const gap = Math.max(name.lastIndexOf(" ", most), name.lastIndexOf("-", most - 1) + 1),
    at = gap > 2 ? gap : most,
    rest = name.slice(at).trim();
  return [name.slice(0, at), rest.length > most ? `${rest.slice(0, most - 1)}…` : rest];
}

/** Few points are all drawn; of many, those with no neighbour, through which no line goes. */
function dots(xs, ys, fill) {
  const there = (i) => Number.isFinite(ys[i]),
    drawn = (i) => there(i) && (xs.length <= DOTTED || (!there(i - 1) && !there(i + 1)));
  return xs.map((x, i) => (drawn(i) ? s("circle", { r: 2, cx: x, cy: ys[i], fill }) : null));
}
