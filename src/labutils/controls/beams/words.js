// What a tree of beams says.
import { b, bdi } from "../look/markup.js";
import { label, num, plural } from "../look/words.js";
import { bestOf, columns, nodeAt, wayTo } from "./numbers.js";

const END = "<|endoftext|>";
/** A share in percent; one that is tiny, as a power of ten. */
export const chance = (p) =>
  p > 0 && p < 0.00005 ? p.toExponential(1).replace("e-", " · 10^−") : `${num(100 * p, 2)}%`;
/** A piece with the word that it begins; one that goes on with a word has dots in front. `brief`: the word alone. */
export function wordOf({ token, word, inside }, brief = false) {
  if (token === END) return "the end";
  if (inside) return `…${label(token)}`;
  const piece = label(token.replaceAll("␣", "·")).replace(/^·/, ""),
    whole = label(word);
  return piece === whole || brief ? whole : `·${piece} → ${whole}`;
}
/** A path as it is read. */
function written(way) {
  const spaced = way.some(({ token }) => token.startsWith("␣")),
    words = way
      .filter(({ token }) => token !== END)
      .map(({ token }) => (spaced ? token.replaceAll("␣", " ") : ` ${token}`));
  return `“${label(words.join("").trim(), 200)}”${way.at(-1).token === END ? " and the end" : ""}`;
}

/** @param state width, step, and node: the path that is spoken of, or "" */
export function readout(found, state) {
  const cols = columns(found, state.width, state.step),
    best = bestOf(found, state.width, state.step),
    node = nodeAt(cols, state.node) ?? best,
    way = wayTo(cols, node.path),
    product = way.length > 1 ? `${way.map(({ own }) => chance(own)).join(" times ")} is ` : "",
    out = [bdi(written(way)), " has ", product, b(chance(node.p)), ". "];
  if (node.fate === "dropped")
    return [...out, `${plural(state.width, "other beginning")} had more, so it is dropped here.`];
  const last = state.step >= found.most;
  if (node !== best) return [...out, last ? "It was kept, and another one is better." : "It is kept, and goes on."];
  return [
    ...out,
    last
      ? `With ${plural(state.width, "beam")} this is the best text that the search finds.`
      : `With ${plural(state.width, "beam")} it is the best beginning so far.`,
  ];
}

export const heading = (found, state) =>
  `After “${label(found.text, 80)}”: ${plural(state.width, "beam")}, ${plural(state.step, "step")}`;

export const rows = (found, state) => ({
  caption: heading(found, state),
  head: ["step", "beginning", "odds of all words", "what became of it"],
  rows: columns(found, state.width, state.step).flatMap((nodes, i, cols) =>
    nodes.map((node) => [
      i + 1,
      written(wayTo(cols, node.path)),
      chance(node.p),
      { running: "kept", ended: "ended", dropped: "dropped" }[node.fate],
    ]),
  ),
});
