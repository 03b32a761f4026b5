// Plays a way once, from left to right: the stylesheet uncovers the cells, the captions come with their columns.
import { caption } from "./words.js";

const COLUMN = 640,
  END = 6000; // ms: from one column to the next, and the whole

/**
 * @param say writes a caption; `done` is called at the end, and when a reader takes over
 * @returns {{start, stop, playing}}
 */
export function film({ root, say, done }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timers = [];
  function stop() {
    if (!timers.length) return;
    timers.forEach(clearTimeout);
    timers = [];
    root().classList.remove("is-playing");
    done();
  }
  function start(v) {
    stop();
    if (still.matches) return;
    const drawn = root(),
      last = v.columns.length - 1;
    void drawn.offsetWidth; // so that it can play again
    drawn.classList.add("is-playing");
    v.columns.forEach((_, s) => {
      const words = caption(v, s),
        at = Math.min(s * COLUMN, (END * s) / (last + 1.5));
      if (words) timers.push(setTimeout(() => say(words), at));
    });
    timers.push(setTimeout(stop, END));
  }
  return { start, stop, playing: () => timers.length > 0 };
}
