// Two texts, one sequence: what BERT and GPT-2 read when a length is given. Computed here by the tokenizers themselves.
import { h, onceShown } from "../look/kit.js";
import { clamp } from "../look/words.js";
import { frame } from "../look/frame.js";
import { slider, textField } from "../look/inputs.js";
import { bind, pythonCall } from "../look/state.js";
import { WIDE, titled } from "../look/still.js";
import { openTokenizer } from "../engine/source.js";
import { capped } from "../tokenizer/cutting.js";
import { visible } from "../tokenizer/words.js";
import { cards, laid } from "./laying.js";
import { lanesView } from "./lanes.js";
import { picture } from "./picture.js";
import { readout, sources } from "./words.js";

export const CAP = 160;
const STATE = ["first", "second", "length"];

export function render({ model, el }) {
  const f = frame({ number: model.get("number"), title: model.get("title"), lede: model.get("lede"),
      name: model.get("name") });
  const low = model.get("shortest"), high = model.get("longest");
  let seen = model.get("finished"), tokenizers = null, failed = "", stopped = false;
  const state = bind(model, STATE, change), lanes = lanesView(seen.lanes);

  const fields = ["first", "second"].map((name, i) =>
    textField({ label: `${i ? "Second" : "First"} text, up to ${CAP} characters`, value: model.get(name),
      oninput: (text) => state.set({ [name]: text }) }));
  const long = slider({ label: "Length, in positions", min: low, max: high, step: 1, value: model.get("length"),
      words: String, oninput: (length) => state.set({ length }) });
  f.bar.append(h("div", { class: "itt-row sg-texts" }, fields.map((field) => field.el)), long.el);
  f.stage.append(lanes.el);

  const wish = () => {
    const now = state.read();
    return { ...now, length: clamp(Math.round(now.length) || low, low, high) };
  };
  /** Lay the texts out anew if the tokenizers are there; if not, the picture stays and a sentence says so. */
  function change() {
    const now = wish(), texts = STATE.slice(0, 2).map((name) => capped(now[name], CAP));
    fields.forEach((field, i) => {
      field.set(now[STATE[i]]);
      field.say(texts[i].left ? `The first ${CAP} characters are read; ${texts[i].left} more are left out.` : "");
    });
    long.set(now.length);
    const known = texts[0].text === seen.first && texts[1].text === seen.second,
      same = known && now.length === seen.length;
    if (!tokenizers) {
      const shown = `What is shown are the texts it came with, at ${seen.length} positions.`;
      f.tell(same ? "" : `${failed || "The tokenizers are on their way."} ${shown}`);
      draw();
      return;
    }
    f.tell("");
    let at = 0;
    try {
      // which of the two cannot be read?
      if (!known) for (const [i, { text }] of texts.entries()) { at = i; tokenizers[0].encode(text); }
      if (!same || !seen.live) seen = { first: texts[0].text, second: texts[1].text, length: now.length, live: true,
        lanes: seen.lanes.map((lane, m) =>
          ({ ...lane, ...laid(tokenizers[m], texts[0].text, texts[1].text, now.length, lane) })) };
    } catch (error) {
      fields[at].say(error.message, true);
    }
    draw();
  }
  function draw() {
    lanes.draw(seen.lanes);
    f.say(readout(seen.lanes, seen.length));
    f.fresh();
  }

  f.source(sources(seen.lanes));
  f.offer({ rows: () => rows(seen), picture: () => titled(picture(seen.lanes, WIDE), model.get("title"),
      sources(seen.lanes)), state: shared, call: () => pythonCall("Segments", shared()) });
  function shared() { return { first: seen.first, second: seen.second, length: seen.length }; }
  el.append(f.root);
  let wide = 0;
  const watch = new ResizeObserver(() => {
    if (Math.abs(lanes.el.clientWidth - wide) >= 1) { wide = lanes.el.clientWidth; lanes.draw(seen.lanes); }
  });
  onceShown(f.root, () => {
    change();
    watch.observe(lanes.el);
    Promise.all(seen.lanes.map((lane) => openTokenizer(model, lane.name)))
      .then((found) => {
        tokenizers = found;
      }, (error) => { failed = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`; })
      .then(() => { if (!stopped) change(); });
  });
  return () => { stopped = true; watch.disconnect(); state.off(); f.root.remove(); };
}

function rows({ first, second, lanes }) {
  const line = (lane) => cards(lane)
    .flatMap((one) => (one.lost
      ? one.lost.map((text) => [`${lane.title} lost`, visible(text, 60), "", "", "",
      one.from === 0 ? "first" : "second"])
    : [[`${lane.title} ${one.position}`, visible(one.text, 60), one.id, one.type, one.mask,
        one.special ? (one.mask ? "special" : "padding") : one.from === 0 ? "first" : "second"]]));
  const quoted = (text) => `“${visible(text, 60).replaceAll("·", " ")}”`;
  return { caption: second ? `${quoted(first)} and ${quoted(second)}` : quoted(first),
    head: ["position", "token", "id", "type id", "mask", "from"], rows: lanes.flatMap(line) };
}
