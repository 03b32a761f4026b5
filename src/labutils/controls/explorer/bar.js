// What a reader of the explorer operates: model and text, layer and head, what is shown, and two ways to write more on
// the map.
import { h } from "../look/kit.js";
import { range } from "../look/words.js";
import { row } from "../look/frame.js";
import { choice, segmented, textField, toggle } from "../look/inputs.js";

export const MEASURES = ["weights", "contributions"];

/**
 * @returns { rows, toggles, say, build(seen, now), show(now, room) }: the elements, and how they follow a reading and
 * the state
 */
export function bar(model, state, { cap }) {
  const models = model.get("models"), names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({ label: "Model", options: models.map((one) => one.title),
      value: names.indexOf(model.get("model")), onpick: (i) => state.set({ model: names[i] }) });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: set("text") });
  const measure = segmented({ label: "Show", options: ["Weights", "Contributions"], value: 0,
      onpick: (i) => state.set({ measure: MEASURES[i] }) });
  const numbers = toggle({ label: "Numbers", hidden: true, text: "Numbers in the cells", value: model.get("numbers"),
      onpick: set("numbers") });
  const labels = toggle({ label: "Labels", hidden: true, text: "A label on every token", value: model.get("labels"),
      onpick: set("labels") });
  const slots = { layer: h("div", { class: "itt-slot" }), head: h("div", { class: "itt-slot" }) }, inside = {};

  function build(seen, now) {
    for (const [name, title, size] of [["layer", "Layer", seen.L], ["head", "Head", seen.H]]) {
      inside[name] = choice({ label: title, options: range(size).map(String), value: now[name], onpick: set(name) });
      slots[name].replaceChildren(inside[name].el);
    }
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }

  /** `room` says what the map has room for: numbers in the cells, a label on every token. */
  function show({ now, layer, head, measure: shown }, room) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    inside.layer?.set(layer);
    inside.head?.set(head);
    measure.set(MEASURES.indexOf(shown));
    numbers.set(now.numbers);
    labels.set(now.labels);
    numbers.el.hidden = !room.numbers;
    labels.el.hidden = room.labels && !now.labels;
  }
  return { rows: [row(pickModel.el, text.el), row(slots.layer, slots.head, measure.el)],
    toggles: [numbers.el, labels.el], say: text.say, build, show };
}
