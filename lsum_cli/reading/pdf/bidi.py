"""Right-to-left text: from the order in which a page shows it to the order in which it is read.

A PDF places glyphs, so a line of Arabic or Hebrew arrives from left to right as displayed: letters
mirrored, but numbers and Latin words as they are. :func:`logical` undoes the Unicode bidirectional
algorithm (UAX #9) on such a line. Some displayed lines have several readings, such as "95 ABC" within
Hebrew; the one without hidden marks of direction is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from lsum_cli.text.patterns import regex

_LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_RIGHT_TO_LEFT = regex(f"[{_LETTERS}]")
_SIGN = regex("[\u0591-\u05bd\u05bf\u05c1-\u05c7\u064b-\u065f\u0670]")
_SIGNS_AND_LETTER = regex(f"({_SIGN.pattern}+)([{_LETTERS}])")
_FORMS = regex("[\ufb1d-\ufb4f\ufb50-\ufdff\ufe70-\ufefe]+")
_MARKS = regex("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_HEBREW_FINALS = frozenset("ךםןףץ")
_ARABIC_FINALS = frozenset("ةى")
_ARTICLE, _ARTICLE_SHOWN = "ال", "لا"
_OPENING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "〈": "〉"}
# The mirror images of characters that Unicode pairs (BidiMirroring.txt), as far as text uses them.
_PAIRS = "()[]{}<>«»‹›≤≥≪≫⟨⟩⟦⟧⌈⌉⌊⌋〈〉⁅⁆❨❩⦅⦆∈∋⊂⊃⊆⊇≺≻⊏⊐"
_MIRROR = str.maketrans(
    {a: b for x, y in zip(_PAIRS[::2], _PAIRS[1::2], strict=True) for a, b in ((x, y), (y, x))}
)
_STRONG_RIGHT = frozenset({"R", "AL"})


def has_right_to_left(text: str) -> bool:
    """Whether ``text`` has letters of a script that runs from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_mostly_right_to_left(texts: Sequence[str]) -> bool:
    """Whether more letters of the texts run from right to left than from left to right."""
    if not has_right_to_left("".join(texts)):
        return False
    right = left = 0
    for text in texts:
        if text.isascii():
            left += sum(map(str.isalpha, text))
            continue
        for character in text:
            kind = _class(character)
            right += kind in _STRONG_RIGHT
            left += kind == "L"
    return right > left


def is_mark(text: str) -> bool:
    """Whether ``text`` is nothing but signs that stand on a letter."""
    return not text.isascii() and all(_class(character) == "NSM" for character in text.strip())


def as_displayed(cluster: str) -> str:
    """The characters of one glyph, such as a ligature, from left to right as they are displayed."""
    if len(cluster) == 1 or not has_right_to_left(cluster):
        return cluster
    if any(_class(character) == "L" for character in cluster):
        return displayed(cluster, right_to_left=False)
    return cluster[::-1]


def is_mirror_image(first: str, second: str) -> bool:
    """Whether two texts are a bracket and its mirror image."""
    return len(first) == 1 and first != second and first.translate(_MIRROR) == second


def is_logical(lines: Iterable[str]) -> bool:
    """Whether lines are in the order of reading already, as some producers write words.

    Decided by letters that only end a word, by the Arabic article, and by the initial and final forms
    of letters; lines without such evidence count as displayed.
    """
    votes = 0
    for line in lines:
        for word in line.split():
            core = word.strip("()[]{}.,:;!?\"'«»-–،؛؟۔״׳")
            if len(core) > 2 and _class(core[0]) in _STRONG_RIGHT and _class(core[-1]) in _STRONG_RIGHT:
                votes += _vote(core)
    return votes > 0


def _vote(word: str) -> int:
    """Above 0 for a word in the order of reading, below 0 for one as displayed."""
    first, last = word[0], word[-1]
    votes = (last in _HEBREW_FINALS) - (first in _HEBREW_FINALS)
    votes += (last in _ARABIC_FINALS) - (first in _ARABIC_FINALS)
    votes += word.startswith(_ARTICLE) - word.endswith(_ARTICLE_SHOWN)
    for character, sign in ((first, 1), (last, -1)):
        if character >= "\ufb50":
            name = unicodedata.name(character, "")
            votes += sign * (name.endswith("INITIAL FORM") - name.endswith("FINAL FORM"))
    return votes


def logical(shown: str, *, right_to_left: bool = True, as_typed: bool = False) -> str:
    """A line in the order of reading.

    Args:
        shown: The line as displayed, from left to right.
        right_to_left: Whether its paragraph runs from right to left.
        as_typed: Whether brackets are those that were typed, not their mirror images that are displayed.

    Returns:
        The characters in the order in which they are read, with presentation forms as ordinary letters
        and without marks of direction.
    """
    shown = _MARKS.sub("", shown)
    text = _undo(shown, as_typed=as_typed) if right_to_left else _undo_spans(shown, as_typed=as_typed)
    return _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), _marks_after_letters(text))


def bracket_pairs(text: str) -> int:
    """How many brackets close one that is open before."""
    found, opened = 0, 0
    for character in text:
        if character in "([{«":
            opened += 1
        elif character in ")]}»" and opened:
            found, opened = found + 1, opened - 1
    return found


def _undo_spans(shown: str, *, as_typed: bool) -> str:
    """Undo the display of the right-to-left spans of a line that runs from left to right."""
    kinds = [_class(character) for character in shown]
    parts: list[str] = []
    position = 0
    while position < len(shown):
        if kinds[position] not in _STRONG_RIGHT:
            parts.append(shown[position])
            position += 1
            continue
        end = last = position
        while end < len(shown) and kinds[end] != "L":
            if kinds[end] in _STRONG_RIGHT or kinds[end] == "NSM":
                last = end
            end += 1
        parts.append(_undo(shown[position : last + 1], as_typed=as_typed))
        position = last + 1
    return "".join(parts)


def _undo(shown: str, *, as_typed: bool) -> str:
    """Undo the display of a line that runs from right to left."""
    kinds = [_class(character) for character in shown]
    parts: list[str] = []
    end = len(shown)
    # The last strong character read; that of the line before is most likely of the same script.
    before = "AL" if "AL" in kinds else "R"
    while end > 0:
        start = end - 1
        while start > 0 and kinds[start] not in _STRONG_RIGHT and kinds[start - 1] not in _STRONG_RIGHT:
            start -= 1
        if kinds[end - 1] in _STRONG_RIGHT:
            before = kinds[end - 1]
            parts.append(shown[end - 1])
            end -= 1
            continue
        zone = _undo_zone(shown[start:end], kinds[start:end], before, ends=start == 0)
        parts += [part if is_run or as_typed else part.translate(_MIRROR) for part, is_run in zone]
        end = start
    return "".join(parts)


def _undo_zone(zone: str, kinds: Sequence[str], before: str, *, ends: bool) -> list[tuple[str, bool]]:
    """The reading of a stretch without right-to-left letters, in parts.

    Its runs stay, their order is reversed. Each part comes with whether it is such a run. ``ends`` says
    that the line ends with the stretch.
    """
    parts: list[tuple[str, bool]] = []
    end = len(zone)
    runs = _left_to_right_runs(zone, kinds, before)
    if (
        ends
        and runs
        and runs[0][0] == 0
        and "L" in kinds[: runs[0][1]]
        and zone[runs[0][1] :][:1] in ("-", "‐", "\u00ad")
    ):
        # A word that is broken at the end of the line.
        runs[0] = (0, runs[0][1] + 1)
    for first, last in reversed(runs):
        parts += [(zone[last:end][::-1], False), (zone[first:last], True)]
        end = first
    return [*parts, (zone[:end][::-1], False)]


def _left_to_right_runs(zone: str, kinds: Sequence[str], before: str) -> list[tuple[int, int]]:
    """Begin and end of the runs of a stretch that read as they are displayed: Latin words, numbers."""
    places = [place for place, kind in enumerate(kinds) if kind in ("L", "EN", "AN")]
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and _continues(kinds, runs[-1], place, before):
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return [_with_signs(zone, kinds, run, before) for run in runs]


def _continues(kinds: Sequence[str], run: tuple[int, int], place: int, before: str) -> bool:
    first, last = run
    between, kind = kinds[last:place], kinds[place]
    if not between or all(each == "NSM" for each in between):
        return True
    words = "L" in kinds[first:last] or "L" in kinds[place:]
    if words and kind != "AN" and kinds[last - 1] != "AN":
        # Everything between two Latin words, and between a word and a number, goes with them.
        return True
    numbers = kinds[last - 1], kind
    if len(between) != 1 or numbers[0] != numbers[1]:
        return False
    # W4: one separator between two numbers; a hyphen or sign only where they are European numbers,
    # which after an Arabic letter they are not (W2).
    arabic = before == "AL" or kind == "AN"
    return between[0] == "CS" or (between[0] == "ES" and not arabic)


def _with_signs(zone: str, kinds: Sequence[str], run: tuple[int, int], before: str) -> tuple[int, int]:
    """The run with the signs at its number (W5) and the brackets that close within it (N0)."""
    first, last = run
    words = "L" in kinds[first:last]
    if kinds[last - 1] == "EN" and (words or before != "AL"):
        while last < len(zone) and kinds[last] == "ET":
            last += 1
    if kinds[first] == "EN" and not words and before != "AL":
        while first > 0 and kinds[first - 1] == "ET":
            first -= 1
    if words:
        opened = [_OPENING[character] for character in zone[first:last] if character in _OPENING]
        closed = sum(zone[first:last].count(character) for character in set(opened))
        while len(opened) > closed and last < len(zone) and zone[last] == opened[-1 - closed]:
            last, closed = last + 1, closed + 1
    return first, last


def _marks_after_letters(text: str) -> str:
    """``text`` with vowel signs after their letters, if most words that have such signs begin with one."""
    marked = [word for word in text.split() if len(word) > 2 and _SIGN.search(word)]
    if 2 * sum(_SIGN.match(word) is not None for word in marked) <= len(marked):
        return text
    return _SIGNS_AND_LETTER.sub(r"\2\1", text)


def displayed(text: str, *, right_to_left: bool = True) -> str:
    """A line as displayed from left to right: the Unicode bidirectional algorithm without hidden marks."""
    base = int(right_to_left)
    levels = _levels([_class(character) for character in text], text, base)
    characters = [
        character.translate(_MIRROR) if level % 2 else character
        for character, level in zip(text, levels, strict=True)
    ]
    for level in range(max(levels, default=0), 0, -1):
        place = 0
        while place < len(levels):
            if levels[place] < level:
                place += 1
                continue
            end = place
            while end < len(levels) and levels[end] >= level:
                end += 1
            characters[place:end] = characters[place:end][::-1]
            levels[place:end] = levels[place:end][::-1]
            place = end
    return "".join(characters)


def _levels(kinds: list[str], text: str, base: int) -> list[int]:
    """The embedding level of each character (UAX #9, rules W1 to I2 and L1)."""
    embedding = "R" if base else "L"
    original = list(kinds)
    previous = strong = embedding
    for place, kind in enumerate(kinds):
        if kind in ("NSM", "BN"):
            kind = previous
        if kind == "EN" and strong == "AL":
            kind = "AN"
        if kind in ("L", "R", "AL"):
            strong = kind
        kinds[place] = previous = kind
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    for place in range(1, len(kinds) - 1):
        left, kind, right = kinds[place - 1 : place + 2]
        if left == right and ((kind == "ES" and left == "EN") or (kind == "CS" and left in ("EN", "AN"))):
            kinds[place] = left
    for match in re.finditer("t+", "".join({"ET": "t", "EN": "n"}.get(kind, "-") for kind in kinds)):
        beside = kinds[match.start() - 1 : match.start()] + kinds[match.end() : match.end() + 1]
        kinds[match.start() : match.end()] = ["EN" if "EN" in beside else "ON"] * len(match[0])
    strong = embedding
    for place, kind in enumerate(kinds):
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[place] = "L"
        elif kind not in ("EN", "AN"):
            kinds[place] = "ON"
    _resolve_brackets(kinds, text, embedding)
    place = 0
    while place < len(kinds):
        end = place
        while end < len(kinds) and kinds[end] == "ON":
            end += 1
        if end > place:
            sides = {
                "L" if side == "L" else "R"
                for side in (
                    kinds[place - 1] if place else embedding,
                    kinds[end] if end < len(kinds) else embedding,
                )
            }
            kinds[place:end] = [sides.pop() if len(sides) == 1 else embedding] * (end - place)
        place = end + 1
    levels = [
        (2 if kind in ("L", "EN", "AN") else 1) if base else {"L": 0, "R": 1}.get(kind, 2) for kind in kinds
    ]
    for place in range(len(levels) - 1, -1, -1):
        if original[place] not in ("WS", "S", "B"):
            break
        levels[place] = base
    return levels


def _resolve_brackets(kinds: list[str], text: str, embedding: str) -> None:
    """Rule N0: a pair of brackets takes the direction of what it holds, or of what comes before."""
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for place, character in enumerate(text):
        if kinds[place] != "ON":
            continue
        if character in _OPENING:
            opened.append(place)
            continue
        for index in range(len(opened) - 1, -1, -1):
            if _OPENING[text[opened[index]]] == character:
                pairs.append((opened[index], place))
                del opened[index:]
                break
    sides = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
    for first, last in sorted(pairs):
        inside = {sides[kind] for kind in kinds[first + 1 : last] if kind in sides}
        if not inside:
            continue
        direction = embedding
        if embedding not in inside:
            before = next((sides[kind] for kind in reversed(kinds[:first]) if kind in sides), embedding)
            direction = before if before in inside else embedding
        kinds[first] = kinds[last] = direction


@lru_cache(maxsize=8192)
def _class(character: str) -> str:
    return unicodedata.bidirectional(character) or "L"
