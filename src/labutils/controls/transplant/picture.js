// The whole grid with all places tried and the line in which the answer travels, and the answers beside it: for a file,
// for paper, and before a script has run.
import {
  BOLD,
  drawing,
  fitted,
  inkOn,
  MIDDLE,
  missing,
  END as RIGHT,
  ramp,
  SMALL,
  TICK,
  text,
  track,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { index, label, range, short } from "../look/words.js";
import { levels, placeOf, travels, triedOf, way } from "./numbers.js";
import { asked, beside, column, gridTitle, heading, percent, readout, said, titles } from "./words.js";

const CELL = 26,
  GAP = 3,
  ATTENTION = 16, // px between the two levels of one layer
  BARS = 210,
  SIDE = 28;

/** Where the rows of the grid stand: y of each level, from the last at the top to level 0, and the height. */
export function rowsAt({ L }, cell = CELL) {
  const y = [];
  let at = 0;
  for (let level = 2 * L; level >= 0; level--) {
    y[level] = at;
    at += cell + (level % 2 ? ATTENTION : GAP);
  }
  return { y, height: at - GAP };
}

export function picture(view, width) {
  const { reading } = view,
    both = width >= 560,
    room = both ? width - BARS - SIDE : width,
    left = both ? 96 : 56,
    cell = (room - left) / reading.n,
    at = rowsAt(reading),
    grid = gridOf(view, { left, cell, ...at, short: !both });
  const bars = barsOf(view, both ? BARS : width);
  const below = at.height + 74,
    moved = both ? `translate(${width - BARS} 0)` : `translate(0 ${below})`;
  return drawing(
    width,
    both ? Math.max(at.height + 66, bars.height) : below + bars.height,
    text(0, 6, gridTitle(view), SMALL),
    s("g", { transform: "translate(0 22)" }, grid),
    s("g", { transform: moved }, bars.marks),
  );
}

function gridOf(view, { left, cell, y, height, short }) {
  const { reading, tried, looking, lens } = view,
    known = new Set(tried);
  const box = (level, token) => {
    const place = placeOf(level, token),
      x = left + token * cell,
      one = looking ? lens?.[level]?.[token] : known.has(place) && reading.places[place];
    if (!one) return missing(x + 1, y[level] + 1, cell - 2, CELL - 2);
    const t = looking ? one.p : way(reading, place),
      words = looking ? fitted(said(one), cell - 4, 10) : percent(t);
    return [
      s("rect", { x: x + 0.5, y: y[level], width: cell - 1, height: CELL, rx: 2, fill: ramp("seq", t) }),
      (!looking || cell >= 34) &&
        text(x + cell / 2, y[level] + CELL / 2, words, {
          ...MIDDLE,
          "font-size": looking ? 10 : 11,
          fill: inkOn("seq", t),
        }),
    ];
  };
  return [
    range(levels(reading)).map((level) => [
      text(left - 8, y[level] + CELL / 2, beside(level, reading.L, short), { ...TICK, ...RIGHT }),
      range(reading.n).map((token) => box(level, token)),
    ]),
    travels(reading, tried).map(({ layer, from, to }) => line({ layer, from, to }, { left, cell, y })),
    range(reading.n).map((token) => names(view, token, { left, cell, height })),
  ];
}

/** The line in the attention of a layer, from the row that had the answer to the row that gets it. */
function line({ layer, from, to }, { left, cell, y }) {
  return s("path", {
    d: pathOf([left + (from + 0.5) * cell, left + (to + 0.5) * cell], y[2 * layer], y[2 * layer + 1] + CELL),
    fill: "none",
    stroke: "var(--itt-ink)",
    "stroke-width": 2,
  });
}
/** Up from one cell, along the attention, up to the other. */
export function pathOf([from, to], low, high) {
  const mid = (low + high) / 2,
    turn = Math.min(5, Math.abs(low - high) / 2),
    way = to > from ? turn : -turn;
  return (
    `M${from} ${low}V${mid + turn}Q${from} ${mid} ${from + way} ${mid}` +
    `H${to - way}Q${to} ${mid} ${to} ${mid - turn}V${high}`
  );
}

function names({ reading: { tokens, theirs } }, token, { left, cell, height }) {
  const x = left + (token + 0.5) * cell,
    differs = tokens[token] !== theirs[token],
    bold = differs ? BOLD : {};
  const name = (words, dy) =>
    text(x, height + 12 + dy, fitted(label(column(words)), cell, 11), { ...MIDDLE, "font-size": 11, ...bold });
  return [name(tokens[token], 0), differs && name(theirs[token], 14)];
}

function barsOf({ reading, at }, width) {
  const { ones, k } = reading,
    top = ceiling(ones),
    from = 92,
    room = width - from - 40;
  let y = 24;
  const marks = [text(0, 6, asked(reading), SMALL)];
  for (const [side, words] of titles(reading).entries()) {
    marks.push(text(0, y + 6, words, SMALL));
    y += 20;
    for (const one of ones.filter(({ a, b }) => Number(b > a) === side)) {
      const i = ones.indexOf(one),
        p = at ? at.p[i] : one.a;
      marks.push(
        text(0, y + 8, fitted(said(one), from - 8, 13), i === k ? BOLD : {}),
        track(from, y + 2, room, 12),
        s("rect", { x: from, y: y + 2, width: Math.max(1, (room * p) / top), height: 12, fill: "var(--itt-w)" }),
        s("rect", { x: from + (room * one.a) / top - 1, y, width: 2, height: 16, fill: "var(--itt-ink)" }),
        text(width, y + 8, short(p), { ...RIGHT }),
      );
      y += 22;
    }
    y += 8;
  }
  return { marks, height: y };
}
/** The end of the bars’ axis. */
export function ceiling(ones) {
  const most = Math.max(...ones.flatMap(({ a, b }) => [a, b]));
  return [0.05, 0.1, 0.25, 0.5, 1].find((end) => most <= end * 0.999) ?? 1;
}

/** At rest everything that is known is shown: as a rule all places, and the line. */
export function still(traits) {
  const { finished } = traits,
    [level, token] = [index(traits.level, levels(finished)), index(traits.token, finished.n)],
    tried = triedOf("all", finished).filter((place) => finished.places[place]); // of a large model few
  const view = {
    ...{ reading: finished, level, token, carried: traits.carried, lens: finished.lens ?? null },
    ...{ looking: traits.view === "lens", tried, focus: [level, token] },
    at: traits.carried ? finished.places[placeOf(level, token)] : null,
  };
  return framed(traits, {
    draw: (width) => picture(view, width),
    name: heading(view),
    said: readout(view),
    source: finished.info.label,
  });
}
