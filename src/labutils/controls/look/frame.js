// The frame of a control: title line, controls row, canvas, readout, and a footer with the data behind the picture.

import { question } from "../predict/question.js";
import { fill, h, id, inLab, onceShown, touched } from "./kit.js";
import { csvText, save, standalone } from "./save.js";
import { spelt, symbols } from "./words.js";

const KIND = "Interactive";

/**
 * @param model the anywidget model, or the host's, with the words of the author: number, title, lede, name, guess
 * @param form how the guess is made, where that is neither by a choice nor by a number
 * @returns the parts to fill (`bar`, `stage`), what to say (`say`, `source`, `changed`), and `offer`, which fills the
 *   footer.
 */
export function frame(model, form) {
  const [number, title, lede, name, guess] = ["number", "title", "lede", "name", "guess"].map((x) => model.get(x));
  const asked = guess?.name ? question(guess, true, form) : null;
  const titled = id("title"),
    kind = id("kind"),
    table = h("div", { class: "itt-scroll", tabindex: 0, role: "region", "aria-label": `${called(model)} as a table` });
  const data = h("details", { class: "itt-data" }, h("summary", { text: "Read it as a table" }), table);
  const actions = h("div", { class: "itt-actions" }, data);
  const tools = h("span", { class: "itt-tools" }),
    source = h("p", { class: "itt-source" });
  const note = h("p", { class: "itt-note itt-told", role: "status" });
  const f = {
    bar: h("div", { class: "itt-bar" }),
    stage: h("div", { class: "itt-stage" }),
    readout: h("p", { class: "itt-readout", role: "status" }),
    data,
    note,
  };
  f.root = h(
    "section",
    { class: "itt", "aria-labelledby": `${kind} ${titled}`, "data-name": name },
    h(
      "header",
      { class: "itt-head" },
      h("p", { class: "itt-kind", id: kind }, number && h("b", { text: number }), number ? ` ${KIND}` : KIND),
      h("p", { class: "itt-title", id: titled, role: "heading", "aria-level": "3" }, symbols(title)),
      lede && h("p", { class: "itt-lede" }, symbols(touched(lede))),
    ),
    asked?.el,
    f.bar,
    f.stage,
    f.readout,
    h("footer", { class: "itt-foot" }, actions, source, note),
  );
  actions.append(tools);
  data.addEventListener("toggle", () => actions.classList.toggle("is-read", data.open)); // a table takes the whole line
  f.say = (...parts) => fill(f.readout, parts);
  f.source = (part) => {
    if (source.firstChild !== part && source.textContent !== part) source.replaceChildren(part);
  };
  f.tell = (sentence) => {
    note.textContent = sentence;
  };
  Object.assign(f, offers(f, { data, table, tools, name }));
  if (asked) onceShown(f.root, asked.begin);
  return f;
}

/**
 * Put a control into its place.
 * @param {HTMLElement} el the place
 * @param {HTMLElement} root the control
 * @param {() => void} begin called once it stands in the page
 * @param {(() => void)[]} ends called when it is taken away
 * @returns {() => void} the way to take it away
 */
export function stand(el, root, begin, ends) {
  el.append(root);
  onceShown(root, begin);
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

/** What a control is called beside others of its page: by its number, or by its title. */
export function called(model) {
  const number = model.get("number");
  return number ? `Control ${number}` : spelt(model.get("title"));
}

/**
 * The footer's offers: table, CSV, SVG, and the way back to this state. All are asked for at the moment of the click.
 */
function offers(f, { data, table, tools, name }) {
  /** @type {(() => {caption: string, head: string[], rows: any[][]}) | null} */
  let rows = null;
  const fill = () => {
    if (data.open && rows) table.replaceChildren(drawTable(rows()));
  };
  data.addEventListener("toggle", fill);
  const tool = (text, onclick) => h("button", { type: "button", class: "itt-tool", text, onclick });
  return {
    /**
     * @param {{rows: () => {caption: string, head: string[], rows: any[][]}, picture: () => any, state: () => object,
     *   call: () => string}} spec the table, the SVG, the state, and the call of Python that gives it: "Steps(…)"
     */
    offer(spec) {
      rows = spec.rows;
      const file = (name || "control").replace(/\W+/g, "-");
      tools.append(
        tool("Data (CSV)", () => {
          const t = spec.rows();
          save(`${file}.csv`, "text/csv", csvText(t.head, t.rows));
        }),
        tool("Picture (SVG)", () => save(`${file}.svg`, "image/svg+xml", standalone(spec.picture(), f.root))),
        inLab()
          ? tool("Copy as a cell", () => copy(f, spec.call(), "Copied: run it in a cell to see this state."))
          : stateLink(f, name, spec.state),
      );
    },
    /** The data have changed: an open table follows. */
    fresh: fill,
  };
}

/** Inputs that belong together: they share a line where there is room. */
export const row = (...kids) => h("div", { class: "itt-row" }, kids);

export function drawTable({ caption, head, rows }) {
  const cell = (text, i) => (i ? h("td", { text }) : h("th", { scope: "row" }, h("bdi", { text })));
  return h(
    "table",
    { class: "itt-table" },
    h("caption", { text: caption }),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col" }, h("bdi", { text }))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) => h("tr", {}, row.map(cell))),
    ),
  );
}

/** A link to the page in this state. It is a real link, so it can also be opened in a new tab or kept as a bookmark. */
function stateLink(f, name, state) {
  const link = h("a", { class: "itt-tool", href: "#", text: "Link to this state" });
  const aim = () => {
    link.href = `#${address(name, state())}`;
  };
  for (const event of ["pointerdown", "focus", "pointerenter"]) link.addEventListener(event, aim);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    aim();
    history.replaceState(history.state, "", link.href);
    copy(f, link.href, "The link is copied and stands in the address bar.", "The link stands in the address bar.");
  });
  return link;
}

async function copy(f, text, done, otherwise = text) {
  // no clipboard: say what it would have held
  try {
    await navigator.clipboard.writeText(text);
    f.tell(done);
  } catch {
    f.tell(otherwise);
  }
}

// --- a state as an address: #itt=steps-4.1&layer=2&text=…
export function address(name, state) {
  return new URLSearchParams({ itt: name, ...state }).toString();
}
/** The state that the page's address asks of the control of this name, or null. */
export function asked(name, hash = globalThis.location?.hash ?? "") {
  const wish = new URLSearchParams(hash.slice(1));
  if (!name || wish.get("itt") !== name) return null;
  wish.delete("itt");
  return Object.fromEntries(wish);
}
