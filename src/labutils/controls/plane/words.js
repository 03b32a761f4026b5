// What a plane says of the setting where its point stands.
import { b, e } from "../look/markup.js";
import { label, plural } from "../look/words.js";
import { best, cellAt, ENOUGH, nameOf, parts, shown, triedOf } from "./numbers.js";

const words = (cell) => `${cell.words} different words`;
export const place = ({ temperature, top_p }) => `temperature ${temperature} and top-p ${top_p}`;
export const heading = (found, state) => `Stories at ${place(cellAt(found, state))}`;

export function readout(found, state) {
  const cell = cellAt(found, state),
    tried = triedOf(found, state);
  if (nameOf(cell) === state.shut) return ["This setting opens once you have made your guess, below."];
  return [...first(cell, found), " ", ...then(best(tried), cell, tried.length === found.cells.length)];
}
/** What stands beside the button that shows all, or in its place: whatever it leaves shut. */
export const tally = (tried, found, shown) =>
  shown ? "“?” opens once you have made your guess, below." : `${tried.length} of ${found.cells.length} tried`;

function first(cell, found) {
  if (cell.different === 1)
    return [
      "At temperature 0 the most probable token is always taken, so all ",
      b(`${found.stories} stories`),
      " are the same one, with ",
      b(words(cell)),
      cell.accepted ? ". The grammar accepts it." : ". The grammar refuses it.",
    ];
  return [
    `At ${place(cell)} the grammar accepts `,
    b(`${cell.accepted} of ${found.stories}`),
    " stories, which use ",
    b(words(cell)),
    ".",
  ];
}
function then(good, cell, all) {
  const whose = all ? "Of all settings" : "Of those you have tried";
  if (!good) return [`None of those you have tried has ${ENOUGH} accepted.`];
  if (good === cell) return [`${whose} with at least ${ENOUGH} accepted this one uses the most.`];
  return [`${whose} with at least ${ENOUGH} accepted, ${place(good)} uses the most, ${good.words}.`];
}

/** Why the grammar refuses a story. A sign that it does not have was found before any word was read. */
export function why(text) {
  if (/^Character \d+ \('\\x/.test(text)) return "This sign cannot be printed, so its number stands here.";
  if (/^Character/.test(text)) return "The little world has no such sign.";
  return label(text.replace(/"([^"]*)"/g, "“$1”"), 400);
}

const seen = (text) => label(text.replace(/^ +| +$/g, " "), 2000);

/** A story as an entry of the list, its first wrong word marked. */
export function told(story) {
  const { held, wrong, rest } = parts(story);
  if (!story.why) return e("li", {}, seen(held), e("em", { text: "accepted" }));
  return e(
    "li",
    { class: "is-refused" },
    held.trim() && `${seen(held)} `,
    e("mark", { text: wrong ? seen(wrong) : "(end)" }),
    rest.trim() && e("span", { class: "pn-rest", text: `${/^[.,?!"]/.test(rest) ? "" : " "}${seen(rest.trim())}` }),
    e("em", { text: `refused: ${why(story.why)}` }),
  );
}
export const list = (found, state) =>
  nameOf(cellAt(found, state)) === state.shut ? [] : shown(cellAt(found, state), state.whole).map(told);

export const source = (found) =>
  `Little GPT-2, ${found.stories} finished stories for each setting, ` +
  `${(found.cells.length * found.stories).toLocaleString("en")} in all, ` +
  `seed ${found.seed}; judged by the grammar that wrote its training text.`;

export const rows = (found, state) => ({
  caption: `Of ${plural(found.stories, "story").replace("storys", "stories")}: accepted, and different words`,
  head: ["temperature", "top-p", "accepted", "different words"],
  rows: triedOf(found, state).map((cell) => [cell.temperature, cell.top_p, cell.accepted, cell.words]),
});
