// What a model gives to each token that could come next, and how one is drawn.
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { spelling } from "../look/nexts.js";
import { largest } from "../look/ranked.js";
import { isPlain, PLAIN, processed, setOf } from "./cutting.js";
import { stepsOf, trailOf } from "./trail.js";

export const KEPT = 20; // tokens of a distribution that are named
export const HOLE = "[MASK]";
export const WRITES = (name) => `${name} goes on with a text and fills no hole: choose a BERT, such as little-bert.`;
const READS = (name) => `${name} reads a whole text at once and does not go on: choose a GPT-2.`;
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

/** The ids of the `most` largest probabilities, the largest first; equal ones stand in the order of their ids. */
export function ranked(p, most) {
  const level = p.map((x) => Math.round(x * 1e12));
  return largest(level, most);
}

/** What a model gives: the distribution of its logits, and what the logits are above the logarithms of it. */
function given(logits) {
  const p = softmax(logits),
    best = p.indexOf(p.reduce((most, x) => Math.max(most, x), 0));
  return { p, zero: logits[best] - Math.log(p[best]) };
}

/** What a token is drawn from after the text `ids`, and which rule has cut which. */
const after = (row, set, ids) => (isPlain(set) ? { q: row.p, cut: new Map() } : processed(row, set, ids));

/**
 * What a model gives after a text and a trail.
 * @param {any} seen info (of the model), ids (the tokens of the text), steps, and rows: what the model gives after
 *   the text, and after each step; set: what is done to them before a draw
 * @returns the ids of steps and top without their names; where something is done, `q` is what a token is drawn with,
 *   `cut` which rule has cut it, `best` the one that is drawn most often, `stay` how many stay and `lost` the odds of
 *   the others
 */
export function walked({ info, ids, steps: wished, rows, set = PLAIN }) {
  const plain = isPlain(set),
    before = (i) => [...ids, ...wished.slice(0, i).map(({ id }) => id)];
  // an address may say what it likes: a token that its seed does not draw, with the settings of its step, was chosen
  const chance = ({ id, seed, set: then }, i) =>
    seed !== null && drawn(after(rows[i], then, before(i)).q, uniform(seed, i)) === id
      ? { seed, set: then }
      : { seed: null };
  const steps = wished.map((step, i) => ({ id: step.id, ...chance(step, i), p: rows[i].p[step.id] })),
    { p } = rows.at(-1),
    { q, cut } = after(rows.at(-1), set, before(steps.length));
  const one = (id) => ({ id, p: p[id], ...(plain ? {} : { q: q[id], cut: cut.get(id) ?? "" }) }),
    top = ranked(p, KEPT).map(one),
    [first] = ranked(q, 1);
  const lost = plain
    ? {}
    : {
        best: top.find(({ id }) => id === first) ?? one(first),
        stay: p.length - cut.size,
        lost: [...cut.keys()].reduce((sum, id) => sum + p[id], 0),
      };
  return { info, trail: trailOf(steps), read: ids.length, steps, top, set, ...lost, entropy: entropy(q) };
}

/**
 * The same for the state that a control comes with: `logits` are the numbers of Python's model, float64, row by row.
 */
export function first(info, ids, trail, logits, set = PLAIN) {
  const row = (i) =>
    Float64Array.from({ length: info.vocab }, (_, at) => logits.getFloat64(8 * (i * info.vocab + at), true));
  const steps = stepsOf(trail);
  return walked({ info, ids, steps, rows: [...steps, null].map((_, i) => given(row(i))), set });
}

/**
 * A reader for `feed`: the distribution after a text and a trail. Distributions are remembered, so a step costs one
 * step.
 */
export function reader() {
  const memory = new Map();
  async function asked(source, name, ids) {
    const key = `${name} ${ids.join(" ")}`;
    if (!memory.has(key)) {
      if (memory.size >= REMEMBERED) memory.clear();
      memory.set(key, given(await source.next(ids)));
    }
    return memory.get(key);
  }

  return async (source, { name, text, trail, set = PLAIN }, { cap }) => {
    const { ids, left, cut } = await encoded(source, text, cap),
      { info } = source,
      read = ids.length,
      room = info.maxTokens - read;
    if (!info.causal) throw new Error(READS(info.name));
    if (text.includes(HOLE)) throw new Error(WRITES(info.name));
    if (!read) throw new Error("There is nothing to continue yet: write at least one word.");
    const wished = stepsOf(trail),
      end = wished.findIndex(({ id }) => id >= info.vocab);
    const steps = wished.slice(0, Math.min(room, end < 0 ? Infinity : end)),
      rows = [await asked(source, name, ids)];
    for (const { id } of steps) {
      ids.push(id);
      rows.push(await asked(source, name, ids));
    }
    const seen = walked({ info, ids: ids.slice(0, read), steps, rows, set: setOf(set) }),
      unnamed = [...seen.top, ...seen.steps, ...(seen.best ? [seen.best] : [])];
    const [before, ...names] = await source.tokens([ids.at(-1), ...unnamed.map(({ id }) => id)]);
    unnamed.forEach((one, i) => {
      one.token = names[i];
    });
    return {
      ...seen,
      ...spelling(source),
      ids,
      before,
      text,
      asked: trail,
      q: after(rows.at(-1), seen.set, ids).q,
      left,
      cut,
      live: true,
    };
  };
}
