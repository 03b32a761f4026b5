// The curve of a run: nats a token over the tokens that were read, on an axis that doubles, with the lines to pass.
import { drawing, END, MIDDLE, TICK, text } from "../look/draw.js";
import { s } from "../look/markup.js";
import { num } from "../look/words.js";
import { LOSS, REFERENCES } from "./numbers.js";

export const HIGH = 284;
const TOP = 26,
  FOOT = 258,
  LEFT = 26,
  LEAST = 300; // px, and tokens at the left end
const HALO = { stroke: "var(--itt-paper)", "stroke-width": 6, "stroke-linejoin": "round", "paint-order": "stroke" },
  NARROW = 520; // px

/**
 * Where things stand at this width.
 * @param {number} width
 * @param {boolean} far whether there is room for the tokens of a larger run
 */
export function places(width, far) {
  const right = width - 4,
    most = far ? 5e7 : 1e6,
    span = Math.log(most / LEAST);
  return {
    ...{ width, right, far, left: LEFT, top: TOP, foot: FOOT, narrow: width < NARROW },
    x: (tokens) => LEFT + ((right - LEFT) * Math.log(Math.max(LEAST, tokens) / LEAST)) / span,
    y: (nats) => FOOT - ((FOOT - TOP) * Math.min(nats, LOSS + 0.4)) / LOSS,
    nats: (y) => (LOSS * (FOOT - y)) / (FOOT - TOP),
  };
}

const path = (points, p) =>
  points.map(({ tokens, loss }, i) => `${i ? "L" : "M"}${p.x(tokens).toFixed(1)} ${p.y(loss).toFixed(1)}`).join("");
const level = (y, p, more) => s("line", { x1: p.left, x2: p.right, y1: y, y2: y, ...more });

/** Axes, and once the guess is placed the lines with their names. */
export function back({ lines, placed }, p) {
  const ticks = (p.narrow && p.far ? [1e3, 1e5, 1e7] : [1e3, 1e4, 1e5, 1e6, 1e7]).filter((n) => p.far || n <= 1e6),
    short = (n) => (p.narrow || p.far ? (n >= 1e6 ? `${n / 1e6} million` : `${n / 1e3}k`) : n.toLocaleString("en"));
  return [
    [0, 2, 4, 6, 8].map((nats) => [
      level(p.y(nats), p, { stroke: "var(--itt-line)" }),
      text(p.left - 8, p.y(nats), String(nats), { ...TICK, ...END }),
    ]),
    ticks.map((n, i) =>
      text(p.x(n), p.foot + 18, i === ticks.length - 1 && !p.far ? (p.narrow ? "1 million" : "1,000,000") : short(n), {
        ...TICK,
        ...(i === ticks.length - 1 && !p.far ? END : MIDDLE),
      }),
    ),
    placed &&
      REFERENCES.map(([name]) => level(p.y(lines[name]), p, { stroke: "var(--itt-edge)", "stroke-dasharray": "4 4" })),
    placed && level(p.y(lines.floor), p, { stroke: "var(--itt-v)", "stroke-width": 2 }),
  ];
}

/** The names of the lines: the curve comes down from the left, so those above stand right and those below left. */
function names({ lines, placed }, p) {
  if (!placed) return [];
  const said = (name, words, side, down, more) =>
    text(side ? p.right : p.left + 6, p.y(lines[name]) + down, `${words}, ${num(lines[name])}`, {
      "font-size": 12,
      fill: "var(--itt-muted)",
      ...(side ? END : {}),
      ...HALO,
      ...more,
    });
  return [
    REFERENCES.map(([name, words, brief], k) =>
      said(
        name,
        name === "blind" ? `${p.narrow ? brief : "a blind guess among 1,000"}, ln V` : p.narrow ? brief : words,
        k < 2,
        name === "triples" ? 9 : -8, // the line of pairs is near above it
      ),
    ),
    said("floor", p.narrow ? "exact floor" : "the exact floor: what the grammar itself leaves open", false, 11, {
      fill: "var(--itt-v)",
      "font-weight": 650,
    }),
  ];
}

/** The runs: batches pale, the run before in grey, the present one with its points and its last number. */
export function front(v, p) {
  const { points, at, paces, before, larger, picked, changes } = v,
    now = points[at],
    gone = now && now.loss > LOSS + 0.3,
    drawn = points.slice(0, at + 1);
  return [
    paces.map(({ tokens, loss }) =>
      s("circle", { cx: p.x(tokens), cy: p.y(loss), r: 1.6, fill: "var(--itt-c1)", opacity: 0.28 }),
    ),
    p.far && [
      s("path", { d: path(larger.points, p), fill: "none", stroke: "var(--itt-c4)", "stroke-width": 1.5 }),
      text(p.x(larger.points[0].tokens) + 8, p.y(larger.points[0].loss), p.narrow ? larger.brief : larger.name, {
        ...HALO,
        "font-size": 12,
        "font-weight": 600,
        fill: "var(--itt-c4)",
      }),
      picked && s("circle", { cx: p.x(picked.tokens), cy: p.y(picked.loss), r: 4.5, fill: "var(--itt-c4)" }),
    ],
    before.length > 1 &&
      s("path", { d: path(before, p), fill: "none", stroke: "var(--itt-ghost)", "stroke-width": 1.5 }),
    names(v, p),
    changes.map(({ tokens, words }, i) => [
      s("path", { d: `M${p.x(tokens).toFixed(1)} ${p.foot}v7`, stroke: "var(--itt-ink)", "stroke-width": 1.5 }),
      i === changes.length - 1 &&
        text(p.x(tokens), p.foot - 10, words, { ...(p.x(tokens) > p.width / 2 ? END : {}), ...HALO, "font-size": 11 }),
    ]),
    drawn.length > 1 && [
      s("path", {
        d: path(drawn, p),
        fill: "none",
        stroke: "var(--itt-c1)",
        "stroke-width": 2,
        "stroke-linejoin": "round",
      }),
      drawn.map(({ tokens, loss }) => s("circle", { cx: p.x(tokens), cy: p.y(loss), r: 2, fill: "var(--itt-c1)" })),
    ],
    now && s("circle", { cx: p.x(now.tokens), cy: p.y(now.loss), r: 4.5, fill: "var(--itt-c1)" }),
    now && value(now, gone, drawn.length > 1, p),
  ];
}

function value({ tokens, loss }, gone, moved, p) {
  const x = p.x(tokens),
    more = { "font-weight": 650, fill: "var(--itt-c1)", ...HALO };
  if (gone)
    return text(x, p.top - 14, `↑ ${num(loss, 1)}: above the chart`, { ...more, ...(x > p.width / 2 ? END : {}) });
  const room = p.right - x > 40;
  return text(room ? x + 9 : p.right, p.y(loss) + (room && moved ? 0 : -14), num(loss), {
    ...more,
    ...(room ? {} : END),
  });
}

/** The guess: a line over the whole width, what it says, and before it is placed a handle. */
export function guess({ line, placed, moved }, p) {
  const y = p.y(line),
    x = p.left + (p.right - p.left) * 0.52,
    words = placed
      ? `your guess, ${num(line)}`
      : p.narrow
        ? `drag: ${num(line)}`
        : `drag me: it will stop at ${num(line)}`,
    style = { ...HALO, "font-weight": 600, "font-size": 12 };
  return [
    level(y, p, { stroke: "var(--itt-ink)", "stroke-width": 1.5 }),
    placed
      ? text(p.right, y + (moved < 0 ? 13 : -12), words, { ...style, ...END })
      : text(x, y - 20, words, { ...style, ...MIDDLE }),
    !placed &&
      s("circle", {
        cx: x,
        cy: y,
        r: p.narrow ? 11 : 8,
        fill: "var(--itt-paper)",
        stroke: "var(--itt-ink)",
        "stroke-width": 2,
      }),
  ];
}

/** The whole chart, as a picture. */
export const chart = (v, width) => {
  const p = places(width, v.beside);
  return drawing(width, HIGH, back(v, p), v.guessed && guess(v, p), front(v, p));
};
