// All stations in one picture: a line for each token; panels side by side, in as many lines as it takes.
import { BOLD, cells, END, fitted, hatched, TICK, text, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { clamp, label, plural, range } from "../look/words.js";
import { shownHead } from "./needed.js";
import { flat, parts } from "./numbers.js";
import { BARS, chances } from "./odds.js";
import { pooled, striped, strong } from "./small.js";

const ABOVE = 40,
  APART = 18,
  BESIDE = 600, // px: a panel's head, between panels, the width from which on all stand side by side
  STRIP = 72; // px: what "128 numbers" needs beside a map

/** @returns {{marks: any[], high: number}} */
export function whole(v, width) {
  const size = sizes(v, width),
    all = panels(v, size, width),
    marks = [];
  let x = size.left,
    y = 0,
    fresh = true;
  for (const [k, panel] of all.entries()) {
    if (!fresh && x + panel.across > width + 1) {
      x = size.left;
      y += size.tall + ABOVE + 16;
      fresh = true;
    }
    const bars = k === all.length - 1;
    if (fresh && !bars) marks.push(lines(v, size, y + ABOVE, width));
    if (bars && fresh) x = 0;
    if (bars && !fresh)
      marks.push(
        s("rect", { x, y: y + ABOVE - 1, width: width - x + 2, height: size.tall + 3, fill: "var(--itt-paper)" }),
      ); // the frame of a row ends here
    marks.push(
      text(x, y + 7, panel.title, BOLD),
      text(x, y + 24, fitted(panel.under, panel.across + APART - 4, 11), TICK),
      panel.draw(x, y + ABOVE),
    );
    x += panel.across + APART;
    fresh = false;
  }
  return { marks, high: y + ABOVE + size.tall + 8 };
}

/** px: the height of a line, the names, a side of a map's cell, the map, a strip, one of two strips, a panel. */
function sizes({ seen: { n, tokens } }, width) {
  const high = n > 12 ? 16 : 30,
    left = 16 + Math.min(84, 1.1 * Math.max(...tokens.map((token) => wide(label(token))))),
    side = Math.min(high, 150 / n, width >= BESIDE ? high : (width - left - APART - STRIP) / n),
    map = Math.max(96, side * n);
  const strip =
    width >= BESIDE ? clamp((width - left - map - BARS - 4 * APART) / 3, 60, 220) : width - left - map - APART;
  const pair = width >= BESIDE ? strip : (width - left - APART) / 2; // of two strips that fill a line
  return { high, left, side, map, strip, pair, tall: Math.max(high * n, 100) };
}

/** The names of the tokens, and around all panels of a line the row that is followed: it leads to what comes next. */
const lines = ({ seen, i }, { high, left }, y, width) => [
  s("rect", { x: 1, y: y + high * i - 0.5, width, height: high + 1, rx: 4, fill: "none", stroke: "var(--itt-edge)" }),
  seen.tokens.map((token, row) =>
    text(left - 10, y + high * (row + 0.5), fitted(label(token), left - 12), { ...END, ...(row === i ? BOLD : {}) }),
  ),
];

function panels(v, size, width) {
  const { seen, i, layer } = v,
    { strip, pair, map, tall } = size,
    odds = width >= BESIDE ? BARS : width, // alone in its line it fills it
    lead = shownHead(v),
    block = seen.L > 1 ? `block ${layer}` : "the block",
    weights = held(v, "weights"),
    coloured = (key, across) => (x, y) => colours(v, { ...size, strip: across }, key, x, y);
  return [
    { title: "Rows", under: plural(seen.info.width, "number"), across: strip, draw: coloured(v.rows, strip) },
    {
      title: "Attention",
      under: lead ? `head ${lead.k}, ${block}` : block,
      across: map,
      draw: (x, y) => lead && looked(v, size, weights[1], lead.k, x, y),
    },
    { title: "Network", under: plural(seen.info.ffn, "number"), across: pair, draw: coloured("ffn_activated", pair) },
    { title: "New rows", under: `after ${block}`, across: pair, draw: coloured("output", pair) },
    {
      title: v.shown.at(-1).title,
      under: seen.info.causal ? `after “${label(seen.tokens[i], 12)}”` : "who fits into it",
      across: odds,
      draw: (x, y) => chances(v, { x, y, tall, width: odds }),
    },
  ];
}

/** A stop with its values, as far as they are here. */
function held(v, key) {
  const stop = v.list.find((one) => one.key === key),
    values = v.values(stop);
  return values && [stop, values];
}

function colours(v, { high, strip }, key, x, y) {
  const [stop, values] = held(v, key) ?? [];
  if (!stop) return null;
  const rows = range(v.seen.n).map((k) => pooled(parts(stop, values, k)[0], Math.round(strip / 2)));
  return striped(rows, { x, y, width: strip, high, far: strong(flat(rows)) });
}

/** The map of the head that is shown. */
function looked(v, { high, side }, values, k, x, y) {
  const { seen } = v,
    { n, info } = seen,
    { causal } = info,
    stop = v.list.find((one) => one.key === "weights");
  const boxes = range(n).flatMap((row) =>
    Array.from(parts(stop, values, row)[k], (t, j) => ({
      x: x + side * j + 0.5,
      y: y + high * row + 1,
      width: side - 1,
      height: high - 2,
      t,
    })).filter((_, j) => !causal || j <= row),
  );
  return [
    cells("seq", boxes),
    causal &&
      range(n - 1).map((row) =>
        hatched(x + side * (row + 1) + 0.5, y + high * row + 1, side * (n - 1 - row) - 1, high - 2),
      ),
  ];
}
