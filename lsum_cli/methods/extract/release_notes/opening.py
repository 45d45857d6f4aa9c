"""What a changelog begins with, before its first release: what the program is, by which rules it is numbered.

The page of a package often has its description and then its whole changelog; whoever reads its summary wants
to know first what it is.
"""

from __future__ import annotations

import re

from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.listed_changes.releases import release_of_sentences
from lsum_cli.methods.extract.listed_changes.wording import is_trifle
from lsum_cli.text.patterns import regex

# What every changelog begins with; that a rule for its numbers is meant says little, what that is says more.
ABOUT_THE_FILE = regex(
    r"notable changes|keep a changelog|semantic versioning|calendar versioning|semver|calver"
    r"|documented (?:in|here)|versions follow|changelog|release notes|change log|add your (?:entry|change)"
    r"|\bthis file (?:lists|describes|contains|summari[sz]es)\b|\b(?:pull request|issue|ticket) numbers\b"
    r"|\bchanges are listed\b"
    # Whom the file is for, and where to hear of releases.
    r"|\bsubscribe to\b"
    r"|\btowncrier\b|news ?fragments?|\bchanges since\b|\b(?:first|second|third|last) number\b",
    re.IGNORECASE,
)
_RULES = regex(r"\b(?:backwards?|deprecat\w+)\b", re.IGNORECASE)
# How to get and to build it, and where to ask, is of no release.
_OF_A_GUIDE = regex(
    r"(?:how to )?(?:install\w*|download\w*|build\w*|contribut\w*|contact|support|licen[cs]e|credits?"
    r"|authors?|documentation|links|development|test\w*|table of contents|contents)\b",
    re.IGNORECASE,
)
# So many words at least are more than a line about the file, and so many are told, of a summary of so many.
_FEWEST, _MOST, _LEAST_OF_SUMMARY = 8, 70, 80
# The share of the words that it takes, and so many it may in any case.
_SHARE, _ALWAYS = 0.3, 45
_LONG = 40  # words
# With fewer words a sentence is a remark.
_SHORTEST = 5


def opening_of(extractor: Extractor, num_words: int) -> list[int]:
    """The positions of the sentences before the first release that a summary of so many words tells.

    The first of them says what the program is, if it is short.
    """
    candidates, structure = extractor.candidates, extractor.structure
    names = release_of_sentences(candidates)
    first = next((row for row, name in enumerate(names) if name is not None), 0)
    rows = []
    for row in range(first):
        text = candidates.sentences[row].text
        if (
            bool(structure.stands_alone[row])
            and candidates.num_words[row] >= _SHORTEST
            and text.endswith(".")
            and (ABOUT_THE_FILE.search(text) is None or _RULES.search(text) is not None)
            and not is_trifle(text)
            and _OF_A_GUIDE.match(candidates.sections[row].heading or "") is None
        ):
            rows.append(row)
    if num_words < _LEAST_OF_SUMMARY or sum(int(candidates.num_words[row]) for row in rows) < _FEWEST:
        return []
    given = rows[:1] if candidates.num_words[rows[0]] <= _LONG else []
    room = min(_MOST, max(_ALWAYS, int(_SHARE * num_words)))
    return extractor.select(room, extractor.mask(rows), given=given)
