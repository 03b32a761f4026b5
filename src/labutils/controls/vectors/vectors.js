// The q, k and v of every token of one head, and how one query meets every key. Computed here from the model's own vectors.
import { h, index, label, num, onTheme, onceShown, scale } from "../look/kit.js";
import { frame } from "../look/frame.js";
import { bind, pythonCall } from "../look/state.js";
import { feed } from "../look/feed.js";
import { finished, hides, live } from "../steps/readings.js";
import { bar } from "./bar.js";
import { PAGE, maps } from "./maps.js";
import { meet } from "./meeting.js";
import { meetView } from "./meet.js";
import { picture } from "./picture.js";
import { pointed, readout } from "./words.js";

export const CAP = 24;
const STATE = ["model", "text", "layer", "head", "query", "page"];

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"), name: model.get("name") });
  let seen = finished(model), kept = [0, 0], preview = null; // the reading that is drawn, the number that was chosen, the one a mouse points at
  const state = bind(model, STATE, change), inputs = bar(model, state, { cap: CAP });
  const source = feed({ model, cap: CAP, want: ["q", "k", "v"], say: inputs.say, show: (reading) => arrived(live(reading)) });
  const all = maps({ onpreview: (at) => { preview = at; point(); }, onkeep: (...at) => { kept = at; preview = null; point(); } });
  const table = meetView((j) => { preview = j === null ? null : [j, kept[1]]; point(); }), note = h("p", { class: "vc-pointed", role: "status" });
  const now = () => view(seen, state.read());

  function arrived(reading) {
    const was = state.read(), sizes = { layer: reading.L, head: reading.H, query: reading.n, page: Math.ceil(reading.d / PAGE) };
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
    note.replaceChildren(...pointed({ tokens: seen.tokens, row: at[0], column: v.page * PAGE + at[1], head: v.head }));
  }

  f.bar.append(...inputs.rows);
  f.stage.append(all.el, note, table.el);
  f.offer({ rows: () => rows(now()), picture: () => picture(now(), heading(now()), scale(f.root, "div")), state: state.read, call: () => pythonCall("Vectors", state.read()) });
  el.append(f.root);
  const off = onTheme(draw);
  onceShown(f.root, () => { arrived(seen); source.want({ name: model.get("model"), text: model.get("text") }); });
  return () => { off(); state.off(); source.stop(); f.root.remove(); };
}

/** What is drawn: the state within the reading that is there. Null while the head that is asked for is on its way. */
function view(seen, now) {
  const layer = index(now.layer, seen.L), headIndex = index(now.head, seen.H), head = seen.at(layer, headIndex), i = index(now.query, seen.n);
  if (!head) return null;
  const page = index(now.page, Math.ceil(head.d / PAGE));
  return { layer, headIndex, head, i, page, columns: Math.min(PAGE, head.d - page * PAGE), tokens: seen.tokens, m: meet(head, i, hides(seen)) };
}

const heading = (v) => `Layer ${v.layer}, head ${v.headIndex}, query “${label(v.tokens[v.i])}”`;

/** One line a token: how the query meets it, then its three vectors in full. */
function rows(v) {
  const { m, head: { d, q, k, v: values } } = v, names = (letter) => Array.from({ length: d }, (_, c) => `${letter} ${c}`);
  const vector = (matrix, j) => Array.from(matrix.subarray(j * d, (j + 1) * d), (x) => num(x, 4));
  return {
    caption: heading(v), head: ["token", "cosine", "length of k", "score", "weight", ...names("q"), ...names("k"), ...names("v")],
    rows: v.tokens.map((t, j) => [`${j} ${label(t)}`, Number.isNaN(m.cosine[j]) ? "none" : num(m.cosine[j], 4), num(m.lengths[j], 4), num(m.score[j], 4), m.masked[j] ? "masked" : num(m.weight[j], 4), ...vector(q, j), ...vector(k, j), ...vector(values, j)]),
  };
}
