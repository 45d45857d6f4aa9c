"""A plan, as tables for people or an object for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from rich.text import Text

from lsum_cli.methods.base import Plan
from lsum_cli.reading.registry import FORMATS_BY_MEDIA_TYPE
from lsum_cli.rendering.console import open_console
from lsum_cli.rendering.escaping import clean
from lsum_cli.rendering.formats import PlanFormat
from lsum_cli.rendering.quantities import UNKNOWN, count
from lsum_cli.rendering.tables import Column, Table, hidden, print_tables, write_object
from lsum_cli.summaries import name_pdf_pages

_MIB = 1 << 20
_PLAIN_WIDTH = 100


@dataclass(frozen=True, kw_only=True)
class MemoryShare:
    """What each of several documents that are done at a time may take of the memory that is free."""

    jobs: int
    num_bytes: int


def write_plans(
    plans: Sequence[Plan], stream: TextIO, format: PlanFormat, *, share: MemoryShare | None = None
) -> None:
    """Write plans to a stream; JSON is one object for one plan, else one object a line.

    Args:
        share: What each may take where several documents are done at a time.
    """
    if format is PlanFormat.JSON:
        for plan in plans:
            described = {**_describe(plan), **({"memory_share_bytes": share.num_bytes} if share else {})}
            write_object(described, stream, indent=2 if len(plans) == 1 else None)
        return
    console = open_console(stream, is_live=format is PlanFormat.RICH, plain_width=_PLAIN_WIDTH)
    for plan in plans:
        print_tables([_tabulate_documents(plan), _tabulate_pages(plan)], console)
        lines = _conclude(plan)
        if share is not None:
            size = f"{share.num_bytes / _MIB:,.0f} MiB"
            lines.append(f"          {share.jobs} at a time: each counts on {size} of what is free")
        console.print(Text("\n".join(map(clean, lines))))


def _describe(plan: Plan) -> dict[str, Any]:
    coverage = plan.coverage
    return {
        "schema": "lsum.plan/1",
        "method": plan.method,
        "locality": plan.locality.value,
        "locality_reason": plan.locality_reason,
        "page_tokens": plan.page_len,
        "documents": _tabulate_documents(plan).records(),
        "pages": _tabulate_pages(plan).records(),
        "coverage": {
            "tokens_total": coverage.tokens_total,
            "tokens_read": coverage.tokens_read,
            "tokens_dropped": coverage.tokens_dropped,
            "tokens_references": coverage.tokens_references,
            "tokens_unselected": coverage.tokens_unselected,
            "pdf_pages_without_text": list(coverage.pdf_pages_without_text),
            "ocr_pages": list(coverage.ocr_pages),
            "left_out": [{"what": part.what, "words": part.words} for part in coverage.left_out],
        },
        "seconds": round(plan.cost.seconds, 2),
        "memory_bytes": plan.cost.memory_bytes,
        "precision": plan.cost.precision,
    }


def _tabulate_documents(plan: Plan) -> Table:
    return Table(
        columns=(
            Column(heading="Document", align="left"),
            *hidden("id", "source", "title"),
            Column(key="media_type", heading="Format", align="left", format=_name_format),
            Column(key="pdf_pages", heading="PDF pages", format=lambda pages: str(pages or UNKNOWN)),
            Column(key="sections", heading="Sections", format=str),
            Column(key="sentences", heading="Sentences"),
        ),
        rows=tuple(
            (
                f"{document.title} [{document.source}]" if document.title else document.source,
                document.id,
                document.source,
                document.title,
                document.metadata.media_type,
                document.metadata.pdf_pages,
                len(document.sections),
                len(document.sentences),
            )
            for document in plan.documents
        ),
    )


def _name_format(media_type: str) -> str:
    return FORMATS_BY_MEDIA_TYPE[media_type].name


def _tabulate_pages(plan: Plan) -> Table:
    return Table(
        columns=(
            Column(key="index", heading="Part", format=str),
            Column(key="label", heading="Label", align="left"),
            *hidden("document"),
            Column(key="pdf_pages", heading="PDF pages", format=_format_span),
            Column(key="tokens", heading="Tokens"),
        ),
        rows=tuple(
            (page.index, page.label, page.document_id, list(page.pdf_pages), page.num_tokens)
            for page in plan.pages
        ),
    )


def _conclude(plan: Plan) -> list[str]:
    coverage = plan.coverage
    reason = f" ({plan.locality_reason})" if plan.locality_reason else ""
    readable = coverage.tokens_read + coverage.tokens_dropped + coverage.tokens_unselected
    chosen = ", the most salient ones" if coverage.tokens_unselected else ""
    least = "at least " if coverage.unknown else ""
    lines = [
        f"method    {plan.method}",
        f"locality  {plan.locality}{reason}, parts of at most {plan.page_len:,} tokens",
        f"coverage  {coverage.tokens_read:,} of {least}{readable:,} tokens would be read{chosen}",
    ]
    if coverage.ocr_pages:
        lines.append(f"          {name_pdf_pages(coverage.ocr_pages)} by OCR")
    if coverage.tokens_references:
        lines.append(f"          references left out: {coverage.tokens_references:,} tokens")
    lines.extend(
        f"          left out: {part.what}, {count(part.words, 'word')}" for part in coverage.left_out
    )
    lines.extend(f"          lost: {loss}" for loss in coverage.lost)
    told = (warning for warning in plan.warnings if warning not in coverage.lost)
    lines.extend(f"{'note' if not place else '':<9} {warning}" for place, warning in enumerate(told))
    computed = f", computed in {plan.cost.precision}" if plan.cost.precision else ""
    lines.append(f"time      about {_format_estimate(plan.cost.seconds)} after reading{computed}")
    lines.append(f"memory    about {plan.cost.memory_bytes / _MIB:,.0f} MiB")
    return lines


def _format_span(pdf_pages: Sequence[int]) -> str:
    if not pdf_pages:
        return UNKNOWN
    return str(pdf_pages[0]) if len(pdf_pages) == 1 else f"{pdf_pages[0]}–{pdf_pages[-1]}"


def _format_estimate(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"
