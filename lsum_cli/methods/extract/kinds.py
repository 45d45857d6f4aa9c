"""The kind of a source: what its words are like, and what a reader expects of its summary.

Two questions, answered apart. :class:`SourceKind` is about wording and decides the weights of salience:
prose, a story, talk, a collection. :class:`DocumentKind` is about structure and decides what a summary must
state. Both are read off the source itself, never off its name.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Collection, Container, Sequence, Set
from functools import lru_cache
from itertools import pairwise

import numpy as np

from lsum_cli.documents import PATH_BREAK, Section, SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.plays import is_play
from lsum_cli.methods.extract.release_names import LONGEST_RELEASE, names_release, release_named_by
from lsum_cli.status import SERIES
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray


class SourceKind(enum.StrEnum):
    """The kind of source by its wording; each kind has weights of its own."""

    PROSE = "prose"
    NARRATIVE = "narrative"
    CONVERSATION = "conversation"
    COLLECTION = "collection"


class DocumentKind(enum.StrEnum):
    """The kind of document by its structure; each kind has statements that its summary must hold."""

    DECISION = "decision"
    PAPER = "paper"
    PROPOSAL = "proposal"
    NOTES = "notes"
    OTHER = "other"


# Thresholds for a story: its length, its share of first-person words, its share of sentences that open a
# quotation.
_SENTENCES_OF_A_STORY = 200
_ASKED_IN_AN_INTERVIEW = 0.2  # of the paragraphs
_MUCH_FIRST_PERSON, _SOME_FIRST_PERSON, _MUCH_SPEECH = 0.045, 0.02, 0.1
# A tale may be shorter: it tells of people, in the past, with some speech or by one of them. The shares of
# the words, and how many times as many verbs of the past there are as of the present.
_SENTENCES_OF_A_TALE, _MUCH_PERSON, _SOME_SPEECH, _LEAST_FIRST_PERSON = 25, 0.04, 0.03, 0.01
_MUCH_PAST, _PAST_OVER_PRESENT = 0.05, 2.0
_MOST_FIGURES = 0.05  # of the sentences: news tell in the past what people did and said, with figures
_LEAST_OF_OTHERS = 0.01  # so that a report of one's own work is none
_OF_ONESELF, _OF_OTHERS = regex(r"\b(?:I|my|me)\b"), regex(r"\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]ers?)\b")
_OF_READERS = regex(r"\b[Yy]ou(?:rs?|rself)?\b")
_DIGIT = regex(r"\d")
_PAST = regex(
    r"\b(?:was|were|had|did|could|would|[a-z]{2,}ed|came|went|saw|took|stood|began|knew|thought|felt|gave"
    r"|made|said|ran|sat|fell|told|found|left|got|spoke)\b"
)
_PRESENT = regex(r"\b(?:is|are|has|have|can|will|may|does|should|must)\b")
# "PhD A: ", "Mr. Alain Therrien (La Prairie, BQ): ".
SPEAKER = regex(r"[^\W\d_][\w .'’-]{0,40}+(?: ?(?<= )\([^()]{1,60}\))?: ")
# A record of who said what may hardly have an "I"; a list of "Name: …" has none at all.
_FIRST_PERSON_OF_TALK, _FIRST_PERSON_OF_NAMED = 0.02, 0.003
_LEAST_SPEAKERS, _TURNS_OF_A_SPEAKER, _SHARE_OF_SPEAKERS = 2, 3, 0.7
# What nobody says: the sum of a list, "Gifts: EUR 350.00".
_FIGURE = regex(r"[^a-z]*\d[^a-z]*")
# Labels that come again and again, and are nobody's name.
_NO_SPEAKER = regex(
    r".|q(?:uestion)?s?|a(?:nswer)?s?|notes?|warning|example|tip|hint|fix(?:es|ed)?|feature|bug|issue"
    r"|todo|step|see"
    r"|name|title|date|author|price|size|type|value|default|usage|input|output|result|summary|description"
    r"|status"
    r"|version|source|url|http|https|added|changed|removed|deprecated|security|other|upgrade|definition"
    r"|remark"
    r"|.*\d.*",
    re.IGNORECASE,
)
# What notes of a meeting or a diary mark, which nobody speaks either.
_MARKS = regex(
    r"(?:actions?|decisions?|tasks?)(?: items?| points?)?|open(?: (?:points?|questions?))?|motion|resolved"
    r"|resolutions?|agreed|outcomes?|conclusions?|topics?|present|absent|ai|to-?dos?|next steps?|goals?"
    r"|problems?|solutions?|reasons?|ingredients|beschluss|aufgaben?|offen|entscheidung(?:en)?|thema",
    re.IGNORECASE,
)
# What opens the questions and answers of a list of them, which nobody speaks.
_ASKS_OR_ANSWERS = regex(r"(?:Q(?:uestion)?|A(?:nswer)?|Frage|Antwort|Réponse) ?\d*")
# `Old books quote like this,' and do not close it as code is.
_SPEECH = regex(r"[“\"„«「『‘']|`(?=[A-Z][^`]*$)")
# "🚀 Features".
_SIGN = regex(r"^[^\w\s\[(<“\"'`§#@$&/.-]+\s+(?=\w)")
# "Chapter 1. Introduction", "CHAPTER ONE SCOPE"; "Chapter 1" alone is a name.
_NUMBERING = regex(
    r"^(?:(?i:chapter (?:\d+|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten)\b)"
    # "Chapter 7 of the Bankruptcy Code" is a name.
    r"(?:[.:]\s+|\s+(?![a-z]))(?:[-–—] )?(?=\S)"
    # "12.3-1 Sluices" is below "12.3 Gates".
    r"|(?:[\dIVX]+|[A-Z])(?:(?:\.\d+)+(?:-\d+)?)?[.):]?\s+|\d+(?:\.\d+)*\.(?=[^\W\d_])|§\s*)"
)
# "3. Fees", "4.2 Jetty", "IV. Any other business"; "2025 budget", "3 May" and "A new roof" are no numbers.
_LISTED = regex(r"^(?:\d+(?:\.\d+)*[.):]|\d+(?:\.\d+)+(?:-\d+)?|[IVX]+[.):])\s+(?![-–—(])")
# "Motivation: why is this necessary?"
_EXPLAINED = regex(r"[:–—] (?:why|how|what|who|when|where)\b[^?]*\?$", re.IGNORECASE)
# Headings that the reader of a file put in one, the outer first.
_JOINED = " / "

# A review calls itself one, or cites in so many of its sentences: "(Hale, 2004)", "[12, 15]".
_THIS_REVIEW = regex(r"\b(?:[Tt]his|[Tt]he present|[Oo]ur) (?:\w+ )?review\b|\bwe review\b")
_CITES = regex(r"\([^()]*\b(?:19|20)\d\d[a-z]?\)|\bet al\b|\[\d{1,3}(?:[,;–-] ?\d{1,3})*\]")
_OFTEN_CITED = 0.1

# The sections that give a kind away; one of each group counts once.
_OF_A_PAPER = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        r"introduction|background",
        r".*\bmethods?|methodology|materials\b.*"
        r"|experimental(?: (?:section|setup|design|procedures?))?"
        r"|study design",
        r"(?:main |experimental )?(?:results?|findings)(?: and discussion)?"
        r"|experiments(?: and results)?|evaluation",
        r"(?:general )?discussion(?: and conclusions?)?|limitations",
        r"conclusions?|concluding remarks|conclusions? and (?:future )?(?:work|outlook|perspectives?"
        r"|directions?|prospects?|research)|summary and (?:conclusions?|(?:future )?perspectives?|outlook)",
        r"related work|literature review|previous work",
    )
)
_OF_OWN_WORK = _OF_A_PAPER[1:3]
# These an essay and a guide have, too.
_OF_ANY_TEXT = regex(r"introduction|background|limitations|conclusions?|concluding remarks", re.IGNORECASE)
# A discussion, and conclusions.
_OF_THE_END = _OF_A_PAPER[3:5]
_OF_A_PROPOSAL = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        r"motivation(?: and (?:background|goals|rationale|scope|use cases))?|background (?:and|&) motivation"
        r"|(?:the )?problem(?: statement| description)?(?: (?:and|&|\+) context)?"
        r"|user stor(?:y|ies)|use cases?|context(?: and problem statement)?|inspiration",
        r"(?:technical )?specifications?|(?:(?:detailed|technical|general|high[- ]level) )?design"
        r"(?: details)?|(?:(?:the|\w+) )?proposal|proposed (?:solution|change|design)s?"
        r"|reference-level explanation|guide-level explanation|decision|solution design",
        r"rationale(?: and (?:alternatives|motivation))?|alternatives(?: considered)?|rejected (?:ideas"
        r"|alternatives|approaches|designs|features|options|proposals|solutions)"
        r"|alternative (?:approach(?:es)?|designs?|proposals?|solutions?|syntax)"
        r"|drawbacks(?: and alternatives)?|considered options|pros and cons.*",
        r"(?:(?:backwards?|forwards?|source) )?compatibility|security (?:considerations|implications|impact)"
        r"|consequences|risks(?: (?:and|&) (?:mitigations|uncertainties))?|test (?:plan|cases)"
        r"|graduation criteria|(?:reference )?implementation|unresolved questions|open (?:issues|questions)"
        r"|non-goals|goals|prior art|future (?:possibilities|work|considerations|directions)"
        r"|(?:(?:rest )?api|performance|deployer|(?:other )?end user|data model) impact"
        r"|upgrade.*strategy|transition plan",
    )
)
_OF_NOTES = regex(
    r"(?:new )?features?|(?:bug ?)?fix(?:es|ed)?|bugs? fixe[sd]|upgrade notes"
    r"|deprecat(?:ions?|ed)(?: notes)?|security (?:issues|notes|fixes)|known issues|other (?:notes|changes)"
    r"|new contributors|breaking changes?|added|changed|removed|improvements?|enhancements?"
    r"|what['’]s (?:new|changed)|release notes.*|change ?log"
    r"|(?:the |release )?highlights(?: of this release)?"
    r"|v?\d+\.\d+(?:\.\d+)*(?:[ -].*)?|\[v?\d+\.\d+.*",
    re.IGNORECASE,
)
_NOTE = regex(
    r"(?-i:#\d+: [A-Z]{2,5}\b.*?: )"
    r"|(?:bug ?fix|fix(?:es|ed)?|features?|upgrade|security|deprecat(?:ion|ed)|other|known issue|prelude"
    r"|critical|issue)(?: \w+)? ?[:.] ",
    re.IGNORECASE,
)
# "v2-1-0: Added the deep search", "2018-01-24 v0.45: …": a release and what it changes in one line.
_BEFORE_CHANGE = regex(
    r"(?P<release>(?:\d{4}-\d\d-\d\d,? )?[vV]?\d+(?:[.-]\d+){1,3}(?:,? \(?\d{4}-\d\d-\d\d\)?)?): (?=\S)"
)
# "2.5.1", as sections are numbered.
_BARE_NUMBER = regex(r"\d{1,9}(?:\.\d{1,9})+")
# Where the numbers before lines count sections, this share of them does, below several others.
_LEAST_OF_SECTIONS = 0.8
_LEAST_PARENTS = 2
# What a readme has beside its changelog, and where it tells of releases; so many of the former make one.
_OF_A_README = regex(
    r"(?:how to )?install(?:ation|ing)?(?: .*)?|(?:basic )?usage|quick[ -]?start(?: guide)?|getting started"
    r"|(?:how to )?us(?:e|ing)(?: .*)?|documentation|requirements|examples?|tutorials?",
    re.IGNORECASE,
)
_OF_RELEASES = regex(
    r"(?:latest |recent )?(?:news|changes)|change ?log|what['’]s (?:new|changed)"
    r"|(?:release|version) (?:notes|history)",
    re.IGNORECASE,
)
_LEAST_OF_A_README = 2
# The news of less of a readme are told like the rest of it.
_MUCH_OF_RELEASES = 1 / 3
# Below the heading of a release, what does not end what is told of releases; "Version 5.02b" is one too.
_MAY_BE_OF_RELEASES = regex(rf"(?:{_OF_NOTES.pattern})$|(?:version|release) v?\d", re.IGNORECASE)
# "Lathe 0.14.4", and "Lathe 0.14" beside it.
_CALLED_WITH_THREE = regex(r"(?P<program>[A-Z][\w-]*) [vV]?\d+\.\d+\.\d+\w*")
_CALLED_WITH_TWO = regex(r"(?P<program>[A-Z][\w-]*) [vV]?\d+\.\d+")
# The title of the notes of one release: "Lathe 3.1 release notes", "What's New in Lathe 3.1".
_TITLE_OF_NOTES = regex(
    r"(?=.*\b[vV]?\d+(?:\.[\dx]+)*\b)(?:.*\b(?:release notes?|release announcement|change ?log)\b.*"
    r"|(?:what['’]s (?:new|changed)|news|(?:api |notable |noteworthy )?changes"
    r"|new (?:features )?)\b.{0,40}? (?:in|for|since|of|to|:) .*)",
    re.IGNORECASE,
)
# The title of a changelog: "GNU lathe NEWS", "Lathe change log".
_TITLE_OF_CHANGELOG = regex(
    r"(?:[\w+.-]+ ){0,3}(?:(?-i:NEWS)(?: file.{0,30})?|change ?log|changes"
    r"|(?:change|release|version) history)",
    re.IGNORECASE,
)
# The title of a manual, which is no paper though it may have an abstract and a section of methods.
_TITLE_OF_A_MANUAL = regex(
    r".*\b(?:(?:users?|user['’]s|users['’]|programm(?:er|ing)['’]?s?|developers?|developer['’]s"
    r"|administrat(?:or|ion)['’]?s?|reference|instruction|installation) (?:manual|guide|handbook)"
    # Not "Sorting letters: machine versus manual".
    r"|(?<!versus )(?<!vs )(?<!vs\. )(?<!or )(?<!and )(?<!than )(?<!not )manual)"
    r"(?:,? (?:for )?(?:version |release )?v?\d[\d.]*)?",
    re.IGNORECASE,
)
# "Release 0.47" as a title, unlike "Lathe 3.1.2", which may be that of a manual.
_CALLED = regex(r"^(?:(?:[A-Z]\.)?\d+(?:\.\d+)*\.? )?(?:release|version) \d", re.IGNORECASE)
_LEAST_RELEASES = 2
# In what its title calls a changelog more of the headings name releases than this share.
_NAMING_IN_A_CHANGELOG = 0.4
# So many lines at least that begin with a release are a list of them.
_LEAST_LINES = 4
_LEAST_GROUPS = 2
# A document that calls itself one, so many times.
_THIS_PROPOSAL = regex(rf"[Tt]his (?:proposal|{SERIES})\b")
_SPEAKS_OF_ITSELF = 2
# A specification calls itself otherwise, as guides do too; but it has a section of this name, and what it
# demands it writes in capitals (RFC 2119), in this share of its sentences.
_OF_A_SPECIFICATION = regex(r"security considerations", re.IGNORECASE)
_THIS_SPECIFICATION = regex(r"[Tt]his (?:document|specification)\b")
_DEMANDS = regex(r"\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b")
_MUCH_DEMANDED = 0.1
# "XEP-0158: CAPTCHA Forms", "[RFC 12] Fees", "MSC3440 Threads" as a title.
_NUMBERED_IN_SERIES = regex(rf"\[?{SERIES}[- ]?#?\d{{1,5}}\b(?!\.\d).*")
# What has sections of so many groups is no notes, even if it lists in which releases it was to be done.
_GROUPS_OF_NO_NOTES = 3
_OF_EVERY_CHAPTER = 3
# With more headings a document without an abstract has some of every kind.
_MANY_HEADINGS = 120
_MANY_NOTES = 0.3
WORDS_OF_A_BOOK, _WORDS_OF_A_MANUAL = 40_000, 12_000


def kind_of(candidates: Candidates) -> SourceKind:
    """The kind of source: several documents are a collection; one is a conversation, a story or prose."""
    if candidates.document[0] != candidates.document[-1]:
        return SourceKind.COLLECTION
    openings = [candidates.sentences[index].text for index in np.flatnonzero(candidates.opens_paragraph)]
    found = list(map(speaker_of, openings))
    names = [
        name
        for each in found
        if each
        and not _MARKS.fullmatch(name := each[0].rstrip(": "))
        and not _FIGURE.fullmatch(each.string, each.end())
    ]
    least = _FIRST_PERSON_OF_NAMED if _are_speakers(names) else _FIRST_PERSON_OF_TALK
    is_faq = sum(_ASKS_OR_ANSWERS.fullmatch(name) is not None for name in names) > len(names) / 2
    if not is_faq and 2 * len(names) > len(openings) and candidates.first_person.mean() > least:
        return SourceKind.CONVERSATION
    is_story = _is_story(candidates) or (
        candidates.first_person.mean() > least and is_play(candidates.sentences)
    )
    return SourceKind.NARRATIVE if is_story else SourceKind.PROSE


@lru_cache(maxsize=1 << 14)
def speaker_of(text: str) -> re.Match[str] | None:
    """The name of who speaks, as a text begins with it, and the colon after it."""
    # A quick test: most sentences have no colon.
    return SPEAKER.match(text) if ": " in text else None


def _are_speakers(names: Sequence[str]) -> bool:
    """Whether the names before the colons of a source are a few people's, who speak again and again."""
    count = Counter(names)
    again = sum(number for name, number in count.items() if number >= _TURNS_OF_A_SPEAKER)
    people = [name for name, number in count.items() if number >= _TURNS_OF_A_SPEAKER]
    return (
        len(people) >= _LEAST_SPEAKERS
        and again >= _SHARE_OF_SPEAKERS * len(names)
        and not any(_NO_SPEAKER.fullmatch(name) for name in people)
    )


def document_kind_of(candidates: Candidates, source_kind: SourceKind) -> DocumentKind:
    """The kind of document, from the roles and headings of its sections.

    A decision has a section whose role is an opinion. Notes are a collection whose articles, or a document
    whose sections, are labelled as changes. A proposal and a paper have the sections of their kind, from
    two groups at least (that it tells its status counts as one); where both do, the one with more groups
    counts.
    """
    roles = {section.role for section in candidates.sections}
    if SectionRole.OPINION in roles or SectionRole.SYLLABUS in roles:
        return DocumentKind.DECISION
    headings = {
        plain_heading(part)
        for section in candidates.sections
        for part in (section.heading or "").split(_JOINED)
    } - {""}
    # "New features" may have no text but that of the sections below it.
    above = headings | {plain_heading(heading) for heading in headings_of(candidates)} - {""}
    if _are_notes(candidates, headings, above):
        return DocumentKind.NOTES
    if source_kind is not SourceKind.PROSE:
        return DocumentKind.OTHER
    num_words = int(candidates.num_words.sum())
    is_long, has_abstract = num_words > _WORDS_OF_A_MANUAL, SectionRole.ABSTRACT in roles
    paper = _signs_of_a_paper(candidates, headings, is_long=is_long, has_abstract=has_abstract)
    proposal = _signs_of_a_proposal(
        candidates, above if candidates.tells_status else headings, is_long=is_long
    )
    is_manual = not has_abstract and (len(headings) > _MANY_HEADINGS or num_words > WORDS_OF_A_BOOK)
    if max(paper, proposal) < _LEAST_GROUPS or is_manual:
        return DocumentKind.OTHER
    return DocumentKind.PROPOSAL if proposal >= paper else DocumentKind.PAPER


def _are_notes(candidates: Candidates, headings: Set[str], above: Set[str]) -> bool:
    """Whether a document is the notes of releases.

    Args:
        candidates: Its sentences.
        headings: Those right above them.
        above: All that are above them.
    """
    title = candidates.titles[0]
    openings = [candidates.sentences[index].text for index in np.flatnonzero(candidates.opens_paragraph)]
    if sum(_NOTE.match(text) is not None for text in openings) > _MANY_NOTES * len(openings):
        return True
    written = headings_of(candidates)
    # Versions that are only listed, one below the other, are those of the document itself.
    texts, once = [title, *openings], _once(openings)
    told = {
        text
        for text, following in pairwise(texts)
        if release_named_by(candidates, text) and not release_named_by(candidates, following)
    }
    lines = {text for text in told if text in once}
    releases = {text for text in written if release_named_by(candidates, text)} | ({title} & told)
    releases |= lines if not _are_of_several_programs(lines) else set()
    programs = programs_of(written)
    releases |= {heading for heading in written if names_program(heading, programs)}
    in_lines = releases_before_changes(candidates)
    if len(in_lines) >= _LEAST_LINES:
        releases |= set(in_lines.values())
    if len(releases) >= _LEAST_RELEASES and not _are_most_of_releases(candidates):
        return False
    if _groups_of_a_proposal(headings) >= _GROUPS_OF_NO_NOTES:
        return False
    if len(releases) >= _LEAST_RELEASES and _is_readme(candidates):
        return False
    changes = sum(_OF_NOTES.fullmatch(heading) is not None for heading in above)
    is_of_release = title in told
    return (
        (changes >= 2 and 2 * changes > len(headings))
        or len(releases) >= _LEAST_RELEASES
        or (changes > 0 and is_of_release)
        or (
            len(openings) > 1
            and (titles_notes(title) or (is_of_release and _CALLED.search(title) is not None))
        )
    )


def _signs_of_a_paper(
    candidates: Candidates, headings: Set[str], *, is_long: bool, has_abstract: bool
) -> int:
    """How many groups of sections of a paper a document has, its abstract among them."""
    own = headings
    if is_long and not has_abstract:
        # "Summary", "Details" and "Background" of every chapter are a guide's, a paper has each once.
        sections = {id(section): section for section in candidates.sections}.values()
        count = Counter(
            plain_heading(part) for section in sections for part in (section.heading or "").split(_JOINED)
        )
        own = {heading for heading in headings if count[heading] < _OF_EVERY_CHAPTER}
    if _TITLE_OF_A_MANUAL.fullmatch(candidates.titles[0]):
        return 0
    groups = [any(group.fullmatch(heading) for heading in own) for group in _OF_A_PAPER]
    # A manual has an abstract and an introduction too.
    signs = sum(groups) + has_abstract if any(groups[1:]) else 0
    cites = any(section.role is SectionRole.REFERENCES for section in candidates.every_section)
    if not (has_abstract or cites or any(map(_is_of_research, own)) or _reviews(candidates, groups)):
        return 0
    if int(candidates.num_words.sum()) > WORDS_OF_A_BOOK and not _ends_with_conclusions(candidates):
        return 0
    # Among so many headings some are called so by chance.
    return 0 if is_long and not has_abstract and signs <= _LEAST_GROUPS else signs


def _reviews(candidates: Candidates, groups: Sequence[bool]) -> bool:
    """Whether a text from an introduction to conclusions is a review: it says so, or often cites others."""
    if not (groups[0] and groups[4]):
        return False
    texts = [sentence.text for sentence in candidates.sentences]
    if any("review" in text and _THIS_REVIEW.search(text) is not None for text in texts):
        return True
    cites = sum(("(" in text or "[" in text) and _CITES.search(text) is not None for text in texts)
    return cites > _OFTEN_CITED * len(texts)


def _ends_with_conclusions(candidates: Candidates) -> bool:
    """Whether the second half of a text has a discussion or conclusions, as that of a thesis has.

    Those of one chapter of a book speak for no other.
    """
    half = int(np.searchsorted(np.cumsum(candidates.num_words), candidates.num_words.sum() / 2))
    later = {plain_heading(section.heading) for section in candidates.sections[half:]}
    return any(group.fullmatch(heading) for group in _OF_THE_END for heading in later)


def _is_of_research(heading: str) -> bool:
    """Whether only papers have a section that is called so."""
    return _OF_ANY_TEXT.fullmatch(heading) is None and any(group.fullmatch(heading) for group in _OF_A_PAPER)


def tells_of_own_work(heading: str) -> bool:
    """Whether a heading is one of methods or results, which a paper has and a review has not."""
    names = map(plain_heading, heading.split(_JOINED))
    return any(group.fullmatch(name) for name in names for group in _OF_OWN_WORK)


def _signs_of_a_proposal(candidates: Candidates, headings: Set[str], *, is_long: bool) -> int:
    """How many groups of sections of a proposal a document has, and other signs of one."""
    texts = [sentence.text for sentence in candidates.sentences if "his " in sentence.text]
    speaks = sum(_THIS_PROPOSAL.search(text) is not None for text in texts)
    if _demands(candidates, headings):
        speaks += sum(_THIS_SPECIFICATION.search(text) is not None for text in texts)
    is_numbered = _NUMBERED_IN_SERIES.fullmatch(candidates.titles[0]) is not None
    shows = (speaks >= _SPEAKS_OF_ITSELF) + candidates.tells_status + is_numbered
    # A long manual has a motivation and a rationale too, but is not called one and has no status.
    return _groups_of_a_proposal(headings) + shows if shows or not is_long else 0


def _demands(candidates: Candidates, headings: Collection[str]) -> bool:
    """Whether a document tells what those who implement it must do, as a specification of a protocol does."""
    if not any(_OF_A_SPECIFICATION.fullmatch(heading) for heading in headings):
        return False
    demands = sum(_DEMANDS.search(sentence.text) is not None for sentence in candidates.sentences)
    return demands >= _MUCH_DEMANDED * len(candidates)


def _groups_of_a_proposal(headings: Collection[str]) -> int:
    """Of how many groups a proposal has sections."""
    return sum(any(group.fullmatch(heading) for heading in headings) for group in _OF_A_PROPOSAL)


def _are_most_of_releases(candidates: Candidates) -> bool:
    """Whether half of the words follow the first release: a handbook may end with a changelog.

    Or begin with one: where the headings that name a release are few words' among others of their level, or
    none does and all are named in one section, as in the table of the editions of a specification, the rest
    tells of no release.
    """
    title = candidates.titles[0]
    if release_named_by(candidates, title) or titles_notes(title):
        return True
    headings = headings_of(candidates)
    naming = sum(release_named_by(candidates, heading) is not None for heading in headings)
    if _TITLE_OF_CHANGELOG.fullmatch(title) and naming > _NAMING_IN_A_CHANGELOG * len(headings):
        return True
    in_lines = releases_before_changes(candidates)
    total = int(candidates.num_words.sum())
    if 2 * _words_that_may_be_of_releases(candidates, in_lines) < total:
        return False
    opens = candidates.opens_paragraph
    once = _once([candidates.sentences[position].text for position in np.flatnonzero(opens)])
    for position, sentence in enumerate(candidates.sentences):
        section = candidates.sections[position]
        names = (section.path or section.heading or "").split(PATH_BREAK)
        if (
            any(release_named_by(candidates, name) for name in names)
            or position in in_lines
            or (opens[position] and sentence.text in once and release_named_by(candidates, sentence.text))
        ):
            return 2 * int(candidates.num_words[:position].sum()) < total
    return False


def _is_readme(candidates: Candidates) -> bool:
    """Whether a document says how a thing is installed and used, beside its changelog if it has one."""
    if candidates.document.any() or titles_notes(candidates.titles[0]) or names_release(candidates.titles[0]):
        return False
    if _OF_RELEASES.fullmatch(plain_heading(candidates.titles[0])):
        return False
    # What a release says of its documentation, the others say, too.
    told = Counter(
        plain_heading(section.heading).lower()
        for section in candidates.every_section
        if section.sentences and not _is_of_releases(candidates, section)
    )
    found = [heading for heading, count in told.items() if count == 1 and _OF_A_README.fullmatch(heading)]
    others = candidates.num_words[~_under_releases(candidates)].sum()
    return len(found) >= _LEAST_OF_A_README and int(others) <= _WORDS_OF_A_MANUAL


def releases_of_readme(candidates: Candidates) -> BoolArray:
    """Which sentences of a readme are of its changelog or its news, where these are a great part of it."""
    under = _under_releases(candidates)
    is_much = int(candidates.num_words[under].sum()) > _MUCH_OF_RELEASES * int(candidates.num_words.sum())
    return under & (is_much and _is_readme(candidates))


def _under_releases(candidates: Candidates) -> BoolArray:
    return np.array([_is_of_releases(candidates, section) for section in candidates.sections], bool)


def _is_of_releases(candidates: Candidates, section: Section) -> bool:
    """Whether a section, or one above it, is headed as the changes of releases are."""
    headings = (section.path or section.heading or "").split(PATH_BREAK)
    return any(
        release_named_by(candidates, each) or _OF_RELEASES.fullmatch(plain_heading(each)) for each in headings
    )


def _once(texts: Sequence[str]) -> set[str]:
    """The texts that stand once: of which release a manual is, the title page of each of its parts says."""
    return {text for text, count in Counter(texts).items() if count == 1}


def _words_that_may_be_of_releases(candidates: Candidates, in_lines: Container[int]) -> int:
    """The words that no heading says to be of something else than a release, where some names one."""
    naming = {
        int(candidates.section[position])
        for position in np.flatnonzero(candidates.opens_paragraph)
        if position in in_lines or release_named_by(candidates, candidates.sentences[position].text)
    }
    headed: list[int] = []
    level: int | None = None
    programs = programs_of(headings_of(candidates))
    for number, section in enumerate(candidates.every_section):
        names = [section.heading or "", *(section.path or "").split(PATH_BREAK)]
        if any(release_named_by(candidates, name) or names_program(name, programs) for name in names):
            level = section.level if level is None else max(level, section.level)
        elif level is None or (section.level <= level and _MAY_BE_OF_RELEASES.match(names[0]) is None):
            continue
        headed.append(number)
    if not headed and len(naming) > 1:
        return int(candidates.num_words[~_are_of_others(candidates, naming)].sum())
    of_releases = sorted(naming.union(headed))
    return int(candidates.num_words[np.isin(candidates.section, of_releases)].sum())


def _are_of_others(candidates: Candidates, naming: Collection[int]) -> BoolArray:
    """Which sentences are of a numbered section that names no release, by the sections in which one is named.

    What has the heading of another part, or one of a kind of change, may be of the release before it.
    """
    parts = [_numbered_part(section.path or section.heading or "") for section in candidates.every_section]
    named = {parts[number] for number in naming}
    begun = Counter(part for number, part in enumerate(parts) if not number or part != parts[number - 1])
    others = {
        part
        for part, count in begun.items()
        if count == 1
        and _NUMBERING.match(part)
        and part not in named
        and _MAY_BE_OF_RELEASES.match(plain_heading(part)) is None
    }
    of_others = [number for number, part in enumerate(parts) if part in others]
    return np.isin(candidates.section, of_others)


def _numbered_part(path: str) -> str:
    """The lowest heading of a path that has a number, else the highest."""
    names = path.split(PATH_BREAK)
    return next((name for name in reversed(names) if _NUMBERING.match(name)), names[0])


@lru_cache(maxsize=1)
def releases_before_changes(candidates: Candidates) -> dict[int, str]:
    """The releases that stand before a change in the same line, by its position: a list of two or more."""
    found = {}
    for position, sentence in enumerate(candidates.sentences):
        named = _BEFORE_CHANGE.match(sentence.text) if candidates.opens_paragraph[position] else None
        if named is not None and names_release(named["release"]):
            found[position] = named["release"]
    if len(set(found.values())) < _LEAST_RELEASES or _number_sections(list(found.values())):
        return {}
    return found


def _number_sections(names: Sequence[str]) -> bool:
    """Whether numbers count sections: each is the first below another, or the next of one before it.

    Releases count from zero, and are mostly told backwards.
    """
    seen: set[tuple[int, ...]] = set()
    follow = first = 0
    for name in names:
        if _BARE_NUMBER.fullmatch(name) is None:
            continue
        number = tuple(map(int, name.split(".")))
        first += number[-1] == 1
        follow += number[-1] == 1 or (*number[:-1], number[-1] - 1) in seen
        seen.add(number)
    # "1.0.1", "1.0.2" alone may be releases.
    return first >= _LEAST_PARENTS and follow >= _LEAST_OF_SECTIONS * len(names)


def programs_of(headings: Collection[str]) -> frozenset[str]:
    """What the programs are called whose releases have headings such as "Lathe 0.14.4"."""
    named = (_CALLED_WITH_THREE.fullmatch(heading) for heading in headings)
    return frozenset(each["program"] for each in named if each)


def _are_of_several_programs(lines: Collection[str]) -> bool:
    """Whether lines such as "Lathe 0.14.4" name what is installed, each of another program.

    Most of the lines of a changelog are of the program that it is of.
    """
    named = [found["program"] for line in lines if (found := _CALLED_WITH_THREE.fullmatch(line))]
    most = max(Counter(named).values(), default=0)
    return len(named) >= _LEAST_LINES and 2 * len(named) > len(lines) and 2 * most < len(named)


def names_program(heading: str, programs: Collection[str]) -> bool:
    """Whether "Lathe 0.14" is the heading of a release, where others are headed "Lathe 0.14.4"."""
    named = _CALLED_WITH_TWO.fullmatch(heading) if programs else None
    return named is not None and named["program"] in programs


def titles_notes(title: str | None) -> bool:
    """Whether a title says that a document is the notes of a release, which it names."""
    return title is not None and len(title) < LONGEST_RELEASE and _TITLE_OF_NOTES.fullmatch(title) is not None


def headings_of(candidates: Candidates) -> set[str]:
    """The headings of the sections and of those above them, as they are written."""
    return {
        heading
        for path in {section.path or section.heading or "" for section in candidates.sections}
        for heading in path.split(PATH_BREAK)
    }


@lru_cache(maxsize=1024)
@lru_cache(maxsize=1024)
def plain_heading(heading: str | None) -> str:
    """A heading without its numbering or a sign before it: "2.1 Methods" and "🔬 Methods" are "Methods"."""
    return _EXPLAINED.sub("", _NUMBERING.sub("", _SIGN.sub("", heading or ""))).strip(" .:")


def shown_heading(heading: str) -> str:
    """A heading as a reader is shown it: as it is written, but its place in a list, or a sign before it.

    :func:`plain_heading`, by which headings are known, leaves "faster parser" of "A faster parser".
    """
    return _LISTED.sub("", _SIGN.sub("", heading)).strip(" .:")


def is_heading_of_form(heading: str) -> bool:
    """Whether a plain heading names what papers and proposals have anyway: "Methods", "Compatibility"."""
    return any(pattern.fullmatch(heading) for pattern in (*_OF_A_PAPER, *_OF_A_PROPOSAL))


def section_path(section: Section) -> str:
    """The headings above a section and its own, each without numbering."""
    return _plain_path(section.path or section.heading or "")


@lru_cache(maxsize=1024)
def _plain_path(path: str) -> str:
    return PATH_BREAK.join(plain_heading(heading) for heading in path.split(PATH_BREAK))


def _is_interview(candidates: Candidates) -> bool:
    """Whether many paragraphs end with a question that nobody is quoted with: in a story they are."""
    texts = [sentence.text for sentence in candidates.sentences]
    opens = [*candidates.opens_paragraph.tolist()[1:], 1]
    ends = [text for text, is_last in zip(texts, opens, strict=True) if is_last]
    asked = sum(text.endswith("?") and _SPEECH.match(text) is None for text in ends)
    return asked > _ASKED_IN_AN_INTERVIEW * len(ends)


def _is_story(candidates: Candidates) -> bool:
    if len(candidates) < _SENTENCES_OF_A_TALE or _is_interview(candidates):
        return False
    share = candidates.first_person.mean()
    speech = np.mean([_SPEECH.match(sentence.text) is not None for sentence in candidates.sentences])
    if share > _MUCH_FIRST_PERSON or (share > _SOME_FIRST_PERSON and speech > _MUCH_SPEECH):
        is_long = len(candidates) >= _SENTENCES_OF_A_STORY and _tells_of_people(candidates)
        return is_long or _is_tale(candidates)
    return bool(speech > _SOME_SPEECH or share > _LEAST_FIRST_PERSON) and _is_tale(candidates)


def _tells_of_people(candidates: Candidates) -> bool:
    """Whether a text speaks of who tells it and of others more often than to its readers, as guides do."""
    texts = [sentence.text for sentence in candidates.sentences]
    told = sum(len(_OF_ONESELF.findall(text)) + len(_OF_OTHERS.findall(text)) for text in texts)
    return told > sum(len(_OF_READERS.findall(text)) for text in texts)


def _is_tale(candidates: Candidates) -> bool:
    """Whether a text tells in the past what people did, and is no news."""
    figures = sum(_DIGIT.search(sentence.text) is not None for sentence in candidates.sentences)
    if figures > _MOST_FIGURES * len(candidates):
        return False
    oneself = others = past = present = 0
    for sentence in candidates.sentences:
        oneself += len(_OF_ONESELF.findall(sentence.text))
        others += len(_OF_OTHERS.findall(sentence.text))
        past += len(_PAST.findall(sentence.text))
        present += len(_PRESENT.findall(sentence.text))
    words = int(candidates.num_words.sum())
    return (
        others > _LEAST_OF_OTHERS * words
        and oneself + others > _MUCH_PERSON * words
        and past > _MUCH_PAST * words
        and past > _PAST_OVER_PRESENT * present
    )
