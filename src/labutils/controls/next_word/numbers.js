// What a model gives to each token that could come next, and how one is drawn.
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { spelling } from "../look/nexts.js";

export const KEPT = 20; // tokens of a distribution that are named
const REMEMBERED = 256; // distributions: more than a model has positions

/** In bits; what has probability 0 adds nothing. */
export const entropy = (p) => p.reduce((a, x) => (x > 0 ? a - x * Math.log2(x) : a), 0);

/** Number `at` (from 0) of the sequence that belongs to a seed, in [0, 1). Mulberry32, T. Ettinger 2017. */
export function uniform(seed, at) {
  let x = (seed + Math.imul(at + 1, 0x6d2b79f5)) | 0;
  x = Math.imul(x ^ (x >>> 15), x | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
}

/**
 * The id in whose stretch of the line from 0 to 1 the number `u` falls, when the stretches lie in the order of the ids.
 */
export function drawn(p, u) {
  let sum = 0;
  const found = p.findIndex((x) => {
    sum += x;
    return sum > u;
  });
  return found < 0 ? p.length - 1 : found;
}

/**
 * A trail as its steps: "d512s7" is token 512, drawn with seed 7; "p512" the same, chosen (seed null). What is no step
 * is left out.
 */
export const stepsOf = (trail) =>
  trail
    .split(/\s+/)
    .map((word) => /^(?:p(\d{1,7})|d(\d{1,7})s(\d{1,10}))$/.exec(word))
    .filter(Boolean)
    .map(([, chosen, id, seed]) => (chosen !== undefined ? { id: +chosen, seed: null } : { id: +id, seed: +seed }));
export const trailOf = (steps) => steps.map(({ id, seed }) => (seed === null ? `p${id}` : `d${id}s${seed}`)).join(" ");

/**
 * What a model gives after a text and a trail.
 * @param {object} given info (of the model), read (tokens of the text), steps, and p: the distribution after the text,
 *   and after each step
 * @returns {{trail, read, steps, top, entropy}} the ids of steps and top without their names
 */
export function walked({ info, read, steps: wished, p: all }) {
  // an address may say what it likes: a token that its seed does not draw here was chosen
  const chance = ({ id, seed }, i) => (seed !== null && drawn(all[i], uniform(seed, i)) === id ? seed : null);
  const steps = wished.map((step, i) => ({ id: step.id, seed: chance(step, i), p: all[i][step.id] })),
    p = all.at(-1);
  const level = p.map((x) => Math.round(x * 1e12)); // so that equal probabilities stand in the order of their ids
  const order = Array.from(p.keys())
    .sort((a, b) => level[b] - level[a] || a - b)
    .slice(0, KEPT);
  return { info, trail: trailOf(steps), read, steps, top: order.map((id) => ({ id, p: p[id] })), entropy: entropy(p) };
}

/**
 * The same for the state that a control comes with: `logits` are the numbers of Python's model, float64, row by row.
 */
export function first(info, read, trail, logits) {
  const row = (i) =>
    Float64Array.from({ length: info.vocab }, (_, at) => logits.getFloat64(8 * (i * info.vocab + at), true));
  const steps = stepsOf(trail);
  return walked({ info, read, steps, p: [...steps, null].map((_, i) => softmax(row(i))) });
}

/**
 * A reader for `feed`: the distribution after a text and a trail. Distributions are remembered, so a step costs one
 * step.
 */
export function reader() {
  const memory = new Map();
  async function after(source, name, ids) {
    const key = `${name} ${ids.join(" ")}`;
    if (!memory.has(key)) {
      if (memory.size >= REMEMBERED) memory.clear();
      memory.set(key, softmax(await source.next(ids)));
    }
    return memory.get(key);
  }

  return async (source, { name, text, trail }, { cap }) => {
    const { ids, left, cut } = await encoded(source, text, cap),
      { info } = source,
      read = ids.length,
      room = info.maxTokens - read;
    if (!read) throw new Error("There is nothing to continue yet: write at least one word.");
    const wished = stepsOf(trail),
      end = wished.findIndex(({ id }) => id >= info.vocab);
    const steps = wished.slice(0, Math.min(room, end < 0 ? Infinity : end)),
      p = [await after(source, name, ids)];
    for (const { id } of steps) {
      ids.push(id);
      p.push(await after(source, name, ids));
    }
    const seen = walked({ info, read, steps, p }),
      unnamed = [...seen.top, ...seen.steps];
    const [before, ...names] = await source.tokens([ids.at(-1), ...unnamed.map(({ id }) => id)]);
    unnamed.forEach((one, i) => {
      one.token = names[i];
    });
    return { ...seen, ...spelling(source), ids, before, text, asked: trail, p: p.at(-1), left, cut, live: true };
  };
}
