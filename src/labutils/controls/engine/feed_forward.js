// The feed-forward network: the same two layers for every row, alone. Its activations are ReLU in the paper model,
// tanh-GELU in GPT-2, exact GELU in BERT; in Llama a gate lets each inner column through.
//
// `erf` follows s_erf.c of FreeBSD's msun, whose error is below one unit in the last place:
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this
// notice is preserved.
// ====================================================
// The split of x² into two parts is left out, so that here the error is below 1e-15.
import { linear, times } from "./linear.js";

const ROOT_2_OVER_PI = Math.sqrt(2 / Math.PI);

/** From the name of our configuration to the function, number by number. Both GELUs: Hendrycks and Gimpel 2016. */
export const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * (1 + erf(x * Math.SQRT1_2)),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(ROOT_2_OVER_PI * (x + 0.044715 * x * x * x))),
  silu: (x) => x / (1 + Math.exp(-x)),
};

const AT_1 = 0.8450629115104675; // erf(1), rounded to float32
// Numerator and denominator of a rational function for each range of |x|, constant term first.
const SMALL = [
  [0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442, -2.3763016656650163e-5],
  [1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164, -3.960228278775368e-6],
];
const AROUND_1 = [
  [
    -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668,
    0.035478304325618236, -0.002166375594868791,
  ],
  [
    1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905,
    0.011984499846799107,
  ],
];
const MIDDLE = [
  [
    -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347,
    -184.60509290671104, -81.2874355063066, -9.814329344169145,
  ],
  [
    1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783,
    108.63500554177944, 6.570249770319282, -0.0604244152148581,
  ],
];
const LARGE = [
  [
    -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896,
    -1025.0951316110772, -483.5191916086514,
  ],
  [
    1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644,
    474.52854120695537, -22.44095244658582,
  ],
];

/** @param {number[][]} polynomials */
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

/**
 * y = activation(x), number by number.
 * @param {string} name
 * @param {ArrayLike<number>} x
 */
export function activate(name, x) {
  const f = ACTIVATIONS[name],
    y = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) y[i] = f(x[i]);
  return y;
}

/**
 * @typedef {import("./linear.js").Linear} Linear
 * @typedef {{gate?: Linear, expand: Linear, contract: Linear}} FeedForward
 */

/**
 * Widen, bend, narrow: (rows, d) -> (rows, f) -> (rows, d). With a gate (Shazeer 2020, "GLU Variants Improve
 * Transformer") the gate is bent, and lets through what is beside it.
 * @param {FeedForward} network
 * @param {Float64Array} x
 * @param {{width: number, activation: string}} how
 * @param {import("./hooks.js").See} see
 */
export function feedForward({ gate, expand, contract }, x, { width, activation }, see) {
  const rows = x.length / width,
    opened = gate && see("ffn_gate", linear(x, gate, rows)),
    hidden = see("ffn_hidden", linear(x, expand, rows)),
    bent = opened ? times(activate(activation, opened), hidden) : activate(activation, hidden);
  return linear(see("ffn_activated", bent), contract, rows);
}
