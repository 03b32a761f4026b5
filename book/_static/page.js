// Paper is white: a page read in dark is printed in light.
(() => {
  const html = document.documentElement;
  let theme = null;
  addEventListener("beforeprint", () => { theme = html.dataset.theme; html.dataset.theme = "light"; });
  addEventListener("afterprint", () => { if (theme) html.dataset.theme = theme; });
})();
