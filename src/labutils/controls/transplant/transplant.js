// One row of one text, carried into another: a grid of all rows at all levels, and the next word beside it. A place
// that was not tried is an empty outline, so trying is the guess.

import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { button, segmented, textField } from "../look/inputs.js";
import { fill, h, onTheme, scale } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bdi } from "../look/markup.js";
import { paper } from "../look/onpaper.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { index, pct, short } from "../look/words.js";
import { board } from "./board.js";
import { complete, levels, placeOf, reader, triedOf, withPlaces } from "./numbers.js";
import { ceiling, picture } from "./picture.js";
import { asked, gridTitle, heading, seen as lensSays, pieces, readout, rows, said, titles } from "./words.js";

const PAUSE = 500; // ms after the last letter that was typed

export function render({ model, el }) {
  const f = frame(model),
    state = bind(model, change);
  const printing = paper(() => draw());
  let reading = model.get("finished"),
    focus = null,
    waiting = 0;
  const source = feed({ model, read: reader(), say: (...words) => bar.say(...words), show: arrived });
  const bar = inputs(model, {
    ontext: (patch) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => ask({ ...patch, tried: "", carried: false }), PAUSE);
    },
    onswap: () => {
      const { text, other } = state.read();
      ask({ text: other, other: text, tried: "", carried: false });
    },
    onback: () => ask({ carried: false }),
    onall: () => ask({ tried: "all" }),
    onview: (view) => ask({ view }),
  });
  const grid = board({ carry, point, back: () => ask({ carried: false }) }),
    beside_ = answers(),
    key = legend({ label: "", ticks: ["0", "50", "100"] }),
    untried = h("span", { class: "itt-legend-key" }, h("span", { class: "tp-swatch" }), "not tried yet");
  key.el.append(untried);
  const title = h("p", { class: "itt-label" });
  f.root.classList.add("tp-control");
  f.bar.append(...bar.rows);
  const left = h("div", { class: "tp-left" }, title, grid.el, key.el);
  f.stage.append(h("div", { class: "tp-cols" }, left, f.readout, beside_.el)); // on a phone the sentence stands between
  f.stage.after(f.bar); // the picture first

  /** The state within the reading that is there. */
  function view() {
    if (printing.on()) reading = withPlaces(reading, model.get("finished"));
    const now = printing.on() ? { ...state.read(), tried: "all" } : state.read(),
      level = index(now.level, levels(reading)),
      token = index(now.token, reading.n),
      tried = triedOf(now.tried, reading),
      place = placeOf(level, token),
      settled = now.text === reading.text && now.other === reading.other,
      looking = now.view === "lens";
    const carried = settled && now.carried && !!reading.places[place];
    return {
      ...{ reading, level, token, tried, looking, carried, focus: focus ?? [level, token] },
      at: carried ? reading.places[place] : null,
      lens: looking && reading.looks === (carried ? place : "") ? reading.lens : null,
    };
  }
  /** Change the state and ask for what it needs. */
  function ask(patch) {
    state.set(patch);
  }
  function wish() {
    const { text, other, tried, view: shown, carried, level, token } = state.read();
    const place = placeOf(level, token),
      looks = shown === "lens" ? (carried ? place : "") : null;
    return {
      name: model.get("model"),
      text,
      other,
      tried: carried && tried !== "all" ? `${tried} ${place}` : tried,
      looks,
    };
  }
  /** Whether what is shown has all that the state asks for. */
  function there(asked) {
    const same = asked.name === reading.info.name && asked.text === reading.text && asked.other === reading.other;
    return (
      same &&
      triedOf(asked.tried, reading).every((place) => reading.places[place]) &&
      (asked.looks === null || reading.looks === asked.looks)
    );
  }
  function change() {
    const asked = wish();
    if (!there(asked)) source.want(asked);
    draw();
  }
  function arrived(found) {
    const other = found.text !== reading.text || found.other !== reading.other;
    reading = found;
    if (other) focus = null;
    draw();
  }
  function carry(level, token) {
    const { tried } = state.read(),
      place = placeOf(level, token);
    focus = [level, token];
    const known = tried === "all" || triedOf(tried, reading).includes(place);
    ask({ level, token, carried: true, tried: known ? tried : `${tried} ${place}`.trim() });
  }
  function point(level, token) {
    focus = [level, token];
    const v = view();
    grid.point(v);
    if (v.looking) say(v);
  }
  function say(v) {
    const words = v.looking && v.lens ? lensSays(v) : readout(v);
    f.say(words);
  }
  function draw() {
    const v = view();
    bar.show(state.read(), v);
    grid.draw(v, scale(f.root, "seq"));
    fill(title, gridTitle(v));
    key.set(
      v.looking ? "Probability of that word" : "Percent of the way",
      v.looking ? ["0", ".5", "1"] : ["0", "50", "100"],
    );
    untried.hidden = v.looking || complete(reading, v.tried);
    beside_.draw(v);
    say(v);
    f.source(reading.info.label);
    f.fresh();
  }
  f.offer({
    rows: () => rows(view()),
    picture: () => titled(picture(view(), WIDE), heading(view()), reading.info.label),
    state: state.read,
    call: () => pythonCall("Transplant", state.read()),
  });
  const off = onTheme(draw);
  model.on("change:model", change); // the page may change over to the reader's own
  return stand(
    el,
    f.root,
    () => {
      draw();
      source.want(wish());
    },
    [
      off,
      grid.stop,
      state.off,
      source.stop,
      () => model.off("change:model", change),
      () => clearTimeout(waiting),
      printing.stop,
    ],
  );
}

/** What a reader operates besides the grid. */
function inputs(model, { ontext, onswap, onback, onall, onview }) {
  const cap = model.get("cap"),
    hole = model.get("finished").info.causal ? "" : " with one [MASK]",
    views = ["answer", "lens"];
  const text = textField({
      label: `First text${hole}: receives a row, up to ${cap} tokens`,
      value: model.get("text"),
      oninput: (words) => ontext({ text: words, other: other.input.value }),
    }),
    other = textField({
      label: "Second text: gives it, equally long",
      value: model.get("other"),
      oninput: (words) => ontext({ other: words, text: text.input.value }),
    });
  const shown = segmented({
    label: "In the grid",
    options: ["The answer", "What each row says"],
    value: views.indexOf(model.get("view")),
    onpick: (i) => onview(views[i]),
  });
  const swap = button("Swap the texts", onswap),
    back = button("Put its own row back", onback),
    all = button("Try all places", onall),
    count = h("span", { class: "tp-count", role: "status" });
  const texts = h(
    "details",
    { class: "tp-texts itt-unfolds" },
    h("summary", { text: "Change the texts" }),
    row(text.el, other.el),
  );
  return {
    rows: [row(shown.el, h("div", { class: "tp-buttons" }, back, all, swap, count)), texts],
    say: (...words) => {
      texts.open ||= words.some(Boolean);
      text.say(...words);
    },
    show(now, { reading, tried, carried, looking }) {
      const of = levels(reading) * reading.n,
        done = complete(reading, tried);
      if (document.activeElement !== text.input) text.set(now.text);
      if (document.activeElement !== other.input) other.set(now.other);
      shown.set(views.indexOf(now.view));
      back.disabled = !carried;
      all.hidden = done || looking;
      count.hidden = looking;
      count.textContent = done ? `All ${of} places tried` : `${tried.length} of ${of} tried`;
    },
  };
}

/** The next word: a bar for what it is now, a line for what it was before. */
function answers() {
  const list = h("div", { class: "tp-bars" }),
    axis = h("span", {});
  const question = h("p", { class: "itt-label" });
  const key = h(
    "p",
    { class: "tp-key" },
    h("span", {}, h("u", {}), "own row"),
    h("span", {}, h("i", {}), "carried"),
    axis,
  );
  const note = h("p", { class: "tp-of" }),
    el = h("div", { class: "tp-right" }, question, key, list, note);
  function draw({ reading, at }) {
    const { ones, k } = reading,
      top = ceiling(ones);
    question.textContent = asked(reading);
    note.textContent = pieces(reading);
    axis.textContent = `axis 0 to ${pct(top)}`;
    const bar = (one, i) => {
      const p = at ? at.p[i] : one.a;
      return h(
        "div",
        { class: `tp-bar${i === k ? " is-gaining" : ""}` },
        h("span", { class: "tp-name" }, bdi(said(one))),
        h(
          "span",
          { class: "tp-track", style: { "--p": Math.min(1, p / top), "--before": Math.min(1, one.a / top) } },
          h("i", {}),
          h("u", {}),
        ),
        h("span", { class: "tp-number", text: short(p) }),
      );
    };
    list.replaceChildren(
      ...titles(reading).flatMap((words, side) => [
        h("p", { class: "tp-of", text: words }),
        ...ones.map((one, i) => (Number(one.b > one.a) === side ? bar(one, i) : null)).filter(Boolean),
      ]),
    );
  }
  return { el, draw };
}
