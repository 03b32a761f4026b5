// Which model reads which text: the first line of a control, the same in all that have it.
import { row } from "./frame.js";
import { segmented, textField } from "./inputs.js";
import { ownText } from "./kept.js";

/**
 * @param model the anywidget model, or the host's, with its `models`: a name, a title and a text each
 * @param {object} spec
 * @param {(asked: { model: string, text: string }) => void} spec.onmodel another model, and the text that it is to read
 * @param {(text: string) => void} spec.ontext what was typed
 * @returns el, say, show(now), rename(info): `rename` says how many tokens of a text this model reads
 */
export function modelAndText(model, { onmodel, ontext }) {
  const cap = model.get("cap"),
    models = model.get("models"),
    names = models.map((one) => one.name),
    textFor = ownText(),
    label = (most) => `Your text, up to ${most} tokens`;
  const pick = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => onmodel({ model: names[i], text: textFor(model.get("model"), models[i], model.get("text")) }),
  });
  const text = textField({ label: label(cap), value: model.get("text"), oninput: ontext });
  return {
    el: row(pick.el, text.el),
    say: text.say,
    show(now) {
      pick.set(names.indexOf(now.model));
      text.set(now.text);
    },
    rename: (info) => text.rename(label(Math.min(cap, info.maxTokens))),
  };
}
