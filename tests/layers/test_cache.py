"""What a cache holds after passes that went well, that were refused, that were interrupted, and in batches whose texts
begin and end at different times. HuggingFace's GPT-2 with its own cache is the measure.
"""

import re
from dataclasses import replace

import pytest
import torch
import transformers
from twins import small_twins

from labutils.layers import Cache, KeptKeys, count_positions
from labutils.models import GPT2, GPT2Config

SIZES = dict(vocab_size=20, n_positions=12, d_model=8, n_layers=3, n_heads=2, d_ff=16)
IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]])
CAPACITIES = pytest.mark.parametrize("capacity", [None, 12])


@pytest.fixture
def gpt2():
    torch.manual_seed(5)
    model = GPT2(replace(GPT2Config(), **SIZES)).double()
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(std=0.5)
    return model


def held(cache: Cache) -> list[torch.Tensor]:
    """Copies of all that a cache holds."""
    pairs = [cache.layer(i).pair for i in range(SIZES["n_layers"])]
    return [one.clone() for one in (cache.positions, cache.real, *(one for pair in pairs for one in pair))]


def interrupted(layer: int, error: BaseException):
    """A hook that ends a pass in the middle: after the keys of this layer were kept."""

    def see(name, value):
        if name == f"layer {layer} ffn_input":
            raise error
        return value

    return see


def refusals(gpt2):
    too_far = torch.tensor([[12], [0]])  # places 0 to 11 are there
    return {
        "a place too far": lambda cache: gpt2(IDS[:, 5:6], position_ids=too_far, cache=cache),
        "an id too large": lambda cache: gpt2(IDS[:, 5:6] + 20, cache=cache),
        "too many tokens": lambda cache: gpt2(torch.ones(2, 8, dtype=torch.long), cache=cache),
        "another number of texts": lambda cache: gpt2(IDS[:1, 5:6], cache=cache),
        "a mask of another shape": lambda cache: gpt2(IDS[:, 5:6], torch.ones(2, 2), cache=cache),
        "one that counts on too far": lambda cache: gpt2(IDS[:, 5:7], position_ids=too_far.expand(2, 2), cache=cache),
    }


@CAPACITIES
def test_after_a_pass_that_was_refused_a_cache_is_as_it_was(gpt2, capacity):
    for name, refused in refusals(gpt2).items():
        cache = Cache(capacity)
        gpt2(IDS[:, :5], cache=cache)
        before = held(cache)
        with pytest.raises(ValueError):
            refused(cache)
        assert all(map(torch.equal, before, held(cache))), name
        logits = gpt2(IDS[:, 5:], cache=cache).logits
        torch.testing.assert_close(logits, gpt2(IDS).logits[:, 5:], rtol=1e-12, atol=1e-12)


@CAPACITIES
@pytest.mark.parametrize("layer", range(SIZES["n_layers"]))
@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("out of memory")], ids=["Ctrl+C", "memory"])
def test_after_a_pass_that_was_interrupted_a_cache_is_as_it_was(gpt2, capacity, layer, error):
    cache = Cache(capacity)
    with pytest.raises(type(error)):  # the very first pass
        gpt2(IDS[:1, :4], cache=cache, see=interrupted(layer, error))
    assert len(cache) == 0
    gpt2(IDS[:, :5], cache=cache)
    before = held(cache)
    with pytest.raises(type(error)):
        gpt2(IDS[:, 5:7], cache=cache, see=interrupted(layer, error))
    assert len(cache) == 5 and all(map(torch.equal, before, held(cache)))
    logits = gpt2(IDS[:, 5:], cache=cache).logits
    torch.testing.assert_close(logits, gpt2(IDS).logits[:, 5:], rtol=1e-12, atol=1e-12)


@CAPACITIES
def test_a_cache_that_another_model_has_filled_is_refused_and_kept(gpt2, capacity):
    """A twin of the same shape, and one whose heads have another width: neither may read on in it."""
    torch.manual_seed(7)
    twin, wider = GPT2(gpt2.config).double(), GPT2(replace(gpt2.config, d_model=12)).double()
    cache = Cache(capacity)
    gpt2(IDS[:, :5], cache=cache)
    before = held(cache)
    for other in (twin, wider):
        with pytest.raises(ValueError, match="keys and values of another model: begin a new one"):
            other(IDS[:, 5:], cache=cache)
        assert all(map(torch.equal, before, held(cache)))
    torch.testing.assert_close(gpt2(IDS[:, 5:], cache=cache).logits, gpt2(IDS).logits[:, 5:], rtol=1e-12, atol=1e-12)
    for other in (wider, twin):
        cache.reset()
        torch.testing.assert_close(other(IDS, cache=cache).logits, other(IDS).logits, rtol=1e-12, atol=1e-12)


def test_the_last_place_is_read_after_one_too_many_was_refused(gpt2):
    ids = torch.arange(12)[None]
    cache = Cache()
    gpt2(ids[:, :11], cache=cache)
    with pytest.raises(ValueError, match="13 tokens and this model has positions for 12"):
        gpt2(ids[:, :2], cache=cache)
    logits = gpt2(ids[:, 11:], cache=cache).logits
    torch.testing.assert_close(logits, gpt2(ids).logits[:, 11:], rtol=1e-12, atol=1e-12)


@CAPACITIES
def test_a_cache_that_has_forgotten_all_takes_another_number_of_texts(gpt2, capacity):
    cache = Cache(capacity)
    gpt2(IDS, cache=cache)
    for batch in (IDS[:1], IDS.repeat(2, 1), IDS):
        cache.forget(0)
        assert len(cache) == 0
        torch.testing.assert_close(gpt2(batch, cache=cache).logits, gpt2(batch).logits, rtol=1e-12, atol=1e-12)


@CAPACITIES
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_batch_padded_on_the_left_is_read_in_two_pieces(capacity, cut):
    """The first piece of the short text may be padding alone. HuggingFace reads the same pieces."""
    ours, theirs = small_twins("gpt2 odd", torch.float64)
    ids = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 0, 0, 1]])
    mask = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 0, 1, 1]])
    places, cache, kept = count_positions(ids, mask), Cache(capacity), transformers.DynamicCache()
    for part in (slice(0, cut), slice(cut, 5)):
        given = ids[:, part], mask[:, part], places[:, part]
        logits = ours(*given, cache=cache).logits
        other = theirs(
            ids[:, part], attention_mask=mask[:, : part.stop], position_ids=places[:, part], past_key_values=kept
        )
        kept = other.past_key_values
        real = mask[:, part].bool()
        torch.testing.assert_close(logits[real], other.logits[real], rtol=1e-9, atol=1e-9)
    whole = ours(ids, mask, places).logits[:, cut:]
    torch.testing.assert_close(logits[real], whole[real], rtol=1e-12, atol=1e-12)


@CAPACITIES
def test_a_text_that_has_ended_is_padding_while_the_other_goes_on(gpt2, capacity):
    cache = Cache(capacity)
    gpt2(IDS[:, :4], cache=cache)
    for i in range(4, 8):
        mask = torch.tensor([[1], [0]])
        logits = gpt2(IDS[:, i : i + 1], mask, cache=cache).logits
        alone = gpt2(IDS[:1, : i + 1]).logits[0, -1]
        torch.testing.assert_close(logits[0, -1], alone, rtol=1e-12, atol=1e-12)
    assert cache.real[1].tolist() == [True] * 4 + [False] * 4


def test_without_a_cache_a_text_of_padding_alone_is_refused(gpt2):
    with pytest.raises(ValueError, match="hides every token of text 1"):
        gpt2(IDS, torch.tensor([[1] * 8, [0] * 8]))


@pytest.mark.parametrize("capacity", (None, 9))
def test_rows_of_a_batch_go_on_from_others(gpt2, capacity):
    """Each text reads on as one that was read whole; a row may be taken twice, another not at all."""
    texts, rows, more = (
        torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
        [2, 0, 2, 2],
        torch.tensor([[3], [4], [5], [6]]),
    )
    cache = Cache(capacity)
    with torch.no_grad():
        gpt2(texts, cache=cache)
        cache.pick(rows)
        found = gpt2(more, cache=cache).logits[:, -1]
        whole = gpt2(torch.cat([texts[rows], more], dim=1)).logits[:, -1]
    torch.testing.assert_close(found, whole)
    cache.forget(0)
    cache.pick([])
    assert len(cache) == 0


@pytest.mark.parametrize("capacity", [0, -1, 2.5, True, "9", float("nan")])
@pytest.mark.parametrize("make", [Cache, KeptKeys])
def test_a_capacity_is_a_whole_number_of_tokens(make, capacity):
    with pytest.raises(ValueError, match=re.escape(f"at least 1 token, and not {capacity!r}.")):
        make(capacity)


@CAPACITIES
@pytest.mark.parametrize("m", [-1, 2.5, None])
def test_what_cannot_be_kept_is_refused_and_nothing_forgotten(gpt2, capacity, m):
    cache = Cache(capacity)
    gpt2(IDS[:, :5], cache=cache)
    before = held(cache)
    for one in (cache, cache.layer(0)):
        with pytest.raises(ValueError, match="m a whole number from 0 on, not "):
            one.forget(m)
    assert len(cache) == 5 and all(map(torch.equal, before, held(cache)))


@CAPACITIES
@pytest.mark.parametrize("rows", [0, [], [2], [0, -1], [True, False], [0.0], None])
def test_texts_that_are_not_there_cannot_be_picked(gpt2, capacity, rows):
    cache = Cache(capacity)
    gpt2(IDS[:, :5], cache=cache)
    before = held(cache)
    for one in (cache, cache.layer(0)):
        with pytest.raises(ValueError, match="at least one, each from 0 to 1; it was given "):
            one.pick(rows)
    assert all(map(torch.equal, before, held(cache)))


@pytest.mark.parametrize("given", [{}, 9, "yes", transformers.DynamicCache()])
def test_what_is_no_cache_is_refused(gpt2, given):
    with pytest.raises(ValueError, match="takes a Cache of labutils.layers, not '" + type(given).__name__):
        gpt2(IDS, cache=given)
