// The words of a text in the order that a reader gives them, and what the model expects next, before and after.

import { feed } from "../look/feed.js";
import { frame, stand } from "../look/frame.js";
import { button } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { speller } from "../look/nexts.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, range } from "../look/words.js";
import { bar, buttons } from "./bar.js";
import { chips } from "./chips.js";
import { moved, orderOf, reader, shuffled, wordsOf } from "./numbers.js";
import { pairs } from "./pairs.js";
import { picture, sourceOf } from "./picture.js";
import { changed, heading, key, readout, rows, said, shifts } from "./words.js";

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished");
  const state = bind(model, change),
    orders = ordered(state, () => seen.tokens.length, draw);
  const inputs = bar(model, state, orders.first),
    shown = canvas(f, orders, () => state.set({ positions: true, mask: true }));
  const source = feed({
    model,
    read: reader(),
    say: inputs.say,
    show: (reading) => {
      seen = reading;
      draw();
    },
  });
  const spelt = speller(name);
  f.bar.append(...inputs.rows);
  f.readout.after(f.bar); // the words and what follows from their order come first

  // --- from a wish to a picture
  const settled = () => answers(seen, state.read(), orders.places());
  const wish = () => {
    const { model: name, ...rest } = state.read();
    return { name, ...rest };
  };
  function change() {
    if (!settled()) source.want(wish());
    draw();
  }
  function draw() {
    inputs.show(state.read(), seen);
    shown.draw(seen, settled());
    spelt.know(seen, seen.tokens.length, seen.top);
    name();
  }
  /** The part that follows when the words of pieces have been found. */
  function name() {
    shown.name(seen);
    f.say(readout(seen));
    f.fresh();
  }

  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen, WIDE), heading(seen), sourceOf(seen)),
    state: state.read,
    call: () => pythonCall("Shuffle", state.read()),
  });
  const begin = () => {
    draw();
    source.want(wish());
  };
  return stand(el, f.root, begin, [state.off, source.stop, spelt.stop]);
}

/** Whether what was read last is what the state asks for. */
const answers = (seen, now, places) =>
  now.model === seen.info.name &&
  now.text === seen.text &&
  now.positions === seen.positions &&
  now.mask === seen.mask &&
  places.join() === seen.order.join();

// --- The order of the words, and the word that is chosen.

/**
 * @param count gives the number of words; `redraw` is called when another word is chosen and the order stays
 * @returns places() as they are now; chosen() the place of the word; choose, first, reorder, put, mix
 */
function ordered(state, count, redraw) {
  let chosen = 0,
    draws = 0;
  const places = () => orderOf(state.read().order, count()),
    put = (order) => state.set({ order: wordsOf(order) });
  return {
    places,
    put,
    chosen() {
      chosen = index(chosen, count());
      return chosen;
    },
    choose(i) {
      chosen = i;
      redraw();
    },
    first() {
      chosen = 0;
    },
    reorder(from, to) {
      if (to < 0 || to >= count()) return;
      chosen = to;
      put(moved(places(), from, to));
    },
    mix: () => put(shuffled(places(), draws++)),
  };
}

// --- What is drawn in the frame `f`: the words as written and as chips, what stands under them, and the bars.

/** @param onback brings positions and mask back */
function canvas(f, orders, onback) {
  const written = h("p", { class: "sh-written" }),
    words = chips({ onchoose: orders.choose, onmove: orders.reorder }),
    under = h("p", { class: "sh-key" }),
    list = pairs();
  const below = buttons({
    earlier: () => orders.reorder(orders.chosen(), orders.chosen() - 1),
    later: () => orders.reorder(orders.chosen(), orders.chosen() + 1),
    mix: orders.mix,
    turn: () => orders.put(orders.places().reverse()),
    back() {
      orders.first();
      orders.put([]);
    },
  });
  const what = h("span"),
    flag = h("span", { class: "itt-flag sh-flag" }, what, button("Back to the model", onback, "itt-plain"));
  f.stage.append(written, words.el, below.el, under, list.el);

  /** @param done whether the reading is that of the order, or still on its way */
  function draw(seen, done) {
    const order = orders.places(),
      chosen = orders.chosen(),
      beneath = done ? shifts(seen, order) : null;
    fill(written, h("span", { class: "itt-label", text: "As written" }), bdi(said(seen.tokens, range(order.length))));
    words.draw({ tokens: seen.tokens, order, chosen, shifts: beneath });
    below.show(order, chosen);
    fill(under, key(seen.rounding, order));
    list.draw(seen);
    list.el.classList.toggle("is-waiting", !done);
    what.textContent = changed(seen);
    f.source(changed(seen) ? flag : seen.info.label);
  }
  return { draw, name: list.name };
}
