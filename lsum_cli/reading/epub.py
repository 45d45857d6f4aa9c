"""EPUB books: the chapters of the spine, with titles from the navigation."""

from __future__ import annotations

import html.entities
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.archives import Archive, DamagedArchive
from lsum_cli.reading.blocks import REPEATED, Block, Tally, language_code, make_document
from lsum_cli.reading.charsets import declared_charset, decode
from lsum_cli.reading.html.blocks import to_blocks
from lsum_cli.reading.html.elements import text_of
from lsum_cli.reading.html.walk import Anchor, PageWalk
from lsum_cli.reading.markup import clean_html, local_name, parse_html, parse_xml, without_namespaces
from lsum_cli.reading.plain.document import find_book
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

FRONT_PAGES = "cover, title, contents and copyright pages"
SUPPLEMENT = "supplementary pages"

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Font obfuscation is not copy protection.
_FONT_SCRAMBLING = frozenset(["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"])
_FRONT_TYPES = frozenset(
    "cover titlepage copyright-page toc imprint colophon landmarks loi lot page-list"  # noqa: SIM905
    " halftitlepage".split()
)
_FRONT_NAMES = regex(
    r"(?:^|[\W_])(?:cover|title-?page|half-?title(?:-?page)?|copyright(?:-?page)?|imprint|colophon"
    r"|uncopyright|toc|nav|contents|table-?of-?contents)(?:[\W_]|\d*$)",
    re.I,
)
_MAX_FRONT_WORDS = 1_500
_XHTML_TYPES = frozenset(["application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document"])
_NAMED_ENTITY = regex(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_ENTITIES = frozenset([b"amp", b"lt", b"gt", b"quot", b"apos"])
_MAX_LEVEL = 6
_NAMES_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class BookPart:
    """A file of the book.

    Attributes:
        path: Inside the archive.
        media_type: As the book declares it.
        properties: Such as ``nav``.
        is_front: Whether its name or the guide marks it as a cover, contents page or the like.
        is_linear: Whether it belongs to the main reading order.
    """

    path: str
    media_type: str
    properties: str
    is_front: bool
    is_linear: bool = True


def read_epub(raw: RawSource, options: ReadOptions) -> Document:
    """Read a book in the order of its spine."""
    archive = Archive(raw.content, raw.name, options)
    _refuse_copy_protection(archive)
    package_path = _find_package(archive)
    package = parse_xml(archive.read(package_path), f"{package_path} of {raw.name}")
    parts, spine, unlisted = _list_parts(package, package_path)
    titles = _read_navigation(archive, parts)
    tally = Tally()
    blocks: list[Block] = []
    missing = list(unlisted)
    damaged: list[DamagedArchive] = []
    words: dict[str, int] = {}
    for part in spine:
        if part.path in words:
            # A file belongs into the spine once; read as often as it is named, it would fill the memory.
            tally.add_words(REPEATED, words[part.path])
            continue
        words[part.path] = 0
        if part.path not in archive:
            missing.append(part.path)
            continue
        try:
            found = _read_part(archive, part, titles.get(part.path, {}), tally)
        except DamagedArchive as error:
            damaged.append(error)
            continue
        words[part.path] = sum(len(block.text.split()) for block in found)
        blocks.extend(found)
    if not spine:
        raise archive.damage("its spine lists no chapters")
    if damaged and not blocks:
        raise damaged[0]
    lost = []
    total = len(words) + len(unlisted)
    if missing:
        lost.append(f"{_of(len(missing), total)} missing in the book ({_some(missing)})")
    if damaged:
        lost.append(f"{_of(len(damaged), total)} damaged and could not be read")
    first, last = find_book([block.text for block in blocks], tally)
    return make_document(
        raw,
        blocks[first:last],
        tally,
        title=_metadata(package, "title"),
        language=language_code(_metadata(package, "language")),
        lost=tuple(lost),
    )


def _of(number: int, total: int) -> str:
    return f"{number:,} of {total:,} chapters {'is' if number == 1 else 'are'}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN:,} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _refuse_copy_protection(archive: Archive) -> None:
    protected = "META-INF/sinf.xml" in archive or "META-INF/rights.xml" in archive
    if _ENCRYPTION in archive:
        root = parse_xml(archive.read(_ENCRYPTION), f"{_ENCRYPTION} of {archive.name}")
        methods = [
            element.get("Algorithm") for element in root.iter() if local_name(element) == "encryptionmethod"
        ]
        protected = any(method not in _FONT_SCRAMBLING for method in methods)
    if protected:
        raise SourceError(
            f"{archive.name} is protected against copying (DRM)", "use an edition without protection"
        )


def _find_package(archive: Archive) -> str:
    if _CONTAINER in archive:
        root = parse_xml(archive.read(_CONTAINER), f"{_CONTAINER} of {archive.name}")
        for element in root.iter():
            path = element.get("full-path")
            if local_name(element) == "rootfile" and path:
                return unquote(path) if path not in archive else path
    found = next((member for member in archive.members if member.endswith(".opf")), None)
    if found is None:
        missing = "it names no package file" if _CONTAINER in archive else f"{_CONTAINER} is missing inside"
        raise archive.damage(missing)
    return found


def _list_parts(
    package: _Element, package_path: str
) -> tuple[dict[str, BookPart], list[BookPart], list[str]]:
    """All files of the book by their id; those of the spine in order; what the spine names and is no file."""
    folder = posixpath.dirname(package_path)
    front_paths = {
        _resolve(folder, element.get("href"))[0]
        for element in package.iter()
        if local_name(element) == "reference"
        and (element.get("type") or "").lower() in _FRONT_TYPES | {"title-page"}
    }
    parts: dict[str, BookPart] = {}
    for item in package.iter():
        if local_name(item) == "item" and item.get("id") and item.get("href"):
            path, _ = _resolve(folder, item.get("href"))
            properties = item.get("properties") or ""
            named = _FRONT_NAMES.search(posixpath.basename(path).rpartition(".")[0]) or _FRONT_NAMES.search(
                item.get("id") or ""
            )
            parts[item.get("id") or ""] = BookPart(
                path=path,
                media_type=item.get("media-type") or "",
                properties=properties,
                is_front=bool(named) or path in front_paths or "nav" in properties.split(),
            )
    references = [
        (element.get("idref") or "", element.get("linear") != "no")
        for element in package.iter()
        if local_name(element) == "itemref"
    ]
    spine = [replace(parts[name], is_linear=is_linear) for name, is_linear in references if name in parts]
    unlisted = list(dict.fromkeys(name for name, _ in references if name not in parts))
    return parts, [part for part in spine if part.media_type in _XHTML_TYPES], unlisted


def _read_navigation(archive: Archive, parts: Mapping[str, BookPart]) -> dict[str, dict[str, Anchor]]:
    """Titles of chapters: by path, then by fragment (``""`` for the file's beginning)."""
    titles: dict[str, dict[str, Anchor]] = {}
    for part in {part.path: part for part in parts.values()}.values():
        is_navigation = "nav" in part.properties.split()
        if part.path not in archive or not (is_navigation or part.media_type == "application/x-dtbncx+xml"):
            continue
        root = _parse_part(archive, part.path)
        if root is None:
            continue
        entries = _nav_entries(root) if is_navigation else _ncx_entries(root)
        for target, title, level in entries:
            path, fragment = _resolve(posixpath.dirname(part.path), target)
            titles.setdefault(path, {}).setdefault(
                fragment, Anchor(title=title, level=min(level, _MAX_LEVEL))
            )
        if is_navigation and titles:
            break
    return titles


def _nav_entries(root: _Element) -> Iterator[tuple[str, str, int]]:
    for nav in root.iter("nav"):
        if (nav.get("type") or "toc") != "toc":
            continue
        for link in nav.iter("a"):
            level = sum(1 for ancestor in link.iterancestors("ol"))
            yield link.get("href") or "", normalise(text_of(link)), level


def _ncx_entries(root: _Element) -> Iterator[tuple[str, str, int]]:
    for point in root.iter("navpoint"):
        label = point.find("navlabel")
        content = point.find("content")
        if label is not None and content is not None:
            level = 1 + sum(1 for ancestor in point.iterancestors("navpoint"))
            yield content.get("src") or "", normalise(text_of(label)), level


def _read_part(archive: Archive, part: BookPart, titles: Mapping[str, Anchor], tally: Tally) -> list[Block]:
    root = _parse_part(archive, part.path)
    if root is None:
        return []
    body = next(root.iter("body"), root)
    has_headings = any(True for _ in body.iter("h1", "h2", "h3", "h4", "h5", "h6"))
    anchors = {} if has_headings else {fragment: anchor for fragment, anchor in titles.items() if fragment}
    notes = Tally()
    blocks = to_blocks(PageWalk(body, notes, whole=True, anchors=anchors).blocks, notes)
    words = sum(len(block.text.split()) for block in blocks)
    types = {kind for element in (body, *list(body)[:1]) for kind in (element.get("type") or "").split()}
    if (part.is_front or types & _FRONT_TYPES) and words <= _MAX_FRONT_WORDS:
        tally.add_words(FRONT_PAGES, words)
        return []
    if not part.is_linear:
        tally.add_words(SUPPLEMENT, words)
        return []
    for left_out in notes.left_out():
        tally.add_words(left_out.what, left_out.words)
    beginning = titles.get("")
    if not has_headings:
        opens = beginning is not None and blocks and not blocks[0].level
        return (
            [Block(text=beginning.title, level=beginning.level), *blocks] if beginning and opens else blocks
        )
    return _with_chapter_levels(blocks, beginning or next(iter(titles.values()), None))


def _with_chapter_levels(blocks: list[Block], chapter: Anchor | None) -> list[Block]:
    """Shift the levels of headings to those of the navigation."""
    top = min((block.level for block in blocks if block.level), default=0)
    if chapter is None or not top:
        return blocks
    shift = chapter.level - top
    return [replace(block, level=max(1, block.level + shift)) if block.level else block for block in blocks]


def _parse_part(archive: Archive, path: str) -> _Element | None:
    """A chapter or navigation file, without namespaces; some are not well-formed XML."""
    content = archive.read(path)
    try:
        root = parse_xml(_NAMED_ENTITY.sub(_as_character, content), path)
    except SourceError:
        return parse_html(clean_html(decode(content, declared_charset(content)).text), archive.name)
    return without_namespaces(root)


def _as_character(entity: re.Match[bytes]) -> bytes:
    name = entity.group(1)
    character = html.entities.html5.get(name.decode("ascii") + ";")
    if name in _XML_ENTITIES or character is None:
        return entity.group()
    return "".join(f"&#{ord(part)};" for part in character).encode("ascii")


def _resolve(folder: str, target: str | None) -> tuple[str, str]:
    """The path inside the archive and the fragment that a link from ``folder`` points to."""
    path, _, fragment = (target or "").partition("#")
    return posixpath.normpath(posixpath.join(folder, unquote(path))), fragment


def _metadata(package: _Element, name: str) -> str | None:
    values = (normalise(text_of(element)) for element in package.iter() if local_name(element) == name)
    return next((value for value in values if value), None)
