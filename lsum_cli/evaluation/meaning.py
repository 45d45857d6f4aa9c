"""Scores by models of the hub for whole columns of summaries: BERTScore and coherence."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lsum_cli.evaluation.options import ModelScores
from lsum_cli.evaluation.tokens import split_summary
from lsum_cli.progress import ProgressEvent, ProgressListener

# "module:class", resolved on use: they need torch, and most evaluations need neither.
_SCORERS = {
    "bertscore": "lsum_cli.evaluation.bertscore:BertScorer",
    "coherence": "lsum_cli.evaluation.coherence:CoherenceScorer",
}


@dataclass(frozen=True, kw_only=True)
class MeaningScores:
    """What the models say.

    Attributes:
        rows: The new columns of each summary.
        models: Which model gave which column.
        warnings: What was cut, one line each.
    """

    rows: tuple[dict[str, float | None], ...]
    models: dict[str, str]
    warnings: tuple[str, ...]


def score_meaning(
    pairs: Sequence[tuple[str, str]], wanted: ModelScores, progress: ProgressListener
) -> MeaningScores:
    """Score summaries by the models that are wanted; by none where none is.

    Args:
        pairs: References, each with the summary.
        wanted: Which models, and where they run.

    Raises:
        CheckpointError: A model is not here, or not made for this.
        DeviceError: There is no such device.
    """
    rows: list[dict[str, float | None]] = [{} for _ in pairs]
    models: dict[str, str] = {}
    warnings: list[str] = []
    if wanted.bertscore is not None:
        scorer = _load("bertscore", wanted.bertscore, wanted)
        models["bertscore"] = f"{wanted.bertscore}, layer {scorer.layer}"
        cut = 0
        for done, (row, (reference, text)) in enumerate(zip(rows, pairs, strict=True), start=1):
            score = scorer.score(text, reference)
            row |= {"bertscore": score.f1}
            row |= {"bertscore_precision": score.precision, "bertscore_recall": score.recall}
            cut += score.truncated
            progress(ProgressEvent(stage="BERTScore", done=done, total=len(pairs), unit="summaries"))
        if cut:
            warnings.append(f"BERTScore: {cut} texts are longer than {wanted.bertscore} reads, and were cut")
    if wanted.coherence is not None:
        judge = _load("coherence", wanted.coherence, wanted)
        models["coherence"] = wanted.coherence
        cut = 0
        for done, (row, (_, text)) in enumerate(zip(rows, pairs, strict=True), start=1):
            found = judge.score(split_summary(text))
            row["coherence"] = found.mean
            cut += found.truncated
            progress(ProgressEvent(stage="coherence", done=done, total=len(pairs), unit="summaries"))
        if cut:
            warnings.append(
                f"coherence: {cut} pairs of sentences are longer than {wanted.coherence} reads, and were cut"
            )
    return MeaningScores(rows=tuple(rows), models=models, warnings=tuple(warnings))


def _load(name: str, model: str, wanted: ModelScores) -> Any:
    module, _, class_name = _SCORERS[name].partition(":")
    return getattr(importlib.import_module(module), class_name)(
        model, device=wanted.device, offline=wanted.offline
    )
