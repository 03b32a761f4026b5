// Two workers go on with a text together. Each computes its half of every sub-layer; twice a layer they tell each other
// what their halves add to the stream, which both keep, and in the end the second hands over its half of the logits.
import { caches, remembering } from "../continuing.js";
import { embed } from "../embeddings.js";
import { feedForward } from "../feed_forward.js";
import { unseen } from "../hooks.js";
import { add } from "../linear.js";
import { multiHeadAttention } from "../multi_head.js";
import { answer, assemble, ended } from "../transformer.js";
import { copyOf, firstHalf, halfOf, secondHalf } from "./halves.js";
import { nestedPlaces, placed } from "./places.js";

/**
 * @typedef {import("./line.js").Line} Line
 * @typedef {import("../transformer.js").Model} Model
 */

/**
 * The first of the two, which has the whole model and hands the second its half.
 * @param {{record: any, config: any, places: import("./places.js").Places}} model
 * @param {Line} line to the second
 * @returns {Promise<{bytes: number, next: (ids: number[]) => Promise<Float64Array>}>} bytes: that the second holds;
 *   next: logits of what follows ids that can be read, one call after the other
 * @throws {Gone} where the second has no memory for its half, or ends
 */
export async function lead({ record, config, places }, line) {
  const { causal, scale, norm, block } = record,
    half = halfOf(config),
    theirs = secondHalf(places);
  line.put({ record: { causal, scale, norm, block }, config: half, theirs });
  const bytes = await line.take(); // or nothing, where it has no room
  for (const { name } of theirs) {
    const copy = copyOf(name, places[name]);
    line.put(copy, [copy.buffer]);
    await line.take(); // one on the way at a time
  }
  const whole = assemble(record, config, nestedPlaces(places)),
    mine = assemble(record, half, firstHalf(places)),
    before = remembering(),
    stores = caches(half);
  const next = async (/** @type {number[]} */ ids) => {
    const past = before.shared(ids),
      x = embed(whole.embeddings, ids.slice(past), { ...whole.how, past }, unseen);
    line.put({ x, past });
    const first = await halfAnswer(mine, x, { past, caches: stores(past) }, line),
      second = await line.take(),
      logits = new Float64Array(config.vocab);
    logits.set(first);
    logits.set(second, first.length);
    before.keep(ids);
    return logits;
  };
  return { bytes, next };
}

/**
 * The second of the two, as long as its worker lives.
 * @param {Line} line to the first
 */
export async function follow(line) {
  const { record, config, theirs } = await line.take(),
    { places, bytes } = placed(theirs);
  line.put(bytes);
  for (const { name } of theirs) {
    places[name].weight.set(await line.take());
    line.put(true);
  }
  const model = assemble(record, config, nestedPlaces(places)),
    stores = caches(config);
  for (;;) {
    const { x, past } = await line.take(),
      logits = await halfAnswer(model, x, { past, caches: stores(past) }, line);
    line.put(logits, [logits.buffer]);
  }
}

/**
 * Half of the logits (V / 2) of the last row, after all blocks of GPT-2's kind.
 * @param {Model} half
 * @param {Float64Array} x (rows, d)
 * @param {{past: number, caches: import("../multi_head.js").Cache[]}} kept of the tokens before
 * @param {Line} line
 */
async function halfAnswer(half, x, { past, caches }, line) {
  const { how, blocks } = half;
  const summed = async (/** @type {Float64Array} */ mine) => {
    line.put(mine);
    return add(mine, await line.take()); // the same sum on both sides
  };
  for (const [i, { norm1, attention, norm2, feed_forward: network }] of blocks.entries()) {
    const here = { ...how, past, cache: caches[i] };
    x = add(x, await summed(multiHeadAttention(attention, how.norm(x, norm1, how.eps), here, unseen)));
    x = add(x, await summed(feedForward(network, how.norm(x, norm2, how.eps), here, unseen)));
  }
  return answer(half, ended(half, x.slice(-how.width), unseen), unseen);
}
