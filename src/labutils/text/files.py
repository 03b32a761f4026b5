"""HuggingFace's tokenizer files, read, in this order of preference:

    tokenizer.json              everything in one file
    vocab.json + merges.txt     byte-level BPE (GPT-2)
    vocab.txt                   WordPiece (BERT)

with the settings and extra tokens of ``tokenizer_config.json``,
``special_tokens_map.json`` and ``added_tokens.json`` where they exist.
"""

import json
from pathlib import Path

from labutils.text.added import SPACES
from labutils.text.beside import Beside, Named, check_settings, kind_of, named
from labutils.text.bpe import ByteLevelBPE
from labutils.text.template import Template
from labutils.text.wordpiece import WordPiece


def load_tokenizer(folder: str | Path) -> ByteLevelBPE | WordPiece:
    """The tokenizer whose files are in a folder: a ``ByteLevelBPE`` or a ``WordPiece``.

    Raises:
        ValueError: when files are missing, damaged, or ask for something that neither
            GPT-2's nor BERT's tokenizer does.
    """
    try:
        return _from_files(Path(folder))
    except KeyError as error:
        raise ValueError(
            f"A file of the tokenizer in {folder} is damaged: the entry {error} is"
            " missing."
        ) from error
    except (AttributeError, IndexError, TypeError) as error:
        raise ValueError(
            f"A file of the tokenizer in {folder} is damaged: an entry is of another"
            " kind than HuggingFace writes."
        ) from error


def _from_files(folder: Path) -> ByteLevelBPE | WordPiece:
    there = (folder / "tokenizer.json").exists()
    whole = _read_json(folder / "tokenizer.json") if there else {}
    beside = _beside(folder, whole)
    if there:
        return from_whole(whole, beside)
    if beside.kind != "bert" and all(
        (folder / name).exists() for name in ("vocab.json", "merges.txt")
    ):
        return bpe_from_files(folder, beside)
    if beside.kind != "gpt2" and (folder / "vocab.txt").exists():
        return wordpiece_from_files(folder, beside)
    raise ValueError(
        f"There is no tokenizer in {folder}: it needs tokenizer.json, vocab.json +"
        " merges.txt for the class of GPT-2, or vocab.txt for that of BERT."
    )


def _beside(folder: Path, whole: dict) -> Beside:
    """The small files."""
    content = lambda name: _read_json(folder / name) if (folder / name).exists() else {}
    said = content("tokenizer_config.json")
    check_settings(said)
    return Beside(
        kind_of(said, content("config.json"), whole),
        said,
        content("special_tokens_map.json"),
        content("added_tokens.json"),
    )


def bpe_from_files(folder: Path, beside: Beside) -> ByteLevelBPE:
    """GPT-2's own files."""
    merges = []
    for line in _lines(folder / "merges.txt"):
        if line and not line.startswith("#version"):
            if line.count(" ") != 1:
                raise ValueError(
                    "A line of merges.txt is not two symbols with a space between"
                    f" them: {line!r}."
                )
            merges.append(tuple(line.split(" ")))
    vocab = _read_json(folder / "vocab.json")
    if any(right.endswith("</w>") for _, right in merges):
        raise ValueError(
            "The symbols of merges.txt end words with </w>, which GPT-2's do not."
        )
    if beside.kind is None and "<s>" in vocab and "<|endoftext|>" not in vocab:
        raise ValueError(
            "vocab.json has <s> and no <|endoftext|>, as RoBERTa's: it is not GPT-2's."
        )
    return _gpt2(vocab, merges, named(beside, "gpt2", {}), beside, {})


def wordpiece_from_files(folder: Path, beside: Beside) -> WordPiece:
    """BERT's own files.  Without a configuration the vocabulary counts as uncased, as
    in HuggingFace.
    """
    lines = (line.rstrip(SPACES) for line in _lines(folder / "vocab.txt"))
    vocab = {token: i for i, token in enumerate(lines)}
    return _bert(vocab, named(beside, "bert", {}), beside, {})


def from_whole(whole: dict, beside: Beside) -> ByteLevelBPE | WordPiece:
    """The contents of a tokenizer.json, with what stands beside it."""
    model = whole.get("model", {})
    holds = model.get("type") or ("BPE" if "merges" in model else "WordPiece")
    if holds not in ("BPE", "WordPiece"):
        raise ValueError(
            f"tokenizer.json holds a {holds} model; this package reads BPE (GPT-2) and"
            " WordPiece (BERT)."
        )
    kind = beside.kind or "plain"
    if kind == ("bert" if holds == "BPE" else "gpt2"):
        raise ValueError(
            f"tokenizer.json holds a {holds} model, and the class beside it"
            f" ({beside.said.get('tokenizer_class') or kind}) reads none."
        )
    vocab, tokens = model.get("vocab", {}), named(beside, kind, whole)
    if holds == "BPE":
        merges = [
            tuple(pair.split(" ")) if isinstance(pair, str) else tuple(pair)
            for pair in model["merges"]
        ]
        _check_bpe(whole, model)
        tokenizer = _gpt2(vocab, merges, tokens, beside, whole)
    else:
        _check_wordpiece(whole)
        tokenizer = _bert(vocab, tokens, beside, whole)
    if kind == "plain":
        _check_decoder(whole, "ByteLevel" if holds == "BPE" else "WordPiece")
    return tokenizer


def _check_bpe(whole: dict, model: dict) -> None:
    for setting in (
        "dropout",
        "unk_token",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "byte_fallback",
    ):
        if model.get(setting):
            raise ValueError(
                f"tokenizer.json asks for {setting}={model[setting]!r}, which GPT-2's"
                " tokenizer does not have."
            )
    if whole.get("normalizer"):
        raise ValueError(
            "tokenizer.json normalises text before its BPE, which GPT-2's tokenizer"
            " does not do."
        )
    cutter = whole.get("pre_tokenizer") or {}
    if cutter.get("type") != "ByteLevel" or not cutter.get("use_regex", True):
        raise ValueError(
            "tokenizer.json does not cut text with GPT-2's byte-level expression."
        )


def _check_wordpiece(whole: dict) -> None:
    normalizer, cutter = whole.get("normalizer") or {}, whole.get("pre_tokenizer") or {}
    if (
        normalizer.get("type") != "BertNormalizer"
        or cutter.get("type") != "BertPreTokenizer"
    ):
        raise ValueError(
            "tokenizer.json does not normalise and cut text as BERT does"
            " (BertNormalizer, BertPreTokenizer)."
        )


def _check_decoder(whole: dict, usual: str) -> None:
    found = (whole.get("decoder") or {}).get("type")
    if found != usual:
        raise ValueError(
            f"tokenizer.json joins tokens with the decoder {found}, and this package"
            f" with {usual} here."
        )
    mark = lambda part, name: (whole[part] or {}).get(name, "##")
    if usual == "WordPiece" and (
        mark("decoder", "prefix") != mark("model", "continuing_subword_prefix")
    ):
        raise ValueError(
            "tokenizer.json joins pieces by another mark than it cuts them by."
        )


def _gpt2(
    vocab: dict, merges: list, tokens: Named, beside: Beside, whole: dict
) -> ByteLevelBPE:
    """GPT-2's tokenizer anew, or as tokenizer.json has it."""
    post, plain = whole.get("post_processor") or {}, beside.kind in (None, "plain")
    plain = plain and bool(whole)
    cutter, model = whole.get("pre_tokenizer") or {}, whole.get("model") or {}
    spaced = beside.said.get("add_prefix_space", False)
    if plain:  # that of the settings does nothing then
        spaced = cutter.get("add_prefix_space", True)
    templates = (
        _templates(post, vocab, whole) if whole else _begun_and_ended(beside, tokens)
    )
    tokenizer = ByteLevelBPE(
        vocab,
        merges,
        tokens.added,
        add_prefix_space=bool(spaced),
        pad_token=tokens.roles.get("pad_token"),
        trim_offsets=post.get("type") == "ByteLevel" and post.get("trim_offsets", True),
        ignore_merges=plain and bool(model.get("ignore_merges", False)),
        **templates,
    )
    if post.get("type") == "ByteLevel":
        tokenizer.keeps_lead = bool(post.get("add_prefix_space", True))
    return _settled(tokenizer, tokens, beside, whole)


def _begun_and_ended(beside: Beside, tokens: Named) -> dict[str, Template]:
    """What GPT-2's class puts around a text: nothing, or what the settings ask for."""
    wanted = lambda role: bool(beside.said.get(f"add_{role}")) and role in tokens.roles
    before = [tokens.roles["bos_token"]] if wanted("bos_token") else []
    after = [tokens.roles["eos_token"]] if wanted("eos_token") else []
    segment = lambda slot, kind: [(token, kind) for token in (*before, slot, *after)]
    return {"single": segment("A", 0), "pair": [*segment("A", 0), *segment("B", 1)]}


def _bert(vocab: dict, tokens: Named, beside: Beside, whole: dict) -> WordPiece:
    """BERT's tokenizer anew, or as tokenizer.json has it."""
    if whole and beside.kind in (None, "plain"):
        normalizer, model = whole["normalizer"], whole["model"]
        settings = {
            "lowercase": normalizer["lowercase"],
            "strip_accents": normalizer.get("strip_accents"),
            "tokenize_chinese_chars": normalizer["handle_chinese_chars"],
            "clean_text": normalizer["clean_text"],
            "unk_token": model.get("unk_token", "[UNK]"),
            "prefix": model.get("continuing_subword_prefix", "##"),
            "max_chars": model.get("max_input_chars_per_word", 100),
            "cleanup": (whole.get("decoder") or {}).get("cleanup", True),
            **_templates(whole.get("post_processor") or {}, vocab, whole),
        }
        pad = tokens.roles.get("pad_token") or ("[PAD]" if "[PAD]" in vocab else None)
    else:
        settings = {
            "lowercase": beside.said.get("do_lower_case", True),
            "strip_accents": beside.said.get("strip_accents"),
            "tokenize_chinese_chars": beside.said.get("tokenize_chinese_chars", True),
        }
        for role in ("unk_token", "cls_token", "sep_token"):
            token = tokens.roles.get(role)
            if token not in vocab:
                raise ValueError(f"The vocabulary has no {token}, the {role} of BERT.")
            settings[role] = token
        pad = tokens.roles.get("pad_token")
    tokenizer = WordPiece(vocab, tokens.added, pad_token=pad, **settings)
    return _settled(tokenizer, tokens, beside, whole)


def _settled(tokenizer, tokens: Named, beside: Beside, whole: dict):
    """The tokenizer with the settings that both kinds share."""
    said = beside.said
    tokenizer.roles, tokenizer.extra = dict(tokens.roles), list(tokens.extra)
    tokenizer.padding_side = beside.side("padding_side", whole.get("padding"))
    tokenizer.truncation_side = beside.side("truncation_side", whole.get("truncation"))
    for_bpe = "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output"
    tokenizer.clean_up = bool(said.get("clean_up_tokenization_spaces")) and (
        isinstance(tokenizer, WordPiece) or bool(said.get(for_bpe))
    )
    return tokenizer


def _templates(post: dict, vocab: dict, whole: dict) -> dict[str, Template]:
    """A post-processor as templates for one and for two texts."""
    if post.get("type") in (None, "ByteLevel"):
        return {"single": [("A", 0)], "pair": [("A", 0), ("B", 1)]}
    ids = {e["content"]: e["id"] for e in whole.get("added_tokens") or []} | vocab
    if post["type"] == "BertProcessing":
        for token, token_id in (post["cls"], post["sep"]):
            _check_id(token, [token_id], ids)
        single = [(post["cls"][0], 0), ("A", 0), (post["sep"][0], 0)]
        return {"single": single, "pair": [*single, ("B", 1), (post["sep"][0], 1)]}
    if post["type"] == "TemplateProcessing":
        for name, token in post.get("special_tokens", {}).items():
            _check_id(name, token["ids"], ids)
            if token["tokens"] != [name]:
                raise ValueError(
                    f"tokenizer.json writes {token['tokens']} where its template has"
                    f" {name}, which this package does not."
                )
        slots = lambda items: [
            (slot["id"], slot["type_id"]) for item in items for slot in item.values()
        ]
        return {"single": slots(post["single"]), "pair": slots(post["pair"])}
    raise ValueError(
        f"tokenizer.json ends in a {post['type']}, which neither GPT-2's nor BERT's"
        " tokenizer has."
    )


def _check_id(token: str, found: list[int], ids: dict[str, int]) -> None:
    if found != [ids.get(token)]:
        raise ValueError(
            f"tokenizer.json puts the ids {found} where its template has {token}, whose"
            f" id is {ids.get(token)}."
        )


def _read_json(path: Path) -> dict:
    try:
        value = json.loads(_text(path))
    except (RecursionError, json.JSONDecodeError) as error:
        raise ValueError(f"{path.name} is damaged: {error}.") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path.name} is damaged: it holds no JSON object.")
    return value


def _lines(path: Path) -> list[str]:
    return [line.rstrip("\r") for line in _text(path).removesuffix("\n").split("\n")]


def _text(path: Path) -> str:
    """A file's text, without the mark of the byte order that some editors put in front
    of it.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is damaged: {error}.") from None
