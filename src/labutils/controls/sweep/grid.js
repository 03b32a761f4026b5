// A matrix as a heat map: laid out for a width, and drawn. The same in the page, in the still picture and in the file.
import {
  BOLD,
  cells,
  END,
  fitted,
  hatched,
  inkOn,
  MIDDLE,
  missing,
  raised,
  ramp,
  SMALL,
  TICK,
  text,
  upright,
  wide,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { label, range } from "../look/words.js";
import { placeOf } from "./matrix.js";
import { shown } from "./words.js";

const LARGEST = 46,
  SMALLEST = 3,
  LABEL = 13,
  TALL = 430,
  DENSE = 316,
  NUMBER = 19,
  LOW = 240,
  SLANT = 0.64,
  ACROSS = 0.77; // px, of all rows together where they are high enough for a number and where not; rise, reach
const STEPS = [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50, 64, 100, 128];
const every = (room, need) => STEPS.find((step) => step * room >= need) ?? 128;

/** Where everything lies: cells of `w` by `h` from (left, top); every how many names one is written. */
export function layout({ rows, columns, axes, decimals, unit, values }, width) {
  const R = rows.length,
    C = columns.length,
    names = rows.map((name) => fitted(label(name, 20), 0.32 * width, 12));
  const heads = columns.map((name) => fitted(label(name, 20), 96, 12)),
    across = Math.max(...heads.map((name) => wide(name, 12))),
    left = 10 + Math.max(22, ...names.map((name) => wide(name, 14))); // the chosen one is bold
  const fit = (right) => Math.min(LARGEST, Math.max(SMALLEST, (width - left - right) / C));
  let w = fit(3),
    right = 3;
  // names lie flat where they have room, and where they count; other names are slanted or upright
  const flat = w >= across + 8 || heads.every((name) => /^[−\d.,/]+$/.test(name));
  if (!flat && !upright(C)) {
    right = Math.max(3, ...heads.map((name, j) => ACROSS * wide(name, 12) + 6 - (C - 1 - j + 0.5) * w));
    w = fit(right);
  }
  const square = R === C ? w : Math.max(w, LOW / R),
    h = Math.max(SMALLEST, Math.min(square, LARGEST, (R * NUMBER > TALL ? DENSE : TALL) / R));
  const top = 24 + (flat ? 16 : 4 + (upright(C) ? 1 : SLANT) * across),
    longest = Math.max(...Array.from(values, (x) => wide(inside(x, { decimals, unit }), 11)));
  const [down, over] = [`${label(axes[0])} ↓`, `${label(axes[1])} →`],
    turn = Math.max(wide(down, 12) + 14, left + C * w - wide(over, 12));
  // from the right, so that an arrow that a font draws wider is not cut
  return {
    axes: [
      [0, down, {}],
      [turn + wide(over, 12), over, END],
    ],
    R,
    C,
    w,
    h,
    left,
    top,
    flat,
    names,
    heads,
    high: top + R * h,
    wide: Math.max(left + C * w + right, turn + wide(over, 12)),
    column: every(w, flat ? across + 8 : LABEL),
    row: every(h, LABEL),
    numbered: w >= longest + 4 && h >= NUMBER,
  };
}

/** The outline of one cell. */
export const outline = ({ left, top, w, h }, i, j) => ({
  x: left + j * w - 1,
  y: top + i * h - 1,
  width: w + 2,
  height: h + 2,
});

/**
 * @param g a layout; @param m the matrix
 * @param ink the colour of a number on a cell, by its place on the scale
 * @returns the marks, without the outline of the chosen cell
 */
export function map(g, m, ink = (t) => inkOn(m.scale, t)) {
  const { R, C, w, h, left, top, flat, names, heads, column, row, numbered } = g,
    { values, i, j } = m,
    gap = Math.min(w, h) > 12 ? 0.5 : 0,
    mid = (k) => left + (k + 0.5) * w;
  const box = (k) => ({
      x: left + (k % C) * w + gap,
      y: top + Math.floor(k / C) * h + gap,
      width: w - 2 * gap,
      height: h - 2 * gap,
    }),
    all = range(R * C),
    there = all.filter((k) => Number.isFinite(values[k]));
  const above = (k, words) => {
    const how = { ...NAME, ...(k === j ? BOLD : {}) };
    return flat
      ? text(mid(k), top - 10, words, { ...MIDDLE, ...how })
      : s("text", {
          transform: raised(mid(k), top - 7, C),
          fill: "var(--itt-ink)",
          ...how,
          text: words,
        });
  };
  return [
    g.axes.map(([x, words, how]) => text(x, 8, words, { ...SMALL, ...how })),
    names.map(
      (name, k) =>
        k % row === 0 && text(left - 8, top + (k + 0.5) * h, name, { ...NAME, ...END, ...(k === i ? BOLD : {}) }),
    ),
    heads.map((name, k) => k % column === 0 && above(k, name)),
    gap
      ? cells(
          m.scale,
          there.map((k) => ({ ...box(k), t: placeOf(m, values[k]) })),
        )
      : small(g, m),
    runs(values, R, C).map(([r, from, to]) =>
      hatched(left + from * w + gap, top + r * h + gap, (to - from) * w - 2 * gap, h - 2 * gap),
    ),
    all
      .filter((k) => Number.isNaN(values[k]))
      .map((k) => {
        const b = box(k);
        return missing(b.x + 1, b.y + 1, Math.max(1, b.width - 2), Math.max(1, b.height - 2));
      }),
    numbered &&
      there.map((k) =>
        text(mid(k % C), top + (Math.floor(k / C) + 0.5) * h, inside(values[k], m), {
          ...MIDDLE,
          "font-size": 11,
          fill: ink(placeOf(m, values[k])),
          "pointer-events": "none",
        }),
      ),
  ];
}
/** A number inside a cell; a probability as .94. */
const inside = (x, { decimals, unit }) =>
  unit !== "probability" || !Number.isFinite(x)
    ? shown(x, decimals)
    : x >= 0.995
      ? "1"
      : x < 0.005
        ? "0"
        : x.toFixed(2).slice(1);
const NAME = { "font-size": 12 };

/** Many small cells: neighbours of one colour are one stroke, and all strokes of one colour are one path. */
function small({ R, C, w, h, left, top }, m) {
  const paths = new Map(),
    colour = (k) => (Number.isFinite(m.values[k]) ? ramp(m.scale, Math.round(80 * placeOf(m, m.values[k])) / 80) : "");
  for (let r = 0; r < R; r++)
    for (let c = 0, from = 0; c < C; c++) {
      const now = colour(r * C + c);
      if (c + 1 < C && colour(r * C + c + 1) === now) continue;
      if (now) paths.set(now, `${paths.get(now) ?? ""}M${from} ${r}h${c + 1 - from}`);
      from = c + 1;
    }
  const scaled = `translate(${left.toFixed(2)} ${(top + h / 2).toFixed(2)}) scale(${w.toFixed(4)} ${h.toFixed(4)})`;
  return s(
    "g",
    { transform: scaled, fill: "none" },
    Array.from(paths, ([stroke, d]) => s("path", { class: "itt-cells", stroke, d })),
  );
}

/** Masked cells that lie side by side, as [row, from, to]. */
function runs(values, R, C) {
  const out = [];
  for (let r = 0; r < R; r++)
    for (let c = 0, from = -1; c <= C; c++) {
      const masked = c < C && values[r * C + c] === -Infinity;
      if (masked && from < 0) from = c;
      if (!masked && from >= 0) {
        out.push([r, from, c]);
        from = -1;
      }
    }
  return out;
}

export const nameOf = ({ unit }) =>
  unit === "probability" ? "Probability" : unit ? unit.charAt(0).toUpperCase() + unit.slice(1) : "Value";
export const hidden = (m) => Array.from(m.values).includes(-Infinity);

/** The scale below a picture: its name, its ends and its middle, and the texture of what is masked. */
export function scale(m, y, width) {
  const name = nameOf(m),
    x = 14 + wide(name, 12),
    long = 144,
    bar = range(36).map((k) => ({ x: x + k * 4, y, width: k < 35 ? 4.6 : 4, height: 10, t: (k + 0.5) / 36 }));
  const below = x + long + 100 > width,
    [mx, my] = below ? [0, y + 34] : [x + long + 24, y];
  const tick = (t, words, more) => text(x + t * long, y + 20, words, { ...TICK, ...more });
  return {
    high: y + (hidden(m) && below ? 48 : 30),
    marks: [
      text(0, y + 5, name, SMALL),
      cells(m.scale, bar),
      tick(0, m.ticks[0], {}),
      tick(0.5, m.ticks[1], MIDDLE),
      tick(1, m.ticks[2], END),
      hidden(m) && [hatched(mx, my - 1, 20, 12), text(mx + 26, my + 5, "masked", SMALL)],
    ],
  };
}
