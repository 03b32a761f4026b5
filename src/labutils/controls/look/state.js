// The state of a control lives in its model, so that a second view, the kernel and the page's address stay in step with
// it.
import { asked } from "./frame.js";
import { clamp } from "./words.js";

/**
 * Bind the traits that a reader changes, which are the settings of the Python class or those of them that are in
 * `names`: `read()` gives them all, `set(patch)` changes some and draws once, a change from elsewhere draws too. What
 * the page's address asks for under the control's name is set first.
 */
export function bind(model, onchange, names = Object.keys(model.get("settings"))) {
  let own = false,
    waiting = false;
  const hear = () => {
    if (own || waiting) return;
    waiting = true; // several traits that change together are one change
    queueMicrotask(() => {
      waiting = false;
      onchange();
    });
  };
  const put = (patch) => {
    own = true;
    for (const [name, value] of Object.entries(patch)) model.set(name, value);
    own = false;
    model.save_changes();
  };
  for (const name of names) model.on(`change:${name}`, hear);
  const wish = asked(model.get("name"));
  if (wish) put(typed(wish, names, model));
  // a link within the page
  const follow = () => {
    const now = asked(model.get("name"));
    if (now) {
      put(typed(now, names, model));
      onchange();
    }
  };
  if (model.onPage) addEventListener("hashchange", follow);
  return {
    read: () => Object.fromEntries(names.map((name) => [name, model.get(name)])),
    set(patch) {
      put(patch);
      onchange();
    },
    keep: put, // without drawing
    off() {
      for (const name of names) model.off(`change:${name}`, hear);
      if (model.onPage) removeEventListener("hashchange", follow);
    },
  };
}

/**
 * Words of an address as values of the traits' own types. What does not fit is left out; a number beyond its range
 * becomes its end.
 */
function typed(wish, names, model) {
  const out = {};
  for (const name of names) {
    if (wish[name] === undefined) continue;
    const value = read(wish[name], typeof model.get(name)),
      { least = -Infinity, most = Infinity, choices } = model.get("settings")[name];
    if (value === null || (choices && !choices.includes(value))) continue;
    out[name] = typeof value === "number" ? clamp(value, least, most) : value;
  }
  return out;
}

/** A word as a value of a type; null where it is none. */
function read(word, type) {
  if (type === "number") return word.trim() !== "" && Number.isFinite(+word) ? +word : null;
  if (type === "boolean") return word === "true";
  return type === "string" ? word.slice(0, 4000) : null;
}

/** The state as the Python that makes it: what "Copy as a cell" copies in JupyterLab. */
export function pythonCall(name, state) {
  const word = (x) => (typeof x === "boolean" ? (x ? "True" : "False") : x === null ? "None" : JSON.stringify(x));
  return `${name}(${Object.entries(state)
    .map(([key, x]) => `${key}=${word(x)}`)
    .join(", ")})`;
}
