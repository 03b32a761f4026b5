// Rotary positions: queries and keys are turned, each by its place, so that their product depends on how far apart they
// stand. (A table of places is a part of the embeddings.)

/**
 * Each pair of columns turned by place times speed, (H, rows, d_k) -> the same. A column is paired with the one half a
 * width further on. Su et al. 2021, "RoFormer", section 3.2.2, in the order of HuggingFace's Llama.
 * @param {Float64Array} x
 * @param {number} rows
 * @param {{headDim: number, rotaryBase: number, rotaryDim: number, past: number}} how rotaryDim: how many columns are
 *   turned, the first ones of a head; past: the place of the first row
 */
export function turned(x, rows, { headDim, rotaryBase, rotaryDim, past }) {
  const half = rotaryDim / 2,
    each = rows * headDim, // numbers of a head
    y = Float64Array.from(x);
  for (let c = 0; c < half; c++) {
    const speed = rotaryBase ** (-c / half);
    for (let i = 0; i < rows; i++) {
      const cos = Math.cos((past + i) * speed),
        sin = Math.sin((past + i) * speed);
      for (let at = i * headDim + c; at < x.length; at += each) {
        y[at] = x[at] * cos - x[at + half] * sin;
        y[at + half] = x[at + half] * cos + x[at] * sin;
      }
    }
  }
  return y;
}
