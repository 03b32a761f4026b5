// The pointer and the keyboard on a way: what is meant, as a token, a column and the place of a number.
import { across } from "./strips.js";

/**
 * @param how now() the view; pick(i, s, place); playing() and stop(), for a drawing that plays; width() of a row
 * @returns the way to stop
 */
export function pointed({ stage }, { now, pick, playing, stop, width }) {
  const over = (event) => event.target.closest?.("[data-t], button[data-s]");
  const mouse = (event) => event.pointerType === "mouse";
  let last = "";
  function point(event) {
    const found = over(event),
      v = now();
    if (!found) {
      if (playing()) stop();
      return;
    }
    const { t, s } = found.dataset,
      i = t === undefined ? v.i : +t,
      column = s === undefined ? -1 : +s;
    const place = v.columns[column]?.kind === "rows" && t !== undefined ? under(event, found, width()) : -1;
    const meant = `${i} ${column} ${place}`;
    if (meant === last && event.type === "pointermove") return;
    last = meant;
    pick(i, column, place);
  }
  const listen = {
    pointermove: (event) => {
      if (mouse(event)) point(event);
    },
    click: point,
    pointerleave: () => {
      last = "";
      if (!playing() && !stage.contains(document.activeElement)) pick(now().seen.n - 1);
    },
    focusin: ({ target }) => {
      if (target.matches(":focus-visible") && target.dataset.s) pick(now().i, +target.dataset.s);
    },
    keydown: (event) => moved(event, stage, now(), pick),
  };
  for (const [name, hear] of Object.entries(listen)) stage.addEventListener(name, hear);
  return () => {
    for (const [name, hear] of Object.entries(listen)) stage.removeEventListener(name, hear);
  };
}

/** Which number of a row lies under the pointer, in one line or in several. */
function under({ clientX, clientY }, cell, width) {
  const short = cell.querySelector(".wy-short"),
    box = cell.getBoundingClientRect(),
    wide = short.getBoundingClientRect().width ? across(width) : width,
    lines = width / wide;
  const part = (at, from, size, count) => Math.max(0, Math.min(count - 1, Math.floor(((at - from) / size) * count)));
  return part(clientX, box.left, box.width, wide) + wide * part(clientY, box.top, box.height, lines);
}

/** Up and down: token; left and right: stage. */
function moved(event, stage, v, pick) {
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("button")) return;
  const last = v.seen.n - 1,
    most = v.columns.length - 2,
    s = Math.max(v.s, 0);
  const to = {
    ArrowUp: [v.i - 1, v.s],
    ArrowDown: [v.i + 1, v.s],
    Home: [0, v.s],
    End: [last, v.s],
    ArrowLeft: [v.i, s - 1],
    ArrowRight: [v.i, s + 1],
  }[event.key];
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  const [i, column] = [Math.max(0, Math.min(last, to[0])), Math.min(most, to[1])];
  pick(i, column < 1 ? -1 : column);
  stage.querySelector(`.wy-token[data-t="${i}"]`).focus();
}
