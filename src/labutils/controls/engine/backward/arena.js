// The memory in which a model trains fast, and the loops of `kernels.wat` on it. All numbers lie in one memory: what is
// kept (weights, gradients, running means) in front, and behind it what one step needs, which the next writes over.
//
// An array knows its arena by its memory, so each layer asks `arenaOf` and, where there is none, goes on in JavaScript.
import { compiledLoops } from "../loops.js";

const CODE = compiledOf("./kernels.wat"), // in base64, put here when the modules are joined
  PAGE = 65536, // bytes: memory comes in pages
  ALIGN = 16,
  SLACK = 64; // bytes behind the last array: a row of eight numbers may be read beyond its end

const homes = /** @type {WeakMap<ArrayBufferLike, Arena>} */ (new WeakMap());

/**
 * @typedef {{floats: number, loops: any, take: (many: number) => Float32Array | null, keep: () => void,
 *   release: () => void, panel: (floats: number) => number}} Arena floats: its size; take: numbers that are not
 *   set yet, or null where there is no room; keep: what has been taken so far stays; release: everything else may be
 *   written over; panel: a place that is free until something is taken, 0 where there is no room
 */

/**
 * @param {number} floats how many numbers it holds
 * @returns {Arena | null} null where the browser has no such loops, or not so much memory
 */
export function arena(floats) {
  const module = compiledLoops(CODE);
  if (!module) return null;
  let memory;
  try {
    memory = new WebAssembly.Memory({ initial: Math.ceil((4 * floats + ALIGN + SLACK) / PAGE) });
  } catch {
    return null;
  }
  const { exports } = new WebAssembly.Instance(module, { own: { memory } }),
    { buffer } = memory,
    end = buffer.byteLength - SLACK;
  let free = ALIGN, // 0 stands for no place
    kept = free;
  const one = {
    floats,
    loops: exports,
    take(/** @type {number} */ many) {
      const at = free,
        next = at + ALIGN * Math.ceil((4 * many) / ALIGN);
      if (next > end) return null;
      free = next;
      return new Float32Array(buffer, at, many);
    },
    keep() {
      kept = free;
    },
    release() {
      free = kept;
    },
    panel: (/** @type {number} */ many) => (free + 4 * many > end ? 0 : free),
  };
  homes.set(buffer, one);
  return one;
}

/**
 * The arena in which all these arrays lie; undefined if there is none.
 * @param {...import("./numbers.js").Numbers} arrays
 */
export function arenaOf(...arrays) {
  const { buffer } = arrays[0];
  return arrays.every((x) => x.buffer === buffer) ? homes.get(buffer) : undefined;
}

/**
 * y = or += a b in an arena. A matrix is [array, numbers from row to row, numbers from column to column, number at
 * which it begins].
 * @param {Arena} home
 * @param {[Float32Array, number, number, number?]} a (rows, inner)
 * @param {[Float32Array, number, number, number?]} b (inner, columns)
 * @param {[Float32Array, number, number?]} y (rows, columns), its columns side by side
 * @param {[number, number, number]} sizes rows, columns, inner; columns are a multiple of 4
 * @param {boolean} add
 * @returns {boolean} false if there is no room for it, and nothing was done
 */
export function product(home, [a, ai, ak, a0 = 0], [b, bk, bj, b0 = 0], [y, yi, y0 = 0], sizes, add = false) {
  const panel = home.panel(8 * sizes[2]),
    at = (/** @type {Float32Array} */ x, /** @type {number} */ from) => x.byteOffset + 4 * from;
  if (!panel) return false;
  home.loops.product(at(a, a0), 4 * ai, 4 * ak, at(b, b0), 4 * bk, 4 * bj, at(y, y0), 4 * yi, ...sizes, +add, panel);
  return true;
}
