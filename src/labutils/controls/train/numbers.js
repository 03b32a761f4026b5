// What a run says at one of its points: which lines it has passed, and what it wrote in words.

/**
 * @typedef {{step: number, tokens: number, seconds?: number, loss: number, held: string, rest: string, ended: boolean,
 *   whole: boolean}} Point held: what was written as far as it holds; whole: all of it does, the end too
 * @typedef {{blind: number, tokens: number, pairs: number, triples: number, floor: number}} Lines
 */

export const LOSS = 8; // nats: the top of the chart

/** The lines above the floor, from the highest on, with what they are called, also where there is little room. */
export const REFERENCES = /** @type {[keyof Lines, string, string][]} */ ([
  ["blind", "a blind guess", "blind guess"],
  ["tokens", "counting single tokens", "single tokens"],
  ["pairs", "counting pairs", "pairs"],
  ["triples", "counting triples", "triples"],
]);

/**
 * The lowest line that a loss has passed, in words; "" if none.
 * @param {number} loss
 * @param {Lines} lines
 */
export const passed = (loss, lines) => REFERENCES.findLast(([name]) => loss < lines[name])?.[1] ?? "";

/**
 * A point that came from a run, with its tokens as words.
 * @param {any} told
 * @param {{pieces: string[], end: number}} stories
 * @returns {Point}
 */
export function point({ step, tokens, seconds, loss, ids, followed }, { pieces, end }) {
  const ended = ids.at(-1) === end,
    good = wholeWords(ids, followed, pieces),
    words = (some) =>
      some
        .filter((id) => id !== end)
        .map((id) => pieces[id])
        .join("")
        .replaceAll("␣", " ");
  return {
    ...{ step, tokens, seconds, loss, ended },
    held: words(ids.slice(0, good)),
    rest: words(ids.slice(good)),
    whole: ended && followed === ids.length,
  };
}

/** As many of the tokens that hold as make whole words. */
function wholeWords(ids, many, pieces) {
  const goesOn = (i) => i < ids.length && /^\p{L}/u.test(pieces[ids[i]]);
  while (many > 0 && goesOn(many)) many--;
  return many;
}

/**
 * The plan that the settings say.
 * @param {{rate: number, warmup: number, batch: number, clip: number, broken: string}} settings clip: 0 is none
 * @returns {import("../engine/backward/plan.js").Plan}
 */
export const plan = ({ rate, warmup, batch, clip, broken }) => ({
  rate: broken === "rate" ? 30 * rate : rate,
  rise: Math.round(warmup),
  batch: Math.round(batch),
  most: clip || Infinity,
  by: broken === "labels" ? 0 : 1,
});
