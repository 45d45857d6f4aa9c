"""What every method offers, and how one is loaded."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast, runtime_checkable

from lsum_cli.documents import Document
from lsum_cli.locality import LocalityChoice, Page
from lsum_cli.methods.choice import METHODS, MethodChoice
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import ChapterSummary, CheckpointReference, OptionValue, SummarySentence

SentenceListener = Callable[[SummarySentence], None]


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a method wrote from pages.

    Attributes:
        options: The settings it wrote with, as far as they are its own: beams, device, ….
    """

    sentences: tuple[SummarySentence, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    checkpoint: CheckpointReference | None = None
    warnings: tuple[str, ...] = ()
    chapters: tuple[ChapterSummary, ...] = ()


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
        max_page_len: Tokens of a page at most; ``None`` where any length will do.
        locality: What suits it best and why; ``None`` where the documents decide.
        pages: How many pages its checkpoint was trained with, where that was fixed.
    """

    name: str
    page_len: int
    max_page_len: int | None
    locality: LocalityChoice | None
    pages: int | None

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


@runtime_checkable
class PagingMethod(Protocol):
    """A method with pages of its own making, such as windows."""

    def make_pages(self, documents: Sequence[Document]) -> tuple[Page, ...]:
        """Every sentence of the documents in one page, in order; no pages where there is no sentence."""
        ...


@runtime_checkable
class StreamingMethod(Protocol):
    """A method that knows its first sentences before its last ones."""

    def stream(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
        listener: SentenceListener,
    ) -> Written:
        """As :meth:`Method.write`; ``listener`` hears of every sentence once, as soon as it is final."""
        ...


@runtime_checkable
class BatchingMethod(Protocol):
    """A method that writes several summaries together, sooner than one after the other."""

    def write_batch(
        self,
        inputs: Sequence[tuple[Sequence[Page], Sequence[Document]]],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> list[Written]:
        """As :meth:`Method.write` for each of the inputs, in their order; times are shares of the whole."""
        ...


@runtime_checkable
class GuidedMethod(Protocol):
    """A method that can use the reference, for upper bounds in evaluation."""

    def write_guided(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
        reference: str,
    ) -> Written:
        """As :meth:`Method.write`, knowing the summary that a person wrote."""
        ...


@runtime_checkable
class BoundedMethod(Protocol):
    """A method that reads only so much at once, and longer input in parts whose summaries it joins.

    Attributes:
        source_len: Tokens of text it reads at once.
    """

    source_len: int


def load_method(choice: MethodChoice, options: SummaryOptions) -> Method:
    """The method that was chosen, made for these options; its checkpoint is loaded when it writes."""
    module, _, class_name = METHODS[choice.name].partition(":")
    build = cast(
        Callable[[MethodChoice, SummaryOptions], Method], getattr(importlib.import_module(module), class_name)
    )
    return build(choice, options)
