// Five questions to the same last hidden states, and their answers.
import { pooler } from "../engine/heads.js";
import { linear } from "../engine/linear.js";
import { softmax } from "../engine/scaled_dot_product.js";
import { floats } from "../look/bytes.js";
import { fitted } from "../look/feed.js";
import { index, range } from "../look/words.js";

export const QUESTIONS = ["word", "follows", "tag", "meant", "being"];
export const KEPT = 8; // words that are named
export const LONGEST = 8; // tokens of a span
const LONG = 4000; // characters that are read at all

/** The matrices of the small heads as the engine computes with them: `linear` and, where there is one, `pooler`. */
export function opened(heads) {
  const layer = (tensors, name) =>
    Object.fromEntries(["weight", "bias"].map((kind) => [kind, Float64Array.from(floats(tensors[`${name}.${kind}`]))]));
  return Object.fromEntries(
    Object.entries(heads).map(([name, { tensors, classes, worth }]) => [
      name,
      {
        classes,
        worth,
        linear: layer(tensors, "linear"),
        ...(tensors["pooler.dense.weight"] ? { pooler: { dense: layer(tensors, "pooler.dense") } } : {}),
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

/** Which rows of the last hidden states a head reads: the places, or null for all of the first text. */
export const rowsRead = (head, token) => (head === "meant" ? null : head === "word" || head === "tag" ? [token] : [0]);

/**
 * The answer of one head.
 * @param {{final: Float64Array, word: Float64Array, follows: Float64Array}} states (n, d), the logits (V) of the token
 *   that is asked, and those of the next-sentence head (2)
 * @returns {{bars: {name?: string, id?: number, p: number, q?: number}[], span?: number[]}} p a share; for a span p
 *   that
 *   the answer begins at a token, q that it ends there
 */
export function answered(states, opened, { head, token, split, tokens }) {
  const { final } = states,
    width = final.length / tokens.length,
    row = final.subarray(token * width, (token + 1) * width);
  if (head === "word") return { bars: best(softmax(states.word)).map(([id, p]) => ({ id, p })) };
  if (head === "follows") {
    const [yes, no] = softmax(states.follows);
    return { bars: named(["it follows", "it does not"], [yes, no]) };
  }
  const own = opened[head];
  if (head === "tag") return { bars: ordered(named(own.classes, softmax(linear(row, own.linear, 1)))).slice(0, KEPT) };
  if (head === "being")
    return { bars: named(own.classes, softmax(linear(pooler(own.pooler, final, { width }), own.linear, 1))) };
  const both = linear(final, own.linear, tokens.length),
    one = (k) => Float64Array.from(range(tokens.length), (i) => both[2 * i + k]),
    inside = (scores) => softmax(scores.map((x, i) => (i > 0 && i < split - 1 ? x : -Infinity)));
  const [start, end] = [inside(one(0)), inside(one(1))];
  return {
    bars: range(split - 2).map((i) => ({ at: i + 1, name: tokens[i + 1], p: start[i + 1], q: end[i + 1] })),
    span: bestSpan(one(0), one(1), split),
  };
}

const named = (names, shares) => names.map((name, i) => ({ name, p: shares[i] }));
const ordered = (bars) => [...bars].sort((a, b) => b.p - a.p);
const best = (p) =>
  Array.from(p, (x, id) => [id, x])
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, KEPT);

/** A view: what is asked, a row that the head reads, and the answer. */
export function seenOf(given, opened, states) {
  const { head, token, tokens, split } = given,
    answer = answered(states, opened, given),
    read = rowsRead(head, token),
    at = read ? read[0] : token > 0 && token < split - 1 ? token : answer.span[0],
    width = states.final.length / tokens.length;
  const { worth = null } = opened[head] ?? {};
  return {
    ...given,
    worth,
    row: at,
    vector: Array.from(states.final.subarray(at * width, (at + 1) * width), (x) => Math.round(x * 1e4) / 1e4),
    ...answer,
  };
}

/** The same for the state that a control comes with: Python's numbers, float64. */
export function first(given, heads, final, word, follows) {
  const doubles = (data) => Float64Array.from(range(data.byteLength / 8), (i) => data.getFloat64(8 * i, true));
  return seenOf(given, opened(heads), { final: doubles(final), word: doubles(word), follows: doubles(follows) });
}

/** A reader for `feed`: both texts in one pass; the pass is remembered, so that another head costs no other pass. */
export function reader(heads) {
  let kept = { key: "" };
  const open = opened(heads);
  return async (source, { first: a, second: b, head, token: wished, hide }, { cap }) => {
    const parts = [],
      left = [];
    for (const [text, which] of [
      [a, "first"],
      [b, "second"],
    ]) {
      const all = await source.encode(Array.from(text).slice(0, LONG).join("")),
        own = all.ids.filter((_, i) => !all.special[i]);
      if (!own.length) throw new Error(`The ${which} text has no token yet: write at least one word.`);
      parts.push(fitted({ ids: own }, cap));
      left.push(own.length - parts.at(-1).length);
    }
    const { ids: frame } = await source.encode("");
    const [cls, sep] = frame,
      ids = [cls, ...parts[0], sep, ...parts[1], sep],
      split = parts[0].length + 2,
      token = index(wished, ids.length),
      special = [0, split - 1, ids.length - 1].includes(token),
      tokens = await source.tokens(ids);
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
    const given = { info: source.info, first: a, second: b, split, hide, tokens, token, head },
      seen = seenOf(given, open, { ...kept, word });
    const unnamed = seen.bars.filter((one) => one.id !== undefined),
      names = await source.tokens(unnamed.map((one) => one.id));
    unnamed.forEach((one, i) => {
      one.name = names[i];
    });
    return { ...seen, left: left[0] + left[1], live: true };
  };
}

/** The id of [MASK]: the one token that the tokenizer makes of these letters. */
async function masked(source) {
  const { ids, special } = await source.encode("[MASK]");
  return ids.find((_, i) => i > 0 && i < special.length - 1);
}
