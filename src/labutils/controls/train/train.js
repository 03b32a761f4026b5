// Train: a guess, the lines, and a run in a worker: what it has reached, what it writes, and what breaks it.
import { count } from "../engine/backward/model.js";
import { frame, row, stand } from "../look/frame.js";
import { button, slider, toggle } from "../look/inputs.js";
import { fill, h, mark, s, widthOf, write } from "../look/kit.js";
import { bind, pythonCall } from "../look/state.js";
import { titled, WIDE } from "../look/still.js";
import { num } from "../look/words.js";
import { back, chart, front, guess, HIGH, places } from "./chart.js";
import { stories } from "./data.js";
import { handle } from "./handle.js";
import { larger as largerRun } from "./larger.js";
import { plan, point } from "./numbers.js";
import { ABOVE, written } from "./picture.js";
import { settings } from "./settings.js";
import { trainer } from "./trainer.js";
import { fault, heading, readout, rows, source, start, verdict } from "./words.js";

/** A run that has not begun; its lists are its own. */
const quiet = () => ({
  ...{ recorded: false, going: false, over: false, broke: "", follows: true },
  paces: /** @type {any[]} */ ([]),
  changes: /** @type {any[]} */ ([]),
  faults: [{ tokens: 0, broken: "nothing" }], // what was broken, from which token on
});

const since = (/** @type {number} */ tokens, { broken }) => ({ tokens, broken });

/** Keeps what is changed in a run, in words, and what is broken from then on. */
function noted(run, names, tokens, now, words) {
  if (tokens) run.changes.push({ tokens, words });
  if (names.includes("broken")) run.faults = [...(tokens ? run.faults : []), since(tokens, now)];
}

const IN_PAGE =
  "This browser gives the page no worker: the model trains in the page, which answers more slowly meanwhile.";

export function render({ model, el }) {
  const f = frame(model),
    state = bind(model, changed),
    finished = model.get("finished"),
    fixed = {
      lines: model.get("references"),
      info: model.get("info"),
      task: model.get("task"),
      seed: model.get("seed"),
    },
    untrained = [finished[0]],
    larger = {
      points: model.get("larger").map(([tokens, loss]) => ({ tokens, loss })),
      brief: "little GPT-2",
      name: `little GPT-2, ${fixed.info.larger.toLocaleString("en")} parameters`,
    };
  let run = { ...quiet(), number: 0, points: untrained, at: 0 },
    before = [],
    own = /** @type {ReturnType<typeof trainer> | null} */ (null),
    known = /** @type {any} */ (null),
    was = state.read(),
    runs = 0;

  // --- what a reader operates
  const set = settings({ state, onpick: (patch) => state.set(patch) });
  const main = button("", press, "tr-main"),
    again = button("Start again", () => begin()),
    recorded = button("Show a recorded run", replay),
    beside = toggle({
      label: "A larger run",
      text: "The little GPT-2’s run beside it",
      hidden: true,
      value: was.beside,
      onpick: (on) => state.set({ beside: on }),
    });

  // --- what is seen
  const meters = gauges(),
    behind = s("g", {}),
    ahead = s("g", { "pointer-events": "none" }),
    knob = handle({ get: () => state.read().line, set: (line) => state.set({ line }), place: () => place() }),
    svg = s("svg", { class: "tr-chart", role: "group" }, behind, knob.el, ahead),
    text = h("p", { class: "tr-text" }),
    judged = h("p", { class: "tr-verdict" }),
    more = h("details", { class: "tr-more" }, h("summary", { text: "Change the training, or break it" }), set.el);
  const record = largerRun({
    told: model.get("told"),
    onopen: () => state.set({ beside: true }),
    onpick: () => draw(),
  });
  const scrub = slider({
    label: "What it writes, always with the same dice",
    min: 0,
    max: 1,
    step: 1,
    value: 0,
    words: (i) => `step ${(run.points[i]?.step ?? 0).toLocaleString("en")}`,
    oninput: (i) => {
      run.at = Math.min(i, run.points.length - 1);
      run.follows = run.at === run.points.length - 1;
      draw();
    },
  });
  f.root.classList.add("tr-control");
  fill(f.bar, meters.el, row(main, again, recorded));
  f.readout.after(more, record.el);
  fill(
    f.stage,
    h("div", { class: "tr-above" }, h("p", { class: "itt-label", text: ABOVE }), beside.el),
    svg,
    h("div", { class: "tr-story" }, scrub.el, text, judged),
  );
  const view = () => {
    const now = state.read(),
      { loss } = run.points[run.at];
    return {
      ...{
        ...fixed,
        ...now,
        ...run,
        normal: finished,
        before,
        larger,
        picked: record.chosen(),
        guessed: true,
        count: count(fixed.task.config),
      },
      moved: now.line < loss && loss - now.line < 0.7 ? -1 : 1,
    };
  };

  // --- a run
  function press() {
    if (!state.read().placed) place();
    else if (run.going) pause();
    else if (run.number && !run.over) go();
    else begin();
  }
  function place() {
    state.set({ placed: true });
    main.focus();
  }
  function replay() {
    keep();
    run = { ...quiet(), number: 0, points: finished, at: finished.length - 1, over: true, recorded: true };
    draw();
  }
  /** The run so far stays as a grey line. */
  function keep() {
    own?.ask({ ask: "pause" });
    if (run.points.length > 3) before = run.points;
  }
  async function begin() {
    keep();
    runs += 1;
    const number = runs;
    run = { ...quiet(), number, points: untrained, at: 0, going: true, faults: [since(0, state.read())] };
    draw();
    try {
      known ??= await stories(model, f.tell);
    } catch (error) {
      if (run.number === number) broke(String(error.message));
      return;
    }
    if (run.number !== number) return;
    own ??= trainer(hear, () => {
      f.tell(IN_PAGE);
    });
    const { told, fresh, order, end } = known,
      task = { ...fixed.task, seed: fixed.seed, told, fresh, order, end, plan: plan(state.read()) };
    run.points = [];
    own.ask({ ask: "begin", run: number, task });
    if (run.going) own.ask({ ask: "go" });
  }
  function go() {
    run.going = true;
    own?.ask({ ask: "go" });
    draw();
  }
  function pause() {
    run.going = false;
    own?.ask({ ask: "pause" });
    draw();
  }
  function broke(why) {
    Object.assign(run, { going: false, over: true, broke: why });
    if (!run.points.length) run.points = untrained;
    draw();
  }
  function hear(told) {
    if (told.run !== run.number && told.run !== -1) return;
    if (told.kind === "fault") broke(fault(told));
    if (told.kind === "refused") f.tell(told.why);
    if (told.kind === "end") Object.assign(run, { over: true, going: false });
    if (told.kind === "pace") run.paces.push(told);
    if (told.kind === "point") {
      run.points.push(point(told, known));
      if (run.follows) run.at = run.points.length - 1;
    }
    draw();
  }

  // --- settings, from here or from elsewhere
  function changed() {
    const now = state.read(),
      names = ["rate", "warmup", "batch", "clip", "broken"].filter((name) => now[name] !== was[name]);
    was = now;
    set.show(now);
    beside.set(now.beside);
    if (names.length && run.number && !run.over) {
      const { tokens } = lastOf(run.paces) ?? lastOf(run.points) ?? { tokens: 0 };
      noted(run, names, tokens, now, set.said(names[0], now));
      own?.ask({ ask: "set", plan: plan(now) });
    }
    draw();
  }

  // --- drawing
  function draw() {
    if (!run.points.length) return; // the first point is on its way
    const v = view(),
      { placed } = v,
      now = run.points[run.at],
      pace = run.follows ? (lastOf(run.paces) ?? now) : now,
      p = places(Math.max(280, widthOf(svg) || WIDE), v.beside && placed);
    mark(svg, "viewBox", `0 0 ${p.width} ${HIGH}`);
    mark(svg, "aria-label", heading(v));
    fill(behind, back(v, p));
    knob.show(guess(v, p), p, v);
    fill(ahead, front(v, p));
    const seconds = pace.seconds ?? 0;
    for (const [i, words] of [
      num(now.loss),
      pace.tokens.toLocaleString("en"),
      seconds > 0.4 ? (Math.round(pace.tokens / seconds / 100) * 100).toLocaleString("en") : "–",
      seconds ? num(seconds, 1) : "–",
    ].entries())
      write(meters.values[i], words);
    scrub.input.max = String(Math.max(1, run.points.length - 1));
    scrub.input.disabled = run.points.length < 2;
    scrub.set(run.at);
    fill(text, written(now));
    write(judged, verdict(now, run.recorded ? "grammar" : "triples"));
    write(
      main,
      !placed
        ? "Place my guess"
        : run.going
          ? "Pause"
          : !run.number
            ? "Train it here"
            : run.over
              ? "Train it again"
              : "Go on",
    );
    again.hidden = !run.number || run.over;
    recorded.hidden = !placed || run.recorded;
    beside.el.hidden = more.hidden = record.el.hidden = !placed;
    // while it trains, what is said is not read aloud at every point
    f.readout.setAttribute("aria-live", run.going ? "off" : "polite");
    f.say(run.broke || (run.points.length < 2 ? start(v) : readout(v)));
    f.readout.classList.toggle("is-wrong", Boolean(run.broke));
    f.source(source(v));
    f.fresh();
  }

  f.offer({
    rows: () => rows(view()),
    picture: () =>
      titled(chart({ ...view(), beside: view().beside && view().placed }, WIDE), heading(view()), source(view())),
    state: state.read,
    call: () => pythonCall("Train", state.read()),
  });
  const wider = new ResizeObserver(() => draw());
  return stand(
    el,
    f.root,
    () => {
      wider.observe(svg);
      changed();
    },
    [() => wider.disconnect(), () => own?.stop(), state.off],
  );
}

const lastOf = (list) => list[list.length - 1];

/** The four numbers that stand beside the buttons. */
function gauges() {
  const names = ["nats a token", "tokens read", "tokens/s", "seconds"],
    values = names.map(() => h("b"));
  return {
    values,
    el: h(
      "div",
      { class: "tr-meters" },
      names.map((words, i) => h("div", {}, values[i], h("span", { text: words }))),
    ),
  };
}
