// Where a run is computed: in a worker made of the engine's own source, or, where a browser gives none, in the page.
import { driver } from "../engine/backward/driver.js";

const SOURCE = sourceOf("../engine/backward/worker.js"), // its text, put here when the modules are joined
  SLICE = 12; // ms in the page, or one step if that takes longer

/**
 * @param {(message: any) => void} tell what the run tells, by its number
 * @param {() => void} inPage called where there is no worker
 * @returns {{ask: (message: any) => void, stop: () => void}}
 */
export function trainer(tell, inPage) {
  let asked = [], // until it is known that the worker lives
    worker = null,
    send = (message) => asked.push(message);
  const instead = () => {
    if (send === here) return;
    worker?.terminate();
    worker = null;
    inPage();
    use(here);
  };
  const page = driver((message) => tell(message), SLICE),
    here = (message) => page(message);
  function use(way) {
    send = way;
    for (const message of asked) way(message);
    asked = [];
  }
  try {
    const address = URL.createObjectURL(new Blob([SOURCE], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.kind !== "ready") tell(data);
      else {
        URL.revokeObjectURL(address);
        use((message) => worker?.postMessage(message));
      }
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (asked.length || !worker) instead();
      else tell({ kind: "fault", where: "", why: "The browser has stopped the training: start it again.", run: -1 });
    };
  } catch {
    queueMicrotask(instead);
  }
  return {
    ask: (message) => send(message),
    stop() {
      worker?.terminate();
      page({ ask: "pause" });
    },
  };
}
