"""What a mail repeats or appends: quoted mails, signatures, the footers of mailing lists."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsum_cli.reading.blocks import Block, Tally
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

QUOTATIONS = "quoted mails"
SIGNATURES = "signatures"
LIST_FOOTERS = "footers of mailing lists"
MAIL_HEADERS = "headers of quoted mails"
LINKS = "web addresses"
GREETINGS = "greetings"

_QUOTED = regex(r" {0,3}>")
_QUOTE_MARKS = regex(r"^ {0,3}(?:> ?)+")
_WROTE = (
    r"(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|napisał\(?a?\)?"
    r"|написал\(?а?\)?|写道)"
)
# "On 5 March 2024 at 14:20, Ann Lee <ann@example.org> wrote:", on one line or up to three.
_ATTRIBUTION = regex(rf"(?=.*[\d@]).{{4,300}}\b{_WROTE}\b[^.!?]{{0,60}}[::]?$", re.I)
_MAX_ATTRIBUTION_LINES = 3
_ORIGINAL = regex(
    r"[ \t]*(?:[-_]{2,}[ \t]*(?:original (?:message|appointment)|ursprüngliche nachricht"
    r"|message d['’]origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)"
    r"[ \t]*[-_]*|_{20,})[ \t]*",
    re.I,
)
_FORWARDED = regex(
    r"[ \t]*(?:-{3,}[ \t]*(?:forwarded (?:message|by)|weitergeleitete nachricht|message transféré"
    r"|mensaje reenviado|messaggio inoltrato)\b.*|begin forwarded message:"
    r"|anfang der weitergeleiteten nachricht:)",
    re.I,
)
_FORWARD_SUBJECT = regex(r"\s*(?:fwd?|wg|tr|rv|i|enc|doorst|vs)\s*:|\[fwd", re.I)
_FIELD = regex(
    r"[ \t]*\*?(?P<name>from|sent|date|to|cc|subject|reply-to|von|gesendet|datum|an|betreff|de|envoyé|à|objet"
    r"|enviado|para|asunto|da|inviato|a|oggetto|assunto)[ \t]?:\*?(?:[ \t]+\S.*|[ \t]*)$",
    re.I,
)
_RULED_LABEL = regex(r"^-{3,}[^-]{1,60}-{3,}\s*")
_MIN_FIELDS = 3
_GREETS = (
    r"(?i:hi|hello|hey|dear|good (?:morning|afternoon|evening)|greetings|hallo|moin|liebe[rs]?"
    r"|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|bonjour|bonsoir|ch(?:er|ère)s?|hola|estimad[oa]s?"
    r"|querid[oa]s?|ciao|salve|car[oai]|gentile|olá|beste|geachte|hoi|hej)\b"
)
# Names, and what several people are called.
_GREETED = (
    r"(?!I\b)(?:[A-ZÀ-Þ][\w.'’-]*|@\w+|all|everyone|everybody|team|folks|guys|there|both|friends"
    r"|colleagues|zusammen|alle|leute|à|a|tous|toutes|todos|tutti|allemaal|or|and|und|et|y|e|&)"
)
# "Dear members of the board, dear Anna," on a line of its own. After a comma others are greeted; what is
# said begins otherwise: "Dear members, the meeting on Tuesday,".
_WORD = r" [^\s.!?;,:]{1,30}"
_OTHERS = rf"(?:, (?:{_GREETS}(?:{_WORD}){{0,4}}|{_GREETED}(?: {_GREETED}){{0,4}})){{0,3}}"
_GREETING_LINE = regex(
    rf"{_GREETS}(?! (?:the|an?|this|that|it|its|we|my|our)\b)"
    rf"(?:(?:{_WORD}){{0,8}}{_OTHERS}\s*,|(?:{_WORD}){{0,4}}{_OTHERS}\s*[!:])|{_GREETS}"
)
# "Hi all, the landlord …".
_GREETING = regex(rf"{_GREETS}(?:,? {_GREETED}){{0,8}}\s*[,!:]\s+")
_LIST_RULE = regex(r"[ \t]*(?:_{20,}|-{20,}|={20,}|-~-~-~.*|\*{20,})[ \t]*")
_LIST_WORDS = regex(r"mailing list|unsubscribe|listinfo|you received this message because", re.I)
_MAX_SIGNATURE_LINES = 15
# What is looked at again at every line: fields of a header, lines above a quotation.
_MAX_FIELDS, _FEW_LINES = 40, 12
_MAX_FOOTER_LINES = 15
_ENCRYPTED = regex(r"^-----BEGIN PGP MESSAGE-----\n.*?(?:^-----END PGP MESSAGE-----$|\Z)", re.M | re.S)
_SIGNATURE_BLOCK = regex(
    r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z]+:[^\n]*\n)*"
    r"|^-----BEGIN PGP (?P<what>SIGNATURE|PUBLIC KEY BLOCK)-----\n.*?(?:^-----END PGP (?P=what)-----$|\Z)",
    re.M | re.S,
)
_ENCODED_FILE = regex(r"^begin [0-7]{3,4} (?P<name>\S.{0,200})\n(?:[!-`].{1,90}\n)+(?:[` ]?\n)?end$", re.M)
_LINK_LINE = regex(r"^[ \t]*(?:\[\d+\][ \t]*)?<?https?://\S+>?[ \t]*$", re.M)
_LINK_ASIDE = regex(r"(?:(?<![ \t])[ \t]++)?+<https?://[^\s<>]++>")
# Elements in which mail programs put what is quoted and signed.
_QUOTE_XPATH = (
    ".//blockquote[@type='cite' or contains(@class, 'gmail_quote')] | .//div[contains(@class, 'gmail_quote')]"
    " | .//div[contains(@class, 'gmail_attr') or contains(@class, 'moz-cite-prefix') or contains(@class,"
    " 'yahoo_quoted') or contains(@class, 'protonmail_quote')] | .//*[@id='divRplyFwdMsg' or"
    " @id='mail-editor-reference-message-container']"
)
_SIGNATURE_XPATH = (
    ".//*[contains(@class, 'gmail_signature') or contains(@class, 'moz-signature') or contains(@class,"
    " 'protonmail_signature_block') or @id='Signature' or @id='ms-outlook-mobile-signature']"
)


def is_forward(subject: str) -> bool:
    """Whether a subject is that of a forwarded mail, whose quotation is what it is about."""
    return _FORWARD_SUBJECT.match(subject) is not None


def own_text(text: str, tally: Tally, *, keeps_all: bool = False) -> str:
    """The text of a mail without quoted mails, signature and footer of a mailing list.

    A mail that has nothing else keeps its quotation, without the marks.

    Args:
        text: Its lines ended by line feeds.
        tally: Counts what is left out.
        keeps_all: Whether quotations stay, as in a forwarded mail.
    """
    found = Tally()
    lines = _without_footers([line.rstrip("\r") for line in text.split("\n")], found)
    kept = list(lines)
    if not keeps_all:
        quotations = Tally()
        kept = _without_quotations(lines, quotations)
        if _has_words(kept):
            _add_all(tally, quotations)
            signatures = Tally()
            unsigned = _without_footers(kept, signatures)
            # Who answers above a quotation signs there.
            if _ends_otherwise(kept, lines) and _has_words(unsigned):
                _add_all(tally, signatures)
                kept = unsigned
        else:
            kept = list(lines)
    else:
        kept = [line for line in kept if not _counts_as_header(line, tally)]
    _add_all(tally, found)
    lines = _without_headers([_QUOTE_MARKS.sub("", line) for line in kept], tally)
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines and _GREETING_LINE.fullmatch(lines[first].strip()):
        # What it stands directly above is another paragraph.
        lines.insert(first + 1, "")
    return "\n".join(lines)


def _has_words(lines: Sequence[str]) -> bool:
    return any(re.search(r"\w", line) for line in lines)


def _ends_otherwise(kept: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether the last of these lines that is not blank is not kept."""
    last, last_kept = (next(filter(str.strip, reversed(each)), "") for each in (lines, kept))
    return last != last_kept


def own_blocks(blocks: Sequence[Block], tally: Tally, *, keeps_all: bool = False) -> list[Block]:
    """The same for a mail in paragraphs: what follows the header of a quoted mail is left out."""
    for at, block in enumerate(blocks):
        is_header = len(set(_field_names(block.text))) >= _MIN_FIELDS
        if not (is_header or _ORIGINAL.fullmatch(block.text)):
            continue
        if at and not keeps_all and any(not own.level for own in blocks[:at]):
            for quoted in blocks[at:]:
                tally.add(QUOTATIONS, quoted.text)
            return list(blocks[:at])
        tally.add(MAIL_HEADERS, block.text)
        return [*blocks[:at], *own_blocks(blocks[at + 1 :], tally, keeps_all=True)]
    return list(blocks)


def without_greeting(blocks: Sequence[Block], tally: Tally) -> list[Block]:
    """The paragraphs of a mail without the greeting that opens it, if it says anything else.

    What goes on behind a greeting begins in lower case in many languages: it becomes a sentence of its own.
    """
    if not blocks or blocks[0].level:
        return list(blocks)
    first = blocks[0].text.strip()
    found = _GREETING_LINE.fullmatch(first) or _GREETING.match(first)
    rest = first[found.end() :] if found is not None else ""
    if found is None or not (rest or blocks[1:]):
        return list(blocks)
    tally.add(GREETINGS, found.group())
    others = list(blocks[1:])
    if rest:
        return [replace(blocks[0], text=_as_sentence(rest)), *others]
    return [replace(others[0], text=_as_sentence(others[0].text)), *others[1:]]


def _as_sentence(text: str) -> str:
    first = text.split(maxsplit=1)[0].rstrip(",;:")
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() else text


def remove_quoted_elements(root: HtmlElement, tally: Tally) -> None:
    """Remove from a page the elements in which mail programs quote and sign."""
    for xpath, what in ((_SIGNATURE_XPATH, SIGNATURES), (_QUOTE_XPATH, QUOTATIONS)):
        for element in list(root.xpath(xpath)):
            if root not in element.iterancestors():
                continue  # removed with the one around it
            followers = []
            if element.get("id") == "divRplyFwdMsg":
                # Outlook sets the quoted mail behind its header.
                followers = list(element.itersiblings())
            elif _FORWARDED.search(element.text_content()[:200].strip()):
                continue
            for removed in (element, *followers):
                tally.add(what, " ".join(str(text) for text in removed.itertext()))
                removed.drop_tree()


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """What a text holds besides words.

    Attributes:
        is_encrypted: Whether a part of it needs a key.
        files: The names of the files in it.
    """

    is_encrypted: bool
    files: tuple[str, ...]


def without_encoded(text: str, tally: Tally) -> tuple[str, Encoded]:
    """The text without encrypted parts, their signatures and keys, and files, in letters (PGP, uuencode).

    Args:
        text: Its lines ended by line feeds.
        tally: Counts signatures and keys.
    """
    for block in _SIGNATURE_BLOCK.finditer(text):
        tally.add(SIGNATURES, block.group())
    text = _SIGNATURE_BLOCK.sub("", text)
    files = tuple(normalise(file["name"]) for file in _ENCODED_FILE.finditer(text))
    text, num_encrypted = _ENCRYPTED.subn("", _ENCODED_FILE.sub("", text))
    return text, Encoded(is_encrypted=num_encrypted > 0, files=files)


def without_links(text: str, tally: Tally) -> str:
    """The text without lines that are only a web address, and without addresses behind their words."""

    def count(link: re.Match[str]) -> str:
        tally.add(LINKS, link.group())
        return ""

    return _LINK_ASIDE.sub(count, _LINK_LINE.sub(count, text))


def _counts_as_header(line: str, tally: Tally) -> bool:
    """Whether a line announces a quoted mail; it is counted then."""
    announces = bool(_FORWARDED.fullmatch(line) or (_ORIGINAL.fullmatch(line) and re.search(r"\w", line)))
    if announces:
        tally.add(MAIL_HEADERS, line)
    return announces


def _add_all(tally: Tally, found: Tally) -> None:
    for left_out in found.left_out():
        tally.add_words(left_out.what, left_out.words)


def _without_footers(lines: Sequence[str], tally: Tally) -> list[str]:
    """Without the signature below ``--``, and the footer of a mailing list below a ruled line."""
    end = len(lines)
    below: deque[str] = deque()  # the lines that are not blank, from there to the end
    for at in range(len(lines) - 1, -1, -1):
        if len(below) > max(_MAX_FOOTER_LINES, _MAX_SIGNATURE_LINES):
            break
        line = lines[at]
        is_footer = bool(_LIST_RULE.fullmatch(line)) and bool(_LIST_WORDS.search(" ".join(below)))
        if is_footer or (line in ("-- ", "--") and not any(_QUOTED.match(each) for each in below)):
            tally.add(LIST_FOOTERS if is_footer else SIGNATURES, " ".join(below))
            end = at
            below.clear()
        elif line.strip():
            below.appendleft(line)
    return list(lines[:end])


def _without_quotations(lines: Sequence[str], tally: Tally) -> list[str]:
    kept: list[str] = []
    first_own: int | None = None  # the first line with words
    at = 0
    while at < len(lines):
        line = lines[at]
        has_own = first_own is not None and first_own < len(kept)
        if has_own and _begins_quoted_mail(lines, at):
            tally.add(QUOTATIONS, " ".join(_QUOTE_MARKS.sub("", rest) for rest in lines[at:]))
            break
        if _FORWARDED.fullmatch(line):
            tally.add(MAIL_HEADERS, line)
            kept += lines[at + 1 :]
            break
        if _QUOTED.match(line):
            _take_attribution(kept, tally)
            tally.add(QUOTATIONS, _QUOTE_MARKS.sub("", line))
        else:
            if not has_own and re.search(r"\w", line):
                first_own = len(kept)
            kept.append(line)
        at += 1
    return kept


def _take_attribution(kept: list[str], tally: Tally) -> None:
    """Remove the lines that introduce a quotation from the end of what is kept."""
    filled = len(kept)
    while filled and len(kept) - filled < _FEW_LINES and not kept[filled - 1].strip():
        filled -= 1
    for taken in range(1, _MAX_ATTRIBUTION_LINES + 1):
        first = filled - taken
        if first < 0 or not kept[first].strip():
            return
        text = normalise(" ".join(kept[first:filled]))
        if _ATTRIBUTION.fullmatch(text) and not (first and taken == 1 and _runs_on(kept, first)):
            tally.add(QUOTATIONS, text)
            del kept[first:]
            return


def _runs_on(kept: Sequence[str], first: int) -> bool:
    """Whether the line above also belongs to the introduction: it begins like one."""
    return bool(re.match(r"(?:On|Am|Le|El|Il|Em|Op|Den|Dnia)\b", kept[first - 1].strip()))


def _begins_quoted_mail(lines: Sequence[str], at: int) -> bool:
    """Whether the header of a quoted mail stands on a line, or below the words or the rule on it."""
    if not _ORIGINAL.fullmatch(lines[at]):
        return _header_length(lines, at) > 0
    if not _LIST_RULE.fullmatch(lines[at]):
        return True
    below = next((n for n in range(at + 1, len(lines)) if lines[n].strip()), at)
    return _header_length(lines, below) > 0


def _header_length(lines: Sequence[str], at: int) -> int:
    """Number of lines of a quoted mail's header that begins at a line; 0 where none begins."""
    end = at
    while end < min(len(lines), at + _MAX_FIELDS) and _FIELD.match(lines[end]):
        end += 1
    names = {match["name"].lower() for line in lines[at:end] if (match := _FIELD.match(line))}
    return end - at if len(names) >= _MIN_FIELDS else 0


def _field_names(text: str) -> list[str]:
    """Names of header fields in a paragraph: ``From: … Sent: … To: … Subject: …``."""
    text = _RULED_LABEL.sub("", text)
    if not re.match(r"\*?(?:From|Von|De|Da|Date|Datum)\s?:", text, re.I) or len(text.split()) > 120:
        return []
    return re.findall(
        r"\b(from|sent|date|to|subject|von|gesendet|datum|an|betreff|de|envoyé|à|objet|enviado|para|asunto)\s?:",
        text.lower(),
    )


def _without_headers(lines: Sequence[str], tally: Tally) -> list[str]:
    kept: list[str] = []
    at = 0
    while at < len(lines):
        length = _header_length(lines, at)
        if length:
            tally.add(MAIL_HEADERS, " ".join(lines[at : at + length]))
            kept.append("")
        else:
            kept.append(lines[at])
        at += length or 1
    return kept
