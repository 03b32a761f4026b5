"""Two workers that share each token of a reader's own GPT-2: the logits of one, and one goes on when the other ends."""

import numpy as np
import pytest
import torch
from engine.conftest import unpacked
from engine.own_files import SMALL, drawn, published
from engine.test_own_file import OPENED, given

IDS = [7, 300, 0, 41, 41, 12, 99, 250, 3]
# both ends in one page: what the second does goes by messages as between two workers
PAIR = """
  const { lead, follow } = await engine("own/pair"), { lineOf, watched, Gone } = await engine("own/line");
  const { port1, port2 } = new MessageChannel(), mine = lineOf(port1), other = lineOf(port2);
  const ended = follow(other).catch((error) => other.put(null) ?? String(error));
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Two heads and an odd vocabulary."""
    return published(drawn(dtype=torch.bfloat16), tmp_path_factory.mktemp("pair") / "model.safetensors")


def test_two_workers_say_what_one_says(shared_page, path):
    found = shared_page.run(
        OPENED + PAIR + """
          const { next, bytes: held } = await lead(model.shared, mine), texts = [c.ids, ...[1, 2, 5, 9].map((n) => c.ids.slice(0, n)),
            [...c.ids.slice(0, 4), 8], [8, 8]];
          const both = [];
          for (const ids of texts) both.push([packed(await next(ids)), packed(model.next(ids))]);
          return { both, held, whole: model.bytes };""",
        *given(path), {"ids": IDS},
    )  # fmt: skip
    for two, one in found["both"]:
        two, one = unpacked(two), unpacked(one)
        assert two.shape == (SMALL["vocab_size"],) and np.abs(one).max() > 0.1
        assert np.abs(two - one).max() <= 1e-6 * (1 + np.abs(one).max())  # float32 sums, in another order
    assert found["held"] < 0.6 * found["whole"]


def test_the_halves_of_every_parameter_are_the_whole(shared_page, path):
    """What both have is the same, what is shared is there once, and only the first has the tables of places."""
    found = shared_page.run(
        OPENED + """
          const { partOf, copyOf } = await engine("own/halves"), { places } = model.shared;
          return Object.entries(places).map(([name, place]) => {
            const parts = [0, 1].map((which) => partOf(name, place.shape, which));
            return [name, place.shape, ...parts, parts[1] && [...copyOf(name, place)], [...place.weight]];
          });""",
        *given(path), {"ids": IDS},
    )  # fmt: skip
    for name, shape, first, second, copy, weight in found:
        whole = np.array(weight).reshape(shape[0], -1)
        seen = np.zeros_like(whole)
        for part in filter(None, (first, second)):
            rows, columns = (
                slice(part["row"], part["row"] + part["rows"]),
                slice(part["column"], part["column"] + part["width"]),
            )
            seen[rows, columns] += 1
            if part is second:
                assert np.array_equal(whole[rows, columns].ravel(), copy), name
        expected = 0 if "position" in name else 2 if "norm" in name else 1
        assert (seen == expected).all(), name
    assert len(found) == 2 + 2 * 16 + 2


@pytest.mark.parametrize(("sizes", "shared"), [({}, True), ({"n_embd": 64, "n_head": 1}, False),
                                               ({"n_embd": 192, "n_head": 3}, False), ({"n_inner": 100}, False),
                                               ({"vocab_size": 7}, False)])  # fmt: skip
def test_a_model_without_two_halves_stays_with_one_worker(shared_page, tmp_path, sizes, shared):
    path = published(drawn(**sizes), tmp_path / "model.safetensors")
    assert shared_page.run(OPENED + "return model.shared !== null;", *given(path), {}) is shared
    assert shared_page.run(OPENED + "return model.shared;", *given(path), {"plain": True}) is None


@pytest.mark.parametrize(("one", "two", "workers"), [(38, 25, 2), (38, 41, 1), (38.4, 37.6, 1), (38.4, 37.4, 2), (0.05, 0.05, 1)])  # fmt: skip
def test_two_write_on_where_they_are_faster_in_two_figures(shared_page, one, two, workers):
    assert (
        shared_page.run('const { fasterOf } = await engine("own/speed"); return fasterOf(a, b);', one, two) == workers
    )


def test_the_speed_is_the_middle_of_the_last_seven_tokens(shared_page):
    took = [90] * 10 + [5, 1, 7, 2, 6, 3, 4]
    found = shared_page.run(
        """const { speed } = await engine("own/speed"), texts = [];
           let clock = 0, i = 0;
           const next = async (ids) => { texts.push(ids.length); clock += a[i++]; };
           return [await speed(next, { vocab: 3, maxTokens: 40 }, () => clock), texts];""",
        took,
    )
    assert found == [4, list(range(1, 18))]


def test_whoever_waits_hears_that_the_other_side_is_gone(shared_page):
    found = shared_page.run(
        """const { lineOf, watched, Gone } = await engine("own/line"), said = [];
           const pair = () => { const { port1, port2 } = new MessageChannel(); return [lineOf(port1), lineOf(port2)]; };
           const gone = async (work) => { try { return await work(); } catch (error) { return error instanceof Gone; } };
           const [one, other] = pair(), [two, failed] = pair(), [three, closed] = pair(), [four] = pair();
           other.put("a"); other.put("b");
           said.push([await one.take(), await one.take()]);
           failed.put(null);
           said.push(await gone(() => two.take()), await gone(() => two.take()));
           three.end();
           said.push(await gone(() => three.take()));
           said.push(await gone(() => watched(four, () => four.take(), 5))); // nothing is ever said
           let i = 0;
           const talk = setInterval(() => other.put(i++), 1);
           const heard = await watched(one, async () => { let last; while (!(last > 20)) last = await one.take(); return last; }, 5000);
           clearInterval(talk);
           return [...said, heard];"""
    )
    assert found == [["a", "b"], True, True, True, True, 21]
