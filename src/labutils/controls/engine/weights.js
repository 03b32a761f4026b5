// Weights travel as base64 of float16 (float64 for the paper model) with their names, shapes and a checksum. A file
// that was cut short, altered, or that says one thing and holds another is refused with one sentence.

import { room } from "./room.js";

const WIDTHS = { float16: 2, float64: 8 };
const SLICE = 1 << 18; // numbers or bytes at a time: a slow phone answers its reader in between

/** What waits on the page has its turn. */
const others = () => globalThis.scheduler?.yield?.() ?? new Promise((done) => setTimeout(done));

async function inSlices(length, work) {
  for (let from = 0; from < length; from += SLICE) {
    await others();
    work(from, Math.min(from + SLICE, length));
  }
}

/**
 * The tensors of a model file.
 * @param {string} name of the model, for the sentences
 * @param {{dtype: string, shapes: Object<string, number[]>, crc32: number, data: string}} file
 * @param {Object<string, number[]>} wanted the shapes that the configuration asks for
 * @returns {Promise<Object<string, Float64Array>>}
 * @throws {Error} one sentence
 */
export async function readWeights(name, { dtype, shapes, crc32, data }, wanted) {
  checkShapes(name, shapes || {}, wanted);
  const width = WIDTHS[dtype];
  if (!width)
    throw new Error(
      `The weights of “${name}” are of type ${dtype}, which this page cannot read: build the site again.`,
    );
  const bytes = await fromBase64(name, data);
  const count = Object.values(wanted).reduce((sum, shape) => sum + product(shape), 0);
  if (bytes.length !== count * width)
    throw new Error(
      `The weights of “${name}” are incomplete: ${bytes.length} of ${count * width} bytes arrived. Reload the page.`,
    );
  let sum = 0;
  await inSlices(bytes.length, (from, to) => {
    sum = checksum(bytes.subarray(from, to), sum);
  });
  if (sum !== crc32) throw new Error(`The weights of “${name}” are damaged: their checksum is wrong. Reload the page.`);
  const numbers = dtype === "float16" ? await widen(bytes) : inRoom(new Float64Array(bytes.buffer));
  const out = {};
  let at = 0;
  for (const key in shapes) {
    const end = at + product(wanted[key]); // in the order of the file
    out[key] = numbers.subarray(at, end);
    at = end;
  }
  for (const key in out) {
    await others();
    if (!Number.isFinite(sumOf(out[key])))
      throw new Error(`The weights of “${name}” hold a value that is no number, in ${key}: build the site again.`);
  }
  return out;
}

/**
 * Finite exactly if every number is (float16 numbers are too small for a sum to overflow, and so are the paper
 * model's).
 */
function sumOf(numbers) {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += Math.abs(numbers[i]);
  return sum;
}

const product = (shape) => shape.reduce((a, b) => a * b, 1);

/** @throws {Error} one sentence, where the shapes of a file are not those that its configuration asks for */
export function checkShapes(name, shapes, wanted) {
  const unfit = (what) => {
    throw new Error(`The weights of “${name}” do not fit its configuration: ${what}. Build the site again.`);
  };
  for (const key in wanted) {
    if (!Object.hasOwn(shapes, key)) unfit(`${key} is missing`);
    const found = String(shapes[key]).replaceAll(",", " × "),
      needed = wanted[key].join(" × ");
    if (found !== needed) unfit(`${key} is ${found} and should be ${needed}`);
  }
  for (const key in shapes) if (!Object.hasOwn(wanted, key)) unfit(`${key} belongs to no part of it`);
}

/** Where a browser has no method of its own, a plain loop over atob. */
async function fromBase64(name, data) {
  try {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(data);
    const text = atob(data),
      bytes = new Uint8Array(text.length);
    await inSlices(text.length, (from, to) => {
      for (let i = from; i < to; i++) bytes[i] = text.charCodeAt(i);
    });
    return bytes;
  } catch {
    throw new Error(`The weights of “${name}” are damaged: they are not base64. Reload the page.`);
  }
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, c) => {
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** CRC-32 as in zlib (ISO 3309), one table look-up a byte; `before` is that of the bytes that stand before these. */
export function checksum(bytes, before = 0) {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ REMAINDERS[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

/**
 * float16 (little-endian) to float64, through a table of all 65,536 numbers. IEEE 754: 1 sign, 5 exponent, 10 fraction
 * bits.
 */
async function widen(bytes) {
  const table = new Float64Array(65536);
  for (let i = 0; i < 65536; i++) {
    const exponent = (i >> 10) & 31,
      fraction = i & 1023;
    const size =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction
            ? NaN
            : Infinity
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    table[i] = i >> 15 ? -size : size;
  }
  const out = room(bytes.length / 2);
  await inSlices(out.length, (from, to) => {
    for (let i = from; i < to; i++) out[i] = table[bytes[2 * i] | (bytes[2 * i + 1] << 8)];
  });
  return out;
}

function inRoom(numbers) {
  const out = room(numbers.length);
  out.set(numbers);
  return out;
}

/** From {"blocks.0.norm1.gain": x} to {blocks: [{norm1: {gain: x}}]}. */
export function nested(weights) {
  const root = {};
  for (const [name, array] of Object.entries(weights)) {
    const path = name.split(".");
    let at = root;
    path.slice(0, -1).forEach((key, i) => {
      at = at[key] ??= /^\d+$/.test(path[i + 1]) ? [] : {};
    });
    at[path.at(-1)] = array;
  }
  return root;
}
