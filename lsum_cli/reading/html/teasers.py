"""The beginnings of other pages that a page shows under its own text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from lsum_cli.reading.html.blocks import MIN_PROSE_WORDS, PageBlock
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# The link under the beginning of another page of the site.
_GOES_ON_ELSEWHERE = regex(
    r"[\[(]?(?:(?:continue|keep) reading"
    r"|read (?:the rest|more|on|the full (?:story|article|post))"
    r"|full story|weiterlesen|mehr lesen|lire la suite|en savoir plus|leer más|seguir leyendo"
    r"|continua a leggere)\b.{0,80}",
    re.I,
)
# The end of an excerpt, which a program has cut off.
_CUT_OFF = regex(r".*(?:\[(?:…|\.\.\.)\]|\((?:…|\.\.\.)\))", re.S)
_BREAKS_OFF = regex(r".*(?:…|\.\.\.)\W{0,3}", re.S)
_MOST_OF_A_TEASER = 100  # words
_LEAST_TEASERS = 2
_MOST_TEASED = 0.5  # of the words of a page
_HOST = regex(r"(?:https?:)?//(?:www\.)?(?P<name>[^/?#:]+)", re.I)


def find_teasers(
    blocks: Sequence[PageBlock], stays: Sequence[bool], parents: Sequence[int], site: str
) -> Iterator[int]:
    """Indexes of the beginnings of other pages, with their headings, under a text of its own.

    A page of nothing else, as the front page of a blog, is made of them.
    """
    found = [*_linked_on(blocks), *_under_links(blocks, stays, parents, site)]
    marked: list[range] = []
    for run in _cut_off(blocks):
        (found if _GOES_ON_ELSEWHERE.fullmatch(blocks[run[-1]].text) else marked).append(run)
    own = _of_its_own(blocks, stays, [*found, *marked])
    if not own:
        return
    # What a text quotes may end with such a mark as well, but the text goes on below it.
    found = [run for run in found if run.start > own[0]] + [run for run in marked if run.start > own[-1]]
    inside = {index for run in found for index in run}
    shown = sum(block.words for block, stay in zip(blocks, stays, strict=True) if stay)
    words = sum(blocks[index].words for index in inside if stays[index])
    if len(found) < _LEAST_TEASERS:
        return
    if words <= _MOST_TEASED * shown:
        yield from inside
        return
    # However short the text is, what is named like boilerplate as well is none of it.
    yield from (index for index in inside if blocks[index].noisy)


def _of_its_own(blocks: Sequence[PageBlock], stays: Sequence[bool], teasers: Sequence[range]) -> list[int]:
    """Indexes of the paragraphs that are no teasers."""
    inside = {index for run in teasers for index in run}
    return [
        index
        for index, block in enumerate(blocks)
        if stays[index] and not block.level and index not in inside and block.words >= MIN_PROSE_WORDS
    ]


def _linked_on(blocks: Sequence[PageBlock]) -> Iterator[range]:
    """What stands from a linked heading to a link that leads to the rest."""
    begin = None
    for index, block in enumerate(blocks):
        if not block.is_linked:
            continue
        if begin is not None and _GOES_ON_ELSEWHERE.fullmatch(block.text):
            yield range(begin, index + 1)
            begin = None
        elif block.level:
            begin = index


def _cut_off(blocks: Sequence[PageBlock]) -> Iterator[range]:
    """A paragraph that was cut off, by its mark or by a link that leads to the rest, with its heading."""
    for index, block in enumerate(blocks):
        if block.level or block.words > _MOST_OF_A_TEASER:
            continue
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        goes_on = (
            after is not None
            and after.link_words > 0
            and _GOES_ON_ELSEWHERE.fullmatch(after.text) is not None
        )
        if _CUT_OFF.fullmatch(block.text) or (goes_on and _BREAKS_OFF.fullmatch(block.text)):
            has_heading = index > 0 and blocks[index - 1].level > 0
            yield range(index - has_heading, index + 1 + goes_on)


def _under_links(
    blocks: Sequence[PageBlock], stays: Sequence[bool], parents: Sequence[int], site: str
) -> Iterator[range]:
    """The headings at the end of a page that lead to others of its site, each with the few words below it.

    They stand together in an element that holds none of the text; chapters stand beside it.
    """
    found: list[range] = []
    end = len(blocks)
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        if not block.level or not stays[index]:
            continue
        words = sum(blocks[each].words for each in range(index + 1, end) if stays[each])
        is_link = block.link_words >= block.words and _is_on_site(block.leads_to, site)
        if not is_link or words > _MOST_OF_A_TEASER:
            break
        if words:
            found.append(range(index, end))
        end = index
    holds_text = {-1, 0}
    for index in _of_its_own(blocks, stays, found):
        container = blocks[index].container
        while container not in holds_text:
            holds_text.add(container)
            container = parents[container]
    tops = [_highest_without(holds_text, blocks[run.start].container, parents) for run in found]
    together = Counter(tops)
    yield from (run for run, top in zip(found, tops, strict=True) if together[top] >= _LEAST_TEASERS)


def _highest_without(holds_text: Collection[int], container: int, parents: Sequence[int]) -> int:
    """The highest element around an element that holds none of the text."""
    while parents[container] not in holds_text:
        container = parents[container]
    return container


def site_of(root: HtmlElement) -> str:
    """The host that a page says it is from; empty where it does not."""
    for element in root.iter("link", "meta"):
        if (element.get("rel") or "").lower() == "canonical" or element.get("property") == "og:url":
            host = _HOST.match(element.get("href") or element.get("content") or "")
            if host:
                return host["name"].lower()
    return ""


def _is_on_site(address: str, site: str) -> bool:
    """Whether a link leads to another page of the site, not to a place on this one."""
    host = _HOST.match(address)
    return "#" not in address and (host is None or host["name"].lower() == site)
