// The three heat maps: a row for each token, a column for each number of its vector, one point marked in all three.

import { arrows } from "../look/inputs.js";
import { h, s } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bdi } from "../look/markup.js";
import { clamp, label, num, range } from "../look/words.js";
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

function map(name, { onpreview, onkeep }) {
  const cells = s("g"),
    asks = s("rect", { class: "vc-asks" }),
    cross = s("rect", { class: "vc-cross" }),
    tokensEl = h("div", { class: "vc-tokens" });
  const svg = s(
    "svg",
    {
      class: "vc-cells",
      preserveAspectRatio: "none",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heat map",
    },
    cells,
    asks,
    cross,
  );
  const key = legend({ label: "", name: "div", ticks: [] }),
    axis = h("div", { class: "vc-axis", "aria-hidden": "true" });
  const el = h(
    "div",
    { class: `vc-map is-${name}` },
    h("p", { class: "vc-role" }, h("b", { text: name }), ` ${ROLES[name]}`),
    h("div", { class: "vc-plot" }, tokensEl, svg),
    axis,
    key.el,
  );
  let rows = 0,
    columns = 0,
    rects = [],
    labels = [],
    at = [0, 0];

  const hit = (event) => {
    const box = svg.getBoundingClientRect();
    return [
      clamp(Math.floor(((event.clientY - box.top) / box.height) * rows), 0, rows - 1),
      clamp(Math.floor(((event.clientX - box.left) / box.width) * columns), 0, columns - 1),
    ];
  };
  svg.addEventListener("keydown", arrows({ rows: () => rows, columns: () => columns, at: () => at, go: onkeep }));
  svg.addEventListener("pointermove", (event) =>
    event.pointerType === "mouse" ? onpreview(hit(event)) : event.buttons && onkeep(...hit(event)),
  );
  svg.addEventListener("pointerleave", () => onpreview(null));
  svg.addEventListener("pointerdown", (event) => onkeep(...hit(event)));

  function build(tokens, wide) {
    rows = tokens.length;
    columns = wide;
    svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    svg.style.setProperty("--rows", rows);
    rects = range(rows * columns).map((k) =>
      s("rect", { x: k % columns, y: Math.floor(k / columns), width: 1, height: 1 }),
    );
    cells.replaceChildren(...rects);
    labels = tokens.map((token, j) =>
      h(
        "span",
        { class: "vc-token", title: label(token) },
        bdi(label(token, 12)),
        h("sub", { class: "itt-pos", text: j }),
      ),
    );
    tokensEl.replaceChildren(...labels);
  }
  /** One page of columns, coloured from −far to far: the same reach on both sides, that of this map. */
  function paint(values, d, page, fill) {
    const from = page * PAGE,
      far = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
    rects.forEach((rect, k) => {
      rect.setAttribute("fill", fill(0.5 + values[Math.floor(k / columns) * d + from + (k % columns)] / far / 2));
    });
    key.set("", [num(-far, 1), "0", num(far, 1)]);
    axis.replaceChildren(...[from, "column", from + columns - 1].map((c) => h("span", { text: c })));
    const seen = `numbers ${from} to ${from + columns - 1}; arrow keys move from number to number`;
    svg.setAttribute("aria-label", `${name}, ${ROLES[name]}: ${rows} tokens, ${seen}`);
  }
  function point(row, column, query) {
    at = [row, column];
    const box = (rect, x, y, width) => {
      for (const [k, v] of Object.entries({ x, y, width, height: 1 })) rect.setAttribute(k, v);
    };
    box(cross, column, row, 1);
    box(asks, 0, query, columns);
    asks.style.display = name === "q" ? "" : "none";
    labels.forEach((one, j) => {
      one.className = `vc-token${j === query ? " is-query" : ""}${j === row ? " is-on" : ""}`;
    });
  }
  return { el, build, paint, point };
}
