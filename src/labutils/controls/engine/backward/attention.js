// Causal attention of several heads (Vaswani et al. 2017, section 3.2), and the way back through the mixture, the
// softmax and the scores.
//
// The texts of a batch stand one after the other; text t has the rows starts[t] to starts[t + 1] - 1, and none of them
// sees a row of another text or one that comes later. Its weights stand in a square for each text and head, with zeros
// where a row does not see.
import { arenaOf } from "./arena.js";
import { zeros } from "./numbers.js";
import { across, inSquares, inSquaresBack, squares } from "./squares.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{starts: number[], heads: number, width: number}} How
 */

/** One row after the other: of which text and head, its number, the first row it sees, where its weights stand. */
function eachRow({ starts, heads }, visit) {
  let at = 0;
  for (let t = 0; t + 1 < starts.length; t++)
    for (let h = 0; h < heads; h++)
      for (let i = starts[t]; i < starts[t + 1]; i++) {
        visit(i, h, starts[t], at);
        at += across(starts[t + 1] - starts[t]);
      }
}

/**
 * Each row takes a mixture of the values it sees: softmax(q kᵀ / √d_k) v.
 * @param {Numbers} q (rows, width), as k and v; head h has the columns h d_k to (h + 1) d_k - 1
 * @param {Numbers} k
 * @param {Numbers} v
 * @param {How} how
 * @returns {{mixed: Numbers, weights: Numbers}} mixed (rows, width); weights as `squares.js` has them
 */
export function attention(q, k, v, how) {
  const mixed = zeros(q.length, q),
    weights = zeros(squares(how), q),
    home = arenaOf(q, k, v, mixed, weights);
  if (!home || !inSquares(home, { q, k, v, mixed, weights }, how)) inRows({ q, k, v, mixed, weights }, how);
  return { mixed, weights };
}

function inRows({ q, k, v, mixed, weights }, how) {
  const { width, heads } = how,
    d = width / heads,
    root = Math.sqrt(d);
  eachRow(how, (i, h, first, at) => {
    const query = i * width + h * d,
      seen = i - first + 1;
    let highest = -Infinity,
      total = 0;
    for (let j = 0; j < seen; j++) {
      const key = (first + j) * width + h * d;
      let score = 0;
      for (let c = 0; c < d; c++) score += q[query + c] * k[key + c];
      weights[at + j] = score / root;
      if (weights[at + j] > highest) highest = weights[at + j];
    }
    for (let j = 0; j < seen; j++) total += weights[at + j] = Math.exp(weights[at + j] - highest);
    for (let j = 0; j < seen; j++) {
      weights[at + j] /= total;
      const weight = weights[at + j],
        value = (first + j) * width + h * d;
      for (let c = 0; c < d; c++) mixed[query + c] += weight * v[value + c];
    }
  });
}

/**
 * From dL/d(mixed) to the gradients of queries, keys and values. Through the softmax a score gets its weight times how
 * much more than the average of its row it was asked for: weights add up to 1, so one can grow only if others shrink.
 * @param {Numbers} dmixed (rows, width)
 * @param {{q: Numbers, k: Numbers, v: Numbers, weights: Numbers}} kept
 * @param {How} how
 * @returns {{dq: Numbers, dk: Numbers, dv: Numbers}}
 */
export function attentionBack(dmixed, { q, k, v, weights }, how) {
  const [dq, dk, dv] = [q, k, v].map((x) => zeros(x.length, x)),
    all = { dmixed, q, k, v, weights, dq, dk, dv },
    home = arenaOf(...Object.values(all));
  if (!home || !inSquaresBack(home, all, how)) inRowsBack(all, how);
  return { dq, dk, dv };
}

function inRowsBack({ dmixed, q, k, v, weights, dq, dk, dv }, how) {
  const { width, heads } = how,
    d = width / heads,
    root = Math.sqrt(d),
    asked = new Float64Array(Math.max(...how.starts.map((start, t) => start - (how.starts[t - 1] ?? start))));
  eachRow(how, (i, h, first, at) => {
    const query = i * width + h * d,
      seen = i - first + 1;
    let average = 0;
    for (let j = 0; j < seen; j++) {
      const value = (first + j) * width + h * d,
        weight = weights[at + j];
      let more = 0;
      for (let c = 0; c < d; c++) {
        more += dmixed[query + c] * v[value + c];
        dv[value + c] += weight * dmixed[query + c];
      }
      asked[j] = more;
      average += weight * more;
    }
    for (let j = 0; j < seen; j++) {
      const key = (first + j) * width + h * d,
        score = (weights[at + j] * (asked[j] - average)) / root;
      for (let c = 0; c < d; c++) {
        dq[query + c] += score * k[key + c];
        dk[key + c] += score * q[query + c];
      }
    }
  });
}
