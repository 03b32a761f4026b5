// What attention and the feed-forward network add to the row of each token, layer by layer. Computed here from the
// model's own streams.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { arrows, segmented, textField } from "../look/inputs.js";
import { lastOf, ownText, remembering } from "../look/kept.js";
import { h, onceShown, onTheme, scale } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp, label, range } from "../look/words.js";
import { neuronsPanel } from "./neurons.js";
import { FAR, finished, heading, live, MEASURES, PARTS, rows, step, view, WANTED } from "./numbers.js";
import { picture } from "./picture.js";
import { cellName, inCell, meaning, readout, UNIT } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "part", "token", "measure", "neuron"];

export function render({ model, el }) {
  const f = frame(model);
  let seen = finished(model.get("finished")),
    preview = null,
    typed = false;
  const state = bind(model, STATE, change),
    places = remembering();
  const inputs = bar(model, state, {
    cap: CAP,
    ontext: (text) => {
      typed = true;
      state.set({ text });
    },
  });
  const source = feed({ model, cap: CAP, want: WANTED, say: inputs.say, show: (reading) => arrived(live(reading)) });
  const pick = (l, p, i) => {
    preview = null;
    state.set({ layer: l, part: PARTS[p], token: i, neuron: -1 });
  };
  const all = grid({
    onpick: pick,
    onpreview: (at) => {
      preview = at;
      f.say(readout(now()));
    },
  });
  const panel = neuronsPanel((neuron, token) => state.set({ neuron, token, part: PARTS[1] }));
  const key = legend({ label: "", ticks: ["0", "1", `${FAR} or more`] }),
    about = h("p", { class: "sm-about" });
  const now = () => view(seen, preview ? { ...state.read(), ...preview } : state.read());

  function arrived(reading) {
    const was = state.read(),
      sizes = { layer: reading.L, token: reading.n };
    const asks = typed && reading.text === was.text ? { token: lastOf(reading.tokens) } : {}; // the last token typed
    const another = reading.info.name !== seen.info.name || reading.text !== seen.text;
    seen = reading;
    typed = false;
    preview = null;
    state.keep({ ...places({ ...was, ...asks }, sizes), ...(another ? { neuron: -1 } : {}) });
    inputs.rename(seen);
    all.build(seen);
    about.textContent = meaning(seen);
    f.source(seen.info.label);
    draw();
  }
  function change() {
    const { model: name, text } = state.read();
    if (name !== seen.info.name || text !== seen.text) source.want({ name, text });
    draw();
  }
  function draw() {
    const v = now();
    inputs.show(state.read(), v.measure);
    key.set(UNIT[v.measure], ["0", "1", `${FAR} or more`]);
    all.draw(v, scale(f.root, "seq"));
    panel.show(v);
    f.tell(v.p === 1 && !v.neurons ? "The neurons of the other layers appear when the model is there." : "");
    f.say(readout(v));
    f.fresh();
  }

  f.bar.append(...inputs.rows);
  f.stage.append(
    all.el,
    h("div", { class: "sm-keys" }, key.el, h("span", { class: "sm-short", text: "a attention, n network" })),
    about,
    panel.el,
  );
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Stream", state.read()),
  });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  });
  return () => {
    off();
    state.off();
    source.stop();
    f.root.remove();
  };
}

// --- The grid: a row for each token, two columns for each layer, one tab stop.

function grid({ onpick, onpreview }) {
  const el = h("div", {
    class: "sm-grid",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "grid of cells",
  });
  let seen = null,
    boxes = [],
    names = [],
    at = [0, 0],
    mine = [];
  const place = (k) => [Math.floor((k % (2 * seen.L)) / 2), k % 2, Math.floor(k / (2 * seen.L))]; // layer, half, token
  const hit = (event) => {
    const k = boxes.indexOf(event.target.closest?.(".sm-cell"));
    return k < 0 ? null : place(k);
  };
  el.addEventListener("pointerdown", (event) => {
    const to = hit(event);
    if (to) onpick(...to);
  });
  el.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    const to = hit(event);
    onpreview(to && { layer: to[0], part: PARTS[to[1]], token: to[2] });
  });
  el.addEventListener("pointerleave", () => onpreview(null));
  el.addEventListener("keydown", (event) =>
    arrows({ rows: () => seen.n, columns: () => 2 * seen.L, at: () => at, go: (i, k) => onpick(k >> 1, k & 1, i) })(
      event,
    ),
  );

  function build(reading) {
    seen = reading;
    const { L, n, tokens } = seen;
    el.style.setProperty("--columns", 2 * L);
    el.parentNode?.classList.toggle("is-tight", L > 6);
    names = tokens.map((token, i) =>
      h("span", { class: "sm-token" }, h("bdi", { text: label(token, 12) }), h("sub", { class: "itt-pos", text: i })),
    );
    boxes = range(n * 2 * L).map(() => h("span", { class: "sm-cell" }));
    mine = range(2 * L).map((k) =>
      h(
        "span",
        { class: "sm-half" },
        h("span", { text: ["attention", "network"][k & 1] }),
        h("i", { text: ["a", "n"][k & 1] }),
      ),
    );
    el.replaceChildren(
      h("span"),
      ...range(L).map((l) => h("span", { class: "sm-layer" }, h("span", { text: "layer " }), String(l))),
      h("span"),
      ...mine,
      ...range(n).flatMap((i) => [names[i], ...boxes.slice(i * 2 * L, (i + 1) * 2 * L)]),
    );
  }
  function draw(v, colour) {
    at = [v.i, 2 * v.l + v.p];
    boxes.forEach((box, k) => {
      const [l, p, i] = place(k),
        x = step(seen, l, p, i).ratios[v.measure],
        t = clamp(x / FAR, 0, 1);
      const none = Number.isNaN(x),
        here = l === v.l && p === v.p && i === v.i;
      box.className = `sm-cell${p ? "" : " is-first"}${none ? " is-missing" : ""}${here ? " is-here" : ""}`;
      box.style.setProperty("--fill", none ? "none" : colour(t));
      box.style.setProperty("--ink", none ? "inherit" : colour.ink(t));
      box.textContent = inCell(x);
    });
    names.forEach((name, i) => {
      name.classList.toggle("is-on", i === v.i);
    });
    mine.forEach((name, k) => {
      name.classList.toggle("is-on", k === at[1]);
    });
    const x = v.one.ratios[v.measure];
    el.setAttribute(
      "aria-label",
      `${cellName(v.tokens, v.l, v.p, v.i, x)}. ${UNIT[v.measure]}; arrow keys move from cell to cell`,
    );
  }
  return { el, build, draw };
}

// --- What a reader of the stream operates: model and text, and which of the two ratios is shown.

function bar(model, state, { cap, ontext }) {
  const models = model.get("models"),
    names = models.map((one) => one.name);
  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => swap(models[i]),
  });
  const text = textField({ label: `Your text, up to ${cap} tokens`, value: model.get("text"), oninput: ontext });
  const measure = segmented({
    label: "Show, as a share of the row’s length",
    options: ["What is added", "How far the row moves"],
    value: 0,
    onpick: (i) => state.set({ measure: MEASURES[i] }),
  });
  const textFor = ownText();
  const swap = (to) => state.set({ model: to.name, text: textFor(model.get("model"), to, model.get("text")) });
  function show(now, shown) {
    pickModel.set(names.indexOf(now.model));
    text.set(now.text);
    measure.set(MEASURES.indexOf(shown));
  }
  return {
    rows: [row(pickModel.el, text.el), row(measure.el)],
    say: text.say,
    show,
    rename: (seen) => text.rename(`Your text, up to ${Math.min(cap, seen.info.maxTokens)} tokens`),
  };
}
