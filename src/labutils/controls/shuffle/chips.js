// Words that can be put into another order: dragged with a mouse or a finger, or moved with the keyboard. Each place is
// a button that shows the word standing there.
import { h } from "../look/kit.js";
import { clamp, label } from "../look/words.js";

const FAR = 5; // px: what is moved less was a tap

/**
 * @param spec.onmove (from, to): the word at one place is taken to another
 * @param spec.onchoose (place): the word there is chosen
 * @returns { el, draw, at }
 */
export function chips({ onmove, onchoose }) {
  const list = h("div", {
    class: "sh-chips",
    role: "group",
    "aria-label": "The words in your order: arrow keys choose " + "one, Shift and an arrow key move it",
  });
  let slots = [],
    at = 0,
    drag = null;

  const focus = (i) => slots[i]?.el.focus({ preventScroll: true });
  function shove(from, to) {
    const end = clamp(to, 0, slots.length - 1);
    if (end === from) return;
    at = end;
    onmove(from, end);
  }

  // --- by keyboard
  list.addEventListener("keydown", (event) => {
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
  });

  // --- by mouse and by touch
  list.addEventListener("pointerdown", (event) => {
    const i = slots.findIndex(({ el }) => el.contains(event.target));
    if (i < 0 || event.button || drag) return;
    onchoose(i);
    drag = {
      pointer: event.pointerId,
      from: i,
      at: i,
      x: event.clientX,
      y: event.clientY,
      moves: false,
      boxes: slots.map(({ el }) => el.getBoundingClientRect()),
    };
    list.setPointerCapture?.(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moves && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.moves = true;
    const to = under(event);
    if (to !== drag.at) {
      shove(drag.at, to);
      drag.at = to;
    }
    follow(event);
  });
  list.addEventListener("pointerup", (event) => {
    if (drag?.pointer === event.pointerId) drop();
  });
  list.addEventListener("pointercancel", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { at: now, from } = drag;
    drop();
    shove(now, from);
  });

  /** The place under a pointer: as many words lie before it as have their middle before it. */
  function under({ clientX: x, clientY: y }) {
    const before = ({ left, right, top, bottom }) => bottom < y || (top <= y && (left + right) / 2 < x);
    return drag.boxes.filter((box, i) => i !== drag.from && before(box)).length;
  }
  /** The word that is held stays under the pointer. */
  function follow(event) {
    for (const { el } of slots) {
      el.style.transform = "";
      el.classList.remove("is-held");
    }
    const { el } = slots[drag.at],
      box = el.getBoundingClientRect(),
      held = drag.boxes[drag.from];
    const x = event.clientX - drag.x + held.left - box.left,
      y = event.clientY - drag.y + held.top - box.top;
    el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    el.classList.add("is-held");
  }
  function drop() {
    const { at: now } = drag;
    drag = null;
    for (const { el } of slots) {
      el.style.transform = "";
      el.classList.remove("is-held");
    }
    focus(now);
  }

  function build(n) {
    drag = null;
    slots = Array.from({ length: n }, () => {
      const word = h("span", { class: "sh-word" }),
        small = h("small");
      return { el: h("button", { type: "button", class: "sh-chip" }, word, small), word, small };
    });
    list.replaceChildren(...slots.map(({ el }) => el));
  }

  /** @param shifts what stands under each word, or null while the answer is on its way */
  function draw({ tokens, order, shifts, chosen }) {
    if (slots.length !== order.length) build(order.length);
    at = chosen;
    order.forEach((from, to) => {
      const { el, word, small } = slots[to],
        name = label(tokens[from], 16),
        shift = shifts?.[to] ?? "…";
      word.replaceChildren(h("bdi", { text: name }));
      small.textContent = shift;
      el.tabIndex = to === chosen ? 0 : -1;
      el.setAttribute("aria-pressed", String(to === chosen));
      el.classList.toggle("is-away", from !== to);
      el.setAttribute(
        "aria-label",
        `${name}, place ${to + 1} of ${order.length}, ` +
          `${shifts ? (/\d/.test(shift) ? `moved ${shift}` : shift) : "no answer yet"}`,
      );
    });
  }
  return { el: list, draw, focus };
}
