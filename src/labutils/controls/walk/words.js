// What a walk says: one sentence for each stop, with the numbers of the reader's text in it.
import { b } from "../look/markup.js";
import { END } from "../look/nexts.js";
import { label, num, pct, plural, quote } from "../look/words.js";
import { shownHead } from "./needed.js";
import { leading, over, parts, rowOf, size } from "./numbers.js";

/** A token on a chip: a space is a dot. */
export const chip = (token) => label(token.replaceAll("␣", "·")) || "·";
/** As Python writes it: a comma within a number would be read as one more axis. */
export const shapeOf = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
/** A next token as a word, where it is known which word it begins. */
export const whole = ({ token, word }) => (token === END ? "the end of the story" : (word ?? token));
const count = (x) => x.toLocaleString("en");
/** How many times as long: 0.35 times, 12 times. */
const times = (x) => `${num(x, x < 10 ? 2 : 0)} times`;

export const title = ({ stop, layer }) =>
  `${stop.title[0].toUpperCase()}${stop.title.slice(1)}${stop.part === "block" ? `, block ${layer}` : ""}`;
export const heading = (v) => `${title(v)}: “${label(v.seen.text, 60)}”`;

/** The unit of what is drawn, beside the picture. */
export const unit = ({ kind, key }, far) =>
  key === "weights"
    ? "share of each row of a head, 0 to 1"
    : kind === "pairs" || kind === "rows" || kind === "heads"
      ? `columns above and below 0, at most ${num(far)}`
      : "";

/** What becomes of the row of token i where it is read. */
const NORMED = {
  attention_input: "input",
  ffn_input: "attention_stream",
  embedding_norm: "embedding_sum",
  final: "output",
};
const ADDED = { attention_output: "input", ffn_output: "attention_stream" };
const SOUGHT = {
  q: ["query", "what the row seeks"],
  k: ["key", "what it can be found by"],
  v: ["value", "what it hands over"],
};

/** What a first walk says at a stop, where it is not the sentence of all stages. */
const SAID = {
  all: (v, name) => {
    const lead = shownHead(v),
      last = answer(v, name);
    if (!lead) return last;
    return [...(over(v) ? [...last, " "] : last.slice(0, -1)), ...looks(v, lead, name)];
  },
  weights: (v, name) => looks(v, shownHead(v), name),
  token: ({ seen }, name) => [...become(seen, name), ". It says which token this is."],
  embedding_sum: ({ seen }, name) => [...become(seen, name), ". It says which token this is and where it stands."],
  ffn_activated: (v, name) => {
    const found = Array.from(parts(v.stop, v.values(v.stop), v.i)[0]),
      active = found.filter((x) => x > 0).length;
    return [
      `The network makes ${plural(found.length, "number")} of the row of `,
      name,
      " alone. ",
      b(count(active)),
      " of them are above 0.",
    ];
  },
  output: (v, name) => [
    "Attention and the network have changed the row of ",
    name,
    ". It leaves ",
    b(`block ${v.layer}`),
    v.layer < v.seen.L - 1 ? ` and enters block ${v.layer + 1}.` : ", the last one.",
  ],
};

/** What the head that is shown takes, and what the answer keeps without it. */
function looks(v, lead, name) {
  const { seen, i, layer } = v,
    [best] = v.ahead,
    where = lead.key === i ? "itself" : quote(seen.tokens[lead.key]);
  const share = [name, " takes ", b(pct(lead.weight)), " from ", where, ` in head ${lead.k} of block ${layer}`];
  if (lead.left === undefined || over(v)) return [...share, "."];
  const other = lead.instead.id !== best.id ? [", and ", quote(whole(lead.instead)), " comes first"] : [];
  const kept = [quote(whole(best)), " has ", b(pct(lead.left)), ` instead of ${pct(best.p)}`];
  return [...share, ". With this head switched off ", ...kept, ...other, "."];
}

const become = ({ info }, name) => [name, " has become a row of ", b(plural(info.width, "number"))];

export function readout(v) {
  const { seen, stop, i, layer, first, held } = v,
    { key, shape } = stop,
    name = quote(seen.tokens[i]);
  const values = v.values(stop),
    [row] = values ? parts(stop, values, i) : [];
  if (first && held && key in SAID) return SAID[key](v, name);
  if (key === "text") return ["The text has ", b(plural(shape[0], "character")), ". The model will see none of them."];
  if (key === "ids")
    return [
      "The tokenizer makes ",
      b(plural(seen.n, "token")),
      " of it. ",
      name,
      " has number ",
      b(count(seen.ids[i])),
      ` of 0 to ${count(seen.info.vocab - 1)}.`,
    ];
  if (key === "logits" || key === "odds") return answer(v, name);
  if (!values) return ["Block ", b(String(layer)), " appears when the model is there."];
  if (key === "token")
    return [
      name,
      ` fetches row ${count(seen.ids[i])} of the table: `,
      b(plural(shape[1], "number")),
      `, from ${num(Math.min(...row))} to ${num(Math.max(...row))}.`,
    ];
  if (key === "position" || key === "segment")
    return [
      key === "position" ? `Place ${i} fetches a row of its own, ` : "The first text has a row of its own, ",
      b(times(size(row) / size(rowOf(v, "token")))),
      " as long as that of ",
      name,
      ".",
    ];
  if (key === "embedding_sum")
    return ["Number by number the rows are added. The first of ", name, " is ", b(num(row[0])), "."];
  if (key in NORMED) return normed(v, row, name);
  if (key in ADDED) {
    const share = size(row) / size(rowOf(v, ADDED[key]));
    return [
      key === "attention_output" ? "Attention" : "The network",
      " adds a row that is ",
      b(times(share)),
      " as long as the one that it is added to.",
    ];
  }
  if (key in SOUGHT)
    return [
      name,
      ` makes a ${SOUGHT[key][0]} for each of ${plural(shape[0], "head")}: `,
      b(plural(shape[2], "number")),
      `, ${SOUGHT[key][1]}.`,
    ];
  if (key === "scores" || key === "weights") return pairs(v, values, name);
  if (key === "context")
    return [
      `Each head mixes the values that it was given: ${seen.H} times `,
      b(plural(seen.info.headDim, "number")),
      ", side by side.",
    ];
  if (key === "ffn_hidden" && v.has("ffn_gate"))
    return [
      "Beside the gate stand ",
      b(plural(shape[1], "number")),
      `, from ${num(Math.min(...row))} to ${num(Math.max(...row))}. The gate lets through a part of each.`,
    ];
  if (key === "ffn_gate" || key === "ffn_hidden" || key === "ffn_activated") {
    const active = row.reduce((sum, x) => sum + (x > 0), 0),
      most = row.indexOf(Math.max(...row));
    return [
      `Of ${plural(shape[1], "number")}, `,
      b(count(active)),
      key === "ffn_activated"
        ? ` ${active === 1 ? "is" : "are"} above 0. The largest, number ${most}, is ${num(row[most])}.`
        : ` ${active === 1 ? "is" : "are"} above 0. The bend keeps these and all but drops the others.`,
    ];
  }
  if (key === "input")
    return layer || v.has("embedding_norm")
      ? ["The row of ", name, " enters block ", b(String(layer)), `, ${num(size(row))} long.`]
      : [
          "The row of ",
          name,
          ` enters the first block as it was ${v.has("embedding_sum") ? "added up" : "fetched"}, `,
          b(num(size(row))),
          " long.",
        ];
  if (key === "output" || key === "attention_stream") {
    const before = rowOf(v, "input");
    return [
      "The row of ",
      name,
      " is now ",
      b(num(size(row))),
      ` long; it was ${num(size(before))} when it came into the block.`,
    ];
  }
  return [
    "The row of ",
    name,
    ` is made ready to be compared: from ${num(Math.min(...row))} to `,
    b(num(Math.max(...row))),
    ".",
  ];
}

function normed(v, first, name) {
  const { key } = v.stop,
    last = key === "final" && v.layer !== v.seen.L - 1; // another block is shown than it came from
  const before = last || (key === "final" && v.postNorm) ? null : rowOf(v, NORMED[key]);
  if (!before)
    return [
      v.postNorm ? "After the last block the row of " : "After the last block and its norm the row of ",
      name,
      " is ",
      b(num(size(first))),
      " long.",
    ];
  return [
    "The row of ",
    name,
    " is normalised: it was ",
    `${num(size(before))} long and is now `,
    b(num(size(first))),
    ".",
  ];
}

function pairs(v, values, name) {
  const { seen, i } = v,
    { best, tops, k } = leading(parts(v.stop, values, i)),
    hidden = seen.info.causal ? seen.n - 1 - i : 0;
  const rest = hidden ? ` ${plural(hidden, "later token")} may not be seen.` : "";
  return v.stop.key === "scores"
    ? [
        `Of ${plural(seen.H, "head")}, head ${k} finds the best fit for `,
        name,
        ": ",
        quote(seen.tokens[best[k]]),
        " with ",
        b(num(tops[k])),
        `.${rest}`,
      ]
    : [
        `Head ${k}: `,
        name,
        " takes ",
        b(pct(tops[k])),
        " from ",
        quote(seen.tokens[best[k]]),
        `, the largest share of ${plural(seen.H, "head")}.${rest}`,
      ];
}

function answer({ seen, stop, i, ahead }, name) {
  const [one, two] = ahead,
    next = seen.info.causal;
  if (over({ seen, i })) return ["The story has ended. ", b("Nothing comes after it."), ""];
  if (stop.key === "logits")
    return [
      "The row of ",
      name,
      ` is compared with all ${count(seen.info.vocab)} tokens and fits `,
      quote(one.token),
      " best, with ",
      b(num(one.logit)),
      ".",
    ];
  return [
    next ? ["After ", name, " the model gives "] : ["In the place of ", name, " the model gives "],
    quote(whole(one)),
    " ",
    b(pct(one.p)),
    ", then ",
    quote(whole(two)),
    ` ${pct(two.p)}. `,
    next ? "One token is drawn with these chances, and it all begins again." : "One token is drawn with these chances.",
  ];
}
