"""The method ``topdown``: the whole document at once, its tokens updated by segments (Pang et al. 2022).

The sentences of the pages are one stream of tokens, as long as the model reads at once; a longer
document is read in parts, each summarised on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lsum_cli.attribution.confidence import attribute_by_attention
from lsum_cli.checkpoints.manifest import is_tagger
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Page
from lsum_cli.methods.base import Cost, MethodChoice, SentenceListener
from lsum_cli.methods.batching import group_neighbours
from lsum_cli.methods.detokenising import TokenSentence
from lsum_cli.methods.model_inputs import SourceTokens, encode_source
from lsum_cli.methods.model_method import Clock, Outcome
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.parts import PartsMethod, PartsPlan, Search
from lsum_cli.methods.verbatim import constrain
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, OptionValue, Summary
from lsum_cli.text.importance import FloatArray, content_lemmas, label_words, spread_scores

if TYPE_CHECKING:
    from torch import Tensor

    from lsum_cli.models.topdown.engine import TaggerEngine, TopDownDecoder, TopDownEngine

# Pages have no part in what the model computes: they are what a sentence is attributed to.
PAGE_LEN = 1024
AVERAGE, ADAPTIVE, ORACLE = "avg", "ada", "oracle"


class TopDownMethod(PartsMethod["TopDownDecoder"]):
    """Top-Down with one checkpoint; see :class:`~lsum_cli.methods.model_method.ModelMethod`.

    Raises:
        CheckpointError: It has no tagger for the pooling.
    """

    name = "topdown"

    def __init__(
        self, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
    ) -> None:
        super().__init__(choice, options, progress)
        # First and last token stand besides those of the summary.
        self.max_written = self._size("max_position_embeddings") - 2
        self._window = self._size("attention_window")
        self.pooling = self._choose_pooling()
        self._source_len = self._size("max_source_positions") - len(self.frame)
        self.source_len = self.max_page_len = self._source_len
        self.page_len = min(PAGE_LEN, self._source_len)

    @cached_property
    def engines(self) -> tuple[TopDownEngine, TaggerEngine | None]:
        """The summariser, and the tagger where the pooling needs it.

        Raises:
            CheckpointError: The checkpoint is damaged or of another architecture.
            DeviceError: There is no such device.
        """
        from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine

        found = self.config["model_type"]
        if found != self.name or is_tagger(self.config):
            raise self._other_architecture(
                "Top-Down summariser", f"{found} tagger" if is_tagger(self.config) else str(found)
            )
        loaded, model = self.loaded, cast(Any, self.loaded.model)
        tagger, model.tagger = model.tagger, None
        scorer = None
        if self.pooling == ADAPTIVE and tagger is not None:
            scorer = TaggerEngine.prepare(tagger, loaded.precision, device=loaded.device, release=True)
        summariser = TopDownEngine.prepare(model, loaded.precision, device=loaded.device, release=True)
        return summariser, scorer

    def _load_engine(self) -> None:
        _ = self.engines

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> PartsPlan:
        """As every method; pooling ``oracle`` takes its weights from the reference (an upper bound).

        Raises:
            MissingDependency: The weights need a package that is not installed.
        """
        plan = super().plan(documents, title=title, reference=reference)
        if self.pooling != ORACLE or reference is None:
            return plan
        if content_lemmas(reference, language=documents[0].language):
            return plan
        doubt = "the reference contains no content words: pooling oracle weights all words equally"
        return replace(plan, warnings=(*plan.warnings, doubt))

    def estimate(self, plan: PartsPlan) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        # Attention costs as in pages as long as its window; a tagger encodes everything once more.
        times = 2 if self.pooling == ADAPTIVE else 1
        windows = [
            min(self._window, length - at)
            for length in plan.lengths()
            for at in range(0, length, self._window)
        ]
        return self._estimate(self._work(plan, windows * times, copies=1))

    def _prepare(self) -> None:
        _ = self.engines

    def _parts(self, pages: Sequence[Page]) -> list[list[Page]]:
        return group_neighbours(pages, [page.num_tokens for page in pages], self._source_len)

    def _write(self, plan: PartsPlan, on_sentence: SentenceListener) -> Summary:
        if self.pooling == ORACLE and plan.reference is None:
            raise OptionError(
                "pooling oracle needs a reference summary, and there is none",
                "choose --pooling avg or ada; only lsum eval has references",
            )
        return super()._write(plan, on_sentence)

    def _encode(self, parts: Sequence[Search], clock: Clock) -> TopDownDecoder:
        import torch

        summariser, _ = self.engines
        token_ids, importance, groups = [], [], []
        for part in parts:
            texts = [sentence.text for page in part.pages for sentence in page.sentences]
            read = encode_source(self.tokenizer, self.frame, texts)
            token_ids.append(torch.from_numpy(read.token_ids))
            groups.append(torch.from_numpy(read.sentences))
            weights = self._weigh(part.plan, read, token_ids[-1], texts)
            if weights is not None:
                importance.append(torch.from_numpy(weights.astype(np.float32)))
        # Where a verbatim sentence is from is known.
        is_traced = self.options.attribution and not self.is_verbatim
        decoder = summariser.encode(
            token_ids,
            importance=importance or None,
            groups=groups if is_traced else None,
            progress=self.progress,
        )
        clock.stop("encode")
        return decoder

    def _decode(self, encoded: TopDownDecoder, searches: Sequence[Search], clock: Clock) -> list[Outcome]:
        """The best summary of each part; its trace is the attention to each sentence."""
        from lsum_cli.generation.beam import beam_search

        sources = [search.source for search in searches if search.source is not None]
        own = [search.settings.for_engine(self.loaded.model) for search in searches]
        generation, constraints = constrain(sources, own)
        found = beam_search(encoded.again(), generation, constraints=constraints, progress=self.progress)
        clock.stop("decode")
        return [
            Outcome(pages=search.pages, hypothesis=hypothesis, settings=search.settings)
            for (hypothesis,), search in zip(found, searches, strict=True)
        ]

    def _weigh(
        self, plan: PartsPlan, source: SourceTokens, token_ids: Tensor, texts: Sequence[str]
    ) -> FloatArray | None:
        """The importance of every token, (source_len,), as the pooling takes it; ``None`` for AvgPool."""
        _, tagger = self.engines
        if self.pooling == ORACLE and plan.reference is not None:
            return source.spread(label_words(texts, plan.reference, language=plan.documents[0].language))
        if tagger is None:
            return None
        (scores,) = tagger.score([token_ids], progress=self.progress)
        return spread_scores(scores.double().numpy(), source.words)

    def _attribute(
        self, sentences: Sequence[TokenSentence], outcome: Outcome
    ) -> Sequence[Attribution | None]:
        trace = outcome.hypothesis.trace
        if trace is None:
            return [None] * len(sentences)
        attention = np.stack(trace)  # (target_len, sentences)
        return [
            attribute_by_attention(sentence.text, attention[list(sentence.tokens)], outcome.pages)
            for sentence in sentences
        ]

    def _own_options(self, plan: PartsPlan) -> dict[str, OptionValue]:
        return {**super()._own_options(plan), "pooling": self.pooling}

    def _choose_pooling(self) -> str:
        """The pooling that was asked for, else the one the checkpoint was trained for.

        One trained with oracle weights is used with its tagger, as in the paper; without one it needs
        the reference.

        Raises:
            CheckpointError: There is no tagger for ``ada``.
        """
        trained = self.config.get("pooling", AVERAGE)
        has_tagger = bool(self.config.get("tagger"))
        pooling = self.options.pooling or (ADAPTIVE if trained == ORACLE and has_tagger else str(trained))
        if pooling == ADAPTIVE and not has_tagger:
            raise CheckpointError(
                f"{self.manifest.name} contains no importance tagger, which pooling ada needs",
                "choose --pooling avg, or train the checkpoint with model.tagger",
            )
        return pooling
