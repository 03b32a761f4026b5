// What a reader of the vectors operates: model and text, layer and head, the query, and the page of columns.
import { h } from "../look/kit.js";
import { index, range } from "../look/words.js";
import { row } from "../look/frame.js";
import { choice, segmented, textField, tokenPicker } from "../look/inputs.js";
import { PAGE } from "./numbers.js";

/** @returns { rows, say, build(seen, now), show(now) }: the elements, and how they follow a reading and the state */
export function bar(model, state, { cap }) {
  const models = model.get("models"), names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({ label: "Model", options: models.map((one) => one.title),
      value: names.indexOf(model.get("model")), onpick: (i) => swap(models[i]) });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: set("text") });
  const slots = Object.fromEntries(["layer", "head", "page",
      "query"].map((name) => [name, h("div", { class: `itt-slot${name === "query" ? " itt-grow" : ""}` })])),
    inside = {};

  /** The paper model knows five words: it brings its own text and takes none along. */
  function swap(to) {
    const small = [to.name, model.get("model")].includes("paper-gpt2");
    state.set({ model: to.name, text: small ? to.text : model.get("text") });
  }
  function build(seen, now) {
    const pages = Math.ceil(seen.d / PAGE),
      some = (label, size, name, words = String) =>
      choice({ label, options: range(size).map(words), value: index(now[name], size), onpick: set(name) });
    Object.assign(inside, {
      layer: some("Layer", seen.L, "layer"), head: some("Head", seen.H, "head"),
      page: pages > 1 ? some(`Columns of ${seen.d}`, pages, "page",
        (p) => `${p * PAGE}–${Math.min(seen.d, (p + 1) * PAGE) - 1}`) : null,
      query: tokenPicker({ label: "Query: the token that asks", tokens: seen.tokens, value: index(now.query, seen.n),
          onpick: set("query") }),
    });
    for (const [name, slot] of Object.entries(slots)) slot.replaceChildren(...(inside[name] ? [inside[name].el] : []));
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }
  function show(now) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    for (const name in inside) inside[name]?.set(now[name]);
  }
  return { rows: [row(pickModel.el, text.el), row(slots.layer, slots.head, slots.page), slots.query], say: text.say,
    build, show };
}
