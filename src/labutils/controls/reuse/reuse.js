// A guess, and a model that writes on, a token at a press: what is computed again, and what need not be.
import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { button, folded, select, slider, textField } from "../look/inputs.js";
import { fill, h, widthOf, write } from "../look/kit.js";
import { paper } from "../look/onpaper.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { range } from "../look/words.js";
import { reader, view } from "./numbers.js";
import { picture } from "./picture.js";
import { heading, readout, source, table } from "./words.js";

export function render({ model, el }) {
  const f = frame(model),
    cap = model.get("cap"),
    most = model.get("steps"),
    canvas = h("div", { class: "ru-canvas itt-drawn" });
  let reading = model.get("finished"),
    wide = 0;
  const [state, printed] = [bind(model, change), paper(() => draw())];
  const seen = () => view(reading, state.read(), printed.on());

  // --- what a reader operates
  const share = slider({
    label: "Your guess: how much is in vain",
    min: 0,
    max: 100,
    step: 1,
    value: model.get("share"),
    words: (x) => `${x}%`,
    oninput: (x) => state.set({ share: x }),
  });
  const step = slider({
    label: "Step",
    min: 1,
    max: most,
    step: 1,
    value: 1,
    words: (x) => `${x} of ${reading.tokens.length - reading.start}`,
    oninput: (x) => state.set({ step: x }),
  });
  const main = button("", press, "ru-main"),
    again = button("Start again", () => state.set({ step: 1, placed: false }));
  const text = textField({
    label: `Words that are given, up to ${cap} tokens`,
    value: model.get("text"),
    oninput: (given) => state.set({ text: given, step: 1 }),
  });
  const head = headChoice(state.set);
  f.root.classList.add("ru-control");
  f.bar.append(row(share.el, step.el, main, again));
  f.stage.append(canvas);
  const settings = row(text.el, head.el);
  f.readout.after(folded("Other words, another head", "ru-more", settings));

  const wishes = feed({
    model,
    read: reader(most),
    say: text.say,
    show(given) {
      reading = given;
      draw();
    },
  });
  const wish = () => ({ name: model.get("model"), text: state.read().text });

  /** A guess is kept by the first press; each further one writes a token. */
  function press() {
    const { placed } = state.read();
    state.set({ placed: true, step: placed ? Math.min(seen().at + 1, seen().steps) : Math.min(2, seen().steps) });
  }
  function change() {
    const now = state.read();
    text.set(now.text);
    if (now.text !== reading.text || model.get("model") !== reading.info.name) wishes.want(wish());
    draw();
  }
  function draw() {
    const now = seen(),
      { props, kids } = picture(now, widthOf(canvas) || WIDE),
      done = now.placed && now.at === now.steps;
    share.set(now.share);
    step.input.max = String(now.steps);
    step.set(now.at);
    share.el.hidden = now.placed;
    step.el.hidden = again.hidden = !now.placed;
    main.disabled = done;
    write(main, done ? "All is written" : now.placed ? "Write the next token" : "Keep my guess and write");
    head.show(now);
    fill(canvas, { tag: "svg", svg: true, props: { ...props, role: "img", "aria-label": heading(now) }, kids });
    f.say(...readout(now));
    f.source(source(now));
    f.fresh();
  }

  const shared = () => ({ ...state.read(), text: state.read().text.slice(0, 500) });
  f.offer({
    rows: () => table(seen()),
    picture: () => titled(picture(seen(), WIDE), heading(seen()), source(seen())),
    state: shared,
    call: () => pythonCall("Reuse", shared()),
  });
  const watch = new ResizeObserver(() => {
    if (Math.abs(canvas.clientWidth - wide) < 1) return;
    wide = canvas.clientWidth;
    draw();
  });
  const begin = () => {
    change();
    watch.observe(canvas);
  };
  model.on("change:model", change); // the page may change over to the reader's own
  const off = () => model.off("change:model", change);
  return stand(el, f.root, begin, [state.off, off, printed.stop, wishes.stop, () => watch.disconnect()]);
}

/** One of the heads of a model, which a reader's own file may exchange. */
function headChoice(set) {
  const el = h("div");
  let one = null,
    of = "";
  return {
    el,
    show({ info: { name, layers, heads }, layer, head }) {
      if (name !== of) {
        of = name;
        one = select({
          label: "Head below",
          options: range(layers * heads).map((i) => `layer ${Math.floor(i / heads)}, head ${i % heads}`),
          value: 0,
          onpick: (i) => set({ layer: Math.floor(i / heads), head: i % heads }),
        });
        el.replaceChildren(one.el);
      }
      one.set(layer * heads + head);
    },
  };
}
