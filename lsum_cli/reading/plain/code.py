"""Code within plain text: groups of lines that do not look like prose."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from lsum_cli.reading.plain.lines import LineGroup
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop

# Lines that nothing but code has, if no words stand in them as in a sentence.
_SURE = regex(
    r"\s*+(?:"
    r"(?:>>>|In \[\d+\]:)\s+(?=.*[=(\[{]|import\b|from\b|[a-z_]\w*$)\S.*|(?:sqlite>|mysql>|irb>)\s+\S.*"
    r"|#(?:include|define|ifdef|ifndef|endif|pragma)\b.*|#!/.*"
    r"|(?:def|class|async def|fn|func|function|sub|module|trait|impl)\s+\w++(?:[(<].*|\s*+\{.*|.*:\s*)"
    r"|(?:public|private|protected|static|virtual|const|extern|unsigned|void|int|char|double|float|bool|auto"
    r"|let|var|final)\s+(?=\S)[\w<>\[\]*&:, ]+?[\w\])]\s*(?:[=({;]|:\s).*"
    r"|(?:if|for|while|switch|else if|elif|catch)\s*\(.*\)\s*\{?"
    r"|(?:import|package|namespace)\s+[\w.*:/\"'<>]+;?|from\s+[\w.]+\s+import\s.*"
    r"|(?:using|require|include)\s+(?:[\"'<]\S+|[\w.:]+;)"
    r"|(?:return|throw|raise|yield|echo|print)\b[^.]*[;()\[\]=+*].*"
    # A value alone may be a quantity or a law: "Total = 45", "F = ma".
    r"|[\w.\[\]'\"$@>-]+\s*(?:[-+*/|&]?=|:=|<-)\s*(?!=)(?=.*[(\[{\"';_])[^.]*(?:\.\w[^.]*)*;?"
    r"|[\w.:>$-]+\([^)]*\)(?:\s*[;{]|\s*->.*)?"
    r"|[^(]*(?:[\w>\])]|\b(?:if|for|while)\s)\(.*\)\s*;"
    r"|[{}()\[\]]+[;,]?|.*[^\s.]\s*\{|</?[a-z][\w-]*(?:\s[^<>]*)?/?>.*|SELECT\s.*|INSERT INTO\s.*"
    r"|CREATE (?:TABLE|INDEX)\s.*"
    r"|(?:sudo|pip3? install|npm (?:install|run)"
    r"|git (?:clone|commit|push|pull|checkout)"
    r"|apt(?:-get)? install|docker (?:run|build|pull)|curl -|wget http|make (?:install|all))\b.*)"
)
# "$ 5 million" is no command.
_COMMAND = regex(r"\s*+(?:\$|PS>|C:\\[^>\n]*>)\s+[A-Za-z_./~](?!\s).*")
_KEYWORDS = (
    r"(?:async|await|class|const|def|else|enum|extern|final|from|for|func|function|if|import|in|is|let|module"
    r"|mut|namespace|new|not|and|or|override|package|private|protected|public|return|static|struct|sub|throw"
    r"|trait|impl|unsigned|signed|using|var|virtual|void|int|long|short|char|double|float|bool|auto|string"
    r"|yield|raise|print|echo|sudo|pip|npm|git|apt|docker|make|install|run|clone|commit|push|pull|checkout"
    r"|build|all)\b"
)
# Two words beside one another, or a number and its unit. "Type name;" is a declaration.
_WORDS = regex(
    rf"(?<![\w$.\"'-])(?!{_KEYWORDS})(?![A-Z]\w* [a-z]\w*\s*[=;,(){{:])(?:[A-Za-z]+|\d+) "
    rf"(?!{_KEYWORDS})[a-z]+(?!\w|[(\[=]|\.\w)"
)
_QUOTED = regex(r"\"[^\"]*\"|(?<!\w)'[^']*'|(?:#|//|/\*|<!--|--\s).*")
# Lines that code has besides: comments, closing words, output.
_MAYBE = regex(
    r"\s{2,}\S.*|.*[;{}\\]|\s*+(?:(?:#|//|/\*|\*/|\*\s|--\s|;;|%|<!--|\"\"\"|\.\.\.).*"
    r"|(?:end|fi|done|else:?|try:?|pass|break|continue|return\b.*|esac)\s*;?)"
)
_LEAST_SURE = 0.33
_LEAST_CODE = 0.75
_INDENT = "    "
_PROMPTS = ("$ ", ">>> ")
_FEW_WORDS = 8


def find_code(groups: Sequence[LineGroup]) -> set[int]:
    """The groups that are code, by their indices; none where the text is a program, which is code throughout.

    A group is code if several of its lines can be nothing else, and nearly all others may be; a single
    line only where it is set off by an indent or a prompt.
    """
    found = {index for index, group in enumerate(groups) if _is_code(group)}
    found |= {
        index
        for index, (group, below) in enumerate(itertools.pairwise(groups))
        if index + 1 in found and not below.blank_before and _is_comment(group)
    }
    return set() if _is_most(found, groups) else found


def _is_comment(group: LineGroup) -> bool:
    """Whether lines are a comment of a script, if code follows at once."""
    return all(line.lstrip().startswith("#") for line in group.lines)


def is_program(groups: Sequence[LineGroup]) -> bool:
    """Whether a text is a program: most of its words are code."""
    return _is_most({index for index, group in enumerate(groups) if _is_code(group)}, groups)


def _is_most(found: Set[int], groups: Sequence[LineGroup]) -> bool:
    return 2 * sum(groups[index].num_words for index in found) > sum(group.num_words for group in groups)


def looks_like_code(text: str) -> bool:
    """Whether preformatted text looks like code, whatever sentences its comments hold."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and _is_code(LineGroup(lines=tuple(lines), blank_before=0))


def _is_code(group: LineGroup) -> bool:
    is_sure = [_is_sure(line) for line in group.lines]
    begins_with_prompt = is_sure[0] and group.lines[0].lstrip().startswith(_PROMPTS)
    if begins_with_prompt or len(is_sure) == 1:
        return begins_with_prompt or (is_sure[0] and group.lines[0].startswith(_INDENT))
    sure = sum(is_sure)
    possible = sum(
        1 for line, is_code in zip(group.lines, is_sure, strict=True) if is_code or _MAYBE.fullmatch(line)
    )
    return sure >= max(1, _LEAST_SURE * len(group.lines)) and possible >= _LEAST_CODE * len(group.lines)


def _is_sure(line: str) -> bool:
    """Whether a line can be nothing but code."""
    if _COMMAND.fullmatch(line):
        # "$ git is invoked with what follows." is a sentence.
        return len(line.split()) <= _FEW_WORDS or not ends_with_stop(line)
    return _SURE.fullmatch(line) is not None and not _WORDS.search(_QUOTED.sub("", line))
