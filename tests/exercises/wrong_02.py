"""What readers of chapter 2 get wrong: (exercise, mistake, words of the check's answer, code)."""

WRONG = [
    (
        "02-pairs",
        "forgets the weights",
        "counts 1, expected .*was the count of the word left out",
        """
def count_pairs(words):
    return Counter(pair for word in words for pair in zip(word, word[1:]))
""",
    ),
    (
        "02-pairs",
        "crosses word borders",
        r"the pair \('t', 'c'\) counts .*, expected 0: no word holds it. Were the words glued together",
        """
def count_pairs(words):
    text = "".join(word * count for word, count in words.items())
    return Counter(zip(text, text[1:]))
""",
    ),
    (
        "02-pairs",
        "counts overlapping places once",
        r"the pair \('a', 'a'\) counts 1, expected 2: it stands at the first place",
        """
def count_pairs(words):
    pairs = Counter()
    for word, count in words.items():
        for pair in set(zip(word, word[1:])):
            pairs[pair] += count * word.count("".join(pair))
    return pairs
""",
    ),
    (
        "02-pairs",
        "forgets to add up",
        r"the pair \('c', 'a'\) counts 3, expected 9: were the words added up",
        """
def count_pairs(words):
    return {pair: count * list(zip(word, word[1:])).count(pair) for word, count in words.items() for pair in zip(word, word[1:])}
""",
    ),
    (
        "02-pairs",
        "returns nothing",
        "should return a dict or a Counter, and it returned None",
        """
def count_pairs(words):
    Counter(pair for word in words for pair in zip(word, word[1:]))
""",
    ),
    (
        "02-merging",
        "left to right in text order",
        (
            r"'cats', 'at'\], expected \['cat', 'sat'\]: s\+at was learned before cat\+s. Was the word merged from left"
            r" to right"
        ),
        """
def encode(word, merges):
    tokens, i = list(word), 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in merges:
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i = 0
        else:
            i += 1
    return tokens
""",
    ),
    (
        "02-merging",
        "the commonest pair of the text",
        r"\['a', 'bc', 'bc'\], expected \['ab', 'c', 'bc'\].*Was the commonest pair of the word taken",
        """
def encode(word, merges):
    tokens = list(word)
    while True:
        counts = {pair: list(zip(tokens, tokens[1:])).count(pair) for pair in zip(tokens, tokens[1:]) if pair in merges}
        if not counts:
            return tokens
        best, i = max(counts, key=counts.get), 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == best:
                tokens[i : i + 2] = ["".join(best)]
            i += 1
""",
    ),
    (
        "02-merging",
        "one occurrence only",
        r"\"abab\" became \['ab', 'a', 'b'\], expected \['ab', 'ab'\]: was the pair merged at one place only",
        """
def encode(word, merges):
    tokens = list(word)
    for pair in merges:
        pairs = list(zip(tokens, tokens[1:]))
        if pair in pairs:
            i = pairs.index(pair)
            tokens[i : i + 2] = ["".join(pair)]
    return tokens
""",
    ),
    (
        "02-merging",
        "overlapping aaa as two merges",
        r"became \['aa', 'aa'\], expected \['aa', 'a'\]: that spells \"aaaa\"",
        """
def encode(word, merges):
    tokens = list(word)
    for left, right in merges:
        pairs = list(zip(tokens, tokens[1:]))
        if (left, right) in pairs:
            tokens = [left + right for pair in pairs if pair == (left, right)]
    return tokens
""",
    ),
    (
        "02-longest",
        "shortest match",
        r"\"cat\" became \['c', '##a', '##t'\], expected \['cat'\]: was the shortest piece taken",
        """
def longest_match(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        for end in range(start + 1, len(word) + 1):
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
        "02-longest",
        "splits a failed word partly",
        r"\"catx\" became \['cat', '\[UNK\]'\], expected \['\[UNK\]'\]: .*the whole word is unknown",
        """
def longest_match(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return [*pieces, "[UNK]"]
        pieces.append(piece)
        start = end
    return pieces
""",
    ),
    (
        "02-longest",
        "forgets ##",
        r"\"undo\" became \['un', 'do'\], expected \['\[UNK\]'\].*Was ## forgotten",
        """
def longest_match(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocab or (start and "##" + word[start:end] in vocab):
                break
        else:
            return ["[UNK]"]
        pieces.append(word[start:end])
        start = end
    return pieces
""",
    ),
    (
        "02-longest",
        "goes back",
        r"\"abc\" became \['a', '##bc'\], expected .*does not look back",
        """
def longest_match(word, vocab, prefix=""):
    if not word:
        return []
    for end in range(len(word), 0, -1):
        if prefix + word[:end] in vocab:
            rest = longest_match(word[end:], vocab, "##")
            if rest != ["[UNK]"]:
                return [prefix + word[:end], *rest]
    return ["[UNK]"]
""",
    ),
    (
        "02-padding",
        "inverted mask",
        r"the mask \[0, 0, 0, 1, 1\], expected \[1, 1, 1, 0, 0\]: .*Is the mask inverted",
        """
def pad_batch(rows, length, pad_id):
    rows = [row if len(row) <= length else row[: length - 1] + row[-1:] for row in rows]
    empty = [length - len(row) for row in rows]
    return [row + [pad_id] * n for row, n in zip(rows, empty)], [[0] * (length - n) + [1] * n for n in empty]
""",
    ),
    (
        "02-padding",
        "pads on the left",
        r"became \[0, 0, 2, 7, 3\], expected \[2, 7, 3, 0, 0\]: BERT counts .*put in front",
        """
def pad_batch(rows, length, pad_id):
    rows = [row if len(row) <= length else row[: length - 1] + row[-1:] for row in rows]
    empty = [length - len(row) for row in rows]
    return [[pad_id] * n + row for row, n in zip(rows, empty)], [[0] * n + [1] * (length - n) for n in empty]
""",
    ),
    (
        "02-padding",
        "truncates [SEP] away",
        r"became \[2, 7, 8, 9\], expected \[2, 7, 8, 3\]: the last id is \[SEP\]",
        """
def pad_batch(rows, length, pad_id):
    rows = [row[:length] for row in rows]
    empty = [length - len(row) for row in rows]
    return [row + [pad_id] * n for row, n in zip(rows, empty)], [[1] * (length - n) + [0] * n for n in empty]
""",
    ),
    (
        "02-padding",
        "compares ids",
        r"The row 5, 9, 5, padded with 5, has the mask \[0, 1, 0, 0\], expected \[1, 1, 1, 0\]: GPT-2 pads",
        """
def pad_batch(rows, length, pad_id):
    rows = [row if len(row) <= length else row[: length - 1] + row[-1:] for row in rows]
    rows = [row + [pad_id] * (length - len(row)) for row in rows]
    return rows, [[int(token != pad_id) for token in row] for row in rows]
""",
    ),
    (
        "02-padding",
        "changes what it was given",
        "pad_batch changed what it was given",
        """
def pad_batch(rows, length, pad_id):
    mask = [[1] * min(len(row), length) + [0] * (length - len(row)) for row in rows]
    for row in rows:
        row[length - 1 : -1] = []
        row += [pad_id] * (length - len(row))
    return list(rows), mask
""",
    ),
    (
        "02-decoding",
        "changes nothing",
        r"came back as \"caf\ufffd\ufffd\": each . is a byte that is no letter by itself",
        """
def decode(tokens):
    return "".join(text_of(token) for token in tokens)
""",
    ),
    (
        "02-decoding",
        "leaves bytes out",
        r"\"café\" came back as \"caf\": something is gone",
        """
def text_of(token):
    return from_symbols(token).decode("utf-8", errors="ignore")
""",
    ),
    (
        "02-decoding",
        "reads latin-1",
        r"\"café\" came back as \"cafÃ©\": latin-1 reads each byte as a letter",
        """
def text_of(token):
    return from_symbols(token).decode("latin-1")
""",
    ),
    (
        "02-decoding",
        "refuses half a letter",
        "decode.* raised UnicodeDecodeError",
        """
def decode(tokens):
    return from_symbols("".join(tokens)).decode("utf-8")
""",
    ),
    (
        "02-ten",
        "rare letters",
        "makes 10 tokens. Rare letters do not help",
        """
most, fewest = "qxzjvkwqxz", " gardeners"
""",
    ),
    (
        "02-ten",
        "letters of two bytes",
        "makes 20 tokens, and more than 30 are possible",
        """
most, fewest = "é" * 10, " gardeners"
""",
    ),
    (
        "02-ten",
        "counts what it sees",
        "has 50 characters for Python, expected 10",
        """
most, fewest = "\\U0001F468\\u200D\\U0001F469\\u200D\\U0001F467" * 10, " gardeners"
""",
    ),
    (
        "02-ten",
        "a word without its space",
        "makes [2-9] tokens, and 1 is possible",
        """
most, fewest = "🐈" * 10, "gardenings"
""",
    ),
    (
        "02-ten",
        "half a character",
        "a lone surrogate",
        """
most, fewest = "\\ud800" * 10, " gardeners"
""",
    ),
]
