// The chips of both tokenizers, and below them how one word was cut.
import { BOLD, drawing, END, MIDDLE, MUTED, SMALL, TICK, text, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { chosen, tints } from "./numbers.js";
import { keys, LONG, rankName, readout, sources, under, visible } from "./words.js";

const CHIP = 42,
  GAP = 6,
  ROWS = 9,
  STEP = 28,
  RANK = 62; // px, but for the rows
const MONO = { "font-family": "ui-monospace, Menlo, Consolas, monospace" };

export function picture({ lanes, text: given, side, piece, which }, width) {
  const colours = tints(lanes),
    marks = [];
  let y = 0;
  for (const [m, lane] of lanes.entries()) {
    const all = chips(lane, colours[m], which, given, y + 34, width);
    marks.push(
      text(0, y + 12, [
        s("tspan", { ...BOLD, "font-size": 15, text: LONG[lane.kind] }),
        s("tspan", { ...MUTED, text: `  of ${lane.title}` }),
      ]),
      text(width, y + 12, [s("tspan", { ...BOLD, "font-size": 15, text: lane.tokens.length }), " tokens"], END),
      all.marks,
    );
    y = all.low + 22;
  }
  for (const [kind, words] of keys(lanes)) {
    for (const [i, line] of wrapped(words, width - 30, 12).entries()) {
      marks.push(
        !i && s("rect", { x: 0.5, y: y - 0.5, width: 20, height: 13, rx: 3, ...ground(kind) }),
        text(28, y + 6, line, SMALL),
      );
      y += 18;
    }
  }
  const steps = how(lanes[side], piece, y + 12, width);
  return drawing(width, steps.low, marks, steps.marks);
}

/** The chips of one lane, line by line; those of one word stand closer. */
function chips(lane, colours, which, given, top, width) {
  const marks = [];
  let x = 0,
    y = top;
  lane.tokens.forEach((t, i) => {
    const name = visible(t.text),
      small = under(which, t, lane.kind, given),
      across = Math.min(width, Math.max(30, 14 + Math.max(7.6 * Array.from(name).length, 6.2 * small.length)));
    if (x && x + across > width) {
      x = 0;
      y += CHIP + GAP;
    }
    const kind = t.special ? "is-special" : t.unknown ? "is-unknown" : "";
    marks.push(
      s("rect", { x: x + 0.5, y: y + 0.5, width: across - 1, height: CHIP - 1, rx: 4, ...ground(kind, colours[i]) }),
      text(x + across / 2, y + 15, name, { ...MONO, ...MIDDLE, ...(t.bytes ? { "font-size": 12, ...MUTED } : {}) }),
      text(x + across / 2, y + 31, small, { ...TICK, ...MIDDLE, fill: "var(--itt-ink)" }),
    );
    x += across + (t.word !== null && lane.tokens[i + 1]?.word === t.word ? 1 : GAP);
  });
  return { marks, low: y + CHIP };
}

/** What a chip is drawn on, and its key. */
function ground(kind, tint) {
  if (kind === "is-unknown") return { fill: "none", stroke: "var(--itt-ink)", "stroke-dasharray": "3 3" };
  return { fill: tint ? `var(--itt-s${tint})` : "none", stroke: tint ? "none" : "var(--itt-edge)" };
}

/** The word of the token that is explained: a line for each merge, or for each piece that was found. */
function how(lane, piece, y, width) {
  const word = lane.words[lane.tokens[piece]?.word];
  if (!word?.steps.length) return { marks: [], low: y - 12 };
  const bpe = lane.kind === "bpe",
    before = (i) => word.steps[i - 1];
  const merge = ({ parts }, i) =>
    i ? [rankName(before(i).ranks[before(i).won]), parts, before(i).won] : ["bytes", parts, -1];
  const tried = (step, i) => [`piece ${i + 1}`, [step.found ?? "none fits"], 0];
  const rows = word.steps.map(bpe ? merge : tried).slice(-ROWS);
  const more = bpe ? ": in each line one more merge, by its place in the list" : "";
  const said = `How “${visible(word.text.trim() || word.text).replaceAll("·", " ")}” was cut${more}`;
  const title = wrapped(said, width),
    top = y + 20 * title.length + 10;
  const lines = rows.map(([name, parts, made], i) => [
    text(0, top + STEP * i + 12, name, SMALL),
    boxes(parts, made, top + STEP * i, width),
  ]);
  return {
    marks: [
      s("line", { x1: 0, x2: width, y1: y - 8, y2: y - 8, stroke: "var(--itt-line)" }),
      title.map((line, i) => text(0, y + 10 + 20 * i, line, BOLD)),
      lines,
    ],
    low: top + STEP * rows.length,
  };
}

/** The parts of a word in a row; the one that was made last stands out. Where there is no room, they get narrower. */
function boxes(parts, made, y, width) {
  const names = parts.map((part) => visible(part)),
    wish = names.map((name) => 12 + 7.6 * Array.from(name).length),
    room = width - RANK - 3 * (names.length - 1),
    by = Math.min(1, room / wish.reduce((sum, one) => sum + one, 0));
  let x = RANK;
  return names.map((name, i) => {
    const across = wish[i] * by,
      at = x;
    x += across + 3;
    return [
      s("rect", {
        x: at + 0.5,
        y: y + 0.5,
        width: across - 1,
        height: 23,
        rx: 3,
        fill: i === made ? "var(--itt-ink)" : "none",
        stroke: i === made ? "none" : "var(--itt-line)",
      }),
      text(at + across / 2, y + 12, name, {
        ...MONO,
        ...MIDDLE,
        "font-size": by < 1 ? 13 * Math.max(0.75, by) : 13,
        fill: i === made ? "var(--itt-paper)" : "var(--itt-ink)",
      }),
    ];
  });
}

export function still(traits) {
  const { lanes, text: given } = traits.finished,
    [side, piece] = chosen(lanes, traits.side, traits.piece),
    v = { lanes, text: given, side, piece, which: [0, 1, 2].includes(traits.under) ? traits.under : 0 };
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: lanes.map((lane) => LONG[lane.kind]).join(" and "),
    said: readout(lanes, given),
    source: sources(lanes),
  });
}
