"""What a reader would quote: a linear ranker of sentences, fitted to sentences that readers chose.

Reference summaries reward words that come again in them; a reader rewards a sentence that says what the
document is for, can be read on its own, and is neither an example nor a detail. Readers chose the sentences
of some 1,300 documents by hand, and the weights here are fitted to their choices (a listwise loss, Cao et al.
2007): guides, proposals and talk, of which there are most, have weights of their own; the others common
weights, and for each kind what differs from them, both held small (a common part and parts for each domain,
Daumé 2007). ``benchmarks.summaries.choices`` fits and measures them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading
from lsum_cli.methods.extract.ranking.salience import standardised
from lsum_cli.methods.extract.sentences.gist import place_in_section
from lsum_cli.methods.extract.sentences.presentability import symbols_of
from lsum_cli.methods.extract.sentences.wording import Subject, is_metadiscourse, says_what, wording
from lsum_cli.methods.extract.structure import SECTIONS_OF_A_GUIDE, Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, distinct
from lsum_cli.text.verbs import has_verb

# Words that show what a sentence does; English, lower case.
_WORDS: Mapping[str, str] = {
    "we": "we our us",
    "you": "you your",
    "i": "i my",
    "reason": "because therefore thus hence since accordingly",
    "contrast": "but however although though while whereas instead rather unlike despite",
    "rule": "must shall should required requires cannot only",
    "ability": "allows allow enables enable lets provides provide supports support adds add introduces "
    "introduce defines define specifies specify",
    "future": "will would",
    "change": "new now removed remove deprecated deprecate default longer",
    "problem": "problem problems issue issues currently lack lacks cannot difficult limitation limitations "
    "unfortunately insufficient fail fails bug bugs inefficient risk risks",
    "example": "example instance suppose consider imagine e.g",
    "weight": "key main most importantly essential fundamental primary goal purpose aim objective motivation "
    "benefit advantage crucial central significant significantly",
    "doubt": "may might could perhaps possibly likely",
    "denial": "not no never neither nor",
    "past": "was were had did",
    "decision": "decided decide agreed agree should plan action budget design target price cost meeting "
    "project next",
    "court": "court congress petitioner respondent statute amendment act",
    "ruling": "held hold holding affirm affirmed reverse reversed vacate vacated remand remanded certiorari",
    "question": "whether question",
    "addition": "similarly similar also another other additionally furthermore moreover addition",
    "operation": "upgrade operators operator users user security cve",
    "repair": "fix fixes fixed bug",
    "pointing": "see refer above below following figure table section appendix",
    "upkeep": "thank thanks contribute contributing contributors contributions license licensed licence "
    "documentation docs website issues github",
}
_WORD = regex(r"[a-z]+(?:\.[a-z]+)?")
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "of_itself": regex(
        r"\b(?:this|the present|our|the current) (?:\w+ )?(?:paper|study|article|work|review|report|proposal"
        r"|pep|eip|erc|kep|rfc|mip|document|specification|enhancement|feature|change|standard|guide|chapter"
        r"|section|page|post|tutorial|book|manual|release|amendment|design|option|pattern|module|tool"
        r"|program|extension)\b"
    ),
    "we_do": regex(
        r"\bwe (?:\w+ly )?(?:propose|introduce|present|show|hold|conclude|describe|develop|suggest"
        r"|recommend|add|found|find|report|demonstrate|identified|observed)"
    ),
    "concludes": regex(
        r"\b(?:in (?:conclusion|summary|short|sum)|overall|taken together|we conclude|conclude that"
        r"|suggests? that|indicates? that|results? show|demonstrates? that)\b"
    ),
}
_OPENINGS: Mapping[str, re.Pattern[str]] = {
    "condition": regex(r"(?:if|when|where|once|after|before)\b"),
    "there_is": regex(r"(?:there (?:is|are)|it is|it was)\b"),
    "goes_on": regex(
        r"(?:also|additionally|furthermore|moreover|in addition|similarly|finally|first|second|then|next|and"
        r"|but|so)\b"
    ),
    "illustrates": regex(r"(?:for (?:example|instance)|suppose|consider|imagine|let['’]s|here)\b"),
    "labelled_feature": regex(r"(?:new )?features?:"),
    "labelled_upgrade": regex(r"(?:upgrade|deprecat\w+|security|critical|known issue)\b[^:]{0,12}:"),
    "labelled_fix": regex(r"(?:bug ?)?fix(?:es)?:"),
}
_HEADINGS: Mapping[str, re.Pattern[str]] = {
    "problem": regex(r"motivation|problem|background|context|why|use case", re.IGNORECASE),
    "proposal": regex(r"propos|decision|recommend|solution|design|approach|overview", re.IGNORECASE),
    "conclusion": regex(r"conclu|final|takeaway|lesson|summary", re.IGNORECASE),
    "introduction": regex(r"introduction|overview|about|purpose|scope|what is", re.IGNORECASE),
    "aside": regex(
        r"alternative|rejected|unresolved|open (?:issue|question)|future|prior art|related work|reference"
        r"|acknowledg|appendi|footnote|copyright|history|test|graduation|monitor|example|faq|non-goals"
        r"|troubleshoot|rollout|notes",
        re.IGNORECASE,
    ),
    "method": regex(
        r"method|material|procedure|experimental|participants|statistic|setup|data", re.IGNORECASE
    ),
    "result": regex(r"result|finding|evaluation|experiment", re.IGNORECASE),
    "discussion": regex(r"discussion|implication|limitation", re.IGNORECASE),
    "compatibility": regex(
        r"compatib|security|risk|impact|consequence|drawback|upgrade|migration|transition", re.IGNORECASE
    ),
    "rationale": regex(r"rationale|motivation|goals", re.IGNORECASE),
    "specification": regex(
        r"specification|detail|syntax|semantics|api|implementation|reference", re.IGNORECASE
    ),
}
_SIGNS = "?:;%“("
_IS_NOTE = regex(r"(?:note|warning|tip|important|caution)\b", re.IGNORECASE)
# A name of code, a path, a call; a stop within a word, but not at its end.
_CODE = regex(r"[_()\[\]{}=<>/\\]|\.(?=.)")
# Sentences within which one stands near its heading.
_NEAR = 4.0


class Weights(NamedTuple):
    """The weights of the ranker.

    Attributes:
        features: The names of the features.
        of_kind: For each kind of document one weight for each feature.
    """

    features: tuple[str, ...]
    of_kind: Mapping[str, FloatArray]


# The kinds of what is spoken: people who work something out, and people who answer at length.
TALK, HEARING = "talk", "hearing"
# A document of no known kind under headings, as guides, manuals and reports are: of so many sections.
GUIDE = "guide"
# With these nothing is preferred.
NO_WEIGHTS = Weights((), {})


def preference(
    candidates: Candidates,
    structure: Structure,
    salience: FloatArray,
    values: Mapping[str, FloatArray],
    weights: Weights | None = None,
) -> FloatArray:
    """How much a reader would prefer each sentence to the others; mean 0, standard deviation 1.

    Args:
        candidates: The sentences.
        structure: What is known of them.
        salience: Their salience.
        values: The features that it was made from.
        weights: By default the :func:`fitted_weights`.
    """
    names, of_kind = weights or fitted_weights()
    found = ranker_features(candidates, structure, salience, values)
    nothing = np.zeros(len(candidates))
    values_of = [found.get(name, nothing) for name in names]
    scores: FloatArray = np.column_stack(values_of) @ of_kind[kind_of_ranker(candidates, structure)]
    return standardised(scores)


def kind_of_ranker(candidates: Candidates, structure: Structure) -> str:
    """The kind of document whose weights count."""
    if structure.source_kind is SourceKind.CONVERSATION:
        from lsum_cli.methods.extract.conversations.utterances import is_hearing

        return HEARING if is_hearing(candidates) else TALK
    if structure.document_kind is DocumentKind.NOTES and structure.source_kind is not SourceKind.COLLECTION:
        # The weights of notes are fitted to folders of short ones; the notes of a release are one text.
        return str(DocumentKind.OTHER)
    if (structure.source_kind, structure.document_kind) == (SourceKind.PROSE, DocumentKind.OTHER):
        num_sections = len(distinct(candidates.section))
        return GUIDE if num_sections >= SECTIONS_OF_A_GUIDE else str(DocumentKind.OTHER)
    return str(structure.document_kind)


def ranker_features(
    candidates: Candidates, structure: Structure, salience: FloatArray, values: Mapping[str, FloatArray]
) -> dict[str, FloatArray]:
    """Every feature by name, with one value per sentence, mostly between 0 and 1; of talk a few more."""
    return {
        **_talk(candidates, structure),
        **values,
        "salience": standardised(salience) / 3,
        "rank": _rank(salience),
        "rank_of_centrality": _rank(values["centrality"]),
        **_from_structure(candidates, structure),
        **_place(candidates),
        **_cues([sentence.text for sentence in candidates.sentences]),
        **_under(candidates),
        **_worded(candidates, structure),
    }


def _talk(candidates: Candidates, structure: Structure) -> dict[str, FloatArray]:
    if structure.source_kind is not SourceKind.CONVERSATION:
        return {}
    from lsum_cli.methods.extract.conversations.talk import talk_features

    return talk_features(candidates)


def _from_structure(candidates: Candidates, structure: Structure) -> dict[str, FloatArray]:
    """What the structure says: whether it can be shown alone, and whether its place speaks for the whole."""
    count = len(candidates)
    found: dict[str, FloatArray | BoolArray | IntArray] = {
        "gist": structure.gist.weight / 2.5,
        "own_summary": structure.gist.is_own_summary,
        "gist_concludes": structure.gist.concludes,
        "alone": structure.first == np.arange(count),
        "not_taken": structure.first < 0,
        "points_back": structure.first != structure.first_by_opening,
        "presentable": structure.is_presentable,
        "of_others": ~structure.is_own,
        "unexplained": np.array([sum(needs.values()) for needs in structure.mentions.needs], float),
        "of_the_court": np.array(
            [section.role is SectionRole.OPINION for section in candidates.sections], bool
        ),
    }
    return {name: np.asarray(value, float) for name, value in found.items()}


def _place(candidates: Candidates) -> dict[str, FloatArray]:
    """Where a sentence stands: in its document, its section and its paragraph, and how long it is."""
    words, document = candidates.num_words, candidates.document
    numbers = np.arange(len(candidates))
    first = np.searchsorted(document, document)
    size = np.bincount(document)[document]
    at = numbers - first
    before = np.cumsum(words) - words
    share = (before - before[first]) / np.maximum(1, np.bincount(document, weights=words)[document])
    section = np.unique(candidates.section, return_inverse=True)[1]
    in_section = place_in_section(candidates)
    size_of_section = np.bincount(section)[section]
    last = section[first + size - 1]
    section_of_document = section - section[first]
    opens = candidates.opens_paragraph
    paragraph = np.cumsum(opens) - int(opens[:1].sum())
    size_of_paragraph = np.bincount(paragraph)[paragraph]
    in_paragraph = numbers - np.maximum.accumulate(np.where(opens, numbers, 0))
    found: dict[str, FloatArray | BoolArray | IntArray] = {
        **{f"tenth_{tenth}": (share * 10).astype(int) == tenth for tenth in (0, 1, 7, 8, 9)},
        "within_5_percent": at < 0.05 * size,
        "within_15_percent": (at >= 0.05 * size) & (at < 0.15 * size),
        "last_3_percent": at >= 0.97 * size,
        "first_3": at < 3,
        "first_8": at < 8,
        "last_5": size - at <= 5,
        "section_0": in_section == 0,
        "section_1": in_section == 1,
        "section_2": in_section == 2,
        "section_last": size_of_section - in_section <= 1,
        "section_share": in_section / size_of_section,
        "first_section": section_of_document == 0,
        "second_section": section_of_document == 1,
        "last_section": section == last,
        "last_sections": section >= last - 1,
        "no_sections": section[first] == last,
        "level": np.array([min(4, max(1, each.level)) for each in candidates.sections]) / 4,
        "opens_paragraph": opens,
        "ends_paragraph": in_paragraph == size_of_paragraph - 1,
        "size_of_paragraph": np.log1p(size_of_paragraph) / 3,
        "whole_paragraph": size_of_paragraph == 1,
        "words": np.log1p(words) / 4,
        "below_8_words": words < 8,
        "below_14_words": words < 14,
        "above_30_words": words > 30,
        "above_45_words": words > 45,
    }
    return {name: np.asarray(value, float) for name, value in found.items()}


def _cues(texts: Sequence[str]) -> dict[str, FloatArray]:
    """What words and signs say that a sentence does."""
    lowered = [text.lower() for text in texts]
    bits = _bits_of_words()
    masks = np.array([_mask(_WORD.findall(text), bits) for text in lowered], np.int64)
    found = {f"says_{name}": ((masks >> place) & 1).astype(float) for place, name in enumerate(_WORDS)}
    found |= {
        name: np.array([pattern.search(text) is not None for text in lowered], float)
        for name, pattern in _PATTERNS.items()
    }
    found |= {
        name: np.array([pattern.match(text) is not None for text in lowered], float)
        for name, pattern in _OPENINGS.items()
    }
    found |= {f"sign_{sign}": np.array([sign in text for text in texts], float) for sign in _SIGNS}
    colon, question = found["sign_:"], found["sign_?"]
    found |= {
        "after_colon": np.concatenate(([0.0], colon[:-1])),
        "after_question": np.concatenate(([0.0], question[:-1])),
        "before_example": np.concatenate((found["says_example"][1:], [0.0])),
        "commas": np.array([min(5, text.count(",")) for text in texts]) / 5,
    }
    return found


def _worded(candidates: Candidates, structure: Structure) -> dict[str, FloatArray]:
    """How the sentences of a guide are worded, and where they stand in its sections and lists."""
    if kind_of_ranker(candidates, structure) != GUIDE:
        return {}
    headings = [section.heading or "" for section in candidates.sections]
    subjects = {heading: Subject.of(heading) for heading in {*candidates.titles, *headings}}
    found = {name: np.zeros(len(candidates)) for name in _wording("", Subject.of(""), Subject.of(""))}
    # What cannot be shown is not chosen, however it is worded.
    for row in np.flatnonzero(structure.is_presentable).tolist():
        text = candidates.sentences[row].text[int(structure.offset[row]) :]
        for name, value in _wording(text, subjects[headings[row]], subjects[candidates.titles[row]]).items():
            found[name][row] = value
    near = np.exp(-place_in_section(candidates) / _NEAR)
    words_of_section = np.bincount(candidates.section, weights=candidates.num_words)[candidates.section]
    found |= _in_lists(candidates)
    found |= {"near_heading": near, "near_heading_of_much": near * np.log1p(words_of_section) / 7}
    return {f"guide_{name}": values for name, values in found.items()}


def _wording(text: str, heading: Subject, title: Subject) -> dict[str, float]:
    words = text.split()
    return {
        **wording(text, heading),
        "names_title": title.share_named(text),
        "metadiscourse": is_metadiscourse(text),
        "says_what": says_what(text),
        "can_be": " can be " in text,
        "is_note": _IS_NOTE.match(text) is not None,
        "ends_with_colon": text.endswith(":"),
        "has_no_stop": text[-1:].isalnum() or text.endswith(")"),
        "has_verb": bool(words) and has_verb(words),
        "symbols": symbols_of(text) / max(1, len(text)),
        "code": sum(_CODE.search(word) is not None for word in words) / max(1, len(words)),
        "capitals": sum(word[:1].isupper() for word in words[1:]) / max(1, len(words)),
    }


def _in_lists(candidates: Candidates) -> dict[str, FloatArray]:
    """Whether each sentence begins an item of a list, the first one, and how many items the list has."""
    is_item = np.array([sentence.is_item for sentence in candidates.sentences], bool)
    size, is_first = np.zeros(len(candidates)), np.zeros(len(candidates))
    rows: list[int] = []
    for row in range(len(candidates) + 1):
        is_over = row == len(candidates) or not (
            is_item[row] if not rows or candidates.opens_paragraph[row] else True
        )
        if rows and (is_over or candidates.section[row] != candidates.section[rows[0]]):
            size[rows], is_first[rows[0]] = is_item[rows].sum(), 1
            rows = []
        if not is_over:
            rows.append(row)
    return {"item": is_item.astype(float), "size_of_list": np.log1p(size) / 3, "first_item": is_first}


def _mask(words: Sequence[str], bits: Mapping[str, int]) -> int:
    mask = 0
    for word in words:
        mask |= bits.get(word, 0)
    return mask


@cache
def _bits_of_words() -> Mapping[str, int]:
    """For each word a number with the bit of each group that it is in."""
    bits: dict[str, int] = {}
    for place, group in enumerate(_WORDS.values()):
        for word in group.split():
            bits[word] = bits.get(word, 0) | 1 << place
    return bits


def _under(candidates: Candidates) -> dict[str, FloatArray]:
    """What kind of heading a sentence stands under."""
    headings = [plain_heading(section.heading) for section in candidates.sections]
    found = {}
    for name, pattern in _HEADINGS.items():
        matches = {heading: float(pattern.search(heading) is not None) for heading in set(headings)}
        found[f"under_{name}"] = np.array([matches[heading] for heading in headings])
    return found


def _rank(values: FloatArray) -> FloatArray:
    """The share of the others that each value is above."""
    ranks: FloatArray = np.argsort(np.argsort(values, kind="stable")) / max(1, len(values) - 1)
    return ranks


@cache
def fitted_weights() -> Weights:
    """The weights that were fitted to what readers chose."""
    fitted = json.loads(Path(__file__).with_name("ranker.json").read_text(encoding="utf-8"))
    return Weights(
        features=tuple(fitted["features"]),
        of_kind={kind: np.array(weights, float) for kind, weights in fitted["weights"].items()},
    )
