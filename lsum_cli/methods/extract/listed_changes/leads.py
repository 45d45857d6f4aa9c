"""What the notes of a release say of it as a whole: prose above its lists, and sentences about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.listed_changes.change import plain_change
from lsum_cli.methods.extract.listed_changes.kinds import HIGHLIGHTS, OVERVIEW, kind_named_by
from lsum_cli.methods.extract.listed_changes.wording import is_minor, strength_of
from lsum_cli.methods.extract.release_names import release_named_by
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import split_terms

_THE_RELEASE = (
    r"(?:(?:note|attention|warning): )?(?:(?:with |in )?(?:this|the) (?:new |latest )?(?:[\w.-]+ ){0,2}?"
    r"(?:release|version|update)(?: of \w+)?|(?:(?-i:[A-Z])[\w.-]*[ -]){0,2}?(?:version |release )?"
    r"v?(?P<number>\d+(?:\.\d+)+))"
)
# "This release adds …", "Lathe 3.2 is a major release featuring …", "Highlights include …".
_IS_OF_RELEASE = regex(
    rf"(?:{_THE_RELEASE}(?:, (?:[\w.-]+ ){{0,3}}?| )"
    r"(?:also |now |primarily |mainly |mostly |officially |finally |we (?:\w+ )?)*"
    r"(?:add|bring|introduc|drop|remov|deprecat|replac|requir|improv|support|overhaul|simplif|unif|reorgani[sz]"
    r"|rewr[io]t|includ|contain|enabl|allow|provid|switch|mov|chang|migrat|updat|ship|bundl|fix|address"
    r"|is (?:an?|the|about|focus|all) |focus|feature|can\b|makes?\b|comes with\b|concentrat|implement)"
    r"|(?:the |some |main |major |key )*(?:highlights?|headline features?)"
    r"(?: (?:of|in|for) (?:this|the) (?:release|version))? (?:include|are)\b)",
    re.IGNORECASE,
)
_OF_ANY_RELEASE = regex(_THE_RELEASE, re.IGNORECASE)
# What those who make it say of themselves, or of its versions.
_IS_ASIDE = regex(
    r"\b(?:we|us|our|i['’]m|website|semver|versioning|(?:several|many|some|few|various) (?:\w+ )?bugs)\b|!$",
    re.IGNORECASE,
)
_MENDS = regex(
    r"\bno (?:new|other|major|functional|user|code|changes)\b|\bre-?release\b|\bbug[- ]?fix\b"
    r"|\bmostly (?:bug )?fixes\b|\bbunch of\b",
    re.IGNORECASE,
)
_FIRST = regex(r"\bfirst (?:stable|public|official|non-beta) (?:release|version)\b", re.IGNORECASE)
# What the notes of every release may say of it.
_EVERY = frozenset(
    split_terms(
        "a an and the this that these with of for in on to from by as is are was be has have it its"
        " also which we release releases version versions new feature features bug bugs bugfix bugfixes"
        " fix fixes fixed fixing improvement improvements enhancement enhancements change changes update"
        " updates updated issue issues various several many some few number large small minor major"
        " patch maintenance lot lots other numerous add adds added deprecations include includes"
        " included contain contains containing bring brings introduce introduces introduced brought tidy"
        " ups future will removed build builds wheel wheels binary featuring since last previous first"
        " well all available code documentation docs important notable only just main mainly mostly"
        " primarily following than more most highlights focus focused performance stability general"
        " internal cleanup cleanups correct corrects made make makes test tests out over been"
        " contributors thanks people work potentially backward backwards compatible incompatible break"
        " breaking bunch they unchanged"
    )
)
_FEWEST_OWN = 3


def lead_rows(candidates: Candidates, names: Sequence[str | None]) -> frozenset[int]:
    """The positions of the prose between the name of a release and its lists.

    Args:
        candidates: The sentences of the notes.
        names: The release that each is of; see ``release_of_sentences``.
    """
    return frozenset(_lead_rows(candidates, names))


def _lead_rows(candidates: Candidates, names: Sequence[str | None]) -> Iterator[int]:
    held: list[int] = []
    is_lead = False
    for row, name in enumerate(names):
        if name is None or not row or name != names[row - 1]:
            held, is_lead = [], name is not None
        if not is_lead:
            continue
        heading = candidates.sections[row].heading or ""
        is_below = not heading or release_named_by(candidates, heading) is not None
        is_below = is_below or kind_named_by(plain_heading(heading)) in (OVERVIEW, HIGHLIGHTS)
        if not is_below or (candidates.sentences[row].is_item and candidates.opens_paragraph[row]):
            yield from held
            is_lead = False
        else:
            held.append(row)


def tells_of_release(text: str, release: str | None) -> bool:
    """Whether a sentence says of its release as a whole what it brings, and not what every one could.

    Args:
        text: The sentence.
        release: The name of its release; "Ash 3.2 is supported" in one of another number is of Ash.
    """
    found = _IS_OF_RELEASE.match(plain_change(text))
    if found is None:
        return _FIRST.search(text) is not None
    is_own = found["number"] is None or found["number"] in (release or "")
    return is_own and _says_of_its_own(text) and _MENDS.search(text) is None


def leads_with_change(text: str) -> bool:
    """Whether a sentence above the lists of a release states one of the changes that it is known for."""
    return (
        strength_of(text) == 1
        and not is_minor(text)
        and _says_of_its_own(text)
        and _IS_ASIDE.search(text) is None
        and not is_of_any_release(text)
    )


def is_of_any_release(text: str) -> bool:
    """Whether a sentence is about a release as such; what it brings :func:`tells_of_release` knows."""
    return _OF_ANY_RELEASE.match(text) is not None


@lru_cache(maxsize=1 << 13)
def _says_of_its_own(text: str) -> bool:
    """Whether a sentence has words that the notes of other releases do not have."""
    words = {word for word in split_terms(text) if not word[0].isdigit()}
    return len(words - _EVERY) >= _FEWEST_OWN
