// One query of one head, step by step: q·k, divide, mask, softmax, weighted sum of v. Computed here from the model's
// own q, k, v.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, choice, segmented, slider, textField, toggle, tokenPicker } from "../look/inputs.js";
import { lastOf, ownText, remembering } from "../look/kept.js";
import { h, onceShown, onTheme, write } from "../look/kit.js";
import { player } from "../look/player.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, label, num, range } from "../look/words.js";
import { detail, grid } from "./grid.js";
import { finished, hides, live, title, view } from "./numbers.js";
import { picture } from "./picture.js";
import { divisorName, readout } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "head", "query", "key", "step", "temperature", "scale", "causal"];

export function render({ model, el }) {
  const f = frame(model);
  // the reading that is drawn, the column of the number that is explained, whether the reader has typed since
  let seen = finished(model),
    column = 4,
    typed = false;
  const state = bind(model, STATE, change);
  const places = remembering(),
    to = (i) => {
      column = i;
      state.set({ step: i + 1 });
    };
  const inputs = bar(model, state, {
    cap: CAP,
    onstep: (i) => {
      play.stop();
      to(i);
    },
    ontext: (text) => {
      typed = true;
      state.set({ text });
    },
  });
  const play = player({
    last: () => STEPS.length - 1,
    at: () => index(state.read().step - 1, STEPS.length),
    go: to,
    said: () => f.readout.textContent,
  });
  const source = feed({
    model,
    cap: CAP,
    want: ["q", "k", "v"],
    say: inputs.say,
    show: (reading) => {
      arrived(live(reading));
    },
  });
  const table = grid((key, s) => {
      column = s ?? column;
      state.set({ key });
    }),
    worked = detail();
  const formula = h("p", { class: "st-formula", "aria-hidden": "true" });
  const back = button(
    "Back to the model",
    () => state.set({ temperature: 1, scale: true, causal: hides(seen) }),
    "itt-plain",
  );
  const changed = h(
    "span",
    { class: "itt-flag" },
    h("span", { text: "Changed: these are no longer the model’s own weights." }),
    back,
  );
  const now = () => view(seen, state.read(), column);

  function arrived(reading) {
    const was = state.read(),
      sizes = { layer: reading.L, head: reading.H, query: reading.n, key: reading.n };
    const asks = typed && reading.text === was.text ? { query: lastOf(reading.tokens) } : {}; // the last token typed
    const inside = places({ ...was, ...asks }, sizes);
    typed = false;
    // another kind of model brings its own mask
    const masked = hides(reading) === hides(seen) ? {} : { causal: hides(reading) };
    seen = reading;
    state.keep({ ...inside, ...masked });
    inputs.build(seen, state.read());
    table.build(seen.tokens, seen.d);
    draw();
  }
  function change() {
    const { model: name, text } = state.read();
    if (name !== seen.info.name || text !== seen.text) source.want({ name, text });
    draw();
  }
  function draw() {
    const v = now();
    f.tell(v ? "" : "The other heads appear when the model is there.");
    if (!v) return;
    inputs.show(v);
    formula.replaceChildren(...general(v.how, v.step));
    table.draw(v);
    worked.draw(v);
    f.say(readout(v));
    play.name();
    f.source(v.changed ? changed : seen.info.label);
    f.fresh();
  }

  f.bar.append(...inputs.rows);
  f.stage.append(h("div", { class: "st-walk" }, inputs.stepper, play.el), formula, table.el, worked.el);
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), title(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Steps", state.read()),
  });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  });
  return () => {
    off();
    play.stop();
    state.off();
    source.stop();
    f.root.remove();
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

// --- What a reader of the steps control operates: model and text, layer and head, three settings, the query, the step.

const STEPS = ["q · k", "÷ √d", "mask", "softmax", "Σ w v"];

/**
 * @returns { rows, stepper, say, build(seen, now), show(view) }: the elements, and how they follow a reading and the
 * state
 */
function bar(model, state, { cap, onstep, ontext }) {
  const models = model.get("models"),
    names = models.map((one) => one.name),
    set = (name) => (value) => state.set({ [name]: value });
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => swap(models[i]),
  });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: ontext });
  const tau = slider({
    label: "Temperature τ",
    min: 0.1,
    max: 4,
    step: 0.1,
    value: model.get("temperature"),
    words: (x) => num(x, 1),
    oninput: set("temperature"),
  });
  const scaled = toggle({ label: "Scale", text: "divide by √d", value: model.get("scale"), onpick: set("scale") });
  const causal = toggle({
    label: "Causal mask",
    text: "hide later tokens",
    value: model.get("causal"),
    onpick: set("causal"),
  });
  const stepper = segmented({
    label: "Step",
    hidden: true,
    big: true,
    value: model.get("step") - 1,
    options: STEPS.map((words, i) => ({ n: i + 1, text: words })),
    onpick: onstep,
  });
  const slots = {
      layer: h("div", { class: "itt-slot" }),
      head: h("div", { class: "itt-slot" }),
      query: h("div", { class: "itt-slot itt-grow" }),
    },
    inside = {};

  const textFor = ownText();
  const swap = (to) => state.set({ model: to.name, text: textFor(model.get("model"), to, model.get("text")) });

  function build(seen, now) {
    const parts = {
      layer: choice({ label: "Layer", options: range(seen.L).map(String), value: now.layer, onpick: set("layer") }),
      head: choice({ label: "Head", options: range(seen.H).map(String), value: now.head, onpick: set("head") }),
      query: tokenPicker({
        label: "Query: the token that asks",
        tokens: seen.tokens,
        value: now.query,
        onpick: set("query"),
      }),
    };
    for (const [name, part] of Object.entries(parts)) slots[name].replaceChildren(part.el);
    Object.assign(inside, parts);
    text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`);
  }

  function show({ now, how, step, head }) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    for (const name in inside) inside[name].set(now[name]);
    tau.set(how.temperature);
    scaled.set(how.scale);
    scaled.rename(`divide by √${head.d}`);
    causal.set(how.causal);
    stepper.set(index(step, STEPS.length));
    write(stepper.el.querySelectorAll(".itt-seg-item span span")[1], `÷ ${divisorName(how, head.d)}`);
  }
  const rows = [
    row(pickModel.el, text.el),
    row(slots.layer, slots.head),
    row(tau.el, scaled.el, causal.el),
    slots.query,
  ];
  return { rows, stepper: stepper.el, say: text.say, build, show };
}
