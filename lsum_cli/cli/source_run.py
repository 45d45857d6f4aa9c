"""A run over the sources that the user named: what is left out, which fail, and how the run ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.cli.messages import Messages
from lsum_cli.errors import InputLost, OptionError, PartialFailure, SourceError
from lsum_cli.options import Panel, option

if TYPE_CHECKING:
    from lsum_cli.documents import Document
    from lsum_cli.methods.sources import Failure
    from lsum_cli.reading.registry import ReadOptions


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """How several sources are combined, and whether all must be read.

    Raises:
        OptionError: ``multi`` and ``each`` together.
    """

    multi: bool = option(
        False, "--multi", help="Make one summary of all sources together.", panel=Panel.SUMMARY, env=False
    )
    each: bool = option(
        False,
        "--each",
        help="Make one summary per source (the default for several).",
        panel=Panel.SUMMARY,
        env=False,
    )
    since: str | None = option(
        None,
        "--since",
        metavar="OLD",
        help="Summarise what changed since an earlier version: a document, or our HTML report or JSON of it.",
        panel=Panel.SUMMARY,
        env=False,
        shown_default="none",
    )
    strict: bool = option(
        False, "--strict", help="Exit with code 10 if any of the input was not read.", panel=Panel.RUNNING
    )

    def __post_init__(self) -> None:
        if self.multi and self.each:
            raise OptionError("--multi and --each exclude each other", "give one of them")
        if self.since is not None and self.multi:
            raise OptionError("--since compares one document; --multi joins several", "leave out one of them")


class SourceRun:
    """The sources of a run, and what happened to each; a source that fails does not end the others.

    Args:
        sources: As the user named them; folders are expanded.

    Attributes:
        sources: Files, addresses and ``-``.
        together: Whether all sources make one summary.
        since: The earlier version to compare the only source with; ``None`` for none.

    Raises:
        OptionError: An earlier version, and several sources.
        SourceError: A folder without a readable file.
    """

    def __init__(self, sources: Sequence[str], options: SourceOptions, messages: Messages) -> None:
        from lsum_cli.reading.sources import expand_sources

        self._expansion = expand_sources(sources, each=options.each)
        self.sources = self._expansion.sources
        self.together = options.multi
        self.since = options.since
        if self.since is not None and len(self.sources) > 1:
            raise OptionError(
                f"--since compares one document with its earlier version, and there are {len(self.sources)}",
                "give one source",
            )
        self._is_strict = options.strict
        self._messages = messages
        self._failures: list[Failure] = []
        self._losses: list[str] = []
        self._media_types: set[str] = set()

    @property
    def several(self) -> bool:
        """Whether there may be more than one summary."""
        return len(self.sources) > 1 and not self.together

    def say_left_out(self) -> None:
        """Say which files of the folders are not read."""
        from lsum_cli.rendering.quantities import count

        written = self._expansion.summaries
        self._messages.left_out(self._expansion.skipped)
        self._messages.named_again(self._expansion.again)
        if written:
            self._messages.note(f"left out {count(len(written), 'file')} that an earlier run wrote")

    def prefix(self, source: str) -> str:
        """The prefix of a message about one of many sources."""
        return f"{source}: " if self.several else ""

    def record_documents(self, documents: Iterable[Document]) -> None:
        """Remember what kinds of documents were read."""
        self._media_types.update(document.metadata.media_type for document in documents)

    def say_idle(self, typed: Collection[str], reading: ReadOptions) -> None:
        """Warn of flags on the command line that concern PDFs or pictures, if neither was read."""
        if self._media_types:
            for flag, why in reading.idle_flags(self._media_types).items():
                if flag in typed:
                    self._messages.warn(f"{flag} has no effect: {why}")

    def record_failure(self, failure: Failure) -> None:
        """Count a failure, and say it if other sources go on."""
        self._failures.append(failure)
        if len(self.sources) > 1:
            self._messages.fail(failure.error, failure.source)

    def record_losses(self, source: str, losses: Iterable[str]) -> None:
        """Remember what of a source was not read, for ``--strict``."""
        self._losses.extend(self.prefix(source) + loss for loss in losses)

    def conclude(self) -> None:
        """End the run as its failures and losses demand.

        Raises:
            LsumError: The failure of the only source, or all sources failed.
            PartialFailure: Some sources failed.
            InputLost: ``--strict``, and something was not read.
        """
        failed, total = len(self._failures), len(self.sources)
        if failed and total == 1:
            raise self._failures[0].error
        if failed:
            what = f"{failed} of {total} sources failed"
            if failed == total:
                raise SourceError(what, "see the messages above")
            raise PartialFailure(what, "the others are done; see the messages above")
        if self._is_strict and self._losses:
            raise InputLost(
                "; ".join(self._losses), "the summary was written; without --strict this is not an error"
            )
