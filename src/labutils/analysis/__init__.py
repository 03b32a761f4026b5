"""From a trace to findings: detectors, measures, projections. Works on tensors and traces, never on a model's class."""

from .components import Components, principal_components
from .counts import ppmi
from .neighbours import analogy, cosines, nearest
from .probes import Probe, fit_probe, shuffled
from .turning import next_word, random_turn, turned

__all__ = [
    "Components",
    "Probe",
    "analogy",
    "cosines",
    "fit_probe",
    "nearest",
    "next_word",
    "ppmi",
    "principal_components",
    "random_turn",
    "shuffled",
    "turned",
]
