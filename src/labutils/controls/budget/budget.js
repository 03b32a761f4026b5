// A shape, a text and the bits of a number: what they take, at once.
import { frame, row, stand } from "../look/frame.js";
import { segmented, select, slider } from "../look/inputs.js";
import { fill, h, s, widthOf } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { divisors, view } from "./numbers.js";
import { looks } from "./picture.js";
import { number } from "./words.js";

export function render({ model, el }) {
  const f = frame(model),
    shapes = model.get("finished"),
    names = Object.keys(shapes),
    settings = model.get("settings"),
    parts = model.get("parts"),
    { picture, heading, readout, table, source } = looks(parts),
    bits = settings.kept_bits.choices,
    canvas = h("div", { class: "bu-canvas itt-drawn" }),
    state = bind(model, draw),
    seen = () => view(shapes, state.read());
  let wide = 0;

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
  const heads = keyHeads((k) => state.set({ key_heads: k }));
  const inRows = [
    [which.el, heads.el],
    [tokens.el, texts.el],
    [weight.el, kept.el],
  ];
  arrange(f.bar, inRows, !parts);
  f.stage.append(canvas);

  function draw() {
    const now = seen(),
      { props, kids } = picture(now, Math.min(widthOf(canvas) || WIDE, 760));
    which.set(names.indexOf(now.model));
    weight.set(bits.indexOf(now.weight_bits));
    kept.set(bits.indexOf(now.kept_bits));
    tokens.input.max = String(Math.log2(now.built.positions));
    tokens.set(Math.round(Math.log2(now.tokens)));
    texts.set(now.texts);
    heads.offer(now);
    fill(canvas, s("svg", { ...props, role: "img", "aria-label": heading(now) }, kids));
    f.say(...readout(now));
    f.source(source);
    f.fresh();
  }

  f.offer({
    rows: () => table(seen()),
    picture: () => titled(picture(seen(), WIDE), heading(seen()), source),
    state: state.read,
    call: () => pythonCall("Budget", parts ? { ...state.read(), parts } : state.read()),
  });
  const watch = new ResizeObserver(() => {
    if (Math.abs(canvas.clientWidth - wide) < 1) return;
    wide = canvas.clientWidth;
    draw();
  });
  return stand(el, f.root, () => watch.observe(canvas), [() => watch.disconnect(), state.off]);
}

/** The settings in rows; of each the second is left out where only what the parts take is asked. */
function arrange(bar, rows, both) {
  bar.classList.add("bu-bar");
  for (const [first, second] of rows) bar.append(both ? row(first, second) : row(first));
}

/** A field with the key heads that a model could have; the options are built anew only where they are others. */
function keyHeads(onpick) {
  let listed = [];
  const shared = h("select", { class: "itt-select", onchange: () => onpick(listed[shared.selectedIndex]) });
  return {
    el: h("label", { class: "itt-field" }, h("span", { class: "itt-label", text: "Key heads" }), shared),
    offer({ built, shape }) {
      const could = divisors(built.heads);
      if (could.join() !== listed.join() || shared.dataset.built !== String(built.keyHeads)) {
        listed = could;
        shared.dataset.built = String(built.keyHeads);
        fill(
          shared,
          could.map((k) => h("option", { text: k === built.keyHeads ? `${k}, as built` : String(k) })),
        );
      }
      shared.selectedIndex = listed.indexOf(shape.keyHeads);
    },
  };
}
