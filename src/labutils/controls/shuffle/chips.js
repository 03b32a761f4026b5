// Words that can be put into another order: dragged with a mouse or a finger, or moved with the keyboard. Each place is
// a button that shows the word standing there.
import { h } from "../look/kit.js";
import { clamp, label } from "../look/words.js";
import { dragged } from "./drag.js";

/**
 * @param spec.onmove (from, to): the word at one place is taken to another
 * @param spec.onchoose (place): the word there is chosen
 * @returns { el, draw, focus }
 */
export function chips({ onmove, onchoose }) {
  const list = h("div", {
    class: "sh-chips",
    role: "group",
    "aria-label": "The words in your order: arrow keys choose " + "one, Shift and an arrow key move it",
    onkeydown: moved,
  });
  let slots = [],
    at = 0;

  const focus = (i) => slots[i]?.el.focus({ preventScroll: true });
  function shove(from, to) {
    const end = clamp(to, 0, slots.length - 1);
    if (end === from) return;
    at = end;
    onmove(from, end);
  }
  const drag = dragged(list, { slots: () => slots, onchoose, shove, focus });
  function moved(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -slots.length, End: slots.length }[
      event.key
    ];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = clamp(at + step, 0, slots.length - 1);
    if (event.shiftKey) shove(at, to);
    else onchoose(to);
    focus(to);
  }

  /** @param shifts what stands under each word, or null while the answer is on its way */
  function draw({ tokens, order, shifts, chosen }) {
    if (slots.length !== order.length) {
      drag.forget();
      slots = Array.from({ length: order.length }, chip);
      list.replaceChildren(...slots.map(({ el }) => el));
    }
    at = chosen;
    order.forEach((from, to) => {
      slots[to].el.tabIndex = to === chosen ? 0 : -1;
      slots[to].el.setAttribute("aria-pressed", String(to === chosen));
      slots[to].el.classList.toggle("is-away", from !== to);
      write(slots[to], { name: label(tokens[from], 16), place: to, count: order.length, shift: shifts?.[to] ?? null });
    });
  }
  return { el: list, draw, focus };
}

/** A chip, still empty. */
function chip() {
  const word = h("span", { class: "sh-word" }),
    small = h("small");
  return { el: h("button", { type: "button", class: "sh-chip" }, word, small), word, small };
}

/** The word of a chip, and how far it moved the answer; null while that is on its way. */
function write({ el, word, small }, { name, place, count, shift }) {
  const said = shift === null ? "no answer yet" : /\d/.test(shift) ? `moved ${shift}` : shift.trim();
  word.replaceChildren(h("bdi", { text: name }));
  small.textContent = shift?.trim() ?? "…";
  el.setAttribute("aria-label", `${name}, place ${place + 1} of ${count}${said && `, ${said}`}`);
}
