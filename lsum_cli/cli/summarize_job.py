"""One run of ``lsum summarize``: what came of each source, and how the run ends."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType

from lsum_cli.cli.failures import FailureLog
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.products import Product, identify_settings, identify_sources
from lsum_cli.errors import InputLost
from lsum_cli.methods.batch import Failure, summarize_each, summarize_together
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import expand_sources
from lsum_cli.rendering.formats import Format
from lsum_cli.rendering.statements import count
from lsum_cli.summaries import Summary, SummaryListener

NOTHING_DONE: Mapping[int, Sequence[str]] = MappingProxyType({})


class SummarizeJob:
    """Summarises the sources, says on standard error what the user should know, counts the failures.

    Args:
        sources: As the user named them; folders are expanded.
        together: One summary of all, instead of one of each.

    Raises:
        SourceError: A folder without a readable file.
    """

    def __init__(
        self,
        *,
        sources: Sequence[str],
        together: bool,
        options: SummaryOptions,
        read_options: ReadOptions,
        messages: Messages,
    ) -> None:
        self._together = together
        self._options = options
        self._read_options = read_options
        self._messages = messages
        self._expansion = expand_sources(sources)
        self._num_sources = len(self._expansion.sources)
        self._failures = FailureLog(self._num_sources, messages)
        self._losses: list[str] = []
        self._said_writer: str | None = None

    @property
    def several(self) -> bool:
        """Whether there may be more than one summary."""
        return self._num_sources > 1 and not self._together

    def list_products(self, format: Format) -> list[Product]:
        """The summaries that are to be written, and what each depends on; reads sources that are files."""
        settings = identify_settings(self._options, self._read_options, format)
        sources = self._expansion.sources
        if self._together and self._num_sources > 1:
            key = identify_sources(sources, settings)
            return [Product(source="summary", key=key, num_sources=self._num_sources)]
        return [Product(source=source, key=identify_sources([source], settings)) for source in sources]

    def run(
        self,
        progress: ProgressListener,
        listener: SummaryListener | None = None,
        *,
        done: Mapping[int, Sequence[str]] = NOTHING_DONE,
    ) -> Iterator[tuple[int, Summary]]:
        """Yield each summary when it is ready, with its place in :meth:`list_products`.

        Args:
            listener: Told of the sentences of those that are written as they are read.
            done: The places of those that an earlier run has written, and what it lost of their sources.

        Raises:
            LsumError: The options are wrong, or no source can be found.
        """
        if self._expansion.skipped:
            num_files = count(len(self._expansion.skipped), "file")
            self._messages.note(f"left out {num_files} of no readable kind (-v names them)")
            for path in self._expansion.skipped:
                self._messages.detail(f"left out {path}")
        if self._expansion.summaries:
            num_files = count(len(self._expansion.summaries), "file")
            self._messages.note(f"left out {num_files} that an earlier run wrote")
        if done:
            num_products = self._num_sources if self.several else 1
            is_all = len(done) == num_products
            all_or_some = "all was done" if is_all else f"{len(done):,} of {num_products:,} sources were done"
            self._messages.note(f"resumed: {all_or_some}")
        for number, losses in done.items():
            self._losses.extend(self._prefix(self._expansion.sources[number]) + loss for loss in losses)
        for number, summary in self._summaries(done, progress, listener):
            self._comment_on(summary)
            yield number, summary

    def conclude(self, *, strict: bool) -> None:
        """End the run as its failures and losses demand.

        Raises:
            LsumError: What :meth:`FailureLog.conclude` raises.
            InputLost: ``strict``, and something was not read.
        """
        self._failures.conclude()
        if strict and self._losses:
            raise InputLost("; ".join(self._losses), "the summary is written; only --strict minds")

    def _summaries(
        self, done: Container[int], progress: ProgressListener, listener: SummaryListener | None
    ) -> Iterator[tuple[int, Summary]]:
        options, read_options = self._options, self._read_options
        if self._together:
            if 0 in done:
                return
            sources = self._expansion.sources
            summary, failures = summarize_together(sources, options, read_options, progress, listener)
            for failure in failures:
                self._failures.record(failure)
            if summary is not None:
                yield 0, summary
            return
        numbered = {n: source for n, source in enumerate(self._expansion.sources) if n not in done}
        outcomes = summarize_each(list(numbered.values()), options, read_options, progress, listener)
        for number, outcome in zip(numbered, outcomes, strict=True):
            if isinstance(outcome, Failure):
                self._failures.record(outcome)
            else:
                yield number, outcome

    def _prefix(self, source: str) -> str:
        """What goes before a remark on one of many sources."""
        return f"{source}: " if self.several else ""

    def _comment_on(self, summary: Summary) -> None:
        source = self._prefix(summary.documents[0].source)
        self._say_writer(summary)
        for warning in summary.warnings:
            self._messages.warn(source + warning)
        for part in summary.coverage.left_out:
            self._messages.detail(f"{source}left out {count(part.words, 'word')}: {part.what}")
        if summary.coverage.tokens_references:
            self._messages.detail(
                f"{source}left out {count(summary.coverage.tokens_references, 'token')} of references"
                " (--keep-references reads them)"
            )
        for stage, seconds in summary.seconds.items():
            self._messages.detail(f"{source}{stage}: {seconds:.2f} s")
        self._losses.extend(source + loss for loss in summary.coverage.lost)

    def _say_writer(self, summary: Summary) -> None:
        """Say once which method and checkpoint ``auto`` stands for, and under ``-v`` where it ran."""
        checkpoint = summary.checkpoint
        if checkpoint is None:
            text = "no checkpoint is installed: sentences are extracted from the source (method extract)"
        else:
            text = f"written by the checkpoint {checkpoint.name} (method {summary.method})"
        if text == self._said_writer:
            return
        self._said_writer = text
        if self._options.method == "auto" and self._options.model is None:
            self._messages.note(text)
        if checkpoint is not None:
            told = [f"{name} {value}" for name, value in summary.options.items() if value is not None]
            self._messages.detail(f"{checkpoint.name}: {', '.join(told)}")
