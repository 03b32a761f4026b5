// What a run says of itself.
import { b } from "../look/markup.js";
import { label, num, plural } from "../look/words.js";
import { passed } from "./numbers.js";

const tokens = (n) => plural(n, "token");
const whole = (x) => Math.round(x).toLocaleString("en");

/** Before the first step. */
export const start = ({ placed, line, lines, points, info }) =>
  placed
    ? [
        ...[
          "You guess ",
          b(num(line)),
          ". The floor lies at ",
          b(num(lines.floor)),
          " nats: so much the grammar itself",
        ],
        " leaves open, and no model can do better on these stories for long.",
      ]
    : [
        ...[
          "Untrained, it is surprised by each next token at a cost of ",
          b(num(points[0].loss)),
          " nats. Drag the line,",
        ],
        ` or move it with the arrow keys, to where its curve will stop after ${tokens(info.tokens)}.`,
      ];

/** At a point of a run. */
export function readout({ points, at, line, lines, over, faults, normal, guessed }) {
  const { loss, tokens: read } = points[at],
    best = passed(loss, lines),
    stands =
      loss > lines.blind + 0.3
        ? "worse than a blind guess"
        : best
          ? `better than ${best}`
          : "no better than a blind guess",
    above = loss - lines.floor,
    out = [
      `At the dot after ${tokens(read)} it stands at `,
      b(num(loss)),
      ` nats, ${stands} and `,
      b(num(above)),
      " above the floor.",
    ];
  const { broken, tokens: from } = faults.findLast((one) => one.tokens <= read);
  if (broken !== "nothing")
    return [...out, " ", BROKEN[broken](from ? ` since ${tokens(from)}` : "", beside(normal, read))];
  if (from) out.push(` It was broken until ${tokens(from)}, and goes on with the weights that this left.`);
  if (!over || !guessed || at < points.length - 1) return out;
  const off = line - loss;
  return [...out, " You guessed ", b(num(line)), `, ${num(Math.abs(off))} too ${off > 0 ? "high" : "low"}.`];
}
/** The loss of the recorded run at the last of its points that had read no more. */
const beside = (normal, read) => num(normal.findLast((one) => one.tokens <= read).loss);
const BROKEN = {
  rate: (since, loss) =>
    `Its rate is 30 times as high${since}; the recorded run, with its own settings, stood at ${loss} by then.`,
  labels: (since) =>
    `Its labels are not shifted${since}, so it is taught to repeat the token that it sees. ` +
    "The pale dots are the loss that it is trained on.",
};

/** Over a finished run, when its settings are no longer those that are chosen. */
export const others = (then, now, kept) => [
  ...["The pale run had ", b(then), "; you have chosen ", b(now), ". "],
  kept ? "It is recorded, or you train with it here." : "Train with this to see what it does.",
];

/** Where a run broke. */
export const fault = ({ where, step, why }) =>
  why
    ? why
    : `The loss is no number any more at step ${whole(step)}: the first value that is none stands in ${where}. ` +
      "The run has stopped there and its curve stays; lower the rate or clip the gradient, and start again.";

/** What was written at a point, and how far it holds. */
export function verdict({ step, held, rest, whole: all }, judge) {
  const words = (text) => text.trim().split(/\s+/).filter(Boolean).length,
    many = words(held + rest),
    good = words(held),
    said = `Written at step ${whole(step)}.`;
  if (!many) return `${said} Nothing: the end sign came first.`;
  if (all) return `${said} ${JUDGES[judge].all}`;
  if (!good) return `${said} ${JUDGES[judge].none}`;
  return `${said} In bold the first ${good === 1 ? "" : `${good} `}of ${plural(many, "word")}: ${JUDGES[judge].part}.`;
}
const JUDGES = {
  grammar: {
    part: "so far the grammar follows",
    none: "The grammar follows not even its first word.",
    all: "The grammar follows it to the end.",
  },
  triples: {
    part: "so far every three tokens in a row stand in some story that it reads",
    none: "Not even its beginning stands in a story that it reads.",
    all: "Every three tokens in a row stand in some story that it reads.",
  },
};

/** What the larger run is. */
export const about = ({ layers, width, parameters, tokens: read, minutes }) =>
  `The little GPT-2 of this book: ${plural(layers, "layer")}, width ${width}, ${plural(parameters, "parameter")}. ` +
  `PyTorch trained it on ${whole(read)} tokens, in ${minutes} minutes.`;

/** What it had reached at a point. */
export const reached = ({ tokens: read, loss, followed }, { floor, stories }) =>
  `After ${tokens(read)}: ${num(loss)} nats; on the same stories the grammar itself loses ${num(floor)}. ` +
  `Of ${stories} stories that it told then, the grammar follows ${followed} to the end.`;

/** Text that a model wrote, as it can be seen. */
export const seen = (text) => label(text.replaceAll("␣", " "), 4000);

export const source = ({ task: { config }, count, info, seed, recorded }) =>
  `${plural(config.layers, "layer")}, width ${config.width}, ${plural(count, "parameter")}, seed ${seed}; ` +
  `loss on 64 stories that it does not learn from${recorded ? "; a recorded run" : ""}. ` +
  `It reads ${whole(info.stories)} stories once.`;

export const heading = ({ points, at }) => `Loss ${num(points[at].loss)} nats after ${tokens(points[at].tokens)}`;

export const rows = ({ points, at, recorded }) => ({
  caption: `Loss on fresh stories by tokens read${recorded ? ", a recorded run" : ""}`,
  head: ["step", "tokens", "nats a token", "seconds", "what it writes"],
  rows: points
    .slice(0, at + 1)
    .map((one) => [
      whole(one.step),
      whole(one.tokens),
      num(one.loss),
      one.seconds === undefined ? "–" : num(one.seconds, 1),
      seen(one.held + one.rest) || "(nothing)",
    ]),
});
