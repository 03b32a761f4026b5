// Train: a guess, the lines, and a run in a worker: what it has reached, what it writes, and what breaks it.
import { count } from "../engine/backward/model.js";
import { frame, row, stand } from "../look/frame.js";
import { button, folded, slider, toggle } from "../look/inputs.js";
import { fill, h, mark, s, widthOf, write } from "../look/kit.js";
import { paper } from "../look/onpaper.js";
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
import { fault, heading, others, readout, rows, source, start, verdict } from "./words.js";

/** A run that has not begun; its lists are its own. */
const quiet = () => ({
  ...{ recorded: "", going: false, over: false, broke: "", follows: true },
  set: /** @type {any} */ (null), // the settings that it has, once it has begun
  paces: /** @type {any[]} */ ([]),
  changes: /** @type {any[]} */ ([]),
  faults: [{ tokens: 0, broken: "nothing" }], // what was broken, from which token on
});

const SETTINGS = ["rate", "warmup", "batch", "clip", "broken"];
/** The settings in which two differ. */
const differing = (now, then) => SETTINGS.filter((name) => now[name] !== then[name]);

const since = (/** @type {number} */ tokens, { broken }) => ({ tokens, broken });

/** A recorded run, to its end; with what was broken also the loss that it is trained on. */
const replayed = (points, usual, broken) => ({
  ...{ ...quiet(), number: 0, points, at: points.length - 1, over: true, recorded: broken },
  ...{ set: { ...usual, broken }, faults: [since(0, { broken })] },
  paces: points.filter((one) => "trained" in one).map(({ tokens, trained }) => ({ tokens, loss: trained })),
});

/** The curve of the larger model, and its names. */
const curveOf = (points, parameters) => ({
  points: points.map(([tokens, loss]) => ({ tokens, loss })),
  brief: "little GPT-2",
  name: `little GPT-2, ${parameters.toLocaleString("en")} parameters`,
});

/** The picture that a reader takes along. */
const taken = (v) => titled(chart({ ...v, beside: v.beside && v.placed }, WIDE), heading(v), source(v));

const said = (v) => (v.points.length < 2 ? start(v) : readout(v));

/** What the button does; `other`: the settings in which a finished run is not that of the choices. */
function next(placed, run, other) {
  if (!placed) return "Place my guess";
  if (run.going) return "Pause";
  if (other.length) return "Train with this";
  if (!run.number) return "Train it here";
  return run.over ? "Train it again" : "Go on";
}

/** Keeps what is changed in a run, in words, and what is broken from then on. */
function noted(run, names, tokens, now, words) {
  if (tokens) run.changes.push({ tokens, words });
  if (names.includes("broken")) run.faults = [...(tokens ? run.faults : []), since(tokens, now)];
}

/** All that is drawn: what is fixed, the settings, the run, and what stands beside it. */
function together(fixed, now, run, beside) {
  const { loss } = run.points[run.at];
  return {
    ...{ ...fixed, ...now, ...run, ...beside, guessed: true, count: count(fixed.task.config) },
    moved: now.line < loss && loss - now.line < 0.7 ? -1 : 1,
  };
}

/** On paper nobody can train: where nothing was run the recorded run stands to its end, with a placed guess. */
const printed = (v, finished) =>
  v.number || v.recorded
    ? v
    : {
        ...{ ...v, ...replayed(finished, v.info.usual, "nothing"), ...v.info.usual, broken: "nothing" },
        ...{ placed: true, guessed: v.placed, moved: 1 },
      };

const IN_PAGE =
  "This browser gives the page no worker: the model trains in the page, which answers more slowly meanwhile.";

export function render({ model, el }) {
  const f = frame(model),
    state = bind(model, changed),
    finished = model.get("finished"),
    records = { nothing: finished, ...model.get("sick") }, // by what is broken
    fixed = {
      lines: model.get("references"),
      info: model.get("info"),
      task: model.get("task"),
      seed: model.get("seed"),
    },
    untrained = [finished[0]],
    larger = curveOf(model.get("larger"), fixed.info.larger);
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
    more = folded("Change the training, or break it", "tr-more", set.el);
  const record = largerRun({
    told: model.get("told"),
    onopen: () => state.set({ beside: true }),
    onpick: () => draw(),
  });
  const scrub = slider({
    ...{ label: "What it writes, always with the same dice", min: 0, max: 1, step: 1, value: 0 },
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
  const view = () => together(fixed, state.read(), run, { normal: finished, before, larger, picked: record.chosen() });
  const sheet = paper(() => draw());

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
    const { broken } = state.read();
    keep();
    run = replayed(records[broken], fixed.info.usual, broken);
    draw();
  }
  /** Whether there is a recorded run with these settings. */
  const kept = (now) => now.broken in records && !differing(now, { ...fixed.info.usual, broken: now.broken }).length;
  /** The run so far stays as a grey line. */
  function keep() {
    own?.ask({ ask: "pause" });
    if (run.points.length > 3) before = run.points;
  }
  async function begin() {
    keep();
    const number = ++runs;
    const now = state.read();
    run = { ...quiet(), number, points: untrained, at: 0, going: true, set: now, faults: [since(0, now)] };
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
      names = differing(now, was);
    was = now;
    set.show(now);
    beside.set(now.beside);
    if (names.length && run.number && !run.over) {
      const { tokens } = lastOf(run.paces) ?? lastOf(run.points) ?? { tokens: 0 };
      noted(run, names, tokens, now, set.said(names[0], now));
      run.set = now;
      own?.ask({ ask: "set", plan: plan(now) });
    }
    draw();
  }

  // --- drawing
  function draw() {
    if (!run.points.length) return; // the first point is on its way
    const v = sheet.on() ? printed(view(), finished) : view(),
      { placed } = v,
      now = v.points[v.at],
      other = v.over && !v.broke && v.set ? differing(v, v.set) : [],
      pace = v.follows ? (lastOf(v.paces) ?? now) : now,
      p = places(Math.max(280, widthOf(svg) || WIDE), v.beside && placed);
    mark(svg, "viewBox", `0 0 ${p.width} ${HIGH}`);
    mark(svg, "aria-label", heading(v));
    fill(behind, back(v, p));
    knob.show(v.guessed ? guess(v, p) : [], p, v);
    fill(ahead, front(v, p));
    meters.show(now, pace);
    scrub.input.max = String(Math.max(1, v.points.length - 1));
    scrub.input.disabled = v.points.length < 2;
    scrub.set(v.at);
    fill(text, written(now));
    write(judged, verdict(now, v.recorded ? "grammar" : "triples"));
    write(main, next(placed, v, other));
    f.root.classList.toggle("is-of-others", other.length > 0);
    again.hidden = !v.number || v.over;
    recorded.hidden = !placed || !kept(v) || v.recorded === v.broken;
    beside.el.hidden = more.hidden = record.el.hidden = !placed;
    // while it trains, what is said is not read aloud at every point
    f.readout.setAttribute("aria-live", v.going ? "off" : "polite");
    const words = (of) => other.map((name) => set.said(name, of, true)).join(", ");
    f.say(v.broke || (other.length ? others(words(v.set), words(v), !recorded.hidden) : said(v)));
    f.readout.classList.toggle("is-wrong", Boolean(v.broke));
    f.source(source(v));
    f.fresh();
  }

  f.offer({
    rows: () => rows(view()),
    picture: () => taken(view()),
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
    [() => wider.disconnect(), () => own?.stop(), sheet.stop, state.off],
  );
}

const lastOf = (list) => list[list.length - 1];

/** The four numbers that stand beside the buttons. */
function gauges() {
  const names = ["nats a token, at the dot", "tokens read", "tokens/s", "seconds"],
    values = names.map(() => h("b")),
    places = names.map((words, i) => h("div", {}, values[i], h("span", { text: words })));
  return {
    /** The loss at the dot, and how far and how fast the run has come. */
    show({ loss }, { tokens, seconds = 0 }) {
      for (const [i, words] of [
        num(loss),
        tokens.toLocaleString("en"),
        seconds > 0.4 ? (Math.round(tokens / seconds / 100) * 100).toLocaleString("en") : "",
        seconds ? num(seconds, 1) : "",
      ].entries()) {
        write(values[i], words);
        places[i].hidden = !words;
      }
    },
    el: h("div", { class: "tr-meters" }, places),
  };
}
