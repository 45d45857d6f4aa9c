"""Sentences that are a fragment: of a sentence torn apart, of a longer quotation, of an epigraph."""

from __future__ import annotations

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.boilerplate import is_interruption
from lsum_cli.methods.extract.sentences.presentability import (
    CLOSING_MARKS,
    SHORTEST,
    STOPS,
)
from lsum_cli.methods.extract.sentences.trimming import begins_report
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

# A piece that ends without one of these, or with one of these words, goes on in what comes next.
_ENDS = (*STOPS, ":", ";", "?")
# The mark of a footnote behind a stop.
_ENDS_WITH_A_MARK = regex(r"[a-z”’\"')][.!?][”’\"]?(?:\d{1,3}|\*)$")
_BREAKS_OFF_TEXT = (
    "the a an of in on at to for from with by and or nor but as that which who is are was were be been "
    "has have had not its their his her our under between into upon v."
)
_BREAKS_OFF = frozenset(_BREAKS_OFF_TEXT.split())
# Straight quotation marks, by what they stand at.
_OPENS_QUOTATION = regex(r"\"(?=\w)(?:(?<=[\s(\[—–-]\")|(?<=^\"))")
_CLOSES_QUOTATION = regex(r"\"(?<=[\w.,!?…’'%)]\")(?!\w)")
_LONGEST_QUOTATION = 3  # sentences between its first and its last
# Who said what stands above: "— Ada Brook, Notes on Rivers"; and what else begins with such a dash.
_ATTRIBUTION = regex(
    r"(?:[—–―]|-{2,3}) ?(?=[“\"(]?[A-ZÀ-Þ])(?!.*\|)(?:(?:\S+(?: |$)){1,15}(?<![a-z][.!?:;])$"
    # With a stop only a name: "— Oui, monsieur." is talk.
    r"|(?:(?:[A-ZÀ-Þ\d“\"(][^\s.!?]*\.?|of|on|the|de|von|in|and|to)(?: |$)){2,10}(?<=\.)$)"
)
_DASH = regex(r"[—–―]|-{2,3}(?!-)")
_LONGEST_EPIGRAPH = 100  # words


def repeats_heading(candidates: Candidates) -> BoolArray:
    """Whether a sentence only repeats its heading or the title."""
    headings = [section.heading or "" for section in candidates.sections]
    bare = {text: text.casefold().strip(" .:") for text in {*headings, *candidates.titles}}
    return np.array(
        [
            sentence.text.casefold().strip(" .:") in (bare[heading], bare[title])
            for sentence, heading, title in zip(
                candidates.sentences, headings, candidates.titles, strict=True
            )
        ],
        bool,
    )


def continues_turn(candidates: Candidates) -> BoolArray:
    """Whether a sentence of a turn goes on where the one before it broke off."""
    found = np.zeros(len(candidates), bool)
    for position in range(1, len(candidates)):
        before = candidates.sentences[position - 1].text.rstrip(CLOSING_MARKS)
        text = candidates.sentences[position].text
        found[position] = (
            not candidates.opens_paragraph[position] and text[:1].islower() and not before.endswith(_ENDS)
        )
    return found


def lacks_beginning(candidates: Candidates) -> BoolArray:
    """Whether what stands before a sentence is its own beginning: it has no stop, and breaks off."""
    found = np.zeros(len(candidates), bool)
    same_document = (np.diff(candidates.document) == 0).tolist()
    same_section = (np.diff(candidates.section) == 0).tolist()
    for position in range(1, len(candidates)):
        before, sentence = candidates.sentences[position - 1], candidates.sentences[position]
        if sentence.index != before.index + 1 or not same_document[position - 1]:
            continue
        if not same_section[position - 1]:
            continue
        text = before.text.rstrip(CLOSING_MARKS)
        if text.endswith(_ENDS) or _ENDS_WITH_A_MARK.search(text) or is_interruption(text):
            continue
        if candidates.opens_paragraph[position] and begins_report(sentence.text):
            continue
        last = text.split()[-1] if text else ""
        breaks_off = last.lower() in _BREAKS_OFF or (
            # What is written like a title is a label or a caption, and no piece of this sentence.
            2 * sum(word[:1].isupper() for word in text.split()) < len(text.split())
            and candidates.num_words[position - 1] >= SHORTEST
            and last[:1].isupper()
            and last.isalpha()
        )
        found[position] = breaks_off or not candidates.opens_paragraph[position]
    return found


def is_within_quotation(candidates: Candidates) -> BoolArray:
    """Whether a sentence is of a quotation that begins before it and ends after it, in its paragraph.

    Nothing shows that others say it, and who.
    """
    found = np.zeros(len(candidates), bool)
    within: list[int] | None = None
    for position, sentence in enumerate(candidates.sentences):
        if candidates.opens_paragraph[position]:
            within = None
        text = sentence.text
        net = text.count("“") - text.count("”")
        if '"' in text:
            net += len(_OPENS_QUOTATION.findall(text)) - len(_CLOSES_QUOTATION.findall(text))
        if net > 0:
            within = []
        elif net < 0:
            found[within or []] = True
            within = None
        elif within is not None:
            # Of a longer one the end is not marked, or its beginning is a slip.
            within = [*within, position] if len(within) < _LONGEST_QUOTATION else None
    return found


def is_epigraph(candidates: Candidates) -> BoolArray:
    """Whether a sentence is of what a document or a section is headed by, with who said it.

    What is signed at its end is what the document says.
    """
    found = np.zeros(len(candidates), bool)
    section = candidates.section.tolist()
    first = words = 0
    for position, sentence in enumerate(candidates.sentences):
        if not position or section[position] != section[position - 1]:
            first, words = position, 0
        words += int(candidates.num_words[position])
        if words > _LONGEST_EPIGRAPH or position == first or _ATTRIBUTION.match(sentence.text) is None:
            continue
        above = candidates.sentences[position - 1].text
        if _goes_on_below(candidates, position) and not above.endswith(":") and not _DASH.match(above):
            found[first : position + 1] = True
            first, words = position + 1, 0
    return found


def _goes_on_below(candidates: Candidates, position: int) -> bool:
    """Whether the section of a sentence has more below it, or sections of its own; no list of such lines."""
    after, number = position + 1, int(candidates.section[position])
    if after == len(candidates) or candidates.document[after] != candidates.document[position]:
        return False
    if candidates.section[after] == number:
        return _DASH.match(candidates.sentences[after].text) is None
    sections = candidates.every_section
    return sections[number + 1].level > sections[number].level
