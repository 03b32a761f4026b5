// BERT's normalisation, with the way back: every character remembers where it came from.
// Source: BasicTokenizer of google-research/bert, as HuggingFace's BertNormalizer performs it.

/**
 * @typedef {{clean_text: boolean, tokenize_chinese_chars: boolean, strip_accents: boolean | null, lowercase: boolean}}
 *   Options
 */

/**
 * @param {number[]} codes code points of the reader's text
 * @param {Options} options as in Python's `normalize`; strip_accents null: if lower-casing
 * @param {import("./unicode.js").Unicode} unicode
 * @returns {{codes: number[], origins: number[]}} the new text, and for each of its characters the place it came from
 */
export function normalize(codes, { clean_text, tokenize_chinese_chars, strip_accents, lowercase }, unicode) {
  let chars = codes.map((code, i) => [code, i]);
  if (clean_text) chars = clean(chars, unicode);
  if (tokenize_chinese_chars)
    chars = chars.flatMap(([c, at]) =>
      unicode.is("cjk", c)
        ? [
            [32, at],
            [c, at],
            [32, at],
          ]
        : [[c, at]],
    );
  if (strip_accents ?? lowercase) chars = decomposed(chars, unicode).filter(([c]) => !unicode.is("nonspacing", c));
  if (lowercase) chars = chars.flatMap(([c, at]) => unicode.lower(c).map((small) => [small, at]));
  return { codes: chars.map((c) => c[0]), origins: chars.map((c) => c[1]) };
}

/** Drop control characters; every kind of white space becomes a plain space. */
function clean(chars, unicode) {
  return chars.filter(([c]) => !unicode.is("removed", c)).map(([c, at]) => [unicode.is("space", c) ? 32 : c, at]);
}

/**
 * Canonical decomposition: letters and their accents apart, accents in canonical order. Where accents change places,
 * origins do not: as in HuggingFace, the first part of the k-th character keeps the k-th origin, wherever it now
 * stands.
 */
function decomposed(chars, unicode) {
  const parts = chars.flatMap(([c]) => unicode.decompose(c).map((part, i) => [part, i === 0]));
  for (let start = 0, end; start < parts.length; start = end) {
    end = start + 1;
    while (end < parts.length && unicode.rank(parts[end][0])) end++;
    if (end - start > 1) {
      const cluster = parts.slice(start, end).sort((a, b) => unicode.rank(a[0]) - unicode.rank(b[0]));
      for (let i = start; i < end; i++) parts[i] = cluster[i - start];
    }
  }
  let next = 0,
    origin = 0;
  return parts.map(([part, isFirst]) => {
    if (isFirst) origin = chars[next++][1];
    return [part, origin];
  });
}
