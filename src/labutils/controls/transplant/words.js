// What a transplant says of the place that was tried, and the names of places.
import { b } from "../look/markup.js";
import { END } from "../look/nexts.js";
import { inSentence, label, pct, range } from "../look/words.js";
import { complete, HALF, levels, placeOf, travels, way } from "./numbers.js";

/** "before the attention of layer 3". */
export function where(level, L) {
  if (level === 2 * L) return `after layer ${L - 1}`;
  return `${level % 2 ? "after" : "before"} the attention of layer ${Math.floor(level / 2)}`;
}
/** The same beside a row of the grid. */
export function beside(level, L, short) {
  if (level === 2 * L) return short ? "end" : "the end";
  const layer = Math.floor(level / 2);
  return short ? `${layer} ${level % 2 ? "after" : "before"}` : `layer ${layer}, ${level % 2 ? "after" : "before"}`;
}
/** A token as one word: "sleepy" for the piece "·s" that most probably begins it, "…ed" for one that goes on. */
export const said = ({ word, token }) => (token === END ? "the end" : label((word ?? token).replace(/^##/, "…")));
/** A token at the foot of its column: the hole as a question mark, other signs without their brackets. */
export const column = (token) => (token === "[MASK]" ? "?" : token.replace(/^\[(\w+)\]$/, "$1"));
/** What is asked: the word that comes next, or of a model that fills holes the word in the hole. */
export const asked = ({ info }) => (info.causal ? "Next word" : "In the hole");
/** What the grid shows. */
export const gridTitle = ({ reading: { info }, looking }) =>
  !looking
    ? "Percent of the way to the other answer"
    : `The word that each row says${info.causal ? ", as if it were the last" : " to the model’s own head"}`;
/** Percent of the way, as a number in a cell. */
export const percent = (w) => String(Math.round(100 * w));

/**
 * The tokens in which two texts differ, as one name each: "cat" and "horse"; or where they differ more, their
 * order.
 */
export function differing({ tokens, theirs }) {
  const at = range(tokens.length).filter((i) => tokens[i] !== theirs[i]);
  return at.length === 1 ? [label(tokens[at[0]]), label(theirs[at[0]])] : ["the first text", "the second text"];
}

const most = ({ ones }, side) => ones.reduce((best, one) => (one[side] > best[side] ? one : best));

/** Where the answer travels, if that was found. */
function found(reading, tried) {
  const all = travels(reading, tried),
    done = complete(reading, tried);
  if (!all.length) return done ? " No attention carries it from one row to one other." : "";
  const { layer, from, to } = all[0];
  return [
    " In the attention of layer ",
    b(String(layer)),
    " the answer travels from the row of ",
    b(inSentence(reading.tokens[from])),
    " to the row of ",
    b(inSentence(reading.tokens[to])),
    ".",
  ];
}

export function readout({ reading, level, token, carried, tried }) {
  const { ones, k, places, L, theirs } = reading,
    place = placeOf(level, token),
    at = carried && places[place];
  if (!at) {
    const [mine, other] = [most(reading, "a"), most(reading, "b")];
    const [one, two] = reading.info.causal
      ? ["The first text is continued with ", "the second with "]
      : ["In the hole of the first text the model reads ", "in that of the second "];
    return [
      `No row is carried. ${one}`,
      b(said(mine)),
      `, ${pct(mine.a)}, ${two}`,
      b(said(other)),
      `, ${pct(other.b)}.`,
      found(reading, tried),
      Object.keys(places).length ? "" : " No place is tried yet: choose one.",
    ];
  }
  const w = way(reading, place),
    gains = ones[k],
    head = ["The row of ", b(inSentence(theirs[token])), ` of the second text stands ${where(level, L)}: `];
  const share = at.p[k];
  if (w >= HALF)
    return [
      ...head,
      b(said(gains)),
      ` rises from ${pct(gains.a)} to `,
      b(pct(share)),
      `, ${percent(w)}% of the way to the second text’s answer.`,
      found(reading, tried),
    ];
  const rest = share - gains.a >= 0.005 ? `rises only from ${pct(gains.a)} to ${pct(share)}` : `stays at ${pct(share)}`;
  return [
    ...head,
    b(said(gains)),
    ` ${rest}, and the first choice is `,
    b(said(at.best)),
    ` with ${pct(at.best.p)}.`,
    found(reading, tried),
  ];
}

/** What one row would say, read as if it were the last: the lens. */
export function seen({ reading, lens, focus: [level, token] }) {
  const one = lens?.[level]?.[token];
  if (!one) return "";
  return [
    reading.info.causal ? "Read as if it were the last, the row of " : "Read by the model’s own head, the row of ",
    b(inSentence(reading.tokens[token])),
    ` ${where(level, reading.L)} says `,
    b(said(one)),
    `, ${pct(one.p)}.`,
  ];
}

export const heading = ({ reading: { text, other } }) => `“${label(text, 48)}” with one row of “${label(other, 48)}”`;

/** The table: percent of the way by place, or the words of the rows. */
export function rows(view) {
  const { reading, tried, looking, lens } = view,
    { L, n, tokens } = reading,
    known = new Set(tried);
  const cell = (level, token) => {
    const place = placeOf(level, token),
      one = lens?.[level]?.[token];
    if (looking) return one ? `${said(one)} ${pct(one.p)}` : "not computed";
    return known.has(place) && reading.places[place] ? percent(way(reading, place)) : "not tried";
  };
  return {
    caption: looking ? `What each row says: ${heading(view)}` : `Percent of the way, by place: ${heading(view)}`,
    head: ["place", ...tokens.map((token) => label(token))],
    rows: range(levels(reading))
      .reverse()
      .map((level) => [where(level, L), ...range(n).map((token) => cell(level, token))]),
  };
}
/** A cell of the grid for those who do not see it. */
export function spoken({ reading, tried, looking, lens }, level, token) {
  const place = placeOf(level, token),
    at = `${label(reading.tokens[token])}, ${where(level, reading.L)}`;
  if (looking) return lens?.[level]?.[token] ? `${at}: ${said(lens[level][token])}` : at;
  const known = tried.includes(place) && reading.places[place];
  return known ? `${at}: ${percent(way(reading, place))}% of the way` : `${at}: not tried`;
}
export const titles = (reading) =>
  differing(reading).map(
    (words) => `Said more ${reading.info.causal ? "after" : "with"} ${/ /.test(words) ? words : `“${words}”`}`,
  );
/** What the words beside the bars stand for, where one of them is written in pieces. */
export const pieces = ({ ones }) =>
  ones.some(({ word, token }) => word && word !== token)
    ? "A word that the model writes in pieces stands for its first piece."
    : "";
