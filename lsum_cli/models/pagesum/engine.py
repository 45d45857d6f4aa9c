"""PageSum for inference: prepared weights, pages without padding, beams that share their pages.

The same numbers as :class:`~lsum_cli.models.pagesum.modeling.PageSumForConditionalGeneration`, but
keys and values of a page exist once for all beams, nothing is copied when beams are reordered, and the
pages are mixed before the projection to the vocabulary, so that this is computed once per beam.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from torch import Tensor, nn
from transformers import GenerationConfig

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.attention import batches_by_length
from lsum_cli.models.blocks.bart import PreparedBartDecoder, PreparedBartEncoder
from lsum_cli.models.blocks.beam_decoder import BeamDecoder, PackedRows
from lsum_cli.models.blocks.kv_cache import BeamCache, PageMemory
from lsum_cli.models.blocks.precision import PreparedLinear, take_over
from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.copying import PageCopier
from lsum_cli.models.pagesum.prepared_copying import CopySource, PreparedCopier
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

TOKENS_AT_ONCE = {"cpu": 1024, "cuda": 32768}
VOCABULARY_ROWS = 4


class PageSumEngine:
    """A PageSum model ready to encode and decode.

    Build it with :meth:`prepare`; an engine never changes and may serve any number of documents.
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
        model: PageSumForConditionalGeneration,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
        release: bool = False,
    ) -> Self:
        """Take over the weights of a model.

        Args:
            model: Left as it is, unless ``release``. Its bare
                :class:`~lsum_cli.models.pagesum.engine.PageSumWeights` suffice.
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
            progress: Hears of every page.

        Raises:
            OptionError: No documents, a document without pages, an empty or overlong page.
            CheckpointError: Token ids that the model does not know.
        """
        self._check(documents)
        pages = [page for document in documents for page in document]
        # What is decoded on its own: a page, or with global decoding all pages of a document.
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
                keys = torch.split(self.copier.project(states), lengths)
                copy_keys |= zip(batch, keys, strict=True)
            done += len(batch)
            progress(ProgressEvent(stage="reading pages", done=done, total=len(pages), unit="pages"))
        return PageSumDecoder(
            self,
            memory,
            [1 if self.is_global else len(document) for document in documents],
            self._copy_sources(documents, [copy_keys[page] for page in sorted(copy_keys)]),
        )

    def _copy_sources(
        self, documents: Sequence[Sequence[Tensor]], keys: Sequence[Tensor]
    ) -> list[CopySource]:
        """What can be copied of each document; nothing where the model does not copy."""
        if self.copier is None:
            return []
        remaining = iter(keys)
        sources = []
        for document in documents:
            ids, own = list(document), [next(remaining) for _ in document]
            if self.is_global:
                ids, own = [torch.cat(ids)], [torch.cat(own)]
            sources.append(self.copier.source(ids, own))
        return sources

    def _check(self, documents: Sequence[Sequence[Tensor]]) -> None:
        if not documents or not all(documents):
            raise OptionError("there are no pages to summarise", "give a source that holds text")
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
        self._written = torch.empty(0, 0, dtype=torch.long)  # (rows, words to compare)

    def start(self, beams: int, max_length: int) -> None:
        """See :meth:`BeamDecoder.start`."""
        super().start(beams, max_length)
        self._written = torch.empty(self._num_documents * beams, 0, dtype=torch.long)

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Decode one token of every row and mix its pages; see ``Decoder.step``.

        The trace of a token is its confidences ĉ, (pages,) (Eq. 8); none where all pages are decoded at once.
        """
        hidden = self._advance(token_ids, parents)
        if self._engine.copier is not None:
            written = torch.cat([self._written[parents], token_ids.unsqueeze(1)], dim=1)
            self._written = written[:, -max(1, self._engine.copier.num_compared) :]
        return self._mix(hidden.float())

    def _mix(self, hidden: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Weigh every document's pages and score the vocabulary (Eqs. 7-9); (pages, beams, hidden)."""
        page_scores = hidden @ self._engine.confidence  # (pages, beams)
        copier = self._engine.copier
        read, mixed, weights, matches = [], [], [], []
        for document in range(self._num_documents):
            places = (self._owners == document).nonzero().squeeze(1)
            places = places[self._pages[places].argsort()].to(hidden.device)  # pages in reading order
            read.append(hidden[places])  # (pages, beams, hidden)
            own_scores = page_scores[places]
            if copier is not None:
                rows = self._written[document * self._beams :][: self._beams]
                matches.append(copier.find_matches(rows, self._copy_sources[document]))
                own_scores = own_scores + copier.page_bonus(matches[-1])
            confidence = own_scores.softmax(dim=0)  # (pages, beams)
            mixed.append((confidence.unsqueeze(-1) * read[-1]).sum(dim=0))  # (beams, hidden)
            weights.append(confidence.transpose(0, 1))
        log_probs = self._engine.vocabulary(torch.cat(mixed)).log_softmax(dim=-1)  # (rows, vocab)
        if copier is not None:
            written = torch.split(log_probs, self._beams)
            documents = zip(written, mixed, read, weights, self._copy_sources, matches, strict=True)
            log_probs = torch.cat([copier.mix(*document) for document in documents])
        return log_probs, None if self._engine.is_global else [PackedRows(each) for each in weights]

    def _keep(self, cache: BeamCache, documents: Tensor, places: Tensor) -> None:
        super()._keep(cache, documents, places)
        self._pages = self._pages[places]
        if self._copy_sources:
            self._copy_sources = [self._copy_sources[document] for document in documents.tolist()]


# BART's first positions are kept for padding.
_OFFSET = 2
_TIED = ("lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
_SHARED = "model.shared.weight"
_SHOWN = 3


class PageSumWeights(nn.Module):
    """The modules of a :class:`~lsum_cli.models.pagesum.modeling.PageSumForConditionalGeneration`.

    They hold weights and compute nothing.

    Attributes:
        config: Of the model.
        generation_config: Of the model.
    """

    def __init__(self, config: PageSumConfig, generation_config: GenerationConfig) -> None:
        super().__init__()
        self.config = config
        self.generation_config = generation_config
        self.model = _Halves(config)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))
        self.confidence_layer = nn.Linear(config.d_model, 1)
        self.copier = PageCopier.of(config) if config.copy else None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.lm_head.weight.device

    def get_input_embeddings(self) -> nn.Module:
        """The embeddings that encoder and decoder share."""
        return self.model.encoder.embed_tokens


class _Halves(nn.Module):
    def __init__(self, config: PageSumConfig) -> None:
        super().__init__()
        self.encoder = _Half(
            config, config.encoder_layers, config.encoder_attention_heads, config.encoder_ffn_dim
        )
        self.decoder = _Half(
            config, config.decoder_layers, config.decoder_attention_heads, config.decoder_ffn_dim, reads=True
        )


class _Half(nn.Module):
    """Encoder or decoder; only the decoder reads the other one."""

    def __init__(
        self, config: PageSumConfig, layers: int, heads: int, ffn_dim: int, *, reads: bool = False
    ) -> None:
        super().__init__()
        self.config = config
        self.embed_tokens = _Embedding(config.vocab_size, config.d_model)
        self.embed_tokens.embed_scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.embed_positions = _Embedding(config.max_position_embeddings + _OFFSET, config.d_model)
        self.layernorm_embedding = nn.LayerNorm(config.d_model)
        self.layers = nn.ModuleList(
            _Layer(config.d_model, heads, ffn_dim, reads=reads) for _ in range(layers)
        )


class _Embedding(nn.Embedding):
    embed_scale = 1.0
    offset = _OFFSET

    def __init__(self, rows: int, hidden: int) -> None:
        # Not drawn at random: on no device, that would import torch's compiler, which takes seconds.
        super().__init__(rows, hidden, _weight=torch.empty(rows, hidden))


class _Layer(nn.Module):
    def __init__(self, hidden: int, heads: int, ffn_dim: int, *, reads: bool) -> None:
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = _Attention(hidden, heads), nn.LayerNorm(hidden)
        if reads:
            self.encoder_attn, self.encoder_attn_layer_norm = _Attention(hidden, heads), nn.LayerNorm(hidden)
        self.fc1, self.fc2 = nn.Linear(hidden, ffn_dim), nn.Linear(ffn_dim, hidden)
        self.final_layer_norm = nn.LayerNorm(hidden)


class _Attention(nn.Module):
    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.num_heads = heads
        self.q_proj, self.k_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.v_proj, self.out_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)


def load_weights(folder: Path, weights_name: str) -> PageSumWeights:
    """Read what ``save_pretrained`` wrote.

    Args:
        folder: Of the checkpoint.
        weights_name: Its safetensors file.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    from safetensors.torch import load_file

    config = PageSumConfig.from_pretrained(folder)
    has_generation = (folder / "generation_config.json").is_file()
    with torch.device("meta"):
        weights = PageSumWeights(
            config,
            GenerationConfig.from_pretrained(folder)
            if has_generation
            else GenerationConfig.from_model_config(config),
        )
    state = _untied(load_file(folder / weights_name))
    _check(state, dict(weights.state_dict()), folder)
    # What is not asked for is not taken, as from_pretrained does.
    weights.load_state_dict({name: state[name] for name in weights.state_dict()}, assign=True)
    return weights.eval().requires_grad_(False)


def _untied(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights with a name for each use of the shared embeddings, which are one tensor."""
    shared = state.get(_SHARED, state.get(_TIED[0]))
    if shared is not None:
        state = state | dict.fromkeys(_TIED, shared)
        state.setdefault("final_logits_bias", shared.new_zeros(1, len(shared)))
    return state


def _check(state: Mapping[str, Tensor], wanted: Mapping[str, Any], folder: Path) -> None:
    missing = sorted(wanted.keys() - state.keys())
    misfits = sorted(n for n, each in wanted.items() if n in state and state[n].shape != each.shape)
    for names, complaint in ((missing, "lacks"), (misfits, "has the wrong sizes for")):
        if names:
            listed = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
            raise CheckpointError(
                f"{folder} {complaint} {len(names)} weights: {listed}",
                "pull or import the checkpoint again",
            )
