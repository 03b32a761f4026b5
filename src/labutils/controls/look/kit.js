// The smallest parts that every control shares in a page: elements, colours of the theme, when it is shown.
import { there } from "./markup.js";
import { clamp, range } from "./words.js";

const NS = "http://www.w3.org/2000/svg";
const OPERABLE = /^(input|button|select|textarea|summary|a)$/i;

/** Set properties and children of an element. Text is always set as text, so data never becomes markup. */
export function put(el, props, kids = []) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "style" && typeof value === "object")
      for (const [k, v] of Object.entries(value)) el.style.setProperty(k, v);
    else if (name === "text") el.textContent = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...there(kids).map(built));
  // or JupyterLab takes the keys
  if (OPERABLE.test(el.tagName) || el.hasAttribute("tabindex")) el.dataset.lmSuppressShortcuts = "true";
  return el;
}
export const h = (tag, props, ...kids) => put(document.createElement(tag), props, kids);
export const s = (tag, props, ...kids) => put(document.createElementNS(NS, tag), props, kids);
/** An element that was described as data (`markup.js`); everything else as it is. */
const built = (kid) =>
  kid.tag
    ? put(document.createElementNS(kid.svg ? NS : "http://www.w3.org/1999/xhtml", kid.tag), kid.props, kid.kids)
    : kid;
/** New contents for an element. */
export const fill = (el, ...kids) => el.replaceChildren(...there(kids).map(built));

/** A new id. The counter lives on the page: in JupyterLab every control has its own copy of this file. */
export function id(word) {
  globalThis.ittIds = (globalThis.ittIds ?? 0) + 1;
  return `itt-${word}-${globalThis.ittIds}`;
}

/**
 * Change the text of an element, if it is another one. The text node stays and takes the new words: WebKit lays out
 * less of the page for it than for a new node.
 */
export function write(el, text) {
  const words = String(text),
    first = el.firstChild;
  if (first?.nodeType !== 3 || first.nextSibling) {
    if (el.textContent !== words) el.textContent = words;
  } else if (first.data !== words) first.data = words;
}
const widths = new WeakMap();
// made before any control's own, so that it hears of a new width first
const measure =
  globalThis.ResizeObserver &&
  new ResizeObserver((all) => {
    for (const { target } of all) widths.set(target, target.clientWidth);
  });
/**
 * The width of an element inside, remembered: to ask for it after something was written lays the page out once more.
 */
export function widthOf(el) {
  if (!widths.get(el)) {
    widths.set(el, el.clientWidth);
    measure.observe(el);
  }
  return widths.get(el);
}
/** Change an attribute, if it is another one. */
export function mark(el, name, value) {
  if (el.getAttribute(name) !== String(value)) el.setAttribute(name, value);
}

// --- colours: the stops are read from the tokens, so a scale follows the theme
const scales = new Map();
/**
 * A scale of the theme ("seq" from 0 to 1, "div" with zero at 0.5): `fill(t)`, `fill.ink(t)`, `fill.table` (256 × rgb).
 */
export function scale(el, name) {
  watch();
  if (!scales.has(name)) scales.set(name, readScale(el, name));
  return scales.get(name);
}
function readScale(el, name) {
  const css = getComputedStyle(el);
  const stops = range(9).map((i) => rgb(css.getPropertyValue(`--itt-${name}-${i}`).trim()));
  const table = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i++) {
    const x = (i / 255) * 8,
      k = Math.min(7, Math.floor(x));
    for (let c = 0; c < 3; c++) table[3 * i + c] = stops[k][c] + (x - k) * (stops[k + 1][c] - stops[k][c]);
  }
  const words = range(256).map((i) => `rgb(${table[3 * i]} ${table[3 * i + 1]} ${table[3 * i + 2]})`);
  const inks = range(256).map((i) => (luminance(table.subarray(3 * i, 3 * i + 3)) > 0.179 ? "#000000" : "#ffffff"));
  const at = (t) => clamp(Math.round(255 * t), 0, 255);
  const fill = (t) => words[at(t)];
  fill.ink = (t) => inks[at(t)]; // black or white, whichever contrasts more: at least 4.5 along the scale
  fill.table = table;
  return fill;
}
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) || 0);
/** @param {ArrayLike<number> & Iterable<number>} colour red, green, blue from 0 to 255 */
function luminance([r, g, blue]) {
  const line = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * line(r / 255) + 0.7152 * line(g / 255) + 0.0722 * line(blue / 255);
}

const themed = new Set();
let watching = false;
function watch() {
  if (watching) return;
  watching = true;
  const tell = () => {
    scales.clear();
    themed.forEach((fn) => {
      fn();
    });
  };
  new MutationObserver(tell).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
}
/** Call `fn` when the theme of the host changes (the site's or JupyterLab's). Returns the way to stop. */
export function onTheme(fn) {
  watch();
  themed.add(fn);
  return () => themed.delete(fn);
}
/** Call `fn` once the element stands in the page, where its colours and its width are known. */
export function onceShown(el, fn) {
  if (el.isConnected) {
    fn();
    return;
  }
  const seen = new ResizeObserver(() => {
    if (el.isConnected) {
      seen.disconnect();
      fn();
    }
  });
  seen.observe(el);
}
export const inLab = () => document.body?.dataset.jpThemeLight !== undefined;

/**
 * Ctrl+S still saves the notebook while a control has the focus: for that key the mark that keeps JupyterLab out is
 * away.
 */
function letSave(event) {
  const el = event.target;
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || !el.dataset?.lmSuppressShortcuts) return;
  delete el.dataset.lmSuppressShortcuts;
  setTimeout(() => {
    el.dataset.lmSuppressShortcuts = "true";
  }); // after JupyterLab has seen the key
}
// once a page, not once a control
if (!globalThis.ittSaves) {
  globalThis.ittSaves = true;
  globalThis.addEventListener?.("keydown", letSave, true);
}

/** What an author tells a reader to do, where there is a finger and neither a pointer nor arrow keys. */
export const touched = (text) =>
  matchMedia("(pointer: coarse)").matches
    ? text.replaceAll("Point at", "Tap").replace(/,? or use the arrow keys/, "")
    : text;
