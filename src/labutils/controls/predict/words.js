// The words of an author, with emphasis and code among them; and numbers as people read them.
import { e } from "../look/markup.js";

const TUPLE = "\\([−-]?[\\d.]+(?:, [−-]?[\\d.]+){1,3}\\)",
  NAME = "\\b[A-Za-z]+-\\d+", // GPT-2
  TOKEN = "“ [^\\s”]+”"; // “ cat”
const TOGETHER = new RegExp(`(${TUPLE}|${NAME}|${TOKEN})`);

/** *word* is emphasis and `word` is code; everything else is text, and a row of numbers or a name stays on its line. */
export const rich = (text) =>
  text
    .split(/(\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .flatMap((part) => {
      if (part[0] === "*" && part.length > 2) return e("em", { text: part.slice(1, -1) });
      return part[0] === "`" && part.length > 2 ? e("code", { text: part.slice(1, -1) }) : kept(part);
    });
const kept = (text) =>
  text
    .split(TOGETHER)
    .map((part, i) => (i % 2 ? e("span", { class: "itt-nb", text: part }) : part))
    .filter(Boolean);

/** A number for reading: as many digits as it needs, four at most behind the point. */
export const shown = (x) =>
  (Math.abs(x) >= 1e-4 || x === 0
    ? Number(x.toFixed(4)).toLocaleString("en", { maximumFractionDigits: 4 })
    : x.toPrecision(2)
  ).replace("-", "−");

/** A number with its unit: 44 steps, 1 step. */
export const counted = (x, unit) =>
  [shown(x), Math.abs(x) === 1 ? unit.replace(/^(\w+[^s\W])s$/, "$1") : unit].filter(Boolean).join(" ");

/** What a question is called: in a box of its own, and in the frame of a control. */
export const KIND = ["Predict", "Your guess."];
