"""The Top-Down Transformer for inference: prepared weights, no padding, beams that share their document.

The same numbers as :class:`~lsum_cli.models.topdown.modeling.TopDownForConditionalGeneration`, but keys
and values of a document exist once for all beams, and nothing is copied when beams are reordered. A
decoder that is told which tokens belong together returns, with every step, how much of the
cross-attention lies on each group: of the last layers, averaged over these and their heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

import torch
from torch import Tensor

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.bart import PreparedBartDecoder
from lsum_cli.models.blocks.beam_decoder import BeamDecoder, PackedRows
from lsum_cli.models.blocks.kv_cache import PageMemory
from lsum_cli.models.blocks.precision import PreparedLinear, take_over
from lsum_cli.models.topdown.attended_memory import AttendedMemory
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration
from lsum_cli.models.topdown.prepared_encoder import PreparedTopDownEncoder
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

VOCABULARY_ROWS = 4
# Of whose states keys and values are computed together.
TOKENS_AT_ONCE = 4096
ATTENDED_LAYERS = 4
_READING = "reading"


class TopDownEngine:
    """A Top-Down Transformer ready to encode and decode.

    Build it with :meth:`prepare`; an engine never changes and may serve any number of documents.
    """

    def __init__(
        self, *, encoder: PreparedTopDownEncoder, decoder: PreparedBartDecoder, vocabulary: PreparedLinear
    ) -> None:
        self.encoder = encoder
        self.decoder = decoder
        self.vocabulary = vocabulary

    @classmethod
    def prepare(
        cls,
        model: TopDownForConditionalGeneration,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Take over the weights of a model.

        Args:
            model: Left as it is, unless ``release``.
            precision: To compute in; ``None`` for the device's best.
            device: Where; ``None`` for where the model is.
            release: Free the model's own copy meanwhile; the model is unusable afterwards.

        Raises:
            CheckpointError: A weight is not a number.
            OptionError: The device cannot compute in this precision.
        """
        with take_over(model, precision, device, release=release) as preparation:
            vocabulary = preparation.exact_linear(
                model.lm_head.weight, model.final_logits_bias[0], rows=VOCABULARY_ROWS
            )
            return cls(
                encoder=PreparedTopDownEncoder(model.model.encoder, preparation),
                decoder=PreparedBartDecoder(model.model.decoder, preparation),
                vocabulary=vocabulary,
            )

    @property
    def max_source_len(self) -> int:
        """How many tokens a document may have."""
        return self.encoder.embedding.num_positions

    @torch.inference_mode()
    def encode(
        self,
        documents: Sequence[Tensor],
        *,
        importance: Sequence[Tensor] | None = None,
        groups: Sequence[Tensor] | None = None,
        attended_layers: int = ATTENDED_LAYERS,
        progress: ProgressListener = ignore_progress,
    ) -> TopDownDecoder:
        """Encode documents, to be decoded together.

        Args:
            documents: For each its token ids, (source_len,), between one and as many as the model has
                positions. There is no padding.
            importance: For each that of its tokens, (source_len,); ``None`` for AvgPool.
            groups: For each the group of every token, (source_len,), -1 for none: a source sentence,
                a page of a file. ``None`` where attention is not asked for.
            attended_layers: Of how many of the last layers attention is told.
            progress: Hears of every layer, as the tokens that are read.

        Raises:
            OptionError: No documents, an empty or overlong one, or importance or groups that do not
                fit their tokens.
            CheckpointError: Token ids that the model does not know.
        """
        check_documents(documents, self.encoder)
        _check_companions(documents, importance=importance, groups=groups)
        decoder = self.decoder
        sizes = {
            "layers": decoder.num_layers,
            "heads": decoder.heads,
            "dim": decoder.dim,
        }
        kind = {"dtype": decoder.dtype, "device": decoder.device}
        memory = (
            PageMemory([len(document) for document in documents], **sizes, **kind)  # type: ignore[arg-type]
            if groups is None
            else AttendedMemory(groups, attended_layers=attended_layers, **sizes, **kind)  # type: ignore[arg-type]
        )
        reading = ReadingProgress(documents, self.encoder.num_layers, progress)
        for number, document in enumerate(documents):
            weights = None if importance is None else importance[number]
            states = self.encoder.encode(document, weights, on_layer=partial(reading.advance, number))
            for layer in range(decoder.num_layers):
                for start in range(0, len(document), TOKENS_AT_ONCE):
                    part = states[start : start + TOKENS_AT_ONCE]
                    memory.write(layer, number, start, decoder.project(layer, part))
        return TopDownDecoder(self, memory)


class TopDownDecoder(BeamDecoder):
    """Encoded documents; a ``Decoder`` of the generation engine, to be used once."""

    def __init__(self, engine: TopDownEngine, memory: PageMemory) -> None:
        super().__init__(engine.decoder, memory, torch.tensor(memory.order))
        self._vocabulary = engine.vocabulary

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Decode one token of every row; see ``Decoder.step``.

        The trace of a token is its attention to each group of source tokens, (groups,); it sums to 1 at most.
        """
        hidden = self._advance(token_ids, parents)  # (places, beams, hidden)
        places = self._owners.argsort()  # (documents,), the place of each document
        ordered = hidden[places.to(hidden.device)].flatten(0, 1)  # (rows, hidden)
        return self._vocabulary(ordered.float()).log_softmax(dim=-1), self._attention(places)

    def _attention(self, places: Tensor) -> Sequence[PackedRows] | None:
        if not isinstance(self._memory, AttendedMemory):
            return None
        by_place = self._memory.attention()
        return [PackedRows(by_place[place]) for place in places.tolist()]


class ReadingProgress:
    """Tells how many tokens are read, a share of a document's with each of its layers."""

    def __init__(self, documents: Sequence[Tensor], layers: int, listener: ProgressListener) -> None:
        self._lengths = [len(document) for document in documents]
        self._layers, self._listener = layers, listener
        self._done = 0.0

    def advance(self, document: int) -> None:
        """A layer of a document is done."""
        self._done += self._lengths[document] / self._layers
        total = sum(self._lengths)
        self._listener(ProgressEvent(stage=_READING, done=round(self._done), total=total, unit="tokens"))


def check_documents(documents: Sequence[Tensor], encoder: PreparedTopDownEncoder) -> None:
    """Refuse what cannot be encoded; see :meth:`TopDownEngine.encode`."""
    if not documents:
        raise OptionError("there are no documents to summarise", "give a source that holds text")
    limit, vocab = encoder.embedding.num_positions, encoder.embedding.vocab
    for number, document in enumerate(documents, start=1):
        if not 1 <= len(document) <= limit:
            raise OptionError(
                f"document {number} has {len(document)} tokens, the model reads 1 to {limit}",
                "give a shorter document, or --method book",
            )
        if not 0 <= int(document.min()) <= int(document.max()) < vocab:
            raise CheckpointError(
                f"document {number} has token ids beyond the model's {vocab}",
                "use the tokenizer that belongs to the checkpoint",
            )


def _check_companions(documents: Sequence[Tensor], **companions: Sequence[Tensor] | None) -> None:
    lengths = [len(document) for document in documents]
    for name, tensors in companions.items():
        if tensors is not None and [len(tensor) for tensor in tensors] != lengths:
            raise OptionError(
                f"{name} of {[len(tensor) for tensor in tensors]} tokens for documents of {lengths}",
                f"give {name} for every token",
            )
