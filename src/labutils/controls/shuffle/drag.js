// A chip that follows a mouse or a finger, and changes its place on the way.

const FAR = 5; // px: what is moved less was a tap

/**
 * @param {HTMLElement} list
 * @param how slots() the chips, each { el }; onchoose(place); shove(from, to); focus(place)
 * @returns { forget }: what is held is forgotten, because the chips are others
 */
export function dragged(list, { slots, onchoose, shove, focus }) {
  let drag = null;
  function drop() {
    const { at } = drag;
    drag = null;
    released(slots());
    focus(at);
  }
  const mine = (event) => drag?.pointer === event.pointerId;
  const listen = {
    pointerdown(event) {
      const i = slots().findIndex(({ el }) => el.contains(event.target));
      if (i < 0 || event.button || drag) return;
      onchoose(i);
      drag = held(event, i, slots());
      list.setPointerCapture?.(event.pointerId);
    },
    pointermove(event) {
      if (!mine(event)) return;
      if (!drag.moves && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      drag.moves = true;
      const to = under(drag, event);
      if (to !== drag.at) {
        shove(drag.at, to);
        drag.at = to;
      }
      follow(drag, event, slots());
    },
    pointerup(event) {
      if (mine(event)) drop();
    },
    pointercancel(event) {
      if (!mine(event)) return;
      const { at, from } = drag;
      drop();
      shove(at, from);
    },
  };
  for (const [name, hear] of Object.entries(listen)) list.addEventListener(name, hear);
  return {
    forget() {
      drag = null;
    },
  };
}

/** What is known of the chip at place `i` while it is held: where it was taken, and where all of them lay. */
const held = (event, i, slots) => ({
  pointer: event.pointerId,
  from: i,
  at: i,
  x: event.clientX,
  y: event.clientY,
  moves: false,
  boxes: slots.map(({ el }) => el.getBoundingClientRect()),
});

/** The place under a pointer: as many words lie before it as have their middle before it. */
function under({ boxes, from }, { clientX: x, clientY: y }) {
  const before = ({ left, right, top, bottom }) => bottom < y || (top <= y && (left + right) / 2 < x);
  return boxes.filter((box, i) => i !== from && before(box)).length;
}

/** The word that is held stays under the pointer. */
function follow(drag, event, slots) {
  released(slots);
  const { el } = slots[drag.at],
    box = el.getBoundingClientRect(),
    taken = drag.boxes[drag.from];
  const x = event.clientX - drag.x + taken.left - box.left,
    y = event.clientY - drag.y + taken.top - box.top;
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  el.classList.add("is-held");
}

function released(slots) {
  for (const { el } of slots) {
    el.style.transform = "";
    el.classList.remove("is-held");
  }
}
