"""What most readers produce: a sequence of headings and paragraphs, and counts of what was left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lsum_cli.documents import (
    Document,
    HeaderField,
    LeftOut,
    Metadata,
    Paragraph,
    Passage,
    SectionRole,
    compose_document,
)
from lsum_cli.reading.opinions import divide_opinions
from lsum_cli.reading.questions import asks, divide_questions
from lsum_cli.reading.reference_marks import without_marks
from lsum_cli.reading.references import divide_references
from lsum_cli.reading.registry import RawSource
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

# Kinds of text that readers leave out; a Tally counts their words.
ANSWER_MARKS = "marks of answers"
AUTHOR_LINE = "author line"
BOILERPLATE = "navigation and other boilerplate"
CODE = "code blocks"
CAPTIONS = "captions"
COMMENTS = "comments"
DELETIONS = "tracked deletions"
FRONT_MATTER = "front matter"
HIDDEN = "hidden text"
IMAGES = "image descriptions"
POSTS = "posts shown from elsewhere"
REFERENCE_MARKS = "reference marks"
REPEATED = "repeated text"
RUNNING_LINES = "running headers and footers"
TABLE_OF_CONTENTS = "table of contents"
UNCERTAIN = "words that were not recognised for certain"
# What a table of contents, or of figures, is called: letters alone, in lower case.
_CONTENTS_NAMES = frozenset(
    "content contents tableofcontents briefcontents detailedcontents shortcontents listoffigures listoftables"  # noqa: SIM905
    " indexofchapters inhalt inhaltsverzeichnis inhaltsübersicht abbildungsverzeichnis tabellenverzeichnis"
    " tabledesmatières tabledesmatieres sommaire tabledesfigures listedesfigures listedestableaux"
    " índice indice índicegeneral contenido contenidos tabladecontenido tabladecontenidos índicedefiguras"
    " índicedetablas sumário sumario listadefiguras listadetabelas listadetablas conteúdo"
    " indicegenerale elencodellefigure elencodelletabelle taulacontinguts inhoud inhoudsopgave"
    " lijstvanfiguren lijstvantabellen indhold indholdsfortegnelse innhold innholdsfortegnelse innehåll"
    " innehållsförteckning sisältö sisällys sisällysluettelo sisukord spistreści spisrysunków spistabel obsah"
    " kazalo kazalovsebine sadržaj tartalom tartalomjegyzék cuprins içindekiler turinys satursrādītājs"
    " оглавление содержание зміст змист съдържание садржај περιεχόμενα πίνακαςπεριεχομένων mụclục daftarisi"
    " 目录 目錄 目次 もくじ 차례 목차 المحتويات جدولالمحتويات فهرس الفهرس فهرست فهرستمطالب"
    " תוכןהעניינים תוכןעניינים".split()
)
_BEGINNINGS = frozenset(name[:3] for name in _CONTENTS_NAMES)
_NOT_LETTERS = regex(r"[\W_]+")
_LONGEST_NAME = 60
CELL_BREAK = " | "
_LEADER = regex(r"[.·…_—–-]+")
_MAX_CELL_WORDS = 40
MAX_TERM_WORDS = 12
"""The words of a term that is read before what defines it; a longer one is a text of its own."""
_TERM_END = regex(r"[.:;!?…。．？！]$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A heading or a paragraph.

    Attributes:
        text: Its words; white space is normalised later.
        level: Depth of a heading, from 1; 0 for a paragraph.
        role: Role of the section that a heading opens; ``None`` to infer it from the heading.
        is_item: Whether it is an item of a list, or the first paragraph of one.
        is_quoted: Whether it stands in a quotation that is set apart.
        follows_code: Whether code that was left out stands directly above it.
    """

    text: str
    level: int = 0
    role: SectionRole | None = None
    is_item: bool = False
    is_quoted: bool = False
    follows_code: bool = False


# What a link or a mark leaves behind: "in this blueprint .", "as was shown ( )"; but "the default is []".
_HOLE = regex(
    r"(?<=[\w)\]”\"’']) ++(?=[.,](?:\s|$)(?!\s*\.))"
    r"|(?<! ) ++(?:\(\s[\s,;]*+\)|\[\s[\s,;]*+\])(?=[\s.,;:]|$)"
)


# Asterisks that part what follows from what is above, as decisions and novels print them.
_ASTERISKS = regex(r"^\s*+(?:[*⁂]\s++){2,}(?=\S)")


def close_holes(text: str) -> str:
    """``text`` without the spaces, and brackets with a :func:`hole`, that a link or mark has left behind."""
    return _HOLE.sub("", text)


def hole(before: str) -> str:
    """What stands for something left out behind a text: brackets that it empties differ from ``()``."""
    return " " if before.endswith(("(", "[")) else ""


class Tally:
    """Counts the words that a reader leaves out, by kind, and keeps the fields of a header.

    Attributes:
        header: The fields, in order.
    """

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self.header: list[HeaderField] = []

    def add_field(self, name: str, text: str) -> None:
        """Keep a field of a header, and count its words as left out."""
        self.add(FRONT_MATTER, f"{name} {text}")
        self.header.append(HeaderField(normalise(name), normalise(text)))

    def add(self, what: str, text: str) -> None:
        """Count the words of ``text`` as left out for being ``what``; dot leaders and rules are no words."""
        self.add_words(what, sum(not _LEADER.fullmatch(word) for word in normalise(text).split()))

    def add_words(self, what: str, words: int) -> None:
        """Count ``words`` as left out for being ``what``."""
        if words > 0:
            self._words[what] = self._words.get(what, 0) + words

    def words_of(self, what: str) -> int:
        """How many words were left out so far for being ``what``."""
        return self._words.get(what, 0)

    def left_out(self) -> tuple[LeftOut, ...]:
        """What was left out, in the order in which it was first met."""
        return tuple(LeftOut(what=what, words=words) for what, words in self._words.items())


_NUMBERING = regex(
    r"^(?:(?:chapter|section|appendix)\s+)?(?:\d+(?:\.\d+)*|[ivxl]+|[a-z])[.):]?\s+(?=\w)", re.I
)
_REFERENCES = regex(
    # "Reference" is a chapter of a manual, "Works" one of a life.
    r"(?:(?:list of |cited |selected )?(?:references|bibliography|bibliographies|literature|citations)"
    r"(?: cited| list| and notes| and links)?|reference list|works cited"
    r"|(?:normative|informative) references|further reading"
    r"|sources cited|notes and references|references and notes|literaturverzeichnis|literatur|quellen"
    r"|références(?: bibliographiques)?|bibliographie|referencias(?: bibliográficas)?|bibliografía"
    r"|bibliografia|bibliografie|referências(?: bibliográficas)?|riferimenti(?: bibliografici)?"
    r"|literatuur(?:lijst)?|referenser|litteratur(?:förteckning|liste)?|kirjallisuus|lähteet|literatura"
    r"|irodalom(?:jegyzék)?|kaynakça|tài liệu tham khảo|βιβλιογραφ[ίι]α|литература"
    r"|список (?:использованн(?:ой|ых) )?(?:литературы|источников)"
    r"|література|список літератури|المراجع|مراجع|منابع|参考文献|參考文獻|引用文献|참고 ?문헌)",
    re.I,
)
_ABSTRACT = regex(
    r"(?:(?:graphical |structured |author |plain[- ]language )?abstract|summary of the article"
    r"|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto|samenvatting|sammanfattning|sammendrag"
    r"|tiivistelmä|streszczenie|abstrakt|özet|tóm tắt|περ[ίι]ληψη|аннотация|реферат|анотація|الملخص|ملخص"
    r"|چکیده|תקציר|摘 ?要|抄録|要旨|초록|요약)",
    re.I,
)

_KEYWORDS = regex(r"(?:key ?words|index terms|author information)[.:]?", re.I)


def role_of(heading: str) -> SectionRole:
    """The role of a section, inferred from its heading."""
    words = normalise(heading).rstrip(".:¶#§ ").strip()
    for candidate in (words, _NUMBERING.sub("", words)):
        if _REFERENCES.fullmatch(candidate):
            return SectionRole.REFERENCES
        if _ABSTRACT.fullmatch(candidate):
            return SectionRole.ABSTRACT
    return SectionRole.BODY


TITLE_LEVEL = -1
CONTENTS_LEVEL = -2
_HEADING_STYLE = regex(r"heading ?(\d)", re.I)
_CONTENTS_STYLE = regex(r"toc( \d| heading)?|table of (figures|authorities)|index \d", re.I)


def names_contents(heading: str) -> bool:
    """Whether a heading is what a table of contents is called in one of many languages."""
    begin = heading[:3]
    if begin.isalpha() and begin.casefold()[:3] not in _BEGINNINGS:
        return False
    return len(heading) < _LONGEST_NAME and _NOT_LETTERS.sub("", heading.casefold()) in _CONTENTS_NAMES


def named_style_level(name: str) -> int | None:
    """The heading level that the name of a word processor's style means; ``None`` for any other name.

    The title of a document is :data:`TITLE_LEVEL`, a table of contents :data:`CONTENTS_LEVEL`.
    """
    if name.lower() == "title":
        return TITLE_LEVEL
    if _CONTENTS_STYLE.fullmatch(name):
        return CONTENTS_LEVEL
    heading = _HEADING_STYLE.fullmatch(name)
    return int(heading.group(1)) if heading else None


_HEADER_LINE = regex(r"[\"']?(?P<name>[^\W\d_][\w -]{0,30}?)[\"']?[ \t]*+[:=](?:[ \t]++(?P<text>\S.*)?)?$")
_CLOSED_UP = regex(r"^[ \t]+(?=[A-Z][A-Za-z-]{1,30}:)")
# A line on which a field goes on: an indented one, or an item of a list.
_GOES_ON = regex(r"[ \t]+(?:- )?(?P<text>\S.*)|- (?P<item>.*)")


# "<pre>", header fields, "</pre>": the beginning of a Bitcoin Improvement Proposal.
_PREAMBLE = regex(
    r"\A\s*(?:(?P<fence>```)[ \t]*|<pre>[ \t]*)\n"
    r"(?P<fields>(?:[ \t]*+[A-Z][A-Za-z-]{1,30}:[^\n]*+\n(?:[ \t]{4,}+[^\n:]*+\n)*+){3,}\s*)"
    r"(?(fence)```|</pre>)[^\n]*"
)


def take_preamble(text: str, tally: Tally) -> tuple[str, str | None]:
    """The text without the block of header fields that it begins with, and the title given there."""
    found = _PREAMBLE.match(text)
    if found is None:
        return text, None
    take_fields((_CLOSED_UP.sub("", line) for line in found["fields"].splitlines() if line.strip()), tally)
    return text[found.end() :], next((field.text for field in tally.header if field.name == "Title"), None)


def take_fields(lines: Iterable[str], tally: Tally) -> None:
    """Give the fields of a header, one a line, to ``tally``; lines that are none are counted only."""
    fields: list[tuple[str, list[str]]] = []
    for line in lines:
        field = _HEADER_LINE.match(line)
        if field is not None:
            fields.append((field["name"], [field["text"] or ""]))
        elif fields and (found := _GOES_ON.fullmatch(line)):
            fields[-1][1].append(found["text"] or found["item"])
        else:
            tally.add(FRONT_MATTER, line)
    for name, texts in fields:
        tally.add_field(name, " ".join(texts))


def language_code(declared: object) -> str | None:
    """The two-letter code of a declared language such as ``"de-AT"``; ``None`` where it has no such code."""
    code = re.match(r"[A-Za-z]{2}(?=$|[-_])", declared.strip()) if isinstance(declared, str) else None
    return code.group().lower() if code else None


def with_colon(term: str) -> str:
    """What is defined or headed, as it stands before its text on the same line."""
    return term if _TERM_END.search(term) else f"{term}:"


def head_with_term(term: str, block: Block | None) -> list[Block]:
    """A paragraph after the term that it defines, or the title of its box.

    One too long stands apart, and so does a question.

    Args:
        term: The term or title; empty where there is none.
        block: The paragraph; ``None`` where what is said of the term begins with something else.
    """
    term = normalise(term)
    if block is None or not term or len(term.split()) > MAX_TERM_WORDS or asks(term):
        return [Block(text=term), *([block] if block else [])]
    return [replace(block, text=f"{with_colon(term)} {block.text}")]


def join_cells(cells: Iterable[str]) -> str:
    """A row of a table as text."""
    return CELL_BREAK.join(cell for cell in cells if cell)


def table_row(cells: Sequence[Sequence[Block]]) -> list[Block]:
    """A row of a table as one paragraph, or cell by cell where the table only lays out text."""
    texts = [" ".join(block.text for block in cell) for cell in cells]
    is_layout = len(cells) == 1 or any(len(text.split()) > _MAX_CELL_WORDS for text in texts)
    if is_layout or any(block.level for cell in cells for block in cell):
        return [block for cell in cells for block in cell]
    return [Block(text=join_cells(texts))]


def as_item(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of an item of a list: the first says so, unless it is a heading."""
    for number, block in enumerate(blocks):
        yield replace(block, is_item=True) if number == 0 and not block.level else block


def with_code_above(blocks: Iterable[Block], tally: Tally) -> Iterator[Block]:
    """The blocks, of which those say so that stand directly below code.

    Args:
        blocks: They are read one after the other, and what is left out between them is counted then.
        tally: Counts it.
    """
    before = tally.words_of(CODE)
    for block in blocks:
        words = tally.words_of(CODE)
        yield replace(block, follows_code=True) if words > before and not block.level else block
        before = words


def take_title(blocks: Sequence[Block]) -> tuple[str | None, list[Block]]:
    """Split off the title: a first heading that is the only one of the highest level."""
    levels = [block.level for block in blocks if block.level]
    if blocks and blocks[0].level and levels.count(blocks[0].level) == 1 and blocks[0].level == min(levels):
        return blocks[0].text, list(blocks[1:])
    return None, list(blocks)


def make_document(
    raw: RawSource,
    blocks: Iterable[Block],
    tally: Tally,
    *,
    title: str | None = None,
    language: str | None = None,
    warnings: tuple[str, ...] = (),
    lost: tuple[str, ...] = (),
) -> Document:
    """The document of a source that has been read as blocks; see :class:`Document` for the rest.

    Args:
        lost: What could not be read, in phrases; see :attr:`Metadata.unknown`.
    """
    passages, marks = without_marks(divide_references(gather_passages(blocks)))
    tally.add_words(REFERENCE_MARKS, marks)
    return compose_document(
        divide_passages(passages, tally),
        id=raw.id,
        source=raw.name,
        title=title,
        language=language,
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            unknown=lost,
            left_out=tally.left_out(),
            header=tuple(tally.header),
            warnings=warnings,
        ),
    )


def divide_passages(passages: Sequence[Passage], tally: Tally) -> list[Passage]:
    """The passages, divided where the voices of a decision begin, and where questions are asked."""
    divided = divide_questions(divide_opinions(passages))
    for question in divided.contents:
        tally.add(TABLE_OF_CONTENTS, question)
    tally.add_words(ANSWER_MARKS, divided.marks)
    return divided.passages


def gather_passages(blocks: Iterable[Block]) -> list[Passage]:
    """Put paragraphs below their headings.

    A section below an abstract or a reference list shares its role, as the parts of a structured
    abstract do.
    """
    blocks = list(blocks)
    # The highest headings of a text are its first level, whatever level the source gives them.
    lift = min((block.level for block in blocks if block.level), default=1) - 1
    passages: list[Passage] = []
    heading: Block | None = None
    role = SectionRole.BODY
    role_level = 0
    paragraphs: list[Paragraph] = []

    def close() -> None:
        if heading is not None or paragraphs:
            passages.append(
                Passage(
                    heading=heading.text if heading else None,
                    level=heading.level - lift if heading else 0,
                    role=role,
                    paragraphs=tuple(paragraphs),
                )
            )

    for block in blocks:
        if not block.level:
            paragraph = Paragraph.of(close_holes(_ASTERISKS.sub("", block.text)))
            paragraphs.append(
                replace(
                    paragraph,
                    is_item=block.is_item,
                    is_quoted=block.is_quoted,
                    follows_code=block.follows_code,
                )
            )
            continue
        if not normalise(block.text):
            continue
        close()
        heading, paragraphs = block, []
        inherited = (
            role is not SectionRole.BODY
            and block.level > role_level
            and not _KEYWORDS.fullmatch(normalise(block.text))
        )
        if not inherited:
            role, role_level = block.role or role_of(block.text), block.level
    close()
    return passages
