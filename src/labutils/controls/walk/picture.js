// The whole picture: the way as a list, and beside or below it the stop that is open.
import { bold, drawing, SMALL, text, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { looks, strips } from "./first.js";
import { formula } from "./formula.js";
import { stations, way } from "./lists.js";
import { finished, view } from "./numbers.js";
import { odds } from "./odds.js";
import { pairs } from "./pairs.js";
import { heads, letters, rows, tokens } from "./stops.js";
import { whole } from "./whole.js";
import { heading, readout, shapeOf, title } from "./words.js";

const BESIDE = 600; // px: the width from which on the open stop stands beside the list
export const MOST = 880; // px of an open station

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

/** @param {boolean} alone whether the open station is drawn without the others, among which a reader chooses */
export function picture(v, width, alone = false) {
  if (v.first) return walked(v, width, alone);
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

/** A first walk: the stations above, the open one below. */
function walked(v, width, alone) {
  const list = alone ? { marks: [], high: -16 } : stations(v, width),
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

/** The still picture of the traits, as HTML. */
export function still(traits) {
  const v = view(finished(traits.finished, traits.table), traits, traits.table, traits.known);
  return framed(traits, {
    draw: (width) => picture(v, width, traits.alone),
    name: heading(v),
    said: readout(v),
    source: v.seen.info.label,
  });
}
