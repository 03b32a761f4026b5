// The row of settings: how boldly a token is drawn, and what is on offer.
import { button, slider } from "../look/inputs.js";
import { h } from "../look/kit.js";
import { num } from "../look/words.js";
import { PLAIN } from "./cutting.js";

const SLIDERS = [
  { name: "temperature", label: "Temperature", max: 2, step: 0.05, words: (x) => (x ? num(x) : "greedy") },
  { name: "top_k", label: "Top-k", max: 50, step: 1, words: (x) => (x ? String(x) : "all") },
  { name: "top_p", label: "Top-p", max: 1, step: 0.05, words: (x) => (x < 1 ? num(x) : "all") },
  { name: "min_p", label: "Min-p", max: 0.5, step: 0.01, words: (x) => (x ? num(x) : "none") },
];

/** @param {{read: () => any, set: (patch: object) => void}} state */
export function tuning(state) {
  const rounded = (x) => Math.round(1000 * x) / 1000,
    all = SLIDERS.map(({ name, ...spec }) =>
      slider({ ...spec, min: 0, value: state.read()[name], oninput: (x) => state.set({ [name]: rounded(x) }) }),
    ),
    plain = button("The model’s own odds", () => state.set({ ...PLAIN }), "itt-plain");
  return {
    el: h(
      "div",
      { class: "nw-tuning" },
      all.map((one) => one.el),
      plain,
    ),
    show(now) {
      SLIDERS.forEach(({ name }, i) => {
        all[i].set(now[name]);
      });
      plain.disabled = Object.entries(PLAIN).every(([name, value]) => now[name] === value);
    },
  };
}
