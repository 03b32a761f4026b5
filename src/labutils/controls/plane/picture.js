// The whole plane as an SVG, and at rest some stories below it: for a file, for paper, and before a script has run.
import { BOLD, drawing, inkOn, MIDDLE, missing, END as RIGHT, ramp, SMALL, TICK, text } from "../look/draw.js";
import { e, s } from "../look/markup.js";
import { rest, WIDE } from "../look/still.js";
import { best, cellAt, nameOf, triedOf } from "./numbers.js";
import { heading, list, readout, source } from "./words.js";

const HIGH = 48,
  GAP = 10,
  LEFT = 40,
  NARROW = 330;

/** The most words of any setting, rounded up: the end of the bars. */
export const most = ({ cells }) => 50 * Math.ceil(Math.max(...cells.map((cell) => cell.words)) / 50);

export function picture(found, state, width) {
  const { temperatures, top_ps } = found,
    across = (width - LEFT) / temperatures.length,
    tried = new Set(triedOf(found, state).map(nameOf)),
    y = (top_p) => 18 + (HIGH + GAP) * (top_ps.length - 1 - top_ps.indexOf(top_p)),
    x = (temperature) => LEFT + across * temperatures.indexOf(temperature),
    foot = 18 + (HIGH + GAP) * top_ps.length;
  return drawing(
    width,
    foot + 58,
    text(0, 6, "top-p ↑", SMALL),
    found.cells.map((cell) => {
      const box = [x(cell.temperature), y(cell.top_p), across - GAP, HIGH];
      return tried.has(nameOf(cell)) ? boxOf(cell, found, box, cell === cellAt(found, state)) : missing(...box);
    }),
    top_ps.map((p) => text(LEFT - 8, y(p) + HIGH / 2, String(p), { ...TICK, ...RIGHT })),
    temperatures.map((tau) => text(x(tau) + across / 2, foot + 8, String(tau), { ...TICK, ...MIDDLE })),
    text(width, foot + 26, "temperature →", { ...SMALL, ...RIGHT }),
    text(LEFT, foot + 48, `Colour: accepted of ${found.stories}. Bar: different words, up to ${most(found)}.`, TICK),
  );
}

function boxOf({ accepted, words }, found, [x, y, width, height], on) {
  const t = accepted / found.stories,
    ink = { fill: inkOn("seq", t) },
    bar = { x: x + 7, y: y + height - 10, height: 4, rx: 2, ...ink };
  return [
    s("rect", {
      ...{ x, y, width, height, rx: 3, fill: ramp("seq", t) },
      ...(on ? { stroke: "var(--itt-ink)", "stroke-width": 3 } : {}),
    }),
    text(x + 7, y + 15, `${accepted}`, { ...BOLD, ...ink }),
    text(x + 7, y + 29, width > 70 ? `${words} words` : `${words}`, { ...ink, "font-size": 11 }),
    s("rect", { ...bar, width: width - 14, opacity: 0.25 }),
    s("rect", { ...bar, width: ((width - 14) * words) / most(found) }),
  ];
}

/** Beside a guess it shows no more than the control does before it is made. */
const asMade = ({ temperature, top_p, tried, shut }) => ({ temperature, top_p, tried, shut, whole: false });

export function still(traits) {
  const found = traits.finished,
    state = traits.until ? asMade(traits) : { ...best(found.cells), tried: "all", whole: false },
    svg = (width, cls) => {
      const { props, kids } = picture(found, state, width);
      return s("svg", { class: cls, role: "img", "aria-label": heading(found, state), ...props }, kids);
    };
  return rest(traits, {
    look: "pn-control",
    said: readout(found, state),
    source: source(found),
    stage: e(
      "div",
      { class: "itt-stage itt-drawn" },
      svg(WIDE, "is-wide"),
      svg(NARROW, "is-narrow"),
      e("p", { class: "itt-label", text: heading(found, state) }),
      e("ol", { class: "pn-list" }, list(found, state)),
    ),
  });
}
