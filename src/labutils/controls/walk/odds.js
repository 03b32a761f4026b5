// Next tokens as bars.
import { BOLD, END, fitted, SMALL, text, track, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { END as ENDS, nextName } from "../look/nexts.js";
import { label, num, pct, short } from "../look/words.js";
import { share } from "../next_word/words.js";
import { over, reach } from "./numbers.js";

export const BARS = 210; // px of the bars beside other panels, with their frame
const INSET = 10; // px within the frame
const FEW = 6; // next words of a first walk

/** A next token as it is named in a first walk. */
const named = ({ token, word }) => (token === ENDS ? "the end" : label(word ?? token));

/** The next words as bars, in a frame: they are no further lines of the tokens beside them. */
export function chances(v, { x, y, tall, width = BARS }) {
  const frame = { fill: "var(--itt-paper)", stroke: "var(--itt-edge)", rx: 6 },
    box = (height) => s("rect", { x: x + 0.5, y: y + 0.5, width: width - 1, height, ...frame });
  if (over(v)) return [box(39), text(x + INSET, y + 20, "the end of the story", SMALL)];
  const row = v.ahead.slice(0, 5),
    each = Math.min(30, (tall - INSET) / row.length),
    left = x + INSET,
    room = width - 2 * INSET,
    at = (k) => y + INSET / 2 + each * (k + 0.5);
  return [
    box(each * row.length + INSET - 1),
    row.map((one, k) => [
      text(left, at(k), fitted(named(one), 66), k ? {} : BOLD),
      track(left + 68, at(k) - 6, room - 106, 12),
      s("rect", {
        x: left + 68,
        y: at(k) - 6,
        width: Math.max(1, (room - 106) * one.p),
        height: 12,
        rx: 2,
        fill: "var(--itt-w)",
      }),
      text(left + room, at(k), short(one.p), { ...END, "font-size": 12 }),
    ]),
  ];
}

/** The tokens that the row fits best, as bars. */
export function odds({ seen, i, stop, first, ahead }, width) {
  if (over({ seen, i })) return { marks: [text(0, 12, "the end of the story", SMALL)], high: 24 };
  const row = ahead.slice(0, first ? FEW : undefined),
    shares = stop.key === "odds",
    names = row.map((one) => (first ? named(one) : nextName(one, seen.tokens[i], seen.info))),
    start = 12 + Math.min(0.36 * width, Math.max(...names.map((t) => wide(t)))),
    room = width - start - 56;
  const far = shares ? 1 : reach(row.map(({ logit }) => logit)),
    value = ({ p, logit }) => Math.max(0, shares ? p : logit);
  const marks = row.map((one, k) => [
    text(start - 12, 24 * (k + 0.5), fitted(names[k], start - 12), END),
    track(start, 24 * k + 5, room, 14),
    s("rect", {
      x: start,
      y: 24 * k + 5,
      width: Math.max(1, (room * value(one)) / far),
      height: 14,
      rx: 2,
      fill: "var(--itt-w)",
    }),
    text(width, 24 * (k + 0.5), shares ? (first ? short(one.p) : share(one.p)) : num(one.logit), END),
  ]);
  const left = seen.info.vocab - row.length,
    rest = Math.max(0, 1 - row.reduce((sum, { p }) => sum + p, 0)),
    foot = 24 * row.length;
  const told = shares
    ? `${left.toLocaleString("en")} others have ${first ? pct(rest) : share(rest)} together`
    : `${left.toLocaleString("en")} others fit less`;
  const others = left > 0 && text(Math.max(0, Math.min(start, width - wide(told, 12))), foot + 12, told, SMALL);
  return { marks: [marks, others], high: foot + (left > 0 ? 24 : 4) };
}
