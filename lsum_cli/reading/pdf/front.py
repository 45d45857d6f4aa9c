"""The title of a document: from its metadata if the pages bear it out, else from its largest type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.reading.pdf.headings import words_only
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.reading.pdf.typography import BodyType, numbering_depth

_JUNK = re.compile(
    r"untitled|unknown|microsoft (?:word|powerpoint|excel)|powerpoint presentation|presentation\d*$"
    r"|document\d*$|\.(?:docx?|pdf|tex|dvi|indd|qxd|ps|pptx?|rtf|odt|txt|fm)\b"
    r"|^(?:slide|page|layout|title) ?\d*$|^[\W\d_]*$|^\S*_\S*$|:\\|/tmp/",
    re.I,
)
_NO_TITLE = frozenset(
    [
        "abstract",
        "introduction",
        "contents",
        "tableofcontents",
        "references",
        "summary",
        "preface",
        "openaccess",
        "originalresearch",
        "review",
        "researcharticle",
        "article",
        "research",
        "originalarticle",
    ]
)
_MAX_WORDS = 45


@dataclass(frozen=True, kw_only=True, slots=True)
class Title:
    """A title and the lines that spell it."""

    text: str
    lines: tuple[Line, ...] = ()


def find_title(claimed: str | None, pages: Sequence[PageLines], body: BodyType) -> Title | None:
    """The title of a document.

    Args:
        claimed: What the metadata say.
        pages: All pages read; the title is looked for on the first ones that hold text.
        body: The type of the body text.
    """
    opening = [page for page in pages if page.lines][:4]
    if not opening or opening[0].number > 3:
        return _trusted(claimed)
    for wording in _wordings(claimed):
        for page in opening:
            lines = _spelled(wording, page)
            if lines:
                return Title(text=wording, lines=lines)
    for page in opening[:2]:
        largest = _largest(page, body)
        if largest and not _returns(largest, pages):
            return largest
    return _trusted(claimed)


def _trusted(claimed: str | None) -> Title | None:
    wordings = _wordings(claimed)
    return Title(text=wordings[0]) if wordings and len(wordings[0].split()) >= 2 else None


def _wordings(claimed: str | None) -> list[str]:
    text = " ".join((claimed or "").replace("\x00", "").split())
    if not text or _JUNK.search(text) or len(text) > 400:
        return []
    found = [text]
    shorter = re.sub(r"\s*\([^()]*\)\s*$", "", text)
    found += [shorter, re.sub(r"^[\d\W]+\s+", "", shorter)]
    return [
        wording
        for index, wording in enumerate(found)
        if len(words_only(wording)) > 3 and wording not in found[:index]
    ]


def _spelled(wording: str, page: PageLines) -> tuple[Line, ...]:
    """The largest neighbouring lines of a page that spell a title."""
    wanted = words_only(wording)
    lines = sorted(page.lines, key=lambda line: (-line.y, line.x0))
    best: tuple[Line, ...] = ()
    for start, first in enumerate(lines):
        if not words_only(first.text) or not wanted.startswith(words_only(first.text)):
            continue
        spelled, taken = "", []
        for line in lines[start : start + 30]:
            if abs(line.size - first.size) > 0.6:
                continue
            spelled += words_only(line.text)
            taken.append(line)
            if not wanted.startswith(spelled):
                break
            if spelled == wanted:
                if not best or first.size > best[0].size:
                    best = tuple(taken)
                break
    return best


def _largest(page: PageLines, body: BodyType) -> Title | None:
    """The group of neighbouring lines in the largest type of a page."""
    lines = [
        line
        for line in sorted(page.lines, key=lambda line: (-line.y, line.x0))
        if line.size > 1.15 * body.size
    ]
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _goes_on(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    candidates = []
    for group in groups:
        text = _joined(group)
        count = len(text.split())
        if count > _MAX_WORDS or sum(map(str.isalpha, text)) < 5 or words_only(text) in _NO_TITLE:
            continue
        candidates.append((max(line.size for line in group) * (1.0 if count >= 3 else 0.6), group, text))
    if not candidates:
        return None
    _, found, text = max(candidates, key=lambda candidate: candidate[0])
    return Title(text=text, lines=tuple(found))


def _returns(title: Title, pages: Sequence[PageLines]) -> bool:
    """Whether other lines are set like the title, so that it is but a heading among others."""
    own = {id(line) for line in title.lines}
    first = title.lines[0]
    if first.text[0].isdigit() and numbering_depth(first.text):
        return True
    page_number = first.pdf_page
    alone = (
        sum(len(line.text.split()) for page in pages if page.number == page_number for line in page.lines)
        < 120
    )
    return any(
        # A title page may be set like the chapters that follow.
        not (alone and page.number > page_number)
        and abs(line.size - first.size) < 0.3
        and line.font == first.font
        and line.width > 3 * line.size
        for page in pages
        for line in page.lines
        if id(line) not in own and not words_only(title.text).startswith(words_only(line.text))
    )


def _goes_on(upper: Line, lower: Line) -> bool:
    large, small = max(upper.size, lower.size), min(upper.size, lower.size)
    return upper.y - lower.y < 2.6 * large and small > 0.76 * large and upper.bold == lower.bold


def _joined(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        text = (
            text[:-1] + line.text if text.endswith("-") and line.text[:1].islower() else f"{text} {line.text}"
        )
    return text.strip()
