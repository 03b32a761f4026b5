// One lane a tokenizer: each position a card with its token, id, type id, mask and place; lines carry their own row names.
import { h, bdi } from "../look/kit.js";
import { visible } from "../tokenizer/words.js";
import { cards } from "./laying.js";
import { ROWS } from "./words.js";

const MOST_LOST = 40; // cards of lost tokens in a lane

export function lanesView(lanes) {
  const all = lanes.map((lane) => {
    const lines = h("div", { class: "sg-lines" });
    return { lines, el: h("div", { class: "sg-lane" }, h("p", { class: "sg-title" }, h("b", { text: lane.title })), lines) };
  });
  const el = h("div", { class: "sg-lanes" }, all.map((one) => one.el));
  function draw(seen) {
    seen.forEach((lane, i) => all[i].lines.replaceChildren(...packed(shortened(cards(lane)).map(card), all[i].lines.clientWidth || 640).map(line)));
  }
  return { el, draw };
}

/** At most so many cards of lost tokens; the rest is one card that counts them. */
function shortened(all) {
  const lost = all.filter((one) => one.lost), left = lost.length - MOST_LOST;
  if (left <= 0) return all;
  const hidden = new Set(lost.slice(MOST_LOST - 1)), last = lost.at(-1);
  return all.filter((one) => !hidden.has(one) || one === last).map((one) => (one === last ? { ...one, text: `${left + 1} more`, many: true } : one));
}

function card(one) {
  const kind = one.lost ? "is-lost" : one.mask === 0 ? "is-pad" : one.special ? "is-special" : `is-${"ab"[one.from]}`, text = one.many ? one.text : visible(one.text);
  const numbers = one.lost ? ["lost", "", "", ""] : [one.id, one.type, one.mask, one.position];
  const said = one.lost ? `${text}, lost` : `position ${one.position}: ${text}, id ${one.id}, type id ${one.type}, mask ${one.mask}`;
  const el = h("div", { class: `sg-card ${kind}`, role: "listitem", "aria-label": said }, h("span", { class: "sg-piece" }, bdi(text)),
    ["id", "type", "mask", "pos"].map((name, i) => h("span", { class: `sg-n is-${name}`, text: numbers[i] })));
  return { el, wide: Math.max(44, 16 + 8.5 * Array.from(text).length) + 4 };
}

/** Cards in lines that fit into `width`, beside the names of the rows. */
function packed(all, width) {
  const room = width - 68, lines = [[]];
  let used = 0;
  for (const one of all) {
    if (used + one.wide > room && lines.at(-1).length) { lines.push([]); used = 0; }
    lines.at(-1).push(one.el);
    used += one.wide;
  }
  return lines;
}

const line = (els) => h("div", { class: "sg-line" }, h("div", { class: "sg-names", "aria-hidden": "true" }, h("span"), ROWS.map((text) => h("span", { text }))), h("div", { class: "sg-cards", role: "list" }, els));
