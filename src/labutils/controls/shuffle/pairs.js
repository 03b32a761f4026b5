// Two bars for each token that may come next: as written, and in the reader's order.
import { fill, h, write } from "../look/kit.js";
import { nextParts } from "../look/nexts.js";
import { range } from "../look/words.js";
import { share } from "../next_word/words.js";

/** @returns { el, draw(seen), name(seen) }: `name` writes the tokens, which are spelt when their words are known */
export function pairs() {
  const rows = h("div", { class: "sh-rows" }),
    el = h("div", { class: "sh-list" }, legend(), rows, axis());
  let lines = [];
  function draw({ top }) {
    if (lines.length !== top.length) {
      lines = range(top.length).map(line);
      rows.replaceChildren(...lines.map((one) => one.el));
    }
    top.forEach(({ before, after }, i) => {
      const one = lines[i];
      one.before.style.setProperty("--p", before);
      one.after.style.setProperty("--p", after);
      write(one.was, share(before));
      write(one.now, share(after));
    });
  }
  const name = ({ top, tokens, info }) =>
    top.forEach((one, i) => {
      fill(lines[i].name, nextParts(one, tokens.at(-1), info));
    });
  return { el, draw, name };
}

const legend = () =>
  h(
    "p",
    { class: "sh-legend" },
    h("span", { class: "itt-label", text: "Next word" }),
    h("span", { class: "sh-swatch is-before" }),
    h("span", { text: "as written" }),
    h("span", { class: "sh-swatch" }),
    h("span", { text: "in your order" }),
  );

const axis = () =>
  h(
    "div",
    { class: "sh-row sh-axis", "aria-hidden": "true" },
    h("span"),
    h(
      "span",
      { class: "itt-share-ticks" },
      ["0%", "50%", "100%"].map((words) => h("span", { text: words })),
    ),
  );

/** The parts of a row, still empty. */
function line() {
  const name = h("span", { class: "itt-share-token" }),
    before = h("span", { class: "itt-share is-hollow" }),
    after = h("span", { class: "itt-share" }),
    was = h("span", { class: "sh-p is-before" }),
    now = h("span", { class: "sh-p" });
  const two = (...kids) => h("span", { class: "sh-two" }, ...kids);
  return { name, before, after, was, now, el: h("div", { class: "sh-row" }, name, two(before, after), two(was, now)) };
}
