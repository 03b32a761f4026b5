// What the segments say.
import { b } from "../look/markup.js";
import { plural } from "../look/words.js";
import { visible } from "../tokenizer/words.js";
import { cards } from "./numbers.js";

export const ROWS = ["id", "type id", "mask", "position"];

const NAMES = { A: "first text", B: "second text" };

/** How a card is drawn. */
export const kindOf = (one) =>
  one.lost ? "is-lost" : one.mask === 0 ? "is-pad" : one.special ? "is-special" : `is-${"ab"[one.from]}`;
export const KEYS = [
  ["is-a", "first text"],
  ["is-b", "second text"],
  ["is-special", "special: put in by the template"],
  ["is-pad", "padding: the mask is 0"],
  ["is-lost", "lost: cut off to fit"],
];

/** The order that the tokenizer puts the texts in, as words. */
export function template({ single, pair, tokens, lost, note }) {
  const two = lost[1].length || tokens.some((t) => t.from === 1);
  return `${(two ? pair : single).map(([slot]) => NAMES[slot] ?? slot).join("  ")}${note ? `. ${note}` : ""}`;
}

export const sources = (lanes) =>
  lanes.map((lane) => `${lane.title}: ${lane.size.toLocaleString("en")} entries`).join(". ");

export const readout = (lanes, length) => lanes.flatMap((lane, i) => [i ? " " : "", ...told(lane, length)]);

function told({ title, tokens, lost: [one, two] }, length) {
  const padded = tokens.filter((t) => t.mask === 0).length,
    first = one.length,
    second = two.length;
  if (first || second) {
    const where = !second
      ? `${first} of the first text`
      : !first
        ? `${second} of the second`
        : `${first} of the first text and ${second} of the second`;
    return [`For ${title} `, b(plural(first + second, "token")), ` found no room: ${where}.`];
  }
  if (padded)
    return [
      `For ${title} ${length - padded} of ${length} positions hold tokens; `,
      b(String(padded)),
      ` ${padded === 1 ? "is" : "are"} ${tokens.at(-1).text}, where the mask is 0.`,
    ];
  return [`For ${title} all ${length} positions are taken and nothing is lost.`];
}

/** The lanes as a table: a row for each position, and for each token that was lost. */
export function rows({ first, second, lanes }) {
  const line = (lane) =>
    cards(lane).flatMap((one) =>
      one.lost
        ? one.lost.map((text) => [`${lane.title} lost`, visible(text, 60), "", "", "", textOf(one)])
        : [[`${lane.title} ${one.position}`, visible(one.text, 60), one.id, one.type, one.mask, origin(one)]],
    );
  const quoted = (text) => `“${visible(text, 60).replaceAll("·", " ")}”`;
  return {
    caption: second ? `${quoted(first)} and ${quoted(second)}` : quoted(first),
    head: ["position", "token", "id", "type id", "mask", "from"],
    rows: lanes.flatMap(line),
  };
}
const textOf = (one) => (one.from === 0 ? "first" : "second");
const origin = (one) => (one.special ? (one.mask ? "special" : "padding") : textOf(one));
