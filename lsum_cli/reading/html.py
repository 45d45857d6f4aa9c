"""HTML pages: articles, documentation, whole books."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsum_cli.documents import Document, SectionRole
from lsum_cli.reading.blocks import (
    BOILERPLATE,
    CAPTIONS,
    REPEATED,
    Block,
    Tally,
    language_code,
    make_document,
    role_of,
)
from lsum_cli.reading.charsets import declared_charset, decode
from lsum_cli.reading.html_access import HIDDEN_ADDRESS, is_part_number, page_access
from lsum_cli.reading.html_elements import text_of
from lsum_cli.reading.html_walk import PageBlock, PageWalk, apart
from lsum_cli.reading.intake import empty
from lsum_cli.reading.markup import clean_html, ends_within, parse_html
from lsum_cli.reading.plain import find_book, parse_plain
from lsum_cli.reading.plain_headings import CONTENTS_HEADING
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Larger pages, for which Trafilatura would take too long, are books with little boilerplate.
_MAX_SECOND_OPINION_CHARACTERS = 4_000_000
_MAX_SECOND_OPINION_DEPTH = 200
_MAX_SECOND_OPINION_ELEMENTS = 20_000
_GRAM = 4
_MIN_PROSE_WORDS = 15
_MIN_KEPT_SHARE = 0.5
_ROOT_SHARE = 0.9
_MAX_LINK_SHARE = 0.5
_LEAST_OF_CONTENTS = 3  # links
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
# The link under the beginning of another page of the site.
_GOES_ON_ELSEWHERE = regex(
    r"[\[(]?(?:(?:continue|keep) reading|read (?:the rest|more|on|the full (?:story|article|post))"
    r"|full story|weiterlesen|mehr lesen|lire la suite|en savoir plus|leer más|seguir leyendo"
    r"|continua a leggere)"
    r"\b.{0,80}",
    re.I,
)
# The end of an excerpt, which a program has cut off.
_CUT_OFF = regex(r".*(?:\[(?:…|\.\.\.)\]|\((?:…|\.\.\.)\))", re.S)
_BREAKS_OFF = regex(r".*(?:…|\.\.\.)\W{0,3}", re.S)
_MOST_OF_A_TEASER = 100  # words
_LEAST_TEASERS = 2
# What stands above links to other pages in the midst of a text.
_ASIDE_HEADING = regex(
    r"(?:related(?: (?:articles?|coverage|stor(?:y|ies)|posts?|content|topics?|links?|news|reading|videos?))?"
    r"|more (?:stories|articles|news|posts|from [^.]{1,40}|(?:on|like) this(?: \w+)?)"
    r"|recommended(?: (?:for you|stories|articles|posts|reading|videos))?"
    r"|editor(?:['’]?s|s['’])? (?:picks?|choice|recommendations?)|you (?:may|might) also (?:like|enjoy)"
    r"|read (?:more|next|this next)|don['’]t miss(?: this| out)?|most (?:read|popular|viewed)"
    r"|trending(?: now)?|up next|promoted (?:stories|content)|follow us"
    r"|mehr zum thema|das k(?:ö|oe)nnte (?:sie|dich) auch interessieren|lesen sie auch|auch interessant"
    r"|themen in diesem artikel"
    r"|(?:à|a) lire aussi|lire aussi|sur le m(?:ê|e)me (?:sujet|th(?:è|e)me)"
    r"|te puede interesar|noticias relacionadas|leggi anche)\W{0,3}",
    re.I,
)
# What stands above a picture, a script or a form, so that what follows is the text again.
_INTERRUPTION = regex(
    r"(?:advertisement|anzeige|publicit(?:é|e)|share this(?: (?:article|story|post|page))?"
    r"|diesen (?:inhalt|artikel|beitrag) per e-?mail versenden|partager cet article)\W{0,3}",
    re.I,
)
_HOST = regex(r"(?:https?:)?//(?:www\.)?(?P<name>[^/?#:]+)", re.I)
_FIRST_SENTENCE = regex(r"[^.!?]{1,500}[.!?](?=\s|$)")
_LEAST_OF_A_STANDFIRST, _HIGHEST_OF_A_STANDFIRST = 12, 2  # words; level of the heading
# What a post of a social network that is shown within a page says below it.
_SHARED_POST = regex(
    r"(?:a (?:post|photo|video) shared by|ein (?:beitrag|von) .{0,60}geteilt|ein beitrag geteilt von"
    r"|une (?:publication|photo|vid(?:é|e)o) partag(?:é|e)e par|una publicaci(?:ó|o)n compartida (?:de|por)"
    r"|view this (?:post|photo|profile) on|sieh dir diesen beitrag auf|voir cette publication sur"
    r"|ver esta publicaci(?:ó|o)n en) .{1,200}",
    re.I,
)
_MAX_WORDS_OF_AN_ADDRESS = 30
# Of what Trafilatura keeps, the share that may be boilerplate by its names; more is the text.
_MAX_NOISE_SHARE = 0.2
# What stands above the comments of readers: "27 comments", "Leave a reply"; "Comments" may be a chapter.
_OF_READERS = regex(
    r"#?\d+ (?:(?:reader )?comments?|(?:leser)?kommentare?|commentaires?|comentarios?|commenti|reacties)"
    r"(?: ?\W{1,3})?"
    r"|#\d+ (?:comment by|kommentar von|commentaire de) .{1,80}"
    r"|(?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties) ?\(\d+\)"
    r"|leave a (?:comment|reply)(?: cancel reply| to [^.]{1,60})?\W{0,3}"
    r"|(?:schreibe|hinterlasse) einen kommentar\b.{0,40}"
    r"|kommentar (?:schreiben|verfassen|hinterlassen)|laisser un commentaire\b.{0,40}"
    r"|deja (?:un|tu) comentario",
    re.I,
)
# With what they are about, "2 thoughts on “The dam”", unlike a chapter of the text: "5 thoughts on dams".
_OF_READERS_ABOUT = regex(
    r"#?\d+ (?:comments?|repl(?:y|ies)|responses?|thoughts?|kommentare?|antwort(?:en)?|commentaires?"
    r"|r[ée]ponses?|comentarios?|respuestas?|commenti)"
    r" (?:to|on|for|zu|auf|sur|à|a|en|su) (?P<about>.{1,250})",
    re.I,
)
# These may be the answers to a question that is all the page has besides.
_OF_ANSWERS = regex(
    r"#?\d+ (?:repl(?:y|ies)|responses?|thoughts|antwort(?:en)?|r[ée]ponses?|respuestas?)(?: ?\W{1,3})?"
    r"|(?:post|write|add) a (?:comment|reply)\W{0,3}",
    re.I,
)
_LEAST_BEFORE_READERS = 20  # words
_QUOTES = "“”\"«»‘’' "
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
    blocks = walk.blocks[first:last]
    kept = _second_opinion(root, text, blocks)
    prose = [_is_prose(block) and not block.noisy for block in blocks]
    words_kept = sum(block.words for block, is_kept in zip(blocks, kept, strict=True) if is_kept)
    words_of_prose = sum(block.words for block, is_prose in zip(blocks, prose, strict=True) if is_prose)
    trusted = kept if words_kept >= _MIN_KEPT_SHARE * words_of_prose else prose
    inside = _inside_main_container(blocks, walk.parents, trusted)
    stays = _judge(blocks, _without_noise(blocks, kept), inside)
    dropped = {
        **dict.fromkeys(_signs(blocks), BOILERPLATE),
        **dict.fromkeys(_teasers(blocks, stays, walk.parents, _site_of(root)), BOILERPLATE),
        **dict.fromkeys(_of_readers(blocks, stays), BOILERPLATE),
        **dict.fromkeys(_captions(blocks), CAPTIONS),
        **dict.fromkeys(_repeats(blocks, stays), REPEATED),
    }
    chosen: list[PageBlock] = []
    left = [
        stay and index not in dropped and not is_part_number(blocks[index].text)
        for index, stay in enumerate(stays)
    ]
    # A heading that has lost all its text says nothing.
    _keep_headings(blocks, list(left), [False] * len(left), left)
    begins = next(
        (index for index, stay in enumerate(left) if stay and _is_prose(blocks[index])), len(blocks)
    )
    for index, block in enumerate(blocks):
        if left[index]:
            is_paragraph = _is_standfirst(block, is_first=index < begins)
            chosen.append(replace(block, level=0) if is_paragraph else block)
        else:
            tally.add_words(dropped.get(index, BOILERPLATE) if stays[index] else BOILERPLATE, block.words)
    return chosen


def to_blocks(page_blocks: Sequence[PageBlock], tally: Tally) -> list[Block]:
    """Convert page blocks to headings and paragraphs; preformatted text is read line by line."""
    laid_out = sum(block.words for block in page_blocks if block.preformatted)
    with_headings = laid_out > _MIN_KEPT_SHARE * sum(block.words for block in page_blocks)
    blocks: list[Block] = []
    for preformatted, run in itertools.groupby(page_blocks, key=lambda block: block.preformatted):
        if not preformatted:
            blocks.extend(Block(text=block.text, level=block.level) for block in run)
            continue
        plain = parse_plain("\n".join(block.text for block in run), tally, is_whole=False)
        blocks.extend(plain.blocks if with_headings else (replace(block, level=0) for block in plain.blocks))
    return blocks


def _judge(blocks: Sequence[PageBlock], kept: Sequence[bool], inside: Sequence[bool]) -> list[bool]:
    stays = [False] * len(blocks)
    in_references = in_contents = in_aside = False
    contents = {*_contents(blocks), *_lists_of_headings(blocks)}
    for index, block in enumerate(blocks):
        if block.level:
            in_references = role_of(block.text) is SectionRole.REFERENCES
            in_contents = CONTENTS_HEADING.fullmatch(block.text) is not None
            in_aside = _ASIDE_HEADING.fullmatch(block.text) is not None
            continue
        if CONTENTS_HEADING.fullmatch(block.text):
            in_contents = True
            continue
        is_linked = _is_linked(block)
        if is_linked and _ASIDE_HEADING.fullmatch(block.text.partition(":")[0]):
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
    return is_first or (ends_with_stop(rest) and len(rest.split()) >= _MIN_TEXT_WORDS)


def _is_linked(block: PageBlock) -> bool:
    return block.link_words > _MAX_LINK_SHARE * block.words


def _contents(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the links in a row before the text, in an element named like navigation."""
    at = 0
    for is_menu, run in itertools.groupby(
        blocks, key=lambda block: block.noisy and not block.level and _is_linked(block)
    ):
        found = list(run)
        if is_menu and len(found) >= _LEAST_OF_CONTENTS:
            yield from range(at, at + len(found))
        elif any(_is_prose(block) for block in found):
            return
        at += len(found)


def _lists_of_headings(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the links in a row that say what the headings of the page say, wherever they stand."""
    headings = {normalise(block.text).casefold() for block in blocks if block.level}
    at = 0
    for is_linked, run in itertools.groupby(blocks, key=lambda block: not block.level and _is_linked(block)):
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


def _signs(blocks: Sequence[PageBlock]) -> Iterator[int]:
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
            or (not block.level and _INTERRUPTION.fullmatch(text))
            or ("{{" in text and not _WORD.search(_UNFILLED.sub("", text)))
            or (block.words <= _MAX_WORDS_OF_AN_ADDRESS and HIDDEN_ADDRESS.search(text))
            or _is_below_a_post(block)
        ):
            yield from range(at, at + length)
        at += length


def _is_below_a_post(block: PageBlock) -> bool:
    return (
        block.words <= _MAX_WORDS_OF_AN_ADDRESS
        and not ends_with_stop(block.text)
        and _SHARED_POST.fullmatch(block.text) is not None
    )


def _is_breadcrumbs(block: PageBlock, headings: Collection[str]) -> bool:
    """Whether a line says where the page stands on its site; "Open Settings > Network > Proxy" is text."""
    found = _BREADCRUMBS.fullmatch(block.text)
    if found is None or (ends_with_stop(block.text) and not block.link_words):
        return False
    # What leads to the page is linked, but for its signs.
    above = len(_WORD.findall(block.text[: found.start("last")]))
    return block.level > 0 or 2 * block.link_words > above or found["last"].casefold() in headings


def _teasers(
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
    if words <= (1 - _MIN_KEPT_SHARE) * shown:
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
        if stays[index] and not block.level and index not in inside and block.words >= _MIN_PROSE_WORDS
    ]


def _linked_on(blocks: Sequence[PageBlock]) -> Iterator[range]:
    """What stands from a linked heading to a link that leads to the rest."""
    begin = None
    for index, block in enumerate(blocks):
        if not _is_linked(block):
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


def _site_of(root: HtmlElement) -> str:
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


def _of_readers(blocks: Sequence[PageBlock], stays: Sequence[bool]) -> Iterator[int]:
    """Indexes of the comments of readers, from their heading to the end of the page."""
    words = 0
    left = sum(block.words for block, stay in zip(blocks, stays, strict=True) if stay and not block.level)
    above: set[str] = set()
    for index, block in enumerate(blocks):
        if block.level and words >= _LEAST_BEFORE_READERS:
            about = _OF_READERS_ABOUT.fullmatch(block.text)
            if (
                _OF_READERS.fullmatch(block.text)
                or (about and (about["about"][0] in _QUOTES or about["about"].casefold() in above))
                or (_OF_ANSWERS.fullmatch(block.text) and words >= left - words)
            ):
                yield from range(index, len(blocks))
                return
        if block.level:
            above.add(normalise(block.text).casefold())
        elif stays[index]:
            words += block.words


def _captions(blocks: Sequence[PageBlock]) -> Iterator[int]:
    """Indexes of the captions that only their words give away."""
    for index, block in enumerate(blocks):
        if block.words <= _MAX_CAPTION_WORDS and _CAPTION_WORDS.match(block.text):
            yield index


def _repeats(blocks: Sequence[PageBlock], stays: Sequence[bool]) -> Iterator[int]:
    """Indexes of the paragraphs that are part of another one in their section, as pull quotes are."""
    texts: dict[int, str] = {}
    for index, block in enumerate(blocks):
        if block.level:
            yield from _repeats_among(texts)
            texts = {}
        elif stays[index] and block.words >= _MIN_REPEATED_WORDS:
            texts[index] = block.text.strip(_QUOTES)
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
        if _INTERRUPTION.fullmatch(block.text) or (
            not is_before_text and _ASIDE_HEADING.fullmatch(block.text)
        ):
            # What stands below it and is no link is the text that it has interrupted.
            stays[index] = False
            continue
        welcome = kept[index] or (inside[index] and not block.noisy)
        leads = index + 1 < len(blocks) and blocks[index + 1].level and stays[index + 1]
        listing = bool(CONTENTS_HEADING.fullmatch(block.text)) and not (
            index + 1 < len(blocks) and stays[index + 1]
        )
        stays[index] = welcome and not listing and (deepest_below[block.level] or bool(leads))
        for level in range(block.level, 7):
            deepest_below[level] = False


def _is_prose(block: PageBlock) -> bool:
    return (
        not block.level
        and block.words >= _MIN_PROSE_WORDS
        and block.link_words <= _MAX_LINK_SHARE * block.words
        and (block.preformatted or ends_with_stop(block.text))
    )


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


def _second_opinion(root: HtmlElement, text: str, blocks: Sequence[PageBlock]) -> list[bool]:
    """For each block, whether Trafilatura keeps it."""
    elements, depth = _measure(root)
    if (
        len(text) > _MAX_SECOND_OPINION_CHARACTERS
        or depth > _MAX_SECOND_OPINION_DEPTH
        or elements > _MAX_SECOND_OPINION_ELEMENTS
    ):
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
    return len(found) >= _GRAM and sum(found) >= _MIN_KEPT_SHARE * len(found)


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


_SITE_SEPARATOR = regex(r"\s+(?:[|·–—»«‹›:•]|-|::)\s+")
# What no title is written with.
_SURE_SEPARATOR = regex(r"\s+[|»«‹›](?:\s+|$)")
_MIN_NAMED_SHARE = 0.6
_MIN_TEXT_WORDS = 8
_MOST_OF_SITE = 3  # words of the name of a site
_TITLE_METAS = ("citation_title", "dc.title", "og:title", "twitter:title")


def read_html(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a page: its text and headings, without navigation and other boilerplate.

    Raises:
        SourceError: It contains no text, or keeps it from those without JavaScript or a subscription.
    """
    decoded = decode(raw.content, raw.charset or declared_charset(raw.content))
    text = clean_html(decoded.text)
    root = parse_html(text, raw.name)
    if root is None:
        raise empty(raw.name)
    tally = Tally()
    hiding = ends_within(text)
    access = page_access(root)
    blocks = to_blocks(choose_blocks(root, text, tally), tally)
    words = sum(len(block.text.split()) for block in blocks)
    reads_article = access.prefers_article(words)
    if reads_article:
        tally = Tally()
        blocks = [Block(text=paragraph) for paragraph in (access.article or "").splitlines()]
    else:
        access.check(raw.name, words)
    title = find_title(root, blocks)
    blocks = without_title(blocks, title)
    return make_document(
        raw,
        blocks,
        tally,
        title=title,
        language=find_language(root),
        warnings=(*decoded.warnings, *access.warnings(reads_article=reads_article)),
        lost=(f"the page ends within {hiding}, which hides the rest of it",) if hiding else (),
    )


def find_language(root: HtmlElement) -> str | None:
    """The two-letter language that the page declares."""
    return language_code(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang"))


def find_title(root: HtmlElement, blocks: list[Block]) -> str | None:
    """The title of the text, without the name of the site."""
    metas = {
        (meta.get("name") or meta.get("property") or "").lower(): normalise(meta.get("content") or "")
        for meta in root.iter("meta")
    }
    element = next(root.iter("title"), None)
    page_title = normalise(element.text or "") if element is not None else ""
    # Some sites name themselves in it.
    named_twice = {"dc.title": page_title or metas.get("dc.title", "")}
    for key in _TITLE_METAS[:2]:
        if metas.get(key) and _is_named_in(metas[key], named_twice.get(key, metas[key])):
            return metas[key]
    shared = next((metas[key] for key in _TITLE_METAS[2:] if metas.get(key)), "")
    site = metas.get("og:site_name", "")
    opening = itertools.takewhile(
        lambda block: block.level or len(block.text.split()) < _MIN_TEXT_WORDS, blocks
    )
    for heading in reversed([block.text for block in opening if block.level]):
        # The name of the site may be a heading above.
        if _is_named_in(heading, page_title) and not _is_of_site(heading, site, shared):
            return heading
    headings = [apart(normalise(text_of(element))) for element in root.iter("h1")]
    headings = [heading for heading in headings if not _is_of_site(heading, site, shared)]
    named = [heading for heading in headings if _is_named_in(heading, page_title)]
    if named or (len(headings) == 1 and headings[0]):
        return max(named or headings, key=len)
    if shared:
        return max(_SURE_SEPARATOR.split(shared), key=len)
    parts = _SITE_SEPARATOR.split(page_title)
    return max(parts, key=len) if page_title else None


def _is_of_site(heading: str, site: str, shared: str) -> bool:
    """Whether a heading names the site rather than the text, by what is shared of the page elsewhere."""
    of_text = set(re.findall(r"\w+", shared.lower()))
    words = set(re.findall(r"\w+", heading.lower()))
    return (
        bool(of_text) and not words & of_text and (len(words) <= _MOST_OF_SITE or _is_named_in(heading, site))
    )


def without_title(blocks: list[Block], title: str | None) -> list[Block]:
    """The blocks without a first heading that repeats the title."""
    for index, block in enumerate(blocks):
        if block.level and title is not None and _letters(block.text) == _letters(title):
            return blocks[:index] + blocks[index + 1 :]
        if not block.level and len(block.text.split()) >= _MIN_TEXT_WORDS:
            break
    return blocks


def _is_named_in(heading: str, page_title: str) -> bool:
    words = set(re.findall(r"\w+", heading.lower()))
    return bool(words) and len(words & set(re.findall(r"\w+", page_title.lower()))) >= _MIN_NAMED_SHARE * len(
        words
    )


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))
