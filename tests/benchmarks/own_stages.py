"""Every stage of a file of the size of GPT-2 in a browser, against Python's, and the logits of two workers."""

from pathlib import Path

import numpy as np

from labutils.checkpoints import load
from labutils.controls import bundle
from labutils.controls.engine.model_file import record
from labutils.trace import trace
from tests.engine.own_workers import FASTER
from tests.engine.test_models import flat

IDS = [464, 3797, 3332, 319, 262, 2603, 13]
STAGES = 2e-5  # of the largest number: both are float32, in another order
WORKERS = 1e-5  # between the logits of two workers and of one
PAGE, SCRIPT, WANTED = "stages.html", "worker.js", "wanted"
COMPARED = """async ([name, record, ids, stages]) => {
  const asked = () => {
    const worker = new Worker("SCRIPT");
    return (ask, given) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { answer, error } }) => error ? reject(new Error(error)) : answer && resolve(answer);
      worker.postMessage({ id: 0, ask, given, numbers: [] }, given.port ? [given.port] : []);
    });
  };
  const first = asked(), second = asked(), file = new File([await (await fetch(name)).blob()], name);
  await first("open", { files: [file], record });
  const apart = (found, wanted) => {
    if (found?.length !== wanted.length) return null;
    let most = 0, size = 0;
    for (let i = 0; i < wanted.length; i++) {
      if (found[i] === wanted[i]) continue; // and so are the scores that are masked
      most = Math.max(most, Math.abs(found[i] - wanted[i]));
      if (Number.isFinite(wanted[i])) size = Math.max(size, Math.abs(wanted[i]));
    }
    return Number.isFinite(most) ? [most, most / (1 + size)] : null;
  };
  const found = await first("trace", { ids, want: null, put: [] }), gaps = {};
  for (const stage of stages)
    gaps[stage] = apart(found[stage], new Float64Array(await (await fetch(`WANTED/${stage}`)).arrayBuffer()));
  const one = (await first("next", { ids })).logits, { port1, port2 } = new MessageChannel();
  second("help", { port: port2 });
  const { workers } = await first("share", { port: port1 }), two = (await first("next", { ids })).logits;
  gaps.next = apart(one, found.logits.slice(-one.length));
  return { gaps, workers, two: apart(two, one) };
}""".replace("SCRIPT", SCRIPT).replace("WANTED", WANTED)


class Stages:
    """What Python says of a model, in `folder`, from which pages are served; the model's file lies there too."""

    def __init__(self, model, folder: Path):
        wanted = flat(trace(model, IDS))
        (folder / WANTED).mkdir()
        for name, values in wanted.items():
            (folder / WANTED / name).write_bytes(values.astype("<f8").tobytes())
        # the clock makes two workers the faster ones
        script = FASTER + bundle.worker(bundle.HERE / "engine/own/worker.js")
        (folder / SCRIPT).write_text(script, encoding="utf-8")
        (folder / PAGE).write_text('<!doctype html><meta charset="utf-8"><title>stages</title>', encoding="utf-8")
        self.given = [record("your-gpt2", load("little-gpt2").model, "Your GPT-2"), IDS, sorted(wanted)]

    def compare(self, browser, address: str, name: str) -> tuple[float, float]:
        """The widest gap of a stage, in shares of its largest number, and that between the logits of two workers and of
        one; `browser` opens the page at `address`.

        Raises:
            SystemExit: a stage differs, or the two workers do.
        """
        browser.goto(f"{address}/{PAGE}")
        found = browser.evaluate(COMPARED, [name, *self.given])
        wrong = [stage for stage, gap in found["gaps"].items() if gap is None or gap[1] > STAGES]
        if wrong or found["workers"] != 2 or found["two"] is None or found["two"][0] > WORKERS:
            raise SystemExit(f"Fix that first: {wrong or found}")
        return float(np.max([gap[1] for gap in found["gaps"].values()])), found["two"][0]
