"""Where a sentence goes on behind what looks like its end: abbreviations, names, code, numbers, lists."""

from __future__ import annotations

import re

from lsum_cli.text.patterns import regex

_SPACE = " "
_LOOK_BACK = 16
_FAR = 300  # characters
# What begins a sentence where another capital may be a name.
OPENERS = (
    r"(?:The|This|These|That|Those|There|Then|Thus|They|Their|It|Its|We|Our|He|She|His|Her|In|On|At|For|From"
    r"|With|When|While|Where|What|Which|Who|Why|How|If|As|And|But|Or|Nor|Yet|So|After|Before|Because|Since"
    r"|Although|Though|However|Moreover|Furthermore|Finally|Indeed|Instead|Rather|Under|By|To|Of|Not|No"
    r"|Another|Any|Each|Both|Some|Such|All|Most|Many|One|Two|First|Second|Third|Here|Only|Even|Nothing"
    r"|Nobody|See|Compare|Accord|Id|Ibid|Cf|Ante|Post|An?|I|You|Your|Justice|JUSTICE|Congress)\b"
)
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
    r"|\((?:[A-Z][\w-]*[A-Z]s?|[A-Z][a-z]+(?:aceae|idae|ales|ptera)\b[^()]{0,40})\)(?=[ ,;:.])|\(West\b"
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
    johns dict stats rept cv cvs bk div cls amdts subsec subsecs"""
)
# "App. A830", "Tit. II", "Div. C,".
_BEFORE_LETTERS = _words("app fig figs rec doc exh tit pt pts ch bk div art amdt vol cl")
# "Fed. Rule Civ. Proc. 60", "17 Op. Atty. Gen. 211", "83 J. Pub. Econ.": abbreviations that stand in a row.
_BEFORE_ABBREVIATION = _words(
    """Pub Civ Crim Ins Constr Consol Harv Educ Comp Atty Evid Stat Geo Cong Mass Md Wash Eng Saf Econ Fin
    Sav Nav Trib Cl Cal Ill Fla Tex Pa Mich Minn Conn Ariz Colo Op Supp Fed Int Intl App Ann Rev Rep Rptr
    Admin Gen Sess Bd Ed Amdt Rel Lab Sec Proc Prac Bus Hum Nat Acad Sci Phys Chem Biol Med Am Amer Soc Assn
    Bull Univ Lett Math Elec Mut Util Serv Servs Inst Colum Chi Stan Ford Vand Haw Hist Conf Cty Dev Legis
    Dist Cum Pol Wm Ky Tenn Wis Ore Okla Neb Nev Mont Ind Ark Ala Wyo Munic"""
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
_NAME_IN_ROW = regex(rf"(?!{OPENERS})[A-Z][\w’&-]+[ ,]")
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
_CULTIVAR = regex(rf"(?!{OPENERS})[“‘'\"A-Z×]")
# "Ae. markgrafii", and "Aloe elgonica Haw. is".
_GENUS = regex(r"(?<![\w.])(?!(?:No|So|Oh|Uh|Um|Ah|Mm|Eh|Hm|Ok|Hi|Go|It|Is|Us|Me|We|He)\.)[A-Z][a-z]\. \Z")
_EPITHET = regex(r"[a-z]{2,}(?:i|a|um|us|is|ae|ns)\b")
_AUTHOR = regex(r"[a-z] [A-Z][a-z]{1,4}[b-df-hj-np-tv-z]\. \Z")
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
_GERMAN = "de"
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
_MARK_IN_SENTENCE = regex(r"\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})\) ")
_CLOSING_MARK = regex(r"\w{1,4}\.?\)")
# What is no word and no quotation mark begins an operator or a name: "..<", "Type.__name__".
_OF_CODE = "_<>=/\\|&%^~-"
# "the method -- or any other one! -- does not": the end of what dashes set apart.
_SET_APART = regex(r"(?:-{2,3}|[–—]) ?[a-z]")


def goes_on(text: str, start: int, cut: int, language: str | None) -> bool:
    """Whether the sentence ``text[start:cut]`` of normalised text is incomplete and goes on at ``cut``."""
    before = text[max(start, cut - _LOOK_BACK) : cut]
    if not before.endswith(_SPACE):
        return _is_within_word(text, cut, before)
    if cut - start <= _LOOK_BACK and _ENUMERATOR.fullmatch(before):
        return True
    if _CONTINUED.match(text, cut):
        return True
    if not before.endswith(". "):
        return _continues_without_stop(text, start, cut, before)
    word = before[:-2].rpartition(_SPACE)[2]
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


def is_broken(text: str, following: str, language: str | None = None) -> bool:
    """Whether the last sentence of a text goes on in the text that follows: "501 U. S.", "1083 (1991)."."""
    tail = text[-_LOOK_BACK:]
    return goes_on(f"{tail} {following[:_FAR]}", len(tail) - len(text), len(tail) + 1, language)


def _is_within_word(text: str, cut: int, before: str) -> bool:
    """Whether a boundary without a space before it is none."""
    # 「はい。」と言った, and before the comma of "Juss.; Murraya", and the bracket of "(“It was.”).".
    if text[cut] in ",;)]" or before.endswith(_BURMESE_COMMA):
        return True
    # "run ./configure", "the gnu.* namespace": paths and patterns of names; "#![no_std]".
    if before.endswith((".", "!")) and (
        (text[cut] in _OF_CODE and (before.endswith("..") or not text.startswith(_SPACE, cut + 1)))
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
    if last in "!?" and _SET_APART.match(text, cut):
        return True
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
    if _MARK_IN_SENTENCE.match(text, cut) and (
        text[cut] == "(" or last in ",;:" or before.endswith((" and ", " or "))
    ):
        return True
    # "(the opinion of Ames, J.)", "(the complex V)".
    begin = max(start, cut - _FAR, 0)
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
        return text[cut : cut + 2].removeprefix("[")[:1].islower()
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
