"""Summaries of ours that were kept, read again for what they hold of their source.

A later version of the source can be compared with it. An HTML report holds the text, unless it was left out;
a JSON object digests of the sentences.
"""

from __future__ import annotations

import json
from typing import Any

from lsum_cli.documents import Paragraph, Passage, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.methods.changes import NO_DIGEST, KeptSection, KeptText
from lsum_cli.rendering.json_object import SCHEMA

SUFFIXES = (".html", ".htm", ".json", ".jsonl")
# As ``source.html.jinja`` writes it.
PANE_VERSION = "1"
_GENERATOR = b'<meta name="generator" content="lsum">'
_ANY_SCHEMA = SCHEMA.partition("/")[0] + "/"
_HEAD_BYTES = 4096
_AGAIN = "give the earlier document itself, or summarise it again with this lsum"


def read_kept(content: bytes, source: str, *, keep_references: bool = False) -> KeptText | None:
    """What a summary of ours holds of its source; ``None`` where the file is no summary of ours.

    Args:
        content: The file.
        source: What the user calls it.

    Raises:
        OptionError: It is of another version, of several documents, damaged, or holds nothing of its source.
    """
    if _GENERATOR in content[:_HEAD_BYTES]:
        return _read_report(content, source, keep_references)
    if content.lstrip()[:1] == b"{":
        return _read_object(content, source, keep_references)
    return None


def _read_object(content: bytes, source: str, keep_references: bool) -> KeptText | None:
    lines = content.strip().splitlines()
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        if _ANY_SCHEMA.encode() not in lines[0]:
            return None
        raise OptionError(f"{source} is damaged, or holds several summaries", _AGAIN) from None
    schema = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(schema, str) or not schema.startswith(_ANY_SCHEMA):
        return None
    if schema != SCHEMA:
        raise OptionError(f"{source} is of another version, {schema}; this lsum reads {SCHEMA}", _AGAIN)
    documents = value.get("documents")
    if not isinstance(documents, list) or len(documents) != 1:
        raise OptionError(f"{source} is a summary of several documents", "give the earlier document itself")
    try:
        sections = tuple(
            _kept_section(section)
            for section in documents[0]["content"]
            if keep_references or section["role"] != SectionRole.REFERENCES
        )
        return KeptText(source=str(documents[0]["source"]), sections=sections, has_text=False)
    except KeyError:
        raise OptionError(
            f"{source} holds nothing of its source to compare with: an earlier lsum wrote it", _AGAIN
        ) from None
    except (TypeError, AttributeError):
        raise OptionError(f"{source} is damaged", _AGAIN) from None


def _kept_section(section: Any) -> KeptSection:
    digests = section["digests"].split()
    return KeptSection(
        heading=str(section["heading"] or "Text"),
        traces=tuple("" if each == NO_DIGEST else each for each in digests),
    )


def _read_report(content: bytes, source: str, keep_references: bool) -> KeptText:
    from lxml import html

    page: Any = html.document_fromstring(content, parser=html.HTMLParser(encoding="utf-8"))
    panes = page.xpath("//section[@class='source']")
    if not panes:
        raise OptionError(
            f"{source} holds no source: it was written with --no-source or by an earlier lsum", _AGAIN
        )
    if any(pane.get("data-version") != PANE_VERSION for pane in panes):
        raise OptionError(f"{source} is a report of another version", _AGAIN)
    documents = [each for pane in panes for each in pane.xpath(".//section[@class='document']")]
    if len(documents) != 1:
        raise OptionError(f"{source} is a report on several documents", "give the earlier document itself")
    passages = [_passage(section) for section in documents[0].xpath(".//section[@class='passage']")]
    name = documents[0].xpath("string(.//p[@class='facts-line'])").strip() or source
    document = compose_document(passages, id="old", source=name, language=documents[0].get("lang"))
    return KeptText.of(document, keep_references=keep_references)


def _passage(section: Any) -> Passage:
    """A section of the pane, without the marks of pages and of the sentences that cite."""
    for mark in section.xpath(".//a[starts-with(@class, 'by ')] | .//*[@class='sheet']"):
        mark.drop_tree()
    headings = section.xpath("./*[self::h2 or self::h3 or self::h4 or self::h5 or self::h6]")
    headings += section.xpath("./details/summary/*[self::h2 or self::h3 or self::h4 or self::h5 or self::h6]")
    role = section.get("data-role", "")
    return Passage(
        heading=headings[0].text_content().strip() if headings else None,
        level=1 if headings else 0,
        role=SectionRole(role) if role in set(SectionRole) else SectionRole.BODY,
        paragraphs=tuple(Paragraph.of(each.text_content()) for each in section.xpath(".//div//p")),
    )
