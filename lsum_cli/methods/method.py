"""What every method offers, and the register of methods."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from lsum_cli.documents import Document
from lsum_cli.errors import OptionError
from lsum_cli.locality import Page
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import CheckpointReference, SummarySentence


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a method wrote from pages."""

    sentences: tuple[SummarySentence, ...]
    seconds: Mapping[str, float] = field(default_factory=dict)
    checkpoint: CheckpointReference | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a method is expected to need on this machine.

    Attributes:
        seconds: Wall-clock time, after reading.
        memory_bytes: Memory at its peak, the program itself included.
    """

    seconds: float
    memory_bytes: int


class Method(Protocol):
    """A way to write a summary from pages.

    Attributes:
        name: As the user types it.
        page_len: Tokens of a page where the user names none.
    """

    name: str
    page_len: int

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as this method counts them."""
        ...

    def estimate(self, pages: Sequence[Page]) -> Cost:
        """What writing a summary of these pages is expected to cost; loads no weights."""
        ...

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Write a summary of the pages; ``documents`` are those the pages come from."""
        ...


# "module:class", resolved on use: a method may need torch, and most runs need one method.
METHODS: Mapping[str, str] = {
    "extract": "lsum_cli.methods.extract:ExtractMethod",
}


def resolve_method_name(name: str) -> str:
    """The method to use; ``auto`` is the best one that works without anything to be installed.

    Raises:
        OptionError: No such method.
    """
    if name == "auto":
        return "extract"
    if name not in METHODS:
        raise OptionError(f"there is no method '{name}'", f"choose one of auto, {', '.join(METHODS)}")
    return name


def load_method(name: str) -> Method:
    """The method of that name, or the one that ``auto`` stands for.

    Raises:
        OptionError: No such method.
    """
    module, _, class_name = METHODS[resolve_method_name(name)].partition(":")
    return cast(Callable[[], Method], getattr(importlib.import_module(module), class_name))()
