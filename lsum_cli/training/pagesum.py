"""Training PageSum: pages are made as for a summary and decoded together (Liu et al. 2022)."""

from __future__ import annotations

import enum
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.checkpoints.manifest import ABSENT_PAGE_TEXT, Manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.dataset import sample
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, sentences_to_read
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.options import LengthRule
from lsum_cli.locality import CountTokens, Locality, Page, paginate
from lsum_cli.methods.model_inputs import PageForm, count_text_tokens
from lsum_cli.paging import Paging, first_tokens
from lsum_cli.training.batches import count_source, infer_target_lengths, pad_labels
from lsum_cli.training.initialisation import (
    bart_config,
    initialise_embeddings,
    load_beginning,
    read_streams,
    train_tokenizer,
)
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe, bart_sizes, require_at_least, require_whole_heads

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration


# Pages are rarely filled to the last token.
_SPARE_ROOM = 1.3


class Decoding(enum.StrEnum):
    """``page``: every page is decoded and the results are mixed; ``global``: all at once (Table 7)."""

    PAGE = "page"
    GLOBAL = "global"


class Embeddings(enum.StrEnum):
    """Initial token embeddings: random, or similar for tokens that occur in similar contexts."""

    RANDOM = "random"
    COOCCURRENCE = "cooccurrence"


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """PageSum's own settings; sizes and embeddings apply only to training from scratch.

    Attributes:
        locality: What the sentences of a page have in common; with ``None`` one of the three is drawn at
            random for each example, and the checkpoint is for any locality.
        page_len: Maximum number of tokens per page, ``<s>`` and ``</s>`` included.
        min_page_len: If given, the page length of each example is drawn between it and ``page_len``, so
            that similar texts have different numbers of pages.
        pages: Spatial: number of pages. Discourse: maximum number; short sections then share a page.
            ``None`` for as many as the text needs.
        max_pages: Maximum number of pages of a training document; the rest is left out, and counted.
        paging: How pages are made; ``published`` needs ``pages``, with any locality.
        max_source_tokens: Tokens of a document that are read at most; the rest is left out, and counted.
            The checkpoint keeps this limit. ``None`` for no limit.
        length_rule: How the search counts lengths in scores; see
            :class:`lsum_cli.generation.options.LengthRule`. ``None`` for that of the base.
        mask_absent_pages: Whether a page without text has weight exactly 0; otherwise it holds a full
            stop and takes part, as in the published code.
        copy: Whether words can be copied from the pages (a pointer-generator for each page).
        copy_dim: Width of the queries and keys of copying.
        copy_match: How many of the last words written are matched with the pages, to copy what follows.
        encoder: A BERT-like encoder to begin with instead of a base, by its name on the hub or its folder;
            see :mod:`lsum_cli.models.blocks.bert`.
        embeddings: Initial embeddings of a new model; see :mod:`lsum_cli.training.initialisation`.
    """

    locality: Locality | None = Locality.SPATIAL
    page_len: int = 1024
    min_page_len: int | None = None
    pages: int | None = None
    max_pages: int | None = None
    paging: Paging = Paging.WHOLE
    max_source_tokens: int | None = None
    length_rule: LengthRule | None = None
    decoding: Decoding = Decoding.PAGE
    mask_absent_pages: bool = True
    copy: bool = False
    copy_dim: int = 64
    copy_match: int = 0
    encoder: str | None = None
    embeddings: Embeddings = Embeddings.RANDOM
    d_model: int = 256
    encoder_layers: int = 3
    decoder_layers: int = 3
    attention_heads: int = 4
    ffn_dim: int = 1024
    max_position_embeddings: int | None = None

    def __post_init__(self) -> None:
        sizes = ("d_model", "encoder_layers", "decoder_layers", "attention_heads", "ffn_dim", "copy_dim")
        least = dict.fromkeys(("pages", "max_pages", "max_source_tokens", *sizes), 1)
        require_at_least("model", self, **least, page_len=8, copy_match=0)
        if self.min_page_len is not None and not 8 <= self.min_page_len <= self.page_len:
            raise OptionError(
                f"model.min_page_len {self.min_page_len} is out of range",
                f"give it between 8 and model.page_len, {self.page_len}",
            )
        require_whole_heads(self)
        if self.copy_match and (not self.copy or self.decoding is Decoding.GLOBAL):
            raise OptionError(
                "model.copy_match needs copying from pages that are decoded one by one",
                "give --set model.copy=true --set model.decoding=page, or leave it out",
            )
        if self.paging is Paging.PUBLISHED:
            if self.pages is None or self.locality is None or self.min_page_len is not None:
                raise OptionError(
                    "model.paging published makes a fixed number of pages of one locality and length",
                    "give model.pages and model.locality, and leave out model.min_page_len",
                )
        elif self.pages is not None and self.locality in (Locality.DOCUMENT, None):
            raise OptionError(
                "model.pages cannot be used with document locality, where a document is a page",
                "leave it out; model.max_pages limits their number",
            )

    @classmethod
    def of_base(cls, config: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
        """The settings that a PageSum or BART brings along, for those that a recipe does not state."""
        settings = bart_sizes(config)
        if config["model_type"] != CheckpointMethod.PAGESUM.value:
            positions = settings.get("max_position_embeddings", cls.page_len)
            return settings | {"page_len": min(cls.page_len, positions)}
        settings |= {name: config[name] for name in _KEPT if name in config}
        if config.get("paging") == Paging.PUBLISHED.value and manifest.pages is not None:
            settings |= {"paging": Paging.PUBLISHED.value, "pages": manifest.pages}
        return settings


# What a PageSum keeps of itself when it is trained on.
_KEPT = (
    "locality",
    "page_len",
    "mask_absent_pages",
    "max_source_tokens",
    "decoding",
    "copy",
    "copy_dim",
    "copy_match",
)


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> PageSumObjective:
    """Build the model, from a PageSum or BART checkpoint or from scratch, and its objective.

    Raises:
        CheckpointError: The base is of another architecture, damaged, or has no tokenizer.
        OptionError: The base does not support these settings.
    """
    settings: ModelSettings = recipe.model
    if beginning := load_beginning(recipe, base):
        loaded, tokenizer = beginning
        model = _begin_with(loaded, recipe.base or settings.encoder or "the base", settings)
        recipe = infer_target_lengths(recipe, examples, tokenizer, model.config.max_position_embeddings)
    else:
        tokenizer = train_tokenizer(examples, recipe.tokenizer, max_length=settings.page_len)
        recipe = infer_target_lengths(recipe, examples, tokenizer, settings.max_position_embeddings)
        positions = settings.max_position_embeddings or max(
            settings.page_len, (recipe.data.max_target_tokens or 0) + 2
        )
        model = _from_scratch(settings, len(tokenizer), positions)
        if settings.embeddings is Embeddings.COOCCURRENCE:
            initialise_embeddings(
                model.get_input_embeddings().weight,
                # Those that the tokenizer was trained on.
                read_streams(sample(examples, recipe.tokenizer.max_examples), tokenizer),
                spread=model.config.init_std,
                seed=recipe.training.seed,
            )
    return PageSumObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class PageSumObjective(Objective):
    """Cross-entropy of the reference, all pages decoded together (Eqs. 6-9)."""

    method = CheckpointMethod.PAGESUM
    _encoding = 3
    _settings: ModelSettings

    def __init__(self, *, model: Any, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> None:
        super().__init__(model=model, tokenizer=tokenizer, recipe=recipe)
        self._form = PageForm(
            tokenizer=tokenizer,
            frame=self._frame,
            page_ids=self._settings.page_len - len(self._frame),
            reads_headings=self._settings.locality is Locality.DISCOURSE,
            pages=self._settings.pages,
            filler_text=None if self._settings.mask_absent_pages else ABSENT_PAGE_TEXT,
            paging=self._settings.paging,
        )

    def encode(self, example: Example) -> Features | None:
        """Pages and reference as ids: ``input_ids`` of all pages joined, ``page_lengths``, ``labels``."""
        if not example.reference:
            return None
        settings = self._settings
        count = self._counter(example)
        keep_references = self.recipe.data.keep_references
        documents = example.documents
        if settings.max_source_tokens is not None:
            most = settings.max_source_tokens
            documents = first_tokens(documents, most, count, keep_references=keep_references)
        kept = self._pages(example, documents, count)
        if not kept:
            return None
        ids = self._form.encode(kept, documents).token_ids
        total = sum(
            count(sentence.text)
            for sentence in sentences_to_read(example.documents, keep_references=keep_references)
        )
        read = min(total, sum(page.num_tokens for page in kept))
        return {
            "input_ids": np.concatenate([np.array(page, dtype=np.int32) for page in ids]),
            "page_lengths": np.array([len(page) for page in ids], dtype=np.int32),
            **count_source(total, total - read),
            **self._encode_reference(example.reference),
        }

    def _pages(self, example: Example, documents: Sequence[Document], count: CountTokens) -> Sequence[Page]:
        """The pages that are read of an example."""
        settings, keep_references = self._settings, self.recipe.data.keep_references
        if settings.paging is Paging.PUBLISHED:
            assert settings.locality is not None
            made = self._form.paginate(documents, settings.locality, keep_references=keep_references)
            return made.pages
        locality, page_len = self._draw(example, count)
        pages = paginate(
            documents, locality, page_len, count, pages=settings.pages, keep_references=keep_references
        )
        return pages[: settings.max_pages]

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """``input_ids`` and ``attention_mask`` (batch, pages, page_len), ``labels`` (batch, target_len)."""
        import torch

        most_pages = max(len(each["page_lengths"]) for each in batch)
        page_len = max(int(each["page_lengths"].max()) for each in batch)
        input_ids = np.full((len(batch), most_pages, page_len), self._pad, dtype=np.int64)
        mask = np.zeros(input_ids.shape, dtype=np.int64)
        for row, each in enumerate(batch):
            start = 0
            for page, length in enumerate(each["page_lengths"].tolist()):
                input_ids[row, page, :length] = each["input_ids"][start : start + length]
                mask[row, page, :length] = 1
                start += length
        return {
            "input_ids": torch.from_numpy(input_ids),
            "attention_mask": torch.from_numpy(mask),
            "labels": pad_labels([each["labels"] for each in batch]),
        }

    def _draw(self, example: Example, count: CountTokens) -> tuple[Locality, int]:
        """The locality and length of an example's pages: the same for the same seed."""
        settings, most = self._settings, self._form.page_len
        chance = random.Random(f"{self.recipe.training.seed}/{example.id}")  # noqa: S311 - no secret
        locality = settings.locality or chance.choice(list(Locality))
        if settings.min_page_len is None:
            return locality, most
        least = settings.min_page_len - len(self._form.frame)
        if settings.max_pages is not None:
            # Short pages must not cut a text that would otherwise fit.
            total = sum(count(each.text) for document in example.documents for each in document.sentences)
            least = max(least, int(_SPARE_ROOM * total / settings.max_pages))
        # Uniform in the number of pages rather than in their length.
        return locality, most if least >= most else round(1 / chance.uniform(1 / most, 1 / least))

    def _encoding_settings(self) -> tuple[object, ...]:
        settings = self._settings
        is_drawn = settings.locality is None or settings.min_page_len is not None
        return (
            (settings.locality and settings.locality.value, settings.page_len, settings.pages),
            (settings.max_pages, settings.min_page_len, self.recipe.training.seed if is_drawn else None),
            (settings.mask_absent_pages, settings.paging.value, settings.max_source_tokens),
        )

    def manifest(self, name: str) -> Manifest:
        """The manifest of a PageSum checkpoint, with locality, pages and whether confidences are trained."""
        settings = self._settings
        return replace(
            super().manifest(name),
            locality=settings.locality,
            page_len=settings.page_len,
            pages=settings.pages,
            mask_absent_pages=settings.mask_absent_pages,
            absent_page_text="" if settings.mask_absent_pages else ABSENT_PAGE_TEXT,
            trained_confidence=settings.decoding is Decoding.PAGE,
        )

    def _counter(self, example: Example) -> CountTokens:
        """Counts tokens of sentences; all sentences of the example are tokenised at once, which is faster."""
        texts = [
            sentence.text
            for document in example.documents
            for section in document.sections
            for sentence in section.sentences
        ]
        encoded = self.tokenizer([f" {text}" for text in texts], add_special_tokens=False, verbose=False)
        known = {text: len(ids) for text, ids in zip(texts, encoded["input_ids"], strict=True)}

        def count(text: str) -> int:
            found = known.get(text)
            return count_text_tokens(self.tokenizer, text) if found is None else found

        return count


def _begin_with(loaded: Any, name: str, settings: ModelSettings) -> PageSumForConditionalGeneration:
    """Make a PageSum of a loaded model, which messages call ``name``."""
    from transformers import BartForConditionalGeneration

    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    positions = getattr(loaded.config, "max_position_embeddings", 0)
    if settings.page_len > positions > 0:
        raise OptionError(
            f"model.page_len {settings.page_len} exceeds the {positions} positions of {name}",
            f"give --set model.page_len={positions} or less",
        )
    chosen: dict[str, Any] = {
        "page_len": settings.page_len,
        "locality": settings.locality and settings.locality.value,
        **_own(settings),
    }
    if isinstance(loaded, PageSumForConditionalGeneration):
        for name, value in chosen.items():
            setattr(loaded.config, name, value)
        if loaded.copier is not None and not settings.copy:
            raise OptionError(f"{name} copies words from the pages", "give --set model.copy=true")
        if loaded.copier is not None and loaded.config.copy_match > settings.copy_match:
            raise OptionError(
                f"{name} compares {loaded.config.copy_match} words with its pages",
                f"give --set model.copy_match={loaded.config.copy_match} or more",
            )
        if loaded.copier is None and settings.copy:
            loaded.add_copier(settings.copy_dim, settings.copy_match)
        elif loaded.copier is not None and loaded.config.copy_match < settings.copy_match:
            loaded.copier.widen_match(settings.copy_match)
            loaded.config.copy_match = settings.copy_match
        return loaded
    if not isinstance(loaded, BartForConditionalGeneration):
        raise CheckpointError(
            f"PageSum cannot start from {name}, which is a {type(loaded).__name__}",
            "give a BART or PageSum checkpoint as base, or none",
        )
    chosen |= {"copy": settings.copy, "copy_dim": settings.copy_dim, "copy_match": settings.copy_match}
    model = PageSumForConditionalGeneration.from_bart(loaded, **chosen)
    model.generation_config = loaded.generation_config
    return model


def _own(settings: ModelSettings) -> dict[str, Any]:
    """The settings that a checkpoint keeps, whatever it starts from."""
    return {
        "mask_absent_pages": settings.mask_absent_pages,
        "paging": settings.paging.value,
        "max_source_tokens": settings.max_source_tokens,
        "decoding": settings.decoding.value,
        **({} if settings.length_rule is None else {"length_rule": settings.length_rule.value}),
    }


def _from_scratch(
    settings: ModelSettings, vocab_size: int, positions: int
) -> PageSumForConditionalGeneration:
    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    config = PageSumConfig(
        vocab_size=vocab_size,
        encoder_layers=settings.encoder_layers,
        **bart_config(settings, positions),
        page_len=settings.page_len,
        locality=settings.locality and settings.locality.value,
        **_own(settings),
        copy=settings.copy,
        copy_dim=settings.copy_dim,
        copy_match=settings.copy_match,
    )
    return PageSumForConditionalGeneration(config)
