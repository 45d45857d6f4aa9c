"""Words: the vocabulary built from training texts, and a source text as words within and beyond it.

A word that is not in the vocabulary gets an id after the vocabulary's, for this source only:
the *extended* vocabulary, from which the model copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Backend

from lsum_cli.errors import OptionError
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

PAD, UNKNOWN, START, END, SHIFT = "<pad>", "<unk>", "<s>", "</s>", "<shift>"
SPECIAL_TOKENS = (PAD, UNKNOWN, START, END, SHIFT)
PAD_ID, UNKNOWN_ID, START_ID, END_ID, SHIFT_ID = range(len(SPECIAL_TOKENS))
VOCABULARY_SIZE = 50000
_SENTENCES_AT_ONCE = 4096

# Numbers with their points; words with inner hyphens and apostrophes; rows of dots and dashes; any mark.
_WORD = r"\d+(?:[.,:]\d+)+|\w+(?:[-'’]\w+)*|\.\.\.+|--+|[^\w\s]"


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceText:
    """A text as the model reads it.

    Attributes:
        input_ids: (source_len,), the unknown token for words beyond the vocabulary.
        extended_ids: (source_len,), ids of the extended vocabulary instead.
        unknown_words: The words beyond the vocabulary, lower-cased; the i-th has id ``vocab_size + i``.
        sentence_of: (source_len,), the index of each token's sentence.
        offsets: (source_len, 2), start and end of each token in its sentence, in characters.
    """

    input_ids: NDArray[np.int64]
    extended_ids: NDArray[np.int64]
    unknown_words: tuple[str, ...]
    sentence_of: NDArray[np.int32]
    offsets: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.input_ids)

    def first(self, num_tokens: int) -> SourceText:
        """Return the text cut to its first tokens, with the same ids."""
        return SourceText(
            input_ids=self.input_ids[:num_tokens],
            extended_ids=self.extended_ids[:num_tokens],
            unknown_words=self.unknown_words,
            sentence_of=self.sentence_of[:num_tokens],
            offsets=self.offsets[:num_tokens],
        )


def make_tokenizer(words: Sequence[str]) -> PreTrainedTokenizerFast:
    """Make the tokenizer of a vocabulary.

    Args:
        words: Lower-cased, without the special tokens; the i-th gets id ``5 + i``.

    Raises:
        OptionError: A word occurs twice.
    """
    from transformers import PreTrainedTokenizerFast

    known = dict.fromkeys(SPECIAL_TOKENS)
    for number, word in enumerate(words, start=1):
        if word in known:
            raise OptionError(
                f"the vocabulary has the word '{word}' twice, again as word {number}",
                "leave every word in it once, and the special tokens out",
            )
        known[word] = None
    tokenizer = Backend(
        models.WordLevel({word: number for number, word in enumerate(known)}, unk_token=UNKNOWN)
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), behavior="removed", invert=True)
    made: PreTrainedTokenizerFast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        unk_token=UNKNOWN,
        bos_token=START,
        eos_token=END,
        additional_special_tokens=[SHIFT],
        clean_up_tokenization_spaces=False,
    )
    return made


def count_words(texts: Sequence[str]) -> Counter[str]:
    """Count the words of some texts, lower-cased."""
    lower, split = normalizers.Lowercase(), pre_tokenizers.Split(Regex(_WORD), "removed", invert=True)
    return Counter(word for text in texts for word, _ in split.pre_tokenize_str(lower.normalize_str(text)))


def most_frequent(counts: Counter[str], size: int = VOCABULARY_SIZE) -> list[str]:
    """Return the most frequent words, the most frequent first; of equals the first met.

    Args:
        size: How many at most, the special tokens counted, which are left out.
    """
    special = set(SPECIAL_TOKENS)
    return [word for word, _ in counts.most_common(size) if word not in special][: size - len(special)]


def read_vocabulary(path: Path) -> list[str]:
    """Read a vocabulary file: a word per line, the special tokens left out.

    Raises:
        OptionError: It cannot be read, is empty, or has a word twice.
    """
    try:
        words = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(
            f"the vocabulary {path} cannot be read: {error}", "give a UTF-8 text file"
        ) from error
    if not words:
        raise OptionError(f"the vocabulary {path} is empty", "give a file with one word per line")
    seen: dict[str, int] = {}
    for number, word in enumerate(words, start=1):
        first = seen.setdefault(word.lower(), number)
        if first != number:
            raise OptionError(
                f"{path} has the word '{word}' twice, in lines {first} and {number}",
                "leave every word in it once",
            )
    return list(seen)


def encode_source(tokenizer: Tokenizer, sentences: Sequence[str]) -> SourceText:
    """Read sentences as one stream of words; what looks like a special token is plain text.

    Args:
        tokenizer: A tokenizer made by :func:`make_tokenizer`.
        sentences: In reading order.
    """
    backend = tokenizer.backend_tokenizer
    backend.encode_special_tokens = True
    vocab_size = len(tokenizer)
    ids, offsets, counts = [np.zeros(0, np.int64)], [np.zeros((0, 2), np.int32)], []
    for start in range(0, len(sentences), _SENTENCES_AT_ONCE):
        for encoding in backend.encode_batch(
            list(sentences[start : start + _SENTENCES_AT_ONCE]), add_special_tokens=False
        ):
            counts.append(len(encoding.ids))
            ids.append(np.array(encoding.ids, np.int64))
            offsets.append(np.array(encoding.offsets, np.int32).reshape(-1, 2))
    input_ids, places = np.concatenate(ids), np.concatenate(offsets)
    sentence_of = np.repeat(np.arange(len(sentences), dtype=np.int32), counts)
    extended_ids = input_ids.copy()
    unknown: dict[str, int] = {}
    for token in np.flatnonzero(input_ids == UNKNOWN_ID).tolist():
        start, end = places[token].tolist()
        word = sentences[sentence_of[token]][start:end].lower()
        extended_ids[token] = unknown.setdefault(word, vocab_size + len(unknown))
    return SourceText(
        input_ids=input_ids,
        extended_ids=extended_ids,
        unknown_words=tuple(unknown),
        sentence_of=sentence_of,
        offsets=places,
    )


def encode_reference(
    tokenizer: Tokenizer, sentences: Sequence[str], source: SourceText
) -> list[NDArray[np.int64]]:
    """Return the ids of each reference sentence, in the extended vocabulary of its source.

    A word that neither the vocabulary nor the source has is the unknown token.
    """
    own = encode_source(tokenizer, sentences)
    vocab_size = len(tokenizer)
    in_source = {word: vocab_size + number for number, word in enumerate(source.unknown_words)}
    of_unknown = np.array([in_source.get(word, UNKNOWN_ID) for word in own.unknown_words], np.int64)
    ids = own.extended_ids.copy()
    beyond = ids >= vocab_size
    ids[beyond] = of_unknown[ids[beyond] - vocab_size]
    borders = np.searchsorted(own.sentence_of, np.arange(1, len(sentences)))
    return [part.copy() for part in np.split(ids, borders)] if sentences else []


def word_of(tokenizer: Tokenizer, source: SourceText, token_id: int) -> str:
    """Return the lower-cased word of an id of the extended vocabulary."""
    beyond = token_id - len(tokenizer)
    if beyond >= 0:
        return source.unknown_words[beyond]
    return str(tokenizer.convert_ids_to_tokens(int(token_id)))
