// The parameters of a large model by name: where each lies, and what multiplies with it.
import { nested } from "../weights.js";
import { arena } from "./arena.js";

/**
 * @typedef {{shape: number[], weight: any, product?: import("./arena.js").Product,
 *   productOf?: (part: import("./arena.js").Part) => import("./arena.js").Product}} Place a matrix in an arena, or a
 *   vector of float64, as the layers read it
 * @typedef {Object<string, Place>} Places
 */

/**
 * Room for parameters, filled with zeros.
 * @param {{name: string, shape: number[]}[]} all
 * @param {boolean} [plain] without WebAssembly
 * @returns {{places: Places, bytes: number, fast: boolean}}
 * @throws {RangeError} where the browser does not give so much memory
 */
export function placed(all, plain = false) {
  const matrices = all.filter(({ shape }) => shape.length === 2),
    room = arena(
      matrices.map(({ shape }) => shape),
      plain,
    );
  /** @type {Places} */
  const places = {};
  for (const { name, shape } of all) {
    const [rows, width] = shape;
    places[name] = { shape, ...(shape.length === 2 ? room.matrix(rows, width) : { weight: new Float64Array(rows) }) };
  }
  return { places, bytes: room.bytes, fast: room.fast };
}

/**
 * As the layers read them, with the product of each matrix beside it.
 * @param {Object<string, Pick<Place, "weight" | "product">>} places
 */
export function nestedPlaces(places) {
  const flat = {};
  for (const [name, { weight, product }] of Object.entries(places)) {
    flat[name] = weight;
    if (product) flat[name.replace(/weight$/, "product")] = product;
  }
  return nested(flat);
}
