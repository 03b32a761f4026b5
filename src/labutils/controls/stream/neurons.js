// The neurons of one feed-forward network: all of them at all tokens in pages, the largest at one token as bars.

import { cells } from "../look/draw.js";
import { arrows, button, choice } from "../look/inputs.js";
import { fill, h, s } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { bdi } from "../look/markup.js";
import { clamp, label, num, range } from "../look/words.js";
import { PAGE } from "./numbers.js";
import { marked, neuronsTitle, pageName } from "./words.js";

const LARGEST = 8;

/** @param onpick called with a neuron and a token that a reader chooses */
export function neuronsPanel(onpick) {
  const title = h("p", { class: "sm-title" }),
    note = h("p", { class: "sm-pointed", role: "status" });
  const list = h("div", { class: "sm-list", role: "group" }),
    pages = h("div", { class: "itt-slot" });
  const tokens = h("div", { class: "sm-names", "aria-hidden": "true" }),
    paint = s("g"),
    cross = s("rect", { class: "sm-cross", width: 1, height: 1 });
  const map = s(
    "svg",
    {
      class: "sm-map",
      preserveAspectRatio: "none",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heat map",
    },
    paint,
    cross,
  );
  const key = legend({ label: "After the activation", name: "div", ticks: [] });
  const axis = h("div", { class: "sm-axis", "aria-hidden": "true" });
  const el = h(
    "div",
    { class: "sm-neurons" },
    title,
    list,
    pages,
    h("div", { class: "sm-plot" }, tokens, h("div", { class: "sm-mapped" }, map, axis)),
    key.el,
    note,
  );
  let v = null,
    picker = null,
    drawn = "";

  const hit = (event) => {
    const box = map.getBoundingClientRect(),
      { from, columns } = v.neurons,
      { n } = v.seen;
    return [
      from + clamp(Math.floor(((event.clientX - box.left) / box.width) * columns), 0, columns - 1),
      clamp(Math.floor(((event.clientY - box.top) / box.height) * n), 0, n - 1),
    ];
  };
  map.addEventListener("pointermove", (event) => {
    if (!v?.neurons) return;
    if (event.pointerType !== "mouse" && event.buttons) onpick(...hit(event));
    else if (event.pointerType === "mouse") preview(hit(event));
  });
  map.addEventListener("pointerleave", () => v?.neurons && say());
  map.addEventListener("pointerdown", (event) => v?.neurons && onpick(...hit(event)));
  map.addEventListener(
    "keydown",
    (event) =>
      v?.neurons &&
      arrows({
        rows: () => v.seen.n,
        columns: () => v.seen.f,
        at: () => [v.i, v.neurons.j],
        go: (i, j) => onpick(j, i),
      })(event),
  );

  function preview([j, i]) {
    const x = v.neurons.all[i * v.seen.f + j];
    fill(note, `Neuron ${j} at `, bdi(`“${label(v.tokens[i])}”`), ": ", h("b", { text: num(x) }));
  }
  const say = () => fill(note, marked(v));

  function show(view) {
    v = view;
    el.hidden = !v.neurons;
    if (!v.neurons) return;
    const { all, row, order, j, page, pages: many, from, columns } = v.neurons,
      { n, f } = v.seen;
    fill(title, neuronsTitle(v));
    const far = Math.abs(row[order[0]]) || 1;
    list.replaceChildren(...order.slice(0, LARGEST).map((k) => bar(k, row[k], far, k === j)));
    list.setAttribute("aria-label", `The ${Math.min(f, LARGEST)} largest neurons of this token`);
    if (picker?.f !== f) {
      picker =
        many > 1
          ? {
              f,
              ...choice({
                label: `Neurons of ${f}`,
                options: range(many).map((p) => pageName(p, f)),
                value: page,
                onpick: (p) => onpick(Math.min(f - 1, p * PAGE), v.i),
              }),
            }
          : { f, el: "", set() {} };
      pages.replaceChildren(picker.el);
    }
    picker.set(page);
    const now = [v.seen.text, v.seen.info.name, v.l, page, v.seen.live].join("\u0000");
    if (now !== drawn) draw(all, n, f, from, columns);
    drawn = now;
    names(n);
    for (const [name, value] of Object.entries({ x: j - from, y: v.i })) cross.setAttribute(name, value);
    map.setAttribute(
      "aria-label",
      `Layer ${v.l}: ${n} tokens, neurons ${from} to ${from + columns - 1}; arrow keys move from number to number`,
    );
    say();
  }

  function bar(k, x, far, on) {
    const one = button("", () => onpick(k, v.i), "itt-plain");
    one.className = `sm-neuron${on ? " is-on" : ""}`;
    one.setAttribute("aria-pressed", String(on));
    fill(
      one,
      h("span", { class: "sm-name", text: `neuron ${k}` }),
      h("span", { class: `itt-share${x < 0 ? " is-under" : ""}`, style: { "--p": Math.abs(x) / far } }),
      h("b", { text: num(x) }),
    );
    return one;
  }

  /** One page, coloured on one scale for the whole layer: the same reach below zero and above. */
  function draw(all, n, f, from, columns) {
    const far = all.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
    map.setAttribute("viewBox", `0 0 ${columns} ${n}`);
    map.style.setProperty("--rows", n);
    const boxes = range(n * columns).map((k) => ({
      x: k % columns,
      y: Math.floor(k / columns),
      width: 1,
      height: 1,
      t: 0.5 + all[Math.floor(k / columns) * f + from + (k % columns)] / far / 2,
    }));
    fill(paint, cells("div", boxes));
    key.set("After the activation", [num(-far, 1), "0", num(far, 1)]);
    axis.replaceChildren(...[from, "neuron", from + columns - 1].map((c) => h("span", { text: c })));
  }
  function names(n) {
    tokens.replaceChildren(
      ...range(n).map((i) =>
        h("span", { class: `sm-token${i === v.i ? " is-on" : ""}` }, h("bdi", { text: label(v.tokens[i], 10) })),
      ),
    );
  }
  return { el, show };
}
