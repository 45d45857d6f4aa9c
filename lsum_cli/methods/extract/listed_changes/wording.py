"""The wording of release notes: whether a sentence states a change, how it was before, or a trifle."""

from __future__ import annotations

import re
from functools import lru_cache

from lsum_cli.methods.extract.kinds import titles_notes
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import content_stems, is_function_word, split_terms

# How it was before; how it is now is in the sentence after.
_BEFORE = regex(
    r"(?:previously|formerly|up to now|until now|until version|prior to|before this|in the past|originally"
    r"|historically|in (?:previous|earlier|prior|older) (?:versions?|releases?))\b",
    re.IGNORECASE,
)
# What a sentence says that states a change, surely or perhaps, and what one says of how it was. Of text in
# small letters, with one alternative for each place: so a long changelog takes no time.
_STATES = regex(
    r"\b(?:now|new(?:ly)?|no longer|(?:is|are|was|were|been|being) (?:\w+ly )?(?:added|removed|renamed"
    r"|replaced"
    r"|deprecated|changed|dropped|introduced|moved|improved|rewritten|extended|expanded|re-?designed"
    r"|re-?implemented|refactored|superseded|split|merged|switched|bumped|raised|increased|reduced|enhanced"
    r"|fixed|updated|made)|adds?|added|introduc(?:e[sd]?|ing)|drop(?:s|ped)|deprecates?|replaces?|supersedes?"
    r"|^deprecated"
    r"|gain(?:s|ed)|removes?|has been deprecated|last (?:\w+ ){0,3}to support|additional|improved"
    r"|first (?:release|version)"
    r"|will (?:be (?:removed|required)|no longer|now|raise|error|emit)|as of (?:this|version|\S+ v?\d+))\b"
)
_MAY_STATE = regex(
    r"\b(?:supports?|allow(?:s|ed|ing)?|enables?|provides?|can(?:not)?|may|requires?|required|defaults?"
    r"|makes?|includes?|must|faster|better|automatically)\b"
)
_WAS = regex(
    r"\b(?:previously|formerly|prior to|before (?:this|version|\S+ v?\d+)|used to|historically|originally"
    r"|long"
    r"|until (?:now|version)|up to now|in (?:previous|earlier|prior|older|past) (?:versions?|releases?"
    r"|series)"
    r"|(?:previous|earlier|prior|older) (?:versions|releases)|(?:has|have) (?:always|until|for)|always been"
    r"|for (?:\w+ )?(?:years|time))\b"
)
# What concerns those who make the program, or is not yet to be relied on.
_MINOR = regex(
    r"\b(?:internal(?:ly|s)?|private(?! (?:\w+ )?(?:keys?|messages?|networks?|repositor|registr))"
    r"|undocumented|unit ?tests?|tests?|testing|documentation|docs?|readme"
    r"|typos?|docstrings?|refactor\w*|code ?base|contributors?"
    r"|experimental|clang-format|mypy|doxygen|tutorials?"
    r"|annotations?|typing|type[- ]?hints?|stubs|workflows?|github actions?|benchmarks?|lint\w*|dependabot"
    r"|workarounds?|flaky|(?:broken|dead) (?:\w+ )?links?|(?:black|flake8|isort|pylint) checks?)\b"
    # Of what is gone nobody had a use for it.
    r"|^.{0,80}\b(?:no longer needed|never used)\b"
    # What the program itself uses that is deprecated.
    r"|^(?:fix|avoid|silenc|suppress)\w* .{0,40}\bdeprecat|^prepar(?:e[sd]?|ing) (?:for|to)\b"
)
# "Bump gates from 1.0 to 1.1 to address CVE-…" is of security.
_BUMPS = regex(r"\bbump(?:s|ed)? \S+ (?:from|to)\b")
_FOR_SECURITY = regex(r"\bcve-\d|\bghsa-|\bvulnerab|\bsecurity\b")
_LANGUAGE = (
    r"\w+(?:ian|ish|ese|ean|ench|utch|brew|ovak|ovene)|greek|german|czech|catalan|thai|hindi|arabic|basque"
    r"|icelandic"
)
_OF_TRANSLATIONS = (
    rf"{_LANGUAGE}|\([\w-]+\)|\w\w|and|the|an?|all|some|several|various|many|more|new|updated|existing"
    r"|latest|other|missing|simplified|traditional|from|program|debconf|man ?pages?|manual|documentation|ui"
    r"|gui|interface|user"
)
# "Fix for issues #12, #13" without their numbers.
_ONLY_NUMBERS = (
    r"[-*• ]*(?:fix(?:e[sd])?|clos(?:e[sd]?|ing)|resolv(?:e[sd]?|ing)|solv(?:e[sd]?|ing))(?: for)?"
    r" (?:(?:the|some|several|various) )?(?:github )?(?:issues?|bugs?|tickets?|prs?)(?:[ ,;:&#\d]|and\b)*\.?$"
)
# What nobody reads a changelog for, by how it begins and by what is within it, in small letters.
_BEGINS_TRIFLE = regex(
    rf"{_ONLY_NUMBERS}"
    r"|[-*• ]*(?:chore|docs?|ci|style|tests?|build|refactor)(?:\([^()]*\))?: |standards-version"
    r"|new upstream (?:version|release)|(?:[\w ]+: )?no (?:significant )?changes\b(?: (?:since|from)\b|\.?$)"
    r"|\[bugs?\b[^\]]*\]$|# "
    # "[ Kira Dahl ]" stands above what she made.
    r"|\[ [^\[\]]+ \]$|change \d+ on \d"
    # "Updated Dutch translation", but not "Added address translation", "Add ways to load translations".
    rf"|(?:[\w./-]+: )?(?:updat|add|new|refresh|improv)\w*(?:/\w+)? (?!.*\b(?:support|for translat)\w*)"
    rf"(?:(?:{_OF_TRANSLATIONS}),? ){{0,5}}(?:translations\b"
    rf"|(?:{_LANGUAGE}) (?:program |man ?page |debconf )?translation\b)"
    # "Kira Dahl (nl), Ada van Brook (da)"
    r"|(?!(?:add|new|support|fix|updat|remov|improv|renam|us|now)\w*\b)"
    r"(?:[^()]{3,40} \([a-z]{2}(?:[_@][a-z]+)?\)(?:, |\.?$)){2,}"
    # Whether it can be built, and where it is developed, concerns who does.
    r"|build (?:fix(?:es)?|system)\b|(?:[\w ]+ )?(?:git )?repo(?:sitory)? (?:moved|migrated|clean-?up)\b"
    r"|(?:mov|us|chang|switch|migrat|updat)\w* .{0,30}\bbug ?track(?:er|ing)(?: system)?"
    r"(?=\W*$| (?:on|at|to|from|in|links?|urls?)\b)"
    r"|(?:[\w ./-]{1,30}: )?(?:fix|silenc|avoid|suppress)\w* (?:the |an? |some |various |several |few )*"
    r"(?:[\w+-]+ ){0,2}(?:build|building|compilation|compiling|compil(?:er?|ation|ing) (?:errors?|warnings?"
    r"|issues?|problems?|failures?))\b"
    # What a compiler compiles, or a program builds, is of its users.
    r"(?! (?:of|when) (?!.*\b(?:gcc|clang|cmake|make|msvc|windows|mac ?os|linux|\w*bsd|compiler|docs?)\b))"
    # What speaks of the notes, not of a change.
    r"|welcome to\b|please (?:carefully )?(?:also )?(?:review|read|note|check|see|refer|find)\b|refer to\b"
    r"|(?:for|please|see|to|if you)\b.{0,80}\b(?:read|see|refer|consult)\b"
    r"|(?:see|read)\b.{0,60}\b(?:guide|details|more information|instructions|announcement|blog)\b"
    r"|(?:[\w./-]+: )?(?:this|these|the following)\b.{0,40}\b(?:section|sections|document|guide|page"
    r"|release notes|changelog|list)\b"
    r"|make sure (?:you|to) (?:have )?read\b|we (?:\w+ )?(?:encourage|urge|recommend)\b"
    r"|pr #\d+: \(|\d+ (?:issues|pull requests|commits|people|contributors|of which)\b|total \w+ "
    r"|a total of \d|the following\b|thanks\b|(?:many|special) thanks\b|here (?:is|are)\b"
    r"|(?:the )?(?:changes|items) (?:in|below|listed|marked)\b|changelog goes here|add your entry"
    r"|(?:\.{3} ?|… ?)?and (?:\w+ )?more\b|wherever possible\b"
    # Code that nobody had a use for; not what a program no longer does, as with options or checks.
    r"|(?:[\w./-]+: )?(?:(?:remov|delet)(?:es?|ed|ing)|drop(?:s|ped|ping)?|clean(?:s|ed|ing)? up)"
    r" (?:an? |the |some |any |all |few |more |various )*"
    r"(?:(?:unused|unnecessary|unneeded|superfluous|extraneous"
    r"|spurious|dead|stray|left-?over|redundant|commented[- ]out|no longer (?:used|needed|necessary))"
    r"(?: and \w+)? (?:[\w.-]+ ){0,2}(?:imports?|dependenc(?:y|ies)|regex(?:es)?|code"
    r"|variables?|lines?|comments?|files?|prints?|statements?"
    r"|definitions?|configuration|casts?|semicolons?|parenthes[ei]s)(?! (?:of|on|after|when)\b)"
    r"|(?:\w+ )?from [\w/]+\.py\b|(?:blank|empty) lines?"
    r"|(?:references?|mentions?) (?:to|of) (?:the |an? )?(?:obsolete|defunct|old|removed)"
    r"|lines?(?= that\b|\.?$))\b"
    r"|(?:\w+ ){0,4}\w+ +\*$|(?:\w+ )?contributed by\b|related (?:issues|pull|commits)\b"
    r"|(?:issue|problem|bug) (?:found|spotted|reported) by\b|list of [\w-]+(?: [\w-]+){0,2}\.?$"
    r"|(?:patch|pr|fix|idea|report)(?:es|s)? (?:\w+ )?(?:by|from)\b"
    # What tells where more is told: "2026-11-04 • full history", "This version includes the changes of b1."
    r"|[^a-z]*(?:(?:see|view|show) )?(?:the )?full (?:history|diff|log|list of changes)\.?$"
    r"|(?:this|the) (?:version|release) (?:also )?(?:includes?|contains?|has) (?:also )?(?:all )?"
    r"(?:the |of the )?(?:changes|fixes|improvements|features) (?:from|of|in|made|listed)\b"
    r"|(?:this|the) (?:version|release) (?:\w+ )?(?:introduces|includes|contains|has|makes|brings)"
    r" (?:some|several|many|various|numerous|a few|a number of) (?:[\w-]+ ){0,2}"
    r"(?:changes|fixes|improvements)\.?$"
    # What heads a list below it.
    r"|(?:changes|improvements|additions|updates) to (?:existing|other) \w+[.:]?$"
    r"|new \w+ and other (?:additions|changes)[.:]?$"
    r"|(?:new version of|updated?|upgraded?|us(?:e[ds]?|ing)|enabled?)\b.{0,40}\bcibuildwheel\b"
    # "27.2 is a small release."
    r"|(?:\S+ ){1,4}is an? (?:small|minor|major|maintenance|patch|bug-?fix) (?:\w+ )?release\.?$"
)
_IS_TRIFLE = regex(
    r"\b(?:typos?|typographic(?:al)? (?:errors?|mistakes?)|contributing\.md|first contribution|full changelog"
    r"|update years|pre-?commit"
    r"|white ?space|spelling|faq|docstrings?|changelog|ci|travis|appveyor|circle-?ci"
    r"|gitignore|manifest\.in|coverage collection|allowed failures"
    r"|(?:pull request|issue) templates?"
    r"|(?:d|debian)/(?:copyright|control|rules|watch|tests|upstream)|debhelper[- ]compat\w*"
    r"|(?:bump|updat|rais|switch|us|upgrad)\w* (?:to )?debhelper|(?<!their )build-?depend(?:s|enc(?:y|ies))"
    r"|versioned constraint|constraint on .{1,60} in (?:breaks|replaces|depends|conflicts)"
    r"|standards-version|code-?named?|pull requests? courtesy"
    r"|please (?:\w+ )?(?:refer|consult|(?:see|review|read) the)"
    # What every release says of itself.
    r"|culmination|hard work|\d+ (?:contributors|people|pull requests|commits)|years? in the making"
    r"|as always, the manual|(?:happy|pleased|proud|excited|thrilled|delighted|glad) to"
    r" (?:announce|release|present)|months of work"
    r"|(?:users|everyone|anyone\b.{0,40}|you) (?:are|is) (?:\w+ )?(?:encouraged|advised|recommended|urged)"
    r"|(?:it is|(?:upgrad(?:e|es|ing)|updat(?:e|es|ing)|users?|everyone)\b.{0,60})"
    r" (?:strongly|highly) (?:recommended|advised|encouraged))\b"
    # "What's new in Lathe 3 →" leads elsewhere.
    r"|→$"
)
# How a program is packaged, under whatever verb; not what it reads, nor what it needs to run.
_OF_PACKAGING = regex(
    r"(?:[*•-]+ )?(?:add|fix|correct|updat|remov|mov|chang|migrat|switch|us|specif|declar|clean|includ)\w*"
    r" "
    r"(?!.*\b(?:support\w*|config\w*|options?|settings?|reads?|sections?|pars\w+|commands?|requires?"
    # What depends on something, or is of what users have, is what the program does.
    r"|licen[cs]ed|drop\w*|if|when|unless|where"
    r"|(?:tox\.ini|setup\.\w+|makefile|toml|default branch) (?:of|in))\b)"
    r".{0,50}\b(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|makefile|pypi (?:description|page|metadata)"
    r"|(?:trove|package|pypi) classifiers?|classifiers? for|(?:python|django) [\d., and]+ classifiers?"
    r"|(?:licen[cs]e|project|packag(?:e|ing)) (?:metadata|identifiers?|classifiers?|fields?)"
    r"|development status|default branch)(?!\w)"
    r"|re-?(?:release|upload)\w*\b.{0,40}\b(?:metadata|packag\w+|pypi|sdist|wheels?)\b"
)
_IS_DONE = regex(
    r"(?:[*•-]+ )?(?:bump|updat|upgrad|fix|correct|remov|add|drop|chang|improv|refactor|rebuil|test|document"
    r"|clean|pin|mov|renam|us)(?:s|es|e|ed|d|ing)?\b",
    re.IGNORECASE,
)
_SPEAKS_OF_NOTES = regex(
    r"\bno (?:significant )?changes\b|changelog|\byour (?:entry|change)|contribution|\bthanks\b"
    rf"|^{_ONLY_NUMBERS}"
)
_NOW = regex(r"\b(?:now|no longer|new)\b")
_PROGRAM = regex(r"(?P<name>[^\W\d][\w-]+) v?(?P<number>\d+\.\d+)")
_IN_GENERAL = regex(
    r"\b(?:numbers?|lots?|host|variety|various|many|several|numerous|plethora|plenty"
    r"|range|few)\b.{0,40}\b(?:new"
    r"|features|bug ?fixes|improvements"
    r"|enhancements|changes)\b|\bbranch\b|\bdevelopment\b|^(?:on )?this (?:guide|document|article|page)\b"
    r"|\bhopes?\b|^\S+(?: \S+)? v?\d[\w.]* (?:\w+ ){0,4}is (?:now )?(?:available|out|released)\b"
    r"|\bincludes new features\b|\bavailable in (?:the|our) (?:blog|announcement)",
    re.IGNORECASE,
)
# A heading of which a sentence says so much is not put before it.
_SAYS = 0.75
_PERHAPS, _LONG = 0.3, 40


@lru_cache(maxsize=1 << 13)
def strength_of(text: str) -> float:
    """How surely a sentence or a heading states a change: 1 surely, 0.3 perhaps, 0 not at all."""
    small = text.lower()
    return 1.0 if _STATES.search(small) else _PERHAPS if _MAY_STATE.search(small) else 0.0


def clarity_of(text: str, topic: str | None = None, title: str = "") -> float:
    """How clearly a sentence states a change: from about -1, how it was before, to 2.

    Args:
        text: The sentence.
        topic: The heading of its section; what repeats its words is about it.
        title: The title of the notes, which names the release; what another one had is how it was.
    """
    states = strength_of(text)
    was = 0.0
    if _BEFORE.match(text) or _names_another_release(text, title):
        was = 1.5
    elif says_how_it_was(text):
        was = 0.5 if states == 1 else 1.5
    shared = 0.0
    if topic and (terms := content_stems(topic)):
        shared = len(terms & {stem(term) for term in split_terms(text)}) / len(terms)
    return states - was + shared - 0.4 * (len(text.split()) > _LONG)


@lru_cache(maxsize=1 << 13)
def says_how_it_was(text: str) -> bool:
    """Whether a sentence says somewhere how something was before."""
    return _WAS.search(text.lower()) is not None


def _names_another_release(text: str, title: str) -> bool:
    """Whether a sentence says what another release of the same program did, and not what is so now."""
    own = _program_of(title)
    if own is None or own["name"] not in text or _NOW.search(text.lower()):
        return False
    named = re.findall(rf"\b{re.escape(own['name'])} v?(\d+\.\d+)", text)
    return bool(named) and own["number"] not in named


@lru_cache(maxsize=64)
def _program_of(title: str) -> re.Match[str] | None:
    return _PROGRAM.search(title)


def is_in_general(text: str) -> bool:
    """Whether a sentence of the opening says what every release could say of itself."""
    return _IN_GENERAL.search(text) is not None


def is_minor(text: str) -> bool:
    """Whether a change concerns those who make the program, or is not yet to be relied on."""
    return _MINOR.search(text.lower()) is not None


def is_trifle(text: str) -> bool:
    """Whether a sentence of notes is about what no user reads them for, or about the notes themselves."""
    small = text.lower()
    if _BUMPS.search(small) is not None and _FOR_SECURITY.search(small) is None:
        return True
    return (
        _BEGINS_TRIFLE.match(small) is not None
        or _IS_TRIFLE.search(small) is not None
        or _OF_PACKAGING.match(small) is not None
    )


def is_small_change(text: str) -> bool:
    """Whether a sentence says something that was done, however little: no placeholder, no link."""
    begins = _IS_DONE.match(text) is not None or strength_of(text) == 1
    return begins and "://" not in text and _SPEAKS_OF_NOTES.search(text.lower()) is None


def says_topic(text: str, topic: str) -> bool:
    """Whether a sentence says what its heading does, or nearly so; "Dropped …" is not lost."""
    said = {stem(term) for term in split_terms(text)}
    compact = "".join(split_terms(text))
    terms = [term for term in split_terms(topic) if not is_function_word(term)]
    least = 1.0 if strength_of(topic) == 1 > strength_of(text) else _SAYS
    return sum(stem(term) in said or term in compact for term in terms) >= least * len(terms)


def is_of_another_program(text: str, title: str) -> bool:
    """Whether a line such as "Sluice 6.0.2" stands in the notes of a program of another name."""
    own, named = _PROGRAM.search(title), _PROGRAM.match(text)
    if own is None or named is None or not titles_notes(title):
        return False
    return named["name"].lower() not in (
        own["name"].lower(),
        "version",
        "release",
    )
