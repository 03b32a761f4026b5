"""A family of tokenizer folders, each a small change of another, and what HuggingFace's AutoTokenizer makes of them.

A folder is read by `labutils` as AutoTokenizer reads it, or refused by one sentence; never otherwise in silence.
"""

import json
import shutil
from pathlib import Path

import transformers

from labutils.checkpoints.loader import HERE
from labutils.text import load_tokenizer

FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False) | {"special": True}
SOURCES = {"gpt2": "little-gpt2", "bert": "little-bert"}
FILES = ("vocab.json", "merges.txt", "vocab.txt", "tokenizer.json", "tokenizer_config.json")
TEXTS = [
    "Anna saw a dog. It's late, isn't it?",
    " the  cat  <x> sat [MASK] on<pad>",
    "<|endoftext|>Tom <s> had </s>a red [SEP] ball [CLS]",
    "a <y>  b new word NEW [PAD] <mask>",
    "",
]
PAIRS = [("Anna saw a dog", "the cat sat"), ("one", "a <x> longer second text <|endoftext|>")]
ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")


def base(folder: Path, kind: str, form: str) -> Path:
    """The tokenizer of a shipped model: "whole" with tokenizer.json, "small" without, "plain" with tokenizer.json and a
    class that reads it as it stands.
    """
    folder.mkdir()
    for name in FILES:
        if (HERE / SOURCES[kind] / name).exists() and (form != "small" or name != "tokenizer.json"):
            shutil.copy(HERE / SOURCES[kind] / name, folder / name)
    if form == "plain":
        edit(folder, "tokenizer_config.json", lambda _: {"tokenizer_class": "PreTrainedTokenizerFast"})
    return folder


def edit(folder: Path, name: str, change) -> None:
    """Write change(content) into a file of JSON, {} where there was none."""
    path = folder / name
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    changed = change(content)
    path.write_text(json.dumps(content if changed is None else changed), encoding="utf-8")


def theirs(folder: Path):
    return transformers.AutoTokenizer.from_pretrained(folder)


def told(tokenizer) -> dict:
    """All that a tokenizer says of the texts, ours or HuggingFace's, by name."""
    ours = hasattr(tokenizer, "added_tokens")
    found = {}
    for i, text in enumerate([*TEXTS, *PAIRS]):
        row = _row(tokenizer, ours, text)
        found |= {f"{name} of {text!r}": values for name, values in row.items()}
        for skip in (False, True):
            decoded = tokenizer.decode(row["ids"], skip_special_tokens=skip)
            found[f"decoded, {skip}, {text!r}"] = decoded
        found[f"cut {i}"] = _cut(tokenizer, ours, text)
    # GPT-2 has no token to pad with: ours takes the end of a text, HuggingFace's refuses
    if tokenizer.pad_token is not None:
        found["padded"] = _padded(tokenizer, ours)
    found["vocab"] = tokenizer.vocab if ours else tokenizer.get_vocab()
    return found


def _row(tokenizer, ours: bool, text) -> dict:
    texts = (text,) if isinstance(text, str) else text
    if ours:
        one = tokenizer.encode(*texts)
        bare = tokenizer.encode(*texts, add_special_tokens=False).ids
        return {"ids": one.ids, "types": one.type_ids, "offsets": one.offsets, "bare": bare}
    row = tokenizer(*texts, return_offsets_mapping=True, return_token_type_ids=True)
    bare = tokenizer(*texts, add_special_tokens=False)["input_ids"]
    return {
        "ids": row["input_ids"],
        "types": row["token_type_ids"],
        "offsets": [tuple(one) for one in row["offset_mapping"]],
        "bare": bare,
    }


def _cut(tokenizer, ours: bool, text) -> list[int]:
    texts = (text,) if isinstance(text, str) else text
    if ours:
        return tokenizer.encode(*texts, max_length=7).ids
    return tokenizer(*texts, truncation=True, max_length=7)["input_ids"]


def _padded(tokenizer, ours: bool) -> list:
    if ours:
        return [(row.ids, row.attention_mask, row.type_ids) for row in tokenizer.encode_batch(TEXTS[:3])]
    rows = tokenizer(TEXTS[:3], padding=True, return_token_type_ids=True)
    return list(zip(rows["input_ids"], rows["attention_mask"], rows["token_type_ids"]))


def roles(tokenizer) -> dict:
    """Of HuggingFace's."""
    return {role: str(value) for role, value in tokenizer.special_tokens_map.items() if role.endswith("_token")}


def differences(a: dict, b: dict) -> list[str]:
    """The names under which two tellings differ."""
    return [name for name in a if name in b and a[name] != b[name]]


def outcome(folder: Path, saved: Path | None = None) -> list[str] | str:
    """What differs from AutoTokenizer, also once saved; or the sentence by which the folder is refused. Of a folder that
    HuggingFace does not read nothing can differ.
    """
    try:
        ours = load_tokenizer(folder)
    except ValueError as error:
        return str(error)
    try:
        them = theirs(folder)
    except ValueError:
        return []
    mine, right = told(ours), told(them)
    found = differences(mine, right)
    if ours.roles != roles(them):
        found.append(f"roles {ours.roles} for {roles(them)}")
    if saved:
        ours.save(saved)
        again = theirs(saved)
        found += [f"saved, theirs: {name}" for name in differences(told(again), right)]
        found += [f"saved, ours: {name}" for name in differences(told(load_tokenizer(saved)), mine)]
        if roles(again) != roles(them):
            found.append(f"saved roles {roles(again)} for {roles(them)}")
    return found


def setting(**changes):
    return lambda folder: edit(folder, "tokenizer_config.json", lambda said: said | changes)


def without(*names):
    return lambda folder: edit(
        folder, "tokenizer_config.json", lambda said: {k: v for k, v in said.items() if k not in names}
    )


def of_whole(**changes):
    """Changes of tokenizer.json: an object is laid over the one that is there."""

    def change(said):
        for name, value in changes.items():
            there = said.get(name)
            said[name] = there | value if isinstance(there, dict) and isinstance(value, dict) else value

    return lambda folder: edit(folder, "tokenizer.json", change)


def file(name: str, content):
    return lambda folder: edit(folder, name, lambda _: content)


def several(*changes):
    def change(folder):
        for one in changes:
            one(folder)

    return change


def added(content: str, token_id: int, **flags) -> dict:
    return {str(token_id): {"content": content, **FLAGS, **flags}}


def one_more(content: str, **flags):
    """One more of the added tokens of tokenizer.json."""

    def change(said):
        number = max([*said["model"]["vocab"].values(), *(one["id"] for one in said["added_tokens"])]) + 1
        said["added_tokens"].append({"id": number, "content": content, **FLAGS, **flags})

    return lambda folder: edit(folder, "tokenizer.json", change)


MASK = {"__type": "AddedToken", "content": "[MASK]", **FLAGS, "lstrip": True}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}},
}


def template(**special):
    """A template with the end of the text in front, and what its special tokens are said to be."""

    def change(said):
        ids = [said["model"]["vocab"]["<|endoftext|>"]]
        token = {"id": "<|endoftext|>", "ids": ids, "tokens": ["<|endoftext|>"]} | special
        said["post_processor"] = TEMPLATE | {"special_tokens": {"<|endoftext|>": token}}

    return lambda folder: edit(folder, "tokenizer.json", change)


SETTINGS = {  # of tokenizer_config.json, beside every kind and form
    "as it is": setting(),
    "clean up": setting(clean_up_tokenization_spaces=True),
    "no clean up": setting(clean_up_tokenization_spaces=False),
    "clean up bpe": setting(
        clean_up_tokenization_spaces=True, clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output=True
    ),
    "pad left": setting(padding_side="left", pad_token="<pad>"),
    "cut left": setting(truncation_side="left"),
    "both left": setting(truncation_side="left", padding_side="left", pad_token="[PAD]"),
    "a side that is none": setting(padding_side="top"),
    "split special": setting(split_special_tokens=True),
    "split special, no": setting(split_special_tokens=False),
    "prefix space": setting(add_prefix_space=True),
    "no prefix space": setting(add_prefix_space=False),
    "pad type": setting(pad_token_type_id=1, pad_token="<pad>"),
    "pad multiple": setting(pad_to_multiple_of=8, pad_token="<pad>"),
    "max length": setting(model_max_length=5, max_length=4),
    "errors": setting(errors="ignore"),
    "bos": setting(add_bos_token=True),
    "bos and eos": setting(add_bos_token=True, add_eos_token=True),
    "bos named": setting(add_bos_token=True, bos_token="<s>", eos_token="</s>"),
    "cased": setting(do_lower_case=False),
    "lower": setting(do_lower_case=True),
    "accents": setting(do_lower_case=False, strip_accents=True),
    "no chinese": setting(tokenize_chinese_chars=False),
    "no case said": without("do_lower_case", "strip_accents", "tokenize_chinese_chars"),
    "no roles said": without(*ROLES),
    "no prefix said": without("add_prefix_space"),
    "basic": setting(do_basic_tokenize=False, never_split=["cat"]),
    "prefix of pieces": setting(wordpieces_prefix="@@"),
    "between": setting(spaces_between_special_tokens=False),
    "trim": setting(trim_offsets=True),
    "pad": setting(pad_token="<pad>"),
    "pad null": setting(pad_token=None),
    "mask": setting(mask_token="[MASK]"),
    "mask flags": setting(mask_token=MASK),
    "mask other": setting(mask_token="<mask>"),
    "sep other": setting(sep_token="</s>", cls_token="<s>"),
    "unk other": setting(unk_token="<unk>"),
    "extra": setting(extra_special_tokens=["<x>", "<y>"]),
    "extra flags": setting(extra_special_tokens=[MASK | {"content": "<x>"}, "<y>"]),
    "extra older": setting(additional_special_tokens=["<x>", MASK | {"content": "<y>"}]),
    "extra both": setting(additional_special_tokens=["<x>"], extra_special_tokens=["<y>"]),
    "extra named": setting(extra_special_tokens={"image_token": "<x>", "video_token": "<y>"}),
    "image": setting(image_token="<x>"),
    "decoder": setting(added_tokens_decoder=added("<x>", 5000) | added("new word", 5001, special=False)),
    "decoder flags": setting(
        added_tokens_decoder=added("<x>", 5000, lstrip=True, rstrip=True) | added("NEW", 6000, normalized=True)
    ),
    "decoder of a word": setting(added_tokens_decoder=added("cat", 3, single_word=True, special=False)),
    "decoder empty": setting(added_tokens_decoder={}),
    "decoder and roles": setting(
        added_tokens_decoder=added("<pad>", 7000) | added("[MASK]", 7001, lstrip=True),
        pad_token="<pad>",
        mask_token="[MASK]",
    ),
    "map": file("special_tokens_map.json", {"pad_token": "<pad>", "mask_token": MASK | {"content": "<mask>"}}),
    "map mask": file("special_tokens_map.json", {"mask_token": "[MASK]"}),
    "map extra": file("special_tokens_map.json", {"extra_special_tokens": ["<x>", "<y>"]}),
    "map extra older": file("special_tokens_map.json", {"additional_special_tokens": ["<x>", "<y>"]}),
    "map and decoder": several(
        setting(added_tokens_decoder=added("<x>", 5000)),
        file("special_tokens_map.json", {"pad_token": "<pad>"}),
    ),
    "map wins": several(setting(pad_token="<x>"), file("special_tokens_map.json", {"pad_token": "<pad>"})),
    "added": file("added_tokens.json", {"<x>": 5000, "new word": 5001}),
    "added and map": several(
        file("added_tokens.json", {"<pad>": 5001, "NEW": 5000}),
        file("special_tokens_map.json", {"pad_token": "<pad>"}),
    ),
    "added and decoder": several(
        setting(added_tokens_decoder=added("<x>", 5000)), file("added_tokens.json", {"<y>": 5001})
    ),
    "no settings": lambda folder: (folder / "tokenizer_config.json").unlink(),
    "vocab": setting(vocab={"a": 0}),
    "own code": setting(auto_map={"AutoTokenizer": ["code.Mine", None]}),
    "arguments": setting(init_inputs=[{"a": 0}]),
    "fast files": setting(fast_tokenizer_files=["tokenizer.4.0.json"]),
    "class in config.json": several(without("tokenizer_class"), file("config.json", {"model_type": "gpt2"})),
    "bert in config.json": several(without("tokenizer_class"), file("config.json", {"model_type": "bert"})),
    "roberta in config.json": several(without("tokenizer_class"), file("config.json", {"model_type": "roberta"})),
    "unknown in config.json": several(without("tokenizer_class"), file("config.json", {"model_type": "of-mine"})),
    "class and config.json": file("config.json", {"model_type": "gpt2", "tokenizer_class": "RobertaTokenizer"}),
} | {
    f"class {name}": setting(tokenizer_class=name)
    for name in (
        "GPT2Tokenizer", "GPT2TokenizerFast", "BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer",
        "ElectraTokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend", "RobertaTokenizer", "RobertaTokenizerFast",
        "BartTokenizer", "CLIPTokenizer", "MPNetTokenizer", "LlamaTokenizer", "GPTNeoXTokenizerFast", "Qwen2Tokenizer",
        "CodeGenTokenizer", "WhisperTokenizer", "OfMineTokenizer", "DebertaTokenizer", "LayoutLMTokenizer", "T5Tokenizer",
    )
}  # fmt: skip
SETTINGS |= {
    f"{name} of {cls}": several(setting(tokenizer_class=cls), SETTINGS[name])
    for cls in ("RobertaTokenizer", "DistilBertTokenizer")
    for name in ("split special", "prefix space", "cased", "mask", "clean up", "extra", "decoder")
}
WHOLE = {  # of tokenizer.json
    "padding": of_whole(
        padding={
            "strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": None, "pad_id": 3, "pad_type_id": 0,
            "pad_token": "a",
        }
    ),
    "padding type": of_whole(
        padding={
            "strategy": {"Fixed": 12}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 3, "pad_type_id": 1,
            "pad_token": "a",
        }
    ),
    "truncation": of_whole(
        truncation={"direction": "Left", "max_length": 6, "strategy": "LongestFirst", "stride": 0}
    ),
    "one more": one_more("<x>"),
    "one more flags": one_more("<x>", lstrip=True, rstrip=True),
    "one more word": one_more("new word", special=False, normalized=True),
    "two more": several(one_more("<y>"), one_more("<x>", special=False)),
    "one more and a role": several(one_more("<pad>"), setting(pad_token="<pad>")),
    "one more and flags of the role": several(one_more("<x>", special=False), setting(mask_token=MASK | {"content": "<x>"})),
    "one more and a decoder": several(one_more("<x>"), setting(added_tokens_decoder=added("<y>", 5000))),
    "one more, other flags in a decoder": several(
        one_more("<x>"), setting(added_tokens_decoder=added("<x>", 5000, lstrip=True))
    ),
    "one more and a map": several(one_more("<x>"), file("special_tokens_map.json", {"pad_token": "<pad>"})),
    "no added": of_whole(added_tokens=[]),
    "ids apart": lambda folder: edit(folder, "tokenizer.json", lambda said: said["added_tokens"].append({"id": 9000, "content": "<x>", **FLAGS})),
    "ignore merges": of_whole(model={"ignore_merges": True}),
    "no post": of_whole(post_processor=None),
    "byte level post": of_whole(post_processor={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}),
    "byte level post raw": of_whole(post_processor={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}),
    "sequence post": of_whole(post_processor={"type": "Sequence", "processors": []}),
    "no decoder": of_whole(decoder=None),
    "decoder fuse": of_whole(decoder={"type": "Fuse"}),
    "decoder no cleanup": of_whole(decoder={"type": "WordPiece", "prefix": "##", "cleanup": False}),
    "decoder prefix": of_whole(decoder={"type": "WordPiece", "prefix": "@@", "cleanup": True}),
    "decoder byte level": of_whole(decoder={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}),
    "cutter prefix": of_whole(pre_tokenizer={"add_prefix_space": True}),
    "cutter no regex": of_whole(pre_tokenizer={"use_regex": False}),
    "cutter sequence": of_whole(pre_tokenizer={"type": "Sequence", "pretokenizers": []}),
    "normalizer lower": of_whole(normalizer={"lowercase": False}),
    "normalizer raw": of_whole(normalizer={"clean_text": False}),
    "normalizer accents": of_whole(normalizer={"strip_accents": False}),
    "normalizer other": of_whole(normalizer={"type": "Lowercase"}),
    "max chars": of_whole(model={"max_input_chars_per_word": 3}),
    "piece prefix": of_whole(model={"continuing_subword_prefix": "@@"}),
    "unk": of_whole(model={"unk_token": "a"}),
    "dropout": of_whole(model={"dropout": 0.5}),
    "fuse": of_whole(model={"fuse_unk": True}),
    "suffix": of_whole(model={"end_of_word_suffix": "</w>"}),
    "fallback": of_whole(model={"byte_fallback": True}),
}  # fmt: skip
GPT2_WHOLE = {
    "template": template(),
    "template of another id": template(ids=[5]),
    "template of two": template(ids=[5, 6], tokens=["a", "b"]),
}
BERT_WHOLE = {
    "bert processing": of_whole(post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}),
    "bert processing, another id": of_whole(
        post_processor={"type": "BertProcessing", "sep": ["[SEP]", 7], "cls": ["[CLS]", 2]}
    ),
    "roberta processing": of_whole(
        post_processor={
            "type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2], "trim_offsets": True,
            "add_prefix_space": False,
        }
    ),
    "template of types": of_whole(
        post_processor={
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
                {"Sequence": {"id": "B", "type_id": 0}},
            ]
        }
    ),
}  # fmt: skip
CASES = {
    f"{kind} {form}, {name}": (kind, form, change)
    for kind in SOURCES
    for form in ("whole", "small", "plain")
    for name, change in (
        SETTINGS | (WHOLE | (GPT2_WHOLE if kind == "gpt2" else BERT_WHOLE) if form != "small" else {})
    ).items()
}


def made(folder: Path, case: str) -> Path:
    kind, form, change = CASES[case]
    change(base(folder, kind, form))
    return folder
