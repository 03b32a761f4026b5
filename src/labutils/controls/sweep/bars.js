// Horizontal bars with their numbers. Rows are built once and then only rewritten.
import { h, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { label } from "../look/words.js";
import { thinned } from "./curves.js";
import { kindOf, shown } from "./words.js";

const NARROW = 170; // px: the scale fits below the bars of a narrow control too

export function bars({ labels, axis: { low, high, ticks }, decimals, unit }) {
  const place = (x) => (x - low) / (high - low || 1), zero = place(0), names = labels.map((name) => label(name));
  const rows = names.map((name) => {
    const bar = h("span", { class: "sw-bar" }), number = h("span", { class: "sw-number" });
    return { bar, number, el: h("div", { class: "sw-row" }, h("span", { class: "sw-name" }, bdi(name)), bar, number) };
  });
  const marks = thinned(ticks, NARROW);
  const scale = h("div", { class: "sw-row sw-scale", "aria-hidden": "true" }, h("span"),
    h("span", { class: "sw-marks" }, marks.map(([x, text]) => h("span", { text, style: { "--x": x } }))), h("span"));
  const longest = Math.max(...names.map((name) => Array.from(name).length));
  const el = h("div", { class: "sw-bars", style: { "--names": `${Math.min(longest + 1, 16)}ch`, "--zero": zero } },
    unit && h("p", { class: "itt-label", text: unit }), h("div", { class: "sw-rows" }, rows.map((row) => row.el)),
    scale);

  function draw(values) {
    rows.forEach(({ bar, number }, i) => {
      const x = values[i], kind = kindOf(x), [from, to] = [place(x), zero].sort((a, b) => a - b);
      bar.className = `sw-bar ${kind}`;
      bar.style.setProperty("--from", kind ? 0 : from);
      bar.style.setProperty("--to", kind ? 1 : to);
      write(number, shown(x, decimals));
    });
  }
  return { el, draw };
}
