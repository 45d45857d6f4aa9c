"""Prints, as JSON lines, which sentences whichever lsum is on the path would quote of documents.

    PYTHONPATH=CHECKOUT python benchmarks/summaries/choices_worker.py [--features | --words] < TASKS

A task is an object with ``file`` and ``id``, or ``corpus`` and ``ids``. A program of its own, so that an
older checkout can run it: it imports nothing of the benchmarks. Sentences are named by the CRC-32 of their
text. With ``--features`` it prints what the ranker is given, with ``--words`` the length of each sentence.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lsum_cli import read
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.extractor import legible
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.ranking.ranker import NO_WEIGHTS, kind_of_ranker, ranker_features
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length
from lsum_cli.text.terms import count_words


def documents_of(task: dict[str, Any]) -> Iterator[tuple[str, Sequence[Document]]]:
    """The documents of a task, by their ids."""
    if "file" in task:
        yield task["id"], [read(Path(task["file"]))]
        return
    wanted = set(task["ids"])
    for example in open_dataset(Path(task["corpus"]), DatasetOptions()):
        if example.id in wanted:
            yield example.id, example.documents
            wanted.discard(example.id)
        if not wanted:
            return


def describe(id: str, documents: Sequence[Document], what: str) -> dict[str, Any]:
    """What is printed of a document."""
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    length = suit_length(
        sum(count_words(sentence.text) for page in pages for sentence in page.sentences), len(documents)
    )
    if what in ("--words", "--features"):
        candidates = Candidates.of(legible(pages), documents)
        record: dict[str, Any] = {
            "id": id,
            "names": [zlib.crc32(sentence.text.encode()) for sentence in candidates.sentences],
        }
        if what == "--words":
            return {**record, "words": candidates.num_words.tolist()}
        structure = Structure.of(candidates)
        # The weights may be of other features than those that are to be fitted.
        scores = Scores.of(candidates, structure, weights=NO_WEIGHTS)
        values = ranker_features(candidates, structure, scores.salience, scores.features)
        return {
            **record,
            "kind": kind_of_ranker(candidates, structure),
            "features": list(values),
            "values": [[float(f"{each:.6g}") for each in row] for row in zip(*values.values(), strict=True)],
        }
    known = {document.id: document for document in documents}
    quoted = {}
    for sentence in compose(pages, documents, Request(num_words=length)).sentences:
        assert sentence.attribution is not None
        (evidence,) = sentence.attribution.evidence
        text = known[evidence.document_id].sentences[evidence.sentence_index].text
        quoted[zlib.crc32(text.encode())] = len(text.split())
    return {"id": id, "quoted": quoted}


def main() -> None:
    """Read tasks, print records."""
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    for line in sys.stdin:
        for name, documents in documents_of(json.loads(line)):
            print(json.dumps(describe(name, documents, what)), flush=True)


if __name__ == "__main__":
    main()
