// The part of a source that both homes share: whether it lives, why not, and who wants to know.

/**
 * @param {string} home "page" or "kernel"
 * @param {string} reason why it does not live yet
 * @returns {{home: string, reason: string, live: boolean, info: any, onchange: (fn: (source: any) => void) => () =>
 *   void,
 *   set: (changes: object) => void}} `set` tells the listeners if anything changed
 */
export function liveness(home, reason) {
  const listeners = new Set();
  /** @type {any} */
  const source = {
    home,
    reason,
    live: false,
    info: null,
    onchange(fn) {
      listeners.add(fn);
      return () => {
        listeners.delete(fn);
      };
    },
    set(changes) {
      if (Object.entries(changes).every(([key, value]) => source[key] === value)) return;
      Object.assign(source, changes);
      for (const fn of [...listeners]) fn(source);
    },
  };
  return source;
}

/** The arrays of a trace that a control gets when it does not say what it wants. */
export const WANTED = ["q", "k", "v", "weights"];
