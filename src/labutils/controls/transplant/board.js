// The grid of a transplant: a button for each place, and the line of the attention in which the answer travels.

import { arrows } from "../look/inputs.js";
import { fill, h, s } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { label, range } from "../look/words.js";
import { levels, placeOf, travels, way } from "./numbers.js";
import { pathOf } from "./picture.js";
import { beside, column, percent, said, spoken } from "./words.js";

const TALL = 10; // levels: more of them are drawn lower

/** Where an element stands within another, in px. */
function boxIn(outer, one) {
  const { left, top } = outer.getBoundingClientRect(),
    inner = one.getBoundingClientRect();
  return { mid: inner.left - left + inner.width / 2, top: inner.top - top, bottom: inner.bottom - top };
}

/** The grid: a button for each place, one tab stop, the last level at the top. */
export function board({ carry, point, back }) {
  const path = s("path", { class: "tp-path" }),
    over = s("svg", { class: "tp-over", "aria-hidden": "true" }, path),
    body = h("div", {
      class: "tp-grid",
      role: "grid",
      "aria-label": "Places: layers from below, tokens from the left",
    }),
    el = h("div", { class: "tp-wrap" }, body, over);
  let [cells, sides, names] = [[], [], []],
    built = null,
    last = null;
  const rowOf = (level) => cells.length - 1 - level;

  const keys = arrows({
    rows: () => cells.length,
    columns: () => cells[0].length,
    at: () => [rowOf(last.focus[0]), last.focus[1]],
    go: (r, token) => {
      const level = rowOf(r);
      cells[level][token].focus();
      point(level, token);
    },
  });
  body.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
    else keys(event);
  });
  // a finger scrubs
  body.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" || !event.buttons) return;
    const place = under(event);
    if (place && (place[0] !== last.level || place[1] !== last.token || !last.carried)) carry(...place);
  });
  function under(event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".tp-cell");
    return hit && body.contains(hit) ? hit.dataset.place.split(".").map(Number) : null;
  }

  function build(reading) {
    built = reading;
    const { L, n } = reading,
      high = levels(reading);
    cells = range(high).map((level) => range(n).map((token) => cell(level, token)));
    sides = range(high).map((level) => side(level, L));
    names = range(n).map(() => h("span", { class: "tp-token" }));
    body.style.setProperty("--n", n);
    body.classList.toggle("is-tall", high > TALL);
    body.replaceChildren(
      ...range(high)
        .reverse()
        .flatMap((level) => [
          h("div", { class: "tp-row", role: "row" }, sides[level], cells[level]),
          level % 2
            ? h(
                "div",
                { class: "tp-row is-attention", "aria-hidden": "true" },
                h("span", { class: "tp-side", text: "attention" }),
                h("i", {}),
              )
            : null,
        ])
        .filter(Boolean),
      h("div", { class: "tp-row" }, h("span", { class: "tp-side" }), names),
    );
  }
  const side = (level, L) =>
    h(
      "span",
      { class: "tp-side", role: "rowheader" },
      h("span", { class: "is-long", text: beside(level, L, false) }),
      h("span", { class: "is-short", text: beside(level, L, true) }),
    );
  const cell = (level, token) =>
    h("button", {
      type: "button",
      class: "tp-cell",
      role: "gridcell",
      tabindex: -1,
      "data-place": placeOf(level, token),
      onclick: () => carry(level, token),
      onfocus: () => point(level, token),
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && point(level, token),
    });

  function draw(v, colour) {
    if (built?.tokens.join("\n") !== v.reading.tokens.join("\n") || built.L !== v.reading.L) build(v.reading);
    last = v;
    el.classList.toggle("is-words", v.looking);
    const known = new Set(v.tried);
    cells.forEach((one, level) => {
      one.forEach((el_, token) => {
        paint(el_, v, { level, token, known, colour });
      });
    });
    names.forEach((name, token) => {
      const { tokens, theirs } = v.reading,
        differs = tokens[token] !== theirs[token];
      fill(name, bdi(label(column(tokens[token]), 12)), differs && h("i", {}, bdi(label(column(theirs[token]), 12))));
      name.classList.toggle("is-different", differs);
    });
    point_(v);
    trace(v);
  }
  function paint(el_, v, { level, token, known, colour }) {
    const place = placeOf(level, token),
      one = v.looking ? v.lens?.[level]?.[token] : known.has(place) && v.reading.places[place],
      t = one && (v.looking ? one.p : way(v.reading, place));
    el_.classList.toggle("is-untried", !one);
    el_.classList.toggle("is-word", v.looking);
    Object.assign(el_.style, { background: one ? colour(t) : "", color: one ? colour.ink(t) : "" });
    fill(el_, one ? h("span", { text: v.looking ? said(one) : percent(t) }) : null);
    el_.setAttribute("aria-selected", String(v.carried && level === v.level && token === v.token));
    el_.setAttribute("aria-label", spoken(v, level, token));
  }
  function point_(v) {
    last = v;
    cells.flat().forEach((one) => {
      one.tabIndex = -1;
    });
    const [level, token] = v.focus;
    if (cells[level]?.[token]) cells[level][token].tabIndex = 0;
    sides.forEach((one, i) => {
      one.classList.toggle("is-on", i === level);
    });
    names.forEach((one, i) => {
      one.classList.toggle("is-on", i === token);
    });
  }
  function trace(v) {
    const found = v.looking ? [] : travels(v.reading, v.tried);
    over.toggleAttribute("hidden", !found.length);
    path.setAttribute(
      "d",
      found
        .map(({ layer, from, to }) => {
          const [a, z] = [boxIn(el, cells[2 * layer][from]), boxIn(el, cells[2 * layer + 1][to])];
          return pathOf([a.mid, z.mid], a.top, z.bottom);
        })
        .join(""),
    );
  }
  const resized = new ResizeObserver(() => {
    if (last) trace(last);
  });
  resized.observe(el);
  return { el, draw, point: point_, stop: () => resized.disconnect() };
}
