"""Language detection: the language of a text, and how certain that is; its scripts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from lsum_cli.errors import OutputError
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

CERTAIN = 0.9
"""A language is certain from here on: of 5,900 single sentences of 31 languages, 4,000 of them in languages
other than English, 2 were then mistaken (both mostly names), and 22 of 100 left open."""

_SAMPLE_CHARACTERS = 12_000
_SAMPLE_PARTS = 12
_MIN_LETTERS = 12
_WORD = regex(r"[^\W\d_]+")
# Ideographs, kana and syllables of Hangul say as much as several letters.
_DENSE = regex("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DENSITY = 4
# The commonest words of English that no other language writes often: every fifth word of a text.
_ENGLISH_WORDS = frozenset("the of and to that was with which from this for are by".split())  # noqa: SIM905
_MIN_ENGLISH_SHARE = 0.1
_MIN_ENGLISH_WORDS = 4
_MIN_DISTINCT = 3
# Words of English alone, and its other function words, which Dutch, Danish or Afrikaans have too: every third
# word of a sentence. No one of 31,000 messages of programs in 98 other languages has as many, but for those
# that were left in English.
_OWN_WORDS = frozenset(
    "the and that with which from this they have been would their there what could should about into because"  # noqa: SIM905
    " these those through not you your it than other such does how who why where while each".split()
)
_FUNCTION_WORDS = _ENGLISH_WORDS.union(
    _OWN_WORDS,
    "is its in on as be an or but then only some can may must will do did has had one".split(),  # noqa: SIM905
    ("after", "before", "when"),
)
_MIN_FUNCTION_SHARE = 0.35
# Varieties that are counted as the language they are written as; what the model calls "no language".
_WRITTEN_AS = {"wuu": "zh", "yue": "zh", "ary": "ar", "arz": "ar", "nn": "no", "pcm": "en"}
_NO_LANGUAGE = "zxx"


_CODES_AND_NAMES = (
    "af Afrikaans, am Amharic, ar Arabic, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bengali, bs "
    "Bosnian, ca Catalan, cs Czech, cy Welsh, da Danish, de German, el Greek, en English, eo Esperanto, "
    "es Spanish, et Estonian, eu Basque, fa Persian, fi Finnish, fr French, ga Irish, gl Galician, gu "
    "Gujarati, he Hebrew, hi Hindi, hr Croatian, hu Hungarian, hy Armenian, id Indonesian, is Icelandic, "
    "it Italian, ja Japanese, ka Georgian, kk Kazakh, km Khmer, kn Kannada, ko Korean, la Latin, lb "
    "Luxembourgish, lo Lao, lt Lithuanian, lv Latvian, mk Macedonian, ml Malayalam, mn Mongolian, mr "
    "Marathi, ms Malay, mt Maltese, my Burmese, ne Nepali, nl Dutch, no Norwegian, nb Norwegian, pa "
    "Punjabi, pl Polish, ps Pashto, pt Portuguese, ro Romanian, ru Russian, si Sinhala, sk Slovak, sl "
    "Slovenian, so Somali, sq Albanian, sr Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu, th Thai, "
    "tl Tagalog, tr Turkish, uk Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese, yo Yoruba, zh Chinese, zu "
    "Zulu"
)
_NAMES = {pair[:2]: pair[3:] for pair in _CODES_AND_NAMES.split(", ")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Detection:
    """A language and how certain it is.

    Attributes:
        language: Two-letter code; ``None`` where the text is too short to say, or in no language.
        certainty: From 0 to 1.
    """

    language: str | None
    certainty: float

    @property
    def certain(self) -> str | None:
        """The language where it is certain, else ``None``."""
        return self.language if self.certainty >= CERTAIN else None


def detect(text: str) -> Detection:
    """Detect the language of a text.

    A text that is plainly English is recognised by its commonest words, at no cost; for any other the model
    of py3langid (140 languages) is loaded once, in half a second.
    """
    sample = _sample(text)
    # No more of them than tell that there are enough.
    letters = list(islice(filter(str.isalpha, sample), _MIN_LETTERS))
    if len(letters) < _MIN_LETTERS and (
        sum(_DENSITY if _DENSE.match(letter) else 1 for letter in letters) < _MIN_LETTERS
    ):
        return Detection(language=None, certainty=0.0)
    if is_plainly_english(sample):
        return Detection(language="en", certainty=1.0)
    shares: dict[str, float] = {}
    for code, share in _identifier().rank(sample):
        written_as = _WRITTEN_AS.get(code, code)
        shares[written_as] = shares.get(written_as, 0.0) + share
    best = max(shares, key=lambda code: shares[code])
    return Detection(language=best if len(best) == 2 else None, certainty=min(shares[best], 1.0))


def language_of(paragraphs: Iterable[str], declared: str | None) -> str | None:
    """The language of a document; ``None`` where neither its source nor its words say it for certain.

    A declared language holds, except that ``"en"``, which programs and page templates declare for whatever
    is written with them, has to agree with the text.

    Args:
        paragraphs: Its text.
        declared: Two-letter code, as the source declares it.
    """
    if declared is not None and declared != "en":
        return declared
    return detect("\n".join(paragraphs)).certain or declared


def name_language(code: str) -> str:
    """The English name of a language by its two-letter code; the code in quotation marks for a rare one."""
    return _NAMES.get(code, f"'{code}'")


def is_plainly_english(text: str) -> bool:
    """Whether the commonest English words are as frequent as only in English text."""
    words = _WORD.findall(text.lower())
    if _abound(words, _ENGLISH_WORDS, _MIN_ENGLISH_SHARE, own=1):
        return True
    # Where words are not set apart, a few English ones would be most of them.
    return _abound(words, _FUNCTION_WORDS, _MIN_FUNCTION_SHARE, own=2) and not _DENSE.search(text)


def _abound(words: Sequence[str], common: Set[str], share: float, *, own: int) -> bool:
    """Whether this share of the words, several and different ones, are common; so many of English alone."""
    found = [word for word in words if word in common]
    distinct = set(found)
    return (
        len(found) >= max(_MIN_ENGLISH_WORDS, share * len(words))
        and len(distinct) >= _MIN_DISTINCT
        and len(distinct & _OWN_WORDS) >= own
    )


def _sample(text: str) -> str:
    """Parts of a long text from its beginning to its end, which may be in other languages than the middle."""
    if len(text) <= _SAMPLE_CHARACTERS:
        return text
    length = _SAMPLE_CHARACTERS // _SAMPLE_PARTS
    step = (len(text) - length) / (_SAMPLE_PARTS - 1)
    starts = [round(part * step) for part in range(_SAMPLE_PARTS)]
    return "\n".join(text[start : start + length] for start in starts)


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:  # it unpacks its model to a temporary file
        raise OutputError(
            f"cannot write a temporary file: {error.strerror}",
            "free disk space, or set TMPDIR to another folder",
        ) from error
    known = [code for code in identifier.labels if len(code) == 2 or code in _WRITTEN_AS]
    identifier.set_languages([*known, _NO_LANGUAGE])
    return identifier


def scripts(text: str) -> set[str]:
    """The scripts of a text's letters, such as ``{"cjk", "hiragana"}``."""
    if text.isascii():
        return {"latin"} if any(map(str.isalpha, text)) else set()
    letters = {character for character in text if character.isalpha()}
    return {unicodedata.name(letter, "unknown").split()[0].split("-")[0].lower() for letter in letters}
