"""Reading what a model with BERT's vocabulary wrote: pieces of words, often lower-cased and without accents.

Such tokens tell neither capitals nor where there was a space: "johns hopkins ' 12 . 5 %". Pieces are
joined to words as the source has them ("12.5", "long-term", "it's"), and spelling and spaces are those of
the source wherever it has the words, as for a windowing model; see :mod:`lsum_cli.methods.detokenising`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from lsum_cli.documents import Sentence
from lsum_cli.locality import Page
from lsum_cli.methods.detokenising import SentenceBuilder, Spelling, TokenSentence
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.text.patterns import regex
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from lsum_cli.models.windowing.vocabulary import SourceText

_CONTINUED = "##"
_NO_WORD = -1
# Numbers with their points; words with inner hyphens and apostrophes; rows of dots and dashes; any mark.
_WORD = regex(r"\d+(?:[.,:]\d+)+|\w+(?:[-'’]\w+)*|\.\.\.+|--+|[^\w\s]")
# Words of BERT that one word of the source consists of, at most: "state-of-the-art".
_MOST_PARTS = 11
# What is one word although the source does not have it, its parts spaced: "isn't", "1,250", "3.5".
_ANY_SOURCE = regex(r"[^\W\d]+ ['’] (?:s|t|d|m|re|ve|ll)|\d{1,3}(?: , \d{3})+|\d{1,3} \. \d{1,3}")


def is_in_pieces(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer's text tells neither spaces nor, perhaps, capitals."""
    return type(getattr(tokenizer.backend_tokenizer, "decoder", None)).__name__ == "WordPiece"


@dataclass(frozen=True, kw_only=True)
class _Word:
    """A word that was written.

    Attributes:
        text: As the model spells it.
        tokens: Positions of its tokens.
    """

    text: str
    tokens: tuple[int, ...]


def read_pieces(
    tokenizer: Tokenizer, token_ids: Sequence[int], pages: Sequence[Page], language: str | None = None
) -> list[TokenSentence]:
    """Split the generated tokens into sentences, spelt as the pages spell their words.

    Special tokens belong to none, as in :func:`lsum_cli.methods.detokenising.split_tokens`.

    Args:
        tokenizer: The model's; see :func:`is_in_pieces`.
        token_ids: The generated ids, with or without special tokens.
        pages: What the model read.
        language: Two-letter code of the summary's language; English rules where unknown.
    """
    sentences = [sentence for page in pages for sentence in page.sentences]
    found = [list(_WORD.finditer(sentence.text)) for sentence in sentences]
    plain = _normalised(tokenizer, [match[0] for matches in found for match in matches])
    written = _join(_words(tokenizer, token_ids), frozenset(plain))
    ids = _number(tokenizer, [*plain, *(word.text for word in written)])
    source = _as_source(tokenizer, found, plain, ids)
    spelling = _SpellingInContext(_one_window(sentences, source), tokenizer)
    builder = SentenceBuilder(spelling, language)
    numbers = [_NO_WORD, *(ids[word.text] for word in written), _NO_WORD]
    finished = []
    for place, (before, number, after) in enumerate(zip(numbers, numbers[1:], numbers[2:], strict=False)):
        spelling.between = (before, after)
        finished.append(builder.add(place, number, 0))
    return [
        replace(sentence, tokens=tuple(token for place in sentence.tokens for token in written[place].tokens))
        for sentence in (*finished, *builder.finish())
        if sentence is not None
    ]


class _SpellingInContext(Spelling):
    """A spelling that prefers the places in the source where the word stands between the same words.

    Attributes:
        between: The words before and after the next one.
    """

    between: tuple[int, int] = (_NO_WORD, _NO_WORD)

    def write(self, token_id: int, window: int) -> str:
        """See :meth:`Spelling.write`."""
        ids = self._ids
        here = np.flatnonzero(ids == token_id)
        before, after = self.between
        follows = np.where(here > 0, ids[here - 1] == before, False)
        precedes = np.where(here + 1 < len(ids), ids[(here + 1) % max(1, len(ids))] == after, False)
        for agreeing in (follows & precedes, follows | precedes):
            if written := self._commonest(here[agreeing]):
                return written
        return super().write(token_id, window)


def _words(tokenizer: Tokenizer, token_ids: Sequence[int]) -> list[_Word]:
    """The tokens as BERT's words: runs of letters, and single marks."""
    special = set(tokenizer.all_special_ids)
    words: list[_Word] = []
    for place, token_id in enumerate(token_ids):
        if token_id in special:
            continue
        piece = str(tokenizer.convert_ids_to_tokens(int(token_id)))
        if piece.startswith(_CONTINUED) and len(piece) > len(_CONTINUED):
            piece = piece.removeprefix(_CONTINUED)
            if words:
                before = words.pop()
                words.append(_Word(text=before.text + piece, tokens=(*before.tokens, place)))
                continue
        words.append(_Word(text=piece, tokens=(place,)))
    return words


def _join(words: Sequence[_Word], known: frozenset[str]) -> list[_Word]:
    """Join BERT's words to those that the source has, the longest first, or that are one in any text."""
    joined, place = list[_Word](), 0
    while place < len(words):
        count = min(_MOST_PARTS, len(words) - place)
        while count > 1 and not _is_one([word.text for word in words[place : place + count]], known):
            count -= 1
        parts = words[place : place + count]
        tokens = tuple(token for part in parts for token in part.tokens)
        joined.append(_Word(text="".join(part.text for part in parts), tokens=tokens))
        place += count
    return joined


def _is_one(parts: Sequence[str], known: frozenset[str]) -> bool:
    """Whether the parts are one word; two words of letters, such as "may be", never are."""
    if any(left.isalnum() and right.isalnum() for left, right in pairwise(parts)):
        return False
    return "".join(parts) in known or _ANY_SOURCE.fullmatch(" ".join(parts)) is not None


def _normalised(tokenizer: Tokenizer, words: Sequence[str]) -> list[str]:
    """The words as the model sees them."""
    normaliser = tokenizer.backend_tokenizer.normalizer
    if normaliser is None:
        return list(words)
    forms = {word: str(normaliser.normalize_str(word)).strip() or word for word in set(words)}
    return [forms[word] for word in words]


def _number(tokenizer: Tokenizer, words: Sequence[str]) -> dict[str, int]:
    """An id for every word: its token's, else one after the vocabulary's."""
    vocabulary = tokenizer.get_vocab()
    ids: dict[str, int] = {}
    num_unknown = 0
    for word in words:
        if word not in ids:
            is_known = word in vocabulary
            ids[word] = vocabulary[word] if is_known else len(tokenizer) + num_unknown
            num_unknown += not is_known
    return ids


def _as_source(
    tokenizer: Tokenizer, found: Sequence[Sequence[re.Match[str]]], plain: Sequence[str], ids: dict[str, int]
) -> SourceText:
    """The words of the pages with their ids and places; those of several pieces are beyond the vocabulary."""
    from lsum_cli.models.windowing.vocabulary import SourceText

    extended = np.array([ids[word] for word in plain], np.int64)
    unknown = -1 if tokenizer.unk_token_id is None else tokenizer.unk_token_id
    return SourceText(
        input_ids=np.where(extended < len(tokenizer), extended, unknown),
        extended_ids=extended,
        unknown_words=tuple(word for word, number in ids.items() if number >= len(tokenizer)),
        sentence_of=np.repeat(np.arange(len(found), dtype=np.int32), [len(matches) for matches in found]),
        offsets=np.array([match.span() for matches in found for match in matches], np.int32).reshape(-1, 2),
    )


def _one_window(sentences: Sequence[Sentence], source: SourceText) -> SourceWindows:
    from lsum_cli.models.windowing.windows import WindowLayout

    size = max(1, len(source))
    return SourceWindows(
        documents=(),
        sentences=tuple((sentence, 0) for sentence in sentences),
        source=source,
        layout=WindowLayout(num_tokens=len(source), window_len=size, stride=size),
    )
