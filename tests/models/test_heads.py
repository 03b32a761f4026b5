"""The heads for a text, a token and a span: outputs, gradients and losses are HuggingFace's, on drawn weights."""

import pytest
import torch
import transformers
from twins import SHAPES, inputs, randomise

from labutils.checkpoints import load
from labutils.models import (
    GPT2,
    Bert,
    BertConfig,
    GPT2Config,
    LastTokenHead,
    SequenceHead,
    SpanHead,
    TokenHead,
    best_span,
    last_real,
    one_vector,
    span_loss,
    text_loss,
    token_loss,
)

HEADS = {
    "text": lambda: SequenceHead(15, 5),
    "token": lambda: TokenHead(15, 5),
    "span": lambda: SpanHead(15),
    "last token": lambda: LastTokenHead(15, 5),
}
PAD = 0


def pair(name: str, padding: str = "right"):
    """Our body and head, and HuggingFace's whole model with the same weights; inputs for both."""
    head = HEADS[name]().eval()
    gpt2 = head.hf_class.startswith("GPT2")
    more = {"num_labels": 5, "pad_token_id": PAD, "attn_implementation": "eager"}
    config = transformers.AutoConfig.for_model(
        "gpt2" if gpt2 else "bert", **SHAPES["gpt2 odd" if gpt2 else "bert odd"] | more
    )
    if head.hf_class == "BertForQuestionAnswering":
        config.num_labels = 2
    theirs = getattr(transformers, head.hf_class)(config)
    randomise(theirs, spread=1.0)
    theirs = theirs.double().eval()
    body = (GPT2(GPT2Config.from_hf(config.to_dict())) if gpt2 else Bert(BertConfig.from_hf(config.to_dict()))).double()
    weights, names = theirs.state_dict(), body.to_hf_state_dict()
    body.load_hf_state_dict({name: weights.get(name, old) for name, old in names.items()})
    head.double().load_hf_state_dict(weights)
    ids, mask, types = inputs(body, padding)
    return body, head, theirs, torch.where(mask == 0, PAD, ids.clamp(min=1)), mask, types


def ours(body, head, ids, mask, types):
    x = body(ids, mask, **({"type_ids": types} if isinstance(body, Bert) else {})).hidden_states[-1]
    return head(x, ids, PAD) if isinstance(head, LastTokenHead) else head(x)


def both(name: str, padding: str = "right"):
    body, head, theirs, ids, mask, types = pair(name, padding)
    segments = {"token_type_ids": types} if isinstance(body, Bert) else {}
    out = theirs(input_ids=ids, attention_mask=mask, **segments)
    found = ours(body, head, ids, mask, types)
    wanted = (out.start_logits, out.end_logits) if name == "span" else out.logits
    alike = lambda t: torch.stack(t) if isinstance(t, tuple) else t
    return body, head, theirs, mask, alike(found), alike(wanted)


@pytest.mark.parametrize("padding", ["none", "right", "left", "both"])
@pytest.mark.parametrize("name", HEADS)
def test_logits_are_huggingfaces(name, padding):
    _, _, _, mask, found, wanted = both(name, padding)
    if name in ("token", "span"):  # rows of padding hold numbers without a meaning
        keep = mask.bool()
        found, wanted = (t[keep] if name == "token" else t[:, keep] for t in (found, wanted))
    assert found.shape == wanted.shape and torch.allclose(found, wanted, atol=1e-10)


@pytest.mark.parametrize("name", HEADS)
def test_gradients_are_huggingfaces(name):
    body, head, theirs, _, found, wanted = both(name, "none")
    found.square().sum().backward(), wanted.square().sum().backward()
    own, other = body.to_hf_gradients() | head.to_hf_gradients(), dict(theirs.named_parameters())
    for key, p in other.items():
        assert torch.allclose(own[key], p.grad, atol=1e-8), key
    for key in head.to_hf_gradients():
        assert float(other[key].grad.abs().max()) > 1e-2, key


def test_dropout_of_a_text_stands_behind_the_pooler():
    head, x = HEADS["text"](), torch.randn(2, 4, 15)
    head.dropout.p = 1.0
    assert torch.equal(head.train()(x), head.linear.bias.expand(2, 5))


def test_a_missing_tensor_is_named():
    with pytest.raises(ValueError, match="missing: score.weight"):
        HEADS["last token"]().load_hf_state_dict({"classifier.weight": torch.ones(5, 15)})


@pytest.mark.parametrize("ids, last", [([7, 8, 0, 0], 1), ([0, 0, 7, 8], 3), ([7, 0, 8, 0], 2), ([7], 0), ([0, 0], 0)])
def test_the_last_token_that_is_no_padding(ids, last):
    assert last_real(torch.tensor([ids]), 0).tolist() == [last]


def test_the_best_span_is_that_of_all_pairs():
    torch.manual_seed(0)
    for _ in range(200):
        n, longest = int(torch.randint(1, 9, ())), int(torch.randint(1, 5, ()))
        start, end, allowed = torch.randn(n), torch.randn(n), torch.rand(n) < 0.7
        allowed[int(torch.randint(n, ()))] = True
        spans = [(a, b) for a in range(n) for b in range(a, min(n, a + longest)) if allowed[a : b + 1].all()]
        assert best_span(start, end, allowed, longest) == max(spans, key=lambda ab: float(start[ab[0]] + end[ab[1]]))
    with pytest.raises(ValueError, match="allow at least one"):
        best_span(torch.ones(3), torch.ones(3), torch.zeros(3, dtype=torch.bool), 3)


@pytest.mark.parametrize("way", ["first", "last", "mean", "max"])
@pytest.mark.parametrize("left", [False, True])
def test_padding_leaves_the_one_vector_as_it_is(way, left):
    x, noise = torch.randn(1, 5, 3), torch.full((1, 4, 3), 99.0)
    mask, none = torch.ones(1, 5, dtype=torch.long), torch.zeros(1, 4, dtype=torch.long)
    order = (lambda a, b: torch.cat([b, a], 1)) if left else (lambda a, b: torch.cat([a, b], 1))
    assert torch.allclose(one_vector(order(x, noise), order(mask, none), way), one_vector(x, mask, way))


def test_another_way_is_one_sentence():
    with pytest.raises(ValueError, match="way='median' is not known"):
        one_vector(torch.randn(1, 2, 3), torch.ones(1, 2), "median")


# --- losses, beside those of HuggingFace's classes, and what is no label


@pytest.mark.parametrize("padding", ["none", "right", "left"])
@pytest.mark.parametrize("name", [name for name in HEADS if name != "span"])
def test_losses_and_their_gradients_are_huggingfaces(name, padding):
    body, head, theirs, ids, mask, types = pair(name, padding)
    rng = torch.Generator().manual_seed(3)
    B, n = ids.shape
    segments = {"token_type_ids": types} if isinstance(body, Bert) else {}
    found = ours(body, head, ids, mask, types)
    if name == "token":
        chosen = torch.randint(0, 5, (B, n), generator=rng)
        chosen[:, 1] = -100
        labels = {"labels": torch.where(mask == 0, -100, chosen)}
        mine = token_loss(found, labels["labels"])
    else:
        labels = {"labels": torch.randint(0, 5, (B,), generator=rng)}
        mine = text_loss(found, labels["labels"])
    wanted = theirs(input_ids=ids, attention_mask=mask, **segments, **labels).loss
    assert torch.allclose(mine, wanted, atol=1e-10)
    mine.backward(), wanted.backward()
    other = dict(theirs.named_parameters())
    for key, gradient in head.to_hf_gradients().items():
        assert torch.allclose(gradient, other[key].grad, atol=1e-9), key


@pytest.mark.parametrize("padding", ["none", "right", "left", "both"])
def test_the_loss_of_spans_in_a_batch_is_the_mean_of_huggingfaces_on_each_text_alone(padding):
    body, head, theirs, ids, mask, types = pair("span", padding)
    body.zero_grad(), theirs.zero_grad()
    real = [row.nonzero().flatten() for row in mask]
    first, last = torch.stack([places[[len(places) // 3, -1]] for places in real]).T
    mine = span_loss(*ours(body, head, ids, mask, types), first, last, mask.bool())
    alone = [
        theirs(
            input_ids=ids[b, places][None],
            token_type_ids=types[b, places][None],
            position_ids=places[None],
            start_positions=first[b : b + 1] - places[0],
            end_positions=last[b : b + 1] - places[0],
        ).loss
        for b, places in enumerate(real)
    ]
    wanted = torch.stack(alone).mean()
    assert torch.allclose(mine, wanted, atol=1e-10)
    mine.backward(), wanted.backward()
    other, own = dict(theirs.named_parameters()), body.to_hf_gradients() | head.to_hf_gradients()
    for key, p in other.items():
        assert torch.allclose(own[key], p.grad, atol=1e-9), key
    assert float(other["qa_outputs.weight"].grad.abs().max()) > 1e-2
    # of the whole batch HuggingFace's class says more where it is padded: the scores of padding are in its sums
    segments = {"attention_mask": mask, "token_type_ids": types}
    batch = theirs(ids, **segments, start_positions=first, end_positions=last).loss
    assert float((batch - wanted).detach()) > 1e-2 if padding != "none" else torch.allclose(batch, wanted, atol=1e-10)


def test_scores_of_padding_have_no_part_in_the_loss_of_a_span():
    start, end = torch.randn(2, 2, 5, requires_grad=True)
    allowed = torch.tensor([[1, 1, 1, 0, 0], [0, 1, 1, 1, 1]]).bool()
    first, last = torch.tensor([0, 2]), torch.tensor([2, 3])
    loss = lambda more: span_loss(start + more, end + more, first, last, allowed)
    assert torch.equal(loss(0.0), loss(99.0 * ~allowed))
    for gradient in torch.autograd.grad(loss(0.0), (start, end)):
        assert torch.equal(gradient != 0, allowed)


@pytest.mark.parametrize(
    "labels, words",
    [
        ([0, 1, 2], "have the shape"),
        ([[0], [1]], "have the shape"),
        ([0, 3], "There is no class 3: with 3 classes a label is 0 to 2."),
        ([0, -1], "There is no class -1"),
        ([0, -100], "There is no class -100"),
        ([0.0, 1.0], "whole number"),
    ],
)
def test_labels_that_are_no_class_are_one_sentence(labels, words):
    with pytest.raises(ValueError, match=words):
        text_loss(torch.zeros(2, 3), torch.tensor(labels))


@pytest.mark.parametrize(
    "labels, words",
    [
        ([[0, 1]], "have the shape"),
        ([[0, 1, 5]], "There is no class 5"),
        ([[0, -1, 2]], "or −100 for a token"),
        ([[-100, -100, -100]], "nothing is left"),
    ],
)
def test_labels_of_tokens_that_cannot_be_are_one_sentence(labels, words):
    with pytest.raises(ValueError, match=words):
        token_loss(torch.zeros(1, 3, 4), torch.tensor(labels))


@pytest.mark.parametrize(
    "first, last, words",
    [
        ([1, 2], [2], "one place for each of 2 texts"),
        ([1, 3], [2, 2], "text 1 goes from 3 to 2"),
        ([1, 1], [2, 9], "text 1 goes from 1 to 9"),
        ([-1, 1], [2, 2], "text 0 goes from -1"),
        ([0, 1], [2, 2], "text 0, from 0 to 2, does not lie in the context"),
        ([1, 1], [2, 4], "text 1, from 1 to 4, does not lie in the context"),
    ],
)
def test_a_span_outside_the_context_is_one_sentence(first, last, words):
    allowed = torch.tensor([[0, 1, 1, 1, 0]] * 2).bool()
    with pytest.raises(ValueError, match=words):
        span_loss(torch.zeros(2, 5), torch.zeros(2, 5), torch.tensor(first), torch.tensor(last), allowed)


@pytest.mark.parametrize("name, lacks", [("text", "classifier.weight"), ("span", "qa_outputs.weight")])
def test_a_head_that_a_checkpoint_lacks_is_refused_by_name(name, lacks):
    shipped = load("little-bert").model.to_hf_state_dict()
    head = HEADS[name]() if name == "span" else SequenceHead(load("little-bert").model.config.d_model, 2)
    before = {key: t.clone() for key, t in head.state_dict().items()}
    with pytest.raises(ValueError, match=lacks):
        head.load_hf_state_dict(shipped)
    assert all(torch.equal(t, before[key]) for key, t in head.state_dict().items())
