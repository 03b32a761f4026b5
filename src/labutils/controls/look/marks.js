// Marks that mean the same in every control: a vector, a scale with its legend, the texture of what is masked.
import { h, s, id, range } from "./kit.js";

/** The outline of columns above and below a zero line; `of` is the value that fills half the height. */
export function columns(values, of, height, pitch = 10) {
  const mid = height / 2;
  let path = "";
  for (let i = 0; i < values.length; i++) {
    const y = Math.max(-mid + 1, Math.min(mid - 1, (values[i] / of) * (mid - 1)));
    const tall = Math.max(0.6, Math.abs(y));
    path += `M${(i * pitch + 0.15 * pitch).toFixed(1)} ${(y >= 0 ? mid - tall : mid).toFixed(2)}h${(0.7 * pitch).toFixed(1)}v${tall.toFixed(2)}h-${(0.7 * pitch).toFixed(1)}z`;
  }
  return path;
}

/** A signed vector as columns about a zero line. `set(values, of, ghost)` redraws; the ghost is a paler vector behind it. */
export function bars({ length, colour, height = 28, label }) {
  const ghost = s("path", { fill: colour, opacity: 0.22 }), front = s("path", { fill: colour });
  const el = s("svg", { class: "itt-bars", viewBox: `0 0 ${length * 10} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label, style: { height: `${height}px` } },
    ghost, front, s("line", { x1: 0, x2: length * 10, y1: height / 2, y2: height / 2, class: "itt-zero" }));
  const last = new Map();
  const redraw = (path, d) => { if (last.get(path) !== d) { last.set(path, d); path.setAttribute("d", d); } }; // an unchanged path costs a layout too
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
  const stops = range(9).map((i) => `var(--itt-${name}-${i})`).join(", ");
  const title = h("span", { class: "itt-label", text: label }), marks = h("span", { class: "itt-legend-ticks" });
  const show = (words) => marks.replaceChildren(...words.map((text) => h("span", { text })));
  show(ticks);
  const key = masked && h("span", { class: "itt-legend-key" }, h("span", { class: "itt-swatch-masked" }), h("span", { text: masked }));
  const el = h("div", { class: "itt-legend" }, title,
    h("span", { class: "itt-legend-scale" }, h("span", { class: "itt-legend-bar", style: { background: `linear-gradient(90deg, ${stops})` } }), marks), key);
  return { el, set: (words, ticked) => { title.textContent = words; show(ticked); }, mask: (on) => { if (key) key.hidden = !on; } };
}

/** A hatch for masked cells inside an SVG: `url(#…)` and the definition to put beside it. */
export function hatch() {
  const name = id("hatch");
  const pattern = s("pattern", { id: name, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("rect", { width: 1, height: 5, fill: "var(--itt-hatch)" }));
  return { fill: `url(#${name})`, el: s("defs", {}, pattern) };
}
