"""What stands beside a vocabulary, in tokenizer_config.json, special_tokens_map.json,
added_tokens.json and config.json: which class reads it, which tokens have a role, which
are added, and the settings. All of it as transformers takes it, or refused by name.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from labutils.text.added import FLAGS, AddedToken

ROLES = (
    "bos_token",
    "eos_token",
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
)
# What transformers makes of a class: GPT-2's or BERT's tokenizer anew from the
# vocabulary, or whatever tokenizer.json says.
KINDS = {
    **dict.fromkeys(("GPT2Tokenizer", "CodeGenTokenizer"), "gpt2"),
    **dict.fromkeys(("PreTrainedTokenizer", "PythonBackend"), "plain"),
    "TokenizersBackend": "plain",
    **dict.fromkeys(
        (
            "BertTokenizer",
            "ConvBertTokenizer",
            "DistilBertTokenizer",
            "ElectraTokenizer",
            "LayoutLMTokenizer",
            "LxmertTokenizer",
            "MobileBertTokenizer",
            "SqueezeBertTokenizer",
        ),
        "bert",
    ),
}
# and of a model, where no class is named
MODELS = {
    **dict.fromkeys(("gpt2", "gptj", "gpt_neo", "codegen", "opt", "phi"), "gpt2"),
    **dict.fromkeys(("bert", "distilbert", "electra", "convbert", "layoutlm"), "bert"),
}
DEFAULTS = {
    "gpt2": dict.fromkeys(("bos_token", "eos_token", "unk_token"), "<|endoftext|>"),
    "bert": {
        "unk_token": "[UNK]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
    },
    "plain": {},
}
# What no tokenizer of this package does, and the values that ask for nothing.
NOT_OBEYED = {
    "split_special_tokens": (False, None),
    "auto_map": (None, {}, []),
    "init_inputs": (None, [], ()),
    "fast_tokenizer_files": (None, [], ["tokenizer.json"]),
    "vocab": (None,),
    "merges": (None,),
}
EXTRA, OLDER = "extra_special_tokens", "additional_special_tokens"


@dataclass(frozen=True)
class Beside:
    """What the small files of a folder say.

    kind: "gpt2", "bert" or "plain", see `KINDS`; None where nothing names a class.
    said: tokenizer_config.json. special: special_tokens_map.json. older: the content of
    added_tokens.json, token -> id.
    """

    kind: str | None = None
    said: dict = field(default_factory=dict)
    special: dict = field(default_factory=dict)
    older: dict = field(default_factory=dict)

    def side(self, name: str, file: dict | None) -> str:
        """`padding_side` or `truncation_side`; `file`: the entry of tokenizer.json."""
        side = self.said.get(name, (file or {}).get("direction", "right").lower())
        if side not in ("right", "left"):
            raise ValueError(f'{name} must be "right" or "left", not {side!r}.')
        return side


@dataclass(frozen=True)
class Named:
    """The tokens that a folder names: `added` in the order in which they get their ids,
    `roles` as role -> content, and `extra`, the special ones without a role.
    """

    added: list[AddedToken]
    roles: dict[str, str]
    extra: list[str]


def kind_of(said: dict, config: dict, whole: dict) -> str | None:
    """The kind of the class that a folder names. Raises ValueError for a class that is
    neither GPT-2's nor BERT's, and for the model of another.
    """
    name = said.get("tokenizer_class") or config.get("tokenizer_class")
    if isinstance(name, str):
        kind = KINDS.get(name.removesuffix("Fast"))
        cutter = (whole.get("pre_tokenizer") or {}).get("type")
        if name.removesuffix("Fast") == "LlamaTokenizer" and cutter == "ByteLevel":
            kind = "plain"  # transformers takes its own class for mistaken there
        if kind is None:
            raise ValueError(
                f"The folder asks for the class {name}, whose tokens are its own; this"
                " package reads the classes of GPT-2 and BERT."
            )
        return kind
    model = config.get("model_type")
    if not isinstance(model, str):
        return None
    if model not in MODELS:
        raise ValueError(
            f"The folder is of a model of type {model!r}, and no tokenizer_class in"
            " tokenizer_config.json says that its tokenizer is GPT-2's or BERT's."
        )
    return MODELS[model]


def check_settings(said: dict) -> None:
    """Raises ValueError, by name, for a setting that this package would not obey."""
    for name, idle in NOT_OBEYED.items():
        if name in said and said[name] not in idle:
            raise ValueError(
                f"tokenizer_config.json asks for {name}={said[name]!r}, which this"
                " package does not do."
            )


def named(beside: Beside, kind: str, whole: dict) -> Named:
    """The tokens that a folder names, `whole` being its tokenizer.json or {}."""
    said, of_model = _merged(beside)
    in_file = {int(e["id"]): _token(e) for e in whole.get("added_tokens") or []}
    if "added_tokens_decoder" in beside.said:
        decoder = beside.said["added_tokens_decoder"] or {}
        numbered = {int(i): _token(entry) for i, entry in decoder.items()}
    else:
        numbered = _numbered(said, beside.older) | in_file
    pad = (whole.get("padding") or {}).get("pad_token") if kind == "plain" else None
    usual = DEFAULTS[kind] | ({"pad_token": pad} if pad else {})
    roles = {role: said.get(role, usual.get(role)) for role in ROLES} | of_model
    roles = {role: value for role, value in roles.items() if value is not None}
    extra = _listed(said.get(EXTRA))
    added: dict[str, AddedToken] = {}
    if kind == "plain":
        added |= {token.content: token for token in in_file.values()}
    # where both list a token, these flags count
    added |= {token.content: token for _, token in sorted(numbered.items())}
    for value in (*roles.values(), *extra):
        added.setdefault(_content(value), _token(value))
    contents = {role: _content(value) for role, value in roles.items()}
    special = set(contents.values())
    return Named(
        [_special(one) if one.content in special else one for one in added.values()],
        contents,
        [_content(one) for one in extra],
    )


def _merged(beside: Beside) -> tuple[dict, dict]:
    """The settings with special_tokens_map.json on top, which counts only where
    tokenizer_config.json lists no added tokens, and the roles of this model alone.
    """
    said = dict(beside.said)
    if OLDER in said and not said.get(EXTRA):
        said[EXTRA] = said.pop(OLDER)
    of_model = _of_model(said)
    if "added_tokens_decoder" not in said:
        for name, value in beside.special.items():
            if name == EXTRA and isinstance(value, list):
                before = list(said.get(EXTRA) or [])
                value = [_surely_special(one) for one in value]
                value = before + [one for one in value if one not in before]
            said[name] = value if name == EXTRA else _surely_special(value)
        of_model |= _of_model(said)
    if OLDER in said and EXTRA not in said:
        said[EXTRA] = said.pop(OLDER)
    return said, of_model


def _of_model(said: dict) -> dict[str, Any]:
    """Taken out of the settings: tokens under names of their own, as image_token."""
    found = {
        name: said.pop(name)
        for name in list(said)
        if name.endswith("_token")
        and name not in ROLES
        and isinstance(said[name], str | dict)
    }
    if isinstance(said.get(EXTRA), dict):
        found |= said.pop(EXTRA)
    return found


def _listed(value: Any) -> list:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, str | dict) for v in value):
        raise ValueError(
            f"{EXTRA} must be a list of tokens or an object of them, not {value!r}."
        )
    return value


def _numbered(said: dict, older: dict[str, int]) -> dict[int, AddedToken]:
    """The content of added_tokens.json, which says no flags."""
    values = [said[role] for role in ROLES if said.get(role)]
    special = {_content(value) for value in (*values, *_listed(said.get(EXTRA)))}
    return {
        int(i): AddedToken(
            content, normalized=content not in special, special=content in special
        )
        for content, i in older.items()
    }


def _token(entry: str | dict) -> AddedToken:
    """A token in a file is its spelling, which is special, or an object of flags."""
    if isinstance(entry, str):
        return AddedToken(entry)
    given = {flag: bool(entry[flag]) for flag in FLAGS if flag in entry}
    given.setdefault("special", False)
    given.setdefault("normalized", not given["special"])
    return AddedToken(entry["content"], **given)


def _surely_special(entry: Any) -> Any:
    return entry | {"special": True} if isinstance(entry, dict) else entry


def _special(token: AddedToken) -> AddedToken:
    return replace(token, special=True)


def _content(token: str | dict) -> str:
    return token["content"] if isinstance(token, dict) else token
