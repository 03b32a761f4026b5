// Text to ids and back, in the browser: the same ids, offsets and segments as Python's `labutils.text`.
//
//   text -> added tokens cut out -> normalise -> words -> pieces -> template -> ids
import { splitAdded, splitAll } from "./added.js";
import { openBPE } from "./bpe.js";
import { columns, finished } from "./encoding.js";
import { fill, fitted, pad } from "./template.js";
import { fromCodePoints, readText } from "./unicode.js";
import { openWordPiece } from "./wordpiece.js";
import { openWords } from "./words.js";

const KINDS = { bpe: openBPE, wordpiece: openWordPiece, words: openWords };
const REMEMBERED = 20000; // words whose pieces are kept, because words repeat
const LONGEST_SHOWN = 200; // symbols; the steps of a longer word are not recorded

/**
 * @param {Object<string, any>} data what `tokenizer_file.py` wrote: kind, tokens (by id; null where an id is not used),
 *   pieces (the tokens, printable), outside (tokens that no word falls into), added, special, single and pair
 *   (templates), and the settings of the kind; known, where it is there: the words of the stories of its model
 * @param {import("./unicode.js").Unicode} unicode
 */
export function openTokenizer(data, unicode) {
  const tok = opened(data, unicode);
  return {
    kind: data.kind,
    size: tok.ids.size,
    /** @param {Object<string, any>} how as `encode` below says */
    encode: (text, pair = null, how = {}) => encode(tok, text, pair, { ...sides(data), ...how }),
    cut: (text) => cut(tok, text),
    readable: tok.core.readable,
    merges: data.merges || [],
    known: new Set(data.known?.split(" ") ?? []),
    decode: (list, { skipSpecial = false } = {}) => decode(tok, list, skipSpecial),
    token: (id) => spelling(data, id) ?? data.pieces[id],
    piece: (id) => {
      spelling(data, id);
      return data.pieces[id];
    },
  };
}

/**
 * Where a text is cut and filled up, unless it is told otherwise.
 * @param {Object<string, any>} data
 */
const sides = ({ truncation_side: truncationSide, padding_side: paddingSide }) => ({ truncationSide, paddingSide });

/** What the functions below need of a tokenizer: its data, the ids of its tokens, and what depends on its kind. */
function opened(data, unicode) {
  const { kind, tokens, outside, added } = data;
  const ids = new Map(tokens.map((token, id) => [token, id]).filter(([token]) => token !== null));
  const inside = new Map([...ids].filter(([token]) => !outside.includes(token)));
  const core = KINDS[kind](data, inside, unicode);
  const normal = (text) => fromCodePoints(core.normalize(readText(text)).codes);
  const raw = added.filter((t) => !t.normalized).map((t) => ({ ...t, spelling: t.content }));
  const normalized = added
    .filter((t) => t.normalized)
    .map((t) => ({ ...t, spelling: kind === "bpe" ? t.content : normal(t.content) }));
  // GPT-2 normalises nothing: all are looked for in the text itself
  const [first, later] = kind === "bpe" ? [[raw, normalized], []] : [[raw], normalized];
  const decoded = new Map(normalized.map((t) => [ids.get(t.content), t.spelling || t.content]));
  return { data, unicode, ids, core, first, later, decoded, pieces: remembered(core.pieces) };
}

/** The pieces of a word, kept as long as there is room. */
function remembered(pieces) {
  const memory = new Map();
  return (codes) => {
    const key = fromCodePoints(codes);
    if (!memory.has(key)) {
      if (memory.size >= REMEMBERED) memory.clear();
      memory.set(key, pieces(codes));
    }
    return memory.get(key);
  };
}

/**
 * The words of a text: {codes (normalised; null for an added token), found: [{id, start, end}]}; places are code points
 * of the text.
 */
function* words({ core, ids, first, later, pieces, unicode }, codes) {
  for (const [start, end, content] of splitAll(codes, first, unicode)) {
    if (content !== null) {
      yield { codes: null, found: [{ id: ids.get(content), start, end }] };
      continue;
    }
    const { codes: plain, origins } = core.normalize(codes.slice(start, end));
    const placed = (piece, at) => ({
      id: piece.id,
      start: origins[at + piece.start] + start,
      end: origins[at + piece.end - 1] + 1 + start,
    });
    for (const [a, b, within] of splitAdded(plain, later, unicode)) {
      if (within !== null) {
        yield { codes: null, found: [placed({ id: ids.get(within), start: 0, end: b - a }, a)] };
        continue;
      }
      for (const [from, to] of core.spans(plain.slice(a, b))) {
        const word = plain.slice(a + from, a + to);
        yield { codes: word, found: pieces(word).map((piece) => placed(piece, a + from)) };
      }
    }
  }
}

/** One text without the tokens of a template: {id, start, end, word}; places are code points. */
function segment(tok, text) {
  const found = [];
  let word = 0;
  for (const { codes, found: its } of words(tok, readText(text))) {
    for (const token of its) found.push({ ...token, word, added: codes === null });
    word++;
  }
  return found;
}

/**
 * @param {Object<string, any>} how maxLength: at most so many tokens, the longer text is cut first;
 *   truncationSide, paddingSide: "right" or "left"; padTo: filled up to so many; single, double: other templates than
 *   the tokenizer's own
 */
function encode(tok, text, pair, how) {
  const { data, ids } = tok;
  if (pair !== null && data.kind === "words")
    throw new Error("This tokenizer has no separator, so it reads one text at a time.");
  const template = pair === null ? (how.single ?? data.single) : (how.double ?? data.pair),
    texts = pair === null ? [text] : [text, pair];
  const segments = texts.map((one) => segment(tok, one)),
    kept = fitted(segments, template.length - texts.length, how);
  const all = fill(
    template,
    kept.map((found, i) => finished(found, texts[i], tok)),
    ids,
  );
  return columns(pad(all, how, data.pad, ids), data.pieces);
}

function decode({ data, core, decoded }, list, skipSpecial) {
  const spelt = Array.from(list, (id) => spelling(data, id) && (decoded.get(id) ?? data.tokens[id]));
  const text = core.join(spelt.filter((t) => t !== null && (!skipSpecial || !data.special.includes(t))));
  return data.clean_up.reduce((whole, [seen, meant]) => whole.replaceAll(seen, meant), text);
}

/**
 * Of a row without a token null: it is shown by its piece, and leaves no trace in a text.
 * @param {any} data
 * @param {number} id
 */
function spelling({ tokens, pieces }, id) {
  if (!Number.isInteger(id) || tokens[id] === undefined || pieces[id] === null)
    throw new Error(`There is no token ${id}: ids go from 0 to ${tokens.length - 1}.`);
  return tokens[id];
}

/** How a text was cut, for the playground: every token with its word, and every word with the steps that cut it. */
function cut(tok, text) {
  const { tokens, special, unk_token: unknown } = tok.data,
    encoding = encode(tok, text, null, {});
  const shown = encoding.ids.map((id, i) => ({
    ...tok.core.readable(tokens[id]),
    id,
    start: encoding.offsets[i][0],
    end: encoding.offsets[i][1],
    word: encoding.wordIds[i],
    special: encoding.special[i] === 1 || (special.includes(tokens[id]) && tokens[id] !== unknown),
    unknown: tokens[id] === unknown,
  }));
  const cutWords = [...words(tok, readText(text))].map(({ codes }, word) => {
    const own = shown.filter((token) => token.word === word),
      start = Math.min(...own.map((t) => t.start)),
      end = Math.max(...own.map((t) => t.end));
    return {
      start,
      end,
      text: text.slice(start, end),
      normalized: codes && fromCodePoints(codes),
      steps: codes && codes.length <= LONGEST_SHOWN ? tok.core.steps(codes) : [],
    };
  });
  return { tokens: shown, words: cutWords };
}
