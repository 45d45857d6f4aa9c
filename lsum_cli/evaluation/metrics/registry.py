"""The metrics besides ROUGE: a metric is one row of a registry here and the function that computes it.

:data:`METRICS` compare a summary with its source and with what was requested; they are always computed.
``docs/analyses.md`` says what each measures.
Those that need a model are in :mod:`~lsum_cli.evaluation.metrics.models`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

from lsum_cli.attribution.flags import SentenceChecker
from lsum_cli.documents import Document, sentences_to_read
from lsum_cli.evaluation.metrics.support import DECILES, Support, find_support
from lsum_cli.locality import Locality, Page, paginate
from lsum_cli.summaries import Attribution, Coverage, FlagKind, Summary
from lsum_cli.text.terms import count_words, split_terms

_UNLIMITED = 10**9  # tokens of a page: one page per document


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceFlag:
    """A flag of a summary; see :class:`~lsum_cli.summaries.Flag`.

    Attributes:
        sentence: Index of the summary sentence.
    """

    kind: FlagKind
    sentence: int
    text: str


@dataclass(frozen=True, kw_only=True)
class ScoredText:
    """A summary as its metrics see it; what several metrics need is computed once, on first use.

    Attributes:
        sentences: Sentences of the summary.
        documents: What was summarised; empty where unknown.
        requested_words: The requested length.
        pages: The pages that were summarised.
        attributions: One per sentence, ``None`` for a sentence without one; empty for a text that
            came without attribution.
        coverage: What was read of the input; ``None`` where unknown.
    """

    sentences: Sequence[str]
    documents: Sequence[Document] = ()
    requested_words: int | None = None
    pages: Sequence[Page] = ()
    attributions: Sequence[Attribution | None] = ()
    coverage: Coverage | None = None

    @cached_property
    def words(self) -> int:
        """Length of the summary."""
        return sum(map(count_words, self.sentences))

    @cached_property
    def terms(self) -> list[list[str]]:
        """The terms of each sentence of the summary."""
        return [split_terms(sentence) for sentence in self.sentences]

    @cached_property
    def source(self) -> list[str]:
        """The sentences of the source, reference lists left out."""
        return [sentence.text for sentence in sentences_to_read(self.documents)]

    @cached_property
    def source_terms(self) -> list[list[str]]:
        """The terms of each sentence of the source."""
        return [split_terms(sentence) for sentence in self.source]

    @cached_property
    def support(self) -> Support:
        """How well the pages, and those cited, support the summary."""
        return find_support(self.sentences, self.pages, self.attributions)

    @cached_property
    def checker(self) -> SentenceChecker | None:
        """What compares its sentences with the source; ``None`` without a source."""
        return SentenceChecker(self.pages, self.documents) if self.documents else None

    @cached_property
    def flags(self) -> tuple[SentenceFlag, ...]:
        """The flags of the sentences, in order; none without a source."""
        checker = self.checker
        if checker is None:
            return ()
        attributions = self.attributions or [None] * len(self.sentences)
        return tuple(
            SentenceFlag(kind=flag.kind, sentence=number, text=flag.text)
            for number, (text, origin) in enumerate(zip(self.sentences, attributions, strict=True))
            for flag in checker.check(text, origin).flags
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """A metric as a column of a table.

    Attributes:
        name: Its key among the scores.
        label: Short heading.
        unit: ``"%"`` for shares (values from 0 to 1), ``"words"``, ``"tokens"``, ``"×"``, ``"bits"``,
            or empty for counts and scores.
        score: Computes it; ``None`` where the metric does not apply: without a source, an attribution
            or a requested length, or for an empty summary.
    """

    name: str
    label: str
    unit: str
    score: Callable[[ScoredText], float | None] = lambda _: None


def length_error(text: ScoredText) -> float | None:
    """Words over the requested words, minus 1."""
    return text.words / text.requested_words - 1 if text.requested_words else None


def compression(text: ScoredText) -> float | None:
    """Words of the source per word of the summary."""
    return sum(map(count_words, text.source)) / text.words if text.source and text.words else None


def novel_share(summary: Sequence[Sequence[str]], source: Sequence[Sequence[str]], size: int) -> float | None:
    """The share of a summary's n-grams, each occurrence counted, that its source does not contain.

    Args:
        summary: The terms of its sentences.
        source: The terms of the sentences of what was summarised.
        size: Number of terms of an n-gram.

    Returns:
        From 0 (all copied) to 1; ``None`` where no sentence has as many terms.
    """
    known = {ngram for terms in source for ngram in _ngrams(terms, size)}
    counts = Counter(ngram for terms in summary for ngram in _ngrams(terms, size))
    total = counts.total()
    return sum(count for ngram, count in counts.items() if ngram not in known) / total if total else None


def repeated_share(summary: Sequence[Sequence[str]]) -> float | None:
    """The share of trigrams that occurred before: 1 - distinct / all; ``None`` where there are none."""
    counts = Counter(ngram for terms in summary for ngram in _ngrams(terms, 3))
    return 1 - len(counts) / counts.total() if counts else None


def count_repeated(summary: Sequence[Sequence[str]]) -> int:
    """The number of sentences that repeat an earlier one word for word."""
    sentences = [tuple(terms) for terms in summary if terms]
    return len(sentences) - len(set(sentences))


def _ngrams(terms: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """The n-grams of a sentence; none crosses its end."""
    return zip(*(terms[start:] for start in range(size)), strict=False)


def novelty(text: ScoredText, *, size: int) -> float | None:
    """Share of the n-grams that the source lacks."""
    return novel_share(text.terms, text.source_terms, size) if text.source else None


def flagged(text: ScoredText, *, kind: FlagKind) -> float | None:
    """Number of flags of one kind."""
    return float(sum(flag.kind is kind for flag in text.flags)) if text.source else None


def flagged_sentences(text: ScoredText) -> float | None:
    """Share of the sentences with any flag."""
    if not text.source or not text.sentences:
        return None
    return len({flag.sentence for flag in text.flags}) / len(text.sentences)


def broken_ending(text: ScoredText) -> float | None:
    """1 where the last sentence breaks off, else 0."""
    if text.checker is None or not text.sentences:
        return None
    return float(text.checker.is_broken_off(text.sentences[-1]))


def origin(text: ScoredText) -> float | None:
    """Mean position in the input, from 0 to 1, of what supports the summary."""
    deciles = text.support.deciles
    if deciles is None:
        return None
    return sum(share * (number + 0.5) / DECILES for number, share in enumerate(deciles))


METRICS: tuple[Metric, ...] = (
    Metric(
        name="words",
        label="Words",
        unit="words",
        score=lambda text: float(text.words),
    ),
    Metric(
        name="length_error",
        label="Length error",
        unit="%",
        score=length_error,
    ),
    Metric(
        name="compression",
        label="Compression",
        unit="×",
        score=compression,
    ),
    *(
        Metric(
            name=f"novel_{size}",
            label=f"Novel {size}-grams",
            unit="%",
            score=partial(novelty, size=size),
        )
        for size in (1, 2, 3, 4)
    ),
    Metric(
        name="repeated_trigrams",
        label="Repeated trigrams",
        unit="%",
        score=lambda text: repeated_share(text.terms),
    ),
    Metric(
        name="repeated_sentences",
        label="Repeated sentences",
        unit="",
        score=lambda text: float(count_repeated(text.terms)),
    ),
    Metric(
        name="tokens_read",
        label="Read",
        unit="tokens",
        score=lambda text: float(text.coverage.tokens_read) if text.coverage else None,
    ),
    Metric(
        name="tokens_dropped",
        label="Dropped",
        unit="tokens",
        score=lambda text: float(text.coverage.tokens_dropped) if text.coverage else None,
    ),
    Metric(
        name="cited_support",
        label="Cited support",
        unit="",
        score=lambda text: text.support.cited_support,
    ),
    Metric(
        name="best_support",
        label="Best support",
        unit="",
        score=lambda text: text.support.best_support,
    ),
    Metric(
        name="cites_best",
        label="Cites the best",
        unit="%",
        score=lambda text: text.support.cites_best,
    ),
    Metric(
        name="agreement",
        label="Agreement",
        unit="%",
        score=lambda text: text.support.agreement,
    ),
    Metric(
        name="page_entropy",
        label="Page entropy",
        unit="bits",
        score=lambda text: text.support.page_entropy,
    ),
    Metric(
        name="unsupported",
        label="No evidence",
        unit="%",
        score=lambda text: text.support.unsupported,
    ),
    *(
        Metric(
            name=f"flagged_{plural}",
            label=f"Flagged {plural.replace('_', ' ')}",
            unit="",
            score=partial(flagged, kind=kind),
        )
        for plural, kind in (
            ("numbers", FlagKind.NUMBER),
            ("names", FlagKind.NAME),
            ("quotations", FlagKind.QUOTATION),
            ("splices", FlagKind.SPLICE),
            ("weak_evidence", FlagKind.WEAK_EVIDENCE),
        )
    ),
    Metric(
        name="flagged_sentences",
        label="Flagged sentences",
        unit="%",
        score=flagged_sentences,
    ),
    Metric(
        name="broken_ending",
        label="Broken ending",
        unit="%",
        score=broken_ending,
    ),
    Metric(
        name="origin",
        label="Origin",
        unit="%",
        score=origin,
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricScores:
    """The scores of one summary.

    Attributes:
        values: One per metric; ``None`` where it does not apply.
        flags: The flags of its sentences, in order.
        deciles: Share of its sentences from each tenth of the input.
        pairs_truncated: How many pairs of premise and sentence the NLI model could not read in full.
    """

    values: Mapping[str, float | None]
    flags: tuple[SentenceFlag, ...] = ()
    deciles: tuple[float, ...] | None = None
    pairs_truncated: int = 0


class SourceScore(Protocol):
    """A model's scores of one summary against its source."""

    @property
    def values(self) -> Mapping[str, float | None]:
        """The scores, by column."""
        ...

    @property
    def truncated(self) -> int:
        """How many of the model's inputs were too long for it and were cut."""
        ...


class SourceScorer(Protocol):
    """Scores summaries against their source by a model."""

    @property
    def signature(self) -> str:
        """The model, with everything else the scores depend on."""
        ...

    def score(
        self,
        sentences: Sequence[str],
        pages: Sequence[Page],
        attributions: Sequence[Attribution | None] = (),
        documents: Sequence[Document] = (),
    ) -> SourceScore:
        """Score one summary."""
        ...


def score_summary(
    summary: Summary, *, requested_words: int | None = None, entailment: SourceScorer | None = None
) -> MetricScores:
    """Score a summary that a method wrote.

    Flags compare a sentence with the pages that its attribution cites, or with the whole source
    where it has none; headings and titles count as source.

    Args:
        requested_words: The requested length.
        entailment: Scores its faithfulness as well.
    """
    return _score(
        ScoredText(
            sentences=[sentence.text for sentence in summary.sentences],
            documents=summary.documents,
            requested_words=requested_words,
            pages=summary.pages,
            attributions=[sentence.attribution for sentence in summary.sentences],
            coverage=summary.coverage,
        ),
        entailment,
    )


def score_text(
    sentences: Sequence[str],
    documents: Sequence[Document] = (),
    *,
    requested_words: int | None = None,
    entailment: SourceScorer | None = None,
) -> MetricScores:
    """Score a summary of which only the text is known: another program's, or a reference.

    Args:
        sentences: Sentences of the summary.
        documents: What was summarised; without them, metrics that need a source are ``None``.
        requested_words: The requested length.
        entailment: Scores its faithfulness as well.
    """
    return _score(
        ScoredText(
            sentences=sentences,
            documents=documents,
            requested_words=requested_words,
            pages=paginate(documents, Locality.DOCUMENT, _UNLIMITED) if documents else (),
        ),
        entailment,
    )


def _score(text: ScoredText, entailment: SourceScorer | None) -> MetricScores:
    values = {metric.name: metric.score(text) for metric in METRICS}
    truncated = 0
    if entailment is not None:
        found = entailment.score(text.sentences, text.pages, text.attributions, text.documents)
        values |= found.values
        truncated = found.truncated
    return MetricScores(
        values=values, flags=text.flags, deciles=text.support.deciles, pairs_truncated=truncated
    )
