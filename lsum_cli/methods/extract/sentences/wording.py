"""How a sentence of a guide is worded: what makes a point, leads up to one, orders, or is about the text.

Known by patterns, in English, and by the words that a sentence shares with the heading above it.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word, split_terms

# Words within which the subject of a sentence is named.
_WORDS_OF_SUBJECT = 10
_OF_A_STEM = 3  # characters

# What leads up to a point: how things usually are, what somebody may wish, what was said before.
_LEADS_UP = regex(
    r"(?:many|some|most|sometimes|often|usually"
    r"|in (?:some|many|most|certain|several|these|this|the) (?:\w+ )?(?:cases?|situations?|examples?)"
    r"|there (?:are|is)|one of|currently|today|at present|traditionally|historically|a (?:not-un)?common"
    r"|it is (?:common|often|possible)|the (?:other |next |first |main )?question|suppose|imagine|consider"
    r"|we (?:know|take|appreciate|understand|recogni[sz]e)|the reason for"
    r"|let|as (?:discussed|mentioned|noted|described|we)|recall|for (?:example|instance)|specifically|say"
    # What only leads over from what was said, or speaks of the page.
    r"|so far|until now|up to (?:now|this point|here)|by now|as you|before (?:we|you|diving|getting)"
    r"|first of all|to (?:begin|start) with|with (?:that|this) (?:said|in mind|out)|all (?:good )?things"
    r"|(?:the|all|most) (?:\w+ )?(?:code|examples?|descriptions?|text|figures?|snippets?)(?: \w+)?"
    r" (?:here|below|above|in this (?:section|page|guide|tutorial|chapter|document)))\b"
)
# What makes a point: what follows, what is different, what the thing itself does.
_MAKES_POINT = regex(
    r"(?:therefore|thus|hence|so(?! far\b)|instead|rather|however|but|for this reason|because of this"
    r"|in (?:short|summary|sum|general|essence)|overall|ultimately|generally|as a result"
    r"|the (?:main |biggest |primary |only |best )?(?:reason|solution|goal|aim|purpose|idea|result|answer"
    r"|benefit|advantage|difference|rule|default)"
    r"|this (?:proposal|document|kep|pep|rfc|eip|erc|specification|spec|page|guide|package|module|function"
    r"|class|method|option|setting|feature|tool|study)|we (?:propose|recommend|found|show)|our)\b"
)
# What a teacher says between: steps of an exercise, pointers into an example. Of lower-cased text after a
# space: a pattern that begins with what stands before a word is tried only there.
_STEP = regex(
    r"\W(?:let['’]s|we['’]ll|here['’]s|here,? (?:we|is|are)|now that|to illustrate|for (?:example"
    r"|instance)|e\.g\."
    r"|this (?:code|example|listing|line|error|output|function|snippet|diagram|picture|graph|plot)"
    r"|(?:the|our) (?:\w+ )?(?:example|listing|error message|output|snippet) (?:above|below|shows?|is|says)"
    r"|in (?:this|the above|our) (?:example|case|listing)|as (?:you|we) (?:can|have|saw|will)"
    r"|you (?:might|may) (?:have|be|think|wonder)|you['’]ve|you (?:now have|have now)"
    r"|you['’]ll (?:see|get|notice)"
    r"|remember|recall|try (?:to|running)|imagine|suppose|note that|notice|keep in mind|first,|next,|earlier"
    r"|above|below|previous(?:ly)?|already|don['’]t worry|going to|take a look|at first|lets see|see how"
    r"|read (?:this|the)|refer to|(?:please|also|you should) (?:see|read|check|consult)"
    r"|the (?:first|second|third|last|two) \w+|(?:the|an?) \w+ ones?"
    # What the reader may be after, has read, or will: not what there is to know.
    r"|we (?:\w+ )?(?:talked|saw|looked|discussed|learned|covered|mentioned|touched|start|begin|look|turn)"
    r"|(?:you|we) (?:\w+ )?(?:want|wish|need|like) to|you['’]ll (?:\w+ )?(?:want|need|find|learn|probably)"
    r"|in chapter \d+|tells the story|in (?:many|most|some) other \w+)\b"
)
_ARTICLE = regex(r"^(?:an?|the) ")
_ORDER = regex(
    r"(?:then )?(?:run|open|create|generate|type|enter|click|add|change|replace|copy|save|install"
    r"|download|go|make"
    r"|start|write|set|select|choose|press|check|try|put|move|delete|remove|edit|update|build|compile|do|look"
    r"|think|note|pass|fill|consider)\b(?! (?:is|are|was|of)\b)"
)
# An entry of a list or a row of a table: a name or a value with what it does.
_ENTRY = regex(r".* \| |[^\s:]+(?: \([^)]*\))?(?:: | [-–—]+ )|[^\w\s\"'“‘(`]|\S*[=]")
# Metadiscourse, which is about the text and not its subject: it announces, counts or points.
_A_TEXT = (
    r"(?:chapter|section|part|appendix|guide|manual|document|page|book|handbook|tutorial|vignette|howto)"
)
_TELLS_OF_TEXT = regex(
    r"(?:(?:this|the(?: \w+)?) (?:section|subsection|part)s? (?:\S+ ){0,2}(?:describe|explain|cover"
    r"|discuss|show|introduce|list|give|provide|contain|explore|tell|look|is about|are about|deal|examine)"
    r"|the (?:[\w-]+ ){1,6}?(?:chapter|section|appendix|appendice)(?:e?s)? "
    r"(?:describe|explain|cover|discuss|show|list)"
    # Whom it is for, and that it is a list.
    r"|this (?:chapter|section|part|appendix|guide|manual|document|page|book|tutorial) is (?:\w+ )?"
    r"(?:for|at) (?:people|those|readers|users|developers|programmers|beginners|anyone|everyone|you\b)"
    r"|this (?:guide|manual|document|page|book|handbook|tutorial) is (?:still )?"
    r"(?:a work in progress|incomplete)\b"
    r"|this is an? (?:complete|full|partial|short|incomplete|alphabetical) list of\b"
    # What a reader may do with it, and what holds throughout it.
    rf"|if you(?! are reading\b)[^.;:]{{3,90}}, (?:then )?this {_A_TEXT} (?:should|will|can|may|might|is"
    r"|gives?|helps?|describes?|explains?|shows?|has|provides?)\b"
    rf"|this {_A_TEXT} (?:can|may|should|might) (?:\w+ )?be (?:read|skipped|skimmed|ignored|omitted)\b"
    rf"|in this {_A_TEXT},? the (?:terms?|words?|symbols?|following) "
    rf"|(?:(?:an |the )?(?:earlier|previous|older|first|original) versions? of )?this {_A_TEXT} (?:was"
    r"|were|is|has been) (?:originally |first |also )?(?:published|included|formerly|printed"
    r"|in the public domain|put together)\b"
    rf"|as (?:a )?part of this {_A_TEXT}, we\b"
    r"|the following\b|following (?:is|are)\b|below (?:is|are)\b|here (?:is|are)\b|what follows\b"
    r"|there (?:are|is|exist) (?:also )?(?:several|many|some|various|multiple|numerous"
    r"|a (?:few|number|variety|couple|lot|range)|two|three|four|five|six|different|lots|plenty|more)\b"
    r"(?! (?:who|people)\b)"
    # "There are three kinds of hive: …" and which they are is no announcement.
    r"(?![^:]{2,100}: [^:]*\w,? (?:and|or) \w)"
    r"|(?:please )?(?:see|refer to|consult|follow|check out|have a look|take a look|visit)\b"
    r"|if you(?:['’]d like|['’]re (?:new|looking|going to)| (?:want|wish|need|would like|prefer"
    r"|are (?:new|looking)))\b"
    r"|(?:sometimes|often|occasionally),? (?:you|we|one|there|it|just|things|a user|users)\b"
    r"|for (?:more|further|additional|detailed|full|complete) (?:\w+ )?(?:information|details?|examples?)\b"
    # "The former mayor" and "the previous law" are no text.
    r"|the (?:above|latter|preceding)\b|the (?:former|previous) (?:is|was|are|were|has|have|can|will|would"
    r"|two|three|one|sections?|chapters?|parts?|pages?|steps?|examples?|commands?|code)\b"
    r"|for the purposes? of this\b"
    r"|you (?:should|will need to|need to) (?:already )?(?:know|be familiar)\b"
    r"|you (?:might|may) (?:notice|wonder)"
    r"|the (?:first|second|third|last|other|next|two) (?:ones?|is|are)\b|assuming (?:that )?(?:you|we)\b"
    r"|(?:this|the) (?:guide|tutorial|document|page|howto|chapter|manual) (?:also )?assumes\b"
    # What became of the text or of its subject, and since when.
    r"|(?:this|the) (?:guide|tutorial|document|page|howto|chapter|manual|section) (?:has|have|was) (?:been )?"
    r"(?:\w+ly )?(?:migrated|moved|updated|written|adapted|copied|taken|translated|generated|split|merged"
    r"|produced|converted)\b"
    # Of which text this is a copy, and what else comes with it.
    r"|let me\b|if you are reading (?:an?|this)\b|supersedes (?:the )?(?:version|edition)\b"
    r"|the (?:latest|current|newest|most recent|online|master) (?:version|copy|edition) of (?:this|the)"
    r" (?:guide|tutorial|document|page|howto|chapter|manual|book|handbook|faq)\b"
    r"|this (?:edition|copy|printing) of (?:the|this) (?:book|guide|manual|document|handbook)\b"
    r"|this (?:guide|document|manual|page|book) uses (?:\w+ ){0,2}links\b"
    r"|in the (?:appendix|appendices|index|glossary)(?: of this \w+)?,? you(?:['’]ll| will| can)? find\b"
    r"|(?:(?:please|first|always|also),? )?consult the\b|the (?:readme|faq)\b"
    r"|the [\w -]{2,40} (?:is|are) not (?:affiliated|associated) with\b"
    r"|(?:changed|new|removed|deprecated)(?: [\w-]+){0,3}? (?:in|since|as of) (?:\w+ )?v?\d+\.\d"
    # What the writer tells of the writing.
    r"|(?:as )?(?:we|i)(?:['’]ve| have)? (?:told you|said|mentioned|noted|written|warned you)"
    r" (?:\w+ )?before\b"
    r"|(?:we|i) (?:realize|know) (?:\w+ ){0,2}talking about\b"
    # What a teacher tells while an example is made.
    r"|(?:say|suppose|imagine|assume),? (?:that )?(?:you|we|there|i|the|an?)\b"
    r"|you(?: now have|['’]ve| have (?:now|just|already)| should now| will now) \w+"
    r"|(?:now|next|then|here|again),? (?:\w+ )?(?:we|you|let)\b"
    r"|lines? \d+(?:[-–]\d+)?: |the (?:code|listing|snippet|program|script) (?:below|above|that follows)\b"
    r"|(?:when|if|once|after) you (?:view|click|run|open|press|submit|reload)\b[^.]{0,80}, you(?:['’]ll"
    r"| will| should)? (?:see|get|notice)\b"
    # What another chapter tells.
    r"|(?:so far|by now|below|above),? (?:we|you)(?:['’]ve| have)?(?: \w+)? "
    r"(?:looked|seen|learned|learnt|covered|discuss(?:ed)?|describe[sd]?|shown?|see|know|explain|list)\b"
    r"|(?:in )?the (?:\w+ )?(?:chapter|section)(?: of this \w+)? (?:entitled|titled|named|called)\b"
    r"|in (?:chapter|section|part|lesson) [\dIVX.]+(?: [^,.;]{1,60})?,? we (?:\w+ )?"
    r"(?:introduced?|saw|see|discuss(?:ed)?|described?|looked|learned|covered?|explain(?:ed)?|showed|show)\b"
    r"|in (?:the|this|our|an?) (?:[\w-]+ ){0,3}(?:chapters?|sections?|tutorials?|examples?|exercises?"
    r"|steps?),? (?:we|you)\b)",
    re.IGNORECASE,
)
# Of lower-cased text: without re.IGNORECASE an alternative is skipped at once where its first letter differs.
_MORE_ELSEWHERE = regex(
    r"\b(?:(?:can be|are|is) (?:found|listed|described|explained|documented|covered|shown|given"
    r"|discussed|presented|introduced|outlined|illustrated|provided) (?:\w+ )?(?:in|at|on|under"
    r"|below|above|here|later|there)\b"
    r"|(?:as|the) following(?! (?:day|week|month|year|morning)\b)(?: \w+){0,3}[:.]?$"
    r"|(?:has|have|offers?|provides?|contains?|includes?) (?:some|several|many|various|numerous|a "
    r"(?:few|number of|lot of|couple of))(?: [\w-]+,?){1,5}(?: in (?:its|the|this)(?: [\w-]+){1,3})?\.$"
    # "The window is split into several panes."
    r"|(?:is|are) (?:split|divided|separated|broken down|organi[sz]ed|grouped) (?:up )?into (?:\w+ )?"
    r"(?:several|many|some|various|multiple|different|two|three|four|five|six|a (?:few|number of|couple of))"
    r"(?: [\w-]+){1,3}\.$"
    r"|(?:there are|has|have|offers?|provides?) (?:a (?:number|variety|couple) of|a few|several"
    r"|many|various|multiple) (?:[\w-]+ ){0,2}(?:options|ways|features) (?:that|which"
    r"|to)\b[^,:;]{0,80}\.$"
    r"|(?:skip|skim) this (?:chapter|section|part)\b"
    r"|find (?:it|them|this|these|one) (?:here|at|in|on|under)\b"
    r"|(?:is|was) (?:(?:currently|actively|originally|primarily|being|\w+e[dn] and) "
    r")*(?:maintained|authored) by\b"
    r"|in (?:a (?:number|variety|couple) of|a few|several|many|various|multiple) (?:\w+ )?ways\.$"
    r"|as follows\b"
    r"|find more\b"
    r"|read more\b"
    r"|so,? let['’]s\b"
    r"|more (?:details|information) (?:in|on|about|can|is|are)\b"
    r"|it(?: is|['’]s) (?:also )?(?:important|useful|worth|helpful|necessary) to (?:understand"
    r"|know|note|remember)\b"
    r"|(?:is|are) (?:\w+ )?(?:easy|simple|straightforward|up to you)\.$"
    r"|(?:please|should)(?: also)? (?:see|consult|refer to|check out|visit)\b"
    r"|we(?:['’]ll)? (?:have |had |also |will )?(?:already |just |first )?(?:show(?! that)"
    r"|shown(?! that)|described|mentioned)\b"
    r"|(?:as|which) (?:you|we) (?:\w+ )?(?:saw|have seen|learned|discussed)\b)"
)
_OPENS_WITH_MORE_ELSEWHERE = regex(
    r"(?=\w)(?:(?:more |further |additional )?(?:details|information|instructions"
    r"|documentation)\b.{0,120}\b(?:is|are) (?:available|provided) (?:in|at|on|from|under|by)\b"
    r"|(?:two|three|four|five|six|several|many|some|various|multiple|different|a (?:number|few"
    r"|variety|couple) of) (?:[\w-]+ ){1,4}?(?:are|is) (?:\w+ )?(?:available|supported|provided"
    r"|possible|defined|offered)\b[^;:]{0,90}\.$"
    r"|[^,;:]{2,40} (?:has|have|includes?|provides?|offers?|supports?|comes? with) (?:several"
    r"|many|some|two|three|four|five|various|multiple|a (?:few|number of|variety of|couple of)) "
    r"(?:[\w-]+,? ){0,3}[\w-]+\.$"
    r"|(?:\w+ ){0,2}(?:translations|versions|copies|editions) (?:of this \w+ )?are (?:also "
    r")?available online\b"
    r"|as (?:you|we) can see\b"
    r"|the (?:figure|diagram|picture|image|chart|graph|plot|screenshot|illustration|drawing"
    r"|listing)s? (?:\w+ )?(?:shows?|depicts?|illustrates?|presents?|displays?)\b"
    r"|the (?:\w+ ){0,3}(?:overview|chapter|section|guide|document|tutorial|page) (?:ends"
    r"|concludes|closes|begins|starts) (?:with|by)\b"
    r"|[^,;:]{0,60}\b(?:docs|documentation|changelog|list of changes)\b(?: (?:for|of|in) [\w.’' "
    r"-]{1,40})? (?:lives?|(?:is|are)(?= at)|(?:(?:is|are)(?: \w+)?|(?:can|may) be) (?:available|hosted|found"
    r"|online)) (?:on|at|in|from|here|under)\b"
    r"|(?:view|read|browse|explore|head over to) (?:the|our|its)\b[^.;:]{0,60}\b(?:documentation"
    r"|docs|guide|manual|wiki|website|faq|tutorials?|examples)\b[^;:]*[.!]$"
    r"|for [^.;]{4,140}?(?<! (?:we|to))(?<! (?:you|and|can|not))(?: also)? (?:see|consult|refer "
    r"to)\b"
    r"|(?:when|in|as|from|while) [^,]{4,60}, we (?:have |had )?(?:already )?(?:saw|seen|observed"
    r"|noticed)\b"
    # What is asked of the reader, and who looks after the thing.
    r"|to (?:ask|report|request|contribute|get (?:help|support))\b[^:]{0,120}\b(?:use|see|open"
    r"|visit|join|go|post)\b"
    r"|before (?:creating|opening|submitting|filing|reporting) an? (?:new )?(?:issue|bug|ticket"
    r"|pull|report)\b"
    r"|(?:we|i)(?: would|['’]d)? (?:love to|welcome|appreciate|encourage|invite)\b"
    r"|if you (?:find|like|use|enjoy|love) [\w-]+ (?:useful|helpful|in your|please)\b"
    r"|we are building an? (?:\w+ )?community\b)",
    re.IGNORECASE,
)
# What is left out before a sentence that is quoted.
_CONNECTIVE = regex(r"(?:however|but|and|so|thus|therefore|also|finally),? (?!far\b)", re.IGNORECASE)

# What a page is about, in so many words.
_OF_WHOLE = regex(
    r"(?:(?:this|the) (?:section|chapter|guide|tutorial|document|page|article|how-?to|manual|part|appendix"
    r"|reference)|this (?:user(?:['’]?s)? (?:guide|manual)|handbook|book|essay|report|glossary|file))"
    r" (?:also |\w+ly )?(?:describes|explains|covers|discusses|shows|introduces|gives|provides|presents"
    r"|is about"
    r"|deals with|examines|summari[sz]es|documents|details|outlines|teaches|demonstrates)\b",
    re.IGNORECASE,
)
_LEAST_OF_WHOLE = 8
# What a thing is, or does: "The cache is a …", "Weirbook lets wardens …".
_SAYS_WHAT = regex(
    r"(?:[Tt]he |[Aa]n? )?[\w.-]+(?: [\w.-]+){0,3} (?:is an?|is the|are the|provides?|allows?|enables?"
    r"|supports?"
    r"|implements?|offers?|lets?|makes?|handles?|manages?|defines?|contains?|includes?|is used|are used)\b"
)


class Subject(NamedTuple):
    """What a heading says that its part is about: its terms, and its words in lower case."""

    terms: frozenset[str]
    words: str

    @classmethod
    def of(cls, heading: str) -> Self:
        """The subject of a part under this heading."""
        plain = plain_heading(heading)
        return cls(frozenset(content_words(plain)), plain.lower())

    def share_named(self, text: str) -> float:
        """The share of its terms that a sentence begins with; 1 where it begins with all its words."""
        if self.opens(text):
            return 1.0
        # Hardly any sentence has a term of the heading; stems begin as their words do.
        lowered = text.lower()
        if not any(term[:_OF_A_STEM] in lowered for term in self.terms):
            return 0.0
        opening = content_words(" ".join(text.split()[:_WORDS_OF_SUBJECT]))
        return len(opening & self.terms) / len(self.terms)

    def opens(self, text: str) -> bool:
        """Whether a sentence begins with it: "Many to one places …" below "Many To One"."""
        opening = _ARTICLE.sub("", text.lower())
        return bool(self.words) and opening.startswith(f"{self.words} ")


def wording(text: str, subject: Subject) -> dict[str, float]:
    """How a sentence is worded under the heading of this subject, by the name of the weight."""
    lowered = text.lower()
    is_opening = subject.opens(text)
    return {
        "names_subject": subject.share_named(text),
        "makes_point": _MAKES_POINT.match(lowered) is not None,
        "leads_up": not is_opening and _LEADS_UP.match(lowered) is not None,
        "is_step": is_step(text),
        "is_order": _ORDER.match(lowered) is not None,
        "is_entry": is_entry(text),
    }


def announces_whole(text: str) -> bool:
    """Whether a sentence says what the page that it stands on is about: "This chapter explains how …"."""
    return _OF_WHOLE.match(text) is not None and len(text.split()) >= _LEAST_OF_WHOLE


def says_what(text: str) -> bool:
    """Whether a sentence says of what it begins with what that is, or does."""
    return _SAYS_WHAT.match(text) is not None


def is_entry(text: str) -> bool:
    """Whether a sentence is an entry of a list or a row of a table: a name or a value with what it does."""
    return _ENTRY.match(text) is not None


def is_step(text: str) -> bool:
    """Whether a sentence is a step of an exercise or points into an example."""
    return _STEP.search(f" {text.lower()}") is not None


def content_words(text: str) -> set[str]:
    """The stems of the words of a text that name something."""
    return {stem(term) for term in split_terms(text) if not is_function_word(term)}


def is_metadiscourse(text: str) -> bool:
    """Whether a sentence is about the text, not its subject: what follows, where more is, how much."""
    opening = _CONNECTIVE.match(text)
    return (
        _TELLS_OF_TEXT.match(text, opening.end() if opening else 0) is not None
        or _OPENS_WITH_MORE_ELSEWHERE.match(text) is not None
        or _MORE_ELSEWHERE.search(text.lower()) is not None
    )
