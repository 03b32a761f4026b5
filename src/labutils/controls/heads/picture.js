// A row of numbers for each token, the rows that the head reads, and its answer beside them.
import { BOLD, cells, drawing, END, fitted, hatched, SMALL, TICK, text, track, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { range, short } from "../look/words.js";
import { barName, owns, question, readout, reads, shown, standing } from "./words.js";

export const LINE = 24,
  TOP = 22; // px of a row, and of the words above the rows
export const SHORT = 15; // tokens whose rows all stand there; in a page more of them are scrolled
const FAR = 4, // the value of the deepest colour
  SLIM = 460, // px below which the rows leave more room for the answers
  PHONE = 180, // px below which the words under an answer reach into the legend
  NUMBER = 68,
  BAR = 14;

/** In a page the tokens stand beside it as choices: `alone` says that they are drawn too. */
export function picture(seen, width, alone = true) {
  const left = alone ? Math.min(96, 14 + Math.max(...seen.tokens.map((_, i) => wide(nameAt(seen, i), 12)))) : 0,
    slim = width < SLIM,
    heat = Math.round((width - left) * (slim ? 0.4 : 0.5)),
    foot = TOP + LINE * seen.tokens.length,
    at = left + heat + (slim ? 12 : 28);
  const answer = (seen.head === "tag" ? tags : seen.head === "meant" ? spans : bars)(seen, at, width - at),
    scrolled = !alone && seen.tokens.length > SHORT;
  return drawing(
    width,
    Math.max(foot + 26, answer.high),
    alone && names(seen, left),
    rows(seen, left, heat, scrolled),
    legend(left, heat, foot),
    answer.marks,
  );
}

const nameAt = (seen, i) => shown(standing(seen, i));
const middle = (i) => TOP + LINE * (i + 0.5);

const names = (seen, left) =>
  seen.tokens.map((_, i) => [
    nameAt(seen, i) === "[MASK]" && hatched(0, TOP + LINE * i + 4, left - 10, LINE - 8),
    text(left - 8, middle(i), fitted(nameAt(seen, i), left - 10, 12), {
      ...END,
      "font-size": 12,
      ...(seen.read.includes(i) ? BOLD : { fill: "var(--itt-muted)" }),
    }),
  ]);

/** How many rows stand there, and of how many numbers: the longest words that have room. */
function counted(rows, width, scrolled) {
  const [n, d] = [rows.length, rows[0].length],
    more = scrolled ? ": scroll" : "",
    words = [`${n} rows of ${d} numbers`, `${n} × ${d} numbers`, `${n} × ${d}`].map((size) => size + more);
  return words.find((one) => wide(one, 11) <= width) ?? words.at(-1);
}

/** The rows; those that the head does not read are pale, the others stand in a frame. */
function rows({ rows, read, span, head }, left, width, scrolled) {
  const step = width / rows[0].length,
    y = (i) => TOP + LINE * i,
    veil = range(rows.length).filter((i) => !read.includes(i));
  const found = span ? [span] : read.length === 1 ? [[read[0], read[0]]] : [];
  return [
    text(left, 8, counted(rows, width, scrolled), TICK),
    cells(
      "div",
      rows.flatMap((row, i) =>
        row.map((value, j) => ({
          x: left + j * step,
          y: y(i) + 2,
          width: step + 0.05,
          height: LINE - 4,
          t: Math.round(20 * (0.5 + value / (2 * FAR))) / 20,
        })),
      ),
    ),
    veil.map((i) =>
      s("rect", {
        x: left - 0.5,
        y: y(i) + 1,
        width: width + 1,
        height: LINE - 2,
        fill: "var(--itt-paper)",
        opacity: 0.6,
      }),
    ),
    found.map(([a, c]) =>
      s("rect", {
        x: left - 1,
        y: y(a) + 1,
        width: width + 2,
        height: LINE * (c - a + 1) - 2,
        rx: 2,
        fill: "none",
        stroke: "var(--itt-ink)",
        "stroke-width": 2,
        "data-found": head,
      }),
    ),
  ];
}

/** What the colours mean. */
function legend(left, width, foot) {
  const y = foot + 14,
    step = 4;
  return [
    text(left, y, `−${FAR}`, TICK),
    cells(
      "div",
      range(20).map((k) => ({ x: left + 22 + k * step, y: y - 5, width: step + 0.05, height: 9, t: (k + 0.5) / 20 })),
    ),
    text(left + 26 + 20 * step, y, width < 160 ? `${FAR}` : `${FAR}: the states after the last layer`, TICK),
  ];
}

/** A few answers, the largest first, under what is asked and what the head reads. */
function bars(seen, x, width) {
  const y = TOP,
    { room: number, said } = amount(width),
    asked = wrapped(question(seen.head), width, 16), // px of its bold letters, 14, and a little more
    notes = [reads(seen), owns(seen)].flatMap((line) => wrapped(line, width, 12)),
    below = y + 18 * asked.length + 16 * notes.length + 12;
  const labels = seen.bars.map((one) => barName(seen, one)),
    start = 12 + Math.min(0.42 * width, Math.max(56, ...labels.map((name) => wide(name)))),
    room = width - number - start;
  const line = ({ p }, i) => {
    const mid = below + LINE * (i + 0.5);
    return [
      text(x + start - 12, mid, fitted(labels[i], start - 12), END),
      track(x + start, mid - BAR / 2, room, BAR),
      s("rect", { ...box(x + start, mid, Math.max(1, room * p)), fill: "var(--itt-w)" }),
      text(x + width, mid, said(p), END),
    ];
  };
  return {
    marks: [
      asked.map((words, i) => text(x, y + 8 + 18 * i, words, { "font-size": 14, ...BOLD })),
      notes.map((words, i) => text(x, y + 6 + 18 * asked.length + 16 * i, words, SMALL)),
      seen.bars.map(line),
    ],
    high: below + LINE * seen.bars.length + 6,
  };
}

/** How a share is written, and how much room it takes. */
const amount = (width) => ({ room: width < 260 ? 40 : NUMBER, said: short });

const box = (x, mid, width) => ({ x, y: mid - BAR / 2, width, height: BAR, rx: 2 });

/** A tag for each row, and how sure the head is of it. */
function tags(seen, x, width) {
  const { labels, token } = seen,
    { room: number, said } = amount(width),
    room = width - 52 - number,
    foot = below(seen, x, width);
  return {
    marks: [
      text(x, 8, "the tag of each row", TICK),
      labels.map(
        (one, i) =>
          one && [
            text(x, middle(i), one.name, { "font-size": 12, ...(i === token ? BOLD : {}) }),
            track(x + 52, middle(i) - BAR / 2, room, BAR),
            s("rect", {
              ...box(x + 52, middle(i), Math.max(1, room * one.p)),
              ...(i === token ? { fill: "var(--itt-w)" } : { fill: "var(--itt-w)", opacity: 0.45 }),
            }),
            text(x + width, middle(i), said(one.p), { ...END, "font-size": 12 }),
          ],
      ),
      foot.marks,
    ],
    high: foot.high,
  };
}

/** What the head has of its own, under an answer that has a line for each row; on a phone under the legend too. */
function below(seen, x, width) {
  const lines = wrapped(owns(seen), width, 11),
    y = TOP + LINE * seen.tokens.length + (width < PHONE ? 32 : 14);
  return { marks: lines.map((words, i) => text(x, y + 14 * i, words, TICK)), high: y + 14 * lines.length - 2 };
}

/** Two bars for each row of the first text: that the answer begins there, and that it ends there. */
function spans(seen, x, width) {
  const { bars, span } = seen,
    half = (width - 12) / 2,
    { room: number, said } = amount(half + 100),
    room = half - number,
    foot = below(seen, x, width);
  const bar = (left, mid, p, found) => [
    s("line", { x1: left, x2: left, y1: mid - BAR / 2, y2: mid + BAR / 2, stroke: "var(--itt-line)" }),
    track(left, mid - BAR / 2, room, BAR),
    s("rect", {
      ...box(left, mid, Math.max(1, room * p)),
      fill: "var(--itt-w)",
      ...(found ? {} : { opacity: 0.45 }),
    }),
    p >= 0.005 && text(left + half, mid, said(p), { ...END, "font-size": 12 }),
  ];
  return {
    marks: [
      ["begins", "ends"].map((word, i) =>
        text(x + i * (half + 12), 8, wide("begins here", 11) < half ? `${word} here` : word, TICK),
      ),
      bars.map(({ at, p, q }) => [
        bar(x, middle(at), p, at === span[0]),
        bar(x + half + 12, middle(at), q, at === span[1]),
      ]),
      foot.marks,
    ],
    high: foot.high,
  };
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
