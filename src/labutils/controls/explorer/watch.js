// Which head carries a word? The reader switches heads off, one at a time, and sees what each leaves of that word.

import { button } from "../look/inputs.js";
import { h } from "../look/kit.js";
import { rich } from "../predict/words.js";
import { isOff } from "./ahead.js";

const HEAD = /^\d{1,2}\.\d{1,2}$/;

/** Whether the choices of a guess are heads: then it is made on the maps. */
export const onMaps = (guess) => guess?.choices?.length > 0 && guess.choices.every(([text]) => HEAD.test(text));

/**
 * What was tried of the heads.
 * @param watch { word, id, at } or, where no word is watched, nothing
 * @param guess the question in the frame, or {}
 * @param spec.flip called when the chosen head is to be switched off or on
 * @param spec.seen called with true when the answer is seen, and false when it is hidden again
 */
export function watcher(watch, guess, { flip, seen }) {
  const on = watch?.id !== undefined,
    left = new Map(); // head -> what it leaves, of those that were tried
  let open = false,
    form = null;
  const pressed = button("", flip, "is-main");
  const self = {
    on,
    flip: pressed,
    left,
    onMaps: on && onMaps(guess),
    /** Whether heads are tried one at a time: a guess of another kind is about those that are off together. */
    single: on && (!guess?.choices || onMaps(guess)),
    /** What a reading is asked for. */
    wish: () => (on ? { id: watch.id, at: watch.at, all: open && !self.complete } : null),
    complete: false,
    /** A reading has come: what its heads leave is known. */
    heard(reading) {
      if (!on) return;
      for (const [head, share] of reading.remains ?? []) {
        left.set(head, share);
        self.complete = true;
      }
      if (!HEAD.test(reading.off)) return;
      left.set(reading.off, reading.ahead[watch.at].find(({ id }) => id === watch.id).p);
      form?.tried(reading.off);
    },
    /** The button's words for the head that is shown. */
    name({ off, layer, head, chosen }) {
      const name = `${layer}.${head}`,
        idle = on && !chosen;
      pressed.disabled = idle;
      pressed.textContent = idle
        ? "Choose a map first"
        : `Switch ${on ? "" : "head "}${name} ${isOff(off, layer, head) ? "on" : "off"}`;
    },
    /** The guess as a form of the frame (`question.js`). */
    form: (given) => {
      form = guessOnMaps(given, {
        pressed,
        reveal: (shown) => {
          open = shown;
          if (!shown) {
            left.clear();
            self.complete = false;
          }
          seen(shown);
        },
      });
      return form;
    },
  };
  return self;
}

/** The first head that is switched off is the guess. */
function guessOnMaps({ choices, right }, { pressed, reveal }) {
  let guess = null,
    open = false;
  const told = h("div", { class: "guess-found" });
  const row = (name, marks) =>
    h(
      "div",
      { class: `guess-row${name === choices[right][0] ? " is-right" : ""}` },
      h(
        "p",
        { class: "ex-found" },
        h("span", { class: "guess-text", text: `Head ${name}` }),
        h("span", { class: "guess-mark", text: marks.filter(Boolean).join(", ") }),
      ),
      h(
        "p",
        { class: "guess-reply" },
        rich(choices.find(([text]) => text === name)?.[1] ?? "Its map shows what is left of the word without it."),
      ),
    );
  return {
    el: h("div", { class: "guess-rows is-maps" }, pressed, told),
    tried(head) {
      guess ??= head;
    },
    restore(text) {
      if (/^\d$/.test(text ?? "") && choices[+text]) guess = choices[+text][0];
      else if (HEAD.test(text ?? "")) guess = text;
    },
    complete: () => guess !== null,
    missing: () => (guess === null ? "Choose a map and switch its head off." : ""),
    value: () => {
      const i = choices.findIndex(([text]) => text === guess);
      return i < 0 ? guess : String(i);
    },
    verdict: () => (guess === choices[right][0] ? "Your guess is right." : `It is head ${choices[right][0]}.`),
    clear() {
      guess = null;
    },
    focus: () => pressed.focus(),
    reveal(shown) {
      told.replaceChildren(
        ...(shown ? [...new Set([choices[right][0], guess])] : []).map((name) =>
          row(name, [name === choices[right][0] && "right", name === guess && "your guess"]),
        ),
      );
      if (shown !== open) reveal(shown);
      open = shown;
    },
  };
}
