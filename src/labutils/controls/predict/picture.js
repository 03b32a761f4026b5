// The question at rest: its choices, and the answer folded, so that it also opens without a script.
import { b, e, markup } from "../look/markup.js";
import { counted, rich } from "./words.js";

export function still({ question, choices, right, answer, unit, why }) {
  const first = choices.length ? [choices[right], ...choices.filter((_, i) => i !== right)] : [];
  const told = choices.length ? first.map(([text, reply]) => e("p", {}, b(rich(text), "."), " ", rich(reply)))
    : e("p", {}, b(counted(answer, unit)), " ", rich(why));
  return markup(e("div", { class: "itt guess" },
    e("p", { class: "guess-legend" }, e("b", { class: "guess-kind", text: "Predict" }),
      e("span", { class: "guess-question" }, rich(question))),
    e("ul", { class: "guess-rows" },
      choices.map(([text]) => e("li", { class: "guess-row" }, e("span", { class: "guess-dot" }), " ", rich(text)))),
    e("details", {}, e("summary", { text: "The answer" }), told)));
}
