// Words for numbers and for tokens. No document is needed here: the still picture is written in these words too.
import { bdi, e, sub } from "./markup.js";

// --- numbers: a true minus, fixed decimals; tabular figures come from the stylesheet
export function num(x, decimals = 2) {
  if (x === -Infinity) return "−∞";
  return (Math.abs(x) < 0.5 * 10 ** -decimals ? 0 : x).toFixed(decimals).replace("-", "−");
}
export function pct(x) {
  if (x <= 0) return "0%";
  if (x < 0.005) return "under 1%";
  return x < 1 && x >= 0.995 ? "over 99%" : `${Math.round(100 * x)}%`;
}
/** The same where it is drawn and not said: with signs. */
export const short = (x) => pct(x).replace("under ", "<").replace("over ", ">");
const SYMBOL = /(d_k|\*\p{L}\*)/u;
/** The words of an author as plain text: d_k as in a formula, and a symbol, *s*, without its stars. */
export const spelt = (text) =>
  text
    .split(SYMBOL)
    .map((part, i) => (i % 2 ? (part === "d_k" ? "dₖ" : part.slice(1, -1)) : part))
    .join("");
/** The same as it is read on a page: symbols are set as in the formulas of the text. */
export const symbols = (text) =>
  text
    .split(SYMBOL)
    .flatMap((part, i) => {
      if (i % 2 === 0) return part;
      return part === "d_k" ? [e("var", { text: "d" }), sub("k")] : e("var", { text: part.slice(1, -1) });
    })
    .filter(Boolean);
export const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
/** What was asked for as an index below `size`: an address can ask for anything. */
export const index = (x, size) => clamp(Math.round(x) || 0, 0, size - 1);
export const range = (n) => Array.from({ length: n }, (_, i) => i);

// --- tokens
// controls and marks of direction
const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f";
const UNSEEN = new RegExp(`[${CONTROLS}\\ufeff\\ufff9-\\ufffb]`, "g");
const code = (ch) => `U+${ch.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
/**
 * A token, as the engine prints it, as a label: no space in front, what cannot be seen is named, at most `most`
 * letters.
 */
export function label(token, most = 24) {
  const text = token.replace(/^␣+|␣+$/g, "") || token.slice(0, 4);
  const seen = text.replace(UNSEEN, code),
    letters = Array.from(seen);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : seen;
}
const SIGNS = /^[\p{P}\p{S}]+$/u;
/** A token in a sentence, perhaps in bold: one of signs alone, such as “.”, is quoted, or nobody would see it. */
export const inSentence = (token) => (SIGNS.test(label(token)) ? `“${label(token)}”` : label(token));
export const quote = (token) => bdi(`“${label(token)}”`);
