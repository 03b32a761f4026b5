// Both texts as tokens, the row that the head reads, and its answer as bars.
import {
  drawing,
  END,
  fitted,
  hatched,
  MIDDLE,
  MUTED,
  SMALL,
  TICK,
  text,
  vector,
  wide,
  wrapped,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { rowsRead } from "./numbers.js";
import { barName, question, readout, reads, share, shown, standing } from "./words.js";

const CHIP = 26,
  GAP = 4,
  LINE = 24,
  STRIP = 56,
  NUMBER = 58; // px

/** In a page the sequence stands above as choices: `alone` says that it is drawn too. */
export function picture(seen, width, alone = true) {
  const top = alone ? chips(seen, width) : { marks: [], high: 0 },
    strip = row(seen, width),
    answer = seen.head === "meant" ? spans(seen, width) : bars(seen, width);
  const at = (y, marks) => s("g", { transform: `translate(0 ${y})` }, marks);
  return drawing(
    width,
    top.high + strip.high + answer.high,
    top.marks,
    at(top.high, strip.marks),
    at(top.high + strip.high, answer.marks),
  );
}

/** The sequence; what the head reads is filled, the answer of a span has a line below. */
function chips(seen, width) {
  const { head, token, tokens, split, span } = seen,
    read = rowsRead(head, token),
    marks = [];
  let x = 0,
    y = 0;
  tokens.forEach((_, i) => {
    const name = shown(standing(seen, i)),
      across = 12 + wide(name, 13);
    if (x && x + across > width) {
      x = 0;
      y += CHIP + 10;
    }
    const inside = read ? read.includes(i) : i > 0 && i < split - 1,
      hidden = name === "[MASK]";
    marks.push(
      s("rect", {
        x: x + 0.5,
        y: y + 0.5,
        width: across - 1,
        height: CHIP - 1,
        rx: 4,
        fill: inside ? "var(--itt-w-soft, var(--itt-s4))" : "none",
        stroke: inside ? "var(--itt-w)" : "var(--itt-line)",
        ...(inside && !span ? { "stroke-width": 1.5 } : {}),
      }),
      hidden && hatched(x + 2, y + 2, across - 4, CHIP - 4),
      text(x + across / 2, y + CHIP / 2, name, MIDDLE),
      span &&
        i >= span[0] &&
        i <= span[1] &&
        s("rect", { x, y: y + CHIP + 2, width: across, height: 3, fill: "var(--itt-ink)" }),
    );
    x += across + GAP;
  });
  return { marks, high: y + CHIP + 18 };
}

/** The row that is read, as columns above and below zero. */
function row(seen, width) {
  const { vector: values, row: at, tokens, head } = seen,
    of = Math.max(...values.map(Math.abs)),
    words = wrapped(reads(seen), width, 12);
  const name =
    head === "meant"
      ? `One of them: the state of “${shown(tokens[at])}”`
      : `The state of “${shown(standing(seen, at))}”`;
  const caption = wrapped(`${name}, ${values.length} numbers from the last layer`, width, 12);
  const asks = wrapped(question(head), width, 14),
    y = 16 * words.length + 4,
    below = y + STRIP + 12,
    ask = below + 15 * caption.length + 18;
  return {
    marks: [
      words.map((line, i) => text(0, 8 + 16 * i, line, SMALL)),
      vector(0, y, width, STRIP, values, of, "var(--itt-w)"),
      caption.map((line, i) => text(0, below + 15 * i, line, TICK)),
      asks.map((line, i) => text(0, ask + 18 * i, line, { "font-weight": 650 })),
    ],
    high: ask + 18 * asks.length + 2,
  };
}

function bars(seen, width) {
  const names = seen.bars.map((one) => barName(seen, one)),
    start = 12 + Math.min(0.36 * width, Math.max(60, ...names.map((name) => wide(name)))),
    room = width - NUMBER - start;
  const line = ({ p }, i) => [
    text(start - 12, LINE * (i + 0.5), fitted(names[i], start - 12), END),
    s("rect", { x: start, y: LINE * i + 5, width: Math.max(1, room * p), height: 14, rx: 2, fill: "var(--itt-w)" }),
    text(width, LINE * (i + 0.5), share(p), END),
  ];
  return { marks: seen.bars.map(line), high: LINE * seen.bars.length + 6 };
}

/** Two bars for each token of the first text: that the answer begins there, and that it ends there. */
function spans(seen, width) {
  const names = seen.bars.map((one) => barName(seen, one)),
    start = 12 + Math.min(0.3 * width, Math.max(48, ...names.map((name) => wide(name)))),
    half = (width - start - 12) / 2,
    room = half - NUMBER;
  const head = [
    text(start, 8, "begins here", { ...TICK, ...MUTED }),
    text(start + half + 12, 8, "ends here", { ...TICK, ...MUTED }),
  ];
  const bar = (x, y, p, marked) => [
    s("rect", {
      x,
      y: y + 5,
      width: Math.max(1, room * p),
      height: 14,
      rx: 2,
      ...(marked ? { fill: "var(--itt-w)" } : { fill: "none", stroke: "var(--itt-w)" }),
    }),
    text(x + half - 6, y + LINE / 2, share(p), END),
  ];
  const lines = seen.bars.map(({ at, p, q }, i) => {
    const y = 18 + LINE * i;
    return [
      text(start - 12, y + LINE / 2, fitted(names[i], start - 12), END),
      bar(start, y, p, at === seen.span[0]),
      bar(start + half + 12, y, q, at === seen.span[1]),
    ];
  });
  return { marks: [head, lines], high: 18 + LINE * seen.bars.length + 6 };
}

export const heading = ({ head, first, second }) => `${question(head)} ${first} ${second}`.slice(0, 120);

export function still(traits) {
  const seen = traits.finished;
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: readout(seen),
    source: seen.info.label,
  });
}
