// The one slow step of training, each row of one matrix times each row of another, y = a bᵀ.
//
// All three products of a linear layer are of this form: forward x and W; backward, with one of them transposed first,
// dy and Wᵀ, dyᵀ and xᵀ. So there is one loop to make fast. A tile of 4 rows by 2 columns keeps
// eight sums in registers; float32 goes to `wide.js`, where a browser can.
import { zeros } from "./numbers.js";
import { wideProduct } from "./wide.js";

const SMALL = 20000; // products of numbers: below, laying out takes longer than is won

/**
 * y = a bᵀ.
 * @param {import("./numbers.js").Numbers} a (rows, inner)
 * @param {import("./numbers.js").Numbers} b (columns, inner)
 * @param {number} inner
 * @returns {import("./numbers.js").Numbers} (rows, columns)
 */
export function rowsByRows(a, b, inner) {
  const rows = a.length / inner,
    columns = b.length / inner,
    tiled = rows - (rows % 4);
  if (a instanceof Float32Array && b instanceof Float32Array && rows * columns * inner > SMALL) {
    const made = wideProduct(a, b, inner);
    if (made) return made;
  }
  const y = zeros(rows * columns, a);
  for (let i = 0; i < tiled; i += 4) fourRows(a, b, y, i, inner, columns);
  for (let i = tiled; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0; k < inner; k++) total += a[i * inner + k] * b[j * inner + k];
      y[i * columns + j] = total;
    }
  return y;
}

/** Rows i to i + 3 of y, two columns at a time. */
function fourRows(a, b, y, i, inner, columns) {
  const a0 = i * inner,
    a1 = a0 + inner,
    a2 = a1 + inner,
    a3 = a2 + inner;
  for (let j = 0; j < columns; j += 2) {
    // an odd last column is computed twice, and kept once
    const b0 = j * inner,
      single = j + 1 === columns,
      b1 = single ? b0 : b0 + inner;
    let p0 = 0,
      p1 = 0,
      p2 = 0,
      p3 = 0,
      q0 = 0,
      q1 = 0,
      q2 = 0,
      q3 = 0;
    for (let k = 0; k < inner; k++) {
      const u = b[b0 + k],
        v = b[b1 + k],
        r0 = a[a0 + k],
        r1 = a[a1 + k],
        r2 = a[a2 + k],
        r3 = a[a3 + k];
      p0 += r0 * u;
      p1 += r1 * u;
      p2 += r2 * u;
      p3 += r3 * u;
      q0 += r0 * v;
      q1 += r1 * v;
      q2 += r2 * v;
      q3 += r3 * v;
    }
    const at = i * columns + j;
    y[at] = p0;
    y[at + columns] = p1;
    y[at + 2 * columns] = p2;
    y[at + 3 * columns] = p3;
    if (single) continue;
    y[at + 1] = q0;
    y[at + columns + 1] = q1;
    y[at + 2 * columns + 1] = q2;
    y[at + 3 * columns + 1] = q3;
  }
}
