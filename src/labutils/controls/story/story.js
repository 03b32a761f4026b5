// A story that writes itself to the end: word by word once it is seen, another one on request, all drawn here.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, textField } from "../look/inputs.js";
import { fill, h, onceShown } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp } from "../look/words.js";
import { rarest, read, words } from "./numbers.js";
import { key, picture, tale } from "./picture.js";
import { heading, readout, rows, source } from "./words.js";

export const CAP = 32;
const LARGEST = 2 ** 31 - 1,
  PACE = 110,
  PAUSE = 400; // ms: a token, and after the last letter that was typed

export function render({ model, el }) {
  const f = frame(model);
  const motion = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let seen = model.get("finished"),
    all = words(seen),
    at = rarest(all),
    writing = 0,
    waiting = 0,
    wish = false;
  const state = bind(model, ["text", "seed"], change);
  const wishes = feed({ model, cap: CAP, read, say: (...said) => text.say(...said), show: arrived });
  const story = h("p", {
    class: "st-tale",
    tabindex: 0,
    role: "group",
    onkeydown: moved,
    onpointerover: ({ target }) => point(target),
    onclick: ({ target }) => point(target),
  });

  // --- what a reader operates
  const text = textField({
    label: `Your own beginning, up to ${CAP} tokens`,
    value: model.get("text"),
    oninput: (given) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => state.set({ text: given }), PAUSE);
    },
  });
  const again = button("Write it again", write);
  const other = button("Another story", () => {
    wish = true;
    state.set({ seed: (now().seed + 1) % LARGEST });
  });
  f.root.classList.add("st-control");
  f.bar.append(row(text.el, again, other));
  f.readout.after(f.bar);
  fill(f.stage, story, key());
  const now = () => {
    const { text: given, seed } = state.read();
    return { text: given, seed: clamp(Math.round(seed), 0, LARGEST) };
  };

  function change() {
    const { text: given, seed } = now();
    text.set(given);
    if (given !== seen.text || seed !== seen.seed) wishes.want({ name: model.get("model"), text: given, seed });
  }
  function arrived(reading) {
    stop();
    [seen, all] = [reading, words(reading)];
    at = rarest(all);
    build();
    if (wish) write();
    wish = false;
  }
  function build() {
    fill(story, tale(all, at));
    story.setAttribute("aria-label", heading(seen));
    f.source(source(seen));
    f.say(readout(seen, all, at));
    f.fresh();
  }

  // --- word by word, to the end
  function write() {
    stop();
    if (!motion()) {
      point(story.lastElementChild);
      return;
    }
    const spans = [...story.children],
      first = all.findIndex(({ p }) => p !== null);
    spans.forEach((span, i) => {
      span.classList.toggle("is-ahead", i >= first);
      span.removeAttribute("aria-current");
    });
    f.readout.setAttribute("aria-live", "off"); // it is said when it is there
    const next = (i) => {
      spans[i].classList.remove("is-ahead");
      if (i === spans.length - 1) {
        stop();
        show(i);
        return;
      }
      writing = setTimeout(next, PACE * all[i + 1].pieces, i + 1);
    };
    writing = setTimeout(next, PACE, first);
  }
  function stop() {
    clearTimeout(writing);
    writing = 0;
    f.readout.removeAttribute("aria-live");
    for (const span of story.querySelectorAll(".is-ahead")) span.classList.remove("is-ahead");
  }
  function show(i) {
    at = i;
    [...story.children].forEach((span, k) => {
      k === i ? span.setAttribute("aria-current", "true") : span.removeAttribute("aria-current");
    });
    f.say(readout(seen, all, i));
  }
  function point(target) {
    if (target?.dataset?.i === undefined || writing) return;
    show(+target.dataset.i);
  }
  function moved(event) {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    stop();
    show(clamp(to, 0, all.length - 1));
  }

  f.offer({
    rows: () => rows(seen, all),
    picture: () => titled(picture(all, WIDE), heading(seen), source(seen)),
    state: now,
    call: () => pythonCall("Story", now()),
  });
  build();
  el.append(f.root);
  const watch =
    model.get("plays") &&
    motion() &&
    typeof IntersectionObserver !== "undefined" &&
    new IntersectionObserver(
      (seen_) => {
        if (!seen_.some((one) => one.isIntersecting)) return;
        watch.disconnect();
        write();
      },
      { threshold: 0.6 },
    );
  onceShown(f.root, () => {
    change();
    if (watch) watch.observe(story);
  });
  return () => {
    clearTimeout(waiting);
    stop();
    if (watch) watch.disconnect();
    state.off();
    wishes.stop();
    f.root.remove();
  };
}
