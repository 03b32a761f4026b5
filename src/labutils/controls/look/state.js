// The state of a control lives in its model, so that a second view, the kernel and the page's address stay in step with
// it.
import { asked } from "./frame.js";

/**
 * Bind the traits `names`: `read()` gives them all, `set(patch)` changes some and draws once, a change from elsewhere
 * draws too. What the page's address asks for under the control's name is set first.
 */
export function bind(model, names, onchange) {
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

/** Words of an address as values of the traits' own types; what does not fit is left out. */
function typed(wish, names, model) {
  const out = {};
  for (const name of names) {
    const word = wish[name],
      now = model.get(name);
    if (word === undefined) continue;
    if (typeof now === "number") {
      if (word.trim() !== "" && Number.isFinite(+word)) out[name] = +word;
    } else if (typeof now === "boolean") out[name] = word === "true";
    else if (typeof now === "string") out[name] = word.slice(0, 4000);
  }
  return out;
}

/** The state as the Python that makes it: what "Copy as a cell" copies in JupyterLab. */
export function pythonCall(name, state) {
  const word = (x) => (typeof x === "boolean" ? (x ? "True" : "False") : x === null ? "None" : JSON.stringify(x));
  return `${name}(${Object.entries(state)
    .map(([key, x]) => `${key}=${word(x)}`)
    .join(", ")})`;
}
