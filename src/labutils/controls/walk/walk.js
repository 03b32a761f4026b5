// From a text to a word: the stages of a model as a list, one of them open, for one token and one block at a time.

import { feed } from "../look/feed.js";
import { frame, stand } from "../look/frame.js";
import { onTheme } from "../look/kit.js";
import { speller } from "../look/nexts.js";
import { player } from "../look/player.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { drawn, uniform } from "../next_word/numbers.js";
import { isGuessed, onGuess } from "../predict/question.js";
import { bar } from "./bar.js";
import { list } from "./list.js";
import { isTried, shownHead, spared } from "./needed.js";
import { filled, finished, live, odds, reader, view } from "./numbers.js";
import { picture } from "./picture.js";
import { stage } from "./stage.js";
import { rows } from "./table.js";
import { chip, heading, readout } from "./words.js";

const LIKELY = 0.005; // from this share on, which is written as 1%, a next token stands with its word

export function render({ model, el }) {
  const f = frame(model),
    [models, table, known] = ["models", "table", "known"].map((name) => model.get(name));
  const bound = bind(model, change),
    read = () => sound(bound.read()), // an address can ask for anything
    state = { ...bound, read, set: (patch) => bound.set(renewed(patch, read())) };
  const here = { seen: finished(model.get("finished"), table), source: null, told: "" };
  const now = () => view(here.seen, state.read(), table, known),
    to = (i) => state.set({ stage: now().shown[i].key });
  const wishes = wished(model, here, {
    say: (...words) => inputs.text.say(...words),
    show: () => {
      build();
      draw();
    },
  });
  const play = player({
    words: "Walk",
    again: "Walk",
    last: () => now().shown.length - 1,
    at: () => now().at,
    go: to,
    said: () => f.readout.textContent,
  });
  const stopped =
    (act) =>
    (...given) => {
      play.stop();
      return act(...given);
    };
  const acts = {
    set(patch) {
      if ("text" in patch) here.told = "";
      if ("view" in patch) play.stop();
      state.set(patch);
    },
    swap(i) {
      here.told = "";
      state.set(swapped(models[i], models, state.read().text));
    },
    pick: stopped(to),
    take: stopped(() => taken(here, state, f, model.get("settings").seed.most)),
  };
  const inputs = bar(model, acts, play.el),
    stops = list(acts.pick),
    open = stage(stops.el),
    spoken = speller(() => draw());
  /** The same as `now`, with the words that the next tokens begin as far as they are known. */
  function worded() {
    const v = now();
    spoken.know(here.seen, v.i + 1, named(v));
    return v;
  }
  /** @type {boolean | null} */
  let built = null; // for stations or for every stage
  function build() {
    const v = now();
    inputs.build(v);
    stops.build(v);
    built = order(f, v.first, built);
  }
  function change() {
    const { model: name, text } = state.read(),
      { seen } = here;
    if (name !== seen.info.name || text !== seen.text || lacks(state.read(), seen)) wishes.want(wish(state.read()));
    draw();
  }
  function draw() {
    if (now().first !== built) build();
    const v = worded();
    f.root.classList.toggle("wk-first", v.first);
    inputs.draw(v, state.read());
    stops.draw(v);
    open.draw(v);
    f.tell(v.held ? "" : "The other blocks appear when the model is there.");
    f.say(here.told, readout(v));
    f.source(here.seen.info.label);
    play.name();
    f.fresh();
  }

  f.bar.append(inputs.line, inputs.settings);
  f.stage.append(open.el);
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(worded(), WIDE), heading(now()), here.seen.info.label),
    state: state.read,
    call: () => pythonCall("Walk", { ...state.read(), layer: now().layer }),
  });
  build();
  const ends = [onTheme(draw), spoken.stop, play.stop, state.off, wishes.stop, onGuess(answered(model, state))];
  const begin = () => {
    draw();
    ends.push(open.follow(worded));
    wishes.want(wish(state.read()));
  };
  return stand(el, f.root, begin, ends);
}

/**
 * In a first walk the picture comes first, then what is typed, then the guess, which is about what the picture shows.
 * @param {boolean} first @param {boolean | null} was whether it was one before
 */
function order(f, first, was) {
  if (first === was) return first;
  const had = document.activeElement,
    guess = f.root.querySelectorAll(".guess");
  if (first) f.readout.after(f.bar, ...guess);
  else f.stage.before(...guess, f.bar);
  if (had instanceof HTMLElement && f.bar.contains(had)) had.focus(); // what moves in the page loses it
  return first;
}

const tried = async (source, trace, ahead) => (isTried(trace.info) ? spared(source, trace, ahead) : undefined);

/** Once its guess is made, what was asked about is read, unless the reader has written something else. */
const answered = (model, state) => () => {
  const then = model.get("then"),
    untouched = state.read().text === model.get("finished").text;
  if (then && untouched && isGuessed(model.get("guess").name)) state.set({ text: then });
};

/** In a first walk another text or row shows the block and head that its own answer needs, another block its head. */
function renewed(patch, { view: shown }) {
  if (shown !== "stations") return patch;
  const other = "text" in patch || "model" in patch || "row" in patch;
  return { ...(other && { layer: -1 }), ...((other || "layer" in patch) && { head: -1 }), ...patch };
}

const wish = ({ model: name, text, view: shown }) => ({ name, text, first: shown === "stations" });
/** Whether a first walk has a reading in which no head was switched off. */
const lacks = ({ view: shown }, seen) => shown === "stations" && seen.live && !seen.spare && isTried(seen.info);
/** The next tokens that stand with their words: those that are likely, also where a head is switched off. */
function named(v) {
  const instead = v.first && shownHead(v)?.instead;
  return [...v.ahead, ...(instead ? [instead] : [])].filter(({ p, token }) => p >= LIKELY && token.startsWith("␣"));
}

/** Readings of the text that is asked for; the source stays, because a drawn token has to be spelt. */
function wished(model, here, { say, show }) {
  const [table, known] = ["table", "known"].map((name) => model.get(name));
  async function read(from, wish, how) {
    const reading = await reader(known, tried)(from, wish, how);
    here.source = from;
    return reading;
  }
  return feed({
    model,
    read,
    say,
    show: (reading) => {
      here.seen = live(reading, table);
      show();
    },
  });
}

/** What another model changes: a text that came with a model goes with it. */
function swapped(chosen, models, text) {
  const own = models.every((one) => one.text !== text),
    keeps = own && chosen.name !== "paper-gpt2";
  return { model: chosen.name, text: keeps ? text : chosen.text, row: -1 };
}

/** One token is drawn by the odds: a GPT-2 goes on with it, a BERT fills its hole. */
async function taken(here, state, f, most) {
  const { seen, source } = here,
    { text, seed, model } = state.read();
  if (!source || seen.logits === undefined || text !== seen.text || model !== seen.info.name) {
    f.tell("A token can be drawn as soon as the model is here.");
    return;
  }
  const id = drawn(odds(seen, seen.asks), uniform(seed, seen.n)),
    [piece] = await source.tokens([id]);
  if (state.read().text !== text) return;
  const next = seen.info.causal ? await spelt(seen, source, id) : filled(text, piece);
  here.told = `Drawn: “${chip(piece)}”.${piece === "<|endoftext|>" ? " It ends the text." : ""} `;
  state.set({ text: next, row: -1, seed: (seed + 1) % most, stage: "odds" });
}
const spelt = async (seen, source, id) =>
  (seen.info.name === "paper-gpt2" ? `${seen.text} ` : seen.text) + (await source.decode([id]));

const sound = (state) => ({
  ...state,
  layer: Math.max(-1, Math.round(state.layer) || 0),
  head: Math.max(-1, Math.round(state.head) || 0),
  row: Math.round(state.row),
  seed: Math.round(state.seed),
});
