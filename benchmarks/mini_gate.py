"""Decides whether a small checkpoint may become the default for documents, by comparison with extraction.

    python -m benchmarks.mini_gate MODEL [--corpora a,b,c] [--limit N] [--length N] [--results DIR] …

The checkpoint summarises validation documents that it was never trained on; extraction gets, for each
document, the number of words that the checkpoint wrote. The checkpoint passes if, on at least three corpora,

- it beats extraction in ROUGE-2 or ROUGE-Lsum and loses at most one point in the other,
- fewer than 2 % of its trigrams occurred earlier in the summary,
- at most 5 % of its sentences contain a number or name that the pages they cite do not, and
- none of its sentences is a splice, and none of its summaries ends within a sentence.

Two more columns are for information: the share of its trigrams that the source contains, and the mean
weight of each sentence's top page beside the mean number of pages.

The table and ten examples, taken at even intervals and not selected, are printed as Markdown. The exit
code is 0 if the gate is passed and 1 otherwise. With --results an interrupted run continues.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.corpora import CORPORA, default_data, read_examples
from lsum_cli.datasets.example import Example
from lsum_cli.evaluation.baselines import make_baseline
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.results import Row, SystemResult
from lsum_cli.evaluation.runs import evaluate_system
from lsum_cli.evaluation.summary_cache import read_cached
from lsum_cli.evaluation.systems import SummarizerSystem, fingerprint_of
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.summaries import AttributionKind, CheckpointReference, FlagKind, OptionValue, Summary
from lsum_cli.text.terms import count_words

# qmsum and sumpubmed are not for training, but can be used for measurements.
TRAINED_ON = ("designdocs", "pmc", "scotus", "osnotes")
NEEDED_CORPORA = 3
MOST_LOST = 0.01
MOST_REPEATED = 0.02
MOST_FLAGGED = 0.05
NUM_SHOWN = 10
# Of a reference in an example: a court's syllabus is longer than all the rest.
MOST_WORDS_SHOWN = 150
_TOLD_EVERY = 10
# Number of words by which an extract may exceed the requested length; less than a sentence.
_MORE_WORDS = (0, 3, 6, 10, 14, 20)


class EqualLengthExtract:
    """Extraction with as many words as another system wrote of each example.

    Args:
        words: By the example's id.
    """

    name = "extract"
    is_baseline = True
    requested_words: int | None = None
    checkpoint: CheckpointReference | None = None

    def __init__(self, words: Mapping[str, int]) -> None:
        self._words = words

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """None of its own."""
        return {}

    @property
    def fingerprint(self) -> str:
        """Names the lengths."""
        return fingerprint_of(dict(self._words))

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Choose whole sentences, of which the extract nearest in length is taken.

        With the requested length as a maximum, extracts would be 5 % shorter on average.
        """
        words = max(1, self._words[example.id])
        found = [
            make_baseline("extract", SummaryOptions(length=str(words + more))).summarize(example, progress)
            for more in _MORE_WORDS
        ]
        return min(found, key=lambda each: abs(_count(each) - words))


def _count(summary: Summary) -> int:
    return sum(count_words(sentence.text) for sentence in summary.sentences)


@dataclass(frozen=True, kw_only=True)
class CorpusRow:
    """What came of one corpus; all shares and scores from 0 to 1.

    Attributes:
        splices: Number of sentences that join pieces of two source sentences.
        broken_endings: Number of summaries that end within a sentence.
        reference_words: Mean length of the references.
        copied: Share of the summaries' trigrams that occur in their sources.
        foremost: Mean weight of a sentence's foremost page; ``None`` where no weights are shown.
        pages: Mean number of pages.
    """

    corpus: str
    examples: int
    words: float
    model: Mapping[str, float]
    extract: Mapping[str, float]
    repeated: float
    flagged: float
    splices: int = 0
    broken_endings: int = 0
    reference_words: float = 0.0
    copied: float | None = None
    foremost: float | None = None
    pages: float = 0.0

    @property
    def beats_extraction(self) -> bool:
        """Better in one of both measures, and not much worse in the other."""
        gains = [self.model[name] - self.extract[name] for name in ("rouge2", "rougeLsum")]
        return max(gains) > 0 and min(gains) >= -MOST_LOST

    @property
    def passes(self) -> bool:
        """Whether it is good enough here."""
        is_sound = not self.splices and not self.broken_endings
        few_faults = self.repeated < MOST_REPEATED and self.flagged <= MOST_FLAGGED
        return self.beats_extraction and few_faults and is_sound


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An example, to be read."""

    id: str
    model: str
    extract: str
    reference: str


def share_of_flagged(rows: Sequence[Row]) -> float:
    """The share of all sentences that hold a number or name without source."""
    kinds = (FlagKind.NUMBER, FlagKind.NAME)
    flagged = sum(len({flag.sentence for flag in row.flags if flag.kind in kinds}) for row in rows)
    sentences = sum(len(row.text.splitlines()) for row in rows)
    return flagged / max(1, sentences)


def count_splices(rows: Sequence[Row]) -> int:
    """The number of sentences that are splices."""
    return sum(len({flag.sentence for flag in row.flags if flag.kind is FlagKind.SPLICE}) for row in rows)


def choose_examples(corpus: str, data: Path, limit: int | None) -> list[Example]:
    """The validation documents of a corpus; if fewer are requested, evenly spaced."""
    examples = list(read_examples(corpus, "valid", data=data))
    return [examples[place] for place in spread(len(examples), min(limit or len(examples), len(examples)))]


def weigh_pages(result: SystemResult) -> tuple[float | None, float]:
    """Mean weight of the foremost page of all sentences, and the mean number of pages."""
    assert result.summaries_path is not None  # it was asked for
    wanted = {row.id for row in result.rows}
    kept = [each for each in read_cached(Path(result.summaries_path)) if each.id in wanted]
    weights = [
        max(page.weight for page in found.pages)
        for each in kept
        for sentence in each.sentences
        if (found := sentence.attribution) and found.kind is AttributionKind.CONFIDENCE
    ]
    return fmean(weights) if weights else None, fmean(len(each.pages) for each in kept)


def measure_corpus(
    corpus: str, examples: Sequence[Example], options: SummaryOptions, evaluation: EvaluationOptions
) -> tuple[CorpusRow, SystemResult, SystemResult]:
    """Let both summarise a corpus, and compare them."""
    system = SummarizerSystem(options)
    model = evaluate_system(system, examples, evaluation, _tell)
    words = {row.id: count_words(row.text) for row in model.rows}
    extract = evaluate_system(EqualLengthExtract(words), examples, EvaluationOptions())
    means = {name: value or 0.0 for name, value in model.means.items()}
    novel, (foremost, pages) = model.means["novel_3"], weigh_pages(model)
    row = CorpusRow(
        corpus=corpus,
        examples=len(model.rows),
        words=means["words"],
        model=means,
        extract={name: value or 0.0 for name, value in extract.means.items()},
        repeated=means["repeated_trigrams"],
        flagged=share_of_flagged(model.rows),
        splices=count_splices(model.rows),
        broken_endings=sum(int(each.scores["broken_ending"] or 0) for each in model.rows),
        reference_words=fmean(each.reference_words for each in model.rows),
        copied=None if novel is None else 1 - novel,
        foremost=foremost,
        pages=pages,
    )
    return row, model, extract


def pass_gate(rows: Sequence[CorpusRow]) -> bool:
    """Whether enough corpora are passed."""
    return sum(row.passes for row in rows) >= NEEDED_CORPORA


def choose_shown(counts: Sequence[int], total: int = NUM_SHOWN) -> list[list[int]]:
    """Places of the examples to show, by corpus: as many of each as can be, at even distances."""
    shares = [0] * len(counts)
    while sum(shares) < min(total, sum(counts)):
        open_ones = [number for number, count in enumerate(counts) if shares[number] < count]
        shares[min(open_ones, key=lambda number: shares[number])] += 1
    return [spread(count, share) for count, share in zip(counts, shares, strict=True)]


def spread(count: int, share: int) -> list[int]:
    """So many places among ``count``, at even distances."""
    return [(2 * place + 1) * count // (2 * share) for place in range(share)]


def report(
    name: str, rows: Sequence[CorpusRow], shown: Sequence[Shown], weights_sha256: str | None = None
) -> str:
    """The table, the verdict and the examples as Markdown.

    Args:
        weights_sha256: Says which weights these were.
    """
    lines = [
        f"| corpus | documents | words (extract, references) | {name} R-1 / R-2 / R-Lsum"
        " | extract, equal length | repeated trigrams | flagged sentences | splices | broken endings | passed"
        " | trigrams copied | foremost page, of pages |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|",
    ]
    for row in rows:
        scores = [
            " / ".join(f"{100 * means[measure]:.1f}" for measure in ("rouge1", "rouge2", "rougeLsum"))
            for means in (row.model, row.extract)
        ]
        lines.append(
            f"| {row.corpus} | {row.examples:,} | {row.words:.0f}"
            f" ({row.extract['words']:.0f}, {row.reference_words:.0f})"
            f" | {scores[0]} | {scores[1]}"
            f" | {100 * row.repeated:.1f} % | {100 * row.flagged:.1f} %"
            f" | {row.splices} | {row.broken_endings} | {'yes' if row.passes else 'no'}"
            f" | {_percent(row.copied)} | {_percent(row.foremost)} of {row.pages:.1f} |"
        )
    passed = sum(row.passes for row in rows)
    verdict = (
        f"Passed on {passed} of {len(rows)} corpora; {NEEDED_CORPORA} are needed:"
        f" **the gate is {'passed' if pass_gate(rows) else 'not passed'}**."
    )
    weights = [f"Weights: `{weights_sha256}`"] if weights_sha256 else []
    examples = [
        f"### {each.id}\n\n**{name}:**\n\n{_as_list(each.model)}\n\n"
        f"**extract:**\n\n{_as_list(each.extract)}\n\n**reference:**\n\n{_quoted(each.reference)}"
        for each in shown
    ]
    return "\n\n".join(["\n".join(lines), verdict, *weights, *examples])


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _as_list(sentences: str) -> str:
    """A sentence a line, as a list."""
    lines = [" ".join(line.split()) for line in sentences.splitlines() if line.strip()]
    return "\n".join(f"- {line}" for line in lines) or "(nothing)"


def _quoted(text: str) -> str:
    """A text of one paragraph; of a long one the beginning, and how much more there is."""
    words = text.split()
    more = len(words) - MOST_WORDS_SHOWN
    rest = f" … ({more:,} more)" if more > 0 else ""
    return f"> {' '.join(words[:MOST_WORDS_SHOWN])}{rest}"


def _tell(event: ProgressEvent) -> None:
    if event.stage.startswith("summaries") and event.done % _TOLD_EVERY == 0:
        print(f"{event.done} {event.stage}", file=sys.stderr)


def run(options: argparse.Namespace) -> tuple[str, bool]:
    """Measure everything; the report, and whether the gate is passed."""
    summary_options = SummaryOptions(
        model=options.model,
        length=options.length,
        beams=options.beams,
        faithful=options.faithful,
        read=options.read,
        device=options.device,
        dtype=options.dtype,
        offline=True,
    )
    rows, results, references = [], [], []
    with ExitStack() as stack:
        folder = options.results or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for corpus in options.corpora:
            examples = choose_examples(corpus, options.data, options.limit)
            evaluation = EvaluationOptions(results=folder / corpus, batch_size=options.batch_size)
            row, model, extract = measure_corpus(corpus, examples, summary_options, evaluation)
            rows.append(row)
            results.append((model, extract))
            references.append([example.reference or "" for example in examples])
            print(f"{corpus}: {row.examples} documents", file=sys.stderr)
    places = choose_shown([row.examples for row in rows])
    shown = [
        Shown(
            id=model.rows[place].id,
            model=model.rows[place].text,
            extract=extract.rows[place].text,
            reference=texts[place],
        )
        for (model, extract), texts, chosen in zip(results, references, places, strict=True)
        for place in chosen
    ]
    model = results[0][0]
    sha256 = model.checkpoint.sha256 if model.checkpoint else None
    return report(model.name, rows, shown, sha256), pass_gate(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where ``--output`` says."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mini_gate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", help="a checkpoint: a name or a folder")
    parser.add_argument("--corpora", type=_corpora, default=TRAINED_ON, help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="documents of each corpus, at even distances; default: all")
    parser.add_argument("--length", help="words of a summary; default: the checkpoint's own")
    parser.add_argument("--beams", type=int, help="default: the checkpoint's own")
    parser.add_argument("--faithful", help="off, flag or verbatim; default: the checkpoint's own")
    parser.add_argument("--read", help="all or salient[:TOKENS]; default: the checkpoint's own")
    parser.add_argument("--batch-size", type=int, default=1, help="documents at once; default: %(default)s")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--results", type=Path, help="keep summaries here, and go on with those that are")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args(arguments)
    text, is_passed = run(options)
    print(text)
    if options.output:
        command = f"python -m benchmarks.mini_gate {' '.join(arguments or sys.argv[1:])}"
        options.output.write_text(
            f"# The gate of a small checkpoint\n\nMade with `{command}`.\n\n{text}\n", encoding="utf-8"
        )
    return 0 if is_passed else 1


def _corpora(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := sorted(set(names) - set(CORPORA)):
        raise argparse.ArgumentTypeError(f"no corpus {unknown[0]}; choose of {', '.join(CORPORA)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
