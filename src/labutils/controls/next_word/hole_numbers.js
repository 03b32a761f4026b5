// What a model that reads both ways gives to each token that could stand in a hole, [MASK]; of two holes, each as if
// the other were unknown, and the second once more with the first filled.
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { entropy, HOLE, KEPT, ranked, WRITES } from "./numbers.js";

const LONGEST = 8; // pieces of a word

const NONE = "There is no hole yet: choose a word below to hide it, or write [MASK] in its place.";
const MOST = 2; // holes that are filled at once
const MANY = (count) => `There are ${count} holes: leave at most two [MASK], and put words in place of the others.`;
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
/** What is wrong with the holes of a text, in a sentence; "" where it has one or two. */
export function without(text) {
  const count = holes(text);
  return !count ? NONE : count > MOST ? MANY(count) : "";
}

/** The text with other words in some of its parts: `put` has the words by the number of the part. */
export const written = (text, put) =>
  parts(text).reduceRight(
    (now, { from, to }, i) => (put.has(i) ? now.slice(0, from) + put.get(i) + now.slice(to) : now),
    text,
  );

/** The part that is hidden as the second, the last word that is in sight; -1 where none is. */
export const second = (text) => parts(text).findLastIndex((one) => one.word && !one.hole);

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

/** What is known of one hole or of two: `filled` is the second one's distribution once the first has its best token. */
function both(info, n, ats, [p, q, filled]) {
  const one = seen(info, n, ats[0], p);
  if (!q) return { ...one, other: null };
  const other = seen(info, n, ats[1], q),
    [best] = ranked(filled, 1);
  return { ...one, other: { ...other, filled: { p: filled[other.top[0].id], best: { id: best, p: filled[best] } } } };
}
/** All tokens of a reading that are shown, so that they get their names. */
export const named = ({ top, other }) => [...top, ...(other ? [...other.top, other.filled.best] : [])];

/**
 * The state that a control comes with: logits of the hole, or of both holes and of the second with the first filled,
 * float64, of Python's model.
 */
export const first = (info, n, ats, ...logits) =>
  both(
    info,
    n,
    ats,
    logits.map((row) => softmax(Float64Array.from({ length: info.vocab }, (_, i) => row.getFloat64(8 * i, true)))),
  );

/** A reader for `feed`. */
export function reader() {
  return async (source, { name, text }, { cap }) => {
    const { info } = source;
    if (info.causal) throw new Error(WRITES(name));
    if (without(text)) throw new Error(without(text));
    const most = Math.min(cap, info.maxTokens),
      { ids, left, cut } = await encoded(source, text, cap);
    const [mask] = (await source.encode(HOLE)).ids.slice(1),
      ats = ids.flatMap((id, i) => (id === mask ? [i] : []));
    if (ats.length < holes(text)) throw new Error(BEYOND(most));
    const all = await distributions(source, ids, ats);
    if (ats.length > 1) all.push(...(await distributions(source, ids.with(ats[0], ranked(all[0], 1)[0]), [ats[1]])));
    const reading = both(info, ids.length, ats, all),
      shown = named(reading),
      names = await source.tokens(shown.map(({ id }) => id));
    shown.forEach((one, i) => {
      one.token = names[i];
    });
    const spell = (before, id) => whole(source, ids, before.length, id, mask);
    return { ...reading, ids, text, left, cut, live: true, spell };
  };
}

async function distributions(source, ids, ats) {
  const { logits } = await source.trace(ids, { want: ["logits"] }),
    V = source.info.vocab;
  return ats.map((at) => softmax(Float64Array.from(logits.slice(at * V, (at + 1) * V))));
}

/**
 * The word that a piece in the hole begins: another hole is put behind it, and its most probable token goes on with the
 * word if the model, with that token behind the hole, reads there what it goes on from. As `hole_word` in Python.
 */
export async function whole(source, given, at, id, mask) {
  const likeliest = async (ids, k) => ranked((await distributions(source, ids, [k]))[0], 1)[0];
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
