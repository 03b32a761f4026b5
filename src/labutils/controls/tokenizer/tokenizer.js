// The tokenizer playground: any text, cut by two tokenizers, with the steps that cut each word.

import { frame, row, stand } from "../look/frame.js";
import { folded, segmented, textField } from "../look/inputs.js";
import { paper } from "../look/onpaper.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { plural } from "../look/words.js";
import { tokenizers } from "./cutters.js";
import { howView } from "./how.js";
import { lanesView } from "./lanes.js";
import { capped, chosen, cutting } from "./numbers.js";
import { picture } from "./picture.js";
import { trainView, wordsOf } from "./train.js";
import { readout, rows, sources, visible } from "./words.js";

const UNDER = ["id", "bytes", "characters"];
const LISTS = ["of the little models", "of the real ones"];

export function render({ model, el }) {
  const cap = model.get("cap");
  const f = frame(model);
  let seen = model.get("finished"); // { text, lanes }: what is drawn
  const state = bind(model, change);
  // the two pairs of tokenizers; the published ones are fetched when a reader chooses them
  const pairs = [seen.lanes, model.get("published")].map((lanes) => ({ lanes, cutters: tokenizers(model, lanes) }));
  const pair = () => pairs[state.read().real ? 1 : 0];
  const inputs = bar(model, state);
  const shown = canvas(f, model, state, draw);
  f.bar.append(...inputs.rows);

  // --- from a text to a picture
  function change() {
    const { lanes, cutters } = pair(),
      { text, left } = capped(state.read().text, cap),
      same = text === seen.text && lanes[0].name === seen.lanes[0].name,
      ready = cutters.ready();
    if (!ready) {
      cutters.open(change);
      const was = `What is shown is the text “${visible(seen.text, 60).replaceAll("·", " ")}”.`;
      if (!same) inputs.say(`${cutters.reason()} ${was}`, true);
    } else {
      try {
        if (!same || !seen.live) read(cut(text, lanes, ready));
        const more = `${plural(left, "character")} more ${left === 1 ? "is" : "are"} left out`;
        inputs.say(left ? `The first ${cap} characters are cut; ${more}.` : "");
      } catch (error) {
        inputs.say(error.message, true);
      }
    }
    draw();
  }
  function read(reading) {
    seen = reading;
    shown.build(seen);
    f.source(sources(seen.lanes));
  }
  function draw(focus = false) {
    const v = view(seen, state.read());
    inputs.show(state.read(), v);
    shown.draw(seen, v, focus);
    f.fresh();
  }

  f.source(sources(seen.lanes));
  const now = () => view(seen, state.read());
  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture({ ...seen, ...now() }, WIDE), model.get("title"), sources(seen.lanes)),
    state: () => shared(now()),
    call: () => pythonCall("Tokenizer", shared(now())),
  });
  shown.build(seen);
  const begin = () => {
    draw();
    pair().cutters.open(change);
  };
  return stand(el, f.root, begin, [shown.stop, state.off, ...pairs.map((one) => one.cutters.stop)]);
}

/** A text, cut by the tokenizers of its lanes. */
const cut = (text, lanes, ready) => ({
  text,
  live: true,
  lanes: lanes.map((lane, m) => ({
    ...lane,
    size: ready[m].size,
    merges: ready[m].merges.length,
    ...cutting(ready[m], text),
  })),
});

/** The state that can be drawn, with the token that is chosen. */
function view(seen, now) {
  const [side, piece] = chosen(seen.lanes, now.side, now.piece),
    lane = seen.lanes[side];
  return {
    ...now,
    side,
    piece,
    which: now.under in UNDER ? now.under : 0,
    text: seen.text,
    lane,
    token: lane.tokens[piece],
  };
}
const shared = ({ text, side, piece, step, which, merge, real }) => ({
  text,
  side,
  piece,
  step,
  under: which,
  merge,
  real,
});

// --- What is drawn in the frame `f`: the lanes, how the chosen word was cut, and the training.

/** @param redraw called when a token was chosen, with whether it takes the focus */
function canvas(f, model, state, redraw) {
  const lanes = lanesView(model.get("finished").lanes.length, (side, piece, focus) => {
    state.keep({ side, piece, step: -1 });
    redraw(focus);
  });
  const how = howView((step) => state.set({ step })),
    train = trainView((merge) => state.set({ merge })),
    printed = paper(() => redraw());
  const training = model.get("folded") ? folded("Train BPE on these words", "tok-more", train.el) : train.el;
  f.stage.append(lanes.el, f.bar, how.el, training); // the picture first, and what is typed beside it
  let drawn = [];
  /** A step through the merges leaves the lanes and the readout alone. */
  function draw(seen, v, focus) {
    const what = [seen, v.side, v.piece, v.which];
    if (focus || what.some((x, i) => x !== drawn[i])) lanes.draw({ ...v, focus });
    if (seen !== drawn[0]) f.say(readout(seen.lanes, seen.text));
    drawn = what;
    how.el.hidden = !v.token || (model.get("folded") && state.read().piece < 0);
    if (v.token) how.draw(v);
    const words = wordsOf(seen.lanes);
    training.hidden = !words?.length || !model.get("trains");
    if (!training.hidden) train.draw(words, printed.on() ? Number.MAX_SAFE_INTEGER : v.merge);
  }
  return { build: (seen) => lanes.build(seen.lanes, seen.text), draw, stop: printed.stop };
}

// --- What a reader of the tokens operates: the text, the vocabularies, and what stands below each piece.

function bar(model, state) {
  const field = textField({
    label: `Your text, up to ${model.get("cap")} characters`,
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
  return {
    rows: [row(field.el), row(lists.el, below.el)],
    say: field.say,
    show({ text }, { which, real }) {
      field.set(text);
      below.set(which);
      lists.set(real ? 1 : 0);
    },
  };
}
