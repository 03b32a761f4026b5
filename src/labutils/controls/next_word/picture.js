// The picture that a reader takes along: the most probable tokens as bars.
import { s, label } from "../look/kit.js";
import { END, bits, rowName, share } from "./words.js";

const X = { bar: 140, end: 640, number: 720 }, LINE = 26;

export function picture({ text, steps, top, info, entropy }, most) {
  const shown = top.slice(0, most), rest = info.vocab - shown.length, left = Math.max(0, 1 - shown.reduce((sum, one) => sum + one.p, 0));
  const words = (x, y, content, more = {}) => s("text", { x, y, "font-size": 13, fill: "var(--itt-ink)", "dominant-baseline": "central", text: content, ...more });
  const said = label([text, ...steps.map((step) => (step.token === END ? "" : step.token.replaceAll("␣", " ")))].join(""), 90);
  const wide = X.end - X.bar, y = (i) => 70 + i * LINE;
  const rows = [...shown.map((one) => [rowName(one.token), one.p, false]), ...(rest > 0 ? [[`${rest.toLocaleString("en")} others`, left, true]] : [])].map(([name, p, hollow], i) => [
    words(X.bar - 12, y(i), name, { "text-anchor": "end" }),
    s("rect", { x: X.bar, y: y(i) - 7, width: Math.max(1, wide * p), height: 14, fill: hollow ? "none" : "var(--itt-w)", stroke: "var(--itt-w)" }),
    words(X.number, y(i), share(p), { "text-anchor": "end" })]);
  const foot = y(rows.length) + 4;
  return s("svg", { viewBox: `0 0 ${X.number} ${foot + 30}` }, words(0, 14, `After “${said}”`, { "font-weight": 650, "font-size": 15 }),
    words(0, 40, `Probability of each next token. Entropy ${bits(entropy)} bits. ${info.label}`, { fill: "var(--itt-muted)", "font-size": 12 }),
    [0, 0.5, 1].map((t) => [s("line", { x1: X.bar + wide * t, x2: X.bar + wide * t, y1: 56, y2: foot - 10, stroke: "var(--itt-line)" }), words(X.bar + wide * t, foot + 4, String(t), { "text-anchor": "middle", fill: "var(--itt-muted)", "font-size": 11 })]), rows);
}
