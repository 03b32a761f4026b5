// Two texts in one sequence of a given length, by the template of a lane: order, truncation longest first, padding on
// the right.
import { openTokenizer } from "../engine/tokenizer.js";
import { openUnicode } from "../engine/unicode.js";

/**
 * @param tok from `openTokenizer`
 * @param {{single, pair}} lane the templates
 * @returns {{tokens, lost}} tokens[i]: {text, id, type, mask, from, special}; `lost` are the tokens of each text that
 *   found no room
 */
export function laid(tok, first, second, length, lane) {
  const templates = { single: lane.single, double: lane.pair },
    pair = second === "" ? null : second,
    piece = (id) => tok.readable(tok.token(id)).text;
  const row = tok.encode(first, pair, { ...templates, maxLength: length, padTo: length }),
    whole = tok.encode(first, pair, templates);
  const tokens = row.ids.map((id, i) => ({
    text: piece(id),
    id,
    type: row.typeIds[i],
    mask: row.mask[i],
    from: row.sequenceIds[i],
    special: row.sequenceIds[i] === null,
  }));
  const lost = [0, 1].map((which) =>
    whole.ids
      .filter((_, i) => whole.sequenceIds[i] === which)
      .slice(row.sequenceIds.filter((s) => s === which).length)
      .map(piece),
  );
  return { tokens, lost };
}

/**
 * The same from the content of tokenizers' files, one a lane: the state that a control comes with.
 * @param {[string, string]} texts
 */
export function first(files, table, lanes, texts, length) {
  const unicode = openUnicode(table);
  return lanes.map((lane, i) => {
    const tok = openTokenizer(files[i], unicode);
    return { ...lane, ...laid(tok, ...texts, length, lane), size: tok.size };
  });
}

const HIGH = 5; // lines of a card

/** Every card in order: the positions, and after the last token of each text those that it lost, five on a card. */
export function cards({ tokens, lost, single, pair }) {
  const out = [],
    two = lost[1].length || tokens.some((t) => t.from === 1);
  let at = 0;
  const take = () => {
    out.push({ ...tokens[at], position: at });
    at++;
  };
  for (const [slot] of two ? pair : single) {
    const which = { A: 0, B: 1 }[slot];
    if (which === undefined) {
      take();
      continue;
    }
    while (tokens[at]?.from === which) take();
    for (let i = 0; i < lost[which].length; i += HIGH) out.push({ lost: lost[which].slice(i, i + HIGH), from: which });
  }
  while (at < tokens.length) take();
  return out;
}
