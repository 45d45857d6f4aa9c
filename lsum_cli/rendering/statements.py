"""What a reader should know of a summary besides its sentences, in words."""

from __future__ import annotations

from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.links import name_document
from lsum_cli.summaries import AttributionKind, Coverage, Summary

KINDS = {
    AttributionKind.CONFIDENCE: "Weights are the model's confidence in each page.",
    AttributionKind.ATTENTION: "Weights are the model's attention to each page.",
    AttributionKind.WINDOW: "Weights are the windows that were being read.",
    AttributionKind.EXTRACTION: "Sentences are taken from the source as they stand.",
    AttributionKind.ALIGNMENT: "Weights are likeness to the sentences of each page.",
}

# What the pages of a method are, where it makes its own.
_PAGE_NOUNS = {"windowing": "window", "book": "chapter"}


def name_summary(summary: Summary) -> str:
    """Its title; else that of its document, or how many there are."""
    if summary.title and clean_line(summary.title):
        return clean_line(summary.title)
    if len(summary.documents) == 1:
        return clean_line(name_document(summary.documents[0]))
    return f"{len(summary.documents)} documents"


def describe_making(summary: Summary) -> list[str]:
    """Method, locality, checkpoint and pages, a phrase each."""
    locality = str(summary.locality)
    if summary.locality_reason:
        locality += f" ({clean_line(summary.locality_reason)})"
    checkpoint = [clean_line(summary.checkpoint.name)] if summary.checkpoint else []
    pages = count(summary.coverage.pages_total, _PAGE_NOUNS.get(summary.method, "page"))
    return [summary.method, locality, *checkpoint, pages]


def describe_coverage(coverage: Coverage) -> str:
    """``"8,120 of 8,120 tokens read, left out: references (2,301 tokens)"``."""
    read = f"{coverage.tokens_read:,} of {coverage.tokens_read + coverage.tokens_dropped:,} tokens read"
    left_out = [f"{clean_line(part.what)} ({count(part.words, 'word')})" for part in coverage.left_out]
    if coverage.tokens_references:
        left_out.insert(0, f"references ({count(coverage.tokens_references, 'token')})")
    return f"{read}, left out: {', '.join(left_out)}" if left_out else read


def list_warnings(summary: Summary) -> list[str]:
    """Every warning and every loss once, one line each."""
    return list(dict.fromkeys(clean_line(warning) for warning in (*summary.warnings, *summary.coverage.lost)))


def describe_kinds(summary: Summary) -> list[str]:
    """How the origin of the sentences is known, a sentence for each way that occurs."""
    kinds = dict.fromkeys(
        sentence.attribution.kind for sentence in summary.sentences if sentence.attribution is not None
    )
    return [KINDS[kind] for kind in kinds]


def count(number: int, noun: str) -> str:
    """``"1 page"``, ``"2,301 pages"``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
