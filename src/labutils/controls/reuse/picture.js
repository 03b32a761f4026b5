// The drawing, once: in the page, in the file that a reader saves and in the still picture.
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
  wide as wideOf,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, range, short } from "../look/words.js";
import { fate, view } from "./numbers.js";
import { asks, heading, readout, size, source, work } from "./words.js";

const CELL = 20,
  GAP = 3,
  NAMES = 46,
  BETWEEN = 36, // px
  BESIDE = 560, // px: from here on each grid has names of its own, and longer words stand in the legend
  AGAIN = "var(--itt-k)",
  FIRST = "var(--itt-q)",
  HEAVY = 1.12; // how much wider a text in bold is

export function picture(seen, width) {
  const wide = width >= BESIDE,
    between = wide ? BETWEEN : 14,
    names = wide ? NAMES : 0, // of the second grid
    room = (width - NAMES - between - names) / 2,
    left = grid(seen, NAMES, room, false),
    right = grid(seen, names, room, true),
    key = legend(width),
    half = wide ? (width - BETWEEN) / 2 : width,
    sums = meters(seen, half),
    query = keys(seen, half),
    at = (x, y) => ({ transform: `translate(${x} ${y})` });
  const below = left.high + 10,
    sumsAt = below + key.high + 18,
    queryAt = wide ? [half + BETWEEN, sumsAt] : [0, sumsAt + sums.high + 16];
  return drawing(
    width,
    Math.max(sumsAt + sums.high, queryAt[1] + query.high),
    left.marks,
    s("g", at(NAMES + room + between, 0), right.marks),
    s("g", at(0, below), key.marks),
    s("g", at(0, sumsAt), sums.marks),
    s("g", at(...queryAt), query.marks),
  );
}

/** Rows of the text, and a column for each step; their names stand in the first so many px. */
function grid({ tokens, start, steps, at, rows: now }, names, room, cached) {
  const n = tokens.length - 1,
    pitch = room / steps,
    computed = cached && at > 1 ? 1 : now,
    y = (row) => 38 + row * (CELL + GAP),
    x = (step) => names + step * pitch;
  const head = range(steps).map((i) =>
    text(x(i) + pitch / 2, 27, i + 1, {
      ...TICK,
      ...MIDDLE,
      ...(i === at - 1 ? { ...BOLD, fill: "var(--itt-ink)" } : {}),
    }),
  );
  const name = (row) =>
    row < now &&
    names > 0 &&
    text(names - 8, y(row) + CELL / 2, fitted(label(tokens[row]), names - 8, 12), {
      ...RIGHT,
      "font-size": 12,
      ...(row === now - 1 ? BOLD : {}),
    });
  const count = `${computed} ${computed === 1 ? "row" : "rows"}`,
    [long, short] = cached ? ["With a cache", "Cache"] : ["Without a cache", "No cache"],
    title = wideOf(long) + wideOf(count, 12) > names + room ? short : long;
  return {
    high: y(n),
    marks: [
      text(names ? 0 : 1, 7, title, BOLD),
      text(names + room, 7, count, { ...SMALL, ...RIGHT }),
      head,
      range(n).map(name),
      range(n).map((row) =>
        range(steps).map((i) =>
          cell(i < at ? fate(row, i, start, cached) : "ahead", x(i) + 1.5, y(row), pitch - 3, i < at - 1),
        ),
      ),
    ],
  };
}

/** One row in one step; what is past is paler. */
function cell(what, x, y, width, past = false) {
  const box = { x, y, width, height: CELL, rx: 2 };
  if (what === "ahead") return missing(x + 0.5, y + 0.5, width - 1, CELL - 1);
  if (what === "kept")
    return s("rect", {
      ...box,
      x: x + 1,
      y: y + 1,
      width: width - 2,
      height: CELL - 2,
      fill: "none",
      stroke: FIRST,
      "stroke-width": 2,
      opacity: past ? 0.5 : 1,
    });
  if (what === "first") return s("rect", { ...box, fill: FIRST, opacity: past ? 0.5 : 1 });
  const mid = [x + width / 2, y + CELL / 2],
    d = `M${mid[0] - 4} ${mid[1] - 4}l8 8m0 -8l-8 8`;
  return [
    s("rect", { ...box, fill: AGAIN, opacity: past ? 0.3 : 1 }),
    s("path", { d, fill: "none", "stroke-width": 1.5, stroke: past ? "var(--itt-ink)" : "var(--itt-paper)" }),
  ];
}

/** What the cells mean, in as many lines as it takes. */
function legend(width) {
  const told =
    width >= BESIDE
      ? [
          ["first", "computed for the first time"],
          ["again", "computed again, in vain"],
          ["kept", "kept, not computed again"],
        ]
      : [
          ["first", "first time"],
          ["again", "again, in vain"],
          ["kept", "kept"],
        ];
  let x = 0,
    y = 0;
  const marks = [...told, ["first", "an earlier step", true]].map(([what, words, past]) => {
    const room = CELL + 7 + wideOf(words, 12);
    if (x && x + room > width) [x, y] = [0, y + CELL + 8];
    const mark = [cell(what, x, y, CELL, past), text(x + CELL + 7, y + CELL / 2, words, SMALL)];
    x += room + 16;
    return mark;
  });
  return { high: y + CELL, marks };
}

/** What was done so far, as two bars each. */
function meters({ totals, at }, width) {
  const now = totals[at - 1],
    most = totals.at(-1),
    lines = [
      ["rows computed", now.rows, most.rows[0], String],
      ["operations", now.operations, most.operations[0], work],
      ["memory kept", [0, now.kept], most.kept, (x) => (x ? size(x) : "0")],
    ],
    names = 114,
    numbers = 84,
    room = width - names - numbers;
  const bar = (value, of, y, fill, words) => [
    track(names, y - 5, room, 10),
    s("rect", { x: names, y: y - 5, width: Math.max(value ? 1 : 0, (room * value) / of), height: 10, rx: 2, fill }),
    text(width, y, words(value), { ...RIGHT, "font-size": 12 }),
  ];
  return {
    high: 20 + 35 * lines.length,
    marks: [
      text(0, 6, "So far: without a cache above, with it below", SMALL),
      lines.map(([name, [without, cached], of, words], i) => {
        const y = 28 + 35 * i;
        return [text(0, y + 7, name), bar(without, of, y, AGAIN, words), bar(cached, of, y + 14, FIRST, words)];
      }),
    ],
  };
}

/** The newest query with all keys there are: a weight each. */
function keys(seen, width) {
  const { newest, tokens, rows } = seen,
    n = tokens.length - 1,
    left = width < 300 ? 64 : 76,
    pitch = Math.min(70, (width - left) / n),
    size = pitch < 30 ? 10 : 11; // a still picture of 330 px is 280 on the smallest phone
  const box = (i) => {
    const x = left + i * pitch;
    if (i >= rows) return missing(x + 1.5, 36.5, pitch - 4, 25);
    return [
      text(x + pitch / 2, 25, fitted(label(tokens[i]), pitch - 4, size + 1), {
        ...MIDDLE,
        "font-size": size + 1,
        fill: "var(--itt-k)",
        ...BOLD,
      }),
      s("rect", { x: x + 1, y: 36, width: pitch - 3, height: 26, rx: 2, fill: ramp("seq", newest[i]) }),
      text(x + pitch / 2, 49, short(newest[i]), {
        ...MIDDLE,
        "font-size": size,
        fill: inkOn("seq", newest[i]),
      }),
    ];
  };
  return {
    high: 64,
    marks: [
      text(0, 6, asks(seen), SMALL),
      text(left - 10, 49, asker(label(tokens[rows - 1]), left - 10), {
        ...RIGHT,
        ...BOLD,
        "font-size": 12,
        fill: "var(--itt-q)",
      }),
      range(n).map(box),
    ],
  };
}

/** The token that asks, as far as it has room: rather its letters than the words before it. */
const asker = (name, room) =>
  HEAVY * wideOf(`q of ${name}`, 12) <= room ? `q of ${name}` : fitted(`q ${name}`, room / HEAVY, 12);

/** At rest the model has written to the end. */
export function still(traits) {
  const seen = view(traits.finished, traits, !traits.placed);
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: readout(seen),
    source: source(seen),
  });
}
