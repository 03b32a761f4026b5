// Byte-level BPE inside one word: of all neighbours that the merge list knows, the pair with the lowest rank is joined,
// the leftmost first; then again, until no pair is left. Sennrich et al. 2016, "Neural Machine Translation of Rare
// Words with Subword Units", section 3.2; bytes for characters: Radford et al. 2019, section 2.2.

/**
 * Join a word. A heap holds the candidates, so that a word of a hundred thousand characters takes no longer than many
 * short ones.
 * @param {string[]} symbols one for each byte
 * @param {Map<string, number>} ranks "left right" -> place in the merge list
 * @returns {{parts: (string | null)[], log: Array<{at: number, rank: number}>}} the tokens, and each
 *   merge: its rank and its first symbol
 */
export function mergeWord(symbols, ranks) {
  /** @type {(string | null)[]} */
  const parts = symbols.slice();
  const n = parts.length,
    log = [],
    heap = [];
  const before = Int32Array.from(parts, (_, i) => i - 1),
    after = Int32Array.from(parts, (_, i) => i + 1);
  const offer = (i) => {
    if (i < 0 || after[i] >= n) return;
    const rank = ranks.get(`${parts[i]} ${parts[after[i]]}`);
    if (rank !== undefined) push(heap, { rank, at: i, left: parts[i], right: parts[after[i]] });
  };
  for (let i = 0; i + 1 < n; i++) offer(i);
  while (heap.length) {
    const { rank, at, left, right } = pop(heap),
      next = after[at];
    if (parts[at] !== left || next >= n || parts[next] !== right) continue; // one of the two was joined in the meantime
    parts[at] = left + right;
    parts[next] = null;
    after[at] = after[next];
    if (after[next] < n) before[after[next]] = at;
    log.push({ at, rank });
    offer(before[at]);
    offer(at);
  }
  return { parts: parts.filter((part) => part !== null), log };
}

const comesFirst = (a, b) => a.rank < b.rank || (a.rank === b.rank && a.at < b.at);

function push(heap, item) {
  const above = (i) => (i - 1) >> 1;
  let i = heap.length;
  for (; i > 0 && comesFirst(item, heap[above(i)]); i = above(i)) heap[i] = heap[above(i)];
  heap[i] = item;
}

function pop(heap) {
  const top = heap[0],
    last = heap.pop();
  if (!heap.length) return top;
  let i = 0;
  for (let down = 1; down < heap.length; down = 2 * i + 1) {
    if (down + 1 < heap.length && comesFirst(heap[down + 1], heap[down])) down++;
    if (!comesFirst(heap[down], last)) break;
    heap[i] = heap[down];
    i = down;
  }
  heap[i] = last;
  return top;
}

/**
 * The merges of a word one by one, for the reader: what stood there, which neighbours the list knows, and which of them
 * won.
 * @returns {Array<{parts: string[], pairs: Array<{left: string, right: string, rank: number|null}>, won: number, rank:
 *   number|null}>} step i shows `parts` before merge i, and all its neighbouring `pairs` (rank null: not in the list);
 *   pairs[won] has the lowest rank and is joined next. The last step has won -1: no pair is left in the list.
 */
export function mergeSteps(symbols, ranks) {
  const { log } = mergeWord(symbols, ranks),
    steps = [];
  let parts = symbols.map((text, at) => ({ text, at }));
  for (let m = 0; m <= log.length; m++) {
    const won = m < log.length ? parts.findIndex((part) => part.at === log[m].at) : -1;
    const pairs = parts.slice(1).map((right, i) => ({
      left: parts[i].text,
      right: right.text,
      rank: ranks.get(`${parts[i].text} ${right.text}`) ?? null,
    }));
    steps.push({ parts: parts.map((part) => part.text), pairs, won, rank: won < 0 ? null : log[m].rank });
    if (won >= 0) parts = parts.toSpliced(won, 2, { text: parts[won].text + parts[won + 1].text, at: parts[won].at });
  }
  return steps;
}
