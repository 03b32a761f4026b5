// What comes next: the distribution after the reader's text. Take a token, or draw one, and go on.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { arrows, button, segmented, textField } from "../look/inputs.js";
import { ownText } from "../look/kept.js";
import { fill, h, onceShown } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { END, nextParts, speller } from "../look/nexts.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { label, num, pct, range } from "../look/words.js";
import { setOf } from "./cutting.js";
import { render as renderHole } from "./hole.js";
import { drawn, KEPT, reader, uniform } from "./numbers.js";
import { heading, picture } from "./picture.js";
import { stepsOf, trailOf } from "./trail.js";
import { tuning } from "./tuning.js";
import {
  bits,
  chip,
  ended,
  means,
  pieces,
  readout,
  rowName,
  scaleEnd,
  share,
  shareOf,
  stopped,
  tail,
  ticksTo,
} from "./words.js";

/** A model that reads both ways does not go on: it fills a hole. */
export const render = (given) => (given.model.get("finished").info.causal ? renderNext(given) : renderHole(given));

function renderNext({ model, el }) {
  const cap = model.get("cap"),
    { seed: seeds, top: tops } = model.get("settings");
  const f = frame(model);
  f.root.classList.add("nw-control");
  const models = model.get("models"),
    names = models.map((one) => one.name);
  let seen = model.get("finished"),
    off = "",
    writing = false;
  const bound = bind(model, change),
    textFor = ownText();
  // an address can ask for a part of a seed
  const state = { ...bound, read: () => ({ ...bound.read(), seed: Math.round(bound.read().seed) }) };
  const words = speller(name);
  const source = feed({
    model,
    read: reader(),
    say: (...words) => text.say(...words),
    show: (reading) => {
      seen = reading;
      if (reading.asked !== reading.trail) state.keep({ trail: reading.trail });
      draw();
      if (writing) requestAnimationFrame(write);
    },
  });

  // --- what a reader operates
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => swap(names[i]),
  });
  const text = textField({
    label: "Your text",
    value: model.get("text"),
    oninput: (words) => {
      halt();
      state.set({ text: words, trail: "" });
    },
  });
  const most = segmented({
    label: "Show the first",
    options: tops.choices.map(String),
    value: 1,
    onpick: (i) => state.set({ top: tops.choices[i] }),
  });
  most.el.classList.add("itt-inline");
  const seed = h("input", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    class: "itt-text",
    value: model.get("seed"),
    oninput: reseed,
  });
  const chance = button("Draw a token", () => {
      halt();
      go();
    }),
    whole = button("Write to the end", () => {
      writing = !writing;
      write();
    }),
    back = button("Step back", () => rewind(stepsOf(state.read().trail).slice(0, -1))),
    again = button("Start again", () => rewind([]), "itt-plain");
  const tuned = model.get("tuned") ? tuning(bound) : null;
  f.bar.append(
    row(pickModel.el, text.el),
    row(
      most.el,
      h("label", { class: "itt-field nw-seed" }, h("span", { class: "itt-label", text: "Seed" }), seed),
      h("div", { class: "nw-buttons", role: "group", "aria-label": "Go on" }, chance, whole, back, again),
    ),
    tuned?.el ?? "",
  );

  const story = h("p", { class: "nw-story", dir: "auto" }),
    list = bars((id) => {
      halt();
      go(id);
    });
  const big = h("b", { class: "nw-bits" }),
    sense = h("p", { class: "nw-means" });
  const side = h(
    "div",
    { class: "nw-side" },
    h("p", { class: "itt-label", text: "Entropy" }),
    h("p", { class: "nw-count" }, big, h("span", { text: "bits" })),
    sense,
  );
  f.stage.append(story, h("div", { class: "nw-cols" }, list.el, side));

  // --- from a wish to a picture
  function swap(name) {
    halt();
    const { model: from, text: words } = state.read();
    state.set({ model: name, trail: "", text: textFor(from, models[names.indexOf(name)], words) });
  }
  function reseed() {
    const good = /^\d+$/.test(seed.value.trim()) && +seed.value <= seeds.most;
    seed.setAttribute("aria-invalid", String(!good));
    f.tell(good ? "" : "A seed is a whole number, such as 7.");
    if (good) state.set({ seed: +seed.value });
  }
  function change() {
    if (!settled()) source.want(wish());
    draw();
  }
  /** Whether the picture is that of the state: only then is there something to draw from. */
  function settled() {
    const now = state.read();
    return (
      now.model === seen.info.name &&
      now.text === seen.text &&
      now.trail === seen.trail &&
      Object.entries(setOf(now)).every(([name, value]) => seen.set[name] === value)
    );
  }
  /** Take the token `id`, or one that chance draws. */
  function go(id = null) {
    const { trail, seed: start } = state.read();
    f.tell(off);
    if (off || !settled()) return;
    if (id === null && !seen.q) {
      f.tell("A token can be drawn as soon as the model is here.");
      source.want(wish());
      return;
    }
    const chance = () => ({ id: drawn(seen.q, uniform(start, seen.steps.length)), seed: start, set: seen.set });
    state.set({ trail: trailOf([...stepsOf(trail), id === null ? chance() : { id, seed: null }]) });
  }
  /** Token after token, one a frame, until the text ends or the reader stops it. */
  function write() {
    if (writing && !off) go();
    writing &&= !off;
    whole.textContent = writing ? "Stop" : "Write to the end";
  }
  const halt = () => {
    writing = false;
    write();
  };
  const rewind = (steps) => {
    halt();
    state.set({ trail: trailOf(steps) });
  };
  const wish = () => {
    const now = state.read();
    return { name: now.model, text: now.text, trail: now.trail, set: setOf(now) };
  };

  function draw() {
    const now = state.read();
    off = stopped(seen);
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
    most.set(tops.choices.indexOf(now.top));
    tuned?.show(now, ended(seen));
    if (document.activeElement !== seed) seed.value = now.seed;
    for (const one of [chance, whole]) one.setAttribute("aria-disabled", String(!!off));
    back.disabled = again.disabled = !now.trail;
    story.replaceChildren(...told(seen));
    story.classList.toggle("is-ended", !!off);
    list.draw(seen, now.top, !!off);
    side.hidden = ended(seen);
    big.textContent = bits(seen.entropy);
    sense.textContent = means(seen.entropy, seen.info.vocab);
    f.source(seen.info.label);
    words.know(seen, seen.ids?.length, spelled(seen, now.top));
    name();
  }
  /** The part that follows when the words of pieces have been found. */
  function name() {
    list.name(seen);
    f.say(readout(seen), tuned && ended(seen) ? " Until then the settings have nothing to change." : "");
    f.fresh();
  }

  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen, state.read().top, WIDE), heading(seen), seen.info.label),
    state: shared,
    call: () => pythonCall("NextWord", shared()),
  });
  function shared() {
    const now = state.read();
    return { ...now, text: now.text.slice(0, 1000) };
  }
  el.append(f.root);
  onceShown(f.root, () => {
    draw();
    source.want(wish());
  });
  return () => {
    state.off();
    source.stop();
    words.stop();
    f.root.remove();
  };
}

/** The text with what came after it: each token with the probability it had. */
function told({ text, steps }) {
  const one = (step, how) =>
    h(
      "span",
      { class: `nw-step is-${how}` },
      bdi(step.token === END ? "end" : chip(step.token)),
      h("small", { text: `${pct(step.p)} ${how}` }),
    );
  const { prose, chips } = tail(steps),
    given = h("bdi", { class: "nw-text", text: label(text, 400) });
  if (prose) given.append(h("span", { class: "nw-written", text: label(prose, 1000) }));
  return [given, ...chips.map((step) => one(step, step.seed === null ? "chosen" : "drawn"))];
}

/** The tokens that are offered: after the end sign none. */
const offered = (seen, most = KEPT) => (ended(seen) ? [] : seen.top.slice(0, most));
/** Those whose words are looked for: what is offered, and what is drawn most often. */
function spelled(seen, most) {
  const shown = offered(seen, most),
    { best } = seen;
  return best && shown.length && !shown.includes(best) ? [...shown, best] : shown;
}

function rows(seen) {
  const { text, steps, info } = seen,
    top = offered(seen),
    left = top.length ? info.vocab - top.length : 0,
    rest = Math.max(0, 1 - top.reduce((sum, one) => sum + one.p, 0));
  const past = range(steps.length).map((i) => [
    `step ${i + 1}`,
    chip(steps[i].token),
    "",
    steps[i].id,
    num(steps[i].p, 6),
    steps[i].seed === null ? "chosen" : `drawn with seed ${steps[i].seed}`,
  ]);
  const next = top.map((one, i) => [
    `next ${i + 1}`,
    chip(one.token),
    label(one.word ?? ""),
    one.id,
    num(one.p, 6),
    "",
  ]);
  return {
    caption: `After “${label(text, 60)}”`,
    head: ["place", "token", "word", "id", "probability", "how"],
    rows: [...past, ...next, ...(left > 0 ? [["rest", `${left} others`, "", "", num(rest, 6), ""]] : [])],
  };
}

// --- The most probable tokens as bars. Each row is a button that takes its token; the rest of the vocabulary is one
// row more.

/** @param onpick called with the id of the token that is taken */
function bars(onpick) {
  const rows = h("div", {
    class: "nw-rows",
    role: "group",
    "aria-label": "The most probable tokens; each is a button that takes its token",
  });
  const rest = h(
    "div",
    { class: "nw-row nw-rest" },
    h("span", { class: "itt-share-token" }),
    h("span", { class: "itt-share is-hollow" }),
    h("span", { class: "nw-p" }),
  );
  const ticks = h("span", { class: "itt-share-ticks" }),
    called = h("span", { class: "nw-axis-name", text: "chance" }),
    axis = h("div", { class: "nw-axis", "aria-hidden": "true" }, called, ticks);
  const key = h("p", { class: "nw-key" }),
    el = h("div", { class: "nw-list" }, rows, rest, axis, key);
  let list = [],
    at = 0;
  const focus = (i) => {
    list.forEach((one, k) => {
      one.tabIndex = k === i ? 0 : -1;
    });
    at = i;
  };
  rows.addEventListener(
    "keydown",
    arrows({ rows: () => list.length, columns: () => 1, at: () => [at, 0], go: (i) => list[i].focus() }),
  );

  function draw(seen, most, off) {
    const { info } = seen,
      shown = offered(seen, most),
      left = info.vocab - shown.length,
      others = Math.max(0, 1 - shown.reduce((sum, one) => sum + (one.q ?? one.p), 0)),
      end = scaleEnd(shown, others),
      had = rows.contains(document.activeElement);
    list = shown.map((one, i) =>
      h(
        "button",
        {
          type: "button",
          class: "nw-row",
          tabindex: i ? -1 : 0,
          "aria-disabled": String(off),
          onfocus: () => focus(i),
          onclick: () => onpick(one.id),
        },
        h("span", { class: `itt-share-token${one.token === END ? " is-end" : ""}` }),
        bar(one, end),
        h("span", { class: `nw-p${one.cut ? " is-cut" : ""}`, text: shareOf(one) }),
      ),
    );
    rows.replaceChildren(...list);
    el.hidden = !list.length;
    if (!list.length) return;
    focus(0);
    if (had) list[0].focus();
    rest.hidden = left < 1;
    ticks.replaceChildren(...ticksTo(end).map((text) => h("span", { text })));
    rest.children[0].textContent = `${left.toLocaleString("en")} ${left === 1 ? "other" : "others"}`;
    rest.children[1].style.setProperty("--p", others / end);
    rest.children[2].textContent = share(others);
  }
  /** Write the words of the tokens, as far as they are known. */
  function name(seen) {
    const shown = offered(seen, list.length);
    list.forEach((one, i) => {
      fill(one.firstChild, nextParts(shown[i], seen.before, seen.info));
      one.setAttribute(
        "aria-label",
        `${rowName(shown[i], seen)}, ${shown[i].cut ? "cut by " : ""}${shareOf(shown[i])}`,
      );
    });
    key.textContent = pieces(shown, seen);
  }
  return { el, draw, name };
}

/** What a token is drawn with, and where that was changed, as an outline what the model gave; up to the scale's end. */
const bar = ({ p, q }, end) =>
  h(
    "span",
    { class: "itt-share", style: { "--p": (q ?? p) / end } },
    q !== undefined && h("i", { class: "nw-own", style: { "--p": p / end } }),
  );
