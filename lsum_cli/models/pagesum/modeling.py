"""PageSum as a ``transformers`` model: training, ``generate`` and the files on disk.

A document is a set of pages that never see one another. For summary token i and page j,

    h_ij = Decoder(Encoder(P_j), S_<i)                      (Eq. 6)
    c_ij = L_conf(h_ij)                                     (Eq. 7)
    ĉ_ij = softmax of c_ij over the pages                   (Eq. 8)
    p(· | D, S_<i) = softmax(L_vocab(Σ_j ĉ_ij h_ij))        (Eq. 9)

(Liu et al. 2022, "Leveraging Locality in Abstractive Text Summarization".) Encoder and decoder are
BART's, the same weights for every page, so that one page is BART exactly. Fast decoding with the
same weights is in :mod:`lsum_cli.models.pagesum.engine`.

Dimensions: ``batch, pages, page_len, target_len, hidden, vocab``; ``rows`` is ``batch × pages``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import torch
from torch import Tensor, nn
from transformers import AutoModelForSeq2SeqLM, BartForConditionalGeneration, GenerationMixin
from transformers.cache_utils import Cache
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.bart.modeling_bart import BartEncoder
from transformers.utils import ModelOutput

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.models.blocks.pretrained_bart import (
    ConditionalGeneration,
    EncoderDecoder,
    cross_entropy,
    settings_of,
)
from lsum_cli.models.pagesum.configuration import PageSumConfig, register_configuration
from lsum_cli.models.pagesum.mixing import PageCopier, last_words, mix_pages
from lsum_cli.models.pagesum.settings import PageSumSettings


@dataclass
class PageEncoderOutput(BaseModelOutput):
    """BART's encoder output, and what was encoded.

    Attributes:
        page_mask: Which positions hold tokens, (batch, pages, page_len), boolean.
        page_ids: The tokens, same shape.
    """

    page_mask: Tensor | None = None
    page_ids: Tensor | None = None


class PageEncoder(BartEncoder):
    """BART's encoder over pages: each page is a separate sequence."""

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> PageEncoderOutput:
        """Encode every page by itself (Eq. 6, inner part).

        Args:
            input_ids: (batch, pages, page_len), or (batch, page_len) for one page.
            attention_mask: Same shape, or (batch, pages × page_len) as ``generate`` expects; 1 at tokens;
                by default all positions except padding.
            inputs_embeds: Not supported.
            **kwargs: Passed to BART's encoder.

        Returns:
            Its ``last_hidden_state`` is (batch, pages, page_len, hidden), 0 on absent pages where
            the configuration masks these.

        Raises:
            OptionError: The pages have an invalid shape.
        """
        if input_ids is None or inputs_embeds is not None:
            raise OptionError("pages can only be encoded from token ids", "give input_ids")
        kwargs.pop("return_dict", None)
        input_ids = _with_page_dimension(input_ids)
        self._check_shape(input_ids)
        mask = _page_mask(input_ids, attention_mask, self.config.pad_token_id)
        rows, row_mask = input_ids.flatten(0, 1), mask.flatten(0, 1)  # (rows, page_len)
        present = row_mask.any(dim=-1) | (not self.config.mask_absent_pages)  # (rows,)
        if torch.compiler.is_compiling():
            # A graph cannot leave rows out by their values: absent pages are encoded as if they held text.
            encoded = super().forward(
                rows, attention_mask=row_mask | ~present.unsqueeze(-1), return_dict=True, **kwargs
            )
            states = encoded.last_hidden_state * present[:, None, None]
        elif present.all():
            encoded = super().forward(rows, attention_mask=row_mask, return_dict=True, **kwargs)
            states = encoded.last_hidden_state
        elif present.view(mask.shape[:2]).any(dim=-1).all():
            encoded = self._encode_present(rows, row_mask, present, kwargs)
            states = encoded.last_hidden_state
        else:
            raise OptionError(
                "a document has no page with tokens", "give at least one page that contains text"
            )
        return PageEncoderOutput(
            last_hidden_state=states.view(*input_ids.shape, -1),
            hidden_states=encoded.hidden_states,
            attentions=encoded.attentions,
            page_mask=mask,
            page_ids=input_ids,
        )

    def _encode_present(
        self, rows: Tensor, row_mask: Tensor, present: Tensor, options: dict[str, Any]
    ) -> BaseModelOutput:
        """Encode the pages that exist; everything of the others is 0."""
        encoded = super().forward(
            rows[present], attention_mask=row_mask[present], return_dict=True, **options
        )

        def spread(some: Tensor) -> Tensor:
            return some.new_zeros(len(rows), *some.shape[1:]).index_put((present,), some)

        return BaseModelOutput(
            **{
                name: spread(found) if isinstance(found, Tensor) else tuple(map(spread, found))
                for name, found in encoded.items()
            }
        )

    def _check_shape(self, input_ids: Tensor) -> None:
        batch, pages, page_len = input_ids.shape
        if not batch or not pages or not page_len:
            raise OptionError(
                f"{batch} documents of {pages} pages of {page_len} tokens are empty",
                "give at least one document, page and token",
            )
        if page_len > self.config.max_position_embeddings:
            raise OptionError(
                f"a page of {page_len} tokens exceeds the {self.config.max_position_embeddings} of the model",
                f"give --page-tokens {self.config.page_len} or fewer",
            )


def _with_page_dimension(tensor: Tensor) -> Tensor:
    """Make one page of (batch, page_len); leave (batch, pages, page_len)."""
    return tensor.unsqueeze(1) if tensor.dim() == 2 else tensor


def _page_mask(input_ids: Tensor, attention_mask: Tensor | None, pad_token_id: int) -> Tensor:
    """Return a boolean mask of the shape of ``input_ids``, (batch, pages, page_len)."""
    if attention_mask is None:
        return input_ids != pad_token_id
    if attention_mask.shape[0] != input_ids.shape[0] or attention_mask.numel() != input_ids.numel():
        raise OptionError(
            f"attention_mask is {tuple(attention_mask.shape)} but input_ids are {tuple(input_ids.shape)}",
            "give both the shape (batch, pages, page_len)",
        )
    return attention_mask.view_as(input_ids).bool()


def mask_of(encoder_outputs: BaseModelOutput, attention_mask: Tensor | None) -> Tensor:
    """Return the mask of encoded pages, (batch, pages, page_len)."""
    mask: Tensor | None = getattr(encoder_outputs, "page_mask", None)
    if mask is not None:
        return mask
    if attention_mask is None:
        raise OptionError("encoder_outputs came without their mask", "give attention_mask as well")
    return attention_mask.view(encoder_outputs.last_hidden_state.shape[:3]).bool()


def ids_of(encoder_outputs: BaseModelOutput, input_ids: Tensor | None) -> Tensor:
    """Return the tokens of encoded pages, (batch, pages, page_len)."""
    ids: Tensor | None = getattr(encoder_outputs, "page_ids", None)
    if ids is not None:
        return ids
    if input_ids is None:
        raise OptionError("encoder_outputs came without the tokens to copy", "give input_ids as well")
    return input_ids.view(encoder_outputs.last_hidden_state.shape[:3])


@dataclass
class PageSumOutput(ModelOutput):
    """The result of a forward pass; with ``decoding="global"`` there is no confidence.

    Attributes:
        loss: Mean cross-entropy of the labels, if given.
        logits: (batch, target_len, vocab); log probabilities if the model copies words.
        confidence: ĉ of Eq. 8, (batch, target_len, pages); sums to 1 over the pages.
        page_scores: c of Eq. 7, (batch, target_len, pages).
        past_key_values: Cache of the decoder, its first dimension ``rows``.
        decoder_last_hidden_state: h of Eq. 6, (batch, target_len, pages, hidden).
        decoder_hidden_states: Per layer (rows, target_len, hidden), if requested.
        decoder_attentions: Per layer, if requested.
        cross_attentions: Per layer, if requested.
        encoder_last_hidden_state: (batch, pages, page_len, hidden).
        encoder_hidden_states: Per layer (rows, page_len, hidden), if requested.
        encoder_attentions: Per layer, if requested.
    """

    loss: Tensor | None = None
    logits: Tensor | None = None
    confidence: Tensor | None = None
    page_scores: Tensor | None = None
    past_key_values: Cache | None = None
    decoder_last_hidden_state: Tensor | None = None
    decoder_hidden_states: tuple[Tensor, ...] | None = None
    decoder_attentions: tuple[Tensor, ...] | None = None
    cross_attentions: tuple[Tensor, ...] | None = None
    encoder_last_hidden_state: Tensor | None = None
    encoder_hidden_states: tuple[Tensor, ...] | None = None
    encoder_attentions: tuple[Tensor, ...] | None = None


class PageSumModel(EncoderDecoder):
    """Encoder and decoder with one vocabulary, as in BART."""

    config: PageSumConfig
    config_class = PageSumConfig
    encoder_class = PageEncoder


class PageSumForConditionalGeneration(ConditionalGeneration, GenerationMixin):
    """PageSum with its vocabulary projection and its confidence layer."""

    config: PageSumConfig
    config_class = PageSumConfig
    model_tags = ["lsum", "pagesum", "summarization"]  # noqa: RUF012 - of a repository on the hub

    def __init__(self, config: PageSumConfig) -> None:
        super().__init__(config, PageSumModel(config))
        self.confidence_layer = nn.Linear(config.d_model, 1)
        self.copier = PageCopier.of(PageSumSettings.of(config))
        self.post_init()

    @classmethod
    def from_bart(
        cls,
        bart: BartForConditionalGeneration,
        *,
        generator: torch.Generator | None = None,
        **settings: Any,
    ) -> Self:
        """Initialise from a BART model; the confidence layer is new, as is copying if requested.

        Args:
            bart: Its weights are copied.
            generator: Source of the new layers' weights.
            **settings: Settings of :class:`PageSumConfig`, such as ``locality="spatial"``.
        """
        settings = {"page_len": min(1024, bart.config.max_position_embeddings)} | settings
        model = cls(PageSumConfig(**(settings_of(bart.config) | settings))).to(bart.dtype)
        model.load_state_dict(bart.state_dict(), strict=False)
        nn.init.normal_(model.confidence_layer.weight, std=model.config.init_std, generator=generator)
        nn.init.zeros_(model.confidence_layer.bias)
        if model.copier is not None:
            model.copier.reset(model.config.init_std, generator)
        return cast(Self, model.to(bart.device))

    def add_copier(
        self, copy_dim: int, copy_match: int = 0, *, generator: torch.Generator | None = None
    ) -> None:
        """Add copying, with new weights, to a model without it; see :class:`PageCopier`."""
        self.config.copy, self.config.copy_dim, self.config.copy_match = True, copy_dim, copy_match
        copier = cast(PageCopier, PageCopier.of(PageSumSettings.of(self.config)))
        copier.reset(self.config.init_std, generator)
        self.copier = copier.to(self.device, self.dtype)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: BaseModelOutput | tuple[Tensor, ...] | None = None,
        past_key_values: Cache | None = None,
        written_ids: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> PageSumOutput | tuple[Any, ...]:
        """Decode all pages and mix them (Eqs. 6-9).

        Args:
            input_ids: (batch, pages, page_len), or (batch, page_len) for one page.
            attention_mask: Same shape, or (batch, pages × page_len); all zero on an absent page.
            decoder_input_ids: (batch, target_len); by default the labels shifted right.
            decoder_attention_mask: (batch, target_len).
            encoder_outputs: Used instead of ``input_ids``; a plain tuple needs ``attention_mask``.
            past_key_values: The cache returned by the previous steps.
            written_ids: All ids up to the last of ``decoder_input_ids``, (batch, written), where a cache
                makes those the last alone: a model with ``copy_match`` looks for them on the pages.
            labels: (batch, target_len), -100 for ignored positions.
            use_cache: Whether to return the cache.
            num_items_in_batch: The divisor of the loss; by default the number of labels not ignored.
            return_dict: ``False`` for a plain tuple.
            **kwargs: ``output_hidden_states``, ``output_attentions``.
        """
        if labels is not None:
            use_cache = False
            if decoder_input_ids is None:
                decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        if encoder_outputs is None:
            encoder_outputs = self.model.encoder(input_ids, attention_mask=attention_mask, **kwargs)
        elif not isinstance(encoder_outputs, BaseModelOutput):
            encoder_outputs = BaseModelOutput(*encoder_outputs)
        encoded: Any = encoder_outputs
        mask = mask_of(encoded, attention_mask)
        states = encoded.last_hidden_state  # (batch, pages, page_len, hidden)
        if self.config.decoding == "global":
            states, mask = states.flatten(1, 2).unsqueeze(1), mask.flatten(1, 2).unsqueeze(1)
        batch, pages = mask.shape[:2]
        absent = ~mask.any(dim=-1) & self.config.mask_absent_pages  # (batch, pages)
        # Attention over no tokens is undefined; the result of an absent page has weight 0 anyway.
        is_read = mask | absent.unsqueeze(-1)
        decoded = self.model.decoder(
            input_ids=_repeat_for_pages(decoder_input_ids, pages),
            attention_mask=_repeat_for_pages(decoder_attention_mask, pages),
            encoder_hidden_states=states.flatten(0, 1),
            encoder_attention_mask=is_read.flatten(0, 1),
            past_key_values=past_key_values,
            use_cache=use_cache,
            return_dict=True,
            **kwargs,
        )
        hidden = decoded.last_hidden_state.unflatten(0, (batch, pages))  # (batch, pages, target_len, hidden)
        page_scores = self.confidence_layer(hidden).squeeze(-1)  # (batch, pages, target_len)
        if self.copier is None:
            mixed, confidence = mix_pages(hidden, page_scores, absent)
            logits = self.lm_head(mixed) + self.final_logits_bias
        else:
            token_ids = ids_of(encoded, input_ids).view(is_read.shape)
            source = self.copier.source(token_ids, is_read, self.copier.key(states))
            written = cast(Tensor, decoder_input_ids if written_ids is None else written_ids)
            last = last_words(written, self.copier.num_compared)[:, -hidden.shape[2] :]
            matches = self.copier.find_matches(last, source)
            page_scores = page_scores + self.copier.page_bonus(matches)
            mixed, confidence = mix_pages(hidden, page_scores, absent)
            logits = self.lm_head(mixed) + self.final_logits_bias
            logits = self.copier(logits, mixed, hidden, confidence, source, matches)
        by_page = self.config.decoding == "page"
        output = PageSumOutput(
            loss=None if labels is None else cross_entropy(logits, labels, num_items_in_batch),
            logits=logits,
            confidence=confidence.transpose(1, 2) if by_page else None,
            page_scores=page_scores.transpose(1, 2) if by_page else None,
            past_key_values=decoded.past_key_values,
            decoder_last_hidden_state=hidden.transpose(1, 2),
            decoder_hidden_states=decoded.hidden_states,
            decoder_attentions=decoded.attentions,
            cross_attentions=decoded.cross_attentions,
            encoder_last_hidden_state=encoded.last_hidden_state,
            encoder_hidden_states=encoded.hidden_states,
            encoder_attentions=encoded.attentions,
        )
        return output.to_tuple() if return_dict is False else output

    def generate(
        self,
        inputs: Tensor | None = None,
        *args: Any,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        """Generate as any model of ``transformers``; the mask has either shape that ``forward`` takes."""
        if attention_mask is not None:
            kwargs["attention_mask"] = attention_mask.flatten(1)
        return super().generate(inputs, *args, **kwargs)

    def _prepare_static_cache(self, *args: Any, model_kwargs: dict[str, Any], **kwargs: Any) -> Cache:
        """Make the cache for ``generate``: cross-attention sees a page, or all if decoded at once."""
        states = model_kwargs["encoder_outputs"][0]  # (batch, pages, page_len, hidden)
        states = states.flatten(1, 2) if self.config.decoding == "global" else states.flatten(0, 1)
        cache: Cache = super()._prepare_static_cache(
            *args, model_kwargs=model_kwargs | {"encoder_outputs": (states,)}, **kwargs
        )
        return cache

    def prepare_inputs_for_generation(self, input_ids: Tensor, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the inputs of a step of ``generate``; copying needs all words so far."""
        inputs: dict[str, Any] = super().prepare_inputs_for_generation(input_ids, *args, **kwargs)
        return inputs | {"written_ids": input_ids}

    def _reorder_cache(self, past_key_values: Cache, beam_idx: Tensor) -> Cache:
        """Reorder the pages with their beams; called by ``generate``."""
        pages = past_key_values.self_attention_cache.layers[0].keys.shape[0] // beam_idx.shape[0]
        rows = beam_idx.unsqueeze(-1) * pages + torch.arange(pages, device=beam_idx.device)
        past_key_values.reorder_cache(rows.flatten())
        return past_key_values


def _repeat_for_pages(tensor: Tensor | None, pages: int) -> Tensor | None:
    """(batch, target_len) -> (batch × pages, target_len), a document's pages side by side."""
    return None if tensor is None else tensor.repeat_interleave(pages, dim=0)


RENAMED = {"lin.weight": "confidence_layer.weight", "lin.bias": "confidence_layer.bias"}
TIED_COPIES = frozenset(
    {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}
)
VOCABULARY = "model.shared.weight"


def from_published_state_dict(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Rename published weights to the names used here.

    ``lin`` becomes ``confidence_layer``; the tied copies of ``model.shared.weight`` are left out;
    everything else keeps its name, which is BART's.

    Raises:
        CheckpointError: The embeddings are missing, or a copy of them differs.
    """
    if VOCABULARY not in state:
        raise CheckpointError(f"the checkpoint lacks {VOCABULARY}", "check that it is a PageSum model")
    for name in sorted(TIED_COPIES & state.keys()):
        if not state[name].equal(state[VOCABULARY]):
            raise CheckpointError(
                f"{name} differs from {VOCABULARY}, which it must equal",
                "download the checkpoint again",
            )
    return {RENAMED.get(name, name): tensor for name, tensor in state.items() if name not in TIED_COPIES}


def register_pagesum() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load PageSum checkpoints; may be called twice."""
    register_configuration()
    AutoModelForSeq2SeqLM.register(PageSumConfig, PageSumForConditionalGeneration, exist_ok=True)
