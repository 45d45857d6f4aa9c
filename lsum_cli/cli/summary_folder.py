"""A folder with one file per summary, and a record of what each was made from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lsum_cli.cli.output import write_output
from lsum_cli.errors import OutputError, SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import fingerprint_options, fingerprint_writers
from lsum_cli.reading.intake import MAIL_MARK
from lsum_cli.reading.registry import INDIFFERENT, ReadOptions
from lsum_cli.reading.sources import RECORD_NAME
from lsum_cli.records import RecordError, encode, parse
from lsum_cli.rendering.formats import Format
from lsum_cli.version import __version__

_LONGEST_NAME = 200  # bytes; file systems allow 255, suffix and number included


@dataclass(frozen=True, kw_only=True)
class Output:
    """A summary that is to be written.

    Attributes:
        source: What it is named after.
        key: A hash of all it depends on; ``None`` where that cannot be known beforehand.
        num_sources: How many sources it is to summarise.
    """

    source: str
    key: str | None
    num_sources: int = 1


def list_outputs(
    sources: Sequence[str],
    options: SummaryOptions,
    read_options: ReadOptions,
    format: Format,
    *,
    together: bool,
    show_source: bool = True,
) -> list[Output]:
    """The summaries that are to be written, and what each depends on; reads sources that are files.

    Args:
        together: Whether all sources make one summary.
        show_source: Whether reports hold the text of the source.
    """
    settings = fingerprint_settings(options, read_options, format)
    if not show_source and format is Format.HTML:
        settings = [settings, "no source"]
    if together and len(sources) > 1:
        key = fingerprint_sources(sources, settings)
        return [Output(source="summary", key=key, num_sources=len(sources))]
    return [Output(source=source, key=fingerprint_sources([source], settings)) for source in sources]


def fingerprint_settings(options: SummaryOptions, read_options: ReadOptions, format: Format) -> object:
    """What the files of summaries depend on besides their sources: version, settings, checkpoints."""
    reading = {name: value for name, value in asdict(read_options).items() if name not in INDIFFERENT}
    return [__version__, format.value, fingerprint_options(options), fingerprint_writers(options), reading]


def fingerprint_sources(sources: Sequence[str], settings: object) -> str | None:
    """The key of a summary of these sources; ``None`` if one is neither a file nor a web page.

    A file counts by its name and content, a web page by its address: its content is not fetched again.
    """
    contents = [source if "://" in source else _hash_content(source) for source in sources]
    if None in contents:
        return None
    return hashlib.sha256(json.dumps([settings, sources, contents]).encode()).hexdigest()


def _hash_content(source: str) -> str | None:
    path = Path(source)
    try:
        if MAIL_MARK in source:
            # Imported here: what reads mails is seldom needed.
            from lsum_cli.reading.mail.mailbox import take_mail

            mail = take_mail(source, ReadOptions(), id="")
            if mail is not None:
                return hashlib.sha256(mail.content).hexdigest()
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError, SourceError):
        return None  # reading it will say why


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What the record says about a file.

    Attributes:
        file: Its name.
        source: What was summarised.
        key: The output's key.
        sha256: Hash of the file as it was written.
        lost: What of the source was not read.
        is_written: Whether the file is written; else it is about to be.
    """

    file: str
    source: str
    key: str | None
    sha256: str
    lost: tuple[str, ...] = ()
    is_written: bool = True


class SummaryFolder:
    """The files of a run; files that must not be overwritten are found before any work is done.

    Args:
        path: The folder; created if necessary.
        outputs: What is to be written: one file each, named after its source.
        suffix: Suffix of the file names.
        overwrite: Whether files that exist may be replaced.
        resume: Whether to keep the files that an earlier run wrote from the same sources with the same
            settings, and to replace those it wrote from others.

    Attributes:
        path: The folder.
        done: The positions of the outputs to keep, and what was not read of their sources.

    Raises:
        OutputError: The folder cannot be written, or files exist that must not be replaced; sources are
            never replaced.
    """

    def __init__(
        self, path: Path, outputs: Sequence[Output], *, suffix: str, overwrite: bool, resume: bool
    ) -> None:
        self.path = path
        self.done: dict[int, tuple[str, ...]] = {}
        self._outputs = outputs
        self._files = [path / f"{stem}{suffix}" for stem in _name_files(outputs)]
        self._replaced: set[int] = set()
        _make_folder(path)
        self._find_out(overwrite=overwrite, resume=resume)

    def write(self, number: int, text: str, lost: tuple[str, ...], *, num_read: int = 1) -> None:
        """Write a output, whole or not at all, and record it, before and after.

        Whenever the run ends, the record and the file's hash tell whether this run wrote the file.

        Args:
            number: The output's position.
            text: The content of the file.
            lost: What of the sources was not read.
            num_read: How many of its sources it summarises. If others failed, it is not complete, and
                resuming tries them again.

        Raises:
            OutputError: The disk cannot be written, or another program has written a file of this name.
        """
        file, output = self._files[number], self._outputs[number]
        content = text.encode("utf-8", "replace")
        sha256 = hashlib.sha256(content).hexdigest()
        key = output.key if num_read == output.num_sources else None
        entry = Entry(file=file.name, source=output.source, key=key, sha256=sha256, lost=lost)
        self._record(replace(entry, is_written=False))
        write_output(file, content, overwrite=number in self._replaced)
        self._record(entry)

    def _record(self, entry: Entry) -> None:
        # Begins with a line break, so that a line cut off by an interruption does not run into this one.
        line = f"\n{json.dumps(encode(entry), ensure_ascii=False)}\n".encode("utf-8", "replace")
        record = self.path / RECORD_NAME
        try:
            # Whoever made the folder may have put a link there, to a file of the user's.
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(record, flags, 0o666), "ab") as stream:
                stream.write(line)
        except OSError as error:
            raise OutputError(f"cannot write {record}: {error.strerror}", "give another --output") from error

    def _find_out(self, *, overwrite: bool, resume: bool) -> None:
        entries, begun = _read_record(self.path / RECORD_NAME) if resume else ({}, {})
        sources = {os.path.realpath(output.source) for output in self._outputs}
        refused = []
        for number, (file, output) in enumerate(zip(self._files, self._outputs, strict=True)):
            if not os.path.lexists(file):  # a link is something, wherever it leads
                continue
            if os.path.realpath(file) in sources:
                raise OutputError(f"{file} is one of the sources", "give another --output")
            entry = entries.get(file.name)
            last = begun.get(file.name)
            if last is not None and last.sha256 == _hash_file(file):
                entry = last  # the run ended between the file and its record
            if entry is not None and entry.key is not None and entry.key == output.key:
                # Kept even where somebody has edited it since.
                self.done[number] = entry.lost
            elif overwrite or (entry is not None and entry.sha256 == _hash_file(file)):
                self._replaced.add(number)
            else:
                refused.append(file)
        if refused:
            raise _explain(refused, resume=resume)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot create {path}: {error.strerror}", "give another --output") from error
    if not os.access(path, os.W_OK):
        raise OutputError(f"the folder {path} cannot be written to", "give another --output")


def _explain(refused: Sequence[Path], *, resume: bool) -> OutputError:
    others = len(refused) - 1
    what = f"{refused[0]} exists already"
    if others:
        what = f"{refused[0]} and {others:,} more file{'s' if others > 1 else ''} exist already"
    them = "them" if others else "it"
    if resume:
        return OutputError(
            f"{what}, not as an earlier run wrote {them}",
            f"give --overwrite to replace {them}, or another --output",
        )
    return OutputError(
        what,
        f"give --resume to keep what an earlier run wrote, --overwrite to replace {them},"
        " or another --output",
    )


def _name_files(outputs: Sequence[Output]) -> Iterator[str]:
    """Names after the sources, without suffix; equal ones get a number."""
    taken: set[str] = set()
    for output in outputs:
        source = output.source
        stem = Path(source.rstrip("/")).stem if source != "-" else "standard-input"
        mailbox, mark, mail = source.rpartition(MAIL_MARK)
        if mark and mail.isdecimal():
            stem = f"{Path(mailbox).stem}-{mail}"
        stem = "".join(c if c.isalnum() or c in "-_. " else "_" for c in stem).strip(". ") or "summary"
        stem = stem.encode("utf-8", "replace")[:_LONGEST_NAME].decode("utf-8", "ignore")
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        yield name


def _read_record(record: Path) -> tuple[dict[str, Entry], dict[str, Entry]]:
    """The last entry of every file, and the last one of those that were begun; damaged lines are skipped."""
    try:
        lines = record.read_bytes().splitlines() if record.is_file() else []
    except OSError as error:
        raise OutputError(f"cannot read {record}: {error.strerror}", "give another --output") from error
    entries: dict[str, Entry] = {}
    begun: dict[str, Entry] = {}
    for line in lines:
        try:
            entry = parse(Entry, line)
        except RecordError:
            continue
        (entries if entry.is_written else begun)[entry.file] = entry
    return entries, begun


def _hash_file(file: Path) -> str | None:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
