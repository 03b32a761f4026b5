// The picture that a reader takes along: the three maps, and below them the table of one query.
import { s, label, num, range } from "../look/kit.js";
import { hatch } from "../look/marks.js";
import { PAGE } from "./maps.js";
import { ROLES } from "./words.js";

const LEFT = 90, SIDE = 13, LINE = 22, GAP = 20;

export function picture({ head, page, columns, tokens, m }, title, fill) {
  const n = tokens.length, wide = columns * SIDE, mask = hatch(), foot = 60 + n * LINE, width = Math.max(720, LEFT + 3 * wide + 2 * GAP);
  const text = (x, y, words, more = {}) => s("text", { x, y, "font-size": 12, fill: "var(--itt-ink)", "dominant-baseline": "central", text: words, ...more }), end = { "text-anchor": "end" }, muted = { fill: "var(--itt-muted)" };
  const maps = Object.entries(ROLES).map(([name, words], m) => {
    const values = head[name], far = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1, x0 = LEFT + m * (wide + GAP);
    return [text(x0, 44, `${name} ${words}`, { fill: `var(--itt-${name})`, "font-weight": 650 }),
      range(n * columns).map((k) => s("rect", { x: x0 + (k % columns) * SIDE, y: 60 + Math.floor(k / columns) * LINE, width: SIDE - 0.5, height: LINE - 0.5, fill: fill(0.5 + values[Math.floor(k / columns) * head.d + page * PAGE + (k % columns)] / far / 2) })),
      text(x0, foot + 12, num(-far, 1), muted), text(x0 + wide / 2, foot + 12, "0", { ...muted, "text-anchor": "middle" }), text(x0 + wide, foot + 12, num(far, 1), { ...muted, ...end })];
  });
  const X = { cos: 240, len: 340, score: 460, bar: 490, w: 720 }, top = foot + 48;
  const rows = tokens.map((token, j) => [text(LEFT - 10, 60 + (j + 0.5) * LINE, `${label(token, 10)} ${j}`, end), line(token, j, top + (j + 1) * LINE)]);
  function line(token, j, y) {
    const off = m.masked[j];
    return [text(LEFT - 10, y, `${label(token, 10)} ${j}`, { ...end, ...(off ? muted : {}) }), text(X.cos, y, Number.isNaN(m.cosine[j]) ? "none" : num(m.cosine[j]), end), text(X.len, y, num(m.lengths[j]), end), text(X.score, y, num(m.score[j]), end),
      s("rect", { x: X.bar, y: y - 6, width: off ? 160 : Math.max(1, 160 * m.weight[j]), height: 12, fill: off ? mask.fill : "var(--itt-w)" }), text(X.w, y, off ? "masked" : num(m.weight[j], 3), end)];
  }
  return s("svg", { viewBox: `0 0 ${width} ${top + (n + 1) * LINE}` }, mask.el, text(0, 14, title, { "font-weight": 650, "font-size": 15 }), maps, rows,
    [["cos", "cosine"], ["len", "length of k"], ["score", "score"], ["w", "weight"]].map(([x, words]) => text(X[x], top, words, { ...end, ...muted })));
}
