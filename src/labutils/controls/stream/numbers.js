// The residual stream as steps: how long a row is, how long what each half of a layer adds to it is, how far it moves.
import { floats } from "../look/bytes.js";
import { index, label, num, range } from "../look/words.js";

export const PARTS = ["attention", "feed_forward"];
export const MEASURES = ["added", "moved"];
export const VIEWS = ["halves", "neurons"];
const LENGTHS = ["stream", "added", "after", "moved"];
export const PAGE = 96; // neurons of a page
export const FAR = 2; // the ratio at the end of the scale: twice as long as the row
// of each half of a layer: the row before, what is added, the row after
const HALVES = [
  ["input", "attention_output", "attention_stream"],
  ["attention_stream", "ffn_output", "output"],
];
export const WANTED = ["input", "attention_output", "attention_stream", "ffn_output", "output", "ffn_activated"];

/**
 * @param {Object<string, Float64Array>} stages of a trace, the layers in front: (L, n, d) each
 * @returns {{stream, added, after, moved}} lengths of (L, 2, n): ‖x‖, ‖F(x)‖, ‖out‖, ‖out − x‖
 */
export function measured(stages, { L, n, d }) {
  const out = Object.fromEntries(LENGTHS.map((name) => [name, new Float64Array(L * 2 * n)]));
  for (let l = 0; l < L; l++)
    HALVES.forEach((names, p) => {
      const [x, f, y] = names.map((name) => stages[name]);
      for (let i = 0; i < n; i++) {
        const at = (l * n + i) * d,
          to = (l * 2 + p) * n + i;
        let xx = 0,
          ff = 0,
          yy = 0,
          moved = 0;
        for (let c = at; c < at + d; c++) {
          xx += x[c] ** 2;
          ff += f[c] ** 2;
          yy += y[c] ** 2;
          moved += (y[c] - x[c]) ** 2;
        }
        [xx, ff, yy, moved].forEach((square, k) => {
          out[LENGTHS[k]][to] = Math.sqrt(square);
        });
      }
    });
  return out;
}

/** The same for the state that a control comes with: five streams of Python's model, float64, one after the other. */
export function first(L, n, d, data) {
  const size = L * n * d,
    stages = {};
  WANTED.slice(0, 5).forEach((name, k) => {
    stages[name] = Float64Array.from({ length: size }, (_, i) => data.getFloat64(8 * (k * size + i), true));
  });
  return Object.fromEntries(Object.entries(measured(stages, { L, n, d })).map(([name, x]) => [name, Array.from(x)]));
}

/** What the traits hold: all steps, and the neurons of one layer; `hidden` is null for another layer. */
export function finished(t) {
  const [L, n, f] = t.shape,
    own = floats(t.hidden);
  const steps = Object.fromEntries(LENGTHS.map((name) => [name, floats(t.steps[name])]));
  return reading({ ...t, L, n, f, steps, hidden: (l) => (l === t.layer ? own : null) });
}

export function live(trace) {
  const { L, n, f, d } = trace.shape,
    size = n * f;
  return reading({
    ...trace,
    L,
    n,
    f,
    steps: measured(trace, { L, n, d }),
    hidden: (l) => trace.ffn_activated.subarray(l * size, (l + 1) * size),
  });
}

/** Whether a norm stands behind the sum shows in the numbers: then a row moves by something else than what is added. */
function reading(seen) {
  const { added, moved } = seen.steps;
  return { ...seen, normed: added.some((x, k) => Math.abs(x - moved[k]) > 1e-3 * (1 + x)) };
}

/** One step of one token: four lengths and the two ratios. NaN where the row is 0 and nothing can be compared. */
export function step({ steps, n }, l, p, i) {
  const at = (l * 2 + p) * n + i,
    of = Object.fromEntries(LENGTHS.map((name) => [name, steps[name][at]]));
  const ratio = (x) => (of.stream > 0 ? x / of.stream : NaN);
  return { ...of, ratios: { added: ratio(of.added), moved: ratio(of.moved) } };
}

/** What is drawn: the state within the reading that is there. */
export function view(seen, now) {
  const l = index(now.layer, seen.L),
    i = index(now.token, seen.n),
    shown = VIEWS.includes(now.view) ? now.view : VIEWS[0],
    p = shown === "neurons" ? 1 : Math.max(0, PARTS.indexOf(now.part)); // attention has none
  const measure = MEASURES.includes(now.measure) ? now.measure : "added";
  return {
    seen,
    tokens: seen.tokens,
    l,
    p,
    i,
    measure,
    view: shown,
    one: step(seen, l, p, i),
    neurons: p === 1 ? neurons(seen, l, i, now.neuron) : null,
  };
}

/**
 * The neurons of one layer at one token: the largest first, which one is marked, how many are above zero. Null where
 * the layer is not there yet.
 */
export function neurons(seen, l, i, wanted) {
  const all = seen.hidden(l),
    { f, n } = seen;
  if (!all) return null;
  const row = all.subarray(i * f, (i + 1) * f),
    order = range(f).sort((a, b) => Math.abs(row[b]) - Math.abs(row[a]) || a - b);
  const above = row.reduce((sum, x) => sum + (x > 0), 0),
    everywhere = all.reduce((sum, x) => sum + (x > 0), 0);
  const j = wanted >= 0 ? index(wanted, f) : order[0],
    page = Math.floor(j / PAGE);
  const at = (token) => all[token * f + j],
    most = range(n).reduce((a, k) => (at(k) > at(a) ? k : a), 0);
  return {
    all,
    row,
    order,
    above,
    everywhere: everywhere / (n * f),
    j,
    page,
    pages: Math.ceil(f / PAGE),
    at,
    most,
    from: page * PAGE,
    columns: Math.min(PAGE, f - page * PAGE),
  };
}

export const partName = (p) => ["attention", "feed-forward"][p];
export const heading = (v) => `Layer ${v.l}, ${partName(v.p)}, “${label(v.tokens[v.i])}”`;

/** One line for each token and step. */
export function rows({ seen, tokens }) {
  const all = range(seen.n).flatMap((i) =>
    range(seen.L).flatMap((l) =>
      range(2).map((p) => {
        const { stream, added, after, moved, ratios } = step(seen, l, p, i);
        return [
          `${i} ${label(tokens[i])}`,
          String(l),
          partName(p),
          ...[stream, added, ratios.added, moved, ratios.moved, after].map((x) =>
            Number.isNaN(x) ? "none" : num(x, 4),
          ),
        ];
      }),
    ),
  );
  return {
    caption: "Every token and half of a layer",
    head: [
      "token",
      "layer",
      "half",
      "length of the row x",
      "length of F(x), added",
      "F(x) ÷ x",
      "length of out − x, moved",
      "(out − x) ÷ x",
      "length of out",
    ],
    rows: all,
  };
}
