// The script of a worker: it trains beside the page, so that nothing else waits.
import { driver } from "./driver.js";

const SLICE = 150; // ms

/** @param {any} scope of the worker */
export function serve(scope) {
  const hear = driver((message) => scope.postMessage(message), SLICE);
  scope.onmessage = ({ data }) => hear(data);
  scope.postMessage({ kind: "ready" });
}
