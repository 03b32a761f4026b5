// A search as a tree: which beginnings there are at each step, and in which order they stand without crossing lines.

/**
 * @typedef {"running" | "ended" | "dropped"} Fate
 * @typedef {{path: string, token: string, word: string, inside: boolean, p: number, fate: Fate}} Node
 * @typedef {{text: string, label: string, most: number, widths: Record<string, {steps: Node[][], best: string}>}} Found
 */

export const parentOf = (path) => path.split(".").slice(0, -1).join(".");

/**
 * The columns of a tree up to a step: the children of one beginning stand together, the most probable first.
 * @param {Found} found
 * @param {number} width
 * @param {number} step
 * @returns {Node[][]}
 */
export function columns(found, width, step) {
  const out = [];
  let before = [""];
  for (const nodes of found.widths[width].steps.slice(0, step)) {
    const sorted = [...nodes].sort(
      (one, other) => before.indexOf(parentOf(one.path)) - before.indexOf(parentOf(other.path)) || other.p - one.p,
    );
    out.push(sorted);
    before = sorted.map((node) => node.path);
  }
  return out;
}

/** The beginning of a path, if it is drawn. */
export const nodeAt = (cols, path) => cols.flat().find((node) => node.path === path);

/** The most probable beginning of the last step that was kept; at the last step of all, the best text. */
export function bestOf(found, width, step) {
  const cols = columns(found, width, step),
    { best, steps } = found.widths[width],
    last = cols.at(-1);
  if (step >= steps.length && nodeAt(cols, best)) return nodeAt(cols, best);
  return [...last].filter((node) => node.fate !== "dropped").sort((one, other) => other.p - one.p)[0];
}

/** A path as its beginnings, from the first word on, each with its own odds after the one before. */
export function wayTo(cols, path) {
  const ids = path.split("."),
    nodes = ids.map((_, i) => nodeAt(cols, ids.slice(0, i + 1).join("."))).filter(Boolean);
  return nodes.map((node, i) => ({ ...node, own: node.p / (i ? nodes[i - 1].p : 1) }));
}
