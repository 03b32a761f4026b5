// The q, k and v of every token of one head, and how one query meets every key. Computed here from the model's own
// vectors.
import { h, fill, onTheme, onceShown, scale } from "../look/kit.js";
import { index } from "../look/words.js";
import { frame } from "../look/frame.js";
import { bind, pythonCall } from "../look/state.js";
import { WIDE, titled } from "../look/still.js";
import { feed } from "../look/feed.js";
import { finished, live } from "../steps/readings.js";
import { bar } from "./bar.js";
import { maps } from "./maps.js";
import { meetView } from "./meet.js";
import { PAGE, heading, rows, view } from "./numbers.js";
import { picture } from "./picture.js";
import { pointed, readout } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "head", "query", "page"];

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"),
      name: model.get("name") });
  // the reading that is drawn, the number that was chosen, the one a mouse points at
  let seen = finished(model), kept = [0, 0], preview = null;
  const state = bind(model, STATE, change), inputs = bar(model, state, { cap: CAP });
  const source = feed({ model, cap: CAP, want: ["q", "k", "v"], say: inputs.say,
      show: (reading) => arrived(live(reading)) });
  const all = maps({ onpreview: (at) => {
    preview = at;
    point();
  }, onkeep: (...at) => { kept = at; preview = null; point(); } });
  const table = meetView((j) => {
    preview = j === null ? null : [j, kept[1]];
    point();
  }), note = h("p", { class: "vc-pointed", role: "status" });
  const now = () => view(seen, state.read());

  function arrived(reading) {
    const was = state.read(), sizes = { layer: reading.L, head: reading.H, query: reading.n,
      page: Math.ceil(reading.d / PAGE) };
    seen = reading;
    kept = [index(was.query, reading.n), 0];
    preview = null;
    state.keep(Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, index(was[name], size)])));
    inputs.build(seen, state.read());
    table.build(seen.tokens, seen.d);
    f.source(seen.info.label);
    draw();
  }
  function change() {
    const { model: name, text } = state.read();
    if (name !== seen.info.name || text !== seen.text) source.want({ name, text });
    draw();
  }
  let built = [];
  function draw() {
    const v = now();
    f.tell(v ? "" : "The other heads appear when the model is there.");
    if (!v) return;
    inputs.show({ ...state.read(), layer: v.layer, head: v.headIndex, query: v.i, page: v.page });
    if (built[0] !== seen || built[1] !== v.columns) { all.build(seen.tokens, v.columns); built = [seen, v.columns]; }
    all.paint(v.head, v.page, scale(f.root, "div"));
    table.draw(v);
    f.say(readout({ ...v, head: v.headIndex }));
    point();
    f.fresh();
  }
  /** The part that follows a pointer: one number in all three maps, and what it is. */
  function point() {
    const v = now();
    if (!v) return;
    const [row, column] = preview ?? kept, at = [index(row, seen.n), index(column, v.columns)];
    all.point(...at, v.i);
    table.mark(at[0]);
    fill(note, pointed({ tokens: seen.tokens, row: at[0], column: v.page * PAGE + at[1], head: v.head }));
  }

  f.bar.append(...inputs.rows);
  f.stage.append(all.el, note, table.el);
  f.offer({ rows: () => rows(now()), picture: () => titled(picture(now(), WIDE), heading(now()), seen.info.label),
      state: state.read, call: () => pythonCall("Vectors", state.read()) });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => { arrived(seen); source.want({ name: model.get("model"), text: model.get("text") }); });
  return () => { off(); state.off(); source.stop(); f.root.remove(); };
}
