// What is open as a table.
import { label, num, range } from "../look/words.js";
import { over, parts } from "./numbers.js";
import { chip, heading } from "./words.js";

/** The row that is followed, and of a text or its odds all that is named. */
export function rows(v) {
  const { seen, stop, i } = v,
    caption = heading(v),
    values = v.values(stop),
    token = label(seen.tokens[i]);
  if (stop.kind === "text")
    return {
      caption,
      head: ["place", "character"],
      rows: Array.from(seen.text).map((ch, k) => [k, ch === " " ? "space" : label(ch)]),
    };
  if (stop.kind === "ids")
    return {
      caption,
      head: ["place", "token", "id"],
      rows: seen.tokens.map((one, k) => [k, chip(one), seen.ids[k]]),
    };
  if (["all", "odds", "vocabulary"].includes(stop.kind))
    return {
      caption: `${caption}, row of “${token}”`,
      head: ["rank", "token", "id", "logit", "probability"],
      rows: (over(v) ? [] : seen.ahead[i]).map((one, k) => [
        k + 1,
        chip(one.token),
        one.id,
        num(one.logit, 4),
        num(one.p, 6),
      ]),
    };
  if (!values) return { caption, head: ["not here yet"], rows: [] };
  if (stop.kind === "rows")
    return {
      caption,
      head: ["column", ...seen.tokens.map((one, k) => `${k} ${chip(one)}`)],
      rows: range(stop.shape[1]).map((c) => [c, ...range(seen.n).map((k) => num(values[k * stop.shape[1] + c], 4))]),
    };
  const each = parts(stop, values, i),
    names = stop.kind === "pairs" ? seen.tokens.map((one, k) => `${k} ${chip(one)}`) : range(stop.shape[2]).map(String);
  const hidden = (j) => stop.kind === "pairs" && seen.info.causal && j > i;
  return {
    caption: `${caption}, row of “${token}”`,
    head: ["head", ...names],
    rows: each.map((one, k) => [k, ...Array.from(one, (x, j) => (hidden(j) ? "masked" : num(x, 4)))]),
  };
}
