"""Mailboxes (mbox): a section per mail, found without loading the file; each mail can be read alone."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent
from lsum_cli.reading.blocks import Block, Tally, make_document
from lsum_cli.reading.intake import HEAD_BYTES, MAIL_MARK, recognise
from lsum_cli.reading.mail.message import Mail, parse_mail, say_attachments, sections_of
from lsum_cli.reading.registry import MIB, RawSource, ReadOptions
from lsum_cli.text.patterns import regex

_SEPARATOR = regex(rb"From \S[^\r\n]*\d{4}[^\r\n]*\r?\n(?=[!-9;-~]{1,76}:|>From )")
_FIRST_SEPARATOR = regex(rb"From [^\r\n]*\r?\n")
_CHUNK_BYTES = 1 << 22
_LONGEST_SEPARATOR = 1 << 12
_ESCAPED_FROM = regex(rb"^>(>*From )", re.M)
_NUMBERED = regex(rf"(?P<path>.+){MAIL_MARK}(?P<number>[1-9]\d{{0,9}})")


def read_mailbox(raw: RawSource, options: ReadOptions) -> Document:
    """Read the mails of a mailbox in the order of the file, as many as the limit on text allows.

    Raises:
        SourceError: No mail has any text.
    """
    with _Mailbox.of(raw) as mailbox:
        return _read_mails(raw, mailbox, options)


def _read_mails(raw: RawSource, mailbox: _Mailbox, options: ReadOptions) -> Document:
    tally = Tally()
    blocks: list[Block] = []
    seen = _Seen()
    room = options.max_bytes
    num_read = 0
    for number in range(len(mailbox.starts)):
        if room <= 0:
            break
        content = mailbox.mail(number, options)
        num_read += 1
        if content is None:
            seen = replace(seen, too_large=seen.too_large + 1)
            continue
        try:
            mail = parse_mail(content, f"mail {number + 1} of {raw.name}", tally)
        except SourceError:
            seen = replace(seen, damaged=seen.damaged + 1)
            continue
        sections = list(sections_of(mail))
        seen = seen.with_mail(mail, has_text=bool(sections))
        room -= sum(len(block.text) for block in sections)
        blocks += sections
        raw.progress(
            ProgressEvent(stage="reading", done=mailbox.end(number), total=mailbox.size, unit="bytes")
        )
    if not blocks:
        raise SourceError(
            f"{raw.name} contains no text in its {len(mailbox.starts):,} mails",
            "check that it is the right mailbox",
        )
    lost = list(seen.losses())
    if num_read < len(mailbox.starts):
        lost.insert(
            0,
            f"only the first {num_read:,} of {len(mailbox.starts):,} mails were read;"
            " --each makes a summary of every mail",
        )
    document = make_document(
        raw, blocks, tally, title=_title(raw), warnings=tuple(seen.warnings()), lost=tuple(lost)
    )
    return replace(document, metadata=replace(document.metadata, num_bytes=mailbox.size))


def _title(raw: RawSource) -> str | None:
    return raw.path.stem if raw.path is not None else None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """What of the mails could not be read."""

    attachments: tuple[str, ...] = ()
    num_attachments: int = 0
    without_text: int = 0
    encrypted: int = 0
    damaged: int = 0
    too_large: int = 0
    cut: int = 0
    remarks: tuple[str, ...] = ()

    def with_mail(self, mail: Mail, *, has_text: bool) -> _Seen:
        """Count one more mail."""
        names = mail.all_attachments()
        return replace(
            self,
            attachments=self.attachments if len(self.attachments) > 4 else (*self.attachments, *names)[:5],
            num_attachments=self.num_attachments + len(names),
            encrypted=self.encrypted + mail.encrypted,
            cut=self.cut + mail.cut,
            without_text=self.without_text + (not has_text and not mail.encrypted),
            remarks=tuple(dict.fromkeys((*self.remarks, *mail.all_warnings())))[:3],
        )

    def losses(self) -> Iterator[str]:
        """What was lost, one phrase for each cause."""
        causes = (
            (self.encrypted, "encrypted and could not be read"),
            (self.damaged, "damaged and could not be read"),
            (self.too_large, "too large to be read"),
            (self.cut, "cut off at the end"),
        )
        return (_count_mails(number, what) for number, what in causes if number)

    def warnings(self) -> Iterator[str]:
        """What else is to be said."""
        yield from self.remarks
        if self.without_text:
            yield _count_mails(self.without_text, "without text")
        padding = ("",) * (self.num_attachments - len(self.attachments))
        yield from say_attachments((*self.attachments, *padding))


def _count_mails(number: int, what: str) -> str:
    return f"{number:,} {'mail is' if number == 1 else 'mails are'} {what}"


class _Mailbox:
    """A mailbox as a stream, of which one mail at a time is in memory, and where its mails begin."""

    def __init__(self, stream: BinaryIO, size: int, starts: Sequence[int]) -> None:
        self.size = size
        self.starts = starts
        self._stream = stream

    @classmethod
    def of(cls, raw: RawSource) -> _Mailbox:
        """The mailbox of a source."""
        if raw.path is not None:
            return cls.open(raw.path)
        return cls(io.BytesIO(raw.content), len(raw.content), _find_starts(io.BytesIO(raw.content)))

    @classmethod
    def open(cls, path: Path) -> _Mailbox:
        """The mailbox in a file, whose mails are looked for once."""
        try:
            status = path.stat()
            starts = _starts_of(str(path), status.st_mtime_ns, status.st_size)
            return cls(path.open("rb"), status.st_size, starts)
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}", "check the path") from error

    def __enter__(self) -> _Mailbox:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def end(self, number: int) -> int:
        """Offset after a mail, numbered from 0."""
        return self.starts[number + 1] if number + 1 < len(self.starts) else self.size

    def mail(self, number: int, options: ReadOptions) -> bytes | None:
        """A mail without its separator, numbered from 0; ``None`` where it is larger than a source may be."""
        start, end = self.starts[number], self.end(number)
        if end - start > options.max_pdf_bytes:
            return None
        self._stream.seek(start)
        whole = self._stream.read(end - start)
        separator = _FIRST_SEPARATOR.match(whole)
        return _ESCAPED_FROM.sub(rb"\1", whole[separator.end() :] if separator else whole)


@functools.lru_cache(maxsize=4)
def _starts_of(path: str, _changed: int, _size: int) -> tuple[int, ...]:
    with Path(path).open("rb") as file:
        return _find_starts(file)


def _find_starts(stream: BinaryIO) -> tuple[int, ...]:
    """Offsets of the separators: ``From `` after a blank line, with a date, above a header."""
    starts = [0]
    base = 0
    held = b""
    while chunk := stream.read(_CHUNK_BYTES):
        held += chunk
        # The separator must be seen whole, and the blank line before it.
        safe = len(held) - _LONGEST_SEPARATOR if len(chunk) == _CHUNK_BYTES else len(held)
        position = 0
        while 0 <= (found := held.find(b"\nFrom ", position)) < safe:
            position = found + 1
            if held[max(0, found - 2) : found].endswith((b"\n", b"\n\r")) and _SEPARATOR.match(
                held, position
            ):
                starts.append(base + position)
        cut = max(0, safe - 2)
        base += cut
        held = held[cut:]
    return tuple(dict.fromkeys(starts))


def is_mailbox(path: Path) -> bool:
    """Whether a file is a mailbox, by its first bytes."""
    with suppress(OSError, ValueError, SourceError), path.open("rb") as file:
        found = recognise(file.read(HEAD_BYTES), str(path))
        return found is not None and found.is_streamed
    return False


def list_mails(path: Path) -> list[str]:
    """The mails of a mailbox as sources: ``inbox.mbox#1`` and so on."""
    with _Mailbox.open(path) as mailbox:
        return [f"{path}{MAIL_MARK}{number + 1}" for number in range(len(mailbox.starts))]


def take_mail(source: str, options: ReadOptions, *, id: str) -> RawSource | None:
    """A mail of a mailbox as a source; ``None`` where the name is not that of a mail in a file.

    Raises:
        SourceError: The mailbox has fewer mails, or the mail is too large.
    """
    named = _NUMBERED.fullmatch(source)
    if named is None or Path(source).exists() or not Path(named["path"]).is_file():
        return None
    path, number = Path(named["path"]), int(named["number"])
    if not is_mailbox(path):
        return None
    with _Mailbox.open(path) as mailbox:
        if number > len(mailbox.starts):
            raise SourceError(f"{path} has {len(mailbox.starts):,} mails", f"there is no mail {number:,}")
        content = mailbox.mail(number - 1, options)
    if content is None:
        limit = options.max_pdf_bytes / MIB
        raise SourceError(f"{source} is too large: more than {limit:,.0f} MiB", "save its text by itself")
    return RawSource(id=id, name=source, content=content, media_type="message/rfc822")
