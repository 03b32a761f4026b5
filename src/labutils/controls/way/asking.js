// What a reader of a way operates: words of their own, the button that sends them, and other texts to try.
import { row } from "../look/frame.js";
import { button, textField } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";

const PAUSE = 300; // ms after the last letter

/**
 * @param {(words: string, plays: boolean) => void} onfollow called with words, and whether the drawing is to play once
 *   they are there
 * @returns { el, say, set, offer(text), stop }: `offer` writes the texts to try beside one that is shown
 */
export function asking(model, onfollow) {
  let waiting = 0;
  const stop = () => clearTimeout(waiting);
  function follow(words, plays) {
    stop();
    onfollow(words, plays);
  }
  const text = textField({
    label: `Your own words, up to ${model.get("cap")} tokens`,
    value: model.get("text"),
    oninput: (words) => {
      stop();
      waiting = setTimeout(() => follow(words, false), PAUSE);
    },
  });
  const go = button("Follow them", () => follow(text.input.value, true), "itt-first");
  const tries = h("p", { class: "wy-tries" });
  text.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") follow(text.input.value, true);
  });
  const attempt = (words) => {
    const onclick = () => {
      text.set(words);
      follow(words, true);
    };
    return button(`“${words} …”`, onclick, "itt-plain");
  };
  function offer(shown) {
    const others = [model.get("finished").text, ...model.get("samples")].filter((words) => words !== shown);
    fill(tries, "or try ", others.map(attempt));
  }
  return { el: row(text.el, go, tries), say: text.say, set: text.set, offer, stop };
}
