// The plane, what the shapes mean, and the nearest words of the chosen one as bars.
import { END, fitted, SMALL, drawing as svg, text, wide } from "../look/draw.js";
import { plain, s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { num } from "../look/words.js";
import { read, view } from "./numbers.js";
import { colour, drawing, layout, shape } from "./scatter.js";
import { heading, named, nearestTo, readout } from "./words.js";

const LINE = 22,
  BESIDE = 600,
  SIDE = 190; // px; from this width on, the list stands beside the plane

export function picture(v, width) {
  const beside = width >= BESIDE,
    across = beside ? width - SIDE - 28 : width,
    g = layout(v, across),
    key = legend(v, across),
    list = nearest(v, beside ? SIDE : width),
    low = g.high + key.high;
  return svg(
    width,
    beside ? Math.max(low, list.high) : low + 16 + list.high,
    drawing(g, v),
    s("g", { transform: `translate(0 ${g.high})` }, key.marks),
    s("g", { transform: beside ? `translate(${width - SIDE} 0)` : `translate(0 ${low + 16})` }, list.marks),
  );
}

function legend({ names, of }, width) {
  const all = names.map((name, group) => [name, group]),
    marks = [];
  if (names.length && of.includes(-1)) all.push(["other", -1]);
  let x = 6,
    y = 14;
  for (const [name, group] of all) {
    const room = 26 + wide(name, 12);
    if (x > 6 && x + room > width) {
      x = 6;
      y += 20;
    }
    marks.push(s("path", { d: shape(group, x, y), fill: colour(group) }), text(x + 12, y, name, SMALL));
    x += room;
  }
  return { marks, high: all.length ? y + 14 : 0 };
}

function nearest(v, width) {
  const { words, near, of } = v,
    names = near.map((one) => named(words[one.i])),
    start = Math.min(0.48 * width, 24 + Math.max(...names.map((name) => wide(name)))),
    room = width - start - 52;
  const row = ({ i: j, cosine }, r) => [
    s("path", { d: shape(of[j], 5, 34 + LINE * r), fill: colour(of[j]) }),
    text(16, 34 + LINE * r, fitted(names[r], start - 20)),
    s("rect", {
      x: start,
      y: 28 + LINE * r,
      width: Math.max(1, room * Math.max(0, cosine)),
      height: 12,
      rx: 2,
      fill: "var(--itt-edge)",
    }),
    text(width, 34 + LINE * r, num(cosine, 3), END),
  ];
  return {
    marks: [text(0, 8, fitted(nearestTo(v).join(""), width, 12), SMALL), near.map(row)],
    high: 34 + LINE * near.length,
  };
}

export function still(traits) {
  const model = { get: (name) => traits[name] },
    v = view(read(model), traits);
  return framed(traits, {
    draw: (width) => picture(v, width),
    name: plain(heading(v, traits.title)),
    said: readout(v),
    source: traits.source,
  });
}
