// What it says.
import { b } from "../look/markup.js";
import { num, plural } from "../look/words.js";

/** Three digits that are read at a glance, and a unit of thousands. */
const brief = (x, step, units) => {
  let i = 0;
  for (; x >= step && i < units.length - 1; i++) x /= step;
  return `${x >= 100 || Number.isInteger(x) ? Math.round(x).toLocaleString("en") : num(x, 1)} ${units[i]}`.trim();
};
export const size = (bytes) => brief(bytes, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
export const many = (n) => brief(n, 1000, ["", "thousand", "million", "billion", "trillion"]);
export const number = (bits) => ({ 32: "float32", 16: "float16", 8: "int8", 4: "int4" })[bits];

export const heading = ({ model, tokens, texts }) => `${model}, ${plural(texts, "text")} of ${plural(tokens, "token")}`;

export function readout(seen) {
  const { model, parameters, weights, kept, tokens, texts, intensity, shape, built } = seen,
    ratio = kept / weights,
    beside =
      ratio >= 1
        ? `${num(ratio, 1)} times as much as the weights`
        : `${num(100 * ratio, ratio < 0.1 ? 1 : 0)}% of the weights`;
  return [
    `${model} has ${many(parameters)} parameters, `,
    b(size(weights)),
    `. ${texts === 1 ? "A text" : `${texts} texts`} of ${plural(tokens, "token")} ${texts === 1 ? "keeps" : "keep"} `,
    b(size(kept)),
    `, ${beside}. For each byte that is brought there are `,
    b(num(intensity, 1)),
    " operations.",
    tokens === built.positions ? " Longer texts it cannot read." : "",
    shape.keyHeads === built.keyHeads ? "" : ` It was built with ${plural(built.keyHeads, "key head")}.`,
  ];
}

export const SHAPES_SOURCE = "Shapes as published: Radford et al. 2019, Touvron et al. 2023, Grattafiori et al. 2024.";
export const SOURCE = `${SHAPES_SOURCE} Scales of small numbers are left out.`;

/** What stands below the bars: name, value. */
export const facts = (seen) => [
  ["kept for one token", size(seen.each)],
  [
    seen.texts === 1 ? "operations for the next token" : `operations for the next ${seen.texts} tokens`,
    many(seen.operations),
  ],
  ["operations for each byte", num(seen.intensity, 1)],
];

export const table = (seen) => ({
  caption: heading(seen),
  head: ["what", "number"],
  rows: [
    ["parameters", seen.parameters],
    ["bytes of the weights", seen.weights],
    ["bytes kept", seen.kept],
    ["operations of a step", seen.operations],
    ["bytes brought in a step", seen.brought],
  ],
});
