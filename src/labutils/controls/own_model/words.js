// What it says: before a file is there, while it is read, and of the model.
import { b, e } from "../look/markup.js";

export const FREE = "No file is chosen: the controls of this page show the small model.";
export const DROP = "Drop the file here, or choose it";
export const KEEPING = "Keeping it …";
export const TIMING = "Read. Now a few tokens are timed …";
export const NO_STORE = "This browser keeps nothing for this page: the model stays until you leave it.";
/** In JupyterLab a kernel reads the folder of a model. */
export const LAB = [
  "JupyterLab needs no file here: give a control the path of the folder, as in ",
  e("code", { text: 'NextWord(model="./gpt2")' }),
  ".",
];

const size = (bytes) => (bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : gigabytes(bytes));
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)} GB`;
/** Two figures of a time: more would be another number at each visit. */
export const duration = (ms) => (ms < 10 ? ms.toFixed(1) : String(Number(ms.toPrecision(2))));

/** What the files are called: one by its name, the parts of a model by how many they are. */
const called = (files) => (files.length === 1 ? e("bdi", { text: files[0].name }) : `${files.length} files`);
export const reading = (files, share) => ["Reading ", called(files), `: ${Math.floor(100 * share)}%.`];
export const keepIt = (bytes, instead) => `Keep ${instead ? "this one" : "it"} for the next visit, ${size(bytes)}`;
export const keptHere = ({ files, bytes }) => ["Kept in this browser: ", called(files), `, ${size(bytes)}.`];
export const noRoom = (bytes) =>
  `This browser has no room to keep ${size(bytes)}: the model stays until you leave the page.`;

/** @typedef {import("../engine/own/chosen.js").Found} Found */

/** The memory that the workers hold which write on. */
const held = ({ bytes, more, workers }) => bytes + (workers === 2 ? more : 0);

/**
 * What a reader may know of the model: name and value.
 * @param {Found} found
 */
export const facts = ({ info, fast, ms, two, workers, ...found }) => [
  ["Parameters", info.parameters.toLocaleString("en")],
  ["Layers, heads in each", `${info.layers}, ${info.heads}`],
  ["Memory", gigabytes(held({ ...found, workers }))],
  ["A token takes", `${duration(workers === 2 && two !== null ? two : ms)} ms`],
  ["Computed by", fast ? "WebAssembly" : "JavaScript"],
  ["Workers", String(workers)],
];

/** @param {Found} found */
export const ready = ({ info, ms, two, workers, ...found }) => [
  "Your GPT-2 is here: ",
  b(info.parameters.toLocaleString("en")),
  " parameters in ",
  b(gigabytes(held({ ...found, workers }))),
  " of memory. On this machine one more token took ",
  b(`${duration(ms)} ms`),
  ...(two === null
    ? []
    : [
        " with one worker and ",
        b(`${duration(two)} ms`),
        ` with two, so ${workers === 2 ? "two write" : "one writes"} on`,
      ]),
  ".",
];
