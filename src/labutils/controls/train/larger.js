// The larger run, recorded: what it had reached and what it wrote after some of its steps, in a fold of its own.
import { slider } from "../look/inputs.js";
import { fill, h, mark, write } from "../look/kit.js";
import { written } from "./picture.js";
import { about, reached, verdict } from "./words.js";

/**
 * The fold, and the point that a reader chose in it.
 * @param {{told: any, onopen: () => void, onpick: () => void}} spec told: the trait; onopen: when a reader
 *   opens the fold; onpick: when another point is chosen, or the fold is closed
 */
export function larger({ told, onopen, onpick }) {
  const { points } = told,
    text = h("p", { class: "tr-told" }),
    judged = h("p", { class: "tr-judged" });
  let at = points.length - 1;
  const scrub = slider({
    label: "What the larger one writes, always with the same dice",
    min: 0,
    max: at,
    step: 1,
    value: at,
    words: (i) => `step ${points[i].step.toLocaleString("en")}`,
    oninput: (i) => {
      at = i;
      show();
      onpick();
    },
  });
  const el = h(
    "details",
    { class: "tr-more tr-larger itt-unfolds", ontoggle: () => (el.open ? onopen() : onpick()) },
    h("summary", { text: "A larger run, recorded" }),
    h("p", { class: "tr-about", text: about(told) }),
    scrub.el,
    text,
    judged,
  );
  function show() {
    fill(text, written(points[at]));
    write(judged, `${verdict(points[at], "grammar")} ${reached(points[at], told)}`);
    mark(scrub.input, "aria-valuetext", `step ${points[at].step}`);
  }
  show();
  return { el, chosen: () => (el.open ? points[at] : null) };
}
