"""Reading sources: a path, URL, folder or standard input becomes documents."""

from __future__ import annotations

import importlib
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from lsum_cli.documents import Document
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.reading.intake import (
    MAIL_MARK,
    STANDARD_INPUT,
    empty,
    suffix_of,
    take_file,
    take_standard_input,
)
from lsum_cli.reading.registry import (
    FORMATS_BY_MEDIA_TYPE,
    FORMATS_BY_SUFFIX,
    SUPPORTED,
    RawSource,
    ReadOptions,
)

# Lies in a folder of summaries, one JSON object per line; each names a ``file`` that lsum wrote there.
RECORD_NAME = ".lsum-summaries.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Expansion:
    """Sources with every folder replaced by its files.

    Attributes:
        sources: What is to be read, in order.
        skipped: Files in the folders that are of an unsupported format, and folders that could not be
            opened; hidden ones are not counted.
        summaries: Files in the folders that an earlier run wrote.
        again: Sources that were named more than once, such as by a folder and by a link, each with the name
            it has in ``sources``.
    """

    sources: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    again: tuple[tuple[str, str], ...] = ()


def expand_sources(sources: Sequence[str | Path], *, each: bool = False) -> Expansion:
    """Replace folders by the files in them, at any depth; other sources stay as they are, each once.

    Summaries that an earlier run wrote are skipped, unless a folder contains nothing else; so are images.

    Args:
        sources: As the user gave them.
        each: Whether a mailbox is replaced by its mails.

    Raises:
        SourceError: A folder contains no supported file, or may not be read.
        OptionError: A source is the empty string, such as that of an unset variable.
    """
    expanded: list[str] = []
    skipped: list[str] = []
    summaries: list[str] = []
    for source in sources:
        if not str(source).strip():
            raise OptionError("a source is empty", "name a file, a URL or a folder; . is the current folder")
        if not _is_folder(source):
            expanded.append(str(source))
            continue
        readable: list[str] = []
        written: list[str] = []
        ours: dict[Path, frozenset[str]] = {}
        for path in sorted(_files_below(Path(source), skipped), key=natural_order):
            if path.parent not in ours:
                ours[path.parent] = _files_on_record(path.parent)
            known = path.suffix.lower() in FORMATS_BY_SUFFIX
            (written if path.name in ours[path.parent] else readable if known else skipped).append(str(path))
        documents = [path for path in readable if not FORMATS_BY_SUFFIX[suffix_of(path)].is_image]
        if documents:
            # Images beside documents are their figures; a folder of images alone is one of scans.
            skipped += [path for path in readable if path not in set(documents)]
            readable = documents
        if not os.access(source, os.R_OK | os.X_OK):
            raise SourceError(f"{source} cannot be read: permission denied", "check its permissions")
        if not readable and not written:
            raise SourceError(f"{source} contains no supported file", f"supported formats: {SUPPORTED}")
        expanded += readable or written
        summaries += written if readable else []
    if each:
        expanded = [part for source in expanded for part in _parts_of(source)]
    once, again = take_once(expanded)
    return Expansion(sources=once, skipped=tuple(skipped), summaries=tuple(summaries), again=again)


def take_once(sources: Sequence[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Each source once under its first name, and each further name of one with the first."""
    taken: dict[object, str] = {}
    again: list[tuple[str, str]] = []
    for source in sources:
        identity = _identity(source)
        if identity in taken:
            again.append((source, taken[identity]))
        else:
            taken[identity] = source
    return tuple(taken.values()), tuple(again)


def _identity(source: str) -> object:
    """What two names of the same source have in common: its address, or its place on the disk."""
    try:
        status = Path(source).stat()
    except (OSError, ValueError):
        return source
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else source


def _parts_of(source: str) -> list[str]:
    """The mails of a mailbox; any other source itself."""
    path = Path(source)
    if "://" in source or not path.is_file():
        return [source]
    from lsum_cli.reading.mail.mailbox import is_mailbox, list_mails

    return list_mails(path) if is_mailbox(path) else [source]


def _files_on_record(folder: Path) -> frozenset[str]:
    """The names of the files that an earlier run wrote to a folder."""
    names = set()
    record = folder / RECORD_NAME
    try:
        if not record.is_file():  # a pipe would be waited for
            return frozenset()
        for line in record.read_bytes().splitlines():
            # Skip a line that an interrupted run left incomplete.
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
    """Regular files that are not hidden; a folder reached by several links is visited once.

    A link that leads to a folder elsewhere is not followed: whoever made the folder may have put one to the
    whole disk in it.
    """
    visited: set[tuple[int, int]] = set()
    top = Path(os.path.realpath(folder))
    walk = os.walk(folder, followlinks=True, onerror=lambda error: skipped.append(str(error.filename)))
    for name, subfolders, files in walk:
        try:
            status = Path(name).stat()
        except OSError:
            skipped.append(name)
            subfolders.clear()
            continue
        if (status.st_dev, status.st_ino) in visited:
            subfolders.clear()
            continue
        visited.add((status.st_dev, status.st_ino))
        subfolders[:] = sorted(subfolder for subfolder in subfolders if not subfolder.startswith("."))
        for subfolder in [each for each in subfolders if Path(name, each).is_symlink()]:
            if not Path(os.path.realpath(Path(name, subfolder))).is_relative_to(top):
                skipped.append(str(Path(name, subfolder)))
                subfolders.remove(subfolder)
        for file in files:
            path = Path(name, file)
            if file.startswith("."):
                continue
            try:
                is_file = path.is_file()
            except OSError:  # a link to where one may not look
                skipped.append(str(path))
                continue
            if is_file:
                yield path
            else:
                skipped.append(str(path))  # a pipe, or a link that leads nowhere


def files_below(folder: Path, skipped: list[str]) -> list[Path]:
    """The files in a folder that are not hidden, at any depth, in natural order.

    Args:
        skipped: Receives what may not be read, and links to folders elsewhere, which are not followed.
    """
    return sorted(_files_below(folder, skipped), key=natural_order)


def natural_order(path: Path) -> tuple[list[tuple[tuple[int, int | str], ...]], str]:
    """Sort key that puts ``part2`` before ``part10``; ties are ordered by path."""
    return [_natural_parts(part) for part in path.parts], str(path)


def _natural_parts(name: str) -> tuple[tuple[int, int | str], ...]:
    pieces = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(piece)) if piece.isdecimal() else (1, piece) for piece in pieces if piece)


def read(
    source: str | Path,
    options: ReadOptions | None = None,
    *,
    id: str = "d0",
    progress: ProgressListener = ignore_progress,
) -> Document:
    """Read one source.

    Args:
        source: A path, an http(s) URL, or ``"-"`` for standard input.
        options: How to read it; ``None`` for the defaults.
        id: The document's id.
        progress: Called with the progress of reading.

    Returns:
        The document; text that was left out is counted in its metadata.

    Raises:
        SourceError: It cannot be read, or contains no text.
    """
    options = options or ReadOptions()
    return read_raw(take(source, options, id=id, progress=progress), options)


def read_raw(raw: RawSource, options: ReadOptions) -> Document:
    """Read a source whose bytes have been taken.

    Raises:
        SourceError: It cannot be read, or contains no text.
    """
    module, function = FORMATS_BY_MEDIA_TYPE[raw.media_type].reader.split(":")
    document = cast(Document, getattr(importlib.import_module(module), function)(raw, options))
    metadata = document.metadata
    if not document.sections:
        raise empty(raw.name, metadata.left_out)
    if options.pdf_pages and metadata.pdf_pages is None:
        unused = "--pdf-pages chooses pages of PDFs alone; all of this was read"
        return replace(document, metadata=replace(metadata, warnings=(*metadata.warnings, unused)))
    return document


def take(source: str | Path, options: ReadOptions, *, id: str, progress: ProgressListener) -> RawSource:
    """Take the bytes of a source from where it is, and recognise its format.

    Raises:
        SourceError: It is not there, too large, or of an unsupported format.
    """
    name = str(source)
    if isinstance(source, str):
        if source == STANDARD_INPUT:
            return take_standard_input(options, id=id, progress=progress)
        if "://" in source:
            from lsum_cli.reading.fetching import fetch

            return fetch(source, options, id=id, progress=progress)
    if MAIL_MARK in name:
        from lsum_cli.reading.mail.mailbox import take_mail

        mail = take_mail(name, options, id=id)
        if mail is not None:
            return mail
    return take_file(Path(name), options, id=id, progress=progress)
