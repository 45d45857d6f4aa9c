"""Which elements of a page are not its text: by tags, roles and names, and by how much of it they hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsum_cli.reading.blocks import AUTHOR_LINE, BOILERPLATE, HIDDEN, POSTS, REFERENCE_MARKS
from lsum_cli.reading.html.elements import (
    BLOCK_TAGS,
    HEADING_LEVELS,
    chain_of,
    class_names,
    count_words,
    elements_around,
    has_more_words,
    is_quoted,
    judged_id,
    short_text_of,
    text_of,
)
from lsum_cli.reading.markup import local_name
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTROL_TAGS = frozenset(
    "nav button select datalist textarea input noscript dialog menu search progress meter".split()  # noqa: SIM905
)
_CONTROL_ROLES = frozenset(
    "navigation banner contentinfo search dialog alertdialog alert menu menubar tablist"  # noqa: SIM905
    " toolbar button".split()
)
_NOISE_TAGS = frozenset(["aside", "footer", "form"])
# Common parts of class names and ids of elements that are not the text of the page.
_NOISE_NAMES = regex(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|navbox|menu|breadcrumbs?|sidebar|sidenav|toc|tableofcontents|footer|masthead"
    r"|cookies?|consent|gdpr|popup|modal|newsletter|subscribe|subscription|signup|paywall|promo|promotion|advert|adverts"
    r"|advertisement|ads|sponsor|sponsored|share|sharing|sharebar|social|addthis|recommended|recommendations?|outbrain|taboola"
    r"|more-stories|related-(?:articles?|posts?|stories|content|links?|topics)|relatedposts|most-read|trending"
    r"|comments?|comment-?list|disqus|respond|pagination|pager|skip|skiplink|editsection|noprint|catlinks|printfooter"
    r"|taglist|tag-list|tagcloud|copyright|widget|toolbar|metadata|ambox|mbox|siteSub|jump-to-nav|byline-share|ad-feedback"
    r"|author[_-]?(?:bio|box|card|details|info(?:container)?|position|profile)|(?:about|meet)[_-]?(?:the[_-]?)?author"
    r"|slideshow|carousel|next-?(?:stor(?:y|ies)|posts?)"
    r"|print-only|usernav|login|pg-boilerplate|siteheader|site-header|page-header-nav|prev-next|prevnext|rellinks|backlinks)(?:$|[\s_-])",
    re.I,
)
_READERS_NAMES = regex(r"(?:^|[\s_-])comments?(?:$|[\s_-])", re.I)
# Names of captions; those of tables are elements of their own.
_CAPTION_NAMES = regex(
    r"(?:^|[\s_-])(?:(?:image|img|photo|picture|figure|media|video|gallery|wp)[_-]{0,2}(?:captions?|credits?|description|legend)(?:[_-]?text(?:container)?|[_-]?inner)?"
    r"|figcaption|caption-text|caption__text|mediacaption|imagecaption|photocredit|thumbcaption)(?:$|[\s_-])",
    re.I,
)
# What tables have as well, and then it is read.
_CAPTION_NAME = regex(r"(?:^|\s)caption(?:$|\s)", re.I)
_MAX_CAPTION_WORDS = 150
# A container named after the picture in it holds its caption, unless that is a text.
_PICTURE_NAMES = regex(r"(?:^|[\s_-])(?:image|img|photo|picture|bild|foto)(?:$|[\s_-])", re.I)
_MAX_PICTURE_WORDS = 45
# What somebody else posted on a social network, shown within a page by that network's script.
_POST_NAMES = regex(
    r"(?:^|\s)(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|fb-post|bluesky-embed|mastodon-embed"
    r"|reddit-(?:embed-bq|card)|text-post-media)(?:$|\s)",
    re.I,
)
_SCREEN_READER_NAMES = regex(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text)?|assistive-text|mw-editsection|headerlink"
    r"|header-anchor|heading-anchor|permalink|anchor-link|anchorjs-link|self-link|selflink|paragraph-link"
    # What leads from the documentation of a function to its source, by Sphinx and RDoc.
    r"|noprint|viewcode-link|method-click-advice)(?:$|\s)",
    re.I,
)
# What programs that make pages name the lines below a title, which they set as headings.
_AUTHOR_NAMES = regex(r"(?:author|editor|collab|pubdate|affiliation)s?")
# What a style sheet hides until a script shows it; "hidden md:block" is shown on wider screens.
_HIDDEN_NAMES = regex(r"(?:^|\s)(?:hidden|is-hidden|d-none)(?:$|\s)", re.I)
_SHOWN_NAMES = regex(r"\w:(?:block|flex|grid|inline)|d-\w+-(?:block|flex|grid|inline)", re.I)
_MAX_HIDDEN_WORDS = 40
# Of a page, the share that such names make captions, or hide; where they are on more, they mean nothing.
_MAX_NAMED_SHARE = 0.2
_HIDDEN_STYLE = regex(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_ANCHOR_SIGNS = regex(r"[#¶§🔗​\s]*")
# What links to the source of a paragraph, and says nothing.
_ANCHOR_SIGN = regex(r"\s*[¶§]\s*")
# "ISRCTN12345678 webcite": what follows a link and leads to a copy of the page that it leads to.
_ARCHIVES = regex(
    r"https?://(?:www\.)?(?:webcitation\.org|web\.archive\.org|archive\.(?:today|is|ph))/", re.I
)
_REFERENCE_MARK = regex(r"[\[(]?\s*(?:\d{1,3}|[a-z]|[*†‡§¶]+|note \d+)(?:\s*[,–-]\s*\d{1,3})*\s*[\])]?", re.I)
# What marks a note, and leads back from it, by role, type, relation and name.
_NOTE_SIGNS = regex(
    r"(?:^|\s)(?:doc-noteref|noteref|footnote|footnote-?ref|fnref|footnote-reference|reference-mark)(?:$|\s)",
    re.I,
)
_BACK_SIGNS = regex(
    r"(?:^|\s)(?:doc-backlink|backlink|footnote-back(?:ref|link)?|fn-?backref|reversefootnote)(?:$|\s)", re.I
)
_BACK_MARKS = regex(r"[\s\[(]*[↩↵⏎↑⤴⮌^←]+[\ufe0e\ufe0f\s\])]*")
_SIGN_ATTRIBUTES = ("role", "rel", "epub:type", "{http://www.idpf.org/2007/ops}type")
_LONGEST_BACK_MARK = 12
# A notice that stands in the text from the beginning; others with its role come up while a page is used.
_NOTICE_NAMES = regex(
    r"(?:^|\s)alert-(?:primary|secondary|success|danger|warning|info|light|dark)(?:$|\s)", re.I
)
_DISMISSIBLE_NAMES = regex(r"dismiss|closable", re.I)
# Where a link leads to in a book of pages, by its relation.
_NEIGHBOURS = frozenset(["next", "prev", "previous", "up"])
_PLACES = _NEIGHBOURS | {"contents", "index", "start", "home", "top", "first", "last"}
# What Texinfo writes between these links, below a page without their relations.
_SAYS_WAY = regex(r"(?:Next|Prev(?:ious)?|Up):(?: , (?:Next|Prev(?:ious)?|Up):){0,2}[ \[\]]*")
_MAX_WAY_WORDS = 60
_MAX_WORDS_BETWEEN = 10
# What programs that make books of pages, DocBook and Doxygen, put above and below each of them.
_FRAME_NAMES = regex(r"(?:^|\s)(?:nav(?:header|footer)|titlearea)(?:$|\s)", re.I)
# What DocBook puts below the title of a book: who wrote it, and its licence.
_AUTHORS_NAME = regex(r"(?:^|\s)authorgroup(?:$|\s)", re.I)
_LICENCE_NAME = regex(r"(?:^|\s)legalnotice(?:$|\s)", re.I)
# Some give what they say of their subject the name of a licence.
_OF_RIGHTS = regex(
    r"\bcop(?:y|ies|ied|ying)\b|distribut|licen[cs]|lizen[cz]|licenza|licencia|лиценз"
    r"|copyright|©|permission|permitted|warrant|trademark|erlaubnis|droits|derechos|diritti|прав[ао]",
    re.I,
)
_TITLED_TAGS = frozenset([*HEADING_LEVELS, "dt", "summary"])
_MAX_TITLE_WORDS = 40
# Deeper elements, which no author writes, are not judged by name.
_MAX_JUDGED_DEPTH = 200
_MAX_CONTAINER_SHARE = 0.5


class ExclusionRules:
    """Judges the elements of a page, as a walk comes to them.

    Args:
        root: The page.
        page_words: The words of it.
        whole: Whether all elements are text, as in a book, whatever their names.
    """

    def __init__(self, root: _Element, page_words: int, *, whole: bool) -> None:
        self._root, self._page_words, self._whole = root, page_words, whole
        self._most: frozenset[_Element] | None = None
        self._little: dict[Callable[[_Element, str], bool], bool] = {}

    def is_caption(self, element: _Element, tag: str, depth: int) -> bool:
        """Whether the element is the caption of a figure; what a figure is made of otherwise is text."""
        named = tag == "figcaption" or (
            not self._whole
            and tag in ("p", "div", "span")
            and (bool(_CAPTION_NAMES.search(class_names(element))) or _is_below_picture(element))
        )
        if named:
            return not has_more_words(element, _MAX_CAPTION_WORDS) and not self._is_most_of_page(
                element, depth
            )
        return (
            not self._whole
            and _is_named_picture(element, tag)
            and self._is_little_of_page(_is_named_picture)
            and not self._is_most_of_page(element, depth)
        )

    def kind_left_out(self, element: _Element, tag: str, depth: int, *, in_article: bool) -> str | None:
        """As what an element is left out with all it contains; ``None`` for one that is read.

        Args:
            tag: Its name.
            depth: How many elements it is in.
            in_article: Whether it is in the article of the page.
        """
        if tag in ("a", "sup") and _marks_note(element, tag):
            return REFERENCE_MARKS
        if tag in BLOCK_TAGS and (names := class_names(element)):
            # A chapter of a book of many authors may be headed by the name of one.
            if (
                tag in HEADING_LEVELS
                and _AUTHOR_NAMES.fullmatch(names)
                and (not self._whole or _stands_below_heading(element))
            ):
                return AUTHOR_LINE
            # A page of the licence alone has that to tell; in a book, its front page has the title too.
            if _is_imprint(element, names) and (self._whole or not self._is_most_of_page(element, depth)):
                return BOILERPLATE
        if self._whole:
            return None
        kind = self._kind_left_out(element, tag, depth, in_article)
        return None if kind in (HIDDEN, BOILERPLATE) and self._is_most_of_page(element, depth) else kind

    def _kind_left_out(self, element: _Element, tag: str, depth: int, in_article: bool) -> str | None:
        role = (element.get("role") or "").lower()
        if (tag in _CONTROL_TAGS or role in _CONTROL_ROLES) and not (
            (in_article and _is_notice(element, role)) or _is_title(element, tag)
        ):
            return BOILERPLATE
        if "hidden" in element.attrib or _HIDDEN_STYLE.search(element.get("style") or ""):
            return HIDDEN
        names = class_names(element)
        if names and _SCREEN_READER_NAMES.search(names):
            return BOILERPLATE
        if _is_named_hidden(element, tag) and self._is_little_of_page(_is_named_hidden):
            return HIDDEN
        if _is_shown_post(element, tag) and self._is_little_of_page(_is_shown_post):
            return POSTS
        if (
            tag == "a"
            and (element.get("href") or "").startswith("#")
            and _ANCHOR_SIGNS.fullmatch(short_text_of(element))
        ):
            return BOILERPLATE
        if tag in BLOCK_TAGS and (
            _FRAME_NAMES.search(f"{names} {element.get('id') or ''}") or _leads_through(element)
        ):
            return BOILERPLATE
        if tag == "a" and (_leads_to_source(element) or _leads_to_copy(element)):
            return BOILERPLATE
        if tag not in BLOCK_TAGS and names and tag != "a" and _is_named_noise(names, depth):
            return BOILERPLATE
        return None

    def is_noise(self, element: _Element, tag: str, depth: int, *, in_article: bool) -> bool:
        """Whether an element has a tag or name of boilerplate, so that little of it is likely to be text."""
        if self._whole:
            return False
        if tag not in BLOCK_TAGS or tag in HEADING_LEVELS or tag in ("body", "main", "article"):
            return False
        if tag == "footer" and is_quoted(element):
            return False
        named = tag in _NOISE_TAGS or (tag == "header" and not in_article)
        named = (
            named or element.get("role") == "complementary" or _is_named_noise(class_names(element), depth)
        )
        named = named or _is_named_noise(judged_id(element, tag), depth)
        return named and not self._is_most_of_page(element, depth)

    def _is_little_of_page(self, is_named: Callable[[_Element, str], bool]) -> bool:
        """Whether all the elements that are named so hold little of the words of the page."""
        from lxml import etree

        if is_named not in self._little:
            words = 0
            walker = etree.iterwalk(self._root, events=("start",))
            for _, element in walker:
                if is_named(element, local_name(element)):
                    words += count_words(element)
                    walker.skip_subtree()
            self._little[is_named] = words <= _MAX_NAMED_SHARE * self._page_words
        return self._little[is_named]

    def _is_most_of_page(self, element: _Element, depth: int) -> bool:
        if depth > _MAX_JUDGED_DEPTH:
            return True
        if self._most is None:
            self._most = chain_of(self._root, _MAX_CONTAINER_SHARE * self._page_words)
        return element in self._most


def holds_comments(element: _Element) -> bool:
    """Whether an element is named after what readers say."""
    return _READERS_NAMES.search(class_names(element)) is not None


def _is_named_noise(names: str, depth: int) -> bool:
    return depth <= _MAX_JUDGED_DEPTH and bool(names) and bool(_NOISE_NAMES.search(names))


def _is_notice(element: _Element, role: str) -> bool:
    names = class_names(element)
    return (
        role == "alert" and _NOTICE_NAMES.search(names) is not None and not _DISMISSIBLE_NAMES.search(names)
    )


def _is_title(element: _Element, tag: str) -> bool:
    """Whether a control is all that a heading, a term or a summary says: it shows what stands below."""
    if tag not in ("button", "a", "div", "span", *_TITLED_TAGS):
        return False
    around = (element, *elements_around(element))
    heading = next((each for each in around if local_name(each) in _TITLED_TAGS), None)
    return (
        heading is not None
        and not has_more_words(heading, _MAX_TITLE_WORDS)
        and normalise(text_of(heading)) == normalise(text_of(element))
    )


def _is_imprint(element: _Element, names: str) -> bool:
    """Whether an element holds the authors of a book, or its licence."""
    return _AUTHORS_NAME.search(names) is not None or (
        _LICENCE_NAME.search(names) is not None and _OF_RIGHTS.search(text_of(element)) is not None
    )


def _stands_below_heading(element: _Element) -> bool:
    """Whether what stands directly above an element is a heading, with little text."""
    for box in (element, *elements_around(element)):
        for above in box.itersiblings(preceding=True):
            if has_more_words(above, 0):
                is_title = any(local_name(each) in HEADING_LEVELS for each in above.iter())
                return is_title and not has_more_words(above, _MAX_TITLE_WORDS)
    return False


def _is_named_picture(element: _Element, tag: str) -> bool:
    """Whether an element is named after the picture in it and has no more words than its caption."""
    return (
        tag in ("div", "span")
        and bool(_PICTURE_NAMES.search(class_names(element)))
        and not has_more_words(element, _MAX_PICTURE_WORDS)
        and element.find(".//img") is not None
        and sum(1 for _ in element.iter("p", *HEADING_LEVELS)) <= 1
    )


def _is_below_picture(element: _Element) -> bool:
    """Whether an element is named a caption and stands in a box after a picture, and after nothing else."""
    if _CAPTION_NAME.search(class_names(element)) is None:
        return False
    before = list(element.itersiblings(preceding=True))
    return any(each.tag == "img" or each.find(".//img") is not None for each in before) and not any(
        (text_of(each) + (each.tail or "")).strip() for each in before
    )


def _is_shown_post(element: _Element, tag: str) -> bool:
    """Whether an element shows what was posted elsewhere."""
    return tag in BLOCK_TAGS and bool(_POST_NAMES.search(class_names(element)))


def _is_named_hidden(element: _Element, tag: str) -> bool:  # noqa: ARG001
    """Whether an element of a few words has a class that hides it."""
    names = class_names(element)
    return (
        bool(names)
        and bool(_HIDDEN_NAMES.search(names))
        and not _SHOWN_NAMES.search(names)
        and not has_more_words(element, _MAX_HIDDEN_WORDS)
    )


def _leads_through(element: _Element) -> bool:
    """Whether an element leads to the pages before, after and above this one: "Next: Dams, Up: Rivers"."""
    relations = [(child.get("rel") or "").lower() for child in element if local_name(child) == "a"]
    # Between the links stand a few words, no sentence that leads on.
    between = " ".join([element.text or "", *(child.tail or "" for child in element)]).split()
    is_way = not _NEIGHBOURS.isdisjoint(relations) and _PLACES.issuperset(relations)
    return (
        bool(relations)
        and len(between) <= _MAX_WORDS_BETWEEN
        and (is_way or _SAYS_WAY.fullmatch(" ".join(between)) is not None)
        and not has_more_words(element, _MAX_WAY_WORDS)
    )


def _leads_to_source(element: _Element) -> bool:
    """Whether a link is a sign alone, before or after a text; "under § 12" goes on with its number."""
    if not element.get("href") or _ANCHOR_SIGN.fullmatch(short_text_of(element)) is None:
        return False
    after = (element.tail or "").strip()
    if not after and element.getnext() is None:
        return True
    parent = element.getparent()
    begins = parent is not None and element.getprevious() is None and not (parent.text or "").strip()
    return begins and bool(after) and not after[0].isdigit()


def _leads_to_copy(element: _Element) -> bool:
    """Whether a link of one word directly after another leads to an archived copy of what that leads to."""
    if _ARCHIVES.match(element.get("href") or "") is None:
        return False
    before = element.getprevious()
    return (
        before is not None
        and before.tag == "a"
        and not (before.tail or "").strip()
        and len(short_text_of(element).split()) == 1
    )


def _marks_note(element: _Element, tag: str) -> bool:
    """Whether an element is the mark of a note, or what leads back from the note to it."""
    text = short_text_of(element).strip()
    if tag == "sup":
        return _REFERENCE_MARK.fullmatch(text) is not None and element.find(".//a") is not None
    signs = " ".join([*(element.get(name) or "" for name in _SIGN_ATTRIBUTES), class_names(element)])
    if _BACK_SIGNS.search(signs):
        return len(text) <= _LONGEST_BACK_MARK
    if "#" in (element.get("href") or "") and _BACK_MARKS.fullmatch(text):
        return True
    return _REFERENCE_MARK.fullmatch(text) is not None and (
        _NOTE_SIGNS.search(signs) is not None
        or (len(element) == 1 and local_name(element[0]) == "sup" and not (element.text or "").strip())
    )
