"""Splices: sentences that join pieces of two places of the source into a claim that neither makes.

A generated sentence is a splice where most of it is copied in long runs, a run of one source sentence is
followed by a run of another, both have content, and nothing joins them: they are not two whole sentences
that follow each other in the source, or that a conjunction, a colon, a dash or a semicolon joins. So is one
in which the last word, alone, is that of another source sentence than the long run before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from lsum_cli.attribution.provenance import SourceIndex, Trace
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word

# A sentence in which fewer words are copied, or in shorter runs on average, is rephrased, not spliced; two
# runs are pieces, however short the sentence.
_LEAST_COPIED, _LEAST_RUN, _FEW_RUNS = 0.75, 6, 2
# A piece has this many words, and of these so many of content.
_LEAST_WORDS, _LEAST_CONTENT = 3, 2
# More words of the writer's own between two pieces rephrase rather than splice.
_MOST_OWN = 3
# On each side of a joint, where it is shown.
_WORDS_SHOWN = 3
_CONJUNCTIONS = frozenset(
    {"and", "but", "or", "nor", "yet", "so", "while", "whereas", "although", "though"}
) | {*("because", "since", "as", "when", "if", "which", "who", "that", "where")}
# A source sentence goes on after a run with another word, which no mark sets off.
_GOES_ON = regex(r"\s+(\w+)")
_FIRST_WORD = regex(r"\W*(\w+)")
_JOINING_MARK = regex(r"[:;–—]|(?<=\s)-+(?=\s)|^\s*-\s")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """What one source sentence gave a generated sentence, as far as it reaches in both.

    Attributes:
        source: Number of the source sentence.
        first: The first of its words in the generated sentence.
        end: One past the last of them.
        is_start: Whether the source sentence begins with the piece.
        is_end: Whether the source sentence ends with the piece.
    """

    source: int
    first: int
    end: int
    is_start: bool
    is_end: bool


def find_splices(trace: Trace, index: SourceIndex) -> Iterator[str]:
    """Yield the words around every joint of a sentence that nothing joins.

    Args:
        trace: The sentence, as ``index`` traced it.
    """
    if not _is_pieced(trace):
        return
    words = trace.words
    pieces = [piece for piece in _pieces(trace, words, index) if _has_content(words[piece.first : piece.end])]
    joints = [
        _around(left, right, trace)
        for left, right in pairwise(pieces)
        if left.source != right.source and _is_splice(left, right, trace, words, index)
    ]
    yield from joints or filter(None, [_find_tail(trace, index)])


def _is_pieced(trace: Trace) -> bool:
    """Whether a sentence consists of pieces rather than of turns of phrase that its source uses too."""
    mean_run = trace.copied_share * len(trace.spans) / max(1, len(trace.runs))
    return trace.copied_share >= _LEAST_COPIED and (len(trace.runs) <= _FEW_RUNS or mean_run >= _LEAST_RUN)


def _pieces(trace: Trace, words: Sequence[str], index: SourceIndex) -> Iterator[_Piece]:
    """The pieces in order; words that stand in two of the source sentences belong to both."""
    for source, group in groupby(trace.runs, key=lambda run: run.source):
        runs = list(group)
        first, source_first = runs[0].words[0], runs[0].source_words[0]
        end, source_end = runs[-1].words[1], runs[-1].source_words[1]
        before = index.common_run(words, first - 1, source, source_first - 1, -1)
        after = index.common_run(words, end, source, source_end, 1)
        yield _Piece(
            source=source,
            first=first - before,
            end=end + after,
            is_start=source_first == before,
            is_end=source_end + after == index.num_words(source),
        )


def _is_splice(left: _Piece, right: _Piece, trace: Trace, words: Sequence[str], index: SourceIndex) -> bool:
    copied = {place for run in trace.runs for place in range(*run.words)}
    own = [words[place] for place in range(left.end, right.first) if place not in copied]
    if len(own) > _MOST_OWN:
        return False
    if not (left.is_end and right.is_start):
        return True
    if index.are_neighbours(left.source, right.source):
        return False
    between = trace.text[trace.spans[left.end - 1][1] : trace.spans[max(left.end, right.first)][0]]
    return not (_JOINING_MARK.search(between) or any(word in _CONJUNCTIONS for word in own))


def _find_tail(trace: Trace, index: SourceIndex) -> str | None:
    """Around a last word that ends another source sentence, and does not follow the long run before it."""
    count = len(trace.spans)
    # One word may be read as a copy or as the model's own.
    body = next((run for run in trace.runs if run.words[1] == count - 1), None)
    word = trace.words[-1]
    if body is None or body.words[1] - body.words[0] < _LEAST_RUN or not word.isalpha():
        return None
    if not any(source != body.source for source in index.ending_with(word)):
        return None
    rest = index.rest_of(body)
    if any(map(str.isalnum, rest)):
        following = _GOES_ON.match(rest)
        if following is None:
            return None
    else:  # The source sentence ends; what follows it there is no splice.
        following = _FIRST_WORD.match(index.sentence_after(body.source))
    if following and _continues(following[1].casefold(), word):
        return None
    return trace.text[trace.spans[count - 1 - _WORDS_SHOWN][0] : trace.spans[-1][1]]


def _continues(following: str, word: str) -> bool:
    """Whether a word is what follows in the source, its beginning, or a form of it."""
    return following.startswith(word) or stem(following) == stem(word)


def _has_content(words: Sequence[str]) -> bool:
    content = sum(not is_function_word(stem(word)) for word in words)
    return len(words) >= _LEAST_WORDS and content >= _LEAST_CONTENT


def _around(left: _Piece, right: _Piece, trace: Trace) -> str:
    """The words on both sides of a joint."""
    start = max(left.first, min(left.end, right.first) - _WORDS_SHOWN)
    end = min(right.end, max(left.end, right.first) + _WORDS_SHOWN)
    return trace.text[trace.spans[start][0] : trace.spans[end - 1][1]]
