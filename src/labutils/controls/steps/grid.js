// The table of the steps: one row for each key, one column for each step. Rows are built once a text and then only
// rewritten.

import { arrows } from "../look/inputs.js";
import { fill, h, mark, scale, write } from "../look/kit.js";
import { bars, legend } from "../look/marks.js";
import { b, bdi } from "../look/markup.js";
import { label, num, range } from "../look/words.js";
import { reach, row as rowOf } from "./numbers.js";
import { component, divisorName, explain, shown } from "./words.js";

const COLUMNS = ["q · k", "÷", "+ mask", "weight w", "w · value v"];
const CELL = ["is-num", "is-num", "is-num is-mask", "is-w", "is-v"];

/** @param onpick called with (key, column) when a reader goes to a number */
export function grid(onpick) {
  const el = h("div", { class: "st-grid" });
  let rows = [],
    query,
    output,
    heads,
    sum,
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

  function build(tokens, d) {
    query = bars({ length: d, colour: "var(--itt-q)", height: 40, label: "the query vector" });
    output = bars({ length: d, colour: "var(--itt-ink)", height: 40, label: "the output vector z" });
    heads = COLUMNS.map((text, s) => h("div", { class: `st-h ${CELL[s]}`, role: "columnheader", "data-s": s, text }));
    rows = tokens.map((token, j) => keyRow(token, j, d));
    sum = h("b", { class: "st-wnum", text: "1.000" });
    const asks = h("span", { class: "st-name" }),
      where = h("sub", { class: "itt-pos" });
    const table = h(
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
    table.addEventListener("keydown", keys);
    el.replaceChildren(
      h(
        "div",
        { class: "st-query" },
        h("div", { class: "is-tok" }, h("span", {}, h("b", {}, asks), where, h("i", { text: "asks" }))),
        h("div", { class: "is-k" }, query.el),
        h("div", { class: "is-rest" }, h("b", { text: "q" }), ` the query, ${d} numbers`),
      ),
      table,
      h(
        "div",
        { class: "st-sum" },
        h("div", { class: "is-rest", text: "the weights add up to" }),
        h("div", { class: "is-w", "data-s": 3 }, h("span", { class: "st-bar is-sum" }), sum),
        h("div", { class: "is-v", "data-s": 4 }, output.el, h("span", { class: "st-zname" }, b("z"), " the output")),
      ),
    );
    el.asks = (token, i) => {
      fill(asks, bdi(label(token)));
      write(where, i);
    };
    const longest = Math.max(...tokens.map((token) => Array.from(label(token)).length));
    el.style.setProperty("--token", `${Math.min(8.5, Math.max(5.25, 2.4 + 0.5 * longest))}rem`);
  }

  function keyRow(token, j, d) {
    const key = bars({ length: d, colour: "var(--itt-k)", label: `key vector of ${label(token)}` });
    const valued = bars({
      length: d,
      colour: "var(--itt-v)",
      label: `value vector of ${label(token)}, times its weight`,
    });
    const numbers = range(3).map(() => h("span")),
      bar = h("span", { class: "st-bar" }),
      weight = h("span", { class: "st-wnum" });
    const inside = [...numbers, [bar, weight], valued.el];
    const cells = CELL.map((cls, s) =>
      h(
        "div",
        {
          class: cls,
          role: "gridcell",
          tabindex: -1,
          "data-s": s,
          onclick: () => {
            onpick(j, s);
            cells[s].focus();
          },
          onfocus: () => {
            if (at[0] !== j || at[1] !== s) onpick(j, s);
          },
        },
        inside[s],
      ),
    );
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

  /** Rewrite what changed. Columns after the step are not shown yet. */
  function draw({ head, how, c, step, j, column, tokens }) {
    const { d, k, v } = head,
      far = reach(c.query, k),
      wide = reach(v);
    at = [j, column];
    size = [rows.length, step + 1];
    el.dataset.step = step;
    el.asks(tokens[how.i], how.i);
    query.set(c.query, far);
    output.set(c.z, wide);
    write(heads[1], `÷ ${divisorName(how, d)}`);
    heads.forEach((head, s) => {
      stand(head, s, step);
    });
    for (const cell of el.querySelectorAll(".st-sum [data-s]")) stand(cell, +cell.dataset.s, step);
    rows.forEach((row, key) => {
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
      row.key.set(rowOf(k, d, key), far);
      row.valued.set(
        Array.from(value, (x) => x * w),
        wide,
        value,
      );
      row.cells[4].classList.toggle("is-masked", off);
      row.cells.forEach((cell, s) => {
        stand(cell, s, step);
        mark(cell, "tabindex", key === j && s === column ? 0 : -1);
        mark(cell, "aria-selected", key === j && s === column);
      });
    });
  }
  return { el, build, draw };
}

/** Where a column stands: shown now, or later. */
function stand(cell, s, step) {
  cell.classList.toggle("is-on", s === step);
  cell.classList.toggle("is-later", s > step);
}

// --- Below the table: the number that the reader points at, its formula with the values put in, and the vectors it is
// made of.

export function detail() {
  const title = h("p", { class: "st-dtitle" }),
    formula = h("p", { class: "st-worked" }),
    strips = h("div", { class: "st-strips" });
  const note = h("p", { class: "st-component", role: "status" }),
    hint = h("span", { class: "st-hint", text: "Point at a number to see where it comes from." });
  const key = legend({ label: "Signed value", name: "div", ticks: ["", "0", ""] });
  const el = h("div", { class: "st-detail" }, title, formula, strips, note, key.el);
  let lines = [],
    at = [0, 0],
    last = null;
  strips.addEventListener(
    "keydown",
    arrows({
      rows: () => lines.length,
      columns: () => lines[0].cells.length,
      at: () => at,
      go: (r, m) => lines[r].cells[m].focus(),
    }),
  );

  /** Three strips of d cells each; later only rewritten. */
  function build(d) {
    for (const [name, most] of [
      ["--cells", 16],
      ["--few", 8],
    ])
      strips.style.setProperty(name, Math.min(most, d));
    lines = range(3).map((r) => {
      const name = h("span", { class: "st-sname" }),
        total = h("span", { class: "st-total" });
      const cells = range(d).map((m) =>
        h("span", {
          class: "st-cell",
          role: "button",
          tabindex: -1,
          onfocus: () => point(r, m),
          onclick: () => cells[m].focus(),
          onpointerenter: (event) => {
            if (event.pointerType === "mouse") point(r, m);
          },
        }),
      );
      return {
        name,
        total,
        cells,
        el: h("div", { class: "st-strip" }, name, h("span", { class: "st-cells" }, cells), total),
      };
    });
    strips.replaceChildren(...lines.map((line) => line.el));
    at = [0, 0];
    lines[0].cells[0].tabIndex = 0;
  }

  /** A number of the strips is pointed at: its column stands out, and it says where it comes from. */
  function point(r, m) {
    lines[at[0]].cells[at[1]].tabIndex = -1;
    at = [r, m];
    lines[r].cells[m].tabIndex = 0;
    for (const line of lines)
      line.cells.forEach((cell, k) => {
        cell.classList.toggle("is-on", k === m);
      });
    fill(note, component({ ...last, m, row: lines[r].name.textContent }));
  }

  function draw(seen) {
    const { c, column, j, head } = seen,
      said = explain(seen),
      shownLines = vectors(seen),
      far = reach(...shownLines.map((line) => line[1])),
      colour = scale(el, "div");
    last = seen;
    if (lines[0]?.cells.length !== head.d) build(head.d);
    fill(title, said.title);
    fill(formula, said.formula);
    note.replaceChildren(hint);
    key.set("Signed value", [num(-far, 1), "0", num(far, 1)]);
    shownLines.forEach(([name, values, role], r) => {
      const line = lines[r];
      mark(line.el, "class", `st-strip ${role}`);
      write(line.name, name);
      fill(line.total, role === "is-p" && column < 4 && ["= ", b(shown(c.raw[j]))]);
      line.cells.forEach((cell, m) => {
        paint(cell, name, m, values[m], 0.5 + values[m] / far / 2, colour);
      });
    });
  }
  return { el, draw };
}

function paint(cell, name, m, x, t, colour) {
  write(cell, num(x, Math.abs(x) >= 10 ? 1 : 2));
  mark(cell, "class", "st-cell");
  mark(cell, "style", `background:${colour(t)};color:${colour.ink(t)}`);
  mark(cell, "aria-label", `${name} ${m}: ${num(x, 2)}`);
}

/** The vectors behind a number: the products of a score, or what a value adds to the output. */
function vectors({ head, c, column, j }) {
  const { d, k, v } = head,
    kj = rowOf(k, d, j),
    vj = rowOf(v, d, j);
  if (column === 4)
    return [
      ["v", vj, "is-v"],
      ["w v", Array.from(vj, (x) => x * c.w[j]), "is-p"],
      ["z", c.z, "is-z"],
    ];
  return [
    ["q", c.query, "is-q"],
    ["k", kj, "is-k"],
    ["q × k", Array.from(c.query, (x, m) => x * kj[m]), "is-p"],
  ];
}
