"""Some examples of many, from all of the data: files that follow one another may differ in kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from lsum_cli.datasets.dataset import Dataset, RecordLoader
from lsum_cli.datasets.example import Example


def spread(dataset: Dataset, most: int) -> Dataset:
    """So many records at most, spread evenly over the data set; the same ones each time.

    A limit of the data set holds too, and of what lies behind it none is taken. The others are not made
    examples.
    """

    def read() -> Iterator[RecordLoader]:
        total = sum(1 for _ in islice(dataset.read(), dataset.options.limit))
        for index, load in enumerate(islice(dataset.read(), total)):
            if total <= most or (index + 1) * most // total > index * most // total:
                yield load

    part = "; ".join(filter(None, [dataset.part, f"{most} spread evenly"]))
    return replace(dataset, read=read, part=part)


def sample(examples: Iterable[Example], most: int) -> Iterable[Example]:
    """So many examples at most: of a data set from all over it, of others the first ones."""
    return spread(examples, most) if isinstance(examples, Dataset) else islice(examples, most)
