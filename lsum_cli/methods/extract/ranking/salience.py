"""The salience of sentences: the features of each sentence and the weights that combine them.

A linear model in the tradition of Edmundson (1969) over features of repetition (after Luhn 1958
and the random walk of LexRank, Erkan and Radev 2004), position, wording and form. The weights were fitted on
the training splits of the benchmark corpora, once for each kind of source, and rounded. Features that no
ROUGE score rewards but a reader notices, such as dependence on a sentence that is not shown,
have weights set by hand. ``benchmarks/extraction.py`` measures the results.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading
from lsum_cli.methods.extract.sentences.boilerplate import BOILERPLATE_HEADING
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import without_typographic_marks
from lsum_cli.text.terms import FloatArray, IntArray, TermMatrix, distinct

# Fitted on training splits by regression on the share of a sentence that is in the reference summary;
# for prose, then refined by ascent on the ROUGE of whole summaries. Small weights were dropped.
WEIGHTS: Mapping[SourceKind, Mapping[str, float]] = {
    SourceKind.PROSE: {
        "term_frequency": 0.2,
        "pair_frequency": 0.85,
        "centrality": 0.45,
        "spread": 2.6,
        "opening_terms": 0.65,
        "closing_terms": 0.25,
        "start": 0.45,
        "relative_start": 0.4,
        "section_start": 0.15,
        "closing_section": 0.75,
        "title": 1.3,
        "heading": 0.2,
        "cue": 0.6,
        "citation": -0.45,
        "first_person": -0.7,
        "letters": 1.7,
        "digits": 0.7,
        "brackets": -0.3,
        "capitals": 0.75,
        "word_length": 0.55,
        "content": -0.55,
        "short": -0.4,
    },
    SourceKind.CONVERSATION: {
        "term_frequency": 0.8,
        "pair_frequency": 0.3,
        "centrality": -0.25,
        "opening_terms": -0.15,
        "start": 0.2,
        "title": 0.2,
        "heading": 0.65,
        "cue": 0.25,
        "first_person": -1.25,
        "letters": 3.6,
        "capitals": 0.15,
        "word_length": 1.0,
        "content": -0.7,
        "short": -0.25,
    },
    SourceKind.COLLECTION: {
        "term_frequency": 0.8,
        "pair_frequency": 0.2,
        "centrality": 0.35,
        "spread": 0.35,
        "opening_terms": 0.35,
        "closing_terms": 0.15,
        "start": 0.15,
        "title": 0.1,
        "cue": 0.2,
        "citation": -0.15,
        "letters": 0.65,
        "digits": -0.5,
        "brackets": -0.45,
        "capitals": 0.6,
        "content": 0.15,
        "brief": -0.3,
        "short": 0.3,
    },
    # Set by hand, since no reference summaries were available: prefers narration to dialogue.
    SourceKind.NARRATIVE: {
        "term_frequency": 0.5,
        "pair_frequency": 0.2,
        "centrality": 0.4,
        "spread": 0.8,
        "start": 0.2,
        "section_start": 0.4,
        "dialogue": -1.2,
        "first_person": -1.0,
        "letters": 1.7,
        "capitals": 1.5,
        "brackets": -1.5,
        "content": 0.5,
        "brief": -2.5,
    },
}
# Of documents whose structure is known; fitted alike.
DOCUMENT_WEIGHTS: Mapping[DocumentKind, Mapping[str, float]] = {
    DocumentKind.DECISION: {
        "term_frequency": -1.65,
        "pair_frequency": 2.9,
        "centrality": 2.05,
        "spread": 1.7,
        "opening_terms": 1.2,
        "relative_start": 0.75,
        "section_start": 0.3,
        "early_section": 1.95,
        "title": 0.95,
        "heading": 0.25,
        "cue": -0.25,
        "citation": -0.55,
        "first_person": -2.6,
        "letters": 6.05,
        "digits": 5.15,
        "brackets": 1.55,
        "capitals": 1.55,
        "word_length": -0.35,
        "content": 0.4,
        "short": -3.65,
    },
    DocumentKind.PROPOSAL: {
        "term_frequency": -0.95,
        "pair_frequency": 1.15,
        "centrality": 0.4,
        "spread": 3.1,
        "opening_terms": 0.55,
        "closing_terms": 0.2,
        "start": 0.4,
        "relative_start": 0.3,
        "section_start": 0.2,
        "closing_section": 0.5,
        "title": 1.25,
        "cue": 0.6,
        "citation": -0.3,
        "first_person": -1.35,
        "letters": 2.5,
        "digits": 2.4,
        "capitals": 0.65,
        "word_length": 0.15,
        "content": -0.4,
        "short": -0.95,
    },
    DocumentKind.PAPER: {
        "term_frequency": -0.3,
        "pair_frequency": 1.2,
        "centrality": 0.6,
        "spread": 2.8,
        "opening_terms": 0.65,
        "closing_terms": 0.3,
        "start": 0.4,
        "relative_start": 0.35,
        "section_start": 0.2,
        "early_section": 0.05,
        "closing_section": 0.7,
        "title": 1.45,
        "cue": 0.65,
        "citation": -0.5,
        "first_person": -0.7,
        "letters": 2.3,
        "digits": 1.5,
        "capitals": 0.65,
        "word_length": 0.5,
        "content": -0.6,
        "short": -0.8,
    },
}
# Set by hand: readability, which ROUGE does not measure.
READER_WEIGHTS: Mapping[str, float] = {
    "abstract": 1.0,
    "boilerplate": -2.0,
    "brief": -1.0,
    "speech": -0.6,
}

# How much a place that speaks for the whole counts where a number of words is to be filled.
PLACE_WEIGHT = 0.3

_OPENING_SENTENCES = 15
_TERMS_OF_A_TITLE = 3
_WALK_STEPS = 8
_WALK_DAMPING = 0.85

# Of lower-cased text after a space.
_CUE = regex(
    # What no word among them begins with is passed over at once.
    r"\W(?=[acdefioprtw])"
    r"(?:in this (?:paper|study|article|work|report|review|case|section|chapter|book|essay)"
    r"|(?:this|the|our|present|current) (?:paper|study|article|work|report|review|proposal|document"
    r"|specification|enhancement|feature|change|meeting|case)"
    r"|we (?:propose|present|show|find|found|hold|conclude|report|describe|introduce|demonstrate"
    r"|investigated?|examined?|evaluated?|developed?|identified|observed|aim|affirm|reverse|decided?|granted)"
    r"|(?:results?|findings|data|analys[ei]s|evidence) (?:suggest|show|indicate|demonstrate|reveal)\w*"
    r"|in (?:conclusion|summary|short)|to (?:summari[sz]e|conclude)"
    r"|the (?:aim|goal|purpose|objective|question|main|motivation|judgment|proposed)"
    r"|(?:was|were|is) (?:to (?:investigate|examine|determine|evaluate|assess)|significantly)"
    r"|conclusions?|proposes?)\b"
)
_SPEECH = regex(r"[“\"„«「『‘]")
_QUOTATION_MARK = regex(r"[“”\"„«»]")
# Where speech stands in single quotation marks; they are apostrophes within words.
_SINGLE_MARK = regex(r"(?<![\w.,!?;])['‘`](?=\w)|(?<=[.,!?;—-])['’](?!\w)")
_LEAST_SINGLE = 0.1
_CITATION = regex(r"\[[\d,;–\- ]+\]|\([^()]*\b(?:19|20)\d\d[a-z]?\)|\bet al\b")
_LETTERS = regex(r"[^\W\d_]+")
_DIGITS = regex(r"\d+")
_BRACKETS = regex(r"[(\[{|<>=_*]+")
_ASCII_LETTERS, _ASCII_DIGITS, _ASCII_BRACKETS = string.ascii_letters.encode(), b"0123456789", b"([{|<>=_*"
_CLOSING = regex(r"\b(?:conclusions?|concluding|discussion|findings|outlook)\b", re.IGNORECASE)


def salience(
    candidates: Candidates,
    structure: Structure | None = None,
    *,
    place_weight: float = PLACE_WEIGHT,
    values: Mapping[str, FloatArray] | None = None,
) -> FloatArray:
    """The salience of each sentence, a weighted sum of its features; only differences are meaningful.

    Args:
        candidates: The sentences.
        structure: What is known of them; by default it is found out here.
        place_weight: How much it counts that a sentence stands where the document speaks for the whole.
        values: The :func:`features`; by default they are found out here.
    """
    structure = structure or Structure.of(candidates)
    weights = {**READER_WEIGHTS, **_weights_for(structure)}
    values_of = features(candidates) if values is None else values
    table = np.column_stack([values_of[name] for name in weights])
    scores: FloatArray = table @ np.array(list(weights.values()))
    return scores + place_weight * float(scores.std()) * structure.gist.weight


def _weights_for(structure: Structure) -> Mapping[str, float]:
    of_its_kind = DOCUMENT_WEIGHTS.get(structure.document_kind)
    return of_its_kind if of_its_kind is not None else WEIGHTS[structure.source_kind]


def standardised(values: FloatArray) -> FloatArray:
    """Values as distances from their mean, in standard deviations."""
    standard: FloatArray = (values - values.mean()) / max(1e-9, float(values.std()))
    return standard


def features(candidates: Candidates) -> dict[str, FloatArray]:
    """Every feature by name, with one value per sentence, mostly between 0 and 1."""
    return {**_repetition(candidates), **_position(candidates), **_wording(candidates), **_form(candidates)}


def _repetition(candidates: Candidates) -> dict[str, FloatArray]:
    """Features of repetition: how much a sentence uses terms that are frequent throughout the source."""
    terms, pairs, count = candidates.terms, candidates.pairs, len(candidates)
    opening, closing = np.zeros(terms.num_terms), np.zeros(terms.num_terms)
    opening[terms.columns[: terms.starts[min(count, _OPENING_SENTENCES)]]] = 1
    closing[terms.columns[terms.starts[max(0, count - _OPENING_SENTENCES)] :]] = 1
    return {
        "term_frequency": terms.mean_over_terms(np.log1p(terms.frequency)) / np.log1p(count),
        "pair_frequency": pairs.mean_over_terms(np.log1p(pairs.frequency)),
        "centrality": _centrality(terms),
        "spread": terms.mean_over_terms(_share_of_pages(candidates)),
        "opening_terms": terms.mean_over_terms(opening),
        "closing_terms": terms.mean_over_terms(closing),
    }


def _centrality(terms: TermMatrix) -> FloatArray:
    """How often a random walk over shared terms visits each sentence, scaled to a maximum of 1.

    The similarity matrix is never formed: a step goes from sentences to terms and back.
    """
    rows, frequency = terms.row_of_entry, terms.frequency
    idf = np.log1p(terms.num_rows / np.maximum(1, frequency))
    values = terms.counts * idf[terms.columns]
    values = values / np.sqrt(np.maximum(1e-12, terms.sum_rows(values**2)))[rows]

    def similarity_times(weight_of_sentence: FloatArray) -> FloatArray:
        of_term = np.bincount(
            terms.columns, weights=values * weight_of_sentence[rows], minlength=terms.num_terms
        )
        return terms.sum_rows(values * of_term[terms.columns])

    degree = np.maximum(1e-9, similarity_times(np.ones(terms.num_rows)))
    visits = np.ones(terms.num_rows)
    for _ in range(_WALK_STEPS):
        visits = 1 - _WALK_DAMPING + _WALK_DAMPING * similarity_times(visits / degree)
    greatest: float = visits.max()
    return visits / greatest


def _share_of_pages(candidates: Candidates) -> FloatArray:
    """The share of the pages on which each term occurs."""
    terms = candidates.terms
    num_pages = int(candidates.page[-1]) + 1
    seen = distinct(terms.columns * num_pages + candidates.page[terms.row_of_entry])
    pages_of_term: IntArray = np.bincount(seen // num_pages, minlength=terms.num_terms)
    return pages_of_term / num_pages


def _position(candidates: Candidates) -> dict[str, FloatArray]:
    """Features of position: where a sentence is in its document and section, and the kind of section."""
    position, size = _position_in_run(candidates.document)
    headings = [plain_heading(section.heading) for section in candidates.sections]
    return {
        "start": np.exp(-position / 25),
        "relative_start": np.exp(-8 * position / size),
        "section_start": np.exp(-_position_in_run(candidates.section)[0] / 2),
        "early_section": np.exp(-_ordinal_of_section(candidates) / 2),
        "closing_section": _matches(_CLOSING.search, headings),
        "boilerplate": _matches(BOILERPLATE_HEADING.fullmatch, headings),
        "abstract": np.array(
            [section.role is SectionRole.ABSTRACT for section in candidates.sections], float
        ),
    }


def _ordinal_of_section(candidates: Candidates) -> IntArray:
    """The number of each sentence's section within its document, from 0."""
    starts = np.concatenate(([True], candidates.document[1:] != candidates.document[:-1]))
    of_first: IntArray = np.maximum.accumulate(np.where(starts, candidates.section, 0))
    ordinal: IntArray = candidates.section - of_first
    return ordinal


def _position_in_run(labels: IntArray) -> tuple[IntArray, IntArray]:
    """For each element its position in its run of equal labels, and the run's length."""
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    lengths = np.diff(np.append(starts, len(labels)))
    return np.arange(len(labels)) - np.repeat(starts, lengths), np.repeat(lengths, lengths)


def _wording(candidates: Candidates) -> dict[str, FloatArray]:
    """Features of wording: terms of the title, cue phrases, references, speech."""
    texts = [sentence.text for sentence in candidates.sentences]
    return {
        "title": _overlap(candidates, candidates.titles),
        "heading": _overlap(candidates, [section.heading or "" for section in candidates.sections]),
        "cue": np.array([min(2, len(_CUE.findall(f" {text.lower()}"))) for text in texts]) / 2,
        "citation": _matches(
            lambda text: _CITATION.search(text) if "(" in text or "[" in text or "et al" in text else None,
            texts,
        ),
        "speech": _matches(_SPEECH.match, texts),
        "dialogue": dialogue(candidates),
        "first_person": candidates.first_person,
    }


def _overlap(candidates: Candidates, titles: Sequence[str]) -> FloatArray:
    """The share of a title's content terms that the sentence contains; short titles count less."""
    terms = candidates.terms
    columns, starts = terms.columns.tolist(), terms.starts.tolist()
    known = set(columns)
    wanted = {title: known.intersection(candidates.lexicon.find(title)) for title in set(titles)}
    return np.array(
        [
            len(wanted[title].intersection(columns[start:end])) / max(_TERMS_OF_A_TITLE, len(wanted[title]))
            if wanted[title]
            else 0.0
            for title, (start, end) in zip(titles, pairwise(starts), strict=True)
        ]
    )


def quotation_marks(texts: Sequence[str]) -> re.Pattern[str]:
    """The marks of direct speech in a text: double ones, or single ones where most are such."""
    doubles = sum(_may_quote(text) and _QUOTATION_MARK.search(text) is not None for text in texts)
    singles = sum(_may_quote_singly(text) and _SINGLE_MARK.search(text) is not None for text in texts)
    is_single = singles > doubles and singles > _LEAST_SINGLE * len(texts)
    return _SINGLE_MARK if is_single else _QUOTATION_MARK


def _may_quote(text: str) -> bool:
    """Whether a text may have a quotation mark; of ASCII there are three."""
    return not text.isascii() or '"' in text or "'" in text or "`" in text


def _may_quote_singly(text: str) -> bool:
    return "'" in text or "`" in text or "‘" in text or "’" in text


def dialogue(candidates: Candidates) -> FloatArray:
    """1 for a sentence that is at least partly direct speech."""
    mark = quotation_marks([sentence.text for sentence in candidates.sentences])
    spoken = np.zeros(len(candidates))
    bounds = [*np.flatnonzero(candidates.opens_paragraph).tolist(), len(candidates)]
    for start, end in pairwise(bounds):
        texts = [sentence.text for sentence in candidates.sentences[start:end]]
        marks = [mark.findall(text) if _may_quote(text) else [] for text in texts]
        count = sum(map(len, marks))
        # A story told within a story opens a quotation in every paragraph and closes none.
        is_open = False
        for position, found in enumerate(marks, start=start):
            spoken[position] = is_open or (bool(found) and count > 1)
            is_open ^= len(found) % 2 == 1 and count > 1
    return spoken


def closeness(candidates: Candidates, parts: Sequence[IntArray]) -> FloatArray:
    """How much each sentence uses the terms that are frequent in its part and rare in the others.

    Args:
        candidates: The sentences.
        parts: The positions of the sentences of each part.
    """
    terms = candidates.terms
    part_of = np.full(len(candidates), -1)
    for number, rows in enumerate(parts):
        part_of[rows] = number
    entries = part_of[terms.row_of_entry]
    inside = entries >= 0
    keys = entries[inside] * terms.num_terms + terms.columns[inside]
    unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    spread = np.bincount(unique % terms.num_terms, minlength=terms.num_terms)
    idf = np.log1p(len(parts) / np.maximum(1, spread))
    weights = np.zeros(len(terms.columns))
    weights[inside] = np.log(counts[inverse]) * idf[terms.columns[inside]]
    return terms.sum_rows(weights) / np.maximum(4, np.diff(terms.starts))


def _form(candidates: Candidates) -> dict[str, FloatArray]:
    """Features of form: characters, length and punctuation."""
    texts = [sentence.text for sentence in candidates.sentences]
    bare = [without_typographic_marks(text) for text in texts]
    num_words = np.maximum(1, candidates.num_words)
    num_characters = np.array([max(1, len(text)) for text in texts])
    return {
        "letters": _count(_LETTERS, _ASCII_LETTERS, bare) / num_characters,
        "digits": _count(_DIGITS, _ASCII_DIGITS, bare) / num_characters,
        "brackets": _count(_BRACKETS, _ASCII_BRACKETS, bare) / num_words,
        "capitals": np.array([_capitals(text) for text in texts]) / num_words,
        "word_length": num_characters / num_words / 6,
        "content": candidates.terms.sum_rows(candidates.terms.counts) / np.maximum(1, candidates.num_terms),
        "brief": np.maximum(0, 16 - num_words) / 16,
        "short": np.maximum(0, 12 - num_words) / 12,
    }


def _capitals(text: str) -> int:
    """How many words after the first begin with a capital letter."""
    if text[1:].islower():
        return 0
    return sum(map(str.isupper, [word[0] for word in text.split()[1:]]))


def _count(pattern: re.Pattern[str], ascii_signs: bytes, texts: Sequence[str]) -> FloatArray:
    """The number of characters in the runs that a pattern finds.

    Args:
        ascii_signs: The characters of ASCII in such runs.
    """
    # Those of ASCII are counted in one go.
    of_ascii = [text if text.isascii() else "" for text in texts]
    is_sign = np.isin(np.arange(256), np.frombuffer(ascii_signs, np.uint8))
    counted = np.cumsum(is_sign[np.frombuffer("".join(of_ascii).encode(), np.uint8)])
    ends = np.cumsum([0, *map(len, of_ascii)])
    found: FloatArray = np.diff(np.concatenate(([0], counted))[ends]).astype(float)
    for number, text in enumerate(texts):
        if not text.isascii():
            found[number] = len("".join(pattern.findall(text)))
    return found


def _matches(test: Callable[[str], re.Match[str] | None], texts: Sequence[str]) -> FloatArray:
    found = {text: float(test(text) is not None) for text in set(texts)}
    return np.array([found[text] for text in texts])
