"""From a trace to findings: detectors, measures, projections. Works on tensors and traces, never on a model's class."""

from .components import Components, principal_components
from .neighbours import analogy, cosines, nearest
from .probes import Probe, fit_probe, shuffled

__all__ = ["Components", "Probe", "analogy", "cosines", "fit_probe", "nearest", "principal_components", "shuffled"]
