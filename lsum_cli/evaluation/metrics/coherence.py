"""Semantic coherence (Liu et al. 2022, Eq. 12): does each sentence of a summary follow the previous one?

The mean probability, by the next-sentence head of a BERT, that sentence i follows sentence i - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lsum_cli.evaluation.metrics.encoders import Encoder
from lsum_cli.evaluation.metrics.rouge import split_summary
from lsum_cli.machine.devices import AUTO

DEFAULT_MODEL = "google-bert/bert-large-uncased"
_BATCH = 16
# BERT's head was trained with 0 for "follows" and 1 for "does not".
_FOLLOWS = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Coherence:
    """The coherence of one summary.

    Attributes:
        mean: From 0 to 1; ``None`` for fewer than two sentences.
        pairs: Number of pairs of neighbouring sentences.
        truncated: How many pairs were too long for the model and were cut.
    """

    mean: float | None
    pairs: int
    truncated: int

    @property
    def values(self) -> dict[str, float | None]:
        """The score, by column."""
        return {"coherence": self.mean}


class CoherenceScorer:
    """Scores coherence by one model.

    Args:
        model: A BERT with a next-sentence head, in the hub library's cache or a folder.
        device: ``auto``, ``cpu``, ``cuda[:N]`` or ``mps``.
        offline: Whether network connections are forbidden.

    Raises:
        CheckpointError: The model is not on this machine, or has no next-sentence head.
        DeviceError: There is no such device.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, device: str = AUTO, offline: bool = False) -> None:
        self._encoder = Encoder(
            model, architecture="BertForNextSentencePrediction", device=device, offline=offline
        )
        self.signature = model

    def score_pair(self, prediction: str, reference: str) -> Coherence:  # noqa: ARG002
        """The coherence of a summary; its reference plays no part."""
        return self.score(split_summary(prediction))

    def score(self, sentences: Sequence[str]) -> Coherence:
        """The coherence of a summary, given as sentences."""
        import torch

        pairs = list(pairwise(sentence for sentence in sentences if sentence.strip()))
        cut_before = self._encoder.num_truncated
        total = 0.0
        for start in range(0, len(pairs), _BATCH):
            first, second = zip(*pairs[start : start + _BATCH], strict=True)
            inputs = self._encoder.encode(first, second)
            with torch.inference_mode():
                logits = self._encoder.model(**inputs).logits.float()  # (batch, 2)
            total += float(logits.softmax(dim=-1)[:, _FOLLOWS].double().sum())
        return Coherence(
            mean=total / len(pairs) if pairs else None,
            pairs=len(pairs),
            truncated=self._encoder.num_truncated - cut_before,
        )
