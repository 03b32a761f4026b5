// The script of a worker: it reads the files that a reader chose and computes with it, so that nothing else waits. It
// answers {id, ask, given, numbers} with {id, answer} or {id, error}; while it reads it tells {id, share}. A second one
// may help it to write on, over a port; when that one ends, it goes on alone and tells {alone}.
import { checkIds } from "../trace.js";
import { lineOf } from "./line.js";
import { openFiles } from "./open.js";
import { follow } from "./pair.js";
import { partner } from "./partner.js";

/** @param {any} scope of the worker */
export function serve(scope) {
  const hear = { ...answers(() => scope.postMessage({ alone: true })), help };
  scope.onmessage = async ({ data: { id, ask, given, numbers } }) => {
    try {
      const answer = await hear[ask](given, numbers, (share) => scope.postMessage({ id, share }));
      scope.postMessage({ id, answer }, [...new Set(arraysOf(answer).map(({ buffer }) => buffer))]);
    } catch (error) {
      scope.postMessage({ id, error: String(error instanceof Error ? error.message : error) });
    }
  };
  scope.postMessage({ ready: true });
}

const arraysOf = (answer) => Object.values(answer).filter(ArrayBuffer.isView);
/** Thrown in the middle of a pass, when the place that was asked for has come. */
class Found extends Error {}

/** Be the second worker of another one, which is at the other end of the port. */
async function help({ port }) {
  const line = lineOf(port);
  follow(line).catch(() => line.put(null)); // there is no room for its half, or it failed
  return {};
}

/**
 * What is asked, as JupyterLab's kernel answers it; one model at a time.
 * @param {() => void} alone tells that the second worker has ended
 */
function answers(alone) {
  /** @type {any} */
  let model = null;
  const second = partner(alone);
  const changes = (put = [], numbers = []) =>
    Object.fromEntries(put.map((name, i) => [name, () => new Float64Array(numbers[i])]));
  return {
    async open({ files, record, plain }, _, tell) {
      model = null; // what it held is given back before the next one is read
      model = await openFiles(files, record, slowly(tell), plain);
      const { info, bytes, fast, ms, shared } = model;
      return { info, bytes, fast, ms, shared: shared !== null };
    },
    share: ({ port }) => second.share(model, port),
    async end() {
      second.end();
      return {};
    },
    trace: ({ ids, want, put }, numbers) => model.trace(ids, { want, change: changes(put, numbers) }),
    async next({ ids }) {
      checkIds(ids, model.config);
      return { logits: await second.next(model, ids) };
    },
    /** Of the places in `of`, the one that is computed first, with its value. */
    stage({ ids, of, put }, numbers) {
      let place = "",
        value = new Float64Array(),
        shape = [0];
      const stop = (name) => (array, sizes) => {
        [place, value, shape] = [name, array, sizes];
        throw new Found();
      };
      const looked = Object.fromEntries(of.map((name) => [name, stop(name)]));
      try {
        model.trace(ids, { want: [], change: { ...looked, ...changes(put, numbers) } });
      } catch (error) {
        if (!(error instanceof Found)) throw error;
      }
      return { place, value, described: [{ shape }] };
    },
  };
}

/** A hundred times at most. */
function slowly(tell) {
  let told = -1;
  return (share) => {
    const now = Math.floor(100 * share);
    if (now > told) tell(share);
    told = Math.max(told, now);
  };
}
