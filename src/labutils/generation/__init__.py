"""Odds to text: what is done to a distribution before a token is drawn, and the ways to
choose that draw nothing.

>>> import torch
>>> from labutils.models import paper_model
>>> logits = paper_model()(torch.tensor([[0, 1, 2]])).logits[:, -1]  # the cat sat
>>> processed(logits, Settings(top_k=2)).softmax(-1)[0].mul(3).round().tolist()
[0.0, 0.0, 0.0, 2.0, 1.0]

So *on* is drawn twice as often as *mat*, and nothing else.
"""

from .beams import Beam, Step, beam_search, beam_step, beam_steps
from .calibration import calibration_error, fit_temperature
from .contrastive import contrast, contrastive_search
from .generate import Contrast, Draft, Search, generate
from .penalty import frequency_penalty, repetition_penalty
from .quality import distinct, ngrams, repetition
from .settings import GREEDY, PLAIN, Settings, processed, stages
from .speculative import accept, speculative
from .streaming import spoken, stop_strings, stream
from .temperature import temperature
from .truncation import min_p, top_k, top_p, typical
from .writing import draw, left_padded

__all__ = [
    "Beam",
    "Contrast",
    "Draft",
    "GREEDY",
    "PLAIN",
    "Search",
    "Settings",
    "Step",
    "accept",
    "beam_search",
    "beam_step",
    "beam_steps",
    "calibration_error",
    "contrast",
    "contrastive_search",
    "distinct",
    "draw",
    "fit_temperature",
    "frequency_penalty",
    "generate",
    "left_padded",
    "min_p",
    "ngrams",
    "processed",
    "repetition",
    "repetition_penalty",
    "speculative",
    "spoken",
    "stages",
    "stop_strings",
    "stream",
    "temperature",
    "top_k",
    "top_p",
    "typical",
]
