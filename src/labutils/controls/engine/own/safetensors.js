// The .safetensors format (github.com/huggingface/safetensors): eight bytes that say how long the header is, the header
// as JSON, then the numbers of all tensors. A file is read in slices, so that it never lies in memory as a whole.

const LONGEST = 10_000_000; // bytes of a header
const WIDTHS = { F32: 4, F16: 2, BF16: 2 };
const SLICE = 1 << 22; // numbers at a time

/**
 * How other files begin that are taken for a model.
 * @type {[number[], string][]}
 */
const OTHERS = [
  [[0x50, 0x4b, 3, 4], "is a pickle of PyTorch, which may run any code and is never opened here"],
  [[0x80, 2], "is a pickle of PyTorch, which may run any code and is never opened here"],
  [[0x89, 0x48, 0x44, 0x46], "is a file of TensorFlow"],
  [[0x47, 0x47, 0x55, 0x46], "is a GGUF file, whose numbers are rounded"],
  [[0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x20], "is a pointer of Git LFS, which only says where the model lies"],
  [[0x3c], "is a web page, not the file that it offers"],
  [[0x7b], "is a text of settings and holds no weights"],
];
export const WANTED = "Choose the file model.safetensors of GPT-2";

/**
 * @typedef {Blob & {name?: string}} Named
 * @typedef {{dtype: string, shape: number[], begin: number, end: number, file: Named}} Tensor begin, end: bytes of the
 *   file
 */

const bytesOf = async (/** @type {Blob} */ file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());

const PART = /-(\d{5})-of-(\d{5})[^/]*\.safetensors$/i; // as HuggingFace numbers the files of a larger model

/**
 * What the files of a model say that they hold.
 * @param {Named[]} files one, or all parts of one model, with their index or without
 * @returns {Promise<Object<string, Tensor>>}
 * @throws {Error} one sentence
 */
export async function readHeaders(files) {
  const parts = files.length > 1 ? files.filter(({ name }) => !/\.json$/i.test(name ?? "")) : files;
  allThere(parts);
  /** @type {Object<string, Tensor>} */
  const tensors = Object.create(null); // a tensor may be called as it likes
  for (const file of parts)
    for (const [key, tensor] of Object.entries(await readHeader(file))) {
      if (key in tensors)
        throw new Error(`Two of the files hold the tensor ${key.slice(0, 60)}: choose the parts of one model.`);
      tensors[key] = tensor;
    }
  return tensors;
}

/** Refuses parts without the others, and several files that are none. */
function allThere(files) {
  const parts = files.map(({ name = "" }) => PART.exec(name)),
    of = Number(parts[0]?.[2] ?? 1);
  if (files.length > 1 && parts.some((part) => Number(part?.[2]) !== of))
    throw new Error(`These ${files.length} files are not the parts of one model. ${WANTED} alone, or all its parts.`);
  const there = new Set(parts.map((part) => Number(part?.[1] ?? 1)));
  for (let i = 1; i <= of; i++)
    if (!there.has(i)) {
      const [name, number] = [files[0].name ?? "", parts[0]?.[1] ?? ""],
        lacks = name.replace(`-${number}-of-`, `-${String(i).padStart(5, "0")}-of-`);
      throw new Error(`The model lies in ${of} files, and “${lacks}” is not among them: choose all of them together.`);
    }
}

/**
 * What one file says that it holds.
 * @param {Named} file
 * @returns {Promise<Object<string, Tensor>>}
 * @throws {Error} one sentence
 */
async function readHeader(file) {
  const name = `“${file.name ?? "The file"}”`,
    wrong = (what) => {
      throw new Error(`${name} ${what}. ${WANTED}.`);
    };
  if (file.size === 0) wrong("is empty");
  const first = await bytesOf(file, 0, 8),
    length = first.length < 8 ? 0 : Number(new DataView(first.buffer).getBigUint64(0, true));
  if (length < 2 || length > LONGEST) wrong(otherwise(first));
  if (8 + length > file.size) wrong(`is incomplete: it breaks off in its header, after ${megabytes(file.size)}`);
  let header;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await bytesOf(file, 8, 8 + length)));
  } catch {
    wrong("is no .safetensors file");
  }
  /** @type {Object<string, Tensor>} */
  const tensors = Object.create(null);
  for (const [key, said] of Object.entries(header ?? {}))
    if (key !== "__metadata__") tensors[key] = { ...tensorOf(key, said, 8 + length, wrong), file };
  if (!Object.keys(tensors).length) wrong("holds no tensor");
  const end = Math.max(...Object.values(tensors).map((one) => one.end));
  if (end > file.size) wrong(`is incomplete: ${megabytes(file.size)} of ${megabytes(end)} are there`);
  return tensors;
}

/** What a file is that does not begin as it should. */
const otherwise = (first) =>
  OTHERS.find(([start]) => start.every((byte, i) => first[i] === byte))?.[1] ?? "is no .safetensors file";

function tensorOf(key, said, start, wrong) {
  const { dtype, shape, data_offsets: places } = said ?? {},
    counts = (list) => Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
  if (typeof dtype !== "string" || !counts(shape) || !counts(places) || places.length !== 2 || places[1] < places[0])
    wrong(`is damaged: its header says of the tensor ${key.slice(0, 60)} what cannot be`);
  return { dtype, shape, begin: start + places[0], end: start + places[1] };
}

const megabytes = (bytes) => (bytes < 1e6 ? `${bytes.toLocaleString("en")} bytes` : `${Math.round(bytes / 1e6)} MB`);

export const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Why the numbers of a tensor cannot be read; "" where they can. */
export function unreadable({ dtype, shape, begin, end }) {
  const width = WIDTHS[dtype];
  if (!width) return `is of type ${dtype.slice(0, 12)}, and only F32, F16 and BF16 are read`;
  return end - begin === sizeOf(shape) * width ? "" : "is not as long as its shape says";
}

/**
 * The numbers of a matrix or a vector, some whole rows at a time.
 * @param {Blob} file
 * @param {{dtype: string, shape: number[], begin: number}} tensor
 * @param {(numbers: Float32Array, row: number) => void} take called with each slice and its first row
 * @throws {Error} one sentence, where the file can no longer be read
 */
export async function readRows(file, { dtype, shape, begin }, take) {
  const [rows, width] = shape.length === 2 ? shape : [shape[0], 1],
    each = width * WIDTHS[dtype],
    some = Math.max(1, Math.floor(SLICE / width));
  for (let row = 0; row < rows; row += some) {
    const end = Math.min(rows, row + some);
    let bytes;
    try {
      bytes = await bytesOf(file, begin + row * each, begin + end * each);
    } catch {
      throw new Error("The file can no longer be read: it was moved or changed. Choose it again.");
    }
    take(READ[dtype](bytes.buffer), row);
  }
}

/** float16: 1 sign, 5 exponent and 10 fraction bits (IEEE 754), through a table of all 65,536 numbers. */
function halves() {
  const table = new Float32Array(65536);
  for (let i = 0; i < 65536; i++) {
    const exponent = (i >> 10) & 31,
      fraction = (i & 1023) / 1024,
      infinite = fraction ? Number.NaN : Number.POSITIVE_INFINITY,
      size = exponent === 0 ? fraction * 2 ** -14 : exponent === 31 ? infinite : (1 + fraction) * 2 ** (exponent - 15);
    table[i] = i >> 15 ? -size : size;
  }
  return table;
}
/** @type {Float32Array | undefined} */
let table;

/** Each number of an array through `f`. */
function eachOf(given, out, f) {
  for (let i = 0; i < given.length; i++) out[i] = f(given[i]);
  return out;
}

const READ = {
  F32: (buffer) => new Float32Array(buffer),
  F16(buffer) {
    table ??= halves();
    const known = table,
      given = new Uint16Array(buffer);
    return eachOf(given, new Float32Array(given.length), (bits) => known[bits]);
  },
  // bfloat16 is the front half of a float32
  BF16(buffer) {
    const given = new Uint16Array(buffer);
    return new Float32Array(eachOf(given, new Uint32Array(given.length), (bits) => bits << 16).buffer);
  },
};
