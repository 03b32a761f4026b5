// How one query of a head meets every key, or the q, k and v of all its tokens. Computed here from the model's own
// vectors.

import { modelAndText } from "../look/asking.js";
import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { choice, segmented, tokenPicker } from "../look/inputs.js";
import { typing } from "../look/kept.js";
import { h, onTheme, scale } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, range } from "../look/words.js";
import { finished, live } from "../steps/numbers.js";
import { maps } from "./maps.js";
import { meetView } from "./meet.js";
import { heading, PAGE, pages, rows, view } from "./numbers.js";
import { picture } from "./picture.js";
import { said } from "./words.js";

export function render({ model, el }) {
  const f = frame(model);
  let seen = finished(model); // the reading that is drawn
  const state = bind(model, change),
    places = typing(state, ["query"]),
    inputs = bar(model, state, places.ontext);
  const now = () => view(seen, state.read()),
    shown = canvas(f, now);
  const source = feed({
    model,
    want: ["q", "k", "v"],
    say: inputs.say,
    show: (reading) => arrived(live(reading)),
  });

  function arrived(reading) {
    seen = reading;
    const sizes = { layer: reading.L, head: reading.H, query: reading.n, page: pages(reading.d) },
      inside = places.inside(reading, sizes);
    state.keep(inside);
    inputs.build(seen, state.read());
    shown.build(seen, inside.query);
    f.source(seen.info.label);
    draw();
  }
  function change() {
    source.follow(state.read(), seen);
    draw();
  }
  function draw() {
    const v = now();
    f.tell(v ? "" : "The other heads appear when the model is there.");
    if (!v) return;
    inputs.show({ ...state.read(), layer: v.layer, head: v.headIndex, query: v.i, page: v.page, view: v.view });
    shown.draw(v);
    f.fresh();
  }

  f.bar.append(...inputs.rows);
  f.offer({
    rows: () => rows(now()),
    picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
    state: state.read,
    call: () => pythonCall("Vectors", state.read()),
  });
  const begin = () => {
    arrived(seen);
    source.want({ name: model.get("model"), text: model.get("text") });
  };
  return stand(el, f.root, begin, [onTheme(draw), state.off, source.stop]);
}

// --- What is drawn in the frame `f`: the table of the query, or the three maps and the number that is pointed at.

/**
 * @param now gives the view
 * @returns { build(reading, query), draw(v) }: `build` for a new reading, with the token whose number is marked first
 */
function canvas(f, now) {
  // the number that was chosen, the one a mouse points at, and what the maps were built for
  let kept = [0, 0],
    preview = null,
    built = [],
    reading = null;
  const look = (at) => {
    preview = at;
    point();
  };
  const all = maps({
    onpreview: look,
    onkeep: (...at) => {
      kept = at;
      look(null);
    },
  });
  const table = meetView((j) => look(j === null ? null : [j, kept[1]]));
  f.stage.append(table.el, all.el);

  function build(seen, query) {
    reading = seen;
    kept = [query, 0];
    preview = null;
    table.build(seen.tokens, seen.d);
  }
  function draw(v) {
    table.el.hidden = v.view !== "keys";
    all.el.hidden = v.view !== "numbers";
    if (built[0] !== reading || built[1] !== v.columns) {
      all.build(v.tokens, v.columns);
      built = [reading, v.columns];
    }
    all.paint(v.head, v.page, scale(f.root, "div"));
    table.draw(v);
    point();
  }
  /** The part that follows a pointer: one key, or one number in all three maps, and what it is. */
  function point() {
    const v = now();
    if (!v) return;
    const [row, column] = preview ?? kept,
      at = [index(row, reading.n), index(column, v.columns)];
    all.point(...at, v.i);
    table.mark(at[0]);
    f.say(said(v, at));
  }
  return { build, draw };
}

// --- What a reader of the vectors operates: model and text, what is shown, layer and head, the query, and the page of
// columns.

const VIEWS = { keys: "One query, every key", numbers: "All numbers" };
const SLOTS = { layer: "", head: "", page: "", query: " itt-grow" };

/** @returns { rows, say, build(seen, now), show(now) }: the elements, and how they follow a reading and the state */
function bar(model, state, ontext) {
  const asked = modelAndText(model, { onmodel: state.set, ontext });
  const slots = Object.fromEntries(
      Object.entries(SLOTS).map(([name, more]) => [name, h("div", { class: `itt-slot${more}` })]),
    ),
    inside = {};
  const shown = segmented({
    label: "Show",
    options: Object.values(VIEWS),
    value: 0,
    onpick: (i) => state.set({ view: Object.keys(VIEWS)[i] }),
  });
  const some = (name, label, size, at, words = String) =>
    choice({
      label,
      options: range(size).map(words),
      value: index(at, size),
      onpick: (value) => state.set({ [name]: value }),
    });

  function build(seen, now) {
    const count = pages(seen.d),
      columns = (p) => `${p * PAGE}–${Math.min(seen.d, (p + 1) * PAGE) - 1}`;
    Object.assign(inside, {
      layer: some("layer", "Layer", seen.L, now.layer),
      head: some("head", "Head", seen.H, now.head),
      page: count > 1 ? some("page", `Columns of ${seen.d}`, count, now.page, columns) : null,
      query: tokenPicker({
        label: "Query: the token that asks",
        tokens: seen.tokens,
        value: index(now.query, seen.n),
        onpick: (query) => state.set({ query }),
      }),
    });
    for (const [name, slot] of Object.entries(slots)) slot.replaceChildren(...(inside[name] ? [inside[name].el] : []));
    asked.rename(seen.info);
  }
  function show(now) {
    asked.show(now);
    shown.set(Object.keys(VIEWS).indexOf(now.view));
    slots.page.hidden = now.view !== "numbers";
    for (const name in inside) inside[name]?.set(now[name]);
  }
  return {
    rows: [asked.el, row(shown.el, slots.layer, slots.head, slots.page), slots.query],
    say: asked.say,
    build,
    show,
  };
}
