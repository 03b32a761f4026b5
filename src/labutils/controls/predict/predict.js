// Guess, then see: a question in a box of its own.
import { question } from "./question.js";

const GIVEN = ["name", "question", "choices", "right", "answer", "unit", "within", "replies", "why"];

export function render({ model, el }) {
  const asked = question(Object.fromEntries(GIVEN.map((name) => [name, model.get(name)])));
  el.append(asked.el);
  asked.begin();
  return () => {
    asked.stop();
    asked.el.remove();
  };
}
