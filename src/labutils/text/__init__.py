"""Text to ids and back: byte-level BPE as in GPT-2 and WordPiece as in BERT, trained
and applied, by hand.

The files in reading order, one step of the pipeline each:

    unicode.py          what kind of character is this? One table for Python, the
                        browser and HuggingFace
    normalize.py        clean, space out, strip accents, lower-case (BERT)
    pretokenize.py      cut into words that no token crosses: GPT-2's expression,
                        BERT's rule
    bytes.py            the 256 printable symbols of the 256 bytes (GPT-2)
    baselines.py        letters or words as tokens, for comparison
    words.py            the paper model's tokenizer: five whole words
    bpe_train.py        learn merges: count pairs, merge the commonest
                        (fast: bpe_train_fast.py)
    bpe.py              apply merges by rank (fast: bpe_fast.py)
    wordpiece_train.py  learn pieces by score
    wordpiece.py        the longest piece first
    unigram.py          the most probable cut, a third way, for comparison
    added.py            special tokens inside a text
    template.py         one and two segments, truncation, padding
    encoding.py         the result: ids, tokens, masks, offsets
    align.py            tokens, characters and words of one text
    memory.py           words repeat: a bounded memory of their pieces
    tokenizer.py        the pipeline that both tokenizers share
    saving.py           HuggingFace's file formats, written
    beside.py           what stands beside a vocabulary: class, roles, settings
    files.py            and read
"""

from labutils.text.added import AddedToken
from labutils.text.baselines import ListTokenizer
from labutils.text.bpe import ByteLevelBPE
from labutils.text.encoding import Encoding
from labutils.text.files import load_tokenizer
from labutils.text.wordpiece import WordPiece

__all__ = [
    "AddedToken",
    "ByteLevelBPE",
    "Encoding",
    "ListTokenizer",
    "WordPiece",
    "load_tokenizer",
]
