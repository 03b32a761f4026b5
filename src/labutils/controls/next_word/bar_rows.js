// Probabilities as bars below each other, the rest of the vocabulary as an outline, and the scale below.
import { END, fitted, MIDDLE, TICK, text, track, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { short } from "../look/words.js";
import { scaleEnd, share, shareOf, ticksTo } from "./words.js";

const LINE = 26,
  NUMBER = 58; // px

/**
 * @param signs what the signs in the names mean, or ""
 * @param percent whether shares are written as percentages, and the scale ends at all of them
 */
export function barRows(shown, nameOf, info, signs, width, percent = false) {
  const others = info.vocab - shown.length,
    left = Math.max(0, 1 - shown.reduce((sum, one) => sum + (one.q ?? one.p), 0));
  const end = percent ? 1 : scaleEnd(shown, left),
    ticks = ticksTo(end);
  const all = [
    ...shown.map((one) => [
      nameOf(one),
      one.cut ? one.p : (one.q ?? one.p),
      Boolean(one.cut),
      percent ? short(one.p) : shareOf(one),
    ]),
    ...(others > 0
      ? [[`${others.toLocaleString("en")} ${others === 1 ? "other" : "others"}`, left, true, percent && short(left)]]
      : []),
  ];
  const start = 12 + Math.min(0.36 * width, Math.max(...all.map(([name]) => wide(name)))),
    room = width - NUMBER - start,
    foot = LINE * all.length;
  const row = ([name, p, hollow, said], i) => [
    text(start - 12, LINE * (i + 0.5), fitted(name, start - 12), END),
    s("rect", {
      x: start,
      y: LINE * i + 6,
      width: Math.max(1, (room * p) / end),
      height: 14,
      rx: 2,
      ...(hollow ? { fill: "none", stroke: "var(--itt-w)" } : { fill: "var(--itt-w)" }),
    }),
    text(width, LINE * (i + 0.5), said || share(p), END),
  ];
  const axis = ticks.map((word, k) => {
    const x = start + (room * k) / 2,
      tick = text(x, foot + 11, word, { ...TICK, ...MIDDLE });
    return [s("line", { x1: x, x2: x, y1: 0, y2: foot, stroke: "var(--itt-line)" }), tick];
  });
  const key = wrapped(signs, width - start, 11).map((line, i) => text(start, foot + 34 + 16 * i, line, TICK));
  return {
    marks: [
      all.map((_, i) => track(start, LINE * i + 6, room, 14)),
      axis,
      text(start - 18, foot + 11, "chance", { ...TICK, ...END }),
      all.map(row),
      key,
    ],
    high: foot + 22 + (key.length ? 8 + 16 * key.length : 0),
  };
}
