"""How the two little models are made: sizes, data, steps. One place for every number of the training."""

from dataclasses import dataclass, replace

from labutils.models import FAMILIES, Family
from labutils.training.loop import Plan


@dataclass(frozen=True)
class Again:
    """Another run: it goes on from the rounded weights of the one before, on fresh stories and with fresh optimisers.

    `plan` and `mask_rates` are as in `Recipe`. With `layers` the model grows first: its layer i begins as the layer
    `layers[i]` of the model before (depth up-scaling, Kim et al. 2024, section 2).
    """

    plan: Plan
    mask_rates: tuple[float, float]
    layers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the bytes of a model, given the grammar.

    About `vocab_size` tokenizer entries learned from `tokenizer_stories` stories and `running_texts` copies of the
    running text, whose words so stay whole; in WordPiece the `whole_words` most frequent words are entries from the
    start. `plan` the optimisation; batches of at most `max_tokens` with their padding, cut from chunks of
    `chunk_stories`; weights drawn with `initializer_range`, positions started as sinusoids of `position_amplitude`. The
    stories are those of `World(bias)`; with `made_from` the run goes on from the finished weights and the tokenizer of
    that model instead of fresh ones.

    GPT-2 alone: a share `bare` of the stories has no end sign before it. To the stories of each batch come rows of
    random tokens that repeat, worth a share `repeats` of the stories' tokens. The loss is the mean over the stories'
    tokens plus `repeat_weight` times the mean over the tokens told again.

    BERT alone: the share of hidden words falls from `mask_rates[0]` to `mask_rates[1]` over the run, fast at first. A
    share `pairs` of the stories is shown as two segments, of which shares `pair_kinds` are the two halves of a story, a
    half and one of another story, and the two halves swapped; the next-sentence head tells the first kind from the
    others.

    The runs in `then` follow, in order.
    """

    name: str
    kind: str
    plan: Plan
    seed: int = 0
    vocab_size: int = 1000
    tokenizer_stories: int = 8000
    running_texts: int = 400
    whole_words: int = 500
    max_tokens: int = 1024
    chunk_stories: int = 700
    n_layers: int = 4
    n_heads: int = 8
    d_model: int = 128
    n_positions: int = 256
    initializer_range: float = 0.06
    position_amplitude: float = 0.1
    bias: float = 0.8
    made_from: str = ""
    bare: float = 0.0
    repeats: float = 0.0
    repeat_weight: float = 0.5
    mask_rates: tuple[float, float] = (0.4, 0.15)
    pairs: float = 0.0
    pair_kinds: tuple[float, float, float] = (0.4, 0.42, 0.18)
    layers: tuple[int, ...] = ()
    then: tuple[Again, ...] = ()

    @property
    def runs(self) -> tuple["Recipe", ...]:
        """The runs that make the model, each a recipe of one run; `layers` says from what a deeper one begins."""
        runs = [replace(self, then=())]
        for again in self.then:
            n_layers = len(again.layers) or runs[-1].n_layers
            runs.append(replace(runs[-1], name=f"{runs[-1].name} again", n_layers=n_layers, **vars(again)))
        return tuple(runs)

    def run_of(self, step: int) -> "Recipe":
        """The run whose model stands after `step` steps of all runs together."""
        for run in self.runs:
            if step <= run.plan.taken:
                return run
            step -= run.plan.taken
        raise ValueError(f"{self.name} has {self.steps:,} steps.")

    @property
    def steps(self) -> int:
        return sum(run.plan.taken for run in self.runs)

    @property
    def family(self) -> Family:
        """What is trained depends on one fact in it: a causal model guesses the next token, another hidden words."""
        return FAMILIES[self.kind]


LITTLE_GPT2 = Recipe(
    "little-gpt2", "gpt2", Plan(steps=22000, lr=3e-3, growth=(0.7,), muon=True), bare=0.5, repeats=0.25
)
LITTLE_BERT = Recipe(
    "little-bert",
    "bert",
    Plan(steps=18500, lr=2.5e-3, final=0.0, growth=(0.4, 0.8), muon=True),
    position_amplitude=0.06,
    pairs=0.4,
    then=(
        Again(Plan(steps=11000, lr=1.2e-3, final=0.0, growth=(0.0,), muon=True), mask_rates=(0.2, 0.15)),
        Again(
            Plan(steps=5700, lr=9e-4, final=0.0, growth=(0.0, 0.3, 0.75), muon=True, until=3600),
            mask_rates=(0.25, 0.15),
            layers=(0, 1, 1, 2, 2, 3),
        ),
        Again(Plan(steps=1600, lr=4e-4, final=0.0, growth=(0.0, 0.0), muon=True), mask_rates=(0.17, 0.15)),
    ),
)
# The same two models in a world where no occupation leans to a pronoun. Going on from the finished weights is enough.
LITTLE_GPT2_EVEN = replace(
    LITTLE_GPT2, name="little-gpt2-even", plan=Plan(steps=4000, lr=1e-3, muon=True), bias=0.5, made_from="little-gpt2"
)
LITTLE_BERT_EVEN = replace(
    LITTLE_BERT,
    name="little-bert-even",
    plan=Plan(steps=5000, lr=9e-4, final=0.0, growth=(0.3,), muon=True),
    mask_rates=(0.2, 0.15),
    n_layers=LITTLE_BERT.runs[-1].n_layers,
    then=(),
    bias=0.5,
    made_from="little-bert",
)
RECIPES = {recipe.name: recipe for recipe in (LITTLE_GPT2, LITTLE_BERT, LITTLE_GPT2_EVEN, LITTLE_BERT_EVEN)}
