"""Verbatim search and salient reading: ROUGE, time, and what they cost on a book.

    python -m benchmarks.faithful [MODEL] [--corpora a,b] [--limit N] [--read salient:600] [--output FILE]

A checkpoint summarises the same validation documents in four ways, one after the other for each document:
it reads everything or the most salient sentences (``--read``), and searches freely or writes verbatim
sentences only (``--faithful verbatim``). Extraction gets the number of words that the last of them wrote.
Scores are F1 of ``rouge_score`` with stemming; seconds are CPU time per document, from the document to the
summary, without reading the file and loading the checkpoint; *a token* is the time of the search alone for
each token written, and *of free* its ratio to a free search over the same pages. *Verbatim* is the share of
sentences that are sentences of the source.

The second table shows the automaton by itself: sentences of 30 random tokens out of 50,000, its memory beside
that of the tokens, and the time of a step of four beams, half of them between two sentences.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

from rouge_score.rouge_scorer import RougeScorer

from benchmarks.corpora import default_data
from benchmarks.mini_gate import TRAINED_ON, EqualLengthExtract, choose_examples
from lsum_cli.datasets.example import Example
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ignore_progress
from lsum_cli.summaries import Summary
from lsum_cli.text.terms import count_words

METRICS = ("rouge1", "rouge2", "rougeLsum")
RESULTS = Path(__file__).parent / "results" / "faithful.md"
SENTENCES = (1_000, 10_000, 100_000)
_TOKENS, _VOCABULARY, _STEPS = 30, 50_000, 200


@dataclass(kw_only=True)
class Way:
    """A way to summarise, and what was measured of it; one value per document."""

    name: str
    options: SummaryOptions | None = None
    scores: list[list[float]] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    read: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    per_token: list[float] = field(default_factory=list)
    verbatim: list[float] = field(default_factory=list)

    def record(self, example: Example, summary: Summary, scorer: RougeScorer, seconds: float = 0.0) -> None:
        """Add a document."""
        text = "\n".join(sentence.text for sentence in summary.sentences)
        found = scorer.score(example.reference or "", text)
        self.scores.append([100 * found[metric].fmeasure for metric in METRICS])
        self.words.append(summary.num_words)
        self.read.append(summary.coverage.tokens_read)
        self.seconds.append(seconds)
        sentences = {s.text for document in example.documents for s in document.sentences}
        self.verbatim.append(fmean(sentence.text in sentences for sentence in summary.sentences))


class Clock:
    """CPU time of the search, told by its progress: from the first token to the last."""

    def __init__(self) -> None:
        self.start = self.end = 0.0
        self.tokens = 0

    def __call__(self, event: object) -> None:
        """Hear of progress."""
        if getattr(event, "stage", "") != "writing":
            return
        self.end = time.process_time()
        if not self.tokens:
            self.start = self.end
        self.tokens += 1


def measure_corpus(corpus: str, arguments: argparse.Namespace) -> list[Way]:
    """All ways on one corpus."""
    own = {"model": arguments.model, "beams": arguments.beams, "offline": True}
    ways = [
        Way(name=f"{read}, {faithful}", options=SummaryOptions(read=read, faithful=faithful, **own))
        for read in ("all", arguments.read)
        for faithful in ("off", "verbatim")
    ]
    clock = Clock()
    summarizers = [Summarizer(way.options, clock) for way in ways]
    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    extract = Way(name="extract, equal length")
    examples = choose_examples(corpus, arguments.data, arguments.limit)
    for summarizer in summarizers:
        summarizer.summarize(examples[0].documents)
    for number, example in enumerate(examples, start=1):
        for way, summarizer in zip(ways, summarizers, strict=True):
            clock.tokens = 0
            started = time.process_time()
            summary = summarizer.summarize(example.documents)
            way.record(example, summary, scorer, time.process_time() - started)
            way.per_token.append((clock.end - clock.start) / max(1, clock.tokens - 1))
        words = {example.id: count_words(" ".join(s.text for s in summary.sentences))}
        extract.record(example, EqualLengthExtract(words).summarize(example, ignore_progress), scorer)
        print(f"{corpus}: {number} of {len(examples)}", file=sys.stderr)
    return [*ways, extract]


def describe_corpus(corpus: str, ways: Sequence[Way]) -> list[str]:
    """Rows of the first table."""
    lines = []
    free: Way | None = None
    for way in ways:
        scores = " / ".join(f"{fmean(column):.1f}" for column in zip(*way.scores, strict=True))
        time_columns = "| | | |"
        if way.options is not None:
            free = way if way.options.faithful == "off" else free
            assert free is not None
            ratios = (mine / theirs for mine, theirs in zip(way.per_token, free.per_token, strict=True))
            time_columns = (
                f"| {fmean(way.seconds):.2f} | {1000 * fmean(way.per_token):.1f} | {median(ratios):.2f} |"
            )
        lines.append(
            f"| {corpus} | {len(way.words)} | {way.name} | {fmean(way.read):,.0f} | {fmean(way.words):.0f}"
            f" | {scores} | {100 * fmean(way.verbatim):.0f} % {time_columns}"
        )
    return lines


def measure_automaton(count: int) -> str:
    """A row of the second table."""
    import torch

    torch.set_num_threads(1)
    from lsum_cli.generation.options import GenerationOptions
    from lsum_cli.generation.verbatim import DocumentOffers, SentenceIndex, VerbatimSentences

    chance = random.Random(count)
    sequences = [tuple(chance.choices(range(4, _VOCABULARY), k=_TOKENS)) for _ in range(count)]
    started = time.process_time()
    index = SentenceIndex(sequences)
    building = time.process_time() - started
    del index
    tracemalloc.start()
    index = SentenceIndex(sequences)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    options = GenerationOptions(beams=4, max_length=_STEPS * _TOKENS)
    rule = VerbatimSentences(DocumentOffers([index], [options]), [options])
    scores = torch.randn(4, _VOCABULARY).log_softmax(dim=-1)
    spent = 0.0
    for step in range(_STEPS):
        changed = scores.clone()
        started = time.process_time()
        rule.apply(changed, 1 + step)
        spent += time.process_time() - started
        token_ids = changed.argmax(dim=1).tolist()
        # Two rows never begin: they are offered every sentence at every step.
        rule.advance([*token_ids[:2], 2, 2], range(4))
    tokens = 8 * _TOKENS * count
    step = 1000 * spent / _STEPS
    return f"| {count:,} | {building:.2f} | {kept / 2**20:.1f} | {kept / tokens:.1f} | {step:.2f} |"


def run(arguments: argparse.Namespace) -> str:
    """Measure everything; both tables as Markdown."""
    lines = [
        f"| corpus | documents | {arguments.model} reads, writes | tokens read | words | R-1 / R-2 / R-Lsum"
        " | verbatim | CPU s | a token, ms | of free |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for corpus in arguments.corpora.split(","):
        lines += describe_corpus(corpus, measure_corpus(corpus, arguments))
    automaton = [
        "| sentences | CPU s to build | MiB | of the tokens | a step, ms |",
        "|---:|---:|---:|---:|---:|",
    ]
    automaton += [measure_automaton(count) for count in SENTENCES]
    return "\n".join([*lines, "", *automaton])


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faithful",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", nargs="?", default="lsum-mini", help="a checkpoint: a name or a folder")
    parser.add_argument("--corpora", default=",".join(TRAINED_ON), help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="documents of each corpus, at even distances; default: all")
    parser.add_argument("--read", default="salient", help="default: %(default)s")
    parser.add_argument("--beams", type=int, help="default: the checkpoint's own")
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--output", type=Path, default=RESULTS, help="default: %(default)s")
    arguments = parser.parse_args()
    table = run(arguments)
    print(table)
    command = f"python -m benchmarks.faithful {' '.join(sys.argv[1:])}".strip()
    arguments.output.write_text(f"Made with `{command}`.\n\n{table}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
