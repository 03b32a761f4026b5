// The map of one head: queries in rows, keys in columns, every label, the legend, the masked cells hatched.
import { BOLD, cells, drawing, END, fitted, hatched, raised, SMALL, TICK, text, upright, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { index, label, range } from "../look/words.js";
import { shown } from "./numbers.js";
import { heading, readout, tick, UNIT } from "./words.js";

const LARGEST = 34,
  READABLE = 13,
  SLANT = 0.64; // px of a cell; the rise of a slanted label for each px of its length

export function picture({ reading, tokens, values, top, i, j, measure }, width) {
  const { n, causal } = reading,
    names = tokens.map((token) => fitted(label(token), 92, 12)),
    longest = Math.max(...names.map((name) => wide(name, 12)));
  const left = 1.12 * longest + 12,
    head = 36 + (upright(n) ? 1 : SLANT) * longest, // the words of the axis stand above the labels
    side = Math.min(LARGEST, (width - left - 30) / n),
    end = left + n * side,
    foot = head + n * side + 18,
    mid = side / 2;
  const labels = side >= READABLE ? names : names.map(() => "");
  const rows = labels.map(
    (name, k) =>
      name && text(left - 8, head + k * side + mid, name, { "font-size": 12, ...END, ...(k === i ? BOLD : {}) }),
  );
  const above = (k) => raised(left + k * side + mid, head - 8, n);
  const slanted = { "font-size": 12, fill: "var(--itt-ink)" };
  const columns = labels.map(
    (name, k) => name && s("text", { transform: above(k), ...slanted, ...(k === j ? BOLD : {}), text: name }),
  );
  const cell = (k) => ({
    x: left + (k % n) * side + 0.5,
    y: head + Math.floor(k / n) * side + 0.5,
    width: side - 1,
    height: side - 1,
    t: values[k] / top,
  });
  const run = side < READABLE ? (r) => n - 1 - r : () => 1; // cells that are hatched in one: of small ones a whole row
  const hatch = range(causal ? n - 1 : 0).flatMap((r) =>
    range((n - 1 - r) / run(r)).map((k) =>
      hatched(left + (r + 1 + k) * side + 0.5, head + r * side + 0.5, run(r) * side - 1, side - 1),
    ),
  );
  const chosen = s("rect", {
    x: left + j * side - 1,
    y: head + i * side - 1,
    width: side + 2,
    height: side + 2,
    rx: 3,
    fill: "none",
    stroke: "var(--itt-ink)",
    "stroke-width": 2,
  });
  const key = legend(UNIT[measure], top, causal, foot, width);
  return drawing(
    width,
    key.high,
    text(Math.max(left - 8, 50), 10, "query ↓", { ...SMALL, ...END }),
    text(Math.max(end, left + 60), 10, "key →", { ...SMALL, ...END }),
    rows,
    columns,
    cells(
      "seq",
      range(n * n)
        .filter((k) => !causal || k % n <= Math.floor(k / n))
        .map(cell),
    ),
    hatch,
    chosen,
    key.marks,
  );
}

function legend(unit, top, causal, y, width) {
  const x = 12 + wide(unit, 12),
    bar = range(9).map((k) => s("rect", { x: x + k * 14, y, width: 14, height: 10, fill: `var(--itt-seq-${k})` }));
  // the texture stands beside the scale if it can
  const below = x + 220 > width,
    [mx, my] = below ? [0, y + 34] : [x + 146, y];
  const marks = [
    text(0, y + 5, unit, SMALL),
    bar,
    text(x, y + 20, "0", TICK),
    text(x + 126, y + 20, tick(top), { ...TICK, ...END }),
    causal && [hatched(mx, my - 1, 20, 12), text(mx + 26, my + 5, "masked", SMALL)],
  ];
  return { marks, high: causal && below ? my + 12 : y + 30 };
}

export function still(traits) {
  const seen = shown(traits.finished),
    at = {
      reading: seen,
      tokens: seen.tokens,
      layer: seen.layer,
      head: seen.head,
      i: index(traits.query, seen.n),
      j: index(traits.key, seen.n),
      measure: traits.measure,
      part: traits.part,
      watch: traits.watch?.word ? traits.watch : null,
    };
  const v = { ...at, values: seen.at(at.measure, at.layer, at.head), top: seen.tops[at.measure] };
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: heading(v),
    said: readout(v),
    // heads are switched off by the model of the page
    source: traits.off ? `${seen.info.label}. In this picture all heads are on.` : seen.info.label,
  });
}
