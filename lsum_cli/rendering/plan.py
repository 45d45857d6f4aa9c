"""A plan, as a table for people or an object for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from lsum_cli.documents import Document
from lsum_cli.methods.base import Plan
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.formats import PlanFormat
from lsum_cli.rendering.product_console import ProductConsole
from lsum_cli.rendering.statements import count

_MIB = 1 << 20
_PLAIN_WIDTH = 100


def write_plans(plans: Sequence[Plan], format: PlanFormat, stream: TextIO) -> None:
    """Write plans to a stream; JSON is one object for one plan, else one object a line."""
    if format is PlanFormat.JSON:
        indent = 2 if len(plans) == 1 else None
        for plan in plans:
            stream.write(json.dumps(_as_object(plan), ensure_ascii=False, indent=indent) + "\n")
        return
    is_rich = format is PlanFormat.RICH
    console = ProductConsole(
        file=stream, force_terminal=None if is_rich else False, width=None if is_rich else _PLAIN_WIDTH
    )
    for plan in plans:
        console.print(_as_tables(plan))


def _as_object(plan: Plan) -> dict[str, Any]:
    return {
        "schema": "lsum.plan/1",
        "method": plan.method,
        "locality": plan.locality.value,
        "locality_reason": plan.locality_reason,
        "page_tokens": plan.page_len,
        "documents": [
            {
                "id": document.id,
                "source": document.source,
                "title": document.title,
                "pdf_pages": document.metadata.pdf_pages,
                "sections": len(document.sections),
                "sentences": len(document.sentences),
            }
            for document in plan.documents
        ],
        "pages": [
            {
                "index": page.index,
                "label": page.label,
                "document": page.document_id,
                "pdf_pages": list(page.pdf_pages),
                "tokens": page.num_tokens,
            }
            for page in plan.pages
        ],
        "coverage": {
            "tokens_total": plan.coverage.tokens_total,
            "tokens_read": plan.coverage.tokens_read,
            "tokens_dropped": plan.coverage.tokens_dropped,
            "tokens_references": plan.coverage.tokens_references,
            "pdf_pages_without_text": list(plan.coverage.pdf_pages_without_text),
            "left_out": [{"what": part.what, "words": part.words} for part in plan.coverage.left_out],
        },
        "seconds": round(plan.cost.seconds, 2),
        "memory_bytes": plan.cost.memory_bytes,
    }


def _as_tables(plan: Plan) -> Group:
    documents = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("Document", "PDF pages", "Sections", "Sentences"):
        documents.add_column(heading, justify="left" if heading == "Document" else "right", overflow="fold")
    for document in plan.documents:
        documents.add_row(
            Text(clean_line(_name(document))),
            str(document.metadata.pdf_pages or "–"),
            str(len(document.sections)),
            f"{len(document.sentences):,}",
        )
    pages = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("Page", "Label", "PDF pages", "Tokens"):
        pages.add_column(heading, justify="left" if heading == "Label" else "right", overflow="fold")
    for page in plan.pages:
        pages.add_row(
            str(page.index), Text(clean_line(page.label)), _span(page.pdf_pages), f"{page.num_tokens:,}"
        )
    return Group(documents, pages, Text("\n".join(_conclusions(plan))))


def _conclusions(plan: Plan) -> list[str]:
    coverage = plan.coverage
    reason = f" ({plan.locality_reason})" if plan.locality_reason else ""
    readable = coverage.tokens_read + coverage.tokens_dropped
    lines = [
        f"method    {plan.method}",
        f"locality  {plan.locality}{reason}, pages of at most {plan.page_len:,} tokens",
        f"coverage  {coverage.tokens_read:,} of {readable:,} tokens would be read",
    ]
    if coverage.tokens_references:
        lines.append(f"          references left out: {coverage.tokens_references:,} tokens")
    lines.extend(
        f"          left out: {part.what}, {count(part.words, 'word')}" for part in coverage.left_out
    )
    lines.extend(f"          lost: {loss}" for loss in coverage.lost)
    lines.append(f"time      about {_duration(plan.cost.seconds)} after reading")
    lines.append(f"memory    about {plan.cost.memory_bytes / _MIB:,.0f} MiB")
    return lines


def _name(document: Document) -> str:
    return f"{document.title} [{document.source}]" if document.title else document.source


def _span(pdf_pages: Sequence[int]) -> str:
    if not pdf_pages:
        return "–"
    return str(pdf_pages[0]) if len(pdf_pages) == 1 else f"{pdf_pages[0]}–{pdf_pages[-1]}"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"
