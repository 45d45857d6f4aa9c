"""Which checkpoint to pull for this machine, by what a 10-page paper would cost here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from lsum_cli.checkpoints.catalogue import CatalogueEntry, list_catalogue
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import DeviceError
from lsum_cli.machine.memory import measure_memory
from lsum_cli.methods.base import Cost
from lsum_cli.methods.costs import (
    ModelSizes,
    Work,
    estimate_at_rates,
    estimate_cost,
    measure_rates_roughly,
)

# A 10-page paper in pages or parts of 1,024 tokens.
_PAGES, _PAGE_LEN = 8, 1024
# What checkpoints write and how they search where the catalogue does not say; those of BART for news.
_STEPS, _BEAMS = 142, 4
# Nobody waits longer for a paper; programs besides this one need memory too.
_MOST_SECONDS = 300
_MOST_MEMORY = 0.7
_FLOAT32_BYTES = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """A checkpoint to pull, and what a 10-page paper would cost with it on this machine."""

    entry: CatalogueEntry
    cost: Cost

    def __str__(self) -> str:
        size, seconds = self.entry.size / 1e9, self.cost.seconds
        time = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
        return (
            f"lsum models pull {self.entry.name} ({self.entry.summary}; {size:.1f} GB,"
            f" about {time} for a 10-page paper on this machine)"
        )


def recommend(*, roughly: bool = False) -> Recommendation:
    """The checkpoint that suits this machine: the best of those that are fast enough, else the fastest.

    Args:
        roughly: Measure only the processor, without loading torch.
    """
    found = list(_candidates(roughly=roughly))
    total = measure_memory().total
    bearable = [
        each
        for each in found
        if each.cost.seconds <= _MOST_SECONDS
        and (total is None or each.cost.memory_bytes <= _MOST_MEMORY * total)
    ]
    return bearable[0] if bearable else min(found, key=lambda each: each.cost.seconds)


def _candidates(*, roughly: bool) -> Iterator[Recommendation]:
    """Those that suit any document, the best first, as the catalogue has them."""
    estimate = _estimator(roughly=roughly)
    for entry in list_catalogue():
        if entry.architecture:
            yield Recommendation(entry=entry, cost=estimate(ModelSizes.of(entry.architecture), _work(entry)))


def _estimator(*, roughly: bool) -> Callable[[ModelSizes, Work], Cost]:
    if not roughly:
        from lsum_cli.machine.devices import choose_device, choose_precision

        try:
            device = choose_device("auto")
            return partial(estimate_cost, device=device, precision=choose_precision("auto", device))
        except (ImportError, OSError, DeviceError):
            pass  # a broken torch is another matter, of which doctor speaks
    return partial(estimate_at_rates, rates=measure_rates_roughly(), width=_FLOAT32_BYTES)


def _work(entry: CatalogueEntry) -> Work:
    steps, beams = entry.generation.max_tokens or _STEPS, entry.generation.beams or _BEAMS
    is_paged = entry.method is CheckpointMethod.PAGESUM
    return Work(
        page_lengths=(_PAGE_LEN,) * _PAGES,
        steps=steps,
        passes=1 if is_paged else _PAGES,
        rows=_PAGES * beams if is_paged else beams,
        memory_copies=1 if is_paged else beams,
    )
