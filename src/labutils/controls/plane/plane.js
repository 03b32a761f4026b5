// Plane: temperature by top-p. A point to drag, what the grammar says of each setting, and the stories beside it.
import { frame, stand } from "../look/frame.js";
import { button } from "../look/inputs.js";
import { fill, h, onTheme, scale, write } from "../look/kit.js";
import { legend } from "../look/marks.js";
import { paper } from "../look/onpaper.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { isGuessed, onGuess } from "../predict/question.js";
import { board } from "./board.js";
import { cellAt, nameOf, shown, triedOf, withTried } from "./numbers.js";
import { most, picture } from "./picture.js";
import { heading, list, readout, rows, source, tally } from "./words.js";

/** What a reader sets, and the setting that is shut as long as its guess has not been made; on paper all are open. */
function guarded(model, draw) {
  const [until, shut] = [model.get("until"), model.get("shut")],
    [state, printing] = [bind(model, draw), paper(draw)],
    open = () => (printing.on() ? { tried: "all", shut: "" } : { shut: until && !isGuessed(until) ? shut : "" });
  const off = () => {
    state.off();
    printing.stop();
  };
  return { ...state, off, own: state.read, read: () => ({ ...state.read(), ...open() }) };
}
/** Whether there are more stories than are shown at first. */
const hasMore = (cell, { shut }) =>
  nameOf(cell) !== shut && cell.different > 1 && cell.stories.length > shown(cell, false).length;

export function render({ model, el }) {
  const f = frame(model),
    found = model.get("finished"),
    state = guarded(model, draw);

  // --- what a reader operates
  const go = ({ temperature, top_p }) => {
    const now = state.read(),
      where = { temperature, top_p };
    state.set({ ...where, whole: false, tried: withTried(found, now, where) });
  };
  const everything = button("Show the other settings", () => state.set({ tried: "all" })),
    count = h("span", { class: "pn-count" }),
    more = button("", () => state.set({ whole: !state.read().whole }), "itt-plain pn-more"),
    plane = board({ found, go }),
    tryAll = h("div", { class: "itt-row pn-all" }, everything, count);
  f.root.classList.add("pn-control");

  // --- what is seen
  const title = h("p", { class: "itt-label" }),
    stories = h("ol", { class: "pn-list", "aria-live": "off" });
  const key = legend({
    label: "Accepted by the grammar",
    ticks: ["0", String(found.stories / 2), `${found.stories} of ${found.stories}`],
  });
  fill(
    f.stage,
    h(
      "div",
      { class: "pn-cols" },
      h(
        "div",
        {},
        h("p", { class: "itt-label", text: "top-p ↑" }),
        plane.el,
        h("p", { class: "itt-label pn-across", text: "temperature →" }),
        key.el,
        h("p", {
          class: "pn-note",
          text: `In each cell: stories accepted, and below them different words, with a bar up to ${most(found)}.`,
        }),
        tryAll,
      ),
      h("div", {}, title, stories, more),
    ),
  );

  function draw() {
    const now = state.read(),
      cell = cellAt(found, now),
      tried = triedOf(found, now);
    plane.draw(tried, cell, scale(f.root, "seq"), now.shut);
    write(title, heading(found, now));
    fill(stories, list(found, now));
    more.hidden = !hasMore(cell, now);
    write(more, now.whole ? "Show three" : `Show ${cell.stories.length} of the ${found.stories}`);
    everything.hidden = now.tried === "all" || tried.length === found.cells.length;
    write(count, tally(tried, found, everything.hidden));
    tryAll.hidden = everything.hidden && !now.shut;
    f.say(readout(found, now));
    f.source(source(found));
    f.fresh();
  }

  f.offer({
    rows: () => rows(found, state.read()),
    picture: () => titled(picture(found, state.read(), WIDE), heading(found, state.read()), source(found)),
    state: state.own,
    call: () => pythonCall("Plane", state.own()),
  });
  const wider = new ResizeObserver(() => plane.move()),
    unthemed = onTheme(draw);
  return stand(
    el,
    f.root,
    () => {
      wider.observe(f.stage);
      draw();
    },
    [() => wider.disconnect(), unthemed, onGuess(draw), state.off],
  );
}
