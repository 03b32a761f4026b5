// The plane in the page, and the nearest words beside it: both choose a word.
import { fill, h, s, widthOf, write } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { num, range } from "../look/words.js";
import { beside, NONE } from "./numbers.js";
import { colour, drawing, layout, shape } from "./scatter.js";
import { named, nearestTo } from "./words.js";

const CLOSE = 26; // px from a point that still mean it

/** The plane: a pointer or the arrow keys choose a word. */
export function plane(onpick) {
  const marks = s("g"),
    svg = s(
      "svg",
      { class: "pt-svg", tabindex: 0, role: "application", "aria-roledescription": "plane of words" },
      marks,
    ),
    el = h("div", { class: "pt-plane" }, svg);
  let v = null,
    g = null,
    hover = null;
  const paint = () => fill(marks, drawing(g, v, hover === v.i ? null : hover));
  const show = (i) => {
    if (i !== hover) {
      hover = i;
      paint();
    }
  };
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") show(under(event, svg, g));
  });
  svg.addEventListener("pointerleave", () => show(null));
  svg.addEventListener("click", (event) => {
    const i = under(event, svg, g);
    if (i !== null) onpick(i);
  });
  svg.addEventListener("keydown", (event) => moved(event, g, v, onpick));
  function draw(next) {
    v = next;
    g = layout(v, Math.max(240, widthOf(el) || 320));
    svg.setAttribute("viewBox", `0 0 ${g.width} ${Math.ceil(g.high)}`);
    svg.setAttribute(
      "aria-label",
      `${v.n} words on a plane, ${v.i === NONE ? "none" : named(v.words[v.i])} chosen; arrow keys go to the next ` +
        "word in a direction, Home and End to the first and the last of the list",
    );
    paint();
  }
  return { el, draw };
}

/** The word under a pointer, or null: the nearest one, if it is close. */
function under(event, svg, g) {
  const box = svg.getBoundingClientRect(),
    x = ((event.clientX - box.left) * g.width) / box.width,
    y = ((event.clientY - box.top) * g.width) / box.width;
  const far = (i) => Math.hypot(g.xs[i] - x, g.ys[i] - y),
    best = range(g.xs.length).reduce((a, i) => (far(i) < far(a) ? i : a), 0);
  return far(best) <= CLOSE ? best : null;
}

/** Arrow keys go to the next word in a direction, Home and End to the first and the last. */
function moved(event, g, v, onpick) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const end = { Home: 0, End: v.n - 1 }[event.key];
  if ((!step && end === undefined) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  onpick(step ? beside(g.xs, g.ys, v.i, ...step) : end);
}

/** The nearest words with their cosines; each is a button that chooses it. */
export function nearest(onpick) {
  const title = h("p", { class: "itt-label" }),
    list = h("div", { class: "pt-rows" }),
    el = h("div", { class: "pt-list" }, title, list);
  let lines = [];
  function draw(v) {
    if (lines.length !== v.near.length) {
      lines = range(v.near.length).map(() => line(onpick));
      list.replaceChildren(...lines.map((one) => one.el));
    }
    fill(title, ...nearestTo(v, bdi));
    v.near.forEach(({ i, cosine }, r) => {
      const one = lines[r],
        group = v.of[i];
      one.i = i;
      one.mark.setAttribute("d", shape(group, 8, 8, 5));
      one.mark.setAttribute("fill", colour(group));
      fill(one.word, bdi(named(v.words[i])));
      one.bar.style.setProperty("--p", Math.max(0, cosine));
      write(one.number, num(cosine, 3));
    });
  }
  return { el, draw };
}

/** The parts of a row, still empty; `i` is the word that it chooses. */
function line(onpick) {
  const mark = s("path", {}),
    word = h("span", { class: "pt-word" }),
    bar = h("span", { class: "itt-share" }),
    number = h("span", { class: "pt-number" }),
    one = { mark, word, bar, number, i: 0, el: null };
  one.el = h(
    "button",
    { type: "button", class: "pt-row", onclick: () => onpick(one.i) },
    s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, mark),
    word,
    bar,
    number,
  );
  return one;
}
