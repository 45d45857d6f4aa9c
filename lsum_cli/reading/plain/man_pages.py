"""Manual pages as ``man`` and ``mandoc`` print them: headings at the margin, text indented below them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from lsum_cli.reading.blocks import CODE, MAX_TERM_WORDS, RUNNING_LINES, Block, Tally
from lsum_cli.reading.plain.code import find_code
from lsum_cli.reading.plain.lines import LineGroup, LineJoiner, group_lines, indent
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop

# "GREP(1)          User Commands          GREP(1)" above a page; below it a date stands in the middle.
_NAMED_PAGE = regex(r"\S[^()]*\(\w{0,8}\)")
_GAP, _WIDE_GAP = regex(r"\s{2,}"), regex(r"\s{3,}")
_SYNOPSIS = frozenset(["SYNOPSIS", "SYNTAX"])
NAME = "NAME"
"""The heading below which a manual page says what it is of."""
SAYS_OF_NAME = regex(r"\S+(?:,? \S+){0,7}? (?:--?|[–—]) \S")
"""What stands there: "sluice, weir - open and close gates"."""
_BULLET = regex(r"[•·*o+-]|--")
_OPENING_BULLET = regex(r"^[•·]\s+")
_NUMBER = regex(r"\(?(?:\d{1,3}|[a-z])[.)]")
_FILLED_UP = regex(r"[^\s.:!?]  \S")
_TAG_STEP = 7
"""How far ``man`` indents what a tag names; a tag that is shorter stands on the same line."""
_LEAST_INDENT = 2
_SHORT_LINE, _FULL_LINE = 0.6, 0.85


def is_man_page(lines: Sequence[str]) -> bool:
    """Whether a text is a printed manual page: its head, and below it a heading with indented text."""
    filled = list(itertools.islice((line for line in lines if line.strip()), 3))
    return (
        len(filled) == 3
        and _is_head(filled[0].strip())
        and indent(filled[1]) == 0
        and indent(filled[2]) >= _LEAST_INDENT
    )


def _is_head(line: str) -> bool:
    first, *others = _GAP.split(line)
    return bool(others) and first == others[-1] and _NAMED_PAGE.fullmatch(first) is not None


def _is_foot(line: str) -> bool:
    first, *others = _WIDE_GAP.split(line)
    return bool(first and others) and (len(others) > 1 or _NAMED_PAGE.fullmatch(others[-1]) is not None)


def read_man_page(lines: Sequence[str], tally: Tally) -> tuple[str | None, list[Block]]:
    """The title of a manual page, what its section NAME says, and its headings and paragraphs.

    The synopsis counts as code, for it is a grammar. What an option or a file is for is read behind its name.
    """
    kept = []
    for line in lines:
        if line and not line[0].isspace() and (_is_head(line) or _is_foot(line)):
            tally.add(RUNNING_LINES, line)
        else:
            kept.append(line)
    joiner = LineJoiner(kept)
    margin = next((indent(line) for line in kept if indent(line)), 0)
    title: str | None = None
    blocks: list[Block] = []
    section = ""
    for heading, level, body in _sections(kept, margin):
        if level == 1:
            section = heading
        if level == 1 and heading == NAME and title is None:
            said = [line for line in body if line.strip()]
            title = joiner.join(said) if said else None
            continue
        if section in _SYNOPSIS:
            tally.add(CODE, " ".join((heading, *body)))
            continue
        if heading:
            blocks.append(Block(text=heading, level=level))
        groups = group_lines(body)
        code = find_code(groups)
        for index, group in enumerate(groups):
            if index in code:
                tally.add(CODE, group.text)
            else:
                blocks += [Block(text=text) for text in _paragraphs(group, joiner)]
    return title, blocks


def _sections(lines: Sequence[str], margin: int) -> Iterator[tuple[str, int, list[str]]]:
    """Each heading with its level and the lines below it, up to the next one."""
    heading, level = "", 1
    body: list[str] = []
    # How far what follows each line is indented.
    below = [0] * len(lines)
    for index in range(len(lines) - 1, 0, -1):
        below[index - 1] = indent(lines[index]) if lines[index].strip() else below[index]
    for line, indent_below in zip(lines, below, strict=True):
        # Below a heading the text is indented more.
        if line.strip() and indent(line) < margin and indent_below > indent(line):
            if heading or any(body):
                yield heading, level, body
            heading, level, body = line.strip(), 1 if indent(line) == 0 else 2, []
        else:
            body.append(line)
    if heading or any(body):
        yield heading, level, body


def _paragraphs(group: LineGroup, joiner: LineJoiner) -> Iterator[str]:
    """The paragraphs of lines without a blank line between them, each tag before what it names."""
    margin = indent(group.lines[0])
    width = max(map(len, group.lines))
    at_margin: list[str] = []
    deeper: list[str] = []
    for line in (*group.lines, ""):
        if line and indent(line) > margin:
            deeper.append(line)
            continue
        if deeper or not line:
            yield from _item(at_margin, deeper, margin, width, joiner)
            at_margin, deeper = [], []
        if line and _text_beside_tag(line, margin, None, width) is not None and at_margin:
            yield from _item(at_margin, [], margin, width, joiner)
            at_margin = []
        at_margin.append(line)


def _item(
    at_margin: Sequence[str], deeper: Sequence[str], margin: int, width: int, joiner: LineJoiner
) -> Iterator[str]:
    """Lines at the margin of a group, with the deeper ones below: a tag and its text, or two paragraphs."""
    if not at_margin:
        return
    last = at_margin[-1]
    column = _text_beside_tag(last, margin, indent(deeper[0]) if deeper else None, width)
    if column is not None:
        tags, texts = [*at_margin[:-1], last[:column]], [" " * column + last[column:], *deeper]
    elif deeper:
        tags, texts = list(at_margin), list(deeper)
    else:
        yield _OPENING_BULLET.sub("", joiner.join(at_margin))
        return
    # A paragraph that stands directly above what is indented is no tag.
    if len(tags) > 1 and max(map(len, tags)) > _SHORT_LINE * width:
        yield joiner.join(tags)
        yield joiner.join(texts)
        return
    tag = ", ".join(part.strip().rstrip(",") for part in tags)
    text = joiner.join(texts)
    if _BULLET.fullmatch(tag):
        yield text
    elif _NUMBER.fullmatch(tag):
        yield f"{tag} {text}"
    elif len(tag.split()) > MAX_TERM_WORDS or ends_with_stop(tag):
        yield tag
        yield text
    else:
        yield f"{tag.rstrip(':')}: {text}"


def _text_beside_tag(line: str, margin: int, column: int | None, width: int) -> int | None:
    """The column at which text begins that stands on the line of its tag; ``None`` if none does.

    Args:
        line: The line.
        margin: Where its tag begins.
        column: Where the lines below it begin, or ``None`` if it stands alone: the text then begins where a
            tag ends at the latest, and the tag is a mark or an option, or is set off by more than a space.
        width: The length of the longest line beside it: text fills its line, a tag hardly ever does.
    """
    place = margin + _TAG_STEP if column is None else column
    if len(line) <= place or line[place].isspace() or not line[place - 1].isspace():
        return None
    tag = line[:place].strip()
    # Two spaces may fill a line to its margin, as others of it do.
    is_wide = line[place - 3].isspace() or _FILLED_UP.search(line, place) is None
    is_set_off = line[place - 2].isspace() and is_wide and not ends_with_stop(tag)
    is_mark = not tag[:1].isalpha() and (line[place].isupper() or not line[place].isascii())
    is_full = column is not None and len(line) > _FULL_LINE * width
    if not tag or not (is_set_off or is_mark or is_full):
        return None
    return place
