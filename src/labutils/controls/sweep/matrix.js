// The matrices of a sweep: packed numbers in, one matrix at a position out; and what is said of one cell.
import { bytes, unzip } from "../look/bytes.js";
import { index, label, range, spelt } from "../look/words.js";
import { shown, unitAfter } from "./words.js";

const KINDS = { int8: Int8Array, int16: Int16Array, float32: Float32Array };

/** Packed bytes as numbers; what is missing is NaN, what is masked −∞. */
function numbers(data, { code, decimals }) {
  const raw = bytes(data),
    Kind = KINDS[code],
    packed = new Kind(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
  if (code === "float32") return Float64Array.from(packed);
  const least = code === "int8" ? -128 : -32768,
    unit = 10 ** decimals;
  // the last is what is above 0 and yet written as 0
  const special = new Map([
    [least, -Infinity],
    [least + 1, NaN],
    [least + 2, 0.25 / unit],
  ]);
  return Float64Array.from(packed, (x) => special.get(x) ?? x / unit);
}

/** The matrix of the position shown first alone, which needs no unpacking: `at` has no other. */
export function first(matrix) {
  const values = numbers(matrix.shown, matrix);
  return { ...matrix, at: (rank) => named(matrix, rank, values) };
}

/** @returns {Promise<{at: (rank) => {rows, columns, values}}>} every position, by its rank */
export async function opened(matrix) {
  const all = numbers(await unzip(matrix.numbers), matrix);
  const sizes = matrix.of.map(([r, c]) => matrix.rows[r].length * matrix.columns[c].length),
    starts = [0];
  for (const size of sizes) starts.push(starts.at(-1) + size);
  if (all.length !== starts.at(-1)) throw new Error(`the matrix has ${all.length} numbers, not ${starts.at(-1)}`);
  return { ...matrix, at: (rank) => named(matrix, rank, all.subarray(starts[rank], starts[rank + 1])) };
}
function named({ rows, columns, axes, of }, rank, values) {
  const [down, across] = of[rank];
  return { rows: rows[down].map(spelt), columns: columns[across].map(spelt), axes: axes.map(spelt), values };
}

/** What is drawn at a position: the matrix, and the cell (i, j) that is chosen within it. */
export function viewed(matrix, rank, { row, column }) {
  const m = { ...matrix, ...matrix.at(rank) };
  return { ...m, i: index(row, m.rows.length), j: index(column, m.columns.length) };
}

/** A place on the scale, from 0 to 1. */
export const placeOf = ({ ends: [low, high] }, x) => (x - low) / (high - low);

const written = ({ decimals, unit }, x) => shown(x, decimals) + (Number.isFinite(x) ? unitAfter(unit) : "");

/** One cell as a sentence: its number, and whether its line has a larger one; “row” is a token’s in this book. */
export function cellWords(m, i, j) {
  const { rows, columns, axes, values } = m,
    C = columns.length,
    x = values[i * C + j];
  const where = `${upper(axes[0])} ${called(rows[i])}, ${axes[1]} ${called(columns[j])}: `;
  if (x === -Infinity) return `${where}**masked**.`;
  if (Number.isNaN(x)) return `${where}**missing**.`;
  const best = range(C).reduce(
    (top, c) => (values[i * C + c] > values[i * C + top] || !Number.isFinite(values[i * C + top]) ? c : top),
    0,
  );
  const top = values[i * C + best];
  const rest =
    C === 1
      ? ""
      : top === x
        ? " No square in this line is larger."
        : ` The largest in this line, ${written(m, top)}, is at ${axes[1]} ${called(columns[best])}.`;
  return `${where}**${written(m, x)}**.${rest}`;
}
/** A word in quotation marks, a number as it is. */
const called = (name) => (/^[−\d][\d.,]*$/.test(name) ? name : `“${label(name)}”`);
const upper = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** The matrix at a position as one sentence, where the author gives none. */
export function rangeWords(m) {
  const there = Array.from(m.values).filter(Number.isFinite);
  if (!there.length) return "the matrix has no number here";
  const [low, high] = [Math.min(...there), Math.max(...there)];
  return `${there.length.toLocaleString("en")} numbers from **${written(m, low)}** to **${written(m, high)}**`;
}

/** The matrix at a position as a table. */
export function table({ rows, columns, axes, values, decimals }) {
  const C = columns.length;
  return {
    head: [`${axes[0]} \\ ${axes[1]}`, ...columns],
    rows: rows.map((name, i) => [name, ...range(C).map((j) => shown(values[i * C + j], decimals))]),
  };
}
