// What a guess is about stays folded until the guess is made, on the page and in JupyterLab.

const GUESS = ".guess",
  HEADINGS = "h1, h2, h3, h4";

/** Opens the fold of the next answer; nothing happens where another section or another guess comes first. */
export function openAnswer(root) {
  const fold = nextSection(root.closest(".cell"))?.querySelector(":scope > details.itt-answer");
  if (fold) fold.open = true;
  const cell = next(root.closest(".jp-Cell"), `:has(:is(${HEADINGS}))`);
  if (cell?.querySelector("h3")?.firstChild?.textContent.trim() === "Answer") {
    cell.querySelector(".jp-collapseHeadingButton.jp-mod-collapsed")?.click();
  }
}

/** The section that begins next on the page: within that of the cell, or behind it where both are of one level. */
function nextSection(cell) {
  for (let at = cell; at; at = at.parentElement.closest("section")) {
    const found = next(at, "section");
    if (found !== undefined) return found;
  }
  return null;
}

/** The first element after `el` that begins a section; null where a guess comes first, undefined where nothing does. */
function next(el, section) {
  for (let at = el?.nextElementSibling; at; at = at.nextElementSibling) {
    if (at.matches(section)) return at;
    if (at.querySelector(GUESS)) return null;
  }
  return undefined;
}
