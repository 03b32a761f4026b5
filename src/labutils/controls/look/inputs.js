// What a reader operates. Native inputs lie underneath, so the keyboard and screen readers work without code.
// Each function returns { el, set }: the element, and a way to show another value without calling back.
import { h, id, mark, write } from "./kit.js";
import { bdi } from "./markup.js";
import { clamp, spelt, symbols, label as tokenLabel } from "./words.js";

/**
 * One of a few: radio buttons in a row. `options` are words, or { text, n } with a small number in front.
 * @param {{label: string, options: any[], value: number, onpick: (i: number) => void, big?: boolean, hidden?:
 *   boolean}} spec
 */
export function segmented({ label, options, value, onpick, big, hidden }) {
  const name = id("seg");
  const inputs = options.map((_, i) =>
    h("input", { type: "radio", name, value: i, checked: i === value, onchange: () => onpick(i) }),
  );
  const items = options.map((o, i) =>
    h(
      "label",
      { class: "itt-seg-item" },
      inputs[i],
      h("span", {}, o.n !== undefined && h("i", { text: o.n }), h("span", {}, symbols(o.text ?? o))),
    ),
  );
  const look = big ? " itt-seg-big" : "",
    wraps = big || options.length > 6 ? {} : columns(options.map((o) => `${o.n ?? ""}${spelt(o.text ?? o)}`));
  const size = options.length > 6 ? ` itt-seg-many itt-seg-${options.length}` : "";
  const phones = Object.keys(wraps)
    .map((name) => ` is${name.slice(1)}`)
    .join("");
  const el = h(
    "fieldset",
    { class: `itt-seg${look}${size}${phones}`, style: wraps },
    h("legend", { class: hidden ? "itt-sr" : "itt-label" }, symbols(label)),
    h("span", { class: "itt-seg-row" }, items),
  );
  return {
    el,
    inputs,
    set: (i) => {
      if (inputs[i]) inputs[i].checked = true;
    },
  };
}

const PHONES = { "--phone": 320, "--narrow": 250 }, // px of a row of choices on a phone and on the narrowest one
  LETTER = 7.4,
  AROUND = 14; // px of a letter in bold, and of a choice around its word
/**
 * For each phone on which the words do not fit into one line, in how many equal columns they stand: as few lines as
 * there can be, and of these the fewest columns, so that none stands alone where that can be.
 * @param {string[]} words
 */
function columns(words) {
  const wide = words.map((word) => Array.from(word).length * LETTER + AROUND),
    total = wide.reduce((sum, x) => sum + x, 0),
    lines = (k) => Math.ceil(words.length / k);
  const best = (room) =>
    [1, 2, 3]
      .filter((k) => k === 1 || k * Math.max(...wide) <= room)
      .reduce((few, k) => (lines(k) < lines(few) ? k : few));
  return Object.fromEntries(
    Object.entries(PHONES)
      .filter(([, room]) => total > room)
      .map(([name, room]) => [name, best(room)]),
  );
}

/** One of many: a native select. */
export function select({ label, options, value, onpick }) {
  const inp = h(
    "select",
    { class: "itt-select", onchange: () => onpick(inp.selectedIndex) },
    options.map((o) => h("option", { text: o })),
  );
  inp.selectedIndex = value;
  return {
    el: h("label", { class: "itt-field" }, h("span", { class: "itt-label", text: label }), inp),
    set: (i) => {
      inp.selectedIndex = i;
    },
  };
}

/** One of any number of options: in a row up to 24, a select beyond. */
export const choice = (spec) => (spec.options.length > 24 ? select(spec) : segmented(spec));

/** A number, with its value beside it. `words(value)` is what is written and what a screen reader says. */
export function slider({ label, min, max, step, value, words, oninput }) {
  const out = h("output", { class: "itt-value" });
  const inp = h("input", {
    type: "range",
    min,
    max,
    step,
    value,
    "aria-label": spelt(label),
    oninput: () => {
      paint();
      oninput(+inp.value);
    },
  });
  const paint = () => {
    const said = words(+inp.value);
    write(out, said);
    mark(inp, "aria-valuetext", said);
    inp.style.setProperty("--at", `${(100 * (inp.value - inp.min)) / (inp.max - inp.min)}%`); // the ends may change
  };
  paint();
  const el = h(
    "label",
    { class: "itt-slider" },
    h("span", { class: "itt-label" }, symbols(label)),
    h("span", { class: "itt-slider-row" }, inp, out),
  );
  return {
    el,
    input: inp,
    set: (v) => {
      inp.value = v;
      paint();
    },
  };
}

/** Yes or no. */
export function toggle({ label, text, value, onpick, hidden }) {
  const inp = h("input", { type: "checkbox", role: "switch", checked: value, onchange: () => onpick(inp.checked) }),
    words = h("span", { text });
  const el = h(
    "label",
    { class: "itt-toggle" },
    h("span", { class: hidden ? "itt-sr" : "itt-label", text: label }),
    h("span", { class: "itt-toggle-row" }, inp, h("span", { class: "itt-toggle-track" }), words),
  );
  return {
    el,
    input: inp,
    rename: (said) => {
      words.textContent = said;
    },
    set: (v) => {
      inp.checked = v;
    },
  };
}

/** What waits in a fold. */
export const folded = (text, look, ...kids) =>
  h("details", { class: `${look} itt-unfolds` }, h("summary", { text }), kids);

export const button = (text, onclick, look = "") =>
  h("button", { type: "button", class: `itt-button ${look}`, text, onclick });

/** A position in a text: every token is a choice, with its position beside it. */
export function tokenPicker({ label, tokens, value, onpick }) {
  const name = id("tok");
  const inputs = tokens.map((t, i) =>
    h("input", {
      type: "radio",
      name,
      value: i,
      checked: i === value,
      "aria-label": `${tokenLabel(t)}, position ${i}`,
      onchange: () => onpick(i),
    }),
  );
  const items = tokens.map((t, i) =>
    h("label", { class: "itt-token" }, inputs[i], h("span", {}, bdi(tokenLabel(t)), h("sub", { text: i }))),
  );
  const el = h(
    "fieldset",
    { class: "itt-tokens" },
    h("legend", { class: "itt-label", text: label }),
    h("span", { class: "itt-tokens-row" }, items),
  );
  return {
    el,
    inputs,
    set: (i) => {
      if (inputs[i]) inputs[i].checked = true;
    },
  };
}

/**
 * Free text in one field as wide as the control. The cap is part of the label; `say` writes a sentence below the field.
 */
export function textField({ label, value, oninput, samples = [] }) {
  const note = id("note");
  const inp = h("input", {
    type: "text",
    class: "itt-text",
    value,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    dir: "auto",
    "aria-describedby": note,
    oninput: () => oninput(inp.value),
  });
  const say = h("p", { class: "itt-note", id: note, role: "status" });
  const tries = samples.map(([name, text]) =>
    button(
      name,
      () => {
        inp.value = text;
        oninput(text);
      },
      "itt-plain",
    ),
  );
  const name = h("span", { class: "itt-label", text: label });
  const el = h(
    "div",
    { class: "itt-grow" },
    h("label", { class: "itt-field" }, name, inp),
    say,
    tries.length > 0 && h("p", { class: "itt-samples" }, h("span", { text: "Try" }), tries),
  );
  return {
    el,
    input: inp,
    set: (text) => {
      if (inp.value !== text) inp.value = text;
    }, // an untouched field keeps the caret
    rename: (text) => {
      name.textContent = text;
    },
    say: (sentence, wrong = false) => {
      say.textContent = sentence || "";
      say.classList.toggle("is-wrong", wrong);
      inp.setAttribute("aria-invalid", String(wrong));
    },
  };
}

/** Arrow keys through a grid of things with one tab stop; `at` and `go` speak in rows and columns. */
export function arrows({ rows, columns, at, go }) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let [i, j] = at();
    if (step[event.key]) {
      i += step[event.key][0];
      j += step[event.key][1];
    } else if (event.key === "Home") j = 0;
    else if (event.key === "End") j = columns() - 1;
    else return;
    event.preventDefault();
    event.stopPropagation();
    go(Math.min(rows() - 1, Math.max(0, i)), Math.min(columns() - 1, Math.max(0, j)));
  };
}

/**
 * A pointer over a drawing: what lies under a mouse is previewed, what is pressed or swept with a finger is kept.
 * @param {SVGElement} el
 * @param {object} spec
 * @param {(event: PointerEvent) => any[] | null} spec.under what lies there
 * @param {(hit: any[] | null) => void} spec.onpreview called with null where there is nothing, or where it leaves
 * @param {(...hit: any[]) => void} spec.onkeep
 */
export function pointing(el, { under, onpreview, onkeep }) {
  const keep = (event) => {
    const hit = under(event);
    if (hit) onkeep(...hit);
  };
  el.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") onpreview(under(event));
    else if (event.buttons) keep(event);
  });
  el.addEventListener("pointerleave", () => onpreview(null));
  el.addEventListener("pointerdown", keep);
}

/** The row and the column that lie under a pointer, in a grid that fills an element. */
export function cellUnder(el, event, rows, columns) {
  const box = el.getBoundingClientRect(),
    part = (at, size, count) => clamp(Math.floor((at / size) * count), 0, count - 1);
  return [part(event.clientY - box.top, box.height, rows), part(event.clientX - box.left, box.width, columns)];
}
