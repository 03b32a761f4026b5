// The question at rest: its choices, and the answer folded, so that it also opens without a script.
import { b, e, markup } from "../look/markup.js";
import { counted, KIND, rich } from "./words.js";

export const still = (traits) => markup(drawn(traits));

/** The question as data; `inside` the frame of a control. */
export function drawn({ question, choices, right, answer, unit, why }, inside = false) {
  const first = choices.length ? [choices[right], ...choices.filter((_, i) => i !== right)] : [];
  const told = choices.length
    ? first.map(([text, reply]) => e("p", {}, b(rich(text), "."), " ", rich(reply)))
    : e("p", {}, b(counted(answer, unit)), " ", rich(why));
  return e(
    "div",
    { class: inside ? "guess is-inside" : "itt guess" },
    e(
      "p",
      { class: "guess-legend" },
      e("b", { class: "guess-kind", text: KIND[+inside] }),
      " ",
      e("span", { class: "guess-question" }, rich(question)),
    ),
    choices.length > 0 &&
      e(
        "ul",
        { class: "guess-rows" },
        choices.map(([text]) =>
          e(
            "li",
            { class: "guess-row" },
            e("span", { class: "guess-dot" }),
            " ",
            e("span", { class: "guess-text" }, rich(text)),
          ),
        ),
      ),
    // not “Answer”: what it is about is folded below it under that name
    e("details", {}, e("summary", { text: choices.length ? "Which choice is right, and why" : "The number" }), told),
  );
}
