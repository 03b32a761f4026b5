// Loops in WebAssembly: of the same text there is one with products and sums fused, and one without.

/**
 * The first of them that this browser knows; null where it knows none.
 * @param {string[]} codes in base64
 * @returns {WebAssembly.Module | null}
 */
export function compiledLoops(codes) {
  for (const code of codes)
    try {
      const bytes = Uint8Array.from(atob(code), (ch) => ch.charCodeAt(0));
      if (WebAssembly.validate(bytes)) return new WebAssembly.Module(bytes);
    } catch {
      return null; // no WebAssembly at all
    }
  return null;
}
