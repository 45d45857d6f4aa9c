"""The method ``pagesum``: pages are encoded on their own and decoded together (Liu et al. 2022)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution import align
from lsum_cli.checkpoints.loading import LoadedCheckpoint
from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.confidence import attribute_by_confidence
from lsum_cli.methods.costs import Work
from lsum_cli.methods.method import Cost, Written
from lsum_cli.methods.opening import OpenedCheckpoint
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.page_inputs import EncodedPages, PageForm
from lsum_cli.methods.search_settings import SearchSettings, recorded_settings
from lsum_cli.methods.token_sentences import (
    BROKEN_OFF,
    TokenSentence,
    end_at_sentence,
    mean_log_prob,
    split_tokens,
)
from lsum_cli.methods.tracing import Trace
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, SummarySentence

if TYPE_CHECKING:
    from lsum_cli.generation.hypotheses import Hypothesis
    from lsum_cli.generation.options import GenerationOptions
    from lsum_cli.models.pagesum.engine import PageSumDecoder, PageSumEngine

DEFAULT_PAGE_LEN = 1024


@dataclass(frozen=True, kw_only=True)
class PageSumOutcome:
    """What the search found, before it becomes a summary.

    Attributes:
        hypothesis: The best one; the trace of a token is (pages + filler pages,), ĉ of
            Eq. 8, which the paper's Figure 3 draws.
        num_fillers: Pages without text, the last columns of the confidence.
        headings_left_out: Headings of sections for which no page had room.
        settings: How the search was done.
        seconds: Wall-clock time of ``load``, ``encode`` and ``decode``; its share where several were
            searched for together.
    """

    hypothesis: Hypothesis[NDArray[np.float32]]
    num_fillers: int
    headings_left_out: int
    settings: SearchSettings
    seconds: Mapping[str, float]


# Steps of narrower models are too short to be shared by threads, which would wait for one another.
_SMALL_WIDTH = 256


class PageSumMethod:
    """PageSum with one checkpoint, which is loaded at the first summary and kept.

    Args:
        choice: Its folder and manifest.
        options: How summaries are to be made.

    Raises:
        CheckpointError: The checkpoint's configuration or tokenizer is damaged.
    """

    name = "pagesum"

    def __init__(self, choice: MethodChoice, options: SummaryOptions) -> None:
        self._opened = opened = OpenedCheckpoint.of(choice, options)
        self._manifest, self._options = opened.manifest, options
        self._tokenizer, self._frame = opened.tokenizer, opened.frame
        self._positions = _num_positions(opened.config)
        self._form = _page_form(opened, self._positions)
        self._loaded: tuple[LoadedCheckpoint, PageSumEngine] | None = None
        self.locality = _trained_locality(opened.manifest)
        self.pages = opened.manifest.pages
        self.max_page_len: int | None = self._positions - len(self._frame)
        self.page_len = self._form.page_len

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as the checkpoint's tokenizer makes them within running text."""
        return self._opened.count_tokens(text)

    def estimate(self, pages: Sequence[Page]) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        settings = self._settings(pages)
        lengths = [page.num_tokens + len(self._frame) for page in pages]
        lengths += [len(self._form.filler)] * self._form.num_fillers(len(pages))
        work = Work(
            page_lengths=tuple(lengths),
            steps=settings.max_tokens,
            passes=1,
            rows=len(lengths) * settings.beams,
            memory_copies=1,
        )
        return self._opened.estimate(work)

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Write a summary of the pages.

        Raises:
            CheckpointError: The checkpoint is damaged, or writes nothing.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write.
        """
        (written,) = self.write_batch([(pages, documents)], options, progress)
        return written

    def write_batch(
        self,
        inputs: Sequence[tuple[Sequence[Page], Sequence[Document]]],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> list[Written]:
        """Write a summary of each; those that are searched for alike are decoded together.

        Raises:
            LsumError: As :meth:`write`.
        """
        outcomes = self.search_batch(inputs, progress)
        return [
            self._written(outcome, pages, documents, options, progress)
            for outcome, (pages, documents) in zip(outcomes, inputs, strict=True)
        ]

    def _written(
        self,
        outcome: PageSumOutcome,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        loaded, _ = self._loaded or self._load(progress)
        started = time.perf_counter()
        found = split_tokens(self._tokenizer, outcome.hypothesis.token_ids, documents[0].language)
        if not found:
            raise self._opened.wrote_nothing()
        sentences, is_broken_off = end_at_sentence(found, outcome.settings, len(outcome.hypothesis.token_ids))
        warnings = [BROKEN_OFF] if is_broken_off else []
        attributions: Sequence[Attribution | None] = [None] * len(sentences)
        if options.attribution:
            attributions = self._attribute(sentences, outcome.hypothesis, pages)
            warnings += self._doubts(outcome.hypothesis)
        if outcome.headings_left_out:
            warnings.append(
                f"{outcome.headings_left_out} section headings were not read: their pages are full"
            )
        return Written(
            sentences=tuple(
                SummarySentence(
                    text=sentence.text,
                    index=index,
                    log_prob=mean_log_prob(sentence, outcome.hypothesis.log_probs),
                    attribution=attribution,
                )
                for index, (sentence, attribution) in enumerate(zip(sentences, attributions, strict=True))
            ),
            options=recorded_settings(self._options, outcome.settings, loaded),
            seconds={**outcome.seconds, "attribute": time.perf_counter() - started},
            checkpoint=loaded.reference,
            warnings=tuple(warnings),
        )

    def search(
        self, pages: Sequence[Page], documents: Sequence[Document], progress: ProgressListener
    ) -> PageSumOutcome:
        """Encode the pages and search for the best summary; its confidences are kept for analysis.

        Raises:
            CheckpointError: The checkpoint is damaged.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write.
        """
        (outcome,) = self.search_batch([(pages, documents)], progress)
        return outcome

    def search_batch(
        self, inputs: Sequence[tuple[Sequence[Page], Sequence[Document]]], progress: ProgressListener
    ) -> list[PageSumOutcome]:
        """As :meth:`search` for each; those with the same settings are encoded and decoded together."""
        settings = [self._settings(pages) for pages, _ in inputs]
        found: dict[int, PageSumOutcome] = {}
        with explain_out_of_memory(self._options.device):
            for each in dict.fromkeys(settings):
                alike = [place for place, other in enumerate(settings) if other == each]
                outcomes = self._search_alike([inputs[place] for place in alike], each, progress)
                found |= zip(alike, outcomes, strict=True)
        return [found[place] for place in range(len(inputs))]

    def _search_alike(
        self,
        inputs: Sequence[tuple[Sequence[Page], Sequence[Document]]],
        settings: SearchSettings,
        progress: ProgressListener,
    ) -> list[PageSumOutcome]:
        from lsum_cli.generation.beam import beam_search
        from lsum_cli.machine.processor import one_thread

        times = [time.perf_counter()]
        _, engine = self._loaded or self._load(progress)
        times.append(time.perf_counter())
        encoded = [self._inputs(pages, documents) for pages, documents in inputs]
        decoder = _encode(engine, encoded, progress)
        times.append(time.perf_counter())
        is_small = engine.decoder.heads * engine.decoder.dim <= _SMALL_WIDTH
        with one_thread() if is_small else nullcontext():
            found = beam_search(decoder, self._generation_options(settings), progress=progress)
        times.append(time.perf_counter())
        stages = ("load", "encode", "decode")
        return [
            PageSumOutcome(
                hypothesis=hypothesis,
                num_fillers=each.num_fillers,
                headings_left_out=each.headings_left_out,
                settings=settings,
                seconds={stage: (times[i + 1] - times[i]) / len(inputs) for i, stage in enumerate(stages)},
            )
            for (hypothesis,), each in zip(found, encoded, strict=True)
        ]

    def trace(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        progress: ProgressListener,
        text: str | None = None,
    ) -> Trace:
        """The confidence of every page at every token (Figure 3), of its own summary or a given text.

        Raises:
            CheckpointError: The checkpoint decodes all pages at once, or is damaged.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write.
        """
        tokens_cut = 0
        if text is None:
            outcome = self.search(pages, documents, progress)
            hypothesis, num_fillers = outcome.hypothesis, outcome.num_fillers
        else:
            hypothesis, num_fillers, tokens_cut = self._force(pages, documents, progress, text)
        if hypothesis.trace is None:
            raise CheckpointError(
                f"{self._manifest.name} decodes all pages at once and has no page confidences",
                "give a checkpoint with decoding by page",
            )
        return Trace(
            tokens=tuple(self._tokenizer.decode([token_id]) for token_id in hypothesis.token_ids),
            log_probs=hypothesis.log_probs,
            weights=np.stack(hypothesis.trace),  # (target_len, pages)
            num_fillers=num_fillers,
            tokens_cut=tokens_cut,
        )

    def _force(
        self, pages: Sequence[Page], documents: Sequence[Document], progress: ProgressListener, text: str
    ) -> tuple[Hypothesis[NDArray[np.float32]], int, int]:
        """The hypothesis that a text is, the number of filler pages, and how many tokens found no room."""
        from lsum_cli.generation.beam import force_tokens

        ids = self._tokenizer(" ".join(text.split()), add_special_tokens=False, verbose=False)["input_ids"]
        room = self._positions - len(self._frame)
        with explain_out_of_memory(self._options.device):
            loaded, engine = self._loaded or self._load(progress)
            inputs = self._inputs(pages, documents)
            hypothesis = force_tokens(
                _encode(engine, [inputs], progress),
                self._frame.around(ids[:room]),
                start_token_id=loaded.model.config.decoder_start_token_id,
            )
        return hypothesis, inputs.num_fillers, max(0, len(ids) - room)

    def _inputs(self, pages: Sequence[Page], documents: Sequence[Document]) -> EncodedPages:
        most = self.max_page_len if self._options.page_tokens else None
        return self._form.encode(pages, documents, most)

    def _load(self, progress: ProgressListener) -> tuple[LoadedCheckpoint, PageSumEngine]:
        from lsum_cli.models.pagesum.engine import PageSumEngine

        loaded = self._opened.load(progress, for_engine=True)
        if loaded.model.config.model_type != "pagesum":
            raise CheckpointError(
                f"{self._manifest.name} is no PageSum model but a {type(loaded.model).__name__}",
                "give a PageSum checkpoint, or leave out --method",
            )
        engine = PageSumEngine.prepare(loaded.model, loaded.precision, device=loaded.device, release=True)
        self._loaded = loaded, engine
        return self._loaded

    def _settings(self, pages: Sequence[Page]) -> SearchSettings:
        # First and last token stand besides those of the summary.
        return self._opened.search_settings(pages, positions=self._positions - 2)

    def _generation_options(self, settings: SearchSettings) -> GenerationOptions:
        loaded, _ = self._loaded or self._load(ignore_progress)
        return settings.for_engine(loaded.model)

    def _attribute(
        self,
        sentences: Sequence[TokenSentence],
        hypothesis: Hypothesis[NDArray[np.float32]],
        pages: Sequence[Page],
    ) -> Sequence[Attribution]:
        if hypothesis.trace is None or not self._manifest.trained_confidence:
            return align([sentence.text for sentence in sentences], pages)
        confidence = np.stack(hypothesis.trace)  # (target_len, pages)
        return [
            attribute_by_confidence(sentence.text, confidence[list(sentence.tokens)], pages)
            for sentence in sentences
        ]

    def _doubts(self, hypothesis: Hypothesis[NDArray[np.float32]]) -> list[str]:
        if hypothesis.trace is None:
            reason = "decodes all pages at once and has no page confidences"
        elif not self._manifest.trained_confidence:
            reason = "has page confidences that were never trained"
        else:
            return []
        return [f"{self._manifest.name} {reason}: origins are found by comparing words (alignment)"]


def _encode(
    engine: PageSumEngine, inputs: Sequence[EncodedPages], progress: ProgressListener
) -> PageSumDecoder:
    import torch

    return engine.encode(
        [[torch.tensor(ids) for ids in document.token_ids] for document in inputs], progress=progress
    )


def _trained_locality(manifest: Manifest) -> LocalityChoice | None:
    if manifest.locality is None:
        return None
    return LocalityChoice(locality=manifest.locality, reason="the checkpoint was trained for it")


def _num_positions(config: Mapping[str, object]) -> int:
    positions = config.get("max_position_embeddings", DEFAULT_PAGE_LEN)
    if type(positions) is not int or positions < 4:
        raise CheckpointError(
            f"the configuration of the checkpoint is damaged: max_position_embeddings is {positions}",
            "import or download the checkpoint again",
        )
    return positions


def _page_form(opened: OpenedCheckpoint, positions: int) -> PageForm:
    manifest = opened.manifest
    return PageForm(
        tokenizer=opened.tokenizer,
        frame=opened.frame,
        page_ids=_page_len(opened, positions),
        reads_headings=manifest.locality is Locality.DISCOURSE,
        pages=manifest.pages,
        filler_text=None if manifest.mask_absent_pages else manifest.absent_page_text or ".",
    )


def _page_len(opened: OpenedCheckpoint, positions: int) -> int:
    """Tokens of text on a page: what the checkpoint says, without the special tokens."""
    page_len = opened.manifest.page_len or opened.config.get("page_len") or DEFAULT_PAGE_LEN
    page_len = min(page_len, positions) if type(page_len) is int else 0
    if page_len <= len(opened.frame):
        raise CheckpointError(
            f"the configuration of the checkpoint is damaged: page_len is {page_len}",
            "import or download the checkpoint again",
        )
    return page_len - len(opened.frame)
