// What JupyterLab says and does for the book: that a chapter is being run, that it has changed on disk, that the book
// has a newer one, that its pictures are missing, where a run of all cells stopped, which of its notebooks a tab has,
// how its pages look, and where in a page a link leads. JupyterLab loads it as an extension that was built; it is
// written as one, so that none has to be.
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
  const MISSING = "Some pictures of this notebook are missing: ";
  const BOOKS = /^((exercises|more)\/)?(\d\d_[^/]+|before|play|own_gpt2)\.ipynb$/; // what the book has placed
  const PAGES = /^(book\/[^/]+|start)\.md$/;
  const ABOVE = "11"; // what turns while a notebook is opened lies at 10
  const NOTE =
    "box-sizing:border-box;margin:0;padding:0.6em 1em;font-size:var(--jp-content-font-size1,14px);" +
    "line-height:1.5;background:var(--jp-layout-color2);color:var(--jp-ui-font-color0)";
  let Widget; // JupyterLab's own

  /** A line between the toolbar of a tab and what stands below; that moves down for it. */
  function note(widget, name) {
    const holder = new Widget();
    const line = holder.node.appendChild(document.createElement("p"));
    line.className = name;
    line.setAttribute("role", "status");
    line.style.cssText = NOTE;
    const words = line.appendChild(document.createElement("span"));
    return { holder, line, words, widget };
  }

  function put({ holder, line, words, widget }, text) {
    if (!widget.isVisible) return;
    if (words.textContent !== text) words.textContent = text;
    const header = widget.contentHeader;
    if (holder.parent !== header) header.addWidget(holder);
    header.node.style.zIndex = ABOVE;
    line.style.width = `${widget.node.clientWidth}px`;
    const high = `${line.offsetHeight}px`;
    if (holder.node.style.minHeight === high) return;
    holder.node.style.minHeight = high;
    header.fit();
  }

  function take({ holder }) {
    if (holder.parent) holder.parent = null;
  }

  function button(text, does) {
    const made = document.createElement("button");
    made.textContent = text;
    made.onclick = does;
    return made;
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
  async function saysThatItIsRun(app, widget, { opened, waiting, again }) {
    const said = note(widget, "itt-first-run");
    let [open, wait, run] = [false, "", ""];
    const show = () => (wait || run) && put(said, wait + run);
    const ends = () => {
      open = true;
      waiting.delete(widget);
      take(said);
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
        if (typeof seconds === "number") run = isRun(Math.round(seconds), again);
        show();
      }
    } finally {
      take(said);
    }
  }

  const isRun = (seconds, again) =>
    `This notebook is ${again ? "" : "opened for the first time, so it is "}run once for its pictures and controls.` +
    ` That takes half a minute to a minute, more on a slow machine: ${seconds} second${seconds === 1 ? "" : "s"} so far.`;

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

  /** A notebook that was put back or replaced on disk while it is open says so, and offers to read it again. Who keeps
   * what the page shows is not told again of the same change: `kept` has its time.
   */
  async function saysThatItChanged(app, widget, { waiting, saving, kept }) {
    const { context } = widget;
    const known = context.contentsModel?.last_modified;
    const { last_modified: found } = await asked(app, context.path);
    const asBefore = () =>
      !widget.isDisposed && context.contentsModel?.last_modified === known && kept.get(widget) !== found;
    const newer = Date.parse(found) - Date.parse(known) > MARGIN;
    if (!newer || !asBefore() || saving.has(widget) || waiting.has(widget)) return;
    const said = note(widget, "itt-changed");
    const keeps = () => {
      kept.set(widget, found);
      take(said);
    };
    said.line.append(
      " ",
      button("Reload it", () => reloads(app, widget)),
      " ",
      button("Keep mine", keeps),
    );
    while (asBefore()) {
      if (waiting.has(widget)) take(said);
      else
        put(
          said,
          "This notebook was changed on disk, as by make reset or an update. This page still shows what was there before.",
        );
      await sleep();
    }
    take(said);
  }

  function reloads(app, widget) {
    app.shell.activateById(widget.id);
    app.commands.execute("docmanager:reload");
  }

  /** Looks at the file of the notebook in front now and then, and when the reader comes back from a terminal. */
  function looksAtTheDisk(app, waiting, saving) {
    const [looking, kept] = [new WeakSet(), new WeakMap()];
    const look = async () => {
      const widget = app.shell.currentWidget;
      const isOpen = widget?.context?.isReady && widget.context.path.endsWith(".ipynb");
      if (!isOpen || document.hidden || looking.has(widget) || waiting.has(widget) || saving.has(widget)) return;
      looking.add(widget);
      await saysThatItChanged(app, widget, { waiting, saving, kept }).catch(() => {});
      looking.delete(widget);
    };
    window.addEventListener("focus", look);
    setInterval(look, AGAIN);
  }

  /** Of a notebook that the reader has changed, when it is opened: that the book has a newer version. */
  async function saysThatThereIsANewer(app, widget) {
    const { newer } = await asked(app, widget.context.path);
    if (newer) saysUntilClosed(widget, "itt-newer", { text: newer });
  }

  /** A line that stays until its reader closes it, or `holds` no longer. */
  async function saysUntilClosed(widget, name, { text, buttons = [], holds = () => true }) {
    const said = note(widget, name);
    let closed = false;
    for (const one of [...buttons, button("Close", () => (closed = true))]) said.line.append(" ", one);
    while (!closed && !widget.isDisposed && holds()) {
      put(said, text);
      await sleep();
    }
    take(said);
  }

  const failed = ({ model }) =>
    model.type === "code" && model.outputs.toJSON().some((one) => one.output_type === "error");

  /** The cell that ended with an error, if what stands below it was not run. */
  function stoppedAt({ content }) {
    const at = content.widgets.findIndex(failed);
    const waits = ({ model }) => model.type === "code" && model.executionCount === null;
    return at >= 0 && content.widgets.slice(at + 1).some(waits) ? content.widgets[at] : undefined;
  }

  const told = new WeakMap(); // cell that ended with an error -> whether its line still stands there

  /** A run of cells ends at the first error, and JupyterLab shows the last cell: the line leads to where it ended. */
  async function saysWhereItStopped(app, widget) {
    const cell = stoppedAt(widget);
    if (!cell || told.get(cell)) return;
    const at = widget.content.widgets.indexOf(cell);
    const shows = () => {
      app.shell.activateById(widget.id);
      widget.content.activeCellIndex = at;
      widget.content.scrollToItem(at, "center").catch(() => {});
    };
    told.set(cell, true);
    await saysUntilClosed(widget, "itt-stopped", {
      text: "A cell ended with an error, so what stands below it was not run.",
      buttons: [button("Show the cell", shows)],
      holds: () => !cell.isDisposed && failed(cell),
    });
    if (!cell.isDisposed && failed(cell)) told.set(cell, false);
    else told.delete(cell);
  }

  /** No cell of a notebook runs or waits to be run. */
  function rests({ context, content, sessionContext }) {
    const kernel = sessionContext?.session?.kernel;
    const runs = [...content.model.cells].some(({ executionState }) => executionState === "running");
    return context.isReady && sessionContext.isReady && !runs && (!kernel || kernel.status === "idle");
  }

  /** The cells that draw and were not run since they lost what they drew. One that only computes has a number then. */
  function bare({ content }) {
    const draws = (model) => model.type === "code" && model.getMetadata("jupyter")?.source_hidden;
    const lost = ({ outputs, executionCount }) => !outputs.length && !executionCount;
    return content.widgets.filter(({ model }) => draws(model) && lost(model));
  }

  /** JupyterLab clears a cell when it begins to wait for its turn, so a notebook that is saved meanwhile and closed has
   * lost what it had not drawn yet, the look of the book too. It says so, and how the pictures come back.
   */
  async function saysWhatIsMissing(app, widget, waiting) {
    const said = note(widget, "itt-missing");
    const exercises = widget.context.path.startsWith("exercises/"); // a run of all ends where none is written yet
    const [how, label, draw] = exercises
      ? ["run the cells that draw them.", "Run these cells", drawsAlone]
      : ["run all cells.", "Run all cells", drawsAll];
    said.line.append(
      " ",
      button(label, () => draw(app, widget)),
    );
    let before = false; // behind an error a kernel passes over what comes at once: it has to rest for two looks
    while (!widget.isDisposed) {
      const lacks = !waiting.has(widget) && rests(widget) && bare(widget).length > 0;
      const stopped = !exercises && stoppedAt(widget); // which has to be mended first: a run of all would end there again
      if (lacks && before && stopped && !told.has(stopped)) saysWhereItStopped(app, widget);
      if (lacks && before && !told.get(stopped)) put(said, MISSING + how);
      else take(said);
      before = lacks;
      await sleep();
    }
  }

  function drawsAll(app, widget) {
    app.shell.activateById(widget.id);
    app.commands.execute("notebook:run-all-cells");
  }

  /** What exercises draw needs none of their answers. */
  function drawsAlone(app, widget) {
    const [{ content }, cells] = [widget, bare(widget)];
    app.shell.activateById(widget.id);
    content.deselectAll();
    content.activeCellIndex = content.widgets.indexOf(cells[0]);
    for (const cell of cells) content.select(cell);
    app.commands.execute("notebook:run-cell");
    content.deselectAll();
  }

  /** The exercises of a chapter and its second notebook have the same file name, so their tabs say which they are. It
   * stands before the label, by style: a label that is set renames the file.
   */
  function namesItsTab({ context, title }) {
    const name = () => {
      const [, folder] = /^(exercises|more)\/[^/]+$/.exec(context.path) ?? [];
      if (folder && title.dataset.book !== folder) title.dataset = { ...title.dataset, book: folder };
    };
    title.changed.connect(name);
    name();
  }

  /** The look of the book, for its notebooks and pages that bring none along. */
  async function looks(app) {
    const { content } = await app.serviceManager.contents.get("book/look.css");
    document.head.appendChild(document.createElement("style")).textContent = content;
  }

  function dresses({ context, content }) {
    if (BOOKS.test(context.path) || PAGES.test(context.path)) content.node.classList.add("itt-book");
  }

  function styles() {
    const style = document.head.appendChild(document.createElement("style"));
    const rule = (folder, words) => `[data-book="${folder}"] .lm-TabBar-tabLabel::before { content: "${words} "; }`;
    style.textContent = rule("exercises", "Exercises") + rule("more", "More");
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
    const isRunUntil = (widget, opened, again) =>
      saysThatItIsRun(app, widget, { opened, waiting, again }).catch(() => {});
    const look = () => {
      for (const widget of app.shell.widgets("main")) {
        if (known.has(widget) || !/\.(ipynb|md)$/.test(widget.context?.path)) continue;
        known.add(widget);
        dresses(widget);
        if (widget.context.path.endsWith(".md")) continue;
        isRunUntil(widget, widget.context.ready);
        widget.context.saveState.connect((_, state) => saving[state === "started" ? "add" : "delete"](widget));
        namesItsTab(widget);
        const drawn = () => widget.content.model?.cells && saysWhatIsMissing(app, widget, waiting);
        if (BOOKS.test(widget.context.path)) widget.context.ready.then(drawn).catch(() => {});
        widget.context.ready.then(() => saysThatThereIsANewer(app, widget)).catch(() => {});
      }
    };
    styles();
    looks(app).catch(() => {});
    app.shell.layoutModified.connect(look);
    look();
    holdsBack(app, waiting);
    looksAtTheDisk(app, waiting, saving);
    app.commands.commandExecuted.connect((_, { id, args, result }) => {
      const widget = app.shell.currentWidget;
      const stopped = () => widget?.content?.widgets && saysWhereItStopped(app, widget);
      if (id === "notebook:run-all-cells") result.then(stopped, stopped);
      if (id === "docmanager:reload" && known.has(widget)) isRunUntil(widget, result, true);
      if (id === "rendermime:handle-local-link" && args.id && String(args.path).endsWith(".md")) leads(app, args);
    });
  }

  const plugin = { id: `${NAME}:book`, description: "The book in JupyterLab.", autoStart: true, activate };
  let toolkit; // what JupyterLab is built of and shares with its extensions
  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB || {};
  globalThis._JUPYTERLAB[NAME] = {
    init: (shared) => {
      toolkit = Object.values(shared["@lumino/widgets"])[0];
    },
    get: async () => {
      ({ Widget } = (await toolkit.get())());
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
