"""The length of a summary: as requested by a name or a number of words, or as long as suits the source."""

from __future__ import annotations

from lsum_cli.errors import OptionError

AUTO_LENGTH = "auto"
NAMED_LENGTHS = {"short": 75, "medium": 150, "long": 300}
# All named lengths of one run, and the name of the shortest one, a single sentence.
ALL_LENGTHS, SENTENCE = "all", "sentence"
# Where neither the user nor the checkpoint sets a length.
DEFAULT_WORDS = NAMED_LENGTHS["medium"]

# A suitable length grows more slowly than the source: a news item of 250 words gets 70 words, a text of 5,000
# some 290, a book 600. Readers who graded the same summaries at one, one and a half and two times an earlier
# length (14.5 words times the power 0.28) preferred the longer, the more so the longer the source.
_FACTOR, _EXPONENT = 8.8, 0.41
_LEAST_WORDS, _MOST_WORDS = 40, 600
# Of a short text at most this share.
_MOST_OF_ALL = 0.28
# Each of several documents gets room for a long sentence, as far as the maximum allows: what says most of a
# news item has 30 words, and where it does not fit, something else would stand for the item.
_WORDS_PER_DOCUMENT = 35


def parse_length(text: str) -> int:
    """The number of words that a requested length means: that of a named one, or the number itself.

    All lengths are as long as the longest of them.

    Raises:
        OptionError: It is neither, or below 1.
    """
    if text == ALL_LENGTHS:
        return max(NAMED_LENGTHS.values())
    if text in NAMED_LENGTHS:
        return NAMED_LENGTHS[text]
    try:
        words = int(text)
    except ValueError:
        named = ", ".join((AUTO_LENGTH, *NAMED_LENGTHS, ALL_LENGTHS))
        raise OptionError(
            f"'{text}' is not a valid length", f"give --length {named} or a number of words"
        ) from None
    if words < 1:
        raise OptionError(f"--length {text} asks for an empty summary", "give --length at least 1 word")
    return words


def suit_length(source_words: int, num_documents: int = 1) -> int:
    """The words that suit a summary of a source of so many words.

    Args:
        source_words: Words of all documents together.
        num_documents: How many documents are summarised together.
    """
    words: float = min(
        _FACTOR * float(source_words) ** _EXPONENT, max(_LEAST_WORDS, _MOST_OF_ALL * source_words)
    )
    if num_documents > 1:
        words = max(words, _WORDS_PER_DOCUMENT * num_documents)
    return int(min(max(words, _LEAST_WORDS), _MOST_WORDS))
