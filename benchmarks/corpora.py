"""The corpora that benchmarks run on: records read as documents, with their reference summaries."""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.segmentation import Paragraph, Passage, compose_document

CORPORA = ("designdocs", "pmc", "sumpubmed", "scotus", "qmsum", "osnotes")
REPOSITORY = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, kw_only=True)
class Example:
    """One record of a corpus: what is to be summarised, and the summary a person wrote."""

    id: str
    title: str
    documents: tuple[Document, ...]
    reference: str

    @property
    def num_words(self) -> int:
        """Words of the source."""
        return sum(
            len(sentence.text.split()) for document in self.documents for sentence in document.sentences
        )


def default_data() -> Path:
    """The folder with the shared data: ``$LSUM_SHARED/data``, else ``../shared/data``."""
    return Path(os.environ.get("LSUM_SHARED", REPOSITORY.parent / "shared")) / "data"


def read_examples(
    corpus: str, split: str, *, data: Path | None = None, limit: int | None = None
) -> Iterator[Example]:
    """Yield the examples of one split in the order of the file, at most ``limit`` of them.

    Args:
        corpus: One of :data:`CORPORA`.
        split: ``"train"`` or ``"valid"``.
        data: The folder that holds ``corpora/``.
    """
    for record in _records(corpus, split, data, limit):
        yield Example(
            id=str(record["id"]),
            title=str(record["title"]),
            documents=tuple(_documents(record)),
            reference=str(record["summary"]),
        )


def read_references(
    corpus: str, split: str, *, data: Path | None = None, limit: int | None = None
) -> Iterator[str]:
    """Yield the reference summaries of one split; much faster than :func:`read_examples`."""
    for record in _records(corpus, split, data, limit):
        yield str(record["summary"])


def _records(corpus: str, split: str, data: Path | None, limit: int | None) -> Iterator[dict[str, object]]:
    path = (data or default_data()) / "corpora" / f"{corpus}.{split}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, limit))


def _documents(record: dict[str, object]) -> Iterator[Document]:
    parts = record.get("documents")
    if isinstance(parts, list):
        for number, part in enumerate(parts):
            yield _document(f"d{number}", record, part["title"], [{"title": "", "text": part["text"]}])
    else:
        yield _document("d0", record, record["title"], record["sections"])


def _document(id: str, record: dict[str, object], title: object, sections: object) -> Document:
    assert isinstance(sections, list)
    return compose_document(
        [
            Passage(
                heading=section["title"] or None,
                level=1,
                paragraphs=tuple(Paragraph.of(line) for line in section["text"].splitlines()),
            )
            for section in sections
        ],
        id=id,
        source=str(record["source"]),
        title=str(title) or None,
    )
