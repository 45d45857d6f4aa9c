"""Which headings and paragraphs of a page are its text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsum_cli.documents import SectionRole
from lsum_cli.reading.blocks import BOILERPLATE, CAPTIONS, REPEATED, Tally, names_contents, role_of
from lsum_cli.reading.html.access import is_part_number
from lsum_cli.reading.html.asides import (
    find_above_title,
    find_captions,
    find_comments,
    find_notices,
    find_repeats,
    find_signs,
)
from lsum_cli.reading.html.blocks import PageBlock, find_name, with_bold_headings
from lsum_cli.reading.html.teasers import find_teasers, site_of
from lsum_cli.reading.html.walk import PageWalk
from lsum_cli.reading.page_boilerplate import ASIDE_HEADING, ASIDE_LEAD, INTERRUPTION
from lsum_cli.reading.plain.document import find_book
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MIN_KEPT_SHARE = 0.5
_ROOT_SHARE = 0.9
_LEAST_OF_CONTENTS = 3  # links
_FIRST_SENTENCE = regex(r"[^.!?]{1,500}[.!?](?=\s|$)")
_LEAST_OF_A_STANDFIRST, _HIGHEST_OF_A_STANDFIRST = 12, 2  # words; level of the heading
# Of what Trafilatura keeps, the share that may be boilerplate by its names; more is the text.
_MAX_NOISE_SHARE = 0.2
_LEAST_OF_A_TEXT = 8  # words
# Larger pages, for which Trafilatura would take too long, are books with little boilerplate.
_MAX_CHARACTERS = 4_000_000
_MAX_DEPTH = 200
_MAX_ELEMENTS = 20_000
_GRAM = 4
_LEAST_ALIKE = 0.5
_WORD = regex(r"\w+")


def choose_blocks(root: HtmlElement, text: str, tally: Tally) -> list[PageBlock]:
    """Choose the blocks of a page that are its text; the others are counted as boilerplate.

    The walk over the elements judges by tags, names and link density. Trafilatura, which was tuned on
    many pages, gives a second opinion. A block is retained if Trafilatura retains it, or if it is prose in
    the same container; where Trafilatura finds too little, prose alone decides.

    Args:
        root: The page.
        text: The same page as text.
        tally: Counts the rest.
    """
    walk = PageWalk(root, tally)
    first, last = find_book([block.text for block in walk.blocks], tally)
    blocks = with_bold_headings(walk.blocks[first:last])
    kept = _kept_by_trafilatura(root, text, blocks)
    prose = [block.is_prose and not block.noisy for block in blocks]
    words_kept = sum(block.words for block, is_kept in zip(blocks, kept, strict=True) if is_kept)
    words_of_prose = sum(block.words for block, is_prose in zip(blocks, prose, strict=True) if is_prose)
    trusted = kept if words_kept >= _MIN_KEPT_SHARE * words_of_prose else prose
    inside = _inside_main_container(blocks, walk.parents, trusted)
    stays = _judge(blocks, _without_noise(blocks, kept), inside)
    dropped = {
        **dict.fromkeys(find_signs(blocks), BOILERPLATE),
        **dict.fromkeys(find_above_title(blocks, stays, _page_title(root)), BOILERPLATE),
        **dict.fromkeys(find_notices(blocks, walk.parents), BOILERPLATE),
        **dict.fromkeys(find_teasers(blocks, stays, walk.parents, site_of(root)), BOILERPLATE),
        **dict.fromkeys(find_comments(blocks, stays), BOILERPLATE),
        **dict.fromkeys(find_captions(blocks), CAPTIONS),
        **dict.fromkeys(find_repeats(blocks, stays), REPEATED),
    }
    chosen: list[PageBlock] = []
    left = [
        stay and index not in dropped and not is_part_number(blocks[index].text)
        for index, stay in enumerate(stays)
    ]
    # A heading that has lost all its text says nothing.
    _keep_headings(blocks, list(left), [False] * len(left), left)
    for index in find_name(blocks):
        stays[index] = left[index] = True
    begins = next((index for index, stay in enumerate(left) if stay and blocks[index].is_prose), len(blocks))
    for index, block in enumerate(blocks):
        if left[index]:
            is_paragraph = _is_standfirst(block, is_first=index < begins)
            chosen.append(replace(block, level=0) if is_paragraph else block)
        else:
            tally.add_words(dropped.get(index, BOILERPLATE) if stays[index] else BOILERPLATE, block.words)
    return chosen


def _page_title(root: HtmlElement) -> str:
    return next((element.text or "" for element in root.iter("title")), "")


def _judge(blocks: Sequence[PageBlock], kept: Sequence[bool], inside: Sequence[bool]) -> list[bool]:
    stays = [False] * len(blocks)
    in_references = in_contents = in_aside = False
    contents = {*_contents(blocks), *_lists_of_headings(blocks)}
    for index, block in enumerate(blocks):
        if block.level:
            in_references = role_of(block.text) is SectionRole.REFERENCES
            in_contents = names_contents(block.text)
            in_aside = _is_aside(block.text)
            continue
        if names_contents(block.text):
            in_contents = True
            continue
        is_linked = block.is_linked
        if is_linked and (_is_aside(block.text.partition(":")[0]) or ASIDE_LEAD.match(block.text)):
            continue
        in_aside = in_aside and is_linked
        if is_linked and (in_contents or in_aside or index in contents):
            continue
        if kept[index]:
            stays[index] = True
        elif inside[index] and not block.noisy:
            stays[index] = in_references or not is_linked
    _keep_headings(blocks, kept, inside, stays)
    return stays


def _is_aside(text: str) -> bool:
    """Whether a heading stands above links to other pages."""
    return any(names.fullmatch(text) is not None for names in (ASIDE_HEADING, ASIDE_LEAD))


def _is_standfirst(block: PageBlock, *, is_first: bool) -> bool:
    """Whether a heading is a paragraph by its words: what an article says below its title, before it begins.

    Args:
        is_first: Whether no paragraph stands before it; elsewhere it must have more than a sentence.
    """
    # What is asked in an interview is a heading of what is answered.
    if block.level < _HIGHEST_OF_A_STANDFIRST or block.text.endswith("?"):
        return False
    first = _FIRST_SENTENCE.match(block.text)
    if first is None or len(first[0].split()) < _LEAST_OF_A_STANDFIRST:
        return False
    rest = block.text[first.end() :].strip()
    return is_first or (ends_with_stop(rest) and len(rest.split()) >= _LEAST_OF_A_TEXT)


def _contents(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the links in a row before the text, in an element named like navigation."""
    at = 0
    for is_menu, run in itertools.groupby(
        blocks, key=lambda block: block.noisy and not block.level and block.is_linked
    ):
        found = list(run)
        if is_menu and len(found) >= _LEAST_OF_CONTENTS:
            yield from range(at, at + len(found))
        elif any(block.is_prose for block in found):
            return
        at += len(found)


def _lists_of_headings(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the links in a row that say what the headings of the page say, wherever they stand."""
    headings = {normalise(block.text).casefold() for block in blocks if block.level}
    at = 0
    for is_linked, run in itertools.groupby(blocks, key=lambda block: not block.level and block.is_linked):
        found = list(run)
        named = sum(normalise(block.text).casefold() in headings for block in found) if is_linked else 0
        if named >= _LEAST_OF_CONTENTS and named > len(found) // 2:
            yield from range(at, at + len(found))
        at += len(found)


def _without_noise(blocks: Sequence[PageBlock], kept: Sequence[bool]) -> Sequence[bool]:
    """What Trafilatura keeps, without what is named like boilerplate where the text is elsewhere.

    Readers may write as much as the author did; of anything else, much that is named so is the text.
    """
    words = sum(block.words for block, is_kept in zip(blocks, kept, strict=True) if is_kept)
    for of_readers, share in ((True, 1 - _MIN_KEPT_SHARE), (False, _MAX_NOISE_SHARE)):
        without = [
            is_kept and not (block.noisy and block.of_readers == of_readers)
            for block, is_kept in zip(blocks, kept, strict=True)
        ]
        stay = sum(block.words for block, is_kept in zip(blocks, without, strict=True) if is_kept)
        before = sum(block.words for block, is_kept in zip(blocks, kept, strict=True) if is_kept)
        if before - stay <= share * words:
            kept = without
    return kept


def _keep_headings(
    blocks: Sequence[PageBlock], kept: Sequence[bool], inside: Sequence[bool], stays: list[bool]
) -> None:
    """Keep a heading if text below it is kept, or if another kept heading follows directly."""
    deepest_below = [False] * 7  # by level: does anything stay before the next heading of this level?
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        if not block.level:
            if stays[index]:
                deepest_below = [True] * 7
            continue
        is_before_text = index + 1 < len(blocks) and stays[index + 1] and not blocks[index + 1].level
        if INTERRUPTION.fullmatch(block.text) or (not is_before_text and _is_aside(block.text)):
            # What stands below it and is no link is the text that it has interrupted.
            stays[index] = False
            continue
        welcome = kept[index] or (inside[index] and not block.noisy)
        leads = index + 1 < len(blocks) and blocks[index + 1].level and stays[index + 1]
        listing = names_contents(block.text) and not (index + 1 < len(blocks) and stays[index + 1])
        stays[index] = welcome and not listing and (deepest_below[block.level] or bool(leads))
        for level in range(block.level, 7):
            deepest_below[level] = False


def _inside_main_container(
    blocks: Sequence[PageBlock], parents: Sequence[int], trusted: Sequence[bool]
) -> list[bool]:
    """For each block, whether it is in the innermost element that contains nearly all trusted words."""
    weights = [0] * len(parents)
    for block, is_trusted in zip(blocks, trusted, strict=True):
        if is_trusted:
            weights[block.container] += block.words
    total = sum(weights)
    if not total:
        return [True] * len(blocks)
    for container in range(len(weights) - 1, 0, -1):
        weights[parents[container]] += weights[container]
    main = max((index for index, weight in enumerate(weights) if weight >= _ROOT_SHARE * total), default=0)
    within = [False] * len(weights)
    for container in range(main, len(weights)):
        within[container] = container == main or within[parents[container]]
    return [within[block.container] for block in blocks]


def _kept_by_trafilatura(root: HtmlElement, text: str, blocks: Sequence[PageBlock]) -> list[bool]:
    """For each block, whether Trafilatura keeps it."""
    elements, depth = _measure(root)
    if len(text) > _MAX_CHARACTERS or depth > _MAX_DEPTH or elements > _MAX_ELEMENTS:
        return [False] * len(blocks)
    extracted = _extract(text)
    lines = {" ".join(_WORD.findall(line.lower())) for line in extracted.splitlines()}
    words = _WORD.findall(extracted.lower())
    grams = set(zip(*(words[offset:] for offset in range(_GRAM)), strict=False))
    return [_is_among(block, lines, grams) for block in blocks]


def _is_among(block: PageBlock, lines: set[str], grams: set[tuple[str, ...]]) -> bool:
    words = _WORD.findall(block.text.lower())
    if " ".join(words) in lines:
        return True
    found = [gram in grams for gram in zip(*(words[offset:] for offset in range(_GRAM)), strict=False)]
    return len(found) >= _GRAM and sum(found) >= _LEAST_ALIKE * len(found)


def _extract(text: str) -> str:
    import logging

    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        found = trafilatura.bare_extraction(
            text, include_comments=False, include_tables=True, favor_recall=True
        )
    except Exception:  # a page that it cannot take apart is judged without it
        return ""
    return str(getattr(found, "text", None) or "")


def _measure(root: HtmlElement) -> tuple[int, int]:
    """The number of elements, and how deep they are nested."""
    from lxml import etree

    elements = depth = deepest = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        elements += event == "start"
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return elements, deepest
