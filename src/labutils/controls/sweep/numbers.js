// The numbers of a sweep, as they came in its traits: at a position, along a slider, as a table.
import { floats } from "../look/bytes.js";
import { index } from "../look/words.js";
import { automatic, shown } from "./words.js";

export const STATE = ["first", "second"];

/** The traits, their bytes as numbers: `bars.at([i, j])` and `curves.along(c, j)`. */
export function read(model) {
  const over = model.get("over"), sizes = over.map((one) => one.values.length), b = model.get("bars"),
    c = model.get("curves"), total = sizes.reduce((x, y) => x * y, 1);
  const rank = ([i, j = 0]) => (sizes.length > 1 ? i * sizes[1] + j : i), told = model.get("said");
  const heights = b.labels && floats(b.heights), lines = c.names && floats(c.values);
  if (heights && heights.length !== total * b.labels.length)
    throw new Error(`the bars have ${heights.length} heights, not ${total * b.labels.length}`);
  if (lines && lines.length !== total * c.names.length)
    throw new Error(`the curves have ${lines.length} heights, not ${total * c.names.length}`);
  return {
    over, sizes, rank, told,
    bars: heights && { ...b, of: (at) => heights.subarray(rank(at) * b.labels.length,
        (rank(at) + 1) * b.labels.length) },
    curves: lines && { ...c, of: (k, j = 0) => Float32Array.from({ length: sizes[0] },
        (_, i) => lines[k * total + rank([i, j])]) },
  };
}

/** What is shown at a position; an address can ask for any. */
export function view({ over, sizes, rank, told, bars, curves }, now) {
  const at = sizes.map((size, s) => index(now[STATE[s]], size));
  const v = { over, at, bars: bars && { ...bars, values: bars.of(at) },
    curves: curves && { ...curves, lines: curves.names.map((name, k) => ({ name, values: curves.of(k, at[1]) })) } };
  return { ...v, said: told.length ? told[rank(at)] : automatic(v) };
}

/** All positions as a table. */
export function rows({ over, sizes, bars, curves }, caption) {
  const all = sizes.length > 1 ? over[0].values.flatMap((_, i) => over[1].values.map((__, j) => [i, j]))
    : over[0].values.map((_, i) => [i]);
  const lines = curves ? curves.names.map((_, k) => over.at(1)?.values.map((__, j) => curves.of(k, j))
    ?? [curves.of(k)]) : [];
  const write = (x) => (Number.isFinite(x) ? String(+x.toPrecision(6)).replace("-", "−") : shown(x, 0));
  return {
    caption, head: [...over.map((one) => one.label), ...(bars?.labels ?? []), ...(curves?.names ?? [])],
    rows: all.map((at) => [...at.map((i, s) => over[s].values[i]), ...Array.from(bars ? bars.of(at) : [], write),
        ...lines.map((line) => write(line[at[1] ?? 0][at[0]]))]),
  };
}
