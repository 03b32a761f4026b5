// Below the table: the number that the reader points at, its formula with the values put in, and the vectors it is made
// of.

import { arrows } from "../look/inputs.js";
import { fill, h, mark, scale, touched, write } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { b } from "../look/markup.js";
import { num, range } from "../look/words.js";
import { reach, row as rowOf } from "./numbers.js";
import { component, explain, shown } from "./words.js";

export function detail() {
  const title = h("p", { class: "st-dtitle" }),
    formula = h("p", { class: "st-worked" }),
    note = h("p", { class: "st-component", role: "status" }),
    hint = h("span", { class: "st-hint", text: touched("Point at a number to see where it comes from.") }),
    key = legend({ label: "Signed value", name: "div", ticks: ["", "0", ""] });
  let last = null;
  const strips = stripsView((name, m) => fill(note, component({ ...last, m, row: name })));
  const el = h("div", { class: "st-detail" }, title, formula, strips.el, note, key.el);

  function draw(seen) {
    const said = explain(seen),
      lines = vectors(seen),
      far = reach(...lines.map((line) => line[1]));
    last = seen;
    fill(title, said.title);
    fill(formula, said.formula);
    note.replaceChildren(hint);
    key.set("Signed value", [num(-far, 1), "0", num(far, 1)]);
    strips.draw(lines, seen, far, scale(el, "div"));
  }
  return { el, draw };
}

/**
 * Three strips of d cells each, built for a width of head and then only rewritten.
 * @param onpoint called with the name of a strip and the place of its number that is pointed at
 */
function stripsView(onpoint) {
  const el = h("div", { class: "st-strips" });
  let lines = [],
    at = [0, 0];
  const moves = { rows: () => lines.length, columns: () => lines[0].cells.length, at: () => at };
  el.addEventListener("keydown", arrows({ ...moves, go: (r, m) => lines[r].cells[m].focus() }));

  function build(d) {
    el.style.setProperty("--cells", Math.min(16, d));
    el.style.setProperty("--few", Math.min(8, d));
    lines = range(3).map((r) => strip(d, (m) => point(r, m)));
    el.replaceChildren(...lines.map((line) => line.el));
    at = [0, 0];
    lines[0].cells[0].tabIndex = 0;
  }
  /** A number is pointed at: its column stands out, and it says where it comes from. */
  function point(r, m) {
    lines[at[0]].cells[at[1]].tabIndex = -1;
    at = [r, m];
    lines[r].cells[m].tabIndex = 0;
    for (const line of lines)
      line.cells.forEach((cell, k) => {
        cell.classList.toggle("is-on", k === m);
      });
    onpoint(lines[r].name.textContent, m);
  }
  function draw(wanted, { c, column, j, head }, far, colour) {
    if (lines[0]?.cells.length !== head.d) build(head.d);
    wanted.forEach(([name, values, role], r) => {
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

function strip(d, onpoint) {
  const name = h("span", { class: "st-sname" }),
    total = h("span", { class: "st-total" });
  const cells = range(d).map((m) =>
    h("span", {
      class: "st-cell",
      role: "button",
      tabindex: -1,
      onfocus: () => onpoint(m),
      onclick: () => cells[m].focus(),
      onpointerenter: (event) => {
        if (event.pointerType === "mouse") onpoint(m);
      },
    }),
  );
  return {
    name,
    total,
    cells,
    el: h("div", { class: "st-strip" }, name, h("span", { class: "st-cells" }, cells), total),
  };
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
