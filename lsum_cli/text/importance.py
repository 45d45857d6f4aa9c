"""Labels of important words and sentences: those that the reference summary uses too.

Words as in Pang et al. 2022 (AdaPool), sentences as in Nallapati et al. 2017 (SummaRuNNer).

A word is important if it is not a stop word and the reference has a word with the same lemma. The
importance tagger learns these labels; with ``pooling: oracle`` they are the weights themselves.

Lemmas come from ``simplemma``, whose dictionaries are packaged: nothing is downloaded. Stop words are
known for English only. Words of a language without a dictionary are compared case-insensitively.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lsum_cli.errors import MissingDependency
from lsum_cli.text.terms import word_spans

ENGLISH = "en"
_CACHED_WORDS = 1 << 18
_ENGLISH_STOP_WORDS = (
    "a about above across after afterwards again against ago albeit all almost alone along already "
    "also although always am amid among amongst an and another any anybody anyhow anyone anything "
    "anyway anywhere are aren around as at away back be became because become becomes becoming been "
    "before beforehand behind being below beneath beside besides between beyond both but by came can "
    "cannot come comes coming could couldn d did didn do does doesn doing don done down due during "
    "each either else elsewhere enough especially etc even ever every everybody everyone everything "
    "everywhere except far few fewer for former formerly from further furthermore get gets getting "
    "give given go goes going gone got had hadn has hasn have haven having he hence her here hereby "
    "herein hers herself him himself his how however i if in indeed instead into is isn it its itself "
    "just largely last latter least less let like likely ll m made mainly make makes making many may "
    "maybe me meanwhile might mine more moreover most mostly much must mustn my myself namely near "
    "nearly needn neither never nevertheless next no nobody none nonetheless nor not nothing now "
    "nowhere o of off often oh on once one ones only onto or other others otherwise ought our ours "
    "ourselves out outside over own per perhaps please quite rather re really s said same saw say "
    "says see seem seemed seeming seems seen several shall shan she should shouldn since so some "
    "somebody somehow someone something sometimes somewhat somewhere soon still such t take taken "
    "takes taking than that the their theirs them themselves then there thereafter thereby therefore "
    "therein these they this those though through throughout thus to together too took toward towards "
    "under unless until unto up upon us used usually ve very via was wasn we went were weren what "
    "whatever when whence whenever where whereas whereby wherein wherever whether which whichever "
    "while who whoever whole whom whose why will with within without won would wouldn y yes yet you "
    "your yours yourself yourselves"
)
_STOP_WORDS = {ENGLISH: frozenset(_ENGLISH_STOP_WORDS.split())}

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
Tokens = Sequence[Hashable]


@dataclass(frozen=True, kw_only=True, eq=False)
class WordLabels:
    """The words of a text, and which of them are important.

    Attributes:
        starts: (words,) offset of each word's first character in the text.
        ends: (words,) offset after its last character.
        important: (words,) whether it is important.
    """

    starts: IntArray
    ends: IntArray
    important: BoolArray

    def __len__(self) -> int:
        return len(self.starts)

    def of_tokens(self, offsets: Sequence[tuple[int, int]]) -> FloatArray:
        """Spread the labels to the tokens of the text: 1 for a token of an important word, else 0.

        Args:
            offsets: (tokens, 2) start and end of every token in the text, as a tokenizer's
                ``offset_mapping`` gives them.

        Returns:
            (tokens,); a token that contains no character of a word has 0.
        """
        words = find_words_of_tokens(self.starts, self.ends, offsets)
        return np.where(words >= 0, np.append(self.important, False)[words], False).astype(np.float64)


def label_words(texts: Sequence[str], reference: str, *, language: str | None = ENGLISH) -> list[WordLabels]:
    """Label the words of the texts that are important given the reference.

    Args:
        texts: Any pieces of a document: sentences, pages, or all of it.
        reference: The human-written summary; without a content word, no word is important.
        language: Two-letter code of both; ``None`` for English.

    Raises:
        MissingDependency: ``simplemma`` is not installed.
    """
    lemma_of = lemmatizer(language)
    stop_words = _STOP_WORDS.get(language or ENGLISH, frozenset())
    wanted = content_lemmas(reference, language=language)
    is_important: dict[str, bool] = {}
    labels = []
    for text in texts:
        spans = word_spans(text)
        flags = []
        for start, end in spans:
            word = text[start:end]
            flag = is_important.get(word)
            if flag is None:
                flag = word.lower() not in stop_words and lemma_of(word) in wanted
                is_important[word] = flag
            flags.append(flag)
        bounds = np.array(spans, np.int64).reshape(-1, 2)
        labels.append(WordLabels(starts=bounds[:, 0], ends=bounds[:, 1], important=np.array(flags, np.bool_)))
    return labels


def content_lemmas(text: str, *, language: str | None = ENGLISH) -> frozenset[str]:
    """The lemmas of a text's words, stop words left out.

    Raises:
        MissingDependency: ``simplemma`` is not installed.
    """
    lemma_of = lemmatizer(language)
    stop_words = _STOP_WORDS.get(language or ENGLISH, frozenset())
    words = {text[start:end] for start, end in word_spans(text)}
    return frozenset(lemma_of(word) for word in words if word.lower() not in stop_words)


@lru_cache(maxsize=8)
def lemmatizer(language: str | None = ENGLISH) -> Callable[[str], str]:
    """A function from a word of the language to its lemma, in lower case.

    Raises:
        MissingDependency: ``simplemma`` is not installed.
    """
    try:
        import simplemma
    except ImportError as error:
        raise MissingDependency(
            "labelling important words needs the package simplemma", "pip install 'lsum-cli[train]'"
        ) from error

    code = language or ENGLISH

    @lru_cache(maxsize=_CACHED_WORDS)
    def lemma_of(word: str) -> str:
        try:
            # Not in lower case: German nouns are listed with their capital.
            return str(simplemma.lemmatize(word, code)).casefold()
        except ValueError:  # simplemma has no dictionary of this language
            return word.casefold()

    return lemma_of


def find_words_of_tokens(starts: IntArray, ends: IntArray, offsets: Sequence[tuple[int, int]]) -> IntArray:
    """Map every token to the word it belongs to.

    Args:
        starts: (words,) ascending offsets of the words in a text, as :class:`WordLabels` has them.
        ends: (words,) offsets after them.
        offsets: (tokens, 2) offsets of the tokens in the same text.

    Returns:
        (tokens,) index of the first word that shares a character with the token; -1 where none does.
    """
    bounds = np.asarray(offsets, np.int64).reshape(-1, 2)
    if not len(starts):
        return np.full(len(bounds), -1, np.int64)
    first = np.searchsorted(ends, bounds[:, 0], side="right")
    inside = np.minimum(first, len(starts) - 1)
    shares = (first < len(starts)) & (starts[inside] < bounds[:, 1])
    return np.where(shares, inside, -1)


def spread_scores(scores: FloatArray, words: IntArray) -> FloatArray:
    """Average the scores of the tokens of each word, and give every token the mean of its word.

    Args:
        scores: (tokens,)
        words: (tokens,) as :func:`find_words_of_tokens` gives them; tokens outside words keep their score.

    Returns:
        (tokens,)
    """
    of_words = words >= 0
    counts = np.bincount(words[of_words])
    means = np.bincount(words[of_words], weights=scores[of_words]) / np.maximum(1, counts)
    return np.where(of_words, np.append(means, 0.0)[words], scores)


def choose_sentences(
    reference: Sequence[Tokens],
    offered: Sequence[Tokens],
    *,
    most: int | None = None,
    lengths: Sequence[int] | None = None,
    room: int | None = None,
) -> list[int]:
    """Choose sentences greedily by ROUGE-1 plus ROUGE-2 F1 until none raises it (Nallapati et al. 2017).

    Bigrams are counted within sentences.

    Args:
        reference: The tokens of each sentence of the human-written summary.
        offered: The tokens of each sentence of the source.
        most: Maximum number of sentences; ``None`` for no limit.
        lengths: (offered,) length of each sentence, in any unit; needed for ``room``.
        room: Maximum total length of the chosen sentences.

    Returns:
        Indices in ``offered``, ascending.
    """
    grams = [_Overlap.of(reference, offered, size) for size in (1, 2)]
    is_free = np.ones(len(offered), np.bool_)
    needed = np.zeros(len(offered)) if lengths is None else np.asarray(lengths, np.float64)
    left = np.inf if room is None else float(room)
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < (len(offered) if most is None else most):
        scores = np.where(is_free & (needed <= left), sum(each.f1() for each in grams), -np.inf)
        place = int(np.argmax(scores)) if len(scores) else -1
        if place < 0 or not scores[place] > best:
            break
        best = float(scores[place])
        chosen.append(place)
        is_free[place] = False
        left -= needed[place]
        for each in grams:
            each.add(place)
    return sorted(chosen)


@dataclass(kw_only=True, eq=False)
class _Overlap:
    """The n-grams that candidate sentences share with a reference, and those not covered yet.

    Attributes:
        rows: (entries,) sentence of each n-gram that the reference has too.
        columns: (entries,) which n-gram of the reference it is.
        counts: (entries,) how often it occurs in the sentence.
        totals: (sentences,) n-grams of each sentence.
        missing: (n-grams,) occurrences of each in the reference that are not covered yet.
        hits: Number of covered n-grams.
        both: Number of n-grams of the reference and of the chosen sentences.
    """

    rows: IntArray
    columns: IntArray
    counts: IntArray
    totals: IntArray
    missing: IntArray
    hits: int = 0
    both: int

    @classmethod
    def of(cls, reference: Sequence[Tokens], offered: Sequence[Tokens], size: int) -> _Overlap:
        wanted = Counter(gram for tokens in reference for gram in _grams(tokens, size))
        column_of = {gram: column for column, gram in enumerate(wanted)}
        keys: list[int] = []
        totals: list[int] = []
        for row, tokens in enumerate(offered):
            grams = _grams(tokens, size)
            keys += [row * len(wanted) + column_of[gram] for gram in grams if gram in column_of]
            totals.append(len(grams))
        unique, counts = np.unique(np.array(keys, np.int64), return_counts=True)
        return cls(
            rows=unique // max(1, len(wanted)),
            columns=unique % max(1, len(wanted)),
            counts=counts.astype(np.int64),
            totals=np.array(totals, np.int64),
            missing=np.array(list(wanted.values()), np.int64),
            both=wanted.total(),
        )

    def f1(self) -> FloatArray:
        """(sentences,) F1 of what has been chosen and each sentence: twice the hits over both texts."""
        shared = np.minimum(self.counts, self.missing[self.columns])
        hits = self.hits + np.bincount(self.rows, weights=shared, minlength=len(self.totals))
        return 2 * hits / np.maximum(1, self.both + self.totals)

    def add(self, place: int) -> None:
        """Choose a sentence."""
        begin, end = np.searchsorted(self.rows, [place, place + 1])
        columns = self.columns[begin:end]
        shared = np.minimum(self.counts[begin:end], self.missing[columns])
        self.missing[columns] -= shared
        self.hits += int(shared.sum())
        self.both += int(self.totals[place])


def _grams(tokens: Tokens, size: int) -> Sequence[Hashable]:
    return tokens if size == 1 else list(pairwise(tokens))
