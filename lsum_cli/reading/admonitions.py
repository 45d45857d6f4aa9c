"""Admonitions and tabs of Markdown, of MkDocs, Docusaurus, MyST and Pandoc, as the text that they are.

    !!! warning "Old moorings"        :::warning[Old moorings]         ```{admonition} Old moorings
        Chains must be renewed.       Chains must be renewed.          Chains must be renewed.
                                      :::                              ```

All three are read as "Old moorings: Chains must be renewed."; of the kind a browser shows no more than a
colour. What is within a block of code stays as it is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from lsum_cli.text.patterns import regex

_INDENT = 4  # of what belongs to a mark
_KINDS = (
    r"(?:note|seealso|info|tip|hint|important|attention|success|question|warning|caution|danger|error|failure|bug"
    r"|example|quote|abstract|summary|todo|secondary|details|admonition|dropdown|tab|tab-item|grid-item-card|card"
    r"|sidebar|topic)"
)
# "!!! note", "??? tip inline "Title"", "!!! warning Without Quotation Marks", "=== "Tab"".
_MARKED = regex(
    r" *(?:(?:!!!|\?\?\?\+?) ?(?:(?P<kind>" + _KINDS + r")\b|[\w-]+)(?: +(?P<words>[\w-]+(?: +[\w-]+)*))?"
    r"|===[!+]?(?= *\"))(?P<quoted> *\"(?P<title>[^\"]*)\")? *",
    re.IGNORECASE,
)
# ":::note", "::: warning Title :::", ":::tip[Title]", "```{note} text".
_FENCED = regex(
    r" *(?P<fence>:{3,}|(?:`{3,}|~{3,})(?=\{)) *(?P<brace>\{?)(?P<kind>" + _KINDS + r")\b\}?"
    r"(?:\[(?P<title>[^\]]*)\]|[ \t]+(?P<words>[^{\s`:][^{`]*?))?(?:\{[^}]*\})?[ \t]*:*[ \t]*",
    re.IGNORECASE,
)
# Of these what follows the braces is the title, of others the text.
_TITLED = frozenset(
    ["admonition", "details", "dropdown", "tab", "tab-item", "grid-item-card", "card", "sidebar", "topic"]
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
_ENDS = (".", "!", "?", ":")


def without_admonitions(text: str) -> str:
    """A Markdown text whose admonitions and tabs are paragraphs, the first of each after its title.

    Args:
        text: The text, its lines ended by line feeds.
    """
    if any(mark in text for mark in ("!!!", "???", ":::", '=== "', "``{", "~~{")):
        return "\n".join(_put_titles(_unmarked(text.expandtabs(_INDENT).split("\n"))))
    return text


# A line, and whether it is a title.
_Line = tuple[str, bool]


def _unmarked(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines without marks and fences of admonitions and the indentation of their text."""
    indents: list[int] = []  # of the marks of what is open
    fences: list[str] = []
    code = ""
    below: list[int] = []
    is_option = False
    for number, whole in enumerate(lines):
        indent = len(whole) - len(whole.lstrip(" "))
        while indents and whole.strip() and indent < indents[-1] + _INDENT:
            indents.pop()
            # A block of code ends with what it stands in, unless the fence that ends it stands outside.
            if code:
                below = below or _fences_below(lines)
                if below[number] % 2:
                    continue
            yield code, False
            code = ""
        line = whole[min(indent, _INDENT * len(indents)) :]
        found = _CODE.match(line)
        if code:
            if found and found[1].startswith(code) and not line.strip(" `~"):
                code = ""
            yield line, False
            continue
        is_option = is_option and _OPTION.fullmatch(line) is not None
        if is_option:
            continue
        if fences and line.strip().startswith(fences[-1]) and not line.strip().strip(fences[-1][0]):
            fences.pop()
            yield "", False
        elif (mark := _MARKED.fullmatch(line)) and (
            mark["quoted"] or (mark["kind"] and _has_text(lines, number, indent))
        ):
            indents.append(indent)
            words = mark["words"] or ""
            yield from _opening(line, mark["title"] or (words if words[:1].isupper() else ""))
        elif fence := _FENCED.fullmatch(line):
            fences.append(fence["fence"])
            is_option = bool(fence["brace"])
            is_text = fence["brace"] and fence["kind"].lower() not in _TITLED
            yield from _opening(line, fence["title"] or ("" if is_text else fence["words"] or ""))
            if is_text and fence["words"]:
                yield line[: len(line) - len(line.lstrip(" "))] + fence["words"], False
        elif _DIVISION.fullmatch(line):
            is_option = "{" in line
            yield "", False
        else:
            code = found[1] if found else ""
            yield line, False


def _fences_below(lines: Sequence[str]) -> list[int]:
    """For each line, how many fences of code that are not indented follow from there on."""
    counts = itertools.accumulate(int(_OUTER_FENCE.match(line) is not None) for line in reversed(lines))
    return list(counts)[::-1]


def _has_text(lines: Sequence[str], number: int, indent: int) -> bool:
    """Whether the next line that is not empty is indented below a mark."""
    below = range(number + 1, len(lines))
    following = next((lines[each] for each in below if lines[each].strip()), "")
    return len(following) - len(following.lstrip(" ")) >= indent + _INDENT


def _opening(line: str, title: str) -> Iterator[_Line]:
    yield "", False
    if title := _ICON.sub("", title).strip():
        yield line[: len(line) - len(line.lstrip(" "))] + title, True


def _put_titles(lines: Iterator[_Line]) -> Iterator[str]:
    """The lines, each title before the paragraph that follows it."""
    title = ""
    for line, is_title in lines:
        if title and (is_title or (line.strip() and _NO_PARAGRAPH.match(line))):
            yield from (title, "")
            title = ""
        if is_title:
            title = line
        elif title and line.strip():
            yield f"{title}{'' if title.endswith(_ENDS) else ':'} {line.lstrip()}"
            title = ""
        elif not title:
            yield line
    if title:
        yield title
