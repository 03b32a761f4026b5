// Whether the reader's files are kept for the next visit: the line that says so, and the buttons that change it.
import { bytesOf, forget, keep, kept } from "../engine/own/keep.js";
import { button } from "../look/inputs.js";
import { fill, h } from "../look/kit.js";
import { KEEPING, keepIt, keptHere, NO_STORE, noRoom } from "./words.js";

/**
 * @param {{take: (files: File[]) => void, tell: (text: string) => void, away: () => void}} on take: read what is kept;
 *   away: where the focus goes when the last button is gone
 */
export function keeping({ take, tell, away }) {
  /** @type {import("../engine/own/keep.js").Kept | null} */
  let there = null;
  /** @type {File[] | null} */
  let shown = null; // the files of the model that the page shows
  const words = h("p"),
    read = button("Read it again", () => there && take(there.files)),
    store = button("", () => act(() => keep(shown ?? []), drop)),
    drop = button("Forget it", () => act(forget, store)),
    el = h("div", { class: "om-kept", hidden: true }, words, read, store, drop);

  async function act(ask, next) {
    tell("");
    const bytes = bytesOf(shown ?? []),
      files = shown;
    store.disabled = drop.disabled = true;
    if (ask !== forget) fill(words, KEEPING);
    try {
      const now = await ask();
      there = ask === forget ? null : now;
      if (there && files === shown) shown = there.files;
    } catch (error) {
      tell(error?.name === "QuotaExceededError" ? noRoom(bytes) : NO_STORE);
    }
    store.disabled = drop.disabled = false;
    draw();
    if (!next.hidden && !el.hidden) next.focus();
    else away();
  }
  function draw() {
    const same = there !== null && shown === there.files;
    el.hidden = !there && !shown;
    read.hidden = !there || shown !== null;
    store.hidden = !shown || same;
    drop.hidden = !there;
    if (shown) store.textContent = keepIt(bytesOf(shown), there !== null);
    fill(words, there ? keptHere(there) : "");
    words.hidden = !there;
  }
  kept().then((found) => {
    there ??= found;
    draw();
  });
  return {
    el,
    /** The page shows the model of these files, or, with null, none of the reader's. */
    show(files) {
      shown = files;
      draw();
    },
    /** While files are read there is nothing to choose. */
    hide: () => {
      el.hidden = true;
    },
  };
}
