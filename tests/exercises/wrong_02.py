"""What readers of chapter 2 get wrong: (exercise, mistake, words of the check's answer, code)."""

WRONG = [
    ("02-pairs", "forgets the weights", "counts 1, expected .*was the count of the word left out", """
def count_pairs(words):
    return Counter(pair for word in words for pair in zip(word, word[1:]))
"""),
    ("02-pairs", "crosses word borders", r"the pair \('t', 'c'\) counts .*, expected 0: no word holds it. Were the words glued together", """
def count_pairs(words):
    text = "".join(word * count for word, count in words.items())
    return Counter(zip(text, text[1:]))
"""),
    ("02-pairs", "counts overlapping places once", r"the pair \('a', 'a'\) counts 1, expected 2: it stands at the first place", """
def count_pairs(words):
    pairs = Counter()
    for word, count in words.items():
        for pair in set(zip(word, word[1:])):
            pairs[pair] += count * word.count("".join(pair))
    return pairs
"""),
    ("02-pairs", "forgets to add up", r"the pair \('c', 'a'\) counts 3, expected 9: were the words added up", """
def count_pairs(words):
    return {pair: count * list(zip(word, word[1:])).count(pair) for word, count in words.items() for pair in zip(word, word[1:])}
"""),
    ("02-pairs", "returns nothing", "should return a dict or a Counter, and it returned None", """
def count_pairs(words):
    Counter(pair for word in words for pair in zip(word, word[1:]))
"""),
]
