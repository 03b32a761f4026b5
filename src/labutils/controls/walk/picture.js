// The way as a list, each stop with its numbers for one token in small; beside it the stop that is open.
import {
  BOLD,
  bold,
  cells,
  drawing,
  END,
  fitted,
  hatched,
  MIDDLE,
  SMALL,
  TICK,
  text,
  vector,
  wide,
  wrapped,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { END as ENDS, nextName } from "../look/nexts.js";
import { still as framed } from "../look/still.js";
import { clamp, label, num, pct, plural, range } from "../look/words.js";
import { share } from "../next_word/words.js";
import { formula } from "./formula.js";
import { finished, flat, leading, over, parts, reach, view } from "./numbers.js";
import { chip, heading, readout, shapeOf, title, unit } from "./words.js";

const LINE = 22,
  BESIDE = 600,
  READABLE = 12; // px; the width from which on the open stop stands beside the list; that of a column with a label
export const SMALLEST = 72; // px of a small picture
const SMALL_COLUMNS = 48; // in it
const STATION = 84; // px of a station's name and small picture, where they fit into one line
export const MOST = 880; // px of an open station
const ABOVE = 40,
  APART = 18,
  BARS = 200; // px of the picture of all stations: a panel's head, between, the bars
const FEW = 6; // next words of a first walk
const FINE = 128; // cells of a strip
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
function pooled(values, most = SMALL_COLUMNS) {
  if (values.length <= most) return values;
  const from = (k) => Math.floor((k * values.length) / most);
  return Float64Array.from(range(most), (k) =>
    Array.from(values.subarray(from(k), from(k + 1))).reduce((far, x) => (Math.abs(x) > Math.abs(far) ? x : far)),
  );
}

/** The list: parts of the way as headings, stops below them, the open one in bold. */
export function way(v, width) {
  const marks = [],
    room = Math.max(0, width - 108 - SMALLEST - 64);
  let y = 0,
    part = "";
  v.shown.forEach((stop, k) => {
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
    draw = { all: whole, text: letters, ids: tokens, rows, heads, pairs, vocabulary: odds, odds }[stop.kind];
  if (!values && ["rows", "heads", "pairs"].includes(stop.kind))
    return { marks: [text(0, 10, "on its way", SMALL)], high: 24 };
  if (v.first && values) return { rows: strips, pairs: looks }[stop.kind](v, width, values);
  return draw(v, width, values);
}

/** All stations in one picture: a line for each token; panels side by side, in as many lines as it takes. */
function whole(v, width) {
  const { seen, i, layer } = v,
    { n } = seen,
    high = n > 12 ? 16 : 30,
    names = seen.tokens.map((token) => label(token)),
    left = 16 + Math.min(84, 1.1 * Math.max(...names.map((t) => wide(t)))),
    side = Math.min(high, 150 / n),
    map = Math.max(96, side * n),
    beside = width >= BESIDE,
    strip = beside
      ? clamp((width - left - map - BARS - 4 * APART) / 3, 60, 220)
      : Math.min(150, width - left - map - APART),
    tall = Math.max(high * n, 100);
  const held = (key) => {
    const stop = v.list.find((one) => one.key === key),
      values = v.values(stop);
    return values && [stop, values];
  };
  const block = seen.L > 1 ? `block ${layer}` : "the block";
  const coloured = (key) => (x, y) => {
    const [stop, values] = held(key) ?? [],
      most = Math.round(strip / 2);
    if (!stop) return null;
    const rows = range(n).map((k) => pooled(parts(stop, values, k)[0], most)),
      far = strong(flat(rows)),
      each = strip / rows[0].length;
    return cells(
      "div",
      rows.flatMap((row, k) =>
        Array.from(row, (t, c) => ({
          x: x + each * c,
          y: y + high * k + 2,
          width: each + 0.1,
          height: high - 4,
          t: 0.5 + t / (2 * far),
        })),
      ),
    );
  };
  const looked = (x, y) => {
    const [stop, values] = held("weights") ?? [];
    if (!stop) return null;
    const { k } = leading(parts(stop, values, i)),
      rows = range(n).map((row) => parts(stop, values, row)[k]);
    const box = (row, j) => ({ x: x + side * j + 0.5, y: y + high * row + 1, width: side - 1, height: high - 2 });
    return [
      cells(
        "seq",
        rows.flatMap((one, row) =>
          Array.from(one, (t, j) => ({ ...box(row, j), t })).filter((_, j) => !seen.info.causal || j <= row),
        ),
      ),
      seen.info.causal &&
        range(n - 1).map((row) =>
          hatched(x + side * (row + 1) + 0.5, y + high * row + 1, side * (n - 1 - row) - 1, high - 2),
        ),
    ];
  };
  const lead = held("weights") ? `head ${leading(parts(...held("weights"), i)).k}, ${block}` : block;
  const panels = [
    ["Rows", plural(seen.info.width, "number"), strip, coloured(v.rows)],
    ["Attention", lead, map, looked],
    ["Network", plural(seen.info.ffn, "number"), strip, coloured("ffn_activated")],
    ["New rows", `after ${block}`, strip, coloured("output")],
    [
      v.shown.at(-1).title,
      seen.info.causal ? `after “${label(seen.tokens[i], 12)}”` : "who fits into it",
      BARS,
      (x, y) => chances(v, x, y, tall),
    ],
  ];
  const marks = [];
  let x = left,
    y = 0,
    fresh = true;
  for (const [k, [title_, under, across, draw]] of panels.entries()) {
    if (!fresh && x + across > width + 1) {
      x = left;
      y += tall + ABOVE + 16;
      fresh = true;
    }
    const bars = k === panels.length - 1;
    if (fresh && !bars)
      marks.push(
        s("rect", { x: 0, y: y + ABOVE + high * i, width, height: high, rx: 3, fill: "var(--itt-hover)" }),
        names.map((name, row) =>
          text(left - 10, y + ABOVE + high * (row + 0.5), fitted(name, left - 12), {
            ...END,
            ...(row === i ? BOLD : {}),
          }),
        ),
      );
    if (bars && fresh) x = 0;
    if (bars && !fresh)
      marks.push(s("rect", { x, y: y + ABOVE, width: width - x, height: tall, fill: "var(--itt-paper)" }));
    marks.push(
      text(x, y + 7, title_, BOLD),
      text(x, y + 24, fitted(under, across + APART, 11), TICK),
      draw(x, y + ABOVE),
    );
    x += across + APART;
    fresh = false;
  }
  return { marks, high: y + ABOVE + tall + 8 };
}
/** A next token as it is named in a first walk. */
const named = ({ token, word }) => (token === ENDS ? "the end" : label(word ?? token));
/** The next words as bars, within a panel. */
function chances(v, x, y, tall) {
  if (over(v)) return text(x, y + 12, "the end of the story", SMALL);
  const row = v.ahead.slice(0, 5),
    each = Math.min(30, tall / row.length);
  return row.map((one, k) => [
    text(x, y + each * (k + 0.5), fitted(named(one), 68), k ? {} : BOLD),
    s("rect", {
      x: x + 70,
      y: y + each * (k + 0.5) - 6,
      width: Math.max(1, (BARS - 108) * one.p),
      height: 12,
      rx: 2,
      fill: "var(--itt-w)",
    }),
    text(x + BARS, y + each * (k + 0.5), one.p < 0.005 ? "<1%" : pct(one.p), { ...END, "font-size": 12 }),
  ]);
}

/** A row of numbers as a strip of colours for each token; a long one in few cells. */
function strips(v, width, values) {
  const { seen, stop, i } = v,
    names = seen.tokens.map(chip),
    start = 14 + Math.min(96, Math.max(...names.map((t) => wide(t)))),
    high = seen.n > 12 ? 20 : 32,
    rows = range(seen.n).map((k) => pooled(parts(stop, values, k)[0], FINE)),
    far = strong(flat(rows)),
    each = (width - start) / rows[0].length;
  const drawn = cells(
    "div",
    rows.flatMap((row, k) =>
      Array.from(row, (x, c) => ({
        x: start + each * c,
        y: high * k + 2,
        width: each + 0.1,
        height: high - 4,
        t: 0.5 + x / (2 * far),
      })),
    ),
  );
  const labels = names.map((name, k) =>
    text(start - 10, high * (k + 0.5), fitted(name, start - 10), { ...END, ...(k === i ? BOLD : {}) }),
  );
  const frame = s("rect", {
    x: start - 1,
    y: high * i + 1,
    width: width - start + 1,
    height: high - 2,
    rx: 2,
    fill: "none",
    stroke: "var(--itt-ink)",
    "stroke-width": 1.5,
  });
  const c = stop.shape[1],
    of = c > FINE ? `${c} numbers a row, of each ${Math.ceil(c / FINE)} the strongest` : `${c} numbers a row`;
  return {
    marks: [drawn, labels, frame, scale(start, high * seen.n + 14, width - start, far, of)],
    high: high * seen.n + 40,
  };
}
/** What nearly all numbers stay below: one that stands out must not make all others pale. */
function strong(values) {
  const sizes = Array.from(values, Math.abs)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return sizes[Math.min(sizes.length - 1, Math.floor(0.98 * sizes.length))] || 1;
}
function scale(x, y, width, far, words) {
  const bar = range(9).map((k) => s("rect", { x: x + 12 * k, y, width: 12, height: 9, fill: `var(--itt-div-${k})` }));
  return [
    bar,
    text(x, y + 18, num(-far, 1), TICK),
    text(x + 54, y + 18, "0", { ...TICK, ...MIDDLE }),
    text(x + 108, y + 18, num(far, 1), { ...TICK, ...END }),
    text(x + 124, y + 4.5, fitted(words, width - 124, 12), SMALL),
  ];
}

/** Where the chosen row looks: a line of shares for each head. */
function looks(v, width, values) {
  const { stop, i, seen } = v,
    each = parts(stop, values, i),
    start = 58,
    side = Math.min(96, (width - start) / seen.n),
    high = 28,
    top = 26,
    { k: most, best } = leading(each);
  const names = seen.tokens.map((token, j) =>
    text(start + side * (j + 0.5), 10, fitted(chip(token), side - 2, 13), { ...MIDDLE, ...(j === i ? BOLD : {}) }),
  );
  const shown = each.flatMap((one, k) =>
    Array.from(one, (x, j) => ({ x, k, j })).filter(({ j }) => !seen.info.causal || j <= i),
  );
  const box = ({ k, j }) => [start + side * j + 1, top + high * k + 1, side - 2, high - 2];
  const drawn = cells(
    "seq",
    shown.map((one) => {
      const [x, y, width_, height] = box(one);
      return { x, y, width: width_, height, t: one.x };
    }),
  );
  const shares = shown
    .filter(({ x }) => side >= 30 && x >= 0.1)
    .map(({ x, k, j }) =>
      text(start + side * (j + 0.5), top + high * (k + 0.5), `${Math.round(100 * x)}%`, {
        ...MIDDLE,
        "font-size": 12,
        fill: `var(--itt-seq-${x > 0.5 ? 0 : 8})`,
      }),
    );
  const left = seen.n - 1 - i,
    hidden =
      seen.info.causal &&
      left > 0 &&
      each.map((_, k) => hatched(start + side * (i + 1) + 1, top + high * k + 1, side * left - 2, high - 2));
  const rows = each.map((_, k) =>
    text(start - 10, top + high * (k + 0.5), `head ${k}`, {
      ...SMALL,
      ...END,
      ...(k === most ? { ...BOLD, fill: "var(--itt-ink)" } : {}),
    }),
  );
  const [x, y, w, h] = box({ k: most, j: best[most] }),
    frame = s("rect", {
      x,
      y,
      width: w,
      height: h,
      rx: 2,
      fill: "none",
      stroke: "var(--itt-ink)",
      "stroke-width": 1.5,
    });
  const foot = top + high * each.length + 12;
  return {
    marks: [
      names,
      rows,
      drawn,
      shares,
      hidden,
      frame,
      text(
        start,
        foot,
        hidden ? "each line adds up to 100%; hatched: later tokens, out of sight" : "each line adds up to 100%",
        SMALL,
      ),
    ],
    high: foot + 10,
  };
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
function odds({ seen, i, stop, first, ahead }, width) {
  if (over({ seen, i })) return { marks: [text(0, 12, "the end of the story", SMALL)], high: 24 };
  const row = ahead.slice(0, first ? FEW : undefined),
    shares = stop.key === "odds",
    names = row.map((one) => (first ? named(one) : nextName(one, seen.tokens[i], seen.info))),
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
    text(width, 24 * (k + 0.5), shares ? (first ? pct(one.p) : share(one.p)) : num(one.logit), END),
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
        ? `${left.toLocaleString("en")} others have ${first ? pct(rest) : share(rest)} together`
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

/** The stations side by side, in as many lines as it takes; the open one in bold. */
function stations(v, width) {
  const across = Math.max(1, Math.floor(width / STATION)),
    each = width / Math.min(across, v.shown.length);
  const marks = v.shown.map((stop, k) => {
    const x = each * (k % across),
      y = 52 * Math.floor(k / across),
      small = spark(v, stop, SMALLEST);
    return [
      k === v.at && s("rect", { x, y, width: each - 6, height: 46, rx: 4, fill: "var(--itt-hover)" }),
      text(x + 6, y + 12, stop.title, k === v.at ? BOLD : {}),
      small && s("g", { transform: `translate(${x + 6} ${y + 25})` }, small),
    ];
  });
  return { marks, high: 52 * Math.ceil(v.shown.length / across) };
}

export function picture(v, width) {
  if (v.first) return walked(v, width);
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

function walked(v, width) {
  const list = stations(v, width),
    words = wrapped(v.stop.meaning, width, 12),
    open = opened(v, width),
    at = list.high + 16,
    all = v.stop.kind === "all",
    head = all ? 0 : 26 + 17 * words.length;
  return drawing(
    width,
    at + head + open.high + 6,
    list.marks,
    s(
      "g",
      { transform: `translate(0 ${at})` },
      !all && text(0, 9, bold(title(v))),
      !all && words.map((line, k) => text(0, 30 + 17 * k, line, SMALL)),
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
