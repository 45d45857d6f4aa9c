"""The table of what a data set is like."""

from __future__ import annotations

import io

from rich.console import Console

from lsum_cli.datasets.dataset import Excluded
from lsum_cli.datasets.statistics import Cut, DatasetStatistics, Spread
from lsum_cli.rendering.training import render_statistics


def spread(median, ninety_percent, maximum):
    return Spread(median=median, ninety_percent=ninety_percent, maximum=maximum, total=10 * median)


def lines(statistics):
    console = Console(file=io.StringIO(), width=100)
    console.print(render_statistics(statistics))
    return [line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()]


PLAIN = DatasetStatistics(
    name="corpus",
    num_examples=1200,
    excluded=Excluded(),
    document_words=spread(7773, 15_172, 26_000),
    reference_words=spread(111, 190, 240),
    num_documents=spread(1, 1, 1),
)


def test_words_alone():
    header, _, documents, references = lines({"train": PLAIN})
    assert header.split() == ["Data", "Examples", "Of", "each", "Words", "90", "%", "Most"]
    assert documents.split() == ["train", "1,200", "document", "7,773", "15,172", "26,000"]
    assert references.split() == ["reference", "111", "190", "240"]


def test_tokens_cuts_and_what_was_left_out():
    full = DatasetStatistics(
        name="corpus",
        num_examples=3,
        excluded=Excluded(empty_documents=1, empty_references=2),
        not_encoded=4,
        duplicates=1,
        document_words=spread(7, 8, 9),
        reference_words=spread(1, 2, 3),
        num_documents=spread(3, 5, 6),
        document_tokens=spread(70, 80, 90),
        reference_tokens=spread(10, 20, 30),
        document_cut=Cut(examples=2, tokens=21, share=0.1),
        reference_cut=Cut(examples=0, tokens=0, share=0.0),
    )
    rows = lines({"train [x]": PLAIN, "validation": full})
    assert rows[2].split()[-4:] == ["–"] * 4
    assert rows[4].split() == ["validation", "3", "documents", "7", "8", "9", "70", "80", "90", "10.0", "%"]
    assert rows[5].split() == ["reference", "1", "2", "3", "10", "20", "30", "0.0", "%"]
    assert rows[6:] == [
        "validation: 3 documents an example, at most 6",
        "validation: 2 records without a summary left out",
        "validation: 1 record without a text left out",
        "validation: nothing can be learnt from 4 examples",
        "validation: 1 example with the text of another",
        "validation: 21 tokens of documents cut, in 2 examples",
    ]
    assert rows[2].startswith(" train [x]")
