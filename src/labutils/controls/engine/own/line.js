// A line between two workers: messages come one after the other, and whoever waits hears when the other side is gone.

const PATIENCE = 10000; // ms without a word, in which a worker that lives says something on a busy machine too

/** Thrown to whoever waits for a word of a worker that is gone. */
export class Gone extends Error {}

/**
 * @typedef {{put: (message: any, moved?: Transferable[]) => void, take: () => Promise<any>, end: () => void,
 *   heard: () => number}} Line take: the next message; end: from here on it is gone; heard: how many messages came
 * @param {MessagePort} port
 * @returns {Line}
 */
export function lineOf(port) {
  /** @type {any[]} */
  const inbox = [];
  /** @type {{resolve: (message: any) => void, reject: (why: Gone) => void} | null} */
  let waiting = null;
  let heard = 0,
    gone = false;
  function end() {
    gone = true;
    port.close();
    waiting?.reject(new Gone());
    waiting = null;
  }
  port.onmessage = ({ data }) => {
    heard++;
    if (data === null) end();
    else if (waiting) waiting.resolve(data);
    else inbox.push(data);
    waiting = null;
  };
  port.addEventListener("close", end); // where a browser says it
  return {
    put: (message, moved = []) => port.postMessage(message, moved),
    take: () =>
      new Promise((resolve, reject) => {
        if (inbox.length) resolve(inbox.shift());
        else if (gone) reject(new Gone());
        else waiting = { resolve, reject };
      }),
    end,
    heard: () => heard,
  };
}

/**
 * What `work` gives; meanwhile the other side is taken for gone if it says nothing for so long.
 * @template T
 * @param {Line} line
 * @param {() => Promise<T>} work
 * @param {number} [patience]
 */
export async function watched(line, work, patience = PATIENCE) {
  let last = -1;
  const timer = setInterval(() => {
    if (line.heard() === last) line.end();
    last = line.heard();
  }, patience);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
