// Two texts, one sequence: what BERT and GPT-2 read when a length is given. Computed here by the tokenizers themselves.

import { frame, stand } from "../look/frame.js";
import { slider, textField } from "../look/inputs.js";
import { h } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp } from "../look/words.js";
import { COMING, tokenizers } from "../tokenizer/cutters.js";
import { capped } from "../tokenizer/numbers.js";
import { lanesView } from "./lanes.js";
import { laid } from "./numbers.js";
import { picture } from "./picture.js";
import { readout, rows, sources } from "./words.js";

const TEXTS = ["first", "second"];

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished");
  const state = bind(model, change),
    lanes = lanesView(seen.lanes),
    inputs = bar(model, state),
    cutters = tokenizers(model, seen.lanes);
  f.bar.append(...inputs.parts);
  f.stage.append(lanes.el);

  /** Lay the texts out anew if the tokenizers are there; if not, the picture stays and a sentence says so. */
  function change() {
    const { length, texts } = inputs.show(state.read()),
      known = texts[0] === seen.first && texts[1] === seen.second,
      same = known && length === seen.length,
      ready = cutters.ready();
    if (!ready) {
      const shown = `What is shown are the texts it came with, at ${seen.length} positions.`;
      f.tell(same ? "" : `${cutters.reason() || COMING} ${shown}`);
      draw();
      return;
    }
    f.tell("");
    const bad = known ? null : unread(ready[0], texts);
    if (bad) inputs.say(bad.at, bad.error.message);
    else if (!same || !seen.live)
      try {
        seen = laidAnew(seen, ready, texts, length);
      } catch (error) {
        inputs.say(known ? 0 : 1, error.message); // each can be read, so it is the two together
      }
    draw();
  }
  function draw() {
    lanes.draw(seen.lanes);
    f.say(readout(seen.lanes, seen.length));
    f.fresh();
  }

  f.source(sources(seen.lanes));
  const shared = () => ({ first: seen.first, second: seen.second, length: seen.length });
  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen.lanes, WIDE), model.get("title"), sources(seen.lanes)),
    state: shared,
    call: () => pythonCall("Segments", shared()),
  });
  const begin = () => {
    change();
    lanes.follow(() => lanes.draw(seen.lanes));
    cutters.open(change);
  };
  return stand(el, f.root, begin, [cutters.stop, lanes.stop, state.off]);
}

/** Which of the texts cannot be read, and why; null where both can. */
function unread(tokenizer, texts) {
  for (const [at, text] of texts.entries())
    try {
      tokenizer.encode(text);
    } catch (error) {
      return { at, error };
    }
  return null;
}

/** The same lanes for other texts and another length. */
const laidAnew = (seen, tokenizers, [first, second], length) => ({
  first,
  second,
  length,
  live: true,
  lanes: seen.lanes.map((lane, m) => ({ ...lane, ...laid(tokenizers[m], first, second, length, lane) })),
});

// --- What a reader of the segments operates: two texts and the length.

/** @returns { parts, show(now), say(i, error) }: `show` gives what is read of the state, { length, texts } */
function bar(model, state) {
  const cap = model.get("cap"),
    { least: low, most: high } = model.get("settings").length;
  const fields = TEXTS.map((name, i) =>
    textField({
      label: `${i ? "Second" : "First"} text, up to ${cap} characters`,
      value: model.get(name),
      oninput: (text) => state.set({ [name]: text }),
    }),
  );
  const long = slider({
    label: "Length, in positions",
    min: low,
    max: high,
    step: 1,
    value: model.get("length"),
    words: String,
    oninput: (length) => state.set({ length }),
  });
  const texts = h(
    "div",
    { class: "itt-row sg-texts" },
    fields.map((field) => field.el),
  );
  return {
    parts: [texts, long.el],
    show(now) {
      const length = clamp(Math.round(now.length) || low, low, high),
        read = TEXTS.map((name) => capped(now[name], cap));
      fields.forEach((field, i) => {
        field.set(now[TEXTS[i]]);
        field.say(read[i].left ? `The first ${cap} characters are read; ${read[i].left} more are left out.` : "");
      });
      long.set(length);
      return { length, texts: read.map(({ text }) => text) };
    },
    say: (i, error) => fields[i].say(error, true),
  };
}
