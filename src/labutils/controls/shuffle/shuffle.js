// The words of a text in the order that a reader gives them, and what the model expects next, before and after.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, segmented, textField, toggle } from "../look/inputs.js";
import { ownText } from "../look/kept.js";
import { fill, h, onceShown, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { nextParts, speller } from "../look/nexts.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, range } from "../look/words.js";
import { uniform } from "../next_word/numbers.js";
import { share } from "../next_word/words.js";
import { chips } from "./chips.js";
import { asWritten, moved, orderOf, reader, wordsOf } from "./numbers.js";
import { picture, sourceOf } from "./picture.js";
import { changed, heading, key, readout, rows, said, shift } from "./words.js";

export const CAP = 16;
const STATE = ["model", "text", "order", "positions", "mask"];

export function render({ model, el }) {
  const f = frame(model);
  const models = model.get("models"),
    names = models.map((one) => one.name);
  let seen = model.get("finished"),
    chosen = 0,
    draws = 0;
  const state = bind(model, STATE, change),
    textFor = ownText();
  const source = feed({
    model,
    cap: CAP,
    read: reader(),
    say: (...words) => text.say(...words),
    show: (reading) => {
      seen = reading;
      draw();
    },
  });

  // --- what a reader operates
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => {
      chosen = 0;
      state.set({ model: names[i], order: "", text: textFor(state.read().model, models[i], state.read().text) });
    },
  });
  const text = textField({
    label: "Your text",
    value: model.get("text"),
    oninput: (words) => {
      chosen = 0;
      state.set({ text: words, order: "" });
    },
  });
  const positions = toggle({
    label: "Positions",
    text: "told where each word stands",
    value: model.get("positions"),
    onpick: (on) => state.set({ positions: on }),
  });
  const mask = toggle({
    label: "Causal mask",
    text: "sees only what came before",
    value: model.get("mask"),
    onpick: (on) => state.set({ mask: on }),
  });
  f.bar.append(row(pickModel.el, text.el), row(positions.el, mask.el));

  const spelt = speller(name);
  const words = chips({
    onchoose: (i) => {
      chosen = i;
      draw();
    },
    onmove: (from, to) => reorder(from, to),
  });
  const earlier = button("Earlier", () => reorder(chosen, chosen - 1)),
    later = button("Later", () => reorder(chosen, chosen + 1));
  const mix = button("Shuffle", () => put(shuffled(places(), draws++))),
    turn = button("Reverse", () => put(places().reverse())),
    back = button(
      "As written",
      () => {
        chosen = 0;
        put([]);
      },
      "itt-plain",
    );
  const written = h("p", { class: "sh-written" }),
    under = h("p", { class: "sh-key" }),
    list = pairs();
  f.stage.append(
    written,
    words.el,
    h(
      "div",
      { class: "sh-buttons" },
      h("span", { class: "sh-group", role: "group", "aria-label": "Move the chosen word" }, earlier, later),
      h("span", { class: "sh-group", role: "group", "aria-label": "Move all words" }, mix, turn, back),
    ),
    under,
    list.el,
  );
  const flag = h(
    "span",
    { class: "itt-flag sh-flag" },
    h("span"),
    button("Back to the model", () => state.set({ positions: true, mask: true }), "itt-plain"),
  );

  // --- from a wish to a picture
  const places = () => orderOf(state.read().order, seen.tokens.length);
  function put(order) {
    state.set({ order: wordsOf(order) });
  }
  function reorder(from, to) {
    if (to < 0 || to >= seen.tokens.length) return;
    chosen = to;
    put(moved(places(), from, to));
  }
  /** Whether what was read last is what the state asks for. */
  function settled() {
    const now = state.read();
    return (
      now.model === seen.info.name &&
      now.text === seen.text &&
      now.positions === seen.positions &&
      now.mask === seen.mask &&
      places().join() === seen.order.join()
    );
  }
  function change() {
    if (!settled()) source.want(wish());
    draw();
  }
  const wish = () => {
    const { model: name, ...rest } = state.read();
    return { name, ...rest };
  };

  function draw() {
    const now = state.read(),
      order = places(),
      done = settled();
    chosen = index(chosen, order.length);
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    text.rename(`Your text, up to ${Math.min(CAP, seen.info.maxTokens)} tokens`);
    positions.set(now.positions);
    mask.set(now.mask);
    fill(written, h("span", { class: "itt-label", text: "As written" }), bdi(said(seen.tokens, range(order.length))));
    words.draw({
      tokens: seen.tokens,
      order,
      chosen,
      shifts: done ? seen.words.map((gap) => shift(gap, seen.rounding)) : null,
    });
    earlier.disabled = chosen === 0;
    later.disabled = chosen === order.length - 1;
    back.disabled = asWritten(order);
    mix.disabled = turn.disabled = order.length < 2;
    fill(under, key(seen.rounding));
    list.draw(seen);
    list.el.classList.toggle("is-waiting", !done);
    flag.firstChild.textContent = changed(seen);
    f.source(changed(seen) ? flag : seen.info.label);
    spelt.know(seen, seen.tokens.length, seen.top);
    name();
  }
  /** The part that follows when the words of pieces have been found. */
  function name() {
    list.name(seen);
    f.say(readout(seen));
    f.fresh();
  }

  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen, WIDE), heading(seen), sourceOf(seen)),
    state: state.read,
    call: () => pythonCall("Shuffle", state.read()),
  });
  el.append(f.root);
  onceShown(f.root, () => {
    draw();
    source.want(wish());
  });
  return () => {
    state.off();
    source.stop();
    spelt.stop();
    f.root.remove();
  };
}

/** Another order of the same places, the next one each time. Fisher and Yates, in the form of Durstenfeld 1964. */
function shuffled(order, at) {
  const out = order.slice();
  for (let i = out.length - 1; i > 0; i--) {
    const k = Math.floor(uniform(at, i) * (i + 1));
    [out[i], out[k]] = [out[k], out[i]];
  }
  return out;
}

// --- Two bars for each token: as written, and in the reader's order.

function pairs() {
  const rows = h("div", { class: "sh-rows" }),
    el = h(
      "div",
      { class: "sh-list" },
      h(
        "p",
        { class: "sh-legend" },
        h("span", { class: "itt-label", text: "Next word" }),
        h("span", { class: "sh-swatch is-before" }),
        h("span", { text: "as written" }),
        h("span", { class: "sh-swatch" }),
        h("span", { text: "in your order" }),
      ),
      rows,
      h(
        "div",
        { class: "sh-row sh-axis", "aria-hidden": "true" },
        h("span"),
        h(
          "span",
          { class: "itt-share-ticks" },
          ["0", "0.5", "1"].map((words) => h("span", { text: words })),
        ),
      ),
    );
  let lines = [];
  function build(n) {
    lines = range(n).map(() => {
      const name = h("span", { class: "itt-share-token" }),
        before = h("span", { class: "itt-share is-hollow" }),
        after = h("span", { class: "itt-share" }),
        was = h("span", { class: "sh-p is-before" }),
        now = h("span", { class: "sh-p" });
      return {
        name,
        before,
        after,
        was,
        now,
        el: h(
          "div",
          { class: "sh-row" },
          name,
          h("span", { class: "sh-two" }, before, after),
          h("span", { class: "sh-two" }, was, now),
        ),
      };
    });
    rows.replaceChildren(...lines.map((line) => line.el));
  }
  function draw({ top }) {
    if (lines.length !== top.length) build(top.length);
    top.forEach(({ before, after }, i) => {
      const line = lines[i];
      line.before.style.setProperty("--p", before);
      line.after.style.setProperty("--p", after);
      write(line.was, share(before));
      write(line.now, share(after));
    });
  }
  const name = ({ top, tokens, info }) =>
    top.forEach((one, i) => {
      fill(lines[i].name, nextParts(one, tokens.at(-1), info));
    });
  return { el, draw, name };
}
