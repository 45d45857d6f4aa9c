"""Paragraphs, joined from blocks in reading order over columns and pages."""

from __future__ import annotations

import enum
import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lsum_cli.documents import Paragraph, Piece
from lsum_cli.reading.pdf.blocks import Block
from lsum_cli.reading.pdf.glyphs import is_ideographic
from lsum_cli.reading.pdf.headings import Heading
from lsum_cli.reading.pdf.layout import PlacedBlock, Region
from lsum_cli.reading.pdf.lines import Line, with_text
from lsum_cli.reading.pdf.typography import BodyType, begins_caption, ends_sentence
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem

_WORD = regex(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
_HYPHENS = "-‐\u00ad¬"
_LAST_PART = regex(r"(?:^|(?<=[\s(\[“\"'‘’—–/]))((?:[\w’']+[-‐‑])*)([^\W\d_]+)[-‐\u00ad¬]$")
_FIRST_PART = regex(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
# First parts of compounds that are usually written with a hyphen.
_PREFIXES = frozenset(
    "self non well high low long short two three four five six one ten half cross so all ex post pre"  # noqa: SIM905
    " semi quasi state real time full left right near open end multi as".split()
)
# Of these, the ones that words begin with as well: "ex-cel", "pre-ceding", "as-pect".
_PREFIXES_IN_WORDS = frozenset("as ex pre post so all ten end multi state".split())  # noqa: SIM905
_SMALL_WORDS = frozenset(
    "the of to in and a an by on up at as or for with out off end".split()  # noqa: SIM905
)
# What words are made with that are written as one, though both their parts may stand side by side: "maybe".
_HEADS_OF_ONE_WORD = frozenset(
    "any every some no may can in on up out over under with there where here what who how when for".split()  # noqa: SIM905
)
_SHORT_HEAD, _LEAST_AFTER_SHORT = 3, 5  # characters


class Vocabulary:
    """The words of a document, to distinguish hyphenated compounds from words hyphenated at line ends."""

    def __init__(self, texts: Iterable[str]) -> None:
        words: list[str] = []
        rests: list[str] = []
        self._texts = tuple(texts)
        broken = False
        for text in self._texts:
            found = _WORD.findall(text.casefold())
            if broken:
                rests += found[:1]
            # The last word may be incomplete.
            broken = bool(text) and text[-1] in _HYPHENS
            words += found[:-1] if broken else found
        self._words = Counter(words)
        self._rests = Counter(rests)

    def join(self, upper: str, lower: str) -> str:
        """Join two lines: with a space, or to one word if it is hyphenated."""
        if not upper or not lower:
            return upper or lower
        if upper[-1] in "\u00ad¬" and lower[0].isalpha():
            return upper[:-1] + lower
        if upper[-1] not in _HYPHENS or len(upper) < 2:
            return upper + lower if _needs_no_space(upper, lower) else f"{upper} {lower}"
        if not (upper[-2].isalnum() and lower[0].isalnum()):
            return f"{upper} {lower}"
        if _is_address(upper) or self._is_meant(upper, lower):
            return upper + lower
        return upper[:-1] + lower

    def _is_meant(self, upper: str, lower: str) -> bool:
        """Whether the hyphen at the end of ``upper`` belongs to the word."""
        last, first = _LAST_PART.search(upper, upper.rfind(" ") + 1), _FIRST_PART.match(lower)
        if last is None or first is None:
            return True
        capitals = last[2].isupper() and first[0].isupper() and len(last[2]) > 1
        if not (lower[0].islower() or capitals):
            return True
        head = last[2].casefold()
        tail = first[0].casefold()
        compound_head = (last[1] + last[2]).casefold()
        plain = self._words[head + tail]
        hyphenated = max(self._words[f"{compound_head}-{tail}"], self._words[f"{head}-{tail}"])
        if plain or hyphenated:
            return hyphenated > plain
        tail_word = tail.split("-")[0]
        if last[1]:
            # "state-of-the-" continues with a hyphen if a word follows.
            return head in _SMALL_WORDS or bool(self._words[tail_word])
        both_words = bool(self._words[head]) and bool(self._words[tail_word])
        if both_words and self._stand_together(head, tail_word):
            return True
        if head in _PREFIXES:
            if head in _PREFIXES_IN_WORDS and not self._is_word(tail_word, after=head):
                return False
            return bool(self._words[tail_word]) or self._begins_compounds(head)
        return both_words and len(head) > 3 and len(tail_word) > 3 and self._begins_compounds(head)

    def _is_word(self, tail: str, *, after: str) -> bool:
        """Whether the document has a word, or its stem, also where it does not follow a broken line.

        Not where a letter is doubled, as between the syllables of "as-signed".
        """
        return tail[0] != after[-1] and any(
            self._words[form] > self._rests[form] for form in (tail, stem(tail))
        )

    def _stand_together(self, head: str, tail: str) -> bool:
        """Whether the document has the two words side by side: "as needed" where a line ends in "as-"."""
        least = _LEAST_AFTER_SHORT if len(head) <= _SHORT_HEAD else _SHORT_HEAD + 1
        if head in _HEADS_OF_ONE_WORD or len(head) == 1 or len(tail) < least:
            return False
        if not hasattr(self, "_whole"):
            self._whole = "\n".join(self._texts).casefold()
        # As a string first: a pattern takes twenty times as long to go through a book.
        start = self._whole.find(f"{head} {tail}")
        pattern = rf"\b{re.escape(head)} {re.escape(tail)}\b(?!-)"
        return start >= 0 and re.compile(pattern).search(self._whole, start) is not None

    def _begins_compounds(self, head: str) -> bool:
        """Whether the document has other words of ``head`` with a hyphen."""
        if not hasattr(self, "_heads"):
            self._heads = {word.split("-")[0] for word in self._words if "-" in word}
        return head in self._heads


def _needs_no_space(upper: str, lower: str) -> bool:
    """Whether two lines are joined without a space: in scripts without spaces, URLs and after dashes."""
    if is_ideographic(upper[-1]) and is_ideographic(lower[0]):
        return True
    if upper[-1] in "—–" and upper[-2:-1].isalpha() and lower[0].isalpha() and upper[-1] == "—":
        return True
    if upper[-1] == "–" and upper[-2:-1].isdigit() and lower[0].isdigit():
        # "pages 31–" goes on with "38".
        return True
    if upper[-1] == "." and _AT_A_HOST.search(upper) and _REST_OF_HOST.match(lower):
        # "at bugs." goes on with "ghostscript.com".
        return True
    return _is_address(upper) and upper[-1] in "/.-_=&?%" and not lower[0].isupper()


_AT_A_HOST = regex(r"(?:\b(?:at|visit|from|see)|://\S*|\S\.\S*) [a-z0-9-]{2,}\.$|(?:@|://|www\.)\S*\.$")
_REST_OF_HOST = regex(r"(?!www\.)(?:[a-z0-9-]{2,}\.)+(?:com|org|net|edu|gov|io|info)\b(?!\.\w)")


def _is_address(text: str) -> bool:
    """Whether a text ends within a web address."""
    return "://" in text.rsplit(None, 1)[-1]


_LIST_MARKER = regex(
    r"(?:[•◦▪●○■□❖‣➢✓∙·*]|o(?=\s)|[–—-](?=\s)|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)\]](?=\s)|\[\d{1,3}\]"
    r"|\d{1,2}(?:\.\d{1,2}){1,2}[:)](?=\s))\s*\S"
)


# Unlike a number, it stands for nothing else at the beginning of a line.
_BULLETS = "•◦▪●○■□❖‣➢✓∙"
_BULLET = regex(rf"[{_BULLETS}]\s*\S")
_BULLET_MARK = regex(r"\A[•◦▪●○■□❖‣➢∙]\s+(?=\S)")
# Of what parts two paragraphs: a mark in the margin does not.
_LEAST_BETWEEN = 4  # characters
# The number of a formula is no part of a sentence.
_LEAST_LETTERS = 2
_INITIAL_END = regex(r"(?:^|[\s(.])[A-Z]\.$")
_INITIAL = regex(r"[A-Z]\.(?:\s|$)")
_LATER_LETTER = regex(r"[b-hj-zB-HJ-Z]\.\s")
_ABSTRACT = regex(r"(?:Abstract|ABSTRACT)\s?[:—–]")
_SECTION_NUMBER = regex(r"[IVXL]{1,7}\.?")


class Kind(enum.Enum):
    """The kind of a stretch of lines."""

    BODY = "body"
    HEADING = "heading"
    ASIDE = "aside"
    """Captions, notes, tables: text that must not interrupt a sentence of the body."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Lines of one kind that follow one another in one column.

    Attributes:
        level: Level of a heading, from 1.
        left, right: Edges of their column.
        text: Text of a heading whose line continues as text.
        rows: Whether each line is a separate paragraph, as in tables.
    """

    kind: Kind
    lines: tuple[Line, ...]
    level: int = 0
    left: float = 0.0
    right: float = 0.0
    text: str = ""
    rows: bool = False


@dataclass(slots=True)
class _Draft:
    """A paragraph under construction."""

    pieces: list[tuple[str, int]] = field(default_factory=list)
    last: Line | None = None
    right: float = 0.0

    def add(self, line: Line, text: str, right: float, vocabulary: Vocabulary) -> None:
        if self.pieces:
            before, page = self.pieces[-1]
            joined = vocabulary.join(before, text)
            if page == line.pdf_page:
                self.pieces[-1] = (joined, page)
            elif joined == f"{before} {text}":
                self.pieces.append((text, line.pdf_page))
            else:
                # A word broken at the end of the page belongs to the piece it begins in.
                cut = len(joined) - len(text)
                end = joined.find(" ", cut)
                end = len(joined) if end < 0 else end
                self.pieces[-1] = (joined[:end], page)
                if joined[end:].strip():
                    self.pieces.append((joined[end:].strip(), line.pdf_page))
        else:
            self.pieces.append((text, line.pdf_page))
        self.last, self.right = line, right

    @property
    def text(self) -> str:
        return self.pieces[-1][0] if self.pieces else ""

    def paragraph(self) -> Paragraph:
        """The paragraph, without the bullet of a list, which other formats do not write out."""
        (first, page), *others = self.pieces
        pieces = [(_BULLET_MARK.sub("", first), page), *others]
        return Paragraph(pieces=tuple(Piece(text=text, pdf_page=page) for text, page in pieces))


@dataclass(frozen=True, kw_only=True, slots=True)
class FlowHeading:
    """A heading in the flow of paragraphs."""

    text: str
    level: int
    pdf_page: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FlowParagraph:
    """A paragraph in the flow.

    Attributes:
        aside: Whether it is a caption, note or table.
    """

    paragraph: Paragraph
    aside: bool = False

    @property
    def text(self) -> str:
        """Its words."""
        return self.paragraph.text

    @property
    def pdf_page(self) -> int | None:
        """Where it begins."""
        return self.paragraph.pieces[0].pdf_page


FlowItem = FlowHeading | FlowParagraph


def flow(stretches: Sequence[Stretch], body: BodyType, vocabulary: Vocabulary) -> list[FlowItem]:
    """Join lines to paragraphs; body text flows around asides."""
    items: list[FlowItem] = []
    waiting: list[FlowItem] = []
    draft = _Draft()
    # What stands between the draft and what follows: a formula, a program, a figure.
    between: list[Line] = []

    def close() -> None:
        nonlocal draft
        between.clear()
        if draft.pieces:
            items.append(FlowParagraph(paragraph=draft.paragraph()))
            draft = _Draft()
        items.extend(waiting)
        waiting.clear()

    for stretch in stretches:
        if stretch.kind is Kind.HEADING:
            close()
            text = stretch.text or _joined(stretch.lines, vocabulary)
            items.append(FlowHeading(text=text, level=stretch.level, pdf_page=stretch.lines[0].pdf_page))
        elif stretch.kind is Kind.ASIDE or _interrupts(stretch, draft, body):
            asides = [
                FlowParagraph(paragraph=found.paragraph(), aside=True)
                for found in _aside(stretch, body, vocabulary)
            ]
            (waiting if draft.pieces else items).extend(asides)
            between += stretch.lines
        else:
            leading = _leading(stretch.lines, body)
            for index, line in enumerate(stretch.lines):
                if draft.last is not None and (
                    _begins_paragraph(draft, line, index == 0, stretch, leading, body)
                    or (line.text[:1].isupper() and _stands_between(draft.last, between, line))
                ):
                    close()
                elif waiting and _is_part(draft, between, line, body):
                    # "Type", a command, "to begin": the sentence is not whole without it.
                    waiting.pop()
                    draft.add(between[0], between[0].text, stretch.right, vocabulary)
                between.clear()
                draft.add(line, line.text, stretch.right, vocabulary)
    close()
    return items


def _stands_between(last: Line, between: Sequence[Line], line: Line) -> bool:
    """Whether lines stand within the column of text, between two of its lines."""
    return sum(len(each.text) for each in between) >= _LEAST_BETWEEN and all(
        last.pdf_page == each.pdf_page == line.pdf_page
        and last.y > each.y > line.y
        and each.x1 > line.x0
        and each.x0 < max(last.x1, line.x1)
        for each in between
    )


def _is_part(draft: _Draft, between: Sequence[Line], line: Line, body: BodyType) -> bool:
    """Whether a sentence goes on below a line that stands out, such as a command or a formula."""
    return (
        len(between) == 1
        and draft.last is not None
        and sum(map(str.isalpha, between[0].text)) >= _LEAST_LETTERS
        and line.text[:1].islower()
        and not ends_sentence(draft.text)
        and not body.is_small(between[0].size)
        and not begins_caption(between[0], body, opens_block=True)
        and _stands_between(draft.last, between, line)
    )


def _interrupts(stretch: Stretch, draft: _Draft, body: BodyType) -> bool:
    """Whether lines in another font than the body's, such as a program, stand within a sentence."""
    return (
        draft.last is not None
        and draft.last.font == body.font
        and not ends_sentence(draft.text)
        and len(stretch.lines) > 1
        and all(line.font != body.font for line in stretch.lines)
    )


def _joined(lines: Sequence[Line], vocabulary: Vocabulary) -> str:
    text = ""
    for line in lines:
        text = vocabulary.join(text, line.text)
    return text


def _aside(stretch: Stretch, body: BodyType, vocabulary: Vocabulary) -> Iterator[_Draft]:
    draft = _Draft()
    leading = _leading(stretch.lines, body)
    for index, line in enumerate(stretch.lines):
        if draft.last is not None and (
            stretch.rows or _begins_paragraph(draft, line, index == 0, stretch, leading, body)
        ):
            yield draft
            draft = _Draft()
        draft.add(line, line.text, stretch.right, vocabulary)
    if draft.pieces:
        yield draft


def _begins_paragraph(
    draft: _Draft, line: Line, first: bool, stretch: Stretch, leading: float, body: BodyType
) -> bool:
    """Whether ``line`` begins a new paragraph rather than continuing the draft."""
    lines, left, right = stretch.lines, stretch.left, stretch.right
    last = draft.last
    assert last is not None
    em = line.size
    previous = draft.text
    if previous and (previous[-1] in "-‐\u00ad" and previous[-2:-1].isalpha() and line.text[:1].islower()):
        return False
    if (line.text[0] in _BULLETS and _BULLET.match(line.text)) or (
        line.text[0] == "A" and _ABSTRACT.match(line.text)
    ):
        return True
    if last.x0 > line.x0 + em and _SECTION_NUMBER.fullmatch(previous) and len(draft.pieces) == 1:
        # The centred number of a section, of which too few were found to be headings.
        return True
    fits = _first_word_would_fit(last, draft.right, line)
    # "8 U. / S. C.", "Smith Corp. / v. Jones": initials and abbreviations are no letters of a list.
    initials = not fits and bool(
        _INITIAL_END.search(previous)
        if _INITIAL.match(line.text)
        else _LATER_LETTER.match(line.text) and not _LIST_MARKER.match(previous)
    )
    finished = not initials and ends_sentence(previous)
    marked = not initials and bool(_LIST_MARKER.match(line.text))
    if first:
        # A new column or page, or text after an aside.
        indented = len(lines) > 1 and line.x0 > min(other.x0 for other in lines[1:4]) + 0.7 * em
        if line.text[:1].islower() and not finished and not (marked and fits):
            return False
        if abs(last.size - line.size) > 0.12 * em + 0.3:
            return True
        if marked and (finished or fits):
            return True
        if finished:
            return indented or fits or _is_apart(last, line, body)
        if _is_apart(last, line, body) and fits:
            return True
        return indented and fits
    if last.pdf_page == line.pdf_page and last.y - line.y > 1.3 * leading + 1:
        return finished or fits or line.text[:1].isupper()
    if marked and (finished or fits or line.x0 < last.x0 - 0.5 * em):
        return True
    if line.x0 > left + 0.7 * em and last.x0 < line.x0 - 0.6 * em and not _hangs(lines, left, em):
        return finished or fits
    if line.x0 < last.x0 - 0.7 * em and _hangs(lines, left, em) and line.x0 < left + 0.5 * em:
        return finished or fits
    if not fits or _is_centred(last, line, left, right):
        return False
    if is_ideographic(line.text[0]) and is_ideographic(last.text[-1]):
        return True
    # Within a sentence lines end early only where a heading or an address does, not for a name.
    return finished or (line.text[:1].isupper() and draft.right - last.x1 > 0.25 * (right - left))


def _is_apart(last: Line, line: Line, body: BodyType) -> bool:
    """Whether a gap separates two lines of one column of one page."""
    return last.pdf_page == line.pdf_page and last.y - line.y > 1.4 * body.leading


def _leading(lines: Sequence[Line], body: BodyType) -> float:
    """The usual distance of baselines."""
    drops = sorted(
        upper.y - lower.y for upper, lower in pairwise(lines) if upper.y - lower.y > 0.5 * lower.size
    )
    return (
        drops[len(drops) // 2]
        if len(drops) > 2
        else max(1.15 * lines[0].size, min(body.leading, 1.5 * lines[0].size))
    )


def _hangs(lines: Sequence[Line], left: float, em: float) -> bool:
    """Whether paragraphs have a hanging indent, as in reference lists."""
    begins = [line.x0 for line in lines]
    out = sum([x0 < left + 0.4 * em for x0 in begins])
    if len(lines) <= 2 or not out:
        return False
    return sum([left + 0.7 * em < x0 < left + 4 * em for x0 in begins]) >= out


def _first_word_would_fit(last: Line, right: float, line: Line) -> bool:
    """Whether the next word would have fitted on the line before."""
    # Ideographs need no words to break a line; a stop must not begin one, and takes a character with it.
    word = line.text[:2] if is_ideographic(line.text[0]) else line.text.split(" ", 1)[0]
    width = len(word) * line.width / max(1, len(line.text))
    return last.x1 + width + 0.5 * line.size < right


def _is_centred(last: Line, line: Line, left: float, right: float) -> bool:
    middle = (left + right) / 2
    return all(
        each.x0 > left + each.size and abs((each.x0 + each.x1) / 2 - middle) < each.size
        for each in (last, line)
    )


def column_edges(blocks: Sequence[Block]) -> dict[int, tuple[float, float]]:
    """The edges of the column of each block, by ``id``, inferred from the blocks around it.

    That is the narrowest column that contains it, of its page or else of the pages before and after.
    """
    edges: dict[int, tuple[float, float]] = {}
    pages: dict[int, list[Block]] = {}
    for block in blocks:
        pages.setdefault(block.lines[0].pdf_page, []).append(block)
    columns = {
        number: sorted(
            (x1 - x0, x0, x1, id(block))
            for block in members
            if len(block.lines) > 2
            for x0, x1 in ((block.x0, block.x1),)
        )
        for number, members in pages.items()
    }
    for number, members in pages.items():
        beside = heapq.merge(columns.get(number - 1, ()), columns.get(number + 1, ()))
        known = [*columns[number], *beside]
        for block in members:
            x0, x1 = block.x0, block.x1
            if len(block.lines) > 4:
                edges[id(block)] = (x0, x1)
                continue
            home = next(
                (
                    (left, right)
                    for width, left, right, other in known
                    if width > x1 - x0
                    and left - block.size < x0
                    and x1 < right + block.size
                    and other != id(block)
                ),
                (x0, x1),
            )
            edges[id(block)] = (min(home[0], x0), max(home[1], x1))
    return edges


def arrange(placed: Sequence[PlacedBlock], headings: Sequence[Heading]) -> list[Stretch]:
    """Cut blocks at headings and separate body text from asides."""
    homes = {id(heading.lines[0]): heading for heading in headings if not heading.unprinted}
    unprinted: dict[int, list[Heading]] = {}
    for heading in headings:
        if heading.unprinted:
            unprinted.setdefault(id(heading.lines[0]), []).append(heading)
    edges = column_edges([each.block for each in placed])
    stretches: list[Stretch] = []
    regions: list[Region] = []
    for each in placed:
        left, right = edges[id(each.block)]
        for found, lines in _cut(each.block.lines, homes, unprinted):
            if found:
                text = found.unprinted
                if found.run_in:
                    text = found.lines[0].text[: found.run_in].rstrip(" .:—–-")
                stretches.append(Stretch(kind=Kind.HEADING, lines=found.lines, level=found.level, text=text))
                regions.append(Region.TEXT)
            if lines:
                kind = Kind.BODY if each.region is Region.TEXT else Kind.ASIDE
                rows = each.region is Region.TABLE
                stretches.append(Stretch(kind=kind, lines=tuple(lines), left=left, right=right, rows=rows))
                regions.append(each.region)
    return _with_small_sections(stretches, regions)


def _cut(
    lines: Sequence[Line], homes: dict[int, Heading], unprinted: dict[int, list[Heading]]
) -> Iterator[tuple[Heading | None, list[Line]]]:
    """Each heading with the lines up to the next one."""
    heading: Heading | None = None
    rest: list[Line] = []
    inside: set[int] = set()
    for line in lines:
        for title in unprinted.get(id(line), ()):
            if heading or rest:
                yield heading, rest
            heading, rest = title, []
            inside = set()
        if id(line) in homes:
            if heading or rest:
                yield heading, rest
            heading, rest = homes[id(line)], []
            inside = {id(each) for each in heading.lines}
            if heading.run_in:
                rest.append(with_text(line, line.text[heading.run_in :].lstrip(" .:—–-")))
        elif id(line) not in inside:
            rest.append(line)
    if heading or rest:
        yield heading, rest


def _with_small_sections(stretches: Sequence[Stretch], regions: Sequence[Region]) -> list[Stretch]:
    """Treat small type as body text in sections that contain little else."""
    result: list[Stretch] = []
    start = 0
    bounds = [index for index, stretch in enumerate(stretches) if stretch.kind is Kind.HEADING] + [
        len(stretches)
    ]
    for stop in bounds:
        section = range(start, stop)
        large = sum(_words(stretches[index]) for index in section if regions[index] is Region.TEXT)
        small = sum(_words(stretches[index]) for index in section if regions[index] is Region.SMALL)
        for index in section:
            stretch = stretches[index]
            if regions[index] is Region.SMALL and small > 2 * large and stretch.kind is Kind.ASIDE:
                stretch = Stretch(kind=Kind.BODY, lines=stretch.lines, left=stretch.left, right=stretch.right)
            result.append(stretch)
        if stop < len(stretches):
            result.append(stretches[stop])
        start = stop + 1
    return result


def _words(stretch: Stretch) -> int:
    return sum([line.words for line in stretch.lines])
