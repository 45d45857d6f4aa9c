"""A validation split where the data set brings none: a share of it, spread evenly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from lsum_cli.datasets.dataset import Dataset, RecordLoader


def hold_out(dataset: Dataset, share: float) -> tuple[Dataset, Dataset]:
    """Part a data set in two: what is trained on, and the share that is held out.

    The first record is held out and from then on one in ``1 / share``, always the same ones. A limit
    holds for each part.

    Args:
        share: Between 0 and 1.
    """

    def is_held_out(index: int) -> bool:
        return math.ceil((index + 1) * share) > math.ceil(index * share)

    def read(held_out: bool) -> Iterator[RecordLoader]:
        return (load for index, load in enumerate(dataset.read()) if is_held_out(index) is held_out)

    rest = replace(dataset, read=lambda: read(False), part=f"all but {share:g}")
    held = replace(
        dataset, name=f"{dataset.name} (held out)", read=lambda: read(True), part=f"held out {share:g}"
    )
    return rest, held
