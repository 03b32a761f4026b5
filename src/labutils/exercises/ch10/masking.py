"""Exercise 10.4: a masking in which three things are wrong, found by counting."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type
from labutils.exercises.drawing import Draw

IGNORE = -100
# a share may be so many standard errors away: less than one run in a million is refused by chance
ERRORS = 5


def check_masking(masking: Callable[..., tuple[Tensor, Tensor]], seed: int | None = None) -> None:
    """Check `masking`: ids (B, n), special (B, n), mask_id, size -> what is read (B, n), labels (B, n).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        masking,
        leaves_special_tokens,
        labels_are_the_old_tokens,
        draws_each_by_itself,
        chooses_fifteen_in_a_hundred,
        hides_eighty_of_these,
        keeps_ten_of_these,
        draws_the_rest_evenly,
        draws_one_for_each_place,
        draws_every_token,
        repeat="check_masking(masking, seed={seed})",
        seed=seed,
    )


def masking(ids, special, mask_id, size):
    chosen = (torch.rand(ids.shape) < 0.15) & ~special
    labels = ids.masked_fill(~chosen, -100)
    fate = torch.rand(ids.shape)
    read = ids.masked_fill(chosen & (fate < 0.8), mask_id)
    other = chosen & (fate >= 0.9)
    return torch.where(other, torch.randint(size, ids.shape), read), labels


RIGHT = (masking,)
# fmt: off
MISTAKES = ()
REFUSED = (
    ("chooses special tokens", "special tokens? (was|were) chosen", " & ~special", ""),
    ("labels everything", "label .* expected -100", "ids.masked_fill(~chosen, -100)", "ids"),
    ("labels with what is read", "label .* the token that stood there", "return torch.where(other",
     "labels = read.masked_fill(~chosen, -100)\n    return torch.where(other"),
    ("hides all", "became the mask, expected 80%", "fate < 0.8", "fate < 2"),
    ("draws a second time for the second tenth", "became the mask.*expected 80%", "chosen & (fate >= 0.9)",
     "chosen & (torch.rand(ids.shape) >= 0.9)"),
    ("keeps none", "stayed as they were, expected 10%", "fate >= 0.9", "fate >= 0.8"),
    ("keeps all the rest", "stayed as they were, expected 10%", "(fate >= 0.9)", "(fate >= 2)"),
    ("chooses none", "chosen, expected 15%",
     "def masking(ids, special, mask_id, size):\n    return ids, torch.full_like(ids, -100)"),
    ("chooses ten in a hundred", "chosen, expected 15%", "< 0.15", "< 0.1"),
    ("chooses the others", "chosen, expected 15%", "< 0.15", "> 0.15"),
    ("draws from half the tokens", "from half of the vocabulary", "torch.randint(size,", "torch.randint(size // 2,"),
    ("never draws the last token", "never drawn", "torch.randint(size,", "torch.randint(size - 1,"),
    ("chooses as many in each text", "in every text", "(torch.rand(ids.shape) < 0.15) & ~special",
     "torch.rand(ids.shape).masked_fill(special, 2).argsort(-1).argsort(-1) < 15"),
    ("draws one token for all", "all the same", "torch.randint(size, ids.shape)", "torch.randint(size, (1,))"),
    ("draws one token for a text", "same token in every place of a text", "torch.randint(size, ids.shape)",
     "torch.randint(size, (len(ids), 1))"),
    ("draws one token for a column", "same token in one place of all texts", "torch.randint(size, ids.shape)",
     "torch.randint(size, ids.shape[1:])"),
    ("chooses whole texts", "whole texts", "torch.rand(ids.shape) < 0.15", "torch.rand(len(ids), 1) < 0.15"),
    ("chooses as many in each batch", "in every batch", "(torch.rand(ids.shape) < 0.15) & ~special",
     "torch.rand(ids.shape).masked_fill(special, 2).flatten().argsort().argsort().view(ids.shape)"
     " < int(0.15 * int((~special).sum()))"),
    ("chooses one in a hundred too many", "chosen, expected 15%", "< 0.15", "< 0.165"),
    ("chooses the same places in each text", "same places in every text", "torch.rand(ids.shape) < 0.15",
     "torch.rand(ids.shape[-1]) < 0.15"),
)
# fmt: on


def asked(answer, ids: Tensor, special: Tensor, mask_id: int, size: int) -> tuple[Tensor, Tensor]:
    """What is read, and the labels; raises NotYet unless both fit the ids. What the answer draws follows from the ids,
    so that a run can be repeated; the reader's own generator is left alone.
    """
    with torch.random.fork_rng():
        torch.manual_seed(int(ids.sum()))
        made = call(answer, ids, special, mask_id, size)
    expect_type(made, tuple | list, "masking", "a pair, what is read and the labels")
    if len(made) != 2:
        raise NotYet(f"masking should return a pair, what is read and the labels, and it returned {len(made)} things.")
    for one in made:
        expect_tensor(one, tuple(ids.shape), "masking")
    return made


def drawn(draw: Draw, B: int = 300, n: int = 100, size: int = 500) -> tuple[Tensor, Tensor, int, int]:
    """Token 7 or one of its neighbours everywhere, special ones at both ends; the mask is token 3."""
    ids = torch.tensor(draw.choices(range(7, 12), B * n)).view(B, n)
    special = torch.zeros(B, n, dtype=torch.bool)
    special[:, 0] = special[:, -1] = True
    ids[:, 0], ids[:, -1] = 1, 2
    return ids, special, 3, size


def expect_share(hits: Tensor, wanted: float, what: str) -> None:
    found, error = float(hits.float().mean()), (wanted * (1 - wanted) / hits.numel()) ** 0.5
    if abs(found - wanted) > ERRORS * error + 0.005:  # one random token in 500 is the old one, or the mask
        raise NotYet(f"Of {hits.numel():,} tokens {found:.1%} {what}, expected {wanted:.0%}.")


def leaves_special_tokens(answer, draw: Draw):
    """Special tokens are never chosen."""
    ids, special, mask_id, size = drawn(draw)
    read, labels = asked(answer, ids, special, mask_id, size)
    hit = special & ((labels != IGNORE) | (read != ids))
    if hit.any() and not (labels == ids).all():
        raise NotYet(f"{int(hit.sum())} special tokens were chosen: they belong to no text.")


def labels_are_the_old_tokens(answer, draw: Draw):
    """The label of a chosen token is what stood there, all other labels are -100."""
    ids, special, mask_id, size = drawn(draw)
    read, labels = asked(answer, ids, special, mask_id, size)
    if (labels != IGNORE).all():
        raise NotYet(
            f"Every token has a label (the first label is {labels[0, 0]}), expected -100 where none was chosen."
        )
    wrong = (labels != IGNORE) & (labels != ids)
    if wrong.any():
        raise NotYet(f"A label is {labels[wrong][0]}, expected {ids[wrong][0]}: the token that stood there.")
    changed = (labels == IGNORE) & (read != ids)
    if changed.any():
        raise NotYet("A token was changed that has the label -100: the model would not be asked for it.")


def chooses_fifteen_in_a_hundred(answer, draw: Draw):
    """Of the ordinary tokens 15% are chosen."""
    ids, special, mask_id, size = drawn(draw, 1500)
    expect_share(asked(answer, ids, special, mask_id, size)[1][~special] != IGNORE, 0.15, "were chosen")


def _chosen(answer, draw: Draw, B: int = 1500) -> tuple[Tensor, Tensor]:
    ids, special, mask_id, size = drawn(draw, B)
    read, labels = asked(answer, ids, special, mask_id, size)
    return read[labels != IGNORE], ids[labels != IGNORE]


def hides_eighty_of_these(answer, draw: Draw):
    """Of the chosen ones 80% become the mask."""
    read, _ = _chosen(answer, draw)
    expect_share(read == 3, 0.8, "became the mask")


def keeps_ten_of_these(answer, draw: Draw):
    """Of the chosen ones 10% stay as they were."""
    read, ids = _chosen(answer, draw)
    expect_share(read == ids, 0.1, "stayed as they were")


def draws_the_rest_evenly(answer, draw: Draw):
    """The others become any token of the vocabulary."""
    read, ids = _chosen(answer, draw)
    other = read[(read != 3) & (read != ids)]
    if not len(other):
        return  # that is told by the shares
    if len(other.unique()) == 1:
        raise NotYet(f"The tokens drawn by chance are all the same, {other[0]}: draw one for each place.")
    if float((other < 250).float().mean()) > 0.7 or float((other < 250).float().mean()) < 0.3:
        raise NotYet(
            f"Nearly all tokens drawn by chance come from half of the vocabulary of 500: {other[:5].tolist()} …"
        )


def draws_one_for_each_place(answer, draw: Draw):
    """Each place has a draw of its own, along texts and across them."""
    ids, special, mask_id, size = drawn(draw)
    ids[~special] += size  # no token that is drawn stood there
    read, labels = asked(answer, ids, special, mask_id, size + 12)
    by_chance = (labels != IGNORE) & (read != mask_id) & (read != ids)
    for where, lines, hit in (
        ("every place of a text", read, by_chance),
        ("one place of all texts", read.T, by_chance.T),
    ):
        several = [line[one] for line, one in zip(lines, hit) if int(one.sum()) > 1]
        if several and all(bool((line == line[0]).all()) for line in several):
            raise NotYet(f"By chance came the same token in {where}: draw one for each place.")


def draws_each_by_itself(answer, draw: Draw):
    """Each text is masked in its own places."""
    ids, special, mask_id, size = drawn(draw, 40)
    labels = asked(answer, ids, special, mask_id, size)[1]
    chosen = labels != IGNORE
    if chosen.any() and (chosen == chosen[:1]).all():
        raise NotYet("The same places in every text were chosen: draw a number for each token.")
    ids, special, mask_id, size = drawn(draw)
    found = (asked(answer, ids, special, mask_id, size)[1] != IGNORE).sum(-1).float()  # (B,): 98 coins each
    if found.mean() > 5 and found.var() < 0.5 * 98 * 0.15 * 0.85:
        raise NotYet(
            f"About {found.mean():.0f} tokens were chosen in every text, hardly ever more or less: choose each token"
            " whatever happens to the others."
        )
    if found.var() > 4 * 98 * 0.15 * 0.85:
        raise NotYet(
            "In some texts nearly all tokens were chosen and in others none, whole texts: draw for each token."
        )
    counts = {
        int((asked(answer, one, special, mask_id, size)[1] != IGNORE).sum()) for one in (ids, ids + 1, ids + 2, ids + 3)
    }
    if len(counts) == 1 and found.mean() > 0:
        raise NotYet(
            f"Exactly {counts.pop()} tokens were chosen in every batch: choose each whatever happens to the others."
        )


def draws_every_token(answer, draw: Draw):
    """Any token of the vocabulary may come, the last one too."""
    ids, special, mask_id, size = drawn(draw, 1500, size=12)
    ids[~special] -= 3  # 4 to 8: the last ones come by chance alone
    read, _ = asked(answer, ids, special, mask_id, size)
    never = sorted(set(range(size)) - set(read.unique().tolist()))
    if never:
        raise NotYet(f"With a vocabulary of {size} token {never[0]} is never drawn: any may come, 0 to {size - 1}.")
