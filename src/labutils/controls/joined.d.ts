// What `labutils/controls/bundle.py` puts in the place of these calls when it joins the modules.

/** The script of a worker, as a text. */
declare function sourceOf(path: string): string;
/** WebAssembly in base64, from its text; "" where nothing could compile it. */
declare function compiledOf(path: string): string[];
