// The text with what came after it, the most probable tokens as bars, and the entropy.
import { BOLD, drawing, MIDDLE, SMALL, TICK, text, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { END as ENDS } from "../look/nexts.js";
import { still as framed } from "../look/still.js";
import { label, pct } from "../look/words.js";
import { barRows } from "./bar_rows.js";
import { still as stillHole } from "./hole_picture.js";
import { bits, chip, ended, means, pieces, readout, rowName, tail } from "./words.js";

const CHIP = 40,
  BESIDE = 600; // px; from this width on, the entropy stands beside the bars

export function picture(seen, most, width) {
  const story = told(seen, width);
  if (ended(seen)) return drawing(width, story.high, story.marks);
  const beside = width >= BESIDE,
    list = rows(seen, most, beside ? width - 200 : width),
    side = entropy(seen, beside ? 164 : width);
  return drawing(
    width,
    story.high + (beside ? Math.max(list.high, side.high) : list.high + side.high + 20),
    story.marks,
    s("g", { transform: `translate(0 ${story.high})` }, list.marks),
    s(
      "g",
      { transform: beside ? `translate(${width - 164} ${story.high})` : `translate(0 ${story.high + list.high + 20})` },
      side.marks,
    ),
  );
}

/** The text in lines, then a chip for each token that came after it. */
function told({ text: given, steps }, width) {
  const { prose, chips } = tail(steps),
    lines = wrapped(label(given, 400) + label(prose, 1000), width, 15),
    marks = lines.map((line, i) => text(0, 11 + 23 * i, line, { "font-size": 15 }));
  let x = 0,
    y = 23 * lines.length + 6;
  for (const step of chips) {
    const name = step.token === ENDS ? "end" : chip(step.token),
      how = step.seed === null ? "chosen" : "drawn",
      small = `${pct(step.p)} ${how}`,
      across = 16 + Math.max(wide(name, 14), wide(small, 11));
    if (x && x + across > width) {
      x = 0;
      y += CHIP + 6;
    }
    marks.push(
      s("rect", {
        x: x + 0.5,
        y: y + 0.5,
        width: across - 1,
        height: CHIP - 1,
        rx: 4,
        fill: "none",
        stroke: "var(--itt-w)",
        ...(step.seed === null ? {} : { "stroke-dasharray": "4 3" }),
      }),
      text(x + across / 2, y + 13, name, { ...MIDDLE, "font-size": 14 }),
      text(x + across / 2, y + 29, small, { ...TICK, ...MIDDLE }),
    );
    x += across + 6;
  }
  return { marks, high: y + (chips.length ? CHIP + 16 : 8) };
}

/** The bars, the rest of the vocabulary as an outline, and the scale below. */
function rows(seen, most, width) {
  const shown = seen.top.slice(0, most);
  return barRows(shown, (one) => rowName(one, seen), seen.info, pieces(shown, seen), width);
}

function entropy({ entropy: h, info }, width) {
  const lines = wrapped(means(h, info.vocab), width, 12);
  return {
    marks: [
      text(0, 8, "Entropy", SMALL),
      text(0, 36, [s("tspan", { "font-size": 28, ...BOLD, text: bits(h) }), " bits"]),
      lines.map((line, i) => text(0, 66 + 17 * i, line, SMALL)),
    ],
    high: 66 + 17 * lines.length,
  };
}

export function heading({ text: given, steps }) {
  const more = steps.map((step) => (step.token === ENDS ? "" : step.token.replaceAll("␣", " ")));
  return `After “${label([given, ...more].join(""), 80)}”`;
}

export function still(traits) {
  const seen = traits.finished;
  if (!seen.info.causal) return stillHole(traits);
  return framed(traits, {
    draw: (width) => picture(seen, traits.top, width),
    name: heading(seen),
    said: readout(seen),
    source: seen.info.label,
  });
}
