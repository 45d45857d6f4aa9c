"""Admonitions, tabs and directives of Markdown, of MkDocs, Docusaurus, MyST and Pandoc, as their text.

    !!! warning "Old moorings"        :::warning[Old moorings]         ```{admonition} Old moorings
        Chains must be renewed.       Chains must be renewed.          Chains must be renewed.
                                      :::                              ```

All three are read as "Old moorings: Chains must be renewed."; one without a title is headed by its kind where
that says how the text is meant: "Warning: Chains must be renewed." What is within a block of code stays as it
is, and so is a directive whose content is code or names.
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterator, Sequence

from lsum_cli.reading.blocks import with_colon
from lsum_cli.reading.sphinx import (
    ADMONITIONS,
    CODE_DIRECTIVES,
    NAMING_DIRECTIVES,
    SILENT_DIRECTIVES,
    head_with_kind,
    name_of_directive,
    names_nothing,
    takes_argument_as_text,
    word_version,
)
from lsum_cli.text.patterns import regex

RST_DIRECTIVE = "eval-rst"
"""The directive of MyST whose content is reStructuredText."""
_INDENT = 4  # of what belongs to a mark
_KINDS = (
    r"(?:note|seealso|info|tip|hint|important|attention|success|question|warning|caution|danger|error"
    r"|failure|bug|example|quote|abstract|summary|todo|secondary|details|admonition|dropdown|tab|tab-item"
    r"|grid-item-card|card|sidebar|topic)"
)
# "!!! note", "??? tip inline "Title"", "!!! warning Without Quotation Marks", "=== "Tab"".
_MARKED = regex(
    r" *(?:(?:!!!|\?\?\?\+?) ?(?:(?P<kind>" + _KINDS + r")\b|[\w-]+)(?: +(?P<words>[\w-]+(?: +[\w-]+)*))?"
    r"|===[!+]?(?= *\"))(?P<quoted> *\"(?P<title>[^\"]*)\")? *",
    re.IGNORECASE,
)
# ":::note", "::: warning Title :::", ":::tip[Title]".
_FENCED = regex(
    r" *(?P<fence>:{3,}) *(?P<kind>" + _KINDS + r")\b"
    r"(?:\[(?P<title>[^\]]*)\]|[ \t]+(?P<words>[^{\s`:][^{`]*+))?(?:\{[^}]*\})?[ \t]*:*[ \t]*",
    re.IGNORECASE,
)
# "```{note} text", ":::{admonition} Title".
_DIRECTIVE = regex(
    r" *(?P<fence>:{3,}|`{3,}|~{3,}) *\{(?P<name>[a-z][\w:+.-]*)\}(?:[ \t]+(?P<argument>.*))?[ \t]*:*[ \t]*",
    re.IGNORECASE,
)
_TEXT_KIND = regex(
    rf"{_KINDS}|figure|glossary|margin|aside|toggle|grid(?:-item)?|tab-set|cards?", re.IGNORECASE
)
_CODE = regex(r" *(`{3,}(?![^`]*`)|~{3,})")
_OUTER_FENCE = regex(r" {0,3}(?:`{3,}(?![^`]*`)|~{3,})")
# A part that has a class, or its end; "::: so it goes" is text.
_DIVISION = regex(
    r" {0,3}:{3,} *(?:\{.*|[\w.:/-]+(?:[ \t]+[\w-]+=\S+)*(?:[ \t]*[\[{].*)?[ \t]*:*)?[ \t]*| *:{3,} *"
)
_OPTION = regex(r" *:[\w-]+:.*")
# ":octicons-file-code-16: pyproject.toml"
_ICON = regex(r":[a-z][\w+-]*: *")
# What begins something other than a paragraph, to which a title is put.
_NO_PARAGRAPH = regex(r" {4}|\s*(?:[-*+] |[>#|<!]|\d{1,9}[.)] |`{3}|~{3}|:{3}|\?\?\?|=== )")


def without_admonitions(text: str) -> str:
    """A Markdown text whose admonitions and tabs are paragraphs, the first of each after its title.

    Args:
        text: The text, its lines ended by line feeds.
    """
    if any(mark in text for mark in ("!!!", "???", ":::", '=== "', "``{", "~~{")):
        return "\n".join(_put_titles(_unmarked(text.expandtabs(_INDENT).split("\n"))))
    return text


def _unfenced(words: str | None) -> str:
    """The words on the line of a fence without the colons that may end it: "Title :::"."""
    return (words or "").rstrip(" \t").rstrip(":").rstrip(" \t")


class _Part(enum.Enum):
    """What a line is: a title is text as well, the name of a kind only before a paragraph."""

    TEXT = enum.auto()
    TITLE = enum.auto()
    KIND = enum.auto()


_Line = tuple[str, _Part]


def _unmarked(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines without marks and fences of admonitions and the indentation of their text."""
    indents: list[int] = []  # of the marks of what is open
    fences: list[str] = []
    code = ""
    below: list[int] = []
    is_option = is_of_colons = False
    for number, whole in enumerate(lines):
        indent = len(whole) - len(whole.lstrip(" "))
        while indents and whole.strip() and indent < indents[-1] + _INDENT:
            indents.pop()
            # A block of code ends with what it stands in, unless the fence that ends it stands outside.
            if code:
                below = below or _fences_below(lines)
                if below[number] % 2:
                    continue
            yield code, _Part.TEXT
            code = ""
        line = whole[min(indent, _INDENT * len(indents)) :]
        if code and is_of_colons and not line.strip(" :"):
            line = line.replace(":", "~")
        found = _CODE.match(line)
        if code:
            if found and found[1].startswith(code) and not line.strip(" `~"):
                code = ""
            yield line, _Part.TEXT
            continue
        is_option = is_option and _OPTION.fullmatch(line) is not None
        if is_option:
            continue
        if fences and line.strip().startswith(fences[-1]) and not line.strip().strip(fences[-1][0]):
            fences.pop()
            yield "", _Part.TEXT
        elif (mark := _MARKED.fullmatch(line)) and (
            mark["quoted"] or (mark["kind"] and _has_text(lines, number, indent))
        ):
            indents.append(indent)
            words = mark["words"] or ""
            title = mark["title"] or (words if words[:1].isupper() else "")
            # An empty title is one that shall not be shown.
            kind = mark["kind"] if mark["title"] is None else None
            yield from _opening(line, title, kind=kind or "")
        elif (fence := _DIRECTIVE.fullmatch(line)) and _is_text(fence["fence"], fence["name"]):
            fences.append(fence["fence"])
            is_option = True
            goes_on = not _is_ended(lines, number, fence["fence"])
            yield from _directive(line, fence["name"], _unfenced(fence["argument"]), goes_on=goes_on)
        elif fence and fence["fence"][0] == ":":
            is_of_colons, code = True, fence["fence"].replace(":", "~")
            yield f"{code}{{{fence['name']}}}", _Part.TEXT
        elif fence := _FENCED.fullmatch(line):
            fences.append(fence["fence"])
            yield from _opening(line, fence["title"] or _unfenced(fence["words"]), kind=fence["kind"])
        elif _DIVISION.fullmatch(line):
            is_option = "{" in line
            yield "", _Part.TEXT
        else:
            is_of_colons, code = False, found[1] if found else ""
            yield line, _Part.TEXT


def _fences_below(lines: Sequence[str]) -> list[int]:
    """For each line, how many fences of code that are not indented follow from there on."""
    counts = itertools.accumulate(int(_OUTER_FENCE.match(line) is not None) for line in reversed(lines))
    return list(counts)[::-1]


def _has_text(lines: Sequence[str], number: int, indent: int) -> bool:
    """Whether the next line that is not empty is indented below a mark."""
    below = range(number + 1, len(lines))
    following = next((lines[each] for each in below if lines[each].strip()), "")
    return len(following) - len(following.lstrip(" ")) >= indent + _INDENT


def _is_text(fence: str, name: str) -> bool:
    """Whether the content of a directive is Markdown; of unknown ones, what stands between colons."""
    plain = name_of_directive(name)
    if plain in CODE_DIRECTIVES or plain in SILENT_DIRECTIVES or plain == RST_DIRECTIVE:
        return False
    return (
        fence[0] == ":"
        or ":" in name
        or plain in NAMING_DIRECTIVES
        or _TEXT_KIND.fullmatch(plain) is not None
        or takes_argument_as_text(plain, "")
    )


def _is_ended(lines: Sequence[str], number: int, fence: str) -> bool:
    """Whether a directive has no text below its options."""
    below = (lines[each] for each in range(number + 1, len(lines)))
    following = next((line.strip() for line in below if line.strip() and not _OPTION.fullmatch(line)), fence)
    return following.startswith(fence) and not following.strip(fence[0])


def _directive(line: str, name: str, argument: str, *, goes_on: bool) -> Iterator[_Line]:
    """What stands for the first line of a directive."""
    name = name_of_directive(name)
    if names_nothing(name, argument):
        argument = ""
    argument = word_version(name, argument, goes_on=goes_on)
    if not takes_argument_as_text(name, argument):
        yield from _opening(line, argument)
        return
    yield from _opening(line, "", kind=name)
    if argument:
        yield line[: len(line) - len(line.lstrip(" "))] + argument, _Part.TEXT


def _opening(line: str, title: str, *, kind: str = "") -> Iterator[_Line]:
    """The title of what begins with a line, or that of its kind, if it has one."""
    yield "", _Part.TEXT
    indentation = line[: len(line) - len(line.lstrip(" "))]
    if title := _ICON.sub("", title).strip():
        yield indentation + title, _Part.TITLE
    elif kind := ADMONITIONS.get(kind.lower(), ""):
        yield indentation + kind, _Part.KIND


def _put_titles(lines: Iterator[_Line]) -> Iterator[str]:
    """The lines, each title before the paragraph that follows it."""
    title, before = "", _Part.TEXT
    for line, part in lines:
        text = line.removeprefix(" " * (len(title) - len(title.lstrip(" "))))
        if title and (part is not _Part.TEXT or (text.strip() and _NO_PARAGRAPH.match(text))):
            yield from (title, "") if before is _Part.TITLE else ()
            title = ""
        if part is not _Part.TEXT:
            title, before = line, part
        elif title and line.strip():
            text = line.lstrip()
            titled = (
                head_with_kind(title.lstrip(), text)
                if before is _Part.KIND
                else f"{with_colon(title.lstrip())} {text}"
            )
            yield title[: len(title) - len(title.lstrip())] + titled
            title = ""
        elif not title:
            yield line
    if title and before is _Part.TITLE:
        yield title
