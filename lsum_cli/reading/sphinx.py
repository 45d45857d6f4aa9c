"""What readers are shown of the directives and roles of Sphinx, in reStructuredText and in MyST Markdown.

docutils knows a few dozen of them; documents use hundreds, of Sphinx and its extensions. Here all are
treated alike: a role becomes its text, a directive its argument and content, except for the few whose
content is code or names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsum_cli.text.patterns import regex

DIRECTIVES = "directives"
"""Kind of text that is left out: what only the builder of the pages reads."""

CODE_DIRECTIVES = frozenset(
    "code code-block sourcecode highlight literalinclude parsed-literal raw math"  # noqa: SIM905
    " productionlist testcode testoutput testsetup testcleanup doctest prompt ipython jupyter-execute"
    " code-cell graphviz digraph graph mermaid uml plot click:example click:run".split()
)
SILENT_DIRECTIVES = frozenset(
    "toctree include image contents index meta title module currentmodule autosummary sectionauthor"  # noqa: SIM905
    " moduleauthor codeauthor default-role default-domain role sectnum section-numbering header footer"
    " target-notes tabularcolumns bibliography inheritance-diagram program date unicode replace video"
    " youtube redirect-from redirect redirect-to restructuredtext-test-directive".split()
)
"""Their argument and content are names, of files for example."""
NAMING_DIRECTIVES = frozenset(
    "figure only class rst-class cssclass container ifconfig grid tab-set".split()  # noqa: SIM905
)
"""Their content is text, but not their argument; this also applies to autodoc's: "autoclass" etc."""
ADMONITIONS = {
    "note": "Note",
    "seealso": "See also",
    "tip": "Tip",
    "hint": "Hint",
    "important": "Important",
    "attention": "Attention",
    "warning": "Warning",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
}
"""How these are headed where they are shown; their argument is the beginning of their text."""
# Their argument is the beginning of their text as well.
_TEXT_DIRECTIVES = frozenset(
    "todo epigraph highlights pull-quote compound centered rubric"  # noqa: SIM905
    " csv-table list-table table line-block".split()
)
# How those are worded whose argument is a version.
_VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
    "versiondeprecated": "Deprecated since version",
}
_OPTION = regex(r":(?P<name>[\w-]+):(?:\s+(?P<value>.*))?")
# "class" names a look of the page, or a class of Python: "class:: wide", "class:: Reader(path)".
_CLASS_OF_PYTHON = regex(r".*[A-Z._(]")
# "read(n=-1)", "reader.size", "int main(int count)".
_SIGNATURE = regex(r"\S+|\S.*\(.*\).*")
_TARGETED_ROLE = regex(r"~?!?(?P<text>[^<]*?[^<\s])\s*<[^>]*>")
# Roles whose text is the number of a report: ":issue:`212`".
_NUMBERED_ROLES = frozenset(
    "issue issues pr pull pull-request pullreq ticket tickets bug bugs gh gh-issue gh-pr ghissue ghpull"  # noqa: SIM905
    " bpo lp commit_issue story".split()
)
_REPORT = regex(r"(?P<number>\d+)(?:#[\w.-]+)?")
_NUMBERS = regex(r"#?\d+(?:, ?#?\d+)*")
# Those of a change in the log of releases, where its report may have no number: ":bug:`- backported`".
_CHANGE_ROLES = frozenset(["bug", "feature", "support"])
_CHANGE = regex(r"(?P<number>-|\d+)(?: (?:backported|major|\([\d.+, ]+\)))*")
# "~package.Class" and "~.package.Class" are shown as "Class", ".Class" too.
_SHORTENED_ROLE = regex(r"~\.?(?:\w+\.)*(?P<name>[^\W\d]\w*(?:\(.*\))?)")
# ".Session.get" is searched for in any module; "_orm.Session.get" in that of an abbreviation.
_SEARCHED_ROLE = regex(r"(?:_[a-z]+)?\.(?P<name>[^\W\d][\w.]*(?:\(.*\))?)")
# The roles that are known by name.
_ROLES = _NUMBERED_ROLES | frozenset(
    "abbr any attr attribute c class command const cve cwe data dfn doc doi download emphasis enum envvar eq"  # noqa: SIM905
    " exc external file func guilabel issue kbd keyword literal macro mailheader makevar manpage math member"
    " menuselection meth method mimetype mod module namespace numref obj octicon option pep program prop"
    " property py:data ref regexp rfc role rst samp strong struct sub subscript sup superscript term title"
    " token type user var code cite cite:t cite:p footcite kanji abbreviation".split()
)
_LITERAL_ROLES = frozenset(["file", "samp", "code", "literal", "command", "kbd", "regexp", "envvar"])


def is_role(name: str) -> bool:
    """Whether it is the name of a role, with or without its domain: ``"func"``, ``"py:func"``."""
    name = name.lower()
    return ":" in name or name in _ROLES


def shown_of_role(role: str, text: str) -> str:
    """What is shown of interpreted text: ``"cancel()"`` of ``:meth:`~asyncio.Task.cancel()```."""
    role = role.lower()
    if role in ("pep", "rfc") and (report := _REPORT.fullmatch(text)):
        # "3986#section-3.2.3"
        text = f"{role.upper()} {report['number']}"
    elif role in _NUMBERED_ROLES and _NUMBERS.fullmatch(text):
        text = ", ".join(f"#{number}" for number in re.findall(r"\d+", text))
    elif role in _CHANGE_ROLES and (change := _CHANGE.fullmatch(text)):
        text = "" if change["number"] == "-" else f"#{change['number']}"
    elif targeted := _TARGETED_ROLE.fullmatch(text):
        text = targeted["text"]
    elif shortened := _SHORTENED_ROLE.fullmatch(text):
        text = shortened["name"]
    elif role not in _LITERAL_ROLES and (searched := _SEARCHED_ROLE.fullmatch(text)):
        text = searched["name"]
    return text.removeprefix("!")


def name_of_directive(written: str) -> str:
    """The name of a directive in lower case, without its domain: ``"function"`` of ``"py:function"``."""
    name = written.lower()
    return name if name in CODE_DIRECTIVES else name.rpartition(":")[2]


def head_with_kind(kind: str, text: str) -> str:
    """A paragraph of an admonition after its kind, unless it begins with that itself."""
    return text if text.lower().startswith(kind.lower()) else f"{kind}: {text}"


def names_nothing(name: str, argument: str) -> bool:
    """Whether the argument of a directive with content is for the builder of the pages alone."""
    if name == "class" and _CLASS_OF_PYTHON.match(argument):
        return False
    return name in NAMING_DIRECTIVES or name.startswith("auto")


def join_signatures(block: list[str]) -> list[str]:
    """The lines of a directive with those of its argument as one where each names one thing of several."""
    count = next((at for at, line in enumerate(block) if not line.strip()), 0)
    if count < 2 or not all(_SIGNATURE.fullmatch(line.strip()) for line in block[:count]):
        return block
    return [", ".join(line.strip() for line in block[:count]), *block[count:]]


def takes_argument_as_text(name: str, argument: str) -> bool:
    """Whether the text of a directive begins with its argument, rather than being headed by it.

    Args:
        name: Of the directive.
        argument: As :func:`word_version` words it: a version alone heads what is said of it.
    """
    if is_version(name):
        return not argument.endswith(":")
    return name in ADMONITIONS or name in _TEXT_DIRECTIVES


def is_version(name: str) -> bool:
    """Whether a directive of this name says in which version something came, changed or went."""
    return name.replace("-", "") in _VERSIONS


def word_version(name: str, argument: str, *, goes_on: bool) -> str:
    """The argument of a directive as it is shown: ``"Added in version 3.1:"`` where it is a version.

    Args:
        name: Of the directive.
        argument: What follows its name; returned as it is where there is nothing to word.
        goes_on: Whether text follows.
    """
    wording = _VERSIONS.get(name.replace("-", ""))
    if wording is None or not argument.strip():
        return argument
    # A number alone would read as the heading of a release.
    version, _, text = argument.strip().partition(" ")
    return f"{wording} {version}{':' if text or goes_on else '.'} {text}".rstrip()


def split_options(block: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The options of a directive, and its lines without them; they come before the first blank line."""
    ends = (
        at for at, line in enumerate(block) if _OPTION.fullmatch(line.strip()) or (at and not line.strip())
    )
    begin = end = next(ends, len(block))
    options: dict[str, str] = {}
    name = ""
    while end < len(block) and block[end].strip():
        found = _OPTION.fullmatch(block[end].strip())
        if found:
            name = found["name"]
            options[name] = found["value"] or ""
        elif block[end].startswith(" "):
            options[name] += f"\n{block[end].strip()}"
        else:
            break
        end += 1
    return options, [*block[:begin], *block[end:]]
