"""PageSum for inference: prepared weights, pages without padding, beams that share their pages.

It computes the same as :class:`~lsum_cli.models.pagesum.modeling.PageSumForConditionalGeneration`, but
keys and values of a page exist once for all beams, nothing is copied when beams are reordered, and the
pages are mixed before the projection to the vocabulary, so that this is computed once per beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.attention import batches_by_length
from lsum_cli.models.blocks.bart import (
    TIED_EMBEDDINGS,
    PreparedBartDecoder,
    PreparedBartEncoder,
    SummariserParameters,
)
from lsum_cli.models.blocks.beam_decoder import BeamDecoder, PackedRows
from lsum_cli.models.blocks.kv_cache import BeamCache, PageMemory
from lsum_cli.models.blocks.precision import PreparedLinear, take_over
from lsum_cli.models.blocks.weights import load_weights
from lsum_cli.models.pagesum.mixing import CopySource, PageCopier, PreparedCopier, mix_pages, no_words
from lsum_cli.models.pagesum.settings import PageSumSettings
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

TOKENS_AT_ONCE = {"cpu": 1024, "cuda": 32768}
VOCABULARY_ROWS = 4


class PageSumEngine:
    """A PageSum model ready to encode and decode.

    Build it with :meth:`prepare`. An engine is immutable and serves any number of documents.
    """

    def __init__(
        self,
        *,
        encoder: PreparedBartEncoder,
        decoder: PreparedBartDecoder,
        vocabulary: PreparedLinear,
        confidence: Tensor,
        copier: PreparedCopier | None,
        is_global: bool,
    ) -> None:
        self.encoder = encoder
        self.decoder = decoder
        self.vocabulary = vocabulary
        self.confidence = confidence
        self.copier = copier
        self.is_global = is_global

    @classmethod
    def prepare(
        cls,
        model: PageSumForConditionalGeneration | PageSumParameters,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Prepare the weights of a model.

        Args:
            model: The model, or its bare parameters; unchanged, unless ``release``.
            precision: Precision of the computation; ``None`` for the device's best.
            device: The device; ``None`` for that of the model.
            release: Free the model's own copy; the model is unusable afterwards.

        Raises:
            CheckpointError: A weight is NaN or infinite.
            OptionError: The device cannot compute in this precision.
        """
        with take_over(model, precision, device, release=release) as preparation:
            vocabulary = preparation.vocabulary(
                model.lm_head.weight, model.final_logits_bias[0], rows=VOCABULARY_ROWS
            )
            # L_conf's bias cannot matter: softmax does not change when all scores shift.
            confidence = model.confidence_layer.weight[0].detach()
            return cls(
                encoder=PreparedBartEncoder(model.model.encoder, preparation),
                decoder=PreparedBartDecoder(model.model.decoder, preparation),
                vocabulary=vocabulary,
                confidence=confidence.to(preparation.device, torch.float32, copy=True),
                copier=None if model.copier is None else PreparedCopier(model.copier, preparation),
                is_global=model.config.decoding == "global",
            )

    @torch.inference_mode()
    def encode(
        self, documents: Sequence[Sequence[Tensor]], *, progress: ProgressListener = ignore_progress
    ) -> PageSumDecoder:
        """Encode documents, to be decoded together.

        Args:
            documents: For each document its pages; for each page its token ids, (page_len,), between
                one and as many as the model has positions. There is no padding.
            progress: Called after every batch of pages.

        Raises:
            OptionError: No documents, a document without pages, an empty or overlong page.
            CheckpointError: A token id is not in the model's vocabulary.
        """
        self._check(documents)
        pages = [page for document in documents for page in document]
        # Units decoded on their own: a page, or with global decoding all pages of a document.
        units = [[len(page) for page in document] for document in documents]
        if not self.is_global:
            units = [[length] for unit in units for length in unit]
        homes = [
            (number, sum(unit[:place])) for number, unit in enumerate(units) for place in range(len(unit))
        ]
        memory = PageMemory(
            [sum(unit) for unit in units],
            layers=self.decoder.num_layers,
            heads=self.decoder.heads,
            dim=self.decoder.dim,
            dtype=self.decoder.dtype,
            device=self.decoder.device,
        )
        at_once = TOKENS_AT_ONCE.get(self.decoder.device.type, TOKENS_AT_ONCE["cpu"])
        copy_keys: dict[int, Tensor] = {}
        done = 0
        for batch in batches_by_length([len(page) for page in pages], max_tokens=at_once):
            states = self.encoder.encode([pages[item] for item in batch])  # (tokens, hidden)
            lengths = [len(pages[item]) for item in batch]
            for layer in range(self.decoder.num_layers):
                projected = self.decoder.project(layer, states)  # (tokens, 2, heads, dim)
                for item, part in zip(batch, torch.split(projected, lengths), strict=True):
                    memory.write(layer, *homes[item], part)
            if self.copier is not None:
                keys = torch.split(self.copier.key(states.float()), lengths)
                copy_keys |= zip(batch, keys, strict=True)
            done += len(batch)
            progress(ProgressEvent(stage="reading", done=done, total=len(pages), unit="parts"))
        return PageSumDecoder(
            self,
            memory,
            [1 if self.is_global else len(document) for document in documents],
            self._copy_sources(documents, [copy_keys[page] for page in sorted(copy_keys)]),
        )

    def _copy_sources(
        self, documents: Sequence[Sequence[Tensor]], keys: Sequence[Tensor]
    ) -> list[CopySource]:
        """Return the text of each document that can be copied; nothing if the model does not copy."""
        if self.copier is None:
            return []
        remaining = iter(keys)
        sources = []
        for document in documents:
            ids, own = list(document), [next(remaining) for _ in document]
            if self.is_global:
                ids, own = [torch.cat(ids)], [torch.cat(own)]
            device = own[0].device
            lengths = torch.tensor([len(page) for page in ids])
            # Positions after the end of a page are never read: any token will do.
            padded = pad_sequence(ids, batch_first=True, padding_value=int(ids[0][0])).to(device)
            is_read = (torch.arange(padded.shape[1]) < lengths.unsqueeze(1)).to(device)
            sources.append(self.copier.source(padded, is_read, pad_sequence(own, batch_first=True)))
        return sources

    def _check(self, documents: Sequence[Sequence[Tensor]]) -> None:
        if not documents or not all(documents):
            raise OptionError("there are no pages to summarise", "give a source that contains text")
        limit = self.encoder.embedding.num_positions
        for document in documents:
            for number, page in enumerate(document, start=1):
                if not 1 <= len(page) <= limit:
                    raise OptionError(
                        f"page {number} has {len(page)} tokens, the model reads 1 to {limit} a page",
                        f"give --page-tokens at most {limit}",
                    )
                if not 0 <= int(page.min()) <= int(page.max()) < self.encoder.embedding.vocab:
                    raise CheckpointError(
                        f"page {number} has token ids beyond the model's {self.encoder.embedding.vocab}",
                        "use the tokenizer that belongs to the checkpoint",
                    )


class PageSumDecoder(BeamDecoder):
    """Encoded documents; a ``Decoder`` of the generation engine, to be used once."""

    def __init__(
        self,
        engine: PageSumEngine,
        memory: PageMemory,
        pages_of: Sequence[int],
        copy_sources: Sequence[CopySource],
    ) -> None:
        owners = [document for document, pages in enumerate(pages_of) for _ in range(pages)]
        super().__init__(engine.decoder, memory, torch.tensor([owners[page] for page in memory.order]))
        self._engine = engine
        self._copy_sources = list(copy_sources)
        self._pages = torch.tensor(memory.order)  # (pages,), the page at each place
        self._written = torch.empty(0, 0, dtype=torch.long)  # (rows, words to compare), the last one first

    def start(self, beams: int, max_length: int) -> None:
        """See :meth:`BeamDecoder.start`."""
        super().start(beams, max_length)
        copier = self._engine.copier
        self._written = no_words(self._num_documents * beams, 0 if copier is None else copier.num_compared)

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Decode one token of every row and mix its pages; see ``Decoder.step``.

        The trace of a token is its confidences ĉ, (pages,) (Eq. 8); none where all pages are decoded at once.
        """
        hidden = self._advance(token_ids, parents)
        earlier = self._written[parents]
        self._written = torch.cat([token_ids.unsqueeze(1), earlier], dim=1)[:, : earlier.shape[1]]
        return self._mix(hidden.float())

    def _mix(self, hidden: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Weigh every document's pages and score the vocabulary (Eqs. 7-9); (pages, beams, hidden)."""
        page_scores = hidden @ self._engine.confidence  # (pages, beams)
        copier = self._engine.copier
        read, mixed, confidences, matches = [], [], [], []
        for document in range(self._num_documents):
            places = (self._owners == document).nonzero().squeeze(1)
            places = places[self._pages[places].argsort()].to(hidden.device)  # pages in reading order
            read.append(hidden[places])  # (pages, beams, hidden)
            own_scores = page_scores[places]
            if copier is not None:
                last = self._written[document * self._beams :][: self._beams].to(hidden.device)
                matches.append(copier.find_matches(last, self._copy_sources[document]))
                own_scores = own_scores + copier.page_bonus(matches[-1])
            found = mix_pages(read[-1], own_scores)  # (beams, hidden), (pages, beams)
            mixed.append(found[0])
            confidences.append(found[1])
        log_probs = self._engine.vocabulary(torch.cat(mixed)).log_softmax(dim=-1)  # (rows, vocab)
        if copier is not None:
            written = torch.split(log_probs, self._beams)
            documents = zip(written, mixed, read, confidences, self._copy_sources, matches, strict=True)
            log_probs = torch.cat([copier.mix(*document) for document in documents])
        if self._engine.is_global:
            return log_probs, None
        return log_probs, [PackedRows(confidence.transpose(0, 1)) for confidence in confidences]

    def _keep(self, cache: BeamCache, documents: Tensor, places: Tensor) -> None:
        super()._keep(cache, documents, places)
        self._pages = self._pages[places]
        if self._copy_sources:
            self._copy_sources = [self._copy_sources[document] for document in documents.tolist()]


class PageSumParameters(SummariserParameters):
    """The parameters of a PageSum under the names of its checkpoints, without the classes that train it."""

    config: PageSumSettings

    def __init__(self, settings: PageSumSettings) -> None:
        super().__init__(settings)
        self.confidence_layer = nn.Linear(settings.d_model, 1)
        self.copier = PageCopier.of(settings)


def load_parameters(folder: Path, weights_name: str) -> PageSumParameters:
    """Read what ``save_pretrained`` wrote.

    Args:
        folder: Folder of the checkpoint.
        weights_name: Its safetensors file.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    settings = PageSumSettings.read(folder)
    return load_weights(PageSumParameters, settings, folder / weights_name, tied=TIED_EMBEDDINGS)
