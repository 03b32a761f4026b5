// What a guess is about stays folded until the guess is made, on the page and in JupyterLab.

/** Opens the fold that follows this guess; nothing happens where something else follows it. */
export function openAnswer(root) {
  const fold = root.closest(".cell")?.nextElementSibling?.querySelector(":scope > details.itt-answer");
  if (fold) fold.open = true;
  const next = root.closest(".jp-Cell")?.nextElementSibling;
  if (next?.querySelector("h3")?.firstChild?.textContent.trim() === "Answer") {
    next.querySelector(".jp-collapseHeadingButton.jp-mod-collapsed")?.click();
  }
}
