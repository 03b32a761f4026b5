// The line of the guess: dragged, or moved by the keys, until it is placed.
import { fill, mark, s } from "../look/kit.js";
import { clamp, num } from "../look/words.js";
import { LOSS } from "./numbers.js";

const STEP = 0.05,
  KEYS = {
    ArrowUp: STEP,
    ArrowRight: STEP,
    ArrowDown: -STEP,
    ArrowLeft: -STEP,
    PageUp: 0.5,
    PageDown: -0.5,
    Home: -LOSS,
    End: LOSS,
  };
const rounded = (nats) => Math.round(clamp(nats, 0, LOSS) / STEP) * STEP;

/** @param {{get: () => number, set: (line: number) => void, place: () => void}} spec */
export function handle({ get, set, place }) {
  let at = null, // the places of the drawing, while it can be moved
    dragged = false;
  const area = s("rect", { fill: "transparent" }),
    marks = s("g", {}),
    el = s(
      "g",
      {
        class: "tr-guess",
        tabindex: 0,
        role: "slider",
        "aria-label": "Your guess: where the curve will stop, in nats a token",
        "aria-valuemin": 0,
        "aria-valuemax": LOSS,
        "aria-orientation": "vertical",
        onkeydown,
      },
      area,
      marks,
    );
  const move = (event) => {
    const box = el.ownerSVGElement.getBoundingClientRect(),
      view = el.ownerSVGElement.viewBox.baseVal;
    set(rounded(at.nats(((event.clientY - box.top) * view.height) / box.height)));
  };
  el.addEventListener("pointerdown", (event) => {
    if (!at) return;
    dragged = true;
    el.setPointerCapture(event.pointerId);
    move(event);
  });
  el.addEventListener("pointermove", (event) => {
    if (dragged && at) move(event);
  });
  for (const name of ["pointerup", "pointercancel"])
    el.addEventListener(name, () => {
      dragged = false;
    });
  function onkeydown(event) {
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") place();
    else if (KEYS[event.key]) set(rounded(get() + KEYS[event.key]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return {
    el,
    /** @param drawn the line and its words; @param p the places of the chart; @param v the view */
    show(drawn, p, { line, placed }) {
      at = placed ? null : p;
      fill(marks, drawn);
      for (const [name, value] of Object.entries({
        x: p.left,
        width: p.right - p.left,
        y: p.top,
        height: p.foot - p.top,
      }))
        mark(area, name, value);
      el.classList.toggle("is-set", placed);
      mark(el, "aria-valuenow", num(line));
      mark(el, "aria-valuetext", `${num(line)} nats`);
      mark(el, "aria-disabled", placed);
      mark(el, "tabindex", placed ? -1 : 0);
    },
  };
}
