"""What a body brings to questions: what is stored fits together, and the measurement runs."""

from labutils.making import uses


def test_what_is_stored_has_each_body_and_each_seed():
    found = uses.results()["answers"]["again"]
    assert found["asked"] == uses.AGAIN and set(found["bodies"]) == set(uses.BODIES)
    for hits in found["bodies"].values():
        assert len(hits) == len(uses.SEEDS) and all(0 < n < uses.AGAIN for n in hits)
    assert max(found["rules"].values()) < 0.52
    for hits in uses.results()["answers"]["longer"].values():  # more steps are no way to what the body brings
        assert len(hits) == len(uses.SEEDS) and max(hits) < min(found["bodies"]["trained along"]) / 2


def test_it_is_measured_on_items_that_training_never_saw(monkeypatch):
    asked = []
    items = uses.TASKS["answers"].items
    small = uses.Task(lambda n, seed: asked.append((n, seed)) or items(n, seed), *_rest())
    monkeypatch.setitem(uses.TASKS, "answers", small)
    for name, value in {"TRAIN": 24, "AGAIN": 12, "STEPS": 2, "HEAD_STEPS": 2, "SEEDS": (0,)}.items():
        monkeypatch.setattr(uses, name, value)
    found = uses.again("answers")
    assert asked == [(24, 1), (12, 3)] and found["asked"] == 12
    assert set(found["bodies"]) == set(uses.BODIES) and all(len(hits) == 1 for hits in found["bodies"].values())
    monkeypatch.setattr(uses, "LONGER", (2, 3))
    more = uses.longer("answers")
    assert asked[2:] == [(24, 1), (12, 3)] and more["2"] == found["bodies"]["random, trained along"] and len(more) == 2


def _rest():
    task = uses.TASKS["answers"]
    return task.head, task.loss, task.right, task.rule, task.classes
