// What a model that reads both ways gives to each token that could stand in a hole, [MASK].
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { entropy, HOLE, KEPT, ranked, WRITES } from "./numbers.js";

const LONGEST = 8; // pieces of a word

const NONE = "There is no hole yet: choose a word below to hide it, or write [MASK] in its place.";
const MANY = "There is more than one hole: leave one [MASK], and put a word in place of each other.";
export const BEYOND = (cap) =>
  `The hole stands behind the first ${cap} tokens, which are all that is read: shorten the text.`;

/** Words, marks and holes of a text, in order, each with its place: { text, from, to, word, hole }. */
export function parts(text) {
  const found = text.matchAll(/\[MASK\]|[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|[^\s]/gu);
  return Array.from(found, ({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
    hole: word === HOLE,
    word: word === HOLE || /^[\p{L}\p{N}]/u.test(word),
  }));
}
export const holes = (text) => text.split(HOLE).length - 1;
/** What is wrong with the holes of a text, in a sentence; "" where it has one. */
export const without = (text) => (holes(text) === 1 ? "" : holes(text) ? MANY : NONE);

/** The text in which part `i` is hidden; `under` stands again where the hole was. */
export function hidden(text, i, under) {
  const all = parts(text);
  return all.reduceRight((now, { from, to, hole }, k) => {
    const put = k === i ? HOLE : hole ? under : null;
    return put === null ? now : now.slice(0, from) + put + now.slice(to);
  }, text);
}

/** The last word of a text, or null where a hole is the last, or nothing. */
export function lastWord(text) {
  const last = parts(text).findLast(({ word }) => word);
  return last && !last.hole ? last : null;
}
export function ending(text, word) {
  const last = lastWord(text);
  return last ? text.slice(0, last.from) + word + text.slice(last.to) : text;
}

/** @param p the distribution over the tokens that could stand at place `at` of n */
function seen(info, n, at, p) {
  return { info, n, at, top: ranked(p, KEPT).map((id) => ({ id, p: p[id] })), entropy: entropy(p) };
}

/** The state that a control comes with: `logits` are those of the hole, float64, of Python's model. */
export const first = (info, n, at, logits) =>
  seen(info, n, at, softmax(Float64Array.from({ length: info.vocab }, (_, i) => logits.getFloat64(8 * i, true))));

/** A reader for `feed`. */
export function reader() {
  return async (source, { name, text }, { cap }) => {
    const { info } = source;
    if (info.causal) throw new Error(WRITES(name));
    if (without(text)) throw new Error(without(text));
    const most = Math.min(cap, info.maxTokens),
      { ids, left, cut } = await encoded(source, text, cap);
    const [mask] = (await source.encode(HOLE)).ids.slice(1),
      at = ids.indexOf(mask);
    if (at < 0) throw new Error(BEYOND(most));
    const reading = seen(info, ids.length, at, await distribution(source, ids, at));
    const names = await source.tokens(reading.top.map(({ id }) => id));
    reading.top.forEach((one, i) => {
      one.token = names[i];
    });
    return { ...reading, ids, text, left, cut, live: true, spell: (_, id) => whole(source, ids, at, id, mask) };
  };
}

async function distribution(source, ids, at) {
  const { logits } = await source.trace(ids, { want: ["logits"] }),
    V = source.info.vocab;
  return softmax(Float64Array.from(logits.slice(at * V, (at + 1) * V)));
}

/**
 * The word that a piece in the hole begins: another hole is put behind it, and its most probable token goes on with the
 * word if the model, with that token behind the hole, reads there what it goes on from. As `hole_word` in Python.
 */
async function whole(source, given, at, id, mask) {
  const likeliest = async (ids, k) => ranked(await distribution(source, ids, k), 1)[0];
  let [text] = await source.tokens([id]),
    ids = given.with(at, id);
  for (let k = at + 1; k - at < LONGEST && /\p{L}$/u.test(text) && ids.length < source.info.maxTokens; k++) {
    const longer = ids.toSpliced(k, 0, mask);
    longer[k] = await likeliest(longer, k);
    const [piece] = await source.tokens([longer[k]]);
    if (!piece.startsWith("##") || (await likeliest(longer.with(k - 1, mask), k - 1)) !== ids[k - 1]) break;
    text += piece.slice(2);
    ids = longer;
  }
  return text;
}
