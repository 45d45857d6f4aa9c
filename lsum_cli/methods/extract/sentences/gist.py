"""Where a document says itself what it comes to: its own summary, its opening, its thesis, its conclusion.

Authors sum up their text in places that readers know: an abstract, a syllabus, an executive summary, the
first paragraphs of a news item or a web page, what follows "Proposal" or "Decision", the conclusion. What
stands there counts more than what repeats the frequent terms of the whole elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import PATH_BREAK, SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading, section_path
from lsum_cli.methods.extract.sentences.open_ends import without_ornament
from lsum_cli.methods.length import suit_length
from lsum_cli.text.patterns import MONTHS, regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, FloatArray, is_function_word, split_terms

_OWN_SUMMARY = regex(
    r"(?:graphical |structured )?abstract"
    r"|(?:executive |plain[- ]language |lay |policy |non-technical |short |brief )?summary"
    r"(?: of (?:(?:the )?(?:key )?(?:findings|results|conclusions|recommendations|points)"
    r"|the (?:report|rule|proposal|decision|changes)))?"
    r"|highlights|synopsis|in brief|at a glance|tl;?dr|the short version|management summary|pr[ée]cis"
    r"|r[ée]sum[ée]"
    r"|(?:key|main|major|principal) (?:findings|points|messages|takeaways|facts|conclusions|results|ideas)"
    r"|what (?:gao|we|the committee|the inspector general) found"
    r"|results in brief|why gao did this study",
    re.IGNORECASE,
)
# What sums up the whole within the first third too, behind lists of names, abbreviations and terms.
_OF_THE_WHOLE = regex(
    r"(?:executive|management|plain[- ]language|lay|non-technical) summary|abstract"
    r"|summary of (?:the )?(?:key )?(?:findings|conclusions|recommendations)",
    re.IGNORECASE,
)
_SYNOPSIS = "synopsis"
_OVERVIEW = regex(
    # A manual page says below the last of these what it is of.
    r"overview|introduction|name"
    r"|about(?: this (?:book|report|guide|manual|document|page|project|handbook))?"
    r"|what is [^.?]{2,40}\??|purpose(?: and scope)?|scope"
    r"|introduction and (?:overview|summary)"
    r"|in a nutshell",
    re.IGNORECASE,
)
_PREFACE = regex(r"preface|foreword|introduction (?:and|to) .*|getting started|welcome.*", re.IGNORECASE)
_OF_THE_TEXT = frozenset({"preface", "foreword"})
_CONCLUSION = regex(
    r"(?:general |overall |main )?conclusions?(?: and .{3,40})?"
    r"|concluding (?:remarks|observations|thoughts|comments)"
    r"|(?:discussion|summary) and (?:conclusions?|outlook|(?:future )?(?:perspectives?|directions?))"
    r"|final (?:thoughts|remarks|words)|wrapping up|wrap-up|takeaways?|lessons(?: learned)?"
    r"|closing(?: remarks| thoughts)?|conclusions?[:,] .{3,60}",
    re.IGNORECASE,
)
_PROPOSAL = regex(
    r"(?:the |our )?propos(?:als?|ed (?:solution|changes?|design|approach|standard|semantics))(?: overview)?"
    r"|decision(?: outcome)?|decisions"
    r"|recommend(?:ation|ed (?:solution|approach))s?"
    r"|solution(?: overview)?"
    r"|(?:detailed |technical |high[- ]level )?design(?: overview| details| proposal)?"
    r"|(?:technical )?specifications?|(?:guide-level|detailed) explanation|how it works|approach"
    r"|(?:high[- ]level )?overview"
    r"|implementation overview|what (?:changes|is proposed)",
    re.IGNORECASE,
)
_PROBLEM = regex(
    r"motivation(?: and goals?)?"
    r"|problem(?: statement| description| definition)?"
    r"|(?:context|background)(?: and (?:motivation|problem statement))?"
    r"|the problem|why|purpose|rationale and motivation|use cases?",
    re.IGNORECASE,
)
_LABEL_OF_SUMMARY = regex(
    r"(?:abstract|(?:executive )?summary|tl;?dr|in brief)(?: ?[:.—–]|-{1,3}) ?(?=[A-Z“\"])", re.IGNORECASE
)
# The document's own voice on what it is; of lower-cased text after a space.
_THESIS = regex(
    r"\W(?:(?:purpose|aim|goal|objective) of (?:this|the) (?:document|guide|manual|report|book|paper|page"
    r"|specification)"
    r"|(?:this|the present|our) (?:(?:user|reference|style|developer) )?(?:paper|study|article|report"
    r"|review|book|guide|manual|document|handbook|essay|thesis|post|page|tutorial|chapter|memo(?:randum)?"
    r"|brief|publication|note|introduction|survey|specification|rule|notice|proposal|audit|assessment)"
    r"(?: also)? (?:\w+ly )?(?:is|aims?|presents?|describes?|explains?|discusses|examines?|argues?"
    r"|shows?|proposes?|provides?|covers?|reviews?|introduces?|defines?|specifies|explores?|analy[sz]es"
    r"|summari[sz]es|addresses|assesses|evaluates|reports?|considers?|gives|offers|outlines|concerns|tells"
    r"|deals|focuses|contains|documents|sets)\b"
    r"|in this (?:paper|study|article|report|review|book|guide|essay|post|chapter|tutorial|work)\b"
    # What the thing comes to, and what it is for.
    r"|the (?:essential|basic|central|main|key|core|fundamental|underlying|whole) (?:idea|point|purpose|aim"
    r"|principle|goal) (?:behind|of|underlying|in) [^.;:]{2,60}? (?:is|was) (?:to|that)\b"
    r"|(?:macros|commands|functions|tools|classes|routines) (?:(?:that are )?(?:provided|defined|offered)"
    r" (?:in|by) this|of this|in this) (?:package|module|library|class|collection) (?:\w+ly )?(?:aid|help"
    r"|allow|enable|provide|make|support|serve|are (?:used|meant|intended|designed))\b"
    r"|(?:we|i) "
    r"(?:argue|propose|present|show|conclude|recommend|describe|introduce|explain|explore|examine|review)\b)"
)
# Fewer words do not sum a document up.
LEAST_OF_A_SUMMARY = 60
# One of less than this share of the length that suits is not the whole that is told.
LEAST_OF_AN_OWN_SUMMARY = 0.6
# A document's own summary begins within this share of it, unless its heading says that it is one.
_EARLY, _EARLY_IN_A_MANUAL, _LATEST = 0.2, 0.05, 0.3
# An entry of an encyclopedia has so many sections.
_SECTIONS_OF_AN_ENTRY = 5
# Headings of a readme, whose opening names its subject too, and tells nothing of how that is used: it has one
# of the first, and another.
_OF_A_README = regex(
    r"install(?:ation|ing)?(?: .{2,40})?|getting started|quick ?-?start(?: guide)?|prerequisites?"
    r"|troubleshooting|contribut(?:ing|e)|next steps",
    re.IGNORECASE,
)
_OFTEN_IN_A_README = regex(r"usage|requirements|configuration|license|support|documentation", re.IGNORECASE)
# Sentences that speak to the reader, or of the text, in more than this share of a text that is no such lead.
_ADDRESSES = regex(
    r"\b(?:you|your|we|our|us|[Tt]his (?:chapter|section|book|guide|tutorial|FAQ|manual|document|page))\b"
    r"|\b(?:You|Your|We|Our)\b"
)
_MOST_ADDRESSED = 0.1
# What stands above it: which entry this is, and where others are.
_OF_OTHER_ENTRIES = regex(
    r"this (?:article|page|entry) is about|not to be confused|for (?:the|other|a|an) [^.]{2,80}, see"
    r"|[\w ]{2,40} redirects here",
    re.IGNORECASE,
)
# How many chapters have a summary each, which is none of the whole.
_OF_CHAPTERS = 3
# What a preface tells of, and how much of a text that is no abstract.
_OF_THE_BOOK = regex(
    r"\b(?:this|the) (?:guide|document|manual|book|chapter|section|reference)s?\b|\b(?:italic|bold)\b",
    re.IGNORECASE,
)
_MOST_OF_THE_BOOK = 0.25
# A proposal introduces itself in one of its first sections, in so many words.
_INTRODUCES = regex(r"introduction|overview|objectives?|purpose|synopsis|description", re.IGNORECASE)
_SECTIONS_OF_AN_OPENING, _LEAST_OF_AN_OPENING = 2, 12
# Sentences of an opening, a conclusion or a section that count.
_OPENING, _CLOSING = 5, 6
_OPENING_OF_AN_OPINION, _NEAR_OF_AN_OPINION = 14, 40
_OPENS_SECTION = 0.3

_FACTS = 6
_DEFINITION = regex(
    r"(?:an? |the )?(?P<subject>[^,.;:()/]{2,50}?)(?: /[^/]{2,40}/)?(?: \([^()]{1,60}\))?"
    r"(?:, or [^,]{2,40},)? (?:is|are) "
    r"(?:an?|the|one|used|called|where|how|simply|just|responsible|intended|designed)\b",
    re.IGNORECASE,
)
# What a court says of the question before it, which tells more of a case than its facts.
QUESTION = regex(
    r"\b(?:(?:this|these|the present) (?:cases?|appeals?) (?:\w+ )?(?:requires?|presents?|concerns?|involves?"
    r"|raises?|calls? upon)"
    r"|(?<!because )(?<!since )the (?:\w+ )?(?:question|issue) (?:\w+ ){0,3}(?:is|before us|presented|we)"
    r"|(?:we (?:must |are asked to |consider |granted certiorari to )?(?:decide|determine|consider"
    r"|resolve|address)"
    r"|asks? us to (?:decide|determine|consider)) (?:\w+ ){0,5}(?:whether|when|how|if|the|what|which|who)\b"
    r"|at issue (?:in this case|here) is)\b",
    re.IGNORECASE,
)
# In lower case it has one of these.
WORDS_OF_A_QUESTION = (
    *("question", "issue", "decide", "determine", "consider", "resolve", "address"),
    *("this case", "these case", "present case", "this appeal", "these appeal", "present appeal"),
)
_HELD_HERE = regex(r"held ?:", re.IGNORECASE)
_LEAST_OF_A_HOLDING = 4  # words
_HELD = regex(r"held ?:|\d\. [A-Z]", re.IGNORECASE)
# What stands at the head of a syllabus, and below it.
_OF_NO_CASE = regex(
    r"(?:note: )?where it is feasible|the syllabus constitutes|see united states v\. detroit|syllabus$"
    r"|certiorari|no\. \d|argued |supreme court of"
    r"|[A-Z .,’']+, (?:c\. )?j\., (?:delivered|filed)"
    r"|on (?:writ|appeal|certiorari|petition)",
    re.IGNORECASE,
)

# What each place adds to salience, in its standard deviations.
OWN, LEAD, THESIS, CONCLUSION, PROPOSAL, PROBLEM, OPINION = 2.5, 0.8, 0.5, 0.7, 0.8, 0.4, 1.0
# The same of an article among several.
LEAD_OF_AN_ARTICLE = 2.0
# A sentence that says what the thing in the title is, or the thing in its heading.
DEFINES_TITLE, DEFINES_HEADING = 1.6, 0.8
# A document of more words is read by its chapters, and the first share of it says what it is.
WORDS_OF_A_MANUAL, _OPENING_OF_A_MANUAL, _MORE_OF_A_MANUAL = 12_000, 0.01, 3.0
# Of an opening that has none of the words of the title.
_LESS_OF_A_LEAD = 0.6

_MONTH = rf"{MONTHS}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[.]"
_PUBLIC_SAYS = "comments?|submissions?|objections?|nominations?|requests? for (?:a )?(?:public )?hearings?"
_BY_DATE = (
    r"(?:by|before|until|through|(?:not|no) later than|(?:ends?|closes?|due) on)\b[^.;]{0,40}?\b"
    rf"(?:(?:{_MONTH}) \d|\d{{1,2}} (?:{_MONTH})|\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}/\d)"
)
# Until when the public may say what it thinks, as a notice gives it; in lower case it has one of the words.
WORDS_OF_A_DEADLINE = ("comment", "submission", "objection", "nomination", "hearing")
DEADLINE = regex(
    rf"\b(?:receives?|accepts?|submit|send|file)\b[^.;]{{0,40}}\b(?:{_PUBLIC_SAYS})\b[^.;]{{0,100}}\b{_BY_DATE}"
    rf"|\b(?:{_PUBLIC_SAYS})\b[^.;]{{0,80}}\b(?:must|should|will|may|are|is|period)\b[^.;]{{0,80}}\b{_BY_DATE}",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Gist:
    """How much the place of each sentence says that it speaks for the whole.

    Attributes:
        is_own_summary: Whether it is part of the document's own summary.
        concludes: Whether it stands under a conclusion.
        weight: What its place adds to its salience.
    """

    is_own_summary: BoolArray
    concludes: BoolArray
    weight: FloatArray

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        is_presentable: BoolArray,
        source_kind: SourceKind,
        document_kind: DocumentKind,
    ) -> Gist:
        """Find the places; none are known of a conversation or a story."""
        count = len(candidates)
        own, concludes, weight = np.zeros(count, bool), np.zeros(count, bool), np.zeros(count)
        if source_kind in (SourceKind.CONVERSATION, SourceKind.NARRATIVE) or not count:
            return cls(is_own_summary=own, concludes=concludes, weight=weight)
        size = np.bincount(candidates.document)[candidates.document]
        starts = np.searchsorted(candidates.document, candidates.document)
        share = (np.arange(count) - starts) / size
        headings = [plain_heading(section.heading) for section in candidates.sections]
        paths = [section_path(section) for section in candidates.sections]
        own = _own_summary(candidates, is_presentable, headings, paths, share)
        if document_kind is DocumentKind.OTHER and not own.any():
            own = _lead_of_an_entry(candidates, is_presentable)
        elif document_kind is DocumentKind.PROPOSAL and not own.any():
            own = _opening_of_a_proposal(candidates, is_presentable, headings)
        place = place_in_section(candidates)
        weight += OWN * own
        is_conclusion = {each: _CONCLUSION.fullmatch(each) is not None for each in set(headings)}
        is_summary = {each: _OWN_SUMMARY.fullmatch(each) is not None for each in set(headings)}
        for number, (heading, at, in_section, is_told) in enumerate(
            zip(headings, share.tolist(), place.tolist(), own.tolist(), strict=True)
        ):
            if is_told:
                continue
            if is_conclusion[heading] or (at > 0.5 and is_summary[heading]):
                weight[number] += CONCLUSION * (in_section < _CLOSING)
                concludes[number] = True
            if document_kind is DocumentKind.PROPOSAL:
                if _PROPOSAL.fullmatch(heading):
                    weight[number] += PROPOSAL * max(0.0, 1 - in_section / _OPENING)
                elif _PROBLEM.fullmatch(heading):
                    weight[number] += PROBLEM * max(0.0, 1 - in_section / _OPENING)
            if at < 0.3 and is_thesis(candidates.sentences[number].text):
                weight[number] += THESIS
        if document_kind is DocumentKind.DECISION:
            weight += OPINION * _describes_case(candidates)
        elif document_kind is DocumentKind.OTHER and source_kind is SourceKind.COLLECTION:
            # Of an article among others what it begins with is what it is about.
            weight += LEAD_OF_AN_ARTICLE * _leads(candidates, is_presentable, headings, place)
        elif (
            document_kind is DocumentKind.OTHER
            and source_kind is SourceKind.PROSE
            and candidates.num_words[own & is_presentable].sum() < LEAST_OF_A_SUMMARY
        ):
            weight += LEAD * _leads(candidates, is_presentable, headings, place)
            weight += _defines(candidates, headings)
            if int(candidates.num_words.sum()) > WORDS_OF_A_MANUAL:
                # Its details outnumber what says what it is; each part tells that as it begins.
                levels = np.array([max(1, section.level) for section in candidates.sections])
                weight *= np.where(share < _OPENING_OF_A_MANUAL, _MORE_OF_A_MANUAL, 1.5 / levels)
        return cls(is_own_summary=own, concludes=concludes, weight=weight)


def is_opening_heading(heading: str, title: str) -> bool:
    """Whether what stands under a heading says what the whole is: it is the title, or an introduction."""
    same = heading.casefold() == title.casefold() and bool(heading)
    return same or any(form.fullmatch(heading) is not None for form in (_OVERVIEW, _OWN_SUMMARY, _PREFACE))


def prefaces(heading: str | None) -> bool:
    """Whether a heading is that of a preface, which tells of the text more than of the thing."""
    return plain_heading(heading).lower() in _OF_THE_TEXT


def is_own_summary(heading: str) -> bool:
    """Whether a plain heading says that what is below it sums the document up."""
    return _OWN_SUMMARY.fullmatch(heading) is not None


def tells_what_is_proposed(heading: str) -> bool:
    """Whether a plain heading of a proposal says that what is proposed is told below it as a whole."""
    return _PROPOSAL.fullmatch(heading) is not None


def is_thesis(text: str) -> bool:
    """Whether a sentence says what the document is or does."""
    return _THESIS.search(f" {text.lower()}") is not None


def _own_summary(
    candidates: Candidates,
    is_presentable: BoolArray,
    headings: list[str],
    paths: list[str],
    share: FloatArray,
) -> BoolArray:
    own = np.zeros(len(candidates), bool)
    is_long = int(candidates.num_words.sum()) >= WORDS_OF_A_MANUAL
    early = _EARLY_IN_A_MANUAL if is_long else _EARLY
    sections = {id(section): heading for section, heading in zip(candidates.sections, headings, strict=True)}
    # What so many chapters have sums up each of them.
    of_chapters = {each for each, count in Counter(sections.values()).items() if count >= _OF_CHAPTERS}
    opens = candidates.opens_paragraph
    shows_usage = _shows_usage(candidates, is_presentable, paths)
    in_label = False
    latest: dict[str, float] = {}
    for number, (section, at) in enumerate(zip(candidates.sections, share.tolist(), strict=True)):
        if section.role is SectionRole.ABSTRACT:
            own[number] = True
            continue
        path = paths[number]
        if path not in latest:
            parts = [headings[number], *path.split(PATH_BREAK)]
            parts = [
                part
                for part in parts
                if part not in of_chapters and not (shows_usage and part.lower() == _SYNOPSIS)
            ]
            names_whole = any(map(_OF_THE_WHOLE.fullmatch, parts))
            latest[path] = _LATEST if names_whole else early * any(map(_OWN_SUMMARY.fullmatch, parts))
        if at < latest[path]:
            own[number] = True
        if opens[number]:
            in_label = at < early and _LABEL_OF_SUMMARY.match(candidates.sentences[number].text) is not None
        own[number] |= in_label
    if is_long and own.any():
        own = _before_what_tells_of_the_text(candidates, own)
    if own.any():
        # A notice gives it beside its summary.
        own |= (share < early) & np.array(
            [
                any(map(sentence.text.lower().__contains__, WORDS_OF_A_DEADLINE))
                and DEADLINE.search(sentence.text) is not None
                for sentence in candidates.sentences
            ],
            bool,
        )
    return own


def _shows_usage(candidates: Candidates, is_presentable: BoolArray, paths: Sequence[str]) -> bool:
    """Whether a synopsis, behind an introduction, shows how a thing is used: code that it announces."""
    of_synopsis = [path.split(PATH_BREAK)[0].lower() == _SYNOPSIS for path in paths]
    texts = [
        sentence.text for sentence, is_of in zip(candidates.sentences, of_synopsis, strict=True) if is_of
    ]
    before = of_synopsis.index(True) if texts else 0
    return bool(is_presentable[:before].any()) and any(text.endswith(":") for text in texts)


def _before_what_tells_of_the_text(candidates: Candidates, own: BoolArray) -> BoolArray:
    """An abstract without the preface that stands under its heading too: what the book has, and for whom."""
    rows = np.flatnonzero(own)
    of_text = np.array([_OF_THE_BOOK.search(candidates.sentences[row].text) is not None for row in rows])
    if of_text.mean() <= _MOST_OF_THE_BOOK:
        return own
    opens = candidates.opens_paragraph[rows].astype(bool)
    opens[0] = False
    found = np.zeros_like(own)
    found[rows[: int(np.argmax(opens)) if opens.any() else len(rows)]] = True
    return found


def _lead_of_an_entry(candidates: Candidates, is_presentable: BoolArray) -> BoolArray:
    """What an entry of an encyclopedia says before its first heading, which begins with what its title is.

    It sums the entry up, if it is about as long as a summary. Nothing of several documents or few sections,
    or of a readme.
    """
    lead = np.zeros(len(candidates), bool)
    sections, words = candidates.sections, candidates.num_words
    is_before = np.array([section is sections[0] and not section.heading for section in sections], bool)
    headed = {id(section): plain_heading(section.heading) for section in sections if section.heading}
    names = set(map(without_ornament, headed.values()))
    of_readme = sum(_OF_A_README.fullmatch(name) is not None for name in names)
    others = sum(_OFTEN_IN_A_README.fullmatch(name) is not None for name in names)
    is_readme = of_readme and of_readme + others > 1
    if candidates.document[-1] or len(headed) < _SECTIONS_OF_AN_ENTRY or is_readme:
        return lead
    before = int(is_before.sum())
    titles = {stem(term) for term in split_terms(candidates.titles[0])}
    for number in np.flatnonzero(is_presentable[:before]).tolist():
        text = candidates.sentences[number].text
        if _OF_OTHER_ENTRIES.match(text):
            continue
        defined = _DEFINITION.match(text)
        if defined is not None and _named(defined["subject"]) and _named(defined["subject"]) <= titles:
            lead[number:before] = True
        break
    told = words[lead].sum()
    # It speaks to nobody, and of its subject alone; a chapter begins with what the reader will learn.
    addresses = sum(
        _ADDRESSES.search(candidates.sentences[row].text) is not None for row in np.flatnonzero(lead)
    )
    if addresses > _MOST_ADDRESSED * lead.sum():
        return np.zeros_like(lead)
    is_summary = LEAST_OF_AN_OWN_SUMMARY * suit_length(int(words.sum())) <= told <= _EARLY * words.sum()
    return lead if is_summary else np.zeros_like(lead)


def _is_of_title(heading: str, title: str) -> bool:
    """Whether what stands under a plain heading stands before the first of the document's own."""
    return heading.casefold() in ("", plain_heading(title).casefold())


def is_opening_of_a_proposal(heading: str, title: str) -> bool:
    """Whether a plain heading is one under which a proposal without a summary introduces itself."""
    return _is_of_title(heading, title) or _INTRODUCES.fullmatch(heading) is not None


def _opening_of_a_proposal(
    candidates: Candidates, is_presentable: BoolArray, headings: list[str]
) -> BoolArray:
    """What a proposal without a summary says before its first heading, or else where it introduces itself.

    Lines above its first sentence give its authors and its status. Nothing of several documents.
    """
    opening = np.zeros(len(candidates), bool)
    if candidates.document[-1]:
        return opening
    for number in list(dict.fromkeys(candidates.section.tolist()))[:_SECTIONS_OF_AN_OPENING]:
        rows = np.flatnonzero(candidates.section == number)
        heading = headings[rows[0]]
        is_title = _is_of_title(heading, candidates.titles[0])
        shown = rows[is_presentable[rows]]
        words = candidates.num_words[shown].sum()
        if words >= _LEAST_OF_AN_OPENING and is_opening_of_a_proposal(heading, candidates.titles[0]):
            is_brief = words <= _EARLY * candidates.num_words.sum()
            opening[rows[rows >= shown[0]]] = is_brief
            break
        if not is_title:
            break
    return opening


def defined_by(text: str) -> set[str]:
    """The stems of the words that name what a sentence defines; empty where it defines nothing."""
    lower = text.lower()
    defined = _DEFINITION.match(text) if " is " in lower or " are " in lower else None
    return _named(defined["subject"]) if defined is not None else set()


def _named(subject: str) -> set[str]:
    """The stems of the words that name the subject of a definition."""
    stems = {stem(term) for term in split_terms(subject)}
    return {each for each in stems if not is_function_word(each)}


def place_in_section(candidates: Candidates) -> FloatArray:
    """The number of each sentence in its section, from 0."""
    section = candidates.section
    starts = np.concatenate(([True], section[1:] != section[:-1]))
    first = np.maximum.accumulate(np.where(starts, np.arange(len(section)), 0))
    place: FloatArray = (np.arange(len(section)) - first).astype(float)
    return place


def _describes_case(candidates: Candidates) -> FloatArray:
    """The places of a decision that tell the case and how it ends.

    The beginning of a syllabus and what it says was held, without the reasons that it numbers; else the
    beginning of the opinion of the court, before its first part.
    """
    found = np.zeros(len(candidates))
    roles = [section.role for section in candidates.sections]
    syllabus = [number for number, role in enumerate(roles) if role is SectionRole.SYLLABUS]
    told = [number for number in syllabus if _OF_NO_CASE.match(candidates.sentences[number].text) is None]
    held = [number for number in told if _HELD.match(candidates.sentences[number].text)]
    if held:
        found[told] = -0.3
        facts = [number for number in told if number < held[0]]
        found[facts[:_FACTS]] = 0.5
        found[held] = 1.5
        found[held_first(candidates, told)] = 2.0
        return found
    own = [number for number, role in enumerate(roles) if role is SectionRole.OPINION]
    if own:
        first = candidates.section[own[0]]
        opening = [number for number in own[:_OPENING_OF_AN_OPINION] if candidates.section[number] == first]
        found[opening] = 0.6
        for number in own:
            is_near = candidates.section[number] == first or number < own[0] + _NEAR_OF_AN_OPINION
            if is_near and QUESTION.search(candidates.sentences[number].text):
                found[number] = 1.5
    return found


def held_first(candidates: Candidates, positions: list[int]) -> list[int]:
    """Of the sentences of a syllabus the one that says what was held before it is numbered and reasoned."""
    for number in positions:
        text = candidates.sentences[number].text
        if _HELD_HERE.match(text):
            # "Held:" by itself: what was held comes next.
            is_alone = candidates.num_words[number] < _LEAST_OF_A_HOLDING
            return [number + 1] if is_alone and number + 1 < len(candidates) else [number]
    return []


def _defines(candidates: Candidates, headings: list[str]) -> FloatArray:
    """What a sentence adds that says what the thing is that the title or its heading names."""
    found = np.zeros(len(candidates))
    wanted: dict[str, set[str]] = {}
    for number, sentence in enumerate(candidates.sentences):
        subject = defined_by(sentence.text)
        if not subject:
            continue
        for named, value in ((candidates.titles[number], DEFINES_TITLE), (headings[number], DEFINES_HEADING)):
            if named not in wanted:
                wanted[named] = {stem(term) for term in split_terms(named)}
            if subject <= wanted[named]:
                found[number] = max(found[number], value)
    return found


def _leads(
    candidates: Candidates, is_presentable: BoolArray, headings: list[str], place: FloatArray
) -> FloatArray:
    """The first paragraphs of a document, and the beginning of its introduction."""
    found = np.zeros(len(candidates))
    counted: dict[int, int] = {}
    for number, document in enumerate(candidates.document.tolist()):
        at = counted.get(document, 0)
        counted[document] = at + int(is_presentable[number])
        if at < _OPENING and is_presentable[number]:
            found[number] = 1 - 0.1 * at
            words = set(candidates.lexicon.find(candidates.titles[number]))
            held = candidates.terms.columns[candidates.terms.row(number)].tolist()
            if words and not words.intersection(held):
                found[number] *= _LESS_OF_A_LEAD
        elif _OVERVIEW.fullmatch(headings[number]) and place[number] < _OPENING:
            found[number] = 0.8 - 0.1 * place[number]
        elif place[number] == 0 and candidates.opens_paragraph[number]:
            found[number] = _OPENS_SECTION
    return found
