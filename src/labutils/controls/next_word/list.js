// The most probable tokens as bars. Each row is a button that takes its token; the rest of the vocabulary is one row
// more.
import { h } from "../look/kit.js";
import { bdi } from "../look/markup.js";
import { arrows } from "../look/inputs.js";
import { END, rowName, share } from "./words.js";

/** @param onpick called with the id of the token that is taken */
export function bars(onpick) {
  const rows = h("div", { class: "nw-rows", role: "group",
      "aria-label": "The most probable tokens; each is a button that takes its token" });
  const rest = h("div", { class: "nw-row nw-rest" }, h("span", { class: "nw-token" }), bar(),
    h("span", { class: "nw-p" }));
  const axis = h("div", { class: "nw-axis", "aria-hidden": "true" },
    h("span", { class: "nw-ticks" }, ["0", "0.5", "1"].map((text) => h("span", { text }))));
  const el = h("div", { class: "nw-list" }, rows, rest, axis);
  let list = [], at = 0;
  const focus = (i) => { list.forEach((one, k) => { one.tabIndex = k === i ? 0 : -1; }); at = i; };
  rows.addEventListener("keydown",
    arrows({ rows: () => list.length, columns: () => 1, at: () => [at, 0], go: (i) => list[i].focus() }));

  function draw({ top, info }, most, off) {
    const shown = top.slice(0, most), left = info.vocab - shown.length, had = rows.contains(document.activeElement);
    list = shown.map((one, i) => h("button",
        { type: "button", class: "nw-row", tabindex: i ? -1 : 0, "aria-disabled": String(off), onfocus: () => focus(i),
        onclick: () => onpick(one.id),
      "aria-label": `${rowName(one.token)}, ${share(one.p)}` },
      h("span", { class: `nw-token${one.token === END ? " is-end" : ""}` }, bdi(rowName(one.token))), bar(one.p),
      h("span", { class: "nw-p", text: share(one.p) })));
    rows.replaceChildren(...list);
    focus(0);
    if (had) list[0].focus();
    rest.hidden = left < 1;
    const others = Math.max(0, 1 - shown.reduce((sum, one) => sum + one.p, 0));
    rest.children[0].textContent = `${left.toLocaleString("en")} ${left === 1 ? "other" : "others"}`;
    rest.children[1].style.setProperty("--p", others);
    rest.children[2].textContent = share(others);
  }
  return { el, draw };
}

const bar = (p = 0) => h("span", { class: "nw-bar", style: { "--p": p } });
