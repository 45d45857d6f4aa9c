"""The headings and paragraphs of a page in order, found in one walk over its elements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.reading.blocks import (
    CAPTIONS,
    CELL_BREAK,
    CODE,
    MAX_TERM_WORDS,
    Tally,
    close_holes,
    hole,
    with_colon,
)
from lsum_cli.reading.html.blocks import MIN_PROSE_WORDS, PageBlock
from lsum_cli.reading.html.elements import (
    BLOCK_TAGS,
    HEADING_LEVELS,
    class_names,
    count_words,
    elements_around,
    holds_data,
    is_code,
    is_marked_as_code,
    is_named_code,
    is_quoted,
    raise_exponents,
    short_text_of,
    text_of,
)
from lsum_cli.reading.html.exclusion import ExclusionRules, holds_comments
from lsum_cli.reading.markup import end_drawings, local_name
from lsum_cli.reading.plain.code import looks_like_code
from lsum_cli.reading.questions import asks
from lsum_cli.reading.sphinx import ADMONITIONS
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

# Elements that are not displayed as text, or not at all.
_UNREAD_TAGS = frozenset(
    "script style template svg canvas iframe object embed audio video map annotation"  # noqa: SIM905
    " annotation-xml".split()
)
# Of the box of a note or warning, what it is headed by.
_BOX_TITLE_NAMES = regex(
    r"(?:^|[\s_-])(?:admonition|alert|callout|notecard)[_-]{0,2}(?:title|heading|header|label)",
    re.I,
)
_KINDS = frozenset(kind.lower() for kind in ADMONITIONS.values())
_BOX_NAMES = regex(
    r"(?:^|[\s_-])(?:admonition|alert|callout|notice|note|notecard|infobox|tip|warning|caution|danger|important|hint)",
    re.I,
)
_ITEM_TAGS, _LIST_TAGS = frozenset(["li", "dd"]), frozenset(["ul", "ol", "dl", "menu"])
_MAX_KIND_WORDS = 2
_MAX_LEAD_WORDS = 5
_CLOSING_MARKS, _DASHES = "\"'”’»)]", ("—", "–", "―", "-")
_LINE_BREAK = "\u2028"
_LEAST_BREAKS = 2
_TYPED_MARK = regex(r"[-*•·–]\s+(?=\S)")
_MIN_LED_WORDS = 4
_DEEPEST = max(HEADING_LEVELS.values())
_MAX_PREFORMATTED_SHARE = 0.5
_GLUED_PARTS = regex(r"(?<=[^\W\d_A-Z]{2}[!?])(?=[A-ZÄÖÜÉÈÀ][^\W\d_]*[ ,])")


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
        self._pieces: list[str] = []
        self._words = 0
        self._link_words = 0
        self._leads_to = ""
        self._targets: set[str] = set()
        self._links: list[str] = []  # around what is read, from outside
        self._article_depth = 0
        self._noise_depth = 0
        self._readers_depth = 0
        self._quote_depth = 0
        self._level = 0
        self._level_of_leads = 2
        self._container = 0
        self._depth = 0
        self._breaks = 0
        self._data_table_depth = 0
        self._cell_depth = 0
        self._term = ""
        self._term_box: _Element | None = None
        self._lead = ""
        self._in_lead = False
        self._opens_item = False
        self._code_above = False
        if not whole:
            end_drawings(root)
        raise_exponents(root)
        etree.strip_elements(root, *_UNREAD_TAGS, with_tail=False)
        page_words = count_words(root)
        self._rules = ExclusionRules(root, page_words, whole=whole)
        self._is_laid_out = not whole and _is_mostly_preformatted(root, page_words)
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
                noisy = self._rules.is_noise(element, tag, self._depth, in_article=self._article_depth > 0)
                if noisy:
                    self._flush()  # what stands before it in the same paragraph is none of it
                of_readers = noisy and holds_comments(element)
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
                    if tag in BLOCK_TAGS and not self._cell_depth:
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
        if self._rules.is_caption(element, tag, self._depth):
            self._flush()
            self._tally.add_words(CAPTIONS, count_words(element))
            return True
        kind = self._rules.kind_left_out(element, tag, self._depth, in_article=self._article_depth > 0)
        if kind is None:
            return False
        self._tally.add_words(kind, count_words(element))
        return True

    def _take_preformatted(self, element: _Element) -> bool:
        text = text_of(element)
        self._flush()
        if not self._is_laid_out and (is_code(element, text) or looks_like_code(text)):
            self._tally.add(CODE, text)
            self._code_above = True
        elif text.strip():
            self._add_block(text, preformatted=True)
        return True

    def _open(self, element: _Element, tag: str) -> None:
        if tag == "br":
            self._breaks += 1
            if self._breaks > 1 and not self._cell_depth:
                self._flush()
            else:
                self._pieces.append(_LINE_BREAK + "\n")
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
        self._opens_item = tag in _ITEM_TAGS or (self._opens_item and tag not in _LIST_TAGS)
        if tag == "footer" and self._ends_quotation(element):
            self._pieces.append("— ")
        self.parents.append(self._container)
        self._container = len(self.parents) - 1
        self._quote_depth += tag == "blockquote"
        if (
            tag in HEADING_LEVELS
            and not _BOX_TITLE_NAMES.search(class_names(element))
            and not self._names_kind(element)
        ):
            self._level = HEADING_LEVELS[tag]
            self._level_of_leads = min(self._level + 1, _DEEPEST)

    @staticmethod
    def _names_kind(heading: _Element) -> bool:
        """Whether a heading only says that the box that it stands in is a note, a warning and the like."""
        parent = heading.getparent()
        return (
            parent is not None
            and normalise(short_text_of(heading)).strip(" :!").lower() in _KINDS
            and _BOX_NAMES.search(class_names(parent)) is not None
        )

    def _ends_quotation(self, element: _Element) -> bool:
        """Whether an element is the last of a quotation, and says after a sentence of it who says so."""
        before = normalise("".join(self._pieces))
        return (
            (not before or before.rstrip(_CLOSING_MARKS).endswith((".", "!", "?", "…")))
            and not (element.tail or "").strip()
            and is_quoted(element)
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
            # A question in a list is no term, but in contents: what answers it stands apart.
            is_linked = 2 * self._link_words > self._words
            is_term = tag == "dt" and (is_linked or not asks("".join(self._pieces).strip()))
            if 0 < self._words <= MAX_TERM_WORDS and (is_term or self._heads_box(element, tag)):
                self._take_term(of_box=tag != "dt")
                self._term_box = None if tag == "dt" else element.getparent()
            else:
                self._flush()
            self._container = self.parents[self._container]
            self._quote_depth -= tag == "blockquote"
            if tag in _ITEM_TAGS:
                self._opens_item = False
            if tag in HEADING_LEVELS:
                self._level = 0
        if tag == "table" and self._data_table_depth:
            self._data_table_depth -= 1

    @staticmethod
    def _is_block(element: _Element, tag: str) -> bool:
        # A custom element is a block if it contains blocks.
        return tag in BLOCK_TAGS or ("-" in tag and any(local_name(child) in BLOCK_TAGS for child in element))

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
            written = "".join(self._pieces)
            first, *entries = [""] if self._level else _entries(written)
            if not entries and not self._level and _heads_lines(self._lead, written):
                self._add_block(close_holes(self._lead), preformatted=False, level=self._level_of_leads)
                written = written.lstrip().partition(_LINE_BREAK)[2]
            whole = first if entries else written.replace(_LINE_BREAK, "")
            text = normalise(whole).strip(CELL_BREAK)
            if self._level:
                text = apart(text)
            else:
                text = _with_lead(text, self._lead)
                if self._term:
                    text, self._term = f"{with_colon(self._term)} {text}", ""
            is_bold = text == self._lead and _reads_as_heading(text) and not self._opens_item
            self._add_block(
                close_holes(text),
                preformatted=False,
                is_item=self._opens_item,
                may_be_level=self._level_of_leads if is_bold and not self._level else 0,
            )
            self._opens_item = False
            for entry in entries:
                self._add_block(close_holes(entry), preformatted=False, is_item=True)
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
        around = (element, *elements_around(element))
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

    def _add_block(
        self, text: str, *, preformatted: bool, level: int = 0, is_item: bool = False, may_be_level: int = 0
    ) -> None:
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
                is_item=is_item and not self._level,
                is_quoted=self._quote_depth > 0,
                follows_code=self._code_above,
                may_be_level=may_be_level,
            )
        )
        self._code_above = False


def _is_mostly_preformatted(root: _Element, page_words: int) -> bool:
    words = sum(count_words(pre) for pre in root.iter("pre") if not is_marked_as_code(pre))
    return words > _MAX_PREFORMATTED_SHARE * page_words


def _entries(text: str) -> list[str]:
    """The entries of a list that is typed in lines of one paragraph, after what leads to them, if it is one.

    Its lines begin with marks, or stand below a line that ends with a colon and begin with capitals.
    """
    if text.count(_LINE_BREAK) < _LEAST_BREAKS:
        return [text]
    lines = [line for part in text.split(_LINE_BREAK) if (line := normalise(part))]
    marked = [_TYPED_MARK.match(line) is not None for line in lines]
    if sum(marked) > 1:
        entries: list[str] = []
        for line, is_marked in zip(lines, marked, strict=True):
            if is_marked or not entries:
                # Dashes within an entry are of its text.
                entries.append(_TYPED_MARK.sub("", line, count=1) if is_marked else line)
            else:
                entries[-1] += f" {line}"
        return entries
    below = lines[1:]
    if len(below) > 1 and lines[0].endswith(":") and not any(line[0].islower() for line in below):
        return lines
    return [text]


def _reads_as_heading(text: str) -> bool:
    """Whether words in bold have the form of a heading."""
    return text[:1].isupper() and text[-1].isalnum() and len(text.split()) <= MAX_TERM_WORDS


def _heads_lines(lead: str, written: str) -> bool:
    """Whether words in bold, alone in the first line of a paragraph, are the heading of what it says."""
    line, _, below = written.lstrip().partition(_LINE_BREAK)
    return (
        _reads_as_heading(lead)
        and normalise(line) == lead
        and len(below.split()) >= MIN_PROSE_WORDS
        and ends_with_stop(normalise(below))
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
