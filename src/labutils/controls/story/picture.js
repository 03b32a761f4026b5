// A story at rest: its words with a line below each, and the same as an SVG, for a file, for paper and for previews.
import { drawing, text as line, ramp, TICK, wide } from "../look/draw.js";
import { e, s } from "../look/markup.js";
import { rest, WIDE } from "../look/still.js";
import { rarest, words } from "./numbers.js";
import { heading, readout, shown, source } from "./words.js";

const SIZE = 19,
  LINE = 36, // px
  PALEST = 0.42; // of the ramp: what lies below is hardly seen as a line

/** The colour of the line below a word; that of a word without any chance is still seen on paper and at night. */
const shade = (p) => ramp("seq", PALEST + (1 - PALEST) * p);

/** The words as elements; `at` is the one that is spoken of. */
export const tale = (all, at) =>
  all.flatMap((one, i) => [
    one.space ? " " : "",
    e(
      "span",
      {
        "data-i": i,
        class: one.end ? "is-end" : null,
        "aria-current": i === at ? "true" : null,
        style: one.p === null || one.end ? {} : { "--c": shade(one.p) },
      },
      shown(one),
    ),
  ]);

export function picture(all, width) {
  let x = 0,
    y = 20;
  const marks = all.map((one) => {
    const long = wide(shown(one), one.end ? 12 : SIZE) * 0.9,
      gap = one.space ? 6 : 0;
    if (x + gap + long > width) {
      x = 0;
      y += LINE;
    } else x += gap + (one.end ? 8 : 0);
    const from = x;
    x += long;
    return one.end
      ? line(from, y, shown(one), TICK)
      : [
          line(from, y, shown(one), { "font-size": SIZE, textLength: long, lengthAdjust: "spacingAndGlyphs" }),
          one.p !== null && s("rect", { x: from, y: y + 14, width: long, height: 3, rx: 1.5, fill: shade(one.p) }),
        ];
  });
  return drawing(width, y + 24, marks);
}

/** What the lines mean. */
export const key = () =>
  e(
    "p",
    { class: "st-key" },
    e("span", { text: "0%" }),
    e("i", { style: { "--c": shade(0) } }),
    e("span", { text: "100%" }),
  );

export function still(traits) {
  const { finished } = traits,
    all = words(finished),
    at = rarest(all),
    { props, kids } = picture(all, WIDE);
  const paper = s("svg", { class: "is-wide st-paper", role: "img", "aria-label": heading(finished), ...props }, kids);
  return rest(traits, {
    look: "st-control",
    said: readout(finished, all, at),
    source: source(finished),
    stage: e("div", { class: "itt-stage" }, e("p", { class: "st-tale" }, tale(all, at)), key(), paper),
  });
}
