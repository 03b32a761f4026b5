// Six questions to the same last hidden states, and their answers.
import { pooler } from "../engine/heads.js";
import { linear } from "../engine/linear.js";
import { floats } from "../look/bytes.js";
import { fitted } from "../look/feed.js";
import { largest } from "../look/ranked.js";
import { index, range } from "../look/words.js";

export const QUESTIONS = ["word", "next", "follows", "being", "tag", "meant"];
export const KEPT = 5; // answers that are named
export const LONGEST = 8; // tokens of a span
const LONG = 4000; // characters that are read at all

/** The matrices of the small heads as the engine computes with them, by the names of their layers. */
export function opened(heads) {
  const layer = (tensors, name) =>
    tensors[`${name}.weight`] && {
      weight: Float64Array.from(floats(tensors[`${name}.weight`])),
      ...(tensors[`${name}.bias`] ? { bias: Float64Array.from(floats(tensors[`${name}.bias`])) } : {}),
    };
  return Object.fromEntries(
    Object.entries(heads).map(([name, { tensors, classes }]) => [
      name,
      {
        classes,
        own: Object.values(tensors).reduce((sum, bytes) => sum + bytes.byteLength / 4, 0),
        down: layer(tensors, "down"),
        linear: layer(tensors, "linear"),
        pooler: { dense: layer(tensors, "pooler.dense") },
      },
    ]),
  );
}

/** The first and the last token of the best span in tokens 1 … split − 2, at most `LONGEST` of them. */
export function bestSpan(start, end, split) {
  let best = [1, 1],
    most = -Infinity;
  for (let a = 1; a < split - 1; a++)
    for (let b = a; b < Math.min(split - 1, a + LONGEST); b++)
      if (start[a] + end[b] > most) {
        most = start[a] + end[b];
        best = [a, b];
      }
  return best;
}

/** Which rows of the last hidden states a head reads: their places. */
export function rowsRead({ head, token, tokens, split }) {
  if (head === "meant") return range(split - 2).map((i) => i + 1);
  if (head === "tag") return range(tokens.length).filter((i) => ![0, split - 1, tokens.length - 1].includes(i));
  return [head === "word" ? token : head === "next" ? tokens.length - 2 : 0];
}

/**
 * Logits as shares: each is e to the power of (logit − the largest one), and then a part of their sum.
 * @returns {{sum: number, ones: {logit: number, power: number, p: number}[]}}
 */
export function shares(logits) {
  const most = logits.reduce((x, y) => Math.max(x, y), -Infinity),
    powers = Array.from(logits, (x) => Math.exp(x - most)),
    sum = powers.reduce((x, y) => x + y, 0);
  return { sum, ones: powers.map((power, i) => ({ logit: logits[i], power, p: power / sum })) };
}

/**
 * The answer of one head.
 * @param {{final: Float64Array, word: Float64Array, follows: Float64Array}} states (n, d), the logits (V) of the token
 *   that is asked, and those of the next-sentence head (2)
 * @returns `bars`, the largest answers with their logits, and `sum`, what their powers are divided by; for tags
 *   `labels`, one for each token; for a span `bars`, of which logit, power and p are of its begin at a token and q is
 *   the share that it ends there, and `span`
 */
export function answered(states, opened, given) {
  const { head, tokens, split } = given,
    { final } = states,
    width = final.length / tokens.length,
    row = (i) => final.subarray(i * width, (i + 1) * width),
    own = opened[head];
  if (head === "word") return { own: width * (width + 3) + states.word.length, ...ranked(states.word) };
  if (head === "next")
    return { own: own.own, ...ranked(linear(linear(row(tokens.length - 2), own.down, 1), own.linear, 1)) };
  if (head === "follows")
    return { own: width * (width + 3) + 2, ...ranked(states.follows, ["it follows", "it does not"], false) };
  if (head === "being")
    return {
      own: own.own,
      ...ranked(linear(pooler(own.pooler, final, { width }), own.linear, 1), own.classes, false),
    };
  if (head === "tag") return { own: own.own, ...tagged(row, own, given) };
  const both = linear(final, own.linear, tokens.length),
    one = (k) => Float64Array.from(range(tokens.length), (i) => both[2 * i + k]),
    inside = (scores) => shares(scores.map((x, i) => (i > 0 && i < split - 1 ? x : -Infinity)));
  const [start, end] = [inside(one(0)), inside(one(1))];
  return {
    own: own.own,
    sum: start.sum,
    of: split - 2,
    bars: range(split - 2).map((i) => ({
      at: i + 1,
      name: tokens[i + 1],
      ...start.ones[i + 1],
      q: end.ones[i + 1].p,
    })),
    span: bestSpan(one(0), one(1), split),
  };
}

/** The largest shares, named or by their ids; `sorted` says whether they stand in the order of their sizes. */
function ranked(logits, names = null, sorted = true) {
  const { sum, ones } = shares(logits),
    places = sorted ? largest(logits, KEPT) : range(logits.length);
  return {
    sum,
    of: logits.length,
    bars: places.map((i) => ({ ...(names ? { name: names[i] } : { id: i }), ...ones[i] })),
  };
}

/** The tag of each token that is no special one, and the largest answers for the token that is asked. */
function tagged(row, own, given) {
  const read = rowsRead(given),
    at = (i) => ranked(linear(row(i), own.linear, 1), own.classes);
  const labels = given.tokens.map((_, i) => {
    if (!read.includes(i)) return null;
    const [{ name, p }] = at(i).bars;
    return { name, p };
  });
  return { labels, ...at(given.token) };
}

/** A view: what is asked, the rows, those that the head reads, and the answer. */
export function seenOf(given, opened, states) {
  const width = states.final.length / given.tokens.length,
    hundredths = (x) => Math.round(100 * x) / 100;
  return {
    ...given,
    rows: given.tokens.map((_, i) => Array.from(states.final.subarray(i * width, (i + 1) * width), hundredths)),
    read: rowsRead(given),
    ...answered(states, opened, given),
  };
}

/** The same for the state that a control comes with: Python's numbers, float64. */
export function first(given, heads, final, word, follows) {
  const doubles = (data) => Float64Array.from(range(data.byteLength / 8), (i) => data.getFloat64(8 * i, true));
  return seenOf(given, opened(heads), { final: doubles(final), word: doubles(word), follows: doubles(follows) });
}

/**
 * A reader for `feed`: both texts in one pass; the pass is remembered, so that another head costs no other pass. A text
 * without a token is refused in a sentence, and the one that was read before stands for it.
 * @param {object} heads
 * @param {string[]} shown the two texts that the control comes with
 */
export function reader(heads, shown) {
  let kept = { key: "" },
    good = shown;
  const open = opened(heads);
  return async (source, { first, second, head, token: wished, hide, changed }, { cap }) => {
    const { texts, refused, ids, split, left } = await framed(source, [first, second], good, cap),
      others = changed && texts.some((text, i) => text !== good[i]),
      token = placed(index(wished, ids.length), ids.length, split, others),
      special = isSpecial(token, ids.length, split),
      tokens = await source.tokens(ids);
    good = texts;
    const mask = hide && !special ? await masked(source) : null,
      asked = ids.map((id, i) => (mask !== null && i === token ? mask : id)),
      key = asked.join(" ");
    if (key !== kept.key) {
      const typeIds = ids.map((_, i) => Number(i >= split));
      const { final, logits, nsp_logits } = await source.trace(asked, {
        want: ["final", "logits", "nsp_logits"],
        typeIds,
      });
      kept = { key, final: Float64Array.from(final), logits, follows: Float64Array.from(nsp_logits) };
    }
    const { vocab } = source.info,
      word = Float64Array.from(kept.logits.subarray(token * vocab, (token + 1) * vocab));
    const [one, two] = texts,
      given = { info: source.info, first: one, second: two, split, hide, tokens, token, head },
      seen = seenOf(given, open, { ...kept, word });
    const unnamed = seen.bars.filter((one) => one.id !== undefined),
      names = await source.tokens(unnamed.map((one) => one.id));
    unnamed.forEach((one, i) => {
      one.name = names[i];
    });
    return { ...seen, left, refused, live: true };
  };
}

const isSpecial = (token, n, split) => [0, split - 1, n - 1].includes(token);

/** The chosen place; where in other texts a [SEP] stands in it, that of the word before. */
const placed = (token, n, split, others) => (others && token && isSpecial(token, n, split) ? token - 1 : token);

/**
 * Two texts as one sequence, [CLS] first [SEP] second [SEP], where a text of `good` stands for one without a token;
 * `left` counts the tokens that had no room, `refused` says which text has none.
 */
async function framed(source, wished, good, cap) {
  const parts = [],
    texts = [...wished],
    refused = [];
  let left = 0;
  for (const [i, text] of wished.entries()) {
    let own = await tokensOf(source, text);
    if (!own.length) {
      refused.push(`The ${i ? "second" : "first"} text has no token yet: write at least one word.`);
      texts[i] = good[i];
      own = await tokensOf(source, good[i]);
    }
    parts.push(fitted({ ids: own }, cap));
    left += own.length - parts.at(-1).length;
  }
  const { ids: frame } = await source.encode(""),
    [cls, sep] = frame;
  return { texts, refused, ids: [cls, ...parts[0], sep, ...parts[1], sep], split: parts[0].length + 2, left };
}

/** The ids of a text without special tokens. */
async function tokensOf(source, text) {
  const { ids, special } = await source.encode(Array.from(text).slice(0, LONG).join(""));
  return ids.filter((_, k) => !special[k]);
}

/** The id of [MASK]: the one token that the tokenizer makes of these letters. */
async function masked(source) {
  const { ids, special } = await source.encode("[MASK]");
  return ids.find((_, i) => i > 0 && i < special.length - 1);
}
