// A shape, a text and the bits of a number: what they take, at once.
import { frame, row, stand } from "../look/frame.js";
import { segmented, select, slider } from "../look/inputs.js";
import { fill, h, s, widthOf } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { divisors, view } from "./numbers.js";
import { picture } from "./picture.js";
import { heading, number, readout, SOURCE, table } from "./words.js";

export function render({ model, el }) {
  const f = frame(model),
    shapes = model.get("finished"),
    names = Object.keys(shapes),
    settings = model.get("settings"),
    bits = settings.kept_bits.choices,
    canvas = h("div", { class: "bu-canvas itt-drawn" }),
    state = bind(model, draw),
    seen = () => view(shapes, state.read());
  let wide = 0,
    listed = [];

  // --- what a reader operates
  const which = select({
    label: "Model",
    options: names,
    value: names.indexOf(model.get("model")),
    onpick: (i) => state.set({ model: names[i], key_heads: 0 }),
  });
  const ofBits = (label, name) =>
    segmented({
      label,
      options: bits.map(number),
      value: bits.indexOf(model.get(name)),
      onpick: (i) => state.set({ [name]: bits[i] }),
    });
  const weight = ofBits("A weight", "weight_bits"),
    kept = ofBits("A kept number", "kept_bits");
  const tokens = slider({
    label: "Tokens of each text",
    min: 0,
    max: Math.log2(settings.tokens.most),
    step: 1,
    value: 10,
    words: (x) => (2 ** x).toLocaleString("en"),
    oninput: (x) => state.set({ tokens: 2 ** x }),
  });
  const texts = slider({
    label: "Texts at once",
    min: settings.texts.least,
    max: settings.texts.most,
    step: 1,
    value: 1,
    words: String,
    oninput: (x) => state.set({ texts: x }),
  });
  const shared = h("select", {
    class: "itt-select",
    onchange: () => state.set({ key_heads: listed[shared.selectedIndex] }),
  });
  const heads = h("label", { class: "itt-field" }, h("span", { class: "itt-label", text: "Key heads" }), shared);
  f.bar.append(row(which.el, heads), row(tokens.el, texts.el), row(weight.el, kept.el));
  f.stage.append(canvas);

  /** The key heads that this model could have; the options are built anew only where they are others. */
  function offer(now) {
    const could = divisors(now.built.heads);
    if (could.join() !== listed.join() || shared.dataset.built !== String(now.built.keyHeads)) {
      listed = could;
      shared.dataset.built = String(now.built.keyHeads);
      fill(
        shared,
        could.map((k) => h("option", { text: k === now.built.keyHeads ? `${k}, as built` : String(k) })),
      );
    }
    shared.selectedIndex = listed.indexOf(now.shape.keyHeads);
  }
  function draw() {
    const now = seen(),
      { props, kids } = picture(now, Math.min(widthOf(canvas) || WIDE, 760));
    which.set(names.indexOf(now.model));
    weight.set(bits.indexOf(now.weight_bits));
    kept.set(bits.indexOf(now.kept_bits));
    tokens.input.max = String(Math.log2(now.built.positions));
    tokens.set(Math.round(Math.log2(now.tokens)));
    texts.set(now.texts);
    offer(now);
    fill(canvas, s("svg", { ...props, role: "img", "aria-label": heading(now) }, kids));
    f.say(...readout(now));
    f.source(SOURCE);
    f.fresh();
  }

  f.offer({
    rows: () => table(seen()),
    picture: () => titled(picture(seen(), WIDE), heading(seen()), SOURCE),
    state: state.read,
    call: () => pythonCall("Budget", state.read()),
  });
  const watch = new ResizeObserver(() => {
    if (Math.abs(canvas.clientWidth - wide) < 1) return;
    wide = canvas.clientWidth;
    draw();
  });
  return stand(el, f.root, () => watch.observe(canvas), [() => watch.disconnect(), state.off]);
}
