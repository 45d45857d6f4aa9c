"""The importance tagger for inference: prepared weights, no padding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

import torch
from torch import Tensor

from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.precision import PreparedLinear, take_over
from lsum_cli.models.topdown.decoding import ReadingProgress, check_documents
from lsum_cli.models.topdown.prepared_encoder import PreparedTopDownEncoder
from lsum_cli.models.topdown.tagging import TopDownForTokenClassification
from lsum_cli.progress import ProgressListener, ignore_progress


class TaggerEngine:
    """A tagger ready to score; it never changes and may serve any number of documents."""

    def __init__(self, encoder: PreparedTopDownEncoder, classifier: PreparedLinear) -> None:
        self.encoder = encoder
        self._classifier = classifier

    @classmethod
    def prepare(
        cls,
        model: TopDownForTokenClassification,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Take over the weights of a model; arguments and errors are those of ``TopDownEngine.prepare``."""
        with take_over(model, precision, device, release=release) as preparation:
            classifier = preparation.exact_linear(model.classifier.weight, model.classifier.bias, rows=1024)
            return cls(PreparedTopDownEncoder(model.encoder, preparation), classifier)

    @property
    def max_source_len(self) -> int:
        """How many tokens a document may have."""
        return self.encoder.embedding.num_positions

    @torch.inference_mode()
    def score(
        self, documents: Sequence[Tensor], *, progress: ProgressListener = ignore_progress
    ) -> list[Tensor]:
        """Say how important every token is.

        Args:
            documents: For each its token ids, (source_len,); there is no padding.
            progress: Hears of every layer, as the tokens that are read.

        Returns:
            For each document (source_len,), between 0 and 1, float32 on the CPU.

        Raises:
            OptionError: No documents, an empty or overlong one.
            CheckpointError: Token ids that the model does not know.
        """
        check_documents(documents, self.encoder)
        reading = ReadingProgress(documents, self.encoder.num_layers, progress)
        scores = []
        for number, document in enumerate(documents):
            states = self.encoder.encode(document, on_layer=partial(reading.advance, number))
            scores.append(self._classifier(states.float()).squeeze(-1).sigmoid().cpu())
        return scores
