"""JSON: the object ``lsum.summary/1``, described by ``schemas/summary-1.schema.json``.

Its values are the documents' own text; only lone surrogates, which UTF-8 cannot hold, become
U+FFFD. Characters that would control a terminal are written as escapes, which changes no value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, cast

from lsum_cli.changes import NO_DIGEST, digest
from lsum_cli.documents import Document, LeftOut, Section
from lsum_cli.locality import Page
from lsum_cli.rendering.escaping import replace_surrogates
from lsum_cli.status import StatusLine, status_of
from lsum_cli.summaries import (
    Attribution,
    Changes,
    ChapterSummary,
    CopiedSpan,
    Coverage,
    Evidence,
    OutlineEntry,
    ShortForm,
    Summary,
    SummaryLength,
    SummarySentence,
)
from lsum_cli.text.patterns import regex

SCHEMA = "lsum.summary/1"
_TERMINAL_CONTROLS = regex("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
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
    """The JSON Schema of the object."""
    file = resources.files("lsum_cli.rendering") / "schemas" / "summary-1.schema.json"
    return cast(JsonObject, json.loads(file.read_text(encoding="utf-8")))


def describe_summary(summary: Summary, *, show_attribution: bool = True) -> JsonObject:
    """A summary as a JSON object.

    Args:
        show_attribution: Whether to say where every sentence came from; ``attribution`` is null otherwise.
    """
    checkpoint = summary.checkpoint
    value = {
        "schema": SCHEMA,
        **_pick(summary, "title", "text", "method", "locality", "locality_reason"),
        "checkpoint": checkpoint and _pick(checkpoint, "name", "path", "sha256", "trained_confidence"),
        "documents": [_document(document, summary.pages) for document in summary.documents],
        "changes": _changes(summary.changes) if summary.changes else None,
        "pages": [_page(page) for page in summary.pages],
        "sentences": [_sentence(sentence, show_attribution) for sentence in summary.sentences],
        "chapters": [_chapter(chapter, show_attribution) for chapter in summary.chapters],
        "outline": [_outline_entry(entry, show_attribution) for entry in summary.outline],
        "lengths": [_length(length, show_attribution) for length in summary.lengths],
        "coverage": _coverage(summary.coverage),
        **_pick(summary, "keywords", "topics", "other_sections"),
        "abbreviations": [_short_form(each) for each in summary.abbreviations],
        "people": [_short_form(each) for each in summary.people],
        **_pick(summary, "options", "seconds", "warnings"),
    }
    return cast(JsonObject, _make_valid(value))


def _document(document: Document, pages: Sequence[Page]) -> JsonObject:
    return {
        **_pick(document, "id", "source", "title", "language"),
        **_pick(document.metadata, "media_type", "pdf_pages"),
        "status": [_status_line(line) for line in status_of(document)],
        "sections": len(document.sections),
        "tokens": sum(page.num_tokens for page in pages if page.document_id == document.id),
        "left_out": _left_out(document.metadata.left_out),
        "content": [_section(section) for section in document.sections if section.sentences],
    }


def _status_line(line: StatusLine) -> JsonObject:
    return {
        **_pick(line, "name", "text"),
        "sentence": line.sentence and line.sentence.index,
        "pdf_page": line.sentence and line.sentence.pdf_page,
    }


def _section(section: Section) -> JsonObject:
    """What is kept of a section to compare a later version with: digests, not the text."""
    digests = " ".join(digest(sentence.text) or NO_DIGEST for sentence in section.sentences)
    return {"heading": section.heading, "role": str(section.role), "digests": digests}


def _changes(changes: Changes) -> JsonObject:
    return {
        **_pick(changes, "since", "sections_compared", "sentences_unchanged", "has_old_text"),
        "sections": [
            {
                **_pick(section, "heading", "is_moved", "pdf_pages"),
                "kind": str(section.kind),
                "sentences": [
                    {
                        "kind": str(each.kind),
                        **_pick(each, "text", "before", "pdf_page"),
                        "sentence": each.sentence_index,
                    }
                    for each in section.sentences
                ],
            }
            for section in changes.sections
        ],
    }


def _page(page: Page) -> JsonObject:
    return {
        **_pick(page, "index", "label"),
        "document": page.document_id,
        "pdf_pages": page.pdf_pages,
        "tokens": page.num_tokens,
    }


def _chapter(chapter: ChapterSummary, show_attribution: bool) -> JsonObject:
    return {
        "page": chapter.page,
        "text": " ".join(sentence.text for sentence in chapter.sentences),
        "sentences": [_sentence(sentence, show_attribution) for sentence in chapter.sentences],
    }


def _short_form(form: ShortForm) -> JsonObject:
    return {
        **_pick(form, "short", "long"),
        "document": form.document_id,
        "sentence": form.sentence_index,
        **_pick(form, "pdf_page"),
    }


def _length(length: SummaryLength, show_attribution: bool) -> JsonObject:
    return {
        "name": length.name,
        "text": " ".join(sentence.labelled for sentence in length.sentences),
        "sentences": [_sentence(sentence, show_attribution) for sentence in length.sentences],
    }


def _outline_entry(entry: OutlineEntry, show_attribution: bool) -> JsonObject:
    return {
        **_pick(entry, "heading", "level"),
        "document": entry.document_id,
        "pdf_pages": entry.pdf_pages,
        "sentences": [_sentence(sentence, show_attribution) for sentence in entry.sentences],
        **_pick(entry, "people", "places", "sections"),
    }


def _sentence(sentence: SummarySentence, show_attribution: bool) -> JsonObject:
    attribution = sentence.attribution if show_attribution else None
    return {
        **_pick(sentence, "index", "text", "label", "log_prob"),
        "flags": [{"kind": str(flag.kind), "text": flag.text} for flag in sentence.flags],
        "copied_share": sentence.copied_share,
        "copied": [_copied_span(sentence, span) for span in sentence.copied],
        "attribution": _attribution(attribution) if attribution else None,
        "rest_of_list": sentence.rest and _pick(sentence.rest, "count", "names"),
    }


def _copied_span(sentence: SummarySentence, span: CopiedSpan) -> JsonObject:
    return {
        "text": sentence.text[span.start : span.end],
        **_pick(span, "start", "end"),
        "document": span.document_id,
        "sentence": span.sentence_index,
        **_pick(span, "page", "pdf_page", "source_start", "source_end"),
    }


def _attribution(attribution: Attribution) -> JsonObject:
    return {
        "kind": str(attribution.kind),
        "top_page": attribution.top_page,
        "pages": [_pick(weight, "page", "weight") for weight in attribution.pages],
        "evidence": [_evidence(evidence) for evidence in attribution.evidence],
    }


def _evidence(evidence: Evidence) -> JsonObject:
    return {
        "text": evidence.text,
        "document": evidence.document_id,
        "sentence": evidence.sentence_index,
        **_pick(evidence, "page", "pdf_page", "score"),
    }


def _coverage(coverage: Coverage) -> JsonObject:
    tokens = ("tokens_total", "tokens_read", "tokens_dropped", "tokens_references", "tokens_unselected")
    pages = ("pages_total", "pdf_pages_without_text", "pdf_pages_blank", "ocr_pages")
    losses = ("glyphs_unread", "unknown")
    return {**_pick(coverage, *tokens, *pages, *losses), "left_out": _left_out(coverage.left_out)}


def _left_out(parts: Sequence[LeftOut]) -> list[JsonObject]:
    return [_pick(part, "what", "words") for part in parts]


def _pick(value: object, *names: str) -> JsonObject:
    """The attributes of these names, which are also the keys of the object."""
    return {name: getattr(value, name) for name in names}


def _make_valid(value: object) -> object:
    """Only what JSON has: finite numbers, rounded, and text that UTF-8 can hold."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, float):
        return round(value, _DIGITS) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {replace_surrogates(str(key)): _make_valid(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_make_valid(item) for item in value]
    return value


def _serialise(value: JsonObject, *, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _TERMINAL_CONTROLS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
