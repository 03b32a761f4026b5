"""The sizes of published models, as their configurations on HuggingFace state them.

Devlin et al. 2019 for base and large; the multilingual models of the same authors have
the base model's blocks and their own vocabularies.
"""

_BASE = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
}
_LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}

# the arguments of transformers.BertConfig that tell one from the others
BERTS = {
    "base, uncased": {"vocab_size": 30_522} | _BASE,
    "base, cased": {"vocab_size": 28_996} | _BASE,
    "large, uncased": {"vocab_size": 30_522} | _LARGE,
    "large, cased": {"vocab_size": 28_996} | _LARGE,
    "multilingual, uncased": {"vocab_size": 105_879} | _BASE,
    "multilingual, cased": {"vocab_size": 119_547} | _BASE,
}
