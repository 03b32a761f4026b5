// Both sequences, each position a card: what is lost is struck through, what is padding is hatched.
import { BOLD, drawing, hatched, MIDDLE, MUTED, SMALL, text, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { visible } from "../tokenizer/words.js";
import { cards } from "./numbers.js";
import { KEYS, kindOf, ROWS, readout, sources, template } from "./words.js";

const LEFT = 58,
  LINE = 17,
  HIGH = 5 * LINE + 8,
  GAP = 4,
  BELOW = 12; // px
const MONO = { "font-family": "ui-monospace, Menlo, Consolas, monospace", "font-size": 12 };

export function picture(lanes, width) {
  const marks = [];
  let y = 0;
  for (const lane of lanes) {
    const order = wrapped(template(lane), width, 12);
    marks.push(
      text(0, y + 9, lane.title, { "font-size": 15, ...BOLD }),
      order.map((line, i) => text(0, y + 29 + 16 * i, line, SMALL)),
    );
    y += 30 + 16 * order.length;
    for (const line of lines(lane, width)) {
      marks.push(
        ROWS.map((row, i) => text(0, y + 12 + LINE * (i + 1), row, SMALL)),
        line.map((one) => card(one, y)),
      );
      y += HIGH + BELOW;
    }
    y += 8;
  }
  const key = legend(lanes, y + 2, width);
  return drawing(width, key.high, marks, key.marks);
}

/** The cards of a lane with their places, line by line. */
function lines(lane, width) {
  const out = [];
  let x = Infinity;
  for (const one of cards(lane)) {
    const names = (one.lost ?? [one.text]).map((name) => visible(name)),
      across = Math.max(40, 12 + 7.3 * Math.max(...names.map((name) => Array.from(name).length)));
    if (x + across > width) {
      out.push([]);
      x = LEFT;
    }
    out.at(-1).push({ ...one, names, x, across });
    x += across + GAP;
  }
  return out;
}

function card(one, y) {
  const { x, across, names } = one,
    mid = x + across / 2,
    at = (i) => y + 12 + LINE * i,
    kind = kindOf(one);
  const rows = one.lost
    ? names.map((name, i) => text(mid, at(i), name, { ...MONO, ...MIDDLE, "text-decoration": "line-through" }))
    : [
        text(mid, at(0), names[0], { ...MONO, ...MIDDLE }),
        [one.id, one.type, one.mask, one.position].map((n, i) =>
          text(mid, at(i + 1), String(n), { ...MIDDLE, "font-size": 12 }),
        ),
      ];
  return s(
    "g",
    {},
    ground(kind, x, y, across, HIGH),
    kind === "is-pad" ? s("rect", { x, y, width: across, height: HIGH, fill: "var(--itt-paper)", opacity: 0.5 }) : null,
    rows,
  );
}

/** What a card is drawn on, and its key. */
function ground(kind, x, y, width, height) {
  const box = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, rx: 4 };
  if (kind === "is-pad")
    return s("g", {}, hatched(x, y, width, height), s("rect", { ...box, fill: "none", stroke: "var(--itt-line)" }));
  if (kind === "is-lost")
    return s("rect", { ...box, fill: "none", stroke: "var(--itt-ghost)", "stroke-dasharray": "3 3" });
  return s(
    "rect",
    kind === "is-special"
      ? { ...box, fill: "none", stroke: "var(--itt-edge)" }
      : { ...box, fill: `var(--itt-s${"ab".indexOf(kind.at(-1)) + 1})` },
  );
}

function legend(lanes, top, width) {
  const kinds = new Set(lanes.flatMap(cards).map(kindOf)),
    marks = [];
  let x = 0,
    y = top + 8;
  for (const [kind, words] of KEYS.filter(([kind]) => kinds.has(kind))) {
    const across = 28 + wide(words, 12);
    if (x && x + across > width) {
      x = 0;
      y += 20;
    }
    marks.push(ground(kind, x, y - 7, 20, 14), text(x + 26, y, words, { "font-size": 12, ...MUTED }));
    x += across + 12;
  }
  return { marks, high: y + 10 };
}

export function still(traits) {
  const { lanes, length } = traits.finished;
  return framed(traits, {
    draw: (width) => picture(lanes, width),
    name: lanes.map((lane) => lane.title).join(" and "),
    said: readout(lanes, length),
    source: sources(lanes),
  });
}
