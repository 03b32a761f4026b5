// The tokenizer of a model whose table has more rows than there are tokens, such as one filled up to a multiple of 64.

/**
 * `read`, in which a row without a token is shown by its number, and says nothing in a text.
 * @template {{size: number, piece: (id: number) => string, decode: (ids: number[], how?: object) => string}} T
 * @param {T} read whose tokens have the ids 0 to size - 1
 * @param {number} rows of the table
 * @returns {T}
 */
export function named(read, rows) {
  const nameless = (/** @type {number} */ id) => id >= read.size && id < rows;
  return {
    ...read,
    piece: (id) => (nameless(id) ? `⟨row ${id}⟩` : read.piece(id)),
    decode: (ids, how) =>
      read.decode(
        Array.from(ids).filter((id) => !nameless(id)),
        how,
      ),
  };
}
