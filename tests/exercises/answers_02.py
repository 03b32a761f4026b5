"""Answers to the exercises of chapter 2 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("02-pairs", "neighbours by hand, numpy's numbers, zeros kept", """
import numpy as np

def update_pairs(pairs, words, pair):
    after = {one: np.int64(count) for one, count in pairs.items()}
    for symbols, count in words:
        for sign, row in ((-1, symbols), (1, merge_pair(symbols, pair))):
            for one in zip(row, row[1:]):
                after[one] = after.get(one, np.int64(0)) + sign * count
    return after
"""),
    ("02-pairs", "a plain dict without zeros", """
def update_pairs(pairs, words, pair):
    merged = [(merge_pair(symbols, pair), count) for symbols, count in words]
    return dict(pairs - count_pairs(words) + count_pairs(merged))
"""),
    ("02-merges", "lists for pairs", """
def recover_merges(entries):
    merges = []
    for entry in entries:
        if len(entry) > 1:
            ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
            merges.append(merge_by_rank(entry, ranks))
    return merges
"""),
    ("02-merges", "one merge after the other, as a tuple", """
def recover_merges(entries):
    merges = ()
    for entry in entries:
        symbols = list(entry)
        for left, right in merges:
            i = 0
            while i < len(symbols) - 1:
                if symbols[i] == left and symbols[i + 1] == right:
                    symbols[i : i + 2] = [left + right]
                i += 1
        if len(symbols) == 2:
            merges += (tuple(symbols),)
    return merges
"""),
    ("02-fewest", "from the end, remembered, as a tuple", """
from functools import lru_cache

def fewest_pieces(word, vocab):
    @lru_cache(None)
    def rest(start):
        if start == len(word):
            return ()
        pieces = [(("##" if start else "") + word[start:end], end) for end in range(start + 1, len(word) + 1)]
        cuts = [(piece, *rest(end)) for piece, end in pieces if piece in vocab and rest(end) is not None]
        return min(cuts, key=len, default=None)
    return rest(0) or ("[UNK]",)
"""),
    ("02-fewest", "all beginnings, one piece longer each time", """
def fewest_pieces(word, vocab):
    reached = {0: []}
    while reached and len(word) not in reached:
        further = {}
        for start, cut in reached.items():
            for piece in vocab:
                plain = piece.removeprefix("##")
                if piece.startswith("##") == (start > 0) and word.startswith(plain, start):
                    further.setdefault(start + len(plain), cut + [piece])
        reached = further
    return reached.get(len(word), ["[UNK]"])
"""),
    ("02-padding", "tensors", """
import torch

def pad_left(rows, length, pad_id):
    ids = torch.full((len(rows), length), pad_id)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for i, row in enumerate(rows):
        row = row[-length:]
        ids[i, length - len(row) :] = torch.tensor(row)
        mask[i, length - len(row) :] = True
    return ids, mask, (mask.cumsum(-1) - 1).clamp(min=0)
"""),
    ("02-padding", "tuples, numpy's numbers, and position 1 at padding as in the library", """
import numpy as np

def pad_left(rows, length, pad_id):
    cut = [tuple(row[-length:]) for row in rows]
    empty = [length - len(row) for row in cut]
    return [
        tuple((pad_id,) * n + row for row, n in zip(cut, empty)),
        [np.array([0] * n + [1] * (length - n)) for n in empty],
        np.array([[1] * n + list(range(length - n)) for n in empty]),
    ]
"""),
    ("02-decoding", "bytes joined", """
def detokenize(tokens):
    return str(b"".join(map(from_symbols, tokens)), "utf-8", "replace")
"""),
    ("02-decoding", "letter by letter, as they are complete", """
import codecs

def detokenize(tokens):
    reader = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join(reader.decode(from_symbols(token)) for token in tokens) + reader.decode(b"", final=True)
"""),
    ("02-own", "bytes in place of symbols, numpy's ids, another rule for ties", r'''
import numpy as np
from labutils.world import World

def joined(row, pair, new):
    done = []
    for one in row:
        if done and (done[-1], one) == pair:
            done[-1] = new
        else:
            done.append(one)
    return done

class OwnTokenizer:
    def __init__(self, text, size):
        words = Counter(tuple(word.encode()) for word in gpt2_words(text))
        self.merges, self.bytes_of = {}, {i: bytes([i]) for i in range(256)}
        for new in range(256, size):
            pairs = count_pairs(words.items())
            if not pairs:
                break
            pair = max(pairs, key=lambda one: (pairs[one], one))
            self.merges[pair], self.bytes_of[new] = new, self.bytes_of[pair[0]] + self.bytes_of[pair[1]]
            words = Counter({tuple(joined(word, pair, new)): count for word, count in words.items()})

    def encode(self, text):
        ids = []
        for word in gpt2_words(text):
            row = list(word.encode())
            for pair, new in self.merges.items():
                row = joined(row, pair, new)
            ids += row
        return np.array(ids, dtype=np.int64)

    def decode(self, ids):
        return b"".join(self.bytes_of[i] for i in ids).decode("utf-8", errors="replace")

my_text = "\n".join(story.text for story in World().stories(30, seed=26))
'''),
)
