// What a way shows: the rows of a text after each block, what each of them would say, and the head that the answer
// needs. Numbers only: nothing here draws.
import { softmax } from "../engine/scaled_dot_product.js";
import { floats } from "../look/bytes.js";
import { encoded } from "../look/feed.js";
import { chosen, looking, without as off } from "../look/needed.js";
import { spelling } from "../look/nexts.js";
import { index, range } from "../look/words.js";

export const TOP = 5; // next words that are named
const FULL = 0.98; // the share of |x| of a stage that a strip shows in steps; beyond it the colour is full

/** The `count` most probable tokens of a row of logits, equal ones in the order of their ids. */
function best(logits, count) {
  const p = softmax(logits),
    level = p.map((x) => Math.round(x * 1e12));
  return Array.from(p.keys())
    .sort((a, b) => level[b] - level[a] || a - b)
    .slice(0, count)
    .map((id) => ({ id, p: p[id] }));
}

/**
 * @param {Float64Array[]} lens logits (n, V) of each stage, as if it went to the output head at once
 * @param {Float64Array[]} without the last row of logits without each head
 */
function answers({ heads, vocab }, n, lens, weights, without) {
  const row = (logits, i) => logits.subarray(i * vocab, (i + 1) * vocab);
  const next = range(n).map((i) => best(row(lens.at(-1), i), TOP)),
    [answer] = next.at(-1);
  const left = without.map((logits) => softmax(logits)[answer.id]),
    looks = looking(weights, n, n - 1),
    k = chosen(answer.p, left, looks);
  return {
    lens: lens.map((logits) => range(n).map((i) => best(row(logits, i), 1)[0])),
    next,
    head: { layer: Math.floor(k / heads), head: k % heads, ...looks[k], left: left[k], p: answer.p },
  };
}

/** The same for the state that a control comes with: three arrays of Python's model, float64. */
export function first(info, n, ...data) {
  const [lens, weights, without] = data.map((view) =>
    Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true)),
  );
  const cut = (all, size) => range(all.length / size).map((k) => all.subarray(k * size, (k + 1) * size));
  return answers(info, n, cut(lens, n * info.vocab), weights, cut(without, info.vocab));
}

export const finished = (t) => reading({ ...t, states: floats(t.states), weights: floats(t.weights) });

/** What waits on the page has its turn: a reading is dozens of passes. */
const turn = () =>
  globalThis.scheduler?.yield?.() ??
  new Promise((done) => {
    setTimeout(done);
  });

/** A reading of a text for `feed`. `words(i)` finds the whole words of row i; those of the last row are there. */
export async function read(source, { text }, { cap }) {
  const { ids, left, cut } = await encoded(source, text, cap),
    { info } = source,
    n = ids.length;
  if (!n) throw new Error("There is nothing to follow yet: write at least one word.");
  const { tokens, input, output, weights } = await source.trace(ids, { want: ["input", "output", "weights"] });
  const size = n * info.width,
    states = new Float64Array((info.layers + 1) * size);
  states.set(input.subarray(0, size));
  states.set(output, size);
  const pass = async (change) => {
    await turn();
    return (await source.trace(ids, { want: ["logits"], change })).logits;
  };
  const lens = [],
    without = [],
    ahead = `layer ${info.layers - 1} output`;
  for (const k of range(info.layers + 1))
    lens.push(await pass({ [ahead]: () => states.slice(k * size, (k + 1) * size) }));
  for (const k of range(info.layers * info.heads))
    without.push((await pass(off(Math.floor(k / info.heads), k % info.heads, n))).slice(-info.vocab));
  const found = answers(info, n, lens, weights, without),
    at = found.head.layer * info.heads + found.head.head;
  const seen = reading({
    ...found,
    text,
    info,
    ids,
    tokens,
    states,
    left,
    cut,
    live: true,
    weights: weights.slice(at * n * n, (at + 1) * n * n),
    words: await naming(source, found, ids),
  });
  await seen.words(n - 1);
  return seen;
}

/** Names all tokens that could come next; what comes back finds the words that those of one row begin. */
async function naming(source, { lens, next }, ids) {
  const all = (i) => [...lens.map((rows) => rows[i]), ...next[i]],
    { spell } = spelling(source);
  for (const i of ids.keys()) {
    const pieces = await source.tokens(all(i).map(({ id }) => id));
    all(i).forEach((one, k) => {
      one.token = pieces[k];
    });
  }
  return async (i) => {
    for (const one of all(i)) one.word = spell ? await spell(ids.slice(0, i + 1), one.id) : one.token;
  };
}

function reading(seen) {
  const {
      info,
      tokens: { length: n },
      states,
    } = seen,
    stages = info.layers + 1,
    size = n * info.width;
  const part = (k) => states.subarray(k * size, (k + 1) * size);
  return {
    ...seen,
    n,
    stages,
    reach: range(stages).map((k) => full(part(k))),
    row: (k, i) => part(k).subarray(i * info.width, (i + 1) * info.width),
    weight: (i, j) => seen.weights[i * n + j],
  };
}

/** The size from which on a colour is full. */
function full(values) {
  const sizes = Float64Array.from(values, Math.abs).sort();
  return sizes[Math.min(sizes.length - 1, Math.floor(FULL * sizes.length))] || 1;
}

/** The columns of the drawing in order; the map stands before the block that it belongs to. */
export function columns({ stages, head }) {
  const states = range(stages).map((stage) => ({ kind: "rows", stage, name: stageName(stage) }));
  states.splice(head.layer + 1, 0, { kind: "map" });
  return [{ kind: "token" }, ...states, { kind: "next" }];
}
export const stageName = (stage) => (stage ? `After block ${stage - 1}` : "Embedding");

/** What is drawn: the token that is followed, and the column that is looked at, or -1. */
export function view(seen, { row, column }) {
  const all = columns(seen),
    i = row < 0 ? seen.n - 1 : index(row, seen.n);
  return { seen, columns: all, i, s: column > 0 && column < all.length - 1 ? Math.round(column) : -1 };
}

/** One line for each token and stage, with all its numbers; then the weights of the head, and the next words. */
export function table({ seen }, num, named) {
  const { tokens, n, stages, info, lens, next, head } = seen,
    name = (i) => `${i} ${tokens[i].replaceAll("␣", "")}`;
  const rows = range(n).flatMap((i) =>
    range(stages).map((k) => [
      name(i),
      stageName(k),
      named(lens[k][i], tokens[i], info),
      num(lens[k][i].p, 4),
      ...Array.from(seen.row(k, i), (x) => num(x, 3)),
    ]),
  );
  const looks = range(n).map((i) => [
    name(i),
    `weights of head ${head.head}, block ${head.layer}`,
    "",
    "",
    ...range(n).map((j) => (j > i ? "masked" : num(seen.weight(i, j), 4))),
  ]);
  const ahead = range(n).flatMap((i) =>
    next[i].map((one, k) => [name(i), `next word ${k + 1}`, named(one, tokens[i], info), num(one.p, 4)]),
  );
  const wide = 4 + Math.max(info.width, n),
    filled = (row) => [...row, ...Array(wide - row.length).fill("")];
  return {
    caption: `“${seen.text}”, token by token`,
    head: ["token", "stage", "would say", "chance", ...range(wide - 4).map(String)],
    rows: [...rows, ...looks, ...ahead].map(filled),
  };
}
