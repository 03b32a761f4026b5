"""The model that is laid out for writing says what the model says, as far as its numbers are kept."""

import pytest
import torch
from torch.nn import functional as F

from labutils.checkpoints import load
from labutils.generation import Contrast, Draft, Search, Settings, draw, generate, processed
from labutils.layers import Cache, FeedForward, MultiHeadAttention, count_positions
from labutils.models import GPT2, GPT2Config, for_writing, paper_model, products
from labutils.models.continuing import continuing
from labutils.models.quick import Quick
from labutils.places import ROOT
from labutils.training import next_token_loss, pad
from labutils.world import World

IDS = torch.tensor([[5, 8, 2, 96, 0, 7, 1], [3, 3, 9, 4, 11, 60, 2]])
BOUNDS = {torch.float64: 1e-12, torch.float32: 1e-4}
ROUNDED = [products.BFloat16, products.Float16, products.Int8, products.Int8Both]


def odd(dtype=torch.float32, **changes):
    torch.manual_seed(3)
    model = GPT2(GPT2Config(97, 32, d_model=40, n_layers=3, n_heads=5, d_ff=72, **changes))
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.3)
    return model.to(dtype)


def in_ways(monkeypatch, times):
    """A processor on which each product takes so many times as long as float32."""
    monkeypatch.setattr(products, "times_as_long", lambda way: times.get(way, float("inf")))
    products.way_for.cache_clear()


@pytest.fixture(autouse=True)
def _measured_anew():
    yield
    products.way_for.cache_clear()


# --- nothing is rounded


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("activation", ["gelu_tanh", "gelu", "relu", "silu"])
@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("capacity", [None, 9])
def test_it_is_the_model_at_every_step(dtype, activation, tied, capacity):
    model = odd(dtype, tied=tied, activation=activation)
    quick, cache, wanted = for_writing(model), Cache(capacity), model(IDS)
    assert isinstance(quick, Quick)
    out = [quick(IDS[:, :3], cache=cache), *(quick(IDS[:, i : i + 1], cache=cache) for i in range(3, 7))]
    same = {"rtol": BOUNDS[dtype], "atol": BOUNDS[dtype]}
    torch.testing.assert_close(torch.cat([one.logits for one in out], 1), wanted.logits, **same)
    states = torch.cat([one.hidden_states[-1] for one in out], 1)
    torch.testing.assert_close(states, wanted.hidden_states[-1], **same)
    torch.testing.assert_close(quick(IDS).logits, wanted.logits, **same)


@pytest.mark.parametrize("dtype", BOUNDS)
def test_a_batch_padded_on_the_left_is_read_as_the_model_reads_it_and_one_may_end(dtype):
    model = odd(dtype)
    quick, both = for_writing(model), (Cache(12), Cache())
    mask = torch.tensor([[1, 1, 1, 1], [0, 0, 0, 1]])
    steps = [(IDS[:, :4], mask), *((IDS[:, i : i + 1], torch.tensor([[1], [i < 5]]).long()) for i in range(4, 7))]
    for ids, real in steps:
        found, wanted = (one(ids, real, cache=cache).logits for one, cache in zip((quick, model), both))
        assert found.isfinite().all()
        same = {"rtol": BOUNDS[dtype], "atol": BOUNDS[dtype]}
        torch.testing.assert_close(found[real.bool()], wanted[real.bool()], **same)
    cache = Cache()
    quick(IDS[:, :4], mask, count_positions(IDS[:, :4], mask), cache=cache)
    alone = model(IDS[1:, 3:5]).logits[0]
    torch.testing.assert_close(quick(IDS[:, 4:5], cache=cache).logits[1], alone[1:], **same)


@pytest.mark.parametrize("settings", [Settings(), Settings(0.7, top_k=9, penalty=1.3), Settings(top_p=0.8)])
def test_what_is_drawn_is_what_the_plain_forward_draws(settings):
    """A batch of two lengths, read anew at every step and without a cache."""
    model, texts, dice = odd(torch.float64), [[5, 8, 2], [7]], torch.Generator().manual_seed(4)
    ids, mask = torch.tensor([[5, 8, 2], [0, 0, 7]]), torch.tensor([[1, 1, 1], [0, 0, 1]])
    for _ in range(12):
        logits = model(ids, mask, (mask.cumsum(-1) - 1).clamp(min=0)).logits[:, -1]
        odds = processed(logits.detach(), settings, ids, mask.bool()).softmax(-1)
        ids = torch.cat([ids, draw(odds, dice)[:, None]], 1)
        mask = F.pad(mask, (0, 1), value=1)
    assert generate(model, texts, 12, how=settings, seed=4) == ids[:, 3:].tolist()


@pytest.mark.parametrize("last", [1, 3])
def test_only_the_last_rows_are_told_if_so_many_are_asked_for(last):
    quick = for_writing(odd(), last=last)
    torch.testing.assert_close(quick(IDS).logits, for_writing(odd())(IDS).logits[:, -last:], rtol=1e-4, atol=1e-4)
    assert quick(IDS).hidden_states[-1].shape[1] == 7


def test_logits_that_were_handed_out_stay_as_they_are():
    quick, cache = for_writing(odd()), Cache(8)
    first = quick(IDS[:, :1], cache=cache)
    kept = first.logits.clone(), first.hidden_states[-1].clone()
    quick(IDS[:, 1:2], cache=cache)
    assert torch.equal(first.logits, kept[0]) and torch.equal(first.hidden_states[-1], kept[1])


def test_a_step_fills_the_room_of_the_step_before_and_a_long_prompt_takes_none_for_long():
    product = products.Exact(torch.randn(5, 4))
    rows = torch.randn(2, 4)
    assert product(rows).data_ptr() == product(rows).data_ptr() != product(rows[:1]).data_ptr()
    product(torch.randn(500, 4))
    assert product.room.shape == (1, 5)


def test_weights_lie_column_by_column_and_neither_model_reaches_the_other():
    model = odd()
    quick, before = for_writing(model), odd()(IDS).logits
    for block in quick.blocks:
        assert all(one.weight.is_contiguous() for one in (block.three, block.output, block.expand, block.contract))
        assert block.three.weight.shape == (40, 120)
    assert quick.head.weight.shape == (40, 97) and quick.head.weight.is_contiguous()
    with torch.no_grad():
        for p in model.parameters():
            p.zero_()
    torch.testing.assert_close(quick(IDS).logits, before, rtol=1e-4, atol=1e-4)
    quick(IDS, cache=Cache(7))
    assert all(not p.any() for p in model.parameters())


# --- what is refused, and what is left as it is


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((IDS[:, 5:6] + 96,), "outside the vocabulary"),
        ((IDS.repeat(1, 4),), "33 tokens and this model has positions for 32"),
        ((IDS[:, 5:], torch.ones(2, 3)), "must be equal"),
        ((IDS[:, 5:], None, IDS[:, 5:] + 40), "outside the table of positions"),
        ((IDS[:1, 5:],), "holds 2 texts and was given 1"),
        ((IDS[:, :5],), "room for 9"),
    ],
)
def test_what_the_model_refuses_it_refuses_and_the_cache_stays(given, words):
    quick, cache = for_writing(odd()), Cache(9)
    quick(IDS[:, :5], cache=cache)
    with pytest.raises(ValueError, match=words):
        quick(*given, cache=cache)
    found = quick(IDS[:, 5:], cache=cache).logits
    torch.testing.assert_close(found, odd()(IDS).logits[:, 5:], rtol=1e-4, atol=1e-4)
    with pytest.raises(ValueError, match="keys and values of another model"):
        odd()(IDS[:, :1], cache=cache)


def hooked(model):
    model.blocks[1].register_forward_hook(lambda part, given, out: out * 0)


def hooked_before(model):
    model.final_norm.register_forward_pre_hook(lambda part, given: (given[0] * 0,))


def replaced(model):
    model.blocks[0].forward = lambda x, *given, **how: x


def another_part(model):
    model.blocks[2].feed_forward = type("Silent", (FeedForward,), {"forward": lambda self, x, see: x})(40, 72, "relu")


def shared_keys(model):
    model.blocks[1].attention = MultiHeadAttention(40, 5, n_key_heads=1)


def no_bias(model):
    model.blocks[1].attention = MultiHeadAttention(40, 5, bias=False)


def other_numbers(model):
    model.final_norm.double()


def training(model):
    model.train()


@pytest.mark.parametrize(
    "change", [hooked, hooked_before, replaced, another_part, shared_keys, no_bias, other_numbers, training]
)
def test_a_model_in_which_something_else_happens_is_left_as_it_is(change):
    model = odd()
    assert for_writing(model) is not model
    change(model)
    assert for_writing(model) is model


def test_a_hook_is_heard_by_every_way_of_writing():
    """Whoever puts a token's logits first by a hook reads it from each of them, and again none without it."""
    model, seven = paper_model(), F.one_hot(torch.tensor(2), 5) * 50.0
    after = continuing(model)
    without = after([0, 1])
    hook = model.register_forward_hook(lambda part, given, out: type(out)(out.logits + seven, out.hidden_states))
    itself = lambda ids: after(ids).softmax(-1)
    for how in (Settings(), Search(2), Contrast(2), Draft(itself)):
        assert generate(model, [[0, 1]], 3, how=how) == [[2, 2, 2]]
    assert after([0, 1]).argmax() == 2
    hook.remove()
    assert torch.equal(after([0, 1]), without) and without.argmax() != 2


def test_what_is_laid_out_already_is_not_laid_out_again(monkeypatch):
    quick = for_writing(odd())
    assert for_writing(quick) is quick
    wanted = generate(odd(), [[5, 8], [2]], 6)
    monkeypatch.setattr("labutils.models.quick.Quick.__init__", None)  # it would not be made
    for how in (Settings(temperature=0.0), Search(1), Contrast(k=1)):
        assert generate(quick, [[5, 8], [2]], 6, how=how)[0] == wanted[0]


def test_other_numbers_are_refused():
    with pytest.raises(ValueError, match="Weights can be float32, bfloat16, int8, not 'int4'"):
        for_writing(odd(), "int4")


# --- rounded weights


def by_hand(way):
    """The same model with its matrices rounded, written another way."""
    model = odd()
    model.head = torch.nn.Linear(40, 97, bias=False)
    model.head.weight.data = model.embeddings.token.weight.data.clone()
    for part in model.modules():
        if isinstance(part, torch.nn.Linear):
            w = part.weight.data
            if way in (products.BFloat16, products.Float16):
                part.weight.data = w.to(torch.bfloat16 if way is products.BFloat16 else torch.float16).float()
            else:
                for row in w:
                    step = row.abs().max() / 127
                    row.copy_(torch.round(row / step) * step)
    return model


@pytest.mark.parametrize("way", ROUNDED)
def test_rounded_weights_are_those_of_the_model_rounded_by_hand(way):
    quick, wanted = Quick(odd(), way, "", None), by_hand(way)(IDS).logits.detach()
    cache, size = Cache(7), wanted.std()
    steps = torch.cat([quick(IDS[:1, i : i + 1], cache=cache).logits for i in range(7)], 1)
    for found, rows in ((quick(IDS).logits, slice(None)), (steps, slice(1))):
        # the rows that come in are rounded too, in some ways
        assert float((found - wanted[rows]).abs().mean() / size) < (1e-3 if way is products.Float16 else 0.03)
        assert 0 < float((found - odd()(IDS[rows]).logits.detach()).abs().mean() / size) < 0.05


@pytest.mark.parametrize("way", ROUNDED)
@pytest.mark.parametrize("d", [4, 40, 64, 100])
def test_a_product_has_every_width_its_bias_and_rows_that_do_not_depend_on_each_other(way, d):
    torch.manual_seed(d)
    weight, bias, x = torch.randn(7, d), torch.randn(7), torch.randn(5, d)
    found, wanted = way(weight, bias)(x), F.linear(x, weight, bias)
    assert float((found - wanted).norm() / wanted.norm()) < 0.03
    others = way(weight, bias)(torch.cat([x[:2], 50 * x[2:]]))
    torch.testing.assert_close(others[:2], found[:2], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(way(weight)(x), found - bias, rtol=1e-2, atol=5e-2)


def texts(little):
    """Fresh stories, and English that the little model was not made for: both as rows of ids."""
    english = little.tokenizer.encode((ROOT / "LICENSE-TEXT").read_text(encoding="utf-8")).ids
    return {
        "world": pad([little.tokenizer.encode(story.text).ids for story in World().stories(30, seed=12)], 0),
        "English": torch.tensor(english[: 16 * 120]).view(16, 120),
    }


@pytest.mark.parametrize("way", ROUNDED)
def test_rounding_costs_the_little_model_hardly_anything(way):
    """Token by token in the way that writes, as nats a token."""
    little = load("little-gpt2")
    quick, exact = Quick(little.model, way, "", None), for_writing(little.model)
    for name, ids in texts(little).items():
        real, ids = (ids > 0)[:, :100], ids[:, :100]
        wanted, found = (next_token_loss(one(ids).logits, ids, real) for one in (exact, quick))
        assert abs(float(found - wanted)) < 0.02, name
        cache, row, n = Cache(60), ids[:1, :60], 60
        steps = torch.cat([quick(row[:, i : i + 1], cache=cache).logits for i in range(n)], 1)
        off = (steps - exact(row).logits).abs().mean() / exact(row).logits.std()
        assert off < 0.05, name
        if way is not products.Float16:  # whose numbers are those of this model
            assert found != wanted and off > 0


def test_the_fastest_product_is_taken(monkeypatch):
    for numbers, (one, other) in products.WAYS.items():
        for first, second, taken in ((0.5, 0.4, other), (0.3, 0.6, one), (1.2, 0.9, other)):
            in_ways(monkeypatch, {one: first, other: second})
            quick = for_writing(odd(torch.float64), numbers)
            assert isinstance(quick.head, taken) and quick.numbers == numbers
            assert quick(IDS).logits.dtype == torch.float32


@pytest.mark.parametrize("numbers", products.WAYS)
def test_where_small_numbers_are_slow_float32_is_taken(monkeypatch, numbers):
    in_ways(monkeypatch, dict.fromkeys(products.WAYS[numbers], 1.7))
    with pytest.warns(UserWarning, match=f"{numbers} takes longer than in float32, so float32 is used"):
        quick = for_writing(odd(), numbers)
    assert quick.numbers == "float32"
    torch.testing.assert_close(quick(IDS).logits, odd()(IDS).logits, rtol=1e-4, atol=1e-4)


def test_a_product_that_torch_has_not_got_is_never_the_fastest():
    def missing(weight):
        raise RuntimeError("not implemented")

    assert products.times_as_long(missing) == float("inf")
    assert 0 < products.times_as_long(products.Exact, 64, 64) < float("inf")
