"""HuggingFace's tokenizer files, written: tokenizer.json and its settings, and the
smaller files of GPT-2 and BERT.
"""

import json
from pathlib import Path

from labutils.text.added import FLAGS
from labutils.text.beside import DEFAULTS

PLAIN = "PreTrainedTokenizerFast"  # the class that reads tokenizer.json as it stands
FIRST = ("bos_token", "eos_token", "unk_token", "pad_token", "cls_token", "sep_token")


def save_bpe(tokenizer, folder: str | Path) -> None:
    """Write a ``ByteLevelBPE`` as HuggingFace reads it."""
    vocab = dict(sorted(tokenizer.model_vocab.items(), key=lambda item: item[1]))
    merges = [list(pair) for pair in tokenizer.merges]
    level = {
        "type": "ByteLevel",
        "add_prefix_space": tokenizer.add_prefix_space,
        "trim_offsets": True,
        "use_regex": True,
    }
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": "",
        "end_of_word_suffix": "",
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": tokenizer.ignore_merges,
        "vocab": vocab,
        "merges": merges,
    }
    post = {
        **level,
        "add_prefix_space": tokenizer.keeps_lead,
        "trim_offsets": tokenizer.trim_offsets,
    }
    if tokenizer.single != [("A", 0)] or tokenizer.pair != [("A", 0), ("B", 1)]:
        post = _template(tokenizer)
    usual = tokenizer.roles.keys() >= DEFAULTS["gpt2"].keys()
    config = {
        "tokenizer_class": "GPT2Tokenizer"
        if usual and not tokenizer.ignore_merges
        else PLAIN,
        "add_prefix_space": tokenizer.add_prefix_space,
        **_roles(tokenizer, {}),
        **_settings(tokenizer),
    }
    folder = _write_whole(tokenizer, folder, model, None, level, post, level, config)
    _write_json(folder / "vocab.json", vocab)
    text = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in merges)
    (folder / "merges.txt").write_text(text, encoding="utf-8", newline="\n")


def save_wordpiece(tokenizer, folder: str | Path) -> None:
    """Write a ``WordPiece`` as HuggingFace reads it."""
    vocab = dict(sorted(tokenizer.model_vocab.items(), key=lambda item: item[1]))
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": tokenizer.clean_text,
        "handle_chinese_chars": tokenizer.tokenize_chinese_chars,
        "strip_accents": tokenizer.strip_accents,
        "lowercase": tokenizer.lowercase,
    }
    model = {
        "type": "WordPiece",
        "unk_token": tokenizer.unk_token,
        "continuing_subword_prefix": tokenizer.prefix,
        "max_input_chars_per_word": tokenizer.max_chars,
        "vocab": vocab,
    }
    decoder = {
        "type": "WordPiece",
        "prefix": tokenizer.prefix,
        "cleanup": tokenizer.cleanup,
    }
    config = {
        "tokenizer_class": "BertTokenizer" if _is_berts(tokenizer) else PLAIN,
        "do_lower_case": tokenizer.lowercase,
        "strip_accents": tokenizer.strip_accents,
        "tokenize_chinese_chars": tokenizer.tokenize_chinese_chars,
        **_roles(tokenizer, {"mask_token": "[MASK]"} if _is_berts(tokenizer) else {}),
        **_settings(tokenizer),
    }
    folder = _write_whole(
        tokenizer,
        folder,
        model,
        normalizer,
        {"type": "BertPreTokenizer"},
        _template(tokenizer),
        decoder,
        config,
    )
    (folder / "vocab.txt").write_text(
        "".join(token + "\n" for token in vocab), encoding="utf-8", newline="\n"
    )


def _is_berts(tokenizer) -> bool:
    """Whether BERT's class does as this tokenizer, whatever tokenizer.json says."""
    cls, sep = (tokenizer.roles.get(role) for role in ("cls_token", "sep_token"))
    single = [(cls, 0), ("A", 0), (sep, 0)]
    return (
        tokenizer.roles.keys() >= DEFAULTS["bert"].keys()
        and (tokenizer.single, tokenizer.pair)
        == (single, [*single, ("B", 1), (sep, 1)])
        and (tokenizer.prefix, tokenizer.max_chars) == ("##", 100)
        and tokenizer.clean_text
        and tokenizer.cleanup
        and tokenizer.roles["unk_token"] == tokenizer.unk_token
    )


def _template(tokenizer) -> dict:
    """What stands around one text and around two, as a post-processor."""
    slot = lambda name, type_id: {
        ("Sequence" if name in ("A", "B") else "SpecialToken"): {
            "id": name,
            "type_id": type_id,
        }
    }
    names = {name for name, _ in tokenizer.single + tokenizer.pair} - {"A", "B"}
    ids = tokenizer.vocab
    return {
        "type": "TemplateProcessing",
        "single": [slot(*s) for s in tokenizer.single],
        "pair": [slot(*s) for s in tokenizer.pair],
        "special_tokens": {
            n: {"id": n, "ids": [ids[n]], "tokens": [n]} for n in sorted(names)
        },
    }


def _roles(tokenizer, usual: dict[str, str]) -> dict[str, str]:
    """The tokens with a role, but for those that the class has anyway; a token to pad
    with that was set later counts.
    """
    roles = dict(tokenizer.roles)
    if roles.get("pad_token") or tokenizer.pad_token != tokenizer.usual_pad:
        roles["pad_token"] = tokenizer.pad_token
    first = [role for role in FIRST if role in roles]
    rest = [role for role in roles if role not in first]
    return {
        role: roles[role] for role in first + rest if usual.get(role) != roles[role]
    }


def _settings(tokenizer) -> dict:
    """What is not as usual."""
    found = {
        name: "left"
        for name in ("padding_side", "truncation_side")
        if getattr(tokenizer, name) == "left"
    }
    if tokenizer.extra:
        found["extra_special_tokens"] = tokenizer.extra
    if tokenizer.clean_up:
        name = "clean_up_tokenization_spaces"
        found |= {
            name: True,
            f"{name}_for_bpe_even_though_it_will_corrupt_output": True,
        }
    return found


def _write_whole(tokenizer, folder, model, normalizer, cutter, post, decoder, config):
    """tokenizer.json and tokenizer_config.json."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    added = [
        {
            "id": tokenizer.vocab[token.content],
            "content": token.content,
            **{flag: getattr(token, flag) for flag in FLAGS},
        }
        for token in tokenizer.added_tokens
    ]
    whole = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": sorted(added, key=lambda entry: entry["id"]),
        "normalizer": normalizer,
        "pre_tokenizer": cutter,
        "post_processor": post,
        "decoder": decoder,
        "model": model,
    }
    _write_json(folder / "tokenizer.json", whole)
    _write_json(folder / "tokenizer_config.json", config)
    return folder


def _write_json(path: Path, value: dict) -> None:
    path.write_text(
        json.dumps(value, ensure_ascii=False, indent=1) + "\n",
        encoding="utf-8",
        newline="\n",
    )
