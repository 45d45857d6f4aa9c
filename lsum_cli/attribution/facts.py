"""Unknown facts: numbers, names and quotations of a sentence that the text it rests on does not contain.

A number, a name or a quotation of a summary sentence that does not occur in the text the sentence
rests on is a *flag*: a place to check. A sentence without flags may still be wrong, and a flag may
be a legitimate rewording (a sum, a computed date); comparison is lenient, so that flags are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from lsum_cli.summaries import Flag, FlagKind
from lsum_cli.text.numbers import find_numbers, number_values
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word, split_terms

# Languages that capitalise every noun.
_NOUNS_CAPITALISED = frozenset({"de", "lb"})
_WORD = regex(r"[^\W_]+(?:['’.&][^\W_]+)*")
_POSSESSIVE = regex(r"['’]s?$", re.IGNORECASE)
# Small words within a name: "Bank of England", "Ludwig van Beethoven".
_SMALL_WORDS = "of the for and de la le du del der den di da van von y e al el bin ibn"
_WITHIN_NAMES = frozenset(_SMALL_WORDS.split())
_LONGEST_LINK = 2
# A sentence, a title or a quotation begins after these, with a capital.
_OPENINGS = frozenset(".!?…:;\"'“”„‟«»‹›‘’‚(*#•–—-")
_HEADLINE_WORDS = 4
_QUOTATION = regex(
    "“(?P<a>[^“”„]+)[”“]|„(?P<b>[^“”„]+)[”“]|«(?P<c>[^«»]+)»|»(?P<d>[^«»]+)«|‹(?P<e>[^‹›]+)›|「(?P<f>[^「」]+)」"
    "|『(?P<g>[^『』]+)』|``(?P<h>(?:(?!``|'').)+)''|\"(?P<i>[^\"]+)\""
    # Single marks are apostrophes too: an opening one follows no letter, a closing one precedes none.
    r"|(?<!\w)‘(?P<j>[^‘]+?)’(?!\w)|(?<!\w)'(?P<k>[^']+(?:\w'\w[^']*)*)'(?!\w)"
)
# Omissions and insertions within a quotation: "the … sea", "the [North] Sea".
_OMISSION = regex(r"\[[^\]]*\]|\(…\)|\(\.\.\.\)|…|\.\s?\.\s?\.")


def find_unknown_facts(sentence: str, source: FactSource, language: str | None = None) -> tuple[Flag, ...]:
    """Find the numbers, names and quotations of a sentence that the text it rests on does not contain.

    Args:
        sentence: A sentence of a summary.
        source: The text it rests on.
        language: Two-letter code. In German, capitals do not mark names, and only words with two
            capitals or a digit are checked.
    """
    found = [(FlagKind.QUOTATION, quotation) for quotation in _unknown_quotations(sentence, source)]
    found += [(FlagKind.NUMBER, number) for number in _unknown_numbers(sentence, source)]
    found += [(FlagKind.NAME, name) for name in _unknown_names(sentence, source, language)]
    return tuple(Flag(kind=kind, text=text) for kind, text in dict.fromkeys(found))


class FactSource:
    """A text indexed for lookups; each index is built on first use."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def values(self) -> frozenset[str]:
        """Every number of the text, in comparable form."""
        return number_values(self._text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text, in all forms by which names are compared."""
        words: set[str] = set()
        for match in _WORD.finditer(self._text):
            words.update(_forms(match.group()))
        return frozenset(words)

    @cached_property
    def initials(self) -> frozenset[str]:
        """Initials of every run of capitalised words and of its parts: "WHO" for the organisation."""
        found: set[str] = set()
        for run in _capitalised_runs(self._text):
            letters = "".join(word[0].casefold() for word in run if word.lower() not in _WITHIN_NAMES)
            found.update(
                letters[start:end]
                for start in range(len(letters))
                for end in range(start + 2, min(len(letters), start + 8) + 1)
            )
        return frozenset(found)

    @cached_property
    def _running_terms(self) -> str:
        return f" {' '.join(split_terms(self._text))} "

    def quotes(self, text: str) -> bool:
        """Whether every part of a quotation occurs here word for word, punctuation aside."""
        parts = (" ".join(split_terms(part)) for part in _OMISSION.split(text))
        return all(f" {part} " in self._running_terms for part in parts if part)


def _unknown_numbers(sentence: str, source: FactSource) -> Iterator[str]:
    for number in find_numbers(sentence):
        if number.is_claim and not number.values & source.values:
            yield number.text


def _unknown_quotations(sentence: str, source: FactSource) -> Iterator[str]:
    for match in _QUOTATION.finditer(sentence):
        text = next(group for group in match.groups() if group is not None).strip()
        if text and not source.quotes(text):
            yield text


def _unknown_names(sentence: str, source: FactSource, language: str | None) -> Iterator[str]:
    for name in _names(sentence, language):
        words = [word for word in _WORD.findall(name) if word.lower() not in _WITHIN_NAMES]
        unknown = [word for word in words if not source.words.intersection(_forms(word))]
        if not unknown:
            continue
        initials = "".join(word[0] for word in words).casefold()
        if len(words) > 1 and initials in source.words:
            continue  # written out here, abbreviated there
        if all(word.isupper() and word.casefold() in source.initials for word in unknown):
            continue  # the other way round
        yield name


def _names(sentence: str, language: str | None) -> Iterator[str]:
    """Runs of words that look like a name."""
    words = list(_WORD.finditer(sentence))
    only_marked = language in _NOUNS_CAPITALISED or _is_headline([word.group() for word in words])
    start = end = -1
    for number, word in enumerate(words):
        if _is_marked(word.group()) or (not only_marked and _is_capitalised(sentence, word)):
            if start >= 0 and not _links(sentence, words[end : number + 1]):
                yield sentence[words[start].start() : words[end].end()]
                start = -1
            start = number if start < 0 else start
            end = number
    if start >= 0:
        yield sentence[words[start].start() : words[end].end()]


def _is_headline(words: Sequence[str]) -> bool:
    """Whether all words but function words have capitals, as in English titles."""
    telling = [word for word in words if not is_function_word(stem(word.lower()))]
    return len(telling) >= _HEADLINE_WORDS and all(word[0].isupper() for word in telling)


def _is_marked(word: str) -> bool:
    """Whether a word is a name wherever it occurs: two capitals ("WHO", "McCoy"), or capital and digit."""
    capitals = sum(map(str.isupper, word))
    return capitals >= 2 or (capitals == 1 and any(map(str.isdigit, word)) and not word[0].isdigit())


def _is_capitalised(sentence: str, word: re.Match[str]) -> bool:
    """Whether a word is capitalised, not just because it begins a sentence."""
    if not word.group()[0].isupper() or len(word.group()) == 1 or word.group() in ("I'm", "I’m"):
        return False
    before = sentence[: word.start()].rstrip()
    return bool(before) and before[-1] not in _OPENINGS


def _links(sentence: str, words: Sequence[re.Match[str]]) -> bool:
    """Whether only spaces and small words of names separate the first and the last of these words."""
    between = [word.group() for word in words[1:-1]]
    if (
        _POSSESSIVE.search(words[0].group())
        or len(between) > _LONGEST_LINK
        or any(word not in _WITHIN_NAMES for word in between)
    ):
        return False
    gaps = (sentence[left.end() : right.start()] for left, right in pairwise(words))
    return all(gap in (" ", "-", ". ") for gap in gaps)


def _capitalised_runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        word = match.group()
        joined = text[end : match.start()] in (" ", "-")
        if run and not (joined and (word[0].isupper() or word in _WITHIN_NAMES)):
            yield run
            run = []
        if word[0].isupper() or run:
            run.append(word)
        end = match.end()
    if run:
        yield run


def _forms(word: str) -> Iterator[str]:
    """A word as it is compared: case-folded, without possessive, and its stem; its parts besides."""
    word = _POSSESSIVE.sub("", word).casefold()
    yield word
    yield stem(word)
    for part in re.split(r"['’.&]", word):
        if len(part) > 1:
            yield part
    yield word.replace(".", "")
