"""Help files of Vim and its plugins: text laid out in columns, with tags, links and code marked by signs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lsum_cli.reading.blocks import (
    BOILERPLATE,
    CODE,
    REFERENCE_MARKS,
    TABLE_OF_CONTENTS,
    Block,
    Tally,
    head_with_term,
)
from lsum_cli.reading.plain.code import find_code
from lsum_cli.reading.plain.lines import LIST_MARK, LineGroup, LineJoiner, group_lines, indent, underlines
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop

# "*scroll.txt*   Nvim": the name of the file, a translation "scroll.jax", is the first tag of it.
_FIRST_LINE = regex(r"\*[^\s*|]+\.(?:txt|[a-z]{2}x)\*(?=\s|$)(?P<said>.*)")
_MODE_LINE = regex(r"\s*(?:vim?|ex):.*")
_TAG = regex(r"(?<!\S)\*(?P<name>[^\s*|]+)\*(?=\s|$)")
# Tags stand in a column of their own: "Use *one* of them" only stresses a word.
_TAG_IN_COLUMN = regex(r"(?:^|\t|\s{2})\*[^\s*|]+\*(?=\s?$|\t|\s{2}|\s\*)")
_LINK = regex(r"\|(?P<name>[^\s|*\"]+)\|")
# The entries of a table of contents: "|20.1|  Command line editing", "Usage.........|zip-usage|".
_OF_CONTENTS = regex(
    r"\s*\|\d+\.\d+\|\s.*|.*[^\s.](?:[\s.]{4,}+|\s{3})\|[^\s|]+\|\s*|\s*Type \|?g.*\btable of contents\."
)
_SURROUNDINGS = regex(
    r"\s*(?:(?:Next chapter|Previous chapter|Table of contents|Copyright|Maintainer|Author|Last [Cc]hange): "
    r"|Copyright (?:\([cC]\)|©|\d{4})).*"
    r"|\s*(?:VIM|NVIM|Vim|Nvim) (?:REFERENCE|USER|Reference|User) (?:MANUAL|Manual)\b.*"
)
_RULE = regex(r"(?P<sign>[=-])(?P=sign){19,}")
_OPENS_CODE, _GAP = regex(r"(?:^|\s)>\w*$"), regex(r"(?<![.!?:])\s{2,}|\s{3,}")
_CAPITALS = regex(r"(?=.*[A-Z]{3})[^a-z]+")
_SAYS_OF_FILE = regex(r"(?:Nvim|NVIM|Vim)\b.*|For (?:N?[Vv]im|NVIM)\b.*|v?\d[\d.]*")
# "+=====+" above and below a title in a box; what an editor folds; "CTRL-F or", above another key for the
# same; a line of a picture of the screen.
_BOX, _FOLD, _OR, _SCREEN = (
    regex(r"\+[=-]+\+"),
    regex(r"\s*\{\{\{\d?$"),
    regex(r"(?<=\S)\s+or$"),
    regex(r"\s*[|+].*[|+]"),
)
_LETTER = regex(r"[^\W\d_]")
_LONGEST_HEADING, _LONGEST_TERM = 12, 5  # words
_FULL_LINE, _LEAST_COLUMN = 60, 8
"""The width of a tab: text beside a term is set with tabs."""


def is_vim_help(lines: Sequence[str]) -> bool:
    """Whether a text is a help file of Vim: it begins with its own name as a tag, and has others."""
    first = next((line for line in lines if line.strip()), "")
    return _FIRST_LINE.match(first) is not None and any(map(_TAG_IN_COLUMN.search, lines[1:]))


def read_vim_help(lines: Sequence[str], tally: Tally) -> tuple[str | None, list[Block]]:
    """The title of a help file, and its headings and paragraphs.

    Tags are left out, links are read as their names, and what a command or an option does is read behind it.
    """
    start = next(index for index, line in enumerate(lines) if line.strip())
    found = _FIRST_LINE.match(lines[start])
    said = _without_tags(found["said"], tally).strip() if found is not None else ""
    title = None if not said or _SAYS_OF_FILE.fullmatch(said) else said
    kept = [_without_tags(line, tally) for line in _without_code(lines[start + 1 :], tally)]
    joiner = LineJoiner(kept)
    blocks: list[Block] = []
    for heading, level, below in _sections(kept, tally):
        if heading and level == 0:
            title = title or heading
        elif heading:
            blocks.append(Block(text=heading, level=level))
        groups = group_lines(below)
        code = find_code(groups)
        for index, group in enumerate(groups):
            if index in code:
                tally.add(CODE, group.text)
            else:
                paragraphs = _paragraphs(group, joiner)
                blocks += (replace(block, text=_without_links(block.text)) for block in paragraphs)
    return title, blocks


def _without_code(lines: Sequence[str], tally: Tally) -> Iterator[str]:
    """The lines without code: it stands between a sign at the end of a line and one that is not indented."""
    in_code = False
    for line in lines:
        if in_code and line and not line[0].isspace():
            in_code = False
            line = f" {line[1:]}" if line[0] == "<" else line
        if in_code:
            tally.add(CODE, line)
            yield ""
        elif _MODE_LINE.fullmatch(line):
            tally.add(BOILERPLATE, line)
        elif (opening := _OPENS_CODE.search(line)) is not None:
            in_code = True
            yield line[: opening.start()]
        else:
            yield line


def _sections(lines: Sequence[str], tally: Tally) -> Iterator[tuple[str, int, list[str]]]:
    """Each heading with its level, 0 for that of the file, and the lines below it up to the next one."""
    heading, level = "", 0
    body: list[str] = []
    rule = ""
    is_head = True
    for (above, line), below in zip(itertools.pairwise(("", *lines)), (*lines[1:], ""), strict=False):
        text = _BOX.sub("", line).strip(" |")
        sign = _RULE.fullmatch(text)
        if sign is not None and not underlines(line, above):
            rule, is_head = sign["sign"], False
        if not text or sign is not None or underlines(line, above):
            body.append("")
            continue
        what = _surrounds(line)
        if what is not None:
            tally.add(what, line)
            body.append("")
            continue
        is_last = not _BOX.sub("", below.strip())
        found = (
            2
            if underlines(below, line)
            else _level(
                text,
                indent(line),
                rule,
                is_apart=not _BOX.sub("", above).strip(),
                is_last=is_last,
                is_head=is_head,
            )
        )
        rule = ""
        is_heading = found is not None or text.endswith((": ~", ":~"))
        if (text.endswith("~") and not is_heading) or (found is None and _is_of_screen(line, above)):
            # So they are shown on the screen.
            tally.add(CODE, line)
            body.append("")
            continue
        if found is None:
            is_head = False
            body.append(line.removesuffix("~").rstrip())
            continue
        if heading or any(body):
            yield heading, level, body
        heading, level, body = _without_links(_FOLD.sub("", text.removesuffix("~").rstrip())), found, []
        is_head = False
    if heading or any(body):
        yield heading, level, body


def _surrounds(line: str) -> str | None:
    """What a line is that stands around the text and is none of it; ``None`` for a line of the text."""
    if _OF_CONTENTS.fullmatch(line):
        return TABLE_OF_CONTENTS
    return BOILERPLATE if _SURROUNDINGS.fullmatch(line) else None


def _is_of_screen(line: str, above: str) -> bool:
    """Whether a line is one of a picture of the screen, or of a list of links, which ends no sentence."""
    if _SCREEN.fullmatch(line) is None:
        return False
    is_list = _LETTER.search(_LINK.sub("", line)) is None
    goes_on = bool(above.strip()) and not above.rstrip().endswith((".", ":", "|", "~"))
    return _SCREEN.fullmatch(_without_links(line)) is not None or (is_list and not goes_on)


def _level(text: str, indent: int, rule: str, *, is_apart: bool, is_last: bool, is_head: bool) -> int | None:
    """The level of a line that is a heading; ``None`` if it is none.

    Args:
        text: The line.
        indent: How far it is indented.
        rule: The sign of the rule above it; empty where there is none.
        is_apart: Whether nothing stands directly above it.
        is_last: Whether nothing stands directly below it.
        is_head: Whether it stands before all text of the file.
    """
    is_short = len(text.split()) <= _LONGEST_HEADING and _LETTER.search(text) is not None
    if not is_short or text.endswith((".", ":", ",", ";")) or text.startswith(("(", "by ")):
        return None
    if rule == "=" or (rule and is_last):
        return 1 if rule == "=" else 2
    if is_head and is_apart and is_last:
        return 0
    if not is_apart or indent >= _LEAST_COLUMN or _GAP.search(text) is not None:
        return None
    if text.endswith("~"):
        return 3
    return 2 if is_last and not indent and _CAPITALS.fullmatch(text) else None


def _without_tags(line: str, tally: Tally) -> str:
    if "*" not in line:
        return line
    for found in _TAG.finditer(line):
        tally.add(REFERENCE_MARKS, found["name"])
    return _TAG.sub("", line).rstrip()


def _without_links(line: str) -> str:
    """A line with the names of what it links to, without the signs around them."""
    return _LINK.sub(r"\g<name>", line) if "|" in line else line


def _paragraphs(group: LineGroup, joiner: LineJoiner) -> Iterator[Block]:
    """The paragraphs of lines without a blank one between them, each command before what it does."""
    margin = min(map(indent, group.lines))
    terms: list[str] = []
    said: list[str] = []
    plain: list[str] = []
    are_terms = False
    for line, below in itertools.pairwise((*group.lines, "", "")):
        is_deeper = bool(line) and indent(line) > margin
        if is_deeper and not said and plain and are_terms:
            terms, plain = plain, []
        if is_deeper and terms:
            said.append(line)
            continue
        column = _column(line, margin, indent(below)) if line else None
        is_full = bool(said) and len(terms[-1]) + len(said[-1]) >= _FULL_LINE and not ends_with_stop(said[-1])
        if column is not None and is_full and line[column].islower() and not said[0][:1].islower():
            # What two commands do stands beside both of them; all in small letters are rows of a list.
            terms.append(line[:column])
            said.append(line[column:])
            continue
        if said:
            yield from head_with_term(_joined(terms), Block(text=joiner.join(said), is_item=True))
            terms, said = [], []
        if column is not None and plain and are_terms:
            terms, plain = plain, []
        elif plain and (column is not None or not line):
            yield from (
                Block(text=text, is_item=is_item) for text, is_item in joiner.paragraphs_and_items(plain)
            )
            plain = []
        if column is not None:
            terms.append(line[:column])
            said.append(line[column:])
        elif line:
            alone = _OR.sub("", line)
            is_term = _is_term(alone)
            are_terms = is_term and (are_terms or not plain)
            plain.append(alone if is_term else line)


def _joined(terms: Sequence[str]) -> str:
    return ", ".join(_OR.sub("", term.strip()) for term in terms)


def _is_term(line: str) -> bool:
    """Whether a line may be a command, an option or a key, of which what follows speaks."""
    words = line.split()
    is_item = LIST_MARK.match(line.strip()) is not None
    return len(words) == 1 or (len(words) <= _LONGEST_TERM and not ends_with_stop(line) and not is_item)


def _column(line: str, margin: int, below: int) -> int | None:
    """Where the text begins that stands in a column beside a term; ``None`` where a line has none.

    Args:
        line: The line.
        margin: Where a term begins.
        below: Where the next line begins: a term may leave but one space before the column.
    """
    if indent(line) != margin:
        return None
    found = _GAP.search(line, margin)
    column = found.end() if found is not None else below
    is_beside = found is not None or (margin < column < len(line) and line[column - 1] == " " != line[column])
    if (
        not is_beside
        or column % _LEAST_COLUMN
        or line[column:] == "or"
        or not _is_term(line[:column].rstrip())
    ):
        return None
    return column
