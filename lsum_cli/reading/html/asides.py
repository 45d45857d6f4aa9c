"""What stands within the text of a page and is none of it: signs, captions, comments, repeats."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from lsum_cli.reading.html.access import HIDDEN_ADDRESS
from lsum_cli.reading.html.blocks import PageBlock
from lsum_cli.reading.page_boilerplate import INTERRUPTION, OF_ANSWERS, OF_READERS, OF_READERS_ABOUT, QUOTES
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

# What a page says aloud before a caption, or in place of a film.
_CAPTION_WORDS = regex(
    r"(?:(?:image|media|video) (?:caption|copyright|source|credit)\b|media playback is (?:un|not )supported)",
    re.I,
)
_MAX_CAPTION_WORDS = 150
# Shorter paragraphs may well recur; longer sections are those of books, whose refrains do.
_MIN_REPEATED_WORDS = 8
_MAX_SECTION_CHARACTERS = 100_000
# "Home > Topics > Water": where the page stands on its site, or the way through the menus of a program.
_BREADCRUMBS = regex(
    r"[^>›»→]{1,60}(?: (?:>|›|»|→) [^>›»→]{1,120}){1,20} (?:>|›|»|→) (?P<last>[^>›»→]{1,120})"
)
# What a template leaves where no script fills it.
_UNFILLED = regex(r"\{\{(?:(?!\{\{|\}\}).){1,2000}\}\}")
# A line that comes so often in a row is the label of the slides of a gallery.
_MOST_ALIKE = 3
# What a post of a social network that is shown within a page says below it.
_SHARED_POST = regex(
    r"(?:a (?:post|photo|video) shared by|ein (?:beitrag|von) .{0,60}geteilt|ein beitrag geteilt von"
    r"|une (?:publication|photo|vid(?:é|e)o) partag(?:é|e)e par|una publicaci(?:ó|o)n compartida (?:de|por)"
    r"|view this (?:post|photo|profile) on|sieh dir diesen beitrag auf|voir cette publication sur"
    r"|ver esta publicaci(?:ó|o)n en) .{1,200}",
    re.I,
)
# Where else readers are asked to meet those who made the page.
_ON_NETWORKS = regex(
    r"(?:chat with|follow|like|join|find|connect with) us (?:on|in|at|via) (?:facebook|twitter|instagram"
    r"|youtube|linked ?in|whats ?app|telegram|tiktok|pinterest|snapchat|reddit|discord)\b",
    re.I,
)
_MAX_WORDS_OF_A_CALL = 25
# That only members may read on, in Japanese and Chinese; see "access.py" for other languages.
_FOR_MEMBERS = regex(
    r"\W{0,2}(?:(?:有料)?会員限定\W{0,3})?(?:この|本)(?:記事|コンテンツ)は、?(?:有料|無料)?(?:会員|登録者|購読者)(?:限定|の(?:み|方))"
    r"|(?:本文|此文|本篇)(?:仅限|僅限|为|為)(?:付费|付費)?(?:会员|會員|订户|訂戶)"
)
# What a notice on comments refers to: how to behave, what is kept of readers, and what they agree to.
_RULES_OF_A_SITE = tuple(
    regex(rf"[/_.-](?:{names})\b|^(?:{names})\b", re.I)
    for names in (
        r"(?:community|comments?|user|house|usage)[_-]?(?:guidelines?|rules|standards|polic(?:y|ies))|guidelines|netiquette",
        r"privacy(?:[_-]?\w+)?|datenschutz\w*|confidentialit\w+|privacidad",
        r"terms(?:[_-]?\w+)*|conditions|agb|nutzungsbedingungen|cgu|tos",
    )
)
_MAX_WORDS_OF_A_NOTICE = 80
_MAX_WORDS_OF_AN_ADDRESS = 30
_LEAST_BEFORE_READERS = 20  # words
_MOST_ABOVE_TITLE = 60  # words
# What a notice above the title of a page speaks of; a lead that stands there speaks of its subject.
_OF_PAGES = regex(
    r"\b(?:documents?|documentation|docs|manuals?|guide|pages?|(?:web ?)?site|wiki|dokument\w*|handbuch"
    r"|seiten?|manuels?|documentos?|documentación|документ\w*|страниц\w*)\b",
    re.I,
)
_WORD = regex(r"\w+")


def find_signs(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the lines that are no text: signs, places on the site, templates, labels of slides."""
    at = 0
    headings = {normalise(block.text).casefold() for block in blocks if block.level}
    for text, run in itertools.groupby(blocks, key=lambda block: block.text):
        length = sum(1 for _ in run)
        block = blocks[at]
        is_label = length > _MOST_ALIKE and not ends_with_stop(text)
        if not block.preformatted and (
            is_label
            or _is_breadcrumbs(block, headings)
            or (not block.level and not any(map(str.isalnum, text)) and block.words == 1)
            or (not block.level and INTERRUPTION.fullmatch(text))
            or ("{{" in text and not _WORD.search(_UNFILLED.sub("", text)))
            or (block.words <= _MAX_WORDS_OF_AN_ADDRESS and HIDDEN_ADDRESS.search(text))
            or _is_below_a_post(block)
            or (block.words <= _MAX_WORDS_OF_A_CALL and _ON_NETWORKS.match(text))
            or _FOR_MEMBERS.match(text)
        ):
            yield from range(at, at + length)
        at += length


def _is_below_a_post(block: PageBlock) -> bool:
    return (
        block.words <= _MAX_WORDS_OF_AN_ADDRESS
        and not ends_with_stop(block.text)
        and _SHARED_POST.fullmatch(block.text) is not None
    )


def find_above_title(blocks: Sequence[PageBlock], stays: Sequence[bool], page_title: str) -> Iterator[int]:
    """Indexes of what all pages of a site say above the heading that is the title of the page.

    It is a notice on the pages: a lead, and the status of a proposal, stand there too.

    Args:
        blocks: The blocks of the page.
        stays: Which of them would be its text.
        page_title: What the page calls itself.
    """
    title = next((index for index, block in enumerate(blocks) if block.level and stays[index]), None)
    if title is None or blocks[title].level > 1 or not _is_within(blocks[title].text, page_title):
        return
    above = [index for index in range(title) if stays[index]]
    words = sum(blocks[index].words for index in above)
    is_notice = any(_OF_PAGES.search(blocks[index].text) for index in above)
    if words <= _MOST_ABOVE_TITLE and is_notice and any(stays[title + 1 :]):
        yield from above


def _is_within(heading: str, page_title: str) -> bool:
    words = _WORD.findall(heading.casefold())
    return bool(words) and set(words) <= set(_WORD.findall(page_title.casefold()))


def find_notices(blocks: Sequence[PageBlock], parents: Sequence[int]) -> Iterator[int]:
    """Indexes of the notices on comments that refer to the rules of a site, with what else their box says.

    Args:
        blocks: The blocks of the page.
        parents: See :attr:`~lsum_cli.reading.html.walk.PageWalk.parents`.
    """
    for index, block in enumerate(blocks):
        if not block.level and _refers_to_rules(block):
            box = parents[block.container]
            inside = [at for at, each in enumerate(blocks) if parents[each.container] == box]
            is_small = sum(blocks[at].words for at in inside) <= _MAX_WORDS_OF_A_NOTICE
            yield from inside if is_small else (index,)


def _refers_to_rules(block: PageBlock) -> bool:
    """Whether a short paragraph leads to each kind of rules that a site has for its readers."""
    return (
        len(block.targets) >= len(_RULES_OF_A_SITE)
        and block.words <= _MAX_WORDS_OF_A_NOTICE
        and all(any(map(names.search, block.targets)) for names in _RULES_OF_A_SITE)
    )


def _is_breadcrumbs(block: PageBlock, headings: Collection[str]) -> bool:
    """Whether a line says where the page stands on its site; "Open Settings > Network > Proxy" is text."""
    found = _BREADCRUMBS.fullmatch(block.text)
    if found is None or (ends_with_stop(block.text) and not block.link_words):
        return False
    # What leads to the page is linked, but for its signs.
    above = len(_WORD.findall(block.text[: found.start("last")]))
    return block.level > 0 or 2 * block.link_words > above or found["last"].casefold() in headings


def find_comments(blocks: Sequence[PageBlock], stays: Sequence[bool]) -> Iterator[int]:
    """Indexes of the comments of readers, from their heading to the end of the page."""
    words = 0
    left = sum(block.words for block, stay in zip(blocks, stays, strict=True) if stay and not block.level)
    above: set[str] = set()
    for index, block in enumerate(blocks):
        if block.level and words >= _LEAST_BEFORE_READERS:
            about = OF_READERS_ABOUT.fullmatch(block.text)
            if (
                OF_READERS.fullmatch(block.text)
                or (about and (about["about"][0] in QUOTES or about["about"].casefold() in above))
                or (OF_ANSWERS.fullmatch(block.text) and words >= left - words)
            ):
                yield from range(index, len(blocks))
                return
        if block.level:
            above.add(normalise(block.text).casefold())
        elif stays[index]:
            words += block.words


def find_captions(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the captions that only their words give away."""
    for index, block in enumerate(blocks):
        if block.words <= _MAX_CAPTION_WORDS and _CAPTION_WORDS.match(block.text):
            yield index


def find_repeats(blocks: Sequence[PageBlock], stays: Sequence[bool]) -> Iterator[int]:
    """Indexes of the paragraphs that are part of another one in their section, as pull quotes are."""
    texts: dict[int, str] = {}
    for index, block in enumerate(blocks):
        if block.level:
            yield from _repeats_among(texts)
            texts = {}
        elif stays[index] and block.words >= _MIN_REPEATED_WORDS:
            texts[index] = block.text.strip(QUOTES)
    yield from _repeats_among(texts)


def _repeats_among(texts: Mapping[int, str]) -> Iterator[int]:
    whole = "\n".join(texts.values())
    if len(whole) > _MAX_SECTION_CHARACTERS:
        return
    alike = Counter(texts.values())
    seen: set[str] = set()
    for index, text in texts.items():
        if text in seen or whole.count(text) > alike[text]:
            yield index
        seen.add(text)
