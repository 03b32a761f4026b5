// The table below the maps: for each key its direction against the query, its length, the score and the weight, side by
// side.
import { h, fill, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { label, num } from "../look/words.js";

/** @param onpick called with the position of a key that a reader points at or leaves (null) */
export function meetView(onpoint) {
  const score = h("div", { class: "vc-score" }), formula = h("p", { class: "vc-formula" });
  const heads = h("div", { class: "vc-row vc-heads", role: "row" },
    [["vc-name", "key"], ["vc-cos", "cosine of q and k"],
      ["vc-len", "length of k"]].map(([cls, text]) => h("div", { class: cls, role: "columnheader", text })), score,
    h("div", { class: "vc-w", role: "columnheader", text: "weight w" }));
  score.setAttribute("role", "columnheader");
  const table = h("div", { class: "vc-table", role: "table", "aria-label": "Every key as the query meets it" }),
    el = h("div", { class: "vc-meet" }, formula, table);
  let rows = [];

  function build(tokens, d) {
    score.textContent = `score q · k ÷ √${d}`;
    rows = tokens.map((token, j) => {
      const cell = (cls) => {
        const bar = h("span", { class: "vc-bar" }), number = h("b", { class: "vc-num" });
        return { bar, number, el: h("div", { class: cls, role: "cell" }, bar, number) };
      };
      const parts = { cos: cell("vc-cos"), score: cell("vc-score"), w: cell("vc-w"),
        len: h("div", { class: "vc-len", role: "cell" }) };
      const el = h("div", { class: "vc-row", role: "row", onpointerenter: () => onpoint(j),
          onpointerleave: () => onpoint(null) },
        h("div", { class: "vc-name", role: "rowheader" }, bdi(label(token)), h("sub", { class: "itt-pos", text: j })),
        parts.cos.el, parts.len, parts.score.el, parts.w.el);
      return { ...parts, el };
    });
    table.replaceChildren(heads, ...rows.map((row) => row.el));
  }

  function draw({ m, i, tokens, head: { d } }) {
    const far = Math.max(...m.score.map(Math.abs)) || 1;
    fill(formula, "score = cosine × length of q × length of k ÷ ", `√${d}`, "; the query of ",
      bdi(`“${label(tokens[i])}”`), " is ", h("b", { text: num(m.length) }), " long");
    rows.forEach((row, j) => {
      const off = m.masked[j];
      row.el.className = `vc-row${off ? " is-off" : ""}`;
      Number.isNaN(m.cosine[j]) ? bar(row.cos, "is-missing", 0, 1, "none")
        : bar(row.cos, "is-signed", ...ends(m.cosine[j]), num(m.cosine[j]));
      bar(row.score, "is-signed", ...ends(m.score[j] / far), num(m.score[j]));
      off ? bar(row.w, "is-masked", 0, 1, "masked") : bar(row.w, "is-w", 0, m.weight[j], num(m.weight[j], 3));
      write(row.len, num(m.lengths[j]));
    });
  }
  return { el, build, draw, mark: (j) => rows.forEach((row, k) => row.el.classList.toggle("is-on", k === j)) };
}

const ends = (t) => [Math.min(0.5, 0.5 + t / 2), Math.max(0.5, 0.5 + t / 2)];
function bar({ bar: el, number }, kind, from, to, text) {
  el.className = `vc-bar ${kind}`;
  el.style.setProperty("--from", from.toFixed(4));
  el.style.setProperty("--to", to.toFixed(4));
  write(number, text);
}
