// Marks of a drawing, as data: the same in every picture, in the page, in the still picture and in the file.
import { s } from "./markup.js";

export const MUTED = { fill: "var(--itt-muted)" };
export const SMALL = { "font-size": 12, ...MUTED };
export const TICK = { "font-size": 11, ...MUTED };
export const END = { "text-anchor": "end" };
export const MIDDLE = { "text-anchor": "middle" };
export const BOLD = { "font-weight": 650 };
// px from stripe to stripe along x; the width of a letter in font sizes on average, and which are broad or slim
const STRIPE = 5 * Math.SQRT2,
  LETTER = 0.54,
  BROAD = /[mwMW@%…—→]/,
  SLIM = /[iljtfr.,:;'’|!()[\] ]/;

/** Names above columns are slanted, and of many columns upright, where slanted ones would touch; all read upwards. */
export const upright = (columns) => columns > 11;
/** Where a name above the middle of a column begins. */
export const raised = (x, y, columns) =>
  `translate(${(x + (upright(columns) ? 4 : 3)).toFixed(1)} ${y.toFixed(1)}) rotate(${upright(columns) ? -90 : -40})`;

/** What a bar could fill: it leads the eye from the end of the bar to its number. */
export const track = (x, y, width, height) =>
  s("path", { d: `M${x} ${y}h${width}v${height}h${-width}z`, fill: "var(--itt-hover)" });
/** A line of text whose middle is at y; parts in bold are spans. */
export const text = (x, y, words, more = {}) =>
  s("text", { x, y, "font-size": 13, fill: "var(--itt-ink)", "dominant-baseline": "central", ...more }, words);
export const bold = (words) => s("tspan", { "font-weight": 650, text: words });
/** About how wide a text is, in the broadest of the fonts that a page may have. */
export const wide = (words, size = 13) =>
  size *
  Array.from(words).reduce((sum, letter) => sum + (BROAD.test(letter) ? 0.97 : SLIM.test(letter) ? 0.4 : 0.63), 0);
/** As many letters of a text as have room. */
export function fitted(words, room, size = 13) {
  const letters = Array.from(words),
    most = Math.max(2, Math.floor(room / (LETTER * size) + 0.01));
  if (letters.length <= most || wide(words, size) <= room + 0.1) return words;
  return `${letters.slice(0, most - 1).join("")}…`;
}
/** Words in lines that fit. */
export function wrapped(words, room, size = 13) {
  const lines = [];
  for (const word of words.split(/ +/)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && wide(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(fitted(word, room, size));
  }
  return lines;
}

/** A place from 0 to 1 on a scale of the theme, "seq" or "div", as a colour that follows the theme. */
export function ramp(name, t) {
  const x = 8 * Math.min(1, Math.max(0, t || 0)),
    low = Math.min(7, Math.floor(x)),
    part = Math.round(100 * (x - low));
  return part
    ? `color-mix(in srgb, var(--itt-${name}-${low + 1}) ${part}%, var(--itt-${name}-${low}))`
    : `var(--itt-${name}-${low})`;
}

/** The ink of a number on that place of the scale: a contrast of 4.5 or more in both themes. */
export function inkOn(name, t) {
  // of 16 steps, those of a diverging scale counted from its middle
  const [middle, deep] = name === "div" ? [4.1, 5.85] : [7.36, 8.48],
    step = name === "div" ? Math.abs(16 * t - 8) : 16 * t;
  return `var(--itt-on-${step < middle ? "pale" : step < deep ? "middle" : "deep"})`;
}

/**
 * Many cells on one scale: those of one colour are one path, because a page holds thousands. `t` from 0 to 1, in steps
 * that no eye tells apart.
 */
export function cells(name, boxes) {
  const paths = new Map(),
    written = (x) => String(+x.toFixed(1));
  for (const { x, y, width, height, t } of boxes) {
    const fill = ramp(name, Math.round(160 * t) / 160);
    paths.set(
      fill,
      `${paths.get(fill) ?? ""}M${written(x)} ${written(y)}h${written(width)}v${written(height)}h-${written(width)}z`,
    );
  }
  return Array.from(paths, ([fill, d]) => s("path", { class: "itt-cells", fill, d }));
}

/** The texture of what is masked, in a rectangle: lines and no pattern, so that nothing has to be found by a name. */
export function hatched(x, y, width, height) {
  let d = "";
  for (let c = Math.ceil((x + y) / STRIPE) * STRIPE; c < x + y + width + height; c += STRIPE) {
    const right = Math.min(x + width, c - y),
      left = Math.max(x, c - y - height);
    if (right - left > 0.5)
      d += `M${right.toFixed(1)} ${(c - right).toFixed(1)}L${left.toFixed(1)} ${(c - left).toFixed(1)}`;
  }
  return s("path", { d, stroke: "var(--itt-hatch)", fill: "none" });
}
/** The empty outline of what is missing. */
export const missing = (x, y, width, height) =>
  s("rect", { x, y, width, height, rx: 2, fill: "none", stroke: "var(--itt-ghost)", "stroke-dasharray": "3 3" });

/** The outline of columns above and below a zero line; `of` is the value that fills half the height. */
export function columns(values, of, height, pitch = 10) {
  const mid = height / 2;
  let path = "";
  for (let i = 0; i < values.length; i++) {
    const y = Math.max(-mid + 1, Math.min(mid - 1, (values[i] / of) * (mid - 1)));
    const tall = Math.max(0.6, Math.abs(y));
    const start = `${(i * pitch + 0.15 * pitch).toFixed(1)} ${(y >= 0 ? mid - tall : mid).toFixed(2)}`;
    path += `M${start}h${(0.7 * pitch).toFixed(1)}v${tall.toFixed(2)}h-${(0.7 * pitch).toFixed(1)}z`;
  }
  return path;
}
/** A vector as columns in a rectangle, with its zero line; `ghost` is a paler vector behind it. */
export function vector(x, y, width, height, values, of, fill, ghost) {
  const at = { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    pitch = width / values.length;
  return s(
    "g",
    at,
    ghost && s("path", { d: columns(ghost, of, height, pitch), fill, opacity: 0.22 }),
    s("path", { d: columns(values, of, height, pitch), fill }),
    s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, stroke: "var(--itt-line)" }),
  );
}
/** A drawing of this size. */
export const drawing = (width, height, ...kids) => s("svg", { viewBox: `0 0 ${width} ${Math.ceil(height)}` }, kids);
