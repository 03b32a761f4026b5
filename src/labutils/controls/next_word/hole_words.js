// What a hole says: the sentence under the bars, and the rows of the table.
import { b } from "../look/markup.js";
import { nextName } from "../look/nexts.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { bits, likely } from "./words.js";

export const FIVE = 5;
export const HOLES = ["First hole", "Second hole"];
export const holeName = (one, { info }) => nextName(one, "", info);
/** The word of a row without its piece, for a sentence. */
const word = ({ token, word }) => word ?? token;

export function said(seen) {
  if (seen.other) return saidOfTwo(seen);
  const { top, at, n, entropy } = seen,
    [best, second] = top,
    after = n - at - 2; // without [SEP]
  return [
    "In the hole the model reads ",
    quote(word(best)),
    " with ",
    b(pct(best.p)),
    ", then ",
    quote(word(second)),
    ` with ${pct(second.p)}. It is as uncertain as with ${likely(entropy)} equally likely tokens (`,
    `${bits(entropy)} bits), and it saw ${plural(at - 1, "token")} before the hole and ` +
      `${plural(after, "token")} after it.`,
  ];
}

/** Each hole is filled as if the other were unknown; one of them filled, the other says something else. */
function saidOfTwo({ top: [one], other }) {
  const [two] = other.top,
    { p, best } = other.filled;
  return [
    "The first hole says ",
    quote(word(one)),
    " with ",
    b(pct(one.p)),
    ", the second ",
    quote(word(two)),
    " with ",
    b(pct(two.p)),
    ". Each is filled as if the other were unknown. Once ",
    quote(word(one)),
    " is written into the first, the second gives ",
    quote(word(two)),
    " ",
    b(pct(p)),
    ...(best.id === two.id ? ["."] : [", and its first choice is ", quote(word(best)), ` with ${pct(best.p)}.`]),
  ];
}

export function rows({ text, top, info, other }) {
  const lines = (some, which) => {
    const left = info.vocab - some.length,
      rest = Math.max(0, 1 - some.reduce((sum, one) => sum + one.p, 0));
    return [
      ...some.map((one, i) => [...which, i + 1, label(one.token), label(one.word ?? ""), one.id, num(one.p, 6)]),
      ...(left > 0 ? [[...which, "rest", `${left} others`, "", "", num(rest, 6)]] : []),
    ];
  };
  return {
    caption: `What the hole${other ? "s" : ""} could be in “${label(text, 60)}”`,
    head: [...(other ? ["hole"] : []), "place", "token", "word", "id", "probability"],
    rows: other ? [...lines(top, ["first"]), ...lines(other.top, ["second"])] : lines(top, []),
  };
}
