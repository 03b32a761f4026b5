"""A recipe to trained weights, each an exact float16 number.

The models that are trained are HuggingFace's, for their fast attention; the files that come out load as ours just as
well.
"""

import random
import re
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from torch.nn import functional as F

from labutils.making.recipes import Recipe
from labutils.making.rows import END, NO_PAIR, Batch, bert_chunk, gpt2_chunk, stories
from labutils.models import family_of
from labutils.text import ByteLevelBPE, WordPiece
from labutils.training import IGNORE, Progress, mask_words, pad, train
from labutils.world import RUNNING_TEXT

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def fit_tokenizer(world, recipe: Recipe):
    """Byte-level BPE for GPT-2, WordPiece for BERT, learned from stories that the model is not trained on."""
    texts = tokenizer_texts(world, recipe)
    if recipe.family.causal:
        return ByteLevelBPE.train(texts, recipe.vocab_size, special_tokens=(END,))
    return _word_piece(texts, recipe)


def tokenizer_texts(world, recipe: Recipe) -> list[str]:
    told = stories(world, recipe, "tokenizer", recipe.tokenizer_stories)
    return [*(story.text for story in told), *[RUNNING_TEXT] * recipe.running_texts]


def _word_piece(texts: list[str], recipe: Recipe) -> WordPiece:
    """The most frequent words are whole; the pieces for all others are learned from these others, by WordPiece's score.

    The score favours rare pairs, so pieces learned from all words would leave even "the" in two parts. Every letter is
    an entry, at the start of a word and inside one: a word of letters always has pieces.
    """
    counts = Counter(word for text in texts for word in re.findall(r"""[a-z]+|[.,?!"]""", text.lower()))
    whole = [word for word, _ in counts.most_common(recipe.whole_words) if len(word) > 1]
    others = [" ".join([word] * n) for word, n in counts.items() if word not in set(whole)]
    pieces = WordPiece.train([*others, string.ascii_lowercase, *string.ascii_lowercase], recipe.vocab_size - len(whole))
    entries = dict.fromkeys([*pieces.vocab, *whole])
    return WordPiece({entry: i for i, entry in enumerate(entries)})


def fit(
    world,
    tokenizer,
    recipe: Recipe,
    state: Path | None = None,
    report: Callable[[Progress], None] = lambda p: None,
    stop_at: int | None = None,
    watch: Callable[[torch.nn.Module, Progress], None] = lambda model, progress: None,
    given: dict[str, torch.Tensor] | None = None,
) -> tuple[torch.nn.Module, Progress]:
    """Train by `recipe`: the model with its weights rounded to float16 (held in float32), and how it went, all runs
    together.

    With `state` a run can be interrupted and is taken up from there; for it and for `watch` see
    `labutils.training.train`. `given` weights, under HuggingFace's names, are gone on with instead of fresh ones.
    """
    model = start(recipe, tokenizer)
    if given is not None:
        model.load_state_dict(given)
    whole = Progress()
    for run, file in zip(recipe.runs, states(recipe, state)):
        if stop_at is not None and stop_at <= whole.step:
            break
        if run.layers:
            model = deepened(model, run, tokenizer)
        so_far, before = (lambda progress, before=whole: joined(before, progress)), whole.step
        progress = train(
            model,
            *_task(world, tokenizer, run),
            run.plan,
            tokens=_counter(run),
            state=file,
            report=lambda progress: report(so_far(progress)),
            stop_at=None if stop_at is None else stop_at - before,
            watch=lambda model, progress: None if before and not progress.step else watch(model, so_far(progress)),
        )
        whole = so_far(progress)
        round_to_float16(model)
    return model, whole


def states(recipe: Recipe, state: Path | None) -> list[Path | None]:
    """The file of each run of `recipe`: `state` for the first, the others beside it."""
    return [state and state.with_stem(f"{state.stem}-{i}" if i else state.stem) for i in range(len(recipe.runs))]


def joined(first: Progress, second: Progress) -> Progress:
    """The second run's progress counted on from the end of the first."""
    return replace(
        second,
        step=first.step + second.step,
        tokens=first.tokens + second.tokens,
        seconds=first.seconds + second.seconds,
        losses=[*first.losses, *second.losses],
    )


def _task(world, tokenizer, run: Recipe) -> tuple[Callable, Callable]:
    """The loss of a batch, and the stream of batches."""
    if run.family.causal:
        return gpt2_loss(run), gpt2_chunk(world, tokenizer, run)
    return bert_loss(tokenizer, run), bert_chunk(world, tokenizer, run)


def _counter(run: Recipe) -> Callable[[Batch], int]:
    if run.family.causal:
        return lambda batch: sum(len(row) - 1 for row in [*batch.rows, *(repeat.ids for repeat in batch.repeats)])
    return lambda batch: sum(len(row.ids) for row in batch.rows)


def start(recipe: Recipe, tokenizer) -> torch.nn.Module:
    """A fresh model: normal weights from the recipe's seed, positions as sinusoids that training then changes."""
    import transformers

    torch.manual_seed(recipe.seed)
    config = hf_config(recipe, tokenizer)
    family = recipe.family
    # Some have the tanh GELU under a faster name: one kernel instead of six, the same function.
    fast = {key: "gelu_pytorch_tanh" if value == "gelu_new" else value for key, value in config.items()}
    config = transformers.AutoConfig.for_model(**fast, attn_implementation="sdpa")
    model = getattr(transformers, family.hf_classes[0])(config)
    positions = model.get_submodule(family.places["position"].strip(">")).weight
    positions.data.copy_(recipe.position_amplitude * sinusoids(recipe.n_positions, recipe.d_model))
    return model


def deepened(model: torch.nn.Module, run: Recipe, tokenizer) -> torch.nn.Module:
    """A model with the layers of `run`: each begins as the layer of `model` that `run.layers` names, all else as it is
    there.
    """
    deep = start(run, tokenizer)
    layer = run.family.places["input"].strip(">") + "."  # such as "bert.encoder.layer.{i}."
    given = model.state_dict()
    for name, weight in deep.state_dict().items():
        for i, before in enumerate(run.layers):
            name = name.replace(layer.format(i=i), f"given {layer.format(i=before)}", 1)
        weight.copy_(given[name.removeprefix("given ")])
    return deep


def hf_config(recipe: Recipe, tokenizer) -> dict:
    """The content of config.json. Nothing is dropped out: the stream never repeats a story, so there is nothing to
    overfit.
    """
    from labutils.models import BertConfig, GPT2Config

    sizes = dict(
        vocab_size=len(tokenizer),
        n_positions=recipe.n_positions,
        d_model=recipe.d_model,
        n_layers=recipe.n_layers,
        n_heads=recipe.n_heads,
        initializer_range=recipe.initializer_range,
        attention_dropout=0.0,
    )
    if recipe.family.causal:
        end = tokenizer.token_to_id(END)
        ours = GPT2Config(**sizes, embedding_dropout=0.0, residual_dropout=0.0)
        return ours.to_hf() | {"bos_token_id": end, "eos_token_id": end, "dtype": "float32"}
    pad_id = tokenizer.token_to_id("[PAD]")
    return BertConfig(**sizes, hidden_dropout=0.0, pad_id=pad_id).to_hf() | {"pad_token_id": pad_id, "dtype": "float32"}


def sinusoids(n: int, d: int) -> torch.Tensor:
    """Positions as sines and cosines of 1 to 10,000 tokens (n, d). Source: Vaswani et al. 2017, section 3.5."""
    angles = torch.arange(n)[:, None] * torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(10000.0)) / d))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def gpt2_loss(recipe: Recipe) -> Callable[[torch.nn.Module, Batch, float], torch.Tensor]:
    """The next token of the stories, plus `recipe.repeat_weight` times that of the tokens told again in the random
    repeats.
    """

    def loss(model: torch.nn.Module, batch: Batch, done: float) -> torch.Tensor:
        value = _next_tokens(model, batch.rows, [1] * len(batch.rows))
        if batch.repeats:
            told_again = _next_tokens(
                model, [repeat.ids for repeat in batch.repeats], [repeat.again for repeat in batch.repeats]
            )
            value = value + recipe.repeat_weight * told_again
        return value

    return loss


def _next_tokens(model, rows: list[list[int]], begins: list[int]) -> torch.Tensor:
    """Mean loss of predicting each row's tokens from its index in `begins` on. The head is computed only where it
    counts.
    """
    ids = pad(rows, IGNORE)  # (B, n); the causal mask alone keeps right padding out of sight
    counted = (ids != IGNORE) & (torch.arange(ids.shape[1]) >= torch.tensor(begins)[:, None])
    states = model.transformer(ids[:, :-1].clamp(min=0), use_cache=False).last_hidden_state  # (B, n - 1, d)
    return F.cross_entropy(model.lm_head(states[counted[:, 1:]]), ids[counted])


def bert_loss(tokenizer, recipe: Recipe) -> Callable[[torch.nn.Module, Batch, float], torch.Tensor]:
    """Hidden words, plus the next sentence for the rows that have two segments. What is hidden depends on the batch's
    place.
    """
    mask_id, specials = tokenizer.token_to_id("[MASK]"), {tokenizer.token_to_id(t) for t in SPECIAL}
    ordinary = [i for i in range(len(tokenizer)) if i not in specials]
    high, low = recipe.mask_rates

    def loss(model: torch.nn.Module, batch: Batch, done: float) -> torch.Tensor:
        # many hidden words teach fast, few are what is asked for in the end
        rate = low + (high - low) * (1 - done) ** 2
        rng = random.Random(f"{recipe.name} {recipe.seed} masks {batch.place}")
        hidden = [mask_words(row.ids, row.words, rate, mask_id, ordinary, rng) for row in batch.rows]
        ids, labels = pad([h[0] for h in hidden], IGNORE), pad([h[1] for h in hidden], IGNORE)
        follows = torch.tensor([row.follows for row in batch.rows])
        types = pad([row.types for row in batch.rows], 0)
        return _bert_terms(model, ids, types, labels, follows)

    return loss


def _bert_terms(
    model, ids: torch.Tensor, types: torch.Tensor, labels: torch.Tensor, follows: torch.Tensor
) -> torch.Tensor:
    mask = ids != IGNORE
    states = model.bert(ids.clamp(min=0), attention_mask=None if mask.all() else mask.long(), token_type_ids=types)
    chosen = labels != IGNORE  # the head is computed only where a word was chosen
    value = F.cross_entropy(model.cls.predictions(states.last_hidden_state[chosen]), labels[chosen])
    paired = follows != NO_PAIR
    if paired.any():
        value = value + F.cross_entropy(model.cls.seq_relationship(states.pooler_output[paired]), follows[paired])
    return value


def as_ours(config: dict, theirs: torch.nn.Module) -> torch.nn.Module:
    """HuggingFace's trained model as ours, in eval mode."""
    family = family_of(config["model_type"])
    ours = family.model(family.config.from_hf(config))
    ours.load_hf_state_dict({name: t.detach() for name, t in theirs.state_dict().items()})
    return ours.eval()


def round_to_float16(model: torch.nn.Module) -> None:
    """Round every weight, in place, to the nearest float16 number; it stays stored as float32."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())
