// Words that no story of a model has, in a text that a reader typed.
import { label } from "./words.js";

const NAMED = 3; // words; of more only their number is told
const SIGNS = /\[[A-Z]+\]|<\|\w+\|>/g; // of a hole, of an end: no words
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/**
 * @param {string} text
 * @param {Set<string>} known all words of the stories
 * @param {boolean} lower whether the model reads no capitals
 * @returns {string[]} each once; the last one is left out as long as it may become a word
 */
function unread(text, known, lower) {
  const words = lower ? new Set(Array.from(known, (word) => word.toLowerCase())) : known,
    plain = text.replace(SIGNS, " "),
    same = (word) => (lower ? word.toLowerCase() : word);
  const found = Array.from(plain.matchAll(WORD), ([word]) => word),
    last = /[\p{L}\p{M}]$/u.test(plain) ? found.length - 1 : -1;
  const begins = (word) => [...words].some((one) => one.startsWith(same(word)));
  const strange = found.filter((word, i) => !words.has(same(word)) && !(i === last && begins(word)));
  return [...new Set(strange)];
}

/**
 * What is said of them in one sentence: "" where the model has read all words, or it is not known what it read.
 * @param {string} text
 * @param {Iterable<string>} known all words of the stories
 * @param {boolean} lower whether the model reads no capitals
 */
export function told(text, known, lower) {
  const all = new Set(known),
    words = all.size ? unread(text, all, lower) : [];
  return words.length ? sentence(words) : "";
}

function sentence(words) {
  const named = words.slice(0, NAMED).map((word) => `“${label(word)}”`),
    more = words.length - named.length;
  const all = more ? [...named, `${more} more word${more === 1 ? "" : "s"}`] : named;
  const list = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
  return `${list} ${all.length > 1 ? "are" : "is"} in none of the stories that this model has read.`;
}
