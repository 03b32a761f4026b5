// Drives a run by messages, in a worker or, where there is none, in the page: {ask: "begin", run, task}, {ask: "go"},
// {ask: "pause"}, {ask: "set", plan}. What the run tells comes back with its number.
import { session } from "./session.js";

/**
 * @param {(message: any) => void} tell
 * @param {number} slice ms of training before messages are looked at
 * @returns {(message: any) => void}
 */
export function driver(tell, slice) {
  let one = /** @type {ReturnType<typeof session> | null} */ (null),
    going = false,
    waiting = false;
  const wait = () => {
    if (waiting || !going) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!going || !one) return;
      going = one.work(slice);
      wait();
    });
  };
  return ({ ask, run, task, plan }) => {
    if (ask === "begin") {
      going = false;
      try {
        one = session(task, (message) => tell({ run, ...message }));
      } catch (error) {
        one = null;
        tell({ run, kind: "fault", where: "", why: String(error instanceof Error ? error.message : error) });
      }
    }
    if (ask === "set") one?.set(plan);
    if (ask === "go") going = one !== null;
    if (ask === "pause") going = false;
    wait();
  };
}
