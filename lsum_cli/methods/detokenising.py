"""Turning generated tokens into the sentences of a summary, each with the positions of its tokens.

Subwords are joined by the model's tokenizer. A windowing model writes lower-cased words and
single punctuation marks: their spelling and the spaces between them are taken from the source
where it contains them, and otherwise follow a few rules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from lsum_cli.methods.search_settings import SearchSettings
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.text.sentences import normalise, sentence_spans
from lsum_cli.text.tokenizers import Tokenizer

_GLUED_LEFT = frozenset(",.;:!?)]}%’”»…‰°。．，、；：！？）」』") | {"...", "--", "—", "/"}
_GLUED_RIGHT = frozenset("([{“‘«¿¡$£€#@（「『") | {"--", "—", "/"}
_STRAIGHT_QUOTES = frozenset("\"'")
_OPENING = frozenset("([{“‘«\"'_*")
# A full stop, and marks that may follow it before the next sentence begins.
_MOST_CLOSING = 4
_LOUD_STOPS = frozenset("!?")
_STOPS = frozenset(".!?…。．！？") | {"..."}
_ALWAYS_CAPITALISED = frozenset(
    (
        *("i", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january"),
        *("february", "april", "june", "july", "august", "september", "october", "november", "december"),
    )
)
# Maximum number of occurrences of a word that are examined.
_MOST = 64
_HALF = 31
_Counts = tuple[NDArray[np.int64], NDArray[np.intp]]
_ENDS = tuple(".!?…。！？:;\"'”’)]»")

# Warning for a last sentence that end_at_sentence could not leave out.
CUT_OFF = "a summary was cut off at its maximum length (--max-tokens, --length)"


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenSentence:
    """A sentence of a summary.

    Attributes:
        tokens: Positions of its tokens in the generated sequence, in order.
    """

    text: str
    tokens: tuple[int, ...]

    @property
    def is_finished(self) -> bool:
        """Whether it ends with sentence-final punctuation."""
        return self.text.endswith(_ENDS)


def split_tokens(
    tokenizer: Tokenizer, token_ids: Sequence[int], language: str | None = None
) -> list[TokenSentence]:
    """Split the generated tokens into sentences.

    Every token that is text belongs to exactly one sentence; start, end, padding and other special
    tokens belong to none. A token that extends past the end of a sentence belongs to the next.

    Args:
        tokenizer: Tokenizer of the model that generated the tokens.
        token_ids: The generated ids, with or without special tokens.
        language: Two-letter code of the summary's language; English rules where unknown.
    """
    special = set(tokenizer.all_special_ids)
    positions = [place for place, token_id in enumerate(token_ids) if token_id not in special]
    text, ends = _decode(tokenizer, [token_ids[place] for place in positions])
    clean = normalise(text)
    clean_ends = _map_ends(text, clean, ends)
    sentences: list[TokenSentence] = []
    begin = start = 0
    spans = sentence_spans(clean, language)
    for number, (_, span_end) in enumerate(spans):
        is_last = number == len(spans) - 1
        end = len(positions) if is_last else bisect_right(clean_ends, span_end)
        if end > begin:
            sentences.append(
                TokenSentence(text=clean[start:span_end].strip(), tokens=tuple(positions[begin:end]))
            )
            begin, start = end, span_end
        elif is_last and sentences:  # all its tokens extend back into the previous one
            sentences[-1] = TokenSentence(
                text=f"{sentences[-1].text}{clean[start:span_end]}", tokens=sentences[-1].tokens
            )
    return sentences


def mean_log_prob(sentence: TokenSentence, log_probs: Sequence[float]) -> float:
    """The mean log probability of a sentence's tokens."""
    return sum(log_probs[place] for place in sentence.tokens) / len(sentence.tokens)


def end_at_sentence(
    sentences: Sequence[TokenSentence], settings: SearchSettings, num_generated: int
) -> tuple[Sequence[TokenSentence], bool]:
    """Drop a last sentence that the maximum length cut off, if the length was requested in words.

    Args:
        num_generated: Number of ids, without the start token, with the end token.

    Returns:
        The remaining sentences, and whether the last of them is cut off.
    """
    if num_generated <= settings.max_tokens or sentences[-1].is_finished:
        return sentences, False
    if settings.length_in_words and len(sentences) > 1:
        return sentences[:-1], False
    return sentences, True


def _decode(tokenizer: Tokenizer, token_ids: Sequence[int]) -> tuple[str, list[int]]:
    """The decoded text, and for each token the offset at which the text decoded so far ends."""
    text = _text_of(tokenizer, token_ids)
    ends: list[int] = []
    for count in range(1, len(token_ids) + 1):
        # A character made of several tokens is complete only with the last of them.
        end = _common_prefix(text, _text_of(tokenizer, token_ids[:count]))
        ends.append(max(end, ends[-1] if ends else 0))
    return text, ends


def _text_of(tokenizer: Tokenizer, token_ids: Sequence[int]) -> str:
    return str(
        tokenizer.decode(list(token_ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
    )


def _common_prefix(first: str, second: str) -> int:
    if first.startswith(second):
        return len(second)
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))


def _map_ends(text: str, clean: str, ends: Sequence[int]) -> list[int]:
    """Map offsets in ``text`` to offsets in ``clean``, its normalised form."""
    mapped, place = [0], 0
    for character in text:
        expected = clean[place] if place < len(clean) else None
        place += character == expected or (character.isspace() and expected == " " and place > 0)
        mapped.append(place)
    return [mapped[end] for end in ends]


class Spelling:
    """The spelling of the words of one summary, learnt from its source.

    Args:
        text: The source.
        tokenizer: The model's tokenizer.
    """

    def __init__(self, text: SourceWindows, tokenizer: Tokenizer) -> None:
        from lsum_cli.models.windowing.vocabulary import word_of

        self._text = text
        self._ids = text.source.extended_ids
        self._plain = lru_cache(maxsize=None)(lambda token_id: word_of(tokenizer, text.source, token_id))
        self._usual = lru_cache(maxsize=None)(self._find_usual)
        self.is_glued = lru_cache(maxsize=None)(self._is_glued)
        self.sticks = lru_cache(maxsize=None)(self._sticks)

    def plain(self, token_id: int) -> str:
        """The word as the model writes it, in lower case."""
        return self._plain(token_id)

    def write(self, token_id: int, window: int) -> str:
        """The word in the window's most frequent spelling, else the source's, else the model's."""
        word = self._plain(token_id)
        if not any(map(str.isalpha, word)):
            return word
        start, end = self._text.layout.span(window)
        here = start + np.flatnonzero(self._ids[start:end] == token_id)
        return self._commonest(here) or self._usual(token_id)

    def _is_glued(self, left: int, right: int) -> bool | None:
        """Whether the source mostly writes two words without a space between; ``None`` if undecided."""
        key = (left << _HALF) + right
        glued, spaced = _count(self._glued_pairs, key), _count(self._spaced_pairs, key)
        return None if glued == spaced else glued > spaced

    def _sticks(self, token_id: int, to_left: bool) -> bool | None:
        """Whether a mark is mostly written without a space on its left (or right)."""
        marks, words = (1, 0) if to_left else (0, 1)
        at = np.flatnonzero(self._within & (self._neighbours(marks) == token_id))
        at = at[[_is_word(self._plain(int(word))) for word in self._neighbours(words)[at]]]
        glued = int(self._gluing[at].sum())
        return None if 2 * glued == len(at) else 2 * glued > len(at)

    def _neighbours(self, side: int) -> NDArray[np.int64]:
        return self._ids[side : len(self._ids) - 1 + side]

    def _find_usual(self, token_id: int) -> str:
        word = self._plain(token_id)
        everywhere = np.flatnonzero(self._ids == token_id)
        if written := self._commonest(everywhere):
            return written
        if word.split("'")[0].split("’")[0] in _ALWAYS_CAPITALISED:
            return _capitalise(word)
        # For a word that only begins sentences, a capital is no evidence, unless the word is unknown.
        is_unknown = bool(len(everywhere)) and self._text.source.input_ids[everywhere[0]] != token_id
        quiet = [int(position) for position in everywhere[:_MOST] if not self._shouts(int(position))]
        forms = Counter(map(self._text.surface, quiet or (everywhere[:1].tolist() if is_unknown else ())))
        for form, _ in forms.most_common(1):
            if is_unknown or form[1:] != form[1:].lower():
                return form
        return word

    def _commonest(self, positions: NDArray[np.intp]) -> str | None:
        """The most common spelling within sentences that are not all capitals."""
        forms = Counter(
            self._text.surface(int(position))
            for position in positions[:_MOST]
            if not self._begins_sentence(int(position)) and not self._shouts(int(position))
        )
        return forms.most_common(1)[0][0] if forms else None

    def _begins_sentence(self, position: int) -> bool:
        sentence_of = self._text.source.sentence_of
        while position and sentence_of[position - 1] == sentence_of[position]:
            position -= 1
            before = self._plain(int(self._ids[position]))
            if before in _STOPS or before == ":":
                return not bool(self._gluing[position])
            if before not in _OPENING:
                return False
        return True

    def _shouts(self, position: int) -> bool:
        sentence, _ = self._text.sentences[int(self._text.source.sentence_of[position])]
        return sentence.text.isupper()

    @cached_property
    def _within(self) -> NDArray[np.bool_]:
        """(source_len - 1,), whether a word and the next are in the same sentence."""
        sentence_of = self._text.source.sentence_of
        within: NDArray[np.bool_] = sentence_of[1:] == sentence_of[:-1]
        return within

    @cached_property
    def _gluing(self) -> NDArray[np.bool_]:
        """(source_len - 1,), whether there is no space between a word and the next of its sentence."""
        offsets = self._text.source.offsets
        gluing: NDArray[np.bool_] = self._within & (offsets[1:, 0] == offsets[:-1, 1])
        return gluing

    @cached_property
    def _glued_pairs(self) -> _Counts:
        return np.unique(self._pairs[self._gluing], return_counts=True)

    @cached_property
    def _spaced_pairs(self) -> _Counts:
        return np.unique(self._pairs[self._within & ~self._gluing], return_counts=True)

    @cached_property
    def _pairs(self) -> NDArray[np.int64]:
        """(source_len - 1,), a number for each word and the next."""
        return (self._ids[:-1] << _HALF) + self._ids[1:]


class SentenceBuilder:
    """Assembles words, added one by one, into sentences; returns each once the word after it is known.

    The sentences depend only on the words, not on when they arrive.

    Args:
        spelling: The spelling of the words.
        language: Two-letter code of the summary's language; English rules where unknown.
    """

    def __init__(self, spelling: Spelling, language: str | None = None) -> None:
        self._spelling = spelling
        self._language = language
        self._ids: list[int] = []
        self._words: list[str] = []
        self._places: list[int] = []

    def add(self, place: int, token_id: int, window: int) -> TokenSentence | None:
        """Add a word.

        Args:
            place: Its position in the generated sequence.
            window: The window in which it was written.

        Returns:
            The sentence that ended before it, if one did.
        """
        may_have_ended = any(word in _STOPS for word in self._words[-_MOST_CLOSING:])
        self._ids.append(token_id)
        self._words.append(self._spelling.write(token_id, window))
        self._places.append(place)
        return self._split() if may_have_ended else None

    def finish(self) -> list[TokenSentence]:
        """Return the sentences of the remaining words, if any; the last one ends here."""
        sentences = []
        while sentence := self._split():
            sentences.append(sentence)
        rest = self._take(len(self._ids), *self._text(self._gluing())) if self._ids else None
        return sentences if rest is None else [*sentences, rest]

    def _split(self) -> TokenSentence | None:
        gluing = self._gluing()
        text, ends = self._text(gluing)
        for _, end in sentence_spans(text, self._language)[:-1]:
            count = bisect_right(ends, end)
            # An opening quotation mark belongs to what follows it.
            while count and gluing[count]:
                count -= 1
            if count:
                return self._take(count, text, ends)
        return None

    def _take(self, count: int, text: str, ends: Sequence[int]) -> TokenSentence:
        sentence = TokenSentence(
            text=_capitalise(text[: ends[count - 1]]), tokens=tuple(self._places[:count])
        )
        for items in (self._ids, self._words, self._places):
            del items[:count]
        return sentence

    def _text(self, gluing: Sequence[bool]) -> tuple[str, list[int]]:
        """The words as text, and the offset at which each of them ends."""
        text, ends, before = "", list[int](), ""
        for word, is_glued in zip(self._words, gluing, strict=True):
            # Before a lower-case letter these marks need not end a sentence; the model writes no capitals.
            text += ("" if is_glued else " ") + (_capitalise(word) if before in _LOUD_STOPS else word)
            ends.append(len(text))
            before = word
        return text, ends

    def _gluing(self) -> list[bool]:
        """For each word, whether it follows the previous one without a space."""
        gluing, is_open = [True], dict.fromkeys(_STRAIGHT_QUOTES, False)
        for place, word in enumerate(self._words):
            if word in _STRAIGHT_QUOTES:
                is_open[word] = self._opens(place, is_open[word])
                gluing[place] = not place or not is_open[word] or self._words[place - 1] in _GLUED_RIGHT
                after = self._words[place + 1] if place + 1 < len(self._words) else ""
                gluing.append(is_open[word] or after in _GLUED_LEFT)
            elif place + 1 < len(self._words):
                gluing.append(self._is_glued(place, place + 1))
        return gluing[: len(self._words)]

    def _is_glued(self, left: int, right: int) -> bool:
        spelling, words, ids = self._spelling, self._words, self._ids
        seen = spelling.is_glued(ids[left], ids[right])
        if seen is not None:
            return seen
        verdicts = []
        if not _is_word(words[right]):
            sticks = spelling.sticks(ids[right], True)
            verdicts.append(words[right] in _GLUED_LEFT if sticks is None else sticks)
        if not _is_word(words[left]):
            sticks = spelling.sticks(ids[left], False)
            verdicts.append(words[left] in _GLUED_RIGHT if sticks is None else sticks)
        return any(verdicts)

    def _opens(self, place: int, is_open: bool) -> bool:
        """Whether a straight quotation mark opens: as beside these words in the source, else alternating."""
        evidence = 0
        if place:
            evidence += _vote(self._spelling.is_glued(self._ids[place - 1], self._ids[place]), -1)
        # A mark such as a full stop touches closing quotation marks only by touching everything before it.
        if place + 1 < len(self._ids) and self._words[place + 1] not in _GLUED_LEFT:
            evidence += _vote(self._spelling.is_glued(self._ids[place], self._ids[place + 1]), 1)
        return not is_open if evidence == 0 else evidence > 0


def _vote(is_glued: bool | None, weight: int) -> int:
    return 0 if is_glued is None else weight if is_glued else -weight


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _capitalise(text: str) -> str:
    """Capitalise the first letter after quotation marks and brackets; words such as "pH" are unchanged."""
    for place, character in enumerate(text):
        if character.isalnum():
            word = text[place:].split(" ", 1)[0]
            is_plain = word == word.lower()
            return text[:place] + character.upper() + text[place + 1 :] if is_plain else text
    return text


def _count(counts: _Counts, key: int) -> int:
    keys, times = counts
    place = int(np.searchsorted(keys, key))
    return int(times[place]) if place < len(keys) and keys[place] == key else 0
