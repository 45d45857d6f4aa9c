"""One change that release notes list, and its text as it is shown: without its mark, number and author."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.kinds import (
    COMMITTED,
    IN_BRACKETS,
    LINK_BEFORE,
    SECURITY,
    TAG,
    drops_support,
    kind_named_by,
    label_before,
    numbers_flaw,
    platform_supported,
)
from lsum_cli.text.patterns import regex

# With fewer words a change is not understood; it is counted.
FEWEST_WORDS = 4
# "GateKeeper improvements: …" says first what is improved.
_NAMES_A_PART = regex(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
# "Added Gate.open() method": what is added or removed has a name, and what it is.
_NAMES_ENOUGH = regex(
    r"(?:[*•-]+ )?(?i:add(?:ed|s)?|new|introduced?|remov(?:ed|es?)|dropp?(?:ed|s)?|deprecate[sd]?"
    r"|rename[sd]?) (?:the )?"
    r"(?:`[^`]+`|[A-Z][\w-]*[a-z]\w*|[\w-]+[._(/][\w.()/-]*|--?\w[\w-]*) [a-z]{4,}\.?"
)
# "** libname: ", "feat(parser)!: ", "gh-123: ", "gh-issue-123: ", "#123, #124: ", "PR #123: (kira) ",
# "e3ebff9bce "; a name that says what part changed stays.
_MARK = regex(
    # "o xgettext …", "b. The …"
    r"(?:[*•-]+ |: |(?-i:o (?=\S)|([a-z])\1{0,3}\. (?=[A-Z\"'`])))?"
    rf"(?:\[(?:{IN_BRACKETS})\]:? (?=\S))?"
    r"(?:(?:feat|fix|perf)(?:\([^()]*\))?!?: |(?:gh-|bpo-|issue |bug )?#?\d{3,}(?::| -) |(?:gh"
    r"(?:-issue)?|bpo)-\d+: |(?:bug(?: ?fix)?|feature|issue)s?:? #\d+(?:[/,] ?#?\d+)*+: "
    r"|(?:issue|pull request) #\d+(?:, (?:issue|pull request) #\d+)*+: "
    r"|#\d++(?:, ?#\d++)*+(?:: | (?-i:(?=[A-Z])))"
    r"|(?:PR|(?:git )?ISSUE) (?:[\w.-]+/[\w.-]+)?#?\d+: (?:\([\w-]+\) )?(?:\[\d[\d.]*\] )?"
    r"|PR #?\d+ - (?:PR: )?"
    r"|\(#\d++(?:, ?#\d++)*+\) (?-i:(?=[A-Z]))"
    r"|(?=[a-f]*\d)[0-9a-f]{7,40} (?-i:(?=[A-Z]))"
    # "02/07/2020 Removed …": its release says when.
    r"|\(?(?:\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d)\)?:? (?=(?:add|chang|creat|deprecat|drop|fix|improv"
    r"|merg|mov|refactor|refin|remov|renam|support|updat)(?:p?ed|e[sd]?|s|es|ing)?\b)"
    rf"|{LINK_BEFORE})?",
    re.IGNORECASE,
)
# What ends "by @kira" so that it must go with it, or neither does.
_DONE = (
    r"(?:pr|patch|contributed|found|spotted|noticed|discovered|(?:reported and )?patched|reported|fixed"
    r"|suggested|proposed|implemented|requested)"
)
# "by @kira in https://…/pull/812", "(#820) (abc1234)", ", closes #815", "(Closes: #1044000)", "(Kira Dahl,
# PR 7)". What is taken of a list of numbers is not given back: where it is not at the end of a change, no
# part of it is.
_CREDIT = regex(
    rf"(?:(?: ?[,;])?(?: |(?=[(\[]))(?:[(\[] ?)?(?:(?:{_DONE} )?by @[\w-]+"
    r"(?:\[bot\])?(?: \(\d{2,}(?:, \d{2,})*+\))?"
    r"|@ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|(?:in|via) https?://\S+"
    r"|(?:see:? )?https?://\S+/(?:pull|issues|commit|merge_requests)/\w+"
    r"|(?<=\()(?:(?:pull request|pr) )?#\d++,? by (?-i:[^\W\d_][\w.-]*(?: [A-Z][\w.-]*){0,3})(?=\))"
    r"|(?:gh )?(?:(?:in|via|closes:?|fix(?:es|ed)|resolves|merged?|issue|bug|pr|pull(?: request)?|see"
    r"|refs?:?) ?)?"
    r"(?:[\w.-]+/[\w.-]+)?#\d++(?:,? (?:and )?(?:gh (?:issue|pr) )?#\d++)*+"
    r"(?:, (?=[a-f]*\d)[0-9a-f]{7,40}(?=\)))?+"
    r"|(?<=\()(?-i:(?:by )?[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*){0,3}, PRs? )#?\d+"
    r"(?:(?:,| and) #?\d+)*+(?=\))"
    r"|(?<=\()(?=[a-f]*\d)[0-9a-f]{7,40} by (?-i:[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*){0,3})(?=\))"
    r"|(?<=\()(?:gh|bpo)-\d+(?=\)))(?: ?[)\]])?|(?: ?\()(?=[a-f]*\d)[0-9a-f]{7,40}\))++",
    re.IGNORECASE,
)
# What a number belongs to: "the fix for #12" is no credit.
_NEEDS_NUMBER = regex(r"\b(?:for|in|of|to|from|with|by|and|or|than|as|see|per|like|on)$", re.IGNORECASE)
# The name of an account, in brackets or after thanks, at the end of a change; "(@property)" is what some
# languages write before a function or a rule.
_ACCOUNT = (
    r"@(?!(?:property|dataclass|(?:static|class|abstract)method|overload|override|final|cached|wraps|media|import"
    r"|param|returns?|throws|deprecated|latest|next|types|page|keyframes|supports|layer|container)\b)"
    r"[a-z\d](?:-?[a-z\d])*+(?![\w./@])(?:\[bot\])?"
)
_ACCOUNTS = rf"{_ACCOUNT}(?:(?:, and|,| and| &) {_ACCOUNT})*+"
_MADE_BY = (
    r"(?:(?:many |special )?(?:thanks|thx)(?: to| for (?:reporting|the report))?,?"
    rf"|(?:{_DONE} )?by)"
)
_NAMED = r"(?-i:[A-Z](?:[\w.-]*\w)?(?: [A-Z](?:[\w.-]*\w)?){0,3}|[a-z]++[\d_][\w-]*)"
# "Kira Dahl (@kira)" or "kira_92": "thanks to caching", "to Windows" or "to Apple Silicon" may be a reason.
_NAME = r"[A-ZÀ-Þ][\w.'’-]*(?: [A-ZÀ-Þ][\w.'’-]*){1,3}"
_NICKNAME = r"[a-z]++[\d_][\w-]*"
_PERSON = rf"(?:{_NAME} (?:{_ACCOUNT}|\({_ACCOUNT}\))|{_NICKNAME})"
_PEOPLE = rf"(?-i:{_PERSON}(?:(?:, and|,| and| &) {_PERSON})*+)"
_THANKS = regex(
    rf"(?: \((?:{_MADE_BY} )?{_ACCOUNTS}(?: #\d+)?(?:,? ?-? ?(?:thanks|thx))?!?\)"
    rf"|,? (?:(?:--|[—–]) ?)?{_MADE_BY} {_ACCOUNTS}!?"
    rf"| \((?:many |special )?(?:thanks|thx)(?:,? to)?:? {_PEOPLE}!?\)"
    # "(#12) -- Kira Dahl", "(#12) Kira Dahl", "(#12) @kira"
    r"|(?:,? \((?:[\w.-]*#\d+(?:, #\d+)*+|[0-9a-f]{7,40})\))++"
    rf" (?:-- [^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*){{0,3}}|(?-i:{_NAME})|{_ACCOUNTS})"
    # "-- by Kira Dahl" and "-- by kira_92", but not "-- by default", "-- by half", "-- by 30x".
    rf"| -- by {_NAMED}(?:(?:,? and|,) {_NAMED})*)"
    r"(?P<stop>\.?)$",
    re.IGNORECASE,
)
# "(thanks to Kira Dahl) (#12)", which goes where the notes list her.
_THANKED_AT_END = regex(
    r" \((?:(?:many |special )?(?:thanks|thx)(?:,? to)?:?|by) (?P<people>(?-i:"
    rf"(?:{_NAME}|{_NICKNAME})(?:(?:, and|,| and| &) (?:{_NAME}|{_NICKNAME}))*+))!?\)"
    r"(?P<stop>(?: \(#\d++\))?\.?)$",
    re.IGNORECASE,
)
_IS_NICKNAME = regex(_NICKNAME)
_ACCOUNT_BESIDE = regex(r" \(?@[\w-]+\)?$")
# "Doors are closed by @kira" is not cut to "Doors are closed".
_ENDS_DONE = regex(
    r"(?:\w[^\We]ed|\b(?:built|chosen|done|drawn|given|held|kept|made|seen|sent|shown|taken|written))$",
    re.IGNORECASE,
)
# "reported by @kira (#12) and fixed by @kira"
_GOES_ON = regex(r"(?:\band|\bor|[,&])$", re.IGNORECASE)
_BARE_BY = regex(r" by @[\w-]+(?:\[bot\])?\.?")
# "#12 (kira-92)", as tools write who made a change; not what part of it or what it runs on.
_LOGIN = r"[a-z\d](?:-?[a-z\d])*+(?:\[bot\])?"
_FULL_NAME = r"[A-ZÀ-Þ][\w.'’-]*(?: [\w.'’-]+){0,2} [A-ZÀ-Þ][\w.'’-]*"
_MAKER = regex(
    r"(?P<number>#\d++\)?) \((?P<makers>(?!(?:alpha|backport(?:ed)?|beta|breaking|deprecated|disabled"
    r"|experimental|internal|linux|macos|opt-(?:in|out)|optional|part|partial(?:ly)?|python|regression|security|unix|windows"
    rf"|\d+x)\b)(?:(?-i:{_FULL_NAME}(?:(?:, | and ){_FULL_NAME})*+)|{_LOGIN}(?:(?:, | and ){_LOGIN})*+))\)"
    r"(?P<stop>\.?)$",
    re.IGNORECASE,
)
_IS_LOGIN = regex(_LOGIN)
_ENDS_WITH_NUMBER = regex(r"#\d++\)?(?: \([^()]*\))?\.?$")
# "… -- by kira.", "… (#12) by kira." and "… - via @kira", where so many changes end so, and some with the
# same name.
_BY_ACCOUNT = regex(
    r"(?:(?: --|(?<=\d\))) by |(?: -)? via @)"
    r"(?P<name>(?!(?:default|half|hand|design|itself|name|value|reference|index|key|now)\b)"
    r"[a-z][\w-]*)(?:(?:, and|,| and) [\w-]+)*(?P<stop>\.?)$",
    re.IGNORECASE,
)
_FEWEST_BY = 6
# Of what ends with a number, closed issues included, and how many at least.
_LEAST_MADE, _FEWEST_MADE = 1 / 3, 3
# "Fix the order of gates (Kira Dahl, Ada van Brook)", in notes where so many of the paragraphs end so.
_CREDITED = regex(rf" \((?P<people>{_FULL_NAME}(?:, {_FULL_NAME})*+)\)$")
_LEAST_CREDITED, _FEWEST_CREDITED = 0.2, 8
# Whom the notes name as people: "(Internet Explorer)" and "(Apple Silicon)" say where a change counts.
_LISTS_PEOPLE = regex(
    r"(?:list of )?(?:contributors|authors|committers|acknowledge?ments|credits|thanks)\b", re.IGNORECASE
)
_NAMES = regex(_FULL_NAME)
_THANKED = regex(
    rf"\b(?i:thanks to|(?:contributed|patch|patched|reported|suggested|written) by) (?P<name>{_FULL_NAME})"
)
_BETWEEN_NAMES = regex(r"(?:, and|,| and| &) ")
# Not "`gate' and `lock'".
_BACKTICKS = regex(r"(?<![\w`])(`{1,2})(?![^`\s]*'(?:[\s.,;:)]|$))([^`]+)\1(?![\w`])")
# "Backwards-incompatible: …", "**Removed**: …"
_SAYS_IT_BREAKS = regex(
    r"(?:\[?breaking(?:[ -]change)?\]?|backwards?[- ]incompatible): ?(?=\S)", re.IGNORECASE
)
_BOLD = regex(r"^\*\*([^*]+)\*\*(?=[: ])")


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change.

    Attributes:
        rows: The positions of its sentences.
        speaks: That of the sentence which says it; ``None`` where none can be shown.
        kind: The position of its kind in :data:`~lsum_cli.methods.extract.listed_changes.kinds.KINDS`.
        release: The release it is of, as the document writes it.
        topic: The heading of its section, where that names neither a kind nor a release.
        place: How many changes its section lists before it.
        is_commit: Whether it is a line of a list of commits or merged changes.
        beside: The position of a sentence that is quoted with it where there is room: of a security issue the
            flaw, or the remedy.
        clarity: How clearly the sentence states a change, and not how it was before: from about -1 to 2.
    """

    rows: tuple[int, ...]
    speaks: int | None
    kind: int
    release: str | None = None
    topic: str | None = None
    place: int = 0
    clarity: float = 0.0
    is_commit: bool = False
    beside: int | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        # No other change has its sentences, and to hash all fields takes longer.
        return hash(self.rows)

    @property
    def row(self) -> int:
        """The position of the sentence that is shown of it, of one that cannot be shown the first."""
        return self.rows[0] if self.speaks is None else self.speaks

    @property
    def shown(self) -> tuple[int, ...]:
        """The positions of the sentences that are shown of it."""
        return (self.row,) if self.beside is None else tuple(sorted((self.row, self.beside)))

    @property
    def is_issue(self) -> bool:
        """Whether it is a security issue that a section explains."""
        return self.kind == SECURITY and self.topic is not None


@lru_cache(maxsize=1 << 13)
def plain_change(text: str) -> str:
    """A change without its mark and number, without who made it where, and without backticks."""
    made = _without_mark(text)
    made = _BACKTICKS.sub(r"\2", made) if "`" in made else made
    made = _BOLD.sub(r"\1", made)
    # "libfoo: …" keeps its small letter.
    return made[:1].upper() + made[1:] if COMMITTED.match(text) or text.startswith(": ") else made


def _without_mark(text: str) -> str:
    """A change without its mark and number, and without who made it."""
    found = TAG.match(text) or _MARK.match(text)
    return _without_credit(text[found.end() :] if found else text).strip()


def says_enough(text: str) -> bool:
    """Whether a change has words enough to be understood: few, if they name what is new, ended or a flaw."""
    plain = plain_change(text)
    return (
        len(plain.split()) >= FEWEST_WORDS
        or _NAMES_ENOUGH.fullmatch(plain) is not None
        or numbers_flaw(text)
        or drops_support(text)
        or platform_supported(text) is not None
    )


@lru_cache(maxsize=1)
def names_makers(candidates: Candidates) -> bool:
    """Whether changes with a number, as a rule, end with an account in brackets: "#12 (kira)"."""
    texts = [each.text for each in candidates.sentences if "#" in each.text]
    ends = [text for text in texts if _ENDS_WITH_NUMBER.search(text) is not None]
    made = sum(_MAKER.search(text) is not None for text in ends)
    return made >= max(_FEWEST_MADE, _LEAST_MADE * len(ends))


@lru_cache(maxsize=1)
def credits_people(candidates: Candidates) -> bool:
    """Whether changes, as a rule, end with the names of people in brackets; what does not explains one."""
    opens = [
        sentence.text
        for sentence, is_first in zip(candidates.sentences, candidates.opens_paragraph.tolist(), strict=True)
        if is_first
    ]
    found = sum(ends_with_people(text) for text in opens)
    return found >= max(_FEWEST_CREDITED, _LEAST_CREDITED * len(opens))


@lru_cache(maxsize=1)
def credits_accounts(candidates: Candidates) -> bool:
    """Whether several changes end with a name in small letters: "-- by kira", but not "-- by half"."""
    found = [_BY_ACCOUNT.search(each.text) for each in candidates.sentences if _names_account(each.text)]
    names = Counter(each["name"] for each in found if each is not None)
    return names.total() >= _FEWEST_BY and max(names.values()) >= _FEWEST_MADE


def _names_account(text: str) -> bool:
    return " by " in text or " via @" in text


@lru_cache(maxsize=1)
def _contributors_of(candidates: Candidates) -> frozenset[str]:
    """The names that notes list as those of contributors."""
    found: set[str] = set()
    for sentence, section in zip(candidates.sentences, candidates.sections, strict=True):
        if _LISTS_PEOPLE.match(section.heading or "") is not None:
            names = (
                _ACCOUNT_BESIDE.sub("", name.strip(" .*•-")) for name in _BETWEEN_NAMES.split(sentence.text)
            )
            found.update(name for name in names if _NAMES.fullmatch(name))
    return frozenset(found)


@lru_cache(maxsize=1)
def _people_of(candidates: Candidates) -> frozenset[str]:
    """The names that notes list as those of contributors, or thank."""
    thanked = {
        each["name"].rstrip(".")
        for sentence in candidates.sentences
        if " by " in sentence.text or "hanks to " in sentence.text
        for each in _THANKED.finditer(sentence.text)
    }
    return _contributors_of(candidates) | thanked


def _are_people(candidates: Candidates, names: str) -> bool:
    """Whether all of these names are of people, and none is of what a change is restricted to."""
    known = _people_of(candidates)
    return all(name in known or _IS_LOGIN.fullmatch(name) for name in _BETWEEN_NAMES.split(names))


def ends_with_people(text: str) -> bool:
    """Whether a sentence ends with the names of people in brackets."""
    return text.endswith(")") and _CREDITED.search(text) is not None


def without_maker(candidates: Candidates, text: str) -> str:
    """A change without the account at its end, if its document names who made each."""
    if _names_account(text) and credits_accounts(candidates) and (by := _BY_ACCOUNT.search(text)):
        return text[: by.start()] + by["stop"]
    if not text.rstrip(".").endswith(")"):
        return text
    if (thanked := _THANKED_AT_END.search(text)) and all(
        name in _contributors_of(candidates) or _IS_NICKNAME.fullmatch(name)
        for name in _BETWEEN_NAMES.split(thanked["people"])
    ):
        return text[: thanked.start()] + thanked["stop"]
    if credits_people(candidates) and (people := _CREDITED.search(text)):
        return text[: people.start()] if _are_people(candidates, people["people"]) else text
    if not names_makers(candidates):
        return text
    made = _MAKER.search(text)
    if made is None or (" " in made["makers"] and not _are_people(candidates, made["makers"])):
        return text
    return text[: made.end("number")] + made["stop"]


def _without_credit(text: str) -> str:
    """A change without who made it where, if that is its end."""
    if not any(sign in text for sign in ("#", "@", "//", "(", "-- by ")):
        return text
    # "(@kira) (#12)", "(#12) (@kira)"
    return _without_thanks(_without_numbers(_without_thanks(text)))


def _without_thanks(text: str) -> str:
    """A change without thanks to an account at its end; what is about such signs keeps them."""
    found = None if "decorator" in text.lower() else _THANKS.search(text)
    if found is None or _is_by_whom(text, found) or _GOES_ON.search(text, 0, found.start()):
        return text
    return text[: found.start()] + found["stop"]


def _is_by_whom(text: str, found: re.Match[str]) -> bool:
    """Whether "by @kira" belongs to the verb before it."""
    return _BARE_BY.fullmatch(found[0]) is not None and _ENDS_DONE.search(text, 0, found.start()) is not None


def _without_numbers(text: str) -> str:
    last = max(_CREDIT.finditer(text), key=re.Match.end, default=None)
    stop = text[last.end() :].strip() if last else ""
    if (
        last is None
        or stop not in ("", ".")
        or _is_by_whom(text, last)
        or (last[0].strip()[:1] not in "([" and _NEEDS_NUMBER.search(text, 0, last.start()))
    ):
        return text
    made = text[: last.start()] + stop
    # "(e.g. 20200229, issue #301)"
    return text if any(made.count(opens) > made.count(closes) for opens, closes in ("()", "[]")) else made


def asks(text: str) -> bool:
    """Whether a line is a question, as the titles of many reports are."""
    # "Allow `gate?`" asks nothing.
    return _without_mark(text).endswith("?")


def is_shortened(text: str) -> bool:
    """Whether the tool that lists titles has cut the end of this one."""
    return text.rstrip().endswith(("...", "…"))


def without_label(text: str) -> str:
    """A change without the label of its kind before it."""
    if (breaks := _SAYS_IT_BREAKS.match(text)) is not None:
        return text[breaks.end() :]
    found = label_before(text)
    if found is None or kind_named_by(found["label"]) < 0 or _NAMES_A_PART.search(found["label"]):
        return text
    return text[found.end() :]
