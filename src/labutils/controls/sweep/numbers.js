// The numbers of a sweep, as they came in its traits: at a position, along a slider, as a table.
import { floats } from "../look/bytes.js";
import { index, spelt } from "../look/words.js";
import { colours } from "./curves.js";
import { first, rangeWords, table, viewed } from "./matrix.js";
import { automatic, height, shown } from "./words.js";

export const STATE = ["first", "second"];
export const CELL = ["row", "column"];

/**
 * The traits, their bytes as numbers: `bars.of([i, j])` and `curves.of(c, j)`; of the matrices only the one that is
 * shown first, until they are `opened`.
 */
export function read(model) {
  const over = model.get("over").map((one) => ({
      ...one,
      label: spelt(one.label),
      values: one.values.map(spelt),
      written: one, // with its symbols marked
    })),
    sizes = over.map((one) => one.values.length),
    b = model.get("bars"),
    c = model.get("curves"),
    total = sizes.reduce((x, y) => x * y, 1);
  const rank = ([i, j = 0]) => (sizes.length > 1 ? i * sizes[1] + j : i),
    told = model.get("said");
  const heights = b.labels && floats(b.heights),
    lines = c.names && floats(c.values);
  if (heights && heights.length !== total * b.labels.length)
    throw new Error(`the bars have ${heights.length} heights, not ${total * b.labels.length}`);
  if (lines && lines.length !== total * c.names.length)
    throw new Error(`the curves have ${lines.length} heights, not ${total * c.names.length}`);
  return {
    over,
    sizes,
    rank,
    told,
    matrix: model.get("matrix")?.rows && first(model.get("matrix")),
    bars: heights && {
      ...b,
      labels: b.labels.map(spelt),
      of: (at) => heights.subarray(rank(at) * b.labels.length, (rank(at) + 1) * b.labels.length),
    },
    curves: lines && {
      ...c,
      names: c.names.map(spelt),
      levels: (c.levels ?? []).map(([name, height, floor]) => ({ name: spelt(name), height, floor })),
      of: (k, j = 0) => Float32Array.from({ length: sizes[0] }, (_, i) => lines[k * total + rank([i, j])]),
    },
  };
}

/** The colour of a bar: that of the curve of its name, where there is one. */
function tint(name, curves) {
  const c = curves ? curves.names.indexOf(name) : -1;
  return c < 0 ? "var(--itt-w)" : colours(curves.levels)(c);
}

/** What is shown at a position; an address can ask for any. */
export function view({ over, sizes, rank, told, bars, curves, matrix }, now) {
  const at = sizes.map((size, s) => index(now[STATE[s]], size));
  const v = {
    over,
    at,
    bars: bars && { ...bars, values: bars.of(at), tints: bars.labels.map((name) => tint(name, curves)) },
    curves: curves && { ...curves, lines: curves.names.map((name, k) => ({ name, values: curves.of(k, at[1]) })) },
    matrix: matrix && viewed(matrix, rank(at), now),
  };
  return { ...v, said: told.length ? told[rank(at)] : automatic(v, rangeWords) };
}

/** The matrix that is shown, with the heights below it; without a matrix, all positions. */
export function rows(data, v, caption) {
  if (!v.matrix) return allRows(data, caption);
  const { head, rows: lines } = table(v.matrix),
    heights = [
      ...(v.bars?.labels ?? []).map((name, k) => [name, v.bars.values[k]]),
      ...(v.curves?.lines ?? []).map(({ name, values }) => [name, values[v.at[0]], v.curves]),
    ];
  const where = v.over.map((one, s) => `${one.label} ${one.values[v.at[s]]}`).join(", ");
  return {
    caption: `${caption}: ${where}`,
    head,
    rows: [...lines, ...heights.map(([name, x, of]) => [name, reached(x, of)])],
  };
}
/** A height in a table; one below the axis is written as it is beside its mark. */
const reached = (x, curves) => (x < curves?.bottom?.[0] && x !== -Infinity ? height(x, curves) : plain(x));
const plain = (x) => (Number.isFinite(x) ? String(+x.toPrecision(6)).replace("-", "−") : shown(x, 0));

function allRows({ over, sizes, bars, curves }, caption) {
  const all =
    sizes.length > 1
      ? over[0].values.flatMap((_, i) => over[1].values.map((__, j) => [i, j]))
      : over[0].values.map((_, i) => [i]);
  const lines = curves
    ? curves.names.map((_, k) => over.at(1)?.values.map((__, j) => curves.of(k, j)) ?? [curves.of(k)])
    : [];
  return {
    caption,
    head: [...over.map((one) => one.label), ...(bars?.labels ?? []), ...(curves?.names ?? [])],
    rows: all.map((at) => [
      ...at.map((i, s) => (over[s].numbers ? uncommaed(over[s].values[i]) : over[s].values[i])),
      ...Array.from(bars ? bars.of(at) : [], plain),
      ...lines.map((line) => reached(line[at[1] ?? 0][at[0]], curves)),
    ]),
  };
}

// --- A sweep as the Python that makes it again, its numbers included: what "Copy as a cell" copies in JupyterLab.

const word = (x) => JSON.stringify(x);
// nine digits give the same float32 back
const number = (x) =>
  Number.isNaN(x) ? 'float("nan")' : x === -Infinity ? 'float("-inf")' : String(+Math.min(x, ABOVE).toPrecision(9));
const ABOVE = 1e300; // off the chart, whatever its top
const list = (items) => `[${items.join(", ")}]`;
const value = (text, numbers) => (numbers ? uncommaed(text).replaceAll("−", "-") : word(text));
/** A number of a slider without the commas between its thousands. */
const uncommaed = (text) => text.replaceAll(",", "");

export function cell(model, { over, sizes, told, bars, curves }, at, matrix = null) {
  const starts = `start=${sizes.length > 1 ? `(${at.join(", ")})` : at[0]}`,
    two = sizes.length > 1;
  if (matrix)
    return (
      "# The matrices are too many numbers for a cell. In the cell that made this figure, write:\n# " +
      `${starts}, cell=(${matrix.i}, ${matrix.j})`
    );
  const nested = (f) =>
    list(over[0].values.map((_, i) => (two ? list(over[1].values.map((__, j) => f(i, j))) : f(i, 0))));
  const pairs = over.map((one) => `(${word(one.label)}, ${list(one.values.map((text) => value(text, one.numbers)))})`),
    { unit, log, levels = {}, floor, top, bottom } = model.get("again");
  const arguments_ = [
    word(model.get("title")),
    word(model.get("lede")),
    two ? list(pairs) : pairs[0],
    bars && `bars=(${list(bars.labels.map(word))}, ${nested((i, j) => list(Array.from(bars.of([i, j]), number)))})`,
    curves &&
      `curves={${curves.names
        .map((name, k) => `${word(name)}: ${nested((i, j) => number(curves.of(k, j)[i]))}`)
        .join(", ")}}`,
    told.length > 0 && `said=${nested((i, j) => word(told[two ? i * sizes[1] + j : i]))}`,
    unit.some(Boolean) && `unit=(${unit.map(word).join(", ")})`,
    log.length > 0 && `log=(${log.map(word).join(", ")},)`,
    Object.keys(levels).length > 0 &&
      `levels={${Object.entries(levels)
        .map(([name, height]) => `${word(name)}: ${height}`)
        .join(", ")}}`,
    floor !== undefined && `floor=${floor}`,
    top !== undefined && `top=${top}`,
    bottom !== undefined && `bottom=${bottom}`,
    starts,
    model.get("number") && `number=${word(model.get("number"))}`,
    `name=${word(model.get("name"))}`,
  ];
  return `Sweep(${arguments_.filter(Boolean).join(", ")})`;
}
