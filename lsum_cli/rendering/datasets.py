"""What a data set is like, as a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lsum_cli.datasets.statistics import Cut, DatasetStatistics, Spread
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.statements import count


def render_statistics(statistics: Mapping[str, DatasetStatistics]) -> Group:
    """A table of data sets by what they are for (``"train"``, ``"validation"``), and what was left out."""
    described = statistics.values()
    has_tokens = any(each.document_tokens or each.reference_tokens for each in described)
    has_cuts = any(each.document_cut or each.reference_cut for each in described)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("Data", "Examples", "Of each", "Words", "90 %", "Most"):
        table.add_column(heading, justify="left" if heading in ("Data", "Of each") else "right", no_wrap=True)
    if has_tokens:
        for heading in ("Tokens", "90 %", "Most"):
            table.add_column(heading, justify="right", no_wrap=True)
    if has_cuts:
        table.add_column("Cut", justify="right", no_wrap=True)
    for split, each in statistics.items():
        documents = "document" if each.num_documents.maximum == 1 else "documents"
        rows = (
            (documents, each.document_words, each.document_tokens, each.document_cut),
            ("reference", each.reference_words, each.reference_tokens, each.reference_cut),
        )
        for number, (of_each, words, tokens, cut) in enumerate(rows):
            name, examples = (clean_line(split), f"{each.num_examples:,}") if not number else ("", "")
            cells = [name, examples, of_each, *_cells(words)]
            cells += _cells(tokens) if has_tokens else ()
            cells += [_share(cut)] if has_cuts else ()
            table.add_row(*map(Text, cells))
    parts: list[RenderableType] = [table]
    parts += [Text(line) for split, each in statistics.items() for line in _notes(clean_line(split), each)]
    return Group(*parts)


def _cells(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return "–", "–", "–"
    return f"{spread.median:,}", f"{spread.ninety_percent:,}", f"{spread.maximum:,}"


def _share(cut: Cut | None) -> str:
    return f"{100 * cut.share:.1f} %" if cut else "–"


def _notes(split: str, statistics: DatasetStatistics) -> Iterator[str]:
    excluded, documents = statistics.excluded, statistics.num_documents
    if documents.maximum > 1:
        yield f"{split}: {count(documents.median, 'document')} an example, at most {documents.maximum:,}"
    if excluded.empty_references:
        yield f"{split}: {count(excluded.empty_references, 'record')} without a summary left out"
    if excluded.empty_documents:
        yield f"{split}: {count(excluded.empty_documents, 'record')} without a text left out"
    if statistics.not_encoded:
        yield f"{split}: nothing can be learnt from {count(statistics.not_encoded, 'example')}"
    if statistics.duplicates:
        yield f"{split}: {count(statistics.duplicates, 'example')} with the text of another"
    for what, cut in (("documents", statistics.document_cut), ("references", statistics.reference_cut)):
        if cut and cut.examples:
            yield f"{split}: {count(cut.tokens, 'token')} of {what} cut, in {count(cut.examples, 'example')}"
