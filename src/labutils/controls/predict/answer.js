// What a guess is about stays folded until the guess is made, on the page and in JupyterLab.

const GUESS = ".guess",
  HEADINGS = "h1, h2, h3, h4";

/** Opens the fold of the next answer; nothing happens where another section or another guess comes first. */
export function openAnswer(root) {
  const fold = next(root.closest(".cell"), "section")?.querySelector(":scope > details.itt-answer");
  if (fold) fold.open = true;
  const cell = next(root.closest(".jp-Cell"), `:has(:is(${HEADINGS}))`);
  if (cell?.querySelector("h3")?.firstChild?.textContent.trim() === "Answer") {
    cell.querySelector(".jp-collapseHeadingButton.jp-mod-collapsed")?.click();
  }
}

/** The first element after `el` that begins a section, if no guess stands between them. */
function next(el, section) {
  for (let at = el?.nextElementSibling; at; at = at.nextElementSibling) {
    if (at.matches(section)) return at;
    if (at.querySelector(GUESS)) return null;
  }
  return null;
}
