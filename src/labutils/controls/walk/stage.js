// The stop that is open, beside the list of all.
import { drawing } from "../look/draw.js";
import { fill, h } from "../look/kit.js";
import { clamp } from "../look/words.js";
import { formula } from "./formula.js";
import { MOST, opened } from "./picture.js";
import { heading, shapeOf, title } from "./words.js";

/** @param {HTMLElement} list of the stops */
export function stage(list) {
  const name = h("p", { class: "wk-name" }),
    meaning = h("p", { class: "wk-meaning" }),
    lines = [h("p", { class: "wk-formula" }), h("p", { class: "wk-worked" })],
    canvas = h("div", { class: "wk-canvas" });
  const el = h("div", { class: "wk-cols" }, list, h("div", { class: "wk-open" }, name, meaning, ...lines, canvas));

  function draw(v) {
    el.classList.toggle("is-stations", v.first);
    name.hidden = meaning.hidden = v.stop.kind === "all";
    name.replaceChildren(h("b", { text: title(v) }), v.first ? "" : h("span", { text: ` ${shapeOf(v.stop.shape)}` }));
    meaning.textContent = v.stop.meaning;
    const said = v.first ? [] : formula(v);
    lines.forEach((line, k) => {
      line.textContent = said[k] ?? "";
    });
    show(v);
  }
  function show(v) {
    const width = clamp(Math.floor(canvas.clientWidth || 360), 240, v.first ? MOST : 720),
      { marks, high } = opened(v, width);
    const { tag, svg, props, kids } = drawing(width, high + 4, marks);
    const label = `${heading(v)}. The numbers are in the table below.`;
    fill(canvas, { tag, svg, props: { ...props, role: "img", "aria-label": label }, kids });
  }
  /** Draw again when the width changes. Returns the way to stop. */
  function follow(now) {
    let was = 0;
    const wide = new ResizeObserver(() => {
      if (Math.abs(canvas.clientWidth - was) <= 1) return;
      was = canvas.clientWidth;
      show(now());
    });
    wide.observe(canvas);
    return () => wide.disconnect();
  }
  return { el, draw, follow };
}
