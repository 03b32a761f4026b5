// Where a number was lost: the first value of a pass that is none any more.

const PARTS = /** @type {[string, (kept: any) => ArrayLike<number>][]} */ ([
  ["the first norm", (kept) => kept.first.y],
  ["the queries", (kept) => kept.q],
  ["the keys", (kept) => kept.k],
  ["the values", (kept) => kept.v],
  ["the attention weights", (kept) => kept.weights],
  ["the stream after attention", (kept) => kept.middle],
  ["the second norm", (kept) => kept.second.y],
  ["the feed-forward layer", (kept) => kept.wide],
  ["the activations", (kept) => kept.active],
]);

const broken = (/** @type {ArrayLike<number>} */ x) => !Array.prototype.every.call(x, Number.isFinite);

/**
 * The name of the first stage, in the order in which they are computed, with a value that is no finite number; "" if
 * there is none.
 * @param {any} kept of a forward pass
 */
export function firstBroken({ embedded, blocks, final, logits }) {
  if (broken(embedded)) return "the embeddings";
  for (const [i, kept] of blocks.entries())
    for (const [name, part] of PARTS) if (broken(part(kept))) return `${name} of block ${i}`;
  if (broken(final.y)) return "the last norm";
  return broken(logits) ? "the logits" : "";
}
