// The three heat maps: a row for each token, a column for each number of its vector, one point marked in all three.

import { arrows, cellUnder, pointing } from "../look/inputs.js";
import { h, s } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bdi } from "../look/markup.js";
import { label, num, range } from "../look/words.js";
import { PAGE } from "./numbers.js";
import { ROLES } from "./words.js";

/**
 * @param spec.onpreview (row, column) or null: what a mouse points at
 * @param spec.onkeep (row, column): what was clicked, touched, or reached with the arrow keys
 */
export function maps({ onpreview, onkeep }) {
  const names = Object.keys(ROLES),
    views = names.map((name) => map(name, { onpreview, onkeep }));
  return {
    el: h(
      "div",
      { class: "vc-maps" },
      views.map((view) => view.el),
    ),
    build: (tokens, columns) =>
      views.forEach((view) => {
        view.build(tokens, columns);
      }),
    paint: (head, page, fill) =>
      views.forEach((view, i) => {
        view.paint(head[names[i]], head.d, page, fill);
      }),
    point: (row, column, query) =>
      views.forEach((view) => {
        view.point(row, column, query);
      }),
  };
}

/** One heat map: its parts, and the size of what it holds, which `build` and `point` change. */
function map(name, { onpreview, onkeep }) {
  const drawn = parts(name),
    { svg } = drawn,
    size = { rows: 0, columns: 0, at: [0, 0] };
  const moves = { rows: () => size.rows, columns: () => size.columns, at: () => size.at, go: onkeep };
  svg.addEventListener("keydown", arrows(moves));
  pointing(svg, { under: (event) => cellUnder(svg, event, size.rows, size.columns), onpreview, onkeep });
  return {
    el: drawn.el,
    build(tokens, columns) {
      Object.assign(size, { rows: tokens.length, columns });
      build(drawn, tokens, columns);
    },
    paint: (values, d, page, fill) => paint(name, drawn, size, values, d, page, fill),
    point(row, column, query) {
      size.at = [row, column];
      point(name, drawn, size, query);
    },
  };
}

function parts(name) {
  const cells = s("g"),
    asks = s("rect", { class: "vc-asks" }),
    cross = s("rect", { class: "vc-cross" }),
    names = h("div", { class: "vc-tokens" });
  const spoken = { tabindex: 0, role: "application", "aria-roledescription": "heat map" },
    svg = s("svg", { class: "vc-cells", preserveAspectRatio: "none", ...spoken }, cells, asks, cross);
  const key = legend({ label: "", name: "div", ticks: [] }),
    axis = h("div", { class: "vc-axis", "aria-hidden": "true" });
  const el = h(
    "div",
    { class: `vc-map is-${name}` },
    h("p", { class: "vc-role" }, h("b", { text: name }), ` ${ROLES[name]}`),
    h("div", { class: "vc-plot" }, names, svg),
    axis,
    key.el,
  );
  return { el, svg, cells, asks, cross, names, key, axis };
}

function build({ svg, cells, names }, tokens, columns) {
  svg.setAttribute("viewBox", `0 0 ${columns} ${tokens.length}`);
  svg.style.setProperty("--rows", tokens.length);
  cells.replaceChildren(
    ...range(tokens.length * columns).map((k) =>
      s("rect", { x: k % columns, y: Math.floor(k / columns), width: 1, height: 1 }),
    ),
  );
  names.replaceChildren(
    ...tokens.map((token, j) =>
      h(
        "span",
        { class: "vc-token", title: label(token) },
        bdi(label(token, 12)),
        h("sub", { class: "itt-pos", text: j }),
      ),
    ),
  );
}

/** One page of columns, coloured from −far to far: the same reach on both sides, that of this map. */
function paint(name, { svg, cells, key, axis }, { rows, columns }, values, d, page, fill) {
  const from = page * PAGE,
    far = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  Array.from(cells.children).forEach((rect, k) => {
    rect.setAttribute("fill", fill(0.5 + values[Math.floor(k / columns) * d + from + (k % columns)] / far / 2));
  });
  key.set("", [num(-far, 1), "0", num(far, 1)]);
  axis.replaceChildren(...[from, "column", from + columns - 1].map((c) => h("span", { text: c })));
  const seen = `numbers ${from} to ${from + columns - 1}; arrow keys move from number to number`;
  svg.setAttribute("aria-label", `${name}, ${ROLES[name]}: ${rows} tokens, ${seen}`);
}

/** The number that is pointed at, in a frame; in the map of the queries, also the row of the one that asks. */
function point(name, { cross, asks, names }, { columns, at: [row, column] }, query) {
  const box = (rect, x, y, width) => {
    for (const [k, v] of Object.entries({ x, y, width, height: 1 })) rect.setAttribute(k, v);
  };
  box(cross, column, row, 1);
  box(asks, 0, query, columns);
  asks.style.display = name === "q" ? "" : "none";
  Array.from(names.children).forEach((one, j) => {
    one.className = `vc-token${j === query ? " is-query" : ""}${j === row ? " is-on" : ""}`;
  });
}
