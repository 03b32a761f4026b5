// The picture that a reader takes along: one row for each key, from the score to the weighted value.
import { s, label, num } from "../look/kit.js";
import { columns, hatch } from "../look/marks.js";
import { reach, row } from "./attend.js";
import { shown } from "./words.js";

const X = { token: 0, key: 90, score: 300, weight: 330, bar: 180, number: 560, value: 580, end: 720 };

export function picture({ head, how, c, tokens }, title) {
  const { n, d, k, v } = head, far = reach(c.query, k), wide = reach(v), masked = hatch(), line = 28, top = 96;
  const text = (x, y, words, more = {}) => s("text", { x, y, "font-size": 13, fill: "var(--itt-ink)", "dominant-baseline": "central", text: words, ...more });
  const vector = (x, y, width, values, of, fill, height = 24) =>
    s("path", { d: columns(values, of, height, width / d), fill, transform: `translate(${x} ${y - height / 2})` });
  const end = { "text-anchor": "end" }, muted = { fill: "var(--itt-muted)", "font-size": 12 };
  const rows = tokens.map((token, j) => {
    const y = top + line * j, off = c.kept[j] === -Infinity;
    return [
      text(X.token, y, `${label(token, 10)} ${j}`, off ? muted : {}), vector(X.key, y, 140, row(k, d, j), far, "var(--itt-k)"),
      text(X.score, y, off ? "−∞" : shown(c.kept[j]), end),
      off ? s("rect", { x: X.weight, y: y - 6, width: X.bar, height: 12, fill: masked.fill }) : s("rect", { x: X.weight, y: y - 6, width: Math.max(1, X.bar * c.w[j]), height: 12, fill: "var(--itt-w)" }),
      text(X.number, y, off ? "masked" : num(c.w[j], 3), { ...end, ...(off ? muted : {}) }),
      off ? null : vector(X.value, y, 140, Array.from(row(v, d, j), (x) => x * c.w[j]), wide, "var(--itt-v)"),
    ];
  });
  const y = top + line * n + 14;
  return s("svg", { viewBox: `0 0 ${X.end} ${y + 34}` }, masked.el,
    text(0, 14, title, { "font-weight": 650, "font-size": 15 }),
    text(0, 46, `${label(tokens[how.i], 10)} ${how.i} asks`, { fill: "var(--itt-q)", "font-weight": 650 }), vector(X.key, 46, 140, c.query, far, "var(--itt-q)", 34),
    text(X.key, 76, "key k", muted), text(X.score, 76, "score", { ...muted, ...end }), text(X.weight, 76, "weight w", muted), text(X.value, 76, "w · value v", muted),
    rows, text(X.number, y, "z, the output", { ...end, "font-weight": 650 }), vector(X.value, y, 140, c.z, wide, "var(--itt-ink)", 34));
}
