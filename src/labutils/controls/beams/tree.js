// The tree that is pointed at: by a mouse or a finger, and by the arrow keys.
import { h } from "../look/kit.js";
import { clamp } from "../look/words.js";
import { bestOf, columns, nodeAt, parentOf } from "./numbers.js";

/**
 * @param {{found: () => import("./numbers.js").Found, now: () => {width: number, step: number, node: string},
 *   go: (node: string) => void}} spec
 */
export function treeOf({ found, now, go }) {
  function point(target) {
    const path = target.closest?.(".bm-node")?.dataset.path;
    if (path !== undefined && path !== now().node) go(path);
  }
  /** Left to what came before, right to the best that follows, up and down within a step. */
  function moved(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, step, node } = now(),
      cols = columns(found(), width, step),
      at = nodeAt(cols, node) ?? bestOf(found(), width, step),
      col = cols.find((nodes) => nodes.includes(at)),
      beside = (by) => col[clamp(col.indexOf(at) + by, 0, col.length - 1)],
      after = cols.flat().filter((one) => parentOf(one.path) === at.path);
    const to = {
      ArrowUp: beside(-1),
      ArrowDown: beside(1),
      ArrowLeft: nodeAt(cols, parentOf(at.path)) ?? at,
      ArrowRight: after.sort((one, other) => other.p - one.p)[0] ?? at,
      Home: col[0],
      End: col.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    go(to.path);
  }

  return h("div", {
    class: "bm-tree",
    tabindex: 0,
    role: "group",
    onkeydown: moved,
    onclick: ({ target }) => point(target),
    onpointerover: (event) => event.pointerType === "mouse" && point(event.target),
  });
}
