"""The outline (bookmarks) of a PDF, as a flat list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lsum_cli.reading.pdf.opening import damage_errors

_MAX_ENTRIES = 5000


@dataclass(frozen=True, kw_only=True, slots=True)
class OutlineEntry:
    """A bookmark.

    Attributes:
        title: As written there.
        level: Depth, from 1.
        pdf_page: The page it points to, from 1.
        height: How far up that page it points, in the page's own coordinates, where it says so.
    """

    title: str
    level: int
    pdf_page: int
    height: float | None = None


def read_outline(reader: Any, pages: Sequence[Any]) -> list[OutlineEntry]:
    """The outline's entries that point to a page; empty where there is none or it is broken."""
    try:
        root = _object(_object(reader.trailer["/Root"]).get("/Outlines"))
        if not hasattr(root, "get"):
            return []
        numbers = {
            page.indirect_reference.idnum: number
            for number, page in enumerate(pages, start=1)
            if page.indirect_reference is not None
        }
        return list(_walk(reader, root, numbers))
    except damage_errors():
        # A broken outline must not keep the text from being read.
        return []


def _walk(reader: Any, root: Any, numbers: dict[int, int]) -> Iterator[OutlineEntry]:
    seen: set[int] = set()
    stack: list[tuple[Any, int]] = [(root.get("/First"), 1)]
    named: dict[str, Any] | None = None
    count = 0
    while stack and count < _MAX_ENTRIES:
        reference, level = stack.pop()
        node = _object(reference)
        if not hasattr(node, "get") or id(node) in seen:
            continue
        seen.add(id(node))
        count += 1
        stack.append((node.get("/Next") if "/Next" not in node else node.raw_get("/Next"), level))
        if "/First" in node:
            stack.append((node.raw_get("/First"), level + 1))
        destination = _destination(node)
        if isinstance(destination, str | bytes):
            if named is None:
                named = dict(reader.named_destinations)
            key = destination if isinstance(destination, str) else destination.decode("latin-1")
            target = named.get(key)
            destination = getattr(target, "dest_array", None)
        title = _object(node.get("/Title"))
        entry = _entry(title, level, destination, numbers)
        if entry:
            yield entry


def _destination(node: Any) -> Any:
    destination = _object(node.get("/Dest"))
    if destination is None:
        action = _object(node.get("/A"))
        if hasattr(action, "get") and _object(action.get("/S")) == "/GoTo":
            destination = _object(action.get("/D"))
    if hasattr(destination, "get") and not isinstance(destination, list):
        destination = _object(destination.get("/D"))
    return destination


def _entry(title: Any, level: int, destination: Any, numbers: dict[int, int]) -> OutlineEntry | None:
    if (
        not isinstance(title, str)
        or not title.strip()
        or not isinstance(destination, list)
        or not destination
    ):
        return None
    target = destination[0]
    number = numbers.get(getattr(target, "idnum", -1))
    if number is None and isinstance(target, int):
        number = target + 1
    if number is None:
        return None
    kind = str(destination[1]) if len(destination) > 1 else ""
    position = {"/XYZ": 3, "/FitH": 2, "/FitBH": 2, "/FitR": 5}.get(kind)
    height = destination[position] if position is not None and len(destination) > position else None
    height = _object(height)
    return OutlineEntry(
        title=" ".join(title.split()),
        level=level,
        pdf_page=number,
        height=float(height) if isinstance(height, int | float) else None,
    )


def _object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
