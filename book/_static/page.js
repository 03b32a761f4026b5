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

// The arrows that unfold a chapter in the sidebar have no words of their own.
addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("nav.bd-links summary")) arrow.setAttribute("aria-label", `Pages below ${arrow.closest("li").querySelector("a").textContent.trim()}`);
});
