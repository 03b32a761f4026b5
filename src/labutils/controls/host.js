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
  const modelOf = kept(all);
  for (const view of views) {
    const key = JSON.parse(view.textContent).model_id,
      record = all[key];
    if (!broken && !record?.state?.control) continue; // not one of ours
    const place = { view, key, record, modelOf, controls, broken, el: h("div", { class: "itt-live" }) };
    view.after(place.el);
    approach(place, record?.state?.name);
  }
}

/**
 * The state of each control, made when it is first needed. A control may bring a model of its own (`own_model`): then
 * the others offer it from the start, and change over when the page hears that it is there, and back when it is gone.
 */
function kept(all) {
  const models = new Map(),
    brings = Object.values(all).find(({ state }) => state?.brings)?.state.brings;
  const offers = (state) => brings && "model" in state && state.finished?.info?.causal;
  function modelOf(key) {
    if (models.has(key)) return models.get(key);
    const state = restored(all[key]),
      like = offers(state) && state.models?.find(({ name }) => name === brings.like);
    if (like) state.models = [...state.models, { ...like, ...brings }];
    models.set(key, new PageModel(state));
    return models.get(key);
  }
  const before = new Map(); // control -> the model that it showed
  document.addEventListener("itt-brought", (/** @type {any} */ { detail: { name, there } }) => {
    for (const key of Object.keys(all).filter((one) => all[one].state?.control && offers(all[one].state))) {
      const model = modelOf(key);
      if (there) before.set(key, model.get("model"));
      else if (model.get("model") !== name) continue;
      model.set({ model: there ? name : before.get(key), ...forgotten(model) });
    }
  });
  return modelOf;
}

/** What a state says about the tokens or the heads of one model alone. */
const forgotten = (model) =>
  Object.fromEntries(["trail", "off", "tried"].filter((name) => model.get(name)).map((name) => [name, ""]));

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
  near && !place.record?.state.brings ? near.observe(still(place.view) || place.el.parentElement) : begin();
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
async function run({ view, key, record, modelOf, controls, broken, el }) {
  try {
    if (broken) throw new Error(broken);
    const control = controls[record.state.control];
    if (!control) throw new Error(`this page does not know the control “${record.state.control}”`);
    await control.render({ model: modelOf(key), el });
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
