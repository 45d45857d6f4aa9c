"""Code within plain text: groups of lines that are told from prose by how they look."""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.reading.plain_lines import LineGroup
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop

# Lines that nothing but code has.
_SURE = regex(
    r"\s*(?:"
    r"(?:\$|>>>|In \[\d+\]:|C:\\[^>\n]*>|PS>|sqlite>|mysql>|irb>)\s+\S.*"
    r"|#(?:include|define|ifdef|ifndef|endif|pragma)\b.*|#!/.*"
    r"|(?:def|class|async def|fn|func|function|sub|module|trait|impl)\s+\w+\s*[({:<].*"
    r"|(?:public|private|protected|static|virtual|const|extern|unsigned|void|int|char|double|float|bool|auto"
    r"|let|var|final)\s+[\w<>\[\]*&:, ]+?[\w\])]\s*(?:[=({;]|:\s).*"
    r"|(?:if|for|while|switch|else if|elif|catch)\s*\(.*\)\s*\{?"
    r"|(?:import|from|package|using|namespace|require|include)\s+[\w.*:/\"'<>]+(?:\s+import\s.*)?;?"
    r"|(?:return|throw|raise|yield|echo|print)\b[^.]*[;()\[\]=+*].*"
    r"|[\w.\[\]'\"$@>-]+\s*(?:[-+*/|&]?=|:=|<-)\s*(?!=)[^.]*(?:\.\w[^.]*)*;?"
    r"|[\w.:>$-]+\([^)]*\)(?:\s*[;{]|\s*->.*)?"
    r"|.*\)\s*;|[{}()\[\]]+[;,]?|.*[^\s.]\s*\{|</?[a-z][\w-]*(?:\s[^<>]*)?/?>.*"
    r"|SELECT\s.*|INSERT INTO\s.*|CREATE (?:TABLE|INDEX)\s.*"
    r"|(?:sudo|pip3? install|npm (?:install|run)|git (?:clone|commit|push|pull|checkout)|apt(?:-get)? install"
    r"|docker (?:run|build|pull)|curl -|wget http|make (?:install|all))\b.*"
    r")"
)
# Lines that code has besides: comments, closing words, output.
_MAYBE = regex(
    r"\s*(?:#|//|/\*|\*/|\*\s|--\s|;;|%|<!--|\"\"\"|\.\.\.).*|\s*(?:end|fi|done|else:?|try:?|pass|break|continue"
    r"|return\b.*|esac)\s*;?|\s{2,}\S.*|.*[;{}\\]"
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
    code = sum(groups[index].num_words for index in found)
    return found if 2 * code <= sum(group.num_words for group in groups) else set()


def looks_like_code(text: str) -> bool:
    """Whether preformatted text looks like code, whatever sentences its comments hold."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and _is_code(LineGroup(lines=tuple(lines), blank_before=0))


def _is_code(group: LineGroup) -> bool:
    sure = sum(1 for line in group.lines if _SURE.fullmatch(line))
    if len(group.lines) == 1:
        # "$ git is invoked with what follows." is a sentence.
        is_prose = group.num_words > _FEW_WORDS and ends_with_stop(group.text)
        return bool(sure) and not is_prose and group.lines[0].startswith((_INDENT, *_PROMPTS))
    possible = sum(1 for line in group.lines if _SURE.fullmatch(line) or _MAYBE.fullmatch(line))
    if group.lines[0].lstrip().startswith(_PROMPTS):
        return True
    return sure >= max(1, _LEAST_SURE * len(group.lines)) and possible >= _LEAST_CODE * len(group.lines)
