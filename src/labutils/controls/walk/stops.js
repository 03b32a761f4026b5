// One stop of the way with all its numbers: letters, tokens, rows, heads.
import { BOLD, END, fitted, MIDDLE, SMALL, TICK, text, vector, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { label, num, range } from "../look/words.js";
import { flat, parts, reach } from "./numbers.js";
import { colour } from "./small.js";
import { chip, unit } from "./words.js";

const LINE = 22,
  LISTED = 320; // px; of a line, and of a list at most

/** Characters in boxes; what cannot be seen is a box without a letter. */
export function letters({ seen }, width) {
  const side = 24,
    across = Math.max(1, Math.floor(width / side)),
    all = Array.from(seen.text).slice(0, 160);
  const marks = all.map((ch, k) => {
    const x = (k % across) * side,
      y = Math.floor(k / across) * side,
      seenAs = ch === " " ? "·" : label(ch);
    return [
      s("rect", {
        x: x + 1.5,
        y: y + 1.5,
        width: side - 3,
        height: side - 3,
        rx: 3,
        fill: "none",
        stroke: "var(--itt-line)",
      }),
      text(x + side / 2, y + side / 2, seenAs.length > 2 ? "" : seenAs, { ...MIDDLE, "font-size": 14 }),
    ];
  });
  return { marks, high: side * Math.ceil(all.length / across) };
}

/** The tokens with their numbers in the vocabulary: no further apart than an eye follows a line. */
export function tokens({ seen, i }, room) {
  const width = Math.min(room, LISTED);
  const marks = seen.tokens.map((token, k) => [
    text(0, 20 + LINE * (k + 0.5), String(k), TICK),
    text(28, 20 + LINE * (k + 0.5), fitted(chip(token), width - 110), k === i ? BOLD : {}),
    text(width, 20 + LINE * (k + 0.5), seen.ids[k].toLocaleString("en"), { ...END, ...(k === i ? BOLD : {}) }),
  ]);
  return {
    marks: [text(0, 8, "place", TICK), text(width, 8, "number in the vocabulary", { ...TICK, ...END }), marks],
    high: 20 + LINE * seen.n,
  };
}

/** A vector for each token; below them the first numbers of the one that is followed. */
export function rows(v, width, values) {
  const { seen, stop, i } = v,
    names = seen.tokens.map(chip),
    start = 14 + Math.min(96, Math.max(...names.map((t) => wide(t)))),
    high = seen.n > 12 ? 20 : 30,
    far = reach(values);
  const each = range(seen.n).map((k) => [
    text(start - 10, high * (k + 0.5), fitted(names[k], start - 10), { ...END, ...(k === i ? BOLD : {}) }),
    vector(
      start,
      high * k + 1,
      width - start,
      high - 2,
      parts(stop, values, k)[0],
      far,
      k === i ? colour(stop.key) : "var(--itt-ghost)",
    ),
  ]);
  const foot = high * seen.n + 8,
    line = written(parts(stop, values, i)[0], names[i], width, foot + 28);
  return { marks: [each, text(start, foot + 6, unit(stop, far), TICK), line.marks], high: line.high };
}

/** A vector for each head of the row that is followed. */
export function heads(v, width, values) {
  const { stop, i, seen } = v,
    start = 62,
    each = parts(stop, values, i),
    high = each.length > 4 ? 22 : 30,
    far = reach(flat(each));
  const marks = each.map((one, k) => [
    text(start - 10, high * (k + 0.5), `head ${k}`, { ...SMALL, ...END }),
    vector(start, high * k + 1, width - start, high - 2, one, far, colour(stop.key)),
  ]);
  const foot = high * each.length + 8,
    line = written(each[0], `${chip(seen.tokens[i])}, head 0`, width, foot + 28);
  return { marks: [marks, text(start, foot + 6, unit(stop, far), TICK), line.marks], high: line.high };
}

/** The numbers themselves, as many as have room in two lines. */
export function written(values, name, width, y) {
  const fits = Math.max(2, Math.floor(width / 52)),
    shown = Math.min(values.length, 2 * fits),
    left = values.length - shown;
  const numbers = range(shown).map((k) =>
    text((k % fits) * 52 + 44, y + 22 + 20 * Math.floor(k / fits), num(values[k]), { ...END, "font-size": 12 }),
  );
  const lines = Math.ceil(shown / fits),
    more = left ? `${name}: the first ${shown} of ${values.length} numbers` : `${name}: all ${values.length} numbers`;
  return { marks: [text(0, y, more, SMALL), numbers], high: y + 22 + 20 * lines };
}
