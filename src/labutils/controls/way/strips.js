// A row of numbers as a strip of colours: one cell a number, brown below zero, blue above.
import { ramp } from "../look/draw.js";
import { s } from "../look/markup.js";
import { clamp, range } from "../look/words.js";

const STEPS = 8; // shades on either side of zero

/** The colours of the strips by name, for the style of what holds them. */
export const shades = () =>
  Object.fromEntries(range(2 * STEPS + 1).map((k) => [`--wy-${k}`, ramp("div", k / (2 * STEPS))]));
const byName = (k) => `var(--wy-${k})`;
/** The same for a file, which knows the colours of the theme alone. */
const ofTheme = (k) => `var(--itt-div-${Math.round(k / 2)})`;

/** How many numbers stand side by side where there is little room. */
export const across = (width) => (width % 32 ? width : 32);

/** The cells of one shade are one path: a number is a stroke of length 1. */
export function strokes(values, reach, wide, colour = byName) {
  const paths = new Map();
  values.forEach((x, i) => {
    const k = clamp(Math.round(STEPS * (1 + x / reach)), 0, 2 * STEPS);
    paths.set(k, `${paths.get(k) ?? ""}M${i % wide} ${Math.floor(i / wide)}v1`);
  });
  return Array.from(paths, ([k, d]) => s("path", { d, stroke: colour(k) }));
}

/** A strip that is stretched to its place by a stylesheet; `more` are attributes. */
export const strip = (values, reach, wide, more) =>
  s(
    "svg",
    { viewBox: `-0.5 0 ${wide} ${values.length / wide}`, preserveAspectRatio: "none", "aria-hidden": "true", ...more },
    strokes(values, reach, wide),
  );

/** A strip within a drawing that has sizes, in one line; only what every program that reads an SVG knows. */
export function stripAt(values, reach, { x, y, width, height }) {
  const each = width / values.length;
  return s(
    "g",
    { transform: `translate(${(x + each / 2).toFixed(2)} ${y}) scale(${each.toFixed(4)} ${height})` },
    strokes(values, reach, values.length, ofTheme),
  );
}
