"""Whether ``--focus`` finds what answers the questions of readers.

    python -m benchmarks.summaries.questions [--more FOLDER] [--group held]

``questions.jsonl`` has five requests for each of 55 documents, as users would type them after ``--focus``: a
question in the document's words, one in everyday words, two to four keywords, a detail, and a broader aspect;
with the sentences that answer each best, and others that a good answer may quote. Sentences are named by the
CRC-32 of their text, so that nothing of the documents is copied. The weights of
:mod:`lsum_cli.methods.extract.focus.relevance` were fitted to the group ``fit``; how much is quoted was
chosen with a look at ``held`` too. A request none of whose best sentences is read as it was is left out.

Documents of the shared corpora and the sample files are read from there. Others are read from ``--more``, a
folder with a file for each ``id``: manuals, notes and reports from the source distributions of Python
packages, and web pages of the tests of trafilatura and htmldate. Those that are not at hand are left out,
and counted.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import corpus_path, default_data
from lsum_cli import read
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.focus.relevance import rank
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.length import suit_length
from lsum_cli.text.terms import count_words

QUESTIONS = Path(__file__).with_name("questions.jsonl")
KINDS = {
    1: "in the document's words",
    2: "in everyday words",
    3: "keywords",
    4: "a detail",
    5: "a broader aspect",
    6: "what a document of its kind states",
}
# A sentence is found where it is among so many of the most relevant.
_FIRST = 5

HEAD = """# What `--focus` finds

Made with `python -m benchmarks.summaries.questions --group GROUP`. Readers wrote requests and chose the
sentences that answer them. *Rank*: the mean reciprocal rank of the first of the best sentences; *found*: the
share of the best among the five most relevant; of the summary of the length that suits, *answered*: how often
it quotes one of the best, *to the point*: the share of its sentences that a reader chose, *words*.
"""

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """How well a request is answered, each from 0 to 1 but the last.

    Attributes:
        rank: The reciprocal rank of the first of the best sentences.
        found: The share of the best among the most relevant.
        answered: Whether the summary quotes one of the best.
        pointed: The share of the sentences of the summary that a reader chose.
        words: How many words the summary has.
    """

    rank: float
    found: float
    answered: float
    pointed: float
    words: int


def documents_of(record: Record, data: Path, more: Path | None) -> Sequence[Document]:
    """The document of a record, as far as it is at hand."""
    if "corpus" in record:
        path = corpus_path(record["corpus"], record["split"], data)
        examples = open_dataset(path, DatasetOptions())
        return next((each.documents for each in examples if each.id == record["id"]), ())
    if "sample" in record:
        return [read(data / "inputs" / record["sample"])]
    files = {} if more is None else {path.stem: path for path in more.iterdir()}
    return [read(files[record["id"]])] if record["id"] in files else ()


def find(record: Record, documents: Sequence[Document]) -> Iterator[tuple[int, Finding]]:
    """How well each request is answered, with its kind."""
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    words = sum(count_words(sentence.text) for page in pages for sentence in page.sentences)
    request = Request(num_words=suit_length(words, len(documents)))
    extractor = Extractor.of(pages, documents, request)
    sentences = extractor.candidates.sentences
    names = np.array([zlib.crc32(sentence.text.encode()) for sentence in sentences], np.int64)
    for question in record["questions"]:
        focus = question["focus"]
        is_best = np.isin(names, question["best"])
        if not is_best.any():
            continue
        is_chosen = is_best | np.isin(names, question["also"])
        ranking = rank(
            extractor.candidates, extractor.structure, extractor.scores.values, focus, documents[0].language
        )
        order = np.argsort(-ranking.relevance, kind="stable")
        asked = Request(num_words=request.num_words, focus=focus)
        quoted = [
            item.sentence_index
            for sentence in compose(pages, documents, asked).sentences
            if sentence.attribution is not None
            for item in sentence.attribution.evidence
        ]
        rows = [row for row, sentence in enumerate(sentences) if sentence.index in quoted]
        yield (
            question["kind"],
            Finding(
                rank=1 / (1 + int(np.argmax(is_best[order]))),
                found=float(is_best[order[:_FIRST]].sum() / is_best.sum()),
                answered=float(is_best[rows].any()),
                pointed=float(is_chosen[rows].mean()) if rows else 0.0,
                words=int(extractor.candidates.num_words[rows].sum()),
            ),
        )


def table(found: Sequence[tuple[int, Finding]]) -> str:
    """A row for each kind of request, and one for all."""
    lines = [
        "| request | | rank | found | answered | to the point | words |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, kinds in (*((name, {kind}) for kind, name in KINDS.items()), ("**all**", set(KINDS))):
        rows = [finding for kind, finding in found if kind in kinds]
        means = [
            f"{np.mean([getattr(row, key) for row in rows]):.2f}"
            for key in ("rank", "found", "answered", "pointed")
        ]
        words = np.mean([row.words for row in rows])
        lines.append(f"| {name} | {len(rows)} | {' | '.join(means)} | {words:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Answer all requests of a group and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=default_data(), help="the shared data")
    parser.add_argument("--more", type=Path, help="documents that are not among the shared data")
    parser.add_argument("--group", choices=("fit", "held"), default="held")
    parser.add_argument("--output", type=Path, help="also write the table here")
    options = parser.parse_args()
    records = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    found: list[tuple[int, Finding]] = []
    left_out = 0
    for record in records:
        if record["group"] != options.group:
            continue
        documents = documents_of(record, options.data, options.more)
        left_out += not documents
        found += find(record, documents) if documents else ()
    made = table(found) + (f"\n{left_out} documents are not at hand.\n" if left_out else "")
    print(made)
    if options.output is not None:
        options.output.write_text(f"{HEAD}\n## {options.group}\n\n{made}", encoding="utf-8")


if __name__ == "__main__":
    main()
