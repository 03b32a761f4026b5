// The numbers of a plane of points, as they came in its traits: where each word lies, and which are nearest to it.
import { bytes, floats } from "../look/bytes.js";
import { clamp, index, label, num, range } from "../look/words.js";

export const NONE = -1; // the word that is chosen before a reader has chosen one
const SCORE = 1000;

const whole = (data, Kind) => {
  const raw = bytes(data);
  return new Kind(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
};
const scores = (data) => Float64Array.from(whole(data, Int16Array), (x) => x / SCORE);

export function read(model) {
  const words = model.get("words"),
    n = words.length,
    { names, of } = model.get("groups");
  const tables = model.get("tables").map((one) => ({
    ...one,
    plane: floats(one.plane),
    near: whole(one.near, Uint16Array),
    cosines: scores(one.cosines),
    lines: one.lines.map((line) => ({ ...line, scores: scores(line.scores) })),
  }));
  for (const { plane, near } of tables)
    if (plane.length !== 2 * n || near.length % n)
      throw new Error(`the plane has ${plane.length / 2} points for ${n} words`);
  return {
    words,
    names,
    of,
    n,
    tables,
    most: tables[0].near.length / n,
    probes: model.get("probes"),
    axes: model.get("axes"),
  };
}

/** What is shown: the places of all words, the chosen one, and its nearest. */
export function view(data, now) {
  const { words, names, of, n, tables, most, probes, axes } = data,
    at = index(now.table, tables.length),
    table = tables[at];
  const i = now.word === NONE ? NONE : index(now.word, n),
    k = clamp(Math.round(now.k) || 1, 1, most),
    which = index(now.probe, probes.length + 1);
  const near = range(i === NONE ? 0 : k).map((r) => ({
    i: table.near[i * most + r],
    cosine: table.cosines[i * most + r],
  }));
  const axis = (a) => ({
    name: axes[a],
    share: table.shares?.[a] ?? null,
    at: Float64Array.from({ length: n }, (_, w) => table.plane[2 * w + a]),
  });
  const line = which ? { ...probes[which - 1], ...table.lines[which - 1] } : null;
  return {
    words,
    names,
    of,
    n,
    i,
    k,
    near,
    at,
    table: table.name,
    tables: tables.map((one) => one.name),
    line,
    which,
    x: line ? { name: line.name, share: null, at: line.scores } : axis(0),
    y: axis(line ? line.other : 1),
  };
}

/** The place of the word that a reader means: as it is written, or in other letters, or as it begins; −1 for none. */
export function found(words, wanted) {
  const low = (word) => label(word, 400).toLocaleLowerCase(),
    seek = label(wanted, 400).trim();
  if (!seek) return -1;
  const same = words.findIndex((word) => label(word, 400) === seek);
  if (same >= 0) return same;
  const alike = words.findIndex((word) => low(word) === low(seek));
  return alike >= 0 ? alike : words.findIndex((word) => low(word).startsWith(low(seek)));
}

/** The word that lies next in a direction (dx, dy) on the screen; the same if there is none, the first before any. */
export function beside(xs, ys, i, dx, dy) {
  if (i === NONE) return 0;
  let best = i,
    least = Infinity;
  for (let j = 0; j < xs.length; j++) {
    const ahead = (xs[j] - xs[i]) * dx + (ys[j] - ys[i]) * dy,
      aside = Math.abs((xs[j] - xs[i]) * dy) + Math.abs((ys[j] - ys[i]) * dx);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    const far = ahead + 2 * aside;
    if (far < least) {
      least = far;
      best = j;
    }
  }
  return best;
}

/** The nearest words, then all words with their places. */
export function rows(v, caption) {
  const group = (i) => v.names[v.of[i]] ?? "",
    place = new Map(v.near.map((one, r) => [one.i, r]));
  const line = (i) => [
    label(v.words[i]),
    group(i),
    num(v.x.at[i], 3),
    num(v.y.at[i], 3),
    place.has(i) ? num(v.near[place.get(i)].cosine, 3) : "",
  ];
  const first = v.i === NONE ? [] : [v.i, ...v.near.map((one) => one.i)],
    rest = range(v.n).filter((i) => !first.includes(i));
  return {
    caption,
    head: ["word", "group", v.x.name, v.y.name, ...(first.length ? [`cosine with ${label(v.words[v.i])}`] : [])],
    rows: [...first, ...rest].map((i) => line(i).slice(0, first.length ? 5 : 4)),
  };
}
