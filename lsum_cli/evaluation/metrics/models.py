"""The metrics that need a model: encoders compare a summary with its reference, an NLI model with its source.

They are computed on request. The modules that compute them need torch, and most evaluations do not: they are
imported when a model is loaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, cast

from lsum_cli.evaluation.metrics.registry import Metric, SourceScorer
from lsum_cli.evaluation.options import EncoderOptions
from lsum_cli.progress import ProgressEvent, ProgressListener

_ENTAILMENT = "lsum_cli.evaluation.metrics.entailment:EntailmentScorer"


class PairScore(Protocol):
    """An encoder's scores of one summary."""

    @property
    def values(self) -> Mapping[str, float | None]:
        """The scores, by column."""
        ...

    @property
    def truncated(self) -> int:
        """How many of the encoder's inputs were too long for it and were cut."""
        ...


class EncoderScorer(Protocol):
    """Scores summaries by an encoder; constructed from a model's name, a device and ``offline``."""

    @property
    def signature(self) -> str:
        """The model, with everything else the scores depend on."""
        ...

    def score_pair(self, prediction: str, reference: str) -> PairScore:
        """Score one summary."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class EncoderMetric(Metric):
    """A metric that needs an encoder; requested by the field of its name in :class:`EncoderOptions`.

    Attributes:
        scorer: The :class:`EncoderScorer`, as ``"module:class"``: it needs torch, and most evaluations
            do not.
        inputs: What is cut where it is too long.
    """

    scorer: str
    inputs: str


ENCODER_METRICS = (
    EncoderMetric(
        name="bertscore",
        label="BERTScore",
        unit="",
        scorer="lsum_cli.evaluation.metrics.bertscore:BertScorer",
        inputs="texts",
    ),
    EncoderMetric(
        name="coherence",
        label="Coherence",
        unit="",
        scorer="lsum_cli.evaluation.metrics.coherence:CoherenceScorer",
        inputs="pairs of sentences",
    ),
)


ENTAILMENT_METRICS = (
    Metric(
        name="summac",
        label="SummaC-ZS",
        unit="%",
    ),
    Metric(
        name="summac_cited",
        label="SummaC-ZS, cited",
        unit="%",
    ),
    Metric(
        name="summac_contrast",
        label="SummaC-ZS, E − C",
        unit="%",
    ),
    Metric(
        name="alignscore",
        label="AlignScore",
        unit="%",
    ),
    Metric(
        name="alignscore_cited",
        label="AlignScore, cited",
        unit="%",
    ),
)


def load_entailment(options: EncoderOptions) -> SourceScorer | None:
    """What scores faithfulness by entailment; ``None`` where no NLI model is named.

    Raises:
        CheckpointError: The model is not on this machine, or is no NLI model.
        DeviceError: There is no such device.
    """
    return None if options.nli is None else _load_entailment(options)


def load_models(options: EncoderOptions) -> None:
    """Load every model that is asked for, so that one that cannot be used is known before any work.

    Raises:
        CheckpointError: A model is not on this machine, or not suitable.
        DeviceError: There is no such device.
    """
    load_entailment(options)
    for metric in ENCODER_METRICS:
        model = getattr(options, metric.name)
        if model is not None:
            _load(metric.scorer, model, options.device, offline=options.offline)


@cache
def _load_entailment(options: EncoderOptions) -> SourceScorer:
    return cast(SourceScorer, _find(_ENTAILMENT)(options))


@dataclass(frozen=True, kw_only=True)
class EncoderScores:
    """The scores of many summaries by encoders.

    Attributes:
        rows: The columns of each summary.
        models: The signature of the scorer, by metric.
        warnings: What was cut, one line each.
    """

    rows: tuple[dict[str, float | None], ...]
    models: dict[str, str]
    warnings: tuple[str, ...]


def score_with_encoders(
    pairs: Sequence[tuple[str, str]], options: EncoderOptions, progress: ProgressListener
) -> EncoderScores:
    """Score summaries by the requested encoder metrics, which may be none.

    Args:
        pairs: References, each with the summary.
        options: Which metrics with which models, and where they run.

    Raises:
        CheckpointError: A model is not on this machine, or not suitable.
        DeviceError: There is no such device.
    """
    rows: list[dict[str, float | None]] = [{} for _ in pairs]
    models: dict[str, str] = {}
    warnings: list[str] = []
    for metric in ENCODER_METRICS:
        model: str | None = getattr(options, metric.name)
        if model is None:
            continue
        scorer = _load(metric.scorer, model, options.device, offline=options.offline)
        models[metric.name] = scorer.signature
        cut = 0
        for done, (row, (reference, text)) in enumerate(zip(rows, pairs, strict=True), start=1):
            score = scorer.score_pair(text, reference)
            row.update(score.values)
            cut += score.truncated
            progress(ProgressEvent(stage=metric.label, done=done, total=len(pairs), unit="summaries"))
        if cut:
            warnings.append(
                f"{metric.label}: {cut} {metric.inputs} are longer than {model} reads, and were truncated"
            )
    return EncoderScores(rows=tuple(rows), models=models, warnings=tuple(warnings))


@cache
def _load(scorer: str, model: str, device: str, *, offline: bool) -> EncoderScorer:
    return cast(EncoderScorer, _find(scorer)(model, device=device, offline=offline))


def _find(name: str) -> Any:
    """The class of a name, as ``"module:class"``."""
    module, _, class_name = name.partition(":")
    return getattr(importlib.import_module(module), class_name)
