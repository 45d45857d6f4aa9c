"""The people and places that an English text names, told by how it names them, without a dictionary.

A name is a word that the text writes with a capital inside sentences, and hardly ever without. A person
is called Mr., speaks, or acts; a place is what one is in, goes to, or comes from. Nothing is listed that
the text does not treat as one or the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_MALE = "mr|sir|lord|master|monsieur|herr|señor|don|uncle|father|brother|king|prince|duke|count|baron|abbé"
_FEMALE = "mrs|miss|ms|lady|madame|mme|mademoiselle|frau|señora|aunt|mother|sister|queen|princess|duchess|countess"
_NEUTRAL = (
    "dr|doctor|prof|professor|captain|capt|colonel|col|major|general|gen|lieutenant|sergeant|inspector|judge"
    "|justice|president|senator|governor|rev|reverend|st|saint|chief|officer|dame"
)
_TITLE = re.compile(rf"(?:{_MALE}|{_FEMALE}|{_NEUTRAL})\.?", re.IGNORECASE)
_MALE_TITLE, _FEMALE_TITLE = (re.compile(rf"(?:{each})\.?", re.IGNORECASE) for each in (_MALE, _FEMALE))
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[-'’](?=[^\W\d_]))*\.?|[^\w\s]")
_SPEECH = frozenset(
    "said asked cried replied answered murmured whispered exclaimed muttered shouted laughed remarked added"
    " continued thought observed returned began interrupted repeated says asks replies answers".split()  # noqa: SIM905
)
_ACTION = frozenset(
    "was had looked smiled turned nodded came went stood sat felt knew took got made gave saw seemed would could"
    " did is has rose walked ran started shook heard laughed spoke told found left put held himself herself"
    " wrote argued believed wanted decided"
    .split()  # noqa: SIM905
)
_WHERE = frozenset("in at to from near towards toward through into across around outside inside reached leaving".split())  # noqa: SIM905
_PLACE_NOUN = re.compile(
    r"(?:street|road|square|lane|avenue|hall|house|castle|abbey|park|river|bridge|island|islands|hill|mount|lake"
    r"|wood|forest|county|city|town|village|station|church|cathedral|palace|garden|gardens|club|theatre|tavern"
    r"|hotel|university|college|valley|bay|sea|ocean|desert|museum|gate|court|cross)",
    re.IGNORECASE,
)
# Capitalised words that name neither people nor places.
_NEITHER = frozenset(
    "i god christ heaven lord christmas easter bible sir madam mr mrs miss dr english french german american"
    " british russian chinese indian italian spanish greek latin european roman african asian japanese dutch irish"
    " scottish jewish christian catholic protestant january february march april may june july august september"
    " october november december monday tuesday wednesday thursday friday saturday sunday chapter part book volume"
    " act section figure table page internet web tv pdf ok o oh ah yes no north south east west state states"
    " congress senate house court government republican democrat constitution majesty highness lordship ladyship"
    " nature fate fortune death time love life"
    .split()  # noqa: SIM905
)
_LEAST_CAPITALISED = 0.75
_LEAST_COUNT = 2
_PERSON_SHARE, _PLACE_SHARE = 0.12, 0.3
_ENDS = frozenset(".!?:;\"“”‘([—-*_")


@dataclass(frozen=True, kw_only=True, slots=True)
class Name:
    """A person or place that a text names.

    Attributes:
        text: The fullest form that is usual.
        sentences: Indices of the sentences that name it, ascending; one entry for each time.
    """

    text: str
    sentences: tuple[int, ...]

    @property
    def count(self) -> int:
        """How often it is named."""
        return len(self.sentences)


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """The names of a text, those that occur most first."""

    people: tuple[Name, ...] = ()
    places: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class _Mention:
    """One occurrence of capitalised words.

    Attributes:
        title: The title before it, without its dot; empty without one.
        words: The words of the name.
        before, after: The neighbouring words, in lower case.
        opens: Whether it opens a sentence, where any word has a capital.
    """

    title: str
    words: tuple[str, ...]
    before: str
    after: str
    opens: bool
    sentence: int


def find_names(sentences: Sequence[str]) -> Names:
    """The people and places that an English text names more than once.

    A text in which many other words have capitals, as nouns have in German, yields nothing.
    """
    tokens = [_TOKEN.findall(sentence) for sentence in sentences]
    proper = _proper_words(tokens)
    if proper is None:
        return Names()
    mentions = [mention for index, words in enumerate(tokens) for mention in _mentions(words, index, proper)]
    people, places = defaultdict[tuple[str, tuple[str, ...]], list[_Mention]](list), defaultdict[str, list[int]](list)
    groups = defaultdict[tuple[str, ...], list[_Mention]](list)
    for mention in mentions:
        groups[mention.words].append(mention)
    for words, found in groups.items():
        kind = _kind(words, found)
        if kind == "place":
            places[" ".join(words)].extend(mention.sentence for mention in found)
        elif kind == "person":
            for mention in found:
                people[_rank(mention.title), words].append(mention)
    return Names(people=_merge(people), places=_ordered(places))


def _proper_words(tokens: Sequence[Sequence[str]]) -> frozenset[str] | None:
    """Words with a capital that the text hardly ever writes without; ``None`` where nouns have capitals."""
    capital: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    num_inside = 0
    for words in tokens:
        previous = "."
        for word in words:
            plain = word.rstrip(".")
            if plain[:1].islower():
                lower[plain] += 1
                num_inside += 1
            elif plain[:1].isupper():
                if previous not in _ENDS and not plain.isupper():
                    capital[plain] += 1
                num_inside += previous not in _ENDS
            previous = word[-1] if not word[-1].isalpha() and not _TITLE.fullmatch(word) else word
    if sum(capital.values()) > 0.2 * max(1, num_inside):
        return None
    return frozenset(
        word
        for word, count in capital.items()
        if count >= _LEAST_CAPITALISED * (count + lower[word.lower()]) and word.lower() not in _NEITHER
    )


def _mentions(tokens: Sequence[str], sentence: int, proper: frozenset[str]) -> Iterator[_Mention]:
    place = 0
    while place < len(tokens):
        start, title = place, ""
        if _TITLE.fullmatch(tokens[place]) and tokens[place][:1].isupper():
            title = tokens[place].rstrip(".")
            place += 1
        words: list[str] = []
        while place < len(tokens) and _plain(tokens[place]) in proper:
            word = tokens[place]
            words.append(_plain(word))
            place += 1
            if word.endswith(".") or word.endswith(("'s", "’s")):
                break
        if not words:
            place = max(place, start + 1)
            continue
        before = tokens[start - 1].lower() if start else "."
        if before == "the" and start > 1:
            before = tokens[start - 2].lower()
        after = tokens[place].lower() if place < len(tokens) else "."
        if after in ("”", '"', ",", "'", "’") and place + 1 < len(tokens):
            after = tokens[place + 1].lower() if after == "," else after
        yield _Mention(title, tuple(words), before, after, start == 0, sentence)


def _plain(token: str) -> str:
    return re.sub(r"['’]s$", "", token.rstrip("."))


def _kind(words: tuple[str, ...], mentions: Sequence[_Mention]) -> str:
    """``"person"``, ``"place"``, or empty where the text does not tell."""
    count = len(mentions)
    if count < _LEAST_COUNT and not any(mention.title for mention in mentions):
        return ""
    if _PLACE_NOUN.fullmatch(words[-1]) and len(words) > 1:
        return "place"
    titled = sum(bool(mention.title) for mention in mentions)
    speaks = sum(mention.before in _SPEECH or mention.after in _SPEECH for mention in mentions)
    acts = sum(mention.after in _ACTION for mention in mentions)
    where = sum(mention.before in _WHERE and not mention.title for mention in mentions)
    person = (2 * titled + 2 * speaks + acts) / count
    if person >= _PERSON_SHARE and person >= where / count:
        return "person"
    return "place" if where / count >= _PLACE_SHARE and titled == 0 else ""


def _rank(title: str) -> str:
    """``"m"`` or ``"f"`` where the title tells, else empty: Lady Henry is not Lord Henry."""
    if title and _MALE_TITLE.fullmatch(title):
        return "m"
    return "f" if title and _FEMALE_TITLE.fullmatch(title) else ""


def _merge(people: dict[tuple[str, tuple[str, ...]], list[_Mention]]) -> tuple[Name, ...]:
    """Put the forms of one person's name together: each form joins the commonest fuller one that it fits."""
    forms = sorted(people, key=lambda form: (-len(form[1]), -len(people[form]), form))
    home: dict[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]] = {}
    for form in forms:
        rank, words = form
        fuller = [
            other
            for other in home
            if home[other] == other
            and (not rank or not other[0] or rank == other[0])
            and (_fits(words, other[1]) or (words == other[1] and not (rank and other[0])))
        ]
        best = max(fuller, key=lambda other: len(people[other]), default=None)
        home[form] = best if best is not None and len(people[best]) * 10 >= len(people[form]) else form
    members = defaultdict[tuple[str, tuple[str, ...]], list[_Mention]](list)
    for form, owner in home.items():
        members[owner].extend(people[form])
    named = {_usual_form(found): [mention.sentence for mention in found] for found in members.values()}
    return _ordered(named)


def _fits(words: tuple[str, ...], fuller: tuple[str, ...]) -> bool:
    return len(words) < len(fuller) and set(words) <= set(fuller)


def _usual_form(mentions: Iterable[_Mention]) -> str:
    """The form used most, fuller ones preferred: "Dorian Gray" to "Dorian", "Lord Henry" to "Henry"."""
    forms: Counter[str] = Counter()
    for mention in mentions:
        title = f"{mention.title}{'.' if len(mention.title) < 4 and mention.title.lower() in _DOTTED else ''} "
        forms[f"{title if mention.title else ''}{' '.join(mention.words)}"] += 1
    total = sum(forms.values())
    usual = [form for form, count in forms.items() if count >= max(2, 0.04 * total)] or list(forms)
    return max(usual, key=lambda form: (min(2, len(form.split())), forms[form], form))


_DOTTED = ("mr", "mrs", "ms", "dr", "st", "rev", "col", "gen", "mme")


def _ordered(sentences_of: dict[str, list[int]]) -> tuple[Name, ...]:
    found = [Name(text=text, sentences=tuple(sorted(places))) for text, places in sentences_of.items()]
    return tuple(sorted(found, key=lambda name: (-name.count, name.text)))
