// A text with its hole, and the most probable tokens of the hole as bars.
import { drawing, text, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label } from "../look/words.js";
import { barRows } from "./bar_rows.js";
import { FIVE, holeName, said } from "./hole_words.js";

export function picture(seen, width) {
  const lines = wrapped(label(seen.text, 400), width, 15),
    high = 23 * lines.length + 14,
    list = barRows(seen.top.slice(0, FIVE), (one) => holeName(one, seen), seen.info, "", width);
  return drawing(
    width,
    high + list.high,
    lines.map((line, i) => text(0, 11 + 23 * i, line, { "font-size": 15 })),
    s("g", { transform: `translate(0 ${high})` }, list.marks),
  );
}

export const heading = ({ text: given }) => `What the hole could be in “${label(given, 80)}”`;

export function still(traits) {
  const seen = traits.finished;
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: said(seen),
    source: seen.info.label,
  });
}
