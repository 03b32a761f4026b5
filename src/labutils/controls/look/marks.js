// Marks that mean the same in every control: a vector, a scale with its legend, the texture of what is masked.

import { columns } from "./draw.js";
import { h, id, mark, s, write } from "./kit.js";
import { s as data } from "./markup.js";
import { range } from "./words.js";

/**
 * A signed vector as columns about a zero line. `set(values, of, ghost)` redraws; the ghost is a paler vector behind
 * it.
 */
export function bars({ length, colour, height = 28, label }) {
  const ghost = s("path", { fill: colour, opacity: 0.22 }),
    front = s("path", { fill: colour });
  const el = s(
    "svg",
    {
      class: "itt-bars",
      viewBox: `0 0 ${length * 10} ${height}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label,
      style: { height: `${height}px` },
    },
    ghost,
    front,
    s("line", { x1: 0, x2: length * 10, y1: height / 2, y2: height / 2, class: "itt-zero" }),
  );
  const redraw = (path, d) => mark(path, "d", d); // an unchanged path costs a layout too
  return {
    el,
    set(values, of, behind) {
      redraw(front, columns(values, of, height));
      redraw(ghost, behind ? columns(behind, of, height) : "");
    },
  };
}

/** The legend of a scale, with the texture of masked cells beside it. */
export function legend({ label, name = "seq", ticks, masked }) {
  const stops = range(9)
    .map((i) => `var(--itt-${name}-${i})`)
    .join(", ");
  const title = h("span", { class: "itt-label", text: label }),
    marks = h("span", { class: "itt-legend-ticks" });
  function show(words) {
    if (marks.childElementCount !== words.length) marks.replaceChildren(...words.map((text) => h("span", { text })));
    else for (const [i, text] of words.entries()) write(marks.children[i], text);
  }
  show(ticks);
  const key =
    masked &&
    h("span", { class: "itt-legend-key" }, h("span", { class: "itt-swatch-masked" }), h("span", { text: masked }));
  const el = h(
    "div",
    { class: "itt-legend" },
    title,
    h(
      "span",
      { class: "itt-legend-scale" },
      h("span", { class: "itt-legend-bar", style: { background: `linear-gradient(90deg, ${stops})` } }),
      marks,
    ),
    key,
  );
  return {
    el,
    set: (words, ticked) => {
      write(title, words);
      show(ticked);
    },
    mask: (on) => {
      if (key) key.hidden = !on;
    },
  };
}

/** A hatch for masked cells inside an SVG: `url(#…)` and the definition to put beside it. */
export function hatch() {
  const name = id("hatch");
  const pattern = data(
    "pattern",
    { id: name, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    data("rect", { width: 1, height: 5, fill: "var(--itt-hatch)" }),
  );
  return { fill: `url(#${name})`, el: data("defs", {}, pattern) };
}
