// What the explorer says of the cell, row or column that a reader points at, and of heads that are switched off; and
// the row or column as a line of text.
import { b, bdi, e, sub } from "../look/markup.js";
import { nextName } from "../look/nexts.js";
import { inSentence, label, num, pct, quote, range } from "../look/words.js";

export const UNIT = { weights: "Weight", contributions: "Length of w · v · W_O" };
export const heading = (v) =>
  `${v.measure === "weights" ? "Weights" : "Contributions"} of layer ${v.layer}, head ${v.head}`;
/** A number beside a scale. */
export const tick = (x) => String(+x.toPrecision(3));

/** A token in bold, with its position below it where another token is written alike. */
const name = (tokens, i, bold = "b", written = inSentence) => {
  const alike = tokens.filter((token) => token === tokens[i]).length > 1,
    word = bdi(written(tokens[i]));
  return [bold ? b(word) : word, alike ? sub(String(i)) : null].filter(Boolean);
};

/** The share of one head that is shown: its value, its row, its column. */
export function facts({ n, causal }, weights, i, j) {
  const row = range(n).filter((k) => !causal || k <= i),
    column = range(n).filter((k) => !causal || k >= j);
  const best = (keys, of) => keys.reduce((a, k) => (of(k) > of(a) ? k : a), keys[0]);
  const entropy = -row.reduce((sum, k) => {
    const w = weights[i * n + k];
    return w > 0 ? sum + w * Math.log2(w) : sum;
  }, 0);
  return {
    masked: causal && j > i,
    w: weights[i * n + j],
    row,
    column,
    entropy,
    most: Math.log2(row.length),
    bestKey: best(row, (k) => weights[i * n + k]),
    bestQuery: best(column, (k) => weights[k * n + j]),
    received: column.reduce((sum, k) => sum + weights[k * n + j], 0),
  };
}

/** What a head that is switched off leaves of the word that is watched; of one that is on, only where it looks. */
function ofWord({ reading: { ahead, off, n, at }, tokens, layer, head, watch }) {
  const { p, before } = ahead[watch.at].find(({ id }) => id === watch.id),
    word = quote(watch.word);
  const said = (k) => quote(tokens[k]);
  if (off)
    return [
      `Without ${named(off.split(" "))} the model gives `,
      word,
      " ",
      b(pct(p)),
      " after ",
      said(watch.at),
      `. With all heads on it gives ${pct(before)}.`,
    ];
  const weights = at("weights", layer, head).subarray(watch.at * n, watch.at * n + n),
    best = weights.indexOf(Math.max(...weights));
  return [
    `Layer ${layer}, head ${head}: at the end, `,
    said(watch.at),
    " gives ",
    b(pct(weights[best])),
    " of its weight to ",
    best === watch.at ? "itself" : said(best),
    ". With all heads on, the model gives ",
    word,
    ` ${pct(before)}.`,
  ];
}

export function readout(v) {
  if (v.watch) return ofWord(v);
  const { reading, tokens, layer, head, measure, part, i, j } = v;
  const where = `Layer ${layer}, head ${head}: `,
    { n } = reading,
    weights = reading.at("weights", layer, head),
    f = facts(reading, weights, i, j);
  if (f.masked)
    return [
      where,
      ...name(tokens, j),
      " comes after ",
      ...name(tokens, i),
      " and is masked: its weight is 0 by construction, not by choice.",
    ];
  if (measure === "contributions")
    return lengths(where, reading, reading.at("contributions", layer, head), f, { tokens, i, j, part });
  if (part === "column") {
    const sum = `The ${f.column.length} queries that can see it give it ${num(f.received, 1)} in sum.`;
    return [
      where,
      ...name(tokens, j),
      " gets ",
      b(pct(weights[f.bestQuery * n + j])),
      " of the weight of ",
      ...name(tokens, f.bestQuery),
      `, the most that any query gives it. ${sum}`,
    ];
  }
  const share =
    j === f.bestKey
      ? ", the largest share of its row. "
      : [`; its largest share, ${pct(weights[i * n + f.bestKey])}, goes to `, ...name(tokens, f.bestKey, ""), ". "];
  return [
    where,
    ...name(tokens, i),
    " gives ",
    b(pct(f.w)),
    " of its weight to ",
    ...name(tokens, j),
    share,
    f.row.length > 1
      ? `How widely it spreads its weight: entropy ${num(f.entropy, 1)} of at most ${num(f.most, 1)} bits.`
      : "It can look only at itself.",
  ];
}

function lengths(where, { n }, values, f, { tokens, i, j, part }) {
  const along = part === "column" ? f.column : f.row,
    of = (k) => (part === "column" ? values[k * n + j] : values[i * n + k]);
  const longest = along.reduce((a, k) => (of(k) > of(a) ? k : a), along[0]),
    here = part === "column" ? i : j;
  const rank =
    longest === here
      ? `, the longest of its ${part === "column" ? "column" : "row"}.`
      : [
          `; the longest of its ${part === "column" ? "column" : "row"}, ${num(of(longest), 2)}, belongs to `,
          ...name(tokens, longest, ""),
          ".",
        ];
  return [
    where,
    "what ",
    ...name(tokens, j),
    " adds to ",
    ...name(tokens, i),
    " has the length ",
    b(num(values[i * n + j], 2)),
    rank,
    ` Its weight is ${pct(f.w)}.`,
  ];
}

/** "heads 1.6 and 2.4" */
const named = (names) =>
  names.length > 1 ? `heads ${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : `head ${names[0]}`;

/** "Heads 1.6 and 2.4 switched off." */
export const changedHeads = (heads) =>
  heads.length ? `H${named(heads.map((one) => one.join("."))).slice(1)} switched off.` : "";

export const oneTitle = ({ layer, head }) => [
  b(`Layer ${layer}, head ${head}`),
  e("span", { class: "ex-hint", text: "in percent, for the last word" }),
];
const quoted = (token) => `“${label(token)}”`;
/** A GPT-2 says what follows a token, a BERT what it expects at its place. */
export function aheadTitle({ reading, tokens, i, watch }) {
  if (watch)
    return [
      b("Next word"),
      e("span", {
        class: "ex-hint",
        text: reading.off ? `without ${reading.off.replaceAll(" ", ", ")}` : "with all heads",
      }),
    ];
  return [`What the model expects ${reading.info.causal ? "after" : "at"} `, ...name(tokens, i, "", quoted)];
}

/** What switching heads off did to the first choice. */
export function effect({ reading: { ahead, off, info }, i, tokens }) {
  if (!off) return [];
  const best = ahead[i].reduce((a, one) => (one.before > a.before ? one : a)),
    now = ahead[i][0];
  const said = (one) => bdi(`“${nextName(one, tokens[i], info)}”`);
  const moved = [said(best), ` had ${num(best.before, 3)} and has `, b(num(best.p, 3)), "."];
  const first =
    now.id === best.id
      ? ["The first choice stays: ", ...moved]
      : ["The first choice changes: ", ...moved, " Now ", said(now), " is first."];
  return [...first, " Outlines: with all heads on."];
}

/** A row (or column) as words in reading order, each on the colour of its cell. */
export function line({ reading, tokens, layer, head, measure, part, i, j }, fill, onkeep) {
  const { n, causal, tops } = reading,
    values = reading.at(measure, layer, head),
    top = tops[measure],
    down = part === "column";
  return tokens.map((token, k) => {
    const [q, key] = down ? [k, j] : [i, k],
      off = causal && key > q,
      x = values[q * n + key],
      t = x / top;
    const classes = ["ex-word", off && "is-masked", k === i && "is-query", k === (down ? i : j) && "is-here"];
    const style = off ? {} : { background: fill(t), color: fill.ink(t) };
    return e(
      "span",
      { class: classes.filter(Boolean).join(" "), style, onclick: () => onkeep(q, key, part) },
      bdi(label(token)),
      e("small", { text: off ? "masked" : num(x) }),
    );
  });
}
export const lineTitle = ({ tokens, part, i, j }) =>
  part === "column" ? ["Column: who gives to ", ...name(tokens, j)] : ["Row: whom ", ...name(tokens, i), " gives to"];
