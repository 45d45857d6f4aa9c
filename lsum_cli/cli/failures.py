"""The failures of a run over many sources, and what the run makes of them."""

from __future__ import annotations

from lsum_cli.cli.messages import Messages
from lsum_cli.errors import PartialFailure, SourceError
from lsum_cli.methods.batch import Failure


class FailureLog:
    """Says every failure when it happens and, at the end, raises the error the run ends with.

    Args:
        num_sources: How many sources the run has; the failure of a single one is the run's own.
    """

    def __init__(self, num_sources: int, messages: Messages) -> None:
        self._num_sources = num_sources
        self._messages = messages
        self._failures: list[Failure] = []

    def record(self, failure: Failure) -> None:
        """Count a failure, and say it if other sources go on."""
        self._failures.append(failure)
        if self._num_sources > 1:
            self._messages.fail(failure.error, failure.source)

    def conclude(self) -> None:
        """Raise what the failures amount to, if there are any.

        Raises:
            LsumError: The failure of the only source; all sources failed.
            PartialFailure: Some sources failed.
        """
        failed = len(self._failures)
        if not failed:
            return
        if self._num_sources == 1:
            raise self._failures[0].error
        what = f"{failed} of {self._num_sources} sources failed"
        if failed == self._num_sources:
            raise SourceError(what, "see the messages above")
        raise PartialFailure(what, "the others are done; see the messages above")
