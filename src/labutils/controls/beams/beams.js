// Beams: how many beginnings are kept, how far the search has come, and a path to follow, on the reader's text.
import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { button, segmented, textField } from "../look/inputs.js";
import { fill, h, widthOf } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { clamp } from "../look/words.js";
import { reader } from "./numbers.js";
import { picture, source } from "./picture.js";
import { treeOf } from "./tree.js";
import { heading, readout, rows } from "./words.js";

const LEAST = 300; // px: below it the tree scrolls

export function render({ model, el }) {
  const f = frame(model),
    name = model.get("model"),
    widths = model.get("settings").width.choices,
    state = bind(model, change);
  let found = model.get("finished");
  const now = () => {
    const { width, step, node } = state.read(),
      steps = found.widths[width].steps.length;
    return { width, step: clamp(step ?? steps, 1, Math.min(steps, found.most)), node };
  };

  const searching = feed({
    model,
    read: reader(found),
    say: (...words) => text.say(...words),
    show: (reading) => {
      found = reading;
      draw();
    },
  });

  // --- what a reader operates
  const text = textField({
    label: `Your text, up to ${model.get("cap")} tokens`,
    value: state.read().text,
    oninput: (words) => state.set({ text: words, node: "" }),
  });
  const beams = segmented({
    label: "Beams that are kept",
    options: widths.map(String),
    value: widths.indexOf(now().width),
    onpick: (i) => state.set({ width: widths[i], node: "" }),
  });
  const first = button("From the first word", () => state.set({ step: 1, node: "" })),
    next = button("One word more", () => state.set({ step: now().step + 1, node: "" }));
  f.root.classList.add("bm-control");
  f.bar.append(row(text.el), row(beams.el, h("div", { class: "bm-buttons" }, first, next)));

  // --- what is seen
  const tree = treeOf({ found: () => found, now, go: (node) => state.set({ node }) });
  fill(f.stage, tree);

  function change() {
    const wished = state.read().text;
    text.set(wished);
    if (wished !== found.text) searching.want({ name, text: wished });
    draw();
  }
  function draw() {
    const s = now(),
      steps = Math.min(found.most, found.widths[s.width].steps.length);
    beams.set(widths.indexOf(s.width));
    next.disabled = s.step >= steps;
    first.disabled = s.step === 1;
    fill(tree, picture(found, s, Math.max(LEAST, widthOf(tree))));
    tree.setAttribute("aria-label", `${heading(found, s)}. Arrow keys follow the tree.`);
    f.say(readout(found, s));
    f.source(source(found));
    f.fresh();
  }

  f.offer({
    rows: () => rows(found, now()),
    picture: () => titled(picture(found, now(), WIDE), heading(found, now()), source(found)),
    state: shared,
    call: () => pythonCall("Beams", { model: name, most: found.most, ...shared() }),
  });
  /** What the address keeps: the text as far as it is read, and the rest as it is drawn. */
  function shared() {
    return { text: state.read().text.slice(0, 1000), ...now() };
  }
  const wider = new ResizeObserver(() => draw());
  return stand(
    el,
    f.root,
    () => {
      wider.observe(tree);
      change();
    },
    [searching.stop, () => wider.disconnect(), state.off],
  );
}
