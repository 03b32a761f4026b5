// Output heads: a question put to the last hidden states.
import { activate } from "./feed_forward.js";
import { linear } from "./linear.js";

/**
 * Which token stands here? One more layer, then the token table once more and a bias for each token: (n, d) -> (n, V).
 */
export function maskedLanguageHead({ transform, norm, bias }, x, tokens, how, see) {
  const n = x.length / how.width,
    bent = activate(how.activation, linear(x, transform, n));
  x = see("mlm_transform", how.norm(bent, norm, how.eps));
  return linear(x, { weight: tokens, bias }, n);
}

/** tanh(W h + b) of the first row, [CLS]: one vector for the whole text, (n, d) -> (d). */
export const pooler = ({ dense }, x, { width }) => linear(x.subarray(0, width), dense, 1).map(Math.tanh);
