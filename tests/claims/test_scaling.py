"""Statements about sizes: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import torch
import transformers

from labutils.authoring.pages.ways import sections
from labutils.models import GPT2, GPT2Config


def test_c412_the_sizes_of_gpt3_make_175_billion():
    found = []
    for layers in (1, 2):
        with torch.device("meta"):
            model = GPT2(GPT2Config(n_positions=2048, d_model=12_288, n_layers=layers, n_heads=96))
        found.append(sum(p.numel() for p in model.parameters()))
    assert found[0] + 95 * (found[1] - found[0]) == 174_604_259_328


def test_c413_the_base_models_have_these_sizes():
    bert, gpt2 = transformers.BertConfig(), transformers.GPT2Config()
    for config in (bert, gpt2):
        assert (config.hidden_size, config.num_hidden_layers, config.num_attention_heads) == (768, 12, 12)
        assert config.hidden_size // config.num_attention_heads == 64
    assert bert.intermediate_size == 3072 and gpt2.n_inner is None  # None: four times the width
    with torch.device("meta"):
        assert transformers.GPT2Model(transformers.GPT2Config(n_layer=1)).h[0].mlp.c_fc.nf == 3072
    assert (bert.vocab_size, gpt2.vocab_size) == (30_522, 50_257)
    assert (bert.max_position_embeddings, gpt2.n_positions) == (512, 1024)


def test_c414_the_headings_of_the_text_count_seven_stages():
    titles = [title for text, title, *_ in sections() if text == "Fundamentals of Transformers"]
    found = [title.split(".", 1)[1].split(":")[0].strip() for title in titles if "Stage" in title]
    assert found == [f"Stage {number}" for number in range(1, 8)]
