// A story: tokens that are drawn by their probabilities, and the words that they make.
import { softmax } from "../engine/scaled_dot_product.js";
import { continues } from "../engine/whole_words.js";
import { encoded } from "../look/feed.js";
import { drawn, uniform } from "../next_word/numbers.js";
import { most } from "./longest.js";

export const END = "<|endoftext|>";

const taken = (logits, seed, at) => {
  const p = softmax(logits),
    id = drawn(p, uniform(seed, at));
  return { id, p: p[id] };
};
/** Draw number `at` of a seed, from the logits of Python's model, float64. */
export const step = (view, seed, at) =>
  taken(
    Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true)),
    seed,
    at,
  );

/** What waits on the page has its turn. */
const turn = () =>
  globalThis.scheduler?.yield?.() ??
  new Promise((done) => {
    setTimeout(done);
  });

/** A story for `feed`: it ends with the end sign, or where it has as many tokens as it may have. */
export async function read(source, { text, seed }, { cap }) {
  const { ids, left, cut } = await encoded(source, text, cap),
    { info } = source;
  if (!ids.length) throw new Error("There is nothing to continue yet: write at least one word.");
  const tokens = (await source.tokens(ids)).map((piece) => ({ piece, p: null }));
  for (let at = 0; ids.length < most(info) && tokens.at(-1).piece !== END; at++) {
    const { id, p } = taken(await source.next(ids), seed, at),
      [piece] = await source.tokens([id]);
    tokens.push({ piece, p });
    ids.push(id);
    if (at % 8 === 7) await turn();
  }
  return { text, seed, info, tokens, left, cut, live: true };
}

/**
 * The words of a story: pieces of one word are one, and their chances are multiplied.
 * @returns {{text, space, p, pieces, end}[]} p is null for what was given
 */
export function words({ tokens }) {
  const found = [];
  tokens.forEach(({ piece, p }, k) => {
    const last = found.at(-1),
      given = p === null,
      text = piece.replaceAll("␣", " ").trimStart();
    if (last && last.given === given && continues(piece, tokens[k - 1].piece)) {
      last.text += text;
      last.p = given ? null : last.p * p;
      last.pieces += 1;
    } else found.push({ text, space: piece.startsWith("␣"), p, given, pieces: 1, end: piece === END });
  });
  return found;
}

/** The word to speak of first: the rarest that was drawn. */
export const rarest = (all) => all.reduce((at, { p }, i) => (p !== null && (at < 0 || p < all[at].p) ? i : at), -1);

export const ended = (all) => all.at(-1).end;
