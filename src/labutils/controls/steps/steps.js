// One query of one head, step by step: q·k, divide, mask, softmax, weighted sum of v. Computed here from the model's
// own q, k, v.
import { h, onTheme, onceShown } from "../look/kit.js";
import { index, label, num } from "../look/words.js";
import { frame } from "../look/frame.js";
import { button } from "../look/inputs.js";
import { bind, pythonCall } from "../look/state.js";
import { WIDE, titled } from "../look/still.js";
import { feed } from "../look/feed.js";
import { bar } from "./bar.js";
import { detail } from "./detail.js";
import { grid } from "./grid.js";
import { picture } from "./picture.js";
import { finished, hides, live, title, view } from "./readings.js";
import { divisorName, readout } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "head", "query", "key", "step", "temperature", "scale", "causal"];

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"),
      name: model.get("name") });
  let seen = finished(model), column = 4; // the reading that is drawn, and the column of the number that is explained
  const state = bind(model, STATE, change);
  const inputs = bar(model, state, { cap: CAP, onstep: (i) => { column = i; state.set({ step: i + 1 }); } });
  const source = feed({ model, cap: CAP, want: ["q", "k", "v"], say: inputs.say, show: (reading) => {
    arrived(live(reading));
  } });
  const table = grid((key, s) => { column = s ?? column; state.set({ key }); }), worked = detail();
  const formula = h("p", { class: "st-formula", "aria-hidden": "true" });
  const back = button("Back to the model", () => state.set({ temperature: 1, scale: true, causal: hides(seen) }),
    "itt-plain");
  const changed = h("span", { class: "itt-flag" },
    h("span", { text: "Changed: these are no longer the model’s own weights." }), back);
  const now = () => view(seen, state.read(), column);

  function arrived(reading) {
    const was = state.read(), sizes = { layer: reading.L, head: reading.H, query: reading.n, key: reading.n };
    const inside = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, index(was[name], size)]));
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
    f.source(v.changed ? changed : seen.info.label);
    f.fresh();
  }

  f.bar.append(...inputs.rows);
  f.stage.append(inputs.stepper, formula, table.el, worked.el);
  f.offer({ rows: () => rows(now()), picture: () => titled(picture(now(), WIDE), title(now()), seen.info.label),
      state: state.read, call: () => pythonCall("Steps", state.read()) });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => { arrived(seen); source.want({ name: model.get("model"), text: model.get("text") }); });
  return () => { off(); state.off(); source.stop(); f.root.remove(); };
}

function rows(v) {
  const { c, head, how, tokens } = v;
  return {
    caption: title(v), head: ["key", "q · k", `÷ ${divisorName(how, head.d)}`, "masked", "weight"],
    rows: tokens.map((t, j) => [`${j} ${label(t)}`, num(c.raw[j], 3), num(c.scaled[j], 3),
        c.kept[j] === -Infinity ? "masked" : num(c.kept[j], 3), num(c.w[j], 4)]),
  };
}

/** The whole formula; the part of the step that is shown stands out. */
function general({ scale, temperature }, step) {
  const part = (on, ...kids) => h("span", { class: on ? "is-on" : "" }, kids), i = (word) => h("i", { text: word }),
    sub = (word) => h("sub", { text: word });
  const under = scale ? ["√", i("d"), sub("k")] : temperature === 1 ? ["1"] : [];
  return [i("z"), " = Σ", sub("j"), " ", part(step === 3, "softmax"), " ( ",
    part(step === 0, i("q"), " · ", i("k"), sub("j")), " ",
    part(step === 1, "/ ", temperature === 1 ? "" : "τ", under), " ", part(step === 2, "+ mask"), " ) ",
    part(step === 4, i("v"), sub("j"))];
}
