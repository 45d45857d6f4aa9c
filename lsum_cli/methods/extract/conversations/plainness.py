"""How plainly a sentence of a meeting says what it says to who was not there.

Its words tell: "it", "this", "here" and "thing" name nothing, "you" and "I" are said to one another, and what
is short for something, or joined by "and", is thought aloud. "We", numbers and long words are of what is
worked out. The weights were fitted to 276 sentences of 94 meetings, of which a reader said which tell
something alone, and made less.
"""

from __future__ import annotations

from lsum_cli.text.patterns import regex, word_pattern

# What one of them counts, in standard deviations of the scores.
_WEIGHTS = (
    (word_pattern(r"its?\b"), -0.6),
    (word_pattern(r"you"), -0.4),
    (regex(r"['’](?:s|re|ve|ll|d|m|t)\b"), -0.4),
    (word_pattern(r"this\b"), -1.0),
    (word_pattern(r"(?:and|or)\b"), -0.35),
    (word_pattern(r"i\b"), -0.45),
    (word_pattern(r"(?:(?:some|every|any)?things?|stuff|ones?)\b"), -0.65),
    (word_pattern(r"(?:here|there)\b"), -0.55),
    (word_pattern(r"(?:they|them|their)\b"), -0.45),
    (word_pattern(r"(?:we|our)\b"), 0.3),
    (
        word_pattern(
            r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
            r"|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|per ?cent|\d[\d,.]*)\b"
        ),
        0.4,
    ),
)
_WORD = regex(r"[\w'’-]+")
# What a letter more counts, beyond so many, of the mean length of its words.
_OF_A_LETTER, _LETTERS = 0.55, 4.4
# In more words than this there is more of everything.
_USUAL_WORDS = 16
_SHARE = 0.45  # of all that in the scores


def plainness(lowered: str) -> float:
    """How plainly something is said in English, in small letters, in standard deviations of the scores."""
    words = _WORD.findall(lowered)
    if not words:
        return 0.0
    letters = sum(map(len, words)) / len(words)
    spaced = f" {lowered}"
    counted = sum(weight * len(pattern.findall(spaced)) for pattern, weight in _WEIGHTS)
    return _SHARE * (
        _OF_A_LETTER * (letters - _LETTERS) + counted * _USUAL_WORDS / max(_USUAL_WORDS, len(words))
    )
