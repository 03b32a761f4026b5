// Around the tokens of the text: special tokens for one and two segments, truncation, padding. As
// `labutils/text/template.py`.
const SLOTS = { A: 0, B: 1 };

/** Segments in a template of [slot, type id]; a slot that is no segment is a special token. */
export function fill(template, segments, ids) {
  const special = (slot, typeId) => [
    { id: ids.get(slot), offset: [0, 0], word: null, special: 1, sequence: null, mask: 1, typeId },
  ];
  return template.flatMap(([slot, typeId]) =>
    slot in SLOTS
      ? segments[SLOTS[slot]].map((token) => ({ ...token, special: 0, sequence: SLOTS[slot], mask: 1, typeId }))
      : special(slot, typeId),
  );
}

/** One or two segments, cut so that with `added` special tokens at most `maxLength` are left. */
export function fitted(segments, added, { maxLength = null, truncationSide = "right" }) {
  if (maxLength === null) return segments;
  if (maxLength < added)
    throw new Error(`A length of ${maxLength} is too small: the special tokens alone need ${added}.`);
  const kept = roomFor(segments[0].length, segments[1]?.length ?? 0, maxLength - added);
  return segments.map((found, i) =>
    truncationSide === "left" ? found.slice(Math.max(0, found.length - kept[i])) : found.slice(0, kept[i]),
  );
}

/**
 * How many tokens of two texts to keep when together they may have `room`: the longer one gives first, the odd token
 * goes to the longer.
 */
export function roomFor(first, second, room) {
  if (first + second <= room) return [first, second];
  let [short, long] = first > second ? [second, first] : [first, second];
  long = short > room ? short : Math.max(short, room - short);
  if (short + long > room) [short, long] = [Math.floor(room / 2), Math.ceil(room / 2)];
  return first > second ? [long, short] : [short, long];
}

/** Fill up to `padTo` with the padding token, which no model attends to. */
export function pad(all, { padTo = 0, paddingSide = "right" }, token, ids) {
  const missing = Math.max(0, padTo - all.length);
  if (missing && !token) throw new Error("This tokenizer has no padding token.");
  const filling = Array.from({ length: missing }, () => ({
    id: ids.get(token),
    offset: [0, 0],
    word: null,
    special: 1,
    sequence: null,
    mask: 0,
    typeId: 0,
  }));
  return paddingSide === "left" ? [...filling, ...all] : [...all, ...filling];
}
