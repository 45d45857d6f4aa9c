"""How a document says at its beginning what it is about: "A parser of dates for Python."; "This library …".

A readme, a page of a manual or a tutorial opens with a line that has no verb and is its best summary, or with
"This library provides …", whose antecedent is its title. Elsewhere neither could be shown alone.
"""

from __future__ import annotations

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.sentences.boilerplate import addresses_visitors, grants_rights
from lsum_cli.methods.extract.sentences.gist import is_opening_heading
from lsum_cli.methods.extract.sentences.open_ends import is_title, without_ornament
from lsum_cli.methods.extract.sentences.wording import says_what
from lsum_cli.reading.plain.man_pages import NAME, SAYS_OF_NAME
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

# Among how many of the first sentences of a document they stand; words of a line without a verb.
_FIRST_SENTENCES, _SHORTEST, _LONGEST = 8, 5, 40
_SHORTEST_OF_ALL = 4
# What documentation is written of.
_THING = (
    r"(?:librar(?:y|ies)|packages?|modules?|projects?|frameworks?|tool(?:kit|box|set|chain)?s?|utilit(?:y|ies)"
    r"|programs?|plug-?ins?|extensions?|wrappers?|implementations?|bindings?|interfaces?|clients?|servers?"
    r"|applications?|apps?|parsers?|generators?|engines?|platforms?|services?|collection|distribution"
    r"|repository|command|middleware|backend|driver|linter|formatter|compiler|interpreter|debugger|profiler"
    r"|editor|viewer|converter|manager|scheduler|(?:back)?port|fork|replacement|alternative|theme|suite|set|mirror"
    r"|software|systems?|scripts?|integration|adapter|abstraction|api|sdk|language|format|database|store|solver"
    r"|builder|reader|writer|loader|checker|runner|helpers?)"
)
# "A fast parser of dates.": a thing, and what it is for, before any verb of its own.
_NAMES_THING = regex(rf"(?:an?|the) (?:[\w'’./+-]+,? ){{0,7}}?{_THING}\b")
# "Small and fast cross-platform bundling library": what the first line of all names.
_ENDS_IN_THING = regex(
    rf"(?:[\w'’./+-]+,? ){{2,9}}?(?:{_THING}|logger|bundler|router|validator|downloader|emulator|player)\.?$"
)
# The same without an article, on a line of its own: "Fast and small library for dates".
_NAMES_THING_BARELY = regex(
    r"(?:(?!(?:the|an?|this|that|these|our|your|its|how|is|are|was|it|you|we|to|see|use|using)\b)"
    r"[\w'’./+-]+,? )"
    rf"{{1,7}}?{_THING} (?:for|to|of|in|that|which|based on|written in)\b"
)
_RELATES = regex(r"\w (?:for|of|to|that|which|on|in|with|from|based on|written in|using) \w")
# "dates - Parsing of dates for Python."
_NAME = regex(r"[\w.-]+(?: [-–—]|:) ")
# "A field that sets its date when it is saved.", below the name of the field.
_DESCRIBES = regex(r"An? (?:[\w'’./+-]+,? ){1,5}?(?:that|which|for|of|to|with) [^:?!]{8,200}\.$")
# What is about the text, its makers, its state and how it is had, and no subject; links.
_NO_TAGLINE = regex(
    r"(?:notes?|warning|copyright|authors?|version|see|please|click|work in progress|under"
    r"|last|table of|contents|documentation|tested|requires|written|maintained|created|made|powered|thanks"
    r"|sponsored|supported|part of|todo|draft|status|download|install|license|tests?|examples?|source"
    r"|code|welcome|released|now|not|if|for|in|to|on|with|as|new|and|or)\b"
    r"|.*(?:https?://|[|=@])"
)
# "This library provides"; "This is a fork of", which only the first sentence says of the whole.
_OF_ITSELF = regex(rf"this (?:[\w-]+ ){{0,2}}?(?P<thing>{_THING}) (?!of\b|for\b)[a-z]")
_IS_A = regex(rf"this is (?:an?|the) (?:[\w'’./+-]+ ){{0,6}}?{_THING}\b")


def find_taglines(
    candidates: Candidates, is_presentable: BoolArray, is_open: BoolArray, is_line: BoolArray
) -> BoolArray:
    """Which sentences say at the beginning of their document what that is, and stand alone there.

    Args:
        candidates: The sentences, in English.
        is_presentable: Which of them can be shown by their form: sentences with a verb.
        is_open: Which of them could, did they end with a stop.
        is_line: Which are paragraphs without a stop.
    """
    found = np.zeros(len(candidates), bool)
    starts = np.flatnonzero(np.diff(candidates.document, prepend=-1))
    for start in starts.tolist():
        earlier = ""
        for position in range(start, min(len(candidates), start + _FIRST_SENTENCES)):
            heading = plain_heading(candidates.sections[position].heading)
            title = plain_heading(candidates.titles[position])
            if candidates.document[position] != candidates.document[start] or not (
                not heading or is_opening_heading(heading, title)
            ):
                break
            text = without_ornament(candidates.sentences[position].text)
            if grants_rights(text) or addresses_visitors(text):
                # "The software is provided “as is”" says nothing of it, nor "You have 2 articles left".
                continue
            if heading.upper() == NAME and SAYS_OF_NAME.match(text) is not None:
                found[position] = not found[start:position].any()
            elif is_presentable[position]:
                found[position] = _is_of_itself(text.lower(), earlier, is_first=position == start)
            elif not found[start:position].any():
                found[position] = _is_tagline(
                    candidates, position, is_first=position == start, is_line=bool(is_line[position])
                ) or (is_open[position] and says_what(text) and _NO_TAGLINE.match(text.lower()) is None)
            if not found[position]:
                earlier += f" {text.lower()}"
    return found


def describes_heading(candidates: Candidates) -> BoolArray:
    """Which sentences are the first of a section and say without a verb what its heading names."""
    section = candidates.section
    is_first = np.diff(section, prepend=-1) != 0
    return np.array(
        [
            bool(first)
            and candidates.sections[row].heading is not None
            and _SHORTEST <= int(candidates.num_words[row]) <= _LONGEST
            and _DESCRIBES.match(candidates.sentences[row].text) is not None
            for row, first in enumerate(is_first.tolist())
        ],
        bool,
    )


def _is_of_itself(lowered: str, earlier: str, *, is_first: bool) -> bool:
    own = _OF_ITSELF.match(lowered)
    # "Which library is the new one? This library …": of another thing, or of what is asked.
    is_other = own is not None and (
        own["thing"] in earlier.replace(f"this {own['thing']}", "") or earlier.endswith("?")
    )
    # "This is a community project." says nothing of it.
    is_told = is_first and _IS_A.match(lowered) is not None and _RELATES.search(lowered) is not None
    return is_told or (own is not None and not is_other)


def _is_tagline(candidates: Candidates, position: int, *, is_first: bool, is_line: bool) -> bool:
    """Whether a line without a verb names the thing and what it is for."""
    text = without_ornament(candidates.sentences[position].text)
    named = _NAME.match(text)
    said = text[named.end() :] if named is not None else text
    lowered = said.lower()
    relates = _RELATES.search(lowered) is not None
    # "Bookkeeping for rivers" as the first line is as long as it need be.
    shortest = _SHORTEST_OF_ALL if is_first and " for " in lowered else _SHORTEST
    return (
        shortest <= int(candidates.num_words[position]) <= _LONGEST
        and said[0].isupper()
        and (said.endswith(".") or (is_line and not is_title(said)))
        and _NO_TAGLINE.match(lowered) is None
        and (
            _NAMES_THING.match(lowered) is not None
            or (is_line and _NAMES_THING_BARELY.match(lowered) is not None)
            or is_first
        )
        and (relates or (is_first and _is_thing(lowered)))
    )


def _is_thing(lowered: str) -> bool:
    """Whether a line in lower case, which may say what for, is the name of a kind of thing."""
    return _NAMES_THING.match(lowered) is not None or _ENDS_IN_THING.match(lowered) is not None
