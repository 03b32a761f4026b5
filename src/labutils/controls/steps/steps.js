// One query of one head, step by step: q·k, divide, mask, softmax, weighted sum of v. Computed here from the model's
// own q, k, v.

import { feed } from "../look/feed.js";
import { frame, stand } from "../look/frame.js";
import { button, folded } from "../look/inputs.js";
import { typing } from "../look/kept.js";
import { h, onTheme } from "../look/kit.js";
import { paper } from "../look/onpaper.js";
import { player } from "../look/player.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, label, num } from "../look/words.js";
import { bar, STEPS } from "./bar.js";
import { detail } from "./detail.js";
import { grid } from "./grid.js";
import { finished, hides, live, title, view } from "./numbers.js";
import { picture } from "./picture.js";
import { divisorName, readout } from "./words.js";

export function render({ model, el }) {
  const f = frame(model);
  // the reading that is drawn, the column of the number that is explained, whether the reader has chosen a key
  let [seen, column, chosen] = [finished(model), 4, false];
  const state = bind(model, change),
    places = typing(state, ["query"]),
    printed = ending(() => draw()),
    now = () => view(seen, printed.of(state.read()), column);
  const goTo = (i) => {
    column = i;
    state.set({ step: i + 1 });
  };
  const play = stepped(f, state, goTo);
  const inputs = bar(model, state, {
    onstep: (i) => {
      play.stop();
      goTo(i);
    },
    ontext: places.ontext,
    onquery: (query) => state.set({ query, ...(!chosen && best(seen, { ...state.read(), query })) }),
  });
  const shown = canvas(f, model.get("folded"), [inputs.stepper, play.el], {
    onpick: (key, s) => {
      [column, chosen] = [s ?? column, true];
      state.set({ key });
    },
    onback: () => state.set({ temperature: 1, scale: true, causal: hides(seen) }),
  });
  const source = feed({ model, want: ["q", "k", "v"], say: inputs.say, show: (reading) => arrived(live(reading)) });

  function arrived(reading) {
    const inside = places.inside(reading, { layer: reading.L, head: reading.H, query: reading.n, key: reading.n });
    // another kind of model brings its own mask
    const masked = hides(reading) === hides(seen) ? {} : { causal: hides(reading) };
    seen = reading;
    state.keep({ ...inside, ...masked });
    inputs.build(seen, state.read());
    shown.build(seen);
    draw();
  }
  function change() {
    source.follow(state.read(), seen);
    draw();
  }
  function draw() {
    const v = now();
    f.tell(v ? "" : "The other heads appear when the model is there.");
    if (!v) return;
    inputs.show(v);
    shown.draw(v, seen);
    play.name();
    f.fresh();
  }

  place(f, inputs, model.get("folded"));
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), title(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Steps", state.read()),
  });
  const begin = () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  };
  return stand(el, f.root, begin, [onTheme(draw), printed.stop, play.stop, state.off, source.stop]);
}

/** A token asks: about the key to which it gives most, once its head is there. */
function best(seen, state) {
  const v = view(seen, state, 4);
  return v ? { key: v.c.best } : {};
}

/** Plays step after step, at the pace at which the readout of each is read. */
const stepped = (f, state, go) =>
  player({
    last: () => STEPS.length - 1,
    at: () => index(state.read().step - 1, STEPS.length),
    go,
    said: () => f.readout.textContent,
  });

/** On paper the calculation has come to its end. */
function ending(draw) {
  const { on, stop } = paper(draw);
  return { of: (now) => (on() ? { ...now, step: STEPS.length } : now), stop };
}

/**
 * Settings above the table. Where they wait, the token that asks stands there alone, on a phone below the table; in
 * their fold those come first that move the numbers of the table, so that both are seen at once.
 */
function place(f, { settings, query }, waits) {
  if (!waits) return f.bar.append(...settings, query);
  f.root.classList.add("st-folded");
  f.stage.before(h("div", { class: "st-asks" }, query));
  f.bar.append(folded("Temperature, scale and mask; another text or head", "st-more", settings.toReversed()));
  f.readout.after(f.bar);
}

/**
 * What is drawn in the frame `f`: the formula, the table, where a number comes from, and whether the weights are the
 * model's own.
 * @param waits whether formula and number wait in a fold, until a reader points at a number
 * @param walk what goes from step to step
 */
function canvas(f, waits, walk, { onpick, onback }) {
  const formula = h("p", { class: "st-formula", "aria-hidden": "true" }),
    worked = detail(),
    behind = waits ? folded("Where a number comes from", "st-more", formula, worked.el) : null;
  const table = grid((key, column) => {
    if (behind && column !== undefined) behind.open = true;
    onpick(key, column);
  });
  const changed = h(
    "span",
    { class: "itt-flag" },
    h("span", { text: "Changed: these are no longer the model’s own weights." }),
    button("Back to the model", onback, "itt-plain"),
  );
  const drawn = behind ? [table.el, behind] : [formula, table.el, worked.el];
  f.stage.append(h("div", { class: "st-walk" }, walk), ...drawn);
  return {
    build: (seen) => table.build(seen.tokens, seen.d),
    draw(v, seen) {
      formula.replaceChildren(...general(v.how, v.step));
      table.draw(v);
      worked.draw(v);
      f.say(readout(v));
      f.source(v.changed ? changed : seen.info.label);
    },
  };
}

function rows(v) {
  const { c, head, how, tokens } = v;
  return {
    caption: title(v),
    head: ["key", "q · k", `÷ ${divisorName(how, head.d)}`, "masked", "weight"],
    rows: tokens.map((t, j) => [
      `${j} ${label(t)}`,
      num(c.raw[j], 3),
      num(c.scaled[j], 3),
      c.kept[j] === -Infinity ? "masked" : num(c.kept[j], 3),
      num(c.w[j], 4),
    ]),
  };
}

/** The whole formula; the part of the step that is shown stands out. */
function general({ scale, temperature }, step) {
  const part = (on, ...kids) => h("span", { class: on ? "is-on" : "" }, kids),
    i = (word) => h("i", { text: word }),
    sub = (word) => h("sub", { text: word });
  const under = scale ? ["√", i("d"), sub("k")] : temperature === 1 ? ["1"] : [];
  return [
    i("z"),
    " = Σ",
    sub("j"),
    " ",
    part(step === 3, "softmax"),
    " ( ",
    part(step === 0, i("q"), " · ", i("k"), sub("j")),
    " ",
    part(step === 1, "/ ", temperature === 1 ? "" : "τ", under),
    " ",
    part(step === 2, "+ mask"),
    " ) ",
    part(step === 4, i("v"), sub("j")),
  ];
}
