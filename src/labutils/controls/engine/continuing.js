// Going on with a text: the logits of the token that follows, step by step. As Python's `labutils.models.continuing`,
// with the cache of `labutils.layers.cache`.
import { embed } from "./embeddings.js";
import { unseen } from "./hooks.js";
import { answer, blocks, ended } from "./transformer.js";

/** @typedef {{layers: number, keyHeads: number, headDim: number, maxTokens: number}} Sizes */

/**
 * Logits (V) of the token that follows, in a causal model. Keys and values of the last call are kept: what both texts
 * begin with is not computed again, so going on by one token costs one token. (The last token is always computed, for
 * its logits.)
 * @param {import("./transformer.js").Model} model
 * @returns {(ids: number[]) => Float64Array}
 */
export function continuing(model) {
  const { how } = model,
    before = remembering(),
    stores = caches(how);
  return (ids) => {
    const past = before.shared(ids),
      x = embed(model.embeddings, ids.slice(past), { ...how, past }, unseen),
      last = blocks(model, x, unseen, { past, caches: stores(past) }).slice(-how.width);
    before.keep(ids);
    return answer(model, ended(model, last, unseen), unseen);
  };
}

/**
 * Which tokens need not be computed again.
 * @returns {{shared: (ids: number[]) => number, keep: (ids: number[]) => void}} shared: how many a text and the one
 *   before it begin with, its last never counted; what follows is forgotten, until `keep` says that it is computed
 */
export function remembering() {
  /** @type {number[]} */
  let known = [];
  return {
    shared(ids) {
      let past = 0;
      while (past < ids.length - 1 && ids[past] === known[past]) past++;
      known = known.slice(0, past);
      return past;
    },
    keep(ids) {
      known = Array.from(ids);
    },
  };
}

/**
 * Room for the keys and values of each layer, which is taken when it is first needed.
 * @param {Sizes} sizes
 * @returns {(past: number) => import("./multi_head.js").Cache[]}
 */
export function caches(sizes) {
  /** @type {ReturnType<typeof store>[] | undefined} */
  let stores;
  return (past) => {
    stores ??= Array.from({ length: sizes.layers }, () => store(sizes));
    return stores.map((one) => one(past));
  };
}

/**
 * Room for the keys and values of one layer: what is handed in is put after the first `past` tokens; all of them come
 * back. Keys that are turned are kept turned.
 * @param {Sizes} sizes
 * @returns {(past: number) => import("./multi_head.js").Cache}
 */
function store({ keyHeads, headDim, maxTokens }) {
  const kept = [0, 1].map(() => new Float64Array(keyHeads * maxTokens * headDim));
  return (past) =>
    (...given) =>
      given.map((x, which) => {
        const rows = x.length / (keyHeads * headDim),
          n = past + rows,
          all = new Float64Array(keyHeads * n * headDim);
        for (let h = 0; h < keyHeads; h++) {
          const begin = h * maxTokens * headDim,
            end = begin + n * headDim;
          kept[which].set(x.subarray(h * rows * headDim, (h + 1) * rows * headDim), begin + past * headDim);
          all.set(kept[which].subarray(begin, end), h * n * headDim);
        }
        return all;
      });
}
