"""What a reader calls a document: its headline, else the file it is in, or the folder of a readme."""

from __future__ import annotations

import re
from pathlib import PurePath

from lsum_cli.documents import Document
from lsum_cli.methods.extract.section_tree import names_its_place
from lsum_cli.text.patterns import regex

# "README.md" of every folder.
_OF_ANY_FOLDER = regex(r"readme|index", re.IGNORECASE)


def headline(document: Document) -> str:
    """What a reader calls a document: its own headline, else its file, else any title or heading."""
    return (
        own_headline(document)
        or name_of_folder(document.source)
        or _name_of_file(document.source)
        or document.title
        or next((each.heading for each in document.sections if each.heading), "-")
    )


def own_headline(document: Document) -> str | None:
    """The title of a document, else the heading it opens with; ``None`` where neither tells it from others.

    What names only a place in a text ("Overview") tells no document from another, unless the file is called
    so too, and the heading of a later section is none of the whole.
    """
    opening = document.sections[0].heading if document.sections else None
    called = document.title or opening
    if not called:
        return None
    is_of_file = called.casefold() == _name_of_file(document.source).casefold()
    return called if is_of_file or not names_its_place(called) else None


def name_of_folder(source: str) -> str | None:
    """The folder of a file of a name that all folders have, as a readme has; ``None`` for other files."""
    *folders, _ = source.rstrip("/").split("/")
    if _OF_ANY_FOLDER.fullmatch(_name_of_file(source)) and folders and folders[-1].strip("."):
        return folders[-1]
    return None


def _name_of_file(source: str) -> str:
    """The name of a file without its ending."""
    name = source.rstrip("/").rpartition("/")[2]
    stem = name if "://" in source else PurePath(name).stem
    return stem if stem != "-" else ""
