"""How fast a GPT learns in a page: `python -m tests.benchmarks.training`, a minute. In a worker in Chromium, with the
compiled loops and in plain JavaScript, beside PyTorch on one thread: the same stories, sizes and batches, in one run.
"""

import time
from base64 import b64encode

import torch

from labutils.authoring.benchmarks import record
from labutils.controls import bundle
from labutils.controls.train import record as run
from labutils.models import GPT2, GPT2Config
from labutils.training import adamw, next_token_loss, pad
from tests.browsers.drivers import chromium

SHAPES = ((2, 48), (2, 64))
SECONDS = 10
GOAL = 25_000  # tokens a second at two layers of width 48
SCRIPT = bundle.worker(bundle.HERE / "engine/backward/worker.js")
PLAIN = "self.WebAssembly = undefined;\n"

TRAIN = """async ([script, task, ms]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (ch) => ch.charCodeAt(0)), paces = [], frames = [];
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  let last = 0, over = false;
  const frame = (now) => { if (last) frames.push(now - last); last = now; if (!over) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  await new Promise((done, fail) => {
    worker.onerror = (event) => fail(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.kind === "pace") paces.push(data);
      if (data.kind === "fault") fail(new Error(data.where || data.why));
      if (data.kind !== "ready") return;
      worker.postMessage({ ask: "begin", run: 1, task: { ...task, told: bytes(task.told), fresh: bytes(task.fresh) } });
      worker.postMessage({ ask: "go" });
      setTimeout(done, ms);
    };
  });
  worker.terminate();
  over = true;
  return { paces, frames };
}"""


def task(layers: int, width: int) -> dict:
    """A run of this size, its stories in base64."""
    given = run.task()
    given["config"] |= {"layers": layers, "width": width}
    return given | {part: b64encode(given[part]).decode() for part in ("told", "fresh")}


def best(paces: list[dict]) -> float:
    """Tokens a second in the fastest half second of training."""
    found = []
    for i, a in enumerate(paces):
        b = next((x for x in paces[i:] if x["seconds"] - a["seconds"] > 0.5), None)
        found += [(b["tokens"] - a["tokens"]) / (b["seconds"] - a["seconds"])] if b else []
    return max(found)


def in_torch(layers: int, width: int) -> float:
    """The same in PyTorch on one thread: tokens a second of the fastest ten steps."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    given = run.task()
    rows = told(given["told"], given["order"], given["end"])
    config = GPT2Config(given["config"]["vocab"], given["config"]["places"], width, layers, given["config"]["heads"])
    model, size, found = GPT2(config), given["plan"]["batch"], []
    optimiser = adamw(model, given["plan"]["rate"], (0.9, 0.98), 0.05)
    for ten in range(20):
        began, tokens = time.perf_counter(), 0
        for step in range(10):
            texts = rows[(10 * ten + step) * size :][:size]
            ids, mask = pad(texts, 0), pad([[1] * len(text) for text in texts], 0)
            optimiser.zero_grad()
            next_token_loss(model(ids, mask).logits, ids, mask).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), given["plan"]["most"])
            optimiser.step()
            tokens += sum(map(len, texts)) - size
        found.append(tokens / (time.perf_counter() - began))
    return max(found)


def told(packed: bytes, order: list[int], end: int) -> list[list[int]]:
    """The stories as rows of ids, each with its end sign at both ends."""
    rows, codes = [], iter(packed)
    for code in codes:
        token = order[code if code < 240 else 240 + 256 * (code - 240) + next(codes)]
        if token == end:
            rows.append([])
        rows[-1].append(token)
    return [[*row, end] for row in rows]


def main() -> None:
    rows, reached, late = [], 0.0, 0.0
    with chromium() as page:
        page.goto("about:blank")
        for layers, width in SHAPES:
            fast, plain = (
                page.evaluate(TRAIN, [before + SCRIPT, task(layers, width), 1000 * SECONDS]) for before in ("", PLAIN)
            )
            speed, slow, there = best(fast["paces"]), best(plain["paces"]), in_torch(layers, width)
            late = max(late, sorted(fast["frames"])[int(0.95 * len(fast["frames"]))])
            reached = max(reached, speed if width == SHAPES[0][1] else 0)
            rows.append(
                {
                    "model": f"{layers} layers of width {width}",
                    "page, tokens a second": f"{speed:,.0f}",
                    "by plain JavaScript": f"{speed / slow:.1f} times",
                    "by PyTorch on one thread": f"{speed / there:.2f}",
                }
            )
    record(
        "training",
        "A GPT that is trained in a page",
        f"In a worker in Chromium a GPT with {rows[0]['model']} learns **{reached:,.0f} tokens a second** (goal:"
        f" {GOAL:,}), {rows[0]['by plain JavaScript']} as many as in plain JavaScript and"
        f" {rows[0]['by PyTorch on one thread']} of what PyTorch reaches on one thread with the same batches. Meanwhile 95"
        f" of 100 frames of the page come within {late:.0f} ms of the one before (goal: 17).",
        rows,
    )


if __name__ == "__main__":
    main()
