"""TeX: sections, lists and tables of a LaTeX document, formulas in words, floats left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lsum_cli.documents import Document, SectionRole
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import (
    AUTHOR_LINE,
    CODE,
    COMMENTS,
    REFERENCE_MARKS,
    Block,
    Tally,
    join_cells,
    language_code,
    make_document,
)
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.tex.formulas import QUANTITIES, is_known, symbols
from lsum_cli.reading.tex.macros import (
    ACCENTS,
    BLOCKS,
    CITATIONS,
    DRAWINGS,
    FLOAT_ENVIRONMENTS,
    FORMULA_ENVIRONMENTS,
    FRONT,
    KEPT,
    LAST_ARGUMENT,
    LEVELS,
    NAMED_CITATIONS,
    RUN_IN,
    SILENT,
    SPACES,
    TABLES,
    names_macro,
    parse,
)
from lsum_cli.reading.tex.source import (
    MacroExpander,
    TexSource,
    end_of_group,
    gather_source,
    take_unknown_calls,
)
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

FIGURES = "figures"
DISPLAYED_FORMULAS = "displayed formulas"
UNKNOWN_MACROS = "unknown macros"

_LONGEST_INLINE_FORMULA = 80
_MAX_NAMED = 4
# What the parser makes a node of; up to 50 µs each.
_MARKS = "\\{}$&~"
_MAX_MARKS = 300_000
_BABEL = regex(
    r"\\usepackage\[([^\]]*)\]\{(?:babel|polyglossia)\}|\\setdefaultlanguage(?:\[[^\]]*\])?\{(\w+)\}"
)
_LANGUAGES = {
    "english": "en", "british": "en", "american": "en", "usenglish": "en", "ukenglish": "en", "german": "de",
    "ngerman": "de", "austrian": "de", "naustrian": "de", "french": "fr", "francais": "fr", "spanish": "es",
    "italian": "it", "portuguese": "pt", "brazilian": "pt", "brazil": "pt", "dutch": "nl", "polish": "pl",
    "russian": "ru", "swedish": "sv", "danish": "da", "finnish": "fi", "czech": "cs", "greek": "el",
}  # fmt: skip
_BREAK = regex(r"\n[ \t]*\n\s*")
_SPACE_BEFORE_STOP = regex(r"(?<!\s)\s++(?=[,.;:!?)\]]++(?:\s|$))")
_STRAY_COMMA = regex(r"(?:(?<!\s)\s++)?+,(?=\s*[,.;:](?:\s|$))")
_DOUBLE_STOP = regex(r"(?<=\w)\.\.(?!\.)")
_RELATION = regex(r"(?:(?<!\s)\s++)?+([≤≥≠≈≡∈∉⊂⊆∼≪≫→⇒↦])\s*+")
_EMPTY_BRACKETS = regex(r"(?:(?<!\s)\s++)?+[(\[](?:\s|see|e\.g\.|cf\.|[,;])*+[)\]]")


# When something on a slide is shown: "\\item<2->", "[<+->]".
_OVERLAY = regex(r"(?<=[A-Za-z}\]])<[\d+.,|:-][^<>{}\n]{0,20}>|\[<[^<>\[\]\n]{1,20}>\]")
_FRAME = regex(r"\\begin\{frame\}\s*(?:\[[^\[\]]*\]\s*)?(?=\{)")


def read_tex(raw: RawSource, options: ReadOptions) -> Document:
    """Read a LaTeX document, its included files and its macros included.

    Raises:
        SourceError: Its macros expand without end, its groups nest beyond reason, its files are too large, or
            they have too many commands.
    """
    tally = Tally()
    source = gather_source(raw, options, tally, known=KEPT)
    preamble, body = _split(source.text)
    expander = MacroExpander(source.macros, raw.name, len(source.text))
    reader = _TexReader(tally)
    try:
        body = _as_article(expander.expand(body))
        body, unknown = take_unknown_calls(body, lambda name: names_macro(name) or is_known(name))
        tally.add_words(UNKNOWN_MACROS, sum(map(len, unknown.values())))
        options.check_parts(
            raw.name, sum(map(body.count, _MARKS)), _MAX_MARKS, "commands, braces and formulas"
        )
        title = reader.plain(expander.expand(_argument_of("title", preamble) or ""))
        for name in FRONT:
            tally.add(AUTHOR_LINE, reader.plain(expander.expand(_argument_of(name, preamble) or "")))
        blocks = reader.read(body)
    except RecursionError as error:
        raise SourceError(
            f"{raw.name} nests its groups too deeply", "check that it is the right file"
        ) from error
    if reader.notes:
        blocks += [Block(text="Footnotes", level=3), *reader.notes]
    return make_document(
        raw,
        blocks,
        tally,
        title=title or reader.title,
        language=_language(preamble),
        warnings=tuple(dict.fromkeys(source.warnings)),
        lost=(*_say_missing(source), *_say_undefined(unknown)),
    )


def _split(text: str) -> tuple[str, str]:
    """Preamble and body; a chapter without a preamble is all body."""
    preamble, mark, body = text.partition(r"\begin{document}")
    if not mark:
        return "", text
    return preamble, body.partition(r"\end{document}")[0]


def _as_article(text: str) -> str:
    """Slides of Beamer with their titles as headings, and without what says when something is shown."""
    if r"\begin{frame}" not in text and r"\frametitle" not in text:
        return text
    return _FRAME.sub(r"\\begin{frame}\\frametitle", _OVERLAY.sub("", text))


def _argument_of(name: str, text: str) -> str | None:
    found = re.search(rf"\\{name}\s*(?:\[[^\[\]]*\])?\s*(?=\{{)", text)
    end = end_of_group(text, found.end()) if found else None
    return text[found.end() + 1 : end - 1] if found and end else None


def _language(preamble: str) -> str | None:
    found = _BABEL.search(preamble)
    if found is None:
        return None
    # The last language is the main one.
    names = (found[1] or found[2]).replace("main=", "").split(",")
    return _LANGUAGES.get(names[-1].strip().lower()) or language_code(names[-1].strip())


def _say_missing(source: TexSource) -> Iterator[str]:
    names = list(dict.fromkeys(source.missing))
    if names:
        what = "an included file was" if len(names) == 1 else f"{len(names):,} included files were"
        yield f"{what} not read, being absent or outside the folder: {_first_of(names)}"


def _say_undefined(unknown: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What is missing where a command that nothing defines stands for one part after the other."""
    for name, parts in unknown.items():
        yield f"\\{name} is not defined, and what it includes was not read: {_first_of(parts)}"


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_NAMED]) + (
        f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    )


class _TexReader:
    """Reads the nodes of a document one after the other."""

    def __init__(self, tally: Tally) -> None:
        self.title: str | None = None
        self.notes: list[Block] = []
        self._tally = tally
        self._blocks: list[Block] = []
        self._pieces: list[str] = []
        self._opens_item = False

    def read(self, text: str) -> list[Block]:
        """The blocks of a body whose macros are expanded."""
        self._walk(parse(text))
        self._flush()
        return self._blocks

    def plain(self, text: str) -> str:
        """A short text, such as a title, without markup."""
        return self._text_of(parse(text))

    def _text_of(self, nodes: Iterable[Any]) -> str:
        """Text of nodes that are not part of the flow."""
        outer, self._pieces = self._pieces, []
        blocks, self._blocks = self._blocks, []
        self._walk(nodes)
        self._flush()
        text = " ".join(block.text for block in self._blocks)
        self._pieces, self._blocks = outer, blocks
        return text

    def _flush(self) -> None:
        text = _tidied("".join(self._pieces))
        self._pieces = []
        if text:
            self._blocks.append(Block(text=text, is_item=self._opens_item))
            self._opens_item = False

    def _walk(self, nodes: Iterable[Any]) -> None:
        from pylatexenc import latexwalker

        for node in nodes:
            if isinstance(node, latexwalker.LatexCharsNode):
                self._say(node.chars)
            elif isinstance(node, latexwalker.LatexGroupNode):
                self._walk(node.nodelist)
            elif isinstance(node, latexwalker.LatexMathNode):
                self._formula(node, displayed=node.displaytype == "display")
            elif isinstance(node, latexwalker.LatexSpecialsNode):
                self._pieces.append(" " if node.specials_chars in "~&" else symbols().node_to_text(node))
            elif isinstance(node, latexwalker.LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, latexwalker.LatexMacroNode):
                self._macro(node)

    def _say(self, text: str) -> None:
        first, *others = _BREAK.split(text)
        self._pieces.append(first)
        for paragraph in others:
            self._flush()
            self._pieces.append(paragraph)

    def _macro(self, node: Any) -> None:
        name = node.macroname
        arguments = [argument for argument in _arguments(node) if argument is not None]
        last = arguments[-1:]
        if name in LEVELS:
            self._flush()
            heading = self._text_of(last)
            if heading:
                self._blocks.append(Block(text=heading, level=LEVELS[name]))
        elif name in RUN_IN:
            self._flush()
            lead = self._text_of(last)
            self._pieces.append(lead if not lead or lead[-1] in ".:!?" else f"{lead}. ")
            self._pieces.append(" ")
        elif name == "footnote":
            note = self._text_of(last)
            self.notes += [Block(text=note)] if note else []
        elif name in CITATIONS:
            self._tally.add_words(REFERENCE_MARKS, 1)
        elif name in NAMED_CITATIONS:
            self._pieces.append(self._text_of(last).replace(",", " and "))
        elif name in ("item", "bibitem"):
            self._flush()
            self._opens_item = name == "item"
            if name == "item":
                self._pieces += [self._text_of(arguments), " "] if arguments else []
        elif name == "title":
            self.title = self._text_of(last) or self.title
        elif name in FRONT:
            self._tally.add(AUTHOR_LINE, self._text_of(last))
        elif name in ("todo", "fixme"):
            self._tally.add(COMMENTS, self._text_of(last))
        elif name == "abstract":
            self._abstract(last)
        elif name == "caption":
            self._flush()
            self._pieces.append(self._text_of(last))
            self._flush()
        elif name == "par":
            self._flush()
        elif name in SPACES:
            self._pieces.append(" ")
        elif name in LAST_ARGUMENT:
            self._walk(last)
        elif name == "texorpdfstring" and arguments:
            self._walk(arguments[:1])
        elif name not in SILENT:
            self._other(node, arguments)
        if node.macro_post_space and name not in ACCENTS:
            self._say(node.macro_post_space)

    def _other(self, node: Any, arguments: Sequence[Any]) -> None:
        """An accent, a symbol or a quantity; or a macro that prints its arguments, whatever else it does."""
        if node.macroname in (*ACCENTS, *QUANTITIES) or not arguments:
            text = symbols().node_to_text(node)
            self._pieces.append(text.rstrip() if node.macro_post_space else text)
            if node.macroname.isalpha() and not is_known(node.macroname):
                self._tally.add_words(UNKNOWN_MACROS, 1)
        else:
            self._walk(arguments)

    def _environment(self, node: Any) -> None:
        name = node.environmentname.rstrip("*")
        if name in FORMULA_ENVIRONMENTS:
            self._formula(node, displayed=True)
        elif name in FLOAT_ENVIRONMENTS:
            self._tally.add(FIGURES, self._text_of(node.nodelist))
        elif name in DRAWINGS:
            self._tally.add(CODE, node.latex_verbatim())
        elif name in TABLES:
            self._flush()
            self._table(node.nodelist)
        elif name == "abstract":
            self._abstract(node.nodelist)
        elif name == "thebibliography":
            self._flush()
            self._blocks.append(Block(text="References", level=3, role=SectionRole.REFERENCES))
            self._walk(node.nodelist)
            self._flush()
        else:
            self._flush()
            if name in BLOCKS:
                self._walk(_arguments(node))
                self._flush()
            self._walk(node.nodelist)
            self._flush()

    def _abstract(self, nodes: Iterable[Any]) -> None:
        self._flush()
        self._blocks.append(Block(text="Abstract", level=3, role=SectionRole.ABSTRACT))
        self._walk(nodes)
        self._flush()

    def _table(self, nodes: Iterable[Any]) -> None:
        from pylatexenc import latexwalker

        cells: list[list[Any]] = [[]]
        for node in nodes:
            if isinstance(node, latexwalker.LatexSpecialsNode) and node.specials_chars == "&":
                cells.append([])
            elif isinstance(node, latexwalker.LatexMacroNode) and node.macroname in ("\\", "tabularnewline"):
                self._row(cells)
                cells = [[]]
            else:
                cells[-1].append(node)
        self._row(cells)

    def _row(self, cells: Sequence[Sequence[Any]]) -> None:
        text = join_cells(self._text_of(cell) for cell in cells)
        if text:
            self._blocks.append(Block(text=text))

    def _formula(self, node: Any, *, displayed: bool) -> None:
        text = normalise(_RELATION.sub(r" \1 ", symbols().nodelist_to_text(node.nodelist)))
        if displayed and len(text) > _LONGEST_INLINE_FORMULA:
            self._tally.add(DISPLAYED_FORMULAS, text)
            self._pieces.append(" ")
        else:
            self._pieces.append(f" {text} " if displayed else text)


def _arguments(node: Any) -> list[Any]:
    return list(node.nodeargd.argnlist or ()) if node.nodeargd is not None else []


def _tidied(text: str) -> str:
    """Without the traces of citations: empty brackets, commas between them, spaces before stops."""
    text = _STRAY_COMMA.sub("", _EMPTY_BRACKETS.sub("", text))
    return normalise(_DOUBLE_STOP.sub(".", _SPACE_BEFORE_STOP.sub("", text)))
