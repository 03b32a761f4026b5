// The table below the maps: for each key its direction against the query, its length, the score and the weight, side by
// side.

import { fill, h, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { label, num } from "../look/words.js";

const COLUMNS = [
  ["vc-name", "key"],
  ["vc-cos", "cosine of q and k"],
  ["vc-len", "length of k"],
];

/** @param onpoint called with the position of a key that a reader points at or leaves (null) */
export function meetView(onpoint) {
  const score = h("div", { class: "vc-score", role: "columnheader" }),
    formula = h("p", { class: "vc-formula" });
  const heads = h(
    "div",
    { class: "vc-row vc-heads", role: "row" },
    COLUMNS.map(([cls, text]) => h("div", { class: cls, role: "columnheader", text })),
    score,
    h("div", { class: "vc-w", role: "columnheader", text: "weight w" }),
  );
  const table = h("div", { class: "vc-table", role: "table", "aria-label": "Every key as the query meets it" });
  let rows = [];
  return {
    el: h("div", { class: "vc-meet" }, formula, table),
    build(tokens, d) {
      score.textContent = `score q · k ÷ √${d}`;
      rows = tokens.map((token, j) => keyRow(token, j, onpoint));
      table.replaceChildren(heads, ...rows.map((row) => row.el));
    },
    draw({ m, i, tokens, head: { d } }) {
      const far = Math.max(...m.score.map(Math.abs)) || 1;
      fill(formula, product(m, tokens[i], d));
      rows.forEach((row, j) => {
        rewrite(row, m, j, far);
      });
    },
    mark: (j) =>
      rows.forEach((row, k) => {
        row.el.classList.toggle("is-on", k === j);
      }),
  };
}

const product = (m, token, d) => [
  "score = cosine × length of q × length of k ÷ ",
  `√${d}`,
  "; the query of ",
  bdi(`“${label(token)}”`),
  " is ",
  h("b", { text: num(m.length) }),
  " long",
];

/** The row of one key: built once a text, then only rewritten. */
function keyRow(token, j, onpoint) {
  const cell = (cls) => {
    const bar = h("span", { class: "vc-bar" }),
      number = h("b", { class: "vc-num" });
    return { bar, number, el: h("div", { class: cls, role: "cell" }, bar, number) };
  };
  const cos = cell("vc-cos"),
    score = cell("vc-score"),
    w = cell("vc-w"),
    len = h("div", { class: "vc-len", role: "cell" });
  const el = h(
    "div",
    { class: "vc-row", role: "row", onpointerenter: () => onpoint(j), onpointerleave: () => onpoint(null) },
    h("div", { class: "vc-name", role: "rowheader" }, bdi(label(token)), h("sub", { class: "itt-pos", text: j })),
    cos.el,
    len,
    score.el,
    w.el,
  );
  return { cos, score, w, len, el };
}

/** @param far the score that fills half a cell */
function rewrite(row, m, j, far) {
  const off = m.masked[j];
  row.el.className = `vc-row${off ? " is-off" : ""}`;
  if (Number.isNaN(m.cosine[j])) fillBar(row.cos, "is-missing", 0, 1, "none");
  else fillBar(row.cos, "is-signed", ...ends(m.cosine[j]), num(m.cosine[j]));
  fillBar(row.score, "is-signed", ...ends(m.score[j] / far), num(m.score[j]));
  if (off) fillBar(row.w, "is-masked", 0, 1, "masked");
  else fillBar(row.w, "is-w", 0, m.weight[j], num(m.weight[j], 3));
  write(row.len, num(m.lengths[j]));
}

const ends = (t) => [Math.min(0.5, 0.5 + t / 2), Math.max(0.5, 0.5 + t / 2)];
function fillBar({ bar: el, number }, kind, from, to, text) {
  el.className = `vc-bar ${kind}`;
  el.style.setProperty("--from", from.toFixed(4));
  el.style.setProperty("--to", to.toFixed(4));
  write(number, text);
}
