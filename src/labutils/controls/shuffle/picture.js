// The words in their order, and the most probable tokens before and after as pairs of bars.
import { drawing, END, fitted, MIDDLE, SMALL, TICK, text, track, wide, wrapped } from "../look/draw.js";
import { plain, s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label } from "../look/words.js";
import { share } from "../next_word/words.js";
import { asWritten } from "./numbers.js";
import { changed, heading, key, readout, rowName, said, shifts } from "./words.js";

const CHIP = 44,
  LINE = 34,
  NUMBER = 62; // px

export function picture(seen, width) {
  const words = chips(seen, width),
    own = asWritten(seen.order);
  const bars = rows(seen, width);
  const title = own
    ? "The words as written"
    : `As written: ${said(
        seen.tokens,
        seen.tokens.map((_, i) => i),
      )}`;
  return drawing(
    width,
    words.high + bars.high + 28,
    text(0, 8, fitted(title, width, 12), SMALL),
    s("g", { transform: "translate(0 22)" }, words.marks),
    s("g", { transform: `translate(0 ${words.high + 22})` }, bars.marks),
  );
}

function chips(seen, width) {
  const { tokens, order, rounding } = seen,
    marks = [],
    under = shifts(seen, order);
  let x = 0,
    y = 0;
  order.forEach((from, to) => {
    const name = label(tokens[from], 16),
      small = under[to].trim(),
      across = 18 + Math.max(26, wide(name, 14), wide(small, 11));
    if (x && x + across > width) {
      x = 0;
      y += CHIP + 6;
    }
    marks.push(
      s("rect", {
        x: x + 0.5,
        y: y + 0.5,
        width: across - 1,
        height: CHIP - 1,
        rx: 4,
        fill: "none",
        stroke: "var(--itt-edge)",
        ...(from === to ? {} : { "stroke-width": 2 }),
      }),
      text(x + across / 2, y + (small ? 15 : CHIP / 2), name, { ...MIDDLE, "font-size": 14 }),
      small && text(x + across / 2, y + 32, small, { ...TICK, ...MIDDLE }),
    );
    x += across + 6;
  });
  const moves = !asWritten(order); // as written there is nothing yet that a key could explain
  const lines = moves ? wrapped(plain(key(rounding, order)).replace("10−", "10^−"), width, 11) : [];
  marks.push(lines.map((line, i) => text(0, y + CHIP + 16 + 16 * i, line, TICK)));
  return { marks, high: y + CHIP + 30 + 16 * lines.length };
}

/** Two bars for each token: an outline as written, filled in this order. */
function rows(seen, width) {
  const { top, order } = seen,
    names = top.map((one) => rowName(one, seen)),
    own = asWritten(order),
    start = 12 + Math.min(0.3 * width, Math.max(...names.map((name) => wide(name)))),
    room = width - NUMBER - start,
    foot = 26 + LINE * top.length;
  const bar = (y, p, more) => s("rect", { x: start + 0.5, y, width: Math.max(1, room * p), height: 9, rx: 1, ...more });
  const row = ({ before, after }, i) => {
    const y = 26 + LINE * i;
    return [
      text(start - 12, y + LINE / 2, fitted(names[i], start - 12), END),
      track(start, y + 6, room, 21),
      bar(y + 6, before, { fill: "none", stroke: "var(--itt-w)" }),
      bar(y + 18, after, { fill: "var(--itt-w)" }),
      text(width, y + 10.5, share(before), { ...SMALL, ...END }),
      text(width, y + 22.5, share(after), { ...END, "font-size": 12 }),
    ];
  };
  const axis = [0, 0.5, 1].map((t) => [
    s("line", { x1: start + room * t, x2: start + room * t, y1: 26, y2: foot, stroke: "var(--itt-line)" }),
    text(start + room * t, foot + 11, `${100 * t}%`, { ...TICK, ...MIDDLE }),
  ]);
  const legend = [
    s("rect", { x: start + 0.5, y: 5.5, width: 16, height: 8, fill: "none", stroke: "var(--itt-w)" }),
    text(start + 23, 10, "as written", SMALL),
    s("rect", { x: start + 100, y: 5, width: 16, height: 9, fill: "var(--itt-w)" }),
    text(start + 123, 10, own ? "the same order" : "in this order", SMALL),
  ];
  return { marks: [legend, axis, top.map(row)], high: foot + 24 };
}

export const sourceOf = (seen) => [changed(seen), seen.info.label].filter(Boolean).join(" ");

export function still(traits) {
  const seen = traits.finished;
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: readout(seen),
    source: sourceOf(seen),
  });
}
