"""Extraction against leading words, random sentences, and sumy's LexRank and TextRank: ROUGE and time.

    python -m benchmarks.extraction [--corpus scotus] [--limit 5] [--data DIR] [--output FILE]

Every system gets the same sentences and the same number of words for all documents of a corpus: the
median length of the reference summaries of its training split. ``lead`` is cut at exactly that number of
words, within a sentence if need be; ``lead 3`` is the first three sentences, regardless of length; random
and sumy take whole sentences in order of rank, skipping those that no longer fit. Scores are F1 of
``rouge_score`` with stemming; for ROUGE-Lsum every sentence is on its own line. Seconds are CPU time per
100,000 words of source, without reading and sentence splitting.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer

from benchmarks.corpora import (
    CORPORA,
    count_source_words,
    default_data,
    read_examples,
    read_references,
)
from lsum_cli.datasets.example import Example
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.method import ExtractMethod, extract
from lsum_cli.text.sentences import split_sentences
from lsum_cli.text.terms import count_words, split_terms

METRICS = {"rouge1": "R-1", "rouge2": "R-2", "rougeLsum": "R-Lsum"}
RESULTS = Path(__file__).parent / "results" / "extraction.md"

System = Callable[[Example, int], list[str]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """The mean scores of one system on one corpus."""

    corpus: str
    system: str
    num_words: int
    scores: tuple[float, ...]
    seconds: float


def summarise_by_extraction(example: Example, num_words: int) -> list[str]:
    pages = paginate(example.documents, choose_locality(example.documents).locality, ExtractMethod.page_len)
    sentences = extract(pages, example.documents, num_words=num_words)
    return [sentence.text for sentence in sentences]


def summarise_by_lead(example: Example, num_words: int) -> list[str]:
    lead = []
    for sentence in _sentences(example):
        words = sentence.split()[:num_words]
        lead.append(" ".join(words))
        num_words -= len(words)
        if not num_words:
            break
    return lead


def summarise_by_lead_3(example: Example, num_words: int) -> list[str]:  # noqa: ARG001
    return _sentences(example)[:3]


def summarise_by_chance(example: Example, num_words: int) -> list[str]:
    sentences = _sentences(example)
    order = list(range(len(sentences)))
    random.Random(example.id).shuffle(order)
    return _fill(sentences, order, num_words)


def summarise_with_sumy(example: Example, num_words: int, *, algorithm: str) -> list[str]:
    """Rank our sentences, with our words, by sumy; its English stemmer and stop words as it ships them."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph
    from sumy.models.dom import Sentence as SumySentence
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    sentences = _sentences(example)
    paragraph = Paragraph([SumySentence(sentence, _Tokenizer()) for sentence in sentences])
    summarizer = {"lexrank": LexRankSummarizer, "textrank": TextRankSummarizer}[algorithm](Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    ranked: list[int] = []

    def keep_all(infos: Sequence[object]) -> Sequence[object]:
        ranked.extend(info.order for info in infos)  # type: ignore[attr-defined]
        return infos

    summarizer(ObjectDocumentModel([paragraph]), keep_all)
    return _fill(sentences, ranked, num_words)


class _Tokenizer:
    """What sumy asks of a tokenizer of words; its own one downloads data."""

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(term for term in split_terms(sentence) if term.isalpha())


def _sentences(example: Example) -> list[str]:
    return [sentence.text for document in example.documents for sentence in document.sentences]


def _fill(sentences: Sequence[str], order: Sequence[int], num_words: int) -> list[str]:
    chosen = []
    for position in order:
        length = count_words(sentences[position])
        if length <= num_words:
            chosen.append(position)
            num_words -= length
    return [sentences[position] for position in sorted(chosen)]


SYSTEMS: dict[str, System] = {
    "extract": summarise_by_extraction,
    "lead": summarise_by_lead,
    "lead 3": summarise_by_lead_3,
    "random": summarise_by_chance,
    "sumy LexRank": partial(summarise_with_sumy, algorithm="lexrank"),
    "sumy TextRank": partial(summarise_with_sumy, algorithm="textrank"),
}


def measure(corpus: str, *, data: Path, limit: int | None, split: str = "valid") -> Iterator[Row]:
    """Score every system on one corpus."""
    references_of_training = read_references(corpus, "train", data=data, limit=limit)
    num_words = round(statistics.median(len(reference.split()) for reference in references_of_training))
    examples = list(read_examples(corpus, split, data=data, limit=limit))
    references = [_on_lines(example.reference or "") for example in examples]
    source_words = sum(map(count_source_words, examples))
    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    for name, system in SYSTEMS.items():
        began = time.process_time()
        summaries = ["\n".join(system(example, num_words)) for example in examples]
        seconds = time.process_time() - began
        results = [scorer.score(*pair) for pair in zip(references, summaries, strict=True)]
        yield Row(
            corpus=corpus,
            system=name,
            num_words=num_words,
            scores=tuple(
                100 * statistics.fmean(result[metric].fmeasure for result in results) for metric in METRICS
            ),
            seconds=seconds * 100_000 / source_words,
        )


def _measure_all(corpus: str, *, data: Path, limit: int | None) -> list[Row]:
    return list(measure(corpus, data=data, limit=limit))


def _on_lines(reference: str) -> str:
    return "\n".join(
        sentence for paragraph in reference.splitlines() for sentence in split_sentences(paragraph)
    )


def table(rows: Sequence[Row]) -> str:
    """A Markdown table; the best score of each corpus is set in bold."""
    lines = [
        f"| corpus | words | system | {' | '.join(METRICS.values())} | s / 100,000 words |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        rivals = [other.scores for other in rows if other.corpus == row.corpus]
        best = [max(column) for column in zip(*rivals, strict=True)]
        scores = [
            f"**{score:.2f}**" if score == top else f"{score:.2f}"
            for score, top in zip(row.scores, best, strict=True)
        ]
        lines.append(
            f"| {row.corpus} | {row.num_words} | {row.system} | {' | '.join(scores)} | {row.seconds:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, and write it where ``--output`` says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__)
    parser.add_argument("--corpus", choices=CORPORA, action="append", help="default: all")
    parser.add_argument("--limit", type=int, help="documents per corpus; default: all")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder that holds corpora/")
    parser.add_argument("--jobs", type=int, default=1, help="corpora measured at the same time; default: 1")
    parser.add_argument("--output", type=Path, help=f"such as {RESULTS.name}; default: none")
    options = parser.parse_args()
    measure_corpus = partial(_measure_all, data=options.data, limit=options.limit)
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        rows = [row for rows in pool.map(measure_corpus, options.corpus or CORPORA) for row in rows]
    print(table(rows))
    if options.output:
        command = f"python -m benchmarks.extraction {' '.join(sys.argv[1:])}"
        options.output.write_text(f"Made with `{command}`.\n\n{table(rows)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
