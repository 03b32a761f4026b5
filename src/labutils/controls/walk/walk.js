// From a text to a word: the stages of a model as a list, one of them open, for one token and one block at a time.

import { drawing } from "../look/draw.js";
import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, choice, segmented, select, textField, tokenPicker } from "../look/inputs.js";
import { fill, h, id, onceShown, onTheme } from "../look/kit.js";
import { speller } from "../look/nexts.js";
import { player } from "../look/player.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp, label, num, range } from "../look/words.js";
import { drawn, uniform } from "../next_word/numbers.js";
import { formula } from "./formula.js";
import { ended, filled, finished, live, odds, over, parts, reader, view } from "./numbers.js";
import { MOST, opened, picture, SMALLEST, spark } from "./picture.js";
import { chip, heading, readout, shapeOf, title } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "stage", "layer", "row", "seed", "view"],
  LARGEST = 2 ** 31 - 2,
  MASK = "[MASK]",
  LIKELY = 0.01, // from this share on a next token stands with its word
  VIEWS = ["stations", "stages"];

export function render({ model, el }) {
  const f = frame(model);
  const models = model.get("models"),
    names = models.map((one) => one.name),
    table = model.get("table"),
    known = model.get("known");
  let seen = finished(model.get("finished"), table),
    built = null,
    source = null,
    told = "";
  const bound = bind(model, STATE, change);
  const state = { ...bound, read: () => sound(bound.read()) }; // an address can ask for anything
  const wishes = feed({
    model,
    cap: CAP,
    read: remember,
    say: (...words) => text.say(...words),
    show: (reading) => {
      seen = live(reading, table);
      build();
      draw();
    },
  });
  /** The reading, and the source it came from: a drawn token has to be spelt. */
  async function remember(from, wish, how) {
    const reading = await reader(known)(from, wish, how);
    source = from;
    return reading;
  }

  // --- what a reader operates
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => swap(models[i]),
  });
  const text = textField({
    label: "Your text",
    value: model.get("text"),
    oninput: (words) => {
      told = "";
      state.set({ text: words, row: -1 });
    },
  });
  const pickView = segmented({
    label: "Show",
    options: ["Stations", "Every stage"],
    value: 0,
    onpick: (i) => {
      play.stop();
      state.set({ view: VIEWS[i] });
    },
  });
  const slots = { layer: h("div", { class: "itt-slot" }), row: h("div", { class: "itt-slot itt-grow wk-rows" }) },
    inside = {};
  const play = player({
    words: "Walk",
    again: "Walk",
    last: () => now().shown.length - 1,
    at: () => now().at,
    go: to,
    said: () => f.readout.textContent,
  });
  const chance = button("", take),
    buttons = h("div", { class: "wk-buttons" }, play.el, chance);
  const pick = select({
    label: "Stage",
    options: [],
    value: 0,
    onpick: (i) => {
      play.stop();
      to(i);
    },
  });
  f.bar.append(
    row(text.el, buttons),
    row(pickModel.el, pickView.el, slots.layer, slots.row, h("div", { class: "wk-pick" }, pick.el)),
  );
  pickModel.el.classList.add("wk-model");
  const list = way((i) => {
    play.stop();
    to(i);
  });
  const name = h("p", { class: "wk-name" }),
    meaning = h("p", { class: "wk-meaning" }),
    lines = [h("p", { class: "wk-formula" }), h("p", { class: "wk-worked" })],
    canvas = h("div", { class: "wk-canvas" });
  const open = h("div", { class: "wk-open" }, name, meaning, ...lines, canvas);
  const cols = h("div", { class: "wk-cols" }, list.el, open);
  f.stage.append(cols);

  const now = () => view(seen, state.read(), table, known),
    spoken = speller(() => draw());
  /** The same, with the words that the next tokens begin as far as they are known. */
  function worded() {
    const v = now();
    spoken.know(
      seen,
      v.i + 1,
      v.ahead.filter(({ p, token }) => p >= LIKELY && token.startsWith("␣")),
    );
    return v;
  }
  function to(i) {
    state.set({ stage: now().shown[i].key });
  }
  function swap(chosen) {
    const { text: words } = state.read(),
      own = models.every((one) => one.text !== words);
    const keeps = own && chosen.name !== "paper-gpt2"; // a text that came with a model goes with it
    told = "";
    state.set({ model: chosen.name, text: keeps ? words : chosen.text, row: -1 });
  }
  function change() {
    const { model: wished, text: words } = state.read();
    if (wished !== seen.info.name || words !== seen.text) wishes.want({ name: wished, text: words });
    draw();
  }
  /** One token is drawn by the odds: a GPT-2 goes on with it, a BERT fills its hole. */
  async function take() {
    play.stop();
    const { text: words, seed, model: wished } = state.read();
    if (!source || seen.logits === undefined || words !== seen.text || wished !== seen.info.name) {
      f.tell("A token can be drawn as soon as the model is here.");
      return;
    }
    const id = drawn(odds(seen, seen.asks), uniform(seed, seen.n)),
      [piece] = await source.tokens([id]);
    if (state.read().text !== words) return;
    const next = seen.info.causal ? await spelt(id) : filled(words, piece);
    told = `Drawn: “${chip(piece)}”.${piece === "<|endoftext|>" ? " It ends the text." : ""}`;
    state.set({ text: next, row: -1, seed: (seed + 1) % LARGEST, stage: "odds" });
  }
  const spelt = async (id) =>
    (seen.info.name === "paper-gpt2" ? `${seen.text} ` : seen.text) + (await source.decode([id]));

  function build() {
    const at = now();
    const blocks = {
      label: "Block",
      options: range(seen.L).map(String),
      value: at.layer,
      onpick: (i) => state.set({ layer: i }),
    };
    inside.layer = choice(blocks);
    inside.row = tokenPicker({
      label: "Row: the token that is followed",
      tokens: seen.tokens,
      value: at.i,
      onpick: (i) => state.set({ row: i }),
    });
    for (const part of ["layer", "row"]) slots[part].replaceChildren(inside[part].el);
    text.rename(`Your text, up to ${Math.min(CAP, seen.info.maxTokens)} tokens`);
    list.build(at);
    built = at.first;
    pick.el
      .querySelector("select")
      .replaceChildren(...at.shown.map((stop) => h("option", { text: title({ ...at, stop }) })));
  }
  function draw() {
    if (now().first !== built) build();
    const v = worded(),
      { causal } = seen.info,
      asked = state.read();
    pickModel.set(names.indexOf(asked.model));
    text.set(asked.text);
    pickView.set(v.first ? 0 : 1);
    cols.classList.toggle("is-stations", v.first);
    f.root.classList.toggle("wk-first", v.first);
    inside.layer.set(v.layer);
    inside.row.set(v.i);
    pick.set(v.at);
    list.draw(v);
    chance.textContent = causal ? "Draw a token" : "Fill the hole";
    const full = causal ? ended(seen) || seen.n >= Math.min(CAP, seen.info.maxTokens) : !seen.tokens.includes(MASK);
    chance.disabled = full;
    f.tell(v.held ? told : "The other blocks appear when the model is there.");
    name.hidden = meaning.hidden = v.stop.kind === "all";
    name.replaceChildren(h("b", { text: title(v) }), v.first ? "" : h("span", { text: ` ${shapeOf(v.stop.shape)}` }));
    meaning.textContent = v.stop.meaning;
    const said = v.first ? [] : formula(v);
    lines.forEach((line, k) => {
      line.textContent = said[k] ?? "";
    });
    show(v);
    f.say(readout(v));
    f.source(seen.info.label);
    play.name();
    f.fresh();
  }
  function show(v) {
    const width = clamp(Math.floor(canvas.clientWidth || 360), 240, v.first ? MOST : 720),
      { marks, high } = opened(v, width);
    const { tag, svg, props, kids } = drawing(width, high + 4, marks);
    fill(canvas, {
      tag,
      svg,
      props: { ...props, role: "img", "aria-label": `${heading(v)}. The numbers are in the table below.` },
      kids,
    });
  }

  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(worded(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Walk", state.read()),
  });
  el.append(f.root);
  build();
  const off = onTheme(draw),
    wide = new ResizeObserver(() => {
      if (Math.abs(canvas.clientWidth - was) > 1) {
        was = canvas.clientWidth;
        show(worded());
      }
    });
  let was = 0;
  onceShown(f.root, () => {
    draw();
    wide.observe(canvas);
    wishes.want({ name: model.get("model"), text: model.get("text") });
  });
  return () => {
    off();
    spoken.stop();
    play.stop();
    wide.disconnect();
    state.off();
    wishes.stop();
    f.root.remove();
  };
}

const sound = (state) => ({
  ...state,
  layer: Math.max(0, Math.round(state.layer) || 0),
  row: Math.round(state.row),
  seed: clamp(Math.round(state.seed) || 0, 0, LARGEST),
});

/** The stops as radio buttons, so that the arrow keys walk. */
function way(onpick) {
  const group = id("walk"),
    heads = h("div", { class: "wk-list" });
  const el = h("fieldset", { class: "wk-way" }, h("legend", { class: "itt-sr", text: "Stage" }), heads);
  const PARTS = { input: "From letters to rows", answer: "From a row to a word" };
  let items = [],
    title_ = null;
  function build(v) {
    const kids = [];
    let part = "";
    title_ = null;
    items = v.shown.map((stop, i) => {
      if (!v.first && stop.part !== part) {
        part = stop.part;
        const words = h("p", { class: "itt-label wk-part", text: PARTS[part] ?? "" });
        if (part === "block") title_ = words;
        kids.push(words);
      }
      const input = h("input", { type: "radio", name: group, value: i, onchange: () => onpick(i) });
      const small = h("span", { class: "wk-small" });
      kids.push(
        h(
          "label",
          { class: `wk-stop${v.first && stop.part === "block" ? " is-inside" : ""}` },
          input,
          h(
            "span",
            { class: "wk-line" },
            h("span", { class: "wk-title", text: stop.title }),
            !v.first && h("span", { class: "wk-shape", text: shapeOf(stop.shape) }),
            small,
          ),
        ),
      );
      return { input, small };
    });
    heads.replaceChildren(...kids);
  }
  function draw(v) {
    if (title_) title_.textContent = v.seen.L > 1 ? `Block ${v.layer}, of 0 to ${v.seen.L - 1}` : "The block";
    items.forEach(({ input, small }, i) => {
      input.checked = i === v.at;
      const mark = spark(v, v.shown[i]);
      if (mark)
        fill(small, {
          ...drawing(SMALLEST, 16, mark),
          props: { viewBox: `0 0 ${SMALLEST} 16`, "aria-hidden": "true" },
        });
      else small.replaceChildren();
    });
  }
  return { el, build, draw };
}

/** What is open as a table: the row that is followed, and of a text or its odds all that is named. */
function rows(v) {
  const { seen, stop, i } = v,
    caption = heading(v),
    values = v.values(stop),
    token = label(seen.tokens[i]);
  if (stop.kind === "text")
    return {
      caption,
      head: ["place", "character"],
      rows: Array.from(seen.text).map((ch, k) => [k, ch === " " ? "space" : label(ch)]),
    };
  if (stop.kind === "ids")
    return {
      caption,
      head: ["place", "token", "id"],
      rows: seen.tokens.map((one, k) => [k, chip(one), seen.ids[k]]),
    };
  if (["all", "odds", "vocabulary"].includes(stop.kind))
    return {
      caption: `${caption}, row of “${token}”`,
      head: ["rank", "token", "id", "logit", "probability"],
      rows: (over(v) ? [] : seen.ahead[i]).map((one, k) => [
        k + 1,
        chip(one.token),
        one.id,
        num(one.logit, 4),
        num(one.p, 6),
      ]),
    };
  if (!values) return { caption, head: ["not here yet"], rows: [] };
  if (stop.kind === "rows")
    return {
      caption,
      head: ["column", ...seen.tokens.map((one, k) => `${k} ${chip(one)}`)],
      rows: range(stop.shape[1]).map((c) => [c, ...range(seen.n).map((k) => num(values[k * stop.shape[1] + c], 4))]),
    };
  const each = parts(stop, values, i),
    names = stop.kind === "pairs" ? seen.tokens.map((one, k) => `${k} ${chip(one)}`) : range(stop.shape[2]).map(String);
  const hidden = (j) => stop.kind === "pairs" && seen.info.causal && j > i;
  return {
    caption: `${caption}, row of “${token}”`,
    head: ["head", ...names],
    rows: each.map((one, k) => [k, ...Array.from(one, (x, j) => (hidden(j) ? "masked" : num(x, 4)))]),
  };
}
