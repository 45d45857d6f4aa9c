"""Key phrases of a text: repeated word groups, ranked by the C-value (Frantzi, Ananiadou and Mima 2000).

A phrase counts by how often it occurs other than inside a longer one, by its length, and by how much
of the text it runs through. Nothing is known of a language but its function words; where these are not known
either, the short words that occur everywhere are taken for them. In Chinese and Japanese, which
put no spaces between words, a phrase is a run of characters that recurs and that every longer run loses
occurrences of: what stands before it and after it varies.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from unicodedata import normalize

from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import MARKS, UNSPACED, function_words, is_function_word
from lsum_cli.text.verbs import VERBS

MOST_WORDS = 4
_LETTER = f"[^\\W\\d_{UNSPACED}]"
# Not the end of "27th".
_WORD = regex(
    f"(?<![^\\W_{UNSPACED}]){_LETTER}(?:[^\\W_{UNSPACED}]|[{MARKS}]|[-'’.+](?=[^\\W_{UNSPACED}]))*[+#]*"
)
# Ideographs and katakana make terms; hiragana joins them. Thai and its relatives have no such clue.
_UNSPACED_RUN = regex("[\u3005\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")
_KATAKANA = regex("[\u30a1-\u30ff]+")
_SHORTEST_KATAKANA, _LONGEST_RUN = 3, 12
# Chinese characters that join phrases: particles, pronouns, conjunctions. In Japanese hiragana does.
_JOINING = frozenset(
    "的了是在和與与及或也都就而但这這那其之于於为為被把我你他她它很吗嗎呢吧更最并並从從至让讓给給由说說没沒还還又只已"
)
# What a phrase does not begin with either, and what it does not end with.
_NEVER_FIRST, _NEVER_LAST = (
    _JOINING | frozenset("们們个個不着著过過将將等该該此"),
    _JOINING | frozenset("不将將每该該如可"),
)
_PARTICLE = regex("[的了吗嗎呢吧]")
_HIRAGANA = regex("[\u3041-\u3096]")
# Of these alone is a number or a date.
_NUMERALS = frozenset("〇一二三四五六七八九十百千万萬亿億两兩几幾第年月日号號")
_BREAK = regex(r"[^\w\s'’.+#-]|[.](?=\s|$)|\s[-–—]+\s")
# Words that stand in many texts without saying what any is about.
_GENERAL_WORDS = (
    "able according across actually additional additionally already although always among another appear"
    " approach available based become best better big case cases cause certain change changes chapter"
    " clear come common complete consider contain course current day days describe described detail"
    " different difference discuss discussed due early effect end enough especially et etc even ever every"
    " example fact far fig figure figures final find finding first five follow followed following form"
    " found four full furthermore general give given gives good great group hand help hence high higher"
    " however i.e e.g ii iii important include included includes including increase increased individual"
    " instead issue issues kind large last later least less let level levels likely little long look low"
    " lower made main major make makes making man many matter men method methods moreover much must name"
    " necessary need needed needs never new next non nothing note number obtain occur old one open order"
    " part particular people per perform performed period place point points possible present presented"
    " previous previously problem produce provide provided provides purpose put quite rather reason recent"
    " recently report reported require required respectively result results right said same saw say says"
    " second section see seem seen set several show showed shown shows significant significantly similar"
    " simple since single six small something sometimes state still study studies sub subject suggest"
    " support table take taken ten term terms therefore third three time times together total toward two"
    " type types typically understand use used useful user uses using usually value values various via"
    " want way ways week well whether whole within without work works world year years yes yet able add"
    " added adds allow allows now also mr mrs dr sir al doi isbn vol pp retrieved answer answered ask"
    " asked began begin came cried felt fell gave gone heard held kept knew laughed looked looking"
    " murmured myself himself herself themselves replied run sat seemed spoke stood stopped taking tell"
    " told thought turned went whispered brought called having coming upon"
    " along amid amidst amongst around beside besides beyond despite onto toward towards till unto whereas"
    " anybody anyone anything everybody everyone everything nobody none somebody someone"
    " ah alright hey huh maybe mmm nope ok sure supplementary yep"
    " almost else hardly nearly perhaps scarcely somehow somewhat soon thereby"
    " avoid happen longer vs"
)
_GENERAL = frozenset(stem(word) for word in _GENERAL_WORDS.split())
# Words that say something only beside another: "back pain", "the inside lane".
_NEVER_ALONE_WORDS = (
    "ahead apart aside away back backward backwards behind beneath forth forward forwards inside near outside"
    " past round"
)
_NEVER_ALONE = frozenset(stem(word) for word in _NEVER_ALONE_WORDS.split())
# General words that begin names: "New South Wales", "the World Bank", "Great Britain", "the United States".
_NAME = regex(r"(?<=[a-z,;] )(New|Great|Old|World|Long|United) ([A-Z][a-z]+)")
_MOST_FREQUENT = 40
_FUNCTION_LENGTH = 4
# Of the words that begin a phrase, the adverbs say least.
_ADVERB = regex(r".{3,}ly$")
_CONTRACTION = regex(r"(?:n['’]t|['’](?:ll|re|ve|d|m))$", re.IGNORECASE)
_POSSESSIVE = regex(r"['’]s?$|[.]$")
# The article or the particle that French and Italian write before a vowel: "l'école", "dell'arte".
_ELIDED = regex(
    r"\b(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|(?:[adn]|da|su)[el]?ll|un|quest|quell)['’](?=[^\W\d_]{2})",
    re.IGNORECASE,
)
# How inflected forms of a word end, in languages whose words are not stemmed.
_INFLECTION = regex(r"(?:e|e[mnrs]|n|s|x|)$")
_ELIDING = frozenset(("ca", "fr", "it"))
# "(un)structuring": what stands in brackets is a piece of a word.
_BRACKETED_PREFIX = regex(r"(?<!\w)\([^\W\d_]{1,6}-?\)(?=[^\W\d_])")
# "permissions removed", "returned": what is done to a thing is not its name. Names have a capital.
_PARTICIPLE = regex(r"(?:.*[ -])?([a-z]{2,}[^\We]ed)")
# Verbs that a text may have as participles only.
_DONE = (
    "align arrange assign attach approve ban build calculate cancel cite close collect compare compile"
    " complete configure connect convert copy correct delete deliver deploy deprecate design detect determine"
    " disable display download drop edit enable estimate evaluate exclude execute extend extract fix generate"
    " identify ignore insert install invite issue join label list load locate log maintain map mark match"
    " measure merge modify monitor omit order own parse plan position prepare process publish query record"
    " register relate release remove rename render replace replicate reserve resolve restore restrict review"
    " revoke save scope select separate share sign specify store submit supply track transfer translate"
    " trigger update upload validate verify visit"
)
_VERBS = VERBS | frozenset(_DONE.split())
# Words that are written short and in full: "event dict", "event dictionary". That one begins like the other
# makes them no forms of one: "tax" and "taxonomy".
_SHORT_FORMS = (
    "arg=argument attr=attribute config=configuration dict=dictionary dir=directory env=environment"
    " func=function info=information param=parameter repo=repository spec=specification"
)
_IN_FULL = {stem(short): stem(full) for short, full in (each.split("=") for each in _SHORT_FORMS.split())}
_SINGLE_WORD = 0.35
# A word is a verb where this share of it follows a pronoun, an auxiliary or "to".
_MOST_AFTER_SUBJECT = 0.3
_SUBJECTS = (
    "i he she it we they you to who would could can will must might may should had have has not don't didn't"
    " cannot"
)
# What stands before verbs.
BEFORE_VERB = frozenset(_SUBJECTS.split())
_FEW_SENTENCES = 5
# The share of its occurrences in which a phrase has capitals within a word, where it is written so.
_MANY_WITH_CAPITALS, _MOST_IN_CAPITALS = 0.3, 0.5
_IN_TITLE = 1.6
_CAPITALISED = 1.15


def is_general_word(stemmed: str) -> bool:
    """Whether a stemmed English word stands in many texts without saying what any is about."""
    return stemmed in _GENERAL


@dataclass(slots=True)
class _Phrase:
    """A phrase, by its stems.

    Attributes:
        surfaces: How it is written, and how often.
        sentences: Indices of the sentences it occurs in.
        nested: How often it occurs inside a longer phrase, and inside how many.
    """

    surfaces: Counter[str] = field(default_factory=Counter)
    sentences: set[int] = field(default_factory=set)
    count: int = 0


def key_phrases(
    sentences: Sequence[str],
    *,
    titles: Iterable[str] = (),
    most: int = 10,
    least: int | None = None,
    language: str | None = "en",
) -> tuple[str, ...]:
    """The key phrases of a text, the most telling first; none holds another.

    Args:
        sentences: Its sentences.
        titles: Titles and headings; what is in them too counts more.
        most: How many phrases at most.
        least: How often each occurs at least; by default twice, where a title counts too in a text of a
            few sentences.
        language: The language, whose function words apply; ``None`` if unknown or several.
    """
    is_english = language == "en"
    sentences = [_comparable(sentence, language) for sentence in sentences]
    titles = [_comparable(title, language) for title in titles]
    stops = function_words(language)
    if not (stops or is_english):
        stops = _frequent_short_words(sentences)
    names = frozenset(pair for sentence in sentences for pair in _NAME.findall(sentence))
    phrases: defaultdict[tuple[str, ...], _Phrase] = defaultdict(_Phrase)
    for index, sentence in enumerate(sentences):
        for words in _runs(sentence, stops, names):
            stems = tuple(stem(word.casefold()) for word in words)
            for start in range(len(words)):
                for end in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
                    phrase = phrases[stems[start:end]]
                    phrase.surfaces[" ".join(words[start:end])] += 1
                    phrase.sentences.add(index)
                    phrase.count += 1
    in_titles = {
        stems for title in titles for words in _runs(title, stops, names) for stems in _parts_of(words)
    }
    least = least or 2
    with_titles = in_titles if len(sentences) <= _FEW_SENTENCES else frozenset()
    verbs = _verbs(sentences) if is_english else frozenset()
    participles = _participles(sentences) if is_english else frozenset()
    repeated = {
        stems: phrase
        for stems, phrase in phrases.items()
        if phrase.count + (stems in with_titles) >= least
        and not (len(stems) == 1 and (stems[0] in verbs or (is_english and stems[0] in _NEVER_ALONE)))
        and not ((done := _PARTICIPLE.fullmatch(_written(phrase))) and done[1] in participles)
    }
    unspaced = _recurring(sentences, least)
    repeated |= unspaced
    in_titles |= {stems for stems in unspaced if any(stems[0] in title for title in titles)}
    scores = _c_values(repeated)
    for stems, phrase in repeated.items():
        if stems in in_titles:
            scores[stems] *= _IN_TITLE
        if _is_name(phrase):
            scores[stems] *= _CAPITALISED
        scores[stems] *= math.sqrt(math.log2(1 + len(phrase.sentences)))
    return _distinct(repeated, scores, most)


def _comparable(text: str, language: str | None) -> str:
    """A text with each letter one character, and an elided article or particle a word of its own."""
    text = text if text.isascii() else normalize("NFC", text)
    text = _BRACKETED_PREFIX.sub("", text)
    return _ELIDED.sub(lambda elided: f"{elided.group()[:-1]} ", text) if language in _ELIDING else text


def _runs(
    text: str, stops: Collection[str], names: Collection[tuple[str, str]] = frozenset()
) -> Iterable[list[str]]:
    """Groups of neighbouring words without a function word, a general word at the edge, or punctuation.

    Args:
        text: The text.
        stops: The function words of its language.
        names: Pairs of words that begin names, in which a general word stands for itself.
    """
    for clause in _BREAK.split(text):
        run: list[str] = []
        end = -1
        matches = list(_WORD.finditer(clause))
        texts = [match.group() for match in matches]
        of_names = set[int]()
        if names:
            for at, pair in enumerate(pairwise(texts)):
                if pair in names:
                    of_names |= {at, at + 1}
        for at, match in enumerate(matches):
            word = texts[at]
            # "it's" and "that's" are function words as "it" and "that" are.
            bare = word if word.isalpha() else _POSSESSIVE.sub("", word)
            stemmed = stem(bare.casefold())
            is_stop = at not in of_names and (
                len(word) < 2
                or is_function_word(stemmed)
                or stemmed in _GENERAL
                or word.casefold().replace("’", "'") in stops
                or _CONTRACTION.search(word) is not None
            )
            if is_stop or (end >= 0 and clause[end : match.start()].strip()):
                if run:
                    yield run
                run = []
            if not is_stop:
                # A word of a constant, "MEDIA_ROOT", is no acronym.
                is_of_constant = "_" in (clause[match.start() - 1 : match.start()], clause[match.end() :][:1])
                run.append(bare.capitalize() if is_of_constant and bare.isupper() else bare)
            end = match.end()
        if run:
            yield run


def _recurring(sentences: Sequence[str], least: int) -> dict[tuple[str, ...], _Phrase]:
    """The runs of characters without spaces that recur, and that no longer run occurs as often as.

    Args:
        sentences: The text.
        least: How often each occurs at least.
    """
    least = max(2, least)
    is_japanese = any(_HIRAGANA.search(sentence) for sentence in sentences)
    runs = [
        (index, run)
        for index, sentence in enumerate(sentences)
        if not sentence.isascii()
        for run in _UNSPACED_RUN.findall(sentence)
    ]
    found: dict[tuple[str, ...], _Phrase] = {}
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, (_, run) in enumerate(runs):
        for start in range(len(run) - 1):
            places[run[start : start + 2]].append((number, start))
    for length in range(2, _LONGEST_RUN + 1):
        longer: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for text, occurrences in places.items():
            if len(occurrences) < least:
                continue
            # An edge is another context each time.
            before = {runs[n][1][start - 1] if start else (n, start) for n, start in occurrences}
            after = {runs[n][1][start + length :][:1] or (n, start) for n, start in occurrences}
            if len(before) > 1 and len(after) > 1 and _is_term(text, is_japanese=is_japanese):
                indices = [runs[number][0] for number, _ in occurrences]
                found[(text,)] = _Phrase(
                    surfaces=Counter({text: len(indices)}), sentences=set(indices), count=len(indices)
                )
            for number, start in occurrences:
                run = runs[number][1]
                if start + length < len(run):
                    longer[run[start : start + length + 1]].append((number, start))
        places = longer
    return found


def _is_term(text: str, *, is_japanese: bool) -> bool:
    """Whether a run of characters can be a phrase by its characters."""
    if _KATAKANA.fullmatch(text):
        return len(text) >= _SHORTEST_KATAKANA and text[0] not in "ーッ"
    if all(character in _NUMERALS for character in text):
        return False
    return is_japanese or not (
        text[0] in _NEVER_FIRST or text[-1] in _NEVER_LAST or _PARTICLE.search(text) is not None
    )


def _parts_of(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    stems = tuple(stem(word.casefold()) for word in words)
    for start in range(len(stems)):
        for end in range(start + 1, min(start + MOST_WORDS, len(stems)) + 1):
            yield stems[start:end]


def _c_values(phrases: dict[tuple[str, ...], _Phrase]) -> dict[tuple[str, ...], float]:
    """For each phrase its occurrences outside longer phrases, weighed by its length."""
    inside: Counter[tuple[str, ...]] = Counter()
    holders: Counter[tuple[str, ...]] = Counter()
    for stems, phrase in phrases.items():
        for part in _inner_runs(stems):
            inside[part] += phrase.count
            holders[part] += 1
        for start in range(len(stems)):
            for end in range(start + 1, len(stems) + 1):
                if end - start < len(stems):
                    inside[stems[start:end]] += phrase.count
                    holders[stems[start:end]] += 1
    values = {}
    for stems, phrase in phrases.items():
        mean = inside[stems] / holders[stems] if holders[stems] else 0.0
        if _UNSPACED_RUN.fullmatch(stems[0]):
            length = math.log2(len(stems[0]))
        else:
            length = _SINGLE_WORD if len(stems) == 1 and stems[0].isascii() else math.log2(1 + len(stems))
        adverb = 0.3 if _ADVERB.match(phrase.surfaces.most_common(1)[0][0].split()[0]) else 1.0
        values[stems] = max(0.1, phrase.count - mean) * length * adverb
    return values


def _inner_runs(stems: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """The runs of characters within one, where words are not told apart."""
    run = stems[0]
    if len(stems) == 1 and _UNSPACED_RUN.fullmatch(run):
        inner = {run[start:end] for start in range(len(run)) for end in range(start + 2, len(run) + 1)}
        yield from ((each,) for each in inner - {run})


def _is_name(phrase: _Phrase) -> bool:
    written = phrase.surfaces.most_common(1)[0][0]
    return all(word[:1].isupper() for word in written.split())


def _distinct(
    phrases: dict[tuple[str, ...], _Phrase], scores: dict[tuple[str, ...], float], most: int
) -> tuple[str, ...]:
    """The best phrases that share no more than half of their words with a better one."""
    chosen: list[tuple[str, ...]] = []
    for stems in sorted(scores, key=lambda each: (-scores[each], each)):
        if len(chosen) >= most:
            break
        words = set(stems)
        if all(
            2 * len(words & set(other)) <= min(len(words), len(other)) - (len(words) == 1)
            and not _shares_run(stems[0], other[0])
            and not _is_inflected(stems, other)
            for other in chosen
        ):
            chosen.append(stems)
    return tuple(_written(phrases[stems]) for stems in chosen)


def _is_inflected(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two phrases are forms of the same: "éléphant" and "éléphants", "dict" and "dictionary"."""
    return len(one) == len(other) and all(
        first == second or _uninflected(first) == _uninflected(second)
        for first, second in zip(one, other, strict=True)
    )


def _uninflected(stemmed: str) -> str:
    """A stem in full, without the ending of a plural: of "cookie" and "cookies" the stems differ."""
    stemmed = _IN_FULL.get(stemmed, stemmed)
    bare = f"{stemmed[:-1]}y" if stemmed.endswith("i") else stemmed
    return _INFLECTION.sub("", bare, count=1)


def _shares_run(one: str, other: str) -> bool:
    """Whether of two runs of characters one is a piece of the other, or they are pieces of the same."""
    if one.isascii() or other.isascii():
        return False
    short, long = sorted((one, other), key=len)
    if not (_UNSPACED_RUN.fullmatch(short) and _UNSPACED_RUN.fullmatch(long)):
        return False
    if short in long:
        return True
    overlap = range(2, len(short))
    return any(short[-size:] == long[:size] or short[:size] == long[-size:] for size in overlap)


def _written(phrase: _Phrase) -> str:
    """The usual form: capitals only where the words always have them, not those of a heading.

    What many write with capitals within a word, as no heading does, is written so: "SQLAlchemy", "CSRF".
    """
    forms = phrase.surfaces
    inner = [surface for surface in forms if _has_inner_capitals(surface)]
    often = sum(forms[surface] for surface in inner)
    plain = sum(times for surface, times in forms.items() if surface == surface.lower())
    # Constants are written in capitals too, and headings: most of an acronym's occurrences are.
    is_shouted = all(map(str.isupper, inner))
    least = _MOST_IN_CAPITALS if is_shouted else _MANY_WITH_CAPITALS
    others = phrase.count - often - plain
    if often > least * (often + plain) and not (is_shouted and often < others):
        return max(inner, key=lambda surface: (forms[surface], surface))
    lower = {surface.lower() for surface in forms if surface == surface.lower()}
    usual = max(forms, key=lambda surface: (forms[surface] * (1 + (surface in lower)), surface))
    return usual.lower() if usual.lower() in lower else usual


def _has_inner_capitals(surface: str) -> bool:
    """Whether a word of a phrase has a capital after its first letter, and not every word is in capitals."""
    words = surface.split()
    return any(word[1:] != word[1:].lower() for word in words) and (len(words) == 1 or not surface.isupper())


def _verbs(sentences: Sequence[str]) -> frozenset[str]:
    """Words that mostly follow a pronoun or an auxiliary, by their stems."""
    counts: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for sentence in sentences:
        previous = ""
        for word in sentence.casefold().split():
            plain = stem(word.strip(".,;:!?()[]\"'“”‘’—-"))
            counts[plain] += 1
            after[plain] += previous in BEFORE_VERB
            previous = word
    return frozenset(word for word, count in counts.items() if after[word] > _MOST_AFTER_SUBJECT * count)


def _participles(sentences: Sequence[str]) -> frozenset[str]:
    """Words in "-ed" that are evidently forms of a verb, as "watershed" and "infrared" are not.

    The verb is known, or the text has another form of it: "caches" beside "cached".
    """
    known = {word for sentence in sentences for word in _WORD.findall(sentence.casefold().replace("-", " "))}
    verbs = known | _VERBS
    return frozenset(
        word
        for word in known
        if _PARTICIPLE.fullmatch(word)
        and (
            stem(word) in _GENERAL
            or any(base + ending in verbs for base in _bases(word) for ending in ("", "s", "es", "ing"))
        )
    )


def _bases(participle: str) -> Iterable[str]:
    """What a word in "-ed" may be a form of: "return", "cache", "stop", "try"."""
    bare = participle[:-2]
    yield from (bare, f"{bare}e")
    if bare[-1] == bare[-2]:
        yield bare[:-1]
    if bare[-1] == "i":
        yield f"{bare[:-1]}y"


def _frequent_short_words(sentences: Sequence[str]) -> frozenset[str]:
    counts = Counter(word.casefold() for sentence in sentences for word in _WORD.findall(sentence))
    frequent = [word for word, _ in counts.most_common(_MOST_FREQUENT)]
    return frozenset(word for word in frequent if len(word) <= _FUNCTION_LENGTH)
