"""Learning the merges of byte-pair encoding: count pairs, merge the commonest, repeat.

This is the clear form, which counts everything again after each merge; the one in
``bpe_train_fast.py`` finds the same merges many times faster.

>>> words = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
>>> for (left, right), count in learn_merges_naively(words, 4):
...     print(left + right, count)
at 13
cat 9
sat 4
cats 3
"""

from collections import Counter
from collections.abc import Iterable

from labutils.text.bytes import to_symbols
from labutils.text.pretokenize import chunk_pattern, gpt2_words
from labutils.text.tokenizer import check_text

Pair = tuple[str, str]


def count_words(texts: Iterable[str]) -> Counter:
    """How often each word occurs, spelled in byte symbols.

    >>> count_words(["the cat", "the cat"])
    Counter({'the': 2, 'Ġcat': 2})
    """
    if isinstance(texts, str):
        raise ValueError(
            "Training takes a list of texts; put the one text into a list."
        )
    chunks = Counter()
    for text in texts:
        check_text(text)
        chunks.update(chunk_pattern().findall(text))
    words = Counter()
    for chunk, count in chunks.items():
        for word in gpt2_words(chunk):
            words[word] += count
    return Counter({to_symbols(word): count for word, count in words.items()})


def count_pairs(words: list[tuple[list[str], int]]) -> Counter:
    """How often each pair of neighbours occurs.

    Args:
        words: list of (symbols, count of the word).
    """
    pairs = Counter()
    for symbols, count in words:
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] += count
    return pairs


def merge_pair(symbols: list[str], pair: Pair, new: str = "") -> list[str]:
    """Make one symbol of each occurrence of a pair, from left to right.

    Args:
        new: the symbol (default: the two, one behind the other).

    >>> merge_pair(["a", "a", "a", "b"], ("a", "a"))
    ['aa', 'a', 'b']
    """
    new = new or "".join(pair)
    merged = []
    for symbol in symbols:
        if merged and (merged[-1], symbol) == pair:
            merged[-1] = new
        else:
            merged.append(symbol)
    return merged


def learn_merges_naively(
    words: dict[str, int],
    n_merges: int,
    alphabet: list[str] | None = None,  # later
    min_frequency: int = 1,  # later
) -> list[tuple[Pair, int]]:
    """Count, merge, repeat: each pair that was merged, with its count.

    Args:
        words: word -> count; each character of a word is a symbol.
        n_merges: stop after so many, or when no pair is left.
        alphabet: symbols in the order of their ids (default: all symbols, sorted).
        min_frequency: stop at pairs that occur less often.

    Returns:
        List of ((left, right), count).  Of equally common pairs the one with the
        lowest pair of ids wins, as in HuggingFace's trainer.
    """
    # at first: alphabet = sorted(set("".join(words)))
    alphabet = alphabet or sorted(set("".join(words)))
    ids = {symbol: i for i, symbol in enumerate(alphabet)}
    words = [(list(word), count) for word, count in words.items()]
    merges = []
    while len(merges) < n_merges:
        pairs = count_pairs(words)
        rank = lambda pair: (-pairs[pair], ids[pair[0]], ids[pair[1]])
        best = min(pairs, key=rank, default=None)
        # at first: if best is None:
        if best is None or pairs[best] < min_frequency:
            break
        merges.append((best, pairs[best]))
        ids.setdefault(best[0] + best[1], len(ids))
        words = [(merge_pair(symbols, best), count) for symbols, count in words]
    return merges
