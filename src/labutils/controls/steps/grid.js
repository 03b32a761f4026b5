// The table of the steps: one row for each key, one column for each step. Rows are built once a text and then only
// rewritten.

import { arrows } from "../look/inputs.js";
import { fill, h, mark, write } from "../look/kit.js";
import { bars } from "../look/marks.js";
import { b, bdi } from "../look/markup.js";
import { label, num, range } from "../look/words.js";
import { reach, row as rowOf } from "./numbers.js";
import { divisorName, shown } from "./words.js";

const COLUMNS = ["q · k", "÷", "+ mask", "weight w", "w · value v"];
const CELL = ["is-num", "is-num", "is-num is-mask", "is-w", "is-v"];

/** @param onpick called with (key, column) when a reader goes to a number */
export function grid(onpick) {
  const el = h("div", { class: "st-grid" });
  let rows = [],
    heads = [],
    asking,
    summed,
    at = [0, 0],
    size = [0, 0];
  const keys = arrows({
    rows: () => size[0],
    columns: () => size[1],
    at: () => at,
    go: (j, column) => {
      onpick(j, column);
      rows[j].cells[column].focus();
    },
  });
  const go = {
    onpick,
    /** A number that takes the focus is meant, unless it is meant already. */
    onfocus: (j, column) => {
      if (at[0] !== j || at[1] !== column) onpick(j, column);
    },
  };

  function build(tokens, d) {
    heads = COLUMNS.map((text, s) => h("div", { class: `st-h ${CELL[s]}`, role: "columnheader", "data-s": s, text }));
    rows = tokens.map((token, j) => keyRow(token, j, d, go));
    asking = queryLine(d);
    summed = sumLine(d);
    const table = tableOf(heads, rows);
    table.addEventListener("keydown", keys);
    el.replaceChildren(asking.el, table, summed.el);
    const longest = Math.max(...tokens.map((token) => Array.from(label(token)).length));
    el.style.setProperty("--token", `${Math.min(8.5, Math.max(5.25, 2.4 + 0.5 * longest))}rem`);
  }
  /** Rewrite what changed. Columns after the step are not shown yet. */
  function draw(v) {
    const { head, how, c, step, j, column, tokens } = v,
      { d, k, v: values } = head,
      far = { key: reach(c.query, k), value: reach(values) };
    at = [j, column];
    size = [rows.length, step + 1];
    el.dataset.step = step;
    asking.set(tokens[how.i], how.i, c.query, far.key);
    summed.set(c.z, far.value);
    write(heads[1], `÷ ${divisorName(how, d)}`);
    for (const cell of [...heads, ...summed.cells]) stand(cell, +cell.dataset.s, step);
    rows.forEach((row, key) => {
      rewrite(row, v, key, far);
    });
  }
  return { el, build, draw };
}

const tableOf = (heads, rows) =>
  h(
    "div",
    {
      class: "st-table",
      role: "grid",
      "aria-label": "Keys in rows, steps in columns; arrow keys move from number to number",
    },
    h(
      "div",
      { class: "st-row st-heads", role: "row" },
      h("div", { class: "st-h is-tok", role: "columnheader" }, h("span", { class: "itt-sr", text: "key token" })),
      h("div", { class: "st-h is-k", role: "columnheader", text: "key k" }),
      heads,
    ),
    rows.map((r) => r.el),
  );

/** The token that asks and its query, above the table. */
function queryLine(d) {
  const query = bars({ length: d, colour: "var(--itt-q)", height: 40, label: "the query vector" }),
    asks = h("span", { class: "st-name" }),
    where = h("sub", { class: "itt-pos" });
  return {
    el: h(
      "div",
      { class: "st-query" },
      h("div", { class: "is-tok" }, h("span", {}, h("b", {}, asks), where, h("i", { text: "asks" }))),
      h("div", { class: "is-k" }, query.el),
      h("div", { class: "is-rest" }, h("b", { text: "q" }), ` the query, ${d} numbers`),
    ),
    set(token, i, values, far) {
      fill(asks, bdi(label(token)));
      write(where, i);
      query.set(values, far);
    },
  };
}

/** What the columns of the weights and of the values add up to, below the table. */
function sumLine(d) {
  const output = bars({ length: d, colour: "var(--itt-ink)", height: 40, label: "the output vector z" });
  const cells = [
    h(
      "div",
      { class: "is-w", "data-s": 3 },
      h("span", { class: "st-bar is-sum" }),
      h("b", { class: "st-wnum", text: "1.000" }),
    ),
    h("div", { class: "is-v", "data-s": 4 }, output.el, h("span", { class: "st-zname" }, b("z"), " the output")),
  ];
  return {
    el: h("div", { class: "st-sum" }, h("div", { class: "is-rest", text: "the weights add up to" }), cells),
    cells,
    set: output.set,
  };
}

/** The row of one key. */
function keyRow(token, j, d, { onpick, onfocus }) {
  const vector = (name, colour, more = "") =>
    bars({ length: d, colour: `var(--itt-${colour})`, label: `${name} vector of ${label(token)}${more}` });
  const key = vector("key", "k"),
    valued = vector("value", "v", ", times its weight"),
    numbers = range(3).map(() => h("span")),
    bar = h("span", { class: "st-bar" }),
    weight = h("span", { class: "st-wnum" });
  const inside = [...numbers, [bar, weight], valued.el];
  const cells = CELL.map((cls, s) => {
    const onclick = () => {
      onpick(j, s);
      cells[s].focus();
    };
    const spoken = { role: "gridcell", tabindex: -1 };
    return h("div", { class: cls, ...spoken, "data-s": s, onclick, onfocus: () => onfocus(j, s) }, inside[s]);
  });
  const el = h(
    "div",
    { class: "st-row", role: "row" },
    h(
      "div",
      { class: "is-tok", role: "rowheader", onclick: () => onpick(j) },
      h("span", {}, h("span", { class: "st-name" }, bdi(label(token))), h("sub", { class: "itt-pos", text: j })),
    ),
    h("div", { class: "is-k", role: "gridcell", onclick: () => onpick(j) }, key.el),
    cells,
  );
  return { el, cells, numbers, bar, weight, key, valued };
}

/** @param far the numbers that fill half the height of a key's and of a value's columns */
function rewrite(row, { head: { d, k, v }, c, step, j, column }, key, far) {
  const off = c.kept[key] === -Infinity,
    w = c.w[key],
    value = rowOf(v, d, key);
  row.el.classList.toggle("is-sel", key === j);
  row.el.classList.toggle("is-off", off && step >= 2);
  write(row.numbers[0], shown(c.raw[key]));
  write(row.numbers[1], shown(c.scaled[key]));
  write(row.numbers[2], shown(c.kept[key]));
  mark(row.numbers[2], "class", off ? "st-masked" : "");
  mark(row.bar, "class", off ? "st-barmask" : "st-bar");
  row.bar.style.setProperty("--w", w);
  write(row.weight, off ? "masked" : num(w, 3));
  row.key.set(rowOf(k, d, key), far.key);
  row.valued.set(
    Array.from(value, (x) => x * w),
    far.value,
    value,
  );
  row.cells[4].classList.toggle("is-masked", off);
  row.cells.forEach((cell, s) => {
    stand(cell, s, step);
    mark(cell, "tabindex", key === j && s === column ? 0 : -1);
    mark(cell, "aria-selected", key === j && s === column);
  });
}

/** Where a column stands: shown now, or later. */
function stand(cell, s, step) {
  cell.classList.toggle("is-on", s === step);
  cell.classList.toggle("is-later", s > step);
}
