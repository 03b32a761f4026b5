// One row of one text, put into another: what the model then says. Places, shares and the attention in which an answer
// travels. Numbers only: nothing here draws.
//
// A place is "level.token". Level 2l is the stream before the attention of layer l, level 2l + 1 the stream after it,
// level 2L the stream after the last layer.
import { softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { spelling } from "../look/nexts.js";
import { largest } from "../look/ranked.js";
import { label, range } from "../look/words.js";
import { holes, whole } from "../next_word/hole_numbers.js";
import { HOLE, WRITES } from "../next_word/numbers.js";

const TOP = 4; // tokens that are shown of each text
const STREAMS = ["input", "attention_stream", "output"];
export const HALF = 0.5; // of the way: from here on a place moves the answer

export const levels = ({ L }) => 2 * L + 1;
export const placeOf = (level, token) => `${level}.${token}`;
/** The full name of the stage that a level is. */
export const stageOf = (level, L) =>
  level === 2 * L ? `layer ${L - 1} output` : `layer ${Math.floor(level / 2)} ${STREAMS[level % 2]}`;

/** "0.2 6.1", or "all": the places that were tried, of those that there are. */
export function triedOf(words, reading) {
  const all = range(levels(reading)).flatMap((level) => range(reading.n).map((token) => placeOf(level, token)));
  if (words === "all") return all;
  const named = new Set(words.split(/\s+/));
  return all.filter((place) => named.has(place));
}

/** A reading with the places that the control was given, where both are of the same texts and show the same tokens. */
export function withPlaces(reading, given) {
  const same =
    reading.info.name === given.info.name &&
    reading.text === given.text &&
    reading.other === given.other &&
    reading.ones.length === given.ones.length &&
    reading.ones.every(({ id }, i) => id === given.ones[i].id);
  return same ? { ...reading, places: { ...given.places, ...reading.places } } : reading;
}

/** The tokens that are shown: the most probable after each text. `k` is the one that gains most by the other text. */
export function shownOf(a, b) {
  const best = (p) => largest(p, TOP);
  let gains = 0;
  for (let i = 1; i < a.length; i++) if (b[i] - a[i] > b[gains] - a[gains]) gains = i;
  const ids = [...new Set([...best(a), ...best(b), gains])];
  const ones = ids
    .map((id) => ({ id, a: a[id], b: b[id] }))
    .sort((x, y) => Number(x.b > x.a) - Number(y.b > y.a) || Math.max(y.a, y.b) - Math.max(x.a, x.b));
  return { ones, k: ones.findIndex(({ id }) => id === gains) };
}

/** What a place leads to: the probabilities of the tokens that are shown, and the most probable of all. */
export function found(p, ones) {
  let best = 0;
  for (let i = 1; i < p.length; i++) if (p[i] > p[best]) best = i;
  return { p: ones.map(({ id }) => p[id]), best: { id: best, p: p[best] } };
}

/** How much of the way from one answer to the other a place goes, 0 to 1, by the token that gains most. */
export function way({ ones, k, places }, place) {
  const { a, b } = ones[k];
  return Math.min(1, Math.max(0, (places[place].p[k] - a) / (b - a)));
}

/**
 * The attentions in which the answer travels from one row to another, as far as their two ends were tried.
 * @returns {{layer: number, from: number, to: number}[]}
 */
export function travels(reading, tried) {
  const known = new Set(tried),
    moves = (level, token) => {
      const place = placeOf(level, token);
      return known.has(place) && reading.places[place] ? way(reading, place) >= HALF : false;
    };
  const at = (level) => range(reading.n).filter((token) => moves(level, token));
  return range(reading.L).flatMap((layer) => {
    const [from, to] = [at(2 * layer), at(2 * layer + 1)];
    return from.flatMap((i) =>
      to.filter((j) => j !== i && !from.includes(j) && !to.includes(i)).map((j) => ({ layer, from: i, to: j })),
    );
  });
}

/** Whether every place was tried. */
export const complete = (reading, tried) => tried.length === levels(reading) * reading.n;

// --- the state that a control comes with, from the logits of Python's model, float64
const floats = (view) => Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
const rowsOf = (values, V) => range(values.length / V).map((i) => values.subarray(i * V, (i + 1) * V));

/** Of the rows of both texts that answer, and of that row after each place. */
export function first(V, own, other, places, logits) {
  const [a, b] = [own, other].map((view) => softmax(floats(view))),
    shown = shownOf(a, b);
  const after = rowsOf(floats(logits), V).map((row) => found(softmax(row), shown.ones));
  return { ...shown, places: Object.fromEntries(places.map((place, i) => [place, after[i]])) };
}
/** What each row of each level would say: (levels n, V). */
export const saying = (V, n, logits) => lens(rowsOf(floats(logits), V), n);

function lens(rows, n) {
  const best = rows.map((row) => found(softmax(row), []).best);
  return range(best.length / n).map((level) => best.slice(level * n, (level + 1) * n));
}

// --- live
/** What waits on the page has its turn. */
const turn = () =>
  globalThis.scheduler?.yield?.() ??
  new Promise((done) => {
    setTimeout(done);
  });

/** A reader for `feed`: what is known of a pair of texts is kept, so that a place is computed once. */
export function reader() {
  let pair = null;
  return async (source, { text, other, tried, looks }, { cap }) => {
    if (pair?.source !== source || pair.text !== text || pair.other !== other)
      pair = await opened(source, text, other, cap);
    const L = pair.L;
    for (const place of triedOf(tried, pair)) {
      if (pair.places[place]) continue;
      const trace = await source.trace(pair.ids, { want: ["logits"], change: carried(pair, place) });
      pair.places[place] = found(softmax(rowOf(trace.logits, pair.at, pair.V)), pair.ones);
      await name(pair, [[pair.at, pair.places[place].best]]);
      await turn();
    }
    const own = { ...pair, places: { ...pair.places }, asked: { tried, looks } };
    if (looks !== null && !pair.lenses.has(looks)) pair.lenses.set(looks, await looked(source, pair, looks, L));
    return { ...own, lens: pair.lenses.get(looks) ?? null, looks };
  };
}

/** What the model is to go on with: one row of the other text. */
const carried = (pair, place) => {
  if (!place) return {};
  const [level, token] = place.split(".").map(Number),
    row = pair.streams[level];
  return {
    [stageOf(level, pair.L)]: (values, [, d]) => {
      values.set(row.subarray(token * d, (token + 1) * d), token * d);
      return values;
    },
  };
};

async function opened(source, text, other, cap) {
  const read = [await encoded(source, text, cap), await encoded(source, other, cap)];
  const told = (i) => quoted([text, other][i]),
    { info } = source,
    unfit = misfit(info.causal, info.name, [text, other]);
  if (unfit) throw new Error(unfit);
  if (read.some(({ left, cut }) => left || cut))
    throw new Error(`A text may have ${cap} tokens at most: shorten ${told(read[0].left || read[0].cut ? 0 : 1)}.`);
  const [ids, others] = read.map((one) => one.ids);
  checkPair(ids, others, told);
  const mask = info.causal ? -1 : await holeOf(source),
    at = info.causal ? ids.length - 1 : ids.indexOf(mask);
  if (!info.causal && others.indexOf(mask) !== at) throw new Error(apart());
  const want = [...STREAMS, "logits"],
    [mine, theirs] = [await source.trace(ids, { want }), await source.trace(others, { want })];
  const { L, n, V } = mine.shape,
    [a, b] = [mine, theirs].map(({ logits }) => softmax(rowOf(logits, at, V)));
  const pair = {
    ...{ source, text, other, ids, others, L, n, V, at, mask, info, live: true },
    ...{ tokens: mine.tokens, theirs: theirs.tokens, ...shownOf(a, b), places: {}, lenses: new Map() },
    streams: streamsOf(theirs, L),
    sayings: [mine, theirs].map(({ logits }) => logits),
    ...(info.causal ? spelling(source) : { spell: inHole(source, at, mask) }),
  };
  await name(
    pair,
    pair.ones.map((one) => [at, one]),
  );
  return pair;
}

const quoted = (text) => `“${label(text.trim(), 40)}”`;
const rowOf = (logits, i, V) => logits.subarray(i * V, (i + 1) * V);
const holeOf = async (source) => (await source.encode(HOLE)).ids[1]; // behind [CLS]
export const apart = () => "The two holes stand at different places: hide the same place in both texts.";

/** Why two texts are none for a model, in a sentence: one that goes on has no hole, one that fills holes has one. */
export function misfit(causal, name, texts) {
  if (causal) return texts.some((text) => holes(text)) ? WRITES(name) : "";
  for (const text of texts) {
    const count = holes(text);
    if (!count) return `${quoted(text)} has no hole: write [MASK] in place of the word that is asked for.`;
    if (count > 1) return `${quoted(text)} has ${count} holes: leave one [MASK] in each text.`;
  }
  return "";
}

/** The word that a piece begins in the hole of a text, remembered. */
function inHole(source, at, mask) {
  const known = new Map();
  return (ids, id) => {
    const key = `${ids} ${id}`;
    if (!known.has(key)) known.set(key, whole(source, ids, at, id, mask));
    return known.get(key);
  };
}

/** Two texts that fit, or an Error that says in one sentence why not. */
function checkPair(ids, others, told) {
  if (!ids.length || !others.length) throw new Error("A text is empty: write at least one word in each.");
  if (ids.length !== others.length)
    throw new Error(
      `${told(0)} has ${ids.length} tokens and ${told(1)} has ${others.length}: ` +
        "change the words until they have equally many.",
    );
  if (ids.every((id, i) => id === others[i])) throw new Error("The two texts are the same: change a word of one.");
}

/** The stream at each level, from a trace with the layers in front. */
function streamsOf(trace, L) {
  const size = trace.input.length / L;
  return range(2 * L + 1).map((level) => {
    const layer = level === 2 * L ? L - 1 : Math.floor(level / 2),
      values = trace[level === 2 * L ? "output" : STREAMS[level % 2]];
    return values.subarray(layer * size, (layer + 1) * size);
  });
}

/** What each row would say now, at each level: its last LayerNorm and its head come at once. */
async function looked(source, pair, place, L) {
  const trace = await source.trace(pair.ids, { want: [...STREAMS], change: carried(pair, place) }),
    rows = [];
  for (const stream of streamsOf(trace, L)) {
    const change = { [stageOf(2 * L, L)]: () => stream };
    const { logits } = await source.trace(pair.ids, { want: ["logits"], change });
    rows.push(...range(pair.n).map((i) => rowOf(logits, i, pair.V)));
    await turn();
  }
  const said = lens(rows, pair.n);
  await name(
    pair,
    said.flatMap((level) => level.map((one, i) => [i, one])),
  );
  return said;
}

/** Tokens get their names, and pieces the words that they begin: after the text in which they are more probable. */
async function name(pair, ones) {
  const names = await pair.source.tokens(ones.map(([, { id }]) => id));
  for (const [at, [i, one]] of ones.entries()) {
    one.token = names[at];
    // of a hole a word is spelled in its place; what other rows say of theirs stays a token
    if (!pair.spell || (!pair.info.causal && i !== pair.at)) continue;
    const [mine, theirs] = pair.sayings.map((logits) => softmax(rowOf(logits, i, pair.V))[one.id]);
    const read = theirs > mine ? pair.others : pair.ids;
    one.word = await pair.spell(pair.info.causal ? read.slice(0, i + 1) : read, one.id);
  }
}
