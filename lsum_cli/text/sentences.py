"""Normalising white space, and splitting paragraphs into sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise

from lsum_cli.text.continuations import OPENERS, goes_on
from lsum_cli.text.patterns import regex

SENTENCE_BREAK = " "
TYPOGRAPHIC_MARKS = "’“”‘—–"
"""Of an English text these are mostly all that is not ASCII; for ASCII there are faster methods."""
_LONGEST_KEPT = 2000  # characters
# Control characters (but white space), soft hyphens, zero-width spaces, byte-order marks, surrogates.
_INVISIBLE = regex("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ud800-\udfff]")

# Han, kana and their punctuation; Korean sets spaces.
_IDEOGRAPHS = "\u3001-\u301f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
_IDEOGRAPH = regex(f"[{_IDEOGRAPHS}]")
_SPACELESS_BREAK = regex(f"(?<=[{_IDEOGRAPHS}])[ \t\r]*\n[ \t\r\n]*(?=[{_IDEOGRAPHS}])")

_GERSHAYIM = regex('(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])')
_NUMBER_IN_BRACKETS = regex(r"(\([^()]{1,300} )(\d{1,4})(?=\))")
_ITEM_MARK = regex(r"\A(?:[•▪▫●○◦■□◆◇▸►]|\((?:\d{1,3}|[a-zA-Z]{1,4})\))(?= )")
# "(So it was.) The", "as shown.12 The", "in 2007).1 To", "as shown.[3,4] The": a stop, then what may follow
# it; but "fig.3 The". Also "the error (S.E.) The".
_MISSED_CUT = regex(
    r"[.!?](?:(?<=[^\W\d_]{2}[.!?])[)\]][”\"’']?"
    r"|(?:(?<=[a-z]{4}\.)|(?<=[)\]”’]\.)|(?<=[^\W\d_]{2}[.!?])[”’]{1,2}"
    r"|(?<=\b(?:it|is|so|us|me|do|to|up|on|of|by|at|be|we|he|go)\.)"
    r"|(?<=[A-Za-z][a-z]{2}\.)(?<!(?i:fig|eqn|eqs|vol|sec|ref|tab|col|app|sub|sup|ver|par|art|num|nos|pag|obs"
    r"|ser|lib|lit|ann|cap|abb)\.))"
    r"\d{1,3}(?:[,–-]\d{1,3})*|\*) (?=[“\"‘(]?[A-Z])"
    rf"|[.!?](?:(?<=[A-Z]\.[A-Z]\.)|(?<=\d{{3}}\.)|(?<=[)\]”’][.!?]))\) (?={OPENERS} )"
)
# A section or page with a raised mark: "under §1331.9 That", "at 526.9 It".
_MARK_AFTER_NUMBER = regex(rf"(?:§|, at )\d[\d–]{{0,10}}\.\d{{1,2}} (?={OPENERS} )")
# Words and units that the library takes for abbreviations: "Me." is Maine; "6.1 s.", "5 min.".
_MISSED_CUT_OF_WORD = regex(r"(?:\bMay|\bme|\bill|\bno|\w/[dhs]|\bI/O)\. (?=[“\"‘(]?(?:[A-Z][a-z]|A [a-z]))")
_MISSED_CUT_OF_UNIT = regex(
    r"\. (?:(?<=\d [ghlmst]\. )|(?<=\d (?:min|sec)\. )|(?<=\d (?:hr|mo|mm)\. ))(?=[“\"‘(]?[A-Z][a-z])"
)
# "… verkauft. 142 Boote sanken", but not "vgl. 12", "Abschn. 3 des Plans": abbreviations have other ends.
_GERMAN_CUT_BEFORE_NUMBER = regex(
    r"(?<=[a-zäöüß]{2}(?:[aeiouäöü][a-zäöüß]|[a-zäöüß][aeiouy])\.) (?=\d{1,3}(?:\.\d{3})* [^\W\d_]{2})"
)
# What each of these boundaries has, looked for first.
_STOP_AND_MORE = regex(r"[.!?](?:[)\]\d]|[”’]{1,2}\d|\* )")
# Where a quotation of several paragraphs goes on, it opens again: 'It is late. "It is cold," she said.'
_OPENS_AGAIN = regex(r"[.!?] (?=\"\w)")
_OPENED_BEFORE_CUT = regex(r"[.!?,;] [“'\"](?=\w)")
_STOPS_OF_WORDS = ("May. ", "me. ", "ill. ", "no. ", "/d. ", "/h. ", "/s. ", "I/O. ")
_PLAIN_CUT = regex(
    r"\b[a-z]{4,}[.!?][)\]”\"’]{0,2} (?=[“\"(]?[A-Z])"
    # Hebrew and Arabic, which have no capitals.
    '|(?<=[\u05d0-\u05ea\u0620-\u06ff]{3})[.!?؟۔][)\\]”"»]{0,2} (?=[“"«(\\[]?[\u05d0-\u05ea\u0620-\u06ff])'
)
# A stop of any script, then quotation marks and brackets that close; Thai and Lao have no stop.
_STOP = regex("[.!?…。．｡！？؟۔।॥።។][\"'”’»›)\\]」』）*_\\s]*$|[\u0e00-\u0eff]$")
_AROUND = 60  # characters
_SUSPICIOUSLY_LONG = 300  # characters
# The library's time grows with the square of the quotation marks, brackets and backticks in a text.
_CHUNK = 2_000  # characters
_CHUNK_CUT = regex(f"{_PLAIN_CUT.pattern}|[。．｡！？]|$")
_PAIRS = (("“", "”"), ("(", ")"), ("«", "»"), ("「", "」"))
_GERMAN, _ENGLISH = "de", "en"
_STOP_AND_CAPITAL = regex(r"[a-z][.!?][A-Z][a-z]* ")
_GLUED_SENTENCES = regex(
    r"(?<![\w./:@-])([a-z]{3,}[.!?])(?=(?:The|This|These|That|Those|There|They|Their|It|Its|We|Our|He|She"
    r"|His|Her|In|On|At|For|From|With|When|While|Where|What|Which|Who|Why|How|If|As|And|But|So|After|Before"
    r"|Because|Although|However|An|A|You|Your|To) [\w“\"(])"
)


def normalise(text: str) -> str:
    """``text`` with every run of white space as one space and invisible characters removed.

    Between Chinese or Japanese characters the end of a line is no space: these scripts set none.
    """
    # What cannot be printed includes all that is invisible, and all white space but spaces.
    if text.isprintable():
        if "  " not in text:
            return text.strip(" ")
    else:
        text = _INVISIBLE.sub("", text)
        if not text.isascii():
            text = _SPACELESS_BREAK.sub("", text)
    return " ".join(text.split())


def without_typographic_marks(text: str) -> str:
    """A text without its :data:`TYPOGRAPHIC_MARKS`, which leaves ASCII of most English ones."""
    if text.isascii():
        return text
    # Of a sentence that is asked for again and again; whole documents would fill the memory.
    return _sentence_without_marks(text) if len(text) <= _LONGEST_KEPT else _without_marks(text)


def _without_marks(text: str) -> str:
    for mark in TYPOGRAPHIC_MARKS:
        text = text.replace(mark, "")
    return text


_sentence_without_marks = lru_cache(maxsize=1 << 14)(_without_marks)


def joins_without_space(left: str, right: str) -> bool:
    """Whether two lines of one paragraph are joined by nothing: both are Chinese or Japanese there."""
    return bool(left and right) and bool(_IDEOGRAPH.match(left[-1]) and _IDEOGRAPH.match(right[0]))


def part_sentences(text: str, language: str | None) -> str:
    """A text with a space between two sentences where it is missing: "all parts.The rest".

    Only in English, and before a word that is no name: "runtime.Scheme" and "file.Name" are names.
    """
    if language != _ENGLISH or _STOP_AND_CAPITAL.search(text) is None:
        return text
    return _GLUED_SENTENCES.sub(r"\1 ", text)


def ends_with_stop(text: str) -> bool:
    """Whether a text ends as sentences do: with a full stop or another final mark of its script."""
    return _STOP.search(text) is not None


def split_sentences(text: str, language: str | None = None) -> list[str]:
    """Split normalised text into sentences.

    Args:
        text: One paragraph, as :func:`normalise` returns it.
        language: Two-letter code; English rules where unknown.

    Returns:
        Sentences without surrounding white space; joined by single spaces they give ``text``
        again, or, for scripts that set no space between sentences, joined by nothing.
    """
    return [text[start:end] for start, end in sentence_spans(text, language)]


def sentence_spans(text: str, language: str | None = None) -> list[tuple[int, int]]:
    """The sentences of a normalised paragraph as ``(start, end)`` offsets into it.

    Neighbouring spans are separated by one space or nothing, so that spans and gaps cover the
    paragraph. See :func:`split_sentences`. The library's boundaries are corrected where measurements
    showed it wrong: some are added (:data:`_MISSED_CUT`), some removed (:func:`.goes_on`).
    """
    spans: list[tuple[int, int]] = []
    start = 0
    library_cuts = _library_cuts(text, language)
    for cut in [*sorted(library_cuts.union(_missed_cuts(text, library_cuts, language))), len(text)]:
        if cut < len(text) and goes_on(text, start, cut, language):
            continue
        begin = start + text.startswith(SENTENCE_BREAK, start, cut)
        end = cut - text.endswith(SENTENCE_BREAK, begin, cut)
        if begin < end:
            spans.append((begin, end))
        start = cut
    return spans


def _library_cuts(text: str, language: str | None) -> set[int]:
    """Offsets at which the library begins a new sentence."""
    import sentencex

    # Within a Hebrew word a straight quotation mark is an abbreviation, and opens nothing.
    masked = _GERSHAYIM.sub("\u05f4", text) if '"' in text else text
    # The end of "(in 2019)" is no numbered item; between two of them the library would find no boundary.
    if "(" in masked:
        masked = _NUMBER_IN_BRACKETS.sub(lambda match: match[1] + "_" * len(match[2]), masked)
    # Behind the bullet or "(a)" of a list it would find none either.
    masked = _ITEM_MARK.sub(lambda match: "n" * len(match[0]), masked, 1)
    cuts: set[int] = set()
    begin = 0
    for first, last in pairwise([0, *_opened_again(masked, language), len(masked)]):
        for end, is_cut in _chunks(masked[first:last]):
            segments = sentencex.segment(language or "en", masked[begin : first + end])
            cuts.update(begin + place for place in accumulate(len(segment) for segment in segments[:-1]))
            begin = first + end
            if is_cut or first + end == last < len(masked):
                cuts.add(begin)
    if _OPENED_BEFORE_CUT.search(masked):
        # An opening quotation mark belongs to what follows it: "so. 'Cause", "the wall. “It".
        cuts = {cut - 1 if _opens(masked, cut) else cut for cut in cuts}
    return cuts


def _opened_again(text: str, language: str | None) -> Iterator[int]:
    """Where a quotation opens that is open already; the marks before it would be taken for a pair.

    Marks for inches may be odd as well, so the library must find the end of a sentence there without marks.
    """
    import sentencex

    begin, marks = 0, 0
    for match in _OPENS_AGAIN.finditer(text) if '"' in text else ():
        marks += text.count('"', begin, match.end())
        begin = match.end()
        if marks % 2:
            before = text[max(0, begin - _AROUND) : begin].replace('"', "")
            segments = sentencex.segment(language or "en", before + text[begin + 1 : begin + _AROUND])
            if len(before) in accumulate(map(len, segments)):
                marks = 0
                yield begin


def _opens(text: str, cut: int) -> bool:
    """Whether a quotation mark before ``cut`` opens what stands behind it."""
    return (
        cut > 2
        and text[cut - 1] in "“'\""
        and text[cut - 2] == SENTENCE_BREAK
        and text[cut : cut + 1] != SENTENCE_BREAK
    )


def _chunks(text: str) -> Iterator[tuple[int, bool]]:
    """The ends of chunks in which a text is split, and whether each is surely the end of a sentence.

    A chunk ends where a sentence does, after a quotation or bracket rather than within one. A text
    without ends of sentences is divided anyway, which makes no end of one.
    """
    begin = 0
    while len(text) - begin > 2 * _CHUNK:
        limit = begin + 2 * _CHUNK
        ends = [match.end() for match in _CHUNK_CUT.finditer(text, begin + _CHUNK, limit)][:-1]
        whole = (end for end in ends if _is_balanced(text, begin, end))
        begin = next(
            whole, ends[0] if ends else text.rfind(SENTENCE_BREAK, begin + _CHUNK, limit) + 1 or limit
        )
        yield begin, bool(ends)
    yield len(text), False


def _is_balanced(text: str, begin: int, end: int) -> bool:
    """Whether no quotation or bracket is open at ``end`` that was not at ``begin``."""
    paired = all(text.count(left, begin, end) == text.count(right, begin, end) for left, right in _PAIRS)
    return paired and not any(text.count(mark, begin, end) % 2 for mark in '"`')


def _missed_cuts(text: str, library_cuts: set[int], language: str | None) -> Iterator[int]:
    """Offsets of sentence boundaries that the library misses."""
    if language == _GERMAN:
        for match in _GERMAN_CUT_BEFORE_NUMBER.finditer(text):
            yield match.end()
    if any(map(text.__contains__, _STOPS_OF_WORDS)):
        for match in _MISSED_CUT_OF_WORD.finditer(text):
            yield match.end()
    for match in _MISSED_CUT_OF_UNIT.finditer(text):
        yield match.end()
    if _STOP_AND_MORE.search(text):
        for match in _MISSED_CUT.finditer(text):
            yield match.end()
        if "§" in text or ", at " in text:
            for match in _MARK_AFTER_NUMBER.finditer(text):
                yield match.end()
    # After an unmatched quotation mark or bracket the library finds no more boundaries.
    for start, end in pairwise([0, *sorted(library_cuts), len(text)]):
        if end - start > _SUSPICIOUSLY_LONG:
            for match in _PLAIN_CUT.finditer(text, start, end):
                yield match.end()


_COMPLETE = regex(
    r"[.!?…。．｡！？؟۔।][)\]”\"’'»」』*_]{0,3}$"
    # The number of a note may follow: "as shown.12", "as shown.[3,4]", "as shown. [5]".
    r"|(?:[^\W\d_]|[)\]”’])[.!?][)\]”\"’']{0,2}(?:\d{1,3}(?:[,–-]\d{1,3})*| ?\[\d{1,3}(?:[,–-] ?\d{1,3})*\])$"
)
_LETTERS = regex(r"[^\W\d_]+")
_SPACELESS = regex("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_FEWEST_WORDS, _FEWEST_SPACELESS = 3, 5


def is_complete(text: str) -> bool:
    """Whether a text is a whole sentence by its form: some words, and a mark that ends it.

    Labels, headings and most list items are not; neither is "Fig. 3."
    """
    if not _COMPLETE.search(text):
        return False
    return len(_LETTERS.findall(text)) >= _FEWEST_WORDS or len(_SPACELESS.findall(text)) >= _FEWEST_SPACELESS
