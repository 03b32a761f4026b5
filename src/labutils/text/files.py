"""HuggingFace's tokenizer files, read, in this order of preference:

    tokenizer.json              everything in one file
    vocab.json + merges.txt     byte-level BPE (GPT-2)
    vocab.txt                   WordPiece (BERT)

with the settings and extra tokens of ``tokenizer_config.json``,
``special_tokens_map.json`` and ``added_tokens.json`` where they exist.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from labutils.text.added import FLAGS, AddedToken
from labutils.text.bpe import ByteLevelBPE
from labutils.text.template import Template
from labutils.text.wordpiece import WordPiece

ROLES = (
    "unk_token",
    "cls_token",
    "sep_token",
    "pad_token",
    "mask_token",
    "bos_token",
    "eos_token",
)


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
    if (folder / "tokenizer.json").exists():
        return from_whole(_read_json(folder / "tokenizer.json"), _settings(folder))
    if (folder / "vocab.json").exists() and (folder / "merges.txt").exists():
        return bpe_from_files(folder)
    if (folder / "vocab.txt").exists():
        return wordpiece_from_files(folder)
    raise ValueError(
        f"There is no tokenizer in {folder}: it needs tokenizer.json, vocab.json +"
        " merges.txt, or vocab.txt."
    )


def bpe_from_files(folder: Path) -> ByteLevelBPE:
    """GPT-2's own files."""
    settings = _settings(folder)
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
    added = _added(folder, settings, vocab, ("<|endoftext|>",))
    around = {
        role: [_content(settings.get(role)) or "<|endoftext|>"]
        if settings.get(f"add_{role}")
        else []
        for role in ("bos_token", "eos_token")
    }
    before, after = around.values()
    segment = lambda slot, kind: [(token, kind) for token in (*before, slot, *after)]
    return ByteLevelBPE(
        vocab,
        merges,
        added,
        add_prefix_space=settings.get("add_prefix_space", False),
        pad_token=_content(settings.get("pad_token")),
        single=segment("A", 0),
        pair=[*segment("A", 0), *segment("B", 1)],
    )


def wordpiece_from_files(folder: Path) -> WordPiece:
    """BERT's own files.  Without a configuration the vocabulary counts as uncased, as
    in HuggingFace.
    """
    settings = _settings(folder)
    vocab = {token: i for i, token in enumerate(_lines(folder / "vocab.txt"))}
    names = {
        role: _content(settings.get(role, f"[{role[:3].upper()}]"))
        for role in ROLES[:4]
    }
    mask = _content(settings.get("mask_token", "[MASK]"))
    return WordPiece(
        vocab,
        _added(folder, settings, vocab, (*names.values(), mask)),
        **names,
        lowercase=settings.get("do_lower_case", True),
        strip_accents=settings.get("strip_accents"),
        tokenize_chinese_chars=settings.get("tokenize_chinese_chars", True),
    )


def from_whole(whole: dict, settings: dict) -> ByteLevelBPE | WordPiece:
    """The contents of a tokenizer.json."""
    model = whole.get("model", {})
    kind = model.get("type") or ("BPE" if "merges" in model else "WordPiece")
    entries = sorted(whole.get("added_tokens", []), key=lambda entry: entry["id"])
    added = [
        AddedToken(entry["content"], **{flag: entry[flag] for flag in FLAGS})
        for entry in entries
    ]
    known = {token.content for token in added}
    added += [token for token in _extra(settings) if token.content not in known]
    vocab = model.get("vocab", {})
    pad_token = (whole.get("padding") or {}).get("pad_token") or _content(
        settings.get("pad_token")
    )
    if kind == "BPE":
        return _bpe_from_whole(whole, model, vocab, added, pad_token, settings)
    if kind == "WordPiece":
        return _wordpiece_from_whole(whole, model, vocab, added, pad_token, settings)
    raise ValueError(
        f"tokenizer.json holds a {kind} model; this package reads BPE (GPT-2) and"
        " WordPiece (BERT)."
    )


def _bpe_from_whole(
    whole: dict,
    model: dict,
    vocab: dict,
    added: list[AddedToken],
    pad_token: str | None,
    settings: dict,
) -> ByteLevelBPE:
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
    cutter, post = whole.get("pre_tokenizer") or {}, whole.get("post_processor") or {}
    if cutter.get("type") != "ByteLevel" or not cutter.get("use_regex", True):
        raise ValueError(
            "tokenizer.json does not cut text with GPT-2's byte-level expression."
        )
    merges = [
        tuple(pair.split(" ")) if isinstance(pair, str) else tuple(pair)
        for pair in model["merges"]
    ]
    return ByteLevelBPE(
        vocab,
        merges,
        added,
        # as in transformers, its configuration wins
        add_prefix_space=settings.get(
            "add_prefix_space", cutter.get("add_prefix_space", True)
        ),
        pad_token=pad_token,
        trim_offsets=post.get("type") == "ByteLevel" and post.get("trim_offsets", True),
        ignore_merges=model.get("ignore_merges", False),
        **_templates(post),
    )


def _wordpiece_from_whole(
    whole: dict,
    model: dict,
    vocab: dict,
    added: list[AddedToken],
    pad_token: str | None,
    settings: dict,
) -> WordPiece:
    normalizer, cutter = whole.get("normalizer") or {}, whole.get("pre_tokenizer") or {}
    if (
        normalizer.get("type") != "BertNormalizer"
        or cutter.get("type") != "BertPreTokenizer"
    ):
        raise ValueError(
            "tokenizer.json does not normalise and cut text as BERT does"
            " (BertNormalizer, BertPreTokenizer)."
        )
    # as in transformers, its configuration wins
    if str(settings.get("tokenizer_class", "")).startswith("BertTokenizer"):
        names = {
            "lowercase": "do_lower_case",
            "strip_accents": "strip_accents",
            "handle_chinese_chars": "tokenize_chinese_chars",
        }
        normalizer = normalizer | {
            ours: settings[theirs]
            for ours, theirs in names.items()
            if theirs in settings
        }
    if pad_token is None and "[PAD]" in vocab:
        pad_token = "[PAD]"
    return WordPiece(
        vocab,
        added,
        lowercase=normalizer["lowercase"],
        strip_accents=normalizer.get("strip_accents"),
        tokenize_chinese_chars=normalizer["handle_chinese_chars"],
        clean_text=normalizer["clean_text"],
        unk_token=model.get("unk_token", "[UNK]"),
        prefix=model.get("continuing_subword_prefix", "##"),
        max_chars=model.get("max_input_chars_per_word", 100),
        pad_token=pad_token,
        cleanup=(whole.get("decoder") or {}).get("cleanup", True),
        **_templates(whole.get("post_processor") or {}),
    )


def _templates(post: dict) -> dict[str, Template]:
    """A post-processor as templates for one and for two texts."""
    if post.get("type") in (None, "ByteLevel"):
        return {"single": [("A", 0)], "pair": [("A", 0), ("B", 1)]}
    if post["type"] == "BertProcessing":
        single = [(post["cls"][0], 0), ("A", 0), (post["sep"][0], 0)]
        return {"single": single, "pair": [*single, ("B", 1), (post["sep"][0], 1)]}
    if post["type"] == "TemplateProcessing":
        slots = lambda items: [
            (slot["id"], slot["type_id"]) for item in items for slot in item.values()
        ]
        return {"single": slots(post["single"]), "pair": slots(post["pair"])}
    raise ValueError(
        f"tokenizer.json ends in a {post['type']}, which neither GPT-2's nor BERT's"
        " tokenizer has."
    )


def _added(
    folder: Path, settings: dict, vocab: dict, usual: Iterable[str]
) -> list[AddedToken]:
    """The added tokens that the smaller files name: with their flags, or plain special
    tokens.
    """
    roles = {
        _content(settings[role]): settings[role] for role in ROLES if settings.get(role)
    }
    entries = _by_id(settings.get("added_tokens_decoder", {}))
    # older: content -> id, without flags
    if not entries and (folder / "added_tokens.json").exists():
        contents = sorted(
            _read_json(folder / "added_tokens.json").items(), key=lambda item: item[1]
        )
        entries = [
            {"content": c, "special": c in roles, "normalized": c not in roles}
            for c, _ in contents
        ]
    added = {entry["content"]: _token(entry) for entry in entries}
    for content, value in roles.items():
        added.setdefault(
            content,
            _token(
                value if isinstance(value, dict) else {"content": content}, special=True
            ),
        )
    for content in usual:
        if content in vocab:
            added.setdefault(content, AddedToken(content))
    for token in _extra(settings):
        added.setdefault(token.content, token)
    return list(added.values())


def _extra(settings: dict) -> list[AddedToken]:
    """Special tokens that a configuration names beside those with a role: in lists, or
    under names of its own.
    """
    found = []
    for name in ("additional_special_tokens", "extra_special_tokens"):
        named = settings.get(name) or []
        for entry in named.values() if isinstance(named, dict) else named:
            if not isinstance(entry, str | dict) or isinstance(named, str):
                raise ValueError(
                    f"{name} must be a list of tokens or an object of them, not"
                    f" {named!r}."
                )
            flags = entry if isinstance(entry, dict) else {"content": entry}
            found.append(_token(flags, special=True))
    return found


def _token(entry: dict, **flags: bool) -> AddedToken:
    return AddedToken(
        entry["content"], **{flag: entry.get(flag, False) for flag in FLAGS} | flags
    )


def _by_id(entries: dict[str, dict]) -> list[dict]:
    return [
        entry for _, entry in sorted(entries.items(), key=lambda item: int(item[0]))
    ]


def _settings(folder: Path) -> dict:
    """tokenizer_config.json; where that names no added tokens, special_tokens_map.json
    comes on top, as in transformers.
    """
    config, special = (
        _read_json(folder / name) if (folder / name).exists() else {}
        for name in ("tokenizer_config.json", "special_tokens_map.json")
    )
    return config if "added_tokens_decoder" in config else config | special


def _content(token: str | dict | None) -> str | None:
    """A token in a configuration is a string, a dictionary of flags, or null."""
    return token["content"] if isinstance(token, dict) else token


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
