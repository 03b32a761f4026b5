// A guess that is a number: the reveal draws it beside the truth on one scale.
import { fill, h, id } from "../look/kit.js";
import { counted, rich, shown } from "./words.js";

/** A number as people write it: 12, −3.5, 0,5, 1,000, 1/4, 2e6. Null if it is none. */
export function parse(text) {
  const plain = text.replace(/−/g, "-").replace(/\s/g, "");
  const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(plain); // 1,000 is a thousand, 0,5 a half
  const [top, bottom, more] = (grouped ? plain.replaceAll(",", "") : plain.replace(",", ".")).split("/");
  const value = (word) => (/^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(word) ? Number(word) : NaN);
  const x = more !== undefined ? NaN : bottom === undefined ? value(top) : value(top) / value(bottom);
  return Number.isFinite(x) ? x : null;
}

/** How far a guess lies from the truth, in words. */
export function apart(guess, answer) {
  if (guess * answer > 0) {
    const ratio = guess / answer,
      times = Math.max(ratio, 1 / ratio);
    const often = times < 2 ? "" : times < 2.05 ? "twice" : `${shown(+times.toPrecision(2))} times`;
    if (often) return ratio > 1 ? `Your guess is ${often} the answer.` : `The answer is ${often} your guess.`;
  }
  return `Your guess is ${shown(Math.abs(guess - answer))} too ${guess > answer ? "large" : "small"}.`;
}

export function guessNumber({ answer, unit, within, replies, why }, status) {
  let guess = null;
  const note = id("note");
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    class: "itt-text guess-number",
    "aria-describedby": note,
    oninput: () => fill(status),
  });
  const ask = h(
    "label",
    { class: "itt-field guess-ask" },
    h("span", { class: "itt-label", id: note, text: unit ? `Your guess, ${unit}` : "Your guess, a number" }),
    input,
  );
  const told = h("div", { class: "guess-told" }),
    reply = h("p", { class: "guess-reply" });
  const off = () => Math.abs(guess - answer),
    exact = 1e-9 * Math.abs(answer),
    right = () => off() <= within + exact;
  const line = (word, x, far, cls) =>
    h(
      "div",
      { class: `guess-line ${cls}` },
      h("span", { text: word }),
      h("span", { class: "guess-bar", style: { "--at": `${(100 * Math.abs(x)) / far}%` } }),
      h("span", { class: "guess-value", text: counted(x, unit.length < 12 ? unit : "") }),
    );
  return {
    el: h("div", { class: "guess-rows" }, ask, told, reply),
    restore(text) {
      if (text !== null) {
        guess = parse(text);
        if (guess !== null) input.value = shown(guess).replace(/,/g, "");
      }
    },
    complete: () => guess !== null,
    missing() {
      guess = parse(input.value);
      return guess === null ? "Write a number first, such as 12, 0.5 or 1/4." : "";
    },
    value: () => String(guess),
    verdict: () =>
      off() <= exact
        ? "Your guess is right."
        : right()
          ? `Your guess is near enough: the answer is ${counted(answer, unit)}.`
          : apart(guess, answer),
    clear() {
      guess = null;
      input.value = "";
    },
    focus: () => input.focus(),
    onenter: (fn) =>
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          fn();
        }
      }),
    reveal(open) {
      ask.hidden = open;
      told.hidden = reply.hidden = !open;
      if (!open) return;
      const far = Math.max(Math.abs(guess), Math.abs(answer)) || 1,
        own = guess !== null && replies.find(([low, high]) => guess >= low && guess <= high && !right()),
        yours = guess !== null && line("Your guess", guess, far, "is-guess"); // on paper there may be none
      fill(told, yours, line("The truth", answer, far, "is-right"));
      fill(reply, rich([own?.[2], why].filter(Boolean).join(" ")));
    },
  };
}
