// The stories of a run, once a page and only when they are asked for: on a page from a script file beside the models',
// in JupyterLab from Python.
import { insistently, SILENT } from "../engine/insistently.js";
import { pageFile } from "../engine/page_source.js";
import { unzip } from "../look/bytes.js";

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
      question = () => model.send({ id, ask: "stories" }),
      stop = insistently(question, () => tell(SILENT)),
      hear = (content, buffers) => {
        if (content?.id !== id) return;
        stop();
        model.off("msg:custom", hear);
        tell("");
        resolve(opened(content.stories, buffers));
      };
    model.on("msg:custom", hear);
    question();
  });
}
