// The formula behind each stage, in symbols and with the numbers of the row that is followed put in.
import { ACTIVATIONS } from "../engine/feed_forward.js";
import { num, plural } from "../look/words.js";
import { BENDS, finished, leading, parts, rowOf, view } from "./numbers.js";
import { chip } from "./words.js";

const FIRST = "first number: ";
const SHOWN = 3; // terms of a sum that are written out
const NORM = {
  layer: "gain · (x − mean of x) ÷ √(variance of x + ε) + bias",
  rms: "gain · x ÷ √(mean of x² + ε)",
};
const BENT = {
  relu: (u) => `max(0, ${u})`,
  gelu: (u) => `${u} · Φ(${u}), with Φ the share of a normal distribution below ${u}`,
  gelu_tanh: (u) => `½ ${u} · (1 + tanh(√(2/π) · (${u} + 0.044715 ${u}³)))`,
  silu: (u) => `${u} ÷ (1 + exp(−${u}))`,
};
const value = (x) => (x <= -0.0005 ? `(${num(x, 3)})` : num(x, 3));

/** Two lines for the open stage, [symbols, the same in numbers]; none where it has no formula or is not here. */
export function formula(v) {
  const { stop } = v;
  if (stop.key === "text" || stop.key === "ids" || !v.held) return [];
  return (FORMULAS[stop.key] ?? (() => []))(v, firstOf(v));
}
/** The first number of the row that is followed. */
function firstOf(v) {
  const values = v.values(v.stop);
  return values ? parts(v.stop, values, v.i)[0][0] : 0;
}

const fetched = (letter, table, place) => (v, x) => [`${letter} = row ${place(v)} of ${table}`, `${FIRST}${num(x, 3)}`];
/** A matrix, and the bias of a model that has one; what comes out may be turned by its place. */
const products =
  (letter, row, named, count = width) =>
  (v, x) => {
    const { biases, rotaryBase } = v.seen.info,
      { key } = v.stop,
      bias = biases.includes(key),
      turned = rotaryBase && (key === "q" || key === "k");
    const made = `${row} · W${bias ? " + b" : ""}`,
      much = `${plural(count(v), "product")}${bias ? " and a bias" : ""}`;
    return [
      `${letter} = ${turned ? `(${made}) turned by its place` : made}, ${named}`,
      `${FIRST}${much}${turned ? ", turned," : ""} make ${num(x, 3)}`,
    ];
  };
const width = ({ seen }) => seen.info.width;
const across = ({ seen }) => seen.info.heads * seen.info.headDim;

const FORMULAS = {
  token: fetched("e", "the table of tokens", ({ seen, i }) => seen.ids[i].toLocaleString("en")),
  position: fetched("p", "the table of positions", ({ i }) => i),
  segment: fetched("s", "the table of segments", () => 0),
  embedding_sum: (v, x) => {
    const named = ["token", "segment", "position"].map((key) => rowOf(v, key)).filter(Boolean);
    const symbols = named.length === 3 ? "e + s + p, of token, segment and" : "e + p, of token and";
    return [
      `x = ${symbols} position`,
      sum(
        named.map((row) => row[0]),
        x,
      ),
    ];
  },
  embedding_norm: (v) => normed(rowOf(v, "embedding_sum"), v),
  input: (v, x) => [
    v.layer ? `x = the rows that left block ${v.layer - 1}` : "x = the rows as they were embedded",
    `${FIRST}${num(x, 3)}`,
  ],
  attention_input: (v) => normed(rowOf(v, "input"), v),
  q: products("q", "y", "y the row that attention reads, W of the head"),
  k: products("k", "y", "y the row that attention reads, W of the head"),
  v: products("v", "y", "y the row that attention reads, W of the head"),
  scores,
  weights,
  context: mixed,
  attention_output: products("o", "z", "z the mixtures of all heads side by side", across),
  attention_stream: (v) =>
    joined(v, "input", "attention_output", ["x + o", "x the row that came in, o what attention gives"]),
  ffn_input: (v) => normed(rowOf(v, "attention_stream"), v),
  ffn_gate: products("g", "y", "y the row that the network reads"),
  ffn_hidden: products("u", "y", "y the row that the network reads"),
  ffn_activated: bend,
  ffn_output: products("f", "a", "a what the bend left", ({ seen }) => seen.info.ffn),
  output: (v) =>
    joined(v, "attention_stream", "ffn_output", ["x + f", "x the attention stream, f what the network gives"]),
  final: last,
  mlm_transform: ({ seen }, x) => [
    `t = norm of ${BENDS[seen.info.activation]}(y · W + b)`,
    `${FIRST}${plural(seen.info.width, "product")} and a bias make ${num(x, 3)}`,
  ],
  logits: ({ seen, i, has }) => {
    const [{ token, logit }] = seen.ahead[i],
      bias = has("mlm_transform"); // the head that has one has a bias for each token
    return [
      `logit = y · E${bias ? " + b" : ""}, E the row of a token of the vocabulary`,
      `“${chip(token)}”: ${plural(seen.info.width, "product")}${bias ? " and a bias" : ""} make ${num(logit, 3)}`,
    ];
  },
  odds: ({ seen, i }) => {
    const [{ token, logit, p }] = seen.ahead[i];
    return ["p = exp(logit) ÷ sum of exp(logit) over the vocabulary", share(chip(token), logit, p)];
  },
};

const sum = (terms, x) => `${FIRST}${terms.map((one, k) => (k ? value(one) : num(one, 3))).join(" + ")} = ${num(x, 3)}`;
/** A share of a sum of powers; the sum itself is written as a power, because it can be too long to read. */
const share = (name, z, p) => `“${name}”: exp(${num(z, 3)}) ÷ exp(${num(z - Math.log(p), 3)}) = ${num(p, 3)}`;

/** A row on its way through a norm; the gain and the bias are the model's and not among the stages. */
function normed(row, v) {
  const y = firstOf(v),
    { norm, eps } = v.seen.info,
    symbols = `y = ${NORM[norm]}`;
  if (!row) return [symbols, `${FIRST}${num(y, 3)}`];
  const centred = norm === "layer",
    mean = centred ? row.reduce((a, b) => a + b, 0) / row.length : 0,
    spread = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length + eps),
    above = centred ? `(${num(row[0], 3)} − ${value(mean)})` : num(row[0], 3);
  return [
    symbols,
    `${FIRST}${above} ÷ ${num(spread, 3)} = ${num((row[0] - mean) / spread, 3)}; ` +
      `${centred ? "gain and bias make" : "the gain makes"} ${num(y, 3)} of it`,
  ];
}

/** What was computed comes to the row: it is added, and where blocks normalise the stream, the sum is normalised. */
function joined(v, before, what, [symbols, named]) {
  const rows = [rowOf(v, before), rowOf(v, what)];
  if (v.postNorm) {
    const [, worked] = normed(
      rows[0].map((x, c) => x + rows[1][c]),
      v,
    );
    return [`y = norm of (${symbols}), ${named}`, worked];
  }
  return [
    `y = ${symbols}, ${named}`,
    sum(
      rows.map((row) => row[0]),
      firstOf(v),
    ),
  ];
}

function scores(v) {
  const { seen, i } = v,
    { best, k } = leading(parts(v.stop, v.values(v.stop), i)),
    j = best[k],
    [q, key] = [headRow(v, "q", k, i), headRow(v, "k", k, j)],
    dot = q.reduce((total, x, m) => total + x * key[m], 0),
    d = seen.info.headDim;
  return [
    "s = q · k ÷ √(width of a head)",
    `head ${k}, “${chip(seen.tokens[j])}”: ${num(dot, 3)} ÷ √${d} =` + ` ${num(dot / Math.sqrt(d), 3)}`,
  ];
}
/** The vector of one head for one token; several heads can share a key. */
function headRow(v, key, head, i) {
  const stop = v.list.find((one) => one.key === key),
    [G] = stop.shape,
    each = parts(stop, v.values(stop), i);
  return each[Math.floor((head * G) / v.seen.H)];
}

function weights(v) {
  const { seen, i } = v,
    { best, tops, k } = leading(parts(v.stop, v.values(v.stop), i)),
    scored = v.list.find(({ key }) => key === "scores");
  const score = parts(scored, v.values(scored), i)[k][best[k]];
  return [
    "a = exp(s) ÷ sum of exp(s) over the tokens in sight",
    `head ${k}, ${share(chip(seen.tokens[best[k]]), score, tops[k])}`,
  ];
}

/** The values of head 0, each times its weight: those with the largest parts are written out. */
function mixed(v, x) {
  const stop = v.list.find(({ key }) => key === "weights"),
    [w] = parts(stop, v.values(stop), v.i),
    first = Array.from(w, (_, j) => headRow(v, "v", 0, j)[0]);
  const seen = Array.from(w.keys())
    .filter((j) => w[j] > 0)
    .sort((a, b) => Math.abs(w[b] * first[b]) - Math.abs(w[a] * first[a]));
  const named = seen
      .slice(0, SHOWN)
      .sort((a, b) => a - b)
      .map((j) => `${num(w[j], 3)} · ${value(first[j])}`),
    more = seen.length > SHOWN ? ` + ${seen.length - SHOWN} more` : "";
  return [
    "z = sum of a · v over the tokens in sight, head by head",
    `${FIRST}${named.join(" + ")}${more} = ${num(x, 3)}`,
  ];
}

/** The bend of a number alone; with a gate, what the bent gate lets through of the number beside it. */
function bend(v) {
  const { activation } = v.seen.info,
    gate = rowOf(v, "ffn_gate"),
    u = gate ?? rowOf(v, "ffn_hidden"),
    bent = Array.from(u, ACTIVATIONS[activation]),
    far = bent.map((a, k) => Math.abs(a - u[k])),
    most = far.indexOf(Math.max(...far)),
    worked = `number ${most}, which moves most: ${BENDS[activation]}(${num(u[most], 3)}) = ${num(bent[most], 3)}`;
  if (!gate) return [`a = ${BENT[activation]("u")}`, worked];
  const beside = rowOf(v, "ffn_hidden")[most];
  return [
    `a = ${BENDS[activation]}(g) · u, with ${BENDS[activation]}(g) = ${BENT[activation]("g")}`,
    `${worked}, times ${value(beside)} is ${num(bent[most] * beside, 3)}`,
  ];
}

/** After the last block a stream that no block has normalised is normalised; the other is handed on. */
function last(v, x) {
  const { seen } = v;
  if (v.postNorm) return ["y = the rows that left the last block", `${FIRST}${num(x, 3)}`];
  const output = v.list.find(({ key }) => key === "output"),
    held = seen.at("output", seen.L - 1);
  return normed(held && parts(output, held, v.i)[0], v);
}

/** The same of the state that a control comes with. */
export const finishedFormula = (traits) =>
  formula(view(finished(traits.finished, traits.table), traits, traits.table, traits.known));
