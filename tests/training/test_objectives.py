import random
from collections import Counter
from pathlib import Path

import pytest
import torch

from labutils.training import (
    IGNORE,
    adamw,
    by_length,
    mask_tokens,
    mask_words,
    masked_language_loss,
    moved_right,
    next_token_loss,
    pad,
    sentence_pair,
    seq2seq_loss,
    warmup_cosine,
)

MASK = 1
ORDINARY = range(10, 50)


def test_next_token_loss_is_huggingfaces_with_padding_ignored():
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    model = GPT2LMHeadModel(
        GPT2Config(vocab_size=17, n_positions=9, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    ).eval()
    ids = torch.randint(1, 17, (3, 9))
    mask = torch.tensor([[1] * 9, [1] * 5 + [0] * 4, [1] * 2 + [0] * 7])
    theirs = model(ids, labels=ids.masked_fill(mask == 0, IGNORE)).loss
    torch.testing.assert_close(next_token_loss(model(ids).logits, ids, mask), theirs)


def test_next_token_loss_of_a_sure_model():
    ids = torch.tensor([[3, 1, 2]])
    logits = torch.full((1, 3, 5), -50.0)
    logits[0, 0, 1] = logits[0, 1, 2] = logits[0, 2, 4] = 50.0  # the last row predicts nothing that is there
    assert next_token_loss(logits, ids, torch.ones_like(ids)) < 1e-6


def test_masked_loss_is_the_mean_over_the_chosen():
    logits = torch.zeros(2, 3, 4)
    logits[0, 1] = torch.tensor([1.0, 2, 3, 4])
    labels = torch.full((2, 3), IGNORE)
    labels[0, 1], labels[1, 2] = 3, 0
    wanted = (-logits[0, 1].log_softmax(-1)[3] + torch.log(torch.tensor(4.0))) / 2
    torch.testing.assert_close(masked_language_loss(logits, labels), wanted)


def test_masking_shares():
    """15 % of the words; of these 80 % hidden, 10 % random, 10 % kept; within four standard errors of 40,000 words."""
    rng, kinds, n = random.Random(0), Counter(), 0
    for _ in range(2000):
        ids, words = [2] + [9] * 20 + [3], [None, *range(20), None]
        corrupted, labels = mask_words(ids, words, 0.15, MASK, ORDINARY, rng)
        assert corrupted[0] == 2 and corrupted[-1] == 3 and labels[0] == labels[-1] == IGNORE
        for new, label in zip(corrupted, labels):
            if label != IGNORE:
                assert label == 9
                kinds["hidden" if new == MASK else "kept" if new == 9 else "random"] += 1
            else:
                assert new in (2, 3, 9)
        n += 20
    chosen = sum(kinds.values())
    assert chosen / n == pytest.approx(0.15, abs=0.01)
    for kind, share in (("hidden", 0.8), ("random", 0.1), ("kept", 0.1)):
        assert kinds[kind] / chosen == pytest.approx(share, abs=4 * (share * (1 - share) / chosen) ** 0.5)


def test_all_pieces_of_a_word_share_its_fate():
    ids, words = [5, 6, 7, 8], [0, 1, 1, 1]
    for seed in range(200):
        corrupted, labels = mask_words(ids, words, 0.5, MASK, ORDINARY, random.Random(seed))
        assert labels[1:] in ([6, 7, 8], [IGNORE] * 3)
        assert (MASK in corrupted[1:]) == (corrupted[1:] == [MASK] * 3)


def test_something_is_always_chosen_unless_there_is_nothing():
    assert any(label != IGNORE for label in mask_words([5, 6], [0, 1], 0.0, MASK, ORDINARY, random.Random(0))[1])
    assert mask_words([2, 3], [None, None], 0.5, MASK, ORDINARY, random.Random(0)) == ([2, 3], [IGNORE, IGNORE])


def test_batches_hold_every_sequence_once_and_little_padding():
    rng = random.Random(0)
    lengths = [rng.randint(5, 120) for _ in range(700)]
    batches = by_length(lengths, 1024, rng)
    assert sorted(i for b in batches for i in b) == list(range(700))
    padded = [max(lengths[i] for i in b) * len(b) for b in batches]
    assert max(padded) <= 1024 and sum(padded) < 1.03 * sum(lengths)
    assert by_length([50], 10, rng) == [[0]]


def test_pad():
    assert pad([[1, 2, 3], [4]], -100).tolist() == [[1, 2, 3], [4, -100, -100]]


def test_schedule():
    rates = [warmup_cosine(s, 1000, 2.0, warmup=0.1, final=0.02) for s in range(1000)]
    assert rates[0] == pytest.approx(0.02) and rates[99] == 2.0 and max(rates) == 2.0
    assert rates[549] == pytest.approx(2 * (0.02 + 0.98 / 2), abs=0.01) and rates[-1] == pytest.approx(0.04)
    assert sorted(rates[:100]) == rates[:100] and sorted(rates[99:], reverse=True) == rates[99:]


def test_only_matrices_decay():
    model = torch.nn.Linear(3, 2)
    groups = adamw(model, 1e-3, (0.9, 0.98), 0.05).param_groups
    assert {p.dim(): g["weight_decay"] for g in groups for p in g["params"]} == {2: 0.05, 1: 0.0}


def test_masking_token_by_token_has_the_shares_of_huggingfaces_collator():
    """Both within four standard errors of 15%, 80%, 10% and 10%, and of each other."""
    from transformers import AutoTokenizer, DataCollatorForLanguageModeling

    from labutils import checkpoints

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(Path(checkpoints.__file__).parent / "little-bert")
    size, mask = len(tokenizer), tokenizer.mask_token_id
    ids = torch.full((400, 102), 40)
    ids[:, 0], ids[:, -1] = tokenizer.cls_token_id, tokenizer.sep_token_id
    special = (ids == tokenizer.cls_token_id) | (ids == tokenizer.sep_token_id)
    made = DataCollatorForLanguageModeling(tokenizer, seed=0)([{"input_ids": row} for row in ids.tolist()])
    theirs = made["input_ids"], made["labels"]
    for corrupted, labels in (theirs, mask_tokens(ids, special, mask, size)):
        chosen = labels != IGNORE
        assert not chosen[special].any() and torch.equal(corrupted[~chosen], ids[~chosen])
        assert torch.equal(labels[chosen], ids[chosen])
        n = int(chosen.sum())
        assert n / 40_000 == pytest.approx(0.15, abs=4 * (0.15 * 0.85 / 40_000) ** 0.5)
        found = corrupted[chosen]
        # one token in `size` drawn by chance is the old one, and another is the mask
        for share, wanted in (((found == mask).float().mean(), 0.8), ((found == 40).float().mean(), 0.1)):
            assert float(share) == pytest.approx(wanted, abs=4 * (wanted * (1 - wanted) / n) ** 0.5 + 0.2 / size)


def test_half_of_the_pairs_follow():
    rng, text = random.Random(0), ["a", "b", "c"]
    made = [sentence_pair(text, i % 2, ["x", "y"], rng) for i in range(4000)]
    assert all(second == text[text.index(first) + 1] if follows else second in "xy" for first, second, follows in made)
    assert sum(follows for *_, follows in made) / 4000 == pytest.approx(0.5, abs=4 * 0.5 / 4000**0.5)
    with pytest.raises(ValueError, match="No sentence follows number 2 of 3"):
        sentence_pair(text, 2, ["x"], rng)
    with pytest.raises(ValueError, match="no other sentence"):
        sentence_pair(text, 0, [], rng)


def test_the_loss_of_an_answer_is_huggingfaces():
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    sizes = {"vocab_size": 20, "d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    model = T5ForConditionalGeneration(T5Config(**sizes, decoder_start_token_id=0, pad_token_id=0)).eval()
    asked, answer = torch.randint(2, 20, (2, 5)), torch.tensor([[4, 7, 9, 1], [5, 1, IGNORE, IGNORE]])
    theirs = model(input_ids=asked, labels=answer).loss
    logits = model(input_ids=asked, decoder_input_ids=moved_right(answer, 0, 0)).logits
    torch.testing.assert_close(seq2seq_loss(logits, answer), theirs)


def test_labels_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"need labels of shape \(2, 3\)"):
        next_token_loss(torch.zeros(2, 3, 5), torch.zeros(2, 4, dtype=torch.long), torch.ones(2, 4))
    with pytest.raises(ValueError, match=r"need labels of shape \(2, 3\)"):
        masked_language_loss(torch.zeros(2, 3, 5), torch.zeros(6, dtype=torch.long))
