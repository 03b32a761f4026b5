// The map of one head as a picture to take along: every label, the legend, the masked cells hatched.
import { s, label, range } from "../look/kit.js";
import { hatch } from "../look/marks.js";

export function picture({ reading, tokens, values, top, causal }, title, unit, fill) {
  const { n } = reading, side = n > 24 ? 14 : 28, left = 110, head = 96, mask = hatch(), end = left + n * side, foot = head + n * side + 20;
  const text = (x, y, words, more = {}) => s("text", { x, y, "font-size": 12, fill: "var(--itt-muted)", text: words, ...more });
  const cell = (i, j) => s("rect", { x: left + j * side + 0.5, y: head + i * side + 0.5, width: side - 1, height: side - 1, rx: 1.5, fill: causal && j > i ? mask.fill : fill(values[i * n + j] / top) });
  const bar = range(9).map((k) => s("rect", { x: left + k * 16, y: foot, width: 16, height: 10, fill: `var(--itt-seq-${k})` }));
  return s("svg", { viewBox: `0 0 ${Math.max(end + 40, 420)} ${foot + 40}` }, mask.el,
    text(0, 16, title, { "font-size": 15, "font-weight": 650, fill: "var(--itt-ink)" }),
    tokens.map((t, i) => text(left - 8, head + (i + 0.5) * side, label(t, 14), { "text-anchor": "end", "dominant-baseline": "central" })),
    tokens.map((t, j) => text(0, 0, label(t, 12), { transform: `translate(${left + (j + 0.5) * side + 3} ${head - 8}) rotate(-40)` })),
    range(n * n).map((k) => cell(Math.floor(k / n), k % n)),
    bar, text(left - 8, foot + 9, unit, { "text-anchor": "end" }), text(left, foot + 26, "0", { "font-size": 11 }), text(left + 144, foot + 26, String(top), { "font-size": 11, "text-anchor": "end" }));
}
