// What JupyterLab says and does for the book: that a chapter is being run, and where in a page a link leads. JupyterLab loads it as an extension that was built; it is written as one, so that none has to be.
(() => {
  const NAME = "inside-the-transformer";
  const LOOK = 500; // milliseconds from one look to the next
  const SEEN = 40; // looks, after which a page has no such entry
  const NOTE =
    "position:relative;z-index:200;margin:0;padding:0.6em 1em;font-size:var(--jp-content-font-size1,14px);" +
    "line-height:1.5;background:var(--jp-layout-color2);color:var(--jp-ui-font-color0)";

  /** A line at the top of what stands in a tab. */
  function note(widget, name) {
    const line = document.createElement("p");
    line.className = name;
    line.setAttribute("role", "status");
    line.style.cssText = NOTE;
    return { line, widget };
  }

  function put({ line, widget }, text) {
    if (line.textContent !== text) line.textContent = text;
    if (!line.isConnected) document.body.append(line);
    const { left, top, width } = widget.node.getBoundingClientRect();
    Object.assign(line.style, { position: "fixed", left: `${left}px`, top: `${top}px`, width: `${width}px` });
    line.hidden = !widget.isVisible;
  }

  const sleep = () => new Promise((done) => setTimeout(done, LOOK));

  /** What the server says of a file, without the file. */
  async function asked(app, path) {
    const base = app.serviceManager.serverSettings.baseUrl;
    const answer = await fetch(`${base}api/contents/${path.split("/").map(encodeURIComponent).join("/")}?content=0`);
    return answer.ok ? answer.json() : {};
  }

  /** While a chapter is run because it is opened for the first time, its tab says so, and for how long. */
  async function saysThatItIsRun(app, widget) {
    const said = note(widget, "itt-first-run");
    const { context } = widget;
    context.ready.then(() => said.line.remove());
    try {
      while (!context.isReady && !widget.isDisposed) {
        await sleep();
        const { being_run: seconds } = await asked(app, context.path);
        if (typeof seconds !== "number" || context.isReady) continue;
        const since = `${Math.round(seconds)} second${Math.round(seconds) === 1 ? "" : "s"} so far`;
        put(
          said,
          "This notebook is opened for the first time, so it is run once for its pictures and controls. That takes" +
            ` about half a minute, on a slow machine several: ${since}.`,
        );
      }
    } finally {
      said.line.remove();
    }
  }

  const slug = (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "");

  /** The heading to which a link leads: by its id, or by its words, as the site makes ids of them. */
  function heading(widget, id) {
    const all = [...widget.node.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    const words = (one) => slug(one.textContent.replace(/[¶#]\s*$/u, ""));
    return all.find((one) => one.id === id || words(one) === slug(id));
  }

  /** A link to an entry of a page, such as the glossary, opens the page at the entry. */
  async function leads(app, { path, id }) {
    const wanted = decodeURIComponent(String(id)).replace(/^#/, "");
    for (let look = 0; look < SEEN; look++) {
      const widget = [...app.shell.widgets("main")].find((one) => one.context?.path === path);
      const found = widget && heading(widget, wanted);
      if (found) {
        found.tabIndex = -1;
        found.scrollIntoView({ block: "start" });
        found.focus({ preventScroll: true });
        return;
      }
      await sleep();
    }
  }

  function activate(app) {
    const known = new WeakSet();
    const look = () => {
      for (const widget of app.shell.widgets("main")) {
        if (known.has(widget) || !widget.context?.path?.endsWith(".ipynb")) continue;
        known.add(widget);
        saysThatItIsRun(app, widget).catch(() => {});
      }
    };
    app.shell.layoutModified.connect(look);
    look();
    app.commands.commandExecuted.connect((_, { id, args }) => {
      if (id === "rendermime:handle-local-link" && args.id && String(args.path).endsWith(".md")) leads(app, args);
    });
  }

  const plugin = { id: `${NAME}:book`, description: "The book in JupyterLab.", autoStart: true, activate };
  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB || {};
  globalThis._JUPYTERLAB[NAME] = {
    init: () => {},
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
})();
