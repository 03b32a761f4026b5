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
  const fact = h("p", { class: "tok-fact" }),
    walk = h("div", { class: "tok-walk" }),
    said = h("p", { class: "tok-why", role: "status" });
  const list = h("div", { class: "tok-pairs" }),
    spelled = h("ul", { class: "tok-spelled" });
  const el = h(
    "section",
    { class: "tok-how tok-train", "aria-label": "Train BPE on these words" },
    h(
      "div",
      { class: "tok-top" },
      h("div", {}, h("p", { class: "tok-title", text: "Train BPE on these words" }), fact),
      walk,
    ),
    h(
      "div",
      { class: "tok-cols" },
      h("div", {}, h("p", { class: "itt-label", text: "The commonest pairs now" }), list),
      h("div", {}, h("p", { class: "itt-label", text: "The words now" }), spelled),
    ),
    said,
  );
  let states = [],
    now = 0,
    bar = null,
    known = "";
  const go = (k) => onmerge(clamp(k, 0, states.length - 1));
  const own = (k) => {
    play.stop();
    go(k);
  };
  const play = player({
    last: () => states.length - 1,
    at: () => now,
    go,
    said: () => said.textContent,
    words: "Play the merges",
  });
  const back = button("Back", () => own(now - 1)),
    next = button("Next", () => own(now + 1));

  function build(texts) {
    states = trained(texts);
    play.stop();
    const { words } = states[0],
      letters = words.reduce((sum, { symbols }) => sum + symbols.length, 0);
    fill(
      fact,
      `${plural(words.length, "different word")}, ${plural(letters, "byte")}. ` +
        "Each merge makes one token of the commonest pair.",
    );
    bar = slider({
      label: "Merges learned",
      min: 0,
      max: states.length - 1,
      step: 1,
      value: 0,
      words: (k) => `${k} of ${states.length - 1}`,
      oninput: own,
    });
    walk.replaceChildren(back, bar.el, next, play.el);
    walk.hidden = states.length < 2;
  }

  /** @param texts the words of the text; @param merge how many merges are shown */
  function draw(texts, merge) {
    if (texts.join("\u0000") !== known) {
      known = texts.join("\u0000");
      build(texts);
    }
    now = clamp(Math.round(merge) || 0, 0, states.length - 1);
    const state = states[now],
      most = states[0].pairs[0]?.[2] ?? 1;
    bar.set(now);
    back.disabled = now <= 0;
    next.disabled = now >= states.length - 1;
    list.replaceChildren(
      ...state.pairs
        .slice(0, PAIRS)
        .map(([left, right, count], i) =>
          h(
            "div",
            { class: `tok-pair${!i && now < states.length - 1 ? " is-won" : ""}` },
            h("span", { class: "tok-row" }, box(left), box(right)),
            h("span", { class: "tok-bar", style: { "--p": count / most } }),
            h("span", { text: count }),
          ),
        ),
    );
    const more = state.words.length - WORDS;
    spelled.replaceChildren(
      ...state.words.slice(0, WORDS).map(({ symbols, count }) =>
        h(
          "li",
          { class: "tok-row" },
          symbols.map((symbol) => box(symbol, symbol === state.made ? "is-new" : "")),
          count > 1 && h("small", { text: `× ${count}` }),
        ),
      ),
      ...(more > 0 ? [h("li", { class: "tok-rest", text: `and ${plural(more, "more word")}` })] : []),
    );
    fill(said, sentence(states, now));
    play.name();
  }
  return { el, draw };
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
