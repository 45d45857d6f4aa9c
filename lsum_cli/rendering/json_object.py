"""JSON: the object ``lsum.summary/1``, described by ``schemas/summary-1.schema.json``.

Its values are the documents' own text; only lone surrogates, which UTF-8 cannot hold, become
U+FFFD. What a terminal would obey is written as an escape, which changes no value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, cast

from lsum_cli.documents import Document, LeftOut
from lsum_cli.locality import Page
from lsum_cli.rendering.escaping import replace_surrogates
from lsum_cli.summaries import (
    Attribution,
    ChapterSummary,
    CheckpointReference,
    Coverage,
    Evidence,
    Summary,
    SummarySentence,
)

SCHEMA = "lsum.summary/1"
_OBEYED_BY_TERMINALS = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_DIGITS = 6

JsonObject = dict[str, Any]


def write_one(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """An indented object; ``base_path`` makes no difference."""
    del base_path
    return _serialise(describe_summary(summary, show_attribution=show_attribution), indent=2) + "\n"


def write_many(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """JSON Lines: one object per line."""
    del base_path
    objects = (describe_summary(summary, show_attribution=show_attribution) for summary in summaries)
    return "".join(_serialise(value) + "\n" for value in objects)


def read_schema() -> JsonObject:
    """The JSON Schema that every object fulfils."""
    file = resources.files("lsum_cli.rendering") / "schemas" / "summary-1.schema.json"
    return cast(JsonObject, json.loads(file.read_text(encoding="utf-8")))


def describe_summary(summary: Summary, *, show_attribution: bool = True) -> JsonObject:
    """A summary as a JSON object.

    Args:
        show_attribution: Whether to say where every sentence came from; ``attribution`` is null otherwise.
    """
    value = {
        "schema": SCHEMA,
        "title": summary.title,
        "text": summary.text,
        "method": summary.method,
        "locality": str(summary.locality),
        "locality_reason": summary.locality_reason,
        "checkpoint": _checkpoint(summary.checkpoint),
        "documents": [_document(document, summary.pages) for document in summary.documents],
        "pages": [_page(page) for page in summary.pages],
        "sentences": [_sentence(sentence, show_attribution) for sentence in summary.sentences],
        "chapters": [_chapter(chapter, show_attribution) for chapter in summary.chapters],
        "coverage": _coverage(summary.coverage),
        "options": dict(summary.options),
        "seconds": dict(summary.seconds),
        "warnings": list(summary.warnings),
    }
    return cast(JsonObject, _make_valid(value))


def _checkpoint(checkpoint: CheckpointReference | None) -> JsonObject | None:
    if checkpoint is None:
        return None
    return {
        "name": checkpoint.name,
        "path": checkpoint.path,
        "sha256": checkpoint.sha256,
        "trained_confidence": checkpoint.trained_confidence,
    }


def _document(document: Document, pages: Sequence[Page]) -> JsonObject:
    return {
        "id": document.id,
        "source": document.source,
        "title": document.title,
        "language": document.language,
        "media_type": document.metadata.media_type,
        "pdf_pages": document.metadata.pdf_pages,
        "sections": len(document.sections),
        "tokens": sum(page.num_tokens for page in pages if page.document_id == document.id),
        "left_out": _left_out(document.metadata.left_out),
    }


def _page(page: Page) -> JsonObject:
    return {
        "index": page.index,
        "label": page.label,
        "document": page.document_id,
        "pdf_pages": list(page.pdf_pages),
        "tokens": page.num_tokens,
    }


def _chapter(chapter: ChapterSummary, show_attribution: bool) -> JsonObject:
    return {
        "page": chapter.page,
        "text": " ".join(sentence.text for sentence in chapter.sentences),
        "sentences": [_sentence(sentence, show_attribution) for sentence in chapter.sentences],
    }


def _sentence(sentence: SummarySentence, show_attribution: bool) -> JsonObject:
    attribution = sentence.attribution if show_attribution else None
    return {
        "index": sentence.index,
        "text": sentence.text,
        "log_prob": sentence.log_prob,
        "attribution": _attribution(attribution) if attribution else None,
    }


def _attribution(attribution: Attribution) -> JsonObject:
    return {
        "kind": str(attribution.kind),
        "top_page": attribution.top_page,
        "pages": [{"page": weight.page, "weight": weight.weight} for weight in attribution.pages],
        "evidence": [_evidence(evidence) for evidence in attribution.evidence],
    }


def _evidence(evidence: Evidence) -> JsonObject:
    return {
        "text": evidence.text,
        "document": evidence.document_id,
        "sentence": evidence.sentence_index,
        "page": evidence.page,
        "pdf_page": evidence.pdf_page,
        "score": evidence.score,
    }


def _coverage(coverage: Coverage) -> JsonObject:
    return {
        "tokens_total": coverage.tokens_total,
        "tokens_read": coverage.tokens_read,
        "tokens_dropped": coverage.tokens_dropped,
        "tokens_references": coverage.tokens_references,
        "pages_total": coverage.pages_total,
        "pdf_pages_without_text": list(coverage.pdf_pages_without_text),
        "pdf_pages_blank": list(coverage.pdf_pages_blank),
        "left_out": _left_out(coverage.left_out),
    }


def _left_out(parts: Sequence[LeftOut]) -> list[JsonObject]:
    return [{"what": part.what, "words": part.words} for part in parts]


def _make_valid(value: object) -> object:
    """Numbers that JSON has, rounded; text that UTF-8 can hold."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, float):
        return round(value, _DIGITS) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {replace_surrogates(str(key)): _make_valid(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_make_valid(item) for item in value]
    return value


def _serialise(value: JsonObject, *, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _OBEYED_BY_TERMINALS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
