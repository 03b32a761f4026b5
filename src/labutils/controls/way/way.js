// The way of a sentence: plays once, then follows the pointer and the keyboard; the reader's own words run through the
// model here.

import { feed } from "../look/feed.js";
import { frame, stand } from "../look/frame.js";
import { button } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { num } from "../look/words.js";
import { asking } from "./asking.js";
import { below, drawing } from "./drawing.js";
import { marked } from "./marking.js";
import { finished, read, table, view } from "./numbers.js";
import { picture } from "./picture.js";
import { film } from "./play.js";
import { pointed } from "./pointing.js";
import { cell, heading, inOne, readout } from "./words.js";

export function render({ model, el }) {
  const f = frame(model);
  const state = bind(model, () => words.change()),
    inputs = asking(model, (...wish) => words.follow(...wish)),
    shown = canvas(f, model, state, inputs.offer);
  const words = wishes({ model, state, inputs, shown });
  f.root.classList.add("wy-control");
  f.bar.append(inputs.el);
  f.readout.after(f.bar);

  f.offer({
    rows: () => table(shown.now(), num, inOne),
    picture: () => titled(picture(shown.now(), WIDE), heading(shown.now()), shown.seen().info.label),
    state: state.read,
    call: () => pythonCall("Way", state.read()),
  });
  addEventListener("beforeprint", shown.stop); // on paper it is finished
  shown.build(shown.seen());
  const begin = () => {
    const { text, row, column } = state.read();
    if (text !== shown.seen().text) words.change();
    else if (model.get("plays") && row < 0 && column < 0) shown.start();
  };
  const silent = () => removeEventListener("beforeprint", shown.stop);
  return stand(el, f.root, begin, [silent, inputs.stop, shown.stop, shown.off, state.off, words.stop]);
}

// --- The reader's own words, from a wish to a reading.

/** @returns { follow(words, plays), change, stop }: `change` when the state is another one */
function wishes({ model, state, inputs, shown }) {
  let asked = null, // the text that is on its way
    wish = false; // whether the drawing plays once it is there
  const source = feed({ model, read, say: inputs.say, show: arrived });

  function follow(text, plays) {
    wish = plays;
    if (text !== shown.seen().text || asked !== null) state.set({ text, row: -1, column: -1 });
    else if (plays) begin();
  }
  function begin() {
    wish = false;
    state.keep({ row: -1, column: -1 });
    shown.mark();
    shown.start();
  }
  function change() {
    const { text } = state.read();
    inputs.set(text);
    if (text !== shown.seen().text && text !== asked) {
      asked = text;
      inputs.say("These words are on their way …");
      source.want({ name: model.get("model"), text });
    } else shown.mark();
  }
  function arrived(reading) {
    shown.stop();
    asked = null;
    shown.build(reading);
    if (wish) begin();
    shown.spell();
  }
  return { follow, change, stop: source.stop };
}

// --- What is drawn in the frame `f`: the way of a reading, played or pointed at.

/**
 * @param offer called with the text of each reading
 * @returns { seen, now, build(reading), mark, spell, start, stop, off }
 */
function canvas(f, model, state, offer) {
  let seen = finished(model.get("finished"));
  const now = () => view(seen, state.read());
  const play = film({ root: () => f.stage.firstChild, say: (words) => f.say(words), done: () => rest() });
  const end = button("Show the end", () => play.stop(), "itt-plain");
  end.hidden = true;
  f.stage.after(h("div", { class: "wy-skip" }, end));
  const rest = () => {
    if (document.activeElement === end) f.stage.querySelector(".wy-token.is-row").focus();
    end.hidden = true;
    mark();
  };
  function start() {
    play.start(now());
    end.hidden = !play.playing(); // from the first moment on, and no longer than it plays
  }

  function build(reading) {
    seen = reading;
    fill(f.stage, drawing(now(), true), below(now()));
    offer(seen.text);
    mark();
    f.source(seen.info.label);
    f.fresh();
  }
  /** Shows which token and which column are meant, and says what stands there. */
  function mark(place = -1) {
    const v = now();
    marked(f.stage.firstChild, v);
    if (!play.playing()) f.say(place < 0 ? readout(v) : cell(v, v.columns[v.s].stage, place));
  }
  function pick(i, s = -1, place = -1) {
    play.stop();
    state.keep({ row: i === seen.n - 1 ? -1 : i, column: s });
    mark(place);
  }
  /** The words of the other rows, one row after the other. */
  async function spell() {
    const reading = seen;
    for (let i = 0; i < reading.n - 1 && reading === seen; i++) {
      await reading.words(i).catch(() => {});
      if (reading === seen && now().i === i) mark();
    }
  }
  const off = pointed(f, { now, pick, playing: play.playing, stop: play.stop, width: () => seen.info.width });
  return { seen: () => seen, now, build, mark, spell, start, stop: play.stop, off };
}
