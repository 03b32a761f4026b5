// What a hole says: the sentence under the bars, and the rows of the table.
import { b } from "../look/markup.js";
import { nextName } from "../look/nexts.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { bits, likely } from "./words.js";

export const FIVE = 5;
export const holeName = (one, { info }) => nextName(one, "", info);
/** The word of a row without its piece, for a sentence. */
const word = ({ token, word }) => word ?? token;

export function said(seen) {
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

export function rows({ text, top, info }) {
  const left = info.vocab - top.length,
    rest = Math.max(0, 1 - top.reduce((sum, one) => sum + one.p, 0));
  return {
    caption: `What the hole could be in “${label(text, 60)}”`,
    head: ["place", "token", "word", "id", "probability"],
    rows: [
      ...top.map((one, i) => [i + 1, label(one.token), label(one.word ?? ""), one.id, num(one.p, 6)]),
      ...(left > 0 ? [["rest", `${left} others`, "", "", num(rest, 6)]] : []),
    ],
  };
}
