// The stops as radio buttons, so that the arrow keys walk.
import { drawing } from "../look/draw.js";
import { fill, h, id } from "../look/kit.js";
import { SMALLEST, spark } from "./small.js";

const PARTS = { input: "From letters to rows", answer: "From a row to a word" };

/** @param {(i: number) => void} onpick the place of the stop that is opened */
export function list(onpick) {
  const heads = h("div", { class: "wk-list" });
  const el = h("fieldset", { class: "wk-way" }, h("legend", { class: "itt-sr", text: "Stage" }), heads);
  let items = [],
    /** @type {HTMLElement | null} the heading of the stops within a block */
    ofBlock = null;
  function build(v) {
    const group = id("walk"),
      kids = [];
    let part = "",
      into = kids;
    ofBlock = null;
    items = v.shown.map((stop, i) => {
      if (!v.first && stop.part !== part) {
        part = stop.part;
        const words = h("p", { class: "itt-label wk-part", text: PARTS[part] ?? "" }),
          stops = h("div", { class: "wk-stops" });
        if (part === "block") ofBlock = words;
        kids.push(words, stops);
        into = stops;
      }
      const one = item(stop, i, { group, first: v.first, onpick });
      into[v.first ? "push" : "append"](one.el);
      return one;
    });
    heads.replaceChildren(...kids);
  }
  function draw(v) {
    if (ofBlock) ofBlock.textContent = v.seen.L > 1 ? `Block ${v.layer}, of 0 to ${v.seen.L - 1}` : "The block";
    items.forEach(({ input, small }, i) => {
      input.checked = i === v.at;
      const mark = spark(v, v.shown[i]);
      const props = { viewBox: `0 0 ${SMALLEST} 16`, preserveAspectRatio: "none", "aria-hidden": "true" };
      if (mark) fill(small, { ...drawing(SMALLEST, 16, mark), props });
      else small.replaceChildren();
    });
  }
  return { el, build, draw };
}

function item(stop, i, { group, first, onpick }) {
  const input = h("input", { type: "radio", name: group, value: i, onchange: () => onpick(i) }),
    small = h("span", { class: "wk-small" });
  const el = h(
    "label",
    { class: `wk-stop${first && stop.part === "block" ? " is-inside" : ""}` },
    input,
    h("span", { class: "wk-line" }, h("span", { class: "wk-title", text: stop.title }), small),
  );
  return { el, input, small };
}
