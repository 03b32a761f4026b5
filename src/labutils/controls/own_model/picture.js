// At rest it says what it is for: what stands in print and where no script runs.
import { e } from "../look/markup.js";
import { rest } from "../look/still.js";
import { DROP, FREE } from "./words.js";

export const still = (traits) =>
  rest(traits, {
    look: "om-control",
    stage: e("div", { class: "itt-stage" }, e("div", { class: "om-drop" }, e("p", { text: DROP }))),
    said: FREE,
    source: "GPT-2’s own vocabulary comes with the book.",
  });
