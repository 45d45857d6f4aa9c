"""The people and places that an English text names, recognised by how it names them, without a dictionary.

A name is a word that the text writes with a capital inside sentences, and hardly ever without. A person
is called Mr., speaks, or acts; a place is what one is in, goes to, or comes from. Nothing is listed that
the text does not treat as one or the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lsum_cli.text.patterns import regex

_MALE = "mr|sir|lord|master|monsieur|herr|señor|don|uncle|father|brother|king|prince|duke|count|baron|abbé"
_FEMALE = (
    "mrs|miss|ms|lady|madame|mme|mademoiselle|frau|señora|aunt|mother|sister|queen|princess|duchess|countess"
)
_NEUTRAL = (
    "dr|doctor|prof|professor|captain|capt|colonel|col|major|general|gen|lieutenant|sergeant|inspector|judge"
    "|justice|president|senator|governor|rev|reverend|chief|officer|dame"
)
_TITLE = regex(rf"(?:{_MALE}|{_FEMALE}|{_NEUTRAL})\.?", re.IGNORECASE)
_MALE_TITLE, _FEMALE_TITLE = (regex(rf"(?:{each})\.?", re.IGNORECASE) for each in (_MALE, _FEMALE))
_TOKEN = regex(r"[^\W\d_](?:[^\W\d_]|[-'’](?=[^\W\d_]))*\.?|[^\w\s]")
_SPEECH_WORDS = (
    "said asked cried replied answered murmured whispered exclaimed muttered shouted laughed remarked added"
    " continued thought observed returned began interrupted repeated says asks replies answers"
)
_SPEECH = frozenset(_SPEECH_WORDS.split())
_ACTION_WORDS = (
    "was had looked smiled turned nodded came went stood sat felt knew took got made gave saw seemed would"
    " could did is has rose walked ran started shook heard laughed spoke told found left put held himself"
    " herself wrote argued believed wanted decided"
)
_ACTION = frozenset(_ACTION_WORDS.split())
# What a place does as well: of a name that occurs seldom, and as a place, it tells little.
_WEAK_WORDS = "was had is has would could did seemed made gave came left"
_WEAK = frozenset(_WEAK_WORDS.split())
_PREPOSITIONS = "in at to from near towards toward through into across around outside inside reached leaving"
_WHERE = frozenset(_PREPOSITIONS.split())
_PLACE_NOUN = regex(
    r"(?:street|road|square|lane|avenue|hall|house|castle|abbey|park|river|bridge|island|islands|hill|mount"
    r"|lake|wood|forest|county|city|town|village|station|church|cathedral|palace|garden|gardens|club|theatre"
    r"|tavern|hotel|university|college|valley|bay|sea|ocean|desert|museum|gate|cross|states|kingdom)",
    re.IGNORECASE,
)
# "Fort Washington", "New Orleans": what begins so is no member of a family.
_BEGINNINGS = "Camp Cape East Fort Lake Mount Mt. New North Port Saint San Santa South St. West"
_BEGINS_PLACE = frozenset(_BEGINNINGS.split())
# Capitalised words that name neither people nor places.
_OTHER_CAPITALS = (
    "god christ heaven lord christmas easter bible sir madam mr mrs miss dr english french german"
    " american british russian chinese indian italian spanish greek latin european roman african asian"
    " japanese dutch irish scottish jewish christian catholic protestant january february march april may"
    " june july august september october november december monday tuesday wednesday thursday friday"
    " saturday sunday chapter part book volume act section figure table page internet web tv pdf ok o oh"
    " ah yes no north south east west state states congress senate house court government republican"
    " democrat constitution majesty highness lordship ladyship nature fate fortune death time love life"
)
_NEITHER = frozenset(_OTHER_CAPITALS.split())
# "St. Clair", "Mt. Hood": an abbreviation that begins or goes on with a name, and is none alone.
_SAINT = frozenset(("St.", "Mt."))
_FEW = 10
_RARE = 3
_LEAST_CAPITALISED = 0.75
_LEAST_COUNT = 2
# The share of different words with a capital above which a language gives it to other nouns too.
_MOST_CAPITALISED, _LEAST_WORDS = 0.3, 20
# "A Jew", "an American": a word with an indefinite article is no name.
_MOST_ARTICLES = 0.06
_LEAST_JOINED = 0.5
_CONTRACTION = regex(r"['’](?:ve|ll|re|d|m|t)$", re.IGNORECASE)
_PERSONAL = frozenset(("he", "she", "his", "her", "him", "himself", "herself", "who", "whom"))
_PLURAL = frozenset(("they", "their", "them", "themselves"))
_PLURAL_NAME = regex(r".*[^s]s")
_CLOSES = frozenset((".", "?", "!", "”", '"', "’"))
_PERSON_SHARE, _PLACE_SHARE = 0.12, 0.3
_ENDS = frozenset('.!?:;"“”‘([—-*_')


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
        has_article: Whether "the" stands before it.
        is_called: Whether it is what someone is addressed by.
        is_human: 1 where "he" or "she" follows, -1 where "it" does, else 0.
    """

    title: str
    words: tuple[str, ...]
    before: str
    after: str
    has_article: bool
    is_called: bool
    is_human: int
    sentence: int


def find_names(sentences: Sequence[str]) -> Names:
    """The people and places that an English text names more than once.

    A text in which many other words have capitals, as nouns have in German, yields nothing.
    """
    return _names_of(tuple(sentences))


# A summary lists the people of a story, and chooses by them.
@lru_cache(maxsize=1)
def _names_of(sentences: tuple[str, ...]) -> Names:
    tokens = [_TOKEN.findall(sentence) for sentence in sentences]
    words = _proper_words(tokens)
    if words is None:
        return Names()
    groups = defaultdict[tuple[str, ...], list[_Mention]](list)
    for index, each in enumerate(tokens):
        following = tokens[index + 1][:2] if index + 1 < len(tokens) else []
        for mention in _mentions(each, following, index, words):
            groups[mention.words].append(mention)
    people = defaultdict[tuple[str, tuple[str, ...]], list[_Mention]](list)
    places: dict[str, list[int]] = {}
    for name, found in groups.items():
        kind = _kind(name, found)
        if kind == "place":
            places[" ".join(name)] = [mention.sentence for mention in found]
        elif kind == "person":
            for mention in found:
                people[_rank(mention.title), name].append(mention)
    known = {name for _, name in people}
    # Who has the surname of a known person is no place: one comes from a Miss Harker too.
    families = {name[-1] for name in known if len(name) > 1}
    for name in groups:
        is_of_family = name[0] not in _BEGINS_PLACE or any(each[-len(name) :] == name for each in known)
        if len(name) > 1 and name[-1] in families and is_of_family and not _PLACE_NOUN.fullmatch(name[-1]):
            places.pop(" ".join(name), None)
    for name, found in groups.items():
        # Part of the name of a known person, too rare to tell by itself.
        if name not in known and " ".join(name) not in places and any(_fits(name, each) for each in known):
            people["", name].extend(found)
    return Names(people=_merge(people), places=_ordered(places))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text that are names, and those that belong to a name beside them.

    Attributes:
        proper: Words with a capital that the text hardly ever writes without.
        pairs: Neighbours of which at least one is proper and seldom stands without the other: the Time
            Traveller, the Medical Man.
    """

    proper: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    def begins(self, word: str, following: str) -> bool:
        """Whether a word begins a name."""
        return word in self.proper or ((word, following) in self.pairs and following in self.proper)

    def continues(self, previous: str, word: str) -> bool:
        """Whether a word continues the name that another one began."""
        return word in self.proper or (previous, word) in self.pairs


def _proper_words(tokens: Sequence[Sequence[str]]) -> _Words | None:
    """The words that are names; ``None`` where other nouns have capitals too."""
    capital: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    articles: Counter[str] = Counter()
    for words in tokens:
        previous = "."
        for word in words:
            plain = _plain(word)
            if plain[:1].islower():
                lower[plain] += 1
            elif plain[:1].isupper() and not _CONTRACTION.search(plain):
                if previous not in _ENDS and not plain.isupper():
                    capital[plain] += 1
                    articles[plain] += previous in ("a", "an")
                if previous[:1].isupper():
                    pairs[_plain(previous), plain] += 1
            is_whole = word[-1].isalpha() or len(word) == 1 or _TITLE.fullmatch(word) or word in _SAINT
            previous = word if is_whole else word[-1]
    if len(capital) > _MOST_CAPITALISED * max(_LEAST_WORDS, len(capital) + len(lower)):
        return None
    proper = frozenset(
        word
        for word, count in capital.items()
        if count >= _LEAST_CAPITALISED * (count + lower[word.lower()])
        and word.lower() not in _NEITHER
        and not _TITLE.fullmatch(word)
        and len(word) > 1
        and articles[word] <= _MOST_ARTICLES * count
    )
    joined = frozenset(
        (one, other)
        for (one, other), count in pairs.items()
        if (one in proper or other in proper)
        and count >= max(2, _LEAST_JOINED * min(capital[word] for word in (one, other) if word in proper))
        and not _TITLE.fullmatch(one)
        and "I" not in (one, other)
    )
    return _Words(proper, joined)


# Where a pronoun still speaks of a name; a "sentence" may be a whole damaged file.
_NEAR_TOKENS = 200


def _mentions(
    tokens: Sequence[str], following: Sequence[str], sentence: int, words: _Words
) -> Iterator[_Mention]:
    place = 0
    while place < len(tokens):
        if not tokens[place][:1].isupper():
            place += 1
            continue
        start, title = place, ""
        if _TITLE.fullmatch(tokens[place]):
            title = tokens[place].rstrip(".")
            place += 1
        name: list[str] = []
        while place < len(tokens):
            word = _plain(tokens[place])
            next_word = _plain(tokens[place + 1]) if place + 1 < len(tokens) else ""
            if not (words.continues(_plain(name[-1]), word) if name else words.begins(word, next_word)):
                break
            place += 1
            is_saint = tokens[place - 1] in _SAINT
            name.append(tokens[place - 1] if is_saint else word)
            if tokens[place - 1] != word and not is_saint:
                break
        if len(name) > 1:
            # "Baker St." is a street.
            name[-1] = _plain(name[-1])
        if not name or name[-1] in _SAINT:
            place = max(place, start + 1)
            continue
        before = [token.lower() for token in tokens[max(0, start - 2) : start]]
        rest = [token.lower() for token in tokens[place : place + _NEAR_TOKENS]]
        yield _Mention(
            title=title,
            words=tuple(name),
            before=before[0] if before[-1:] == ["the"] and len(before) > 1 else (before or ["."])[-1],
            after=next((word for word in rest[:2] if word != ","), "."),
            has_article=before[-1:] == ["the"],
            is_called=(before or [""])[-1] in (",", "dear", "poor") and (rest or ["."])[0] in _CLOSES,
            is_human=_is_human([*rest, *(token.lower() for token in following[:1])]),
            sentence=sentence,
        )


def _is_human(words: Sequence[str]) -> int:
    """1 where the first pronoun is one person's, -1 where it is a thing's, else 0."""
    for word in words:
        if word in _PERSONAL:
            return 1
        if word in _PLURAL:
            return 0
        if word in ("it", "its"):
            return -1
    return 0


def _plain(token: str) -> str:
    plain = token.rstrip(".")
    return plain[:-2] if plain.endswith(("'s", "’s")) else plain


def _kind(words: tuple[str, ...], mentions: Sequence[_Mention]) -> str:
    """``"person"``, ``"place"``, or empty where the text does not tell."""
    count = len(mentions)
    titled = sum(bool(mention.title) for mention in mentions)
    if count < _LEAST_COUNT and not titled:
        return ""
    if _PLACE_NOUN.fullmatch(words[-1]) and len(words) > 1:
        return "place"
    if (
        _PLURAL_NAME.fullmatch(words[-1])
        and not titled
        and 2 * sum(mention.has_article for mention in mentions) >= count
    ):
        # The Morlocks, the Romans.
        return ""
    speaks = sum(mention.before in _SPEECH or mention.after in _SPEECH for mention in mentions)
    acts: float = sum(mention.after in _ACTION for mention in mentions)
    where = sum(mention.before in _WHERE and not mention.title for mention in mentions)
    called = sum(mention.is_called for mention in mentions)
    if count < _FEW:
        # "The agate of India made him eloquent": where a rare name tells nothing else, that tells nothing.
        tells_little = count <= _RARE and not (titled or speaks or called)
        share = 1.0 if tells_little else 0.5 if where else 0.0
        acts -= share * sum(mention.after in _WEAK for mention in mentions)
    human = sum(mention.is_human for mention in mentions)
    person = (2 * titled + 2 * speaks + acts + called) / count
    if (
        person >= _PERSON_SHARE
        and (person > where / count or titled)
        and (titled or human > 0 or (speaks and human == 0))
    ):
        return "person"
    return "place" if where >= max(2, _PLACE_SHARE * count) and not titled and person < _PERSON_SHARE else ""


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
            and (
                _fits(words, other[1])
                or _is_pet_name(words, other[1])
                or (words == other[1] and not (rank and other[0]))
            )
        ]
        best = max(fuller, key=lambda other: len(people[other]), default=None)
        # "Jim" is not short for a Jim Dawkins who is named once; "Lord Henry" is for Lord Henry Wotton.
        share = _LEAST_FULLER / 4 if best is not None and rank and best[0] else _LEAST_FULLER
        home[form] = best if best is not None and len(people[best]) >= share * len(people[form]) else form
    members = defaultdict[tuple[str, tuple[str, ...]], list[_Mention]](list)
    for form, owner in home.items():
        members[owner].extend(people[form])
    named = {_usual_form(found): [mention.sentence for mention in found] for found in members.values()}
    return _ordered(named)


def _fits(words: tuple[str, ...], fuller: tuple[str, ...]) -> bool:
    return len(words) < len(fuller) and set(words) <= set(fuller)


def _is_pet_name(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether a name is another one with "-y" or "-ie": Billy of Bill, Annie of Anne."""
    if len(words) != 1 or len(others) != 1:
        return False
    pet, name = words[0], others[0]
    stems = (name, name + name[-1], name.removesuffix("e"))
    return any(pet == stem + ending for stem in stems for ending in ("y", "ie"))


def _usual_form(mentions: Sequence[_Mention]) -> str:
    """The form used most, fuller ones preferred: "Dorian Gray" to "Dorian", "Lord Henry" to "Henry"."""
    names = Counter(mention.words for mention in mentions)
    least = max(2, _LEAST_USUAL * len(mentions))
    words = max(names, key=lambda each: (len(each) > 1 and names[each] >= least, names[each], each))
    titles = Counter(mention.title for mention in mentions if mention.words == words)
    # A whole name needs no title, unless it always has one.
    title = "" if titles[""] and len(words) > 1 else max(titles, key=lambda each: (titles[each], each))
    dot = "." if title.lower() in _DOTTED else ""
    return " ".join([*([title + dot] if title else []), *words])


_LEAST_USUAL, _LEAST_FULLER = 0.04, 0.1
_DOTTED = ("mr", "mrs", "ms", "dr", "st", "rev", "col", "gen", "mme")


def _ordered(sentences_of: dict[str, list[int]]) -> tuple[Name, ...]:
    found = [Name(text=text, sentences=tuple(sorted(places))) for text, places in sentences_of.items()]
    return tuple(sorted(found, key=lambda name: (-name.count, name.text)))
