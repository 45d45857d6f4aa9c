"""Folders of documents, each with its summary beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.errors import DatasetError, SourceError
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.reader import Reader
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX, SUPPORTED
from lsum_cli.reading.sources import natural_order
from lsum_cli.text.sentences import normalise

SUMMARY_SUFFIXES = (".summary.txt", ".summary.md", ".summary")
DOCUMENT_FOLDER, SUMMARY_FOLDER = "documents", "summaries"
_SUMMARY_TEXTS = (".txt", ".md")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A document and its summary, if there is one."""

    id: str
    document: Path
    summary: Path | None


def find_pairs(folder: Path, files: list[Path], *, needs_reference: bool) -> tuple[Pair, ...] | None:
    """Match documents and summaries: ``paper.pdf`` and ``paper.summary.txt``, in folders at any depth.

    If the folder has sub-folders ``documents`` and ``summaries``, files of the same name form a pair.

    Args:
        folder: The folder given.
        files: All files in it.

    Returns:
        Pairs in the natural order of their names; ``None`` if the folder contains no summaries and
        references are required.

    Raises:
        DatasetError: A summary has no document, or two.
    """
    documents: dict[str, list[Path]] = defaultdict(list)
    summaries: dict[str, Path] = {}
    for path in files:
        name, is_summary = _role(path.relative_to(folder))
        if is_summary:
            if name in summaries:
                raise DatasetError(
                    f"{path} and {summaries[name].name} belong to the same document", "remove one"
                )
            summaries[name] = path
        elif path.suffix.lower() in FORMATS_BY_SUFFIX:
            documents[name].append(path)
    if not summaries and (needs_reference or not documents):
        return None
    for name, summary in summaries.items():
        if name not in documents:
            raise DatasetError(
                f"{summary} has no document", f"put {Path(name).name}.pdf or the like beside it"
            )
    for paths in documents.values():
        if len(paths) > 1:
            step = "keep one, or rename one"
            raise DatasetError(f"{paths[0]} and {paths[1].name} have the same name", step)
    return tuple(
        Pair(id=name, document=documents[name][0], summary=summaries.get(name))
        for name in sorted(documents, key=lambda name: natural_order(Path(name)))
    )


def no_pairs(folder: Path) -> DatasetError:
    """The error for a folder without data files or summaries."""
    return DatasetError(
        f"{folder} contains no data files, and no summaries beside documents",
        f"put paper.summary.txt beside paper.pdf; documents are {SUPPORTED}",
    )


def read_pair(pair: Pair, reader: Reader, prefix: str = "") -> Iterator[Example]:
    """Read a document as ``summarize`` does, and its summary.

    Args:
        pair: Where they lie.
        reader: Reads documents within their limits, in a process of its own.
        prefix: Prefix of the id.

    Raises:
        DatasetError: The document or the summary cannot be read.
    """
    try:
        document = reader.read(pair.document)
    except SourceError as error:
        raise DatasetError(error.what, error.next_step) from error
    yield Example(
        id=prefix + pair.id,
        documents=(document,),
        reference=_read_summary(pair.summary) if pair.summary else None,
        where=str(pair.document),
    )


def files_of(pairs: tuple[Pair, ...]) -> tuple[DataFile, ...]:
    """All files of the pairs."""
    paths = [path for pair in pairs for path in (pair.document, pair.summary) if path is not None]
    return tuple(DataFile(path, str(path)) for path in paths)


def _role(path: Path) -> tuple[str, bool]:
    """The name that document and summary share, and whether this file is the summary."""
    for suffix in SUMMARY_SUFFIXES:
        if path.name.lower().endswith(suffix):
            return str(path.with_name(path.name[: -len(suffix)])), True
    if path.parts[0] == SUMMARY_FOLDER and path.suffix.lower() in _SUMMARY_TEXTS:
        return str(path.relative_to(SUMMARY_FOLDER).with_suffix("")), True
    if path.parts[0] == DOCUMENT_FOLDER:
        path = path.relative_to(DOCUMENT_FOLDER)
    return str(path.with_suffix("")), False


def _read_summary(path: Path) -> str | None:
    with DataFile(path, str(path)).open() as stream:
        decoded = decode(stream.read())
    if decoded.warnings:
        raise DatasetError(f"{path}: {decoded.warnings[0]}", "save the file as UTF-8")
    return "\n".join(filter(None, map(normalise, decoded.text.splitlines()))) or None
