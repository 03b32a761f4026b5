// The curves in a page: they follow the width there is, and a pointer moves the slider.
import { h, fill, s } from "../look/kit.js";
import { label } from "../look/words.js";
import { HIGH, drawing, parts } from "./curves.js";

/** @param onpick called with the position that a reader points at */
export function plot(onpick) {
  const svg = s("svg", { class: "sw-svg", role: "img" }), unit = h("p", { class: "itt-label" }),
    el = h("div", { class: "sw-plot" }, unit, svg);
  let last = null;
  const pick = (event) => {
    const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) * last.width) / box.width;
    const near = last.xs.reduce((best, at, i) => (Math.abs(at - x) < Math.abs(last.xs[best] - x) ? i : best), 0);
    if (last.xs[near] !== last.here) onpick(near);
  };
  svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture?.(event.pointerId); pick(event); });
  svg.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });
  return {
    el,
    draw(v) {
      last = parts(v, Math.max(240, el.clientWidth || 320));
      svg.setAttribute("viewBox", `0 0 ${last.width} ${HIGH}`);
      svg.setAttribute("aria-label",
        `${v.curves.names.map((name, c) => `${label(name)} ${last.numbers[c]}`)
          .join(", ")}, at ${last.along} ${last.said}`);
      fill(svg, drawing(last));
      unit.textContent = last.unit;
      unit.hidden = !last.unit;
    },
  };
}
