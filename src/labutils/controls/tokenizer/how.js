// How one word was cut, one step after the other: the merges of BPE, the tries of WordPiece.

import { button, slider } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { clamp } from "../look/words.js";
import { about, noMerge, quoted, rankName, visible, whyMerge, whyPiece } from "./words.js";

const ROWS = 8,
  TRIES = 10; // what is drawn at most

/** How many steps a word has: merges, or pieces. */
export const stepsOf = (kind, steps) => (kind === "bpe" ? Math.max(0, steps.length - 1) : steps.length);

/** @param onstep called with the number of steps that are to be shown */
export function howView(onstep) {
  const title = h("p", { class: "tok-title" }),
    fact = h("p", { class: "tok-fact" }),
    list = h("ol", { class: "tok-steps" });
  const why = h("p", { class: "tok-why", role: "status" }),
    walk = walker(onstep);
  const head = h("div", { class: "tok-top" }, h("div", {}, title, fact), walk.el),
    el = h("div", { class: "tok-how" }, head, list, why);

  /** @returns the step that is shown */
  function draw({ lane, token, step, text }) {
    const word = lane.words[token.word],
      steps = word?.steps ?? [],
      total = stepsOf(lane.kind, steps),
      least = lane.kind === "bpe" ? 0 : 1,
      now = step < 0 ? total : clamp(Math.round(step), least, total);
    fill(title, word ? ["How ", quoted(word.text), " was cut"] : "What the tokenizer adds");
    fill(fact, about(token, lane.kind, text));
    walk.draw(lane.kind, now, total, least);
    const rows = lane.kind === "bpe" ? mergeRows(steps, now) : pieceRows(steps, now),
      hidden = Math.max(0, rows.length - ROWS);
    list.replaceChildren(...(hidden ? [earlier(hidden)] : []), ...rows.slice(-ROWS));
    list.style.setProperty("--rows", Math.min(ROWS + 1, total + (least ? 0 : 1)));
    fill(why, said(lane, steps, now, total, token));
    return now;
  }
  return { el, draw };
}

const earlier = (hidden) =>
  h(
    "li",
    { class: "tok-more" },
    h("span"),
    h("span", { text: `${hidden} earlier ${hidden === 1 ? "step" : "steps"}` }),
  );

/** Back, a slider and Next; hidden where there is nothing to walk through. */
function walker(onstep) {
  const el = h("div", { class: "tok-walk" }),
    back = button("Back", () => onstep(now - 1)),
    next = button("Next", () => onstep(now + 1));
  let now = 0,
    bar = null,
    built = "";
  function build(kind, total) {
    bar = slider({
      label: kind === "bpe" ? "Merge" : "Piece",
      min: kind === "bpe" ? 0 : 1,
      max: total,
      step: 1,
      value: now,
      words: (s) => `${s} of ${total}`,
      oninput: onstep,
    });
    el.replaceChildren(back, bar.el, next);
  }
  function draw(kind, step, total, least) {
    const key = `${kind} ${total}`;
    now = step;
    el.hidden = total < (kind === "bpe" ? 1 : 2);
    if (!el.hidden) {
      if (built === key) bar?.set(now);
      else build(kind, total);
      built = key;
    }
    back.disabled = now <= least;
    next.disabled = now >= total;
  }
  return { el, draw };
}

function said(lane, steps, now, total, token) {
  if (token.word === null) return [];
  if (lane.kind === "words") return ["This tokenizer cuts at white space alone: each word it knows is one token."];
  if (!total) return [noMerge(steps, token)];
  if (lane.kind === "bpe")
    return now ? whyMerge(steps, now - 1, lane.merges) : ["The bytes of the word, before any merge."];
  return whyPiece(steps, now - 1);
}

const box = (text, cls = "") => h("span", { class: `tok-sym ${cls}`, dir: "auto", text: visible(text) });

/**
 * One row a state, from the bytes on. In the row before the last, each pair in the list has its place beside it, and
 * the winner stands out.
 */
function mergeRows(steps, now) {
  return steps.slice(0, now + 1).map(({ parts, ranks, won }, i) => {
    const made = i ? steps[i - 1].won : -1,
      rival = i === now - 1;
    const inside = parts.flatMap((part, k) => {
      const wins = rival && (k === won || k === won + 1),
        rank = rival && k < ranks.length ? ranks[k] : null;
      const cls = wins ? "is-pair" : i === now && k === made ? "is-new" : "";
      return [
        box(part, cls),
        rank === null ? null : h("span", { class: `tok-place${k === won ? " is-won" : ""}`, text: rank + 1 }),
      ];
    });
    return h(
      "li",
      { class: i === now ? "is-now" : "" },
      h("span", { class: "tok-rank", text: i ? rankName(steps[i - 1].ranks[made]) : "bytes" }),
      h("span", { class: "tok-row" }, inside),
    );
  });
}

/** One row a piece; in the row that is shown, what was tried before it. */
function pieceRows(steps, now) {
  return steps.slice(0, now).map(({ tried, found }, i) => {
    const current = i === now - 1,
      more = tried.length - TRIES;
    const tries = current
      ? [
          tried.slice(0, TRIES).map((text) => box(text, "is-no")),
          more > 0 && h("span", { class: "tok-rest", text: `${more} more` }),
        ]
      : [];
    const hit =
      found === null ? h("span", { class: "tok-rest", text: "none fits" }) : box(found, current ? "is-new" : "");
    return h(
      "li",
      { class: current ? "is-now" : "" },
      h("span", { class: "tok-rank", text: `piece ${i + 1}` }),
      h("span", { class: "tok-row" }, tries, hit),
    );
  });
}
