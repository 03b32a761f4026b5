// The two tokenizers, one below the other: each token a chip. Pointing at a chip marks the same characters in both.
import { fill, h } from "../look/kit.js";
import { chip, firstWith, led, mark, show } from "./chips.js";
import { tints } from "./numbers.js";
import { backAgain, LONG, keys as shapes, under } from "./words.js";

/** @param onpick called with (lane, token) when a reader chooses a chip */
export function lanesView(count, onpick) {
  const lanes = Array.from({ length: count }, lane),
    legend = h("p", { class: "tok-keys" });
  const el = h(
    "div",
    { class: "tok-lanes" },
    lanes.map((one) => one.el),
    legend,
  );
  let drawn = [],
    picked = [0, 0];
  const marked = (t) =>
    mark(
      lanes.map(({ list }) => list),
      t,
    );
  /** What the chip of token `i` of lane `m` hears. */
  const heard = (m, i) => ({
    onclick: () => onpick(m, i),
    onkeydown: (event) => keys(event, m, i),
    onpointerenter: () => marked(drawn[m].tokens[i]),
    onpointerleave: () => marked(drawn[picked[0]]?.tokens[picked[1]]),
  });
  function keys(event, m, i) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = led(event.key, drawn, m, i);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    if (lanes[to[0]]?.list[to[1]]) onpick(...to, true);
  }

  function build(cut, text) {
    drawn = cut;
    const colours = tints(cut);
    cut.forEach((one, m) => {
      const list = one.tokens.map((_, i) => chip(one, i, colours[m][i], heard(m, i)));
      write(lanes[m], one, list, text);
    });
    legend.replaceChildren(...shapes(cut).map(key));
  }
  function draw({ side, piece, which, text, focus }) {
    picked = [side, piece];
    const chosen = drawn[side].tokens[piece];
    lanes.forEach(({ list }, m) => {
      list.forEach((c, i) => {
        show(c, m === side && i === piece, under(which, c.t, drawn[m].kind, text));
      });
      // one tab stop a lane
      if (list.length) list[m === side ? piece : firstWith(list, chosen)].el.tabIndex = 0;
    });
    marked(chosen);
    if (focus) lanes[side].list[piece].el.focus();
  }
  return { el, build, draw };
}

/** The parts of a lane, still empty; `list` holds its chips. */
function lane() {
  const name = h("b"),
    of = h("span"),
    total = h("b", { class: "tok-total" }),
    each = h("span", { class: "tok-each" });
  const chips = h("div", { class: "tok-chips", role: "listbox", "aria-orientation": "horizontal" }),
    back = h("p", { class: "tok-back" });
  const head = h(
    "div",
    { class: "tok-head" },
    h("p", { class: "tok-name" }, name, of),
    h("p", { class: "tok-count" }, total, h("span", { text: "tokens" }), each),
  );
  const el = h("div", { class: "tok-lane" }, head, h("div", { class: "tok-body" }, chips, back));
  return { name, of, total, each, chips, back, list: [], el };
}

/** Fill a lane with how a text was cut. */
function write(lane, one, list, text) {
  const letters = Array.from(text).length;
  lane.name.textContent = LONG[one.kind];
  lane.of.textContent = `of ${one.title}`;
  lane.total.textContent = one.tokens.length;
  lane.each.textContent = letters ? `${(one.tokens.length / letters).toFixed(2)} per character` : "";
  lane.chips.setAttribute("aria-label", `Tokens of ${LONG[one.kind]}`);
  lane.list = list;
  lane.chips.replaceChildren(...list.map((c) => c.el));
  fill(lane.back, text && backAgain(one, text));
}

const key = ([cls, words]) =>
  h(
    "span",
    { class: "itt-legend-key" },
    h("span", { class: `tok-key ${cls}`, text: cls === "is-bytes" ? "C3" : "" }),
    words,
  );
