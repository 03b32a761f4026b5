// Paper is white: a page read in dark is printed in light. A frame may not be loaded yet: on paper its words stand for it.
(() => {
  const html = document.documentElement;
  let theme = null;
  const told = (frame) => {
    if (frame.nextElementSibling?.matches(".itt-framed")) return;
    frame.insertAdjacentElement("afterend", Object.assign(document.createElement("p"), { className: "itt-framed", textContent: frame.title }));
  };
  addEventListener("beforeprint", () => {
    theme = html.dataset.theme;
    html.dataset.theme = "light";
    document.querySelectorAll(".itt-figure iframe[title]").forEach(told);
  });
  addEventListener("afterprint", () => { if (theme) html.dataset.theme = theme; });
})();

// What is folded opens for a link that leads to it or into it, and on paper.
(() => {
  const open = (fold) => { for (; fold; fold = fold.parentElement.closest("details.itt-fold")) fold.open = true; };
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const fold = target.querySelector(":scope > details.itt-fold") ?? target.closest("details.itt-fold");
    if (!fold || fold.open) return;
    open(fold);
    target.scrollIntoView();
  };
  addEventListener("DOMContentLoaded", unfold);
  addEventListener("hashchange", unfold);
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.itt-fold:not([open])")];
    closed.forEach(open);
  });
  addEventListener("afterprint", () => closed.forEach((fold) => { fold.open = false; }));
})();

// The arrows that unfold a chapter in the sidebar have no words of their own.
addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("nav.bd-links summary")) arrow.setAttribute("aria-label", `Pages below ${arrow.closest("li").querySelector("a").textContent.trim()}`);
});
