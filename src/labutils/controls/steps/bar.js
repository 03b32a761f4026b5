// What a reader of the steps control operates: model and text, layer and head, three settings, the query, the step.

import { modelAndText } from "../look/asking.js";
import { row } from "../look/frame.js";
import { choice, segmented, slider, toggle, tokenPicker } from "../look/inputs.js";
import { h, write } from "../look/kit.js";
import { index, num, range } from "../look/words.js";
import { divisorName } from "./words.js";

export const STEPS = ["q · k", "÷ √d", "mask", "softmax", "Σ w v"];

/**
 * @param model the anywidget model, or the host's
 * @returns { settings, query, stepper, say, build(seen, now), show(view) }: the elements, and how they follow a reading
 * and the state
 */
export function bar(model, state, { onstep, ontext, onquery }) {
  const asked = modelAndText(model, { onmodel: state.set, ontext }),
    how = settings(model, state),
    places = placed(state, onquery);
  const stepper = segmented({
    label: "Step",
    hidden: true,
    big: true,
    value: model.get("step") - 1,
    options: STEPS.map((words, i) => ({ n: i + 1, text: words })),
    onpick: onstep,
  });
  return {
    settings: [asked.el, row(places.layer, places.head), how.el],
    query: places.query,
    stepper: stepper.el,
    say: asked.say,
    build(seen, now) {
      places.build(seen, now);
      asked.rename(seen.info);
    },
    show(v) {
      asked.show(v.now);
      places.show(v.now);
      how.show(v);
      stepper.set(index(v.step, STEPS.length));
      write(stepper.el.querySelectorAll(".itt-seg-item span span")[1], `÷ ${divisorName(v.how, v.head.d)}`);
    },
  };
}

/** Temperature, scale and mask. */
function settings(model, state) {
  const { least, most } = model.get("settings").temperature,
    spec = (name) => ({ value: model.get(name), onpick: (value) => state.set({ [name]: value }) });
  const tau = slider({
    label: "Temperature τ",
    min: least,
    max: most,
    step: 0.1,
    value: model.get("temperature"),
    words: (x) => num(x, 1),
    oninput: (temperature) => state.set({ temperature }),
  });
  const scaled = toggle({ label: "Scale", text: "divide by √d", ...spec("scale") }),
    causal = toggle({ label: "Causal mask", text: "hide later tokens", ...spec("causal") });
  return {
    el: row(tau.el, scaled.el, causal.el),
    show({ how, head }) {
      tau.set(how.temperature);
      scaled.set(how.scale);
      scaled.rename(`divide by √${head.d}`);
      causal.set(how.causal);
    },
  };
}

/** Layer, head and query: slots that are filled anew for each reading. */
function placed(state, onquery) {
  const slots = {
    layer: h("div", { class: "itt-slot" }),
    head: h("div", { class: "itt-slot" }),
    query: h("div", { class: "itt-slot itt-grow" }),
  };
  const set = (name) => (value) => state.set({ [name]: value });
  let inside = {};
  function build({ L, H, tokens }, now) {
    const some = (label, name, size) =>
      choice({ label, options: range(size).map(String), value: now[name], onpick: set(name) });
    inside = {
      layer: some("Layer", "layer", L),
      head: some("Head", "head", H),
      query: tokenPicker({ label: "Query: the token that asks", tokens, value: now.query, onpick: onquery }),
    };
    for (const [name, part] of Object.entries(inside)) slots[name].replaceChildren(part.el);
  }
  return {
    ...slots,
    build,
    show(now) {
      for (const name in inside) inside[name].set(now[name]);
    },
  };
}
