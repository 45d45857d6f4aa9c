"""Lines that stand out as headings do, by font, number, position and wording."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from lsum_cli.documents import SectionRole
from lsum_cli.reading.blocks import names_contents, role_of
from lsum_cli.reading.pdf.blocks import Block
from lsum_cli.reading.pdf.glyphs import is_ideographic
from lsum_cli.reading.pdf.layout import PlacedBlock, Region, is_mark_of_item
from lsum_cli.reading.pdf.lines import Line
from lsum_cli.reading.pdf.typography import (
    BodyType,
    StyleKey,
    begins_caption,
    ends_sentence,
    is_monospaced,
    numbering_depth,
    style_of,
)
from lsum_cli.text.patterns import NUMBER_WORDS, TEENS, regex

MAX_LINES, _MAX_WORDS = 5, 28
# The number of a section of this level is long beside a short title.
_DEEP = 3
# A line with as many may be the beginning of a sentence.
_SPACES_OF_A_SENTENCE = 6
# So much larger than the text a line is a heading if anything is.
_LARGE = 1.1
# Lines tell how far apart they usually are where so many follow others.
_MIN_DROPS = 4
# Lines of a cell, at most, and how far apart, in ems, those of a row are that is centred.
_MOST_IN_CELL, _SAME_ROW = 8, 0.7
_WORDS_OF_CELL = 5  # for each line
# A heading that is only a number.
BARE_NUMBER = regex(r"(?P<roman>[IVXL]{1,7})\.?|(?P<letter>[A-H])\.?|(?P<digit>\d{1,2})\.?")
_ALPHANUMERIC = regex(r"[\W_]+")
_ACCENTS = regex("[\u0300-\u036f]+")


@lru_cache(maxsize=1 << 14)
def words_only(text: str) -> str:
    """Letters and digits in lower case, to compare headings."""
    return _ALPHANUMERIC.sub("", text.casefold())


def without_accents(text: str) -> str:
    """Letters and digits in lower case, without accents, as capitals and bookmarks may be written."""
    if text.isascii():
        return words_only(text)
    apart = unicodedata.normalize("NFKD", text.casefold()).replace("đ", "d")
    return words_only(unicodedata.normalize("NFC", _ACCENTS.sub("", apart)))


_LEADING_NUMBER = regex(
    r"^(?:(?:chapter|section|appendix|part|book)\s+)?(?:\d+(?:\.\d+)*|[ivxl]+|[a-h](?=[.):])"
    rf"|(?<=\s)(?:{NUMBER_WORDS}|{TEENS}|twenty))[.):—–-]*\s+",
    re.I,
)
# What the parts of a book are called above their titles.
CHAPTER_NAMES = (
    "chapter|appendix|annex|kapitel|anhang|chapitre|annexe|capítulo|apéndice|apêndice|anexo|capitolo|appendice"
    "|capítol|hoofdstuk|bijlage|kapittel|vedlegg|bilaga|luku|liite|rozdział|kapitola|příloha|poglavje|poglavlje"
    "|fejezet|capitolul|bölüm|глава|розділ|приложение|додаток|κεφάλαιο|παράρτημα|chương|phụ lục|bab|الفصل|فصل"
    "|פרק"
)
_PART_NAMES = "part|book|teil|buch|partie|livre|parte|libro|deel|часть|частина|μέρος"
_NUMBER = rf"(?:\d{{1,3}}|[ivxlc]{{1,7}}|[a-z]|{NUMBER_WORDS}|{TEENS}|twenty)"
CHAPTER_LABEL = regex(
    rf"(?P<name>(?:{CHAPTER_NAMES})(?:\s+{_NUMBER})?|第\s*[\d一二三四五六七八九十]{{1,3}}\s*[章編编部回])[.:]?"
    rf"|(?P<part>(?:{_PART_NAMES})\s+{_NUMBER})[.:]?|(?P<word>{NUMBER_WORDS}|{TEENS})",
    re.I,
)
"""The name and number of a chapter or part, without its title; "part" and "word" are less certain."""
CHAPTER_NUMBER = regex(_NUMBER, re.I)
# Usual headings in many languages, without accents.
_USUAL = frozenset(
    "abstract summary introduction background methods method results discussion conclusion"  # noqa: SIM905
    " conclusions references bibliography acknowledgements acknowledgments acknowledgement"
    " acknowledgment appendix funding contents relatedwork literaturecited materialsandmethods"
    " resultsanddiscussion conclusionsandfuturework futurework keywords competinginterests"
    " authorscontributions authorcontributions conflictofinterest dataavailability"
    " supplementarymaterial experiments evaluation preface foreword prologue epilogue index glossary"
    " notes workscited objectives limitations einleitung einfuhrung vorwort danksagung anhang schluss"
    " fazit ausblick ergebnisse diskussion methoden glossar avantpropos remerciements"
    " conclusiongenerale annexes resultats methodes introduccion agradecimientos prologo conclusiones"
    " resultados metodos anexos introducao agradecimentos prefacio conclusao conclusoes introduzione"
    " ringraziamenti prefazione conclusioni risultati metodi inleiding voorwoord conclusie dankwoord"
    " inledning forord slutsatser indledning johdanto esipuhe johtopaatokset wstep podziekowania"
    " wnioski uvod zaver podekovani bevezetes koszonetnyilvanitas giris tesekkur onsoz sonuc loimodau"
    " loicamon ketluan εισαγωγη ευχαριστιεσ προλογοσ συμπερασματα введение заключение предисловие"
    " благодарности приложение вступ висновки 引言 绪论 緒論 前言 致谢 致謝 结论 結論 附录 はじめに"
    " おわりに まえがき あとがき 謝辞 まとめ 序論 서론 결론 مقدمة مقدمه خاتمة מבוא תודות סיכום".split()
)
_LONGEST_USUAL = 60
_MIN_NUMBERED = 3
_NUMBERED_LEAD = regex(r"(\d{1,2}(?:\.\d{1,2}){1,3}\.? [A-Z][\w’'-]*(?: [\w’'/-]+){0,7}\.) (?=[A-Z])")
_NO_RUN_IN = regex(
    r"(?:theorem|lemma|proof|definition|corollary|proposition|remark|example|claim|note|fig|table|algorithm"
    r"|listing|step|key ?words|abstract|q\d|question|answer|input|output|case)\b"
    r"|\d+\W*$",
    re.I,
)
# "a" is an article, the "A" of "Appendix A" a letter.
_UNFINISHED = regex(r"(?:\b(?:(?i:the|of|and|an|in|to|for|with|by|or|that|which|from|as|at|on)|a)|[,(–—-])$")
# In scripts without spaces between words no number of these tells lines of text from headings.
_LONGEST_WITHOUT_WORDS = 48  # characters
_SENTENCES, _FEWEST_OF_SENTENCES = regex(r"[^\W\d_]{3,}[.!?] [A-ZÀ-Þ]"), 9
_WORK = regex(r"\[[\w+-]{1,12}\] \w|\((?:1[6-9]|20)\d\d[a-z]?\)[.,]")
_IN_PARENTHESES = regex(r"[(（][^()（）]*[)）]")
_SIGN_OF_PROGRAM = regex(r"[_=<>()\[\]{}|$/\\;]")
# "2) The river", "Part A) The river".
_NUMBER_IN_LIST = regex(r"^(?:[A-ZÀ-Þ][A-Za-zÀ-ÿ]{2,11}\s)?\w{1,4}[)）]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines that may be a heading.

    Attributes:
        lines: In one style.
        style: That of the first.
        text: Of all lines.
        strength: How much they stand out from the body text, 1 to 3.
        standalone: Whether no sentence runs on into them.
        followed: Whether anything comes after them.
        goes_on: Whether the text below goes on with their sentence.
        is_sample_or_cell: Whether they are set as programs are, or stand in a row of a table.
    """

    lines: tuple[Line, ...]
    style: StyleKey
    text: str
    strength: int
    standalone: bool
    followed: bool
    goes_on: bool
    is_sample_or_cell: bool = False


@lru_cache(maxsize=1 << 14)
def without_number(text: str) -> str:
    """A heading without its number."""
    return _LEADING_NUMBER.sub("", text)


def is_usual(text: str) -> bool:
    """Whether a text is the usual heading of a section, such as "2 Methods"."""
    if without_accents(without_number(text)) in _USUAL:
        return True
    return len(text) <= _LONGEST_USUAL and (role_of(text) is not SectionRole.BODY or names_contents(text))


def lead_end(line: Line) -> int:
    """The end of a run-in heading at the beginning of a line; 0 if there is none."""
    numbered = _NUMBERED_LEAD.match(line.text)
    if numbered:
        return numbered.end(1)
    if not 4 <= line.bold_lead <= 80:
        return 0
    end = line.text.find(" ", line.bold_lead - 1)
    lead, rest = line.text[:end].rstrip(), line.text[end:].lstrip()
    if end < 0 or not rest[:1].isupper() or not lead[:1].isupper() or len(lead.split()) > 9:
        return 0
    if _NO_RUN_IN.match(lead) or lead[-1] in ",;(" or sum(map(str.isalpha, lead)) < 4:
        return 0
    return end


def find_candidates(
    blocks: Sequence[Block], body: BodyType, cells: Set[int], around: Mapping[int, Sequence[PlacedBlock]]
) -> list[Candidate]:
    """The lines that stand out from the body text, in reading order.

    Args:
        blocks: In reading order.
        body: The font of the body text.
        cells: Ids of the blocks that are cells of tables.
        around: By the id of a block, all blocks of the column that it stands in.
    """
    found: list[Candidate] = []
    for number, block in enumerate(blocks):
        if id(block) in cells:
            continue
        groups = _style_groups(block)
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        for index, group in enumerate(groups):
            below = groups[index + 1] if index + 1 < len(groups) else ()
            if _runs_in(group, below):
                continue
            candidate = _candidate(group, groups, index, block, following, body)
            if candidate is None:
                continue
            is_large = group[0].size >= _LARGE * body.size
            if not is_large and (
                _is_sample(group[0], candidate.text, body)
                or _is_beside(group, block, around.get(id(block), ()))
            ):
                candidate = replace(candidate, is_sample_or_cell=True)
            found.append(candidate)
    return found


def _runs_in(group: Sequence[Line], following: Sequence[Line]) -> bool:
    """Whether bold words that fill most of a line are the beginning of the paragraph below it."""
    line = group[-1]
    end = lead_end(line)
    if not end or len(group) > 1:
        return False
    rest = line.text[end:].split()
    if len(rest) < 2 or not following or ends_sentence(line.text):
        return len(rest) >= 2 and line.text.endswith(".")
    is_prose = abs(following[0].size - line.size) <= 0.6 and not following[0].bold
    return not following[0].text[:1].isupper() and is_prose


def _style_groups(block: Block) -> list[list[Line]]:
    """Group consecutive lines of one style, split also where the gap widens."""
    drops = sorted([upper.y - lower.y for upper, lower in pairwise(block.lines)])
    # In ems; the lines of a heading are double spaced where those of the text are.
    usual = drops[len(drops) // 2] / block.lines[0].size if len(drops) >= _MIN_DROPS else 0.0
    widest = max(1.75, 1.1 * usual)
    groups: list[list[Line]] = []
    for line in block.lines:
        if (
            groups
            and (style_of(groups[-1][-1]) == style_of(line) or _goes_on_in_italics(groups[-1][-1], line))
            and groups[-1][-1].y - line.y < widest * line.size
            and not (numbering_depth(line.text) and (line.bold or widest > 1.75))
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _goes_on_in_italics(line: Line, following: Line) -> bool:
    """Whether a bold line cannot end where it does, and the one below differs in its font alone."""
    return (
        line.bold
        and style_of(line)[1:] == style_of(following)[1:]
        and _UNFINISHED.search(line.text) is not None
    )


def _candidate(
    group: list[Line],
    groups: list[list[Line]],
    index: int,
    block: Block,
    following: Block | None,
    body: BodyType,
) -> Candidate | None:
    first = group[0]
    text = " ".join(line.text for line in group[: MAX_LINES + 1])
    if len(group) > MAX_LINES or text.count(" ") >= _MAX_WORDS or _is_piece(text):
        return None
    letters = sum(map(str.isalpha, text))
    # "1.3.2.1.1 Boats" has more digits than letters.
    words = without_number(text) if numbering_depth(text) >= _DEEP else text
    if letters < 3 or letters < 0.5 * len(words.replace(" ", "")) or BARE_NUMBER.fullmatch(text):
        return None
    if not (_begins_like_heading(text[0]) or text[0] in "“\"‘'([§¿") and not is_usual(text):
        return None
    if begins_caption(first, body, opens_block=index == 0):
        return None
    known = is_usual(text)
    strength = _strength(first, text, body, known)
    if not strength:
        return None
    if text[-1] in ",;" or (text[-1] == "." and not (known or numbering_depth(text) or strength >= 3)):
        return None
    above = groups[index - 1][-1] if index else None
    standalone = (
        above is None
        or above.y - first.y > 1.2 * body.leading
        or above.x1 < block.x1 - 2 * body.size
        or (ends_sentence(above.text) or (style_of(above) != style_of(first) and above.size > body.size))
    )
    below = groups[index + 1] if index + 1 < len(groups) else following.lines if following else ()
    is_sentence = text.count(" ") >= _SPACES_OF_A_SENTENCE and not known and first.size < _LARGE * body.size
    goes_on = bool(below) and is_sentence and _goes_on(below[0].text)
    return Candidate(tuple(group), style_of(first), text, strength, standalone, bool(below), goes_on)


def _is_sample(line: Line, text: str, body: BodyType) -> bool:
    """Whether a line is in a font for programs, in a text that is in another.

    Headings may be set in such a font for their looks, in capitals, or name a program after their number.
    """
    if is_monospaced(body.font) or not is_monospaced(line.font):
        return False
    is_capitals = text.isupper() and not _SIGN_OF_PROGRAM.search(text)
    return not is_capitals and not (line.bold and numbering_depth(text))


def _is_beside(group: Sequence[Line], block: Block, around: Sequence[PlacedBlock]) -> bool:
    """Whether lines stand beside cells of their column, at any height, as those of one row do."""
    if len(block.lines) > _MOST_IN_CELL:
        return False
    first, last = group[0], group[-1]
    left, right = min(line.x0 for line in group), max(line.x1 for line in group)
    near = _SAME_ROW * first.size
    for each in around:
        other = each.block
        if other is block or other.top < last.bottom or other.bottom > first.top:
            continue
        rows = [line for line in other.lines if last.y - near < line.y < first.y + near]
        if rows and each.region is Region.TABLE:
            return True
        # Longer text is that of a column of the page that was not separated from this one.
        if len(other.lines) > _MOST_IN_CELL or other.words > _WORDS_OF_CELL * len(other.lines):
            continue
        if any(line.x0 > right or (line.x1 < left and not is_mark_of_item(line.text)) for line in rows):
            return True
    return False


def _goes_on(text: str) -> bool:
    """Whether a line goes on with a long line above it; below a short heading a command may stand."""
    word = text.partition(" ")[0].rstrip(",;")
    return word.isalpha() and word.islower() and len(word) > 1


def _is_piece(text: str) -> bool:
    """Whether lines are several sentences, one without spaces, an entry of a bibliography, or in brackets."""
    if _WORK.match(text) or (text.count(" ") >= _FEWEST_OF_SENTENCES and _SENTENCES.search(text)):
        return True
    if (not text.isascii() and any(map(is_ideographic, text))) and (
        "。" in text
        or len(text) > _LONGEST_WITHOUT_WORDS
        or ("，" in text and len(text) > _LONGEST_WITHOUT_WORDS // 2)
    ):
        return True
    if _IN_PARENTHESES.fullmatch(text):
        return True
    text = _NUMBER_IN_LIST.sub("", text)
    opened, closed = (sum(map(text.count, marks)) for marks in ("(（", ")）"))
    return opened != closed


def _begins_like_heading(character: str) -> bool:
    """Whether it is a digit, a capital, or a letter of a script with words but without capitals."""
    if character.isalpha():
        return not character.islower() and not is_ideographic(character)
    return character.isdigit()


def _strength(line: Line, text: str, body: BodyType, known: bool) -> int:
    """How much a line stands out from the body text: 0 not at all, 1 by its font, up to 3 by size."""
    if line.size >= _LARGE * body.size:
        return 3
    if line.size < 0.85 * body.size and not known:
        return 0
    if line.bold and not body.bold:
        return 3 if known or numbering_depth(text) else 2
    letters = [character for character in text if character.isalpha()]
    if len(letters) > 4 and text.upper() == text and text.lower() != text:
        return 2
    if line.font != body.font:
        return 2 if known or numbering_depth(text) else 1
    if known and len(text.split()) <= 4:
        return 1
    return 0


def accept_candidates(candidates: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    """Candidates in a style that is used for headings rather than text."""
    total: Counter[StyleKey] = Counter()
    for block in blocks:
        for line in block.lines:
            total[style_of(line)] += len(line.text)
    as_heading: Counter[StyleKey] = Counter()
    times: Counter[StyleKey] = Counter()
    numbered: Counter[StyleKey] = Counter()
    for candidate in candidates:
        if candidate.standalone and candidate.followed:
            as_heading[candidate.style] += len(candidate.text)
            times[candidate.style] += 1
            numbered[candidate.style] += bool(numbering_depth(candidate.text))
    everything = sum(total.values()) or 1
    accepted: list[Candidate] = []
    for candidate in candidates:
        if candidate.is_sample_or_cell or not (candidate.standalone and candidate.followed):
            continue
        style = candidate.style
        purity = as_heading[style] / max(1, total[style])
        known = is_usual(candidate.text)
        if candidate.goes_on or _UNFINISHED.search(candidate.text):
            continue
        if (
            (candidate.strength >= 3 and purity > 0.4)
            or (candidate.strength >= 2 and (known or purity > 0.6))
            or (
                # Words in the text may be set in italics, as headings with numbers are.
                candidate.strength == 2
                and numbered[style] >= _MIN_NUMBERED
                and numbered[style] >= 0.6 * times[style]
                and numbering_depth(candidate.text) > 0
                and purity > 0.4
            )
            or (
                candidate.strength == 1
                and (
                    (known and len(candidate.lines) == 1)
                    or (
                        purity > 0.75
                        and times[style] >= 3
                        and total[style] < 0.05 * everything
                        and len(candidate.text) < 90
                    )
                )
            )
        ):
            accepted.append(candidate)
    return accepted
