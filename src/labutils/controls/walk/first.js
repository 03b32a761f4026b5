// A stop of a first walk: colours for numbers, shares for looks.
import { BOLD, cells, END, fitted, hatched, MIDDLE, SMALL, TICK, text, wide, wrapped } from "../look/draw.js";
import { s } from "../look/markup.js";
import { num, range, short } from "../look/words.js";
import { shownHead } from "./needed.js";
import { flat, parts } from "./numbers.js";
import { pooled, striped, strong } from "./small.js";
import { chip } from "./words.js";

const FINE = 128; // cells of a strip

/** The outline of what is spoken of. */
const outline = (x, y, width, height) =>
  s("rect", { x, y, width, height, rx: 2, fill: "none", stroke: "var(--itt-ink)", "stroke-width": 1.5 });

/** A row of numbers as a strip of colours for each token; a long one in few cells. */
export function strips(v, width, values) {
  const { seen, stop, i } = v,
    names = seen.tokens.map(chip),
    start = 14 + Math.min(96, Math.max(...names.map((t) => wide(t)))),
    high = seen.n > 12 ? 20 : 32,
    rows = range(seen.n).map((k) => pooled(parts(stop, values, k)[0], FINE)),
    far = strong(flat(rows));
  const labels = names.map((name, k) =>
    text(start - 10, high * (k + 0.5), fitted(name, start - 10), { ...END, ...(k === i ? BOLD : {}) }),
  );
  const c = stop.shape[1],
    of = c > FINE ? `${c} numbers a row, of each ${Math.ceil(c / FINE)} the strongest` : `${c} numbers a row`;
  return {
    marks: [
      striped(rows, { x: start, y: 0, width: width - start, high, far }),
      labels,
      outline(start - 1, high * i + 1, width - start + 1, high - 2),
      scale(start, high * seen.n + 14, width - start, far, of),
    ],
    high: high * seen.n + 40,
  };
}

function scale(x, y, width, far, words) {
  const bar = range(9).map((k) => s("rect", { x: x + 12 * k, y, width: 12, height: 9, fill: `var(--itt-div-${k})` }));
  return [
    bar,
    text(x, y + 18, num(-far, 1), TICK),
    text(x + 54, y + 18, "0", { ...TICK, ...MIDDLE }),
    text(x + 108, y + 18, num(far, 1), { ...TICK, ...END }),
    wrapped(words, width - 124, 12).map((line, k) => text(x + 124, y + 4.5 + 14 * k, line, SMALL)),
  ];
}

const FIRST = 58,
  TOP = 26,
  HIGH = 20; // px: where the cells begin, and the height of a line

/** Where the chosen row looks: a line of shares for each head. */
export function looks(v, width, values) {
  const { stop, i, seen } = v,
    each = parts(stop, values, i),
    side = Math.min(96, (width - FIRST) / seen.n),
    { k: most, key } = shownHead(v),
    left = seen.info.causal ? seen.n - 1 - i : 0;
  const box = (k, j) => [FIRST + side * j + 1, TOP + HIGH * k + 1, side - 2, HIGH - 2],
    foot = TOP + HIGH * each.length + 12;
  const names = seen.tokens.map((token, j) =>
    text(FIRST + side * (j + 0.5), 10, fitted(chip(token), side - 2, 13), { ...MIDDLE, ...(j === i ? BOLD : {}) }),
  );
  const rows = each.map((_, k) =>
    text(FIRST - 10, TOP + HIGH * (k + 0.5), `head ${k}`, {
      ...SMALL,
      ...END,
      ...(k === most ? { ...BOLD, fill: "var(--itt-ink)" } : {}),
    }),
  );
  const hidden =
      left > 0 &&
      each.map((_, k) => hatched(FIRST + side * (i + 1) + 1, TOP + HIGH * k + 1, side * left - 2, HIGH - 2)),
    rest = left > 0 ? "; hatched: later tokens, out of sight" : "";
  return {
    marks: [
      names,
      rows,
      shares(each, left > 0 ? i + 1 : seen.n, side, box),
      hidden,
      outline(...box(most, key)),
      text(FIRST, foot, `each line adds up to 100%${rest}`, SMALL),
    ],
    high: foot + 10,
  };
}
/** The shares of the first `n` tokens as cells, and written where they are large and have room. */
function shares(each, n, side, box) {
  const shown = each.flatMap((one, k) => Array.from(one.slice(0, n), (x, j) => ({ x, k, j })));
  const drawn = shown.map(({ x: t, k, j }) => {
    const [x, y, width, height] = box(k, j);
    return { x, y, width, height, t };
  });
  const written = shown
    .filter(({ x }) => side >= 30 && x >= 0.1)
    .map(({ x, k, j }) =>
      text(FIRST + side * (j + 0.5), TOP + HIGH * (k + 0.5), short(x), {
        ...MIDDLE,
        "font-size": 12,
        fill: `var(--itt-seq-${x > 0.5 ? 0 : 8})`,
      }),
    );
  return [cells("seq", drawn), written];
}
