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
    let x = Infinity; // no line is begun yet
    for (const one of cards(lane)) {
      const names = (one.lost ?? [one.text]).map((text) => visible(text)), wide = Math.max(40, 14 + 7.6 * Math.max(...names.map((name) => Array.from(name).length)));
      if (x + wide > WIDE) {
        if (x < Infinity) top += HIGH;
        x = LEFT;
        out.push(ROWS.map((row, i) => text(0, top + 14 + LINE * (i + 1), row)));
      }
      out.push(drawn(one, names, x, top, wide, mask, text));
      x += wide + 4;
    }
    top += HIGH + 8;
  }
  return s("svg", { viewBox: `0 0 ${WIDE} ${top}` }, mask.el, out);
}

function drawn(one, names, x, y, wide, mask, text) {
  const fill = one.lost || (one.special && one.mask) ? "none" : one.mask === 0 ? mask.fill : `var(--itt-s${one.from + 1})`, mid = { "text-anchor": "middle", fill: "var(--itt-ink)" };
  const mono = { ...mid, "font-family": "ui-monospace, monospace", "font-size": 12 }, at = (i) => y + 14 + LINE * i;
  const lines = one.lost ? names.map((name, i) => text(x + wide / 2, at(i), name, { ...mono, "text-decoration": "line-through" }))
    : [text(x + wide / 2, at(0), names[0], mono), [one.id, one.type, one.mask, one.position].map((n, i) => text(x + wide / 2, at(i + 1), n, mid))];
  return s("g", {}, s("rect", { x, y, width: wide, height: HIGH - 8, rx: 4, fill, stroke: one.lost || one.special ? "var(--itt-ghost)" : "none", ...(one.lost ? { "stroke-dasharray": "3 3" } : {}) }), lines);
}
