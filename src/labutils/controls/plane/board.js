// The plane: a button for each setting, one tab stop, and a point that a mouse or a finger drags.
import { arrows } from "../look/inputs.js";
import { fill, h, mark, write } from "../look/kit.js";
import { cellAt, nameOf } from "./numbers.js";
import { most } from "./picture.js";
import { place } from "./words.js";

/** A cell is filled anew where it has become known, or shut. */
function filled(one, known, shut) {
  const kids = known ? one.kids : shut ? [h("b", { class: "pn-shut", text: "?" })] : [];
  if (!one.drawn || known !== one.known || shut !== one.shut) fill(one.el, kids);
  Object.assign(one, { known, shut, drawn: true });
}
function named(cell, { known, shut }, { stories }) {
  const told = `${cell.accepted} of ${stories} accepted, ${cell.words} different words`;
  return `${place(cell)}: ${known ? told : shut ? "opens with your guess" : "not tried"}`;
}

/** @param {{found: import("./numbers.js").Found, go: (where: {temperature: number, top_p: number}) => void}} spec */
export function board({ found, go }) {
  const { temperatures, top_ps } = found,
    up = [...top_ps].reverse(),
    cells = new Map(),
    sides = top_ps.map((p) => h("span", { class: "pn-side", role: "rowheader", text: String(p) })),
    feet = temperatures.map((tau) => h("span", { class: "pn-foot", role: "columnheader", text: String(tau) })),
    point = h("span", { class: "pn-point", "aria-hidden": "true" });
  let at = found.cells[0];

  const keys = arrows({
    rows: () => up.length,
    columns: () => temperatures.length,
    at: () => [up.indexOf(at.top_p), temperatures.indexOf(at.temperature)],
    go: (i, j) => {
      const where = { temperature: temperatures[j], top_p: up[i] };
      go(where);
      cells.get(nameOf(where)).el.focus();
    },
  });
  const map = h(
    "div",
    { class: "pn-map", role: "grid", "aria-label": "Settings: top-p from below, temperature from the left" },
    up.map((top_p) =>
      h(
        "div",
        { class: "pn-row", role: "row" },
        sides[top_ps.indexOf(top_p)],
        temperatures.map((temperature) => cell({ temperature, top_p })),
      ),
    ),
    h("div", { class: "pn-row", role: "row" }, h("span", { role: "presentation" }), feet),
    point,
  );
  map.addEventListener("keydown", keys);

  function cell(where) {
    const count = h("b"),
      words = h("small"),
      part = h("i"),
      kids = [count, h("span", { class: "pn-words" }, words, h("span", { class: "pn-bar" }, part))];
    const el = h("button", {
      ...{ type: "button", class: "pn-cell", role: "gridcell", "data-place": nameOf(where), tabindex: -1 },
      onclick: () => go(where),
    });
    cells.set(nameOf(where), { el, count, words, part, kids, known: false });
    return el;
  }

  dragged(map, {
    els: () => [...cells.values()].map(({ el }) => el),
    here: () => cells.get(nameOf(at)).el,
    holds: (target) => target === point || cells.get(nameOf(at)).el.contains(target),
    onmove: (el) => {
      const [temperature, top_p] = el.dataset.place.split("/").map(Number);
      go(cellAt(found, { temperature, top_p }));
    },
  });

  /** @param tried the cells that were tried; @param now where the point stands; @param colour a scale; @param shut */
  function draw(tried, now, colour, shut) {
    at = now;
    const known = new Set(tried.map(nameOf));
    for (const cell of found.cells) {
      const name = nameOf(cell),
        one = cells.get(name),
        on = cell === now,
        t = cell.accepted / found.stories;
      filled(one, known.has(name), name === shut);
      one.el.classList.toggle("is-untried", !one.known);
      one.el.style.background = one.known ? colour(t) : "";
      one.el.style.color = one.known ? colour.ink(t) : "";
      write(one.count, cell.accepted);
      write(one.words, cell.words);
      one.part.style.width = `${(100 * cell.words) / most(found)}%`;
      mark(one.el, "aria-selected", on);
      mark(one.el, "tabindex", on ? 0 : -1);
      mark(one.el, "aria-label", named(cell, one, found));
    }
    sides.forEach((side, i) => {
      side.classList.toggle("is-on", top_ps[i] === now.top_p);
    });
    feet.forEach((foot, i) => {
      foot.classList.toggle("is-on", temperatures[i] === now.temperature);
    });
    move();
  }
  /** The point stands in the upper right corner of its cell. */
  function move() {
    const { el } = cells.get(nameOf(at));
    point.style.left = `${el.offsetLeft + el.offsetWidth - 13}px`;
    point.style.top = `${el.offsetTop + 15}px`;
  }
  return { el: map, draw, move };
}

/**
 * The point, or the cell in which it stands, is dragged to the nearest setting; the keyboard goes on from there.
 * @param {HTMLElement} map
 */
function dragged(map, { els, here, holds, onmove }) {
  let held = false;
  const nearest = ({ clientX, clientY }) =>
    els()
      .map((el) => {
        const box = el.getBoundingClientRect();
        return { el, far: Math.hypot(clientX - box.left - box.width / 2, clientY - box.top - box.height / 2) };
      })
      .reduce((one, other) => (other.far < one.far ? other : one)).el;
  map.addEventListener("pointerdown", (event) => {
    if (event.button || !holds(event.target)) return;
    held = true;
    map.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  map.addEventListener("pointermove", (event) => {
    if (!held) return;
    const near = nearest(event);
    if (near !== here()) onmove(near);
  });
  const dropped = () => {
    if (held) here().focus({ preventScroll: true });
    held = false;
  };
  for (const name of ["pointerup", "pointercancel"]) map.addEventListener(name, dropped);
}
