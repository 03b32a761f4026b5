// A search as a tree: which beginnings there are at each step, and in which order they stand without crossing lines;
// and the search itself, after a text that was typed.
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { spelling } from "../look/nexts.js";
import { largest } from "../look/ranked.js";

/**
 * @typedef {"running" | "ended" | "dropped"} Fate
 * @typedef {{path: string, token: string, word: string, inside: boolean, p: number, fate: Fate}} Node
 * @typedef {{text: string, label: string, most: number, end: number | null,
 *   widths: Record<string, {steps: Node[][], best: string}>}} Found
 * @typedef {{ids: number[], log: number, ended: boolean}} Beam
 */

export const parentOf = (path) => path.split(".").slice(0, -1).join(".");

/**
 * The columns of a tree up to a step: the children of one beginning stand together, the most probable first.
 * @param {Found} found
 * @param {number} width
 * @param {number} step
 * @returns {Node[][]}
 */
export function columns(found, width, step) {
  const out = [];
  let before = [""];
  for (const nodes of found.widths[width].steps.slice(0, step)) {
    const sorted = [...nodes].sort(
      (one, other) => before.indexOf(parentOf(one.path)) - before.indexOf(parentOf(other.path)) || other.p - one.p,
    );
    out.push(sorted);
    before = sorted.map((node) => node.path);
  }
  return out;
}

/** The beginning of a path, if it is drawn. */
export const nodeAt = (cols, path) => cols.flat().find((node) => node.path === path);

/** The most probable beginning of the last step that was kept; at the last step of all, the best text. */
export function bestOf(found, width, step) {
  const cols = columns(found, width, step),
    { best, steps } = found.widths[width],
    last = cols.at(-1);
  if (step >= steps.length && nodeAt(cols, best)) return nodeAt(cols, best);
  return [...last].filter((node) => node.fate !== "dropped").sort((one, other) => other.p - one.p)[0];
}

/** A path as its beginnings, from the first word on, each with its own odds after the one before. */
export function wayTo(cols, path) {
  const ids = path.split("."),
    nodes = ids.map((_, i) => nodeAt(cols, ids.slice(0, i + 1).join("."))).filter(Boolean);
  return nodes.map((node, i) => ({ ...node, own: node.p / (i ? nodes[i - 1].p : 1) }));
}

/** The logarithm of the odds divided by the length: by this the texts that were found are compared. */
const score = ({ log, ids }) => log / ids.length;
const byScore = (one, other) => score(other) - score(one);

/**
 * The steps of a search, and the best text. As `labutils.generation.beam_steps` and `beam_search`, with a length
 * penalty of 1.
 * @param {(ids: number[]) => Promise<ArrayLike<number>>} odds what a model gives after some ids
 * @param {{ids: number[], width: number, most: number, end: number | null}} given
 */
export async function searched(odds, { ids, width, most, end }) {
  const steps = [];
  /** @type {Beam[]} */
  let running = [{ ids: [], log: 0, ended: false }],
    ends = [];
  while (steps.length < most) {
    const rows = [];
    for (const beam of running) rows.push(await odds([...ids, ...beam.ids]));
    const step = stepOf(running, rows, width, end);
    steps.push(step);
    running = step.running;
    ends = [...ends, ...step.ended].sort(byScore);
    if (ends.length >= width && score(running[0]) <= score(ends[width - 1])) break;
  }
  const last = steps.at(-1),
    left = steps.length === most ? last.running.slice(0, width - last.ended.length) : [];
  return { steps, best: [...ends, ...left].sort(byScore)[0] };
}

/** Every beam is continued by every token; all continuations are compared with one another. */
function stepOf(running, rows, width, end) {
  const V = rows[0].length,
    all = Float64Array.from({ length: running.length * V }, (_, at) => {
      const beam = Math.floor(at / V);
      return running[beam].log + Math.log(rows[beam][at % V]);
    });
  const found = largest(all, 2 * width).map((at) => {
    const token = at % V;
    return { ids: [...running[Math.floor(at / V)].ids, token], log: all[at], ended: token === end };
  });
  const on = found.filter(({ ended }) => !ended);
  return {
    running: on.slice(0, width),
    ended: found.slice(0, width).filter(({ ended }) => ended),
    dropped: on.slice(width),
  };
}

/** A reader for `feed`: the searches of all widths after a text. @param {Found} first what the control came with */
export function reader({ most, end, widths }) {
  return async (source, { text }, { cap }) => {
    const room = Math.min(cap, source.info.maxTokens - most),
      { ids, left, cut } = await encoded(source, text, room),
      memory = new Map();
    if (!ids.length) throw new Error("There is nothing to continue yet: write at least one word.");
    const odds = async (after) => {
      const key = after.join(" ");
      if (!memory.has(key)) memory.set(key, softmax(await source.next(after)));
      return memory.get(key);
    };
    const namer = namerOf(source, ids),
      out = {};
    for (const width of Object.keys(widths).map(Number)) {
      const { steps, best } = await searched(odds, { ids, width, most, end }),
        told = [];
      for (const step of steps) {
        const nodes = [];
        for (const fate of ["running", "ended", "dropped"])
          for (const beam of step[fate]) nodes.push({ ...(await namer(beam)), fate });
        told.push(nodes);
      }
      out[width] = { steps: told, best: best.ids.join(".") };
    }
    const { info } = source;
    return { text, label: info.label, most, end, widths: out, left, cut, info };
  };
}

/** What stands in the box of a beam: its last token, the word that it begins, and its odds. */
function namerOf(source, ids) {
  const { spell } = spelling(source);
  return async (beam) => {
    const id = beam.ids.at(-1),
      [token] = await source.tokens([id]),
      inside = Boolean(spell) && !beam.ended && /^\p{L}/u.test(token),
      word = spell && !beam.ended && !inside ? await spell([...ids, ...beam.ids.slice(0, -1)], id) : token;
    return { path: beam.ids.join("."), token, word, inside, p: Math.exp(beam.log) };
  };
}
