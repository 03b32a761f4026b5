// A hole in a text: a model that reads both ways says what stands there. Edit the text, or hide another word.

import { feed } from "../look/feed.js";
import { frame, row } from "../look/frame.js";
import { button, segmented, textField } from "../look/inputs.js";
import { fill, h, id, onceShown } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { nextParts, speller } from "../look/nexts.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { label, range, short } from "../look/words.js";
import { hiding } from "./hole_hiding.js";
import { ending, holes, lastWord, parts, reader, second } from "./hole_numbers.js";
import { heading, picture } from "./hole_picture.js";
import { FIVE, HOLES, holeName, rows, said } from "./hole_words.js";

export function render({ model, el }) {
  const f = frame(model),
    ends = model.get("ends"),
    models = model.get("models"),
    names = models.map((one) => one.name);
  let seen = model.get("finished");
  const state = bind(model, change, ["model", "text"]),
    hidden = hiding({ text: () => state.read().text, seen: () => seen, write: (text) => state.set({ text }) }),
    words = [speller(name), speller(name)];
  const source = feed({
    model,
    read: reader(),
    say: (...sentence) => text.say(...sentence),
    show: (reading) => {
      seen = reading;
      draw();
    },
  });

  const pickModel = segmented({
    label: "Model",
    options: models.map((one) => one.title),
    value: names.indexOf(model.get("model")),
    onpick: (i) => state.set({ model: names[i] }),
  });
  const text = textField({
    label: `Your text with one [MASK] or two, up to ${Math.min(model.get("cap"), seen.info.maxTokens)} tokens`,
    value: model.get("text"),
    oninput: (typed) => {
      hidden.clear();
      state.set({ text: typed });
    },
  });
  const last = endPicker(ends, (end) => state.set({ text: ending(state.read().text, end) }));
  f.bar.append(row(names.length > 1 && pickModel.el, text.el));
  const picker = wordPicker(hidden.hide),
    lists = [bars(), bars()],
    more = button("Hide a second word", hidden.another);
  f.stage.append(
    ends.length ? last.el : "",
    h("div", { class: "nw-hiding" }, picker.el, more),
    h("div", { class: "nw-holes" }, ...lists.map((one) => one.el)),
  );
  f.root.classList.add("nw-hole-control");
  f.readout.after(f.bar); // the picture first

  function change() {
    const now = state.read();
    if (!holes(now.text)) hidden.clear();
    if (now.model !== seen.info.name || now.text !== seen.text) source.want({ name: now.model, text: now.text });
    draw();
  }
  function draw() {
    const now = state.read();
    text.set(now.text);
    pickModel.set(names.indexOf(now.model));
    last.draw(now.text);
    picker.draw(now.text);
    more.textContent = holes(now.text) > 1 ? "One hole again" : "Hide a second word";
    more.disabled = !holes(now.text) || second(now.text) < 0;
    shown().forEach((one, i) => {
      lists[i].draw(one, seen);
      words[i].know({ ...seen, ...one }, one.at, one.top.slice(0, FIVE));
    });
    lists[1].el.hidden = !seen.other;
    f.source(seen.info.label);
    name();
  }
  /** The part that follows when the words of pieces have been found. */
  function name() {
    shown().forEach((one, i) => {
      lists[i].name(one, seen, seen.other ? HOLES[i] : "");
    });
    f.say(said(seen));
    f.fresh();
  }

  const shown = () => [seen, ...(seen.other ? [seen.other] : [])];
  const shared = () => {
    const now = state.read();
    return { text: now.text.slice(0, 1000), model: now.model };
  };
  f.offer({
    rows: () => rows(seen),
    picture: () => titled(picture(seen, WIDE), heading(seen), seen.info.label),
    state: shared,
    call: () => pythonCall("NextWord", shared()),
  });
  el.append(f.root);
  onceShown(f.root, () => {
    draw();
    const now = state.read();
    source.want({ name: now.model, text: now.text });
  });
  return () => {
    state.off();
    source.stop();
    for (const one of words) one.stop();
    f.root.remove();
  };
}

/** Words that may stand last. */
function endPicker(ends, onpick) {
  const { el, inputs } = segmented({
    label: "The last word",
    options: ends,
    value: -1,
    onpick: (i) => onpick(ends[i]),
  });
  function draw(text) {
    const end = lastWord(text)?.text ?? "";
    inputs.forEach((one, i) => {
      one.checked = ends[i] === end;
      one.disabled = !end;
    });
  }
  return { el, draw };
}

/** The words of a text as radio buttons, so that arrow keys move the hole. */
function wordPicker(onpick) {
  const group = id("hole"),
    line = h("span", { class: "itt-tokens-row nw-words", dir: "auto" }),
    el = h("fieldset", { class: "itt-tokens" }, h("legend", { class: "itt-label", text: "Hide a word" }), line);
  function draw(text) {
    const had = line.contains(document.activeElement),
      one = holes(text) < 2;
    line.replaceChildren(
      ...parts(text).map(({ text: word, word: real, hole }, i) => {
        if (!real) return h("span", { class: "nw-mark" }, bdi(label(word)));
        const input = h("input", {
          type: one ? "radio" : "checkbox", // of two holes each can be shown again
          name: group,
          value: i,
          checked: hole,
          "aria-label": hole ? "the hole" : label(word),
          onchange: () => onpick(i),
        });
        return h(
          "label",
          { class: "itt-token" },
          input,
          h("span", {}, hole ? h("b", { text: "?" }) : bdi(label(word))),
        );
      }),
    );
    if (had) line.querySelector("input:checked")?.focus();
  }
  return { el, draw };
}

/** The five most probable tokens; the rest of the vocabulary is one row more. */
function bars() {
  const token = range(FIVE + 1).map(() => h("span", { class: "itt-share-token" })),
    bar = range(FIVE + 1).map((i) => h("span", { class: i < FIVE ? "itt-share" : "itt-share is-hollow" })),
    p = range(FIVE + 1).map(() => h("span", { class: "nw-p" }));
  const line = (i) => h("li", { class: `nw-row${i < FIVE ? "" : " nw-rest"}` }, token[i], bar[i], p[i]),
    ticks = ["0%", "50%", "100%"].map((words) => h("span", { text: words }));
  const axis = h("div", { class: "nw-axis", "aria-hidden": "true" }, h("span", { class: "itt-share-ticks" }, ticks)),
    list = h("ol", { class: "nw-hole", "aria-label": "What the hole could be" }, range(FIVE + 1).map(line)),
    el = h("div", { class: "nw-list" }, list, axis);
  const title = h("p", { class: "itt-label" });
  el.prepend(title);
  function draw({ top }, { info }) {
    const shown = top.slice(0, FIVE),
      left = Math.max(0, 1 - shown.reduce((sum, one) => sum + one.p, 0));
    [...shown.map((one) => one.p), left].forEach((x, i) => {
      bar[i].style.setProperty("--p", x);
      p[i].textContent = short(x);
    });
    token[FIVE].textContent = `${(info.vocab - FIVE).toLocaleString("en")} others`;
  }
  function name({ top }, seen, which) {
    title.textContent = which;
    title.hidden = !which;
    top.slice(0, FIVE).forEach((one, i) => {
      fill(token[i], nextParts(one, "", seen.info));
      token[i].title = holeName(one, seen);
    });
  }
  return { el, draw, name };
}
