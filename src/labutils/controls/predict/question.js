// A question with its choices or a number, and a reply to each guess. The guess stays in this browser.

import { button } from "../look/inputs.js";
import { h, id } from "../look/kit.js";
import { paper } from "../look/onpaper.js";
import { openAnswer } from "./answer.js";
import { guessNumber } from "./number.js";
import { KIND, rich } from "./words.js";

/** What the browser keeps under one name. A private window keeps nothing, and the box works all the same. */
export const kept = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value);
    } catch {
      /* storage is off */
    }
  },
};

const GUESS = "itt-guess",
  keyOf = (name) => `itt-predict:${name}`;
/** Of the guesses of this page: what a browser that keeps nothing would forget. @type {Map<string, boolean>} */
const heard = new Map();
/** Whether the guess of this name has been made. */
export const isGuessed = (name) => heard.get(name) ?? kept.get(keyOf(name)) !== null;
/** Call `then` when a guess of the page is made or taken back. @returns {() => void} the way to stop */
export function onGuess(then) {
  const hear = ({ detail }) => {
    heard.set(detail.name, detail.made);
    then();
  };
  document.addEventListener(GUESS, hear);
  return () => document.removeEventListener(GUESS, hear);
}
/** Keep a guess, or forget it with null, and tell the page. */
function keep(name, value) {
  kept.set(keyOf(name), value);
  document.dispatchEvent(new CustomEvent(GUESS, { detail: { name, made: value !== null } }));
}

/**
 * The element in which a reader guesses and sees.
 * @param {{name, question, choices, right, answer, unit, within, replies, why}} given what `predict` of Python was told
 * @param inside whether it stands in the frame of a control
 * @param make the form in which the guess is made
 * @returns {{el, begin, stop}}: `begin` opens the answer of a guess that was made before, once the element stands in
 *   the page; `stop` once it is gone. On paper, where nobody can choose, the answer of a box stands there
 */
export function question(given, inside = false, make = given.choices.length ? guessChoice : guessNumber) {
  const status = h("p", { class: "guess-status", role: "status" });
  const form = make(given, status);
  form.restore(kept.get(keyOf(given.name)));
  let shown = form.complete();
  const see = button("See the answer", () => {
    const missing = form.missing();
    if (missing) {
      status.textContent = missing;
      form.focus();
      return;
    }
    shown = true;
    keep(given.name, form.value());
    paint();
    openAnswer(el);
    status.textContent = form.verdict();
    again.focus();
  });
  const again = button(
    "Guess again",
    () => {
      shown = false;
      keep(given.name, null);
      form.clear();
      status.textContent = "";
      paint();
      form.focus();
    },
    "itt-plain",
  );
  const el = h(
    "fieldset",
    { class: inside ? "guess is-inside" : "itt guess" },
    h(
      "legend",
      { class: "guess-legend" },
      h("b", { class: "guess-kind", text: KIND[+inside] }),
      " ",
      h("span", { class: "guess-question" }, rich(given.question)),
    ),
    form.el,
    h("div", { class: "guess-foot" }, see, again, status),
  );
  const paint = () => reveal({ el, see, again, status, form }, shown || (onPaper.on() && !inside)),
    onPaper = paper(paint);
  form.onenter?.(() => {
    if (!shown) see.click();
  });
  paint();
  return {
    el,
    begin() {
      if (shown) openAnswer(el);
    },
    stop: onPaper.stop,
  };
}

/** Show the answer, and the way back, or the way to it. */
function reveal({ el, see, again, status, form }, open) {
  el.classList.toggle("is-shown", open);
  see.hidden = open;
  again.hidden = !open;
  form.reveal(open);
  status.classList.toggle("itt-sr", open && el.querySelector(".guess-mark") !== null); // the eye has the mark
}

/** Three to five choices, each with its own reply. */
function guessChoice({ choices, right }, status) {
  const name = id("guess");
  let guess = -1;
  const rows = choices.map(([text, reply], i) => {
    const input = h("input", {
      type: "radio",
      name,
      value: i,
      onchange: () => {
        guess = i;
        status.textContent = "";
      },
    });
    const mark = h("span", { class: "guess-mark" }),
      answer = h("p", { class: "guess-reply" }, rich(reply));
    const choice = h(
      "label",
      { class: "guess-choice" },
      input,
      h(
        "span",
        {},
        h("span", { class: "guess-dot", "aria-hidden": "true" }),
        h("span", { class: "guess-text" }, rich(text)),
        mark,
      ),
    );
    return { input, mark, answer, el: h("div", { class: "guess-row" }, choice, answer) };
  });
  const check = () =>
    rows.forEach((row, i) => {
      row.input.checked = i === guess;
    });
  return {
    el: h(
      "div",
      { class: "guess-rows" },
      rows.map((row) => row.el),
    ),
    restore(text) {
      if (/^\d$/.test(text ?? "") && +text < rows.length) guess = +text;
      check();
    },
    complete: () => guess >= 0,
    missing: () => (guess < 0 ? "Choose one first." : ""),
    value: () => String(guess),
    verdict: () => (guess === right ? "Your guess is right." : "The right answer is marked."),
    clear() {
      guess = -1;
      check();
    },
    focus: () => rows[Math.max(0, guess)].input.focus(),
    reveal(shown) {
      rows.forEach((row, i) => {
        row.answer.hidden = !shown;
        row.input.disabled = shown;
        row.el.classList.toggle("is-right", shown && i === right);
        row.el.classList.toggle("is-guess", shown && i === guess);
        row.mark.textContent = shown
          ? [i === right && "right", i === guess && "your guess"].filter(Boolean).join(", ")
          : "";
      });
    },
  };
}
