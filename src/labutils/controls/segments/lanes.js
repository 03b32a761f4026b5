// One lane a tokenizer: each position a card with its token, id, type id, mask and place; lines carry their own row
// names.
import { h, widthOf, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { visible } from "../tokenizer/words.js";
import { cards } from "./numbers.js";
import { KEYS, kindOf, ROWS, template } from "./words.js";

const MOST_LOST = 8; // cards of lost tokens in a lane
const REMEMBERED = 1000; // cards
// px: the names of the rows, the room between cards, a padding card, a phone
const NAMES = 68,
  GAP = 4,
  PADDING = 56,
  NARROW = 480;

/** @returns { el, draw(lanes), follow(draw), stop }: `follow` draws again when the width is another one */
export function lanesView(lanes) {
  const all = lanes.map(laneView);
  const keys = h("p", { class: "sg-keys" }),
    el = h(
      "div",
      { class: "sg-lanes" },
      all.map((one) => one.el),
      keys,
    );
  const reused = remembered();
  function draw(seen) {
    const shown = seen.map((lane) => shortened(cards(lane))),
      kinds = new Set(shown.flat().map(kindOf));
    const width = widthOf(all[0].lines) || 640;
    seen.forEach((lane, i) => {
      write(all[i].order, template(lane));
      fill(
        all[i],
        packed(
          shown[i].map((one, n) => reused(i, one, width < NARROW, n)),
          width,
        ),
      );
    });
    keys.replaceChildren(
      ...KEYS.filter(([kind]) => kinds.has(kind)).map(([kind, words]) =>
        h("span", { class: "itt-legend-key" }, h("span", { class: `sg-key ${kind}` }), h("span", { text: words })),
      ),
    );
  }
  let wide = 0,
    draws = () => {};
  const watch = new ResizeObserver(() => {
    if (Math.abs(el.clientWidth - wide) >= 1) {
      wide = el.clientWidth;
      draws();
    }
  });
  const follow = (then) => {
    draws = then;
    watch.observe(el);
  };
  return { el, draw, follow, stop: () => watch.disconnect() };
}

function laneView({ title }) {
  const lines = h("div", { class: "sg-lines" }),
    order = h("span"),
    name = h("p", { class: "sg-title" }, h("b", { text: title }), order);
  return { lines, order, kept: [], el: h("div", { class: "sg-lane" }, name, lines) };
}

/** Cards by what they show: most of them stay when the length changes by one. */
function remembered() {
  const made = new Map();
  return (lane, one, narrow, n) => {
    const key = JSON.stringify([lane, narrow, one, one.lost && n]); // two cards may have lost the same words
    if (made.size > REMEMBERED) made.clear();
    if (!made.has(key)) made.set(key, card(one, narrow));
    return made.get(key);
  };
}

/** Lines that hold the same cards as before stay where they are: a browser lays out only what has changed. */
function fill({ lines, kept }, wanted) {
  wanted.forEach((els, j) => {
    const old = kept[j];
    if (old && old.els.length === els.length && els.every((el, k) => el === old.els[k])) return;
    const el = line(els);
    old ? old.el.replaceWith(el) : lines.append(el);
    kept[j] = { els, el };
  });
  for (const { el } of kept.splice(wanted.length)) el.remove();
}

/** At most so many cards of lost tokens; the last says how many more there are. */
function shortened(all) {
  const lost = all.filter((one) => one.lost),
    hidden = new Set(lost.slice(MOST_LOST)),
    more = [...hidden].reduce((sum, one) => sum + one.lost.length, 0);
  return more
    ? all
        .filter((one) => !hidden.has(one))
        .map((one) => (one === lost[MOST_LOST - 1] ? { ...one, more: more + 1, lost: one.lost.slice(0, -1) } : one))
    : all;
}

/** A position, or up to five tokens that were lost; `wide` is about how wide it will be. */
function card(one, narrow) {
  const texts = (one.lost ?? [one.text]).map((text) => visible(text)),
    more = one.more ? `${one.more} more` : "";
  const said = one.lost
    ? `lost: ${texts.join(", ")}${more && `, ${more}`}`
    : `position ${one.position}: ${texts[0]}, id ${one.id}, type id ${one.type}, mask ${one.mask}`;
  const el = h(
    "div",
    { class: `sg-card ${kindOf(one)}`, role: "listitem", "aria-label": said },
    texts.map((text) => h("span", { class: "sg-piece" }, bdi(text))),
    more && h("span", { text: more }),
    one.lost ? null : [one.id, one.type, one.mask, one.position].map((n) => h("span", { text: n })),
  );
  const longest = Math.max(...[...texts, more].map((text) => Array.from(text).length)),
    wide = Math.max(44, 17 + (one.special ? 6.8 : 7.9) * longest);
  const most = narrow && one.mask === 0 ? PADDING : Infinity; // its name stands in full elsewhere
  if (wide > most) el.style.width = `${most}px`;
  return { el, wide: Math.min(wide, most) + GAP };
}

/** Cards in lines that fit into `width`, beside the names of the rows. */
function packed(all, width) {
  const room = width - NAMES + GAP,
    lines = [[]];
  let used = 0;
  for (const one of all) {
    if (used + one.wide > room && lines.at(-1).length) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1).push(one.el);
    used += one.wide;
  }
  return lines;
}

const line = (els) =>
  h(
    "div",
    { class: "sg-line" },
    h(
      "div",
      { class: "sg-names", "aria-hidden": "true" },
      h("span"),
      ROWS.map((text) => h("span", { text })),
    ),
    h("div", { class: "sg-cards", role: "list" }, els),
  );
