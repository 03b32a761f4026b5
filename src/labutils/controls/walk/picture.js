// The way as a list, each stop with its numbers for one token in small; beside it the stop that is open.
import { BOLD, END, MIDDLE, SMALL, TICK, bold, cells, drawing, fitted } from "../look/draw.js";
import { hatched, text, vector, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, num, range } from "../look/words.js";
import { share } from "../next_word/words.js";
import { formula } from "./formula.js";
import { finished, flat, leading, parts, reach, view } from "./numbers.js";
import { chip, heading, readout, shapeOf, title, unit } from "./words.js";

const LINE = 22,
  BESIDE = 600,
  READABLE = 12; // px; the width from which on the open stop stands beside the list; that of a column with a label
export const SMALLEST = 72; // px of a small picture
const SMALL_COLUMNS = 48; // in it
const COLOUR = {
  q: "var(--itt-q)",
  k: "var(--itt-k)",
  v: "var(--itt-v)",
  scores: "var(--itt-w)",
  weights: "var(--itt-w)",
  logits: "var(--itt-w)",
  odds: "var(--itt-w)",
};
const colour = (key) => COLOUR[key] ?? "var(--itt-ink)";
const PARTS = { input: "from letters to rows", answer: "from a row to a word" };
const partName = ({ part }, { layer, seen }) =>
  PARTS[part] ?? (seen.L > 1 ? `block ${layer}, of 0 to ${seen.L - 1}` : "the block");

/** The numbers of a stop for the token that is followed, in one line. */
export function spark(v, stop, width = SMALLEST, height = 16) {
  if (stop.key === "logits" || stop.key === "odds") {
    const row = v.seen.ahead[v.i],
      p = row.map((one) => one.p);
    return s("g", {}, vector(0, 0, width, 2 * height, p, Math.max(...p), colour(stop.key)));
  }
  const values = v.values(stop);
  if (!values) return null;
  const all = flat(parts(stop, values, v.i)).map((x) => (Number.isFinite(x) ? x : 0));
  return vector(0, 0, width, height, pooled(all), reach(all), colour(stop.key));
}
/** A long vector in few columns: of each stretch the number that is furthest from 0. */
function pooled(values) {
  if (values.length <= SMALL_COLUMNS) return values;
  const from = (k) => Math.floor((k * values.length) / SMALL_COLUMNS);
  return Float64Array.from(range(SMALL_COLUMNS), (k) =>
    Array.from(values.subarray(from(k), from(k + 1))).reduce((far, x) => (Math.abs(x) > Math.abs(far) ? x : far)),
  );
}

/** The list: parts of the way as headings, stops below them, the open one in bold. */
export function way(v, width) {
  const marks = [],
    room = Math.max(0, width - 108 - SMALLEST - 64);
  let y = 0,
    part = "";
  v.list.forEach((stop, k) => {
    if (stop.part !== part) {
      part = stop.part;
      y += k ? 10 : 0;
      marks.push(text(0, y + 9, partName(stop, v), SMALL));
      y += 20;
    }
    const on = k === v.at,
      small = spark(v, stop);
    marks.push(
      on && s("rect", { x: -4, y: y + 0.5, width: width + 8, height: LINE - 1, rx: 4, fill: "var(--itt-hover)" }),
      text(4, y + LINE / 2, fitted(stop.title, 104 + room), on ? BOLD : {}),
      text(width - SMALLEST - 12, y + LINE / 2, shapeOf(stop.shape), { ...TICK, ...END }),
      small && s("g", { transform: `translate(${width - SMALLEST} ${y + 3})` }, small),
    );
    y += LINE;
  });
  return { marks, high: y };
}

/** The open stop: its numbers, drawn and written. */
export function opened(v, width) {
  const { stop } = v,
    values = v.values(stop),
    draw = { text: letters, ids: tokens, rows, heads, pairs, vocabulary: odds, odds }[stop.kind];
  if (!values && ["rows", "heads", "pairs"].includes(stop.kind))
    return { marks: [text(0, 10, "on its way", SMALL)], high: 24 };
  return draw(v, width, values);
}

/** Characters in boxes; what cannot be seen is a box without a letter. */
function letters({ seen }, width) {
  const side = 24,
    across = Math.max(1, Math.floor(width / side)),
    all = Array.from(seen.text).slice(0, 160);
  const marks = all.map((ch, k) => {
    const x = (k % across) * side,
      y = Math.floor(k / across) * side,
      seenAs = ch === " " ? "·" : label(ch);
    return [
      s("rect", {
        x: x + 1.5,
        y: y + 1.5,
        width: side - 3,
        height: side - 3,
        rx: 3,
        fill: "none",
        stroke: "var(--itt-line)",
      }),
      text(x + side / 2, y + side / 2, seenAs.length > 2 ? "" : seenAs, { ...MIDDLE, "font-size": 14 }),
    ];
  });
  return { marks, high: side * Math.ceil(all.length / across) };
}

function tokens({ seen, i }, width) {
  const marks = seen.tokens.map((token, k) => [
    text(0, 20 + LINE * (k + 0.5), String(k), TICK),
    text(28, 20 + LINE * (k + 0.5), fitted(chip(token), width - 110), k === i ? BOLD : {}),
    text(width, 20 + LINE * (k + 0.5), seen.ids[k].toLocaleString("en"), { ...END, ...(k === i ? BOLD : {}) }),
  ]);
  return {
    marks: [text(0, 8, "place", TICK), text(width, 8, "number in the vocabulary", { ...TICK, ...END }), marks],
    high: 20 + LINE * seen.n,
  };
}

/** A vector for each token; below them the first numbers of the one that is followed. */
function rows(v, width, values) {
  const { seen, stop, i } = v,
    names = seen.tokens.map(chip),
    start = 14 + Math.min(96, Math.max(...names.map((t) => wide(t)))),
    high = seen.n > 12 ? 20 : 30,
    far = reach(values);
  const each = range(seen.n).map((k) => [
    text(start - 10, high * (k + 0.5), fitted(names[k], start - 10), { ...END, ...(k === i ? BOLD : {}) }),
    vector(
      start,
      high * k + 1,
      width - start,
      high - 2,
      parts(stop, values, k)[0],
      far,
      k === i ? colour(stop.key) : "var(--itt-ghost)",
    ),
  ]);
  const foot = high * seen.n + 8,
    line = written(parts(stop, values, i)[0], names[i], width, foot + 28);
  return { marks: [each, text(start, foot + 6, unit(stop, far), TICK), line.marks], high: line.high };
}

/** A vector for each head of the row that is followed. */
function heads(v, width, values) {
  const { stop, i, seen } = v,
    start = 62,
    high = 30,
    each = parts(stop, values, i),
    far = reach(flat(each));
  const marks = each.map((one, k) => [
    text(start - 10, high * (k + 0.5), `head ${k}`, { ...SMALL, ...END }),
    vector(start, high * k + 1, width - start, high - 2, one, far, colour(stop.key)),
  ]);
  const foot = high * each.length + 8,
    line = written(each[0], `${chip(seen.tokens[i])}, head 0`, width, foot + 28);
  return { marks: [marks, text(start, foot + 6, unit(stop, far), TICK), line.marks], high: line.high };
}

/** For each head, what the row that is followed finds in every token. */
function pairs(v, width, values) {
  const { stop, i, seen } = v,
    each = parts(stop, values, i),
    start = 58,
    side = Math.min(56, (width - start) / seen.n),
    names = seen.tokens.map((token) => fitted(chip(token), 84, 12)),
    top = 12 + 0.64 * Math.max(...names.map((t) => wide(t, 12)));
  const shares = stop.key === "weights",
    far = shares ? 1 : reach(flat(each)),
    high = 26;
  const scaled = (x) => (shares ? x : 0.5 + x / (2 * far));
  const above = (k) => `translate(${(start + side * (k + 0.5) + 3).toFixed(1)} ${(top - 6).toFixed(1)}) rotate(-40)`;
  const labels = names.map(
    (name, k) =>
      (side >= READABLE || k === i) &&
      s("text", {
        transform: above(k),
        "font-size": 12,
        text: name,
        fill: "var(--itt-ink)",
        ...(k === i ? BOLD : {}),
      }),
  );
  const all = each.flatMap((one, k) => Array.from(one, (x, j) => ({ x, k, j })));
  const box = ({ k, j }) => [start + side * j + 0.5, top + high * k + 0.5, side - 1, high - 1];
  const drawn = cells(
    shares ? "seq" : "div",
    all
      .filter(({ x }) => x !== -Infinity)
      .map((one) => {
        const [x, y, width_, height] = box(one);
        return { x, y, width: width_, height, t: scaled(one.x) };
      }),
  );
  const hidden = seen.info.causal
    ? each.map(
        (_, k) =>
          i + 1 < seen.n &&
          hatched(start + side * (i + 1) + 0.5, top + high * k + 0.5, side * (seen.n - 1 - i) - 1, high - 1),
      )
    : [];
  const rows = each.map((_, k) => text(start - 10, top + high * (k + 0.5), `head ${k}`, { ...SMALL, ...END }));
  const foot = top + high * each.length + 14;
  const legend = [
    range(9).map((k) =>
      s("rect", {
        x: start + 12 * k,
        y: foot,
        width: 12,
        height: 9,
        fill: `var(--itt-${shares ? "seq" : "div"}-${k})`,
      }),
    ),
    text(start, foot + 18, shares ? "0" : num(-far, 1), TICK),
    text(start + 108, foot + 18, num(far, shares ? 0 : 1), { ...TICK, ...END }),
    hidden.length && i + 1 < seen.n
      ? [hatched(start + 130, foot - 1, 20, 11), text(start + 156, foot + 5, "masked", SMALL)]
      : null,
  ];
  const { k: most } = leading(each),
    line = written(each[most], `${chip(seen.tokens[i])}, head ${most}`, width, foot + 46);
  return { marks: [labels, rows, drawn, hidden, legend, line.marks], high: line.high };
}

/** The tokens that the row fits best, as bars. */
function odds({ seen, i, stop }, width) {
  const row = seen.ahead[i],
    shares = stop.key === "odds",
    names = row.map(({ token }) => chip(token)),
    start = 12 + Math.min(0.36 * width, Math.max(...names.map((t) => wide(t)))),
    room = width - start - 56;
  const far = shares ? 1 : reach(row.map(({ logit }) => logit)),
    value = ({ p, logit }) => Math.max(0, shares ? p : logit);
  const marks = row.map((one, k) => [
    text(start - 12, 24 * (k + 0.5), fitted(names[k], start - 12), END),
    s("rect", {
      x: start,
      y: 24 * k + 5,
      width: Math.max(1, (room * value(one)) / far),
      height: 14,
      rx: 2,
      fill: "var(--itt-w)",
    }),
    text(width, 24 * (k + 0.5), shares ? share(one.p) : num(one.logit), END),
  ]);
  const left = seen.info.vocab - row.length,
    rest = Math.max(0, 1 - row.reduce((sum, { p }) => sum + p, 0)),
    foot = 24 * row.length;
  const others =
    left > 0 &&
    text(
      start,
      foot + 12,
      shares
        ? `${left.toLocaleString("en")} others have ${share(rest)} together`
        : `${left.toLocaleString("en")} others fit less`,
      SMALL,
    );
  return { marks: [marks, others], high: foot + (left > 0 ? 24 : 4) };
}

/** The numbers themselves, as many as have room in two lines. */
function written(values, name, width, y) {
  const fits = Math.max(2, Math.floor(width / 52)),
    shown = Math.min(values.length, 2 * fits),
    left = values.length - shown;
  const numbers = range(shown).map((k) =>
    text((k % fits) * 52 + 44, y + 22 + 20 * Math.floor(k / fits), num(values[k]), { ...END, "font-size": 12 }),
  );
  const lines = Math.ceil(shown / fits),
    more = left ? `${name}: the first ${shown} of ${values.length} numbers` : `${name}: all ${values.length} numbers`;
  return { marks: [text(0, y, more, SMALL), numbers], high: y + 22 + 20 * lines };
}

export function picture(v, width) {
  const beside = width >= BESIDE,
    list = way(v, beside ? 292 : width),
    room = beside ? width - 324 : width;
  const words = wrapped(v.stop.meaning, room, 12),
    worked = formula(v).flatMap((line) => wrapped(line, room, 13)),
    below = 30 + 17 * words.length,
    head = below - 4 + (worked.length ? 10 + 19 * worked.length : 0),
    open = opened(v, room);
  const at = beside ? [324, 0] : [0, list.high + 24];
  const high = beside ? Math.max(list.high, head + open.high) : list.high + 24 + head + open.high;
  return drawing(
    width,
    high + 6,
    list.marks,
    s(
      "g",
      { transform: `translate(${at[0]} ${at[1]})` },
      text(0, 9, [bold(title(v)), ` ${shapeOf(v.stop.shape)}`]),
      words.map((line, k) => text(0, 30 + 17 * k, line, SMALL)),
      worked.map((line, k) => text(0, below + 8 + 19 * k, line, { "font-size": 13 })),
      s("g", { transform: `translate(0 ${head + 6})` }, open.marks),
    ),
  );
}

export function still(traits) {
  const v = view(finished(traits.finished, traits.table), traits, traits.table, traits.known);
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: heading(v),
    said: readout(v),
    source: v.seen.info.label,
  });
}
