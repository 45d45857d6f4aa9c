"""Views that are not the document's own: of other authors, of parties, of what a proposal rejects."""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    is_heading_of_form,
    plain_heading,
    section_path,
)
from lsum_cli.methods.extract.sentences.gist import QUESTION, WORDS_OF_A_QUESTION
from lsum_cli.methods.extract.sentences.refuted_claims import refuted_claims
from lsum_cli.methods.extract.sentences.statement_wording import CERTIORARI
from lsum_cli.text.patterns import regex, word_pattern
from lsum_cli.text.terms import BoolArray

# What others say and the document may go on to refute.
_OTHERS = word_pattern(
    r"it (?:was|is|has been|had been) (?:\w+ly |long |often |also )*(?:concluded|argued|believed|thought"
    r"|suggested|assumed|claimed|considered|accepted|reported|supposed|postulated|hypothesi[sz]ed|speculated"
    r"|proposed)\b"
    r"|(?:others|some|many|several|most|other|previous|earlier|prior|recent|critics|opponents|proponents"
    r"|numerous|past)(?: (?:\w+ ){0,2}(?:authors?|researchers|scholars|studies|work|reports|investigators"
    r"|experts|analysts|people|commentators|observers|papers|articles))?(?: have| has| had)?(?: \w+ly)? "
    r"(?:concluded?|argued?|believed?|suggest(?:ed)?|claim(?:ed)?|assumed?|maintain(?:ed)?|contend(?:ed)?"
    r"|asserted|proposed|shown|show|reported|demonstrated|found)\b"
    r"|et al\.?,?(?: [(\[][^)\]]*[)\]])? (?:have |has |had |also )*(?:concluded?|argued?|suggest\w*"
    r"|claim\w*|report\w*|found|show\w*|propos\w*|demonstrat\w*|describ\w*|observ\w*|stat\w*|investigat\w*"
    r"|stud\w*|develop\w*|examin\w*|evaluat\w*)"
    r"|no (?:other |further |published |previous )?(?:references?"
    r"|stud(?:y|ies)|reports?|data|information|literature"
    r"|evidence) (?:is|are|was|were|has been|have been|exists?) (?:available|found|published|reported)\b"
    r"|has long been\b"
    r"|contrary to (?:popular|the|common|previous)\b"
    r"|conventional wisdom\b"
)
# Of a sentence from its beginning, and of what each says anywhere, in lower case.
_PARTIES = regex(
    r"(?:petitioners?|respondents?|appell\w+|plaintiffs?|defendants?"
    r"|the (?:government|state|united states|dissent\w*|plaintiffs?|defendants?|petitioners?|respondents?"
    r"|appell\w+|commonwealth|concurr\w+|majority|principal dissent)"
    r"|justice \w+"
    r"|(?:mr|mrs|ms|miss|sir|dame) [A-Z][\w’'-]+(?: [QK]C)?,?"
    r"|[A-Z]\w+(?:’s|'s)? (?:argument|contention|position|claim|theory|view))\b[^.;]{0,60}?\b(?:argu\w*"
    r"|contend\w*|claim\w*|assert\w*|suggest\w*|maintain\w*|insist\w*|submit\w*|urg\w+|respond(?:s|ed)?"
    r"|counters?|points? (?:to|out)|rel(?:y|ies)|believ\w*|complain\w*|object\w*|invok\w*|acknowledg\w*"
    r"|conced\w*|read\w*|emphasi[sz]\w*|say\w*|sees?|accus\w+)\b"
    # "Blueford contends"
    r"|(?-i:[A-Z])[\w’'-]+ (?:\w+ly )?(?:contends?|argues?|maintains?|insists?|urges?|asserts?|submits?"
    r"|responds?)\b",
    re.IGNORECASE,
)
_OTHER_JUDGES = word_pattern(r"the (?:dissent|majority|concurrence|plurality)\b(?! of )|post, at\b")
# What letters a part of a syllabus.
_LETTER = regex(r"^\((?:[a-z]|\d|[ivx]+)\) ")
# What the Court does itself, whomever it names.
_OWN_VOICE = regex(
    r"(?:accordingly|therefore|for these reasons|in sum|today),? we\b"
    r"|we (?:\w+ly |now |thus |therefore )?(?:hold|conclude|affirm|reverse|vacate|remand)\b",
    re.IGNORECASE,
)
# Of a page that quotes more than this share, what is quoted is much of what it has to say.
_MUCH_QUOTED = 0.35
_SPEAKER = regex(r"\b(?:I|[Mm]y|[Mm]e|[Ww]e|[Oo]urs?|us)\b")
# What a proposal weighs and rejects, and what it leaves open.
_ASIDE = regex(
    r"(?:^|/ |› )(?:(?:rejected|discarded|dismissed)\b[^›/]*"
    r"|[^›/]*\((?:rejected|discarded|dismissed|abandoned)(?: \w+)?\)"
    r"|(?:alternative|deferred|unresolved|open|other)\b.*(?:ideas?|alternatives?|proposals?"
    r"|solutions?|approach\w*|options?|designs?|issues?|questions?|syntax\w*)"
    r"|(?:ideas?|features?|options|approaches|solutions|designs?) (?:that were |we )?(?:rejected|considered"
    r"|deferred|not (?:taken|chosen|included))|(?:unresolved|open) (?:questions?|issues?)\b[^›/]*"
    r"|alternatives?\b[^›/]*|(?!(?:design )?rationale\b)[^›/]*\balternatives(?: considered)?"
    r"|(?:considered )?options(?: considered)?|(?:(?!goals\b)[^›/]* )?non-?goals(?: ?[/&(\[][^›]*)?"
    r"|(?:explicitly )?(?:out of|not in) scope"
    r"|why not\b[^›/]*|prior art\b[^›/]*|related work"
    r"|(?:possible )?future (?:work|possibilities|extensions?|directions?|considerations?|improvements?"
    r"|enhancements?|ideas?)"
    r"|references|see also|(?:change|revision|version|post)[ -]?(?:log|history)|history"
    r"|acknowledge?ments?|copyright"
    r"|appendi(?:x|ces)\b.*|footnotes?|questions and answers|faq)(?:$| /| ›)",
    re.IGNORECASE,
)
# What a document of any kind reports without holding it.
_REJECTED = regex(
    r"(?:^|/ |› )(?:(?:rejected|discarded) (?:\w+ )?(?:ideas?|alternatives?|approach\w*|designs?|features?"
    r"|options?|proposals?|solutions?)|(?:alternatives|options|approaches) (?:considered|rejected)"
    r"|non-goals)(?:$| /| ›)",
    re.IGNORECASE,
)
# Those of them below which headings of the same level may tell what was rejected, one each, where a document
# has but one level; and what shows that a heading is none of those.
_WEIGHS = regex(
    r"(?:(?:.*\()?(?:rejected|discarded|dismissed)\b.*|alternatives?(?: \w+)? considered"
    r"|(?!(?:design )?rationale\b)(?:.* )?alternatives"
    r"|(?:considered )?options(?: considered)?)",
    re.IGNORECASE,
)
_GOES_ON = regex(
    r"\b(?:impacts?|compatib\w+|considerations?|implementation|references?|appendi\w+|acknowledge?ments?"
    r"|copyright|history|plan|tests?|testing|security|migration|upgrade|adoption|conclusions?|summary"
    r"|dependencies|documentation|footnotes|change ?log|future|issues|questions|unresolved|specification"
    r"|proposals?|proposed|design|decision|motivation|goals|overview|architecture|requirements|criteria"
    r"|examples?|terminology|definitions|introduction|background|consequences|effects?|risks?|work items"
    r"|assignees?)\b",
    re.IGNORECASE,
)
# What an earlier version said, and what was decided against; each of them has one of the words.
_WORDS_OF_EARLIER_TEXT = (
    "version draft revision iteration considered rejected discarded dismissed ruled against alternat "
    "possibility option"
)
_WORDS_OF_EARLIER = tuple(_WORDS_OF_EARLIER_TEXT.split())
_EARLIER = regex(
    r"\b(?:earlier|previous|original|first|initial|older|prior) (?:versions?|drafts?|revisions?"
    r"|iterations?) of (?:this|the)\b"
    r"|\b(?:was|were|(?:has|have) (?:also )?been) (?:considered|rejected|discarded|dismissed|ruled out)\b"
    r"|\bwe (?:(?:have|had|also|initially|first|originally|briefly) )*(?:considered"
    r"|rejected|discarded|dismissed|ruled out|decided against)\b"
    r"|\b(?:an?|another|the|one)(?:(?! to\b) \w+)? (?:alternat(?:iv)?e|possibility|option)\b"
    r"(?:, [^,;.]{3,40},)?(?: \w+)? (?:would|could|might|may|was) (?:be|have been|not to|to)\b",
    re.IGNORECASE,
)
# What is weighed, and the sentence after it that turns it down.
_WEIGHED = regex(
    r"(?:it would (?:also )?(?:be|have been) (?:possible|tempting|simpler|easier) to|(?:we|one|you) could) ",
    re.IGNORECASE,
)
_TURNED_DOWN = regex(r"(?:however|but|unfortunately)\b", re.IGNORECASE)
# What says of the sentence before it that it is wrong: "This is incorrect: …"; "That isn't true."
_DENIES = regex(
    r"(?:but |however,? |unfortunately,? )?(?:this|that)(?: (?:claim|advice|belief|view|statement|assumption"
    r"|idea))?(?: (?:is|was)(?: simply| also)? (?:incorrect|untrue|false|wrong|mistaken"
    r"|no longer (?:true|so|correct)"
    r"|(?:a )?(?:common )?(?:myth|misconception|fallacy)|not (?:true|so|correct|the case))"
    r"|(?: is|['’]s| was)n['’]t (?:true|so|correct|the case))(?:[.:;!]|$| because\b)",
    re.IGNORECASE,
)


def is_aside(path: str) -> bool:
    """Whether a section of a proposal, by the headings above it and its own, weighs what is not proposed."""
    return _ASIDE.search(path) is not None


def reports_other_views(candidates: Candidates, kind: DocumentKind) -> BoolArray:
    """Whether a sentence reports a view that is not the document's own: of others, or what it denies next.

    A court's own words that it took the case are nobody's view where it says what the question is.
    """
    if kind is DocumentKind.PROPOSAL:
        asides = _asides(candidates)
        texts = [sentence.text for sentence in candidates.sentences]
        return np.array(
            [
                number in asides
                # What stands before the first heading is said of the whole.
                or (section.heading is not None and _tells_of_earlier(text))
                or (_WEIGHED.match(text) is not None and _TURNED_DOWN.match(after) is not None)
                for number, section, text, after in zip(
                    candidates.section.tolist(),
                    candidates.sections,
                    texts,
                    [*texts[1:], ""],
                    strict=True,
                )
            ],
            bool,
        )
    if kind is DocumentKind.OTHER:
        paths = [section_path(section) for section in candidates.sections]
        is_rejected = {path: _REJECTED.search(path) is not None for path in set(paths)}
        rejected: BoolArray = np.array([is_rejected[path] for path in paths], bool)
        rejected |= _is_denied(candidates) | refuted_claims(candidates)
        return rejected | _is_quoted(candidates)
    texts = [_LETTER.sub("", sentence.text) for sentence in candidates.sentences]
    if kind is DocumentKind.PAPER:
        reported = np.array([_OTHERS.search(f" {text.lower()}") is not None for text in texts], bool)
        return reported | _is_denied(candidates)
    if kind is DocumentKind.DECISION:
        lowered = [f" {text.lower()}" for text in texts]
        others = np.array(
            [
                (_PARTIES.match(text) is not None or _OTHER_JUDGES.search(low) is not None)
                and _OWN_VOICE.match(text) is None
                for text, low in zip(texts, lowered, strict=True)
            ],
            bool,
        )
        took = np.array([CERTIORARI.search(text) is not None for text in lowered], bool)
        asks = (
            np.array(
                [
                    any(map(text.__contains__, WORDS_OF_A_QUESTION)) and QUESTION.search(text) is not None
                    for text in lowered
                ],
                bool,
            )
            & ~took
        )
        spoken: BoolArray = others | (took & bool(asks.any()))
        return spoken
    return np.zeros(len(candidates), bool)


def _is_quoted(candidates: Candidates) -> BoolArray:
    """Whether a sentence is in a quotation that its page sets apart.

    Where that is much of what the page has, only those whose "I" and "we" would be taken for the page's.
    """
    quoted = np.array([sentence.is_quoted for sentence in candidates.sentences], bool)
    if candidates.num_words[quoted].sum() > _MUCH_QUOTED * candidates.num_words.sum():
        quoted &= np.array(
            [_SPEAKER.search(sentence.text) is not None for sentence in candidates.sentences], bool
        )
    return quoted


def _tells_of_earlier(text: str) -> bool:
    """Whether a sentence of a proposal tells of an earlier version, or of what was decided against."""
    return any(map(text.lower().__contains__, _WORDS_OF_EARLIER)) and _EARLIER.search(text) is not None


def _is_denied(candidates: Candidates) -> BoolArray:
    """Whether the next sentence of its section says of a sentence that it is wrong."""
    found = np.zeros(len(candidates), bool)
    denies = [_DENIES.match(sentence.text) is not None for sentence in candidates.sentences[1:]]
    found[:-1] = np.array(denies, bool) & (np.diff(candidates.section) == 0)
    return found


def _asides(candidates: Candidates) -> set[int]:
    """The sections of a proposal that weigh what is not proposed, or leave it open.

    Where all headings are of one level those below "Alternatives considered" are its own as far as none has
    a name that sections of proposals have.
    """
    is_flat = len({section.level for section in candidates.every_section if section.heading}) == 1
    found, is_within = set(), False
    for number, section in enumerate(candidates.every_section):
        path = section_path(section)
        heading = plain_heading(section.heading)
        if is_aside(path):
            found.add(number)
            is_within = is_flat and _WEIGHS.fullmatch(heading) is not None
        elif is_heading_of_form(heading) or _GOES_ON.search(heading):
            is_within = False
        elif is_within:
            found.add(number)
    return found
