// The two tokenizers, one below the other: each token a chip. Pointing at a chip marks the same characters in both.
import { fill, h } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { overlap, tints } from "./numbers.js";
import { backAgain, LONG, keys as shapes, under, visible } from "./words.js";

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
    return {
      name,
      of,
      total,
      each,
      chips,
      back,
      list: [],
      el: h("div", { class: "tok-lane" }, head, h("div", { class: "tok-body" }, chips, back)),
    };
  }

  function build(cut, text) {
    drawn = cut;
    const colours = tints(cut),
      letters = Array.from(text).length;
    cut.forEach((one, m) => {
      const { name, of, total, each, chips, back } = lanes[m];
      name.textContent = LONG[one.kind];
      of.textContent = `of ${one.title}`;
      total.textContent = one.tokens.length;
      each.textContent = letters ? `${(one.tokens.length / letters).toFixed(2)} per character` : "";
      chips.setAttribute("aria-label", `Tokens of ${LONG[one.kind]}`);
      lanes[m].list = one.tokens.map((t, i) => chip(one, t, m, i, colours[m][i]));
      chips.replaceChildren(...lanes[m].list.map((c) => c.el));
      fill(back, text && backAgain(one, text));
    });
    legend.replaceChildren(
      ...shapes(cut).map(([cls, words]) =>
        h(
          "span",
          { class: "itt-legend-key" },
          h("span", { class: `tok-key ${cls}`, text: cls === "is-bytes" ? "C3" : "" }),
          words,
        ),
      ),
    );
  }

  function chip(one, t, m, i, tint) {
    const joined = (a, b) => a && b && a.word !== null && a.word === b.word,
      small = h("small");
    const cls = [
      "tok-chip",
      t.special && "is-special",
      t.unknown && "is-unknown",
      t.bytes && "is-bytes",
      joined(t, one.tokens[i + 1]) && "has-next",
      joined(one.tokens[i - 1], t) && "is-joined",
    ]
      .filter(Boolean)
      .join(" ");
    const el = h(
      "span",
      {
        class: cls,
        role: "option",
        tabindex: -1,
        "aria-selected": "false",
        style: tint ? { "--tint": `var(--itt-s${tint})` } : {},
        onclick: () => onpick(m, i),
        onkeydown: (event) => keys(event, m, i),
        onpointerenter: () => mark(t),
        onpointerleave: () => mark(drawn[picked[0]]?.tokens[picked[1]]),
      },
      h("span", { class: "tok-piece" }, bdi(visible(t.text))),
      small,
    );
    return { el, small, t };
  }

  function keys(event, m, i) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = lanes[m].list.length - 1,
      other = (n) => drawn[n]?.tokens.findIndex((u) => overlap(u, drawn[m].tokens[i]));
    const to = {
      ArrowRight: [m, Math.min(last, i + 1)],
      ArrowLeft: [m, Math.max(0, i - 1)],
      Home: [m, 0],
      End: [m, last],
      ArrowDown: [m + 1, other(m + 1)],
      ArrowUp: [m - 1, other(m - 1)],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    if (lanes[to[0]]?.list[to[1]]) onpick(...to, true);
  }

  /** Mark every chip that stands for some of the same characters. */
  function mark(t) {
    for (const { list } of lanes)
      for (const c of list) c.el.classList.toggle("is-linked", !!t && (c.t === t || overlap(c.t, t)));
  }

  function draw({ side, piece, which, text, focus }) {
    picked = [side, piece];
    lanes.forEach(({ list }, m) => {
      list.forEach((c, i) => {
        const on = m === side && i === piece,
          words = under(which, c.t, drawn[m].kind, text);
        c.el.setAttribute("aria-selected", on);
        c.el.tabIndex = -1;
        c.small.textContent = words;
        const said = [
          c.t.text.trim() ? visible(c.t.text) : "space",
          `id ${c.t.id}`,
          c.t.special && "special",
          c.t.unknown && "unknown",
        ];
        c.el.setAttribute("aria-label", said.filter(Boolean).join(", "));
      });
    });
    const at = (m) =>
      m === side
        ? piece
        : Math.max(
            0,
            lanes[m].list.findIndex((c) => overlap(c.t, drawn[side].tokens[piece] ?? c.t)),
          );
    lanes.forEach(({ list }, m) => {
      if (list.length) list[at(m)].el.tabIndex = 0;
    }); // one tab stop a lane
    mark(drawn[side]?.tokens[piece]);
    if (focus) lanes[side].list[piece].el.focus();
  }
  return { el, build, draw };
}
