// How one query meets every key: direction, score, weight. Numbers only; `meeting.py` does the same in Python.

/**
 * @param {{n, d, q, k}} head q and k are (n, d), row after row
 * @param {number} i the token that asks; @param {boolean} causal later tokens are masked
 * @returns {{length, lengths, cosine, score, masked, weight}} cosine is NaN where a vector is 0 and has no direction; weight is 0 where masked
 */
export function meet({ n, d, q, k }, i, causal) {
  const dot = (a, p, b, r) => { let sum = 0; for (let c = 0; c < d; c++) sum += a[p * d + c] * b[r * d + c]; return sum; };
  const keys = Array.from({ length: n }, (_, j) => j), length = Math.sqrt(dot(q, i, q, i)), lengths = keys.map((j) => Math.sqrt(dot(k, j, k, j)));
  const product = keys.map((j) => dot(q, i, k, j)), score = product.map((x) => x / Math.sqrt(d)), masked = keys.map((j) => causal && j > i);
  const cosine = keys.map((j) => (length * lengths[j] > 0 ? Math.min(1, Math.max(-1, product[j] / (length * lengths[j]))) : NaN));
  const top = Math.max(...score.filter((_, j) => !masked[j])), power = score.map((x, j) => (masked[j] ? 0 : Math.exp(x - top))), sum = power.reduce((a, x) => a + x, 0);
  return { length, lengths, cosine, score, masked, weight: power.map((x) => x / sum) };
}

/** The index of the largest of the numbers for which `counts` holds; −1 if there is none. */
export function largest(numbers, counts) {
  return numbers.reduce((best, x, j) => (counts(j) && (best < 0 || x > numbers[best]) ? j : best), -1);
}
