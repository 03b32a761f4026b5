// What a new order of the words did, in words.
import { b, bdi, sup } from "../look/markup.js";
import { END, nextName } from "../look/nexts.js";
import { label, num, quote } from "../look/words.js";
import { share } from "../next_word/words.js";
import { asWritten } from "./numbers.js";

/** A token that may come next, after the words as written. */
export const rowName = (one, { tokens, info }) => nextName(one, tokens.at(-1), info);
/** 1e-12 as 10⁻¹². */
const power = (x) => ["10", sup(`−${Math.round(-Math.log10(x))}`)];
/** A number with three decimals that is not written as 0 where something moved. */
export const small = (x) => (x < 0.0005 ? "<0.001" : num(x, 3));

/** How far the answer after one word moved, as it stands under the word. */
export function shift(gap, rounding) {
  return gap === 0 ? "same" : gap <= rounding ? "equal" : small(gap);
}

/** What stands under each word: nothing while the order is as written, because then nothing is compared. */
export const shifts = ({ words, rounding }, order) =>
  words.map((gap) => (asWritten(order) ? "\u00a0" : shift(gap, rounding)));

/** What the words under the words mean; while the order is as written, what will stand there. */
export const key = (rounding, order) => [
  ...(asWritten(order)
    ? ["Once a word has moved, each says below it how far the answer after it moved. "]
    : [
        "Under each word: how far the answer after it moved, as the largest difference of a " +
          "probability. “same” is to the last bit; “equal” to within ",
        ...power(rounding),
        ", which is rounding. ",
      ]),
  "Arrow keys choose a word; with Shift they move it.",
];

export const heading = ({ tokens, order }) =>
  asWritten(order) ? `“${said(tokens, order)}”` : `“${said(tokens, order)}” beside the order as written`;
/** The words in an order, as running text. */
export function said(tokens, order) {
  const spaced = asWritten(order) && tokens.some((token) => token.startsWith("␣"));
  return label(order.map((i) => tokens[i].replaceAll("␣", spaced ? " " : "")).join(spaced ? "" : " "), 120);
}

/** What differs from the model as it was trained. */
export function changed({ positions, mask }) {
  const gone = [...(positions ? [] : ["positions"]), ...(mask ? [] : ["causal mask"])].join(" and ");
  return gone && `The model without its ${gone}.`;
}

export function readout(seen) {
  const { tokens, order, words, gap, far, top, rounding } = seen;
  const named = (one) => (one.token === END ? "the end of the text" : bdi(`“${rowName(one, seen)}”`));
  const n = order.length,
    last = tokens[order[n - 1]],
    best = top.reduce((most, one) => (one.after > most.after ? one : most));
  if (asWritten(order))
    return [
      "As written, after ",
      quote(last),
      " the model gives ",
      named(best),
      " ",
      b(share(best.after)),
      ", the largest share. Move a word and compare.",
    ];
  const other = last === tokens[n - 1] ? [] : ["Now ", quote(last), " stands last. "],
    one = top.find((token) => token.id === far);
  const keeps = [named(best), " keeps ", b(share(best.after)), "."];
  const answer =
    gap === 0
      ? ["The answer after the last word did ", b("not move by one bit"), ": ", ...keeps]
      : gap <= rounding
        ? ["The answer after the last word is ", b("equal"), " to within ", ...power(rounding), ": ", ...keeps]
        : [
            `The answer after the last word ${other.length ? "is another" : "moved"}: `,
            named(one),
            " from ",
            b(share(one.before)),
            " to ",
            b(share(one.after)),
            ", the largest difference.",
          ];
  const same = words.filter((x) => x <= rounding).length,
    count = same === n ? "all" : same || "none";
  return [...other, ...answer, ` Of the ${n} answers, one after each word, ${count} stayed with their word.`];
}

/** One line for each token that is named, then one for each word. */
export function rows(seen) {
  const { tokens, order, words, top, rounding, info } = seen,
    far = (x) => num(x, 6);
  return {
    caption: heading(seen),
    head: ["what", "as written", "in this order", "moved by"],
    rows: [
      ...top.map((one) => [
        `next: ${nextName({ token: one.token }, "", info)}`,
        far(one.before),
        far(one.after),
        far(Math.abs(one.after - one.before)),
      ]),
      ...order.map((from, to) => [
        `place of ${label(tokens[from])}`,
        from,
        to,
        words[to] === 0 ? "same" : words[to] <= rounding ? "equal" : far(words[to]),
      ]),
    ],
  };
}
