"""Finding the objects of a PDF whose table of contents is lost, as of one cut off while it was fetched."""

from __future__ import annotations

import re
import zlib

_MAX_OBJECTS = 200_000
_MAX_STREAM = 32 << 20
_OBJECT = re.compile(rb"(?<![0-9])(\d{1,8})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b")
_OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm\b")
_NUMBER_OF = re.compile(rb"/N\s+(\d{1,6})")
_FIRST_OF = re.compile(rb"/First\s+(\d{1,8})")
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")
_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_STREAM = re.compile(rb"stream\r?\n")


def rebuild(content: bytes) -> bytes | None:
    """The file with a new table of its objects, and a new list of its pages where that is lost too.

    Returns:
        The bytes of a readable file; ``None`` where no page is left, or the file is encrypted.
    """
    if b"/Encrypt" in content:
        return None
    offsets: dict[int, int] = {}
    bodies: dict[int, bytes] = {}
    matches = list(_OBJECT.finditer(content))[:_MAX_OBJECTS]
    extra = bytearray()
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        number = int(match[1])
        body = content[match.end() : following.start() if following else len(content)]
        offsets[number] = match.start()
        bodies[number] = body[:4096]
        if _OBJECT_STREAM.search(body[:1024]):
            for inner, text in _unpack(body):
                offsets[inner] = len(content) + 1 + len(extra)
                bodies[inner] = text[:4096]
                extra += b"%d 0 obj\n%s\nendobj\n" % (inner, text)
    if not offsets:
        return None
    highest = max(offsets)
    root = next((number for number in sorted(bodies, reverse=True) if _CATALOG.search(bodies[number])), None)
    if root is None or not _tree_is_whole(bodies, root):
        pages = [number for number in bodies if _PAGE.search(bodies[number])]
        if not pages:
            return None
        kids = b" ".join(b"%d 0 R" % number for number in sorted(pages, key=lambda number: offsets[number]))
        tree, root = highest + 1, highest + 2
        offsets[tree] = len(content) + 1 + len(extra)
        extra += b"%d 0 obj\n<< /Type /Pages /Count %d /Kids [ %s ] >>\nendobj\n" % (tree, len(pages), kids)
        offsets[root] = len(content) + 1 + len(extra)
        extra += b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (root, tree)
    table = bytearray(b"xref\n0 1\n0000000000 65535 f \n")
    for number in sorted(offsets):
        table += b"%d 1\n%010d 00000 n \n" % (number, offsets[number])
    start = len(content) + 1 + len(extra)
    trailer = b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        max(offsets) + 1,
        root,
        start,
    )
    return b"".join((content, b"\n", bytes(extra), bytes(table), trailer))


def _tree_is_whole(bodies: dict[int, bytes], root: int) -> bool:
    """Whether the catalogue names a list of pages that is still there."""
    match = re.search(rb"/Pages\s+(\d{1,8})\s+\d+\s+R", bodies[root])
    return bool(match and re.search(rb"/Kids\b", bodies.get(int(match[1]), b"")))


def _unpack(body: bytes) -> list[tuple[int, bytes]]:
    """The objects packed in an object stream, by number."""
    count, first, begin = _NUMBER_OF.search(body), _FIRST_OF.search(body), _STREAM.search(body)
    if not (count and first and begin):
        return []
    data = body[begin.end() :]
    if b"/FlateDecode" in body[: begin.start()]:
        try:
            # Of a stream that is cut off the begin can still be inflated.
            data = zlib.decompressobj().decompress(data, _MAX_STREAM)
        except zlib.error:
            return []
    start = int(first[1])
    numbers = [int(token) for token in data[:start].split() if token.isdigit()][: 2 * int(count[1])]
    places = sorted(zip(numbers[1::2], numbers[::2], strict=False))
    found = []
    for (place, number), (end, _) in zip(places, [*places[1:], (len(data) - start, 0)], strict=True):
        text = data[start + place : start + end].strip()
        if text:
            found.append((number, text))
    return found
