// Two texts, one sequence: what BERT and GPT-2 read when a length is given. Computed here by the tokenizers themselves.

import { openTokenizer } from "../engine/source.js";
import { frame } from "../look/frame.js";
import { slider, textField } from "../look/inputs.js";
import { h, onceShown, widthOf, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp } from "../look/words.js";
import { capped } from "../tokenizer/numbers.js";
import { visible } from "../tokenizer/words.js";
import { cards, laid } from "./numbers.js";
import { picture } from "./picture.js";
import { KEYS, kindOf, ROWS, readout, sources, template } from "./words.js";

export const CAP = 160;
const STATE = ["first", "second", "length"];

export function render({ model, el }) {
  const f = frame(model);
  const low = model.get("shortest"),
    high = model.get("longest");
  let seen = model.get("finished"),
    tokenizers = null,
    failed = "",
    stopped = false;
  const state = bind(model, STATE, change),
    lanes = lanesView(seen.lanes);

  const fields = ["first", "second"].map((name, i) =>
    textField({
      label: `${i ? "Second" : "First"} text, up to ${CAP} characters`,
      value: model.get(name),
      oninput: (text) => state.set({ [name]: text }),
    }),
  );
  const long = slider({
    label: "Length, in positions",
    min: low,
    max: high,
    step: 1,
    value: model.get("length"),
    words: String,
    oninput: (length) => state.set({ length }),
  });
  f.bar.append(
    h(
      "div",
      { class: "itt-row sg-texts" },
      fields.map((field) => field.el),
    ),
    long.el,
  );
  f.stage.append(lanes.el);

  const wish = () => {
    const now = state.read();
    return { ...now, length: clamp(Math.round(now.length) || low, low, high) };
  };
  /** Lay the texts out anew if the tokenizers are there; if not, the picture stays and a sentence says so. */
  function change() {
    const now = wish(),
      texts = STATE.slice(0, 2).map((name) => capped(now[name], CAP));
    fields.forEach((field, i) => {
      field.set(now[STATE[i]]);
      field.say(texts[i].left ? `The first ${CAP} characters are read; ${texts[i].left} more are left out.` : "");
    });
    long.set(now.length);
    const known = texts[0].text === seen.first && texts[1].text === seen.second,
      same = known && now.length === seen.length;
    if (!tokenizers) {
      const shown = `What is shown are the texts it came with, at ${seen.length} positions.`;
      f.tell(same ? "" : `${failed || "The tokenizers are on their way."} ${shown}`);
      draw();
      return;
    }
    f.tell("");
    let at = 0;
    try {
      // which of the two cannot be read?
      if (!known)
        for (const [i, { text }] of texts.entries()) {
          at = i;
          tokenizers[0].encode(text);
        }
      if (!same || !seen.live)
        seen = {
          first: texts[0].text,
          second: texts[1].text,
          length: now.length,
          live: true,
          lanes: seen.lanes.map((lane, m) => ({
            ...lane,
            ...laid(tokenizers[m], texts[0].text, texts[1].text, now.length, lane),
          })),
        };
    } catch (error) {
      fields[at].say(error.message, true);
    }
    draw();
  }
  function draw() {
    lanes.draw(seen.lanes);
    f.say(readout(seen.lanes, seen.length));
    f.fresh();
  }

  f.source(sources(seen.lanes));
  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen.lanes, WIDE), model.get("title"), sources(seen.lanes)),
    state: shared,
    call: () => pythonCall("Segments", shared()),
  });
  function shared() {
    return { first: seen.first, second: seen.second, length: seen.length };
  }
  el.append(f.root);
  let wide = 0;
  const watch = new ResizeObserver(() => {
    if (Math.abs(lanes.el.clientWidth - wide) >= 1) {
      wide = lanes.el.clientWidth;
      lanes.draw(seen.lanes);
    }
  });
  onceShown(f.root, () => {
    change();
    watch.observe(lanes.el);
    Promise.all(seen.lanes.map((lane) => openTokenizer(model, lane.name)))
      .then(
        (found) => {
          tokenizers = found;
        },
        (error) => {
          failed = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
        },
      )
      .then(() => {
        if (!stopped) change();
      });
  });
  return () => {
    stopped = true;
    watch.disconnect();
    state.off();
    f.root.remove();
  };
}

function rows({ first, second, lanes }) {
  const line = (lane) =>
    cards(lane).flatMap((one) =>
      one.lost
        ? one.lost.map((text) => [
            `${lane.title} lost`,
            visible(text, 60),
            "",
            "",
            "",
            one.from === 0 ? "first" : "second",
          ])
        : [
            [
              `${lane.title} ${one.position}`,
              visible(one.text, 60),
              one.id,
              one.type,
              one.mask,
              one.special ? (one.mask ? "special" : "padding") : one.from === 0 ? "first" : "second",
            ],
          ],
    );
  const quoted = (text) => `“${visible(text, 60).replaceAll("·", " ")}”`;
  return {
    caption: second ? `${quoted(first)} and ${quoted(second)}` : quoted(first),
    head: ["position", "token", "id", "type id", "mask", "from"],
    rows: lanes.flatMap(line),
  };
}

// --- One lane a tokenizer: each position a card with its token, id, type id, mask and place; lines carry their own row
// names.

const MOST_LOST = 8; // cards of lost tokens in a lane
const REMEMBERED = 1000; // cards
// px: the names of the rows, the room between cards, a padding card, a phone
const NAMES = 68,
  GAP = 4,
  PADDING = 56,
  NARROW = 480;

function lanesView(lanes) {
  const all = lanes.map((lane) => {
    const lines = h("div", { class: "sg-lines" }),
      order = h("span");
    return {
      lines,
      order,
      kept: [],
      el: h("div", { class: "sg-lane" }, h("p", { class: "sg-title" }, h("b", { text: lane.title }), order), lines),
    };
  });
  const keys = h("p", { class: "sg-keys" }),
    el = h(
      "div",
      { class: "sg-lanes" },
      all.map((one) => one.el),
      keys,
    );

  const made = new Map(); // cards by what they show: most of them stay when the length changes by one
  function reused(lane, one, narrow, n) {
    const key = JSON.stringify([lane, narrow, one, one.lost && n]); // two cards may have lost the same words
    if (made.size > REMEMBERED) made.clear();
    if (!made.has(key)) made.set(key, card(one, narrow));
    return made.get(key);
  }

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
  return { el, draw };
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
