// The same product four numbers at a time: a loop in WebAssembly, written here instruction by instruction, because a
// page has nothing to compile with. Where a browser has none of it, `products.js` goes on in JavaScript.
//
// Both matrices are laid out first so that the loop walks straight on: `a` in strips of 4 rows, `b` in strips of 8
// columns. A tile of 4 by 8 sums stays in eight registers of four numbers each.

// the instructions that are used (WebAssembly Core Specification, section 5.4); SIMD ones begin with 0xfd
const GET = 0x20,
  SET = 0x21,
  NUMBER = 0x41,
  LESS = 0x49,
  PLUS = 0x6a,
  TIMES = 0x6c,
  LOOP = [0x03, 0x40],
  END = 0x0b,
  AGAIN = [0x0d, 0];
const load = (offset) => [0xfd, 0x00, 0, offset],
  spread = (offset) => [0xfd, 0x09, 0, offset], // one number, four times
  store = (offset) => [0xfd, 0x0b, 0, offset],
  NONE = [0xfd, 0x0c, ...Array(16).fill(0)],
  ADD4 = [0xfd, 0xe4, 0x01],
  TIMES4 = [0xfd, 0xe6, 0x01];
// the names of the locals, by their numbers; after them the eight sums and two vectors of b
const [A, B, Y, ROWS, COLUMNS, INNER, I, J, K, PA, PB, PY] = Array.from({ length: 12 }, (_, i) => i);
const SUMS = [12, 13, 14, 15, 16, 17, 18, 19],
  LEFT = 20,
  RIGHT = 21;

const get = (local) => [GET, local],
  set = (local, ...value) => [...value.flat(), SET, local],
  number = (n) => [NUMBER, n],
  plus = (x, y) => [...x, ...y, PLUS],
  times = (x, y) => [...x, ...y, TIMES],
  step = (local, by) => set(local, plus(get(local), number(by))),
  /** Do it at least once, and again while `local` has not come to `end`. */
  loop = (local, by, end, ...body) => [
    ...[LOOP, ...body, step(local, by), get(local), get(end), LESS].flat(),
    ...AGAIN,
    END,
  ];
const FOUR = number(4);

/** One number of each of four rows times eight numbers of b. */
const tile = [0, 1, 2, 3].flatMap((row) =>
  [LEFT, RIGHT].flatMap((half, side) => {
    const sum = SUMS[2 * row + side];
    return set(sum, [...get(sum), ...get(PA), ...spread(4 * row), ...get(half), ...TIMES4, ...ADD4]);
  }),
);
const CODE = loop(
  I,
  4,
  ROWS,
  set(J, number(0)),
  set(PB, get(B)),
  loop(
    J,
    8,
    COLUMNS,
    SUMS.flatMap((sum) => set(sum, NONE)),
    set(PA, plus(get(A), times(times(get(I), get(INNER)), FOUR))),
    set(K, number(0)),
    loop(
      K,
      1,
      INNER,
      set(LEFT, [...get(PB), ...load(0)]),
      set(RIGHT, [...get(PB), ...load(16)]),
      tile,
      step(PA, 16),
      step(PB, 32),
    ),
    set(PY, plus(get(Y), times(plus(times(get(I), get(COLUMNS)), get(J)), FOUR))),
    [0, 1, 2, 3].flatMap((row) => [
      ...[...get(PY), ...get(SUMS[2 * row]), ...store(0)],
      ...[...get(PY), ...get(SUMS[2 * row + 1]), ...store(16)],
      ...set(PY, plus(get(PY), times(get(COLUMNS), FOUR))),
    ]),
  ),
);

/** An unsigned number in groups of seven bits. */
const short = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...short(n >> 7)]);
const section = (id, ...content) => [id, ...short(content.flat().length), ...content.flat()];
const text = (word) => [word.length, ...Array.from(word, (ch) => ch.charCodeAt(0))];

/** The module as bytes: six whole numbers in, nothing out; its memory is handed in. */
function assembled() {
  const body = [2, 6, 0x7f, 10, 0x7b, ...CODE, END]; // its locals: 6 whole numbers, 10 vectors
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 6, ...Array(6).fill(0x7f), 0]),
    ...section(2, [1, ...text("own"), ...text("memory"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text("product"), 0, 0]),
    ...section(10, [1, ...short(body.length), ...body]),
  );
}

// made once, when it is first needed; false where there is none
let machine = /** @type {{memory: WebAssembly.Memory, product: Function} | false | null} */ (null);

function start() {
  try {
    const memory = new WebAssembly.Memory({ initial: 1 }),
      { exports } = new WebAssembly.Instance(new WebAssembly.Module(assembled()), { own: { memory } });
    return { memory, product: /** @type {Function} */ (exports.product) };
  } catch {
    return false;
  }
}

/** Rows of a matrix (rows, inner) in strips of `many`: number k of each, then number k + 1 of each; zeros fill up. */
function strips(x, inner, many, out) {
  const rows = x.length / inner;
  for (let from = 0, at = 0; from < rows; from += many)
    for (let k = 0; k < inner; k++)
      for (let i = from; i < from + many; i++, at++) out[at] = i < rows ? x[i * inner + k] : 0;
}

/**
 * y = a bᵀ, in float32 throughout.
 * @param {Float32Array} a (rows, inner)
 * @param {Float32Array} b (columns, inner)
 * @param {number} inner
 * @returns {Float32Array | null} (rows, columns); null where the browser cannot
 */
export function wideProduct(a, b, inner) {
  machine ??= start();
  if (!machine) return null;
  const rows = a.length / inner,
    columns = b.length / inner,
    [tall, broad] = [4 * Math.ceil(rows / 4), 8 * Math.ceil(columns / 8)],
    [atB, atY] = [tall * inner, (tall + broad) * inner],
    size = 4 * (atY + tall * broad),
    { memory, product } = machine;
  if (memory.buffer.byteLength < size) memory.grow(Math.ceil((size - memory.buffer.byteLength) / 65536));
  const numbers = new Float32Array(memory.buffer);
  strips(a, inner, 4, numbers);
  strips(b, inner, 8, numbers.subarray(atB));
  product(0, 4 * atB, 4 * atY, tall, broad, inner);
  const y = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) y.set(numbers.subarray(atY + i * broad, atY + i * broad + columns), i * columns);
  return y;
}
