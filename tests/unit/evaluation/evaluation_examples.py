"""Small data sets and systems for the tests of evaluation."""

from __future__ import annotations

from dataclasses import replace

from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import SourceError
from lsum_cli.evaluation.baselines import make_baseline
from lsum_cli.methods.options import SummaryOptions

MARSH = (
    "Salt marshes grow where mud settles. Grasses slow the water down. The slow water drops its mud.",
    "Dams hold back the mud of rivers. A starving marsh drowns when the sea rises.",
)
TOWER = (
    "The tower was built of brick in 1702. Its bell cracked in the second winter. Nobody paid for another.",
    "The town sold the bell for scrap. A new one came from the next county.",
)


def make_document(paragraphs: tuple[str, ...], title: str = "A title", id: str = "d0") -> Document:
    passages = [
        Passage(heading=f"Section {number}", level=1, paragraphs=(Paragraph.of(text),))
        for number, text in enumerate(paragraphs, start=1)
    ]
    return compose_document(passages, id=id, source=f"{title}.txt", title=title)


def make_example(id: str, paragraphs: tuple[str, ...], reference: str | None) -> Example:
    return Example(
        id=id, documents=(make_document(paragraphs),), reference=reference, where=f"data.jsonl, line {id}"
    )


EXAMPLES = (
    make_example("1", MARSH, "Mud makes marshes grow. Dams hold back the mud of rivers."),
    make_example("2", TOWER, "The bell cracked and the town sold the bell for scrap."),
)


class CountingSystem:
    """LEAD of one sentence that counts its work and can be told to fail."""

    is_baseline = False
    requested_words = None
    checkpoint = None
    name = "counting"
    settings = {"sentences": 1}  # noqa: RUF012
    fingerprint = "0123456789abcdef"

    def __init__(self, *, fails_on: str | None = None, stops_on: str | None = None) -> None:
        self.calls: list[str] = []
        self._fails_on, self._stops_on = fails_on, stops_on
        self._lead = make_baseline("lead1", SummaryOptions())

    def summarize(self, example, progress):
        self.calls.append(example.id)
        if example.id == self._stops_on:
            raise KeyboardInterrupt
        if example.id == self._fails_on:
            raise SourceError(f"{example.id} holds no text")
        return replace(self._lead.summarize(example, progress), warnings=("seen",))
