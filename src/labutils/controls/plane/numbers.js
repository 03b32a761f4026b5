// What was found at the settings of a plane, and which of them were tried.

export const ENOUGH = 54; // accepted stories: nine of ten

/**
 * @typedef {{text: string, at?: [number, number], why?: string}} Story at: the characters of its first wrong word
 * @typedef {{temperature: number, top_p: number, accepted: number, words: number, different: number,
 *   stories: Story[]}} Cell
 * @typedef {{temperatures: number[], top_ps: number[], stories: number, seed: number, cells: Cell[]}} Found
 */

export const nameOf = ({ temperature, top_p }) => `${temperature}/${top_p}`;

/**
 * @param {Found} found
 * @param {{temperature: number, top_p: number}} where
 */
export const cellAt = (found, where) => found.cells.find((cell) => nameOf(cell) === nameOf(where)) ?? found.cells[0];

/**
 * The cells that were tried: those of the trait, and the one where the point stands; not one that is still shut.
 * @param {Found} found
 * @param {{temperature: number, top_p: number, tried: string, shut?: string}} state
 * @returns {Cell[]}
 */
export function triedOf(found, state) {
  const names = new Set([...state.tried.split(/\s+/), nameOf(state)]);
  return found.cells.filter(
    (cell) => nameOf(cell) !== state.shut && (state.tried === "all" || names.has(nameOf(cell))),
  );
}
/**
 * The trait with one setting more; "all" where nothing is left.
 * @param {Found} found
 */
export function withTried(found, state, where) {
  const all = triedOf(found, { ...state, shut: "" }).concat(cellAt(found, where)),
    names = [...new Set(all.map(nameOf))];
  return names.length === found.cells.length ? "all" : names.join(" ");
}

/** Of some cells the one with the most different words, if enough of its stories are accepted. */
export const best = (cells) =>
  cells.filter((cell) => cell.accepted >= ENOUGH).sort((one, other) => other.words - one.words)[0];

/**
 * The stories of a cell that are shown: all of them, or two that are refused and then accepted ones, three together.
 * @param {Cell} cell
 * @param {boolean} whole
 */
export function shown(cell, whole) {
  if (cell.different === 1) return cell.stories.slice(0, 1);
  const refused = cell.stories.filter((one) => one.why),
    accepted = cell.stories.filter((one) => !one.why),
    sorted = [...refused, ...accepted];
  if (whole) return sorted;
  // a wrong word teaches more than a sign that the little world does not have
  const sign = ({ why }) => Number(/^Character/.test(why ?? "")),
    two = [...refused].sort((one, other) => sign(one) - sign(other) || one.text.length - other.text.length).slice(0, 2);
  return [...two, ...accepted].slice(0, 3);
}

/** A story in three parts: what holds, its first wrong word, the rest; "" where it may only not end. */
export function parts({ text, at }) {
  if (!at) return { held: text, wrong: "", rest: "" };
  return { held: text.slice(0, at[0]), wrong: text.slice(...at), rest: text.slice(at[1]) };
}
