// A control at rest, as text: what stands in print, before a script has run and where none may run. Nothing here needs
// a document.
import { drawn } from "../predict/picture.js";
import { b, e, markup, s } from "./markup.js";
import { symbols } from "./words.js";

export const WIDE = 680; // px, the column of a page
const NARROW = 330; // a phone
const EDGE = 16; // paper around the drawing in a file

/**
 * @param {{number, title, lede, guess}} words of the author: the title line, and what is asked below it
 * @param {{draw: (width: number) => {props: object, kids: any}, name, said, source, paper?: any}} shown the drawing for
 *   a width, what it shows, the readout, where the numbers come from; in `paper` the drawing and the readout for print,
 *   where they are others
 * @returns {string} HTML
 */
export function still(words, { draw, name, said, source, paper = null }) {
  const svg = (width, cls, by = draw) => {
    const { props, kids } = by(width);
    return s("svg", { class: cls, role: "group", "aria-label": name, ...props }, kids);
  };
  return rest(words, {
    look: paper ? "has-paper" : "",
    stage: e(
      "div",
      { class: "itt-stage itt-drawn" },
      svg(WIDE, "is-wide"),
      svg(NARROW, "is-narrow"),
      paper && svg(WIDE, "is-paper", paper.draw),
    ),
    said: paper ? [e("span", { class: "is-screen" }, said), e("span", { class: "is-paper" }, paper.said)] : said,
    source,
  });
}

/** The same around any stage; `look` are the classes of the control. */
export function rest({ number, title, lede, guess }, { look, stage, said, source }) {
  return markup(
    e(
      "section",
      { class: `itt ${look}`.trim() },
      e(
        "header",
        { class: "itt-head" },
        e("p", { class: "itt-kind" }, number ? [b(number), " Interactive"] : "Interactive"),
        e("p", { class: "itt-title" }, symbols(title)),
        e("p", { class: "itt-lede" }, symbols(lede)),
      ),
      guess?.name && drawn(guess, true),
      stage,
      e("p", { class: "itt-readout" }, said),
      e("footer", { class: "itt-foot" }, e("p", { class: "itt-source" }, source)),
    ),
  );
}

/** The same drawing as a file: with what it shows above it, and where the numbers come from below. */
export function titled({ props, kids }, name, source) {
  const [, , width, height] = props.viewBox.split(" ").map(Number),
    line = (y, text, more) => s("text", { x: 0, y, text, fill: "var(--itt-ink)", ...more });
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `${-EDGE} ${-EDGE} ${width + 2 * EDGE} ${height + 66 + 2 * EDGE}`,
      width: width + 2 * EDGE,
      height: height + 66 + 2 * EDGE,
    },
    s("title", { text: name }),
    line(16, name, { "font-size": 15, "font-weight": 650 }),
    s("g", { transform: "translate(0 34)" }, kids),
    line(height + 58, source, { "font-size": 12, fill: "var(--itt-muted)" }),
  );
}
