// The row of settings: how boldly a token is drawn, and what is on offer; below it, behind a button, three that are
// rarer.
import { button, slider } from "../look/inputs.js";
import { h, id } from "../look/kit.js";
import { num } from "../look/words.js";
import { PLAIN } from "./cutting.js";

const SLIDERS = [
  { name: "temperature", label: "Temperature", max: 2, step: 0.05, words: (x) => (x ? num(x) : "greedy") },
  { name: "top_k", label: "Top-k", max: 50, step: 1, words: (x) => (x ? String(x) : "all") },
  { name: "top_p", label: "Top-p", min: 0.05, max: 1, step: 0.05, words: (x) => (x < 1 ? num(x) : "all") },
  { name: "min_p", label: "Min-p", max: 0.5, step: 0.01, words: (x) => (x ? num(x) : "none") },
];
const RARER = [
  { name: "typical", label: "Typical p", min: 0.05, max: 1, step: 0.05, words: (x) => (x < 1 ? num(x) : "all") },
  { name: "penalty", label: "Repetition penalty", min: 1, max: 2, step: 0.05, words: (x) => (x > 1 ? num(x) : "none") },
  { name: "frequency", label: "Frequency penalty", max: 2, step: 0.1, words: (x) => (x ? num(x) : "none") },
];

/** @param {{read: () => any, set: (patch: object) => void}} state */
export function tuning(state) {
  const rounded = (x) => Math.round(1000 * x) / 1000,
    one = ({ name, ...spec }) =>
      slider({ min: 0, ...spec, value: state.read()[name], oninput: (x) => state.set({ [name]: rounded(x) }) }),
    all = SLIDERS.map(one),
    rarer = RARER.map(one),
    isSet = ({ name }) => state.read()[name] !== PLAIN[name],
    plain = button("The model’s own odds", () => state.set({ ...PLAIN }), "itt-plain");
  const more = h(
      "div",
      { class: "nw-tuning nw-rarer", id: id("rarer") },
      rarer.map((one) => one.el),
    ),
    opener = button("", () => open(more.hidden), "itt-plain nw-more");
  opener.setAttribute("aria-controls", more.id);
  const open = (now) => {
    more.hidden = !now;
    opener.setAttribute("aria-expanded", String(now));
    opener.textContent = now ? "Fewer rules" : "More rules";
  };
  open(RARER.some(isSet));
  return {
    el: h(
      "div",
      { class: "nw-tuning" },
      all.map((one) => one.el),
      h("div", { class: "nw-others" }, plain, opener),
      more,
    ),
    /** @param {boolean} rests whether there is nothing left to draw, so that no setting would change anything */
    show(now, rests) {
      [...SLIDERS, ...RARER].forEach(({ name }, i) => {
        const one = [...all, ...rarer][i];
        one.set(now[name]);
        one.input.disabled = rests;
        one.el.classList.toggle("is-resting", rests);
      });
      plain.disabled = rests || Object.entries(PLAIN).every(([name, value]) => now[name] === value);
    },
  };
}
