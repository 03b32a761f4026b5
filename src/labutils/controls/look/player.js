// Plays the steps of a control at reading pace: a button that goes on by itself, or, where the reader wants no motion,
// one step for each press.
import { button } from "./inputs.js";

const FIRST = 1200,
  LETTER = 55; // ms: to find the place, and for each letter (about 200 words a minute)

/**
 * @param {object} spec
 * @param {() => number} spec.last gives the number of the last step, the first being 0
 * @param {() => number} spec.at the step that is shown
 * @param {(step: number) => void} spec.go shows another step
 * @param {() => string} spec.said the sentence that is read before the next step comes
 * @param {string} [spec.words] what the button says at first
 * @param {string} [spec.again] what it says at the last step
 */
export function player({ last, at, go, said, words = "Play the steps", again = "Play again" }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;
  const el = button("", press),
    name = () => {
      el.textContent = timer
        ? "Pause"
        : still.matches
          ? at() < last()
            ? "Next step"
            : "From the start"
          : at() < last()
            ? words
            : again;
    };
  function press() {
    if (timer) {
      stop();
      return;
    }
    if (still.matches || at() >= last()) go(at() < last() ? at() + 1 : 0);
    if (!still.matches) wait();
    name();
  }
  function wait() {
    timer = setTimeout(next, FIRST + LETTER * said().length);
  }
  function next() {
    timer = 0;
    if (!el.isConnected) return;
    go(at() + 1);
    if (at() < last()) wait();
    name();
  }
  function stop() {
    clearTimeout(timer);
    timer = 0;
    name();
  }
  return { el, stop, name };
}
