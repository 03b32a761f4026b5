// What is done to a distribution before a token is drawn: two penalties, temperature, top-k, top-p, min-p and typical
// sampling, in HuggingFace's order. As `labutils.generation`, which a test compares.

/**
 * @typedef {{temperature: number, top_k: number, top_p: number, min_p: number, typical: number, penalty: number,
 *   frequency: number}} Set
 * @typedef {{p: number[] | Float64Array, zero: number}} Given p: what a model gives; zero: what the logits are above
 *   the logarithms of p, for the one rule that asks on which side of 0 a logit lies
 * @typedef {{q: ArrayLike<number> & Iterable<number>, cut: Map<number, string>}} Left q: what is drawn from; cut: of
 *   each token that does not stay, which rule has cut it
 */

/** @type {Set} */
export const PLAIN = { temperature: 1, top_k: 0, top_p: 1, min_p: 0, typical: 1, penalty: 1, frequency: 0 };
export const isPlain = (set) => Object.entries(PLAIN).every(([name, value]) => set[name] === value);
/** The settings among more. @returns {Set} */
export const setOf = ({ temperature, top_k, top_p, min_p, typical, penalty, frequency }) => ({
  temperature,
  top_k: Math.round(top_k),
  top_p,
  min_p,
  typical,
  penalty,
  frequency,
});

/**
 * @param {Given} given
 * @param {Set} set
 * @param {number[]} ids the text so far, for the penalties
 * @returns {Left}
 */
export function processed(given, set, ids) {
  const cut = new Map();
  let q = heated(penalised(given, set, ids), set.temperature, cut);
  for (const [name, stays] of [
    ["top-k", largest(set.top_k)],
    ["top-p", nucleus(set.top_p)],
    ["min-p", near(set.min_p)],
    ["typical", expected(set.typical)],
  ])
    q = kept(q, stays, name, cut);
  return { q, cut };
}

/** Tokens that stand in the text already become less probable: once for all, or each time that they stand there. */
function penalised({ p, zero }, { penalty, frequency }, ids) {
  if (penalty === 1 && frequency === 0) return p;
  const times = new Map(),
    z = Float64Array.from(p, (x) => Math.log(x) + zero);
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  for (const [id, n] of times) z[id] = (z[id] < 0 ? z[id] * penalty : z[id] / penalty) - frequency * n;
  const most = z.reduce((a, x) => Math.max(a, x), -Infinity);
  return shared(z.map((x) => Math.exp(x - most)));
}

function heated(p, tau, cut) {
  if (tau === 1) return Float64Array.from(p);
  const best = p.indexOf(p.reduce((most, x) => Math.max(most, x), 0));
  if (tau === 0) {
    p.forEach((_, id) => {
      if (id !== best) cut.set(id, "temperature 0");
    });
    return Float64Array.from(p, (_, id) => +(id === best));
  }
  return shared(Float64Array.from(p, (x) => (x > 0 ? Math.exp(Math.log(x / p[best]) / tau) : 0)));
}

/** Each rule says of a distribution which tokens stay; null: all of them. */
const largest = (k) => (q) => {
  if (!k || k >= q.length) return null;
  const least = Float64Array.from(q).sort()[q.length - k];
  return (id) => q[id] >= least;
};
const nucleus = (p) => (q) => {
  if (p === 1) return null;
  const order = Array.from(q.keys()).sort((one, other) => q[other] - q[one] || one - other),
    stay = new Set([order[0]]);
  let before = q[order[0]];
  for (const id of order.slice(1)) {
    if (before >= p) break;
    stay.add(id);
    before += q[id];
  }
  return (id) => stay.has(id);
};
const near = (part) => (q) => {
  if (!part) return null;
  const least = part * q.reduce((most, x) => Math.max(most, x), 0);
  return (id) => q[id] >= least;
};

/** Those that surprise about as much as is expected here, until they hold this mass. */
const expected = (mass) => (q) => {
  if (mass === 1) return null;
  const surprise = q.map((x) => -Math.log(x)),
    mean = q.reduce((a, x, id) => (x > 0 ? a + x * surprise[id] : a), 0),
    away = surprise.map((x) => Math.abs(x - mean)),
    order = Array.from(q.keys()).sort((one, other) => away[one] - away[other] || one - other);
  let sum = 0;
  const last = order.find((id) => {
    sum += q[id];
    return sum >= mass;
  });
  return (id) => away[id] <= away[last ?? order.at(-1)];
};

function kept(q, rule, name, cut) {
  const stays = rule(q);
  if (!stays) return q;
  return shared(
    q.map((x, id) => {
      if (stays(id)) return x;
      if (!cut.has(id)) cut.set(id, name);
      return 0;
    }),
  );
}
function shared(q) {
  const sum = q.reduce((a, x) => a + x, 0);
  return q.map((x) => x / sum);
}
