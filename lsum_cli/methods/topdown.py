"""The method ``topdown``: the whole document at once, its tokens updated by segments (Pang et al. 2022).

The sentences of the pages are one stream of tokens, as long as the model reads at once; a longer
document is read in parts, each summarised on its own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.description import is_tagger
from lsum_cli.checkpoints.loading import LoadedCheckpoint
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import LocalityChoice, Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.attention import attribute_by_attention
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.costs import Work
from lsum_cli.methods.method import Cost, Written
from lsum_cli.methods.opening import OpenedCheckpoint
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import SearchSettings, recorded_settings
from lsum_cli.methods.source_tokens import SourceTokens, encode_source
from lsum_cli.methods.token_sentences import BROKEN_OFF, end_at_sentence, mean_log_prob, split_tokens
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import Attribution, SummarySentence
from lsum_cli.text.importance import FloatArray, content_lemmas, label_words, spread_scores

if TYPE_CHECKING:
    from torch import Tensor

    from lsum_cli.generation.hypotheses import Hypothesis
    from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine

# Pages have no part in what the model computes: they are what a sentence is attributed to.
PAGE_LEN = 1024
AVERAGE, ADAPTIVE, ORACLE = "avg", "ada", "oracle"


@dataclass(frozen=True, kw_only=True)
class _Engines:
    """What was loaded: summariser, and tagger where the pooling needs it."""

    loaded: LoadedCheckpoint
    summariser: TopDownEngine
    tagger: TaggerEngine | None


class TopDownMethod:
    """Top-Down with one checkpoint, which is loaded at the first summary and kept.

    Args:
        choice: Its folder and manifest.
        options: How summaries are to be made.

    Raises:
        CheckpointError: The checkpoint's configuration or tokenizer is damaged, or it has no tagger
            for the pooling.
    """

    name = "topdown"
    pages = None
    locality: LocalityChoice | None = None

    def __init__(self, choice: MethodChoice, options: SummaryOptions) -> None:
        self._opened = opened = OpenedCheckpoint.of(choice, options)
        self._options, self._tokenizer = options, opened.tokenizer
        self._positions = _size(opened.config, "max_position_embeddings")
        self._window = _size(opened.config, "attention_window")
        self.pooling = _choose_pooling(opened, options.pooling)
        self.source_len = _size(opened.config, "max_source_positions") - len(opened.frame)
        self.page_len = min(PAGE_LEN, self.source_len)
        self.max_page_len: int | None = self.source_len
        self._engines: _Engines | None = None

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as the checkpoint's tokenizer makes them within running text."""
        return self._opened.count_tokens(text)

    def estimate(self, pages: Sequence[Page]) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        parts = self._parts(pages)
        settings = self._settings(pages)
        lengths = [sum(page.num_tokens for page in part) for part in parts]
        # Attention costs as in pages as long as its window; a tagger encodes everything once more.
        times = 2 if self.pooling == ADAPTIVE else 1
        windows = [
            min(self._window, length - at) for length in lengths for at in range(0, length, self._window)
        ]
        return self._opened.estimate(
            Work(
                page_lengths=tuple(windows * times),
                steps=self._settings_for(parts[0], pages, settings).max_tokens,
                passes=len(parts),
                rows=settings.beams,
                memory_copies=1,
                held_tokens=max(lengths),
            )
        )

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Write a summary of the pages: of every part where they are more than the model reads at once.

        Raises:
            CheckpointError: The checkpoint is damaged, or writes nothing.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write, or pooling ``oracle``.
        """
        if self.pooling == ORACLE:
            raise OptionError(
                "pooling oracle weighs words by the reference summary, and here there is none",
                "choose --pooling avg or ada; lsum eval has references",
            )
        return self._write(pages, documents, options, progress, None)

    def write_guided(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
        reference: str,
    ) -> Written:
        """As :meth:`write`; pooling ``oracle`` takes its weights from the reference (an upper bound).

        Raises:
            MissingDependency: Labels need a package that is not installed.
        """
        return self._write(pages, documents, options, progress, reference)

    def _write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
        reference: str | None,
    ) -> Written:
        settings = self._settings(pages)
        parts = self._parts(pages)
        clock = _Clock()
        sentences: list[SummarySentence] = []
        warnings: list[str] = []
        language = documents[0].language
        if self.pooling == ORACLE and not content_lemmas(reference or "", language=language):
            warnings.append("the reference holds no word of content: pooling oracle weighs all words alike")
        with explain_out_of_memory(options.device):
            engines = self._engines or self._load(progress)
            clock.stop("load")
            for part in parts:
                wanted = self._settings_for(part, pages, settings)
                hypothesis = self._search(engines, part, wanted, reference, language, progress, clock)
                found = split_tokens(self._tokenizer, hypothesis.token_ids, language)
                if not found:
                    warnings.append(f"nothing was written for {part[0].label}")
                    continue
                kept, is_broken_off = end_at_sentence(found, wanted, len(hypothesis.token_ids))
                if is_broken_off and BROKEN_OFF not in warnings:
                    warnings.append(BROKEN_OFF)
                for sentence in kept:
                    origin: Attribution | None = None
                    if options.attribution and hypothesis.trace is not None:
                        looked = np.stack([hypothesis.trace[token] for token in sentence.tokens])
                        origin = attribute_by_attention(sentence.text, looked, part)
                    sentences.append(
                        SummarySentence(
                            text=sentence.text,
                            index=len(sentences),
                            log_prob=mean_log_prob(sentence, hypothesis.log_probs),
                            attribution=origin,
                        )
                    )
                clock.stop("attribute")
        if not sentences:
            raise self._opened.wrote_nothing()
        recorded = recorded_settings(options, settings, engines.loaded)
        return Written(
            sentences=tuple(sentences),
            options={**recorded, "parts": len(parts), "pooling": self.pooling},
            seconds=clock.seconds,
            checkpoint=engines.loaded.reference,
            warnings=tuple(warnings),
        )

    def _search(
        self,
        engines: _Engines,
        part: Sequence[Page],
        settings: SearchSettings,
        reference: str | None,
        language: str | None,
        progress: ProgressListener,
        clock: _Clock,
    ) -> Hypothesis[NDArray[np.float32]]:
        """The best summary of a part; its trace is the attention to each sentence."""
        import torch

        from lsum_cli.generation.beam import beam_search

        texts = [sentence.text for page in part for sentence in page.sentences]
        source = encode_source(self._tokenizer, self._opened.frame, texts)
        token_ids = torch.from_numpy(source.token_ids)
        importance = self._weigh(engines, source, token_ids, texts, reference, language, progress)
        decoder = engines.summariser.encode(
            [token_ids],
            importance=None if importance is None else [torch.from_numpy(importance.astype(np.float32))],
            groups=[torch.from_numpy(source.sentences)] if self._options.attribution else None,
            progress=progress,
        )
        clock.stop("encode")
        generation = settings.for_engine(engines.loaded.model)
        ((hypothesis,),) = beam_search(decoder, generation, progress=progress)
        clock.stop("decode")
        return hypothesis

    def _weigh(
        self,
        engines: _Engines,
        source: SourceTokens,
        token_ids: Tensor,
        texts: Sequence[str],
        reference: str | None,
        language: str | None,
        progress: ProgressListener,
    ) -> FloatArray | None:
        """The importance of every token, (source_len,), as the pooling takes it; ``None`` for AvgPool."""
        if self.pooling == ORACLE and reference is not None:
            return source.spread(label_words(texts, reference, language=language))
        if engines.tagger is None:
            return None
        (scores,) = engines.tagger.score([token_ids], progress=progress)
        return spread_scores(scores.double().numpy(), source.words)

    def _load(self, progress: ProgressListener) -> _Engines:
        from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine

        config = self._opened.config
        if config["model_type"] != "topdown" or is_tagger(config):
            raise CheckpointError(
                f"{self._opened.name} is not a Top-Down summariser but a {config['model_type']}"
                + (" tagger" if is_tagger(config) else ""),
                "give a Top-Down checkpoint, or leave out --method",
            )
        loaded = self._opened.load(progress, for_engine=True)
        model: Any = loaded.model
        tagger, model.tagger = model.tagger, None
        scorer = None
        if self.pooling == ADAPTIVE and tagger is not None:
            scorer = TaggerEngine.prepare(tagger, loaded.precision, device=loaded.device, release=True)
        summariser = TopDownEngine.prepare(model, loaded.precision, device=loaded.device, release=True)
        self._engines = _Engines(loaded=loaded, summariser=summariser, tagger=scorer)
        return self._engines

    def _parts(self, pages: Sequence[Page]) -> list[list[Page]]:
        """Neighbouring pages, as many together as the model reads at once."""
        parts: list[list[Page]] = []
        room = 0
        for page in pages:
            if not parts or page.num_tokens > room:
                parts.append([])
                room = self.source_len
            parts[-1].append(page)
            room -= page.num_tokens
        return parts

    def _settings(self, pages: Sequence[Page]) -> SearchSettings:
        # First and last token stand besides those of the summary.
        return self._opened.search_settings(pages, positions=self._positions - 2)

    def _settings_for(
        self, part: Sequence[Page], pages: Sequence[Page], settings: SearchSettings
    ) -> SearchSettings:
        """A wished length is shared among the parts; a checkpoint's own holds for each of them."""
        options = self._options
        wishes = (options.length, options.min_tokens, options.max_tokens)
        if not settings.length_in_words and all(wish is None for wish in wishes):
            return settings
        return settings.for_share(
            sum(page.num_tokens for page in part) / max(1, sum(page.num_tokens for page in pages))
        )


class _Clock:
    """Adds the time since it was last looked at to a stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def stop(self, stage: str) -> None:
        """What was done until now was this."""
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now


def _choose_pooling(opened: OpenedCheckpoint, wish: str | None) -> str:
    """The wished pooling, else the one the checkpoint was trained for.

    One trained with oracle weights is used with its tagger, as in the paper; without one it needs the
    reference.

    Raises:
        CheckpointError: There is no tagger for ``ada``.
    """
    trained = opened.config.get("pooling", AVERAGE)
    has_tagger = bool(opened.config.get("tagger"))
    pooling = wish or (ADAPTIVE if trained == ORACLE and has_tagger else str(trained))
    if pooling == ADAPTIVE and not has_tagger:
        raise CheckpointError(
            f"{opened.name} holds no importance tagger, which pooling ada needs",
            "choose --pooling avg, or train the checkpoint with model.tagger",
        )
    return pooling


def _size(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    if type(value) is not int or value < 4:
        raise CheckpointError(
            f"the configuration of the checkpoint is damaged: {name} is {value}",
            "import or download the checkpoint again",
        )
    return value
