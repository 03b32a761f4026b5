// What the heads say: their questions, the sentence below the picture, the table.
import { b, bdi } from "../look/markup.js";
import { label, num, pct } from "../look/words.js";

/** The five questions as buttons: head -> words. */
export const ASKED = {
  word: "Which word?",
  follows: "Does it follow?",
  tag: "Which tag?",
  meant: "Whom is meant?",
  being: "Which class?",
};
const FULL = {
  word: "Which word stands here?",
  follows: "Does the second text follow the first?",
  tag: "Which part of speech is this?",
  meant: "Whom or what does the first word of the second text mean?",
  being: "Is it about a person or an animal?",
};
export const question = (head) => FULL[head];

/** A token as it is shown: a piece that continues a word stands behind three dots. */
export const shown = (token) => label(token.replace(/^##/, "…"));

/** What stands in a place of the sequence: the token, or [MASK] where it is hidden. */
export const standing = ({ tokens, token, hide, split }, i) =>
  hide && i === token && ![0, split - 1, tokens.length - 1].includes(i) ? "[MASK]" : tokens[i];

/** A share with three decimals; nothing that can happen is written as 0. */
export const share = (p) => (p < 0.0005 ? "< 0.001" : p >= 0.9995 ? "> 0.999" : num(p, 3));

/** Which rows the head reads, in words. */
export function reads({ head, token, tokens, split }) {
  if (head === "meant") return "This head reads every row of the first text.";
  if (head === "follows" || head === "being") return "This head reads one row, that of [CLS].";
  return `This head reads one row, that of “${shown(tokens[token])}”${
    [0, split - 1, tokens.length - 1].includes(token) ? ", which is a special token" : ""
  }.`;
}

/** The tokens of a span as a text. */
export const spanText = ({ tokens, span: [a, c] }) =>
  tokens
    .slice(a, c + 1)
    .map((token) => (token.startsWith("##") ? label(token.slice(2)) : ` ${label(token)}`))
    .join("")
    .trim();

/** How often a small head is right, beside a rule; "" for the two that the model was trained with. */
export function worthOf({ worth }) {
  if (!worth) return "The model was trained together with this head.";
  const [rule, share] = worth.rule;
  return `On fresh stories this head is right in ${pct(worth.kept)}; a rule, ${rule}, in ${pct(share)}.`;
}

export function readout(seen) {
  const { head, bars } = seen,
    top = bars[0];
  if (head === "meant") {
    const [a, c] = seen.span,
      at = (i) => bars.find((one) => one.at === i);
    return [
      "The best span is ",
      bdi(`“${spanText(seen)}”`),
      ": it begins there with ",
      b(pct(at(a).p)),
      " and ends there with ",
      b(pct(at(c).q)),
      ". ",
      worthOf(seen),
    ];
  }
  const most = head === "follows" || head === "being" ? bars.reduce((x, y) => (y.p > x.p ? y : x)) : top,
    said = head === "word" ? shown(most.name) : most.name;
  return ["The head answers ", bdi(`“${said}”`), " with ", b(pct(most.p)), ". ", worthOf(seen)];
}

/** The name of a bar. */
export const barName = ({ head }, one) => (head === "word" || head === "meant" ? shown(one.name ?? "") : one.name);

export function table(seen) {
  const { head, bars, first, second } = seen,
    two = head === "meant";
  return {
    caption: `${question(head)} “${label(first, 60)}” “${label(second, 60)}”`,
    head: two ? ["token", "begins", "ends"] : ["answer", "share"],
    rows: bars.map((one) => [barName(seen, one), num(one.p, 6), ...(two ? [num(one.q, 6)] : [])]),
  };
}
