// Elements as data: `put` of the kit builds them in a page, `markup` writes them as text where there is no document.
// So a sentence or a drawing is made once, for the live control, for the still picture and for the file.

/**
 * @returns {{tag, props, kids}} an element; `text` among the props is its text, and a string among the kids is text
 * too.
 */
export const e = (tag, props, ...kids) => ({ tag, props: props || {}, kids });
/** The same in an SVG. */
export const s = (tag, props, ...kids) => ({ tag, props: props || {}, kids, svg: true });
export const b = (...kids) => e("b", {}, kids);
export const sub = (text) => e("sub", { text });
export const sup = (text) => e("sup", { text });
/** Text from data inside a sentence of ours: a right-to-left token does not turn the sentence round. */
export const bdi = (text) => e("bdi", { text });

/** What is really there of nested kids. */
export const there = (kids) => kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false);

const EMPTY = new Set(["br", "hr", "img", "input"]);
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// What XML cannot hold at all: control characters and halves of a surrogate pair.
const HALVES = "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";
const FORBIDDEN = new RegExp(`[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]|${HALVES}`, "g");

/** Text so that it stays text, between tags and inside quotes. */
export const escaped = (text) =>
  String(text)
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"']/g, (ch) => ESCAPED[ch]);

/** Elements as data, and strings between them, as the text of HTML or SVG. What stands in a string is never markup. */
export function markup(...kids) {
  return there(kids)
    .map((kid) => (typeof kid === "object" ? written(kid) : escaped(kid)))
    .join("");
}
function written({ tag, props: { text, ...props }, kids, svg }) {
  const attributes = Object.entries(props)
      .map(([name, value]) => attribute(name, value))
      .join(""),
    inside = (text === undefined ? "" : escaped(text)) + markup(kids);
  if (svg && !inside) return `<${tag}${attributes}/>`;
  return EMPTY.has(tag) ? `<${tag}${attributes}>` : `<${tag}${attributes}>${inside}</${tag}>`;
}
function attribute(name, value) {
  if (value === null || value === undefined || value === false) return "";
  if (value === true) return ` ${name}=""`;
  if (typeof value === "object")
    return ` ${name}="${escaped(
      Object.entries(value)
        .map(([k, v]) => `${k}:${v}`)
        .join(";"),
    )}"`;
  return ` ${name}="${escaped(typeof value === "number" ? +value.toFixed(2) : value)}"`;
}

/** The same as plain text. */
export const plain = (...kids) =>
  there(kids)
    .map((kid) => (typeof kid === "object" ? (kid.props.text ?? "") + plain(kid.kids) : String(kid)))
    .join("");
