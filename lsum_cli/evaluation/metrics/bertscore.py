"""BERTScore (Zhang et al. 2020): tokens of summary and reference, matched by contextual embeddings.

With the hidden states of one layer of an encoder, normalised to length 1, special tokens left out,

    precision = mean over the summary's tokens of the greatest cosine with a token of the reference,
    recall    = the same from the reference's side,   F1 = their harmonic mean.

Every token has the same weight (no idf), and scores are not rescaled against a baseline: they are
comparable only between runs with the same model and layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.errors import OptionError
from lsum_cli.evaluation.metrics.encoders import Encoder
from lsum_cli.machine.devices import AUTO

if TYPE_CHECKING:
    import torch

DEFAULT_MODEL = "FacebookAI/roberta-large"
# The layers that correlate best with human judgement, as published with the metric.
_BEST_LAYERS = {
    "FacebookAI/roberta-large": 17,
    "FacebookAI/roberta-base": 10,
    "google-bert/bert-base-uncased": 9,
    "google-bert/bert-large-uncased": 18,
    "microsoft/deberta-xlarge-mnli": 40,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class BertScore:
    """Similarity of a summary to its reference.

    Attributes:
        truncated: How many of the two texts were too long for the model and were cut.
    """

    precision: float
    recall: float
    f1: float
    truncated: int

    @property
    def values(self) -> dict[str, float | None]:
        """The scores, by column."""
        return {
            "bertscore": self.f1,
            "bertscore_precision": self.precision,
            "bertscore_recall": self.recall,
        }


class BertScorer:
    """Compares summaries with references by one encoder.

    Args:
        model: An encoder in the hub library's cache, or a folder.
        layer: The layer whose states are compared, from 1; ``None`` for the published choice, or the last.
        device: ``auto``, ``cpu``, ``cuda[:N]`` or ``mps``.
        offline: Whether network connections are forbidden.

    Raises:
        CheckpointError: The model is not on this machine, or damaged.
        DeviceError: There is no such device.
        OptionError: The model has no such layer.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        layer: int | None = None,
        device: str = AUTO,
        offline: bool = False,
    ) -> None:
        self._model = model
        self._encoder = Encoder(model, device=device, offline=offline)
        layers = int(self._encoder.model.config.num_hidden_layers)
        self.layer = layer or min(layers, _BEST_LAYERS.get(model.partition("@")[0], layers))
        if not 1 <= self.layer <= layers:
            raise OptionError(f"{model} has {layers} layers, not {layer}", f"give 1 to {layers}")

    @property
    def signature(self) -> str:
        """The model and its layer."""
        return f"{self._model}, layer {self.layer}"

    def score_pair(self, prediction: str, reference: str) -> BertScore:
        """Compare a summary with its reference; all scores are 0 where either has no token."""
        cut_before = self._encoder.num_truncated
        written, wanted = self._states(prediction), self._states(reference)
        truncated = self._encoder.num_truncated - cut_before
        if not len(written) or not len(wanted):
            return BertScore(precision=0.0, recall=0.0, f1=0.0, truncated=truncated)
        cosines = written @ wanted.T  # (tokens of the summary, tokens of the reference)
        precision = float(cosines.max(dim=1).values.mean())
        recall = float(cosines.max(dim=0).values.mean())
        total = precision + recall
        return BertScore(
            precision=precision,
            recall=recall,
            f1=2 * precision * recall / total if total else 0.0,
            truncated=truncated,
        )

    def _states(self, text: str) -> torch.Tensor:
        """Normalised states of the tokens, special tokens left out, (tokens, dim)."""
        import torch

        if not text.strip():
            return torch.zeros(0, self._encoder.dim)
        inputs = self._encoder.encode([" ".join(text.split())])
        with torch.inference_mode():
            states = self._encoder.model(**inputs, output_hidden_states=True).hidden_states[self.layer][0]
        special = torch.tensor(
            self._encoder.tokenizer.get_special_tokens_mask(
                inputs["input_ids"][0].tolist(), already_has_special_tokens=True
            )
        )
        text_states = states[special.to(states.device) == 0].float()
        return torch.nn.functional.normalize(text_states, dim=-1)
