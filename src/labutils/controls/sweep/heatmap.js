// The matrix in a page: it follows the width there is; a pointer or the arrow keys choose a cell.

import { arrows } from "../look/inputs.js";
import { scale as colours, fill, h, s, widthOf } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { clamp } from "../look/words.js";
import { hidden, layout, map, nameOf, outline } from "./grid.js";
import { cellWords } from "./matrix.js";
import { bold } from "./words.js";

/** @param onkeep (row, column): what was clicked, touched, or reached with the arrow keys */
export function heatmap(matrix, onkeep) {
  const marks = s("g"),
    cross = s("rect", { class: "sw-cross", rx: 2 });
  const svg = s(
    "svg",
    { class: "sw-map", tabindex: 0, role: "application", "aria-roledescription": "heat map" },
    marks,
    cross,
  );
  const said = h("p", { class: "sw-cell", role: "status" }),
    key = legend({ label: nameOf(matrix), name: matrix.scale, ticks: matrix.ticks, masked: "masked, not 0" });
  const el = h("div", { class: "sw-matrix" }, h("div", { class: "sw-scroll" }, svg), key.el, said);
  let m = null,
    g = null,
    preview = null;

  const under = (event) => {
    const box = svg.getBoundingClientRect(),
      k = g.wide / box.width;
    const j = Math.floor(((event.clientX - box.left) * k - g.left) / g.w),
      i = Math.floor(((event.clientY - box.top) * k - g.top) / g.h);
    return i >= -1 && j >= -1 && i <= g.R && j <= g.C ? [clamp(i, 0, g.R - 1), clamp(j, 0, g.C - 1)] : null;
  };
  svg.addEventListener("keydown", arrows({ rows: () => g.R, columns: () => g.C, at: () => [m.i, m.j], go: onkeep }));
  svg.addEventListener("pointermove", (event) => {
    const hit = under(event);
    if (event.pointerType === "mouse") {
      preview = hit;
      point();
    } else if (event.buttons && hit) onkeep(...hit);
  });
  svg.addEventListener("pointerleave", () => {
    preview = null;
    point();
  });
  svg.addEventListener("pointerdown", (event) => {
    const hit = under(event);
    if (hit) onkeep(...hit);
  });

  function point() {
    const [i, j] = preview ?? [m.i, m.j];
    for (const [name, value] of Object.entries(outline(g, i, j))) cross.setAttribute(name, value);
    fill(said, bold(cellWords(m, i, j)));
  }
  function draw(now) {
    m = now;
    preview = null;
    g = layout(m, Math.max(240, widthOf(el) || 320));
    svg.setAttribute("viewBox", `0 0 ${g.wide.toFixed(1)} ${Math.ceil(g.high + 2)}`);
    svg.style.width = `${g.wide.toFixed(1)}px`;
    svg.setAttribute(
      "aria-label",
      `${m.axes[0]} by ${m.axes[1]}, ${g.R} by ${g.C} numbers; arrow keys move from cell to cell`,
    );
    fill(marks, map(g, m, colours(svg, m.scale).ink));
    key.mask(hidden(m));
    point();
  }
  return { el, draw };
}
