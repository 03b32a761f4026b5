// One row for each key, from the dot product to the weighted value; above it the query, below it the output.
import { BOLD, bold, drawing, END, fitted, hatched, SMALL, text, vector, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label, num, range } from "../look/words.js";
import { finished, reach, row, title, view } from "./numbers.js";
import { divisorName, readout, shown } from "./words.js";

// px; from this width on there is room for the vectors and for every stage of a score
const LINE = 32,
  TALL = 24,
  TOP = 92,
  BESIDE = 600;
const NUMBER = 56;

/** @param few how many lines are drawn, the last for the row that asks, and no output below them; 0 for all of it */
export function picture({ head, how, c, tokens }, width, few = 0) {
  const names = tokens.map((token) => label(token)),
    x = columnsOf([...names, `${names[how.i]} ${how.i} asks`], width),
    far = reach(c.query, head.k),
    most = reach(head.v),
    foot = TOP + LINE * head.n + 26;
  const asks = [s("tspan", { ...BOLD, text: fitted(names[how.i], 0.5 * width) }), ` ${how.i} asks`],
    q = "var(--itt-q)";
  const query = x.wide
    ? [
        text(0, 24, asks, { fill: q }),
        vector(x.key, 4, x.across, 40, c.query, far, q),
        text(x.key + x.across + 14, 24, [bold("q"), ` the query, ${head.d} numbers`]),
      ]
    : [text(0, 12, asks, { fill: q }), vector(0, 26, width - 24, 34, c.query, far, q), text(width, 43, bold("q"), END)];
  const heads = [
    x.wide && text(x.key, TOP - 14, "key k", SMALL),
    ...x.numbers.map(([at, words]) =>
      text(at, TOP - 14, words === "÷" ? `÷ ${divisorName(how, head.d)}` : words, { ...SMALL, ...END }),
    ),
    text(x.weight, TOP - 14, "weight w", SMALL),
    x.wide && text(x.value, TOP - 14, "w · value v", SMALL),
  ];
  const listed = few && few < head.n ? [...range(few - 2), -1, how.i] : range(head.n);
  const rows = listed.map((j, i) =>
    j < 0
      ? text(0, TOP + LINE * (i + 0.5), "…", SMALL)
      : line({ head, c, name: names[j], j, far, most }, x, TOP + LINE * (i + 0.5)),
  );
  if (few) return drawing(width, TOP + LINE * few, query, heads, rule(width, TOP - 2), rows);
  const z = [
    text(x.weight - 14, foot, "the weights add up to", { ...SMALL, ...END }),
    text(x.share, foot, "1.000", { ...END, ...BOLD }),
  ];
  const output = x.wide
    ? [
        vector(x.value, foot - 20, x.across, 40, c.z, most, "var(--itt-ink)"),
        text(x.value, foot + 32, [bold("z"), " the output"]),
      ]
    : [
        vector(0, foot + 20, width - 24, 34, c.z, most, "var(--itt-ink)"),
        text(width, foot + 37, bold("z"), END),
        text(0, foot + 66, "z is the output, the sum of w · v", SMALL),
      ];
  return drawing(
    width,
    foot + (x.wide ? 44 : 78),
    query,
    heads,
    rule(width, TOP - 2),
    rows,
    rule(width, foot - 24),
    z,
    output,
  );
}

const rule = (width, y) => s("line", { x1: 0, x2: width, y1: y, y2: y, stroke: "var(--itt-line)" });

/** Where each column stands. */
function columnsOf(names, width) {
  const token = Math.min(0.26 * width, 34 + Math.max(...names.map((name) => wide(name))));
  if (width < BESIDE)
    return {
      wide: false,
      token,
      numbers: [[token + NUMBER, "score"]],
      last: token + NUMBER,
      weight: token + NUMBER + 16,
      share: width,
    };
  const across = 0.17 * width,
    key = token,
    first = key + across,
    numbers = ["q · k", "÷", "+ mask"].map((words, i) => [first + NUMBER * (i + 1), words]),
    weight = first + 3 * NUMBER + 16;
  return { wide: true, token, key, across, numbers, weight, value: width - across, share: width - across - 14 };
}

function line({ head, c, name, j, far, most }, x, y) {
  const off = c.kept[j] === -Infinity,
    more = off ? { fill: "var(--itt-muted)" } : {},
    room = x.share - 52 - x.weight,
    v = row(head.v, head.d, j),
    stages = x.wide ? [c.raw, c.scaled, c.kept] : [c.kept];
  return [
    text(0, y, [fitted(name, x.token - 30), s("tspan", { ...SMALL, "font-size": 10, dx: 4, text: j })], {
      ...more,
      ...(j === c.best ? BOLD : {}),
    }),
    x.wide && vector(x.key, y - TALL / 2, x.across, TALL, row(head.k, head.d, j), far, "var(--itt-k)"),
    x.numbers.map(([at], i) => text(at, y, shown(stages[i][j]), { ...END, ...more })),
    off
      ? hatched(x.weight, y - 6, room, 12)
      : s("rect", {
          x: x.weight,
          y: y - 6,
          width: Math.max(1, room * c.w[j]),
          height: 12,
          rx: 2,
          fill: "var(--itt-w)",
        }),
    text(x.share, y, off ? "masked" : num(c.w[j], 3), { ...END, ...more }),
    x.wide &&
      !off &&
      vector(
        x.value,
        y - TALL / 2,
        x.across,
        TALL,
        Array.from(v, (one) => one * c.w[j]),
        most,
        "var(--itt-v)",
        v,
      ),
  ];
}

/** What a chapter shows at rest is the whole calculation, as the model does it. */
export function still(traits) {
  const seen = finished({ get: (name) => traits[name] }),
    v = view(seen, { ...traits, step: 5, temperature: 1, scale: true, causal: seen.info.causal }, 4);
  return framed(traits, {
    draw: (width) => picture(v, width, traits.few),
    name: title(v),
    said: readout(v),
    source: seen.info.label,
  });
}
