"""What a layer costs, counted from the sizes alone: operations, numbers kept, and
parameters.

A product of an (a, b) with a (b, c) matrix takes 2abc operations: abc multiplications
and as many additions. Adding a bias, the softmax and the norms are left out; they grow
with n·d or H·n² and are small beside the products.
"""

from typing import NamedTuple


class Operations(NamedTuple):
    """Of one layer on one text, forward, by what they are for."""

    projecting: int  # rows to queries, keys and values, and the heads back to rows
    comparing: int  # queries with keys, and weights with values
    feed_forward: int


def operations(
    n: int, d_model: int, n_heads: int = 1, d_ff: int = 0, past: int = 0
) -> Operations:
    """Count the products of a layer, one by one.

    n: tokens. d_ff: width of the feed-forward network, 0 for attention alone. past:
    tokens before them whose keys and values are kept; queries meet all past + n. The
    number of heads cancels: each is as much narrower as there are more of them. Without
    a mask that is made use of: PyTorch computes the hidden scores as well.

    >>> operations(1024, 768, 12, 3072)
    Operations(projecting=4831838208, comparing=3221225472, feed_forward=9663676416)

    Raises:
        ValueError: heads that do not divide the width.
    """
    if d_model % n_heads:
        raise ValueError(
            f"A row of {d_model} columns cannot be cut into {n_heads} heads."
        )
    head_dim = d_model // n_heads
    queries_keys_values = 3 * product(n, d_model, d_model)
    output = product(n, d_model, d_model)
    scores = n_heads * product(n, head_dim, past + n)
    mixture = n_heads * product(n, past + n, head_dim)
    there_and_back = product(n, d_model, d_ff) + product(n, d_ff, d_model)
    return Operations(queries_keys_values + output, scores + mixture, there_and_back)


def product(a: int, b: int, c: int) -> int:
    """(a, b) @ (b, c)"""
    return 2 * a * b * c


def weights_kept(n: int, n_heads: int) -> int:
    """How many attention weights one layer has: one for each head and pair of tokens.

    >>> weights_kept(1024, 12) * 4 / 2**20  # MiB in float32
    48.0
    """
    return n_heads * n**2


def cache_bytes(
    tokens: int,
    n_layers: int,
    n_key_heads: int,
    head_dim: int,
    bytes_per_number: float = 4,
    batch: int = 1,
) -> float:
    """What keys and values of so many tokens take: two numbers for each layer, key head
    and column of a head. Half a byte is a number of four bits, without its scale.

    >>> [cache_bytes(1024, 12, 12, 64, size) / 2**20 for size in (4, 2, 1)]  # MiB
    [72.0, 36.0, 18.0]
    """
    return 2 * n_layers * n_key_heads * head_dim * bytes_per_number * tokens * batch


class Parameters(NamedTuple):
    """Of one block, by what they are for; biases are counted with their matrices."""

    attention: int
    feed_forward: int
    norms: int


def parameters(d_model: int, d_ff: int, gated: bool = False) -> Parameters:
    """Count what one block learns: four square matrices, two between the widths, and
    a gain and an offset for each of two LayerNorms. The number of heads cancels.

    gated: a third matrix between the widths, and no bias in the feed-forward network
    (Shazeer 2020, equation 6).

    >>> parameters(768, 3072)
    Parameters(attention=2362368, feed_forward=4722432, norms=3072)
    >>> parameters(768, 2048, gated=True).feed_forward == 2 * 768 * 3072
    True

    Raises:
        ValueError: a width below 1.
    """
    if min(d_model, d_ff) < 1:
        raise ValueError(
            f"Widths are at least 1; these are {d_model} and, inside, {d_ff}."
        )
    attention = 4 * (d_model * d_model + d_model)
    if gated:
        return Parameters(attention, 3 * d_model * d_ff, 4 * d_model)
    expand, contract = d_model * d_ff + d_ff, d_ff * d_model + d_model
    return Parameters(attention, expand + contract, 4 * d_model)
