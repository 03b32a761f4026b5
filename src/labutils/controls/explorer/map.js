// The map of one head: queries in rows, keys in columns. SVG with labels up to 24 tokens, canvas above.

import { raised, upright } from "../look/draw.js";
import { arrows } from "../look/inputs.js";
import { fill, h, s, write } from "../look/kit.js";
import { hatch } from "../look/marks.js";
import { e } from "../look/markup.js";
import { label, pct, plural, range } from "../look/words.js";
import { isOff } from "./ahead.js";

export const LABELLED = 24;
const READABLE = 13.5; // px of a cell below which a label would touch the next
const AXIS = 50; // px of the words "query ↓"
const NUMBERED = 25; // px of a cell that holds a number

/**
 * @param spec.onpreview (i, j, part) or null: what a mouse points at; part is "cell", "row" or "column"
 * @param spec.onkeep (i, j, part): what was clicked, touched, or reached with the arrow keys
 */
export function heatmap({ onpreview, onkeep }) {
  const canvas = h("canvas", { class: "ex-canvas", "aria-hidden": "true" }),
    mask = hatch();
  const cells = s("g"),
    numbers = s("g"),
    names = s("g"),
    cross = s("g", { class: "ex-cross" });
  const row = s("rect", { class: "ex-line" }),
    column = s("rect", { class: "ex-line" }),
    cell = s("rect", { class: "ex-cell" });
  cross.append(row, column, cell);
  const svg = s(
    "svg",
    {
      class: "ex-map",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heat map",
      "aria-label": "Attention of one head; arrow keys move from cell to cell",
    },
    mask.el,
    names,
    cells,
    numbers,
    cross,
  );
  const el = h("div", { class: "ex-plot" }, canvas, svg);
  let n = 0,
    tokens = [],
    causal = true,
    size = {},
    at = [0, 0],
    rects = [],
    laid = [],
    room = {};

  svg.addEventListener(
    "keydown",
    arrows({ rows: () => n, columns: () => n, at: () => at, go: (i, j) => onkeep(i, j, "cell") }),
  );
  svg.addEventListener("pointermove", (e) => {
    const hit = under(e);
    if (e.pointerType === "mouse") onpreview(hit);
    else if (e.buttons && hit) onkeep(...hit);
  });
  svg.addEventListener("pointerleave", () => onpreview(null));
  svg.addEventListener("pointerdown", (e) => {
    const hit = under(e);
    if (hit) onkeep(...hit);
  });

  function under(event) {
    const box = svg.getBoundingClientRect(),
      k = size.width / box.width;
    const j = Math.floor(((event.clientX - box.left) * k - size.left) / size.cell),
      i = Math.floor(((event.clientY - box.top) * k - size.top) / size.cell);
    const inRow = i >= 0 && i < n,
      inColumn = j >= 0 && j < n;
    if (inRow && inColumn) return [i, j, "cell"];
    if (inRow && j < 0) return [i, at[1], "row"];
    return inColumn && i < 0 ? [at[0], j, "column"] : null;
  }

  /** Lay the map out for a text in the width there is; with `all`, every label is shown even if the map must scroll. */
  function lay(reading, width, all) {
    const what = [reading, width, all];
    if (what.every((x, k) => x === laid[k])) return room;
    laid = what;
    ({ n, tokens, causal } = reading);
    const words = tokens.map((t) => label(t, 12)),
      longest = Math.max(...words.map((w) => Array.from(w).length));
    const left = Math.min(92, Math.max(34, 12 + 6.9 * longest)),
      top = upright(n) ? 34 + 6.9 * longest : Math.min(82, 34 + 4.6 * longest); // below the words of the axis
    const fit = (width - left - 14) / n;
    // how far a slanted label reaches beyond the last column
    const beyond = (side) =>
      upright(n) ? 3 : Math.max(3, ...words.map((w, j) => 5.6 * Array.from(w).length + 6 - (n - 1 - j + 0.5) * side));
    const beside = (width - left - beyond(fit)) / n, // so that the last label fits too
      wanted = beside >= READABLE ? beside : fit,
      side = all ? Math.max(wanted, READABLE) : Math.min(wanted, 40),
      right = side >= READABLE ? beyond(side) : 3;
    size = {
      left,
      top,
      cell: side,
      width: left + n * side + right,
      height: top + n * side + 3,
      labels: side >= READABLE,
    };
    svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    Object.assign(svg.style, { width: `${size.width}px`, height: `${size.height}px` });
    drawLabels(words);
    const few = n <= LABELLED;
    canvas.hidden = few;
    rects = few ? range(n * n).map((k) => square(Math.floor(k / n), k % n)) : [];
    cells.replaceChildren(...rects);
    numbers.replaceChildren();
    if (!few)
      Object.assign(canvas.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${n * side}px`,
        height: `${n * side}px`,
      });
    room = { numbers: few && side >= NUMBERED, labels: size.labels };
    return room;
  }
  const masked = (i, j) => causal && j > i;
  function square(i, j) {
    const gap = size.cell > 12 ? 0.5 : 0.25;
    return s("rect", {
      x: size.left + j * size.cell + gap,
      y: size.top + i * size.cell + gap,
      width: size.cell - 2 * gap,
      height: size.cell - 2 * gap,
      rx: size.cell > 12 ? 2 : 0,
      fill: masked(i, j) ? mask.fill : "none",
    });
  }
  let rowNames = [],
    columnNames = [];
  function drawLabels(words) {
    const mid = size.cell / 2;
    rowNames = words.map((w, i) =>
      s("text", {
        x: size.left - 8,
        y: size.top + i * size.cell + mid,
        "text-anchor": "end",
        "dominant-baseline": "central",
        text: w,
      }),
    );
    columnNames = words.map((w, j) =>
      s("text", {
        transform: raised(size.left + j * size.cell + mid, size.top - 8, n),
        text: w,
      }),
    );
    const axis = (x, text) => s("text", { class: "ex-axis", x, y: 10, "text-anchor": "end", text });
    names.replaceChildren(
      ...rowNames,
      ...columnNames,
      axis(Math.max(AXIS, size.left - 8), "query ↓"),
      axis(size.left + n * size.cell, "key →"),
    );
    names.classList.toggle("ex-few", !size.labels);
  }

  /** Colour the cells: `fill(t)` for t from 0 to 1, `write(x)` for the number in a cell, or null. */
  function paint(values, top, fill, write) {
    if (n > LABELLED) {
      paintCanvas(canvas, { values, top, fill, n, causal, side: size.cell, ink: getComputedStyle(el).color });
      return;
    }
    for (let k = 0; k < rects.length; k++)
      if (!masked(Math.floor(k / n), k % n)) rects[k].setAttribute("fill", fill(values[k] / top));
    numbers.replaceChildren(
      ...(write
        ? range(n * n)
            .filter((k) => !masked(Math.floor(k / n), k % n))
            .map((k) =>
              s("text", {
                class: "ex-num",
                x: size.left + ((k % n) + 0.5) * size.cell,
                y: size.top + (Math.floor(k / n) + 0.5) * size.cell,
                "text-anchor": "middle",
                "dominant-baseline": "central",
                style: { fill: fill.ink(values[k] / top) },
                text: write(values[k], k),
              }),
            )
        : []),
    );
  }

  function point(i, j, part) {
    at = [i, j];
    const x = size.left + j * size.cell,
      y = size.top + i * size.cell,
      side = n * size.cell;
    const box = (rect, a) => {
      for (const [name, value] of Object.entries(a)) rect.setAttribute(name, value);
    };
    box(row, {
      x: size.left - 0.5,
      y: y - 0.5,
      width: side + 1,
      height: size.cell + 1,
      rx: 3,
      class: part === "column" ? "ex-line is-faint" : "ex-line",
    });
    box(column, {
      x: x - 0.5,
      y: size.top - 0.5,
      width: size.cell + 1,
      height: side + 1,
      rx: 3,
      class: part === "column" ? "ex-line" : "ex-line is-faint",
    });
    box(cell, { x: x - 1, y: y - 1, width: size.cell + 2, height: size.cell + 2, rx: 3 });
    rowNames.forEach((t, k) => {
      t.setAttribute("class", k === i ? "is-on" : "");
    });
    columnNames.forEach((t, k) => {
      t.setAttribute("class", k === j ? "is-on" : "");
    });
  }
  return { el, svg, lay, paint, point, size: () => size };
}

/** Above 24 tokens: one pixel a cell, scaled up without smoothing, and the masked triangle hatched. */
function paintCanvas(canvas, { values, top, fill, n, causal, side, ink }) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1),
    px = Math.round(n * side * ratio),
    small = new OffscreenCanvas(n, n),
    g = canvas.getContext("2d");
  small.getContext("2d").putImageData(pixels(values, top, fill, n, causal), 0, 0);
  canvas.width = canvas.height = px;
  g.imageSmoothingEnabled = false;
  g.drawImage(small, 0, 0, px, px);
  if (!causal) return;
  g.beginPath();
  for (let i = 0; i < n; i++) g.rect(((i + 1) * px) / n, (i * px) / n, px, px / n);
  g.clip();
  g.strokeStyle = ink;
  g.globalAlpha = 0.22;
  g.lineWidth = ratio;
  g.beginPath();
  for (let x = -px; x < px; x += 5 * Math.SQRT2 * ratio) {
    g.moveTo(x, px);
    g.lineTo(x + px, 0);
  }
  g.stroke();
}

/** n × n pixels of a head; masked ones are transparent. */
function pixels(values, top, fill, n, causal) {
  const image = new ImageData(n, n),
    { data } = image,
    { table } = fill;
  for (let i = 0, k = 0; i < n; i++)
    for (let j = 0; j < n; j++, k++) {
      if (causal && j > i) continue;
      const t = 3 * Math.min(255, Math.max(0, Math.round((255 * values[k]) / top)));
      data[4 * k] = table[t];
      data[4 * k + 1] = table[t + 1];
      data[4 * k + 2] = table[t + 2];
      data[4 * k + 3] = 255;
    }
  return image;
}

// --- All heads at once: one small map each, a row for each layer and a column for each head, one tab stop, arrow keys.

/** A grid for so many layers and heads; many layers have low maps. */
function shaped(grid, L, H) {
  grid.style.setProperty("--heads", H);
  grid.classList.toggle("is-deep", L > 4);
}

/** @param onpick (layer, head) */
export function heads(onpick) {
  const title = h("p", { class: "itt-label" }),
    grid = h("div", { class: "ex-grid", role: "group", "aria-label": "All heads" });
  const el = h("div", { class: "ex-heads" }, title, grid);
  let buttons = [],
    sized = "",
    drawn = [],
    here = [0, 0];

  function build({ L, H, n }) {
    title.textContent = `All ${plural(L * H, "head")}${L > 1 ? ": rows are layers, columns are heads" : ""}`;
    shaped(grid, L, H);
    buttons = range(L).map((l) =>
      range(H).map((k) =>
        h(
          "button",
          {
            type: "button",
            class: "ex-thumb",
            "aria-label": `layer ${l}, head ${k}`,
            onclick: () => onpick(l, k),
            onkeydown: move,
          },
          h("canvas", { width: n, height: n, "aria-hidden": "true" }),
        ),
      ),
    );
    const at = (l, k) => ({ "--l": l, "--k": k });
    grid.replaceChildren(
      ...range(H).map((k) => h("span", { class: "ex-gk", style: at(-1, k), text: k })),
      ...range(L).map((l) => h("span", { class: "ex-gl", style: at(l, -1), text: l || L > 6 ? l : "layer 0" })),
      ...buttons.flatMap((row, l) =>
        row.map((button, k) => {
          button.style.setProperty("--l", l);
          button.style.setProperty("--k", k);
          return button;
        }),
      ),
    );
    sized = `${L} ${H} ${n}`;
  }

  /** Draw every head on one scale, if anything but the choice has changed, and mark the one that is shown. */
  function draw(reading, { measure, layer, head, off }, fill) {
    const { L, H, n, causal, tops } = reading,
      what = [reading, measure, fill];
    choose(layer, head);
    mark(off);
    if (what.every((x, k) => x === drawn[k])) return;
    drawn = what;
    if (sized !== `${L} ${H} ${n}`) build(reading);
    buttons.forEach((row, l) => {
      row.forEach((button, k) => {
        button.firstChild
          .getContext("2d")
          .putImageData(pixels(reading.at(measure, l, k), tops[measure], fill, n, causal), 0, 0);
      });
    });
    choose(layer, head);
    mark(off);
  }
  const mark = (off) =>
    buttons.forEach((row, l) => {
      row.forEach((button, k) => {
        button.classList.toggle("is-off", isOff(off, l, k));
        button.setAttribute("aria-label", `layer ${l}, head ${k}${isOff(off, l, k) ? ", switched off" : ""}`);
      });
    });
  function choose(layer, head) {
    here = [layer, head];
    buttons.forEach((row, l) => {
      row.forEach((button, k) => {
        const on = l === layer && k === head;
        button.setAttribute("aria-pressed", on);
        button.tabIndex = on ? 0 : -1;
      });
    });
  }
  function move(event) {
    // layer, head
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [dl, dk] = step;
    const l = Math.min(buttons.length - 1, Math.max(0, here[0] + dl)),
      k = Math.min(buttons[0].length - 1, Math.max(0, here[1] + dk));
    onpick(l, k);
    buttons[l][k].focus();
  }
  /** Write on the maps of the heads that were tried, in percent, what they leave of a word. */
  function note(watched, left) {
    for (const [l, row] of buttons.entries())
      for (const [k, button] of row.entries()) {
        const share = left.get(`${l}.${k}`),
          was = button.querySelector(".ex-left-over");
        if (share === undefined) {
          was?.remove();
          continue;
        }
        const mark = was ?? button.appendChild(h("span", { class: "ex-left-over" }));
        write(mark, Math.round(100 * share));
        button.setAttribute(
          "aria-label",
          `${button.getAttribute("aria-label")}; without it “${watched.word}” has ${pct(share)}`,
        );
      }
    if (watched?.word)
      fill(
        title,
        e("b", { text: "All heads" }),
        e("span", {
          class: "ex-hint",
          text: left.size
            ? `the number: “${watched.word}” without that head, in percent`
            : "rows are layers, columns are heads",
        }),
      );
  }
  return { el, draw, note };
}
