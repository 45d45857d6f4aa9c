"""One run of ``lsum plan``: what came of each source, and how the run ends."""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.cli.failures import FailureLog
from lsum_cli.cli.messages import Messages
from lsum_cli.errors import SourceError
from lsum_cli.methods.base import Plan
from lsum_cli.methods.batch import Failure, read_all
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressListener
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import expand_sources


class PlanJob:
    """Reads the sources and plans their summaries; a source that fails does not end the others.

    Args:
        sources: As the user named them; folders are expanded.
        together: One plan for all, instead of one for each.

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
        self._expansion = expand_sources(sources)
        self._together = together
        self._options = options
        self._read_options = read_options
        self._messages = messages
        self._failures = FailureLog(len(self._expansion.sources), messages)

    def run(self, progress: ProgressListener) -> list[Plan]:
        """The plans of what could be read.

        Raises:
            LsumError: The options are wrong.
        """
        for path in (*self._expansion.skipped, *self._expansion.summaries):
            self._messages.detail(f"left out {path}")
        documents, failures = read_all(self._expansion.sources, self._read_options, progress)
        for failure in failures:
            self._failures.record(failure)
        groups = [documents] if self._together and documents else [[document] for document in documents]
        plans = []
        for group in groups:
            try:
                plans.append(Summarizer(self._options).plan(group))
            except SourceError as error:
                self._failures.record(Failure(source=group[0].source, error=error))
        return plans

    def conclude(self) -> None:
        """End the run as its failures demand.

        Raises:
            LsumError: What :meth:`FailureLog.conclude` raises.
        """
        self._failures.conclude()
