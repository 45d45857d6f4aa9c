"""The headings and paragraphs of a page in order, found in one walk over its elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lsum_cli.reading.blocks import (
    BOILERPLATE,
    CAPTIONS,
    CELL_BREAK,
    CODE,
    HIDDEN,
    MAX_TERM_WORDS,
    POSTS,
    REFERENCE_MARKS,
    Tally,
    close_holes,
    hole,
    with_colon,
)
from lsum_cli.reading.html.blocks import PageBlock
from lsum_cli.reading.html.elements import (
    chain_of,
    class_names,
    count_words,
    has_more_words,
    holds_data,
    is_code,
    is_marked_as_code,
    is_named_code,
    judged_id,
    raise_exponents,
    short_text_of,
    text_of,
)
from lsum_cli.reading.markup import end_drawings, local_name
from lsum_cli.reading.plain.code import looks_like_code
from lsum_cli.reading.sphinx import ADMONITIONS
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt"  # noqa: SIM905
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li"
    " main menu ol optgroup option p pre search section summary table tbody td tfoot th"
    " thead tr ul".split()
)
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
# Elements that are not displayed as text, or not at all.
_UNREAD_TAGS = frozenset(
    "script style template svg canvas iframe object embed audio video map annotation"  # noqa: SIM905
    " annotation-xml".split()
)
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
    r"|noprint)(?:$|\s)",
    re.I,
)
# What a style sheet hides until a script shows it; "hidden md:block" is shown on wider screens.
_HIDDEN_NAMES = regex(r"(?:^|\s)(?:hidden|is-hidden|d-none)(?:$|\s)", re.I)
_SHOWN_NAMES = regex(r"\w:(?:block|flex|grid|inline)|d-\w+-(?:block|flex|grid|inline)", re.I)
_MAX_HIDDEN_WORDS = 40
# Of a page, the share that such names make captions, or hide; where they are on more, they mean nothing.
_MAX_NAMED_SHARE = 0.2
_HIDDEN_STYLE = regex(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_ANCHOR_SIGNS = regex(r"[#¶§🔗​\s]*")
# "ISRCTN12345678 webcite": what follows a link and leads to a copy of the page that it leads to.
_ARCHIVES = regex(
    r"https?://(?:www\.)?(?:webcitation\.org|web\.archive\.org|archive\.(?:today|is|ph))/", re.I
)
_REFERENCE_MARK = regex(r"[\[(]?\s*(?:\d{1,3}|[a-z]|[*†‡§¶]+|note \d+)(?:\s*[,–-]\s*\d{1,3})*\s*[\])]?", re.I)
# Of the box of a note or warning, what it is headed by.
_BOX_TITLE_NAMES = regex(
    r"(?:^|[\s_-])(?:admonition|alert|callout|notecard)[_-]{0,2}(?:title|heading|header|label)",
    re.I,
)
# A notice that stands in the text from the beginning; others with its role come up while a page is used.
_NOTICE_NAMES = regex(
    r"(?:^|\s)alert-(?:primary|secondary|success|danger|warning|info|light|dark)(?:$|\s)", re.I
)
_DISMISSIBLE_NAMES = regex(r"dismiss|closable", re.I)
_TITLED_TAGS = frozenset([*_HEADING_LEVELS, "dt", "summary"])
_KINDS = frozenset(kind.lower() for kind in ADMONITIONS.values())
_BOX_NAMES = regex(
    r"(?:^|[\s_-])(?:admonition|alert|callout|notice|note|notecard|infobox|tip|warning|caution|danger|important|hint)",
    re.I,
)
_MAX_KIND_WORDS, _MAX_TITLE_WORDS = 2, 40
_MOST_AROUND = 4  # elements
_MAX_LEAD_WORDS = 5
_CLOSING_MARKS, _DASHES = "\"'”’»)]", ("—", "–", "―", "-")
_MIN_LED_WORDS = 4
_GLUED_PARTS = regex(r"(?<=[^\W\d_A-Z]{2}[!?])(?=[A-ZÄÖÜÉÈÀ][^\W\d_]*[ ,])")
# Deeper elements, which no author writes, are not judged by name.
_MAX_JUDGED_DEPTH = 200
_MAX_CONTAINER_SHARE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchor:
    """A heading that the navigation of a book gives an element.

    Attributes:
        title: Its words.
        level: Its depth, from 1.
    """

    title: str
    level: int


class PageWalk:
    """One walk over a tree, without recursion, however deep it is.

    Args:
        root: The element to walk; elements that are never text are removed from it.
        tally: Counts what is left out during the walk.
        whole: Take all elements as text, as in a book, whatever their names.
        anchors: Headings to insert before elements, by the elements' ids.

    Attributes:
        blocks: The headings and paragraphs in order.
        parents: For each block element its parent's index; its own is larger.
    """

    def __init__(
        self,
        root: _Element,
        tally: Tally,
        *,
        whole: bool = False,
        anchors: Mapping[str, Anchor] | None = None,
    ) -> None:
        from lxml import etree

        self._anchors = anchors or {}
        self.blocks: list[PageBlock] = []
        self.parents: list[int] = [-1]
        self._tally = tally
        self._whole = whole
        self._pieces: list[str] = []
        self._words = 0
        self._link_words = 0
        self._leads_to = ""
        self._targets: set[str] = set()
        self._links: list[str] = []  # around what is read, from outside
        self._article_depth = 0
        self._noise_depth = 0
        self._readers_depth = 0
        self._level = 0
        self._container = 0
        self._depth = 0
        self._breaks = 0
        self._data_table_depth = 0
        self._cell_depth = 0
        self._term = ""
        self._term_box: _Element | None = None
        self._lead = ""
        self._in_lead = False
        if not whole:
            end_drawings(root)
        raise_exponents(root)
        etree.strip_elements(root, *_UNREAD_TAGS, with_tail=False)
        self._page_words = count_words(root)
        self._root = root
        self._most: frozenset[_Element] | None = None
        self._little: dict[Callable[[_Element, str], bool], bool] = {}
        self._is_laid_out = not whole and self._is_mostly_preformatted(root)
        self._walk(root)

    def _walk(self, root: _Element) -> None:
        from lxml import etree

        noises: list[tuple[bool, bool]] = []
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = local_name(element)
            if event == "start":
                self._depth += 1
                if self._leave_out(element, tag):
                    walker.skip_subtree()
                    noises.append((False, False))
                    self._skipped = True
                    continue
                noisy = not self._whole and self._is_noise(element, tag)
                if noisy:
                    self._flush()  # what stands before it in the same paragraph is none of it
                of_readers = noisy and _READERS_NAMES.search(class_names(element)) is not None
                noises.append((noisy, of_readers))
                self._noise_depth += noisy
                self._readers_depth += of_readers
                anchor = self._anchors.get(element.get("id") or "") if self._anchors else None
                if anchor is not None:
                    self._flush()
                    self._add_block(anchor.title, preformatted=False, level=anchor.level)
                self._open(element, tag)
                self._append(element.text)
            else:
                self._depth -= 1
                if self._skipped:
                    self._skipped = False
                    noises.pop()
                    if tag in _BLOCK_TAGS and not self._cell_depth:
                        self._flush()
                    elif self._pieces:
                        self._pieces.append(hole(self._pieces[-1]))
                else:
                    self._close(element, tag)
                    noisy, of_readers = noises.pop()
                    self._noise_depth -= noisy
                    self._readers_depth -= of_readers
                if element is not root:
                    self._append(element.tail)
        self._flush()

    _skipped = False

    def _leave_out(self, element: _Element, tag: str) -> bool:
        """Whether the element is left out with all it contains; its words are counted here."""
        if not tag or tag == "head":
            return True
        if tag == "pre" or (tag == "table" and is_named_code(element) and element.find(".//pre") is not None):
            return self._take_preformatted(element)
        if self._is_caption(element, tag):
            self._flush()
            self._tally.add_words(CAPTIONS, count_words(element))
            return True
        if self._whole:
            return False
        kind = self._kind_left_out(element, tag)
        if kind is None:
            return False
        if kind in (HIDDEN, BOILERPLATE) and self._is_most_of_page(element):
            return False
        self._tally.add_words(kind, count_words(element))
        return True

    def _is_caption(self, element: _Element, tag: str) -> bool:
        """Whether the element is the caption of a figure; what a figure is made of otherwise is text."""
        named = tag == "figcaption" or (
            not self._whole
            and tag in ("p", "div", "span")
            and bool(_CAPTION_NAMES.search(class_names(element)))
        )
        if named:
            return not has_more_words(element, _MAX_CAPTION_WORDS) and not self._is_most_of_page(element)
        return (
            not self._whole
            and _is_named_picture(element, tag)
            and self._is_little_of_page(_is_named_picture)
            and not self._is_most_of_page(element)
        )

    def _kind_left_out(self, element: _Element, tag: str) -> str | None:
        role = (element.get("role") or "").lower()
        if (tag in _CONTROL_TAGS or role in _CONTROL_ROLES) and not (
            self._is_notice(element, role) or _is_title(element, tag)
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
            tag == "sup"
            and _REFERENCE_MARK.fullmatch(short_text_of(element).strip())
            and element.find(".//a") is not None
        ):
            return REFERENCE_MARKS
        if (
            tag == "a"
            and (element.get("href") or "").startswith("#")
            and _ANCHOR_SIGNS.fullmatch(short_text_of(element))
        ):
            return BOILERPLATE
        if tag == "a" and _leads_to_copy(element):
            return BOILERPLATE
        if tag not in _BLOCK_TAGS and names and tag != "a" and self._named_noise(names):
            return BOILERPLATE
        return None

    def _is_notice(self, element: _Element, role: str) -> bool:
        names = class_names(element)
        return (
            role == "alert"
            and self._article_depth > 0
            and _NOTICE_NAMES.search(names) is not None
            and not _DISMISSIBLE_NAMES.search(names)
        )

    def _take_preformatted(self, element: _Element) -> bool:
        text = text_of(element)
        self._flush()
        if not self._is_laid_out and (is_code(element, text) or looks_like_code(text)):
            self._tally.add(CODE, text)
        elif text.strip():
            self._add_block(text, preformatted=True)
        return True

    def _is_mostly_preformatted(self, root: _Element) -> bool:
        words = sum(count_words(pre) for pre in root.iter("pre") if not is_marked_as_code(pre))
        return words > _MAX_CONTAINER_SHARE * self._page_words

    def _is_noise(self, element: _Element, tag: str) -> bool:
        if tag not in _BLOCK_TAGS or tag in _HEADING_LEVELS or tag in ("body", "main", "article"):
            return False
        if tag == "footer" and _is_quoted(element):
            return False
        named = tag in _NOISE_TAGS or (tag == "header" and not self._article_depth)
        named = named or element.get("role") == "complementary" or self._named_noise(class_names(element))
        named = named or self._named_noise(judged_id(element, tag))
        return named and not self._is_most_of_page(element)

    def _named_noise(self, names: str) -> bool:
        return self._depth <= _MAX_JUDGED_DEPTH and bool(names) and bool(_NOISE_NAMES.search(names))

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

    def _is_most_of_page(self, element: _Element) -> bool:
        if self._depth > _MAX_JUDGED_DEPTH:
            return True
        if self._most is None:
            self._most = chain_of(self._root, _MAX_CONTAINER_SHARE * self._page_words)
        return element in self._most

    def _open(self, element: _Element, tag: str) -> None:
        if tag == "br":
            self._breaks += 1
            if self._breaks > 1 and not self._cell_depth:
                self._flush()
            else:
                self._pieces.append("\n")
            return
        if tag in ("b", "strong") and not self._words:
            self._in_lead = True
        if tag == "cite" and self._ends_quotation(element):
            self._pieces.append(" — ")
        if tag == "a":
            self._links.append(element.get("href") or "")
        elif tag in ("article", "main"):
            self._article_depth += 1
        elif tag == "table" and (self._data_table_depth or holds_data(element)):
            self._data_table_depth += 1
        if not self._is_block(element, tag):
            return
        if self._data_table_depth and tag in ("td", "th", "tbody", "thead", "tfoot"):
            self._cell_depth += tag in ("td", "th")
            return
        if self._cell_depth:  # a row is one paragraph
            self._pieces.append(" ")
            return
        self._flush()
        if tag == "footer" and self._ends_quotation(element):
            self._pieces.append("— ")
        self.parents.append(self._container)
        self._container = len(self.parents) - 1
        if tag in _HEADING_LEVELS and not _BOX_TITLE_NAMES.search(class_names(element)):
            self._level = _HEADING_LEVELS[tag]

    def _ends_quotation(self, element: _Element) -> bool:
        """Whether an element is the last of a quotation, and says after a sentence of it who says so."""
        before = normalise("".join(self._pieces))
        return (
            (not before or before.rstrip(_CLOSING_MARKS).endswith((".", "!", "?", "…")))
            and not (element.tail or "").strip()
            and _is_quoted(element)
            and not short_text_of(element).lstrip().startswith(_DASHES)
        )

    def _close(self, element: _Element, tag: str) -> None:
        if tag == "a":
            self._links.pop()
        elif tag in ("article", "main"):
            self._article_depth -= 1
        if tag in ("b", "strong") and self._in_lead:
            self._in_lead = False
            self._lead = normalise("".join(self._pieces))
        if not self._cell_depth and (
            tag == "dl" or (self._term_box is not None and element is self._term_box)
        ):
            self._flush_term()
        if tag != "br" and self._is_block(element, tag):
            if self._data_table_depth and tag in ("td", "th", "tbody", "thead", "tfoot"):
                self._cell_depth -= tag in ("td", "th")
                if tag in ("td", "th") and element.getnext() is not None:
                    self._pieces.append(CELL_BREAK)
                return
            if self._cell_depth:
                self._pieces.append(CELL_BREAK if tag == "li" and element.getnext() is not None else " ")
                return
            if 0 < self._words <= MAX_TERM_WORDS and (tag == "dt" or self._heads_box(element, tag)):
                self._take_term(of_box=tag != "dt")
                self._term_box = None if tag == "dt" else element.getparent()
            else:
                self._flush()
            self._container = self.parents[self._container]
            if tag in _HEADING_LEVELS:
                self._level = 0
        if tag == "table" and self._data_table_depth:
            self._data_table_depth -= 1

    @staticmethod
    def _is_block(element: _Element, tag: str) -> bool:
        # A custom element is a block if it contains blocks.
        return tag in _BLOCK_TAGS or (
            "-" in tag and any(local_name(child) in _BLOCK_TAGS for child in element)
        )

    def _append(self, text: str | None) -> None:
        if not text:
            return
        words = len(text.split())
        if words:
            self._breaks = 0
        self._pieces.append(text)
        self._words += words
        if self._links and words:
            self._link_words += words
            self._leads_to = self._leads_to or self._links[-1]
            self._targets.add(self._links[-1])

    def _flush(self) -> None:
        if self._words:
            text = normalise("".join(self._pieces)).strip(CELL_BREAK)
            if self._level:
                text = apart(text)
            else:
                text = _with_lead(text, self._lead)
                if self._term:
                    text, self._term = f"{with_colon(self._term)} {text}", ""
            self._add_block(close_holes(text), preformatted=False)
        self._clear()

    def _clear(self) -> None:
        self._pieces.clear()
        self._words = self._link_words = self._breaks = 0
        self._lead, self._in_lead, self._leads_to = "", False, ""
        self._targets.clear()

    def _heads_box(self, element: _Element, tag: str) -> bool:
        """Whether what has been read of an element is the title of the box that it stands in, or its kind."""
        if self._level or tag in ("li", "td", "th"):
            return False
        if _BOX_TITLE_NAMES.search(class_names(element)):
            return True
        is_kind = (
            self._words <= _MAX_KIND_WORDS and normalise("".join(self._pieces)).strip(" :!").lower() in _KINDS
        )
        around = (element, *islice(element.iterancestors(), _MOST_AROUND))
        return is_kind and any(_BOX_NAMES.search(class_names(each)) for each in around)

    def _take_term(self, *, of_box: bool) -> None:
        """Keep the term of a definition, or the title of a box, for its text; several terms may share one."""
        term = normalise("".join(self._pieces))
        if of_box:  # style sheets write many in capitals
            term = term[:1].upper() + term[1:]
        if self._term and len(f"{self._term} {term}".split()) <= MAX_TERM_WORDS:
            term = f"{self._term}, {term}"
        elif self._term:
            self._add_block(self._term, preformatted=False)
        self._term = term
        self._clear()

    def _flush_term(self) -> None:
        """A term without a definition is a paragraph."""
        self._flush()
        self._term_box = None
        term, self._term = self._term, ""
        self._add_block(term, preformatted=False)

    def _add_block(self, text: str, *, preformatted: bool, level: int = 0) -> None:
        words = len(text.split())
        if not words:
            return
        self.blocks.append(
            PageBlock(
                text=text,
                level=0 if preformatted else level or self._level,
                words=words,
                link_words=0 if preformatted else min(self._link_words, words),
                noisy=self._noise_depth > 0,
                of_readers=self._readers_depth > 0,
                preformatted=preformatted,
                container=self._container,
                leads_to="" if preformatted else self._leads_to,
                targets=frozenset() if preformatted else frozenset(self._targets),
            )
        )


def _is_quoted(element: _Element) -> bool:
    """Whether an element is of a quotation."""
    return any(local_name(each) == "blockquote" for each in islice(element.iterancestors(), _MOST_AROUND))


def _is_title(element: _Element, tag: str) -> bool:
    """Whether a control is all that a heading, a term or a summary says: it shows what stands below."""
    if tag not in ("button", "a", "div", "span", *_TITLED_TAGS):
        return False
    around = (element, *islice(element.iterancestors(), _MOST_AROUND))
    heading = next((each for each in around if local_name(each) in _TITLED_TAGS), None)
    return (
        heading is not None
        and not has_more_words(heading, _MAX_TITLE_WORDS)
        and normalise(text_of(heading)) == normalise(text_of(element))
    )


def _is_named_picture(element: _Element, tag: str) -> bool:
    """Whether an element is named after the picture in it and has no more words than its caption."""
    return (
        tag in ("div", "span")
        and bool(_PICTURE_NAMES.search(class_names(element)))
        and not has_more_words(element, _MAX_PICTURE_WORDS)
        and element.find(".//img") is not None
        and sum(1 for _ in element.iter("p", *_HEADING_LEVELS)) <= 1
    )


def _is_shown_post(element: _Element, tag: str) -> bool:
    """Whether an element shows what was posted elsewhere."""
    return tag in _BLOCK_TAGS and bool(_POST_NAMES.search(class_names(element)))


def _is_named_hidden(element: _Element, tag: str) -> bool:  # noqa: ARG001
    """Whether an element of a few words has a class that hides it."""
    names = class_names(element)
    return (
        bool(names)
        and bool(_HIDDEN_NAMES.search(names))
        and not _SHOWN_NAMES.search(names)
        and not has_more_words(element, _MAX_HIDDEN_WORDS)
    )


def apart(heading: str) -> str:
    """A heading whose parts, which only their layout set apart, have a space between: "Wow! They won"."""
    return _GLUED_PARTS.sub(" ", heading)


def _with_lead(text: str, lead: str) -> str:
    """``Term. What it means.`` as ``Term: What it means.`` where the term is a lead-in in bold.

    Its stop would make it a sentence that says nothing, and leave the next one without what it is about.
    """
    follows = text[len(lead) :]
    leads = lead.endswith(".") and not lead.endswith("..") and len(lead.split()) <= _MAX_LEAD_WORDS
    if leads and text.startswith(lead) and len(follows.split()) >= _MIN_LED_WORDS:
        return f"{lead[:-1]}:{follows}"
    return text


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
