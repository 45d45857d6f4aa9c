"""Mails: what their author wrote, labelled with sender and date."""

from __future__ import annotations

import email
import email.errors
import email.header
import email.utils
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import cast

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import Block, Tally, make_document
from lsum_cli.reading.charsets import declared_charset, decode
from lsum_cli.reading.mail.replies import (
    is_forward,
    own_blocks,
    own_text,
    remove_quoted_elements,
    without_encoded,
    without_greeting,
    without_links,
)
from lsum_cli.reading.markup import clean_html, parse_html
from lsum_cli.reading.plain.document import parse_plain
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.wiki_markup import ASCIIDOC, blocks_of, recognise_dialect
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

_MAX_DEPTH = 30
_MAX_NAMED = 4
_MIN_HTML_ADVANTAGE = 3
_FEW_WORDS = 20
_MAX_LINK_SHARE = 0.25
# Texts that hold records, or say how something is shown.
_RECORDS = frozenset(
    (
        "calendar", "vcard", "x-vcard", "x-vcalendar", "directory", "csv", "tab-separated-values",
        "json", "yaml", "xml", "sgml", "css", "javascript", "rtf", "enriched", "richtext", "x-diff",
        "x-patch", "rfc822-headers",
    )
)  # fmt: skip
_LINK = regex(r"https?://\S+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mail:
    """A mail as read.

    Attributes:
        subject: Its subject, or ``None``.
        label: Its sender and date: ``"Ann Lee, 2024-03-05 14:20"``; empty where neither is given.
        blocks: What its author wrote.
        attachments: The names of the parts that are not its text.
        enclosed: Mails attached to it.
        encrypted: Whether text of it cannot be read without a key.
        cut: Whether its end is missing.
        warnings: On unreadable characters.
    """

    subject: str | None
    label: str
    blocks: tuple[Block, ...] = ()
    attachments: tuple[str, ...] = ()
    enclosed: tuple[Mail, ...] = ()
    encrypted: bool = False
    cut: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Subject and label, as the heading of its section."""
        return " — ".join(part for part in (self.subject, self.label) if part)

    def all_attachments(self) -> list[str]:
        """Also those of the enclosed mails."""
        return [*self.attachments, *(name for mail in self.enclosed for name in mail.all_attachments())]

    def is_encrypted(self) -> bool:
        """Whether text of it or of an enclosed mail cannot be read without a key."""
        return self.encrypted or any(mail.is_encrypted() for mail in self.enclosed)

    def all_warnings(self) -> list[str]:
        """Also those of the enclosed mails."""
        return [*self.warnings, *(text for mail in self.enclosed for text in mail.all_warnings())]


def read_mail(raw: RawSource, _options: ReadOptions) -> Document:
    """Read one mail.

    Raises:
        SourceError: It is encrypted, or has no text.
    """
    tally = Tally()
    mail = parse_mail(raw.content, raw.name, tally)
    blocks = list(sections_of(replace(mail, subject=None)))
    if not any(not block.level for block in blocks):
        raise _without_text(raw.name, mail)
    return make_document(
        raw,
        blocks,
        tally,
        title=mail.subject,
        lost=(
            *(("a part of the mail is encrypted and was not read",) if mail.is_encrypted() else ()),
            *(("the mail is cut off: its last part has no end",) if mail.cut else ()),
        ),
        warnings=(*dict.fromkeys(mail.all_warnings()), *say_attachments(mail.all_attachments())),
    )


def parse_mail(content: bytes, name: str, tally: Tally) -> Mail:
    """Parse one mail.

    Args:
        content: Its bytes, headers first.
        name: The source's name, for messages.
        tally: Counts quoted replies, signatures and the like.
    """
    try:
        message = email.message_from_bytes(content)
        return _MailReader(name, tally).read(message)
    except (RecursionError, LookupError, ValueError, TypeError, AttributeError) as error:
        # The standard library raises these for headers and parts that break the rules.
        raise SourceError(
            f"{name} is damaged: its parts cannot be told apart", "save it again in the mail program"
        ) from error


def sections_of(mail: Mail, level: int = 1) -> Iterator[Block]:
    """A mail as a section headed by its label, its own headings below; then the mails enclosed."""
    if mail.blocks:
        if mail.heading:
            yield Block(text=mail.heading, level=level)
        for block in mail.blocks:
            yield replace(block, level=block.level + level) if block.level else block
    for enclosed in mail.enclosed:
        yield from sections_of(enclosed, level)


def say_attachments(names: Sequence[str]) -> tuple[str, ...]:
    """The warning that attachments were not read; none where there are none."""
    if not names:
        return ()
    shown = ", ".join(names[:_MAX_NAMED])
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    what = "1 attachment was" if len(names) == 1 else f"{len(names):,} attachments were"
    return (f"{what} not read: {shown}{more}",)


def _without_text(name: str, mail: Mail) -> SourceError:
    if mail.is_encrypted():
        return SourceError(
            f"{name} is an encrypted mail", "open it in a mail program that has the key and save its text"
        )
    attachments = mail.all_attachments()
    if attachments:
        return SourceError(
            f"{name} contains no text: only {', '.join(attachments[:_MAX_NAMED])}",
            "save what is attached and give that file",
        )
    return SourceError(f"{name} contains no text", "check that it is the right mail")


@dataclass(kw_only=True)
class _Parts:
    """What is gathered from the parts of a mail."""

    blocks: list[Block] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    enclosed: list[Mail] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    encrypted: bool = False
    sole_text: Message | None = None


class _MailReader:
    """Reads a mail and those enclosed in it."""

    def __init__(self, name: str, tally: Tally) -> None:
        self._name = name
        self._tally = tally

    def read(self, message: Message, depth: int = 0) -> Mail:
        """Read a mail, whatever its parts."""
        subject = _header(message, "Subject") or None
        parts = _Parts(sole_text=_sole_text(message))
        self._gather(message, parts, depth, keeps_all=is_forward(subject or ""))
        return Mail(
            subject=subject,
            label=_label(message),
            blocks=tuple(parts.blocks),
            attachments=tuple(parts.attachments),
            enclosed=tuple(parts.enclosed),
            encrypted=parts.encrypted,
            cut=depth == 0 and any(_is_cut(part) for part in message.walk()),
            warnings=tuple(parts.warnings),
        )

    def _gather(self, part: Message, parts: _Parts, depth: int, *, keeps_all: bool) -> None:
        kind = part.get_content_type()
        children = _children(part)
        if depth > _MAX_DEPTH:
            parts.attachments.append("parts nested too deeply")
        elif kind == "multipart/encrypted" or _is_enveloped(part):
            parts.encrypted = True
        elif kind == "message/rfc822":
            for child in children:
                parts.enclosed.append(self.read(child, depth + 1))
        elif kind == "multipart/alternative":
            self._choose(children, parts, depth, keeps_all=keeps_all)
        elif part.is_multipart() and kind.startswith("multipart/"):
            for child in children:
                self._gather(child, parts, depth + 1, keeps_all=keeps_all)
        elif (kind in ("text/plain", "text/html") and not _is_attached(part)) or part is parts.sole_text:
            parts.blocks += self._body(part, parts, keeps_all=keeps_all)
        elif not kind.startswith(("application/pgp-signature", "application/pkcs7-signature")) and not (
            kind.startswith("application/x-pkcs7-signature")
        ):
            parts.attachments.append(_name_of(part))

    def _choose(self, children: Sequence[Message], parts: _Parts, depth: int, *, keeps_all: bool) -> None:
        """Read one of several forms of the same text: plain text, unless it is a makeshift."""
        forms: list[tuple[Message, str]] = []
        for child in children:
            if child.get_content_type() in ("text/plain", "text/html") and not _is_attached(child):
                forms.append((child, child.get_content_type()))
            elif child.get_content_type() == "multipart/related":
                # A page and its pictures.
                forms += [(child, "text/html")]
            else:
                parts.attachments.append(_name_of(child))
        read: dict[str, tuple[Tally, _Parts]] = {}
        for child, kind in forms:
            tally, found = Tally(), _Parts()
            reader = _MailReader(self._name, tally)
            reader._gather(child, found, depth + 1, keeps_all=keeps_all)
            if found.blocks or kind not in read:
                read[kind] = (tally, found)
        chosen = self._better_form(read)
        if chosen is not None:
            tally, found = chosen
            for left_out in tally.left_out():
                self._tally.add_words(left_out.what, left_out.words)
            parts.blocks += found.blocks
            parts.enclosed += found.enclosed
            parts.warnings += found.warnings
            parts.encrypted |= found.encrypted
        for _, found in read.values():
            parts.attachments += [name for name in found.attachments if name not in parts.attachments]

    @staticmethod
    def _better_form(read: dict[str, tuple[Tally, _Parts]]) -> tuple[Tally, _Parts] | None:
        plain, page = read.get("text/plain"), read.get("text/html")
        if plain is None or page is None:
            return plain or page
        text = " ".join(block.text for block in plain[1].blocks)
        words = len(text.split())
        page_words = sum(len(block.text.split()) for block in page[1].blocks)
        linked = sum(len(link) for link in _LINK.findall(text)) > _MAX_LINK_SHARE * len(text)
        makeshift = page_words > _MIN_HTML_ADVANTAGE * words + _FEW_WORDS
        return page if page_words and (makeshift or linked or not words) else plain

    def _body(self, part: Message, parts: _Parts, *, keeps_all: bool) -> list[Block]:
        content = _payload(part)
        charset = part.get_content_charset()
        if part.get_content_type() == "text/html":
            decoded = decode(content, charset or declared_charset(content))
            parts.warnings += decoded.warnings
            return self._read_page(decoded.text, keeps_all=keeps_all)
        decoded = decode(content, charset)
        parts.warnings += decoded.warnings
        if part.get_content_type() != "text/plain":
            return self._read_markup(decoded.text, part.get_content_subtype())
        text, found = without_encoded(decoded.text, self._tally)
        parts.attachments += found.files
        parts.encrypted |= found.is_encrypted
        if str(part.get_param("format", "")).lower() == "flowed":
            text = _unflow(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
        text = own_text(text, self._tally, keeps_all=keeps_all)
        plain = parse_plain(without_links(text, self._tally), self._tally, is_whole=False)
        # In a mail, capitals on a line of their own are shouted or abbreviated, and hardly ever a heading.
        return without_greeting([replace(block, level=0) for block in plain.blocks], self._tally)

    def _read_markup(self, text: str, kind: str) -> list[Block]:
        """The blocks of a text of another kind: in its markup, or as plain text."""
        if kind.removeprefix("x-") == "markdown":
            from lsum_cli.reading.markdown import parse_markdown

            return [*parse_markdown(text, self._name, self._tally)]
        dialect = ASCIIDOC if kind.removeprefix("x-") == "asciidoc" else recognise_dialect(text)
        if dialect is not None:
            return [*blocks_of(text, dialect, self._tally)]
        return [*parse_plain(text, self._tally, is_whole=False).blocks]

    def _read_page(self, text: str, *, keeps_all: bool) -> list[Block]:
        from lsum_cli.reading.html.blocks import to_blocks
        from lsum_cli.reading.html.walk import PageWalk

        root = parse_html(clean_html(text), self._name)
        if root is None:
            return []
        quoted = Tally()
        if not keeps_all:
            remove_quoted_elements(root, quoted)
        tally = Tally()
        blocks = to_blocks(PageWalk(root, tally, whole=True).blocks, tally)
        if not blocks and quoted.left_out():
            # Nothing but a quotation: it is what the mail says.
            return self._read_page(text, keeps_all=True)
        for left_out in (*quoted.left_out(), *tally.left_out()):
            self._tally.add_words(left_out.what, left_out.words)
        return without_greeting(own_blocks(blocks, self._tally, keeps_all=keeps_all), self._tally)


def _is_cut(part: Message) -> bool:
    """Whether the end of a part with parts was not found: the mail was not received whole."""
    ends = (email.errors.CloseBoundaryNotFoundDefect, email.errors.StartBoundaryNotFoundDefect)
    return any(isinstance(defect, ends) for defect in part.defects)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return cast("list[Message]", payload) if isinstance(payload, list) else []


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _sole_text(message: Message) -> Message | None:
    """The only `text/*` part of a message, of whatever subtype, unless it holds records."""
    texts = [
        part for part in message.walk() if part.get_content_maintype() == "text" and not _is_attached(part)
    ]
    return texts[0] if len(texts) == 1 and texts[0].get_content_subtype() not in _RECORDS else None


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _is_enveloped(part: Message) -> bool:
    """Whether it is encrypted, or signed in a way that hides its text."""
    if part.get_content_type() not in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        return False
    return str(part.get_param("smime-type", "")).lower() != "certs-only"


def _name_of(part: Message) -> str:
    """The file name of a part, or its media type."""
    name = part.get_filename()
    return (_decoded(str(name)) if name else "") or part.get_content_type()


def _label(message: Message) -> str:
    # A comma may be encoded in a name, where it separates no addresses.
    given = _field(message, "From")
    name, address = email.utils.parseaddr(given)
    sender = _decoded(name) or address or _decoded(given)
    return ", ".join(part for part in (normalise(sender), _date(message)) if part)


def _date(message: Message) -> str:
    """The date as its sender wrote it, in the sender's time: ``2024-03-05 14:20``."""
    given = _header(message, "Date")
    try:
        return email.utils.parsedate_to_datetime(given).strftime("%Y-%m-%d %H:%M")
    except (ValueError, TypeError, IndexError, OverflowError):
        return given[:40]


def _header(message: Message, name: str) -> str:
    return _decoded(_field(message, name))


def _field(message: Message, name: str) -> str:
    """A header field, in which words may be encoded."""
    value = next((text for key, text in message.raw_items() if key.lower() == name.lower()), None)
    if value is None:
        return ""
    # Some write other than ASCII characters as they are; the parser keeps their bytes as surrogates.
    content = str(value).encode("utf-8", "surrogateescape")
    return str(value) if str(value).isascii() else decode(content).text


def _decoded(value: str) -> str:
    """A header field in which words may be encoded."""
    pieces: list[str] = []
    try:
        for text, charset in email.header.decode_header(value):
            pieces.append(decode(text, charset).text if isinstance(text, bytes) else text)
    except (ValueError, email.errors.HeaderParseError):
        return normalise(value)
    return normalise("".join(pieces))


def _unflow(text: str, *, deletes_space: bool) -> str:
    """Join the lines that a mail program broke (RFC 3676)."""
    lines: list[str] = []
    flows = False
    depth_before = 0
    for line in text.split("\n"):
        quoted = line.lstrip(">")
        depth = len(line) - len(quoted)
        content = quoted.removeprefix(" ")
        if flows and depth == depth_before:
            lines[-1] += content
        else:
            lines.append(">" * depth + (" " if depth else "") + content)
        flows = content.endswith(" ") and content != "-- "
        if flows and deletes_space:
            lines[-1] = lines[-1][:-1]
        depth_before = depth
    return "\n".join(lines)
