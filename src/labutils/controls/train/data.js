// The stories of a run, once a page and only when they are asked for: on a page from a script file beside the models',
// in JupyterLab from Python.
import { pageFile } from "../engine/page_source.js";
import { unzip } from "../look/bytes.js";

const SLOW = 10000, // ms without an answer, after which the reader is told; the question stays open
  SILENT = "Python has not answered yet: it is busy with another cell, or this cell has to be run again.";

/**
 * @param {any} model the anywidget model, or the host's
 * @param {(sentence: string) => void} tell why it takes so long; "" when that is over
 * @returns {Promise<{order: number[], end: number, pieces: string[], told: Uint8Array, fresh: Uint8Array}>}
 * @throws {Error} one sentence
 */
export const stories = (model, tell) => (model.onPage ? pageFile(model, "stories", fromFile) : fromKernel(model, tell));

const fromFile = ({ told, fresh, ...known }) => opened(known, [told, fresh].map(decoded));
const decoded = (text) => Uint8Array.from(atob(text), (ch) => ch.charCodeAt(0));

async function opened(known, packed) {
  try {
    const [told, fresh] = await Promise.all(packed.map(unzip));
    return { ...known, told, fresh };
  } catch {
    throw new Error("The stories could not be unpacked: reload the page, or use a newer browser.");
  }
}

function fromKernel(model, tell) {
  return new Promise((resolve) => {
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
      timer = setTimeout(() => tell(SILENT), SLOW),
      hear = (content, buffers) => {
        if (content?.id !== id) return;
        clearTimeout(timer);
        model.off("msg:custom", hear);
        tell("");
        resolve(opened(content.stories, buffers));
      };
    model.on("msg:custom", hear);
    model.send({ id, ask: "stories" });
  });
}
