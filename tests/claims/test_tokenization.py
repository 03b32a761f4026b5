"""Statements about tokenizers that are wrong or loose and have no box in chapter 2, and some that are right: each is
computed here.

A name begins with the number of the claim, so that the page of claims finds its test. `load_tokenizer` reads the real
vocabularies of GPT-2 and of the uncased BERT, which come with the package. `tests/text/test_chapter_02_facts.py` has
more about them.
"""

import json
import random
import re
import unicodedata
from collections import Counter
from functools import cache

import pytest
import torch
import transformers
from tokenizers import Tokenizer, normalizers
from tokenizers.implementations import BertWordPieceTokenizer, ByteLevelBPETokenizer

from labutils.authoring import check
from labutils.authoring.check import links
from labutils.authoring.check.prose import blocks
from labutils.authoring.front import number, planned
from labutils.checkpoints import load, load_tokenizer
from labutils.making.vocabularies import VOCABULARIES
from labutils.text import ByteLevelBPE, WordPiece
from labutils.text.bpe import merge_by_rank
from labutils.text.bpe_train import merge_pair
from labutils.text.bpe_train_fast import learn_merges
from labutils.text.bytes import ALPHABET, to_symbols
from labutils.text.normalize import normalize
from labutils.text.pretokenize import gpt2_words
from labutils.text.wordpiece import longest_match
from labutils.world import World

TEXT = "The cat sat on the mat."


@cache
def gpt2() -> ByteLevelBPE:
    return load("little-gpt2").tokenizer


@cache
def bert() -> WordPiece:
    return load("little-bert").tokenizer


@cache
def stories(n: int = 500) -> list[str]:
    return [story.text for story in World().stories(n, seed=2)]


@pytest.fixture(scope="module")
def huggingfaces(tmp_path_factory):
    """The tokenizers of HuggingFace over the real lists, built from the published files alone."""
    bert = BertWordPieceTokenizer(str(VOCABULARIES / "bert-base-uncased/vocab.txt"), lowercase=True)
    files = (str(VOCABULARIES / "gpt2" / name) for name in ("vocab.json", "merges.txt"))
    return {"bert-base-uncased": bert, "gpt2": ByteLevelBPETokenizer(*files)}


@cache
def written_words() -> list[str]:
    """Words of the stories, and the same words run together, misspelt and given endings that no list has."""
    words = sorted({word for text in stories() for word in re.findall(r"\w+", text)})
    draw = random.Random(0)
    made = [draw.choice(words) + draw.choice(words).lower() for _ in range(500)]
    made += ["".join(draw.sample(word, len(word))) for word in words]
    return words + made + [f"un{word.lower()}nessly" for word in words]


def test_c012_bert_takes_the_longest_piece_first(huggingfaces):
    """The real list, as HuggingFace reads it, and the rule alone: the same ids for each of a thousand words and more."""
    theirs, real = huggingfaces["bert-base-uncased"], load_tokenizer("bert-base-uncased")
    assert json.loads(theirs.to_str())["model"]["type"] == "WordPiece" and len(written_words()) > 1000
    cut = 0
    for word in written_words():
        pieces = longest_match(word.lower(), real.vocab)
        ids = [real.vocab[piece] for piece in pieces] if pieces else [100]
        assert ids == theirs.encode(word, add_special_tokens=False).ids == real.encode(word).ids[1:-1], word
        cut += len(ids) > 1
    assert cut > 500


def test_c013_to_normalise_is_more_than_small_letters_and_tidy_unicode():
    text = "Café\x00 naïve 猫."
    ours = normalize(text)[0]
    assert ours == normalizers.BertNormalizer().normalize_str(text) == "cafe naive  猫 ."
    tidy = unicodedata.normalize("NFC", text.lower())
    assert tidy == "café\x00 naïve 猫."  # the accents, the control character and the missing spaces are still there
    assert bert().encode_ids("café naïve") == bert().encode_ids("cafe naive")


def test_c015_a_piece_inside_a_word_begins_with_two_hashes():
    real = load_tokenizer("bert-base-uncased")
    assert sum(piece.startswith("##") for piece in real.vocab) == 5828
    row = real.encode("unhurried kittens, embeddings")
    starts = {0, 10, 17, 19}  # of the three words and the comma
    for token, (start, _), special in zip(row.tokens, row.offsets, row.special_tokens_mask):
        assert special or token.startswith("##") == (start not in starts)


def test_c016_bert_reads_unbelievable_whole():
    real = load_tokenizer("bert-base-uncased")
    assert real.tokenize("unbelievable") == ["unbelievable"] and "##believ" not in real.vocab


def test_c017_bert_adds_two_special_tokens_and_has_five():
    row = bert().encode(TEXT)
    assert [token for token, added in zip(row.tokens, row.special_tokens_mask) if added] == ["[CLS]", "[SEP]"]
    assert set(bert().special_tokens) == {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    assert set(transformers.BertTokenizer().all_special_tokens) == set(bert().special_tokens)


def test_c018_the_four_special_tokens_of_the_list_leave_unk_out():
    listed = {"[CLS]", "[SEP]", "[MASK]", "[PAD]"}
    assert set(transformers.BertTokenizer().all_special_tokens) - listed == {"[UNK]"}


def test_c019_an_emoji_becomes_the_special_token_that_was_left_out():
    assert bert().encode("🐈").tokens == ["[CLS]", "[UNK]", "[SEP]"]


def test_c020_berts_list_has_30_522_entries():
    """28,996, of the cased one, is cited: its list does not come with the package."""
    assert len(load_tokenizer("bert-base-uncased")) == 30_522 == transformers.BertConfig().vocab_size


def test_c021_sep_closes_a_segment_of_however_many_sentences():
    real = load_tokenizer("bert-base-uncased")
    two_sentences = real.encode("The cat sat. It was tired.").tokens
    assert two_sentences.count("[SEP]") == 1 and two_sentences.index("[SEP]") == len(two_sentences) - 1
    pair = real.encode("The cat sat. It was tired.", "A dog ran. It barked.")
    ends = [i for i, token in enumerate(pair.tokens) if token == "[SEP]"]
    assert len(ends) == 2 and [pair.type_ids[i] for i in ends] == [0, 1] and ends[1] == len(pair.tokens) - 1


def test_c022_the_second_merge_joins_what_is_no_character():
    words = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
    merges = [pair for pair, _ in learn_merges(words, 4)]
    assert merges[:2] == [("a", "t"), ("c", "at")] and len(merges[1][1]) > 1


def test_c024_gpt2_begins_with_one_entry_for_each_byte():
    real = load_tokenizer("gpt2")
    assert {real.token_to_id(symbol) for symbol in ALPHABET} == set(range(256))
    assert real.tokenize(bytes([0xC3, 0xA9]).decode()) == ["Ã©"]  # two bytes, merged


def test_c025_gpt2_has_bytes_merges_and_one_entry_more():
    real = load_tokenizer("gpt2")
    assert len(ALPHABET) == 256 and len(real.merges) == 50_000
    assert 256 + 50_000 + 1 == len(real) and real.token_to_id("<|endoftext|>") == 50_256


def test_c026_no_merge_crosses_from_one_piece_of_the_pattern_to_the_next():
    tokens = [token for text in stories() for token in gpt2().tokenize(f"{text} It's 9 o'clock.")]
    inside = re.compile(r"(?:'(?:s|t|re|ve|m|ll|d)|Ġ?[A-Za-z]+|Ġ?\d+|Ġ?[^A-Za-z\dĠ]+|Ġ+)")
    assert [token for token in tokens if not inside.fullmatch(token)] == []
    on_bytes = learn_merges(Counter(map(to_symbols, stories())), 700, ALPHABET)  # without the pattern
    assert sum(not inside.fullmatch(a + b) for (a, b), _ in on_bytes) > 350


def test_c029_without_a_prompt_gpt2_begins_with_endoftext():
    model, end = load("little-gpt2", library="transformers").model, gpt2().token_to_id("<|endoftext|>")
    assert model.generate(max_new_tokens=3, do_sample=False)[0, 0] == end == model.config.bos_token_id
    assert transformers.GPT2Config().bos_token_id == transformers.GPT2Config().eos_token_id == 50_256


def test_c030_gpt2s_list_has_50_257_entries():
    assert len(load_tokenizer("gpt2")) == 50_257 == transformers.GPT2Config().vocab_size


@pytest.mark.parametrize("name", ["gpt2", "bert-base-uncased"])
def test_c031_ids_run_from_0_to_v_less_one(name):
    real = load_tokenizer(name)
    assert sorted(real.vocab.values()) == list(range(len(real)))


def test_c033_there_are_two_multilingual_berts_and_half_of_each_is_its_table():
    """105,879 and 119,547 are cited, from the two files `config.json`; only the first is about 105 thousand."""
    for V in (105_879, 119_547):
        with torch.device("meta"):
            total = transformers.BertModel(transformers.BertConfig(vocab_size=V)).num_parameters()
        assert 0.48 < V * 768 / total < 0.53


def test_c034_bert_cuts_playing_only_where_its_list_lacks_the_word():
    """The uncased BERT has it, entry 2652; ours has not, and cuts it as the claim says until it is put on the list."""
    assert bert().tokenize("playing") == ["play", "##ing"] and "playing" not in bert().vocab
    longer = WordPiece(bert().vocab | {"playing": len(bert())})
    assert longer.tokenize("playing") == ["playing"]


def test_c035_one_merge_makes_one_token_of_play_and_ing(huggingfaces):
    """GPT-2's own list, by our cutting and by HuggingFace's. Ours lacks that merge, and cuts as the claim says."""
    real = load_tokenizer("gpt2")
    for text, ids in (("playing", [17916]), (" playing", [2712])):
        assert real.encode_ids(text) == huggingfaces["gpt2"].encode(text).ids == ids
    assert ("play", "ing") in real.ranks and ("Ġplay", "ing") in real.ranks
    assert gpt2().tokenize(" playing") == ["Ġplay", "ing"] and ("Ġplay", "ing") not in gpt2().ranks


def test_one_row_of_tokens_fits_one_of_the_two_models():
    theirs, ours = bert().encode(TEXT), gpt2().encode(TEXT)
    assert theirs.tokens[0] == "[CLS]" and theirs.tokens[-1] == "[SEP]"
    assert ours.tokens == gpt2().tokenize(TEXT) and not any(ours.special_tokens_mask)  # nothing is added
    assert gpt2().decode(ours.ids) == TEXT != gpt2().decode(theirs.ids)  # BERT's ids name other tokens here


def test_c036_bert_reads_small_letters_between_cls_and_sep():
    row = load_tokenizer("bert-base-uncased").encode("The cat sat on the mat")
    assert row.ids == [101, 1996, 4937, 2938, 2006, 1996, 13523, 102]
    assert row.tokens == ["[CLS]", "the", "cat", "sat", "on", "the", "mat", "[SEP]"]


def test_c038_endoftext_ends_begins_and_stands_for_the_unknown():
    for tokenizer in (
        transformers.GPT2Tokenizer(),
        transformers.AutoTokenizer.from_pretrained(load("little-gpt2").folder),
    ):
        uses = tokenizer.eos_token, tokenizer.bos_token, tokenizer.unk_token
        assert uses == ("<|endoftext|>",) * 3 and tokenizer.pad_token is None


def test_c039_2415_is_a_woman():
    real = load_tokenizer("gpt2")
    assert real.encode_ids("The cat sat on") == [464, 3797, 3332, 319]
    assert real.decode([464, 2415, 3332, 319]) == "The woman sat on"


def test_c040_the_cat_sat_on_has_14_characters():
    assert len("The cat sat on") == 14 == 11 + "The cat sat on".count(" ")


def test_c043_an_id_is_the_place_of_a_merge():
    ranks = sorted(gpt2().ranks, key=gpt2().ranks.get)
    assert [gpt2().token_to_id(a + b) for a, b in ranks] == list(range(256, 256 + len(ranks)))
    use = Counter(i for text in stories() for i in gpt2().encode_ids(text))
    first, the = gpt2().token_to_id("Ġt"), gpt2().token_to_id("Ġthe")
    assert first < the and use[first] < use[the] / 50  # the lowest id of all merges, and hardly used
    spelled = {text: gpt2().encode_ids(text) for text in (" the", " The", "The", "the")}
    assert len({tuple(ids) for ids in spelled.values()}) == 4  # “The” is one of four, and not the common one
    assert use[the] > 2 * sum(use[gpt2().token_to_id(token)] for token in ("ĠThe", "The"))


def test_c044_an_id_is_no_rank_of_use():
    """“ sat” has a lower id than “ cat”, and in our own list “ t”, the first merge, is hardly used."""
    real = load_tokenizer("gpt2")
    assert real.encode_ids(" sat") == [3332] and real.encode_ids(" cat") == [3797]
    use = Counter(i for text in stories() for i in gpt2().encode_ids(text))
    first, the = gpt2().token_to_id("Ġt"), gpt2().token_to_id("Ġthe")
    assert first < the and use[the] > 50 * use[first]


def test_c045_gpt2s_tokenizer_is_byte_level_bpe_and_sentencepiece_a_library(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    gpt2s = Tokenizer.from_file(str(load("little-gpt2").folder / "tokenizer.json"))
    assert type(gpt2s.model).__name__ == "BPE" and type(gpt2s.pre_tokenizer).__name__ == "ByteLevel"
    cuts = set()
    for kind in ("bpe", "unigram"):  # the library offers both, and in both a space is a letter: ▁
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(stories()),
            model_prefix=str(tmp_path / kind),
            model_type=kind,
            vocab_size=300,
            minloglevel=2,
        )
        library = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / f"{kind}.model"))
        cuts.add(tuple(library.encode("the cat giggled", out_type=str)))
        assert library.encode("🐈", out_type=int)[-1] == library.unk_id()  # bytes never say that
    assert len(cuts) == 2 and all(cut[0].startswith("▁") for cut in cuts)
    assert "Ġ" in "".join(gpt2().tokenize("the cat giggled"))


def test_c046_there_are_few_characters_and_they_make_long_texts():
    letters = {letter for text in stories() for letter in text}
    new = [story.text for story in World().stories(100, seed=3)]
    assert len(letters) < 100 and all(letter in letters for text in new for letter in text)
    assert sum(map(len, new)) > 4 * sum(len(re.findall(r"\w+|[^\w\s]+", text)) for text in new)


def test_c049_gpt2_has_one_special_token():
    real = load_tokenizer("gpt2")
    assert set(real.special_tokens) == {"<|endoftext|>"}
    assert real.token_to_id("<|pad|>") is None and real.token_to_id("<|unk|>") is None


def test_c050_bytes_lose_nothing_and_an_uncased_bert_loses_much():
    for text in ("Crème brûlée", "Two  spaces", "🐈 猫", "HE sat."):
        assert gpt2().decode(gpt2().encode_ids(text)) == text
        assert bert().decode(bert().encode_ids(text)) != text


def test_c052_there_are_vocabularies_below_32_000_and_above_100_000():
    assert transformers.BertConfig().vocab_size == 30_522 < 32_000 == transformers.LlamaConfig().vocab_size
    assert transformers.GemmaConfig().vocab_size == 256_000 > 100_000


def test_c053_what_the_output_ranges_over_are_tokens_and_many_are_no_words():
    model = load("little-gpt2").model
    assert model(torch.tensor([gpt2().encode(TEXT).ids])).logits.shape[-1] == len(gpt2()) == 1000
    assert transformers.GPT2Config().vocab_size == 50_257
    words = {word for text in stories(2000) for word in re.findall(r"\w+", text)}
    whole = [i for i in range(len(gpt2())) if gpt2().decode([i]).strip() in words]
    assert len(whole) < len(gpt2()) / 2


def test_c055_to_encode_is_to_cut_to_merge_by_rank_and_to_look_up(huggingfaces):
    """On GPT-2's own list. Without the first cut, or with the merges in the order of the text, other ids come out."""
    real, texts = load_tokenizer("gpt2"), [*stories(100), " ".join(written_words()), "It's 9 o'clock — naïve 猫!"]

    def by_hand(words):
        return [real.vocab[token] for word in words for token in merge_by_rank(to_symbols(word), real.ranks)]

    for text in texts:
        assert by_hand(gpt2_words(text)) == huggingfaces["gpt2"].encode(text).ids
    assert by_hand(["(cat)'s"]) != by_hand(gpt2_words("(cat)'s"))  # cut before the s; its merge with ' is learned early
    symbols = list("catsat")
    while known := [pair for pair in zip(symbols, symbols[1:]) if pair in real.ranks]:
        symbols = merge_pair(symbols, known[0])  # the first that fits, of whatever rank
    assert symbols != merge_by_rank("catsat", real.ranks)


def test_c056_contexts_are_shorter_than_512_in_none_and_longer_than_8_192_in_some():
    assert transformers.BertConfig().max_position_embeddings == 512
    assert transformers.GPT2Config().n_positions == 1024
    assert transformers.MistralConfig().max_position_embeddings == 131_072 > 8192


def test_c057_a_link_that_names_a_chapter_leads_to_it():
    """And every link of every page leads to a file, and to a heading that is there."""
    titles = {f"*{number(name)}* {chapter['title']}": name for name, chapter in planned().items()}
    titles |= {f"chapter {number(name)}": name for name in planned()}
    named = 0
    for path in [*check.every_notebook(), *check.pages()]:
        assert links.problems(path) == [], path.name
        for _, text in links.texts(path):
            for to, words in (link for block in blocks(text) for link in block.links()):
                if to.endswith(".ipynb") and words in titles:
                    named += 1
                    assert titles[words] in to, (path.name, words)
    assert named >= 2
