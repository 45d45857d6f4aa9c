"""From a summary to the tokens that ROUGE compares: sentences, preparation, tokens, stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from lsum_cli.errors import MissingDependency
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer
from lsum_cli.text.sentences import split_sentences
from lsum_cli.text.terms import MARKS, UNSPACED

# One token a character in scripts without spaces, else runs of letters, digits and vowel signs.
_UNICODE_TOKEN = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
# Brackets become words ("-LRB-"), and "isn't" and "cannot" are taken apart.
_TREEBANK_MATTERS = re.compile(r"['()\[\]{}]|cannot|gimme|gonna|gotta|lemme|wanna", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
# More letters than this outside a-z, and the tokenizer that knows a-z alone would lose words.
_MOST_FOREIGN_LETTERS = 0.01
_LONGEST_UNSTEMMED = 3
_STEMS_KEPT = 1 << 17


def choose_tokenizer(references: Iterable[str]) -> Tokenizer:
    """``unicode`` where more than one letter in a hundred lies outside a-z, else ``rouge-score``."""
    letters = foreign = 0
    for reference in references:
        found = sum(map(str.isalpha, reference)) if not reference.isascii() else 0
        if found:
            foreign += sum(not letter.isascii() for letter in _LETTER.findall(reference))
        letters += found or len(reference)
    return Tokenizer.UNICODE if foreign > _MOST_FOREIGN_LETTERS * letters else Tokenizer.ROUGE_SCORE


def split_summary(text: str) -> list[str]:
    """The sentences of a summary: a line break ends one, and so do our rules of sentences.

    Invisible characters stay, as between words they part them for ``rouge_score``.
    """
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [sentence for line in lines if line for sentence in split_sentences(line)]


def check_installed() -> None:
    """Find out before any work is done whether ROUGE can be computed.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """
    try:
        import rouge_score.tokenize  # noqa: F401 - that it can be
    except ImportError as error:
        raise MissingDependency(
            "ROUGE needs the package rouge-score, which is not installed", "pip install 'lsum-cli[eval]'"
        ) from error


class SummaryTokenizer:
    """Makes tokens of summaries.

    Args:
        settings: With a tokenizer other than ``auto``.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """

    def __init__(self, settings: RougeSettings) -> None:
        if settings.tokenizer is Tokenizer.AUTO:
            raise ValueError("choose the tokenizer first")
        check_installed()
        from nltk.stem.porter import PorterStemmer
        from nltk.tokenize.treebank import TreebankWordTokenizer
        from rouge_score.tokenize import tokenize

        self._settings = settings
        self._stemmer = _Stemmer(PorterStemmer()) if settings.stem else None
        self._treebank = TreebankWordTokenizer()
        self._tokenize_latin = tokenize

    def sentences(self, text: str) -> list[list[str]]:
        """The tokens of each sentence of a summary; sentences without a token are left out."""
        return [tokens for sentence in split_summary(text) if (tokens := self.tokens(sentence))]

    def tokens(self, sentence: str) -> list[str]:
        """The tokens of one sentence."""
        if self._settings.prepare is Preparation.PTB and self._treebank_matters(sentence):
            sentence = " ".join(self._treebank.tokenize(sentence, convert_parentheses=True)).lower()
        if self._settings.tokenizer is Tokenizer.UNICODE:
            return self._unicode_tokens(sentence)
        found: list[str] = self._tokenize_latin(sentence, self._stemmer)
        return found

    def _treebank_matters(self, sentence: str) -> bool:
        """Whether the Treebank's rules can change tokens: mostly they part what is no token anyway."""
        return self._settings.tokenizer is Tokenizer.UNICODE or bool(_TREEBANK_MATTERS.search(sentence))

    def _unicode_tokens(self, sentence: str) -> list[str]:
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", sentence)).casefold()
        tokens: list[str] = _UNICODE_TOKEN.findall(text)
        if self._stemmer is None:
            return tokens
        return [
            self._stemmer.stem(token) if token.isascii() and len(token) > _LONGEST_UNSTEMMED else token
            for token in tokens
        ]


class _Stemmer:
    """A stemmer that remembers: texts repeat their words."""

    def __init__(self, stemmer: Any) -> None:
        self.stem = lru_cache(maxsize=_STEMS_KEPT)(stemmer.stem)
