// Paper is white: a page read in dark is printed in light. A frame may not be loaded yet: on paper its words stand for it.
(() => {
  const html = document.documentElement;
  let theme = null;
  const told = (frame) => {
    if (frame.nextElementSibling?.matches(".itt-framed")) return;
    frame.insertAdjacentElement(
      "afterend",
      Object.assign(document.createElement("p"), { className: "itt-framed", textContent: frame.title }),
    );
  };
  addEventListener("beforeprint", () => {
    theme = html.dataset.theme;
    html.dataset.theme = "light";
    document.querySelectorAll(".itt-figure iframe[title]").forEach(told);
  });
  addEventListener("afterprint", () => {
    if (theme) html.dataset.theme = theme;
  });
})();

// What an address names after its #; nothing where it cannot be read.
const ittNamed = (hash) => {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
};

// The foot of each printed page names the book and the page of the site.
addEventListener(
  "beforeprint",
  () => {
    const title = document.querySelector("article h1")?.cloneNode(true);
    if (!title) return;
    title.querySelector(".headerlink")?.remove();
    const words = `Inside the Transformer · ${title.textContent.trim().replace(/\s+/g, " ")}`;
    const foot = `@media print { @page { @bottom-left { content: ${JSON.stringify(words)}; } } }`; // quotes as CSS has them
    document.head.append(Object.assign(document.createElement("style"), { textContent: foot }));
  },
  { once: true },
);

// What is folded opens for a link that leads to it or into it, and on paper. Hints and solutions that a reader left closed
// are not printed: they would be names with nothing below them.
(() => {
  const open = (fold) => {
    for (; fold; fold = fold.parentElement.closest("details.itt-fold")) fold.open = true;
  };
  const unfold = () => {
    const target = location.hash && ittNamed(location.hash);
    if (!target) return;
    const fold = target.querySelector(":scope > details.itt-fold") ?? target.closest("details.itt-fold");
    if (!fold || fold.open) return;
    open(fold);
    target.scrollIntoView();
  };
  addEventListener("DOMContentLoaded", unfold);
  addEventListener("hashchange", unfold);
  // the text face, formulas and pictures that arrive move what stands below them; who has begun to scroll is left alone
  let begun = false;
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"])
    addEventListener(
      kind,
      () => {
        begun = true;
      },
      { once: true },
    );
  const settle = (left = 20) => {
    const target = location.hash && ittNamed(location.hash);
    if (begun || !left || !target) return;
    if (!target.closest(".itt-fold") && !target.querySelector(":scope > .itt-fold")) return;
    target.scrollIntoView();
    requestAnimationFrame(() => settle(left - 1));
  };
  addEventListener("load", () => {
    settle();
    document.fonts.ready.then(() => settle());
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:is(.itt-fold, .guess *):not([open])")];
    closed.forEach(open);
  });
  addEventListener("afterprint", () =>
    closed.forEach((fold) => {
      fold.open = false;
    }),
  );
})();

// On paper nothing is folded: what answers a guess would stand right below it. It is told at the end of the page, and
// where it was folded stands its number.
(() => {
  const made = (tag, rest) => Object.assign(document.createElement(tag), rest);
  let printed = [];
  addEventListener("beforeprint", () => {
    const folds = [...document.querySelectorAll("article .guess > details")];
    if (!folds.length) return;
    const all = made("section", { className: "itt-answers" }),
      list = all.appendChild(made("ol"));
    list.before(made("h2", { textContent: "Answers to the guesses" }));
    const marks = folds.map((fold, i) => {
      const item = list.appendChild(made("li"));
      item.append(...[...fold.children].slice(1).map((said) => said.cloneNode(true))); // without its summary
      const mark = made("p", { className: "itt-answer-at", textContent: `Answer ${i + 1} stands at the end.` });
      fold.before(mark);
      return mark;
    });
    document.querySelector("article").append(all);
    document.documentElement.classList.add("itt-gathered");
    printed = [all, ...marks];
  });
  addEventListener("afterprint", () => {
    for (const part of printed) part.remove();
    document.documentElement.classList.remove("itt-gathered");
    printed = [];
  });
})();

// A note stands open in the margin, and is folded where there is none.
(() => {
  const narrow = matchMedia("(max-width: 819.98px)");
  const fold = (open) =>
    document.querySelectorAll("details.itt-note").forEach((note) => {
      note.open = open;
    });
  const fit = () => fold(!narrow.matches);
  addEventListener("DOMContentLoaded", fit);
  narrow.addEventListener("change", fit);
  addEventListener("beforeprint", () => fold(true));
  addEventListener("afterprint", fit);
})();

// The window in which the book is searched asks for what it looks through when it is first opened.
addEventListener("DOMContentLoaded", () => {
  const home = document.documentElement.dataset.content_root ?? "",
    dialog = document.getElementById("pst-search-dialog");
  const load = (name, then) => {
    const script = Object.assign(document.createElement("script"), { src: `${home}_static/${name}` });
    script.addEventListener("load", then);
    document.head.append(script);
  };
  // a phone has no Escape, and little beside the window to touch
  const close = Object.assign(document.createElement("button"), {
    type: "button",
    className: "itt-close",
    textContent: "Close",
  });
  close.addEventListener("click", () => dialog.close());
  dialog?.querySelector("form")?.append(close);
  dialog?.addEventListener(
    "focusin",
    () => {
      if (!globalThis.ittSearch) load("search_sections.js", () => load("search.js", () => ittSearch()));
    },
    { once: true },
  );
});

// The arrows that unfold a chapter in the sidebar have no words of their own.
addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("nav.bd-links summary:not(nav.page-toc *)"))
    arrow.setAttribute("aria-label", `Pages below ${arrow.closest("li").querySelector("a").textContent.trim()}`);
});

// The list of the page names the section that is read.
addEventListener("DOMContentLoaded", () => {
  const listed = [...document.querySelectorAll("nav.page-toc a[href^='#']")]
    .map((link) => ({ link, place: ittNamed(link.hash) }))
    .filter(({ place }) => place)
    .sort((a, b) => (a.place.compareDocumentPosition(b.place) & 4 ? -1 : 1)); // asides stand last in the list
  const links = listed.map(({ link }) => link);
  const places = listed.map(({ place }) => place);
  if (!links.length) return;
  let waiting = false;
  const name = () => {
    waiting = false;
    const below = places.findIndex((place) => place.getBoundingClientRect().top > innerHeight / 4);
    const end = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
    const here = below < 0 || end ? links.length - 1 : below - 1;
    links.forEach((link, i) => {
      // not aria-current alone: the theme sets it for another section and takes it away
      link.toggleAttribute("data-here", i === here);
      i === here ? link.setAttribute("aria-current", "location") : link.removeAttribute("aria-current");
    });
  };
  addEventListener(
    "scroll",
    () => {
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(name);
      }
    },
    { passive: true },
  );
  if (scrollY) name(); // above all sections none of them is read, and to measure costs a phone a tenth of a second
});

// On a phone a long cell of code shows its beginning; a button below it shows the rest.
addEventListener("DOMContentLoaded", () => {
  const LONG = 16; // lines
  for (const code of document.querySelectorAll("div.cell_input div.highlight > pre")) {
    const lines = code.textContent.trimEnd().split("\n").length,
      box = code.parentElement;
    if (lines <= LONG) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "itt-more" });
    const show = (whole) => {
      box.classList.toggle("itt-long", !whole);
      button.setAttribute("aria-expanded", String(whole));
      button.textContent = whole ? "Show the beginning alone" : `Show all ${lines} lines`;
    };
    button.addEventListener("click", () => show(box.classList.contains("itt-long")));
    box.after(button);
    show(false);
  }
});

// A formula or a table of shapes that is wider than a phone can be scrolled by keys as well, also in a fold that is
// opened later.
addEventListener("load", () => {
  const seen = new ResizeObserver((entries) =>
    entries.forEach(({ target }) => {
      target.scrollWidth > target.clientWidth
        ? target.setAttribute("tabindex", "0")
        : target.removeAttribute("tabindex");
    }),
  );
  document.querySelectorAll('table.itt-shapes, mjx-container[display="true"]').forEach((wide) => {
    seen.observe(wide);
  });
});
