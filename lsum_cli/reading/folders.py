"""Folders as sources: the files in them that can be read, in a stable order."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.errors import SourceError
from lsum_cli.reading.media import MEDIA_TYPES_BY_SUFFIX, SUPPORTED

# Kept in a folder of summaries, a JSON object a line; each names a ``file`` that lsum wrote there.
RECORD_NAME = ".lsum-summaries.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Expansion:
    """Sources with every folder replaced by its files.

    Attributes:
        sources: What is to be read, in order.
        skipped: Files in the folders that are of no format that can be read, and folders that could
            not be entered; hidden ones are not counted.
        summaries: Files in the folders that an earlier run wrote.
    """

    sources: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()


def expand_sources(sources: Sequence[str | Path]) -> Expansion:
    """Replace folders by the files in them, at any depth; what is no folder stays as it is.

    Summaries that an earlier run wrote are no sources, unless a folder holds nothing else.

    Raises:
        SourceError: A folder holds nothing that can be read.
    """
    expanded: list[str] = []
    skipped: list[str] = []
    summaries: list[str] = []
    for source in sources:
        if not _is_folder(source):
            expanded.append(str(source))
            continue
        readable: list[str] = []
        written: list[str] = []
        ours: dict[Path, frozenset[str]] = {}
        for path in sorted(_files_below(Path(source), skipped), key=natural_order):
            if path.parent not in ours:
                ours[path.parent] = _files_on_record(path.parent)
            known = path.suffix.lower() in MEDIA_TYPES_BY_SUFFIX
            (written if path.name in ours[path.parent] else readable if known else skipped).append(str(path))
        if not readable and not written:
            raise SourceError(f"{source} holds no file that can be read", f"what can be read is {SUPPORTED}")
        expanded += readable or written
        summaries += written if readable else []
    return Expansion(sources=tuple(expanded), skipped=tuple(skipped), summaries=tuple(summaries))


def _files_on_record(folder: Path) -> frozenset[str]:
    """The names of the files that an earlier run wrote to a folder."""
    names = set()
    try:
        for line in (folder / RECORD_NAME).read_bytes().splitlines():
            # A line that an interruption tore tells nothing.
            with suppress(ValueError, KeyError, TypeError):
                names.add(str(json.loads(line)["file"]))
    except OSError:
        return frozenset()
    return frozenset(names)


def _is_folder(source: str | Path) -> bool:
    try:
        return Path(source).is_dir()
    except (OSError, ValueError):
        return False


def _files_below(folder: Path, skipped: list[str]) -> Iterator[Path]:
    """Regular files that are not hidden; a folder that links lead to twice is visited once."""
    visited: set[tuple[int, int]] = set()
    walk = os.walk(folder, followlinks=True, onerror=lambda error: skipped.append(str(error.filename)))
    for name, subfolders, files in walk:
        status = Path(name).stat()
        if (status.st_dev, status.st_ino) in visited:
            subfolders.clear()
            continue
        visited.add((status.st_dev, status.st_ino))
        subfolders[:] = sorted(subfolder for subfolder in subfolders if not subfolder.startswith("."))
        for file in files:
            path = Path(name, file)
            if not file.startswith(".") and path.is_file():
                yield path


def files_below(folder: Path) -> list[Path]:
    """The files in a folder that are not hidden, at any depth, in natural order."""
    return sorted(_files_below(folder, []), key=natural_order)


def natural_order(path: Path) -> tuple[list[tuple[tuple[int, int | str], ...]], str]:
    """Order in which ``part2`` comes before ``part10``; the path itself settles ties."""
    return [_natural_parts(part) for part in path.parts], str(path)


def _natural_parts(name: str) -> tuple[tuple[int, int | str], ...]:
    pieces = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(piece)) if piece.isdecimal() else (1, piece) for piece in pieces if piece)
