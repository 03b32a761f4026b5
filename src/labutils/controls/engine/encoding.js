// What a tokenizer returns: one entry a token of everything that is known about it. As `labutils/text/encoding.py`.
import { codePoints, readText, utf16Places } from "./unicode.js";

const SPACE_SYMBOL = 0x120; // Ġ, GPT-2's symbol of the byte of a space

/** @typedef {{id: number, start: number, end: number, word: number, added: boolean}} Token of a segment */

/**
 * The tokens of a segment that stay, trimmed if asked for; their places in the string as the browser counts, in UTF-16
 * units.
 * @param {Token[]} found
 * @param {string} text
 * @param {any} of the tokenizer: data and unicode
 */
export function finished(found, text, { data, unicode }) {
  const codes = readText(text),
    places = utf16Places(codes);
  return found.map((token, i) => {
    const own = token.added ? codes.slice(token.start, token.end) : codePoints(data.tokens[token.id]),
      first = i === 0,
      { start, end } = data.trim_offsets ? trimmed(token, own, first, data.keeps_lead, unicode) : token;
    return { id: token.id, offset: [places[start], places[end]], word: token.word };
  });
}

/**
 * Offsets without the white space at the ends of a token. A single space in front was not in the text where
 * `keeps_lead` says so.
 */
function trimmed({ start, end }, text, isFirst, prefixed, unicode) {
  const blank = (c) => c === SPACE_SYMBOL || unicode.is("space", c),
    solid = text.findIndex((c) => !blank(c)),
    none = solid < 0;
  const front = none ? text.length : solid,
    back = none ? text.length : text.length - 1 - text.findLastIndex((c) => !blank(c));
  const cutFront = front && !(front === 1 && prefixed && (isFirst || start === 0)),
    from = cutFront ? Math.min(start + front, end) : start;
  return { start: from, end: back && end >= back ? Math.max(end - back, from) : end };
}

/**
 * The tokens of a row as columns.
 * @param {any[]} row
 * @param {string[]} pieces the tokens by id, printable
 * @returns one entry a token; special is 1 for what the tokenizer added itself, sequenceIds are null there, mask is 0
 *   for padding
 */
export function columns(row, pieces) {
  const column = (name) => row.map((token) => token[name]);
  return {
    ids: column("id"),
    tokens: row.map((t) => pieces[t.id]),
    offsets: column("offset"),
    typeIds: column("typeId"),
    special: column("special"),
    wordIds: column("word"),
    sequenceIds: column("sequence"),
    mask: column("mask"),
  };
}
