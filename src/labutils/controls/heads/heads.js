// One pass over two texts, and the head exchanged: each question is answered from the same last hidden states.

import { feed } from "../look/feed.js";
import { frame, row, stand } from "../look/frame.js";
import { segmented, textField, toggle, tokenPicker } from "../look/inputs.js";
import { fill, h, widthOf } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { label } from "../look/words.js";
import { QUESTIONS, reader, rowsRead } from "./numbers.js";
import { heading, picture } from "./picture.js";
import { ASKED, readout, shown, standing, table } from "./words.js";

const TEXTS = ["first", "second"];

export function render({ model, el }) {
  const f = frame(model);
  let seen = model.get("finished");
  const state = bind(model, change),
    inputs = bar(model, state),
    drawn = canvas((token) => state.set({ token }));
  f.bar.append(...inputs.rows);
  f.stage.append(...drawn.parts);

  const source = feed({
    model,
    read: reader(model.get("heads")),
    say: inputs.say,
    show(reading) {
      inputs.leftOut(reading.left);
      seen = reading;
      state.keep({ token: seen.token });
      draw();
    },
  });

  const wish = () => ({ name: seen.info.name, ...state.read() });
  const shownNow = () => Object.entries(state.read()).every(([name, value]) => seen[name] === value);
  function change() {
    inputs.write(state.read());
    if (!shownNow() || !seen.live) source.want(wish());
    draw();
  }
  function draw() {
    inputs.show(state.read());
    drawn.draw(seen);
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

// --- What a reader of the heads operates: two texts, the head that is asked, and whether its token is hidden.

/**
 * @returns { rows, say, leftOut(n), write(now), show(now) }: the elements, a sentence about a text, how many tokens
 *   were left out, the texts of the state, and the rest of it
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
    label: "The head",
    options: QUESTIONS.map((name) => ASKED[name]),
    value: QUESTIONS.indexOf(model.get("head")),
    onpick: (i) => state.set({ head: QUESTIONS[i] }),
  });
  const hide = toggle({
    label: "Its token",
    text: "Hide it behind [MASK]",
    value: model.get("hide"),
    onpick: (on) => state.set({ hide: on }),
  });
  return {
    rows: [row(...fields.map((field) => field.el)), row(asks.el, hide.el)],
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

// --- What is drawn: the tokens as choices, and what the head answers.

/** @returns { parts, draw(seen), follow(draw), stop }: `follow` draws again when the width is another one */
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
  return {
    parts: [tokens.el, el],
    draw(seen) {
      tokens.draw(seen);
      const { props, kids } = picture(seen, Math.min(widthOf(el) || WIDE, 760), false);
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

/** The tokens as choices; they are built anew only when they are others. */
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
      el.replaceChildren(picker.el);
    }
    picker.set(seen.token);
    const read = rowsRead(seen.head, seen.token);
    picker.el.querySelectorAll(".itt-token").forEach((item, i) => {
      item.classList.toggle("is-read", read ? read.includes(i) : i > 0 && i < seen.split - 1);
      item.classList.toggle("is-found", !!seen.span && i >= seen.span[0] && i <= seen.span[1]);
      item.classList.toggle("is-masked", standing(seen, i) === "[MASK]" && seen.tokens[i] !== "[MASK]");
    });
  }
  return { el, draw };
}
