"""RTF documents: headings by style, tables by row, notes at the end, in whatever code page they are."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import (
    COMMENTS,
    CONTENTS_LEVEL,
    DELETIONS,
    HIDDEN,
    RUNNING_LINES,
    TABLE_OF_CONTENTS,
    TITLE_LEVEL,
    Block,
    Tally,
    make_document,
    named_style_level,
    table_row,
    take_title,
)
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

_TOKEN = regex(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\"
)
_MAX_DEPTH = 5_000
_MAX_STYLES = 10_000
# Groups whose content is no text of the document. Starred groups not named here are skipped as well.
_SKIPPED = frozenset(
    "fonttbl colortbl stylesheet listtable listoverridetable filetbl revtbl rsidtbl pict nonshppict"  # noqa: SIM905
    " objdata sp shprslt listtext pntext pntxta pntxtb fldinst bkmkstart bkmkend xe tc txe rxe tcn datafield"
    " template operator themedata colorschememapping latentstyles xmlnstbl generator private atnid atnauthor"
    " atntime atnref atnicn atrfstart atrfend atndate atnparent ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn"
    " background falt panose".split()
)
_READ_THOUGH_STARRED = frozenset(["shpinst", "shptxt", "annotation", "footnote"])
_RUNNING = frozenset("header headerl headerr headerf footer footerl footerr footerf".split())  # noqa: SIM905
_CHARACTERS = {
    b"tab": " ", b"line": " ", b"lbr": " ", b"softline": " ", b"emspace": " ", b"enspace": " ",
    b"qmspace": " ",
    b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"nestcell": " ", b"softpage": " ", b"column": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\t": " "}
_PARAGRAPH_ENDS = frozenset([b"par", b"sect", b"page", b"nestrow"])
# Code pages by the number of a font's character set.
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850", 89: "mac_latin2", 84: "mac_cyrillic", 85: "mac_greek",
}  # fmt: skip
_DEFAULT_CODE_PAGES = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
_BODY_LEVEL = 9


def read_rtf(raw: RawSource, _options: ReadOptions) -> Document:
    """Read an RTF document as if all tracked changes were accepted.

    Raises:
        SourceError: Its groups are nested beyond reason.
    """
    reader = _Reader(raw.name)
    reader.read(raw.content)
    blocks = reader.body.blocks
    for heading, notes in (("Footnotes", reader.footnotes), ("Endnotes", reader.endnotes)):
        if notes:
            blocks += [Block(text=heading, level=1), *notes]
    title = reader.body.title
    if title is None:
        title, blocks = take_title(blocks)
    return make_document(raw, blocks, reader.tally, title=title or reader.info_title, lost=tuple(reader.lost))


@dataclass(slots=True, kw_only=True)
class _State:
    """What holds in a group and ends with it."""

    flow: _Flow
    skipped: bool = False
    destination: str = ""
    num_skipped_after_unicode: int = 1
    encoding: str = "cp1252"
    hidden: bool = False
    deleted: bool = False
    style: int = 0
    outline: int | None = None


@dataclass(slots=True)
class _Flow:
    """Text that flows by itself: the body, a note, a header, a text box."""

    blocks: list[Block] = field(default_factory=list)
    title: str | None = None
    pieces: list[str] = field(default_factory=list)
    cell: list[Block] = field(default_factory=list)
    row: list[list[Block]] = field(default_factory=list)
    anchored: list[Block] = field(default_factory=list)
    in_table: bool = False
    end: Callable[[list[Block]], None] | None = None


@dataclass(slots=True, kw_only=True)
class _Style:
    """A paragraph style of the style sheet, as far as it says what a heading is."""

    number: int = 0
    outline: int | None = None
    based_on: int | None = None
    name: str = ""
    is_paragraph: bool = True

    @property
    def level(self) -> int | None:
        """Heading level, 0 for text, or one of the constants; ``None`` where nothing says."""
        named = named_style_level(normalise(self.name).rstrip(";"))
        if named is not None:
            return named
        if self.outline is None:
            return None
        return self.outline + 1 if self.outline < _BODY_LEVEL else 0


class _Reader:
    """Reads the tokens of a document one after the other; the stack of groups is its only memory."""

    def __init__(self, name: str) -> None:
        self.tally = Tally()
        self.body = _Flow()
        self.footnotes: list[Block] = []
        self.endnotes: list[Block] = []
        self.info_title: str | None = None
        self.lost: list[str] = []
        self._name = name
        self._state = _State(flow=self.body)
        self._stack: list[_State] = []
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = False
        self._default_encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._styles: dict[int, _Style] = {}
        self._style = _Style()
        self._in_info = False

    def read(self, content: bytes) -> None:
        """Read a whole document."""
        position = content.find(b"{\\rtf")
        end = len(content)
        while position < end:
            token = _TOKEN.match(content, position)
            if token is None:  # cannot be: every byte begins a token
                break
            position = token.end()
            if token["text"] is not None:
                self._take_bytes(token["text"])
            elif token["byte"] is not None:
                self._take_bytes(bytes.fromhex(token["byte"].decode()), is_one=True)
            elif token["brace"] == b"{":
                self._open()
            elif token["brace"] == b"}":
                self._close()
                if not self._stack:
                    break
            elif token["word"] is not None:
                number = int(token["number"]) if token["number"] else None
                if token["word"] == b"bin":
                    position += max(0, number or 0)
                else:
                    self._control(token["word"], number)
            elif token["symbol"] is not None:
                self._symbol(token["symbol"])
        if self._stack:
            self.lost.append("the file is cut off: its last part is missing")
            while self._stack:
                self._close()
        self._state.flow.in_table = False
        self._end_paragraph(self._state)
        self._end_row(self.body)

    def _open(self) -> None:
        self._flush()
        if len(self._stack) >= _MAX_DEPTH:
            raise SourceError(f"{self._name} nests its groups too deeply", "check that it is the right file")
        self._stack.append(self._state)
        self._state = replace(self._state)
        self._starred = False
        self._to_skip = 0

    def _close(self) -> None:
        self._flush()
        self._to_skip = 0
        ended, self._state = self._state, self._stack.pop()
        if ended.destination == "style" and self._state.destination != "style":
            if self._style.is_paragraph and len(self._styles) < _MAX_STYLES:
                self._styles[self._style.number] = self._style
            self._style = _Style()
        if ended.flow is not self._state.flow:
            self._end_paragraph(ended)
            self._end_row(ended.flow)
            if ended.flow.end is not None:
                ended.flow.end(ended.flow.blocks)

    def _flow_to(self, end: Callable[[list[Block]], None]) -> None:
        """Let the text of this group flow by itself, and give its blocks to ``end``."""
        self._state.flow = _Flow(end=end)
        self._state.style, self._state.outline = 0, None
        self._state.hidden = self._state.deleted = False

    def _control(self, word: bytes, number: int | None) -> None:
        starred, self._starred = self._starred, False
        if self._to_skip and word != b"u":
            self._to_skip -= 1
            return
        self._flush()
        name = word.decode()
        if self._state.skipped:
            if self._state.destination in ("fonttbl", "style", "stylesheet"):
                self._define(name, number)
            return
        if name in _SKIPPED or (starred and name not in _READ_THOUGH_STARRED):
            self._state.skipped = True
            self._state.destination = name
        elif not self._begin_flow(name):
            self._format(word, name, number)

    def _begin_flow(self, name: str) -> bool:
        """Begin a group whose text flows by itself; whether ``name`` begins one."""
        if name == "footnote":
            self._flow_to(lambda blocks: self._note(blocks, self.footnotes))
        elif name == "ftnalt" and self._state.flow.end is not None:
            self._state.flow.end = lambda blocks: self._note(blocks, self.endnotes)
        elif name == "annotation":
            self._flow_to(lambda blocks: self._count(COMMENTS, blocks))
        elif name in _RUNNING:
            self._flow_to(lambda blocks: self._count(RUNNING_LINES, blocks))
        elif name == "shptxt":
            outer = self._state.flow
            self._flow_to(outer.anchored.extend)
        elif name == "info":
            self._flow_to(lambda _: None)
            self._in_info = True
        elif name == "title" and self._in_info:
            self._flow_to(self._take_info_title)
        else:
            return False
        return True

    def _format(self, word: bytes, name: str, number: int | None) -> None:
        state = self._state
        if word in _PARAGRAPH_ENDS:
            self._end_paragraph(state)
        elif word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        elif name == "u":
            self._say_unicode(number or 0)
        elif name == "uc":
            state.num_skipped_after_unicode = min(max(0, number or 0), 8)
        elif name == "f":
            state.encoding = self._fonts.get(number or 0, self._default_encoding)
        elif name == "ansicpg":
            self._default_encoding = state.encoding = _code_page(number or 0) or self._default_encoding
        elif word in _DEFAULT_CODE_PAGES:
            self._default_encoding = state.encoding = _DEFAULT_CODE_PAGES[word]
        elif name == "pard":
            state.style, state.outline, state.flow.in_table = 0, None, False
        elif name == "s":
            state.style = number or 0
        elif name == "outlinelevel":
            state.outline = number
        elif name in ("v", "deleted"):
            on = number is None or number != 0
            state.hidden, state.deleted = (on, state.deleted) if name == "v" else (state.hidden, on)
        elif name == "plain":
            state.hidden = state.deleted = False
            state.encoding = self._default_encoding
        elif name == "intbl":
            state.flow.in_table = True
        elif name == "cell":
            self._end_cell(state)
        elif name == "row":
            self._end_row(state.flow)

    def _define(self, name: str, number: int | None) -> None:
        """Take a font or a style from its table."""
        if self._state.destination == "fonttbl":
            if name == "f":
                self._font = number or 0
            encoding = _CHARSETS.get(number or 0) if name == "fcharset" else None
            if name == "cpg":
                encoding = _code_page(number or 0)
            if encoding and len(self._fonts) < _MAX_STYLES:
                self._fonts[self._font] = encoding
            return
        self._state.destination = "style"
        if name == "s":
            self._style.number = number or 0
        elif name in ("cs", "ds", "ts"):
            self._style.is_paragraph = False
        elif name == "outlinelevel":
            self._style.outline = number
        elif name == "sbasedon":
            self._style.based_on = number

    def _symbol(self, symbol: bytes) -> None:
        if self._to_skip:
            self._to_skip -= 1
        elif symbol == b"*":
            self._starred = True
        elif symbol in (b"\r", b"\n"):
            if not self._state.skipped:
                self._flush()
                self._end_paragraph(self._state)
        elif symbol in _SYMBOLS and not self._state.skipped:
            self._flush()
            self._say(_SYMBOLS[symbol])

    def _take_bytes(self, text: bytes, *, is_one: bool = False) -> None:
        if self._to_skip:
            skipped = 1 if is_one else min(self._to_skip, len(text))
            self._to_skip -= skipped
            text = text[skipped:]
        # A character of two bytes may be written as a code and a letter, so both are decoded together.
        if not self._state.skipped or self._state.destination in ("style", "stylesheet"):
            self._bytes += text

    def _flush(self) -> None:
        if not self._bytes:
            return
        text = self._bytes.decode(self._state.encoding, errors="replace")
        self._bytes.clear()
        if self._state.skipped:
            # A style may have a group of its own, or share the one of the sheet.
            self._state.destination = "style"
            self._style.name += text
        else:
            self._say(text)

    def _say(self, text: str) -> None:
        state = self._state
        if state.deleted:
            self.tally.add(DELETIONS, text)
        elif state.hidden:
            self.tally.add(HIDDEN, text)
        else:
            state.flow.pieces.append(text)

    def _say_unicode(self, code: int) -> None:
        self._to_skip = self._state.num_skipped_after_unicode
        self._say(chr(code % 0x10000))

    def _end_paragraph(self, state: _State) -> None:
        flow = state.flow
        text = normalise(_joined(flow.pieces))
        flow.pieces.clear()
        level = self._level(state)
        if text and level == TITLE_LEVEL and flow is self.body and flow.title is None:
            flow.title = text
        elif level == CONTENTS_LEVEL:
            self.tally.add(TABLE_OF_CONTENTS, text)
        elif text:
            block = Block(text=text, level=max(0, level))
            if flow.in_table:
                flow.cell.append(block)
            else:
                self._end_row(flow)
                flow.blocks.append(block)
        if not flow.in_table:
            # Text boxes follow the paragraph that they are anchored to.
            flow.blocks += flow.anchored
            flow.anchored = []

    def _level(self, state: _State) -> int:
        if state.outline is not None:
            return state.outline + 1 if state.outline < _BODY_LEVEL else 0
        for style in self._chain(state.style):
            if style.level is not None:
                return style.level
        return 0

    def _chain(self, number: int) -> Iterator[_Style]:
        seen: set[int] = set()
        while number in self._styles and number not in seen:
            seen.add(number)
            yield self._styles[number]
            number = -1 if (base := self._styles[number].based_on) is None else base

    def _end_cell(self, state: _State) -> None:
        state.flow.in_table = True
        self._end_paragraph(state)
        state.flow.row.append(state.flow.cell)
        state.flow.cell = []

    def _end_row(self, flow: _Flow) -> None:
        if flow.cell:
            flow.row.append(flow.cell)
        if flow.row:
            flow.blocks += table_row(flow.row)
        flow.row, flow.cell = [], []

    def _note(self, blocks: list[Block], notes: list[Block]) -> None:
        notes += [Block(text=block.text) for block in blocks]

    def _count(self, what: str, blocks: list[Block]) -> None:
        for block in blocks:
            self.tally.add(what, block.text)

    def _take_info_title(self, blocks: list[Block]) -> None:
        self.info_title = normalise(" ".join(block.text for block in blocks)) or None


def _joined(pieces: list[str]) -> str:
    """The pieces of a paragraph; characters beyond the basic plane are stored as two codes."""
    text = "".join(pieces)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _code_page(number: int) -> str | None:
    if number in (65001, 1208):
        return "utf-8"
    if number == 10000:
        return "mac_roman"
    name = {936: "gb18030", 1361: "johab", 874: "cp874"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None
