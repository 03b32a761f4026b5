// What attention and the feed-forward network add to the row of each token, layer by layer, or the neurons of one
// network. Computed here from the model's own streams.

import { modelAndText } from "../look/asking.js";
import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { choice, segmented } from "../look/inputs.js";
import { typing } from "../look/kept.js";
import { h, onTheme, scale } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { range } from "../look/words.js";
import { grid } from "./grid.js";
import { neuronsPanel } from "./neurons.js";
import { FAR, finished, heading, live, MEASURES, PARTS, rows, VIEWS, view, WANTED } from "./numbers.js";
import { picture } from "./picture.js";
import { meaning, said, UNIT } from "./words.js";

const TICKS = ["0", "1", `${FAR} or more`];

export function render({ model, el }) {
  const f = frame(model);
  let seen = finished(model.get("finished")),
    preview = null;
  const state = bind(model, change),
    places = typing(state, ["token"]),
    inputs = bar(model, state, places.ontext);
  const now = () => view(seen, { ...state.read(), ...preview });
  const shown = canvas(f, {
    onpick(layer, p, token) {
      preview = null;
      state.set({ layer, part: PARTS[p], token, neuron: -1 });
    },
    onpreview(at) {
      preview = at;
      f.say(said(now()));
    },
    onneuron: (neuron, token) => state.set({ neuron, token, part: PARTS[1] }),
  });
  const source = feed({ model, want: WANTED, say: inputs.say, show: (reading) => arrived(live(reading)) });

  function arrived(reading) {
    const another = reading.info.name !== seen.info.name || reading.text !== seen.text;
    seen = reading;
    preview = null;
    state.keep({
      ...places.inside(reading, { layer: reading.L, token: reading.n }),
      ...(another ? { neuron: -1 } : {}),
    });
    inputs.build(seen);
    shown.build(seen);
    draw();
  }
  function change() {
    source.follow(state.read(), seen);
    draw();
  }
  function draw() {
    const v = now();
    inputs.show(state.read(), v);
    shown.draw(v);
    f.fresh();
  }

  f.bar.append(...inputs.rows);
  inputs.rows[1].append(shown.pages);
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Stream", state.read()),
  });
  const begin = () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  };
  return stand(el, f.root, begin, [onTheme(draw), state.off, source.stop]);
}

/** What is drawn in the frame `f`: the grid with its legend, or the neurons of the layer and token that are chosen. */
function canvas(f, { onpick, onpreview, onneuron }) {
  const all = grid({ onpick, onpreview }),
    panel = neuronsPanel(onneuron, (words, v) => f.say(words ?? said(v))),
    key = legend({ label: "", ticks: TICKS }),
    about = h("p", { class: "sm-about" });
  const halves = h(
    "div",
    {},
    all.el,
    h("div", { class: "sm-keys" }, key.el, h("span", { class: "sm-short", text: "a attention, n network" })),
    about,
  );
  f.stage.append(halves, panel.el);
  return {
    pages: panel.pages,
    build(seen) {
      all.build(seen);
      about.textContent = meaning(seen);
      f.source(seen.info.label);
    },
    draw(v) {
      const inside = v.view === "neurons";
      halves.hidden = inside;
      key.set(UNIT[v.measure], TICKS);
      all.draw(v, scale(f.root, "seq"));
      panel.show(v);
      f.tell(inside && !v.neurons ? "The neurons of the other layers appear when the model is there." : "");
      f.say(said(v));
    },
  };
}

// --- What a reader of the stream operates: model and text, and what is shown: a ratio of all halves, or a layer's
// neurons.

function bar(model, state, ontext) {
  const asked = modelAndText(model, { onmodel: state.set, ontext });
  const shown = segmented({
    label: "Show",
    options: ["All layers", "Neurons of one"],
    value: 0,
    onpick: (i) => state.set({ view: VIEWS[i] }),
  });
  const measure = segmented({
    label: "As a share of the row’s length",
    options: ["What is added", "How far the row moves"],
    value: 0,
    onpick: (i) => state.set({ measure: MEASURES[i] }),
  });
  const slot = h("div", { class: "itt-slot" });
  let layer = null;
  return {
    rows: [asked.el, row(shown.el, measure.el, slot)],
    say: asked.say,
    build(seen) {
      asked.rename(seen.info);
      const options = range(seen.L).map(String);
      layer = choice({ label: "Layer", options, value: 0, onpick: (i) => state.set({ layer: i, neuron: -1 }) });
      slot.replaceChildren(layer.el);
    },
    show(now, v) {
      asked.show(now);
      shown.set(VIEWS.indexOf(v.view));
      measure.set(MEASURES.indexOf(v.measure));
      layer.set(v.l);
      measure.el.hidden = v.view === "neurons";
      slot.hidden = !measure.el.hidden;
    },
  };
}
