// A story that writes itself to the end: word by word once it is seen, another one on request, all drawn here.

import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { button, textField } from "../look/inputs.js";
import { fill } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { rarest, read, words } from "./numbers.js";
import { key, picture } from "./picture.js";
import { motion, telling, whenSeen } from "./telling.js";
import { heading, readout, rows, source, WRITING } from "./words.js";

const PAUSE = 400; // ms after the last letter that was typed

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished"),
    all = words(seen),
    wish = false;
  const state = bind(model, change);
  const say = (at) => f.say(readout(seen, all, at)),
    story = telling(f.readout, say, () => f.say([WRITING]));
  const inputs = bar(model, state, {
    onagain: story.write,
    onother() {
      wish = true;
      state.set({ seed: (now().seed + 1) % model.get("settings").seed.most });
    },
  });
  const wishes = feed({ model, read, say: inputs.say, show: arrived });
  const now = () => {
    const { text, seed } = state.read();
    return { text, seed: Math.round(seed) };
  };
  f.root.classList.add("st-control");
  f.bar.append(inputs.el);
  f.readout.after(f.bar);
  fill(f.stage, story.el, key());

  function change() {
    const { text, seed } = now();
    inputs.set(text);
    if (text !== seen.text || seed !== seen.seed) wishes.want({ name: model.get("model"), text, seed });
  }
  function arrived(reading) {
    story.stop();
    [seen, all] = [reading, words(reading)];
    build();
    if (wish) story.write();
    wish = false;
  }
  function build() {
    const at = rarest(all);
    story.build(seen, all, at);
    f.source(source(seen));
    say(at);
    f.fresh();
  }

  f.offer({
    rows: () => rows(seen, all),
    picture: () => titled(picture(all, WIDE), heading(seen), source(seen)),
    state: now,
    call: () => pythonCall("Story", now()),
  });
  build();
  const first = model.get("plays") && motion() ? whenSeen(story.el, story.write) : null;
  const begin = () => {
    change();
    first?.watch();
  };
  return stand(el, f.root, begin, [inputs.stop, story.stop, () => first?.stop(), state.off, wishes.stop]);
}

/** What a reader of the story operates: a beginning of their own, the same story again, and another one. */
function bar(model, state, { onagain, onother }) {
  let waiting = 0;
  const text = textField({
    label: `Your own beginning, up to ${model.get("cap")} tokens`,
    value: model.get("text"),
    oninput: (given) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => state.set({ text: given }), PAUSE);
    },
  });
  return {
    el: row(text.el, button("Write it again", onagain), button("Another story", onother)),
    say: text.say,
    set: text.set,
    stop: () => clearTimeout(waiting),
  };
}
