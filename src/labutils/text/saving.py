"""HuggingFace's tokenizer files, written: tokenizer.json and its settings, and the
smaller files of GPT-2 and BERT.
"""

import json
from pathlib import Path

from labutils.text.added import FLAGS


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
        "add_prefix_space": tokenizer.add_prefix_space,
        "trim_offsets": tokenizer.trim_offsets,
    }
    end = tokenizer.pad_token
    config = {
        "tokenizer_class": "GPT2Tokenizer",
        "add_prefix_space": tokenizer.add_prefix_space,
        **({"bos_token": end, "eos_token": end, "unk_token": end} if end else {}),
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
    slot = lambda name, type_id: {
        ("Sequence" if name in "AB" else "SpecialToken"): {
            "id": name,
            "type_id": type_id,
        }
    }
    names = {name for name, _ in tokenizer.pair} - {"A", "B"}
    post = {
        "type": "TemplateProcessing",
        "single": [slot(*s) for s in tokenizer.single],
        "pair": [slot(*s) for s in tokenizer.pair],
        "special_tokens": {
            n: {"id": n, "ids": [vocab[n]], "tokens": [n]} for n in sorted(names)
        },
    }
    decoder = {
        "type": "WordPiece",
        "prefix": tokenizer.prefix,
        "cleanup": tokenizer.cleanup,
    }
    roles = {"unk_token": tokenizer.unk_token, "pad_token": tokenizer.pad_token}
    roles |= (
        {"cls_token": tokenizer.single[0][0], "sep_token": tokenizer.single[-1][0]}
        if len(tokenizer.single) > 1
        else {}
    )
    config = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": tokenizer.lowercase,
        "strip_accents": tokenizer.strip_accents,
        "tokenize_chinese_chars": tokenizer.tokenize_chinese_chars,
        **roles,
    }
    folder = _write_whole(
        tokenizer,
        folder,
        model,
        normalizer,
        {"type": "BertPreTokenizer"},
        post,
        decoder,
        config,
    )
    (folder / "vocab.txt").write_text(
        "".join(token + "\n" for token in vocab), encoding="utf-8", newline="\n"
    )


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
