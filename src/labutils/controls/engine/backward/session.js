// A run of training from random weights through the stories, once, in slices of time, so that it can be stopped,
// changed and looked at in between.
import { initial } from "./initial.js";
import { wrong } from "./plan.js";
import { warmupCosine } from "./schedule.js";
import { batch, read, triples, whole } from "./stories.js";
import { learn, learner, lossOf, withRoom } from "./training.js";
import { followed, write } from "./writing.js";

const APART = 1.2, // from one point of the curve to the next, as a ratio of tokens
  SLEPT = 2, // seconds: no step takes longer, so a computer that slept does not count
  DICE = 10; // the seed of what is written

/**
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {{config: import("./model.js").Config, seed: number, spread: number, told: Uint8Array, fresh: Uint8Array,
 *   order: number[], end: number, plan: Plan}} Task told, fresh: bytes for `stories.js`
 */

const now = () => globalThis.performance?.now() ?? Date.now();

/**
 * @param {Task} task
 * @param {(message: any) => void} tell is told {kind: "point", …} with the loss on fresh stories and what is written,
 *   {kind: "pace", …} with the mean loss of the batches since, {kind: "fault", where}, {kind: "refused", why} and
 *   {kind: "end"}
 * @returns {{work: (ms: number) => boolean, set: (plan: Plan) => void}} work: go on for a while; false at the end
 */
export function session({ config, seed, spread, told, fresh, order, end, plan }, tell) {
  const stories = read(told, { order, end }),
    held = whole(read(fresh, { order, end })),
    seen = triples(stories),
    all = stories.starts.length - 1,
    room = roomFor(stories, held);
  const at = { step: 0, tokens: 0, seconds: 0, stories: 0 };
  let one = learner(initial(config, seed, spread)),
    next = 0,
    since = [],
    over = false;

  function point() {
    next = Math.max(at.tokens * APART, at.tokens + 1);
    const loss = lossOf(one.model, held);
    if (!Number.isFinite(loss)) return; // the next step says where
    const ids = write(one.model, end, DICE);
    tell({ kind: "point", ...at, loss, ids, followed: followed(ids, seen, end) });
  }
  function step() {
    const left = Math.ceil((all - at.stories) / plan.batch),
      rate = warmupCosine(at.step, at.step + left, plan.rate, plan.rise),
      texts = batch(stories, at.stories, Math.min(plan.batch, all - at.stories)),
      made = learn(one, texts, { rate, most: plan.most, by: plan.by });
    if (made.broken) {
      over = true;
      tell({ kind: "fault", ...at, where: made.broken });
      return;
    }
    since.push(made.loss);
    at.step += 1;
    at.tokens += made.many;
    at.stories += texts.starts.length - 1;
  }
  function pace() {
    if (since.length) tell({ kind: "pace", ...at, loss: since.reduce((a, b) => a + b, 0) / since.length });
    since = [];
  }
  set(plan);
  return {
    set,
    work(ms) {
      const until = now() + ms;
      while (!over && now() < until) {
        if (at.tokens >= next) {
          pace();
          point();
        }
        const began = now();
        step();
        at.seconds += Math.min(SLEPT, (now() - began) / 1000);
        if (at.stories >= all && !over) {
          over = true;
          pace();
          point();
          tell({ kind: "end" });
        }
      }
      pace();
      return !over;
    },
  };

  /** Another plan, from the next step on; one that cannot be is refused. */
  function set(wished) {
    const why = wrong(wished);
    if (why) tell({ kind: "refused", why });
    else [plan, one] = [wished, room(one, wished.batch)];
  }
}

/** The way to give a learner room for batches of so many stories in a row, and for those that are held back. */
function roomFor({ starts }, held) {
  const all = starts.length - 1,
    lengths = (ends) => ends.slice(1).map((end, k) => end - ends[k] + 1), // with the sign that closes each
    longest = [...lengths(starts), ...lengths(held.starts)].reduce((a, b) => Math.max(a, b), 0),
    largest = (many) =>
      starts.reduce((most, from, k) => Math.max(most, starts[Math.min(k + many, all)] - from + many), 0);
  return (one, many) => withRoom(one, Math.max(held.ids.length, largest(many)), longest);
}
