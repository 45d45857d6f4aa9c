"""Documents whose summaries a model writes together: on a GPU, which one document leaves mostly idle."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, cast

from lsum_cli.batch.workers import (
    Estimate,
    Id,
    Outcome,
    Result,
    Summarizing,
    SummaryOrder,
    SummaryTask,
    SummaryWorkers,
    Work,
    explain,
    without_faults_of_the_run,
)
from lsum_cli.documents import Document
from lsum_cli.errors import LsumError
from lsum_cli.locality import count_tokens
from lsum_cli.methods.batching import BATCH_TOKENS_FLAG, BATCH_TOKENS_ON_GPU
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.summaries import Summary

# Documents that are handed to a worker at a time; of these it makes batches.
_GROUP = 32


class _Member(NamedTuple):
    """A task of a group: its position among all, its id, and what the user calls it."""

    number: int
    id: Any
    name: str
    order: SummaryOrder


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """What became of a member: a result, or an error."""

    result: Any = None
    error: LsumError | None = None


class GroupWorkers(SummaryWorkers[Result], Generic[Result]):
    """As :class:`SummaryWorkers`, but each writes the summaries of several documents together.

    Methods that write one summary after the other do so here too. What is written together may differ from
    what is written alone by rounding.

    Args:
        tokens: How many tokens documents that are written together have at most; a longer one is alone.
            ``None`` for as many as suit the method and the device.
    """

    def __init__(
        self,
        options: SummaryOptions,
        read_options: ReadOptions | None = None,
        *,
        finish: Callable[[Summary], Result],
        tokens: int | None = None,
        jobs: int | None = None,
        cores: int | None = None,
    ) -> None:
        super().__init__(
            options, read_options, finish=finish, jobs=jobs, cores=cores, work=_SummarizingTogether(tokens)
        )

    def completed(
        self, tasks: Iterable[SummaryTask[Id]], progress: ProgressListener = ignore_progress
    ) -> Iterator[Outcome[Id, Result]]:
        """See :class:`SummaryWorkers`."""
        return without_faults_of_the_run(self._members(tasks, _once(progress)))

    def _members(
        self, tasks: Iterable[SummaryTask[Id]], progress: ProgressListener
    ) -> Iterator[Outcome[tuple[int, Id], Result]]:
        """The outcome of each member of each group, by position and id."""
        untaken: deque[Outcome[tuple[int, Id], Result]] = deque()
        # Members of a group that cost a worker its life: on its own, one of them will again.
        alone: list[_Member] = []

        def groups() -> Iterator[tuple[list[_Member], str, Any]]:
            left = enumerate(tasks)
            while chunk := list(islice(left, _GROUP)):
                members = []
                for number, task in chunk:
                    try:
                        order = self.take(self.order(task), progress)
                    except LsumError as error:
                        untaken.append(Outcome(id=(number, task.id), source=task.name, error=error))
                    else:
                        members.append(_Member(number, task.id, task.name, order))
                if members:
                    yield members, members[0].name, [member.order for member in members]

        for outcome in self.outcomes(cast(Any, groups()), progress):
            while untaken:
                yield untaken.popleft()
            members = cast(list[_Member], outcome.id)
            if outcome.error is not None:
                alone += members
                continue
            for member, answer in zip(members, cast(list[_Answer], outcome.result), strict=True):
                yield _of(member, answer)
        yield from untaken
        singles = (([member], member.name, [member.order]) for member in alone)
        for outcome in self.outcomes(cast(Any, singles), progress):
            [member] = cast(list[_Member], outcome.id)
            answers = cast(list[_Answer], outcome.result or [_Answer(error=outcome.error)])
            yield _of(member, answers[0])


def _once(progress: ProgressListener) -> ProgressListener:
    """Pass on what all workers say alike, such as of an option, from the first alone."""
    said: set[str] = set()

    def pass_on(event: ProgressEvent) -> None:
        if event.remark.startswith(BATCH_TOKENS_FLAG):
            if said:
                return
            said.add(event.remark)
        progress(event)

    return pass_on


def _of(member: _Member, answer: _Answer) -> Outcome[Any, Any]:
    return Outcome(
        id=(member.number, member.id), source=member.name, result=answer.result, error=answer.error
    )


class _SummarizingTogether(Work[Any]):
    """Reads a group of documents, and summarises them in batches."""

    def __init__(self, tokens: int | None) -> None:
        super().__init__()
        self._wanted = tokens
        # The method makes batches of its own, by the tokens of its checkpoint.
        self._tokens = tokens or BATCH_TOKENS_ON_GPU
        self._each = Summarizing()

    def do(self, order: Sequence[SummaryOrder]) -> list[_Answer]:
        """Summarise; what fails costs no other its summary."""
        self._each.context = self.context
        answers: dict[int, _Answer] = {}
        read: dict[int, tuple[Document, ...]] = {}
        seconds: dict[int, float] = {}
        for position, each in enumerate(order):
            began = time.perf_counter()
            try:
                read[position] = self._each.documents(each)
            except Exception as error:
                answers[position] = _Answer(error=explain(error, each.task.name))
            seconds[position] = time.perf_counter() - began
        for batch in self._batches(read):
            summaries = self._write(order[batch[0]].options, [read[position] for position in batch])
            for position, summary in zip(batch, summaries, strict=True):
                answers[position] = self._answer(order[position], summary, seconds[position])
        return [answers[position] for position in range(len(order))]

    def estimate(self, order: SummaryOrder) -> Estimate | None:
        """See :class:`Work`."""
        self._each.context = self.context
        return Estimate.of(
            self._each.summarizer_for(order.options), self._each.documents(order), together=self._tokens
        )

    def _batches(self, read: dict[int, tuple[Document, ...]]) -> Iterator[list[int]]:
        """Positions of documents that are written together, in order."""
        batch: list[int] = []
        total = 0
        for position, documents in read.items():
            tokens = sum(
                count_tokens(sentence.text) for document in documents for sentence in document.sentences
            )
            if batch and total + tokens > self._tokens:
                yield batch
                batch, total = [], 0
            batch.append(position)
            total += tokens
        if batch:
            yield batch

    def _write(
        self, options: SummaryOptions, batch: Sequence[tuple[Document, ...]]
    ) -> list[Summary | Exception]:
        summarizer = self._each.summarizer_for(options)
        if len(batch) > 1:
            try:
                summaries = summarizer.summarize_batch(batch, self._wanted)
            except LsumError:
                summaries = None  # each is then tried on its own
            if summaries is not None:
                return list(summaries)
        written: list[Summary | Exception] = []
        for documents in batch:
            try:
                written.append(summarizer.summarize(documents))
            except Exception as error:
                written.append(error)
        return written

    def _answer(self, order: SummaryOrder, summary: Summary | Exception, seconds: float) -> _Answer:
        from lsum_cli.methods.sources import with_seconds

        if isinstance(summary, Exception):
            return _Answer(error=explain(summary, order.task.name))
        return _Answer(result=order.finish(with_seconds(summary, {"read": seconds})))
