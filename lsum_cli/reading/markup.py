"""HTML and XML trees from untrusted text: no entity expansion, no network, bounded size and depth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsum_cli.errors import SourceError
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement

# An element costs some 300 bytes of memory; the longest pages in use hold a few hundred thousand.
MAX_ELEMENTS = 500_000
_MOST_DIGITS = 9

_ENDLESS_TAG = regex(r"<([A-Za-z][\w:-]*+)\s[^<>]{65536,}+>")
_TOO_DEEP = "Excessive depth"
_HIDING_ELEMENTS = ("script", "style", "iframe", "textarea", "title", "xmp", "noframes")
_HIDING = regex(rf"<(?:!--|(?P<name>{'|'.join(_HIDING_ELEMENTS)})\b)", re.I)
_CLOSINGS = {name: regex(rf"</{name}\b", re.I) for name in _HIDING_ELEMENTS} | {"": regex("-->")}
_TAG_START = regex(r"<[A-Za-z/!?]")
# What ends a drawing that is not closed, as browsers read a page; within the others it is part of it.
_ENDS_DRAWING = frozenset(
    "b big blockquote center code dd div dl dt em h1 h2 h3 h4 h5 h6 i li ol p pre s small span"  # noqa: SIM905
    " strike strong sub sup table tt u ul".split()
)
_TEXT_IN_DRAWING = frozenset(["foreignobject", "desc", "title"])


def clean_html(text: str) -> str:
    """A page without zero bytes and without the attributes of tags that are absurdly long.

    Embedded images fill such tags; thousands of attributes make parsers slow.
    """
    return _ENDLESS_TAG.sub(r"<\1>", text.replace("\x00", ""))


def ends_within(text: str) -> str | None:
    """What a page ends within that hides all that follows: ``"a comment"``; ``None`` for a whole page."""
    position = 0
    while (opening := _HIDING.search(text, position)) is not None:
        name = (opening["name"] or "").lower()
        closing = _CLOSINGS[name].search(text, opening.start() + 2)
        if closing is None:
            return f"a <{name}> element" if name else "a comment"
        position = closing.end()
    return "a tag" if _TAG_START.search(text, text.rfind(">") + 1) else None


def parse_html(text: str, name: str) -> HtmlElement | None:
    """Parse a page leniently, as browsers do.

    Args:
        text: The page, decoded and cleaned.
        name: The source's name, for messages.

    Returns:
        The root element, or ``None`` where there is no element.

    Raises:
        SourceError: The page holds more elements than memory allows, or nests them too deeply.
    """
    from lxml import etree
    from lxml.html import HTMLParser

    if text.count("<") > 2 * MAX_ELEMENTS:
        raise SourceError(f"{name} contains more than {MAX_ELEMENTS:,} elements", "split it into parts")
    # huge_tree lifts the limits on text and depth, which would otherwise truncate a page silently;
    # HTML has no entities but named characters, so none can expand without limit.
    parser = HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except etree.LxmlError:
        root = None
    if any(_TOO_DEEP in entry.message for entry in parser.error_log):
        raise SourceError(f"{name} nests its elements too deeply", "check that it is the right file")
    if root is not None:
        _take_in_what_follows(root)
    return root


def _take_in_what_follows(root: HtmlElement) -> None:
    """Move what follows ``</html>`` into the page, as browsers do; the parser makes other trees of it."""
    place = next(root.iterchildren("body"), root)
    for other in list(root.itersiblings()):
        if isinstance(other.tag, str):
            other.tag = "div"
            place.append(other)


def end_drawings(root: _Element) -> None:
    """Take out of each drawing what follows its end, which the parser knows only where it is closed."""
    from lxml import etree

    waiting = [root]
    while waiting:
        drawings = []
        walker = etree.iterwalk(waiting.pop(), events=("start",))
        for _, element in walker:
            if element.tag == "svg":
                drawings.append(element)
                walker.skip_subtree()
        for drawing in drawings:
            found = _what_ends(drawing)
            if found is None or drawing.getparent() is None:
                continue
            after = [found, *found.itersiblings()]
            for outer in found.iterancestors():
                if outer is drawing:
                    break
                after[-1].tail = (after[-1].tail or "") + (outer.tail or "")
                outer.tail = None
                after += outer.itersiblings()
            # The tail of the drawing stays behind all that is put between.
            for element in reversed(after):
                drawing.addnext(element)
            waiting += after


def _what_ends(drawing: _Element) -> _Element | None:
    from lxml import etree

    walker = etree.iterwalk(drawing, events=("start",))
    for _, element in walker:
        if element.tag in _ENDS_DRAWING:
            ending: _Element = element
            return ending
        if element.tag in _TEXT_IN_DRAWING:
            walker.skip_subtree()
    return None


def parse_xml(content: bytes, name: str) -> _Element:
    """Parse a member of an archive strictly.

    Args:
        content: The bytes of the XML text.
        name: What to call it in messages.

    Raises:
        SourceError: It is not well-formed, declares entities, or is nested too deeply.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser=parser)
    except etree.LxmlError as error:
        reason = normalise(str(error)) or "it is empty"
        raise SourceError(
            f"{name} is damaged: {reason}", "get it again, or open it in its program and save it again"
        ) from error
    declarations = root.getroottree().docinfo.internalDTD
    if declarations is not None and any(True for _ in declarations.iterentities()):  # type: ignore[union-attr]
        raise SourceError(
            f"{name} declares XML entities, which can be made to exhaust memory",
            "open it in its program and save it again",
        )
    return root


def without_namespaces(root: _Element) -> _Element:
    """The same tree with lower-case names without namespaces, so that XHTML is read like HTML."""
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = local_name(element)
            for key in [key for key in element.attrib if "}" in str(key)]:
                element.set(str(key).rpartition("}")[2], str(element.attrib.pop(key)))
    return root


def local_name(element: _Element) -> str:
    """The tag without its namespace, in lower case; ``""`` for comments and the like."""
    tag: object = element.tag
    if not isinstance(tag, str):
        return ""
    # A damaged page may have any character in a name.
    return (tag.partition("}")[2] if tag.startswith("{") else tag).lower()


def small_number(value: str | None) -> int | None:
    """The whole number of at most nine digits that an attribute holds; ``None`` for anything else."""
    return int(value) if value and value.isdecimal() and len(value) <= _MOST_DIGITS else None
