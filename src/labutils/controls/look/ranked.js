// The largest of many numbers: of 50,257 probabilities ten are named, and sorting all of them would take a hundred
// times as long.

/**
 * The places of the `most` largest numbers, the largest first; equal ones stand in the order of their places.
 * @param {ArrayLike<number>} values
 * @param {number} most
 * @returns {number[]}
 */
export function largest(values, most) {
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === most && !(values[i] > values[best[most - 1]])) continue;
    let at = best.length;
    while (at > 0 && values[i] > values[best[at - 1]]) at--;
    best.splice(at, 0, i);
    if (best.length > most) best.pop();
  }
  return best;
}
