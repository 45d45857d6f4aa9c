"""The corpora that benchmarks use: their paths, examples and references."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import label_files
from lsum_cli.datasets.formats import read_json_lines
from lsum_cli.datasets.options import DatasetOptions

CORPORA = ("designdocs", "pmc", "sumpubmed", "scotus", "qmsum", "osnotes")
REPOSITORY = Path(__file__).resolve().parents[1]


def default_data() -> Path:
    """The folder with the shared data: ``$LSUM_SHARED/data``, else ``../shared/data``."""
    return Path(os.environ.get("LSUM_SHARED", REPOSITORY.parent / "shared")) / "data"


def corpus_path(corpus: str, split: str, data: Path | None = None) -> Path:
    """The file of one split, ``"train"`` or ``"valid"``, of one of :data:`CORPORA`."""
    return (data or default_data()) / "corpora" / f"{corpus}.{split}.jsonl.xz"


def read_examples(
    corpus: str, split: str, *, data: Path | None = None, limit: int | None = None
) -> Iterator[Example]:
    """Yield the examples of one split in the order of the file, at most ``limit`` of them."""
    yield from open_dataset(corpus_path(corpus, split, data), DatasetOptions(limit=limit))


def read_references(
    corpus: str, split: str, *, data: Path | None = None, limit: int | None = None
) -> Iterator[str]:
    """Yield the reference summaries of one split; much faster than :func:`read_examples`."""
    (file,) = label_files([corpus_path(corpus, split, data)])
    for record in islice(read_json_lines(file), limit):
        yield str(record.values["summary"])


def count_source_words(example: Example) -> int:
    """Words of all documents of an example."""
    return sum(
        len(sentence.text.split()) for document in example.documents for sentence in document.sentences
    )
