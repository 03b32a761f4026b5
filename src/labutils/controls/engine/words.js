// The paper model's tokenizer: white space splits, and each word must be one of the few it knows. As
// `labutils/text/words.py`.
import { fromCodePoints } from "./unicode.js";

export function openWords({ tokens }, ids, unicode) {
  const known = tokens.join(", ");
  const unknown = (word) => {
    throw new Error(`“${word}” is not among the ${tokens.length} words this model knows: ${known}.`);
  };
  return {
    steps: () => [],
    readable: (token) => ({ text: token, bytes: "" }),
    normalize: (codes) => ({ codes, origins: codes.map((_, i) => i) }),
    join: (words) => words.join(" "),
    pieces(codes) {
      const word = fromCodePoints(codes);
      return [{ id: ids.get(word) ?? unknown(word), start: 0, end: codes.length }];
    },
    spans(codes) {
      const spans = [];
      for (let i = 0, start = -1; i <= codes.length; i++) {
        const inside = i < codes.length && !unicode.is("space", codes[i]);
        if (inside && start < 0) start = i;
        if (!inside && start >= 0) {
          spans.push([start, i]);
          start = -1;
        }
      }
      if (!spans.length) throw new Error(`The text is empty. Write some of the words ${known}.`);
      return spans;
    },
  };
}
