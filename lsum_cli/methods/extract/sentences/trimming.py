"""What a summary leaves off a sentence: list markers and labels before it, references to figures in it."""

from __future__ import annotations

import re

from lsum_cli.text.patterns import regex

# What stands before a sentence without being part of it.
LIST_MARKER = regex(
    r"(?:\*(?: \*){1,4}|\*{2,4}|[-*•–—‣◦▪■●·+»>]|\(?\d{1,3}[.)]|\(?(?:[a-zA-Z]|[ivx]{1,4})\)"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?"
    r"|\[(?:(?:blueprint|bug|lp|bp|story|issue)[ :#]{0,3})?(?=[\w./:-]*\d)[\w./:-]+\]"
    r"|\[(?:blueprint|bp|spec)[ :][\w./:-]+\])\s+(?=\S)"
    r"|(?:[A-Z]\w+ driver )?(?:Bug|bug|LP|Story) ?#?\d+ ?[:,] +(?=\S)"
    # "D. There are …"; but "D. Brown" is a name.
    r"|[a-uw-z]\. +(?=[A-Z])"
    r"|[A-H]\. +(?=(?:The|There|This|These|A|An|In|It|We|If|For|To|When|Any|All|No|On|By|As)\b)"
)
# Behind a dash or a stop ("notes.md holds …", "Methods—such as these—") a label is followed by a capital.
_AFTER_LABEL = r" ?(?::|[.—–](?= ?(?:[-*•] )?(?-i:[A-Z“\"'`(\[]))) ?(?:[-*•] )?"
_LABEL = regex(
    r"(?:bug ?fix(?:es)?|fix(?:es|ed)?|(?:new )?features?|upgrade(?: notes?)?"
    r"|security(?: issues?| fix(?:es)?| updates?)?"
    r"|deprecat(?:ions?|ed)(?: notes?)?|other(?: notes?)?|known issues?|prelude|critical(?: issues?)?"
    r"|added|changed|removed|fixed|improve(?:d|ments?)|enhancements?|breaking(?: changes?)?|update)"
    rf"{_AFTER_LABEL}(?=[A-Z“\"'`(\[])"
    # These name items of lists too: "Overview: what a table holds" stands beside "Alerts: what is odd in it".
    r"|(?:notes?|nb|important(?: notes?)?|warnings?|caution|tips?|info|summary|abstract|background"
    r"|(?:aims?|objectives?|purposes?)(?: of (?:the )?(?:study|review))?"
    r"|(?:materials and )?methods?|(?:main )?(?:results?|findings)|(?:main )?conclusions?|discussion"
    r"|(?:recommendation|finding|conclusion|objective|requirement) (?:no\. ?|#)?\d{1,2}(?:\.\d{1,2})?"
    r"|interpretation|introduction|motivation|problem|solution|design|setting|participants|significance"
    r"|importance|held|overview|context|rationale|proposal|recommendations?)"
    rf"{_AFTER_LABEL}(?=(?-i:[A-Z“\"'`(\[]))"
    # What stood in bold: "**Rationale** All clients …".
    r"|(?-i:Rationale (?=(?:All|Any|Each|Every|The|This|These|We|It|If|As|An?|Since|When|Because|There) ))",
    re.IGNORECASE,
)
# "(CNN) -- The storm …", "SEOUL, Aug. 20 (Yonhap) -- The …": where a report was made, by which agency.
DATELINE = regex(
    r"(?:\([A-Z]{2,6}\) ?[-–—]{1,2}"
    r"|(?:(?:[A-Z][\w.'’/-]*,? |\d{1,2},? ){1,6})?\((?:AP|AFP|UPI|CNN|VOA|EFE|ANSA|TASS|PTI|IANS|ANI|CNA|DPA"
    r"|dpa|Reuters|Bloomberg|Xinhua|Yonhap|Kyodo)\)(?: ?[-–—]{1,2})?) +(?=[A-ZÄÖÜÉ“\"„])"
)
# The same without an agency, by its date: "Berlin, 10 March - The pier was closed …".
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|March|Mar\.|April|Apr\.|May|June?|July?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_PLACE_AND_DATE = regex(
    rf"[A-ZÀ-Þ][\w.'’/-]+(?: [A-ZÀ-Þ][\w.'’/-]+){{0,3}}(?:, [A-Z][\w.]*)?"
    rf", (?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}})"
    r"(?:,? \d{4})? ?(?:-{1,2}|[–—]) *(?=[A-ZÄÖÜÉ“\"])"
)
# The same without an agency: "MONTGOMERY, Ala. -- The storm …", "LONDON — The pier was closed …"; a term in
# capitals that is defined has no place to follow, nor a past.
_PLACE_OF_REPORT = regex(
    r"(?P<long>(?=[A-ZÀ-Þ .'’/-]{6}))?[A-ZÀ-Þ][A-ZÀ-Þ.'’/-]+(?: [A-ZÀ-Þ][A-ZÀ-Þ.'’/-]+){0,2}"
    r"(?:, (?:[A-Z][\w.]*|\d{1,2})(?: (?:[A-Z][\w.]*|\d{1,2}))?(?:, \d{4})? (?:--|—|–) (?=[A-ZÄÖÜÉ“\"])"
    r"|(?(long) (?:--|—) (?=[A-Z“\"].*\b(?:said|was|were|has|had|will|would"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)|(?!)))"
)
_SOURCE = r"\[[^\[\]]{3,120}\bpp?\. ?[\divxl][\divxl–, -]*\]"
# A reference that the sentence splitter left before a sentence: "Pet. for Cert. i. We hold …".
_LEADING_CITATION = regex(
    r"(?:Pet\. for Cert\. [\divx]+\.|Id\., at [\d–-]+\.|Ibid\.|(?:App|Tr)\. (?:of Oral Arg\. )?[\d–-]+\."
    r"|Pp\. [\d–, -]+\.|(?:Ante|Post|Supra), at [\d–, -]+\.[\d]*"
    # "[Proudhon, What is Property, p. 264]" gives the source of the sentence before it.
    rf"|{_SOURCE})\s+(?=[A-Z\"“])"
)
_LEADING_SOURCE = regex(_SOURCE)
# "don't", "well-known".
_IN_A_WORD = regex(r"(?<=\w)['’-](?=\w)")
_PREFIXED = regex(r"[a-z]{2,}-[A-Z][a-z]+")
# A reference to a figure or table by its number, "Figs. 2a, b and 3", and where it stands in parentheses:
# alone, or after what else they hold.
_NUMBER_OF_FIGURE = r"(?:[A-Z]?\d{1,3}[A-Za-z]?\d?|[IVX]{1,4}|(?<!\d )[A-Ha-h])(?:[-–—][A-Za-z\d]{1,3})?\b"
_FIGURE = (
    r"(?:(?:(?:Supp(?:l\.?|lementary|lemental)|Additional|Extended Data|Online|Appendix) )?"
    r"(?:[Ff]igs?\.?|[Ff]igures?|FIG\.?|FIGURE|[Tt]ables?|TABLE|Box(?:es)?|Schemes?)"
    r"|(?:Supplementary|Additional) (?:[Ff]iles?|[Dd]ata|[Mm]aterials?|[Mm]ovies?|[Vv]ideos?)) ?"
    rf"{_NUMBER_OF_FIGURE}(?:(?:, ?(?:and )?| ?(?:and|&|to) ?){_NUMBER_OF_FIGURE}){{0,12}}"
    r"(?:,? (?:left|right|top|bottom|upper|lower|middle|inset|arrows?)(?: panels?)?)?"
)
# Each of them has one of these.
_WORDS_OF_FIGURES = (
    "Fig", "fig", "FIG", "Table", "table", "TABLE", "Box", "Scheme", "Supplementary", "Additional",
)  # fmt: skip
_FIGURES = rf"(?:(?:see |also |cf\. |and )*{_FIGURE}(?:[,;:] ?| (?=and )|(?= ?[)\]]))){{1,8}}"
_FIGURES_IN_PARENTHESES = regex(
    rf"(?<=.)(?: ?\( ?{_FIGURES} ?\)| ?\[ ?{_FIGURES} ?\]|[,;] ?{_FIGURES}(?=\)))"
)
# Where more is told, in parentheses, and nothing else: "(see below)", "(see Section 4 for details)".
_SEE_IN_PARENTHESES = regex(
    r"(?<=[^\s(]) \((?:please )?[Ss]ee (?:also )?(?:the )?"
    r"(?:above|below|(?:next|following|previous|last) (?:section|chapter|page|part|paragraph|example)"
    r"|(?:[Ss]ection|[Cc]hapter|[Aa]ppendix|[Pp]art|[Pp]age) [\d.]{1,8}|documentation|docs|notes?|examples?)"
    r"(?: (?:above|below|for (?:more |further )?(?:details?|information|instructions|examples?)))?\)"
    # "(as described above)", "(explained in the previous section)"
    r"|(?<=[^\s(]) \((?:as )?(?:explained|described|discussed|mentioned|shown|outlined|introduced)"
    r" (?:above|below|earlier|later|in (?:the )?"
    r"(?:(?:next|following|previous|last) (?:section|chapter|part|paragraph)"
    r"|(?:[Ss]ection|[Cc]hapter|[Pp]art) [\d.]{1,8}))\)"
)
_AS_FIGURES_SHOW = regex(
    rf"As (?:\w+ ){{0,2}}?(?:shown|seen|illustrated|depicted|summari[sz]ed|presented|reported|listed|given"
    rf"|indicated|displayed|described) (?:in|by|from) (?:the )?{_FIGURES}(?<=, )(?=\w)"
    # Not where more is said of the figure, or what it shows is set against something.
    r"(?!(?:which|where|whose|when|with|and|but|or|however|though|for (?:example|instance)|panels?|rows?"
    r"|columns?|lines?|(?:left|right|top|bottom|upper|lower|middle) \w+)\b)"
)


def begin(text: str) -> str:
    """What went on within a sentence as one of its own; an identifier ("scipy.stats") stays as it is."""
    word = text.split(maxsplit=1)[0].strip(",;:()") if text else ""
    # Of "pre-Roman" the first part tells that it is no name as "iPhone" is.
    first = word.partition("-")[0] if _PREFIXED.fullmatch(word) else _IN_A_WORD.sub("", word)
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def opening_length(text: str) -> int:
    """Length of the list markers, label or stray reference before a sentence: "- Fix: [bug 7] The …"."""
    position = _past(_LABEL, text, _past(LIST_MARKER, text, 0))
    position = _past(LIST_MARKER, text, position) if position else 0
    return _past_dateline(text, _past(_LEADING_CITATION, text, position))


def begins_report(text: str) -> bool:
    """Whether a text says first where a report was made: "SEOUL, Aug. 20 -- The …"."""
    return _past_dateline(text, 0) > 0


def _past_dateline(text: str, position: int) -> int:
    """Where a text goes on after the dateline that stands there, if one does."""
    if "(" in text:
        position = _past(DATELINE, text, position)
    if (found := _PLACE_AND_DATE.match(text, position)) is not None:
        return found.end()
    return _past(_PLACE_OF_REPORT, text, position) if text[position : position + 2].isupper() else position


def begins_with_source(text: str) -> bool:
    """Whether a text begins with a source in brackets: "[Proudhon, What is Property, p. 264] The …"."""
    return text.startswith("[") and _LEADING_SOURCE.match(text) is not None


def _past(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a text goes on after what a pattern matches there, if it does."""
    found = pattern.match(text, position)
    return position if found is None else found.end()


def without_figures(text: str) -> str:
    """A sentence without its references to figures, tables and other places that say nothing else.

    "(Figure 1)" and "(see below)" anywhere, "As shown in Figure 1, " where it begins.
    """
    if "(" in text and ("ee " in text or "ed " in text or "own " in text):
        text = _SEE_IN_PARENTHESES.sub("", text)
    opens = text.startswith("As ")
    if not (opens or "(" in text or "[" in text) or not any(map(text.__contains__, _WORDS_OF_FIGURES)):
        return text
    if opens and (found := _AS_FIGURES_SHOW.match(text)) is not None:
        text = begin(text[found.end() :])
    return _FIGURES_IN_PARENTHESES.sub("", text)
