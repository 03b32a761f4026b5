// Numbers and sentences of a sweep.
import { b } from "../look/markup.js";
import { num, symbols } from "../look/words.js";

const SUPER = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const NUDGE = 1 + 1e-9; // 1/16 is written alike here and in Python, whether its last bit fell or not

/** Fixed decimals with commas between thousands and a true minus. */
function fixed(x, decimals) {
  const text = Math.abs(x * NUDGE).toFixed(decimals),
    [whole, part] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
  return x < 0 && +text !== 0 ? `−${grouped}` : grouped;
}

/** A number with so many digits that count; very large and very small ones with a power of ten. */
export function significant(x, digits = 3) {
  if (!x) return "0";
  const power = Math.floor(Math.log10(Math.abs(x)) + 1e-12);
  if (power > -4 && power < 6) return fixed(x, Math.max(0, digits - 1 - power));
  return `${num((x / 10 ** power) * NUDGE, digits - 1)} × 10${Array.from(String(power), (c) => SUPER[c]).join("")}`;
}

/** A number as the readout and the bars write it; −1 decimals are three digits that count. */
export function shown(x, decimals) {
  if (Number.isNaN(x)) return "missing";
  if (x === -Infinity) return "masked";
  if (x === Infinity) return "off the chart";
  if (decimals < 0) return significant(x);
  if (x > 0 && x < 0.5 * 10 ** -decimals) return `<${(10 ** -decimals).toFixed(decimals)}`;
  return fixed(x, decimals);
}

/** A height of a curve as it is written; one that the axis does not reach down to says so. */
export const height = (x, { bottom: [least, word] = [], decimals }) =>
  x < least && x !== -Infinity ? `below ${word}` : shown(x, decimals);

/** A sentence of the author: `**word**` is bold, `*s*` a symbol, everything else is text. */
export const bold = (text) =>
  text
    .split(/\*\*(.+?)\*\*/)
    .flatMap((part, i) => (i % 2 ? b(symbols(part)) : symbols(part)))
    .filter((part) => part !== "");

/** The number of a bar; of probabilities one that is not all is not written as all. */
export const ofBar = (x, { decimals, unit }) =>
  unit === "probability" && decimals > 0 && x < 1 && x >= 1 - 0.5 * 10 ** -decimals
    ? `>${(1 - 10 ** -decimals).toFixed(decimals)}`
    : shown(x, decimals);

// a number of these counts nothing: nobody says "0.97 cosine"
const ALONE = /^(activation|probability|cosine|correlation|length|loss|share|value)\b/;
/** What stands after a number: what it counts, or nothing. */
export const unitAfter = (unit) => (unit && !ALONE.test(unit) ? ` ${unit}` : "");

/** The numbers as a sentence, for a sweep without sentences of its own. */
export function automatic({ over, at, bars, curves, matrix }, ranges) {
  const where = over.map((one, s) => `${one.label} ${one.values[at[s]]}`).join(", "),
    parts = [];
  const number = (x, group) => ofBar(x, group) + (Number.isFinite(x) ? unitAfter(group.unit) : "");
  const reached = (x) => (x < curves.bottom?.[0] ? height(x, curves) : number(x, curves));
  if (bars) {
    const best = bars.values.reduce((top, x, i) => (Number.isFinite(x) && !(x <= bars.values[top]) ? i : top), 0);
    const { values, labels } = bars;
    parts.push(
      Number.isFinite(values[best])
        ? `the highest of ${labels.length} bars is ${labels[best]} with **${number(values[best], bars)}**`
        : "no bar has a height here",
    );
  }
  if (curves) parts.push(curves.lines.map((line) => `${line.name} is **${reached(line.values[at[0]])}**`).join(", "));
  if (matrix) parts.unshift(ranges(matrix));
  return `${where}: ${parts.join("; ")}.`;
}

/** What is missing or masked, in the class that draws it. */
export const kindOf = (x) => (Number.isNaN(x) ? "is-missing" : x === -Infinity ? "is-masked" : "");
