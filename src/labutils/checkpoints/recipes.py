"""How the two little models are made: sizes, data, steps. One place for every number of the training."""

from dataclasses import dataclass

from labutils.training.loop import Plan


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the bytes of a model, given the grammar.

    About `vocab_size` tokenizer entries learned from `tokenizer_stories` stories and `running_texts` copies of the running text,
    whose words so stay whole; in WordPiece the `whole_words` most frequent words are entries from the start. `plan` the optimisation; batches of at most
    `max_tokens` with their padding, cut from chunks of `chunk_stories`; weights drawn with `initializer_range`, positions
    started as sinusoids of `position_amplitude`. GPT-2 alone: a share `bare` of the stories has no end sign
    before it. BERT alone: the share of hidden words goes from `mask_rates[0]` to
    `mask_rates[1]` over the run, and a share `pairs` of the stories is shown as two segments for the next-sentence head.
    """

    name: str
    kind: str
    plan: Plan
    seed: int = 0
    vocab_size: int = 800
    tokenizer_stories: int = 8000
    running_texts: int = 400
    whole_words: int = 350
    max_tokens: int = 1024
    chunk_stories: int = 700
    n_layers: int = 4
    n_heads: int = 8
    d_model: int = 128
    n_positions: int = 256
    initializer_range: float = 0.06
    position_amplitude: float = 0.1
    bare: float = 0.0
    mask_rates: tuple[float, float] = (0.4, 0.15)
    pairs: float = 0.0


LITTLE_GPT2 = Recipe("little-gpt2", "gpt2", Plan(steps=14000, lr=3e-3), bare=0.5)
LITTLE_BERT = Recipe("little-bert", "bert", Plan(steps=14000, lr=2e-3), position_amplitude=0.06, pairs=0.3)
RECIPES = {recipe.name: recipe for recipe in (LITTLE_GPT2, LITTLE_BERT)}
