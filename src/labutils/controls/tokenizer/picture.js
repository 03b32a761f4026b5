// The picture that a reader takes along: the chips of both tokenizers.
import { s } from "../look/kit.js";
import { tints } from "./cutting.js";
import { LONG, under, visible } from "./words.js";

const WIDE = 720, TALL = 44, GAP = 6;

export function picture({ lanes, text }, which) {
  const out = [], colours = tints(lanes);
  let y = 0;
  const words = (x, at, content, more = {}) => s("text", { x, y: at, "font-size": 14, fill: "var(--itt-ink)", text: content, ...more });
  lanes.forEach((lane, m) => {
    out.push(words(0, y + 16, `${LONG[lane.kind]} of ${lane.title}: ${lane.tokens.length} tokens`, { "font-weight": 650 }));
    y += 30;
    let x = 0;
    lane.tokens.forEach((t, i) => {
      const piece = visible(t.text), small = under(which, t, lane.kind, text), wide = Math.max(32, 16 + Math.max(8.5 * Array.from(piece).length, 6.4 * small.length));
      const next = lane.tokens[i + 1], joined = t.word !== null && next?.word === t.word;
      if (x && x + wide > WIDE) { x = 0; y += TALL + GAP; }
      const edge = t.unknown ? { stroke: "var(--itt-ink)", "stroke-dasharray": "3 3" } : t.special ? { stroke: "var(--itt-line)" } : {};
      out.push(s("rect", { x: x + 0.5, y: y + 0.5, width: wide - 1, height: TALL - 1, rx: 4, fill: colours[m][i] && !t.unknown ? `var(--itt-s${colours[m][i]})` : "none", ...edge }),
        words(x + wide / 2, y + 19, piece, { "text-anchor": "middle", "font-family": "monospace" }), words(x + wide / 2, y + 36, small, { "text-anchor": "middle", "font-size": 11 }));
      x += wide + (joined ? 1 : GAP);
    });
    y += TALL + 28;
  });
  return s("svg", { viewBox: `0 0 ${WIDE} ${y}` }, out);
}
