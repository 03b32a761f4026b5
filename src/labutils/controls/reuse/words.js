// What it says.
import { b, bdi } from "../look/markup.js";
import { label, num, pct, plural } from "../look/words.js";

/** A token in a sentence. */
export const said = (token) => (token === "." ? "the full stop" : bdi(label(token)));

/** Operations, so that they can be compared at a glance. */
export const work = (n) => (n >= 1e6 ? `${num(n / 1e6, 1)} million` : Math.round(n).toLocaleString("en"));
/** Bytes in units of 1,024. */
export function size(bytes) {
  if (bytes < 1024) return plural(bytes, "byte");
  const big = bytes >= 2 ** 20,
    n = bytes / (big ? 2 ** 20 : 1024);
  return `${Number.isInteger(n) ? n.toLocaleString("en") : num(n, 1)} ${big ? "MiB" : "KiB"}`;
}
/** The share of the rows that was computed in vain. */
export const vain = ({ rows: [without, cached] }) => 1 - cached / without;

export const nameOf = ({ layer, head }) => `layer ${layer}, head ${head}`;
export const asks = (seen) => `Where the newest row looks: ${nameOf(seen)}`;

export const heading = ({ at, totals }) =>
  `Rows computed after step ${at}: ${totals[at - 1].rows[0]} without a cache, ${totals[at - 1].rows[1]} with it`;

export function readout(seen) {
  const { at, steps, start, tokens, rows, totals, share, placed } = seen,
    now = totals[at - 1],
    next = tokens[start + at - 1];
  if (at === 1)
    return [
      "Step 1 reads what is given. Both ways compute ",
      start === 1 ? "the same row" : `the same ${start} rows`,
      ", and the last of them says ",
      b(said(next)),
      placed ? ". From here on they part." : ". How much of what follows will be computed in vain?",
    ];
  if (at < steps)
    return [
      `Step ${at} says `,
      b(said(next)),
      `. Without a cache ${rows} rows are computed, of which `,
      b(String(rows - 1)),
      " were known. With it ",
      b("one"),
      ` is: that of ${tokens[rows - 1] === "." ? "" : "“"}`,
      said(tokens[rows - 1]),
      `${tokens[rows - 1] === "." ? "" : "”"}.`,
    ];
  return [
    `Step ${at} says `,
    b(said(next)),
    `. ${plural(steps, "step")} took `,
    b(plural(now.rows[0], "row")),
    " without a cache and ",
    b(String(now.rows[1])),
    " with it. So ",
    b(pct(vain(now))),
    ` were computed in vain${placed ? `; you guessed ${share}%` : ""}. The price is ${size(now.kept)} of memory.`,
  ];
}

export const source = ({ info }) => `${info.label}; operations of its blocks, numbers of 4 bytes`;

export const table = (seen) => ({
  caption: heading(seen),
  head: ["step", "writes", "rows without", "rows with", "operations without", "operations with", "bytes kept"],
  rows: seen.totals
    .slice(0, seen.at)
    .map((one, i) => [i + 1, label(seen.tokens[seen.start + i]), ...one.rows, ...one.operations, one.kept]),
});
