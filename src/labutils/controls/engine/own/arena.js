// Where the matrices of a large model lie, and the product with them. With WebAssembly all lie in its memory, and
// `product.wat` multiplies four numbers at a time; where a browser has none of it they are plain arrays, and
// `linear.js` multiplies.

import { compiledLoops } from "../loops.js";

const CODE = compiledOf("./product.wat"), // in base64, put here when the modules are joined
  PAGE = 65536, // bytes: memory comes in pages
  MOST = 32; // rows at a time
const whole = (n, of) => of * Math.ceil(n / of);

/**
 * @typedef {(x: Float64Array, rows: number) => Float64Array} Product
 * @typedef {{row: number, rows: number, column: number, width: number}} Part some rows of a matrix, and of them some
 *   columns: the first of each, and how many
 * @typedef {{weight: Float32Array, product?: Product, productOf?: (part: Part) => Product}} Matrix product: with the
 *   whole matrix; productOf: with a part of it, whose rows and columns are multiples of 4
 * @typedef {{fast: boolean, bytes: number, matrix: (columns: number, width: number) => Matrix}} Arena fast: with
 *   WebAssembly; bytes: what it holds; matrix: the next one, filled with zeros
 */

/**
 * Room for matrices of these shapes (columns, width), in any order.
 * @param {number[][]} shapes
 * @param {boolean} plain without WebAssembly, although it may be there
 * @returns {Arena}
 * @throws {RangeError} where the browser does not give so much memory
 */
export function arena(shapes, plain = false) {
  const module = plain || shapes.some(([, width]) => width % 4) ? null : compiledLoops(CODE);
  if (!module) {
    const bytes = 4 * shapes.reduce((sum, [columns, width]) => sum + columns * width, 0);
    return { fast: false, bytes, matrix: (columns, width) => ({ weight: new Float32Array(columns * width) }) };
  }
  // in front there is room for some rows of x and of y, behind it the matrices, each with whole tiles of columns
  const put = MOST * Math.max(...shapes.map(([, width]) => width)),
    scratch = put + MOST * Math.max(...shapes.map(([columns]) => whole(columns, 4))),
    bytes = 4 * (scratch + shapes.reduce((sum, [columns, width]) => sum + whole(columns, 4) * width, 0)),
    memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) }),
    { exports } = new WebAssembly.Instance(module, { own: { memory } });
  let free = 4 * scratch;
  return {
    fast: true,
    bytes,
    matrix(columns, width) {
      const at = free;
      free += 4 * whole(columns, 4) * width;
      const product = multiplied(exports, memory.buffer, { at, columns, width, apart: width, y: 4 * put }),
        productOf = (/** @type {Part} */ { row, rows, column, width: wide }) => {
          const from = at + 4 * (row * width + column);
          return multiplied(exports, memory.buffer, { at: from, columns: rows, width: wide, apart: width, y: 4 * put });
        };
      return { weight: new Float32Array(memory.buffer, at, columns * width), product, productOf };
    },
  };
}

/**
 * The product with the matrix that lies at the byte `at`; x is put at 0, and its product comes at `y`.
 * @param {any} exports of the compiled loops
 * @param {ArrayBuffer} buffer
 * @param {{at: number, columns: number, width: number, apart: number, y: number}} places apart: from one row of the
 *   matrix to the next
 * @returns {Product}
 */
function multiplied(exports, buffer, { at, columns, width, apart, y }) {
  const across = whole(columns, 4);
  return (x, rows) => {
    const out = new Float64Array(rows * columns);
    for (let from = 0; from < rows; from += MOST) {
      const some = Math.min(MOST, rows - from),
        filled = some === 1 ? 1 : whole(some, 4),
        put = new Float32Array(buffer, 0, filled * width);
      put.set(x.subarray(from * width, (from + some) * width));
      put.fill(0, some * width); // a row that only fills up a tile
      if (some === 1) exports.row(0, at, y, across, width, apart);
      else exports.rows(0, at, y, filled, across, width, apart);
      for (let i = 0; i < some; i++)
        out.set(new Float32Array(buffer, y + 4 * i * across, columns), (from + i) * columns);
    }
    return out;
  };
}
