"""What readers of chapter 2 get wrong: (exercise, mistake, words of the check's answer, code). And what is as good as
the solution: (exercise, in which way, code).
"""

NO_CAUSE = r"(?m)expected \S+\.$"  # nothing is guessed where no known mistake gives this value

WRONG = [
    (
        "02-pairs",
        "counts the given words anew",
        r"counts 0, expected \d+\. These are the pairs of the given words alone",
        """
def update_pairs(pairs, words, pair):
    return count_pairs([(merge_pair(symbols, pair), count) for symbols, count in words])
""",
    ),
    (
        "02-pairs",
        "takes nothing away",
        "the old ones of these words still count as well",
        """
def update_pairs(pairs, words, pair):
    return pairs + count_pairs([(merge_pair(symbols, pair), count) for symbols, count in words])
""",
    ),
    (
        "02-pairs",
        "takes only the pair away",
        "the pairs to its left and right still count as before",
        """
def update_pairs(pairs, words, pair):
    after = pairs + count_pairs([(merge_pair(symbols, pair), count) for symbols, count in words])
    del after[pair]
    return after
""",
    ),
    (
        "02-pairs",
        "adds nothing",
        "counts 0, expected 1. The old pairs of these words are gone. The new ones are missing",
        """
def update_pairs(pairs, words, pair):
    return pairs - count_pairs(words)
""",
    ),
    (
        "02-pairs",
        "forgets how often a word occurs",
        "Each word was taken once, and it occurs more often",
        """
def update_pairs(pairs, words, pair):
    once = [(symbols, 1) for symbols, _ in words]
    return pairs - count_pairs(once) + count_pairs([(merge_pair(symbols, pair), 1) for symbols, _ in once])
""",
    ),
    (
        "02-pairs",
        "changes what it was given",
        "update_pairs changed what it was given",
        """
def update_pairs(pairs, words, pair):
    pairs.subtract(count_pairs(words))
    pairs.update(count_pairs([(merge_pair(symbols, pair), count) for symbols, count in words]))
    return pairs
""",
    ),
    (
        "02-pairs",
        "the neighbours of each place by themselves",
        NO_CAUSE,
        """
def update_pairs(pairs, words, pair):
    after = Counter(pairs)
    new = "".join(pair)
    for symbols, count in words:
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == pair:
                after[pair] -= count
                if i:
                    after[symbols[i - 1], pair[0]] -= count
                    after[symbols[i - 1], new] += count
                if i + 2 < len(symbols):
                    after[pair[1], symbols[i + 2]] -= count
                    after[new, symbols[i + 2]] += count
    return after
""",
    ),
    (
        "02-pairs",
        "sets where it should add",
        NO_CAUSE,
        """
def update_pairs(pairs, words, pair):
    after = Counter(pairs)
    after.subtract(count_pairs(words))
    for symbols, count in words:
        symbols = merge_pair(symbols, pair)
        for one in zip(symbols, symbols[1:]):
            after[one] = count
    return after
""",
    ),
    (
        "02-pairs",
        "sorts the pairs",
        NO_CAUSE,
        """
def update_pairs(pairs, words, pair):
    after = Counter()
    right = pairs - count_pairs(words) + count_pairs([(merge_pair(symbols, pair), count) for symbols, count in words])
    for one, count in right.items():
        after[tuple(sorted(one))] += count
    return after
""",
    ),
    (
        "02-pairs",
        "joins the pairs",
        r"A key of the result is '..'. Each key is a pair of symbols",
        """
def update_pairs(pairs, words, pair):
    return {"".join(one): count for one, count in pairs.items()}
""",
    ),
    (
        "02-pairs",
        "returns nothing",
        "should return a dict or a Counter, and it returned None",
        """
def update_pairs(pairs, words, pair):
    Counter(pairs).subtract(count_pairs(words))
""",
    ),
    (
        "02-merges",
        "the longest start",
        r"expected \(.*\)\. This is the longest start that was on the list before",
        """
def recover_merges(entries):
    found = []
    for n, entry in enumerate(entries):
        cuts = [(entry[:i], entry[i:]) for i in range(1, len(entry))]
        found += [cut for cut in cuts if set(cut) <= set(entries[:n])][-1:]
    return found
""",
    ),
    (
        "02-merges",
        "the longest end",
        "This is the longest end that was on the list before",
        """
def recover_merges(entries):
    found = []
    for n, entry in enumerate(entries):
        cuts = [(entry[:i], entry[i:]) for i in range(1, len(entry))]
        found += [cut for cut in cuts if set(cut) <= set(entries[:n])][:1]
    return found
""",
    ),
    (
        "02-merges",
        "before the last letter",
        "Each entry was cut before its last letter",
        """
def recover_merges(entries):
    return [(entry[:-1], entry[-1]) for entry in entries if len(entry) > 1]
""",
    ),
    (
        "02-merges",
        "all the letters",
        "These are letters. Which merges had been made by then",
        """
def recover_merges(entries):
    return [tuple(entry) for entry in entries if len(entry) > 1]
""",
    ),
    (
        "02-merges",
        "the letters too",
        r"(?m)0 of them are longer than a letter, and \d merges came back\.$",
        """
def recover_merges(entries):
    ranks = {}
    for entry in entries:
        ranks[tuple(merge_by_rank(entry, ranks))] = len(ranks)
    return list(ranks)
""",
    ),
    (
        "02-merges",
        "ranks that run backwards",
        "came back as .*, expected",
        """
def recover_merges(entries):
    ranks = {}
    for entry in entries:
        if len(entry) > 1:
            ranks[tuple(merge_by_rank(entry, ranks))] = -len(ranks)
    return list(ranks)
""",
    ),
    (
        "02-merges",
        "joined pairs",
        r"(?m)came back as '..', expected \('.', '.'\)\.$",
        """
def recover_merges(entries):
    return [entry for entry in entries if len(entry) > 1]
""",
    ),
    (
        "02-fewest",
        "the longest piece first",
        "expected 2 pieces such as .*. This is what taking the longest piece first gives",
        """
def fewest_pieces(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces
""",
    ),
    (
        "02-fewest",
        "forgets ##",
        "Inside a word the pieces are those with ##",
        """
def fewest_pieces(word, vocab):
    best = [[]]
    for end in range(1, len(word) + 1):
        cuts = [best[i] + [word[i:end]] for i in range(end) if best[i] is not None and word[i:end] in vocab]
        best.append(min(cuts, key=len, default=None))
    return best[-1] or ["[UNK]"]
""",
    ),
    (
        "02-fewest",
        "loses ## on the way",
        "The pieces have lost their ##",
        """
def fewest_pieces(word, vocab):
    best = [[]]
    for end in range(1, len(word) + 1):
        cuts = [best[i] + [word[i:end]] for i in range(end) if best[i] is not None and "##"[: 2 * i] + word[i:end] in vocab]
        best.append(min(cuts, key=len, default=None))
    return best[-1] or ["[UNK]"]
""",
    ),
    (
        "02-fewest",
        "the first cut that works",
        "expected 2 pieces such as",
        """
def fewest_pieces(word, vocab, start=0):
    if start == len(word):
        return []
    for end in range(len(word), start, -1):
        piece = ("##" if start else "") + word[start:end]
        if piece in vocab:
            rest = fewest_pieces(word, vocab, end)
            if rest != ["[UNK]"]:
                return [piece] + rest
    return ["[UNK]"]
""",
    ),
    (
        "02-fewest",
        "all cuts",
        "looked into the vocabulary more than 100,000 times",
        """
def fewest_pieces(word, vocab):
    def cuts(start):
        if start == len(word):
            yield []
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                for rest in cuts(end):
                    yield [piece] + rest
    return min(cuts(0), key=len, default=["[UNK]"])
""",
    ),
    (
        "02-fewest",
        "says nothing about the unknown",
        "should return a list of pieces, and it returned None",
        """
def fewest_pieces(word, vocab):
    best = [[]]
    for end in range(1, len(word) + 1):
        pieces = [(i, ("##" if i else "") + word[i:end]) for i in range(end)]
        cuts = [best[i] + [piece] for i, piece in pieces if best[i] is not None and piece in vocab]
        best.append(min(cuts, key=len, default=None))
    return best[-1]
""",
    ),
    (
        "02-padding",
        "pads behind",
        "The padding is at the right end, where the model should go on",
        """
def pad_left(rows, length, pad_id):
    rows = [row[-length:] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [row + [pad_id] * n for row, n in zip(rows, empty)],
        [[1] * (length - n) + [0] * n for n in empty],
        [list(range(length - n)) + [0] * n for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "inverted mask",
        r"has the mask \[1, .*, expected \[0, .*The mask is inverted: 1 is a token",
        """
def pad_left(rows, length, pad_id):
    rows = [row[-length:] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [[pad_id] * n + row for row, n in zip(rows, empty)],
        [[1] * n + [0] * (length - n) for n in empty],
        [[0] * n + list(range(length - n)) for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "keeps the beginning",
        "The beginning was kept. What the model goes on from is the end",
        """
def pad_left(rows, length, pad_id):
    rows = [row[:length] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [[pad_id] * n + row for row, n in zip(rows, empty)],
        [[0] * n + [1] * (length - n) for n in empty],
        [[0] * n + list(range(length - n)) for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "counts the padding",
        r"has the positions \[0, 1, .*These count the padding too",
        """
def pad_left(rows, length, pad_id):
    rows = [row[-length:] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [[pad_id] * n + row for row, n in zip(rows, empty)],
        [[0] * n + [1] * (length - n) for n in empty],
        [list(range(length)) for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "compares ids",
        r"(?m)has the mask \[0, .*, expected .*\]\.$",
        """
def pad_left(rows, length, pad_id):
    rows = [[pad_id] * (length - len(row)) + row[-length:] for row in rows]
    mask = [[int(token != pad_id) for token in row] for row in rows]
    return rows, mask, [[max(sum(row[: i + 1]) - 1, 0) for i in range(length)] for row in mask]
""",
    ),
    (
        "02-padding",
        "ignores the id of padding",
        "The padding has the id that was asked for, not always 0",
        """
def pad_left(rows, length, pad_id):
    rows = [row[-length:] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [[0] * n + row for row, n in zip(rows, empty)],
        [[0] * n + [1] * (length - n) for n in empty],
        [[0] * n + list(range(length - n)) for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "does not cut",
        "It has not been cut",
        """
def pad_left(rows, length, pad_id):
    empty = [max(length - len(row), 0) for row in rows]
    return (
        [[pad_id] * n + row for row, n in zip(rows, empty)],
        [[0] * n + [1] * len(row) for row, n in zip(rows, empty)],
        [[0] * n + list(range(len(row))) for row, n in zip(rows, empty)],
    )
""",
    ),
    (
        "02-padding",
        "positions that the model does not have",
        "The model cannot read your tables",
        """
def pad_left(rows, length, pad_id):
    rows = [row[-length:] for row in rows]
    empty = [length - len(row) for row in rows]
    return (
        [[pad_id] * n + row for row, n in zip(rows, empty)],
        [[0] * n + [1] * (length - n) for n in empty],
        [list(range(-n, length - n)) for n in empty],
    )
""",
    ),
    (
        "02-padding",
        "changes what it was given",
        "pad_left changed what it was given",
        """
def pad_left(rows, length, pad_id):
    mask, positions = [], []
    for row in rows:
        row[:-length] = []
        mask.append([0] * (length - len(row)) + [1] * len(row))
        positions.append([0] * (length - len(row)) + list(range(len(row))))
        row[:0] = [pad_id] * (length - len(row))
    return list(rows), mask, positions
""",
    ),
    (
        "02-padding",
        "forgets the positions",
        "should return three tables, ids, mask and positions, and it returned 2",
        """
def pad_left(rows, length, pad_id):
    return rows, rows
""",
    ),
    (
        "02-decoding",
        "changes nothing",
        "Each \ufffd is a token that is no text by itself",
        """
def detokenize(tokens):
    return "".join(text_of(token) for token in tokens)
""",
    ),
    (
        "02-decoding",
        "leaves bytes out",
        "Something is gone. Leaving out bytes",
        """
def text_of(token):
    return from_symbols(token).decode("utf-8", errors="ignore")
""",
    ),
    (
        "02-decoding",
        "reads latin-1",
        "latin-1 reads each byte as a letter",
        """
def text_of(token):
    return from_symbols(token).decode("latin-1")
""",
    ),
    (
        "02-decoding",
        "refuses half a letter",
        "detokenize.* raised UnicodeDecodeError",
        """
def detokenize(tokens):
    return from_symbols("".join(tokens)).decode("utf-8")
""",
    ),
    (
        "02-decoding",
        "hides half a letter",
        r"and the rest became \"[abc]\", expected",
        """
def detokenize(tokens):
    return from_symbols("".join(tokens)).decode("utf-8", errors="ignore")
""",
    ),
    (
        "02-decoding",
        "changes the way in",
        "Leave that way as it was",
        """
def tokenize(text):
    return list(text)

def detokenize(tokens):
    return "".join(tokens)
""",
    ),
    (
        "02-decoding",
        "asks the tokenizer of the book",
        "`labutils.checkpoints.*load` ran in your function, and the card does without it",
        """
def detokenize(tokens):
    tokenizer = load("little-gpt2").tokenizer
    return tokenizer.join(tokens)
""",
    ),
]

OWN = """
from labutils.world import World

class OwnTokenizer:
    def __init__(self, text, size):
        counts = Counter(map(to_symbols, gpt2_words(text)))
        words = [(list(word), count) for word, count in counts.items()]
        self.entries, self.ranks = list(ALPHABET), {}
        while len(self.entries) < size and (pairs := count_pairs(words)):
            pair = max(pairs, key=pairs.get)
            self.ranks[pair] = len(self.ranks)
            self.entries.append("".join(pair))
            words = [(merge_pair(symbols, pair), n) for symbols, n in words]
        self.id_of = {entry: i for i, entry in enumerate(self.entries)}

    def encode(self, text):
        words = gpt2_words(text)
        tokens = [token for word in words for token in merge_by_rank(to_symbols(word), self.ranks)]
        return [self.id_of[token] for token in tokens]

    def decode(self, ids):
        return from_symbols("".join(self.entries[i] for i in ids)).decode("utf-8", errors="replace")

my_text = "\\n".join(story.text for story in World().stories(30, seed=26))
"""


def own(*changes: tuple[str, str]) -> str:
    """The class with some of its lines changed."""
    code = OWN
    for old, new in changes:
        assert old in code, old
        code = code.replace(old, new)
    return code


LEFT_TO_RIGHT = """
def merge_by_rank(symbols, ranks):
    symbols, i = list(symbols), 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in ranks:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = max(i - 1, 0)
        else:
            i += 1
    return symbols
"""

WRONG += [
    ("02-own", "letters for bytes", "encode.* raised KeyError|came back as", own(("to_symbols(word)", "word"))),
    (
        "02-own",
        "reads each token by itself",
        "came back as ",
        own((
            'from_symbols("".join(self.entries[i] for i in ids)).decode("utf-8", errors="replace")',
            '"".join(from_symbols(self.entries[i]).decode("utf-8", errors="replace") for i in ids)',
        )),
    ),
    (
        "02-own",
        "gives the symbols back",
        "These are the signs for the bytes, not the text",
        own(('from_symbols("".join(self.entries[i] for i in ids)).decode("utf-8", errors="replace")',
             '"".join(self.entries[i] for i in ids)')),
    ),
    (
        "02-own",
        "forgets that bytes are entries",
        r"With size 2\d\d the ids go from \d+ to \d+, expected 0 to 2\d\d at most",
        own(("len(self.entries) < size", "len(self.ranks) < size")),
    ),
    (
        "02-own",
        "no fence",
        "It has learned the token .*, and gpt2_words cuts inside it",
        own(("gpt2_words(text)", "[text]")),
    ),
    (
        "02-own",
        "a fence in training alone",
        "It has learned the token .*, and gpt2_words cuts inside it",
        own(("        words = gpt2_words(text)\n        tokens", "        words = [text]\n        tokens")),
    ),
    (
        "02-own",
        "stops at pairs that occur once",
        "go on until no pair is left, also where pairs occur once",
        own(("(pairs := count_pairs(words)):", "(pairs := count_pairs(words)) and max(pairs.values()) > 1:")),
    ),
    (
        "02-own",
        "refuses half a letter",
        "decode.* raised UnicodeDecodeError",
        own((', errors="replace"', "")),
    ),
    (
        "02-own",
        "left to right",
        "That is from left to right, not by rank",
        LEFT_TO_RIGHT + OWN,
    ),
    (
        "02-own",
        "forgets how often a word occurs",
        "Trained on .*, it cuts .* into",
        own(("[(list(word), count) for", "[(list(word), 1) for")),
    ),
    (
        "02-own",
        "the rarest pair",
        "Trained on .*, it cuts .* into",
        own(("max(pairs", "min(pairs")),
    ),
    (
        "02-own",
        "a text too short to learn from",
        "my_text has 70 characters and 11 different words; 2,000 and 100 are the least",
        own(('my_text = "\\n".join(story.text for story in World().stories(30, seed=26))',
             'my_text = "The cat sat on the mat. It was tired. " + "On the mat sat the tired cat. It"')),
    ),
    (
        "02-own",
        "stops early",
        "become .* tokens, expected about",
        own(("len(self.entries) < size and", "len(self.entries) < min(size, 330) and")),
    ),
    (
        "02-own",
        "the tokenizer of the book",
        "`labutils.text.bpe.ByteLevelBPE` ran in your function, and the card does without it",
        """
from labutils.text import ByteLevelBPE
from labutils.world import World

class OwnTokenizer:
    def __init__(self, text, size):
        self.inner = ByteLevelBPE.train([text], size, special_tokens=())

    def encode(self, text):
        return self.inner.encode(text).ids

    def decode(self, ids):
        return self.inner.decode(ids)

my_text = "\\n".join(story.text for story in World().stories(30, seed=26))
""",
    ),
]  # fmt: skip

FAIR = [
    (
        "02-pairs",
        "neighbours by hand, numpy's numbers, zeros kept",
        """
import numpy as np

def update_pairs(pairs, words, pair):
    after = {one: np.int64(count) for one, count in pairs.items()}
    for symbols, count in words:
        for sign, row in ((-1, symbols), (1, merge_pair(symbols, pair))):
            for one in zip(row, row[1:]):
                after[one] = after.get(one, np.int64(0)) + sign * count
    return after
""",
    ),
    (
        "02-pairs",
        "a plain dict without zeros",
        """
def update_pairs(pairs, words, pair):
    merged = [(merge_pair(symbols, pair), count) for symbols, count in words]
    return dict(pairs - count_pairs(words) + count_pairs(merged))
""",
    ),
    (
        "02-merges",
        "lists for pairs",
        """
def recover_merges(entries):
    merges = []
    for entry in entries:
        if len(entry) > 1:
            ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
            merges.append(merge_by_rank(entry, ranks))
    return merges
""",
    ),
    (
        "02-merges",
        "one merge after the other, as a tuple",
        """
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
""",
    ),
    (
        "02-fewest",
        "from the end, remembered, as a tuple",
        """
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
""",
    ),
    (
        "02-fewest",
        "all beginnings, one piece longer each time",
        """
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
""",
    ),
    (
        "02-padding",
        "tensors",
        """
import torch

def pad_left(rows, length, pad_id):
    ids = torch.full((len(rows), length), pad_id)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for i, row in enumerate(rows):
        row = row[-length:]
        ids[i, length - len(row) :] = torch.tensor(row)
        mask[i, length - len(row) :] = True
    return ids, mask, (mask.cumsum(-1) - 1).clamp(min=0)
""",
    ),
    (
        "02-padding",
        "tuples, numpy's numbers, and position 1 at padding as in the library",
        """
import numpy as np

def pad_left(rows, length, pad_id):
    cut = [tuple(row[-length:]) for row in rows]
    empty = [length - len(row) for row in cut]
    return [
        tuple((pad_id,) * n + row for row, n in zip(cut, empty)),
        [np.array([0] * n + [1] * (length - n)) for n in empty],
        np.array([[1] * n + list(range(length - n)) for n in empty]),
    ]
""",
    ),
    (
        "02-decoding",
        "bytes joined",
        """
def detokenize(tokens):
    return str(b"".join(map(from_symbols, tokens)), "utf-8", "replace")
""",
    ),
    (
        "02-decoding",
        "letter by letter, as they are complete",
        """
import codecs

def detokenize(tokens):
    reader = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join(reader.decode(from_symbols(token)) for token in tokens) + reader.decode(b"", final=True)
""",
    ),
    (
        "02-own",
        "bytes in place of symbols, numpy's ids, another rule for ties",
        """
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

my_text = "\\n".join(story.text for story in World().stories(30, seed=26))
""",
    ),
]
