"""What ROUGE does not see: the measures of one summary, and their means over many."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lsum_cli.documents import Document, SectionRole
from lsum_cli.evaluation.metrics.faithfulness import Flag, FlagKind, find_flags
from lsum_cli.evaluation.metrics.novelty import count_repeated, novel_share, repeated_share
from lsum_cli.evaluation.metrics.rouge import split_summary
from lsum_cli.evaluation.metrics.support import DECILES, Origins, find_origins
from lsum_cli.evaluation.options import ModelScores
from lsum_cli.locality import Locality, paginate
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.summaries import Summary
from lsum_cli.text.terms import count_words, split_terms

_SIZES = (1, 2, 3, 4)
_ENDLESS = 10**9  # tokens of a page: a document is one


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A measure as a column of a table.

    Attributes:
        name: Key of :attr:`Measures.values`.
        label: Heading, short.
        unit: ``"%"`` for shares (values from 0 to 1), ``"words"``, ``"tokens"``, ``"×"``, ``"bits"``,
            or empty for counts and scores.
        meaning: A sentence for whoever does not know it.
    """

    name: str
    label: str
    unit: str
    meaning: str


COLUMNS = (
    Column(name="words", label="Words", unit="words", meaning="Length of the summary."),
    Column(
        name="length_error",
        label="Length error",
        unit="%",
        meaning="How much longer (shorter, below 0) it is than wished for.",
    ),
    Column(
        name="compression",
        label="Compression",
        unit="×",
        meaning="Words of the source for one of the summary.",
    ),
    *(
        Column(
            name=f"novel_{size}",
            label=f"Novel {size}-grams",
            unit="%",
            meaning=f"Runs of {size} words that the source does not hold.",
        )
        for size in _SIZES
    ),
    Column(
        name="repeated_trigrams",
        label="Repeated trigrams",
        unit="%",
        meaning="Runs of three words that were in the summary before.",
    ),
    Column(
        name="repeated_sentences",
        label="Repeated sentences",
        unit="",
        meaning="Sentences that say word for word what one before says.",
    ),
    Column(name="tokens_read", label="Read", unit="tokens", meaning="Tokens of the input that were read."),
    Column(
        name="tokens_dropped",
        label="Dropped",
        unit="tokens",
        meaning="Tokens of the input that were not read.",
    ),
    Column(
        name="cited_support",
        label="Cited support",
        unit="",
        meaning="How well the best sentence of the cited pages says the same, from 0 to 1.",
    ),
    Column(
        name="best_support",
        label="Best support",
        unit="",
        meaning="How well the best sentence of all pages says the same, from 0 to 1.",
    ),
    Column(
        name="cites_best",
        label="Cites the best",
        unit="%",
        meaning="Sentences whose cited pages hold the best evidence there is.",
    ),
    Column(
        name="agreement",
        label="Agreement",
        unit="%",
        meaning="Sentences whose foremost page is the one that comparing words finds too.",
    ),
    Column(
        name="page_entropy",
        label="Page entropy",
        unit="bits",
        meaning="How widely the weights spread over pages; 0 where one page has all.",
    ),
    Column(
        name="unsupported",
        label="No evidence",
        unit="%",
        meaning="Sentences to which nothing in the source corresponds.",
    ),
    Column(
        name="flagged_numbers",
        label="Flagged numbers",
        unit="",
        meaning="Numbers that the cited pages do not hold.",
    ),
    Column(
        name="flagged_names",
        label="Flagged names",
        unit="",
        meaning="Names that the cited pages do not hold.",
    ),
    Column(
        name="flagged_quotations",
        label="Flagged quotations",
        unit="",
        meaning="Quotations that the cited pages do not hold.",
    ),
    Column(
        name="flagged_sentences", label="Flagged sentences", unit="%", meaning="Sentences with any such flag."
    ),
    Column(
        name="origin",
        label="Origin",
        unit="%",
        meaning="Mean place of its content in the input: 0 is the beginning, 100 the end.",
    ),
)

# By encoders of the hub, where they are asked for; see lsum_cli.evaluation.metrics.registry.
MODEL_COLUMNS = (
    Column(
        name="bertscore",
        label="BERTScore",
        unit="",
        meaning="F1 of the likeness of its tokens to those of the reference, by an encoder.",
    ),
    Column(
        name="coherence",
        label="Coherence",
        unit="",
        meaning="Mean probability that each sentence follows the one before, by a BERT.",
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measures:
    """The measures of one summary.

    Attributes:
        values: One per column; ``None`` where it cannot be told: without a source, without
            attribution, without a wish, of an empty summary.
        flags: What the summary says and the pages it cites do not.
        deciles: Share of its sentences from each tenth of the input.
    """

    values: Mapping[str, float | None]
    flags: tuple[Flag, ...] = ()
    deciles: tuple[float, ...] | None = None


def measure_summary(summary: Summary, *, wished_words: int | None = None) -> Measures:
    """Measure a summary that a method wrote.

    Flags compare a sentence with the pages that its attribution cites, or with the whole source
    where it has none; headings and titles count as source.

    Args:
        wished_words: The length that was asked for.
    """
    sentences = [sentence.text for sentence in summary.sentences]
    language = summary.documents[0].language if summary.documents else None
    flags = find_flags(sentences, _cited_texts(summary), language)
    coverage = summary.coverage
    return _collect(
        sentences,
        summary.documents,
        wished_words,
        find_origins(sentences, summary.pages, [sentence.attribution for sentence in summary.sentences]),
        flags,
        {"tokens_read": float(coverage.tokens_read), "tokens_dropped": float(coverage.tokens_dropped)},
    )


def measure_text(
    sentences: Sequence[str], documents: Sequence[Document] = (), *, wished_words: int | None = None
) -> Measures:
    """Measure a summary of which only the text is known: another program's, or a reference.

    Args:
        sentences: Of the summary.
        documents: What was summarised; without them what needs a source is ``None``.
        wished_words: The length that was asked for.
    """
    if not documents:
        return _collect(sentences, (), wished_words, Origins(), (), {})
    whole = _text_of(documents)
    flags = find_flags(sentences, [whole] * len(sentences), documents[0].language)
    pages = paginate(documents, Locality.DOCUMENT, _ENDLESS)
    return _collect(sentences, documents, wished_words, find_origins(sentences, pages), flags, {})


def mean_measures(measures: Iterable[Measures]) -> dict[str, float | None]:
    """The mean of every column over the summaries of which it can be told; ``None`` where of none."""
    rows = [each.values for each in measures]
    means: dict[str, float | None] = {}
    for column in COLUMNS:
        known = [value for row in rows if (value := row.get(column.name)) is not None]
        means[column.name] = sum(known) / len(known) if known else None
    return means


def _collect(
    sentences: Sequence[str],
    documents: Sequence[Document],
    wished_words: int | None,
    origins: Origins,
    flags: tuple[Flag, ...],
    coverage: Mapping[str, float],
) -> Measures:
    summary = [split_terms(sentence) for sentence in sentences]
    words = sum(count_words(sentence) for sentence in sentences)
    source = [split_terms(text) for text in _source_sentences(documents)]
    values: dict[str, float | None] = dict.fromkeys(column.name for column in COLUMNS)
    values |= {
        "words": float(words),
        "length_error": words / wished_words - 1 if wished_words else None,
        "repeated_trigrams": repeated_share(summary),
        "repeated_sentences": float(count_repeated(summary)),
        "cited_support": origins.cited_support,
        "best_support": origins.best_support,
        "cites_best": origins.cites_best,
        "agreement": origins.agreement,
        "page_entropy": origins.page_entropy,
        "unsupported": origins.unsupported,
        "origin": _mean_place(origins.deciles),
        **coverage,
    }
    if source:
        values |= {f"novel_{size}": novel_share(summary, source, size) for size in _SIZES}
        values |= {
            "compression": sum(map(count_words, _source_sentences(documents))) / words if words else None,
            "flagged_numbers": float(sum(flag.kind is FlagKind.NUMBER for flag in flags)),
            "flagged_names": float(sum(flag.kind is FlagKind.NAME for flag in flags)),
            "flagged_quotations": float(sum(flag.kind is FlagKind.QUOTATION for flag in flags)),
            "flagged_sentences": len({flag.sentence for flag in flags}) / len(sentences)
            if sentences
            else None,
        }
    return Measures(values=values, flags=flags, deciles=origins.deciles)


def _source_sentences(documents: Sequence[Document]) -> list[str]:
    """Every sentence that a summary may rest on; reference lists are none of them."""
    return [
        sentence.text
        for document in documents
        for section in document.sections
        if section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]


def _cited_texts(summary: Summary) -> list[str]:
    """For each sentence the text of the pages it cites, with their labels and titles."""
    pages = {page.index: page for page in summary.pages}
    titles = " . ".join(document.title for document in summary.documents if document.title)
    texts = []
    for sentence in summary.sentences:
        if sentence.attribution is None:
            cited = sorted(pages)
        else:
            cited = sorted(weight.page for weight in sentence.attribution.cited())
        parts = [part for index in cited for part in (pages[index].label, pages[index].text)]
        texts.append(" . ".join([titles, *parts]))
    return texts


def _text_of(documents: Sequence[Document]) -> str:
    return " . ".join(part for document in documents for part in (document.title or "", document.text))


def _mean_place(deciles: Sequence[float] | None) -> float | None:
    if deciles is None:
        return None
    return sum(share * (place + 0.5) / DECILES for place, share in enumerate(deciles))


# "module:class", resolved on use: they need torch, and most evaluations need neither.
_SCORERS = {
    "bertscore": "lsum_cli.evaluation.metrics.bertscore:BertScorer",
    "coherence": "lsum_cli.evaluation.metrics.coherence:CoherenceScorer",
}


@dataclass(frozen=True, kw_only=True)
class MeaningScores:
    """What the models say.

    Attributes:
        rows: The new columns of each summary.
        models: Which model gave which column.
        warnings: What was cut, one line each.
    """

    rows: tuple[dict[str, float | None], ...]
    models: dict[str, str]
    warnings: tuple[str, ...]


def score_meaning(
    pairs: Sequence[tuple[str, str]], wanted: ModelScores, progress: ProgressListener
) -> MeaningScores:
    """Score summaries by the models that are wanted; by none where none is.

    Args:
        pairs: References, each with the summary.
        wanted: Which models, and where they run.

    Raises:
        CheckpointError: A model is not here, or not made for this.
        DeviceError: There is no such device.
    """
    rows: list[dict[str, float | None]] = [{} for _ in pairs]
    models: dict[str, str] = {}
    warnings: list[str] = []
    if wanted.bertscore is not None:
        scorer = _load("bertscore", wanted.bertscore, wanted)
        models["bertscore"] = f"{wanted.bertscore}, layer {scorer.layer}"
        cut = 0
        for done, (row, (reference, text)) in enumerate(zip(rows, pairs, strict=True), start=1):
            score = scorer.score(text, reference)
            row |= {"bertscore": score.f1}
            row |= {"bertscore_precision": score.precision, "bertscore_recall": score.recall}
            cut += score.truncated
            progress(ProgressEvent(stage="BERTScore", done=done, total=len(pairs), unit="summaries"))
        if cut:
            warnings.append(f"BERTScore: {cut} texts are longer than {wanted.bertscore} reads, and were cut")
    if wanted.coherence is not None:
        judge = _load("coherence", wanted.coherence, wanted)
        models["coherence"] = wanted.coherence
        cut = 0
        for done, (row, (_, text)) in enumerate(zip(rows, pairs, strict=True), start=1):
            found = judge.score(split_summary(text))
            row["coherence"] = found.mean
            cut += found.truncated
            progress(ProgressEvent(stage="coherence", done=done, total=len(pairs), unit="summaries"))
        if cut:
            warnings.append(
                f"coherence: {cut} pairs of sentences are longer than {wanted.coherence} reads, and were cut"
            )
    return MeaningScores(rows=tuple(rows), models=models, warnings=tuple(warnings))


def _load(name: str, model: str, wanted: ModelScores) -> Any:
    module, _, class_name = _SCORERS[name].partition(":")
    return getattr(importlib.import_module(module), class_name)(
        model, device=wanted.device, offline=wanted.offline
    )
