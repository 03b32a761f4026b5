"""What a page keeps of the widgets of its notebook."""

from ipywidgets import IntSlider
from ipywidgets.embed import dependency_state

from labutils.controls import predict
from labutils.controls.slim import slim

CHOICES = (("a", "no"), ("b", "yes"), ("c", "no"))


def state(*widgets):
    return dependency_state(list(widgets), drop_defaults=False)


def test_a_control_keeps_its_traits_and_leaves_its_code_to_the_site():
    box = predict("slim", "Which?", *CHOICES, right=1)
    record = slim(state(box))[box.model_id]
    assert record["state"]["question"] == "Which?" and record["state"]["control"] == "predict"
    assert not any(name[0] == "_" for name in record["state"])
    assert "style" not in str(record) and len(str(record)) < 700


def test_layout_boxes_go_and_another_widget_stays_whole():
    box, other = predict("slim", "Which?", *CHOICES, right=1), IntSlider()
    assert set(slim(state(box))) == {box.model_id}
    both = slim(state(box, other))
    assert other.layout.model_id in both and both[other.model_id] == state(other)[other.model_id]
