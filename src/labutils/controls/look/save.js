// What a reader takes along: the data as CSV, the picture as an SVG that stands alone.
import { markup, s } from "./markup.js";

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvText(head, rows) {
  const cell = (x) => {
    let text = String(x).replace(/−/g, "-");
    if (/^[=+@\t\r]/.test(text) || (text[0] === "-" && !/^-[\d.]+$/.test(text) && text !== "-∞")) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * A drawing as a file that needs no stylesheet: each colour of the theme becomes what it is in `host` now, on its
 * paper.
 */
export function standalone({ props, kids }, host) {
  // the browser works out color-mix()
  const css = getComputedStyle(host),
    probe = host.appendChild(Object.assign(document.createElement("span"), { hidden: true }));
  const text = markup(
    s(
      "svg",
      { ...props, style: `background:${css.getPropertyValue("--itt-paper")};font-family:${css.fontFamily}` },
      kids,
    ),
  );
  const resolved = text.replace(/color-mix\((?:[^()]|\([^()]*\))*\)|var\(--[\w-]+\)/g, (colour) => {
    probe.style.color = colour;
    return plain(getComputedStyle(probe).color);
  });
  probe.remove();
  return resolved;
}

/** A computed colour as #rrggbb: drawing programs do not know color(srgb …). */
function plain(colour) {
  const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(colour);
  const parts = srgb
    ? srgb.slice(1).map((x) => Math.round(255 * Number(x)))
    : (colour.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).map(Number);
  return `#${parts.map((x) => x.toString(16).padStart(2, "0")).join("")}`;
}

/** Hand a file to the reader. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
