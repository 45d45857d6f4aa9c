"""Flags: what to check of a generated sentence, and what of it is copied.

One place for every command: a :class:`SentenceChecker` holds what was read, and checks sentence by
sentence, so that a summary can be checked while it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from lsum_cli.attribution.facts import FactSource, find_unknown_facts
from lsum_cli.attribution.provenance import SourceIndex, Trace
from lsum_cli.attribution.splices import find_splices
from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, CopiedSpan, Flag, FlagKind, Summary, SummarySentence
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word, split_terms

# The share of a sentence's content that its evidence must have in common with it, and in how many sentences.
_LEAST_EVIDENCE = 0.4
_MOST_EVIDENCE = 3
# Shorter sentences have too little content to judge.
_LEAST_CONTENT = 4
# Of a sentence that breaks off: brackets, a point within it,
_OPENING, _CLOSING = "([{（", ")]}）"
_POINT = regex(r"\s?\.")
# and a first word, with its decimals.
_FIRST_WORD = regex(r"[^\w]*(\w+(?:[.,]\d+)*)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """What was found out about a generated sentence; see :class:`~lsum_cli.summaries.SummarySentence`."""

    flags: tuple[Flag, ...]
    copied_share: float
    copied: tuple[CopiedSpan, ...]


class SentenceChecker:
    """Compares generated sentences with what was read.

    A sentence rests on the pages it cites, their labels and the titles of the documents; without
    attribution, on all pages. Copied words are looked for on all pages.

    Args:
        pages: What was read.
        documents: The documents they are of.
    """

    def __init__(self, pages: Sequence[Page], documents: Sequence[Document]) -> None:
        self._pages = {page.index: page for page in pages}
        self._titles = " . ".join(document.title for document in documents if document.title)
        self._language = documents[0].language if documents else None
        self._sources: dict[tuple[int, ...], FactSource] = {}
        self._content: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[str, tuple[int, ...] | None], Findings] = {}

    @cached_property
    def _index(self) -> SourceIndex:
        return SourceIndex(tuple(self._pages.values()))

    def check(self, text: str, attribution: Attribution | None = None) -> Findings:
        """Trace and flag a sentence.

        Args:
            text: The sentence.
            attribution: Where it came from; ``None`` where that is unknown.
        """
        cited = tuple(sorted(weight.page for weight in attribution.cited())) if attribution else None
        if (text, cited) not in self._known:
            self._known[text, cited] = self._examine(text, cited)
        return self._known[text, cited]

    def _examine(self, text: str, preferred: tuple[int, ...] | None) -> Findings:
        cited = tuple(sorted(self._pages)) if preferred is None else preferred
        trace = self._index.trace(text, preferred or ())
        flags = [
            *find_unknown_facts(text, self._source(cited), self._language),
            *(Flag(kind=FlagKind.SPLICE, text=joint) for joint in find_splices(trace, self._index)),
        ]
        if self._is_weak(text, cited):
            flags.append(Flag(kind=FlagKind.WEAK_EVIDENCE, text=text))
        return Findings(
            flags=tuple(flags),
            copied_share=trace.copied_share,
            copied=self._index.copied_spans(trace, cited),
        )

    def is_broken_off(self, text: str) -> bool:
        """Whether a sentence ends before it is finished; see :func:`is_broken_off`."""
        return is_broken_off(self._index.trace(text), self._index)

    def annotate(self, sentence: SummarySentence) -> SummarySentence:
        """The sentence with its flags and what it copies."""
        found = self.check(sentence.text, sentence.attribution)
        return replace(sentence, flags=found.flags, copied_share=found.copied_share, copied=found.copied)

    def _source(self, cited: tuple[int, ...]) -> FactSource:
        if cited not in self._sources:
            parts = [part for index in cited for part in (self._pages[index].label, self._pages[index].text)]
            self._sources[cited] = FactSource(" . ".join([self._titles, *parts]))
        return self._sources[cited]

    def _is_weak(self, text: str, cited: Collection[int]) -> bool:
        """Whether the sentences cited that share most with it, taken together, still share too little."""
        missing = set(_content(text))
        total = len(missing)
        if total < _LEAST_CONTENT:
            return False
        candidates = list(self._content_of(cited))
        for _ in range(_MOST_EVIDENCE):
            best = max(candidates, key=lambda content: len(missing & content), default=frozenset())
            missing -= best
            if total - len(missing) >= _LEAST_EVIDENCE * total:
                return False
        return True

    def _content_of(self, cited: Collection[int]) -> Iterator[frozenset[str]]:
        for index in cited:
            for sentence in self._pages[index].sentences:
                if sentence.text not in self._content:
                    self._content[sentence.text] = _content(sentence.text)
                yield self._content[sentence.text]


def _content(text: str) -> frozenset[str]:
    """The stems of a text, function words left out."""
    return frozenset(term for term in map(stem, split_terms(text)) if not is_function_word(term))


def describe_flagged(sentences: Sequence[SummarySentence]) -> str | None:
    """``"2 of 7 sentences are flagged: splice (1), number (2)"``, or ``None`` where none is."""
    flagged = [sentence for sentence in sentences if sentence.flags]
    if not flagged:
        return None
    kinds = [kind for kind in FlagKind if any(flag.kind is kind for s in flagged for flag in s.flags)]
    counts = (
        f"{kind.value.replace('-', ' ')} ({sum(any(flag.kind is kind for flag in s.flags) for s in flagged)})"
        for kind in kinds
    )
    verb = "is" if len(flagged) == 1 else "are"
    noun = "sentence" if len(sentences) == 1 else "sentences"
    return f"{len(flagged)} of {len(sentences)} {noun} {verb} flagged: {', '.join(counts)}"


def check_summary(summary: Summary, checker: SentenceChecker) -> Summary:
    """A summary whose sentences are checked, in chapters and outline too, with a warning if any is flagged.

    Args:
        checker: That of the summary's pages.
    """
    sentences = tuple(map(checker.annotate, summary.sentences))
    chapters = tuple(
        replace(chapter, sentences=tuple(map(checker.annotate, chapter.sentences)))
        for chapter in summary.chapters
    )
    outline = tuple(
        replace(entry, sentences=tuple(map(checker.annotate, entry.sentences))) for entry in summary.outline
    )
    remark = describe_flagged(sentences)
    warnings = (*summary.warnings, remark) if remark else summary.warnings
    return replace(summary, sentences=sentences, chapters=chapters, outline=outline, warnings=warnings)


def end_whole(summary: Summary, checker: SentenceChecker, *, told: int = 0) -> Summary:
    """A summary that does not end within a sentence: what breaks off at its end is left out, with a warning.

    The first sentence stays, with a warning if it breaks off. Where more sentences break off than not, that
    is how the model writes, and nothing is left out.

    Args:
        checker: That of the summary's pages.
        told: How many sentences a reader was told already; they stay.
    """
    broken = [checker.is_broken_off(sentence.text) for sentence in summary.sentences]
    if not broken or not broken[-1] or (len(broken) > 1 and 2 * sum(broken) > len(broken)):
        return summary
    count = len(broken)
    while count > max(1, told) and broken[count - 1]:
        count -= 1
    left_out = len(broken) - count
    if left_out:
        what = "the last sentence" if left_out == 1 else f"the last {left_out} sentences"
        remark = f"{what} broke off and {'is' if left_out == 1 else 'are'} left out"
    else:
        remark = "the only sentence of the summary breaks off"
    return replace(summary, sentences=summary.sentences[:count], warnings=(*summary.warnings, remark))


def is_broken_off(trace: Trace, index: SourceIndex) -> bool:
    """Whether a sentence ends before it is finished.

    Without a stop it is, and with one if a bracket is left open, or if the source goes on after the words
    that it copies last: with a point within a sentence ("version 4." of "version 4.0", "(e." of "(e.g. a
    file)"), or with the rest of a word. A source sentence taken over to its end is finished, whatever it
    ends with, but for a colon.

    Args:
        trace: The sentence, as ``index`` traced it.
    """
    text = trace.text.rstrip()
    if not trace.spans or text.endswith((":", "：", ",", ";")):
        return True
    count = len(trace.spans)
    last = next((run for run in trace.runs if run.words[1] == count), None)
    before = next((run for run in trace.runs if run.words[1] == count - 1), None)
    if last is not None and not any(map(str.isalnum, index.rest_of(last))):
        return False
    if not ends_with_stop(text) or _has_open_bracket(text):
        return True
    if before is not None and _breaks_word(text[slice(*trace.spans[-1])], index.rest_of(before)):
        return True
    return last is not None and _POINT.match(index.rest_of(last)) is not None


def _breaks_word(word: str, rest: str) -> bool:
    """Whether a word is the beginning of the first word of a text, and not a form of it."""
    whole = _FIRST_WORD.match(rest)
    if whole is None:
        return False
    is_part = whole[1].casefold().startswith(word.casefold()) and len(whole[1]) > len(word)
    return is_part and stem(whole[1].casefold()) != stem(word.casefold())


def _has_open_bracket(text: str) -> bool:
    opened = sum(text.count(mark) for mark in _OPENING)
    return opened > sum(text.count(mark) for mark in _CLOSING)
