// The story in the page: it writes itself word by word, and a pointer or the arrow keys choose a word of it.
import { fill, h } from "../look/kit.js";
import { clamp } from "../look/words.js";
import { tale } from "./picture.js";
import { heading } from "./words.js";

const PACE = 110; // ms a token

export const motion = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {HTMLElement} readout where the chosen word is told; it stays silent while the story is written
 * @param {(i: number) => void} onshow called with the place of a word that is chosen
 * @param {() => void} onwrite called when it begins to write: no word is chosen then
 * @returns { el, build(seen, all, at), write, stop }: `build` for a new story, with the word that is chosen first
 */
export function telling(readout, onshow, onwrite) {
  const el = h("p", {
    class: "st-tale",
    tabindex: 0,
    role: "group",
    onkeydown: moved,
    onpointerover: ({ target }) => point(target),
    onclick: ({ target }) => point(target),
  });
  let all = [],
    at = 0;
  const writer = writing({ el, readout, done: show });

  function build(seen, words, first) {
    [all, at] = [words, first];
    fill(el, tale(all, at));
    el.setAttribute("aria-label", heading(seen));
  }
  function write() {
    writer.stop();
    if (motion()) {
      onwrite();
      writer.start(all);
    } else point(el.lastElementChild);
  }
  function show(i) {
    at = i;
    [...el.children].forEach((span, k) => {
      k === i ? span.setAttribute("aria-current", "true") : span.removeAttribute("aria-current");
    });
    onshow(i);
  }
  function point(target) {
    if (target?.dataset?.i === undefined || writer.busy()) return;
    show(+target.dataset.i);
  }
  function moved(event) {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    writer.stop();
    show(clamp(to, 0, all.length - 1));
  }
  return { el, build, write, stop: writer.stop };
}

/** Word by word, to the end. */
function writing({ el, readout, done }) {
  let timer = 0;
  function start(all) {
    const spans = [...el.children],
      first = all.findIndex(({ p }) => p !== null);
    spans.forEach((span, i) => {
      span.classList.toggle("is-ahead", i >= first);
      span.removeAttribute("aria-current");
    });
    readout.setAttribute("aria-live", "off"); // it is said when it is there
    const next = (i) => {
      spans[i].classList.remove("is-ahead");
      if (i === spans.length - 1) {
        stop();
        done(i);
        return;
      }
      timer = setTimeout(next, PACE * all[i + 1].pieces, i + 1);
    };
    timer = setTimeout(next, PACE, first);
  }
  function stop() {
    clearTimeout(timer);
    timer = 0;
    readout.removeAttribute("aria-live");
    for (const span of el.querySelectorAll(".is-ahead")) span.classList.remove("is-ahead");
  }
  return { start, stop, busy: () => timer > 0 };
}

/** Tells once when an element has come into view; `stop` gives it up. */
export function whenSeen(el, begin) {
  if (typeof IntersectionObserver === "undefined") return { watch: () => {}, stop: () => {} };
  const observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      observer.disconnect();
      begin();
    },
    { threshold: 0.6 },
  );
  return { watch: () => observer.observe(el), stop: () => observer.disconnect() };
}
