// What a walk reads from: every stage of one text, of one block at a time. Numbers only: nothing here draws.
import { softmax } from "../engine/scaled_dot_product.js";
import { floats } from "../look/bytes.js";
import { traced } from "../look/feed.js";
import { lastOf } from "../look/kept.js";
import { spelling } from "../look/nexts.js";
import { largest } from "../look/ranked.js";
import { index, range } from "../look/words.js";

const TOP = 10; // tokens that are named in a row
const MASK = "[MASK]";

/** What each axis of the table of stages counts. */
const sizes = ({ heads, keyHeads, headDim, width, ffn, vocab }, n) => ({
  n,
  d: width,
  H: heads,
  G: keyHeads,
  d_k: headDim,
  f: ffn,
  V: vocab,
});
/** How a stage is drawn: "rows" of a text, "heads" of a row, "pairs" of tokens, or the "vocabulary". */
const kindOf = (axes) =>
  axes.at(-1) === "V" ? "vocabulary" : axes.length === 2 ? "rows" : axes.at(-1) === "n" ? "pairs" : "heads";

/** The state that a control comes with: `at(name, layer)` is null for a block that it does not hold. */
export function finished(t, table) {
  const held = Object.fromEntries(Object.entries(t.arrays).map(([name, data]) => [name, floats(data)]));
  return reading(t, table, (name, layer, inBlock) => (!inBlock || layer === t.layer ? held[name] : null));
}

/** The same from a trace of the engine or of Python. */
export function live(trace, table) {
  return reading(trace, table, (name, layer, inBlock, each) =>
    inBlock ? trace[name].subarray(layer * each, (layer + 1) * each) : trace[name],
  );
}

function reading(t, table, values) {
  const n = t.ids.length,
    size = sizes(t.info, n),
    shapes = new Map(
      table.map(([name, , , axes, inBlock]) => [
        name,
        { dims: axes.map((axis) => size[axis]), kind: kindOf(axes), inBlock },
      ]),
    );
  // the mixtures of all heads side by side, which can be wider than the model
  shapes.get("context").dims[1] = size.H * size.d_k;
  const at = (name, layer) => {
    const { dims, inBlock } = shapes.get(name);
    return values(
      name,
      layer,
      inBlock,
      dims.reduce((a, b) => a * b, 1),
    );
  };
  return { ...t, n, L: t.info.layers, H: t.info.heads, asks: asking(t), at, shape: (name) => shapes.get(name) };
}

/** The row that is asked for a word: the last one, even that of the end sign; in a BERT the row of the hole. */
export const asking = ({ tokens, info }) =>
  info.causal ? tokens.length - 1 : tokens.includes(MASK) ? tokens.indexOf(MASK) : lastOf(tokens);

/**
 * A reader for `feed`; `known` are the stages that each kind of model has. A first walk asks what its answer needs.
 */
export const reader =
  (known, tried) =>
  async (source, { text, first }, { cap }) => {
    const trace = await traced(source, { text }, { cap, want: known[source.info.kind] });
    const ahead = expected(trace.logits, trace.ids.length),
      names = await source.tokens(ahead.flat().map(({ id }) => id));
    ahead.flat().forEach((one, i) => {
      one.token = names[i];
    });
    return { ...trace, ahead, ...spelling(source), spare: first ? await tried(source, trace, ahead) : undefined };
  };

/**
 * For each row the tokens that it fits best, with their logits and probabilities.
 * @returns {{id: number, p: number, logit: number, token?: string}[][]}
 */
export function expected(logits, n) {
  const V = logits.length / n;
  return range(n).map((i) => {
    const row = logits.subarray(i * V, (i + 1) * V),
      p = softmax(row),
      level = p.map((x) => Math.round(x * 1e12));
    return largest(level, TOP).map((id) => ({ id, p: p[id], logit: row[id] }));
  });
}
/** The same for the state that a control comes with: `logits` are those of Python's model, float64, row by row. */
export function first(n, V, logits) {
  return expected(
    Float64Array.from({ length: n * V }, (_, i) => logits.getFloat64(8 * i, true)),
    n,
  );
}
/** The probabilities of one row. */
export const odds = ({ logits, n }, i) =>
  softmax(logits.subarray((i * logits.length) / n, ((i + 1) * logits.length) / n));

/** Whether the text of a model that goes on has come to the sign that ends a story. */
export const ended = ({ info, n, tokens }) => info.causal && n > 1 && tokens[n - 1] === "<|endoftext|>";

/** Whether a row is the end of a text that has ended: nothing comes after it. */
export const over = ({ seen, i }) => ended(seen) && i >= seen.asks;

/** A meaning with the bend of this model: the table of stages names those of all models. */
export const BENDS = { relu: "ReLU", gelu: "GELU", gelu_tanh: "GELU", silu: "SiLU" };
const bent = (meaning, { activation }) => meaning.replace("GELU or ReLU", (all) => BENDS[activation] ?? all);

/** The text with its hole filled: a piece that continues a word, and a sign, follow without a space. */
export const filled = (text, piece) =>
  text.replace(/^##|^[.,:;!?]+$/.test(piece) ? /\s*\[MASK\]/ : MASK, () => piece.replace(/^##/, ""));

/** The way through a model: {key, title, meaning, shape, kind, part} of each stop, from the text to the odds. */
export function stops(seen, table, known) {
  const { n, info } = seen,
    has = new Set(known[info.kind]);
  const stop = (key, title, meaning, shape, kind, part) => ({ key, title, meaning, shape, kind, part });
  const letters = Array.from(seen.text).length;
  const inside = table
    .filter(([name]) => has.has(name))
    .map(([name, title, meaning, , inBlock]) => {
      const { dims, kind } = seen.shape(name);
      const part = inBlock ? "block" : kind === "vocabulary" ? "answer" : "";
      return stop(name, title, bent(meaning, info), dims, kind, part);
    });
  const last = inside.findLastIndex(({ part }) => part === "block");
  inside.forEach((one, i) => {
    one.part ||= i < last ? "input" : "answer";
  });
  return [
    stop("text", "text", "letters, as you wrote them", [letters], "text", "input"),
    stop("ids", "tokens", "the pieces of the text, and the number of each", [n], "ids", "input"),
    ...inside,
    stop(
      "odds",
      "chance of each word",
      "the logits of one row as shares that sum to 1",
      [info.vocab],
      "odds",
      "answer",
    ),
  ];
}

/** The few stops of a first walk, with the names that they have there. */
const STATIONS = {
  text: ["Text", "the letters, as you wrote them"],
  ids: ["Tokens", "the pieces of the text; each has a number"],
  token: ["Rows", "what the model computes with: a row of numbers for each token"],
  embedding_sum: ["Rows", "what the model computes with: a row of numbers for each token"],
  weights: ["Attention", "where the chosen row looks: one line for each head"],
  ffn_activated: ["Network", "what a small network finds in each row by itself"],
  output: ["New rows", "the rows with everything added that the block has found"],
  odds: ["Next word", "the shares of the tokens that could come next"],
};
const HOLE = ["The hole", "the shares of the tokens that could stand there"];
/** The first of them: all of them side by side. */
const ALL = {
  key: "all",
  title: "Overview",
  meaning: "a line for each token, from left to right",
  kind: "all",
  part: "input",
};
function stations(list, { n, info }, rows) {
  const named = (stop) => {
    const [title, meaning] = stop.key === "odds" && !info.causal ? HOLE : STATIONS[stop.key];
    return { ...stop, title, meaning };
  };
  const passed = list.filter(({ key }) => key === rows || (key !== "token" && key in STATIONS));
  return [{ ...ALL, shape: [n] }, ...passed.map(named)];
}

/**
 * What is drawn: the state within the reading that is there. `list` are all stops, `shown` those of this view. `has`
 * tells whether the model has a stage; `rows`: the stage from which on it computes with rows; `postNorm`: its blocks
 * normalise the stream itself.
 */
export function view(seen, now, table, known) {
  const list = stops(seen, table, known),
    has = (key) => list.some((one) => one.key === key),
    rows = has("embedding_sum") ? "embedding_sum" : "token",
    first = now.view === "stations",
    shown = first ? stations(list, seen, rows) : list,
    wished = now.row < 0 ? seen.asks : now.row,
    i = index(wished, seen.n),
    layer = index(now.layer < 0 ? (seen.spare?.[i]?.layer ?? seen.layer ?? 0) : now.layer, seen.L);
  const found = shown.findIndex(({ key }) => key === now.stage);
  const at = found < 0 ? shown.length - 1 : found,
    stop = shown[at];
  const values = (one) => (["all", "text", "ids", "odds", "logits"].includes(one.key) ? null : seen.at(one.key, layer));
  return {
    seen,
    now,
    list,
    shown,
    first,
    ahead: seen.ahead[i],
    layer,
    i,
    at,
    stop,
    has,
    rows,
    postNorm: !has("attention_input"),
    values,
    held: stop.part !== "block" || values(stop) !== null,
  };
}

/** What a stage holds of token i: one vector for the row, or one for each head. */
export function parts({ shape, kind }, values, i) {
  if (kind === "rows") {
    const [, c] = shape;
    return [values.subarray(i * c, (i + 1) * c)];
  }
  const [H, n, c] = shape;
  return range(H).map((k) => values.subarray((k * n + i) * c, (k * n + i + 1) * c));
}
export const flat = (arrays) => Float64Array.from(arrays.flatMap((one) => Array.from(one)));
export const size = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
/** The largest |x| that is no −∞; never 0, so that a zero vector is drawn as one. */
export function reach(values) {
  let far = 0;
  for (const x of values) if (Number.isFinite(x)) far = Math.max(far, Math.abs(x));
  return far || 1;
}

/** Of several heads: the token where each is largest, its number there, and the head `k` with the largest. */
export function leading(heads) {
  const best = heads.map((one) => one.indexOf(Math.max(...one))),
    tops = heads.map((one, k) => one[best[k]]);
  return { best, tops, k: tops.indexOf(Math.max(...tops)) };
}

/** The stage that a vector was added to, made from, or is to be compared with: its row in that stage. */
export function rowOf({ list, values, i }, key) {
  const one = list.find((stop) => stop.key === key),
    array = one && values(one);
  return array ? parts(one, array, i)[0] : null;
}
