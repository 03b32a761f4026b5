// What the heads say: their questions, the sentence below the picture, the table, how a share comes about.
import { b, bdi } from "../look/markup.js";
import { label, num, pct } from "../look/words.js";

/** The six questions as buttons: head -> words. */
export const ASKED = {
  word: "Which word?",
  next: "What next?",
  follows: "Does it follow?",
  being: "Person or animal?",
  tag: "Which tags?",
  meant: "Whom is meant?",
};
/**
 * Texts to try, with the name of each and the token that is asked; the last one is no story of the little world, and
 * nothing is hidden in it.
 */
export const SAMPLES = [
  ["the cat", "The cat sat on the mat.", "It was tired.", { token: 6 }],
  ["the kitten", "The kitten marches there.", "It will not march on.", { token: 2 }],
  ["the baker", "The baker from the cold valley works there.", "He works in the rain.", { token: 2 }],
  ["the dogs", "The dogs from the cold farm sleep on.", "They are tired.", { token: 2 }],
  ["the cat twice", "The cat saw Tom. Then the cat sat.", "It was tired.", { hide: false, token: 2 }],
];
export const ELSEWHERE =
  "The heads know stories of the little world alone, as the first four: elsewhere they may be sure and wrong.";

const FULL = {
  word: "Which word stands here?",
  next: "Which word comes next?",
  follows: "Does the second text follow the first?",
  being: "Whom does it name first, a person or an animal?",
  tag: "Which part of speech is each word?",
  meant: "Whom or what does the first word of the second text mean?",
};
export const question = (head) => FULL[head];

/** A token as it is shown: a piece that continues a word stands behind three dots. */
export const shown = (token) => label(token.replace(/^##/, "…"));

/** What stands in a place of the sequence: the token, or [MASK] where it is hidden. */
export const standing = ({ tokens, token, hide, split }, i) =>
  hide && i === token && ![0, split - 1, tokens.length - 1].includes(i) ? "[MASK]" : tokens[i];

/** Which rows the head reads, in words. */
export function reads(seen) {
  const { head, read, tokens } = seen;
  if (head === "meant") return "reads the rows of the first text";
  if (head === "tag") return "reads each row by itself";
  return read.length === tokens.length
    ? "reads all rows"
    : `reads one row, that of “${shown(standing(seen, read[0]))}”`;
}

/** How many numbers the head has for itself. */
export const owns = ({ head, own }) =>
  `${own.toLocaleString("en")} numbers of its own${head === "word" ? ", and the token table" : ""}`;

/** The tokens of a span as a text. */
export const spanText = ({ tokens, span: [a, c] }) =>
  tokens
    .slice(a, c + 1)
    .map((token) => (token.startsWith("##") ? label(token.slice(2)) : ` ${label(token)}`))
    .join("")
    .trim();

/** The name of a bar; a next token may be the end of the text. */
export function barName({ head }, one) {
  if (head === "next" && one.name === "[SEP]") return "(the end)";
  return ["word", "next", "meant"].includes(head) ? shown(one.name ?? "") : one.name;
}

/** A token of the first text, with which one it is where the text has it again. */
export function oneOf({ tokens, split }, i) {
  const alike = tokens.flatMap((token, at) => (token === tokens[i] && at < split ? [at] : []));
  const which = ["first", "second", "third"][alike.indexOf(i)] ?? "last";
  return [...(alike.length > 1 ? [`the ${which} `] : []), bdi(`“${shown(tokens[i])}”`)];
}

/** The answer that a head likes best. */
export const best = (seen) => seen.bars.reduce((x, y) => (y.p > x.p ? y : x));

export function readout(seen) {
  const { head } = seen,
    top = best(seen),
    name = bdi(`“${barName(seen, top)}”`),
    p = b(pct(top.p));
  if (head === "meant") {
    const [a, c] = seen.span,
      at = (i) => seen.bars.find((one) => one.at === i);
    const [begins, ends] = [b(pct(at(a).p)), b(pct(at(c).q))];
    const alone = seen.bars.every((one) => one.p <= at(a).p && one.q <= at(c).q);
    return [
      "The head says ",
      bdi(`“${spanText(seen)}”`),
      `${alone ? "" : ", the best pair that makes a span"}: it begins at `,
      ...oneOf(seen, a),
      " with ",
      begins,
      ", and ends at ",
      ...oneOf(seen, c),
      " with ",
      ends,
      ".",
    ];
  }
  const here = bdi(`“${shown(standing(seen, seen.token))}”`);
  if (head === "tag") {
    if (!seen.labels[seen.token]) return [here, " is a special token and has no tag. Choose a word."];
    return ["The head tags ", here, " as ", b(top.name), ", ", p, ". Choose another token to hide."];
  }
  if (head === "follows")
    return [
      `The head says: the second text ${top === seen.bars[0] ? "follows the first" : "does not follow"}, `,
      p,
      ".",
    ];
  if (head === "being") return [`The head says: ${top.name === "animal" ? "an" : "a"} ${top.name} first, `, p, "."];
  if (head === "next" && top.name === "[SEP]") return ["The head says: here the text ends, ", p, "."];
  if (head === "next") return ["The head says: next comes ", name, ", ", p, "."];
  const hidden = standing(seen, seen.token) !== seen.tokens[seen.token];
  if (hidden)
    return ["Where ", bdi(`“${shown(seen.tokens[seen.token])}”`), " is hidden, the head puts ", name, " with ", p, "."];
  return ["In the place of ", here, " the head puts ", name, " with ", p, "."];
}

/**
 * How the shares of the largest answers come about, as a table; of a span that of its begin. Null for a special token,
 * which has no tag.
 */
export function softmaxed(seen) {
  if (seen.head === "tag" && !seen.labels[seen.token]) return null;
  const { bars, sum, of } = seen,
    all = of.toLocaleString("en"),
    answer = seen.head === "meant" ? "begins at" : "answer";
  return {
    caption: `e to the power of (logit − ${num(best(seen).logit)}), divided by the sum over all ${all} answers`,
    head: [answer, "logit", "power", "divided by the sum"],
    rows: [
      ...bars.map((one) => [
        barName(seen, one),
        num(one.logit),
        num(one.power, 3),
        `${num(one.power, 3)} / ${num(sum, 3)} = ${num(100 * one.p, 1)}%`,
      ]),
      [`all ${all}`, "", num(sum, 3), "100%"],
    ],
  };
}

export function table(seen) {
  const { head, bars, first, second } = seen,
    caption = `${question(head)} “${label(first, 60)}” “${label(second, 60)}”`;
  if (head === "tag")
    return {
      caption,
      head: ["token", "tag", "share"],
      rows: seen.labels.flatMap((one, i) => (one ? [[shown(standing(seen, i)), one.name, num(one.p, 6)]] : [])),
    };
  const two = head === "meant";
  return {
    caption,
    head: two ? ["token", "begins", "ends"] : ["answer", "share"],
    rows: bars.map((one) => [barName(seen, one), num(one.p, 6), ...(two ? [num(one.q, 6)] : [])]),
  };
}
