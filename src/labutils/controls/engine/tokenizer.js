// Text to ids and back, in the browser: the same ids, offsets and segments as Python's `labutils.text`.
//
//   text -> added tokens cut out -> normalise -> words -> pieces -> template -> ids
import { splitAdded, splitAll } from "./added.js";
import { openBPE } from "./bpe.js";
import { fill, fitted, pad } from "./template.js";
import { codePoints, fromCodePoints, readText, utf16Places } from "./unicode.js";
import { openWordPiece } from "./wordpiece.js";
import { openWords } from "./words.js";

const KINDS = { bpe: openBPE, wordpiece: openWordPiece, words: openWords };
const REMEMBERED = 20000; // words whose pieces are kept, because words repeat
const SPACE_SYMBOL = 0x120; // Ġ, GPT-2's symbol of the byte of a space
const LONGEST_SHOWN = 200; // symbols; the steps of a longer word are not recorded

/**
 * @param {Object<string, any>} data what `tokenizer_file.py` wrote: kind, tokens (by id; null where an id is not used),
 *   pieces (the tokens, printable), outside (tokens that no word falls into), added, special, single and pair
 *   (templates), and the settings of the kind
 * @param {import("./unicode.js").Unicode} unicode
 */
export function openTokenizer(data, unicode) {
  const { kind, tokens, pieces, outside, added, special, single, pair: double } = data;
  const ids = new Map(tokens.map((token, id) => [token, id]).filter(([token]) => token !== null));
  const inside = new Map([...ids].filter(([token]) => !outside.includes(token)));
  const core = KINDS[kind](data, inside, unicode),
    memory = new Map();
  const normal = (text) => fromCodePoints(core.normalize(readText(text)).codes);
  const raw = added.filter((t) => !t.normalized).map((t) => ({ ...t, spelling: t.content }));
  const normalized = added
    .filter((t) => t.normalized)
    .map((t) => ({ ...t, spelling: kind === "bpe" ? t.content : normal(t.content) }));
  // GPT-2 normalises nothing: all are looked for in the text itself
  const [first, later] = kind === "bpe" ? [[raw, normalized], []] : [[raw], normalized];
  const decoded = new Map(normalized.map((t) => [ids.get(t.content), t.spelling || t.content]));

  function wordPieces(codes) {
    const key = fromCodePoints(codes);
    if (!memory.has(key)) {
      if (memory.size >= REMEMBERED) memory.clear();
      memory.set(key, core.pieces(codes));
    }
    return memory.get(key);
  }

  /**
   * The words of a text: {codes (normalised; null for an added token), found: [{id, start, end}]}; places are code
   * points of the text.
   */
  function* words(codes) {
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
          yield { codes: word, found: wordPieces(word).map((piece) => placed(piece, a + from)) };
        }
      }
    }
  }

  /** One text without the tokens of a template: {id, start, end, word}; places are code points. */
  function segment(text) {
    const found = [];
    let word = 0;
    for (const { codes, found: its } of words(readText(text))) {
      for (const token of its) found.push({ ...token, word, added: codes === null });
      word++;
    }
    return found;
  }

  /**
   * The tokens of a segment that stay, trimmed if asked for; their places in the string as the browser counts, in
   * UTF-16 units.
   */
  function finished(found, text) {
    const codes = readText(text),
      places = utf16Places(codes);
    return found.map((token, i) => {
      const own = token.added ? codes.slice(token.start, token.end) : codePoints(tokens[token.id]),
        { start, end } = data.trim_offsets ? trimmed(token, own, i === 0) : token;
      return { id: token.id, offset: [places[start], places[end]], word: token.word };
    });
  }

  /**
   * Offsets without the white space at the ends of a token. A single space that `add_prefix_space` put in front was not
   * in the text.
   */
  function trimmed({ start, end }, text, isFirst) {
    const blank = (c) => c === SPACE_SYMBOL || unicode.is("space", c),
      solid = text.findIndex((c) => !blank(c)),
      none = solid < 0;
    const front = none ? text.length : solid,
      back = none ? text.length : text.length - 1 - text.findLastIndex((c) => !blank(c));
    const cutFront = front && !(front === 1 && data.add_prefix_space && (isFirst || start === 0)),
      from = cutFront ? Math.min(start + front, end) : start;
    return { start: from, end: back && end >= back ? Math.max(end - back, from) : end };
  }

  /**
   * @param {Object<string, any>} how maxLength: at most so many tokens, the longer text is cut first;
   *   truncationSide, paddingSide: "right" or "left"; padTo: filled up to so many; single, double: other templates than
   *   the tokenizer's own
   * @returns {{ids, tokens, offsets, typeIds, special, wordIds, sequenceIds, mask}} one entry a token; special is 1 for
   *   what the tokenizer added itself, sequenceIds are null there, mask is 0 for padding
   */
  function encode(text, pair = null, how = {}) {
    if (pair !== null && kind === "words")
      throw new Error("This tokenizer has no separator, so it reads one text at a time.");
    const template = pair === null ? (how.single ?? single) : (how.double ?? double),
      texts = pair === null ? [text] : [text, pair];
    const all = fill(
      template,
      fitted(texts.map(segment), template.length - texts.length, how).map((found, i) => finished(found, texts[i])),
      ids,
    );
    const padded = pad(all, how, data.pad, ids),
      column = (name) => padded.map((token) => token[name]);
    return {
      ids: column("id"),
      tokens: padded.map((t) => pieces[t.id]),
      offsets: column("offset"),
      typeIds: column("typeId"),
      special: column("special"),
      wordIds: column("word"),
      sequenceIds: column("sequence"),
      mask: column("mask"),
    };
  }

  function spelling(id) {
    if (!Number.isInteger(id) || tokens[id] === undefined || tokens[id] === null)
      throw new Error(`There is no token ${id}: ids go from 0 to ${tokens.length - 1}.`);
    return tokens[id];
  }

  /** How a text was cut, for the playground: every token with its word, and every word with the steps that cut it. */
  function cut(text) {
    const encoding = encode(text),
      shown = encoding.ids.map((id, i) => ({
        ...core.readable(tokens[id]),
        id,
        start: encoding.offsets[i][0],
        end: encoding.offsets[i][1],
        word: encoding.wordIds[i],
        special: encoding.special[i] === 1 || (special.includes(tokens[id]) && tokens[id] !== data.unk_token),
        unknown: tokens[id] === data.unk_token,
      }));
    const cutWords = [...words(readText(text))].map(({ codes }, word) => {
      const own = shown.filter((token) => token.word === word),
        start = Math.min(...own.map((t) => t.start)),
        end = Math.max(...own.map((t) => t.end));
      return {
        start,
        end,
        text: text.slice(start, end),
        normalized: codes && fromCodePoints(codes),
        steps: codes && codes.length <= LONGEST_SHOWN ? core.steps(codes) : [],
      };
    });
    return { tokens: shown, words: cutWords };
  }

  return {
    kind,
    size: ids.size,
    encode,
    cut,
    readable: core.readable,
    merges: data.merges || [],
    decode: (list, { skipSpecial = false } = {}) =>
      core.join(
        Array.from(list, (id) => spelling(id) && (decoded.get(id) ?? tokens[id])).filter(
          (t) => !skipSpecial || !special.includes(t),
        ),
      ),
    token: spelling,
    piece: (id) => {
      spelling(id);
      return pieces[id];
    },
  };
}
