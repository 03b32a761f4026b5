// The files of a model that a reader wants to find again, in the browser's own store (IndexedDB). Nothing is kept
// unless it is asked for, and nothing leaves the machine.

const DATABASE = "inside-the-transformer",
  STORE = "own-model",
  KEY = "files";

/** @typedef {{files: File[], bytes: number}} Kept */

/** What is kept; null where nothing is, or where the browser keeps nothing for such a page. */
export async function kept() {
  try {
    /** @type {File[] | undefined} */
    const files = await asked("readonly", (store) => store.get(KEY));
    return files?.length ? { files, bytes: bytesOf(files) } : null;
  } catch {
    return null;
  }
}

/**
 * Keep these files in place of those that are kept.
 * @param {File[]} files
 * @returns {Promise<Kept>}
 * @throws {Error} with the name QuotaExceededError where the disk or the browser has no room for them
 */
export async function keep(files) {
  await asked("readwrite", (store) => store.put(files, KEY));
  return { files, bytes: bytesOf(files) };
}

/** @throws {Error} where the browser keeps nothing for such a page */
export const forget = () => asked("readwrite", (store) => store.delete(KEY));

export const bytesOf = (files) => files.reduce((sum, { size }) => sum + size, 0);

/**
 * One question to the store, which is closed again.
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} ask
 */
async function asked(mode, ask) {
  const base = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const all = base.transaction(STORE, mode),
        one = ask(all.objectStore(STORE));
      all.oncomplete = () => resolve(one.result);
      all.onabort = () => reject(all.error ?? one.error);
    });
  } finally {
    base.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const asking = indexedDB.open(DATABASE, 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(STORE);
    asking.onsuccess = () => resolve(asking.result);
    asking.onerror = () => reject(asking.error);
  });
}
