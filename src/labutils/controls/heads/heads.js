// One pass over two texts, and the head exchanged: six questions are answered from the same last hidden states.

import { feed } from "../look/feed.js";
import { drawTable, frame, row, stand } from "../look/frame.js";
import { button, segmented, textField, toggle, tokenPicker } from "../look/inputs.js";
import { fill, h, widthOf } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { label } from "../look/words.js";
import { QUESTIONS, reader } from "./numbers.js";
import { heading, picture, SHORT } from "./picture.js";
import { ASKED, ELSEWHERE, readout, SAMPLES, shown, softmaxed, standing, table } from "./words.js";

const TEXTS = ["first", "second"];

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished");
  const state = bind(model, change),
    inputs = bar(model, state),
    drawn = canvas((token) => state.set({ token })),
    sums = softmax();
  f.root.classList.add("hd-control");
  f.bar.append(inputs.asks);
  f.stage.append(drawn.el);
  f.readout.after(sums.el, inputs.texts);

  const source = feed({
    model,
    read: reader(
      model.get("heads"),
      TEXTS.map((name) => seen[name]),
    ),
    say: inputs.say,
    show(reading) {
      inputs.leftOut(reading.left);
      for (const sentence of reading.refused) inputs.say(sentence, true);
      seen = reading;
      state.keep({ token: seen.token });
      draw();
    },
  });

  const wish = () => ({ name: seen.info.name, ...state.read() });
  const shownNow = () => Object.entries(state.read()).every(([name, value]) => seen[name] === value);
  function change() {
    inputs.write(state.read());
    if (!shownNow() || !seen.live) source.want({ ...wish(), changed: true });
    draw();
  }
  function draw() {
    inputs.show(state.read());
    drawn.draw(seen);
    sums.draw(seen);
    f.source(seen.info.label);
    f.say(readout(seen));
    f.fresh();
  }

  f.offer({
    rows: () => table(seen),
    picture: () => titled(picture(seen, WIDE), heading(seen), seen.info.label),
    state: () => shared(state.read()),
    call: () => pythonCall("Heads", shared(state.read())),
  });
  const begin = () => {
    draw();
    drawn.follow(draw);
    source.want(wish());
  };
  return stand(el, f.root, begin, [state.off, source.stop, drawn.stop]);
}

/** The state as an address has it: a long text is shortened. */
const shared = (now) => ({ ...now, first: now.first.slice(0, 500), second: now.second.slice(0, 500) });

// --- What a reader of the heads operates: the head that is asked, two texts, and whether the token is hidden.

/**
 * @returns { asks, texts, say, leftOut(n), write(now), show(now) }: the elements, a sentence about a text, how many
 *   tokens were left out, the texts of the state, and the rest of it
 */
function bar(model, state) {
  const cap = model.get("cap");
  const fields = TEXTS.map((name, i) =>
    textField({
      label: `${i ? "Second" : "First"} text, up to ${cap} tokens`,
      value: model.get(name),
      oninput: (text) => state.set({ [name]: text }),
    }),
  );
  const asks = segmented({
    label: "The question, and so the head",
    options: QUESTIONS.map((name) => ASKED[name]),
    value: QUESTIONS.indexOf(model.get("head")),
    onpick: (i) => state.set({ head: QUESTIONS[i] }),
  });
  steady(asks.el.querySelectorAll(".itt-seg-item > span > span"));
  const hide = toggle({
    label: "The chosen token",
    text: "Hide it behind [MASK]",
    value: model.get("hide"),
    onpick: (on) => state.set({ hide: on }),
  });
  return {
    asks: asks.el,
    texts: fold(
      "Change the texts, hide another token",
      row(...fields.map((field) => field.el), hide.el),
      samples(state),
    ),
    say: (sentence, wrong) => fields[/second/.test(sentence) ? 1 : 0].say(sentence, wrong),
    leftOut(left) {
      for (const field of fields) field.say(left ? `The first ${cap} tokens of each text are read.` : "");
    },
    write(now) {
      TEXTS.forEach((name, i) => {
        fields[i].set(now[name]);
      });
    },
    show(now) {
      asks.set(QUESTIONS.indexOf(now.head));
      hide.set(now.hide);
    },
  };
}

/** Texts to try, and what the heads are worth where they know none such. */
const samples = (state) =>
  h(
    "div",
    {},
    h(
      "p",
      { class: "itt-samples" },
      h("span", { text: "Try" }),
      SAMPLES.map(([name, first, second, more]) =>
        button(name, () => state.set({ first, second, ...more }), "itt-plain"),
      ),
    ),
    h("p", { class: "itt-note", text: ELSEWHERE }),
  );

/** Words with room for their bold form: nothing moves when they turn bold. */
const steady = (all) =>
  all.forEach((one) => {
    one.classList.add("hd-steady");
    one.dataset.words = one.textContent;
  });

const fold = (summary, ...kids) => h("details", { class: "hd-more" }, h("summary", { text: summary }), ...kids);

// --- What is drawn: the tokens as choices, and what the head answers.

/** @returns { el, draw(seen), follow(draw), stop }: `follow` draws again when the width is another one */
function canvas(onpick) {
  const tokens = choices(onpick),
    el = h("div", { class: "hd-canvas itt-drawn" });
  let wide = 0,
    draws = () => {};
  const watch = new ResizeObserver(() => {
    if (Math.abs(el.clientWidth - wide) >= 1) {
      wide = el.clientWidth;
      draws();
    }
  });
  const both = h("div", { class: "hd-rows" }, tokens.el, el);
  return {
    el: both,
    draw(seen) {
      both.classList.toggle("is-long", seen.tokens.length > SHORT);
      tokens.draw(seen);
      const { props, kids } = picture(seen, widthOf(el) || WIDE, false);
      fill(el, {
        tag: "svg",
        svg: true,
        props: { ...props, role: "img", "aria-label": label(heading(seen), 120) },
        kids,
      });
    },
    follow(draw) {
      draws = draw;
      watch.observe(el);
    },
    stop: () => watch.disconnect(),
  };
}

/** The tokens as choices, a row each; they are built anew only when they are others. */
function choices(onpick) {
  const el = h("div", { class: "hd-place" });
  let picker = null,
    listed = "";
  function draw(seen) {
    const key = JSON.stringify(seen.tokens);
    if (key !== listed) {
      listed = key;
      picker = tokenPicker({
        label: "The token that is asked about",
        tokens: seen.tokens.map((token) => shown(token)),
        value: seen.token,
        onpick,
      });
      steady(picker.el.querySelectorAll(".itt-token bdi"));
      el.replaceChildren(picker.el);
    }
    picker.set(seen.token);
    picker.el.querySelectorAll(".itt-token").forEach((item, i) => {
      item.classList.toggle("is-read", seen.read.includes(i));
      item.classList.toggle("is-found", !!seen.span && i >= seen.span[0] && i <= seen.span[1]);
      const hidden = standing(seen, i) === "[MASK]" && seen.tokens[i] !== "[MASK]";
      item.classList.toggle("is-masked", hidden);
      item.title = hidden ? "[MASK] stands here" : "";
    });
  }
  return { el, draw };
}

/** How a share comes about, folded: logit, power, sum. */
function softmax() {
  const body = h("div", {
      class: "itt-scroll",
      tabindex: 0,
      role: "region",
      "aria-label": "How the shares come about",
    }),
    el = fold("What is such a percentage made of?", body);
  return {
    el,
    draw(seen) {
      const made = softmaxed(seen);
      el.style.visibility = made ? "" : "hidden"; // it keeps its place, so that nothing below it moves
      if (made) body.replaceChildren(drawTable(made));
    },
  };
}
