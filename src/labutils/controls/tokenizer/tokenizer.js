// The tokenizer playground: any text, cut by two tokenizers, with the steps that cut each word.

import { openTokenizer } from "../engine/source.js";
import { frame, row } from "../look/frame.js";
import { segmented, textField } from "../look/inputs.js";
import { onceShown } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { plural } from "../look/words.js";
import { howView } from "./how.js";
import { lanesView } from "./lanes.js";
import { capped, chosen, cutting } from "./numbers.js";
import { picture } from "./picture.js";
import { trainView, wordsOf } from "./train.js";
import { bytesOf, charactersOf, LONG, readout, sources, visible } from "./words.js";

export const CAP = 160;
const STATE = ["text", "real", "side", "piece", "step", "under", "merge"];
const UNDER = ["id", "bytes", "characters"];
const LISTS = ["of the little models", "of the real ones"];

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished"); // { text, lanes }: what is drawn
  const state = bind(model, STATE, change);
  // the two pairs of tokenizers; the published ones are fetched when a reader chooses them
  const pairs = [seen.lanes, model.get("published")].map((lanes) => ({ lanes, cutters: tokenizers(model, lanes) }));
  const pair = () => pairs[state.read().real ? 1 : 0];

  // --- what a reader operates
  const field = textField({
    label: `Your text, up to ${CAP} characters`,
    value: model.get("text"),
    samples: model.get("samples"),
    oninput: (text) => state.set({ text, side: 0, piece: -1, step: -1, merge: 0 }),
  });
  const lists = segmented({
    label: "Vocabularies",
    options: LISTS,
    value: model.get("real"),
    onpick: (real) => state.set({ real, side: 0, piece: -1, step: -1 }),
  });
  const below = segmented({
    label: "Below each piece",
    options: UNDER,
    value: model.get("under"),
    onpick: (under) => state.set({ under }),
  });
  const lanes = lanesView(seen.lanes.length, (side, piece, focus) => {
    state.keep({ side, piece, step: -1 });
    draw(focus);
  });
  const how = howView((step) => state.set({ step })),
    train = trainView((merge) => state.set({ merge }));
  f.bar.append(row(field.el), row(lists.el, below.el));
  f.stage.append(lanes.el, how.el, train.el);

  // --- from a text to a picture
  function change() {
    const { text: wish } = state.read(),
      { text, left } = capped(wish, CAP);
    const { lanes: named, cutters } = pair(),
      ready = cutters.ready();
    if (!ready) {
      cutters.open(change);
      if (text !== seen.text || named[0].name !== seen.lanes[0].name)
        field.say(
          `${cutters.reason()} What is shown is the text “${visible(seen.text, 60).replaceAll("·", " ")}”.`,
          true,
        );
    } else {
      try {
        if (text !== seen.text || !seen.live || named[0].name !== seen.lanes[0].name) {
          seen = {
            text,
            live: true,
            lanes: named.map((lane, m) => ({
              ...lane,
              size: ready[m].size,
              merges: ready[m].merges.length,
              ...cutting(ready[m], text),
            })),
          };
          lanes.build(seen.lanes, text);
          f.source(sources(seen.lanes));
        }
        const more = `${plural(left, "character")} more ${left === 1 ? "is" : "are"} left out`;
        field.say(left ? `The first ${CAP} characters are cut; ${more}.` : "");
      } catch (error) {
        field.say(error.message, true);
      }
    }
    draw();
  }

  function view() {
    const now = state.read(),
      [side, piece] = chosen(seen.lanes, now.side, now.piece);
    return {
      ...now,
      side,
      piece,
      which: now.under in UNDER ? now.under : 0,
      text: seen.text,
      lane: seen.lanes[side],
      token: seen.lanes[side].tokens[piece],
    };
  }
  let drawn = [];
  /** A step through the merges leaves the lanes and the readout alone. */
  function draw(focus = false) {
    const v = view(),
      what = [seen, v.side, v.piece, v.which];
    field.set(state.read().text);
    below.set(v.which);
    lists.set(v.real ? 1 : 0);
    if (focus || what.some((x, i) => x !== drawn[i])) lanes.draw({ ...v, focus });
    if (seen !== drawn[0]) f.say(readout(seen.lanes, seen.text));
    drawn = what;
    how.el.hidden = !v.token;
    if (v.token) how.draw(v);
    const words = wordsOf(seen.lanes);
    train.el.hidden = !words?.length || !model.get("trains");
    if (!train.el.hidden) train.draw(words, v.merge);
    f.fresh();
  }

  f.source(sources(seen.lanes));
  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture({ ...seen, ...view() }, WIDE), model.get("title"), sources(seen.lanes)),
    state: shared,
    call: () => pythonCall("Tokenizer", shared()),
  });
  function shared() {
    const { side, piece, step, which, merge, real } = view();
    return { text: seen.text, side, piece, step, under: which, merge, real };
  }

  el.append(f.root);
  lanes.build(seen.lanes, seen.text);
  onceShown(f.root, () => {
    draw();
    pair().cutters.open(change);
  });
  return () => {
    state.off();
    pairs.forEach((one) => {
      one.cutters.stop();
    });
    f.root.remove();
  };
}

/** The two tokenizers: on their way, here, or not to be had; then each change of the text tries again. */
function tokenizers(model, lanes) {
  let found = null,
    failed = "",
    waiting = false,
    stopped = false;
  function open(then) {
    if (waiting || found || failed) return;
    waiting = true;
    Promise.all(lanes.map((lane) => openTokenizer(model, lane.name)))
      .then(
        (all) => {
          found = all;
        },
        (error) => {
          failed = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
        },
      )
      .then(() => {
        waiting = false;
        if (!stopped) then();
      });
  }
  return {
    open,
    stop: () => {
      stopped = true;
    },
    ready: () => found,
    reason: () => failed || (waiting ? "The tokenizers are on their way." : ""),
  };
}

function rows({ lanes, text }) {
  const line = (lane) =>
    lane.tokens.map((t, i) => [
      `${LONG[lane.kind]} ${i}`,
      visible(t.text, 60),
      t.id,
      t.word === null ? "none" : charactersOf(t, text),
      t.word === null ? "none" : bytesOf(t, lane.kind, text),
      t.unknown ? "unknown" : t.special ? "special" : t.bytes ? "part of a character" : "",
    ]);
  return {
    caption: `“${visible(text, 160).replaceAll("·", " ")}” in tokens`,
    head: ["token", "piece", "id", "characters", "bytes", "kind"],
    rows: lanes.flatMap(line),
  };
}
