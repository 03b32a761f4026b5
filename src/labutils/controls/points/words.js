// What a plane of points says.
import { b } from "../look/markup.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { NONE } from "./numbers.js";

/** A token as the engine prints it has its space in front: a dot. */
export const named = (word) => label(word, 24);
const share = (x) => (x < 0.005 ? "under 1%" : pct(x));

/** An axis: its name, and the share of the variance that lies along it. */
export const axisWords = ({ name, share: part }) => (part === null ? name : `${name}, ${share(part)} of the variance`);

/** The heading of the nearest words; `mark` puts the name of a word into it. */
export const nearestTo = (v, mark = String) =>
  v.i === NONE ? ["Nearest: choose a word"] : ["Nearest to ", mark(`“${named(v.words[v.i])}”`), ", by cosine"];

function nearestWords(v) {
  if (v.i === NONE) return [`${plural(v.n, "word")}, and none is chosen yet. `];
  const [best] = v.near,
    others = plural(v.n - 1, "other word");
  const where = v.table ? [`${v.table.charAt(0).toUpperCase()}${v.table.slice(1)}: of `] : ["Of "];
  return [
    ...where,
    others,
    ", ",
    quote(v.words[best.i]),
    " lies nearest to ",
    quote(v.words[v.i]),
    ", cosine ",
    b(num(best.cosine, 3)),
    ". ",
  ];
}

export function readout(v) {
  const nearest = nearestWords(v);
  if (v.line) return [...nearest, ...lineWords(v.line)];
  if (v.x.share === null) return nearest;
  return [
    ...nearest,
    `The plane shows ${share(v.x.share + v.y.share)} of the variance: what is near in it need not be near.`,
  ];
}

/** How well a line separates two groups. */
export function lineWords({ name, above, below, fitted, right: [a, c], of: [m, n] }) {
  const well = b(pct((a / m + c / n) / 2)),
    count = `${a} of ${m} ${above}, ${c} of ${n} ${below}`;
  const how = fitted ? "each judged by a line fitted without it" : "the border halfway between the other words";
  return [
    fitted ? "A line puts " : `Along ${name}, `,
    well,
    fitted ? "" : " lie",
    ` on their own side (${count}, ${how}). Chance is 50%.`,
  ];
}

export const heading = (v, title) => (v.table ? `${title}, ${v.table}` : title);
