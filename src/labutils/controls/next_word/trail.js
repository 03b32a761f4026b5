// How a text went on, as one line: it stands in the address, and each token in it remembers how it was written.
import { PLAIN } from "./cutting.js";

/** @typedef {{id: number, seed: number | null, set?: import("./cutting.js").Set}} Step set: with which it was drawn */

const LETTERS = {
  t: "temperature",
  k: "top_k",
  p: "top_p",
  m: "min_p",
  y: "typical",
  r: "penalty",
  f: "frequency",
};
const STEP = /^(?:p(\d{1,7})|d(\d{1,7})s(\d{1,10})((?:[tkpmyrf]\d{1,6}(?:\.\d{1,6})?){0,7}))$/;

/**
 * A trail as its steps: "d512s7" is token 512, drawn with seed 7 from the model's own odds; "d512s7t1.3p0.8" the same
 * at temperature 1.3 and top-p 0.8; "p512" was chosen (seed null). What is no step is left out.
 * @returns {Step[]}
 */
export const stepsOf = (trail) =>
  trail
    .split(/\s+/)
    .map((word) => STEP.exec(word))
    .filter(Boolean)
    .map(([, chosen, id, seed, how]) =>
      chosen !== undefined ? { id: +chosen, seed: null } : { id: +id, seed: +seed, set: settings(how) },
    );
const settings = (how) => ({
  ...PLAIN,
  ...Object.fromEntries([...how.matchAll(/([tkpmyrf])([\d.]+)/g)].map(([, letter, x]) => [LETTERS[letter], +x])),
});

/** @param {Step[]} steps */
export const trailOf = (steps) =>
  steps.map(({ id, seed, set }) => (seed === null ? `p${id}` : `d${id}s${seed}${changed(set)}`)).join(" ");
const changed = (set = PLAIN) =>
  Object.entries(LETTERS)
    .filter(([, name]) => set[name] !== PLAIN[name])
    .map(([letter, name]) => letter + Number(set[name].toFixed(6)))
    .join("");
