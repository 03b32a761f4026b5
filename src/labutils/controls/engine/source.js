// Where a control gets its numbers: one interface, two homes. On a page of the site the engine in this folder computes
// them; in JupyterLab they come from Python, with any model that was loaded there.
//
//   const source = await openSource(model, "little-gpt2");
//   source.live       true: it answers. false: not yet, or never; source.reason says why in one sentence
//   source.idle       nothing is on its way: it waits for the reader, as source.reason says
//   source.onchange   (fn) => stop: fn(source) is called when live or reason changes later
//   source.home       "page" or "kernel"
//   source.info       null until live; then {name, label, kind, causal, norm, biases, layers, heads, keyHeads,
//                     headDim, width, ffn, vocab, maxTokens, activation, eps, rotaryBase, parameters};
//                     causal: no token sees a later one, so it goes on
//   await source.encode(text, pair?)   {ids, tokens, offsets, typeIds, special, wordIds}; offsets count as the browser
//   does: text.slice(...offset)
//   await source.trace(text | ids, {want})   the wanted stages, by the names of Python's Trace and LayerTrace, flat,
//   with the layers in front:
//                     {tokens, ids, offsets, typeIds, shape: {L, H, G, n, dk, d, f, V}, q (L, H, n, dk), k, v (L, G, n,
//                     dk), weights (L, H, n, n), …}, G key heads, of which each serves H / G heads;
//                     "contributions" (L, H, n, n) are the norms of weight × value × W_O
//   await source.trace(text, {want, change: {"layer 2 weights": (w, [H, n, m]) => w.fill(0, 5 * n * m, 6 * n * m)}})
//   the same
//                     after a change: by the full name of a stage what the model is to go on with; here head 5 is
//                     switched off
//   await source.trace(ids, {want, typeIds})   the same for a pair of texts: the segment of each id
//   await source.next(ids)     logits (V) of the token that follows
//   await source.tokens(ids)   what to show for each;   await source.decode(ids)   the text
//   await source.known()       a Set of the words of the stories that the model has read, empty where they are unknown;
//                              a model that a reader brings has none of this
//
// Every promise that fails does so with an Error whose message is one sentence for the reader.
import { kernelSource, kernelTokenizer } from "./kernel_source.js";
import { pageSource, pageTokenizer } from "./page_source.js";

const PATIENCE = 3000; // ms: after this the control goes on with its finished state, and hears later

/** Never throws; resolves when it is known whether the source lives, or after three seconds. */
export async function openSource(model, name) {
  const source = (model.onPage ? pageSource : kernelSource)(model, name);
  let stop, timer;
  await new Promise((/** @type {(value?: any) => void} */ known) => {
    timer = setTimeout(known, PATIENCE);
    stop = source.onchange(known);
    if (source.live || source.idle) known();
  });
  clearTimeout(timer);
  stop();
  return source;
}

/**
 * The tokenizer alone, without weights, which can also cut and pad: `encode(text, pair, { maxLength, padTo, … })`; see
 * `tokenizer.js`. Rejects with one sentence.
 */
export function openTokenizer(model, name) {
  return (model.onPage ? pageTokenizer : kernelTokenizer)(model, name);
}
