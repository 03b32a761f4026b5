// What the next word says: probabilities in words, and the sentence under the bars.
import { b } from "../look/markup.js";
import { label, num, pct, plural, quote } from "../look/words.js";

/** A token on a chip: a space is a dot. */
export const chip = (token) => label(token.replaceAll("␣", "·")) || "·";
export const END = "<|endoftext|>";
export const rowName = (token) => (token === END ? "end of text" : chip(token));
const named = (token) => (token === END ? "the end of the text" : quote(token));

const CHIPS = 8; // steps that stand on chips, with their probabilities
/** What came after the text: all but the last few steps as running text, these on chips. */
export function tail(steps) {
  const ended = steps.at(-1)?.token === END, from = steps.length <= CHIPS ? 0 : steps.length - (ended ? 1 : CHIPS);
  return { prose: steps.slice(0, from).map(({ token }) => token.replaceAll("␣", " ")).join(""),
      chips: steps.slice(from) };
}

/** What the dot means, said of tokens that are shown; "" where none has one. */
export function pieces(tokens) {
  const piece = tokens.find((token) => /^\p{L}/u.test(token) && token !== END);
  if (!tokens.some((token) => token.startsWith("␣"))) return "";
  return `A dot stands for a space. ${piece ? `“${label(piece)}” has none: it would join the word before it.`
    : "A token is a whole word, or only the beginning of one."}`;
}

/** A probability with three decimals; nothing that can happen is written as 0. */
// 1/16 and 15/8 are written alike, whether their last bit fell or not
const up = (x, decimals) => num(x * (1 + 1e-9), decimals);
export const bits = (x) => up(x, 2);
export const share = (p) => (p > 0 && p < 0.0005 ? "< 0.001" : p < 1 && p >= 0.9995 ? "> 0.999" : up(p, 3));
/** How many equally likely tokens have the same entropy. */
export const likely = (bits) => {
  const n = 2 ** bits;
  return n < 9.95 ? num(n, 1) : Math.round(n).toLocaleString("en");
};
/** An entropy in words, beside the most that there could be. */
export const means = (entropy, vocab) =>
  `as uncertain as ${likely(entropy)} equally likely tokens; `
  + `at most ${num(Math.log2(vocab), 2)}, if all ${vocab.toLocaleString("en")} were`;

/** Why the text cannot go on, or "". */
export function stopped({ steps, read, info }) {
  if (steps.at(-1)?.token === END) return "The text has ended. Step back, or start again.";
  if (read + steps.length >= info.maxTokens)
    return `All ${info.maxTokens} positions of the model are taken. Step back, or start again.`;
  return "";
}

export function readout(seen) {
  const { steps, top, entropy, read, info } = seen, last = steps.at(-1), best = top[0], end = stopped(seen);
  const said = last && [last.seed === null ? "You chose " : `Seed ${last.seed} drew `, named(last.token),
    ", which had ", b(pct(last.p)), ". "];
  if (last && end) return [...said, end];
  const uncertain = [b(`${bits(entropy)} bits`), `, as with ${likely(entropy)} equally likely tokens.`];
  const next = ["gives ", named(best.token), " ", b(pct(best.p)), ", the largest share of ",
    `${plural(info.vocab, "token")}. The entropy is `, ...uncertain];
  return last ? [...said, "Now the model ", ...next] : [`After ${plural(read, "token")} the model `, ...next];
}
