// The control at rest: the recorded run to its end, with all lines and the last thing that it wrote.
import { count } from "../engine/backward/model.js";
import { e, s } from "../look/markup.js";
import { rest as frame, WIDE } from "../look/still.js";
import { chart } from "./chart.js";
import { heading, readout, seen, source, verdict } from "./words.js";

const NARROW = 330;

/** The recorded run as a view, at its end. */
export const view = (traits) => ({
  ...{ lines: traits.references, info: traits.info, task: traits.task, line: traits.line, seed: traits.seed },
  ...{ points: traits.finished, at: traits.finished.length - 1, paces: [], before: [], changes: [], beside: false },
  faults: [{ tokens: 0, broken: "nothing" }],
  ...{
    larger: { points: [], name: "" },
    placed: true,
    guessed: false,
    moved: 1,
    recorded: true,
    over: false,
    broken: "nothing",
  },
  count: count(traits.task.config),
});

export const ABOVE = "Loss on fresh stories, nats a token, over the tokens read";

/** What was written, bold as far as it holds. */
export const written = ({ held, rest, ended }) => [
  held && e("b", { text: seen(held.trimStart()) }),
  held && rest && " ",
  rest && e("span", { class: "tr-rest", text: seen(rest) }),
  ended && e("span", { class: "tr-end", text: " ■ the end" }),
  !ended && e("span", { class: "tr-rest", text: " …" }),
];

export function still(traits) {
  const v = view(traits),
    last = v.points[v.at],
    svg = (width, cls) => {
      const { props, kids } = chart(v, width);
      return s("svg", { class: cls, role: "img", "aria-label": heading(v), ...props }, kids);
    };
  return frame(traits, {
    look: "tr-control",
    said: readout(v),
    source: source(v),
    stage: e(
      "div",
      { class: "itt-stage itt-drawn" },
      e("p", { class: "itt-label", text: ABOVE }),
      svg(WIDE, "is-wide"),
      svg(NARROW, "is-narrow"),
      e("p", { class: "itt-label tr-asked", text: "What it writes, always with the same dice" }),
      e("p", { class: "tr-text" }, written(last)),
      e("p", { class: "tr-verdict", text: verdict(last, "grammar") }),
    ),
  });
}
