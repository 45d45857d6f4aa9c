"""Which pages of a PDF to read: ``"1-12,20"``."""

from __future__ import annotations

import re

from lsum_cli.errors import OptionError

_PART = re.compile(r"(\d*)\s*([-–])?\s*(\d*)")
_EXAMPLES = "give page numbers such as 1-12,20 or 5- or -3"


def parse_pdf_pages(text: str | None, count: int, name: str) -> tuple[int, ...]:
    """The page numbers that an option names, ascending, each once.

    Args:
        text: Such as ``"1-12,20"``, ``"5-"`` or ``"-3"``; ``None`` for all pages.
        count: Pages of the document.
        name: What the user calls the document.

    Raises:
        OptionError: It is no such list, or names a page that the document does not have.
    """
    if text is None:
        return tuple(range(1, count + 1))
    pages: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match or not (match[1] or match[3]) or len(part) > 20:
            raise OptionError(f"pages {text!r} are no list of pages", _EXAMPLES)
        first = int(match[1] or 1)
        last = int(match[3] or count) if match[2] else first
        if match[2] and not match[3]:
            last = max(count, first)
        for page in (first, last):
            if not 1 <= page <= count:
                pages_of = f"{count} page" + ("s" if count != 1 else "")
                raise OptionError(
                    f"page {page} was asked for, but {name} has {pages_of}", f"give pages from 1 to {count}"
                )
        if last < first:
            raise OptionError(f"pages {part.strip()!r} run backwards", _EXAMPLES)
        pages.update(range(first, last + 1))
    return tuple(sorted(pages))
