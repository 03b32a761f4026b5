// The first worker's side of a second one: it is tried, kept where two are faster, and gone without where it ends.
import { lineOf, watched } from "./line.js";
import { lead } from "./pair.js";
import { fasterOf, speed } from "./speed.js";

/**
 * Nobody, at first. `share` tries the second worker at the other end of a port with a model, and says how long a token
 * takes with both, how many workers write on, and how many bytes the second holds. `next` gives the logits of what
 * follows ids that can be read; `end` is heard when the second has ended.
 * @param {() => void} alone called when a second worker that was kept has ended
 */
export function partner(alone) {
  /** @type {import("./line.js").Line | null} */
  let line = null;
  /** @type {((ids: number[]) => Promise<Float64Array>) | null} */
  let together = null;
  const inTurn = oneByOne();
  return {
    async share(model, port) {
      const other = lineOf(port);
      line = other;
      try {
        const { next, bytes } = await watched(other, () => lead(model.shared, other)),
          two = await watched(other, () => speed(next, model.config)),
          workers = fasterOf(model.ms, two);
        if (workers === 2) together = next;
        else other.end();
        return { two, workers, more: bytes };
      } catch {
        other.end();
        return { two: null, workers: 1, more: 0 };
      }
    },
    end: () => line?.end(),
    next: (model, ids) =>
      inTurn(async () => {
        const [both, other] = [together, line];
        try {
          if (both && other) return await watched(other, () => both(ids));
        } catch {
          other?.end();
          together = null;
          alone();
        }
        return model.next(ids);
      }),
  };
}

/** What is begun while something else goes on waits for its end. */
function oneByOne() {
  let last = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
