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
_FAR = 300  # characters
# What begins a sentence where another capital may be a name.
_OPENERS = (
    r"(?:The|This|These|That|Those|There|Then|Thus|They|Their|It|Its|We|Our|He|She|His|Her|In|On|At|For|From"
    r"|With|When|While|Where|What|Which|Who|Why|How|If|As|And|But|Or|Nor|Yet|So|After|Before|Because|Since"
    r"|Although|Though|However|Moreover|Furthermore|Finally|Indeed|Instead|Rather|Under|By|To|Of|Not|No"
    r"|Another|Any|Each|Both|Some|Such|All|Most|Many|One|Two|First|Second|Third|Here|Only|Even|Nothing"
    r"|Nobody|See|Compare|Accord|Id|Ibid|Cf|Ante|Post|An?|I|You|Your|Justice|JUSTICE|Congress)\b"
)
# "(So it was.) The", "as shown.12 The", "in 2007).1 To", "as shown.[3,4] The": a stop, then what may follow
# it; but "fig.3 The". Also "the error (S.E.) The".
_MISSED_CUT = regex(
    r"[.!?](?:(?<=[^\W\d_]{2}[.!?])[)\]][”\"’']?"
    r"|(?:(?<=[a-z]{4}\.)|(?<=[)\]”’]\.)|(?<=[^\W\d_]{2}[.!?])[”’]{1,2}"
    r"|(?<=\b(?:it|is|so|us|me|do|to|up|on|of|by|at|be|we|he|go)\.)"
    r"|(?<=[A-Za-z][a-z]{2}\.)(?<!(?i:fig|eqn|eqs|vol|sec|ref|tab|col|app|sub|sup|ver|par|art|num|nos|pag|obs"
    r"|ser|lib|lit|ann|cap|abb)\.))"
    r"\d{1,3}(?:[,–-]\d{1,3})*|\*) (?=[“\"‘(]?[A-Z])"
    rf"|\.\)(?<=[A-Z]\.[A-Z]\.\)) (?={_OPENERS} )"
)
# A section or page with a raised mark: "under §1331.9 That", "at 526.9 It".
_MARK_AFTER_NUMBER = regex(rf"(?:§|, at )\d[\d–]{{0,10}}\.\d{{1,2}} (?={_OPENERS} )")
# Words and units that the library takes for abbreviations: "Me." is Maine; "6.1 s.", "5 min.".
_MISSED_CUT_OF_WORD = regex(r"(?:\bMay|\bme|\bill|\bno|\w/[dhs])\. (?=[“\"‘(]?[A-Z][a-z])")
_MISSED_CUT_OF_UNIT = regex(
    r"\. (?:(?<=\d [ghlmst]\. )|(?<=\d (?:min|sec)\. )|(?<=\d (?:hr|mo|mm)\. ))(?=[“\"‘(]?[A-Z][a-z])"
)
# "… verkauft. 142 Boote sanken", but not "vgl. 12", "Abschn. 3 des Plans": abbreviations have other ends.
_GERMAN_CUT_BEFORE_NUMBER = regex(
    r"(?<=[a-zäöüß]{2}(?:[aeiouäöü][a-zäöüß]|[a-zäöüß][aeiouy])\.) (?=\d{1,3}(?:\.\d{3})* [^\W\d_]{2})"
)
# What each of these boundaries has, looked for first.
_STOP_AND_MORE = regex(r"[.!?](?:[)\]\d]|[”’]{1,2}\d|\* )")
_OPENED_BEFORE_CUT = regex(r"[.!?,;] [“'](?=\w)")
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
_PATTERN_OF_NAMES = regex(r"\*(?:[.\w]| [a-z])|\* [A-Z“\"‘(]")
_GLUED = regex(r"(?:[^\W_]|\s|^)[.!?]$")
_QUOTED = regex("[」』”]$")
# “水位下降得很慢。”一位工程师说。
_SAID = regex("[^。！？“”「」，,.:：\\s]{1,14}(?:说|說|道|表示|称|稱|问|問|答|喊)[。！，,]")
_HIRAGANA = regex("[\u3041-\u309f]")
# "1.", "(a)", "iv)": the number of a list item belongs to the item. Also marks without any word.
_ENUMERATOR = regex(r"\(?(?:\d{1,2}|[^\W\d_]|[ivxIVX]{2,5})[.)] |[^\w]+")
# "961 So. 2d 211", "(4th ed. 1916)", "Rep. No. 96", "Inst. v. Baker", "Elm. f. sp. tritici", an acronym in
# brackets, and marks that close something or end it.
_CONTINUED = regex(
    r"(?:2d|3d|4th)\b|\d{4}\)|Nos?\. \d|vs?\. [A-Z]|[.,:;!?)\]’”]+(?:[\s.,;)\]]|$)|& "
    r"|(?:L\. (?:Rev|J|Q|&)|Rev\. \d|Comm’n (?:of|v\.)|Ins\. Co|(?:f\. ?sp|var|subsp|ssp|cv|pv|syn)\. )"
    r"|\((?:[A-Z][\w-]*[A-Z]s?|[A-Z][a-z]+(?:aceae|idae|ales|ptera)\b[^()]{0,40})\)(?=[ ,;:.])"
)
_NUMBER = regex(r"[(\[§¶$~<]{0,2}\d")
_NUMBERED_BY_LETTERS = regex(r"[A-Z]\d|[IVXLC]{2,}\b|[A-Z](?=[,;.)])")
_WORD_BEFORE_STOP = regex(r"(?<!\w)[^\W\d_]+\Z")


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEFORE_NUMBER = _words(
    """approx eq eqs eqn sec secs sect vol vols p pp fig figs no nos n nn vs cf ca c ref refs tab ch chs art
    arts app apps appx stat supp hist tr arg cert wheat ed eds cas rptr doc wall proc dept cl ann reg regs
    rev res rec cong sess min max al eur th lemma thm prop def ex exh rule seq jan feb mar apr jun jul aug
    sep sept oct nov dec amdt dall how pet trib evid abb nr bd kap abs ziff anm pág págs pag pagg núm cap
    fasc blz afb str obr rys ust poz č стр рис гл ст разд tit pt pts para paras subd subds rcd cranch otto
    johns dict stats rept cv cvs bk div"""
)
# "App. A830", "Tit. II", "Div. C,".
_BEFORE_LETTERS = _words("app fig figs rec doc exh tit pt pts ch bk div art amdt vol cl")
# "Fed. Rule Civ. Proc. 60", "17 Op. Atty. Gen. 211", "83 J. Pub. Econ.": abbreviations that stand in a row.
_BEFORE_ABBREVIATION = _words(
    """Pub Civ Crim Ins Constr Consol Harv Educ Comp Atty Evid Stat Geo Cong Mass Md Wash Eng Saf Econ Fin
    Sav Nav Trib Cl Cal Ill Fla Tex Pa Mich Minn Conn Ariz Colo Op Supp Fed Int Intl App Ann Rev Rep Rptr
    Admin Gen Sess Bd Ed Amdt Rel Lab Sec Proc Prac Bus Hum Nat Acad Sci Phys Chem Biol Med Am Amer Soc Assn
    Bull Univ Lett Math Elec Mut Util Serv Servs Inst Colum Chi Stan Ford Vand Haw Hist Conf Cty Legis Dist
    Cum Pol Wm Ky Tenn Wis Ore Okla Neb Nev Mont Ind Ark Ala Wyo Munic"""
)
# In the names of parties and statutes also before a word: "Nat. Bank v. Bell", "Comp. Laws".
_IN_NAMES = _words(
    """Elec Nat Mut Util Serv Servs Mfrs Mfg Admin Treas Educ Comp Transp Ins Govt Crim Civ Conf Fam Irrig
    Prods Constr Haw Soc Auth Indus Sav Legis Cum Prac Cts Jud Pub Cty Inst Agric Sess Sup Ariz Mich Minn
    Conn Fla Tex Cal Pa Ky Tenn Wis Ore Okla Neb Wyo Md Munic Consol Petrol Indem Envtl Chem Pharm Hosp
    Telecomms Broad Acad Ry"""
)
_ABBREVIATION = regex(
    r"(?!(?:Ibid|Id|Cf|Ante|Post|Dr|Mr|Mrs|Ms|Prof|No|Nos)\.)(?:[A-Z][\w’'-]{0,8}\.(?=[ ,;:)\]]|$)|L\. |\d"
    r"|&|Co\b|Corp\b|Globe\b|Code\b|Const\b)"
)
_NAME_IN_ROW = regex(rf"(?!{_OPENERS})[A-Z][\w’&-]+[ ,]")
_BEFORE_NAME = _words(
    """dr drs prof profs mr mrs ms mme mlle mgr messrs sr sra srta dra hr frl dhr mevr sig dott gen col capt
    cpt lt sgt rev hon sen gov gral lic inż ks mudr phdr ул проф н жа"""
)
_PERSON = regex(r"(?<![\w.])(?<!\d )[\w-]+\. \Z")
_FRENCH_TITLES = _words("M MM Mgr Me Mes Dr Drs Pr St Ste")
_BEFORE_LOWER_CASE = _words(
    """approx resp var vars subsp ssp sp spp max min ca vs cf app apps pet cert bd tr dept incl excl viz al
    vgl bzw ggf evtl sog inkl zzgl por zob mfr mfrs fig figs eq eqs ref refs ibid bbl bbls lb lbs oz gal ft
    hr hrs inc ltd corp assn comm cir dist ct arg cty dict decl inst stats www pv cv cvs syn subsect"""
)
# "Apanteles sp. (Hymenoptera)", "five cv. Kronos plants", "O. sanctum var. Rama".
_OF_SPECIES = _words("sp spp ssp subsp var cv cvs pv subsect subg")
_BELOW_SPECIES = _words("ssp subsp cv cvs pv subsect subg")
_VARIETY = regex(r"[a-z]{2}(?:um|us|is|a|i|ae|ens|on) var\. \Z")
_CULTIVAR = regex(rf"(?!{_OPENERS})[“‘'\"A-Z×]")
# "Ae. markgrafii", and "Aloe elgonica Haw. is".
_GENUS = regex(r"(?<![\w.])(?!(?:No|So|Oh|Uh|Um|Ah|Mm|Eh|Hm|Ok|Hi|Go|It|Is|Us|Me|We|He)\.)[A-Z][a-z]\. \Z")
_EPITHET = regex(r"[a-z]{2,}(?:i|a|um|us|is|ae|ns)\b")
_AUTHOR = regex(r"[a-z] [A-Z][a-z]{1,5}[b-df-hj-np-tv-z]\. \Z")
_AFTER_AUTHOR = regex(r"(?:is|are|was|were|and|or|in|of|from|as|with|by)\b")
# "Tinospora cordifolia (Willd.) Miers".
_AUTHOR_IN_BRACKETS = regex(r"[a-z] \([A-Z][a-z]{1,8}\.\) \Z")
_ABBREVIATIONS = frozenset(
    word.lower()
    for words in (
        _BEFORE_NUMBER,
        _BEFORE_LETTERS,
        _BEFORE_ABBREVIATION,
        _IN_NAMES,
        _BEFORE_NAME,
        _FRENCH_TITLES,
        _BEFORE_LOWER_CASE,
        _OF_SPECIES,
        ["rel"],
    )
    for word in words
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

# "the Iran-U. S. Claims Tribunal": initials set apart.
_INITIAL = regex(r"(?<!\w)[A-Z]\. $")
_NEXT_INITIAL = regex(r"[A-Z]\.(?:\s|$)")
_NEXT_ABBREVIATION = regex(r"([A-Z][a-z]+)\. ")
_LETTER_BEFORE_NUMBER = regex(r"(?<!\w)[SсpPcCnN]\. $")
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
# The mark of a list within a sentence: "two: (1) one, and (2) another".
_MARK_IN_SENTENCE = regex(r"\((?:\d{1,2}|[a-z]|[ivx]{2,4})\) ")
_CLOSING_MARK = regex(r"\w{1,4}\)")
# What is no word and no quotation mark begins an operator or a name: "..<", "Type.__name__".
_OF_CODE = "_<>=/\\|&%^~-"


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


def is_broken(text: str, following: str, language: str | None = None) -> bool:
    """Whether the last sentence of a text goes on in the text that follows: "501 U. S.", "1083 (1991)."."""
    tail = text[-_LOOK_BACK:]
    return _is_no_end(f"{tail} {following[:_FAR]}", len(tail) - len(text), len(tail) + 1, language)


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
    if _OPENED_BEFORE_CUT.search(masked):
        # An opening quotation mark belongs to what follows it: "so. 'Cause", "the wall. “It".
        cuts = {cut - 1 if _opens(masked, cut) else cut for cut in cuts}
    return cuts


def _opens(text: str, cut: int) -> bool:
    """Whether a quotation mark before ``cut`` opens what stands behind it."""
    return (
        cut > 2
        and text[cut - 1] in "“'"
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


def _is_no_end(text: str, start: int, cut: int, language: str | None) -> bool:
    """Whether the sentence ``text[start:cut]`` is incomplete and continues after ``cut``."""
    before = text[max(start, cut - _LOOK_BACK) : cut]
    if not before.endswith(SENTENCE_BREAK):
        return _is_within_word(text, cut, before)
    if cut - start <= _LOOK_BACK and _ENUMERATOR.fullmatch(before):
        return True
    if _CONTINUED.match(text, cut):
        return True
    if not before.endswith(". "):
        return _continues_without_stop(text, start, cut, before)
    word = before[:-2].rpartition(SENTENCE_BREAK)[2]
    if not word.isalpha() or len(word) == 1:
        if _is_letter_or_number(text, cut, before, language):
            return True
        found = _WORD_BEFORE_STOP.search(word)
        if found is None:
            return False
        word = found[0]
    elif not word.isascii() and _THAI_ABBREVIATION.search(before):
        return True
    if text[cut].islower():
        return (
            word.lower() in _BEFORE_LOWER_CASE
            or (word in _BEFORE_ABBREVIATION and text.startswith("of ", cut))
            or (_GENUS.search(before) is not None and _EPITHET.match(text, cut) is not None)
            or (_AUTHOR.search(before) is not None and _AFTER_AUTHOR.match(text, cut) is not None)
        )
    return word.lower() in _ABBREVIATIONS and _is_abbreviated(text, cut, before, word, language)


def _is_within_word(text: str, cut: int, before: str) -> bool:
    """Whether a boundary without a space before it is none."""
    # 「はい。」と言った, and before the comma of "Juss.; Murraya".
    if text[cut] in ",;" or before.endswith(_BURMESE_COMMA):
        return True
    # "run ./configure", "the gnu.* namespace": paths and patterns of names; "#![no_std]".
    if before.endswith((".", "!")) and (
        (text[cut] in _OF_CODE and (before.endswith("..") or not text.startswith(SENTENCE_BREAK, cut + 1)))
        or _PATTERN_OF_NAMES.match(text, cut)
        or before.endswith("#!")
    ):
        return True
    # Within `asyncio.Task`.
    if _GLUED.search(before) and text[cut].isalnum():
        return True
    return _QUOTED.search(before) is not None and (
        _HIRAGANA.match(text, cut) is not None or _SAID.match(text, cut) is not None
    )


def _continues_without_stop(text: str, start: int, cut: int, before: str) -> bool:
    """Whether a sentence that has no full stop before ``cut`` continues there."""
    last = before[-2:-1]
    if last == "!":
        # "#!" is how a script begins; a name may end in an exclamation mark (`put!`), or it is one within
        # a sentence.
        is_word = before[-3:-2].isalnum()
        return (text[cut].islower() and is_word) or (before[-3:-2] == "#" and not before[-4:-3].isalnum())
    if last == ")":
        return _AUTHOR_IN_BRACKETS.search(before) is not None and text[cut].isupper()
    if last == _BURMESE_COMMA:
        return True
    if not last.isalnum() and last not in ",;:":
        return False
    if _MARK_IN_SENTENCE.match(text, cut):
        return True
    # "(slip op., at 5)".
    begin = max(start, cut - _FAR)
    is_open = text.rfind("(", begin, cut) > text.rfind(")", begin, cut)
    return is_open and _CLOSING_MARK.match(text, cut) is not None


def _is_letter_or_number(text: str, cut: int, before: str, language: str | None) -> bool:
    """Whether the stop before ``cut`` belongs to a letter, an initial or a number that stands for a word."""
    if _INITIAL.search(before):
        if _NEXT_INITIAL.match(text, cut):
            return True
        # "N. Y. Educ. Law".
        following = _NEXT_ABBREVIATION.match(text, cut)
        if following is not None and following[1] in _IN_NAMES:
            return True
    if _TIME_OF_DAY.search(before) and _TIME_ZONE.match(text, cut):
        return True
    if _THAI_ABBREVIATION.search(before):
        return True
    if _COUNTING.search(before) and (
        _COUNTED.match(text, cut) or (language not in (None, "en") and _COUNTED_ELSEWHERE.match(text, cut))
    ):
        return True
    if language == "fr" and before.endswith(" M. "):
        return True
    # "whoever . . . [t]akes": words left out within a sentence.
    if before.endswith(" . . . ") and not before.endswith(". . . . "):
        return text[cut + text.startswith("[", cut)].islower()
    if _LETTER_BEFORE_NUMBER.search(before) and _NUMBER.match(text, cut):
        return True
    if _ORDINAL.search(before) and (text[cut].islower() or _MONTH.match(text, cut)):
        return True
    if language == _GERMAN and _GERMAN_ORDINAL.search(before) and text[cut].isupper():
        return True
    return text[cut].islower() and _LETTER_BEFORE_LOWER_CASE.search(before) is not None


def _is_abbreviated(text: str, cut: int, before: str, word: str, language: str | None) -> bool:
    """Whether a word with a stop is an abbreviation before what follows, which is in no lower case."""
    name = word.lower()
    if language == "fr" and word in _FRENCH_TITLES:
        return True
    if name in _BEFORE_NUMBER and _NUMBER.match(text, cut):
        return True
    if name in _BEFORE_LETTERS and _NUMBERED_BY_LETTERS.match(text, cut):
        return True
    if text[cut].isupper():
        if name in _BEFORE_NAME and _PERSON.search(before):
            return True
        # "United States ex rel. Doe": who sues for whom.
        if name == "rel" and before.endswith("ex rel. "):
            return True
        if word in _IN_NAMES and _NAME_IN_ROW.match(text, cut):
            return True
    if name in _OF_SPECIES:
        if text[cut] == "(":
            return True
        if name in _BELOW_SPECIES or _VARIETY.search(before):
            return _CULTIVAR.match(text, cut) is not None
    return (word in _BEFORE_ABBREVIATION or word in _IN_NAMES) and _ABBREVIATION.match(text, cut) is not None


_COMPLETE = regex(
    r"[.!?…。．｡！？؟۔।][)\]”\"’'»」』*_]{0,3}$"
    # The number of a note may follow: "as shown.12", "as shown.[3,4]", "as shown. [5]".
    r"|[^\W\d_)\]”’][.!?][)\]”\"’']{0,2}(?:\d{1,3}(?:[,–-]\d{1,3})*| ?\[\d{1,3}(?:[,–-] ?\d{1,3})*\])$"
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
