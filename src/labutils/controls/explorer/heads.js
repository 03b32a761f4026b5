// All heads at once: one small map each, layers in columns (in rows where it is narrow), one tab stop, arrow keys.
import { h } from "../look/kit.js";
import { range, plural } from "../look/words.js";
import { pixels } from "./map.js";

/** @param onpick (layer, head) */
export function heads(onpick) {
  const title = h("p", { class: "itt-label" }),
    grid = h("div", { class: "ex-grid", role: "group", "aria-label": "All heads" });
  const el = h("div", { class: "ex-heads" }, title, grid);
  let buttons = [], sized = "", drawn = [], here = [0, 0];

  function build({ L, H, n }) {
    title.textContent = `All ${plural(L * H, "head")}${L > 6 ? ", a column for each layer" : ""}`;
    grid.style.setProperty("--layers", L);
    grid.style.setProperty("--heads", H);
    buttons = range(L).map((l) => range(H)
      .map((k) => h("button", { type: "button", class: "ex-thumb", "aria-label": `layer ${l}, head ${k}`,
        onclick: () => onpick(l, k), onkeydown: move },
      h("canvas", { width: n, height: n, "aria-hidden": "true" }))));
    const at = (l, k) => ({ "--l": l, "--k": k });
    grid.replaceChildren(...range(H).map((k) => h("span", { class: "ex-gk", style: at(-1, k), },
        !k && h("i", { text: "head " }), String(k))),
      ...range(L).map((l) => h("span", { class: "ex-gl", style: at(l, -1), text: l || L > 6 ? l : "layer 0" })),
      ...buttons.flatMap((row, l) => row.map((button, k) => {
        button.style.setProperty("--l", l);
        button.style.setProperty("--k", k);
        return button;
      })));
    sized = `${L} ${H} ${n}`;
  }

  /** Draw every head on one scale, if anything but the choice has changed, and mark the one that is shown. */
  function draw(reading, { measure, layer, head }, fill) {
    const { L, H, n, causal, tops } = reading, what = [reading, measure, fill];
    choose(layer, head);
    if (what.every((x, k) => x === drawn[k])) return;
    drawn = what;
    if (sized !== `${L} ${H} ${n}`) build(reading);
    buttons.forEach((row, l) => row.forEach((button, k) => button.firstChild.getContext("2d")
        .putImageData(pixels(reading.at(measure, l, k), tops[measure], fill, n, causal), 0, 0)));
    choose(layer, head);
  }
  function choose(layer, head) {
    here = [layer, head];
    buttons.forEach((row, l) => row.forEach((button, k) => {
      const on = l === layer && k === head;
      button.setAttribute("aria-pressed", on);
      button.tabIndex = on ? 0 : -1;
    }));
  }
  function move(event) {
    const turned = getComputedStyle(grid).getPropertyValue("--turned").trim() === "1"; // layers in rows
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [dl, dk] = turned ? [step[1], step[0]] : step;
    const l = Math.min(buttons.length - 1, Math.max(0, here[0] + dl)),
      k = Math.min(buttons[0].length - 1, Math.max(0, here[1] + dk));
    onpick(l, k);
    buttons[l][k].focus();
  }
  return { el, draw };
}
