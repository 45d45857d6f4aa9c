"""A document's own summary, which is quoted instead of a choice from the whole where its length suits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import DocumentKind, plain_heading, section_path
from lsum_cli.methods.extract.ranking.scoring import BACKGROUND
from lsum_cli.methods.extract.sentences.boilerplate import (
    is_about_publication_or_other_places,
    is_cross_reference,
)
from lsum_cli.methods.extract.sentences.gist import LEAST_OF_A_SUMMARY, is_opening_of_a_proposal, is_thesis
from lsum_cli.methods.extract.sentences.presentability import (
    QUOTATION_MARKS,
    SHORTEST,
    STOPS,
    is_in_words,
)
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray
from lsum_cli.text.verbs import has_verb

# A document's own summary is quoted instead of a choice from the whole; it may be so much longer than what
# would suit.
_LONGER = 1.2
# It is quoted whole up to so many times what would suit, where so much of it is sentences.
_LONGEST_WHOLE, _LEAST_IN_SENTENCES = 2.0, 0.4
# A longer one of a proposal leaves no room for what is proposed.
_LONGEST_OF_A_PROPOSAL = 1.3
# The same where no heading calls it a summary: what a proposal begins with may only lead up to it.
_LONGEST_OPENING = 0.5
# What of it is no sentence, as an announced list, may be left out if the others are this share of it.
_LEAST_OF_WHOLE = 0.6
# Fewer paragraphs of a sentence each are no list; more are not quoted unless they are sentences.
_LEAST_OF_A_LIST, _MOST_OF_A_LIST = 2, 6
_OPENS_QUOTATION = ("“", '"', "‘")
_COMES_TO = regex(
    r"recommend|conclu|findings|lessons|key (?:points|messages|results)|implications", re.IGNORECASE
)
# A line that gives an address is none of the text.
_ADDRESS = regex(r"\w://\S*$")
# After it come works, and nothing of the summary.
_ASKS_TO_CITE = regex(
    r"\b(?:please cite\b|(?:appreciate|ask for) (?:a |the )?citation\b"
    r"|(?:should|must|to) cite (?:this|the following|our) "
    r"(?:paper|work|article|publication|report|document|package|software|library)s?\b)",
    re.IGNORECASE,
)
# What thanks, sends the reader elsewhere, or gives an example of what is said before it.
_POINTS = regex(
    r"please\b|see(?= (?:the|also|section|https?|our)\b| ?[\[(]"
    r"| (?:[\w'’-]+ ){1,3}(?:documentation|docs|guide|specification)\b)|thank\w*\b|(?:e\.g|i\.e)\."
    r"|(?:we|i) (?:hope you|thank)\b"
    r"|for (?:more|further|additional) (?:\w+ )?"
    r"(?:information|details?|background|reading|discussion|context)\b"
    r"|(?:[\w-]+ ){1,3}threads?:|.*\b(?:see|available (?:at|in|here)|found (?:at|in|here))[.:]?$",
    re.IGNORECASE,
)


def whole_summary(extractor: Extractor) -> list[int]:
    """The document's own summary, where it is a text of about the length that suits; else nothing.

    As a whole each of its sentences follows its antecedent.
    """
    structure, num_words = extractor.structure, extractor.candidates.num_words
    is_proposal = structure.document_kind is DocumentKind.PROPOSAL
    rows = np.flatnonzero(structure.gist.is_own_summary & ~structure.is_cells).tolist()
    texts = {row: extractor.candidates.sentences[row].text.rstrip(QUOTATION_MARKS) for row in rows}
    cited = next((row for row, text in texts.items() if _ASKS_TO_CITE.search(text)), None)
    texts = {
        row: text
        for row, text in texts.items()
        if _ADDRESS.search(text) is None and (cited is None or row < cited)
    }
    whole = [row for row in texts if _is_sentence_of_whole(extractor, texts, row)]
    # Of a quotation that is a paragraph the line above it says whose it is: "As Weir puts it:".
    quoted = [row for row in whole if texts[row].startswith(_OPENS_QUOTATION)]
    whole = sorted({*whole, *(row - 1 for row in quoted if texts.get(row - 1, "").endswith(":"))})
    whole = _said_once(texts, sorted({*whole, *_announced(extractor, texts, whole)}))
    words = num_words[whole].sum()
    presentable = num_words[whole][structure.is_presentable[whole]].sum()
    longest = _LONGEST_WHOLE
    if is_proposal:
        longest = _LONGEST_OF_A_PROPOSAL if is_called_summary(extractor) else _LONGEST_OPENING
    # What announces what is not read is no text of a proposal.
    told = [row for row, text in texts.items() if not (is_proposal and text.endswith(":"))]
    if (
        len(extractor.documents) > 1
        or extractor.is_talk
        or extractor.is_story
        or structure.document_kind is DocumentKind.DECISION
        or not SHORTEST <= words <= longest * extractor.num_words
        or (presentable < _LEAST_IN_SENTENCES * words and not is_proposal)
        or words < _LEAST_OF_WHOLE * num_words[told].sum()
    ):
        return []
    return whole


def is_called_summary(extractor: Extractor) -> bool:
    """Whether a heading, or a label, calls the document's own summary one."""
    rows = np.flatnonzero(extractor.structure.gist.is_own_summary)
    if not len(rows):
        return False
    heading = plain_heading(extractor.candidates.sections[rows[0]].heading)
    return not is_opening_of_a_proposal(heading, extractor.documents[0].title or "")


def _is_sentence_of_whole(extractor: Extractor, texts: Mapping[int, str], row: int) -> bool:
    """Whether a line of a document's own summary is a sentence of it.

    What announces code that is not read, and what goes on after it, is none. In a proposal the last of a
    paragraph may lack its stop.
    """
    text, structure, opens = texts[row], extractor.structure, extractor.candidates.opens_paragraph
    is_last = row + 1 == len(opens) or bool(opens[row + 1])
    may_lack_stop = structure.document_kind is DocumentKind.PROPOSAL and is_last
    if not (text.endswith((*STOPS, "?", ";")) or (may_lack_stop and _lacks_its_stop(text))):
        return False
    if is_about_publication_or_other_places(text) or is_cross_reference(text) or _POINTS.match(text):
        return False
    # Within a paragraph, and at the beginning, what is in lower case is a name ("lsctl prints the level").
    goes_on = text[:1].islower() and bool(opens[row]) and row != next(iter(texts))
    return bool(structure.is_presentable[row]) or (has_verb(text.split()) and not goes_on)


def _lacks_its_stop(text: str) -> bool:
    """Whether a line may be a sentence without its stop: no heading, most of whose words have a capital."""
    words = text.split()
    is_heading = 2 * sum(word[:1].isupper() for word in words) > len(words)
    return len(words) >= SHORTEST and text[:1].isupper() and text[-1] not in ",:;" and not is_heading


def _said_once(texts: Mapping[int, str], whole: Sequence[int]) -> list[int]:
    """Those sentences that do not say word for word what an earlier one says, or ends with."""
    told: list[int] = []
    for row in whole:
        text = texts[row].lower()
        is_told = len(text.split()) >= SHORTEST and any(texts[each].lower().endswith(text) for each in told)
        if not is_told:
            told.append(row)
    return told


def _announced(extractor: Extractor, texts: Mapping[int, str], whole: Sequence[int]) -> list[int]:
    """What announces a list in the document's own summary, and its items, each a paragraph by itself.

    Args:
        extractor: The document.
        texts: The sentences of its summary, by their position.
        whole: Those that are quoted in any case; an item is one of them, or what is announced may be code. Of
            a proposal a few items may be words alone.
    """
    opens = extractor.candidates.opens_paragraph
    is_proposal = extractor.structure.document_kind is DocumentKind.PROPOSAL
    found: list[int] = []
    for position, text in texts.items():
        if not text.endswith(":") or not has_verb(text.split()) or _POINTS.match(text):
            continue
        end = position + 1
        while (
            end in texts
            and opens[end]
            and not texts[end].endswith(":")
            and (end + 1 not in texts or opens[end + 1])
        ):
            end += 1
        items = [texts[item] for item in range(position + 1, end)]
        are_words = is_proposal and len(items) <= _MOST_OF_A_LIST and all(map(is_in_words, items))
        if not are_words:
            # What begins in lower case goes on after code.
            count = next((number for number, text in enumerate(items) if text[:1].islower()), len(items))
            items = items[:count]
            if set(range(position + 1, position + 1 + count)).isdisjoint(whole):
                continue
        if len(items) >= _LEAST_OF_A_LIST:
            found += range(position, position + 1 + len(items))
    return found


def own_summary(extractor: Extractor) -> tuple[BoolArray, int] | None:
    """The sentences of the document's own summary, and how many words of it to quote.

    ``None`` where it has none that is long enough, and of a decision, which has a syllabus.
    """
    num_words, structure = extractor.num_words, extractor.structure
    own = structure.gist.is_own_summary
    words = int(extractor.candidates.num_words[own & structure.is_presentable].sum())
    if (
        structure.document_kind is DocumentKind.DECISION
        or words < LEAST_OF_A_SUMMARY
        or len(extractor.documents) > 1
    ):
        return None
    least = num_words if structure.document_kind is DocumentKind.PAPER else LEAST_OF_A_SUMMARY
    return own, min(max(words, least), int(_LONGER * num_words))


def own_abstract(extractor: Extractor, own: BoolArray) -> tuple[BoolArray, FloatArray]:
    """The abstract of a paper, with its conclusions where it has none; and its scores.

    The background of an abstract counts less.
    """
    structure, values = extractor.structure, extractor.scores.values
    shown = own & structure.is_presentable
    statements = structure.statements
    aims = np.flatnonzero(shown & (statements[Statement.AIM] >= 1))
    after = shown
    if len(aims):
        background = shown & (np.arange(len(shown)) < aims[0])
        values = values - BACKGROUND * float(values.std()) * background
        after = shown & ~background
    found = np.maximum(statements[Statement.RESULT], statements[Statement.CONCLUSION])
    if (found[after] >= 1).any():
        return shown, values
    concludes: BoolArray = shown | (structure.gist.concludes & (statements[Statement.CONCLUSION] >= 0.5))
    return concludes, values


def only_announces(extractor: Extractor, whole: Sequence[int]) -> bool:
    """Whether a document's own summary says what the document does, and nothing that it found."""
    found = extractor.structure.statements.get(Statement.RESULT)
    announces = any(is_thesis(extractor.candidates.sentences[position].text) for position in whole)
    return announces and (found is None or float(found[whole].max()) < 1)


def comes_to(extractor: Extractor) -> BoolArray:
    """The sentences of the parts that tell what the document comes to, as far as they can be shown."""
    headings = [section_path(section) for section in extractor.candidates.sections]
    there = {heading: _COMES_TO.search(heading) is not None for heading in set(headings)}
    found: BoolArray = np.array([there[heading] for heading in headings], bool)
    return found & extractor.structure.is_presentable
