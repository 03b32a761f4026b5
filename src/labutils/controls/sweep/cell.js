// A sweep as the Python that makes it again, its numbers included: what "Copy as a cell" copies in JupyterLab.
const word = (x) => JSON.stringify(x);
// nine digits give the same float32 back
const number = (x) => (Number.isNaN(x) ? 'float("nan")' : x === -Infinity ? 'float("-inf")'
  : String(+x.toPrecision(9)));
const list = (items) => `[${items.join(", ")}]`;
const value = (text, numbers) => (numbers ? text.replaceAll("−", "-") : word(text));

export function cell(model, { over, sizes, told, bars, curves }, at) {
  const two = sizes.length > 1,
    nested = (f) => list(over[0].values.map((_, i) => (two ? list(over[1].values.map((__, j) => f(i, j))) : f(i, 0))));
  const pairs = over.map((one) => `(${word(one.label)}, ${list(one.values.map((text) => value(text, one.numbers)))})`),
    { unit, log } = model.get("settings");
  const arguments_ = [
    word(model.get("title")), word(model.get("lede")), two ? list(pairs) : pairs[0],
    bars && `bars=(${list(bars.labels.map(word))}, ${nested((i, j) => list(Array.from(bars.of([i, j]), number)))})`,
    curves && `curves={${curves.names.map((name, k) => `${word(name)}: ${nested((i, j) => number(curves.of(k, j)[i]))}`)
        .join(", ")}}`,
    told.length > 0 && `said=${nested((i, j) => word(told[two ? i * sizes[1] + j : i]))}`,
    unit.some(Boolean) && `unit=(${unit.map(word).join(", ")})`, log.length > 0 && `log=(${log.map(word).join(", ")},)`,
    `start=${two ? `(${at.join(", ")})` : at[0]}`, model.get("number") && `number=${word(model.get("number"))}`,
    `name=${word(model.get("name"))}`,
  ];
  return `Sweep(${arguments_.filter(Boolean).join(", ")})`;
}
