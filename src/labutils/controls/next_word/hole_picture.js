// A text with its hole, and the most probable tokens of the hole as bars.
import { drawing, SMALL, text, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label } from "../look/words.js";
import { barRows } from "./bar_rows.js";
import { FIVE, HOLES, holeName, said } from "./hole_words.js";

export function picture(seen, width) {
  const lines = wrapped(label(seen.text, 400), width, 15),
    marks = lines.map((line, i) => text(0, 11 + 23 * i, line, { "font-size": 15 }));
  let high = 23 * lines.length + 14;
  for (const [i, { top }] of [seen, ...(seen.other ? [seen.other] : [])].entries()) {
    const list = barRows(top.slice(0, FIVE), (one) => holeName(one, seen), seen.info, "", width, true);
    if (seen.other) {
      marks.push(text(0, high + 8, HOLES[i], SMALL));
      high += 22;
    }
    marks.push(s("g", { transform: `translate(0 ${high})` }, list.marks));
    high += list.high + 10;
  }
  return drawing(width, high - 10, marks);
}

export const heading = ({ text: given, other }) => `What the hole${other ? "s" : ""} could be in “${label(given, 80)}”`;

export function still(traits) {
  const seen = traits.finished;
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: said(seen),
    source: seen.info.label,
  });
}
