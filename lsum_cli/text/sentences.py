"""Normalising white space, and splitting paragraphs into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise

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
_LOOK_BACK = 16
_LONGEST_ABBREVIATION = 6  # letters
# "(So it was.) The", "as shown.12 The", "as shown.[3,4] The": a stop, then what may follow it; and
# words and units that the library takes for abbreviations ("Me." is Maine; "2 GB/s.", "80 km/h.", "6.1 s.").
_MISSED_CUT = regex(
    r"(?:(?<=\bMay\.)|(?<=\bme\.)|(?<=\bill\.)|(?<=\bno\.)|(?<=\w/[dhs]\.)|(?<=\d [ghlmst]\.))"
    r" (?=[“\"‘(]?[A-Z][a-z])"
    r"|(?<=[^\W\d_]{2}[.!?])(?:[)\]][”\"’']?|(?<=[a-z]{4}\.)\d{1,3}(?:[,–-]\d{1,3})*) (?=[“\"‘(]?[A-Z])"
)
# "… verkauft. 142 Boote sanken", but not "vgl. 12", "Abschn. 3 des Plans": abbreviations have other ends.
_GERMAN_CUT_BEFORE_NUMBER = regex(
    r"(?<=[a-zäöüß]{2}(?:[aeiouäöü][a-zäöüß]|[a-zäöüß][aeiouy])\.) (?=\d{1,3}(?:\.\d{3})* [^\W\d_]{2})"
)
# What each of these boundaries has, looked for first.
_STOP_AND_MORE = regex(r"[.!?][)\]\d]")
_STOP_OF_UNIT = regex(r"\. (?<=\d [ghlmst]\. )")  # a pattern that begins with its stop is found faster
_STOPS_OF_WORDS = ("May. ", "me. ", "ill. ", "no. ", "/d. ", "/h. ", "/s. ")
_PLAIN_CUT = regex(
    r"\b[a-z]{4,}[.!?][)\]”\"’]{0,2} (?=[“\"(]?[A-Z])"
    # Hebrew and Arabic, which have no capitals.
    '|(?<=[\u05d0-\u05ea\u0620-\u06ff]{3})[.!?؟۔][)\\]”"»]{0,2} (?=[“"«(\\[]?[\u05d0-\u05ea\u0620-\u06ff])'
)
# A stop of any script, then quotation marks and brackets that close; Thai and Lao have no stop.
_STOP = regex("[.!?…。．｡！？؟۔।॥።។][\"'”’»›)\\]」』）*_\\s]*$|[\u0e00-\u0eff]$")
_SUSPICIOUSLY_LONG = 300  # characters
# The library's time grows with the square of the quotation marks, brackets and backticks in a text.
_CHUNK = 2_000  # characters
_CHUNK_CUT = regex(f"{_PLAIN_CUT.pattern}|[。．｡！？]|$")
_PAIRS = (("“", "”"), ("(", ")"), ("«", "»"), ("「", "」"))
_PATTERN_OF_NAMES = regex(r"\*(?:[.\w]| [a-z])")
_GLUED = regex(r"(?:[^\W_]|\s|^)[.!?]$")
_QUOTED = regex("[」』”]$")
# “水位下降得很慢。”一位工程师说。
_SAID = regex("[^。！？“”「」，,.:：\\s]{1,14}(?:说|說|道|表示|称|稱|问|問|答|喊)[。！，,]")
_HIRAGANA = regex("[\u3041-\u309f]")
# "1.", "(a)", "iv)": the number of a list item belongs to the item. Also marks without any word.
_ENUMERATOR = regex(r"\(?(?:\d{1,2}|[^\W\d_]|[ivxIVX]{2,5})[.)] |[^\w]+")
# "961 So. 2d 211", "(4th ed. 1916)", "Rep. No. 96", and what begins with a lone comma or bracket.
_CONTINUED = regex(r"(?:2d|3d|4th)\b|\d{4}\)|Nos?\. \d|[,;)\]](?:\s|$)")
_NUMBER = regex(r"[(\[§¶$~<]{0,2}\d")
_BEFORE_NUMBER = regex(
    r"(?<!\w)(?:approx|eqs?|eqn|secs?|sect|vols?|pp?|figs?|nos?|nn?|vs|cf|ca|c|refs?|tab|chs?|arts?|apps?"
    r"|appx|stat|supp|hist|tr|arg|cert|wheat|eds?|cas|rptr|doc|wall|proc|dept|cl|ann|reg|rev|res|rec|cong"
    r"|sess|min|max|al|eur|th|lemma|thm|prop|def|ex|rule|seq|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|amdt|dall|how|trib|evid|abb|nr|bd|kap|abs|ziff|anm|tab|págs?|pagg?|núm|cap|fasc|blz|afb|str|obr|rys"
    r"|ust|poz|č|№|стр|рис|гл|ст|разд)\. $"
    r"|(?<!\w)[Sсp]\. $",
    re.IGNORECASE,
)
# "dem 3. März", "le 1. janvier": a day is followed by its month, in whatever case the language writes it.
_MONTH = regex(
    r"(?:Jan(?:uar|ner)|Jänner|Feb(?:ruar|ber)|März|April|Mai|Juni|Juli|August|September|Oktober|November"
    r"|Dezember|Jan|Febr?|Apr|Aug|Sept?|Okt|Nov|Dez)\b"
)
_ORDINAL = regex(r"(?<![\w.,:])\d{1,3}\. $")
# "Der 2. Weltkrieg", "im 19. Jahrhundert": German nouns are capitals, so the word before decides.
_GERMAN_ORDINAL = regex(
    r"\b(?:der|die|das|dem|den|des|am|im|vom|zum|zur|beim|ab|bis|seit|jeder|jede|jedes|jeden|eine?[mnrs]?"
    r"|ihr|ihre[mnrs]?|sein|seine[mnrs]?|unser|unsere[mnrs]?|und|oder) \d{1,3}\. $",
    re.IGNORECASE,
)
_GERMAN, _ENGLISH = "de", "en"
# "т. е. в центре", "i. d. R.", "p. ex. il": a single letter with a stop does not end a sentence that goes on.
_LETTER_BEFORE_LOWER_CASE = regex(r"(?<![\w’'])[^\W\d_]\. $")
_BEFORE_NAME = regex(
    r"(?<![\w.])(?<!\d )(?:dr|drs|prof|profs|mr|mrs|ms|mme|mlle|mgr|messrs|sr|sra|srta|dra|hr|frl|dhr|mevr"
    # "United States ex rel. Doe": who sues for whom.
    r"|ex rel|sig|dott"
    r"|gen|col|capt|cpt|lt|sgt|rev|hon|sen|gov|gral|lic|inż|ks|mudr|phdr|ул|проф|г-н|г-жа)\. $",
    re.IGNORECASE,
)
# "Fed. Rule Civ. Proc. 60", "17 Op. Atty. Gen. 211", "83 J. Pub. Econ.": abbreviations that stand in a row.
_BEFORE_ABBREVIATION = regex(
    r"(?<!\w)(?:Pub|Civ|Crim|Ins|Constr|Consol|Harv|Educ|Comp|Atty|Evid|Stat|Geo|Cong|Mass|Md|Wash|Eng|Saf"
    r"|Econ|Fin|Sav|Nav|Trib|Cl|Cal|Ill|Fla|Tex|Pa|Mich|Minn|Conn|Ariz|Colo|Op|Supp|Fed|Int|Intl|App|Ann|Rev"
    r"|Rep|Rptr|Admin|Gen|Sess|Bd|Ed|Amdt|Rel|Lab|Sec|Proc|Prac|Bus|Hum|Nat|Acad|Sci|Phys|Chem|Biol|Med|Am"
    r"|Amer|Soc|Assn|Bull|Univ|Lett|Math)\. $"
)
_ABBREVIATION = regex(
    r"(?!(?:Ibid|Id|Cf|Ante|Post|Dr|Mr|Mrs|Ms|Prof|No|Nos)\.)(?:[A-Z][\w’']{0,8}\.(?=[ ,;:)\]]|$)|L\. |\d"
    r"|v\. |of |&|Co\b|Corp\b|Globe\b|Code\b|Const\b)"
)
_BEFORE_LOWER_CASE = regex(
    r"(?<!\w)(?:approx|resp|vars?|subsp|ssp|spp?|max|min|ca|vs|cf|apps?|pet|cert|bd|tr|dept|incl|excl|viz"
    r"|al|vgl|bzw|ggf|evtl|sog|inkl|zzgl|por|zob|e\.g|i\.e|mfrs?|figs?|eqs?|refs?|ibid|bbls?|lbs?|oz|gal|ft"
    r"|hrs?|inc|ltd|corp|assn|comm|cir|dist|ct)\. $",
    re.IGNORECASE,
)

# "the Iran-U. S. Claims Tribunal": initials set apart.
_INITIAL = regex(r"(?<!\w)[A-Z]\. $")
_NEXT_INITIAL = regex(r"[A-Z]\.(?:\s|$)")
# "dem 3. März", "im 19. Jahrhundert": ordinals, whose stop the library takes for an end in German as well.
_COUNTING = regex(r"(?<![\w.,])\d{1,2}\. $")
_COUNTED = regex(
    r"(?:J[aä]nner|Januari?|Februari?|März|Mar[st]s|Mai|Maj|Juni?|Juli?|Oktober|De[zs]ember"
    r"|Jahrhunderts?|Jh|Jhd|Jahrestags?|Geburtstags?|Lebensjahr(?:e?s)?|Kapitels?|Auflage)\b"
)
_COUNTED_ELSEWHERE = regex(r"(?:Jan|Feb|Mar|Apr(?:il)?|Aug(?:ust)?|Sept?(?:ember)?|Nov(?:ember)?)\b")
# "9 a.m. ET": the zone of a time of day, and what says whose time it is.
_TIME_OF_DAY = regex(r"(?<!\w)[ap]\. ?m\. $", re.IGNORECASE)
_TIME_ZONE = regex(
    r"(?:[ACEMP][SD]?T|AK[SD]T|HST|GMT|UTC|BST|IST|JST|KST|CES?T|A[CEW]S?T|NZ[SD]T"
    r"|(?:Eastern|Central|Mountain|Pacific|Greenwich)(?: (?:Standard|Daylight|Mean))? [Tt]ime)\b"
)
# Thai sets no stop at the end of a sentence, only behind an abbreviation.
_THAI_ABBREVIATION = regex("[\u0e01-\u0e4e]\\. $")
# For the library it ends a sentence, as "\u104b" does.
_BURMESE_COMMA = "\u104a"
_FRENCH_TITLE = regex(r"(?<!\w)(?:MM?|Mgr|Mes?|Drs?|Pr|Ste?)\. $")


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
    showed it wrong: some are added (:data:`_MISSED_CUT`), some removed (:func:`_is_no_end`).
    """
    spans: list[tuple[int, int]] = []
    start = 0
    library_cuts = _library_cuts(text, language)
    for cut in [*sorted(library_cuts.union(_missed_cuts(text, library_cuts, language))), len(text)]:
        if cut < len(text) and _is_no_end(text, start, cut, language):
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
        masked = _NUMBER_IN_BRACKETS.sub(lambda match: match[1] + "n" * len(match[2]), masked)
    # Behind the bullet or "(a)" of a list it would find none either.
    masked = _ITEM_MARK.sub(lambda match: "n" * len(match[0]), masked, 1)
    cuts: set[int] = set()
    begin = 0
    for end, is_cut in _chunks(masked):
        segments = sentencex.segment(language or "en", masked[begin:end])
        cuts.update(begin + place for place in accumulate(len(segment) for segment in segments[:-1]))
        if is_cut:
            cuts.add(end)
        begin = end
    return cuts


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
    if (
        any(map(text.__contains__, _STOPS_OF_WORDS))
        or _STOP_OF_UNIT.search(text)
        or _STOP_AND_MORE.search(text)
    ):
        for match in _MISSED_CUT.finditer(text):
            yield match.end()
    # After an unmatched quotation mark or bracket the library finds no more boundaries.
    for start, end in pairwise([0, *sorted(library_cuts), len(text)]):
        if end - start > _SUSPICIOUSLY_LONG:
            for match in _PLAIN_CUT.finditer(text, start, end):
                yield match.end()


def _is_no_end(text: str, start: int, cut: int, language: str | None) -> bool:
    """Whether the sentence ``text[start:cut]`` is incomplete and continues after ``cut``."""
    before = text[max(start, cut - _LOOK_BACK) : cut]
    if before.rstrip(SENTENCE_BREAK).endswith(_BURMESE_COMMA):
        return True
    if not before.endswith(SENTENCE_BREAK):
        # Without a space: within `asyncio.Task`, 「はい。」と言った, or before the comma of "Juss.; Murraya".
        if text[cut] in ",;":
            return True
        # "run ./configure", "the gnu.* namespace": paths and patterns of names.
        if before.endswith(".") and (text[cut] == "/" or _PATTERN_OF_NAMES.match(text, cut)):
            return True
        glued = _GLUED.search(before) is not None and text[cut].isalnum()
        quoted = _QUOTED.search(before) is not None
        return glued or (quoted and (_HIRAGANA.match(text, cut) or _SAID.match(text, cut)) is not None)
    if cut - start <= _LOOK_BACK and _ENUMERATOR.fullmatch(before):
        return True
    if _CONTINUED.match(text, cut):
        return True
    # "#!" is how a script begins.
    if before.endswith("#! ") and not before[-4:-3].isalnum():
        return True
    # A name that ends in an exclamation mark (`put!`), or an exclamation within a sentence.
    if text[cut].islower() and before.endswith("! ") and before[-3:-2].isalnum():
        return True
    word = before[-_LONGEST_ABBREVIATION - 3 : -2]
    if not before.endswith(". ") or (len(word) > _LONGEST_ABBREVIATION and word.isalpha()):
        return False  # no abbreviation
    if _INITIAL.search(before) and _NEXT_INITIAL.match(text, cut):
        return True
    if _TIME_OF_DAY.search(before) and _TIME_ZONE.match(text, cut):
        return True
    if _THAI_ABBREVIATION.search(before):
        return True
    if _COUNTING.search(before) and (
        _COUNTED.match(text, cut) or (language not in (None, "en") and _COUNTED_ELSEWHERE.match(text, cut))
    ):
        return True
    if language == "fr" and _FRENCH_TITLE.search(before):
        return True
    if _NUMBER.match(text, cut) and _BEFORE_NUMBER.search(before):
        return True
    if _ORDINAL.search(before) and (text[cut].islower() or _MONTH.match(text, cut)):
        return True
    if language == _GERMAN and _GERMAN_ORDINAL.search(before) and text[cut].isupper():
        return True
    if _BEFORE_NAME.search(before) and text[cut].isupper():
        return True
    if _BEFORE_ABBREVIATION.search(before) and _ABBREVIATION.match(text, cut):
        return True
    if not text[cut].islower():
        return False
    return bool(_BEFORE_LOWER_CASE.search(before) or _LETTER_BEFORE_LOWER_CASE.search(before))


_COMPLETE = regex(
    r"[.!?…。．｡！？؟۔।][)\]”\"’'»」』*_]{0,3}$"
    # The number of a note may follow: "as shown.12", "as shown.[3,4]", "as shown. [5]".
    r"|[^\W\d_][.!?][)\]”\"’']{0,2}(?:\d{1,3}(?:[,–-]\d{1,3})*| ?\[\d{1,3}(?:[,–-] ?\d{1,3})*\])$"
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
