// The neurons of one feed-forward network: all of them at all tokens in pages, the largest at one token as bars.

import { cells } from "../look/draw.js";
import { arrows, button, cellUnder, choice, pointing } from "../look/inputs.js";
import { fill, h, s } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bdi } from "../look/markup.js";
import { label, num, range } from "../look/words.js";
import { PAGE } from "./numbers.js";
import { neuronsTitle, pageName } from "./words.js";

const LARGEST = 8;

/**
 * @param onpick called with a neuron and a token that a reader chooses
 * @param onlook (words, view): what a mouse points at, in words, or null
 */
export function neuronsPanel(onpick, onlook) {
  const drawn = parts(),
    { map } = drawn,
    pages = pager(drawn.pages, (p) => onpick(Math.min(v.seen.f - 1, p * PAGE), v.i));
  let v = null,
    painted = "";

  operate(map, {
    view: () => v?.neurons && v,
    onpick,
    onpreview: (hit) => onlook(hit && oneNumber(v, ...hit), v),
  });
  function show(view) {
    v = view;
    drawn.el.hidden = v.view !== "neurons" || !v.neurons;
    drawn.pages.hidden = drawn.el.hidden;
    if (drawn.el.hidden) return;
    const { j, page, from, columns } = v.neurons;
    fill(drawn.title, neuronsTitle(v));
    listLargest(drawn.list, v, onpick);
    pages(v);
    const now = [v.seen.text, v.seen.info.name, v.l, page, v.seen.live].join("\u0000");
    if (now !== painted) paintPage(drawn, v);
    painted = now;
    fill(
      drawn.tokens,
      v.tokens.map((token, i) => tokenName(token, i === v.i)),
    );
    for (const [name, value] of Object.entries({ x: j - from, y: v.i })) drawn.cross.setAttribute(name, value);
    map.setAttribute(
      "aria-label",
      `Layer ${v.l}: ${v.seen.n} tokens, neurons ${from} to ${from + columns - 1}; ` +
        "arrow keys move from number to number",
    );
  }
  return { el: drawn.el, pages: drawn.pages, show };
}

function parts() {
  const title = h("p", { class: "sm-title" }),
    list = h("div", { class: "sm-list", role: "group" }),
    pages = h("div", { class: "itt-slot" }),
    tokens = h("div", { class: "sm-names", "aria-hidden": "true" });
  const paint = s("g"),
    cross = s("rect", { class: "sm-cross", width: 1, height: 1 }),
    spoken = { tabindex: 0, role: "application", "aria-roledescription": "heat map" },
    map = s("svg", { class: "sm-map", preserveAspectRatio: "none", ...spoken }, paint, cross);
  const key = legend({ label: "After the activation", name: "div", ticks: [] }),
    axis = h("div", { class: "sm-axis", "aria-hidden": "true" });
  const el = h(
    "div",
    { class: "sm-neurons" },
    h("div", { class: "sm-top" }, title, key.el),
    list,
    h("div", { class: "sm-plot" }, tokens, h("div", { class: "sm-mapped" }, map, axis)),
  );
  return { el, title, list, pages, tokens, paint, cross, map, key, axis };
}

/**
 * The pointer and the arrow keys on the map.
 * @param spec.view gives the view, or nothing while there are no neurons
 */
function operate(map, { view, onpick, onpreview }) {
  const under = (event) => {
    const v = view();
    if (!v) return null;
    const [i, j] = cellUnder(map, event, v.seen.n, v.neurons.columns);
    return [v.neurons.from + j, i];
  };
  pointing(map, { under, onpick, onpreview: (hit) => view() && onpreview(hit), onkeep: onpick });
  const keys = arrows({
    rows: () => view().seen.n,
    columns: () => view().seen.f,
    at: () => [view().i, view().neurons.j],
    go: (i, j) => onpick(j, i),
  });
  map.addEventListener("keydown", (event) => view() && keys(event));
}

const oneNumber = (v, j, i) => [
  `Neuron ${j} at `,
  bdi(`“${label(v.tokens[i])}”`),
  ": ",
  h("b", { text: num(v.neurons.all[i * v.seen.f + j]) }),
];

/** The choice of a page, made anew for a model with more or fewer neurons; nothing where one page holds them all. */
function pager(place, onpage) {
  let made = 0,
    picker = null;
  return ({ seen: { f }, neurons: { page, pages } }) => {
    if (made !== f) {
      const options = range(pages).map((p) => pageName(p, f));
      picker = pages > 1 ? choice({ label: `Neurons of ${f}`, options, value: page, onpick: onpage }) : null;
      place.replaceChildren(picker?.el ?? "");
      made = f;
    }
    picker?.set(page);
  };
}

/** The largest neurons at the token, each a button that chooses it. */
function listLargest(list, { neurons: { row, order, j }, seen: { f }, i }, onpick) {
  const far = Math.abs(row[order[0]]) || 1;
  const bar = (k) => {
    const x = row[k],
      one = button("", () => onpick(k, i), "itt-plain");
    one.className = `sm-neuron${k === j ? " is-on" : ""}`;
    one.setAttribute("aria-pressed", String(k === j));
    fill(
      one,
      h("span", { class: "sm-name", text: `neuron ${k}` }),
      h("span", { class: `itt-share${x < 0 ? " is-under" : ""}`, style: { "--p": Math.abs(x) / far } }),
      h("b", { text: num(x) }),
    );
    return one;
  };
  list.replaceChildren(...order.slice(0, LARGEST).map(bar));
  list.setAttribute("aria-label", `The ${Math.min(f, LARGEST)} largest neurons of this token`);
}

/** One page, coloured on one scale for the whole layer: the same reach below zero and above. */
function paintPage({ map, paint, key, axis }, { neurons: { all, from, columns }, seen: { n, f } }) {
  const far = all.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  map.setAttribute("viewBox", `0 0 ${columns} ${n}`);
  map.style.setProperty("--rows", n);
  const boxes = range(n * columns).map((k) => ({
    x: k % columns,
    y: Math.floor(k / columns),
    width: 1,
    height: 1,
    t: 0.5 + all[Math.floor(k / columns) * f + from + (k % columns)] / far / 2,
  }));
  fill(paint, cells("div", boxes));
  key.set("After the activation", [num(-far, 1), "0", num(far, 1)]);
  axis.replaceChildren(...[from, "neuron", from + columns - 1].map((c) => h("span", { text: c })));
}

const tokenName = (token, on) =>
  h("span", { class: `sm-token${on ? " is-on" : ""}` }, h("bdi", { text: label(token, 10) }));
