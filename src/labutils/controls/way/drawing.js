// The drawing of a way as elements: the same before a script has run and after. Every cell carries only its token (--t)
// and its stage (--s); the stylesheet places them.
import { ramp } from "../look/draw.js";
import { e } from "../look/markup.js";
import { label, quote, range, short } from "../look/words.js";
import { across, shades, strip } from "./strips.js";
import { before, ended, legend, named, reachName } from "./words.js";

const MANY = 6,
  CROWDED = 8; // tokens, from which on names stand upright and rows are lower

/** @param live whether it can be operated: a still picture has no buttons */
export function drawing(v, live = false) {
  const { seen, columns } = v,
    size = seen.n >= CROWDED ? " is-crowded" : seen.n >= MANY ? " is-many" : "";
  return e(
    "div",
    {
      class: `wy${size}`,
      role: "group",
      "aria-label": "Rows are tokens, columns are stages",
      style: {
        "--n": seen.n,
        "--last": columns.length - 1,
        "--left": seen.head.layer + 1,
        "--right": seen.stages - seen.head.layer - 1,
        ...shades(),
      },
    },
    columns.map((column, s) => HEADS[column.kind](v, column, s, live)),
    range(seen.n).flatMap((t) => [
      e("span", { class: `wy-line${t === v.i ? " is-row" : ""}`, style: { "--t": t } }),
      columns.map((column, s) => CELLS[column.kind](v, column, s, t, live)),
    ]),
    e("p", { class: "wy-lead wy-small", style: { "--s": 0 } }, lead(v)),
    columns.flatMap(({ kind, stage, name }, s) =>
      kind === "rows"
        ? [e("p", { class: "wy-say", "data-stage": stage, "data-name": name, style: { "--s": s } }, say(v, stage))]
        : [],
    ),
    e("div", { class: "wy-next", style: { "--s": columns.length - 1 } }, next(v)),
  );
}

/** What stands below it. */
export const below = (v) => e("p", { class: "wy-key" }, legend(v));

const key = (live, props, ...kids) =>
  live ? e("button", { type: "button", ...props, "aria-pressed": "false" }, kids) : e("span", props, kids);
const place = (s, t) => ({ style: t === undefined ? { "--s": s } : { "--s": s, "--t": t } });

const HEADS = {
  token: ({ seen }) =>
    e("p", { class: "wy-head", ...place(0) }, "Tokens", e("span", { class: "wy-small", text: `${seen.n} of them` })),
  rows: ({ seen }, { stage, name }, s, live) =>
    key(
      live,
      { class: "wy-head", "data-s": s, ...place(s) },
      name,
      e("span", { class: "wy-small", text: reachName(seen, stage) }),
    ),
  map: ({ seen: { head, tokens } }, _, s) =>
    e(
      "div",
      { class: "wy-head wy-over", ...place(s) },
      e("b", { text: `In block ${head.layer}, head ${head.head}` }),
      e("span", { class: "wy-small", text: "who looks where" }),
      e("span", { class: "wy-small wy-turned", text: "a column asks, its rows answer" }), // on a phone
      e(
        "div",
        { class: "wy-keys", "aria-hidden": "true" },
        tokens.map((one) => e("span", { text: label(one, 10) })),
      ),
    ),
  next: () => null,
};

const CELLS = {
  token: ({ seen, i }, _, __, t, live) =>
    key(
      live,
      {
        class: `wy-token${t === i ? " is-row" : ""}`,
        "data-t": t,
        ...(live ? { tabindex: t === i ? 0 : -1 } : {}),
        ...place(0, t),
      },
      label(seen.tokens[t], 14),
    ),
  rows: ({ seen, i }, { stage }, s, t) => {
    const x = seen.row(stage, t),
      cut = (wide, cls) => strip(x, seen.reach[stage], wide, { class: cls });
    return e(
      "div",
      { class: `wy-cell${t === i ? " is-row" : ""}`, "data-t": t, "data-s": s, ...place(s, t) },
      cut(x.length, "wy-long"),
      cut(across(x.length), "wy-short"),
    );
  },
  map: (v, _, s, t) =>
    e("div", { class: `wy-looks${t === v.i ? " is-row" : ""}`, "data-t": t, "data-s": s, ...place(s, t) }, looks(v, t)),
  next: () => null,
};

/** The weights of one token; in the row that is followed with their numbers. */
export const looks = ({ seen, i }, t) =>
  range(seen.n).map((j) => {
    if (j > t) return e("i", { class: "is-masked" });
    const w = seen.weight(t, j),
      deep = w > 0.56 ? "is-deep" : w < 0.44 ? "is-pale" : "";
    return e("i", { class: deep, style: { "--w": ramp("seq", w) }, text: t === i && w >= 0.05 ? percent(w) : "" });
  });
const percent = (w) => (w >= 0.995 && w < 1 ? ">99" : String(Math.round(100 * w)));
export const lead = ({ seen, i }) => ["After ", quote(seen.tokens[i]), " it would say"];
export const say = ({ seen, i }, stage) => {
  const one = seen.lens[stage][i];
  return [e("span", {}, named(one, seen.tokens[i], seen.info)), e("small", { text: short(one.p) })];
};
export const next = (v) => {
  const { seen, i } = v;
  return [
    e("p", { class: "wy-head" }, "Next word", e("span", { class: "wy-small", text: before(v) })),
    ended(seen, i)
      ? e("p", { text: "The text has ended." })
      : e(
          "ol",
          { class: "wy-bars" },
          seen.next[i].map((one) =>
            e(
              "li",
              { style: { "--p": one.p } },
              e("b", {}, named(one, seen.tokens[i], seen.info)),
              e("i", {}),
              e("span", { text: short(one.p) }),
            ),
          ),
        ),
  ];
};
