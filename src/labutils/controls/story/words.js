// What a story says of one of its words.
import { b } from "../look/markup.js";
import { label, pct, plural, quote } from "../look/words.js";
import { most } from "./longest.js";

/** A chance small enough to need a decimal is given one. */
const chance = (p) => (p >= 0.0005 && p < 0.095 ? `${(100 * p).toFixed(1)}%` : pct(p));

const NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const nth = (i) => NTH[i] ?? `${i + 1}th`; // a story says no word 21 times

/** What stands there while it writes. */
export const WRITING = "The model writes, one word after the other …";

export function readout({ info }, all, at) {
  const { text, p, pieces, end } = all[at] ?? all[0];
  if (p === null) return [quote(text), " was given: the story had to begin somehow."];
  if (end) return ["Here the model ended the story itself. The end had ", b(chance(p)), "."];
  const rare = p < 0.05 ? ", a rare one" : "",
    parts = pieces > 1 ? `, in ${plural(pieces, "piece")}` : "",
    last = most(info);
  const why =
    last === info.maxTokens
      ? `Then all ${last} positions of the model were taken.`
      : `The model would go on, and is stopped at ${last} tokens.`;
  const same = all.filter((one) => one.text === text && !one.end),
    which = same.length > 1 ? `The ${nth(same.indexOf(all[at] ?? all[0]))} ` : "";
  const stop = at === all.length - 1 ? ` ${why}` : "";
  return [which, b(quote(text)), ` was drawn${parts} with a chance of `, b(chance(p)), `${rare}.${stop}`];
}
export const source = ({ info, seed }) => `${info.label}; temperature 1, seed ${seed} of the draws`;
export const heading = ({ text, seed }) => `A story after “${label(text, 60)}”, seed ${seed}`;
export const shown = ({ text, end }) => (end ? "the end" : label(text, 40));
export const rows = (seen, all) => ({
  caption: heading(seen),
  head: ["word", "chance", "pieces"],
  rows: all.map((one) => [shown(one), one.p === null ? "given" : one.p.toFixed(6), one.pieces]),
});
