"""A TeX document before it is parsed: its files joined, its macros expanded, comments and code taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import CODE, COMMENTS, Tally
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex

_VERBATIM = "verbatim|Verbatim|lstlisting|minted|alltt|filecontents|BVerbatim|LVerbatim|SaveVerbatim|listing"
_TOKEN = regex(
    rf"\\begin\{{(?P<verbatim>(?:{_VERBATIM})\*?|comment)\}}|(?P<unused>\\iffalse)(?![A-Za-z])"
    r"|(?P<rule>\\cmidrule\s*+(?:\[[^\[\]\n]*+\])?\s*+(?:\([^()\n]*+\))?\s*+\{[^{}\n]*+\})"
    r"|\\(?:verb|lstinline)\*?(?P<mark>[^A-Za-z\s*{\[])"
    r"|\\(?P<link>url|path|nolinkurl|href)\s*\{(?P<address>[^{}\n]*)\}"
    r"|\\(?:input|include|subfile)(?![A-Za-z])[ \t]*(?:\{(?P<file>[^{}]*)\}|(?P<bare>[^\s{}\\%]+))"
    r"|(?P<end>\\end\{document\})"
    r"|\\."
    r"|(?P<percent>%[^\n]*(?:\n[ \t]*|\Z))",
    re.S,
)
_UNUSED_END = regex(r"\\fi(?![A-Za-z])")
_UNESCAPED = regex(r"\\(?=[%#&_~])")
_SPECIAL = regex(r"[\\{}$&#^_~%]")
_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_DEFINITION = regex(
    r"\\(?P<how>(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*"
    r"(?:\{\s*\\(?P<braced>[A-Za-z@]+)\s*\}|\\(?P<name>[A-Za-z@]+))\s*"
    r"(?:\[(?P<arguments>\d)\])?\s*(?:\[(?P<default>[^\[\]]*)\])?\s*(?=\{)"
    r"|\\(?:def|gdef|edef|xdef)\s*\\(?P<defined>[A-Za-z@]+)(?P<parameters>[^{}\\]{0,60})(?=\{)"
)
_ENVIRONMENT_DEFINITION = regex(
    r"\\(?:re)?newenvironment\*?\s*\{[^{}]*\}\s*(?:\[\d\])?(?:\[[^\[\]]*\])?\s*(?=\{)"
)
_PARAMETER = regex(r"#([1-9])")
_CALL = regex(r"\\(?:(?P<name>[A-Za-z@]+)|.)", re.S)
_ENDS_IN_NAME = regex(r"\\[A-Za-z@]+\Z")
_OPTION = regex(r"\s*\[([^\[\]]{0,1000})\]")
_ARGUMENT = regex(r"\s*(?:(?P<group>\{)|(?P<one>\\[A-Za-z@]+|\\.|[^{}]))", re.S)
_BRACE = regex(r"\\.|[{}]", re.S)
# A command with one word on a line of its own, and a line of nothing but commands.
_LONE_CALL = regex(
    r"[ \t]*+\\(?!(?:begin|end)\b)(?P<name>[A-Za-z@]++)[ \t]*+\{[ \t]*+(?P<word>[\w./-]++)[ \t]*+\}[ \t]*+",
    re.ASCII,
)
_NO_TEXT = regex(r"(?:[ \t]*+\\(?!item)[A-Za-z@]++\*?(?:\[[^\[\]]*+\]|\{[^{}]*+\})*+)*+[ \t]*+")
# So many files are named by such calls, or they are words.
_LEAST_PARTS = 3
_LONGEST_GROUP = 50_000
_MAX_UNCLOSED = 50
_MAX_FILES = 500
_MAX_INCLUSION_DEPTH = 15
_MAX_EXPANSION_DEPTH = 25
_MAX_GROWTH = 4
_FREE_GROWTH = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class TexMacro:
    """A macro that the document defines.

    Attributes:
        num_arguments: How many arguments it takes.
        default: The first argument where it is left out; ``None`` where it must be given.
        body: What it stands for, ``#1`` being its first argument.
    """

    num_arguments: int
    default: str | None
    body: str


@dataclass(slots=True)
class TexSource:
    """A document whose files are joined.

    Attributes:
        text: Without comments, code and definitions.
        macros: Those that it defines, by name.
        missing: Files that it includes and that are not there.
        warnings: On unreadable characters.
    """

    text: str = ""
    macros: Mapping[str, TexMacro] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def gather_source(
    raw: RawSource, options: ReadOptions, tally: Tally, *, known: Container[str] = ()
) -> TexSource:
    """Join the files of a document and take out what is no text.

    Included files are read where they lie in the folder of the document or below.

    Args:
        raw: The main file.
        options: ``max_bytes`` limits all files together.
        tally: Counts code and comments.
        known: Macros whose meaning stays, even where the document defines them anew.

    Raises:
        SourceError: The files are too many or too large.
    """
    decoded = decode(raw.content, raw.charset)
    source = TexSource(warnings=list(decoded.warnings))
    joiner = _Joiner(source, raw, options, tally)
    text = "".join(joiner.join(decoded.text, 0))
    source.text, macros = take_definitions(text)
    source.macros = {name: macro for name, macro in macros.items() if name not in known}
    return source


class _Joiner:
    """Replaces inclusions by files, comments by nothing, and verbatim text by what can be parsed."""

    def __init__(self, source: TexSource, raw: RawSource, options: ReadOptions, tally: Tally) -> None:
        self._source = source
        self._name = raw.name
        self._folder = raw.path.resolve().parent if raw.path is not None else None
        self._left = options.max_bytes - len(raw.content)
        self._num_files = 0
        self._tally = tally

    def join(self, text: str, depth: int) -> Iterator[str]:
        """The pieces of a text with the files it includes."""
        position = 0
        ends = _Ends(text)
        while (token := _TOKEN.search(text, position)) is not None:
            yield text[position : token.start()]
            position = token.end()
            if token["verbatim"] is not None or token["unused"] is not None or token["mark"] is not None:
                span = ends.of(token)
                if span is None:
                    position = token.start() + 2
                    yield text[token.start() : position]
                    continue
                content, position = text[token.end() : span[0]], span[1]
                if token["mark"] is not None:
                    yield _escaped(content)
                elif token["unused"] is not None or token["verbatim"] == "comment":
                    self._tally.add(COMMENTS, content)
                else:
                    self._tally.add(CODE, content)
                    yield "\n\n"
            elif token["rule"] is not None:
                continue
            elif token["percent"] is not None:
                self._tally.add(COMMENTS, token["percent"].lstrip("%"))
                # A comment line between paragraphs does not join them.
                yield "\n" if token.start() == 0 or text[token.start() - 1] == "\n" else ""
            elif token["link"] is not None:
                yield f"\\{token['link']}{{{_escaped(_UNESCAPED.sub('', token['address']))}}}"
            elif token["file"] is not None or token["bare"] is not None:
                yield from self._include((token["file"] or token["bare"] or "").strip(), depth)
            elif token["end"] is not None and depth == 0:
                yield token.group()
                return
            else:
                yield token.group()
        yield text[position:]

    def _include(self, name: str, depth: int) -> Iterator[str]:
        self._num_files += 1
        if depth >= _MAX_INCLUSION_DEPTH or self._num_files > _MAX_FILES:
            raise SourceError(
                f"{self._name} includes more than {_MAX_FILES} files, or itself", "give its parts one by one"
            )
        path = self._find(name)
        if path is None:
            self._source.missing.append(name)
            return
        content = path.read_bytes()
        self._left -= len(content)
        if self._left < 0:
            raise SourceError(
                f"{self._name} and the files it includes are too large", "give its parts one by one"
            )
        decoded = decode(content)
        self._source.warnings += decoded.warnings
        yield "\n"
        yield from self.join(decoded.text, depth + 1)
        yield "\n"

    def _find(self, name: str) -> Path | None:
        """A file that is included: in the folder of the document or below, nowhere else."""
        if self._folder is None or not name:
            return None
        for candidate in (name, f"{name}.tex"):
            try:
                path = (self._folder / candidate).resolve()
                if path.is_relative_to(self._folder) and path.is_file():
                    return path
            except (OSError, ValueError, RuntimeError):
                continue
        return None


class _Ends:
    """Where verbatim text ends in a text; what is looked for in vain is not looked for again.

    Args:
        text: The text, whose tokens are asked for in order.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_end = 0
        self._absent: dict[str, int] = {}  # up to where each end is known to be missing

    def of(self, token: re.Match[str]) -> tuple[int, int] | None:
        """Begin and end of what closes a token of verbatim or unused text; ``None`` where nothing does."""
        begin, limit = token.end(), len(self._text)
        closing = token["mark"] or (rf"\end{{{token['verbatim']}}}" if token["verbatim"] else "")
        if token["mark"]:
            if begin > self._line_end:
                found = self._text.find("\n", begin)
                self._line_end = found if found >= 0 else limit
            limit = self._line_end
        if self._absent.get(closing, -1) >= limit:
            return None
        if closing:
            place = self._text.find(closing, begin, limit)
            span = (place, place + len(closing))
        else:
            match = _UNUSED_END.search(self._text, begin)
            span = match.span() if match else (-1, -1)
        if span[0] < 0:
            self._absent[closing] = limit
            return None
        return span


def take_unknown_calls(text: str, is_known: Callable[[str], bool]) -> tuple[str, dict[str, list[str]]]:
    r"""The text without the calls of commands that nothing defines and that stand apart, and their words.

    ``\\chap{tides}`` on a line of its own, and more of them, include files, whose names are no text.

    Args:
        text: A text whose macros are expanded.
        is_known: Whether a command is known.
    """
    lines = text.split("\n")
    no_text = [_NO_TEXT.fullmatch(line) is not None for line in lines]
    calls: dict[str, dict[int, str]] = {}
    for at, line in enumerate(lines):
        apart = no_text[at] and no_text[max(at - 1, 0)] and no_text[min(at + 1, len(lines) - 1)]
        call = _LONE_CALL.fullmatch(line) if apart else None
        if call is not None and not is_known(call["name"]):
            calls.setdefault(call["name"], {})[at] = call["word"]
    unknown: dict[str, list[str]] = {}
    for name, words in calls.items():
        # With a capital they are words, as of headings, rather than names of files.
        parts = list(dict.fromkeys(words.values()))
        if len(parts) >= _LEAST_PARTS and not any(part[0].isupper() for part in parts):
            unknown[name] = parts
            for at in words:
                lines[at] = ""
    return "\n".join(lines), unknown


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ESCAPES.get(match.group(), "\\" + match.group()), text)


def take_definitions(text: str) -> tuple[str, dict[str, TexMacro]]:
    """The text without the definitions of macros and environments, and the macros."""
    macros: dict[str, TexMacro] = {}
    pieces: list[str] = []
    position = 0
    for start, end, definition in _definitions(text):
        if start < position:
            continue  # within the body of another
        pieces.append(text[position:start])
        position = end
        if definition is None:
            continue
        name, macro = definition
        macros[name] = macro
    return "".join([*pieces, text[position:]]), macros


def _definitions(text: str) -> Iterator[tuple[int, int, tuple[str, TexMacro] | None]]:
    found = [(match, False) for match in _DEFINITION.finditer(text)]
    found += [(match, True) for match in _ENVIRONMENT_DEFINITION.finditer(text)]
    num_unclosed = 0
    for match, is_environment in sorted(found, key=lambda each: each[0].start()):
        body_end = end_of_group(text, match.end())
        if body_end is None:
            num_unclosed += 1
            if num_unclosed > _MAX_UNCLOSED:
                return
            continue
        if is_environment:
            second = text.find("{", body_end)
            closing = (
                end_of_group(text, second) if second >= 0 and not text[body_end:second].strip() else None
            )
            yield match.start(), closing or body_end, None
            continue
        body = text[match.end() + 1 : body_end - 1]
        if match["defined"] is not None:
            parameters = match["parameters"]
            num_arguments = parameters.count("#")
            simple = re.fullmatch(r"\s*(?:#\d\s*)*", parameters) is not None
            macro = TexMacro(num_arguments=num_arguments, default=None, body=body) if simple else None
            yield match.start(), body_end, (match["defined"], macro) if macro else None
            continue
        name = match["braced"] or match["name"]
        if match["how"] == "DeclareMathOperator":
            body = rf"\mathrm{{{body}}}"
        yield (
            match.start(),
            body_end,
            (
                name,
                TexMacro(num_arguments=int(match["arguments"] or 0), default=match["default"], body=body),
            ),
        )


def end_of_group(text: str, start: int) -> int | None:
    """The offset after the brace that closes the one at ``start``; ``None`` where none near does."""
    depth = 0
    for token in _BRACE.finditer(text, start, start + _LONGEST_GROUP):
        if token.group() == "{":
            depth += 1
        elif token.group() == "}":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


class MacroExpander:
    """Replaces the macros that a document defines by what they stand for, within bounds.

    Args:
        macros: The macros by name.
        name: The source's name, for messages.
        length: Length of the source; what all macros become may not be many times as long.
    """

    def __init__(self, macros: Mapping[str, TexMacro], name: str, length: int) -> None:
        self._macros = macros
        self._name = name
        self._left = _MAX_GROWTH * length + _FREE_GROWTH

    def expand(self, text: str, depth: int = 0) -> str:
        """The text with all macros expanded.

        Raises:
            SourceError: They expand to too much, or to themselves.
        """
        pieces: list[str] = []
        position = 0
        call = _CALL.search(text)
        while call is not None:
            after = call.end()
            macro = self._macros.get(call["name"] or "")
            if macro is not None:
                pieces.append(text[position : call.start()])
                arguments, after = self._arguments(text, after, macro)
                body = _PARAMETER.sub(lambda found, given=arguments: _nth(given, int(found[1])), macro.body)  # type: ignore[misc]
                self._left -= len(body) + 1
                if depth >= _MAX_EXPANSION_DEPTH or self._left < 0:
                    raise SourceError(
                        f"{self._name} defines macros that expand without end (\\{call['name']})",
                        "check where it comes from, or give a PDF made from it",
                    )
                expanded = self.expand(body, depth + 1)
                # The name of a macro at the end must not run into the letters that follow.
                runs_on = _ENDS_IN_NAME.search(expanded) and text[after : after + 1].isalpha()
                pieces.append(expanded + "{}" if runs_on else expanded)
                position = after
            call = _CALL.search(text, after)
        pieces.append(text[position:])
        return "".join(pieces)

    def _arguments(self, text: str, position: int, macro: TexMacro) -> tuple[list[str], int]:
        """The arguments of a call, and the offset after them."""
        arguments: list[str] = []
        if macro.default is not None:
            option = _OPTION.match(text, position)
            arguments.append(option[1] if option else macro.default)
            position = option.end() if option else position
        while len(arguments) < macro.num_arguments:
            token = _ARGUMENT.match(text, position)
            if token is None:
                break
            position = token.end()
            if token["group"]:
                end = end_of_group(text, token.start("group"))
                # What is looked through in vain counts, so that it is not looked through over and over.
                self._left -= _LONGEST_GROUP if end is None else 0
                position = position if end is None else end
                arguments.append(text[token.end() : position - 1])
            else:
                arguments.append(token["one"])
        return arguments, position


def _nth(arguments: list[str], number: int) -> str:
    return arguments[number - 1] if number <= len(arguments) else ""
