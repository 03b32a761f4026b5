// The three maps, and below them the table of one query: its direction, score and weight for each key.
import {
  BOLD,
  cells,
  drawing,
  END,
  fitted,
  hatched,
  MIDDLE,
  MUTED,
  missing,
  SMALL,
  TICK,
  text,
  wide,
} from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, num, range } from "../look/words.js";
import { finished } from "../steps/numbers.js";
import { heading, PAGE, view } from "./numbers.js";
import { ROLES, said } from "./words.js";

const LINE = 22,
  BESIDE = 600; // px; from this width on, the maps stand side by side

export function picture(v, width) {
  const names = v.tokens.map((token, j) => `${label(token)} ${j}`),
    left = 10 + Math.min(0.3 * width, Math.max(...names.map((name) => wide(name, 12))));
  const beside = width >= BESIDE,
    across = beside ? (width - left - 40) / 3 : width - left,
    high = 30 + LINE * v.tokens.length + 34;
  const maps = Object.keys(ROLES).map((name, i) =>
    map(name, v, { x: beside ? left + i * (across + 20) : left, y: beside ? 0 : i * high, width: across }),
  );
  const rows = (top) =>
    names.map((name, j) =>
      text(left - 10, top + LINE * (j + 0.5), fitted(name, left - 10, 12), {
        "font-size": 12,
        ...END,
        ...(j === v.i ? { ...BOLD, fill: "var(--itt-q)" } : {}),
      }),
    );
  const beneath = (beside ? 1 : 3) * high + 12,
    low = table(v, names, left, beneath, width);
  return drawing(
    width,
    low.high,
    (beside ? [0] : [0, 1, 2]).map((i) => rows(30 + i * high)),
    maps,
    low.marks,
  );
}

function map(name, { head, page, columns, tokens, i }, { x, y, width }) {
  const values = head[name],
    far = values.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1,
    side = width / columns,
    top = y + 30,
    foot = top + tokens.length * LINE;
  const at = (k) => ({ x: x + (k % columns) * side, y: top + Math.floor(k / columns) * LINE }),
    value = (k) => values[Math.floor(k / columns) * head.d + page * PAGE + (k % columns)];
  return s(
    "g",
    {},
    text(x, y + 10, [s("tspan", { ...BOLD, text: name }), ` ${ROLES[name]}`], { fill: `var(--itt-${name})` }),
    cells(
      "div",
      range(tokens.length * columns).map((k) => ({
        ...at(k),
        width: side - 0.5,
        height: LINE - 0.5,
        t: 0.5 + value(k) / far / 2,
      })),
    ),
    name === "q" &&
      s("rect", {
        x: x - 1,
        y: top + i * LINE - 1,
        width: width + 1,
        height: LINE + 1,
        fill: "none",
        stroke: "var(--itt-ink)",
        "stroke-width": 2,
        rx: 2,
      }),
    [
      [x, num(-far, 1), {}],
      [x + width / 2, "0", MIDDLE],
      [x + width, num(far, 1), END],
    ].map(([at, number, more]) => text(at, foot + 12, number, { ...TICK, ...more })),
  );
}

/** One line for each key: cosine, length, score and weight as numbers, the first and the last two also as bars. */
function table({ m, tokens, head: { d } }, names, left, top, width) {
  const narrow = width < BESIDE,
    room = width - left,
    places = narrow ? [0.17, 0.36, 0.57] : [0.3, 0.44, 0.72],
    [cos, len, score] = places.map((t) => left + t * room),
    far = Math.max(...m.score.map(Math.abs)) || 1;
  const bar = narrow ? 0 : 0.27 * room - 60,
    titles = narrow
      ? ["cosine", "length", "score", "weight w"]
      : ["cosine of q and k", "length of k", `score q · k ÷ √${d}`, "weight w"];
  const signed = (x, y, t) =>
    bar &&
    s(
      "g",
      {},
      s("line", { x1: x + bar / 2, x2: x + bar / 2, y1: y - 8, y2: y + 8, stroke: "var(--itt-edge)" }),
      s("rect", {
        x: x + (bar / 2) * (1 + Math.min(0, t)),
        y: y - 5,
        width: Math.max(0.5, (bar / 2) * Math.abs(t)),
        height: 10,
        fill: "var(--itt-muted)",
      }),
    );
  const row = (name, j) => {
    const y = top + 24 + LINE * (j + 0.5),
      off = m.masked[j],
      plain = { "font-size": 12, ...END, ...(off ? MUTED : {}) },
      from = score + 18,
      room = width - from - 52;
    return [
      text(left - 10, y, fitted(name, left - 10, 12), plain),
      Number.isNaN(m.cosine[j]) ? bar > 0 && missing(left, y - 5, bar, 10) : signed(left, y, m.cosine[j]),
      text(cos, y, Number.isNaN(m.cosine[j]) ? "none" : num(m.cosine[j]), plain),
      text(len, y, num(m.lengths[j]), plain),
      signed(len + 16, y, m.score[j] / far),
      text(score, y, num(m.score[j]), plain),
      off
        ? hatched(from, y - 6, room, 12)
        : s("rect", {
            x: from,
            y: y - 6,
            width: Math.max(1, room * m.weight[j]),
            height: 12,
            rx: 2,
            fill: "var(--itt-w)",
          }),
      text(width, y, off ? "masked" : num(m.weight[j], 3), plain),
    ];
  };
  return {
    high: top + 24 + LINE * tokens.length + 8,
    marks: [[cos, len, score, width].map((x, i) => text(x, top + 8, titles[i], { ...SMALL, ...END })), names.map(row)],
  };
}

export function still(traits) {
  const seen = finished({ get: (name) => traits[name] }),
    v = view(seen, traits);
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: heading(v),
    said: said(v),
    source: seen.info.label,
  });
}
