// What the stream says.
import { b } from "../look/markup.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { PAGE, partName } from "./numbers.js";

export const UNIT = {
  added: "Length of what is added ÷ length of the row",
  moved: "How far the row moves ÷ its length",
};
/** A ratio in a cell: one decimal, none from ten on. */
export const inCell = (x) => (Number.isNaN(x) ? "" : num(x, x < 9.95 ? 1 : 0));
const times = (x) =>
  Number.isNaN(x) ? "a row of zeros, so there is nothing to compare with" : `${num(x)} times its length`;

/** One cell: what is added to a row, and where the row then is. */
function readout({ seen, tokens, l, p, i, measure, one }) {
  const who = [`Layer ${l}, ${partName(p)}: `],
    name = quote(tokens[i]);
  if (measure === "added")
    return [
      ...who,
      "the row of ",
      name,
      ` is ${num(one.stream)} long; a vector of length `,
      b(num(one.added)),
      " is added, ",
      b(times(one.ratios.added)),
      ". ",
      seen.normed
        ? `LayerNorm then acts on the sum, and the row has the length ${num(one.after)}.`
        : `The row that goes on has the length ${num(one.after)}.`,
    ];
  return [
    ...who,
    "from in to out the row of ",
    name,
    " moves by ",
    b(num(one.moved)),
    ", ",
    b(times(one.ratios.moved)),
    ". ",
    seen.normed
      ? `The half itself adds ${num(one.added)}; the rest is LayerNorm, which acts on the sum.`
      : "Nothing is normed after the sum, so this is what the half adds.",
  ];
}

/** The sentence below what is shown. */
export const said = (v) => (v.view === "neurons" && v.neurons ? marked(v) : readout(v));

/** What “adds” means in this model. */
export const meaning = (seen) =>
  seen.normed
    ? "In this model LayerNorm acts on each sum. “Added” is what the half hands over before it; “moved” is from the" +
      " row before to the row after the norm."
    : "In this model the row is the sum of all that was added. “Added” and “moved” are the same here; in BERT they" +
      " differ.";

export const neuronsTitle = ({ l, i, tokens, neurons: { above }, seen: { f } }) => [
  `Layer ${l}: the ${plural(f, "neuron")} of `,
  quote(tokens[i]),
  `, ${above.toLocaleString("en")} above zero (${pct(above / f)})`,
];
export const pageName = (p, f) => `${p * PAGE}–${Math.min(f, (p + 1) * PAGE) - 1}`;

/** The neuron that is marked. */
function marked({ l, i, tokens, neurons: { j, at, most, order, everywhere } }) {
  const place = order.indexOf(j) + 1,
    rank = place === 1 ? "the largest in size here" : `number ${place} by size here`;
  const there =
    most === i
      ? "No other token of this text makes it larger. "
      : [
          "It is largest at ",
          quote(tokens[most]),
          tokens.indexOf(tokens[most]) === tokens.lastIndexOf(tokens[most]) ? "" : ` (token ${most})`,
          `, ${num(at(most))}. `,
        ];
  return [
    `Neuron ${j} of layer ${l} is `,
    b(num(at(i))),
    " at ",
    quote(tokens[i]),
    `, ${rank}. `,
    ...[there].flat(),
    `In the whole text ${pct(everywhere)} of this layer’s neurons are above zero.`,
  ];
}
export const cellName = (tokens, l, p, i, x) =>
  `${label(tokens[i])}, layer ${l}, ${partName(p)}: ${Number.isNaN(x) ? "none" : num(x)}`;
