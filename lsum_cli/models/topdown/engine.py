"""The Top-Down Transformer and its importance tagger for inference: no padding, beams share their document.

The encoder is the module that is trained, with prepared weights; keys and values of a document exist
once for all beams, and nothing is copied when beams are reordered. A decoder that is given groups of
tokens traces with every step how much of the cross-attention lies on each group: of the last layers,
averaged over these and their heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from torch import Tensor, nn

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.bart import TIED_EMBEDDINGS, PreparedBartDecoder, SummariserParameters
from lsum_cli.models.blocks.beam_decoder import BeamDecoder, PackedRows
from lsum_cli.models.blocks.kv_cache import PageGroup, PageMemory
from lsum_cli.models.blocks.precision import PreparedLinear, take_over
from lsum_cli.models.blocks.weights import load_weights
from lsum_cli.models.topdown.encoder import TopDownEncoder
from lsum_cli.models.topdown.settings import TopDownSettings
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from lsum_cli.models.topdown.modeling import (
        TopDownForConditionalGeneration,
        TopDownForTokenClassification,
    )

VOCABULARY_ROWS = 4
# Tokens whose keys and values are computed together.
TOKENS_AT_ONCE = 4096
ATTENDED_LAYERS = 4


class TopDownEngine:
    """A Top-Down Transformer ready to encode and decode.

    Build it with :meth:`prepare`; an engine never changes and may serve any number of documents.
    """

    def __init__(
        self, *, encoder: TopDownEncoder, decoder: PreparedBartDecoder, vocabulary: PreparedLinear
    ) -> None:
        self.encoder = encoder
        self.decoder = decoder
        self.vocabulary = vocabulary

    @classmethod
    def prepare(
        cls,
        model: TopDownForConditionalGeneration | TopDownParameters,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Take over the weights of a model.

        Args:
            model: The model; unchanged unless ``release``. Its bare :class:`TopDownParameters` suffice.
            precision: Precision of the computation; ``None`` for the device's best.
            device: Where; ``None`` for where the model is.
            release: Free the model's own copy meanwhile; the model is unusable afterwards.

        Raises:
            CheckpointError: A weight is not a number.
            OptionError: The device cannot compute in this precision.
        """
        with take_over(model, precision, device, release=release) as preparation:
            vocabulary = preparation.vocabulary(
                model.lm_head.weight, model.final_logits_bias[0], rows=VOCABULARY_ROWS
            )
            return cls(
                encoder=model.model.encoder.prepared(preparation),
                decoder=PreparedBartDecoder(model.model.decoder, preparation),
                vocabulary=vocabulary,
            )

    @torch.inference_mode()
    def encode(
        self,
        documents: Sequence[Tensor],
        *,
        importance: Sequence[Tensor] | None = None,
        groups: Sequence[Tensor] | None = None,
        progress: ProgressListener = ignore_progress,
    ) -> TopDownDecoder:
        """Encode documents, to be decoded together.

        Args:
            documents: For each its token ids, (source_len,), between one and as many as the model has
                positions. There is no padding.
            importance: For each that of its tokens, (source_len,); ``None`` for AvgPool.
            groups: For each the group of every token, (source_len,), -1 for none: a source sentence,
                a page of a file. ``None`` to trace no attention.
            progress: Called after every layer, in tokens read.

        Raises:
            OptionError: No documents, an empty or overlong one, or importance or groups that do not
                fit their tokens.
            CheckpointError: A token id is not in the model's vocabulary.
        """
        _check_documents(documents, self.encoder)
        _check_companions(documents, importance=importance, groups=groups)
        decoder = self.decoder
        sizes: Any = {
            "layers": decoder.num_layers,
            "heads": decoder.heads,
            "dim": decoder.dim,
            "dtype": decoder.dtype,
            "device": decoder.device,
        }
        memory = (
            PageMemory([len(document) for document in documents], **sizes)
            if groups is None
            else AttendedMemory(groups, **sizes)
        )
        for number, states in enumerate(_encode(self.encoder, documents, importance, progress)):
            for layer in range(decoder.num_layers):
                for start in range(0, len(states), TOKENS_AT_ONCE):
                    part = states[start : start + TOKENS_AT_ONCE]
                    memory.write(layer, number, start, decoder.project(layer, part))
        return TopDownDecoder(self, memory)


class TaggerEngine:
    """A tagger ready to score; it never changes and may serve any number of documents."""

    def __init__(self, encoder: TopDownEncoder, classifier: PreparedLinear) -> None:
        self.encoder = encoder
        self._classifier = classifier

    @classmethod
    def prepare(
        cls,
        model: TopDownForTokenClassification | TaggerParameters,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Take over the weights of a model; arguments and errors are those of ``TopDownEngine.prepare``."""
        with take_over(model, precision, device, release=release) as preparation:
            classifier = preparation.exact_linear(model.classifier.weight, model.classifier.bias, rows=1024)
            return cls(model.encoder.prepared(preparation), classifier)

    @torch.inference_mode()
    def score(
        self, documents: Sequence[Tensor], *, progress: ProgressListener = ignore_progress
    ) -> list[Tensor]:
        """Score the importance of every token.

        Args:
            documents: For each its token ids, (source_len,); there is no padding.
            progress: Called after every layer, in tokens read.

        Returns:
            For each document (source_len,), between 0 and 1, float32 on the CPU.

        Raises:
            OptionError: No documents, an empty or overlong one.
            CheckpointError: A token id is not in the model's vocabulary.
        """
        _check_documents(documents, self.encoder)
        return [
            self._classifier(states.float()).squeeze(-1).sigmoid().cpu()
            for states in _encode(self.encoder, documents, None, progress)
        ]


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


class AttendedMemory(PageMemory):
    """Cross-attention memory of whole documents that records the share of attention of token groups.

    Attention is averaged over the heads and over the last layers. What lies on tokens of no group is
    left out, so that the shares of a beam sum to 1 at most.

    Args:
        groups: For each document the group of every token, (source_len,), -1 for none.
        layers: Number of decoder layers.
        heads: Attention heads.
        dim: Per head.
        dtype: Data type of keys and values.
        device: Where they live.
    """

    def __init__(
        self,
        groups: Sequence[Tensor],
        *,
        layers: int,
        heads: int,
        dim: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        lengths = [len(group_of) for group_of in groups]
        super().__init__(lengths, layers=layers, heads=heads, dim=dim, dtype=dtype, device=device)
        self._attended_layers = min(ATTENDED_LAYERS, layers)
        self._first_layer = layers - self._attended_layers
        self._num_groups = [int(groups[page].max()) + 1 for page in self.order]
        # Tokens of no group fall into one more, which is cut off again.
        self._group_of = [
            groups[page].where(groups[page] >= 0, groups[page].max() + 1).to(device) for page in self.order
        ]
        self._mass: list[Tensor] = []

    def begin_step(self, beams: int) -> None:
        """Forget the attention of the step before."""
        self._mass = [
            torch.zeros(beams, len(group_of), device=group_of.device) for group_of in self._group_of
        ]

    def attention(self) -> list[Tensor]:
        """Return the shares of this step: for each place (beams, groups), float32."""
        shares = []
        for mass, group_of, groups in zip(self._mass, self._group_of, self._num_groups, strict=True):
            sums = mass.new_zeros(mass.shape[0], groups + 1).index_add_(1, group_of, mass)
            shares.append(sums[:, :groups] / self._attended_layers)
        return shares

    def keep(self, places: Sequence[int]) -> None:
        """Drop all documents but those at these places, which are ascending."""
        super().keep(places)
        self._group_of = [self._group_of[place] for place in places]
        self._num_groups = [self._num_groups[place] for place in places]

    def _read(self, layer: int, group: PageGroup, query: Tensor, first_place: int) -> Tensor:
        if layer < self._first_layer:
            return super()._read(layer, group, query, first_place)
        attended, weights = group.attend_with_weights(layer, query)
        for row, mass in enumerate(weights.mean(dim=1, dtype=torch.float32)):
            total = self._mass[first_place + row]
            total += mass[:, : total.shape[1]]
        return attended


def _encode(
    encoder: TopDownEncoder,
    documents: Sequence[Tensor],
    importance: Sequence[Tensor] | None,
    progress: ProgressListener,
) -> Iterator[Tensor]:
    """Yield each document encoded, (source_len, hidden); progress counts tokens, some with every layer."""
    total, done = sum(len(document) for document in documents), 0.0
    for number, document in enumerate(documents):
        share = len(document) / encoder.num_layers

        def advance(share: float = share) -> None:
            nonlocal done
            done += share
            progress(ProgressEvent(stage="reading", done=round(done), total=total, unit="tokens"))

        yield encoder.encode(document, None if importance is None else importance[number], on_layer=advance)


def _check_documents(documents: Sequence[Tensor], encoder: TopDownEncoder) -> None:
    """Refuse what cannot be encoded; see :meth:`TopDownEngine.encode`."""
    if not documents:
        raise OptionError("there are no documents to summarise", "give a source that contains text")
    limit, vocab = encoder.settings.max_source_positions, encoder.embed_tokens.weight.shape[0]
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


class TopDownParameters(SummariserParameters):
    """The parameters of a summariser under the names of its checkpoints, without its training classes."""

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__(settings, TopDownEncoder(settings))
        self.tagger: TaggerParameters | None = None
        if settings.tagger is not None:
            self.tagger = TaggerParameters(TopDownSettings.known(settings.tagger))


class TaggerParameters(nn.Module):
    """The parameters of the importance tagger that a summariser carries."""

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__()
        self.encoder = TopDownEncoder(settings)
        self.classifier = nn.Linear(settings.d_model, 1)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.classifier.weight.device


def load_parameters(folder: Path, weights_name: str) -> TopDownParameters:
    """Read a summariser that ``save_pretrained`` wrote.

    Args:
        folder: Folder of the checkpoint.
        weights_name: Its safetensors file.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    settings = TopDownSettings.read(folder)
    return load_weights(TopDownParameters, settings, folder / weights_name, tied=TIED_EMBEDDINGS)
