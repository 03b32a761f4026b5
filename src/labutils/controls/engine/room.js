// Where the weights of a model lie: in the memory of `linear.wat`, which multiplies two numbers at a time. Where a
// browser has none of it they are a plain array, and `linear.js` multiplies.
import { compiledLoops } from "./loops.js";

const CODE = compiledOf("./linear.wat"), // in base64, put here when the modules are joined
  PAGE = 65536, // bytes: memory comes in pages
  FRONT = 1 << 20; // bytes in front of the weights, for some rows of x and of y

/** @typedef {{columns: number, width: number, rows: number}} Sizes rows: a multiple of 4 */

/** @type {WebAssembly.Module | null | undefined} */
let compiled;
/** @type {WeakMap<ArrayBufferLike, any>} what multiplies by the weights that lie in a memory */
const loops = new WeakMap();

/**
 * Room for the weights of a model.
 * @param {number} count numbers
 * @returns {Float64Array} filled with zeros
 */
export function room(count) {
  if (compiled === undefined) compiled = compiledLoops(CODE);
  if (!compiled) return new Float64Array(count);
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil((FRONT + 8 * count) / PAGE) });
    loops.set(memory.buffer, new WebAssembly.Instance(compiled, { own: { memory } }).exports);
    return new Float64Array(memory.buffer, FRONT, count);
  } catch {
    return new Float64Array(count); // the browser gives no such memory
  }
}

/**
 * The first rows of y = x Wᵀ, where W lies in such a room.
 * @param {Float64Array} x
 * @param {Float64Array} W
 * @param {Float64Array} y which is written
 * @param {Sizes} sizes
 * @returns {boolean} whether it was done
 */
export function multiplied(x, W, y, { columns, width, rows }) {
  const exports = loops.get(W.buffer),
    across = columns + (columns % 2),
    most = 4 * Math.floor(FRONT / 8 / (width + across) / 4);
  if (!exports || !rows || !most || width % 2) return false;
  for (let from = 0; from < rows; from += most) {
    const some = Math.min(most, rows - from),
      put = 8 * some * width,
      out = new Float64Array(W.buffer, put, some * across);
    new Float64Array(W.buffer, 0, some * width).set(x.subarray(from * width, (from + some) * width));
    exports.tiles(0, W.byteOffset, put, some, columns, width);
    if (across === columns) y.set(out, from * columns);
    else for (let i = 0; i < some; i++) y.set(out.subarray(i * across, i * across + columns), (from + i) * columns);
  }
  return true;
}
