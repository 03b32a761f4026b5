// What JupyterLab says and does for the book: that a chapter is being run, that it has changed on disk, and where in a page a link leads. JupyterLab loads it as an extension that was built; it is written as one, so that none has to be.
(() => {
  const NAME = "inside-the-transformer";
  const LOOK = 500; // milliseconds from one look to the next
  const AGAIN = 10_000; // milliseconds from one look at a file on disk to the next, as JupyterLab looks at its folder
  const MARGIN = 500; // milliseconds between two times of one file that JupyterLab takes for the same
  const SEEN = 40; // looks, after which a page has no such entry
  // what needs an open notebook; without one JupyterLab asks for a kernel, or calls the file read-only
  const NEEDS_IT =
    /^(runmenu:|kernelmenu:|notebook:(run|restart|change-kernel)|docmanager:(save|save-as|reload|restore-checkpoint)$)/;
  const WAIT = "Nothing can be run or saved yet. Wait: this notebook opens by itself. ";
  const NOTE =
    "position:relative;z-index:200;margin:0;padding:0.6em 1em;font-size:var(--jp-content-font-size1,14px);" +
    "line-height:1.5;background:var(--jp-layout-color2);color:var(--jp-ui-font-color0)";

  /** A line at the top of what stands in a tab. */
  function note(widget, name) {
    const line = document.createElement("p");
    line.className = name;
    line.setAttribute("role", "status");
    line.style.cssText = NOTE;
    const words = line.appendChild(document.createElement("span"));
    return { line, words, widget };
  }

  function put({ line, words, widget }, text) {
    if (words.textContent !== text) words.textContent = text;
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

  /** While a chapter is run because it is opened, its tab says so, and for how long; `opened` settles when it is open.
   * What would run or save it meanwhile finds in `waiting` what to say.
   */
  async function saysThatItIsRun(app, widget, opened, waiting) {
    const said = note(widget, "itt-first-run");
    let [open, wait, run] = [false, "", ""];
    const show = () => (wait || run) && put(said, wait + run);
    const ends = () => {
      open = true;
      waiting.delete(widget);
      said.line.remove();
    };
    waiting.set(widget, () => {
      wait = WAIT;
      show();
    });
    opened.then(ends, ends);
    try {
      while (!open && !widget.isDisposed) {
        await sleep();
        const { being_run: seconds } = await asked(app, widget.context.path);
        if (open || widget.isDisposed) break;
        if (typeof seconds === "number") run = isRun(Math.round(seconds));
        show();
      }
    } finally {
      said.line.remove();
    }
  }

  const isRun = (seconds) =>
    "This notebook is opened for the first time, so it is run once for its pictures and controls. That takes" +
    ` about half a minute, on a slow machine several: ${seconds} second${seconds === 1 ? "" : "s"} so far.`;

  /** What would run or save a notebook that is not open yet says instead that it has to wait. */
  function holdsBack(app, waiting) {
    const execute = app.commands.execute.bind(app.commands);
    app.commands.execute = (id, args) => {
      const says = NEEDS_IT.test(id) && waiting.get(app.shell.currentWidget);
      if (!says) return execute(id, args);
      says();
      return Promise.resolve();
    };
  }

  /** A notebook that was put back or replaced on disk while it is open says so, and offers to read it again. */
  async function saysThatItChanged(app, widget, waiting, saving) {
    const { context } = widget;
    const known = context.contentsModel?.last_modified;
    const asBefore = () => !widget.isDisposed && context.contentsModel?.last_modified === known;
    const { last_modified: found } = await asked(app, context.path);
    const newer = Date.parse(found) - Date.parse(known) > MARGIN;
    if (!newer || !asBefore() || saving.has(widget) || waiting.has(widget)) return;
    const said = note(widget, "itt-changed");
    said.line.append(" ", reloads(app, widget));
    while (asBefore()) {
      if (waiting.has(widget)) said.line.remove();
      else
        put(
          said,
          "This notebook was changed on disk, as by make reset or an update. This page still shows what was there before.",
        );
      await sleep();
    }
    said.line.remove();
  }

  function reloads(app, widget) {
    const button = document.createElement("button");
    button.textContent = "Reload it";
    button.onclick = () => {
      app.shell.activateById(widget.id);
      app.commands.execute("docmanager:reload");
    };
    return button;
  }

  /** Looks at the file of the notebook in front now and then, and when the reader comes back from a terminal. */
  function looksAtTheDisk(app, waiting, saving) {
    const looking = new WeakSet();
    const look = async () => {
      const widget = app.shell.currentWidget;
      const isOpen = widget?.context?.isReady && widget.context.path.endsWith(".ipynb");
      if (!isOpen || document.hidden || looking.has(widget) || waiting.has(widget) || saving.has(widget)) return;
      looking.add(widget);
      await saysThatItChanged(app, widget, waiting, saving).catch(() => {});
      looking.delete(widget);
    };
    window.addEventListener("focus", look);
    setInterval(look, AGAIN);
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
    const [known, saving, waiting] = [new WeakSet(), new WeakSet(), new WeakMap()];
    const isRunUntil = (widget, opened) => saysThatItIsRun(app, widget, opened, waiting).catch(() => {});
    const look = () => {
      for (const widget of app.shell.widgets("main")) {
        if (known.has(widget) || !widget.context?.path?.endsWith(".ipynb")) continue;
        known.add(widget);
        isRunUntil(widget, widget.context.ready);
        widget.context.saveState.connect((_, state) => saving[state === "started" ? "add" : "delete"](widget));
      }
    };
    app.shell.layoutModified.connect(look);
    look();
    holdsBack(app, waiting);
    looksAtTheDisk(app, waiting, saving);
    app.commands.commandExecuted.connect((_, { id, args, result }) => {
      if (id === "docmanager:reload" && known.has(app.shell.currentWidget)) isRunUntil(app.shell.currentWidget, result);
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
