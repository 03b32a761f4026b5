// The picture that a reader takes along: both sequences, each position a card.
import { s } from "../look/kit.js";
import { hatch } from "../look/marks.js";
import { visible } from "../tokenizer/words.js";
import { cards } from "./laying.js";
import { ROWS } from "./words.js";

const WIDE = 720, LEFT = 68, LINE = 17, HIGH = 5 * LINE + 22;

export function picture({ lanes }) {
  const mask = hatch(), text = (x, y, words, more = {}) => s("text", { x, y, text: words, "font-size": 11, fill: "var(--itt-muted)", "dominant-baseline": "central", ...more }), out = [];
  let top = 0;
  for (const lane of lanes) {
    out.push(text(0, top + 12, lane.title, { "font-size": 15, "font-weight": 650, fill: "var(--itt-ink)" }));
    top += 26;
    let x = WIDE;
    for (const one of cards(lane)) {
      const name = visible(one.text), wide = Math.max(40, 14 + 7.6 * Array.from(name).length);
      if (x + wide > WIDE) { if (x < WIDE || out.at(-1)?.tagName === "g") top += HIGH; x = LEFT; out.push(s("g", {}, ROWS.map((row, i) => text(0, top + 14 + LINE * (i + 1), row)))); }
      out.push(drawn(one, name, x, top, wide, mask, text));
      x += wide + 4;
    }
    top += HIGH + 8;
  }
  return s("svg", { viewBox: `0 0 ${WIDE} ${top}` }, mask.el, out);
}

function drawn(one, name, x, y, wide, mask, text) {
  const fill = one.lost ? "none" : one.mask === 0 ? mask.fill : one.special ? "none" : `var(--itt-s${one.from + 1})`, mid = { "text-anchor": "middle" }, ink = { fill: "var(--itt-ink)" };
  const numbers = one.lost ? ["lost"] : [one.id, one.type, one.mask, one.position];
  return s("g", {}, s("rect", { x, y, width: wide, height: HIGH - 8, rx: 4, fill, stroke: one.lost || one.special ? "var(--itt-ghost)" : "none", ...(one.lost ? { "stroke-dasharray": "3 3" } : {}) }),
    text(x + wide / 2, y + 13, name, { ...mid, ...ink, "font-family": "ui-monospace, monospace", "font-size": 12, ...(one.lost ? { "text-decoration": "line-through" } : {}) }),
    numbers.map((n, i) => text(x + wide / 2, y + 14 + LINE * (i + 1), String(n), { ...mid, ...ink })));
}
