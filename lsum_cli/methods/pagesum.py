"""The method ``pagesum``: pages are encoded on their own and decoded together (Liu et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution.alignment import align
from lsum_cli.attribution.confidence import ConfidenceTrace, attribute_by_confidence
from lsum_cli.checkpoints.manifest import OriginKind
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import CountTokens, Locality, LocalityChoice, Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.base import Cost, MethodChoice, Plan, SentenceListener
from lsum_cli.methods.batching import BATCH_TOKENS, BATCH_TOKENS_ON_GPU, group_neighbours
from lsum_cli.methods.costs import Work
from lsum_cli.methods.detokenising import TokenSentence
from lsum_cli.methods.model_inputs import EncodedPages, PageForm
from lsum_cli.methods.model_method import Clock, ModelMethod, Outcome
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import SearchSettings
from lsum_cli.methods.verbatim import VerbatimSource, constrain
from lsum_cli.paging import Paging, PublishedPages, first_tokens
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, Summary

if TYPE_CHECKING:
    from lsum_cli.generation.hypotheses import Hypothesis
    from lsum_cli.models.pagesum.engine import PageSumDecoder, PageSumEngine

DEFAULT_PAGE_LEN = 1024
# Steps of narrower models are too short to be shared by threads, which would wait for one another.
_SMALL_WIDTH = 256


@dataclass(frozen=True, kw_only=True)
class PageSumOutcome(Outcome):
    """What the search found for all pages.

    The trace of a token is (pages + filler pages,), ĉ of Eq. 8, which the paper's Figure 3 draws.

    Attributes:
        num_fillers: Pages without text, the last columns of the confidence.
        columns: The column of the confidence that each page was read in; several can share one.
        seconds: Wall-clock time of ``load``, ``encode`` and ``decode``; its share where several were
            searched for together.
    """

    num_fillers: int
    columns: tuple[int, ...]
    seconds: Mapping[str, float]

    @property
    def confidence(self) -> NDArray[np.float32] | None:
        """ĉ of every token over pages and fillers, (target_len, pages + fillers), unless decoded at once."""
        if self.hypothesis.trace is None:
            return None
        return _over_pages(self.hypothesis.trace, self.pages, self.columns)


@dataclass(frozen=True, kw_only=True)
class _Input:
    """A plan, its pages as they are read, how to search for its summary, and the seconds this took."""

    plan: Plan
    encoded: EncodedPages
    settings: SearchSettings
    verbatim: VerbatimSource | None
    remarks: tuple[str, ...]
    seconds: float

    def with_share(self, seconds: Mapping[str, float], count: int) -> dict[str, float]:
        """Its share of the time of ``count`` plans, and its own."""
        shares = {stage: taken / count for stage, taken in seconds.items()}
        return {**shares, "encode": shares.get("encode", 0.0) + self.seconds}


class PageSumMethod(ModelMethod[Plan]):
    """PageSum with one checkpoint; see :class:`~lsum_cli.methods.model_method.ModelMethod`."""

    name = "pagesum"
    writes_together = True

    def __init__(
        self, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
    ) -> None:
        super().__init__(choice, options, progress)
        manifest = self.manifest
        self._positions = self._size("max_position_embeddings", DEFAULT_PAGE_LEN)
        # First and last token stand besides those of the summary.
        self.max_written = self._positions - 2
        self.max_page_len = self._positions - len(self.frame)
        self.paging = options.paging or self._own_paging()
        self._form = PageForm(
            tokenizer=self.tokenizer,
            frame=self.frame,
            page_ids=self._page_ids(),
            reads_headings=manifest.locality is Locality.DISCOURSE,
            pages=(options.pages or manifest.pages) if self._is_published else manifest.pages,
            filler_text=None if manifest.mask_absent_pages else manifest.absent_page_text or ".",
            paging=self.paging,
        )
        self.page_len = self._form.page_len
        self.num_pages = manifest.pages
        if manifest.locality is not None:
            reason = "the checkpoint was trained for it"
            self.locality = LocalityChoice(locality=manifest.locality, reason=reason)

    @cached_property
    def engine(self) -> PageSumEngine:
        """What encodes and decodes.

        Raises:
            CheckpointError: The checkpoint is damaged or of another architecture.
            DeviceError: There is no such device.
        """
        from lsum_cli.models.pagesum.engine import PageSumEngine

        loaded = self.loaded
        if loaded.model.config.model_type != self.name:
            raise self._other_architecture("PageSum model", type(loaded.model).__name__)
        return PageSumEngine.prepare(loaded.model, loaded.precision, device=loaded.device, release=True)

    def _load_engine(self) -> None:
        _ = self.engine

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> Plan:
        """See :meth:`~lsum_cli.methods.base.Method.plan`."""
        read = self.select(documents)
        texts, remarks, count = read.documents, [*read.remarks], self.count_tokens
        most, cut = self.config.get("max_source_tokens"), 0
        if most is not None:
            texts = first_tokens(texts, most, count, keep_references=self.options.keep_references)
            cut = _tokens_cut(read.documents, texts, count)
        if self._is_published:
            made = self._published_pages(texts)
            pages = made.pages
            remarks += made.losses(self.manifest.name)
        else:
            pages = self._paginate(documents, texts)
        if cut and pages:
            pages = (*pages[:-1], replace(pages[-1], tokens_cut=pages[-1].tokens_cut + cut))
        return self._plan(
            Plan,
            documents,
            pages,
            title=title,
            reference=reference,
            read=read.documents,
            remarks=remarks,
        )

    def _published_pages(self, documents: Sequence[Document]) -> PublishedPages:
        """The pages of the published code.

        Raises:
            OptionError: Neither the checkpoint nor the options say what they are.
        """
        options = self.options
        missing = [
            flag
            for flag, value in (
                ("--locality", options.locality or self.manifest.locality),
                ("--pages", self._form.pages),
            )
            if value is None
        ]
        if missing:
            raise OptionError(
                f"{self.manifest.name} does not say which pages it was trained with by the published code",
                f"give {' and '.join(missing)} as in its training, or --paging whole",
            )
        return self._form.paginate(
            documents,
            self._choose_locality(documents).locality,
            page_len=options.page_tokens,
            keep_references=options.keep_references,
        )

    @property
    def _is_published(self) -> bool:
        return self.paging is Paging.PUBLISHED

    def _own_paging(self) -> Paging:
        """What the checkpoint was trained with, as far as it says so."""
        config, manifest = self.config, self.manifest
        stated = config.get("paging")
        if stated is not None:
            return Paging(stated)
        # Published checkpoints that were imported before this was recorded.
        is_imported = manifest.origin.kind in (OriginKind.DRIVE, OriginKind.FILE) and not manifest.training
        is_published = config.get("length_rule") == "start_and_bos" and not manifest.mask_absent_pages
        return Paging.PUBLISHED if is_imported and is_published else Paging.WHOLE

    def estimate(self, plan: Plan) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        settings = self._settings(plan.pages)
        lengths = [page.num_tokens + len(self.frame) for page in plan.pages]
        columns = sum(1 for page in plan.pages if not page.continues)
        lengths += [len(self._form.filler)] * self._form.num_fillers(columns)
        return self._estimate(
            Work(
                page_lengths=tuple(lengths),
                steps=settings.max_tokens,
                passes=1,
                rows=len(lengths) * settings.beams,
                memory_copies=1,
            )
        )

    def search(self, plan: Plan) -> PageSumOutcome:
        """Encode the pages and search for the best summary; its confidences are kept for analysis.

        Raises:
            CheckpointError: The checkpoint is damaged.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write.
        """
        (outcome,) = self.search_all([plan])
        return outcome

    def search_all(self, plans: Sequence[Plan]) -> list[PageSumOutcome]:
        """As :meth:`search` for each; all but their lengths alike are encoded and decoded together."""
        inputs = [self._input(plan) for plan in plans]
        found: dict[int, PageSumOutcome] = {}
        with explain_out_of_memory(self.options.device):
            for each in dict.fromkeys(own.settings.without_lengths for own in inputs):
                alike = [place for place, own in enumerate(inputs) if own.settings.without_lengths == each]
                outcomes = self._search_alike([inputs[place] for place in alike])
                found |= zip(alike, outcomes, strict=True)
        return [found[place] for place in range(len(plans))]

    def _input(self, plan: Plan) -> _Input:
        """What is read of a plan, and how to search for its summary."""
        clock = Clock()
        encoded, source = self.encode(plan), None
        if self.is_verbatim:
            frame = self.frame
            page_ids = [encoded.token_ids[column][len(frame.before) :] for column in encoded.columns]
            source = VerbatimSource.of(plan.pages, plan.documents, self.tokenizer, page_ids=page_ids)
        settings, remarks = self._fitted(self._settings(plan.pages), source)
        clock.stop("encode")
        return _Input(
            plan=plan,
            encoded=encoded,
            settings=settings,
            verbatim=source,
            remarks=remarks,
            seconds=clock.seconds["encode"],
        )

    def _fitted(
        self, settings: SearchSettings, source: VerbatimSource | None
    ) -> tuple[SearchSettings, tuple[str, ...]]:
        """The settings with which something can be written, and what to say of them."""
        if source is None:
            return settings, ()
        settings, remarks = source.fitted(settings, self.max_written)
        return settings, tuple(remarks)

    def _search_alike(self, inputs: Sequence[_Input]) -> list[PageSumOutcome]:
        clock = Clock()
        _ = self.engine
        clock.stop("load")
        decoder = self._start([each.encoded for each in inputs])
        clock.stop("encode")
        return self._decode(inputs, decoder, clock)

    def _decode(
        self, inputs: Sequence[_Input], decoder: PageSumDecoder, clock: Clock
    ) -> list[PageSumOutcome]:
        """The best summary of each input that the decoder holds."""
        from lsum_cli.generation.beam import beam_search
        from lsum_cli.machine.processor import one_thread

        sources = [each.verbatim for each in inputs if each.verbatim is not None]
        own = [each.settings.for_engine(self.loaded.model) for each in inputs]
        options, constraints = constrain(sources, own)
        sizes = self.engine.decoder
        is_small = sizes.heads * sizes.dim <= _SMALL_WIDTH
        with one_thread() if is_small else nullcontext():
            found = beam_search(decoder, options, constraints=constraints, progress=self.progress)
        clock.stop("decode")
        return [
            PageSumOutcome(
                pages=each.plan.pages,
                hypothesis=hypothesis,
                settings=each.settings,
                remarks=(*each.remarks, *self._remarks(hypothesis, each)),
                verbatim=each.verbatim,
                num_fillers=each.encoded.num_fillers,
                columns=each.encoded.columns,
                seconds=each.with_share(clock.seconds, len(inputs)),
            )
            for (hypothesis,), each in zip(found, inputs, strict=True)
        ]

    def trace(self, plan: Plan, text: str | None = None) -> ConfidenceTrace:
        """The confidence of every page at every token (Figure 3), of its own summary or a given text.

        Args:
            text: What to write, such as a reference (teacher forcing); ``None`` for what the method
                writes itself.

        Raises:
            CheckpointError: The checkpoint decodes all pages at once, or is damaged.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length that the model cannot write.
        """
        tokens_cut = 0
        if text is None:
            outcome = self.search(plan)
            hypothesis, num_fillers, columns = outcome.hypothesis, outcome.num_fillers, outcome.columns
        else:
            hypothesis, encoded, tokens_cut = self._force(plan, text)
            num_fillers, columns = encoded.num_fillers, encoded.columns
        if hypothesis.trace is None:
            raise CheckpointError(
                f"{self.manifest.name} decodes all pages at once and has no page confidences",
                "give a checkpoint with decoding by page",
            )
        return ConfidenceTrace(
            tokens=tuple(self.tokenizer.decode([token_id]) for token_id in hypothesis.token_ids),
            log_probs=hypothesis.log_probs,
            weights=_over_pages(hypothesis.trace, plan.pages, columns),
            num_fillers=num_fillers,
            tokens_cut=tokens_cut,
        )

    def expect(self, plan: Plan, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """What the model expects before each token of a given summary: log probabilities, (tokens, vocab).

        Raises:
            CheckpointError: The checkpoint is damaged.
            DeviceError: There is no such device, or its memory does not suffice.
        """
        from lsum_cli.generation.beam import forced_steps

        with explain_out_of_memory(self.options.device):
            steps = forced_steps(
                self._start([self.encode(plan)]),
                token_ids,
                start_token_id=self.loaded.model.config.decoder_start_token_id,
            )
            return np.stack([scores.cpu().numpy() for scores, _ in steps])

    def encode(self, plan: Plan) -> EncodedPages:
        """The token ids of the pages, as the model reads them."""
        most = self.max_page_len if self.options.page_tokens else None
        return self._form.encode(plan.pages, plan.documents, most)

    def _force(self, plan: Plan, text: str) -> tuple[Hypothesis[NDArray[np.float32]], EncodedPages, int]:
        """The text as a hypothesis, the pages as they were read, and how many tokens found no room."""
        from lsum_cli.generation.beam import force_tokens

        ids = self.tokenizer(" ".join(text.split()), add_special_tokens=False, verbose=False)["input_ids"]
        room = self._positions - len(self.frame)
        with explain_out_of_memory(self.options.device):
            encoded = self.encode(plan)
            hypothesis = force_tokens(
                self._start([encoded]),
                self.frame.around(ids[:room]),
                start_token_id=self.loaded.model.config.decoder_start_token_id,
            )
        return hypothesis, encoded, max(0, len(ids) - room)

    def _start(self, encoded: Sequence[EncodedPages]) -> PageSumDecoder:
        import torch

        pages = [[torch.tensor(ids) for ids in document.token_ids] for document in encoded]
        return self.engine.encode(pages, progress=self.progress)

    def _write(self, plan: Plan, on_sentence: SentenceListener) -> Summary:  # noqa: ARG002
        if self.options.all_lengths:
            return self._write_lengths(plan)
        (summary,) = self._write_all([plan], BATCH_TOKENS)
        return summary

    def _write_lengths(self, plan: Plan) -> Summary:
        """Every length that the model can write, from pages that are encoded once."""
        given = self._input(plan)
        clock = Clock({"encode": given.seconds})
        summaries: dict[str, Summary] = {}
        found: dict[SearchSettings, PageSumOutcome] = {}
        with explain_out_of_memory(self.options.device):
            _ = self.engine
            clock.stop("load")
            decoder = self._start([given.encoded])
            clock.stop("encode")
            for name, wanted in self._settings_by_length(plan.pages).items():
                settings, remarks = self._fitted(wanted, given.verbatim)
                if settings not in found:
                    own = replace(given, settings=settings, remarks=remarks)
                    (found[settings],) = self._decode([own], decoder.again(), clock)
                summaries[name] = self._compose(plan, [found[settings]], settings, clock)
        return self._join_lengths(summaries, list(summaries.values())[-1].seconds)

    def _write_all(self, plans: Sequence[Plan], batch_tokens: int) -> list[Summary]:
        """A summary for each plan; those that are searched for alike are decoded together."""
        if self.options.all_lengths:
            return [self._write_lengths(plan) for plan in plans]
        lengths = [sum(page.num_tokens for page in plan.pages) for plan in plans]
        return [
            self._compose(plan, [outcome], outcome.settings, Clock(outcome.seconds))
            for batch in group_neighbours(plans, lengths, batch_tokens)
            for plan, outcome in zip(batch, self.search_all(batch), strict=True)
        ]

    @property
    def alone_because(self) -> str | None:
        """See :attr:`~lsum_cli.methods.base.Method.alone_because`."""
        return "with --length all every document is written about alone" if self.options.all_lengths else None

    @property
    def _usual_tokens(self) -> int:
        return BATCH_TOKENS_ON_GPU if self._device.type == "cuda" else BATCH_TOKENS

    def _attribute(self, sentences: Sequence[TokenSentence], outcome: Outcome) -> Sequence[Attribution]:
        confidence = _confidence(outcome)
        if confidence is None or not self.manifest.trained_confidence:
            return align([sentence.text for sentence in sentences], outcome.pages)
        return [
            attribute_by_confidence(sentence.text, confidence[list(sentence.tokens)], outcome.pages)
            for sentence in sentences
        ]

    def _page_weights(self, sentence: TokenSentence, outcome: Outcome) -> NDArray[np.float32] | None:
        confidence = _confidence(outcome)
        if confidence is None:
            return None
        weights: NDArray[np.float32] = confidence[list(sentence.tokens)].mean(axis=0)
        return weights

    def _remarks(self, hypothesis: Hypothesis[NDArray[np.float32]], own: _Input) -> Iterator[str]:
        reason = None
        if own.verbatim is not None:
            pass
        elif hypothesis.trace is None:
            reason = "decodes all pages at once and has no page confidences"
        elif not self.manifest.trained_confidence:
            reason = "has page confidences that were never trained"
        if reason and self.options.attribution:
            yield f"{self.manifest.name} {reason}: origins are found by comparing words (alignment)"
        if headings_left_out := own.encoded.headings_left_out:
            yield f"{headings_left_out} section headings were not read: their pages are full"

    def _page_ids(self) -> int:
        """Tokens of text on a page: what the checkpoint says, without the special tokens."""
        page_len = self.manifest.page_len or self.config.get("page_len") or DEFAULT_PAGE_LEN
        page_len = min(page_len, self._positions) if type(page_len) is int else 0
        if page_len <= len(self.frame):
            raise self._damaged("page_len", page_len)
        return page_len - len(self.frame)


def _confidence(outcome: Outcome) -> NDArray[np.float32] | None:
    assert isinstance(outcome, PageSumOutcome)
    return outcome.confidence


def _over_pages(
    trace: Sequence[NDArray[np.float32]], pages: Sequence[Page], columns: Sequence[int]
) -> NDArray[np.float32]:
    """The confidence of pages and fillers, (target_len, pages + fillers), each row summing to 1.

    What pages that were read together got is divided among them by their lengths.

    Args:
        trace: The confidence of each token over the columns, those of fillers last, (columns,).
        columns: The column that each page was read in.
    """
    found = np.stack(trace)  # (target_len, columns)
    places = np.array(columns)
    lengths = np.array([max(1, page.num_tokens) for page in pages], np.float32)
    shares = (lengths / np.bincount(places, lengths)[places]).astype(np.float32)
    return np.hstack([found[:, places] * shares, found[:, places.max() + 1 :]])


def _tokens_cut(whole: Sequence[Document], kept: Sequence[Document], count_tokens: CountTokens) -> int:
    """Tokens of the sentence that the last of the kept ones is the beginning of, without it."""
    known = {(document.id, s.index): s for document in whole for s in document.sentences}
    return sum(
        count_tokens(full.text) - count_tokens(sentence.text)
        for document in kept
        for sentence in document.sentences
        if (full := known[document.id, sentence.index]).end != sentence.end
    )
