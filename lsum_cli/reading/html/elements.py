"""What one element of a page says and is: its words, its names, whether it is code, data or a layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from lsum_cli.reading.markup import local_name
from lsum_cli.reading.reference_marks import exponent
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import is_complete, normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt"  # noqa: SIM905
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li"
    " main menu ol optgroup option p pre search section summary table tbody td tfoot th"
    " thead tr ul".split()
)
HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_CODE_NAMES = regex(
    r"(?:^|[\s_-])(?:code|highlight|language|lang|sourcecode|prettyprint|literal-block|terminal|syntax)", re.I
)
# What DocBook and Texinfo name an element of preformatted text; elsewhere such names say nothing.
_LISTING_NAMES = regex(
    r"(?:^|\s)(?:programlisting|screen|(?:cmd)?synopsis|(?:small)?(?:example|lisp))(?:$|\s)", re.I
)
# What has an exponent: a number, a bracket, a variable or a unit.
_BASE = regex(r"[\d)\]]$|(?<![^\W\d_])[^\W\d_]{1,2}$")
_MAX_BASE_CHARACTERS = 4
_MAX_CELL_WORDS = 40
# Marks with the white space around them; an element of many may hold, level by level, the whole page.
_MAX_MARK_CHARACTERS = 1_000
_NO_MARK = "text"
_MAX_ID_PARTS = 3
_MOST_AROUND = 4


def is_code(element: _Element, text: str) -> bool:
    """Whether preformatted text is code rather than, for example, a letter or a specification."""
    return is_marked_as_code(element) or not reads_as_prose(text)


def is_marked_as_code(element: _Element) -> bool:
    """Whether preformatted text or the element around it says that it is code."""
    parent = element.getparent()
    is_named = is_named_code(element) or (parent is not None and is_named_code(parent))
    return (
        is_named
        or _LISTING_NAMES.search(class_names(element)) is not None
        or element.find(".//code") is not None
    )


def is_named_code(element: _Element) -> bool:
    """Whether a class of the element has a name of code."""
    return _CODE_NAMES.search(class_names(element)) is not None


def reads_as_prose(text: str) -> bool:
    """Whether preformatted text consists of sentences, or of verse, rather than code or drawings."""
    tokens = text.split()
    wordlike = sum(1 for token in tokens if _WORDLIKE.fullmatch(token))
    if len(tokens) < _MIN_PROSE_TOKENS:
        # A few words, or a language that sets no spaces between them.
        return wordlike == len(tokens) and is_complete(normalise(text))
    return wordlike > _MIN_WORDLIKE_SHARE * len(tokens)


# Languages that set no spaces have their punctuation within what is between two.
_WORDLIKE = regex(
    r"[\"'“‘(\[「『《]*[^\W\d_]+(?:(?:['’-]|[，。、；：？！「」『』《》“”]+)[^\W\d_]+)*[.,;:!?\"'”’)\]，。、；：？！」』》…]*"
)
_MIN_WORDLIKE_SHARE = 0.7
_MIN_PROSE_TOKENS = 12


def class_names(element: _Element) -> str:
    """The names of the element's classes, as far as anybody writes them."""
    return (element.get("class") or "")[:1000]


def judged_id(element: _Element, tag: str) -> str:
    """The id where it names a part of the page; the id of a section is derived from its heading."""
    name = element.get("id") or ""
    is_of_heading = (
        tag == "section"
        or "section" in class_names(element)
        or len(re.split(r"[\s_-]+", name)) > _MAX_ID_PARTS
    )
    return "" if is_of_heading else name


def text_of(element: _Element) -> str:
    """All text in an element."""
    return "".join(str(piece) for piece in element.itertext())


def short_text_of(element: _Element) -> str:
    """All text in an element that may be a mark; of a longer one only enough to show that it is none."""
    text = ""
    for piece in element.itertext():
        text += str(piece)
        if len(text) > _MAX_MARK_CHARACTERS:
            return _NO_MARK
    return text


def has_more_words(element: _Element, number: int) -> bool:
    """Whether an element has more than ``number`` words; looks no further than these."""
    words, in_word = 0, False
    for piece in map(str, element.itertext()):
        found = piece.split()
        words += len(found) - (in_word and bool(found) and not piece[0].isspace())
        if words > number:
            return True
        in_word = not piece[-1].isspace() if piece else in_word
    return False


def raise_exponents(root: _Element) -> None:
    """Write exponents as superscript characters: "10<sup>5</sup>" is not 105.

    What is raised after a word may be the mark of a note, and is left as it is.
    """
    for element in root.iter("sup"):
        if len(element) or (raised := exponent((element.text or "").strip())) is None:
            continue
        previous, parent = element.getprevious(), element.getparent()
        before = previous.tail if previous is not None else parent.text if parent is not None else None
        if _BASE.search((before or "")[-_MAX_BASE_CHARACTERS:]):
            element.text = raised


def chain_of(root: _Element, words: float) -> frozenset[_Element]:
    """The elements of more than so many words, found in one pass, where that is half of all words or more."""
    from lxml import etree

    found: list[_Element] = []
    counted, in_word = 0, False

    def count(text: str | None) -> None:
        nonlocal counted, in_word
        if text:
            counted += len(text.split()) - (in_word and not text[0].isspace())
            in_word = not text[-1].isspace()

    begun: list[int] = []
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            begun.append(counted)
            count(element.text)
            continue
        if event == "end" and counted - begun.pop() > words:
            found.append(element)
        if element is not root:
            count(element.tail)
    return frozenset(found)


def count_words(element: _Element) -> int:
    """The number of words in an element."""
    # Counting piece by piece would count each letter of a drop cap as a word.
    return len(text_of(element).split())


def holds_data(table: _Element) -> bool:
    """Whether a table contains data, rather than being used for page layout.

    Lists in its cells are values where cells with headings say of what ("Founders"), else they are menus.
    """
    if table.get("role") == "presentation":
        return False
    cells, has_headings, has_lists = 0, False, False
    for element in table.iter("td", "th", "table", "h1", "h2", "h3", "pre", "ul", "ol"):
        if element is table:
            continue
        if element.tag in ("ul", "ol"):
            has_lists = True
            continue
        if element.tag not in ("td", "th"):
            return False
        cells += 1
        has_headings |= element.tag == "th"
        if has_more_words(element, _MAX_CELL_WORDS):
            return False
    return cells > 1 and (has_headings or not has_lists)


def elements_around(element: _Element) -> Iterator[_Element]:
    """The few elements that are directly around one, from inside."""
    return islice(element.iterancestors(), _MOST_AROUND)


def is_quoted(element: _Element) -> bool:
    """Whether an element is of a quotation."""
    return any(local_name(each) == "blockquote" for each in elements_around(element))
