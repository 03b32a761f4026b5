// Binary data of traits: a DataView, an ArrayBuffer, or bytes within a larger buffer.

export function bytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
export function floats(data) {
  const raw = bytes(data);
  // copied: the offset may be odd
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
}
/** The bytes that zlib packed. */
export async function unzip(data) {
  const stream = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
