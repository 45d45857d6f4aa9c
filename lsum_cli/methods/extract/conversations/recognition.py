"""Whether a source is the minutes of a meeting."""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.attendance import heads_list, opens_list
from lsum_cli.methods.extract.conversations.resolutions import Mark, read_minutes
from lsum_cli.methods.extract.kinds import DocumentKind, plain_heading, speaker_of
from lsum_cli.text.patterns import regex

_IS_MINUTES = regex(
    r"\bminutes\b(?! (?:to|from|of (?:fame|your|video|music)|later|ago|away|a|per|each|every|before|after)\b)"
    r"|\bmeeting notes\b"
    r"|\bnotes of (?:the )?meeting\b|\bniederschrift\b|\bprotokoll\b|\bprocès-verbal\b",
    re.IGNORECASE,
)
# "Pancakes in 20 minutes", "stir for a few minutes".
_TIME = regex(
    r"\b(?:\d+|in|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|sixty|few"
    r"|couple of|several|many|more|last|next|within|only|just) minutes\b",
    re.IGNORECASE,
)
# Headings of dated meetings, one after another: "December 2, 2019 [Public Meeting]", "July 5", "2024-03-11".
_DATED = regex(
    r"(?:\d{4}-\d\d-\d\d"
    r"|(?:\d{1,2} )?[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4})?"
    r"|\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?)\b.{0,40}"
)
_OF_MYSELF = regex(r"\b(?:I|[Mm]y|[Mm]e|[Ii]ch|[Mm]ein\w*|[Mm]ir|[Mm]ich)\b")
_LEAST_OF_MYSELF = 0.25
_OPENS_MEETING = regex(r"\bmeeting\b", re.IGNORECASE)
_LEAST_MARKED, _LEAST_SHARE = 2, 0.02
# Of dated entries that call themselves nothing, and list nobody.
_LEAST_OF_DATED, _SHARE_OF_DATED = 3, 0.1
_OPENING_PARAGRAPHS = 8
# A title, or an opening line, has so many words at most.
_LONGEST_LINE = 14


def are_minutes(candidates: Candidates, document_kind: DocumentKind) -> bool:
    """Whether a source is the minutes of one meeting: it calls itself so, or lists who was there.

    And it marks decisions or tasks. A transcript does neither. A paper determines and concludes, and has
    participants; a diary has dates, and decides much.
    """
    is_several = candidates.document[0] != candidates.document[-1]
    if is_several or document_kind is DocumentKind.DECISION:
        return False
    is_named, is_dated = _calls_itself_minutes(candidates), _is_dated(candidates)
    if not (is_named or is_dated or _may_list_present(candidates)):
        return False
    minutes = read_minutes(candidates)
    if document_kind is DocumentKind.PAPER and not minutes.lists_present:
        return False
    marked = sum(item.mark is not Mark.MOTION for item in minutes.items)
    if is_named or minutes.lists_present:
        if minutes.lists_present and (is_named or _OPENS_MEETING.search(_heading_of(candidates))):
            return True
        return marked >= max(_LEAST_MARKED, _LEAST_SHARE * len(candidates))
    least = max(_LEAST_OF_DATED, _SHARE_OF_DATED * len(candidates))
    return is_dated and marked >= least and not _is_diary(candidates)


def _is_diary(candidates: Candidates) -> bool:
    """Whether many sentences speak of the one who writes; minutes do where they quote who speaks."""
    texts = [sentence.text for sentence in candidates.sentences]
    own = sum(_OF_MYSELF.search(text) is not None and speaker_of(text) is None for text in texts)
    return own >= _LEAST_OF_MYSELF * len(texts)


def _calls_itself_minutes(candidates: Candidates) -> bool:
    """Whether the title, the first heading or a short first line says that these are minutes."""
    opening = [
        candidates.sentences[row].text
        for row in np.flatnonzero(candidates.opens_paragraph)[:_OPENING_PARAGRAPHS].tolist()
        if candidates.num_words[row] <= _LONGEST_LINE
    ]
    return any(_IS_MINUTES.search(_TIME.sub("", text)) for text in (_heading_of(candidates), *opening))


def _heading_of(candidates: Candidates) -> str:
    """The title and the first heading."""
    return f"{candidates.titles[0]} {(candidates.sections[0].path or '').split(PATH_BREAK)[0]}"


def _may_list_present(candidates: Candidates) -> bool:
    """Whether any heading or paragraph may be a list of those present."""
    paths = {part for section in candidates.sections for part in (section.path or "").split(PATH_BREAK)}
    return any(heads_list(plain_heading(part)) for part in paths) or any(
        opens_list(candidates.sentences[row].text)
        for row in np.flatnonzero(candidates.opens_paragraph).tolist()
    )


def _is_dated(candidates: Candidates) -> bool:
    """Whether most headings of the first level are dates."""
    top = {(section.path or "").split(PATH_BREAK)[0] for section in candidates.sections} - {""}
    dated = sum(_DATED.fullmatch(part) is not None for part in top)
    return dated >= 2 and 2 * dated > len(top)
