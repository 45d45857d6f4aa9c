"""What a reader objects to in a summary, found without the rules that extraction itself uses.

The patterns are plain on purpose: they are the complaints of readers, written down word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Sentence = Mapping[str, Any]

_ANAPHORA = re.compile(
    r"(?:this|these|those|however|rather|additionally|moreover|furthermore|therefore|thus|hence|also"
    r"|but|and|or|so"
    r"|then|nevertheless|similarly|likewise|instead|consequently|accordingly|since then"
    r"|because of this|in addition"
    r"|in contrast|by contrast|for example|for instance|as a result|on the other hand|the (?:second"
    r"|third|former|latter)"
    r"|second|third|finally|it|they|he|she|its|their|his|her|such|another|both|neither|here|meanwhile"
    r"|otherwise"
    r"|for this reason|in this (?:way|case|context|regard)|at that (?:time|point)|conversely"
    r"|specifically)\b",
    re.IGNORECASE,
)
# What a document calls itself, and "it is possible that", refer to nothing before them.
_NO_ANAPHORA = re.compile(
    r"(?:this|these) (?:\w+ )?(?:paper|study|article|work|report|review|proposal|document|doc"
    r"|chapter|book|specification"
    r"|enhancement|case|cases|pep|tip|eip|erc|kep|rfc|bip|survey|thesis|analysis|research|project|post"
    r"|trial|meta|appeal|release"
    r"|standard|feature|policy|guide|rule|page|litigation|present|investigation|manual|series"
    r"|statement|plan|act|year|week"
    r"|month|term)\b"
    r"|it (?:is|was|has been|would be|could be|can be|must be|may be|should be|seems|appears|remains"
    r"|follows|can be)(?: \w+){0,5}"
    r" (?:that|to|whether|how|why)\b"
    r"|those (?:who|that|which|whose|with|of|in)\b|both [^.;]{1,70}? and\b|such as\b|so-called\b|so far\b"
    r"|in this (?:paper|study|article|work|report|review|case|chapter|section|book)\b|here,? we\b"
    r"|here (?:is|are)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?:[-*•–—‣◦▪]|\(?\d{1,3}[.)]|\(?[a-z]\)|\([ivx]+\)|\[\d+\]) ")
_CAPTION = re.compile(
    r"(?:fig(?:ure)?s?\.?|tables?|box|scheme|listing|photo(?:graph)?|image|source|credit) ?[\d:(]"
    r"|photo by\b",
    re.IGNORECASE,
)
# In parentheses a figure may be pointed at: the sentence says what it says without it.
_FIGURE = re.compile(r"(?<!\()\b(?:Figs?\.|Figures?|Tables?|Eqs?\.|Equation) ?\(?[S\d]|\bAppendix [A-Z]\b")
_LABEL = re.compile(
    r"(?:fix(?:es|ed)?|features?|upgrade|security|deprecat(?:ion|ed)|other|known issue|prelude"
    r"|critical|note|background"
    r"|methods?|results?|conclusions?|objectives?|held|example|keywords?) ?: ?",
    re.IGNORECASE,
)
_COURT_LINE = re.compile(
    r"delivered the opinion(?!.*\bconcluding that\b)|it is so ordered"
    r"|took no part|filed an? (?:dissenting|concurring) opinion"
    r"|, dissenting\.$"
    r"|, concurring\.$|^(?:id\.|ibid\.|see |ante, )",
    re.IGNORECASE,
)
_BYLINE = re.compile(
    r"by [A-Z]\w+ [A-Z]\w+(?:,|\.?$)|(?:updated|published|posted)(?: on)? \d|share this\b|read more\b"
)
# "rustc is the compiler" begins with a name as it is typed.
_LOWER = re.compile(
    r"(?![a-z][\w.+-]+ (?:is|was|will|has|can|does|provides?|supports?|uses|allows?|makes|must|should)\b)"
    r"[a-zß-ÿ]+[ ,;]"
)
_NOT_THE_COURTS = re.compile(
    r"\bJ\.?,? ?(?:,|dissenting|concurring)|\b(?:dissent|concurr)ing\b", re.IGNORECASE
)
_HOLDING = re.compile(
    r"\bwe (?:\w+ ){0,2}(?:hold|conclude|affirm|reverse|vacate|remand|dismiss|decide)\b|^held\b"
    r"|\bthe court holds\b"
    r"|\b(?:judgment|decision|order|ruling)s?\b.{0,160}\b(?:affirmed|reversed|vacated|remanded|set aside)\b"
    r"|\b(?:is|are|must be) (?:affirmed|reversed|vacated|remanded|dismissed)\b|\bour holding\b",
    re.IGNORECASE,
)

# What the sentences of a document itself are labelled with.
OF_THE_COURT = (None, "Held", "Judgment")


def faults_of_form(sentences: Sequence[Sentence], *, is_spoken: bool = False) -> Iterator[tuple[str, str]]:
    """Each fault of form in a summary, by name, with the sentence that has it."""
    # Where everything is in lower case, that a sentence begins so is no fault.
    lower = [_LOWER.match(sentence["text"]) is not None for sentence in sentences]
    keeps_case = sum(lower) <= 0.5 * len(lower)
    seen: set[str] = set()
    for sentence, is_lower in zip(sentences, lower, strict=True):
        text = sentence["text"]
        for name, is_found in (
            ("list marker", _LIST.match(text)),
            ("caption", _CAPTION.match(text)),
            ("figure reference", _FIGURE.search(text)),
            ("label", not is_spoken and _LABEL.match(text)),
            ("court line", _COURT_LINE.search(text)),
            ("byline", _BYLINE.match(text)),
            ("colon", text.rstrip().endswith(":")),
            ("question", text.rstrip("”\")' ").endswith("?")),
            ("no beginning", keeps_case and is_lower and not is_spoken),
            ("duplicate", text.casefold() in seen),
            ("unreadable", "\ufffd" in text),
        ):
            if is_found:
                yield name, text
        seen.add(text.casefold())


def without_antecedent(sentences: Sequence[Sentence]) -> Iterator[str]:
    """The sentences that refer to one before them which the summary does not show right before them.

    What a speaker of a meeting says is shown after his or her name, and begins as talk begins.
    """
    before: list[Any] | None = None
    for sentence in sentences:
        document, index = sentence["place"]
        is_talk = sentence["label"] and sentence["role"] == "body"
        text = sentence["text"]
        refers = not is_talk and _ANAPHORA.match(text) and not _NO_ANAPHORA.match(text)
        if refers and before != [document, index - 1]:
            yield text
        before = sentence["place"]


def not_the_courts(sentences: Sequence[Sentence]) -> list[str]:
    """Sentences of a dissent or concurrence that no label gives away."""
    return [
        sentence["text"]
        for sentence in sentences
        if not sentence["label"] and _NOT_THE_COURTS.search((sentence["heading"] or "").split(" / ")[0])
    ]


def tells_what_was_decided(sentences: Sequence[Sentence]) -> bool:
    """Whether the court's own sentences state a holding or a disposition."""
    return any(
        _HOLDING.search(sentence["text"]) for sentence in sentences if sentence["label"] in OF_THE_COURT
    )
