// A pre-norm block, x + attention(norm(x)) and then x + feed-forward(norm(x)), and the way back. A residual copies the
// gradient: one copy goes past the sub-layer, the other through it, and where they meet they add up.
import { attention, attentionBack } from "./attention.js";
import { gelu, geluBack } from "./gelu.js";
import { layerNorm, layerNormBack } from "./layer_norm.js";
import { linear, linearBack } from "./linear.js";
import { addTo, sum } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{starts: number[], heads: number, width: number, eps: number}} How
 */

/**
 * @param {Numbers} x (rows, width)
 * @param {any} block the parameters: norm1, attention (query, key, value, output), norm2, feed_forward (expand,
 *   contract)
 * @param {How} how
 * @returns {{x: Numbers, kept: any}} the stream after the block, and every value that the way back needs
 */
export function block(x, { norm1, attention: att, norm2, feed_forward: ffn }, how) {
  const rows = x.length / how.width,
    first = layerNorm(x, norm1, how.eps),
    [q, k, v] = [att.query, att.key, att.value].map((layer) => linear(first.y, layer, rows)),
    { mixed, weights } = attention(q, k, v, how),
    middle = sum(x, linear(mixed, att.output, rows)),
    second = layerNorm(middle, norm2, how.eps),
    wide = linear(second.y, ffn.expand, rows),
    { y: active, bent } = gelu(wide),
    out = sum(middle, linear(active, ffn.contract, rows));
  return { x: out, kept: { first, q, k, v, weights, mixed, middle, second, wide, bent, active } };
}

/**
 * From dL/d(stream after the block) to dL/d(stream before it); what the parameters did is added to `gradient`.
 * @param {Numbers} dx (rows, width)
 * @param {any} kept
 * @param {any} parameters
 * @param {any} gradient
 * @param {How} how
 * @returns {Numbers} (rows, width)
 */
export function blockBack(dx, kept, { norm1, attention: att, norm2, feed_forward: ffn }, gradient, how) {
  const rows = dx.length / how.width,
    { first, second, wide, bent, active, mixed } = kept,
    g = gradient;
  const dactive = linearBack(dx, active, ffn.contract, g.feed_forward.contract, rows),
    dwide = geluBack(dactive, wide, bent),
    dsecond = linearBack(dwide, second.y, ffn.expand, g.feed_forward.expand, rows),
    dmiddle = sum(dx, layerNormBack(dsecond, second, norm2, g.norm2));

  const dmixed = linearBack(dmiddle, mixed, att.output, g.attention.output, rows),
    { dq, dk, dv } = attentionBack(dmixed, kept, how),
    dfirst = linearBack(dq, first.y, att.query, g.attention.query, rows);
  addTo(dfirst, linearBack(dk, first.y, att.key, g.attention.key, rows));
  addTo(dfirst, linearBack(dv, first.y, att.value, g.attention.value, rows));
  return sum(dmiddle, layerNormBack(dfirst, first, norm1, g.norm1));
}
