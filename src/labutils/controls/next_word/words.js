// What the next word says: probabilities in words, and the sentence under the bars.
import { b, bdi } from "../look/markup.js";
import { END, nextName } from "../look/nexts.js";
import { label, num, pct, plural, quote } from "../look/words.js";

/** A token on a chip: a space is a dot. */
export const chip = (token) => label(token.replaceAll("␣", "·")) || "·";
export const rowName = (one, { before, info }) => nextName(one, before, info);
const named = (token) => (token === END ? "the end of the text" : quote(token));
const expected = (one, seen) => (one.token === END ? "the end of the text" : bdi(`“${rowName(one, seen)}”`));

const CHIPS = 8; // steps that stand on chips, with their probabilities
/** What came after the text: all but the last few steps as running text, these on chips. */
export function tail(steps) {
  const ended = steps.at(-1)?.token === END,
    from = steps.length <= CHIPS ? 0 : steps.length - (ended ? 1 : CHIPS);
  return {
    prose: steps
      .slice(0, from)
      .map(({ token }) => token.replaceAll("␣", " "))
      .join(""),
    chips: steps.slice(from),
  };
}

/** What the signs beside the bars mean, said of tokens that are shown; "" where none has one. */
export function pieces(ones, seen) {
  const names = ones.map((one) => rowName(one, seen)),
    begun = names.some((name) => name.includes(" → ")),
    inside = names.some((name) => name.startsWith("…"));
  return [
    begun &&
      "Before an arrow stands the token, its dot for a space;" + " after it the word that it most probably begins.",
    inside && "A token with three dots goes on with the word before it.",
  ]
    .filter(Boolean)
    .join(" ");
}

// 1/16 and 15/8 are written alike, whether their last bit fell or not
const up = (x, decimals) => num(x * (1 + 1e-9), decimals);
export const bits = (x) => up(x, 2);
/** What a token is drawn with, or which rule has cut it. */
export const shareOf = ({ p, q, cut }) => cut || share(q ?? p);
/** A probability as a percentage with one decimal; nothing that can happen is written as 0. */
export const share = (p) => (p > 0 && p < 0.0005 ? "<0.1%" : p < 1 && p >= 0.9995 ? ">99.9%" : `${up(100 * p, 1)}%`);
/**
 * Where the scale of the bars ends: the next round share above the longest of them.
 * @param {{p: number, q?: number}[]} shown
 * @param {number} others the share of all the rest
 */
export function scaleEnd(shown, others) {
  const longest = Math.max(others, ...shown.flatMap(({ p, q = 0 }) => [p, q]));
  return ENDS.find((end) => longest <= end * (1 + 1e-9)) ?? 1;
}
const ENDS = [0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1];
/** The ticks of that scale. */
export const ticksTo = (end) => [0, end / 2, end].map((t) => `${Math.round(100 * t)}%`);
/** How many equally likely tokens have the same entropy. */
export const likely = (bits) => {
  const n = 2 ** bits;
  return n < 9.95 ? num(n, 1) : Math.round(n).toLocaleString("en");
};
/** An entropy in words, beside the most that there could be. */
export const means = (entropy, vocab) =>
  `as uncertain as ${likely(entropy)} equally likely tokens; ` +
  `at most ${num(Math.log2(vocab), 2)}, if all ${vocab.toLocaleString("en")} were`;

/** Whether the end sign has been read: nothing comes after it. */
export const ended = ({ steps, before, read }) => before === END && read + steps.length > 1;
/** Why the text cannot go on, or "". */
export function stopped(seen) {
  const { steps, read, info } = seen;
  if (ended(seen)) return "The text has ended. Step back, or start again.";
  if (read + steps.length >= info.maxTokens)
    return `All ${info.maxTokens} positions of the model are taken. Step back, or start again.`;
  return "";
}

/** What the settings have done: how many tokens stay, and what the best of them is drawn with. */
function cutting({ top, best, stay, lost, set, info, before }) {
  const gone = info.vocab - stay,
    moved = top.some(({ p, q }) => Math.abs(p - q) > 1e-12),
    order = moved && set.penalty === 1 && set.frequency === 0 ? ", in the same order" : "";
  return [
    gone
      ? `Of ${plural(info.vocab, "token")} `
      : `All ${plural(info.vocab, "token")} stay${order}, and the odds have ${moved ? "" : "not "}changed. `,
    ...(gone
      ? [b(`${stay.toLocaleString("en")} ${stay === 1 ? "stays" : "stay"}`), `; the others had ${pct(lost)} together. `]
      : []),
    best.id === top[0].id ? "The best one, " : "The best one now, ",
    expected(best, { before, info }),
    ", had ",
    b(pct(best.p)),
    " and is drawn with ",
    b(pct(best.q)),
    ".",
  ];
}

export function readout(seen) {
  const { steps, top, entropy, read, info } = seen,
    last = steps.at(-1),
    best = top[0],
    end = stopped(seen);
  const said = last && [
    last.seed === null ? "You chose " : `Seed ${last.seed} drew `,
    named(last.token),
    ", which had ",
    b(pct(last.p)),
    ". ",
  ];
  if (end) return [...(said || []), end];
  if (seen.stay !== undefined) return [...(said ?? []), ...cutting(seen)];
  const uncertain = [b(`${bits(entropy)} bits`), `, as with ${likely(entropy)} equally likely tokens.`];
  const next = [
    "gives ",
    expected(best, seen),
    " ",
    b(pct(best.p)),
    ", the largest share of ",
    `${plural(info.vocab, "token")}. The entropy is `,
    ...uncertain,
  ];
  return last ? [...said, "Now the model ", ...next] : [`After ${plural(read, "token")} the model `, ...next];
}
