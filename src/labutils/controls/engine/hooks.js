// Hooks: a layer hands each value that has a name to `see`, where it stands, and goes on with what comes back:
//
//   x = add(x, see("attention_output", attended));
//
// As a rule `see` is `unseen`, which hands everything back. It may as well keep what it is shown, or hand back
// something else: a head switched off, a state of another run. The same names, and the same places, as in Python's
// `labutils.layers`.

/**
 * @typedef {(name: string, value: Float64Array) => Float64Array} See
 * @typedef {(value: Float64Array, shape: number[]) => ArrayLike<number>} Change
 */

/**
 * Nobody looks: the value goes on as it is.
 * @type {See}
 */
export const unseen = (_, value) => value;

/** `see` for block i of a model: the names of its stages get "layer i " in front. */
export const inLayer = (see, i) => (see === unseen ? see : (name, value) => see(`layer ${i} ${name}`, value));

/**
 * A `see` that keeps what it is shown, by name, in `stages`, and may exchange it; `shown` are all names. What is kept
 * is what the model went on with.
 * @param {(name: string) => boolean} want tells from a name whether to keep that value
 * @param {Object<string, Change>} change for a name, what to put in the place of its value: a function of a copy of
 *   that value, which it may write into, and of its shape
 * @param {(name: string, length: number) => number[]} shapeOf the shape of a value by its name and its length
 */
export function recorder(want, change, shapeOf) {
  const stages = {},
    shown = new Set();
  function see(name, value) {
    shown.add(name);
    if (Object.hasOwn(change, name)) value = changed(name, change[name], value, shapeOf(name, value.length));
    if (want(name)) stages[name] = value;
    return value;
  }
  return { see, stages, shown };
}

/** What stands in the place of a value after a change. */
export function changed(name, change, value, shape) {
  const other = change(value.slice(), shape);
  if (other?.length === value.length) return Float64Array.from(other);
  throw new Error(
    `The change of “${name}” has to give back ${value.length} numbers, not ${other?.length ?? "nothing"}.`,
  );
}
