// What the playground says: pieces made visible, the readout, and why each step of a cut went as it did.
import { utf8 } from "../engine/bytes.js";
import { b, bdi } from "../look/markup.js";
import { plural } from "../look/words.js";

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f";
const UNSEEN = new RegExp(`[${CONTROLS}\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb]`, "g");
const NAMED = { " ": "·", "\n": "↵", "\t": "⇥" };

/** A piece on a chip: spaces are dots, what cannot be seen is named, an accent alone stands on a circle. */
export function visible(text, most = 24) {
  const seen = text
    .replace(/[ \n\t]/g, (ch) => NAMED[ch])
    .replace(UNSEEN, (ch) => `U+${ch.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
  const letters = Array.from(/^\p{M}/u.test(seen) ? `◌${seen}` : seen);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}
export const quoted = (text, most = 24) => bdi(`“${visible(text.trim() || text, most).replaceAll("·", " ")}”`);

const hex = (text) => Array.from(utf8(text), (x) => x.toString(16).toUpperCase().padStart(2, "0")).join(" ");
/** The bytes of a token: of BPE its own, of WordPiece those of the characters it stands for. */
export const bytesOf = (t, kind, text) => t.bytes || hex(kind === "bpe" ? t.text : text.slice(t.start, t.end));

/** Where a token stands, in characters as a reader counts them, from 0; empty for what is not in the text. */
export function charactersOf(t, text, upTo = "–") {
  if (t.word === null || t.start === t.end) return "";
  const start = Array.from(text.slice(0, t.start)).length,
    length = Array.from(text.slice(t.start, t.end)).length;
  return length === 1 ? `${start}` : `${start}${upTo}${start + length - 1}`;
}

/** What stands under a piece. */
export function under(which, t, kind, text) {
  if (which === 0) return String(t.id);
  if (t.word === null) return "none";
  return which === 1 ? bytesOf(t, kind, text) : charactersOf(t, text);
}

export const SHORT = { bpe: "BPE", wordpiece: "WordPiece", words: "whole-word" };
export const LONG = { bpe: "Byte-level BPE", wordpiece: "WordPiece", words: "Whole words" };

/** What the shapes of chips mean, for those that are there. */
export function keys(lanes) {
  const some = (is) => lanes.some((lane) => lane.tokens.some(is));
  return [
    some((t) => t.special) && ["is-special", "special: a sign for the model, not a piece of a word"],
    some((t) => t.unknown) && ["is-unknown", "unknown: a word that no pieces of the vocabulary make up"],
    some((t) => t.bytes) && ["is-bytes", "bytes in hexadecimal: a part of a character"],
  ].filter(Boolean);
}

const sizes = ({ size, merges }) =>
  [plural(size, "entry").replace("entrys", "entries"), merges && plural(merges, "merge")].filter(Boolean).join(", ");
export const sources = (lanes) => lanes.map((lane) => `${lane.title}: ${sizes(lane)}`).join(". ");

/** The readout: how many tokens each lane has, and whether its ids give the text back. */
export function readout(lanes, text) {
  const chars = Array.from(text).length,
    own = lanes.map((lane) => lane.tokens.filter((t) => t.word !== null).length);
  if (!chars)
    return [
      "No text, no pieces. ",
      ...lanes.flatMap((lane) =>
        lane.tokens.length
          ? [`${SHORT[lane.kind]} still gives ${plural(lane.tokens.length, "token")}, which its template adds.`]
          : [],
      ),
    ];
  const counts = lanes.flatMap((lane, i) => [
    i ? " and " : "",
    b(`${plural(lane.tokens.length, `${SHORT[lane.kind]} token`)}`),
    added(lane.tokens.length - own[i], own[i]),
  ]);
  const lost = lanes.filter((lane) => lane.decoded !== text),
    kept = lanes.filter((lane) => lane.decoded === text);
  const name = ([{ kind }]) => (kind === "words" ? "whole-word cutting" : SHORT[kind]);
  const back = !lost.length
    ? `From the ids both give the text back.`
    : kept.length
      ? `From its ids ${name(kept)} gives the text back; ${name(lost)} does not.`
      : "From the ids neither gives the text back.";
  const unknown = lanes.reduce((sum, lane) => sum + lane.tokens.filter((t) => t.unknown).length, 0);
  return [
    `${plural(chars, "character")} ${chars === 1 ? "becomes" : "become"} `,
    ...counts,
    ". ",
    unknown ? `${plural(unknown, "word")} ${unknown === 1 ? "is" : "are"} unknown. ` : "",
    back,
  ];
}
const added = (extra, own) => (extra ? ` (${own} from the text, ${extra} that it adds)` : "");

/** Does a lane give the text back? If not, where does it differ first. */
export function backAgain(lane, text) {
  if (lane.decoded === text) return ["The ids give back ", b("the same text"), ", character for character."];
  const from = Array.from(text),
    to = Array.from(lane.decoded),
    at = from.findIndex((ch, i) => ch !== to[i]);
  const i = at < 0 ? from.length : at,
    one = (ch) => (ch === undefined ? "nothing" : bdi(`“${visible(ch)}”`));
  return [
    "The ids give back ",
    bdi(`“${visible(lane.decoded, 60).replaceAll("·", " ")}”`),
    ", ",
    b("not the same text"),
    ": first at character ",
    String(i),
    ", ",
    one(from[i]),
    " became ",
    one(to[i]),
    ".",
  ];
}

/** The chosen token in one sentence. */
export function about(t, kind, text) {
  const name = [
    t.bytes ? `The bytes ${t.bytes}` : quoted(t.text),
    t.bytes ? " are token " : " is token ",
    b(String(t.id)),
  ];
  if (t.word === null) return [...name, ". It is not in the text: the template of the tokenizer adds it."];
  const letters = charactersOf(t, text, " to "),
    data = bytesOf(t, kind, text);
  const part = t.bytes
    ? ` of character ${letters}, `
    : `, ${letters.includes("to") ? "characters" : "character"} ${letters}, `;
  return [
    ...name,
    t.bytes
      ? `, a part${part.replace(/, $/, "")}.`
      : `${part}${data.includes(" ") ? "bytes" : "byte"} ${data.length > 48 ? `${data.slice(0, 47)}…` : data}.`,
  ];
}

const no = (rank) => `no. ${(rank + 1).toLocaleString("en")}`;
export const rankName = no;

/** Why merge `at` (from 0) of a word was the one that was made. */
export function whyMerge(steps, at, merges) {
  const { parts, ranks, won } = steps[at],
    rivals = ranks.filter((rank, i) => rank !== null && i !== won).sort((x, y) => x - y);
  const pair = [quotedPart(parts[won]), " and ", quotedPart(parts[won + 1])],
    last = at === steps.length - 2;
  const others = rivals.length
    ? [`, before ${listed(rivals.map(no), 3)}`]
    : ["; no other neighbours of this line are in it"];
  const end = last ? ` After it no pair of neighbours is in the list, so ${left(steps.at(-1).parts.length)}.` : "";
  return [
    "Of all neighbours, ",
    ...pair,
    " stand earliest in the list of ",
    `${merges.toLocaleString("en")} merges, at `,
    b(no(ranks[won])),
    ...others,
    ".",
    end,
  ];
}
const left = (n) => (n === 1 ? "the word is one token" : `${n} pieces remain`);
const quotedPart = (text) => (text === " " ? "the space" : bdi(`“${visible(text)}”`));

/** Why a word has no merges at all. */
export function noMerge(steps, t) {
  if (t.special) return "It is looked for as a whole before anything is cut.";
  if (!steps.length)
    return "The steps of this word are not listed: it is too long, or it stands in the vocabulary as a whole.";
  return steps[0].parts.length === 1
    ? "The word is a single byte: there is nothing to merge."
    : "No pair of its bytes is in the list of merges, so the bytes stay as they are.";
}

/** Why piece `at` (from 0) of a word was taken. */
export function whyPiece(steps, at) {
  const { tried, found } = steps[at],
    rest = bdi(`“${visible(tried[0] ?? found, 32)}”`);
  if (found === null)
    return ["No beginning of ", rest, " is in the vocabulary, so the ", b("whole word is unknown"), "."];
  const end = at === steps.length - 1 ? " Nothing is left of the word." : "";
  if (!tried.length) return [rest, " is in the vocabulary as it stands.", end];
  return [
    "Of ",
    rest,
    " the longest beginning that is in the vocabulary is ",
    b(bdi(visible(found))),
    `; ${tried.length === 1 ? "a longer one is" : `${tried.length} longer ones are`} not.`,
    end,
  ];
}

function listed(items, most) {
  const shown = items.slice(0, items.length > most + 1 ? most : items.length),
    more = items.length - shown.length;
  return more
    ? `${shown.join(", ")} and ${more} more`
    : shown.length > 1
      ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
      : shown[0];
}

/** The lanes as a table: a row for each token. */
export function rows({ lanes, text }) {
  const line = (lane) =>
    lane.tokens.map((t, i) => [
      `${LONG[lane.kind]} ${i}`,
      visible(t.text, 60),
      t.id,
      t.word === null ? "none" : charactersOf(t, text),
      t.word === null ? "none" : bytesOf(t, lane.kind, text),
      t.unknown ? "unknown" : t.special ? "special" : t.bytes ? "part of a character" : "",
    ]);
  return {
    caption: `“${visible(text, 160).replaceAll("·", " ")}” in tokens`,
    head: ["token", "piece", "id", "characters", "bytes", "kind"],
    rows: lanes.flatMap(line),
  };
}
