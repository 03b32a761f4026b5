// The stories of a run, once a page and only when they are asked for: on a page from a script file beside the models',
// in JupyterLab from Python.
import { pageFile } from "../engine/page_source.js";
import { unzip } from "../look/bytes.js";

const SLOW = 15000, // ms
  SILENT = "Python has not answered: it is busy with another cell, or this cell has to be run again.";

/**
 * @param {any} model the anywidget model, or the host's
 * @returns {Promise<{order: number[], end: number, pieces: string[], told: Uint8Array, fresh: Uint8Array}>}
 * @throws {Error} one sentence
 */
export const stories = (model) => (model.onPage ? pageFile(model, "stories", fromFile) : fromKernel(model));

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

function fromKernel(model) {
  return new Promise((resolve, reject) => {
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
      done = (use, value) => {
        clearTimeout(timer);
        model.off("msg:custom", hear);
        use(value);
      },
      hear = (content, buffers) => {
        if (content?.id === id) done(resolve, opened(content.stories, buffers));
      },
      timer = setTimeout(() => done(reject, new Error(SILENT)), SLOW);
    model.on("msg:custom", hear);
    model.send({ id, ask: "stories" });
  });
}
