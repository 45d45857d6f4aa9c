"""Extracts summaries with whichever lsum is on the path, and writes them as JSON lines.

    PYTHONPATH=CHECKOUT python benchmarks/summaries/worker.py < TASKS > SUMMARIES

A task is an object with ``source`` (a file or folder to read) or ``corpus``, ``ids`` and ``words``. A program
of its own, so that an older checkout can run it: it imports nothing of the benchmarks.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.locality import choose_locality, paginate

try:
    from lsum_cli.methods.extract.method import ExtractMethod, extract
except ImportError:
    from lsum_cli.methods.extract import ExtractMethod, extract  # type: ignore[attr-defined, no-redef]


def run(task: dict[str, Any]) -> None:
    """Write one JSON line for each document of a task."""
    if "corpus" in task:
        wanted = set(task["ids"])
        for example in open_dataset(Path(task["corpus"]), DatasetOptions()):
            if example.id in wanted:
                write(example.id, example.documents, task["words"], example.reference or "")
        return
    from lsum_cli import read

    path = Path(task["source"])
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    documents = read(files)
    write(task["id"], documents, task["words"], "")


def write(id: str, documents: Any, num_words: int, reference: str) -> None:
    """Summarise documents and write the summary with its origins, and the leading words beside it."""
    began = time.process_time()
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    summary = extract(pages, documents, num_words=num_words)
    seconds = time.process_time() - began
    known = {document.id: document for document in documents}
    sentences = []
    for sentence in summary:
        assert sentence.attribution is not None
        (evidence,) = sentence.attribution.evidence
        document = known[evidence.document_id]
        section = document.sections[document.sentences[evidence.sentence_index].section_index]
        sentences.append(
            {
                "text": sentence.text,
                "label": getattr(sentence, "label", None),
                "place": [evidence.document_id, evidence.sentence_index],
                "heading": section.heading,
                "role": str(section.role),
            }
        )
    words = sum(len(sentence.text.split()) for document in documents for sentence in document.sentences)
    record = {
        "id": id,
        "reference": reference,
        "sentences": sentences,
        "lead": lead(documents, num_words),
        "words": words,
        "seconds": seconds,
    }
    print(json.dumps(record, ensure_ascii=False), flush=True)


def lead(documents: Any, num_words: int) -> list[str]:
    """The leading words, cut at exactly this number, within a sentence if need be."""
    taken = []
    for document in documents:
        for sentence in document.sentences:
            words = sentence.text.split()[:num_words]
            num_words -= len(words)
            if words:
                taken.append(" ".join(words))
    return taken


if __name__ == "__main__":
    for line in sys.stdin:
        run(json.loads(line))
