// What may be changed before and during a run: a few values of each, all of them tried.
import { row } from "../look/frame.js";
import { segmented, slider } from "../look/inputs.js";
import { h } from "../look/kit.js";

const RATES = [0.0001, 0.0003, 0.001, 0.002, 0.004, 0.008, 0.016, 0.03, 0.06, 0.1, 0.3],
  CHOICES = /** @type {Object<string, [string, [string | number, string][]]>} */ ({
    warmup: [
      "Warm-up, steps",
      [
        [0, "none"],
        [20, "20"],
        [200, "200"],
      ],
    ],
    batch: [
      "Stories a step",
      [
        [4, "4"],
        [8, "8"],
        [32, "32"],
      ],
    ],
    clip: [
      "Clip gradients at",
      [
        [0, "never"],
        [1, "1"],
        [0.1, "0.1"],
      ],
    ],
    broken: [
      "Break it",
      [
        ["nothing", "nothing"],
        ["rate", "rate × 30"],
        ["labels", "labels not shifted"],
      ],
    ],
  }),
  SAID = { warmup: "warm-up", batch: "stories a step", clip: "clipped at" };

const nearest = (rate) =>
  RATES.reduce(
    (best, one, i) => (Math.abs(Math.log(one / rate)) < Math.abs(Math.log(RATES[best] / rate)) ? i : best),
    0,
  );

/** @param {{state: {read: () => any}, onpick: (patch: object) => void}} spec */
export function settings({ state, onpick }) {
  const now = state.read(),
    rate = slider({
      label: "Learning rate",
      min: 0,
      max: RATES.length - 1,
      step: 1,
      value: nearest(now.rate),
      words: (i) => String(RATES[i]),
      oninput: (i) => onpick({ rate: RATES[i] }),
    }),
    parts = Object.entries(CHOICES).map(([name, [label, options]]) => ({
      name,
      values: options.map(([value]) => value),
      part: segmented({
        label,
        options: options.map(([, words]) => words),
        value: options.findIndex(([value]) => value === now[name]),
        onpick: (i) => onpick({ [name]: options[i][0] }),
      }),
    }));
  const [broken] = parts.splice(-1);
  return {
    el: h(
      "div",
      { class: "tr-settings" },
      row(
        rate.el,
        parts.map(({ part }) => part.el),
        broken.part.el,
      ),
    ),
    show(state) {
      rate.set(nearest(state.rate));
      for (const { name, values, part } of [...parts, broken]) part.set(values.indexOf(state[name]));
    },
    /** A setting in words: where it changed in a run, or `alone`. */
    said(name, state, alone = false) {
      if (name === "rate") return `rate ${state.rate}`;
      const [, options] = CHOICES[name],
        words = options.find(([value]) => value === state[name])?.[1] ?? String(state[name]);
      if (name === "broken") return state.broken === "nothing" ? (alone ? "nothing broken" : "mended") : words;
      return name === "batch" ? `${words} ${SAID[name]}` : `${SAID[name]} ${words}`;
    },
  };
}
