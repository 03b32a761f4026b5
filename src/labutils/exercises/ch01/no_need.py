"""Exercise 1.6: a task that a writer learns from the last state alone, and for which the source matters."""

import math
from collections.abc import Callable
from functools import wraps

import torch
from torch import Tensor, nn

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor
from labutils.exercises.drawing import SEEDS, Draw
from labutils.layers import Seq2Seq
from labutils.training.threads import one_thread

N, STEPS, WIDTH, TEXTS = 12, 200, 32, 64
LEARNT, MATTERS = 0.9, 0.5
ASKED = 4_000  # texts: so many that what is right by chance, a ninth, is printed as 0.1 each time
SURE = 5  # standard errors of a symbol's share
ALIKE = 0.25  # two places of a text hold the same symbol in a ninth of the texts; more than this is no accident
Task = Callable[[int, int, torch.Generator], tuple[Tensor, Tensor]]


def check_no_need(no_need: Task, seed: int | None = None) -> None:
    """Check `no_need`: a length, how many texts and a generator -> sources and targets, symbols from 1 to 9.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        no_need,
        returns_symbols,
        draws_with_the_generator,
        draws_each_symbol_by_itself,
        is_learnt_without_looking_back,
        repeat="check_no_need(no_need, seed={seed})",
        seed=seed,
    )


SOURCE, TARGET = "torch.randint(1, 10, (how_many, n), generator=generator)", "source[:, -1:].expand(-1, n)"
# fmt: off
REFUSED = (
    ("repeats one symbol in the source", r"of the sources are the same in 1.00 of the texts", SOURCE,
     "torch.randint(1, 10, (how_many, 1), generator=generator).repeat(1, n)"),
    ("lets the source go round in twos", r"Places 1 and 3 of the sources are the same", SOURCE,
     "torch.randint(1, 10, (how_many, 2), generator=generator).repeat(1, n)[:, :n]"),
    ("counts up in the source", r"Places 1 and 2 of the sources follow from each other", SOURCE,
     "(torch.randint(0, 9, (how_many, 1), generator=generator) + torch.arange(n)) % 9 + 1"),
    ("writes the source backwards", "How much of the source does it have to remember and work out?", TARGET,
     "source.flip(1)"),
    ("always writes the same", "the source hardly matters", TARGET, "torch.full_like(source, 7)"),
    ("draws the target by itself", r"of the symbols right, expected more than 0.9", TARGET, SOURCE),
    ("draws without the generator", "draw everything with `generator`", ", generator=generator", ""),
    ("draws nothing", "nothing is drawn with `generator`", SOURCE, "torch.full((how_many, n), 7)"),
    ("leaves the upper end out", "The sources never hold a 9: `torch.randint` leaves its upper end out", "(1, 10",
     "(1, 9"),
    ("begins at 2", "The sources never hold a 1, and all nine should occur", "(1, 10", "(2, 10"),
    ("rounds, so that the ends are half as likely", r"0\.0\d\d are a [19], expected about a ninth", SOURCE,
     "(torch.rand(how_many, n, generator=generator) * 8).round().long() + 1"),
    ("never begins with a 9", "At place 1 the sources never hold a 9", "return source,",
     "source[:, 0] = torch.randint(1, 9, (how_many,), generator=generator)\n    return source,"),
    ("repeats a symbol far from both ends",
     "One symbol is little enough; how far is place 9 of 12 from an end of the text", TARGET,
     "source[:, [min(8, n - 1)]].repeat(1, n)"),
    ("drops an axis where n is 1", "For n = 1 and how_many = 1 no_need returned the shape", TARGET,
     "source[:, 1:2].repeat(1, n)"),
    ("uses symbol 0", "whole numbers from 1 to 9", "(1, 10", "(0, 10"),
)
# fmt: on


def drawn(no_need: Task, n: int, how_many: int, seed: int) -> tuple[Tensor, Tensor]:
    """The reader's sources and targets. Raises NotYet where they are none."""

    @wraps(no_need)
    def texts(n, how_many):  # the generator is made in here: drawing changes it, and `call` would object
        return no_need(n, how_many, torch.Generator().manual_seed(seed))

    pair = call(texts, n, how_many)
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise NotYet("no_need should return two tensors, the sources and the targets.")
    for part in pair:
        expect_tensor(part, (how_many, n), f"For n = {n} and how_many = {how_many} no_need")
        if part.is_floating_point() or int(part.min()) < 1 or int(part.max()) > 9:
            raise NotYet("Sources and targets should hold whole numbers from 1 to 9.")
    return pair[0].long(), pair[1].long()


def any_seed(draw: Draw) -> int:
    return draw.between(0, SEEDS)


def returns_symbols(no_need, draw: Draw):
    """Two tables of symbols from 1 to 9, at every length."""
    for n, how_many in ((N, 5), (1, 1), (7, 2)):
        drawn(no_need, n, how_many, any_seed(draw))


def draws_with_the_generator(no_need, draw: Draw):
    """The same seed gives the same texts, another seed others."""
    seed = any_seed(draw)
    one, again, other = (fair.plain(drawn(no_need, N, 20, this)) for this in (seed, seed, seed + 1))
    if one != again:
        raise NotYet("Two generators with the same seed gave different texts: draw everything with `generator`.")
    if one == other:
        raise NotYet("Two different seeds gave the same texts: nothing is drawn with `generator`.")


def draws_each_symbol_by_itself(no_need, draw: Draw):
    """In a source each symbol is drawn by itself, and all nine are as likely."""
    source, _ = drawn(no_need, N, 500, any_seed(draw))
    held = torch.stack([(source == symbol).float().mean(0) for symbol in range(1, 10)])  # (9, N)
    usual = held.max(0).values
    if usual.max() > ALIKE:
        place = int(usual.argmax())
        raise NotYet(
            f"At place {place + 1} of the sources one symbol stands in {usual[place]:.2f} of the texts, expected about"
            " a ninth: let all nine be as likely."
        )
    for apart in range(1, N):
        same = (source[:, apart:] == source[:, :-apart]).float().mean(0)
        shifted = (
            torch.stack([(source[:, apart:] - source[:, :-apart] - by) % 9 == 0 for by in range(9)]).float().mean(1)
        )
        if (most := shifted.max()) > ALIKE:
            place = int(shifted.max(0).values.argmax())
            how = "are the same" if same[place] == most else "follow from each other"
            raise NotYet(
                f"Places {place + 1} and {place + 1 + apart} of the sources {how} in {most:.2f} of the texts, expected"
                " about a ninth: draw each symbol by itself."
            )
    for symbol, share_of in enumerate(held.mean(1).tolist(), 1):
        if not share_of:
            end = ": `torch.randint` leaves its upper end out" if symbol == 9 else ", and all nine should occur"
            raise NotYet(f"The sources never hold a {symbol}{end}.")
    if not held.all():
        symbol, place = (1 + int(i) for i in (held == 0).nonzero()[0])
        raise NotYet(f"At place {place} the sources never hold a {symbol}: let all nine be as likely.")
    off = (held.mean(1) - 1 / 9).abs()
    if off.max() > SURE * math.sqrt(1 / 9 * 8 / 9 / source.numel()):
        symbol = int(off.argmax())
        raise NotYet(
            f"Of the symbols of the sources {held.mean(1)[symbol]:.3f} are a {symbol + 1}, expected about a ninth,"
            " 0.111: let all nine be as likely."
        )


def is_learnt_without_looking_back(no_need, draw: Draw):
    """A writer with the last state alone learns it, and needs the source."""
    first = any_seed(draw)
    print(f"  A writer trains on the task, {STEPS} steps: this takes a few seconds.", flush=True)
    model = trained(no_need, first)
    source, target = drawn(no_need, N, ASKED, first + STEPS)
    right, exchanged = share(model, source, target), share(model, source.roll(1, 0), target)
    if right <= LEARNT:
        why = "How much of the source does it have to remember and work out?"
        repeated = ((target == source[:, place : place + 1]).all() for place in range(N))
        if (place := next((place for place, yes in enumerate(repeated) if yes), None)) is not None:
            why = f"One symbol is little enough; how far is place {place + 1} of {N} from an end of the text?"
        raise NotYet(f"The writer gets {right:.2f} of the symbols right, expected more than {LEARNT}. {why}")
    if exchanged >= MATTERS:
        raise NotYet(
            f"With the sources of other texts {exchanged:.2f} of the symbols are still right, expected less than"
            f" {MATTERS}: the source hardly matters."
        )
    print(f"  {short_of(right, LEARNT)} right, {short_of(exchanged, MATTERS)} with the sources of other texts")


def short_of(share: float, bound: float) -> str:
    """A share with one digit, or with as many as tell it from the bound.

    >>> short_of(0.98, 0.9), short_of(0.47, 0.5), short_of(0.4976, 0.5)
    ('1.0', '0.47', '0.498')
    """
    return next(said for digits in range(1, 9) if float(said := f"{share:.{digits}f}") != bound)


def trained(no_need: Task, first: int) -> Seq2Seq:
    """A writer without attention after a short training on the task, with texts of the seeds from `first` on."""
    with torch.random.fork_rng(), torch.enable_grad(), one_thread():  # the reader's own generator is left alone
        torch.manual_seed(0)
        model = Seq2Seq(10, WIDTH)
        adam = torch.optim.Adam(model.parameters(), lr=0.01)
        for seed in range(first, first + STEPS):
            source, target = drawn(no_need, N, TEXTS, seed)
            loss = nn.functional.cross_entropy(model(source, N, target).mT, target)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
    return model


@torch.no_grad()
def share(model: Seq2Seq, source: Tensor, target: Tensor) -> float:
    """How many of the symbols that the model writes by itself are right."""
    return float((model(source, N).argmax(-1) == target).float().mean())
