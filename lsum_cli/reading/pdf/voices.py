"""Whose opinion a page of a court's decision holds: its running head says so, often nothing else does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.documents import SectionRole
from lsum_cli.reading.opinions import voice_of
from lsum_cli.reading.pdf.blocks import Block
from lsum_cli.reading.pdf.furniture import PAGE_NUMBER_AT_END
from lsum_cli.reading.pdf.headings import Heading
from lsum_cli.reading.pdf.layout import PlacedBlock, Region
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.text.patterns import regex

# A paragraph of so many words is text, not part of the caption of a case.
_WORDS_OF_TEXT = 25
_WORDS_OF_OPENING = 40
_DELIVERS = regex(r"delivered the opinion|announced the judgment|per curiam", re.I)


def find_voices(pages: Sequence[PageLines], furniture: set[int]) -> dict[int, str]:
    """The running heads that name an opinion, by page: ``{27: "STEVENS, J., dissenting"}``.

    Empty unless the document is a decision: a course has a syllabus too.

    Args:
        pages: In order.
        furniture: Ids of the running heads.
    """
    voices: dict[int, str] = {}
    for page in pages:
        for line in sorted(page.lines, key=lambda line: -line.y):
            if id(line) not in furniture:
                continue
            text = PAGE_NUMBER_AT_END.sub("", line.text)
            if voice_of(text) is not None:
                voices[page.number] = text
                break
    roles = {voice_of(text) for text in voices.values()}
    return voices if roles - {SectionRole.SYLLABUS} and len(voices) > 1 else {}


def with_voices(
    placed: Sequence[PlacedBlock], headings: Sequence[Heading], voices: dict[int, str]
) -> list[Heading]:
    """Headings with one for each opinion, above all others.

    Args:
        placed: The blocks in reading order.
        headings: Those found in the text.
        voices: As :func:`find_voices` returns them.
    """
    if not voices:
        return list(headings)
    pages: dict[int, list[Block]] = {}
    for each in placed:
        pages.setdefault(each.block.lines[0].pdf_page, [])
        if each.region in (Region.TEXT, Region.SMALL):
            pages[each.block.lines[0].pdf_page].append(each.block)
    opening: list[Heading] = []
    captions: set[int] = set()
    current = ""
    for number in sorted(pages):
        voice = voices.get(number, current)
        blocks = pages[number]
        if voice != current and blocks:
            place, caption = _beginning(blocks, voice)
            opening.append(Heading(lines=(place,), level=1, unprinted=voice))
            captions |= {id(line) for line in caption}
            current = voice
    kept = [
        replace(heading, level=heading.level + 1)
        for heading in headings
        if id(heading.lines[0]) not in captions
        and not (len(heading.lines) == 1 and _is_one_of(heading.lines[0].text, voices))
    ]
    return opening + kept


def _beginning(blocks: Sequence[Block], voice: str) -> tuple[Line, list[Line]]:
    """The line with which an opinion begins on a page, and the lines of the case's caption below it."""
    before: list[Line] = []
    for block in blocks:
        for index, line in enumerate(block.lines):
            rest = " ".join(each.text for each in block.lines[index : index + 6])
            if _opens(rest, voice):
                if sum(len(each.text.split()) for each in before if _is_text(each)) >= _WORDS_OF_TEXT:
                    # The opinion before it ends on this page.
                    return line, []
                return blocks[0].lines[0], before
            before.append(line)
    return blocks[0].lines[0], []


def _opens(text: str, voice: str) -> bool:
    """Whether a paragraph begins with the words that introduce an opinion."""
    head = " ".join(text.split()[:_WORDS_OF_OPENING])
    if voice_of(voice) is SectionRole.OPINION:
        return bool(_DELIVERS.search(head)) and head[:1].isupper()
    judge = voice.split(",")[0].split()[-1].casefold()
    words = [word.strip(".,;:") for word in head.casefold().split()]
    named = judge in words[:5] and any(word in ("justice", "judge", "j") for word in words[:6])
    return named and any(word.startswith(("concur", "dissent")) for word in words)


def _is_text(line: Line) -> bool:
    words = line.text.split()
    return len(words) >= 6 and sum(word[:1].islower() for word in words) > 0.5 * len(words)


def _is_one_of(text: str, voices: dict[int, str]) -> bool:
    return PAGE_NUMBER_AT_END.sub("", text) in voices.values()
