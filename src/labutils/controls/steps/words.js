// What the steps control says: the readout of each step, and the formula of any number with the values put in.
import { b, bdi, sub, sup } from "../look/markup.js";
import { label, num, pct, quote } from "../look/words.js";

/** A number inside a product or a sum: a negative one stands in brackets. */
const value = (x, d = 2) => (x < 0 && Math.abs(x) >= 0.5 * 10 ** -d ? `(${num(x, d)})` : num(x, d));
const root = (d) => (Number.isInteger(Math.sqrt(d)) ? num(Math.sqrt(d), 0) : num(Math.sqrt(d), 2));

/** What the scores are divided by, in symbols: √16, τ, τ√16, or 1. */
export function divisorName({ temperature, scale }, d) {
  return (temperature === 1 ? "" : "τ") + (scale ? `√${d}` : "") || "1";
}
/** A score or weight on screen: three decimals for weights, two for scores, one when large. */
export const shown = (x) => num(x, Math.abs(x) >= 100 ? 1 : 2);

/** One sentence for the step that is shown: subject first, the numbers in it. */
export const readout = (v) => SAID[Math.min(v.step, 4)](v);

const SAID = [
  function product({ head, how, c, j, tokens }) {
    const widest = c.raw.indexOf(Math.max(...c.raw));
    return [
      "The query of ",
      quote(tokens[how.i]),
      " times the key of ",
      quote(tokens[j]),
      " is ",
      b(shown(c.raw[j])),
      `, the sum of ${head.d} products. `,
      ...(widest === j
        ? ["No key matches better."]
        : ["The best match is ", quote(tokens[widest]), ` with ${shown(c.raw[widest])}.`]),
    ];
  },
  function division({ head: { d }, how, c, j, tokens }) {
    if (!how.scale && how.temperature === 1)
      return [
        "The scores stay as they are, ",
        b(shown(c.raw[j])),
        " for ",
        quote(tokens[j]),
        ": they are divided by 1.",
      ];
    return [
      "Divided by ",
      divided(how, d),
      `, ${shown(c.raw[j])} becomes `,
      b(shown(c.scaled[j])),
      ". Scores are sums of ",
      `${d} products: the wider a head, the larger they grow.`,
    ];
  },
  function mask({ head: { n }, how, c, tokens }) {
    const asks = quote(tokens[how.i]);
    if (!hidden(c))
      return [
        "Nothing is hidden from ",
        asks,
        ": ",
        how.causal ? "it is the last token." : "every position may be seen.",
      ];
    return [
      b(`${hidden(c)} of ${n}`),
      " positions come after ",
      asks,
      ". Their scores are set to −∞, so that their weights will be exactly 0.",
    ];
  },
  function softmax({ how, c, j, tokens }) {
    if (c.kept[j] === -Infinity)
      return [quote(tokens[j]), " is masked: ", "e", sup("−∞"), " = 0, so its weight is exactly 0."];
    return [
      quote(tokens[how.i]),
      " gives ",
      quote(tokens[j]),
      " the weight ",
      b(num(c.w[j], 3)),
      ". The weights of the row add up to 1, and ",
      j === c.best
        ? "this is the largest."
        : ["the largest, ", num(c.w[c.best], 3), ", goes to ", quote(tokens[c.best]), "."],
    ];
  },
  function output({ head, how, c, tokens }) {
    const seen = head.n - hidden(c);
    return [
      quote(tokens[how.i]),
      " gives ",
      b(pct(c.w[c.best])),
      " of its weight to ",
      quote(tokens[c.best]),
      `. The output z is the sum of ${seen} value ${seen === 1 ? "vector" : "vectors"}, each times its weight.`,
    ];
  },
];

/** How many keys are masked. */
const hidden = (c) => c.kept.reduce((a, x) => a + (x === -Infinity), 0);

function divided({ temperature, scale }, d) {
  const parts = [scale && `√${d} = ${root(d)}`, temperature !== 1 && `τ = ${num(temperature, 1)}`].filter(Boolean);
  return parts.join(" and by ");
}

/** The number in column `column` of key j: its formula with the values put in, and what the formula means. */
export function explain({ head, how, c, column, j, tokens }) {
  const key = bdi(label(tokens[j])),
    kj = ["k", sub(j)],
    masked = c.kept[j] === -Infinity,
    { d } = head;
  if (column === 0)
    return {
      title: [b(bdi(label(tokens[how.i]))), " asks ", b(key), ": multiply number by number, then add up"],
      formula: productFormula(head, c, j, kj),
    };
  if (column === 1) {
    const by = [how.temperature !== 1 && num(how.temperature, 1), how.scale && root(d)].filter(Boolean);
    const under = by.length > 1 ? `(${by.join(" × ")})` : (by[0] ?? "1");
    return {
      title: [b(key), ": the score, divided by ", divisorName(how, d)],
      formula: ["q · ", ...kj, ` ÷ ${divisorName(how, d)} = ${value(c.raw[j])} ÷ ${under} = `, b(shown(c.scaled[j]))],
    };
  }
  if (column === 2) {
    return masked
      ? {
          title: [b(key), ` stands at position ${j}, after position ${how.i}: hidden`],
          formula: [`${value(c.scaled[j])} + (−∞) = `, b("−∞")],
        }
      : {
          title: [
            b(key),
            how.causal
              ? ` stands at position ${j}, not after position ${how.i}: the mask adds 0`
              : ": no mask, so 0 is added",
          ],
          formula: [`${value(c.scaled[j])} + 0 = `, b(shown(c.kept[j]))],
        };
  }
  if (column === 3)
    return { title: [b(key), ": e to the score, as a share of the row’s sum"], formula: softmaxFormula(c, j) };
  return {
    title: [
      b(key),
      masked ? " is masked and sends nothing" : ` sends ${num(c.w[j], 3)} of its value`,
      "; the output z is the sum over all keys",
    ],
    formula: outputFormula(c),
  };
}

/** q·k as a sum of its largest products. */
function productFormula({ d, k }, c, j, kj) {
  const products = Array.from(c.query, (x, m) => x * k[j * d + m]),
    order = [...products.keys()].sort((x, y) => Math.abs(products[y]) - Math.abs(products[x]));
  const named = order.slice(0, 4).sort((x, y) => x - y),
    left = d - named.length;
  return [
    "q · ",
    ...kj,
    " = ",
    named
      .map((m, at) =>
        at ? (products[m] < 0 ? ` − ${num(-products[m])}` : ` + ${num(products[m])}`) : num(products[m]),
      )
      .join(""),
    left ? ` + ${left} more` : "",
    " = ",
    b(shown(c.raw[j])),
  ];
}

/** z as a mixture of the values with the largest weights. */
function outputFormula(c) {
  const order = Array.from(c.w.keys())
      .filter((key) => c.w[key] > 0)
      .sort((x, y) => c.w[y] - c.w[x]),
    seen = order.filter((key) => c.w[key] >= 0.0005);
  const named = seen.slice(0, 4).sort((x, y) => x - y),
    left = order.length - named.length;
  return [
    "z = ",
    ...named.flatMap((key, at) => [`${at ? " + " : ""}${num(c.w[key], 3)} v`, sub(key)]),
    left ? ` + ${left} ${seen.length > 4 ? "more" : "under 0.001"}` : "",
  ];
}

/**
 * e^x ÷ the sum of the row. Where e^x would be unreadably large or small, the row's top score is taken off first, as
 * code does.
 */
function softmaxFormula(c, j) {
  const shift = c.top > 9 || c.top < -6,
    of = (k) => c.kept[k] - (shift ? c.top : 0);
  const power = (k) => Math.exp(of(k)),
    total = c.sum * (shift ? 1 : Math.exp(c.top));
  const order = Array.from(c.w.keys())
    .filter((k) => c.kept[k] !== -Infinity && k !== j)
    .sort((x, y) => c.w[y] - c.w[x]);
  const exponent = (k) =>
    sup(c.kept[k] === -Infinity ? "−∞" : shift ? `${shown(c.kept[k])} − ${value(c.top)}` : shown(c.kept[k]));
  const named = [j, ...order.slice(0, 2)].filter((k) => c.kept[k] !== -Infinity).sort((x, y) => x - y);
  const left = order.length - order.slice(0, 2).length;
  const sum = named.flatMap((k, at) => [at ? " + " : "", "e", exponent(k)]);
  return [
    "e",
    exponent(j),
    " ÷ (",
    ...sum,
    left ? ` + ${left} more` : "",
    `) = ${num(power(j), 3)} ÷ ${num(total, 3)} = `,
    b(num(c.w[j], 3)),
  ];
}

/** One number of a vector in the strips below the table: component m. */
export function component({ head, c, column, j, m, row: which, tokens }) {
  const { d, k, v } = head,
    at = sub(m),
    name = quote(tokens[j]);
  if (column < 4) {
    const q = c.query[m],
      kk = k[j * d + m];
    return [
      "q",
      at,
      " × k",
      at,
      ` = ${value(q)} × ${value(kk)} = `,
      b(num(q * kk, 2)),
      `, one of the ${d} products that add up to ${shown(c.raw[j])}`,
    ];
  }
  if (which !== "z")
    return [
      "w × v",
      at,
      ` = ${num(c.w[j], 3)} × ${value(v[j * d + m])} = `,
      b(num(c.w[j] * v[j * d + m], 2)),
      ", what ",
      name,
      " adds to z",
      sub(m),
    ];
  const terms = Array.from(c.w.keys())
    .filter((key) => c.w[key] > 0)
    .sort((x, y) => Math.abs(c.w[y] * v[y * d + m]) - Math.abs(c.w[x] * v[x * d + m]));
  const named = terms.slice(0, 3).sort((x, y) => x - y),
    left = terms.length - named.length;
  return [
    "z",
    at,
    " = ",
    ...named.map((key, t) => `${t ? " + " : ""}${num(c.w[key], 3)} × ${value(v[key * d + m])}`),
    left ? ` + ${left} more` : "",
    " = ",
    b(num(c.z[m], 2)),
  ];
}
