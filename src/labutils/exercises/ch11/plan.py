"""Exercise 11.5: a memory calculator that decides: how many key heads and bits fit."""

from collections.abc import Callable

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show

BITS = (16, 8, 4)


def check_plan(plan: Callable[..., tuple[int, int] | None], seed: int | None = None) -> None:
    """Check `plan`: room in bytes, weights in bytes, layers, heads, head_dim, tokens, texts -> (key heads, bits),
    or None.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        plan,
        gives_up_nothing_without_need,
        fits,
        gives_up_no_more_than_needed,
        says_when_nothing_fits,
        repeat="check_plan(plan, seed={seed})",
        seed=seed,
    )


def plan(room, weights, layers, heads, head_dim, tokens, texts):
    for bits in (16, 8, 4):
        for key_heads in range(heads, 0, -1):
            numbers = 2 * layers * key_heads * head_dim * tokens * texts
            if heads % key_heads == 0 and weights + numbers * bits / 8 <= room:
                return key_heads, bits
    return None


RIGHT = (plan,)
NUMBERS, FITS = "2 * layers * key_heads * head_dim * tokens * texts", "weights + numbers * bits / 8 <= room"
# fmt: off
MISTAKES = ()
REFUSED = (
    ("forgets the values", "does not fit", NUMBERS, "layers * key_heads * head_dim * tokens * texts"),
    ("forgets the weights", "does not fit", FITS, "numbers * bits / 8 <= room"),
    ("forgets the texts", "does not fit", NUMBERS, "2 * layers * key_heads * head_dim * tokens"),
    ("forgets the layers", "does not fit", NUMBERS, "2 * key_heads * head_dim * tokens * texts"),
    ("takes bits for bytes", "needlessly|would fit as well", FITS, "weights + numbers * bits <= room"),
    ("takes the smallest", "needlessly|would fit as well", "(16, 8, 4)", "(4,)"),
    ("lets heads share unequally", "does not divide", "heads % key_heads == 0 and ", ""),
    ("knows the divisors of 12", "needlessly|would fit as well|does not divide|found nothing", "range(heads, 0, -1)",
     "(12, 6, 4, 3, 2, 1)"),
    ("leaves a byte free", "needlessly|would fit as well", "<= room", "< room"),
    ("gives a plan that does not fit", "nothing fits", "return None", "return 1, 4"),
)
# fmt: on


def need(key_heads: int, bits: int, weights: int, layers: int, head_dim: int, tokens: int, texts: int) -> float:
    return weights + 2 * layers * key_heads * head_dim * tokens * texts * bits / 8


def divisors(n: int) -> list[int]:
    return [k for k in range(1, n + 1) if n % k == 0]


def expect(answer, room: int, weights: int, layers: int, heads: int, head_dim: int, tokens: int, texts: int) -> None:
    found = call(answer, room, weights, layers, heads, head_dim, tokens, texts)
    told = f"For {room:,} bytes, {weights:,} of them weights, {layers} layers, {heads} heads of {head_dim},"
    told += f" {tokens:,} tokens and {texts} texts"
    size = lambda G, bits: need(G, bits, weights, layers, head_dim, tokens, texts)
    if found is None:
        if size(1, 4) <= room:
            raise NotYet(f"{told} plan found nothing, and one key head with 4 bits fits.")
        return
    pair = [fair.whole(x) for x in found] if isinstance(found, tuple | list) and len(found) == 2 else [None]
    if None in pair:
        raise NotYet(f"plan should return a pair of whole numbers, key heads and bits, or None; this is {show(found)}.")
    G, bits = pair
    if bits not in BITS:
        raise NotYet(f"{told} plan chose {bits} bits, and there are 16, 8 and 4.")
    if G < 1 or heads % G:
        raise NotYet(f"{told} plan chose {G} key heads, which does not divide {heads}.")
    if size(1, 4) > room:
        raise NotYet(f"{told} nothing fits, and plan chose {G} key heads with {bits} bits: return None.")
    if size(G, bits) > room:
        raise NotYet(
            f"{told} {G} key heads with {bits} bits does not fit: with the weights that takes"
            f" {size(G, bits):,.0f} bytes."
        )
    more = [(one, bits) for one in divisors(heads) if one > G] + [(G, one) for one in BITS if one > bits]
    for other in more:
        if size(*other) <= room:
            raise NotYet(
                f"{told} plan chose {G} key heads with {bits} bits, and {other[0]} with {other[1]} would fit as well."
            )


def drawn(draw: Draw, key_heads: int, bits: int, more: int = 0, heads: int = 12) -> tuple[int, ...]:
    """A machine on which these key heads and bits take all the room, or `more` bytes less than all."""
    layers, head_dim = draw.between(2, 24), draw.choice((32, 64))
    tokens, texts = 8 * draw.between(20, 400), draw.between(2, 20)
    weights = draw.between(10**5, 10**7)
    room = int(need(key_heads, bits, weights, layers, head_dim, tokens, texts)) + more
    return room, weights, layers, heads, head_dim, tokens, texts


def gives_up_nothing_without_need(answer, draw: Draw):
    """Where everything fits, to the last byte, nothing is given up."""
    expect(answer, *drawn(draw, 12, 16))


def fits(answer, draw: Draw):
    """Weights and caches of all texts fit into the room."""
    for key_heads, bits in ((6, 16), (12, 8), (4, 8), (3, 4)):
        expect(answer, *drawn(draw, key_heads, bits))


def gives_up_no_more_than_needed(answer, draw: Draw):
    """No larger choice of one of the two would fit as well, the other left as it is."""
    for _ in range(4):
        expect(answer, *drawn(draw, draw.choice(divisors(12)), draw.choice(BITS), draw.between(0, 5000)))
    room, *others = drawn(draw, 5, 16)
    expect(answer, room, *others)
    for heads in (16, 10, 7):
        expect(answer, *drawn(draw, max(divisors(heads)[:-1]), 16, heads=heads))
        expect(answer, *drawn(draw, heads, 16, heads=heads))


def says_when_nothing_fits(answer, draw: Draw):
    """Where nothing fits the answer is None."""
    expect(answer, *drawn(draw, 1, 4, -1))
