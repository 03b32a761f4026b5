// What attention and the feed-forward network add to the row of each token, layer by layer. Computed here from the
// model's own streams.

import { modelAndText } from "../look/asking.js";
import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { segmented } from "../look/inputs.js";
import { typing } from "../look/kept.js";
import { h, onTheme, scale } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { grid } from "./grid.js";
import { neuronsPanel } from "./neurons.js";
import { FAR, finished, heading, live, MEASURES, PARTS, rows, view, WANTED } from "./numbers.js";
import { picture } from "./picture.js";
import { meaning, readout, UNIT } from "./words.js";

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
      f.say(readout(now()));
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
    inputs.rename(seen.info);
    shown.build(seen);
    draw();
  }
  function change() {
    source.follow(state.read(), seen);
    draw();
  }
  function draw() {
    const v = now();
    inputs.show(state.read(), v.measure);
    shown.draw(v);
    f.fresh();
  }

  f.bar.append(...inputs.rows);
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

/** What is drawn in the frame `f`: the grid with its legend, and the neurons of the cell that is chosen. */
function canvas(f, { onpick, onpreview, onneuron }) {
  const all = grid({ onpick, onpreview }),
    panel = neuronsPanel(onneuron),
    key = legend({ label: "", ticks: TICKS }),
    about = h("p", { class: "sm-about" });
  f.stage.append(
    all.el,
    h("div", { class: "sm-keys" }, key.el, h("span", { class: "sm-short", text: "a attention, n network" })),
    about,
    panel.el,
  );
  return {
    build(seen) {
      all.build(seen);
      about.textContent = meaning(seen);
      f.source(seen.info.label);
    },
    draw(v) {
      key.set(UNIT[v.measure], TICKS);
      all.draw(v, scale(f.root, "seq"));
      panel.show(v);
      f.tell(v.p === 1 && !v.neurons ? "The neurons of the other layers appear when the model is there." : "");
      f.say(readout(v));
    },
  };
}

// --- What a reader of the stream operates: model and text, and which of the two ratios is shown.

function bar(model, state, ontext) {
  const asked = modelAndText(model, { onmodel: state.set, ontext });
  const measure = segmented({
    label: "Show, as a share of the row’s length",
    options: ["What is added", "How far the row moves"],
    value: 0,
    onpick: (i) => state.set({ measure: MEASURES[i] }),
  });
  return {
    rows: [asked.el, row(measure.el)],
    say: asked.say,
    rename: asked.rename,
    show(now, shown) {
      asked.show(now);
      measure.set(MEASURES.indexOf(shown));
    },
  };
}
