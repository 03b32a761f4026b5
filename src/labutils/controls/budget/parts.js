// The other view: parameters and operations by what they are for. What is drawn and said of them.
import { BOLD, drawing, MUTED, SMALL, text } from "../look/draw.js";
import { b, s } from "../look/markup.js";
import { num, plural } from "../look/words.js";
import { operationsOf, parametersOf } from "./numbers.js";
import { many, number, SHAPES_SOURCE, size } from "./words.js";

const NAMES = 152,
  LINE = 30,
  BAR = 18; // px
/** The two parts of attention have one colour, the second one paler. @param {string} name */
const filled = (name) =>
  name === "networks"
    ? { fill: "var(--itt-v)" }
    : name.startsWith("attention")
      ? { fill: "var(--itt-q)", opacity: name.endsWith("comparing") ? 0.5 : 1 }
      : { fill: "var(--itt-k)" };
const sum = (rows) => rows.reduce((all, [, n]) => all + n, 0);
const percent = (n, all) => `${num((100 * n) / all, 1)}%`;

const groups = ({ shape, tokens, weight_bits, weights, parameters }) => [
  [`${many(parameters)} parameters, ${size(weights)} in ${number(weight_bits)}`, parametersOf(shape)],
  [`${many(sum(operationsOf(shape, tokens)))} operations of its blocks`, operationsOf(shape, tokens)],
];

/** Two groups of bars, each a whole. */
function picture(seen, width) {
  const room = width - NAMES - 60;
  let y = 0;
  const drawn = groups(seen).map(([title, rows]) => {
    const all = sum(rows),
      head = text(0, y + 10, title, SMALL),
      bars = rows.map(([name, n], i) => {
        const at = y + 24 + LINE * i,
          long = Math.max(1, (room * n) / all);
        return [
          text(0, at + BAR / 2, name, i ? MUTED : BOLD),
          s("rect", { x: NAMES, y: at, width: long, height: BAR, rx: 2, ...filled(name) }),
          text(NAMES + long + 8, at + BAR / 2, percent(n, all), i ? {} : BOLD),
        ];
      });
    y += 24 + LINE * rows.length + 14;
    return [head, bars];
  });
  return drawing(width, y - 14, drawn);
}

const heading = ({ model, tokens }) => `${model}, a text of ${plural(tokens, "token")}`;

function readout({ model, shape, tokens, parameters, weights, weight_bits, built }) {
  const [[, learned]] = parametersOf(shape),
    done = operationsOf(shape, tokens);
  return [
    `${model} has ${many(parameters)} parameters, ${size(weights)} in ${number(weight_bits)}. `,
    b(percent(learned, parameters)),
    ` of them are in its feed-forward networks. A text of ${plural(tokens, "token")} takes `,
    `${many(sum(done))} operations in its blocks, `,
    b(percent(done[0][1], sum(done))),
    " of them in the networks.",
    tokens === built.positions ? " Longer texts it cannot read." : "",
  ];
}

const table = (seen) => ({
  caption: heading(seen),
  head: ["what", "for", "number"],
  rows: [
    ...parametersOf(seen.shape).map(([name, n]) => ["parameters", name, n]),
    ...operationsOf(seen.shape, seen.tokens).map(([name, n]) => ["operations", name, n]),
  ],
});

export const PARTS = { picture, heading, readout, table, source: SHAPES_SOURCE };
