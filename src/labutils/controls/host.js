// Starts the controls of a page that has no kernel: each when it comes near the view, each with a model that holds its
// state.

import { asked } from "./look/frame.js";
import { h } from "./look/kit.js";

/**
 * What a control sees of its widget: traits that can be read, set and listened to, as in JupyterLab, but nobody behind
 * it.
 */
export class PageModel {
  constructor(state) {
    this.state = state;
    this.calls = new Map();
    this.onPage = true;
  }
  get(name) {
    return this.state[name];
  }
  set(name, value) {
    const patch = typeof name === "object" ? name : { [name]: value };
    const changed = Object.entries(patch).filter(([k, v]) => !Object.is(this.state[k], v));
    for (const [k, v] of changed) this.state[k] = v;
    for (const [k, v] of changed) this.fire(`change:${k}`, v);
    if (changed.length) this.fire("change");
  }
  on(names, fn) {
    for (const n of names.split(/\s+/)) this.calls.set(n, [...(this.calls.get(n) || []), fn]);
  }
  off(names, fn) {
    for (const n of (names || "").split(/\s+/))
      this.calls.set(
        n,
        (this.calls.get(n) || []).filter((f) => fn && f !== fn),
      );
  }
  fire(name, ...args) {
    for (const fn of this.calls.get(name) || []) fn({}, ...args);
  }
  save_changes() {}
  send() {}
}

/** Base64 by a plain loop: many times faster than Uint8Array.from over the string. */
export function decode(base64) {
  const text = atob(base64),
    out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** The state of one widget, its binary traits put back in their places. */
export function restored(record) {
  for (const { path, data, encoding } of record.buffers || []) {
    if (encoding !== "base64") throw new Error(`its data come in an unknown encoding, ${encoding}`);
    const place = path.slice(0, -1).reduce((at, key) => at[key], record.state);
    place[path.at(-1)] = new DataView(decode(data).buffer);
  }
  return record.state;
}

/** Find every view of the page and start its control on approach. */
export function start(controls) {
  if (document.readyState === "loading") {
    addEventListener("DOMContentLoaded", () => start(controls));
    return;
  }
  const views = [...document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]')];
  if (!views.length) return;
  let all = {},
    broken = "";
  try {
    all = JSON.parse(
      document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]').textContent,
    ).state;
  } catch (error) {
    broken = `the data of this page are damaged (${error.message})`;
  }
  const models = new Map();
  for (const view of views) {
    const key = JSON.parse(view.textContent).model_id,
      record = all[key];
    if (!broken && !record?.state?.control) continue; // not one of ours
    const place = { view, key, record, models, controls, broken, el: h("div", { class: "itt-live" }) };
    view.after(place.el);
    approach(place, record?.state?.name);
  }
}

/** Begin when the place comes near the view, or at once if the page's address asks for this control. */
function approach(place, name) {
  let begun = null;
  const begin = () => {
    near?.disconnect();
    begun ??= run(place);
    return begun;
  };
  const near =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver(
          (seen) => {
            if (seen.some((entry) => entry.isIntersecting)) begin();
          },
          { rootMargin: "600px" },
        );
  const follow = () => {
    if (!asked(name)) return;
    unfold(place.el);
    begin().then(() => place.el.scrollIntoView({ block: "start" }));
  };
  near ? near.observe(still(place.view) || place.el.parentElement) : begin();
  addEventListener("hashchange", follow);
  follow();
}

/** Opens whatever is folded around an element. */
function unfold(el) {
  for (let fold = el.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

/** The still picture of a view: the last one before it that is not another view's. */
const still = (view) =>
  [...document.querySelectorAll('.itt-still, script[type$="widget-view+json"]')]
    .filter((el) => el === view || el.compareDocumentPosition(view) & Node.DOCUMENT_POSITION_FOLLOWING)
    .slice(-2)
    .find((el) => el.matches(".itt-still"));

/** The title of a control is a heading one level below that of the section that it stands in. */
function level(el) {
  let depth = 1;
  for (let at = el.closest("section[id]"); at; at = at.parentElement.closest("section[id]")) depth++;
  for (const title of el.querySelectorAll(".itt-title")) title.setAttribute("aria-level", String(depth));
}

/** Draw one control in its place. Whatever goes wrong becomes a sentence, and the still picture stays. */
async function run({ view, key, record, models, controls, broken, el }) {
  try {
    if (broken) throw new Error(broken);
    const control = controls[record.state.control];
    if (!control) throw new Error(`this page does not know the control “${record.state.control}”`);
    if (!models.has(key)) models.set(key, new PageModel(restored(record)));
    await control.render({ model: models.get(key), el });
    still(view)?.remove();
    level(el);
    view.dataset.started = "true";
  } catch (error) {
    el.replaceChildren(
      h("p", {
        class: "itt-failed",
        role: "alert",
        text: `This control could not be started: ${String(error.message || error).replace(/\.$/, "")}.`,
      }),
    );
    console.warn(error);
  }
}
