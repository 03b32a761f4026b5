// Which token and which column of a way are meant, shown in the drawing that stands; nothing is built anew.
import { fill } from "../look/kit.js";
import { lead, looks, next, say } from "./drawing.js";

/** Mark the token and the column of a view, and say what belongs to them. */
export function marked(root, v) {
  const all = (what) => root.querySelectorAll(what);
  for (const one of all("[data-t]")) markCell(one, v);
  all(".wy-line").forEach((one, t) => {
    one.classList.toggle("is-row", t === v.i);
  });
  all("button.wy-head").forEach((one) => {
    one.setAttribute("aria-pressed", +one.dataset.s === v.s);
  });
  all(".wy-looks").forEach((one, t) => {
    const words = looks(v, t);
    one.childNodes.forEach((w, j) => {
      w.textContent = words[j].props.text ?? "";
    });
  });
  fill(root.querySelector(".wy-lead"), lead(v));
  for (const one of all(".wy-say")) fill(one, say(v, +one.dataset.stage));
  fill(root.querySelector(".wy-next"), next(v));
}

function markCell(one, v) {
  const mine = +one.dataset.t === v.i;
  one.classList.toggle("is-row", mine);
  one.classList.toggle("is-column", +one.dataset.s === v.s);
  if (one.matches("button")) {
    one.setAttribute("aria-pressed", mine);
    one.tabIndex = mine ? 0 : -1;
  }
}
