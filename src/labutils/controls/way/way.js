// The way of a sentence: plays once, then follows the pointer and the keyboard; the reader's own words run through the
// model here.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, textField } from "../look/inputs.js";
import { fill, h, onceShown } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { num } from "../look/words.js";
import { drawing, lead, looks, next, say } from "./drawing.js";
import { finished, read, table, view } from "./numbers.js";
import { picture } from "./picture.js";
import { film } from "./play.js";
import { pointed } from "./pointing.js";
import { cell, heading, inOne, readout } from "./words.js";

export const CAP = 16;
const PAUSE = 300; // ms after the last letter

export function render({ model, el }) {
  const f = frame(model);
  let seen = finished(model.get("finished")),
    asked = null,
    wish = false,
    waiting = 0;
  const state = bind(model, ["text", "row", "column"], change),
    now = () => view(seen, state.read());
  const play = film({ root: () => f.stage.firstChild, say: (words) => f.say(words), done: () => mark() });
  const source = feed({ model, cap: CAP, read, say: (...words) => text.say(...words), show: arrived });

  // --- what a reader operates
  const text = textField({
    label: `Your own words, up to ${CAP} tokens`,
    value: model.get("text"),
    oninput: (words) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => follow(words), PAUSE);
    },
  });
  const go = button("Follow them", () => follow(text.input.value, true), "itt-first");
  const tries = h("p", { class: "wy-tries" });
  text.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") follow(text.input.value, true);
  });
  f.root.classList.add("wy-control");
  f.bar.append(row(text.el, go, tries));
  f.readout.after(f.bar);

  /** Send words on their way; once they are there, the drawing plays if it is wished. */
  function follow(words, plays = false) {
    clearTimeout(waiting);
    wish = plays;
    if (words === seen.text && asked === null) {
      if (plays) begin();
      return;
    }
    state.set({ text: words, row: -1, column: -1 });
  }
  function begin() {
    wish = false;
    state.keep({ row: -1, column: -1 });
    mark();
    play.start(now());
  }
  function change() {
    const { text: words } = state.read();
    text.set(words);
    if (words !== seen.text && words !== asked) {
      asked = words;
      text.say("These words are on their way …");
      source.want({ name: model.get("model"), text: words });
    } else mark();
  }
  function arrived(reading) {
    play.stop();
    [seen, asked] = [reading, null];
    build();
    if (wish) begin();
    spell(reading);
  }
  /** The words of the other rows, one row after the other. */
  async function spell(reading) {
    for (let i = 0; i < reading.n - 1 && reading === seen; i++) {
      await reading.words(i).catch(() => {});
      if (reading === seen && now().i === i) mark();
    }
  }

  // --- drawing
  function build() {
    fill(f.stage, drawing(now(), true));
    offer();
    mark();
    f.source(seen.info.label);
    f.fresh();
  }
  function offer() {
    const others = [model.get("finished").text, ...model.get("samples")].filter((words) => words !== seen.text);
    fill(
      tries,
      "or try ",
      others.map((words) => ({
        tag: "button",
        kids: [],
        props: {
          type: "button",
          class: "itt-button itt-plain",
          text: `“${words} …”`,
          onclick: () => {
            text.set(words);
            follow(words, true);
          },
        },
      })),
    );
  }
  /** Shows which token and which column are meant, and says what stands there; nothing is built anew. */
  function mark(place = -1) {
    const v = now(),
      root = f.stage.firstChild,
      all = (what) => root.querySelectorAll(what);
    for (const one of all("[data-t]")) {
      const mine = +one.dataset.t === v.i;
      one.classList.toggle("is-row", mine);
      one.classList.toggle("is-column", +one.dataset.s === v.s);
      if (one.matches("button")) {
        one.setAttribute("aria-pressed", mine);
        one.tabIndex = mine ? 0 : -1;
      }
    }
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
    if (!play.playing()) f.say(place < 0 ? readout(v) : cell(v, v.columns[v.s].stage, place));
  }
  function pick(i, s = -1, place = -1) {
    play.stop();
    state.keep({ row: i === seen.n - 1 ? -1 : i, column: s });
    mark(place);
  }

  const off = pointed(f, { now, pick, playing: play.playing, stop: play.stop, width: () => seen.info.width });
  f.offer({
    rows: () => table(now(), num, inOne),
    picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Way", state.read()),
  });
  addEventListener("beforeprint", play.stop); // on paper it is finished
  build();
  el.append(f.root);
  onceShown(f.root, () => {
    if (state.read().text !== seen.text) change();
    else if (model.get("plays") && state.read().row < 0 && state.read().column < 0) play.start(now());
  });
  return () => {
    removeEventListener("beforeprint", play.stop);
    clearTimeout(waiting);
    play.stop();
    off();
    state.off();
    source.stop();
    f.root.remove();
  };
}
