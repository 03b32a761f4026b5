// The feed-forward network: the same two layers for every row, alone. Its activations are ReLU in the paper model,
// tanh-GELU in GPT-2, exact GELU in BERT.
//
// `erf` follows s_erf.c of FreeBSD's msun, whose error is below one unit in the last place:
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this
// notice is preserved.
// ====================================================
// The split of x² into two parts is left out, so that here the error is below 1e-15.
import { linear } from "./linear.js";

const ROOT_2_OVER_PI = Math.sqrt(2 / Math.PI);

/** From the name of our configuration to the function, number by number. Both GELUs: Hendrycks and Gimpel 2016. */
export const ACTIVATIONS = {
  relu: (x) => (x > 0 ? x : 0),
  gelu: (x) => 0.5 * x * (1 + erf(x * Math.SQRT1_2)),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(ROOT_2_OVER_PI * (x + 0.044715 * x * x * x))),
  silu: (x) => x / (1 + Math.exp(-x)),
};

const AT_1 = 8.45062911510467529297e-1; // erf(1), rounded to float32
// Numerator and denominator of a rational function for each range of |x|, constant term first.
const SMALL = [
  [
    1.28379167095512558561e-1, -3.2504210724700149937e-1, -2.84817495755985104766e-2, -5.77027029648944159157e-3,
    -2.37630166566501626084e-5,
  ],
  [
    1, 3.97917223959155352819e-1, 6.50222499887672944485e-2, 5.08130628187576562776e-3, 1.32494738004321644526e-4,
    -3.9602282787753681232e-6,
  ],
];
const AROUND_1 = [
  [
    -2.36211856075265944077e-3, 4.14856118683748331666e-1, -3.72207876035701323847e-1, 3.18346619901161753674e-1,
    -1.10894694282396677476e-1, 3.54783043256182359371e-2, -2.166375594868790843e-3,
  ],
  [
    1, 1.06420880400844228286e-1, 5.40397917702171048937e-1, 7.18286544141962662868e-2, 1.26171219808761642112e-1,
    1.36370839120290507362e-2, 1.1984499846799107417e-2,
  ],
];
const MIDDLE = [
  [
    -9.86494403484714822705e-3, -6.93858572707181764372e-1, -1.05586262253232909814e1, -6.23753324503260060396e1,
    -1.62396669462573470355e2, -1.84605092906711035994e2, -8.12874355063065934246e1, -9.81432934416914548592,
  ],
  [
    1, 1.96512716674392571292e1, 1.376577541435190426e2, 4.34565877475229228821e2, 6.45387271733267880336e2,
    4.29008140027567833386e2, 1.08635005541779435134e2, 6.57024977031928170135, -6.04244152148580987438e-2,
  ],
];
const LARGE = [
  [
    -9.86494292470009928597e-3, -7.99283237680523006574e-1, -1.77579549177547519889e1, -1.60636384855821916062e2,
    -6.37566443368389627722e2, -1.02509513161107724954e3, -4.83519191608651397019e2,
  ],
  [
    1, 3.03380607434824582924e1, 3.25792512996573918826e2, 1.53672958608443695994e3, 3.19985821950859553908e3,
    2.55305040643316442583e3, 4.74528541206955367215e2, -2.24409524465858183362e1,
  ],
];

function ratio([above, below], z) {
  let p = 0,
    q = 0;
  for (let i = above.length - 1; i >= 0; i--) p = p * z + above[i];
  for (let i = below.length - 1; i >= 0; i--) q = q * z + below[i];
  return p / q;
}

/** The error function 2/√π ∫₀ˣ e^(−t²) dt. */
export function erf(x) {
  const a = Math.abs(x);
  if (a < 0.84375) return x + x * ratio(SMALL, x * x);
  if (a < 1.25) return Math.sign(x) * (AT_1 + ratio(AROUND_1, a - 1));
  if (a < 6)
    return Math.sign(x) * (1 - Math.exp(-a * a - 0.5625 + ratio(a < 1 / 0.35 ? MIDDLE : LARGE, 1 / (a * a))) / a);
  return Number.isNaN(x) ? x : Math.sign(x); // 1 − erf(6) is 2e-17
}

/** y = activation(x), number by number. */
export function activate(name, x) {
  const f = ACTIVATIONS[name],
    y = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) y[i] = f(x[i]);
  return y;
}

/** Widen, bend, narrow: (rows, d) -> (rows, f) -> (rows, d). */
export function feedForward({ expand, contract }, x, { width, activation }, see) {
  const rows = x.length / width,
    hidden = see("ffn_hidden", linear(x, expand, rows));
  return linear(see("ffn_activated", activate(activation, hidden)), contract, rows);
}
