// What a reader of the shuffle operates: the model and the text, what the model is told of the order, and the buttons
// that move words.
import { row } from "../look/frame.js";
import { button, segmented, textField, toggle } from "../look/inputs.js";
import { ownText } from "../look/kept.js";
import { h } from "../look/kit.js";
import { asWritten } from "./numbers.js";

/**
 * Model, text, positions and mask.
 * @param onother called before another model or another text is asked for
 * @returns { rows, say, show(now, seen) }
 */
export function bar(model, state, onother) {
  const models = model.get("models"),
    names = models.map((one) => one.name),
    textFor = ownText();
  const other = (patch) => {
    onother();
    state.set({ ...patch, order: "" });
  };
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => other({ model: names[i], text: textFor(state.read().model, models[i], state.read().text) }),
  });
  const text = textField({ label: "Your text", value: model.get("text"), oninput: (words) => other({ text: words }) });
  const positions = toggle({
    label: "Positions",
    text: "told where each word stands",
    value: model.get("positions"),
    onpick: (on) => state.set({ positions: on }),
  });
  const mask = toggle({
    label: "Causal mask",
    text: "sees only what came before",
    value: model.get("mask"),
    onpick: (on) => state.set({ mask: on }),
  });
  return {
    rows: [row(pickModel.el, text.el), row(positions.el, mask.el)],
    say: text.say,
    show(now, { info }) {
      pickModel.set(names.indexOf(now.model));
      text.set(now.text);
      text.rename(`Your text, up to ${Math.min(model.get("cap"), info.maxTokens)} tokens`);
      positions.set(now.positions);
      mask.set(now.mask);
    },
  };
}

/**
 * The buttons below the words.
 * @param on what each does: earlier, later, mix, turn, back
 * @returns { el, show(order, chosen) }
 */
export function buttons(on) {
  const earlier = button("Earlier", on.earlier),
    later = button("Later", on.later);
  const mix = button("Shuffle", on.mix),
    turn = button("Reverse", on.turn),
    back = button("As written", on.back, "itt-plain");
  const group = (label, ...kids) => h("span", { class: "sh-group", role: "group", "aria-label": label }, ...kids);
  return {
    el: h(
      "div",
      { class: "sh-buttons" },
      group("Move the chosen word", earlier, later),
      group("Move all words", mix, turn, back),
    ),
    show(order, chosen) {
      earlier.disabled = chosen === 0;
      later.disabled = chosen === order.length - 1;
      back.disabled = asWritten(order);
      mix.disabled = turn.disabled = order.length < 2;
    },
  };
}
