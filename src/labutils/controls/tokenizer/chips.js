// A token as a chip: what it looks like, what it is called, and which chips stand for some of the same characters.
import { h } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { overlap } from "./numbers.js";
import { visible } from "./words.js";

/**
 * Token `i` of a lane.
 * @param listen what its element hears: onclick, onkeydown, onpointerenter, onpointerleave
 * @returns { el, small, t }
 */
export function chip({ tokens }, i, tint, listen) {
  const t = tokens[i],
    joined = (a, b) => a && b && a.word !== null && a.word === b.word,
    small = h("small");
  const cls = [
    "tok-chip",
    t.special && "is-special",
    t.unknown && "is-unknown",
    t.bytes && "is-bytes",
    joined(t, tokens[i + 1]) && "has-next",
    joined(tokens[i - 1], t) && "is-joined",
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
      ...listen,
    },
    h("span", { class: "tok-piece" }, bdi(visible(t.text))),
    small,
  );
  return { el, small, t };
}

/** Say whether a chip is the chosen one, and what stands below its piece. */
export function show({ el, small, t }, on, words) {
  el.setAttribute("aria-selected", on);
  el.tabIndex = -1;
  small.textContent = words;
  const said = [
    t.text.trim() ? visible(t.text) : "space",
    `id ${t.id}`,
    t.special && "special",
    t.unknown && "unknown",
  ];
  el.setAttribute("aria-label", said.filter(Boolean).join(", "));
}

/** The first chip of a lane that stands for some of the characters of a token; the first of all where none does. */
export const firstWith = (list, t) =>
  Math.max(
    0,
    list.findIndex((c) => overlap(c.t, t ?? c.t)),
  );

/** Mark every chip that stands for some of the same characters as a token. */
export function mark(lists, t) {
  for (const list of lists)
    for (const c of list) c.el.classList.toggle("is-linked", !!t && (c.t === t || overlap(c.t, t)));
}

/** Where a key leads from token `i` of lane `m`: [lane, token], or undefined. */
export function led(key, cut, m, i) {
  const last = cut[m].tokens.length - 1,
    other = (n) => cut[n]?.tokens.findIndex((u) => overlap(u, cut[m].tokens[i]));
  return {
    ArrowRight: [m, Math.min(last, i + 1)],
    ArrowLeft: [m, Math.max(0, i - 1)],
    Home: [m, 0],
    End: [m, last],
    ArrowDown: [m + 1, other(m + 1)],
    ArrowUp: [m - 1, other(m - 1)],
  }[key];
}
