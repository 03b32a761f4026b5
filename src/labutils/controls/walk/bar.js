// What a reader operates above the walk.
import { row } from "../look/frame.js";
import { button, choice, folded, segmented, select, textField, tokenPicker } from "../look/inputs.js";
import { h } from "../look/kit.js";
import { range } from "../look/words.js";
import { shownHead } from "./needed.js";
import { ended } from "./numbers.js";
import { title } from "./words.js";

const MASK = "[MASK]",
  VIEWS = ["stations", "stages"];

/**
 * @param model of the control
 * @param {object} act
 * @param {(patch: object) => void} act.set changes the state
 * @param {(i: number) => void} act.swap takes the i-th model
 * @param {(i: number) => void} act.pick opens the i-th stop
 * @param {() => void} act.take draws a token
 * @param {HTMLElement} play the buttons that walk by themselves
 */
export function bar(model, { set, swap, pick, take }, play) {
  const models = model.get("models"),
    cap = model.get("cap"),
    names = models.map((one) => one.name);
  const which = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: swap,
  });
  const text = textField({
    label: "Your text",
    value: model.get("text"),
    oninput: (words) => set({ text: words, row: -1 }),
  });
  const shown = segmented({
    label: "Show",
    options: ["Stations", "Every stage"],
    value: 0,
    onpick: (i) => set({ view: VIEWS[i] }),
  });
  const slots = {
      layer: h("div", { class: "itt-slot" }),
      head: h("div", { class: "itt-slot" }),
      row: h("div", { class: "itt-slot itt-grow wk-rows" }),
    },
    inside = {};
  const stage = select({ label: "Stage", options: [], value: 0, onpick: pick }),
    chance = button("", take);
  which.el.classList.add("wk-model");
  const settings = folded("", "wk-settings", row(which.el, shown.el, slots.layer, slots.head, slots.row));

  /** Blocks, rows and stops of another reading. */
  function build(v) {
    inside.layer = blocks(v, (i) => set({ layer: i }));
    inside.head = heads(v, (i) => set({ head: i }));
    inside.row = followed(v, (i) => set({ row: i }));
    for (const part of ["layer", "head", "row"]) slots[part].replaceChildren(inside[part].el);
    text.rename(`Your text, up to ${Math.min(cap, v.seen.info.maxTokens)} tokens`);
    const options = v.shown.map((stop) => h("option", { text: title({ ...v, stop }) }));
    stage.el.querySelector("select").replaceChildren(...options);
  }
  function draw(v, asked) {
    const { n, tokens, info } = v.seen;
    which.set(names.indexOf(asked.model));
    text.set(asked.text);
    shown.set(v.first ? 0 : 1);
    inside.layer.set(v.layer);
    if (v.first) inside.head.set(shownHead(v)?.k ?? 0);
    slots.head.hidden = !v.first;
    settings.firstChild.textContent = v.first ? "Another block, head or row" : "Another model, block or row";
    inside.row.set(v.i);
    stage.set(v.at);
    chance.textContent = info.causal ? "Draw a token" : "Fill the hole";
    chance.disabled = info.causal ? ended(v.seen) || n >= Math.min(cap, info.maxTokens) : !tokens.includes(MASK);
  }
  const stops = h("div", { class: "wk-pick" }, stage.el),
    line = row(text.el, h("div", { class: "wk-buttons" }, play, chance), stops);
  return { line, settings, text, build, draw };
}

const blocks = ({ seen, layer }, onpick) =>
  choice({ label: "Block", options: range(seen.L).map(String), value: layer, onpick });
const heads = ({ seen }, onpick) => choice({ label: "Head", options: range(seen.H).map(String), value: 0, onpick });
const followed = ({ seen, i }, onpick) =>
  tokenPicker({ label: "Row: the token that is followed", tokens: seen.tokens, value: i, onpick });
