"""What readers of a summary need to know: what its abbreviations stand for, and who its people are.

An extract quotes sentences from the middle of a document, and a model writes what it has read: both use short
forms whose long forms stand elsewhere. Only what a document says itself is quoted, word for word, and nothing
where two of its statements differ.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from lsum_cli.documents import Document, Sentence
from lsum_cli.summaries import OutlineEntry, ShortForm, Summary, SummarySentence
from lsum_cli.text.abbreviations import definitions, means_another, used_short_forms
from lsum_cli.text.introductions import Introduction, introductions, surnames_alone
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import split_terms

# Letters of the first words by which two long forms of one short form are distinguished.
_ALIKE = 4

_Shown = Sequence[tuple[str, Collection[str]]]


def explain(summary: Summary) -> Summary:
    """The summary with its abbreviations and people; see :class:`~lsum_cli.summaries.Summary`."""
    readings = [_Reading.of(summary, shown) for shown in _shown(summary)]
    sources = [_Source.of(document) for document in summary.documents]
    return replace(
        summary,
        abbreviations=tuple(_spell_out(sources, readings)),
        # A story lists its people itself, by all their names.
        people=() if any(part.people for part in summary.outline) else tuple(_introduce(sources, readings)),
    )


class _Reading(NamedTuple):
    """What is read of a summary without the rest: all of it, or one of its lengths.

    Attributes:
        shown: Its texts in order, each with the documents that it comes from.
        visible: Their words and those of the title, as :func:`_normalise` has them.
    """

    shown: _Shown
    visible: str

    @classmethod
    def of(cls, summary: Summary, shown: _Shown) -> _Reading:
        words = [summary.title or "", *summary.topics, *(text for text, _ in shown)]
        return cls(shown, _normalise(" ".join(words)))

    def says(self, words: str) -> bool:
        return _normalise(words) in self.visible

    def explains(self, stated: ShortForm) -> bool:
        """Whether it gives the long form, or another one before the short form: "acid rain fund (ARF)"."""
        if self.says(stated.long):
            return True
        bracket = f"({stated.short})"
        begins = re.compile(rf"(?<!\w){re.escape(stated.short[0])}\w[^()]{{1,80}}$", re.IGNORECASE)
        return any(begins.search(text.partition(bracket)[0]) for text, _ in self.shown if bracket in text)


class _Source(NamedTuple):
    """A document in which words are looked up.

    Attributes:
        text: Its sentences, each on a line.
        starts: Where they begin in the text.
    """

    document: Document
    sentences: tuple[Sentence, ...]
    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, document: Document) -> _Source:
        sentences = document.sentences
        lengths = (len(sentence.text) + 1 for sentence in sentences)
        starts = tuple(accumulate(lengths, initial=0))
        return cls(document, sentences, "\n".join(sentence.text for sentence in sentences), starts)

    def holding(self, words: Iterable[str]) -> list[Sentence]:
        """The sentences that hold one of the words, in order."""
        numbers = set()
        for word in words:
            place = self.text.find(word)
            while place >= 0:
                number = bisect_right(self.starts, place) - 1
                numbers.add(number)
                place = self.text.find(word, self.starts[number + 1])
        return [self.sentences[number] for number in sorted(numbers)]

    def form(self, short: str, long: str, sentence: Sentence | None = None) -> ShortForm:
        """A short form with what a sentence, or else a heading, says it stands for."""
        return ShortForm(
            short=short,
            long=long,
            document_id=self.document.id,
            sentence_index=sentence.index if sentence else None,
            pdf_page=sentence.pdf_page if sentence else None,
        )


def _shown(summary: Summary) -> Iterator[_Shown]:
    """What readers see of a summary, at each of its lengths; the outline is a reading of its own there."""
    topics: _Shown = [(topic, ()) for topic in summary.topics]
    parts = [each for entry in summary.outline for each in _of_part(entry)]
    parts += [_text_and_documents(each) for chapter in summary.chapters for each in chapter.sentences]
    if not summary.lengths:
        yield [*topics, *map(_text_and_documents, summary.sentences), *parts]
        return
    for length in summary.lengths:
        yield [*topics, *map(_text_and_documents, length.sentences)]
    yield parts


def _of_part(entry: OutlineEntry) -> Iterator[tuple[str, Collection[str]]]:
    yield entry.heading, [entry.document_id] if entry.document_id else []
    yield from map(_text_and_documents, entry.sentences)


def _text_and_documents(sentence: SummarySentence) -> tuple[str, Collection[str]]:
    evidence = sentence.attribution.evidence if sentence.attribution else ()
    return sentence.labelled, {each.document_id for each in evidence[:1]}


# ---- abbreviations


def _spell_out(sources: Sequence[_Source], readings: Sequence[_Reading]) -> Iterator[ShortForm]:
    """The abbreviations that a reading has and does not explain, in the order of their first use."""
    wholes: dict[str, str] = {}
    texts: dict[str, list[str]] = {}
    used: dict[str, set[str]] = {}
    users: dict[str, dict[int, _Reading]] = {}
    for number, reading in enumerate(readings):
        for text, own in reading.shown:
            for key, whole in used_short_forms(text).items():
                wholes[key] = key if wholes.get(key) == key else whole
                texts.setdefault(key, []).append(text)
                used.setdefault(key, set()).update(own)
                users.setdefault(key, {})[number] = reading
    if not used:
        return
    found = [_find(source, used.keys()) for source in sources]
    best = {key: stated for key, own in used.items() if (stated := _choose(key, found, own))}
    for key, stated in best.items():
        whole = wholes[key]
        # Of what is spelled out as a whole the parts are not, but for those in its long form.
        is_told = whole != key and whole in best and key not in best[whole].long
        is_other = all(means_another(text, key, stated.long) for text in texts[key])
        if not (is_told or is_other) and not all(reading.explains(stated) for reading in users[key].values()):
            yield stated


def _find(source: _Source, keys: Collection[str]) -> dict[str, list[ShortForm]]:
    """What a document says that these short forms stand for, in its order."""
    found: dict[str, list[ShortForm]] = {}
    for sentence in source.holding(keys):
        for each in definitions(sentence.text, keys):
            found.setdefault(each.key, []).append(source.form(each.short, each.long, sentence))
    for section in source.document.sections:
        for each in definitions(section.heading, keys) if section.heading else ():
            # "Mapping quantitative trait loci (QTLs)": some say it in a heading only.
            if each.key not in found:
                found[each.key] = [source.form(each.short, each.long)]
    return found


def _choose(
    key: str, found: Sequence[Mapping[str, Sequence[ShortForm]]], documents: Collection[str]
) -> ShortForm | None:
    """What a short form stands for, by the documents that use it if they say it, else by the others."""
    listed = [each[key] for each in found if key in each]
    own = [each for each in listed if each[0].document_id in documents]
    stated = [one for each in own or listed for one in each]
    if not stated or not _agree(stated):
        return None
    # "meridional overturning circulation" says more than "Atlantic MOC".
    return min(stated, key=lambda each: bool(used_short_forms(each.long)))


def _agree(stated: Sequence[ShortForm]) -> bool:
    """Whether all say the same, if not in the same words: "Atlantic MOC" is no other thing."""
    first, *others = (_normalise(each.long) for each in stated)
    begins = first.lstrip().partition(" ")[0][:_ALIKE]
    return all(
        each in first or first in each or each.lstrip().partition(" ")[0][:_ALIKE] == begins
        for each in others
    )


def _normalise(text: str) -> str:
    """The stems of a text between spaces: a phrase is found in any inflection, but not within words."""
    return f" {' '.join(map(stem, split_terms(text)))} "


# ---- people


def _introduce(sources: Sequence[_Source], readings: Sequence[_Reading]) -> Iterator[ShortForm]:
    """Those who are called by their surname only and whom a document in English introduces."""
    english = [source for source in sources if source.document.language in ("en", None)]
    titles = " ".join(source.document.title or "" for source in english).lower()

    def is_written(words: str) -> bool:
        return any(words in source.text for source in english)

    def is_word(name: str) -> bool:
        # What is also written without a capital is none.
        return is_written(f" {name.lower()} ")

    users: dict[str, list[_Reading]] = {}
    for reading in readings:
        for name in dict.fromkeys(_surnames(reading.shown)):
            users.setdefault(name, []).append(reading)
    surnames = [name for name in users if not is_word(name)]
    found: dict[str, list[tuple[Introduction, ShortForm]]] = {}
    for source in english:
        for sentence in source.holding(surnames):
            for each in introductions(sentence.text, surnames):
                if not is_word(each.name.split()[0]):
                    form = source.form(each.surname, each.text, sentence)
                    found.setdefault(each.surname, []).append((each, form))
    for surname in surnames:
        named = found.get(surname, [])
        told = next((one for one in named if one[0].text), None)
        if told is None or len({each.given for each, _ in named}) > 1:
            continue
        introduction, form = told
        # "the Brady claim": the name of another case, unless the title has it.
        is_case = surname.lower() not in titles and is_written(f"{surname} v.")
        if not is_case and not all(_knows(reading, introduction) for reading in users[surname]):
            yield form


def _knows(reading: _Reading, introduction: Introduction) -> bool:
    """Whether a summary has the whole name, or all that is said of it: "respondent Mill"."""
    brief = introduction.text.replace(introduction.name, introduction.surname)
    return reading.says(introduction.name) or (brief != introduction.surname and reading.says(brief))


def _surnames(shown: _Shown) -> Iterator[str]:
    for text, _ in shown:
        yield from surnames_alone(text)
