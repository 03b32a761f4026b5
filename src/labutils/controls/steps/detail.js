// Below the table: the number that the reader points at, its formula with the values put in, and the vectors it is made
// of.
import { h, fill, scale, write } from "../look/kit.js";
import { b } from "../look/markup.js";
import { num, range } from "../look/words.js";
import { arrows } from "../look/inputs.js";
import { legend } from "../look/marks.js";
import { reach, row } from "./attend.js";
import { component, explain, shown } from "./words.js";

export function detail() {
  const title = h("p", { class: "st-dtitle" }), formula = h("p", { class: "st-worked" }),
    strips = h("div", { class: "st-strips" });
  const note = h("p", { class: "st-component", role: "status" }),
    hint = h("span", { class: "st-hint", text: "Point at a number to see where it comes from." });
  const key = legend({ label: "Signed value", name: "div", ticks: ["", "0", ""] });
  const el = h("div", { class: "st-detail" }, title, formula, strips, note, key.el);
  let lines = [], at = [0, 0], last = null;
  strips.addEventListener("keydown",
    arrows({ rows: () => lines.length, columns: () => lines[0].cells.length, at: () => at,
      go: (r, m) => lines[r].cells[m].focus() }));

  /** Three strips of d cells each; later only rewritten. */
  function build(d) {
    for (const [name, most] of [["--cells", 16], ["--few", 8]]) strips.style.setProperty(name, Math.min(most, d));
    lines = range(3).map((r) => {
      const name = h("span", { class: "st-sname" }), total = h("span", { class: "st-total" });
      const cells = range(d)
        .map((m) => h("span", { class: "st-cell", role: "button", tabindex: -1, onfocus: () => point(r, m),
          onclick: () => cells[m].focus(),
        onpointerenter: (event) => { if (event.pointerType === "mouse") point(r, m); } }));
      return { name, total, cells, el: h("div", { class: "st-strip" }, name, h("span", { class: "st-cells" }, cells),
          total) };
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
    for (const line of lines) line.cells.forEach((cell, k) => cell.classList.toggle("is-on", k === m));
    fill(note, component({ ...last, m, row: lines[r].name.textContent }));
  }

  function draw(seen) {
    const { c, column, j, head } = seen, said = explain(seen), shownLines = vectors(seen),
      far = reach(...shownLines.map((line) => line[1])), colour = scale(el, "div");
    last = seen;
    if (lines[0]?.cells.length !== head.d) build(head.d);
    fill(title, said.title);
    fill(formula, said.formula);
    note.replaceChildren(hint);
    key.set("Signed value", [num(-far, 1), "0", num(far, 1)]);
    shownLines.forEach(([name, values, role], r) => {
      const line = lines[r];
      line.el.className = `st-strip ${role}`;
      write(line.name, name);
      fill(line.total, role === "is-p" && column < 4 && ["= ", b(shown(c.raw[j]))]);
      line.cells.forEach((cell, m) => paint(cell, name, m, values[m], 0.5 + values[m] / far / 2, colour));
    });
  }
  return { el, draw };
}

function paint(cell, name, m, x, t, colour) {
  write(cell, num(x, Math.abs(x) >= 10 ? 1 : 2));
  cell.className = "st-cell";
  cell.style.background = colour(t);
  cell.style.color = colour.ink(t);
  cell.setAttribute("aria-label", `${name} ${m}: ${num(x, 2)}`);
}

/** The vectors behind a number: the products of a score, or what a value adds to the output. */
function vectors({ head, c, column, j }) {
  const { d, k, v } = head, kj = row(k, d, j), vj = row(v, d, j);
  if (column === 4) return [["v", vj, "is-v"], ["w v", Array.from(vj, (x) => x * c.w[j]), "is-p"], ["z", c.z, "is-z"]];
  return [["q", c.query, "is-q"], ["k", kj, "is-k"], ["q × k", Array.from(c.query, (x, m) => x * kj[m]), "is-p"]];
}
