// The tokenizers of a control: on their way, here, or not to be had.
import { openTokenizer } from "../engine/source.js";

export const COMING = "The tokenizers are on their way.";

/** @returns { open(then), stop, ready, reason }: `ready()` gives them, one a lane, or null; `reason()` says why not */
export function tokenizers(model, lanes) {
  let found = null,
    failed = "",
    waiting = false,
    stopped = false;
  function open(then) {
    if (waiting || found || failed) return;
    waiting = true;
    Promise.all(lanes.map((lane) => openTokenizer(model, lane.name)))
      .then(
        (all) => {
          found = all;
        },
        (error) => {
          failed = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
        },
      )
      .then(() => {
        waiting = false;
        if (!stopped) then();
      });
  }
  return {
    open,
    stop: () => {
      stopped = true;
    },
    ready: () => found,
    reason: () => failed || (waiting ? COMING : ""),
  };
}
