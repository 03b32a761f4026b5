// The training of BPE on the reader's own words, merge by merge: the commonest pairs, and how the words are spelt now.

import { button, slider } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { b, bdi } from "../look/markup.js";
import { player } from "../look/player.js";
import { clamp, plural, range } from "../look/words.js";
import { spelt, trained } from "./training.js";

const PAIRS = 6,
  WORDS = 12; // what is drawn at most

/** @param onmerge called with the number of merges that are to be shown */
export function trainView(onmerge) {
  const parts = empty();
  let states = [],
    now = 0,
    known = "";
  const walk = walker({ states: () => states, at: () => now, onmerge, said: () => parts.said.textContent });
  parts.top.append(walk.el);

  function build(texts) {
    states = trained(texts);
    walk.build();
    const { words } = states[0],
      letters = words.reduce((sum, { symbols }) => sum + symbols.length, 0);
    fill(
      parts.fact,
      `${plural(words.length, "different word")}, ${plural(letters, "byte")}. ` +
        "Each merge makes one token of the commonest pair.",
    );
  }

  /** @param texts the words of the text; @param merge how many merges are shown */
  function draw(texts, merge) {
    if (texts.join("\u0000") !== known) {
      known = texts.join("\u0000");
      build(texts);
    }
    now = clamp(Math.round(merge) || 0, 0, states.length - 1);
    walk.draw();
    parts.pairs.replaceChildren(...pairRows(states, now));
    parts.spelled.replaceChildren(...wordRows(states[now]));
    fill(parts.said, sentence(states, now));
    walk.name();
  }
  return { el: parts.el, draw };
}

/** The parts of the view, still empty. */
function empty() {
  const fact = h("p", { class: "tok-fact" }),
    said = h("p", { class: "tok-why", role: "status" }),
    pairs = h("div", { class: "tok-pairs" }),
    spelled = h("ul", { class: "tok-spelled" });
  const title = h("p", { class: "tok-title", text: "Train BPE on these words" }),
    top = h("div", { class: "tok-top" }, h("div", {}, title, fact));
  const column = (label, what) => h("div", {}, h("p", { class: "itt-label", text: label }), what);
  const el = h(
    "section",
    { class: "tok-how tok-train", "aria-label": "Train BPE on these words" },
    top,
    h("div", { class: "tok-cols" }, column("The commonest pairs now", pairs), column("The words now", spelled)),
    said,
  );
  return { el, top, fact, pairs, spelled, said };
}

/** Back, a slider, Next and a player: the way through the merges. */
function walker({ states, at, onmerge, said }) {
  const last = () => states().length - 1,
    go = (k) => onmerge(clamp(k, 0, last()));
  const own = (k) => {
    play.stop();
    go(k);
  };
  const play = player({ last, at, go, said, words: "Play the merges" });
  const el = h("div", { class: "tok-walk" }),
    back = button("Back", () => own(at() - 1)),
    next = button("Next", () => own(at() + 1));
  let bar = null;
  return {
    el,
    build() {
      play.stop();
      bar = slider({
        label: "Merges learned",
        min: 0,
        max: last(),
        step: 1,
        value: 0,
        words: (k) => `${k} of ${last()}`,
        oninput: own,
      });
      el.replaceChildren(back, bar.el, next, play.el);
      el.hidden = states().length < 2;
    },
    draw() {
      bar.set(at());
      back.disabled = at() <= 0;
      next.disabled = at() >= last();
    },
    name: play.name,
  };
}

/** The commonest pairs of a state, each with its count as a bar. */
function pairRows(states, now) {
  const most = states[0].pairs[0]?.[2] ?? 1;
  return states[now].pairs
    .slice(0, PAIRS)
    .map(([left, right, count], i) =>
      h(
        "div",
        { class: `tok-pair${!i && now < states.length - 1 ? " is-won" : ""}` },
        h("span", { class: "tok-row" }, box(left), box(right)),
        h("span", { class: "tok-bar", style: { "--p": count / most } }),
        h("span", { text: count }),
      ),
    );
}

/** The words of a state as they are spelt now. */
function wordRows({ words, made }) {
  const more = words.length - WORDS;
  return [
    ...words.slice(0, WORDS).map(({ symbols, count }) =>
      h(
        "li",
        { class: "tok-row" },
        symbols.map((symbol) => box(symbol, symbol === made ? "is-new" : "")),
        count > 1 && h("small", { text: `× ${count}` }),
      ),
    ),
    ...(more > 0 ? [h("li", { class: "tok-rest", text: `and ${plural(more, "more word")}` })] : []),
  ];
}

function sentence(states, now) {
  if (states.length === 1) return ["No pair occurs twice, so there is nothing to learn. Write some words again."];
  if (!now)
    return [
      "The bytes of the words, before any merge. The commonest pair comes first; of equally common ones, " +
        "that with the lowest ids.",
    ];
  const [left, right, count] = states[now - 1].pairs[0];
  const end = now === states.length - 1 ? " No pair occurs twice any more." : "";
  return [
    `Merge ${now}: `,
    bdi(`“${spelt(left)}”`),
    " and ",
    bdi(`“${spelt(right)}”`),
    " stood side by side ",
    plural(count, "time"),
    ", and no pair more often. They are now one token, ",
    b(bdi(spelt(left + right))),
    `.${end}`,
  ];
}

const box = (symbol, cls = "") => h("span", { class: `tok-sym ${cls}`, dir: "auto", text: spelt(symbol) });

/** The words of the lane that is cut by BPE; null where there is none. */
export function wordsOf(lanes) {
  const lane = lanes.find(({ kind }) => kind === "bpe");
  return lane ? range(lane.words.length).map((i) => lane.words[i].text) : null;
}
