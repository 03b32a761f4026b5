// The grid of the stream: a row for each token, two columns for each layer, one tab stop.

import { arrows } from "../look/inputs.js";
import { h } from "../look/kit.js";
import { clamp, label, range } from "../look/words.js";
import { FAR, PARTS, step } from "./numbers.js";
import { cellName, inCell, UNIT } from "./words.js";

/**
 * @param spec.onpick (layer, half, token): what was clicked, touched, or reached with the arrow keys
 * @param spec.onpreview { layer, part, token } or null: what a mouse points at
 */
export function grid({ onpick, onpreview }) {
  const spoken = { tabindex: 0, role: "application", "aria-roledescription": "grid of cells" },
    el = h("div", { class: "sm-grid", ...spoken });
  let seen = null,
    at = [0, 0],
    drawn = { boxes: [], names: [], halves: [] };
  /** Layer, half and token of the cell under a pointer. */
  const under = (event) => {
    const k = drawn.boxes.indexOf(event.target.closest?.(".sm-cell"));
    return k < 0 ? null : place(k, seen.L);
  };
  el.addEventListener("pointerdown", (event) => {
    const to = under(event);
    if (to) onpick(...to);
  });
  el.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    const to = under(event);
    onpreview(to && { layer: to[0], part: PARTS[to[1]], token: to[2] });
  });
  el.addEventListener("pointerleave", () => onpreview(null));
  const columns = () => 2 * seen.L;
  el.addEventListener(
    "keydown",
    arrows({ rows: () => seen.n, columns, at: () => at, go: (i, k) => onpick(k >> 1, k & 1, i) }),
  );
  return {
    el,
    build(reading) {
      seen = reading;
      drawn = build(el, seen);
    },
    draw(v, colour) {
      at = [v.i, 2 * v.l + v.p];
      drawn.boxes.forEach((box, k) => {
        paint(box, v, place(k, seen.L), colour);
      });
      drawn.names.forEach((name, i) => {
        name.classList.toggle("is-on", i === v.i);
      });
      drawn.halves.forEach((name, k) => {
        name.classList.toggle("is-on", k === at[1]);
      });
      const here = cellName(v.tokens, v.l, v.p, v.i, v.one.ratios[v.measure]);
      el.setAttribute("aria-label", `${here}. ${UNIT[v.measure]}; arrow keys move from cell to cell`);
    },
  };
}

/** Layer, half and token of the k-th cell. */
const place = (k, L) => [Math.floor((k % (2 * L)) / 2), k % 2, Math.floor(k / (2 * L))];

/** New cells for a reading, with the names of its tokens and of the halves of its layers. */
function build(el, { L, n, tokens }) {
  el.style.setProperty("--columns", 2 * L);
  el.parentNode?.classList.toggle("is-tight", L > 6);
  const names = tokens.map((token, i) =>
      h("span", { class: "sm-token" }, h("bdi", { text: label(token, 12) }), h("sub", { class: "itt-pos", text: i })),
    ),
    boxes = range(n * 2 * L).map(() => h("span", { class: "sm-cell" }));
  const halves = range(2 * L).map((k) =>
    h(
      "span",
      { class: "sm-half" },
      h("span", { text: ["attention", "network"][k & 1] }),
      h("i", { text: ["a", "n"][k & 1] }),
    ),
  );
  el.replaceChildren(
    h("span"),
    ...range(L).map((l) => h("span", { class: "sm-layer" }, h("span", { text: "layer " }), String(l))),
    h("span"),
    ...halves,
    ...range(n).flatMap((i) => [names[i], ...boxes.slice(i * 2 * L, (i + 1) * 2 * L)]),
  );
  return { boxes, names, halves };
}

function paint(box, v, [l, p, i], colour) {
  const x = step(v.seen, l, p, i).ratios[v.measure],
    t = clamp(x / FAR, 0, 1),
    none = Number.isNaN(x),
    here = l === v.l && p === v.p && i === v.i;
  box.className = `sm-cell${p ? "" : " is-first"}${none ? " is-missing" : ""}${here ? " is-here" : ""}`;
  box.style.setProperty("--fill", none ? "none" : colour(t));
  box.style.setProperty("--ink", none ? "inherit" : colour.ink(t));
  box.textContent = inCell(x);
}
