// What a reader of the steps control operates: model and text, layer and head, three settings, the query, the step.
import { h } from "../look/kit.js";
import { index, num, range } from "../look/words.js";
import { row } from "../look/frame.js";
import { choice, segmented, slider, textField, toggle, tokenPicker } from "../look/inputs.js";
import { divisorName } from "./words.js";

const STEPS = ["q · k", "÷ √d", "mask", "softmax", "Σ w v"];

/**
 * @returns { rows, stepper, say, build(seen, now), show(view) }: the elements, and how they follow a reading and the
 * state
 */
export function bar(model, state, { cap, onstep }) {
  const models = model.get("models"), names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({ label: "Model", options: models.map((one) => one.title),
      value: names.indexOf(model.get("model")), onpick: (i) => swap(models[i]) });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: set("text") });
  const tau = slider({ label: "Temperature τ", min: 0.1, max: 4, step: 0.1, value: model.get("temperature"),
      words: (x) => num(x, 1), oninput: set("temperature") });
  const scaled = toggle({ label: "Scale", text: "divide by √d", value: model.get("scale"), onpick: set("scale") });
  const causal = toggle({ label: "Causal mask", text: "hide later tokens", value: model.get("causal"),
      onpick: set("causal") });
  const stepper = segmented({ label: "Step", hidden: true, big: true, value: model.get("step") - 1,
      options: STEPS.map((words, i) => ({ n: i + 1, text: words })), onpick: onstep });
  const slots = { layer: h("div", { class: "itt-slot" }), head: h("div", { class: "itt-slot" }),
    query: h("div", { class: "itt-slot itt-grow" }) }, inside = {};

  /** The paper model knows five words: it brings its own text and takes none along. */
  function swap(to) {
    const small = [to.name, model.get("model")].includes("paper-gpt2");
    state.set({ model: to.name, text: small ? to.text : model.get("text") });
  }

  function build(seen, now) {
    const parts = {
      layer: choice({ label: "Layer", options: range(seen.L).map(String), value: now.layer, onpick: set("layer") }),
      head: choice({ label: "Head", options: range(seen.H).map(String), value: now.head, onpick: set("head") }),
      query: tokenPicker({ label: "Query: the token that asks", tokens: seen.tokens, value: now.query,
          onpick: set("query") }),
    };
    for (const [name, part] of Object.entries(parts)) slots[name].replaceChildren(part.el);
    Object.assign(inside, parts);
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }

  function show({ now, how, step, head }) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    for (const name in inside) inside[name].set(now[name]);
    tau.set(how.temperature);
    scaled.set(how.scale);
    scaled.rename(`divide by √${head.d}`);
    causal.set(how.causal);
    stepper.set(index(step, STEPS.length));
    stepper.el.querySelectorAll(".itt-seg-item span span")[1].textContent = `÷ ${divisorName(how, head.d)}`;
  }
  const rows = [row(pickModel.el, text.el), row(slots.layer, slots.head), row(tau.el, scaled.el, causal.el),
    slots.query];
  return { rows, stepper: stepper.el, say: text.say, build, show };
}
