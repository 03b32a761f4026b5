// The finished state of the explorer: every head by bytes to draw with, the head shown first by float32 to read.
import { floats, unzip } from "../look/bytes.js";

/**
 * @returns {Promise<{L: number, H: number, n: number, causal: boolean, tops: any,
 *   at: (measure: string, layer: number, head: number) => ArrayLike<number>}>} `at` gives the (n, n) numbers of a head
 */
export async function unpack(finished) {
  const {
    shape: [L, H, n],
    causal,
    tops,
    layer,
    head,
  } = finished;
  const packed = { weights: await unzip(finished.weights), contributions: await unzip(finished.contributions) };
  const size = causal ? (n * (n + 1)) / 2 : n * n;
  for (const [name, data] of Object.entries(packed))
    if (data.length !== L * H * size)
      throw new Error(`the stored ${name} have ${data.length} numbers, not ${L * H * size}`);
  const own = {
    weights: square(floats(finished.exact_weights), n, causal),
    contributions: square(floats(finished.exact_contributions), n, causal),
  };
  const at = (measure, l, k) => {
    if (l === layer && k === head) return own[measure];
    const start = (l * H + k) * size,
      step = tops[measure] / 255;
    return square(
      Float32Array.from(packed[measure].subarray(start, start + size), (x) => x * step),
      n,
      causal,
    );
  };
  return { ...finished, L, H, n, at };
}

/** The head shown first alone, which needs no unpacking: `at` has no other. */
export function shown(finished) {
  const {
    shape: [L, H, n],
    causal,
  } = finished;
  return { ...finished, L, H, n, at: (measure) => square(floats(finished[`exact_${measure}`]), n, causal) };
}

/** A row-by-row triangle as a full matrix; the masked part is 0 and never read. */
export function square(values, n, causal) {
  if (!causal) return values;
  const out = new Float32Array(n * n);
  for (let i = 0, at = 0; i < n; i++) for (let j = 0; j <= i; j++) out[i * n + j] = values[at++];
  return out;
}

/** The same of a trace. `tops` is the value at the top of each scale: one scale for all heads of a text. */
export function live(reading) {
  const { L, H, n } = reading.shape,
    size = n * n;
  const at = (measure, l, k) => reading[measure].subarray((l * H + k) * size, (l * H + k + 1) * size);
  return {
    ...reading,
    L,
    H,
    n,
    causal: reading.info.causal,
    tops: { weights: 1, contributions: ceiling(reading.contributions) },
    at,
  };
}

/**
 * The largest value, rounded up to one that can be written on a scale: one digit that halves well, times a power of
 * ten.
 */
export function ceiling(values) {
  let most = 0;
  for (const x of values) if (x > most) most = x;
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((x) => x >= most * (1 - 1e-9));
}
