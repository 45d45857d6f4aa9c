"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum (Lin 2004), as the package ``rouge-score`` defines them.

Texts are split into sentences, optionally tokenised as in the Penn Treebank, tokenised and stemmed here.
N-gram scores are the package's own. Longest common subsequences are computed bit-parallel, to the last
bit the same as the package's in about a hundredth of the time: a row of the table of lengths differs from
its left neighbour by 0 or 1, so a row is one integer with one bit per column, and a step from row to row
is an addition (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any

from lsum_cli.errors import MissingDependency
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.text.sentences import split_sentences
from lsum_cli.text.terms import MARKS, UNSPACED

# One token a character in scripts without spaces, else runs of letters, digits and vowel signs.
_UNICODE_TOKEN = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
# Brackets become words ("-LRB-"); "isn't" and "cannot" are split.
_TREEBANK_MATTERS = re.compile(r"['()\[\]{}]|cannot|gimme|gonna|gotta|lemme|wanna", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
# With a larger share of letters outside a-z, the tokenizer for a-z would lose words.
_MOST_FOREIGN_LETTERS = 0.01
_LONGEST_UNSTEMMED = 3
_STEMS_KEPT = 1 << 17


def choose_tokenizer(references: Iterable[str]) -> Tokenizer:
    """``unicode`` if more than 1 % of the letters are outside a-z, else ``rouge-score``."""
    letters = foreign = 0
    for reference in references:
        found = sum(map(str.isalpha, reference)) if not reference.isascii() else 0
        if found:
            foreign += sum(not letter.isascii() for letter in _LETTER.findall(reference))
        letters += found or len(reference)
    return Tokenizer.UNICODE if foreign > _MOST_FOREIGN_LETTERS * letters else Tokenizer.ROUGE_SCORE


def split_summary(text: str) -> list[str]:
    """The sentences of a summary: line breaks and the sentence splitter end them.

    Invisible characters stay: between words they are separators for ``rouge_score``.
    """
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [sentence for line in lines if line for sentence in split_sentences(line)]


def check_installed() -> None:
    """Check that ROUGE can be computed, before any work is done.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """
    try:
        import rouge_score.tokenize  # noqa: F401 - only to check
    except ImportError as error:
        raise MissingDependency(
            "ROUGE needs the package rouge-score, which is not installed", "pip install 'lsum-cli[eval]'"
        ) from error


class SummaryTokenizer:
    """Splits summaries into tokens for ROUGE: sentences, preparation, tokens, stems.

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
        """The tokens of each sentence of a summary; sentences without tokens are left out."""
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
        """Whether the Treebank's rules can change the tokens: mostly they separate punctuation only."""
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
    """A stemmer with a cache, since texts repeat their words."""

    def __init__(self, stemmer: Any) -> None:
        self.stem = lru_cache(maxsize=_STEMS_KEPT)(stemmer.stem)


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, in tokens."""
    matches = columns_of_tokens(second)
    rows = _rows([token for token in first if token in matches], matches, len(second))
    return len(second) - rows[-1].bit_count()


def lcs_positions(
    first: Sequence[str], second: Sequence[str], matches: Mapping[str, int] | None = None
) -> list[int]:
    """The positions in ``first`` of the tokens of a longest common subsequence, descending.

    Of several subsequences, the one that backtracking through the table from its end finds, where a pair
    of equal tokens is always taken, and otherwise ``first`` is shortened whenever that loses nothing: the
    rule of ``rouge_score``, on which its ROUGE-Lsum depends.

    Args:
        matches: :func:`columns_of_tokens` of ``second``, where it is known.
    """
    if matches is None:
        matches = columns_of_tokens(second)
    # That rule skips tokens that the other lacks, so they need no row.
    places = [place for place, token in enumerate(first) if token in matches]
    rows = _rows([first[place] for place in places], matches, len(second))
    row, column = len(places), len(second)
    length = column - rows[-1].bit_count()
    found: list[int] = []
    while length:
        place = places[row - 1]
        if first[place] == second[column - 1]:
            row, column, length = row - 1, column - 1, length - 1
            found.append(place)
        elif column - (rows[row - 1] & ((1 << column) - 1)).bit_count() == length:
            row -= 1
        else:
            column -= 1
    return found


def columns_of_tokens(second: Sequence[str]) -> dict[str, int]:
    """For each token the columns that contain it, as bits."""
    matches: dict[str, int] = {}
    for column, token in enumerate(second):
        matches[token] = matches.get(token, 0) | 1 << column
    return matches


def _rows(tokens: Sequence[str], matches: Mapping[str, int], num_columns: int) -> list[int]:
    """The rows of the table, the empty one first; a bit is 0 where the length grows."""
    row = every = (1 << num_columns) - 1
    rows = [row]
    for token in tokens:
        matching = row & matches[token]
        row = ((row + matching) | (row - matching)) & every
        rows.append(row)
    return rows


ROUGE_METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Fewer pairs are scored sooner than processes start.
_PAIRS_PER_PROCESS = 50
_PAIRS_PER_TASK = 8

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class RougeScore:
    """One ROUGE variant of one summary, from 0 to 1."""

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0


class RougeScorer:
    """Scores summaries against references.

    Args:
        settings: With a tokenizer other than ``auto``.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """

    def __init__(self, settings: RougeSettings) -> None:
        self._tokenizer = SummaryTokenizer(settings)
        from rouge_score.rouge_scorer import RougeScorer as NgramScorer

        # It receives tokens instead of texts.
        self._ngrams = NgramScorer(["rouge1", "rouge2"], tokenizer=_Tokenised())

    def score(self, reference: str, prediction: str) -> dict[str, RougeScore]:
        """The four ROUGE variants; all 0 if either text has no tokens."""
        wanted, written = self._tokenizer.sentences(reference), self._tokenizer.sentences(prediction)
        if not wanted or not written:
            return dict.fromkeys(ROUGE_METRICS, RougeScore())
        all_wanted, all_written = list(chain(*wanted)), list(chain(*written))
        ngrams = self._ngrams.score(all_wanted, all_written)
        common = lcs_length(all_wanted, all_written)
        hits = count_union_hits(wanted, written)
        return {
            "rouge1": _as_score(ngrams["rouge1"].precision, ngrams["rouge1"].recall),
            "rouge2": _as_score(ngrams["rouge2"].precision, ngrams["rouge2"].recall),
            "rougeL": _as_score(common / len(all_written), common / len(all_wanted)),
            "rougeLsum": _as_score(hits / len(all_written), hits / len(all_wanted)),
        }


def count_union_hits(wanted: Sequence[Sequence[str]], written: Sequence[Sequence[str]]) -> int:
    """The hits of ROUGE-Lsum: tokens in the union of each reference sentence's common subsequences.

    With every sentence of the summary (Lin 2004, section 3.2); no token counts more often than
    both texts contain it, as in the original script.
    """
    left = Counter(token for sentence in wanted for token in sentence)
    left &= Counter(token for sentence in written for token in sentence)
    hits = 0
    others = [(other, columns_of_tokens(other)) for other in written]
    for sentence in wanted:
        union = set().union(*(lcs_positions(sentence, other, matches) for other, matches in others))
        for position in sorted(union):
            if left[sentence[position]] > 0:
                left[sentence[position]] -= 1
                hits += 1
    return hits


def resolve_settings(settings: RougeSettings, references: Iterable[str]) -> RougeSettings:
    """The settings, with ``auto`` replaced by the tokenizer that suits the references."""
    if settings.tokenizer is not Tokenizer.AUTO:
        return settings
    return replace(settings, tokenizer=choose_tokenizer(references))


def score_pairs(
    pairs: Sequence[Pair],
    settings: RougeSettings,
    *,
    processes: int = 1,
    progress: ProgressListener = ignore_progress,
) -> list[dict[str, RougeScore]]:
    """Score many summaries, in the order given.

    Args:
        pairs: Reference and summary.
        settings: With a tokenizer other than ``auto``.
        processes: Maximum number of processes. More than one needs an importable main module
            (``if __name__ == "__main__"``), as always with :mod:`multiprocessing`.
        progress: Receives progress events.
    """
    processes = min(processes, len(pairs) // _PAIRS_PER_PROCESS)
    scored: list[dict[str, RougeScore]] = []
    for scores in _score_in_order(pairs, settings, processes):
        scored.append(scores)
        progress(ProgressEvent(stage="computing ROUGE", done=len(scored), total=len(pairs), unit="summaries"))
    return scored


def _score_in_order(
    pairs: Sequence[Pair], settings: RougeSettings, processes: int
) -> Iterator[dict[str, RougeScore]]:
    if processes <= 1:
        scorer = RougeScorer(settings)
        yield from (scorer.score(*pair) for pair in pairs)
        return
    rest = iter(pairs)
    tasks = list(iter(lambda: list(islice(rest, _PAIRS_PER_TASK)), []))
    # Spawned, not forked: the process may hold torch and its threads.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for scored in pool.map(partial(_score_task, settings), tasks):
            yield from scored


_scorer_of: dict[RougeSettings, RougeScorer] = {}


def _score_task(settings: RougeSettings, pairs: Sequence[Pair]) -> list[dict[str, RougeScore]]:
    """Run in a worker process, which makes one scorer for all its tasks."""
    scorer = _scorer_of.get(settings) or _scorer_of.setdefault(settings, RougeScorer(settings))
    return [scorer.score(*pair) for pair in pairs]


class _Tokenised:
    """The interface of a ``rouge_score`` tokenizer, for texts that are already tokens."""

    def tokenize(self, tokens: list[str]) -> list[str]:
        return tokens


def _as_score(precision: float, recall: float) -> RougeScore:
    total = precision + recall
    return RougeScore(precision=precision, recall=recall, f1=2 * precision * recall / total if total else 0.0)
