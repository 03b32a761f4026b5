// What a way says: the sentence below the drawing, with the numbers of the text in it.
import { b, bdi, e } from "../look/markup.js";
import { END, nextWord } from "../look/nexts.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { stageName } from "./numbers.js";

const LONGEST = 44; // letters of a text above its next words
const SIGNS = { ".": "full stop", ",": "comma", "?": "question mark", "!": "exclamation mark", [END]: "the end" };

/** A token that could come next, as parts: the piece, where it is not the whole word, and the word. */
const parts = (one, before, info) => (one.token in SIGNS ? [SIGNS[one.token]] : nextWord(one, before, info));
/** In one word: "sleepy" for the piece "␣s", "…ers" for a piece within a word. */
export const spoken = (...given) => parts(...given).at(-1);
/** The same with the piece in front of the word that it begins: ·s → sleepy. */
export const inOne = (...given) => parts(...given).join("");
export const named = (...given) =>
  parts(...given).map((text, k, all) => (k === all.length - 1 ? bdi(text) : e("small", { class: "wy-piece", text })));

/** What colours and arrows mean: one line below the drawing, the same for all rows of a reading. */
export const legend = ({ seen }) => [
  "Blue above zero, brown below.",
  seen.next.at(-1).some((one) => parts(one, seen.tokens.at(-1), seen.info).length > 1) &&
    e("span", {
      class: "wy-arrows",
      text: " Before an arrow stands the token, its dot for a space; after it the word that it most probably begins.",
    }),
];

/** A word within a sentence, and the piece that has the chance where it is not the whole word. */
const told = (one, before, info) => [
  quote(spoken(one, before, info)),
  parts(one, before, info).length > 1 && ` (by its first piece, “${label(one.token)}”)`,
];

/** Whether token i is the end sign: then no word is offered. */
export const ended = ({ tokens }, i) => tokens[i] === END;

export const heading = ({ seen }) => `“${label(seen.text, 80)}”, token by token`;
export const headName = ({ head, layer }) => `head ${head} of block ${layer}`;
export const reachName = (seen, stage) =>
  `${seen.info.width} numbers to\u00a0±${num(seen.reach[stage], seen.reach[stage] < 2 ? 1 : 0)}`;
export const before = ({ seen, i }) => {
  const text =
    i === seen.n - 1 && !seen.left
      ? seen.text
      : seen.tokens
          .slice(0, i + 1)
          .join("")
          .replaceAll("␣", " ");
  return `after “${ending(label(text.trim(), Infinity))}”`;
};
/** The end of a text, which matters for what comes next: cut at the front, at a word. */
function ending(text) {
  if (text.length <= LONGEST) return text;
  const end = text.slice(-LONGEST);
  return `… ${end.includes(" ") ? end.slice(end.indexOf(" ") + 1) : end}`;
}

/** The sentence of the whole way: when the answer came, and the head that it needs. */
export function resting({ seen }) {
  if (ended(seen, seen.n - 1)) return ["The text has ended: nothing comes after the end sign."];
  const { tokens, lens, stages, n, head } = seen,
    name = tokens[n - 1],
    answer = seen.next[n - 1][0];
  const settled = lens.findLastIndex((rows) => rows[n - 1].id !== answer.id) + 1,
    final = told(answer, name, seen.info);
  const came =
    settled === 0
      ? ["From the start the row of ", quote(name), " would say ", final, "; at the end with "]
      : [
          `${settled > 1 ? stageName(settled - 1) : "As it enters,"} the row of `,
          quote(name),
          settled > 1 ? " still says " : " says ",
          told(lens[settled - 1][n - 1], name, seen.info),
          ". ",
          "One block later it says ",
          b(final),
          settled === stages - 1 ? ", " : " and stays with it, at the end with ",
        ];
  return [...came, b(pct(answer.p)), ". ", needed(seen, head)];
}
function needed({ tokens, n }, head) {
  const share = [
    " takes ",
    b(pct(head.weight)),
    " of its weight from ",
    head.key === n - 1 ? "the token itself" : quote(tokens[head.key]),
  ];
  return head.left < 0.75 * head.p
    ? [
        `For that it needs ${headName(head)}, which`,
        share,
        ": switch the head off, and the chance falls to ",
        b(pct(head.left)),
        ".",
      ]
    : [
        "No single head decides this. One of those that matter most, ",
        headName(head),
        ",",
        share,
        "; without it the chance is ",
        b(pct(head.left)),
        ".",
      ];
}

/** What the row of one token takes, and what the model gives after it. */
export function token({ seen, i }) {
  const { tokens, head, next } = seen,
    row = tokens.slice(0, i + 1).map((_, j) => seen.weight(i, j)),
    most = row.indexOf(Math.max(...row));
  return [
    b(quote(tokens[i])),
    i ? ` sees the ${plural(i + 1, "token")} up to itself. ` : " sees only itself. ",
    `${headName(head)[0].toUpperCase()}${headName(head).slice(1)} takes `,
    b(pct(row[most])),
    " from ",
    most === i ? "the token itself" : quote(tokens[most]),
    ", and at the end the model gives ",
    told(next[i][0], tokens[i], seen.info),
    " ",
    b(pct(next[i][0].p)),
    ".",
  ];
}

/** One row after one block, or one of its numbers. */
export function cell({ seen, i }, stage, place = -1) {
  const { tokens, lens } = seen,
    x = seen.row(stage, i),
    name = quote(tokens[i]),
    one = lens[stage][i];
  const says = [told(one, tokens[i], seen.info), " with ", pct(one.p), "."];
  if (place >= 0)
    return [
      `${stageName(stage)}, the row of `,
      name,
      `: number ${place} of ${x.length} is `,
      b(num(x[place])),
      ". Read as an answer, the whole row would say ",
      says,
    ];
  const big = x.reduce((at, v, k) => (Math.abs(v) > Math.abs(x[at]) ? k : at), 0);
  return [
    stage ? `After block ${stage - 1} the row of ` : "As it enters, the row of ",
    name,
    " would say ",
    says,
    ` It begins ${Array.from(x.slice(0, 4), (v) => num(v)).join(", ")} …; its largest number, in place ${big}, is `,
    b(num(x[big])),
    ".",
  ];
}

export function readout(v) {
  const at = v.columns[v.s];
  if (at?.kind === "rows") return cell(v, at.stage);
  return at || v.i < v.seen.n - 1 ? token(v) : resting(v);
}

/** A caption for each column while it plays; null where the last one still holds. */
export function caption({ seen, columns }, s) {
  const { kind, stage } = columns[s],
    last = seen.tokens.at(-1),
    { head } = seen;
  if (kind === "token") return [`The text is cut into ${plural(seen.n, "token")}.`];
  if (kind === "map")
    return [
      `In block ${head.layer}, head ${head.head} takes `,
      b(pct(head.weight)),
      " of what it brings to ",
      quote(last),
      " from ",
      head.key === seen.n - 1 ? "the token itself" : quote(seen.tokens[head.key]),
      ".",
    ];
  if (kind === "next") return [`The last row is compared with all ${seen.info.vocab.toLocaleString("en")} tokens.`];
  if (stage === 0) return [`Each token becomes a row of ${seen.info.width} numbers.`];
  if (stage === 1) return ["Each block adds something to every row …"];
  const one = seen.lens[stage].at(-1);
  if (stage !== seen.stages - 2) return null;
  return [`… and after block ${stage - 1} the row of `, quote(last), " would say ", told(one, last, seen.info), "."];
}
