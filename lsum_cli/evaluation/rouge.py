"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum (Lin 2004), as the package ``rouge-score`` defines them.

Tokens and n-gram scores are the package's own. Its longest common subsequences are computed by
:mod:`lsum_cli.evaluation.lcs`: to the last bit the same numbers, in a fraction of the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context

from lsum_cli.evaluation.lcs import columns_of_tokens, lcs_length, lcs_positions
from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.evaluation.tokens import SummaryTokenizer, choose_tokenizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

MEASURES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Fewer pairs are scored before processes have started.
_PAIRS_PER_PROCESS = 50
_PAIRS_PER_TASK = 8

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class RougeScore:
    """One measure of one summary, from 0 to 1."""

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0


RougeScores = Mapping[str, RougeScore]


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

        # It is given tokens instead of texts.
        self._ngrams = NgramScorer(["rouge1", "rouge2"], tokenizer=_Tokenised())

    def score(self, reference: str, prediction: str) -> dict[str, RougeScore]:
        """The four measures; all 0 where either text has no token."""
        wanted, written = self._tokenizer.sentences(reference), self._tokenizer.sentences(prediction)
        if not wanted or not written:
            return dict.fromkeys(MEASURES, RougeScore())
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
    both texts hold it, as in the original script.
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
    """The settings with the tokenizer that suits the references where it is ``auto``."""
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
        processes: At most so many work side by side. More than one needs a main module that can be
            imported (``if __name__ == "__main__"``), as everywhere with :mod:`multiprocessing`.
        progress: Told where the work stands.
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
    """Run in a process of its own, which makes one scorer for all its tasks."""
    scorer = _scorer_of.get(settings) or _scorer_of.setdefault(settings, RougeScorer(settings))
    return [scorer.score(*pair) for pair in pairs]


class _Tokenised:
    """What ``rouge_score`` asks of a tokenizer, for texts that are tokens already."""

    def tokenize(self, tokens: list[str]) -> list[str]:
        return tokens


def _as_score(precision: float, recall: float) -> RougeScore:
    total = precision + recall
    return RougeScore(precision=precision, recall=recall, f1=2 * precision * recall / total if total else 0.0)
