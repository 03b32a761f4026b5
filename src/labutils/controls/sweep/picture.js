// The picture that a reader takes along: bars, curves, or both, at the position that is shown.
import { s, label } from "../look/kit.js";
import { hatch } from "../look/marks.js";
import { drawing, parts } from "./plot.js";
import { kindOf, shown } from "./words.js";

const WIDE = 720, LINE = 26, X = { bar: 150, end: 640 };

export function picture(v, title) {
  const mask = hatch(), words = (x, y, text, more = {}) => s("text", { x, y, text, "font-size": 13, fill: "var(--itt-ink)", "dominant-baseline": "central", ...more });
  const where = v.over.map((one, k) => `${one.label} ${one.values[v.at[k]]}`).join(", ");
  const bars = v.bars ? v.bars.labels.flatMap((name, i) => row(v.bars, label(name), v.bars.values[i], 66 + LINE * i, words, mask)) : [];
  const top = 66 + (v.bars ? LINE * v.bars.labels.length : 0), graph = v.curves && parts(v, WIDE);
  const unit = v.bars?.unit && words(X.bar, 46, v.bars.unit, { fill: "var(--itt-muted)", "font-size": 12 });
  return s("svg", { viewBox: `0 0 ${WIDE} ${top + (graph ? graph.high + 20 : 0)}` }, mask.el, words(0, 12, title, { "font-weight": 650, "font-size": 15 }),
    words(0, 32, where, { fill: "var(--itt-muted)", "font-size": 12 }), unit, bars,
    graph && s("g", { transform: `translate(0 ${top + 12})` }, graph.unit && words(graph.left, -6, graph.unit, { fill: "var(--itt-muted)", "font-size": 12 }), ...drawing(graph).flat(Infinity).filter(Boolean)));
}

function row({ axis: { low, high }, decimals }, name, x, y, words, mask) {
  const wide = X.end - X.bar, place = (value) => X.bar + (wide * (value - low)) / (high - low || 1), kind = kindOf(x);
  const [a, b] = [place(0), kind ? X.end : place(x)].sort((p, q) => p - q);
  const bar = { is_masked: { fill: mask.fill }, is_missing: { fill: "none", stroke: "var(--itt-ghost)", "stroke-dasharray": "3 3" } }[kind.replace("-", "_")] ?? { fill: "var(--itt-w)" };
  return [words(X.bar - 12, y, name, { "text-anchor": "end" }), s("rect", { x: kind ? X.bar : a, y: y - 7, width: Math.max(1, kind ? wide : b - a), height: 14, ...bar }), words(WIDE, y, shown(x, decimals), { "text-anchor": "end" })];
}
