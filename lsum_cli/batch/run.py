"""Running a batch: every document of the input summarised once, however often the run is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import islice

from lsum_cli.batch.batching import GroupWorkers
from lsum_cli.batch.folder import BatchFingerprint, BatchFolder
from lsum_cli.batch.inputs import BatchInput, Item, Shard, open_input
from lsum_cli.batch.options import BatchOptions
from lsum_cli.batch.rows import Row, RowCounts, describe_for_row
from lsum_cli.batch.storage import Storage, open_storage
from lsum_cli.batch.workers import SummaryTask, SummaryWorkers
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import LsumError
from lsum_cli.methods.batching import BATCH_TOKENS_FLAG
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import EXTRACT, fingerprint_options, fingerprint_writers
from lsum_cli.options import options_of
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.registry import INDIFFERENT, ReadOptions
from lsum_cli.rendering.json_object import JsonObject
from lsum_cli.version import __version__

_GPUS = ("cuda", "mps")
STAGE = "summarising"
# Where memory decides how many workers there are, a few documents are asked what they need.
_SAMPLES = 3

FailureListener = Callable[[str, LsumError], None]
# By shard and position.
_Task = SummaryTask[tuple[str, int]]


@dataclass(frozen=True, kw_only=True)
class BatchPlan:
    """What is to be summarised and how.

    Attributes:
        input: What is read.
        options: Where the rows go.
        summaries: How summaries are made.
        reading: How documents are read; its ``jobs`` is how many are done at a time.
    """

    input: BatchInput
    options: BatchOptions
    summaries: SummaryOptions
    reading: ReadOptions

    @property
    def storage(self) -> Storage:
        """Where the rows go.

        Raises:
            LsumError: Nothing here reaches it.
        """
        return open_storage(self.options.output)

    @property
    def fingerprint(self) -> BatchFingerprint:
        """What its rows depend on."""
        columns = asdict(self.input.units[0].options)
        settings = {
            **_by_flag(SummaryOptions, fingerprint_options(self.summaries)),
            **_by_flag(ReadOptions, asdict(self.reading)),
            **_by_flag(DatasetOptions, columns),
        }
        del settings["--summary-column"]
        return BatchFingerprint(
            version=__version__,
            input=self.input.describe(),
            settings=settings,
            writers=fingerprint_writers(self.summaries),
            shards=self.options.shards,
            shard_size=self.options.shard_size,
        )

    @property
    def finish(self) -> Callable[..., JsonObject]:
        """What a worker makes of a summary."""
        return partial(describe_for_row, show_attribution=self.summaries.attribution)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Of options that have no effect, one line each."""
        if self.options.batch_tokens is not None and self.summaries.method == EXTRACT:
            return (f"{BATCH_TOKENS_FLAG} has no effect: no model writes",)
        return ()

    @property
    def is_extraction(self) -> bool:
        """Whether no model could write any of the summaries."""
        writers = fingerprint_writers(self.summaries)
        return bool(writers) and all(writer[0] == EXTRACT for writer in writers)

    @property
    def wants_gpu(self) -> bool:
        """Whether the user has named a GPU to compute with."""
        return self.summaries.device.partition(":")[0] in _GPUS

    def make_workers(
        self, *, jobs: int | None, is_on_gpu: bool, cores: int | None = None
    ) -> SummaryWorkers[JsonObject]:
        """Processes that summarise; their model writes several summaries together if the options say so.

        Args:
            jobs: How many there are; ``None`` for what suits the machine.
            is_on_gpu: Whether they compute on a GPU, which one document leaves mostly idle.
            cores: How many processors they may use together; ``None`` for all there are.
        """
        tokens = self.options.batch_tokens
        if (tokens is not None or is_on_gpu) and self.summaries.method != EXTRACT:
            return GroupWorkers(
                self.summaries, self.reading, finish=self.finish, tokens=tokens, jobs=jobs, cores=cores
            )
        return SummaryWorkers(
            self.summaries,
            self.reading,
            finish=self.finish,
            jobs=jobs,
            num_tasks=self.input.num_documents,
            cores=cores,
        )


@dataclass(frozen=True, kw_only=True)
class BatchResult:
    """What became of a batch.

    Attributes:
        counts: All its rows.
        resumed: How many of them earlier runs have made.
        jobs: How many documents were done at a time.
    """

    counts: RowCounts
    resumed: int
    jobs: int


def plan_batch(
    given: Sequence[str],
    options: BatchOptions,
    summaries: SummaryOptions,
    reading: ReadOptions,
    columns: DatasetOptions,
) -> BatchPlan:
    """Open the input of a batch.

    Raises:
        LsumError: As :func:`open_input`; or what the rows are to be written with is not installed.
    """
    options.shards.check()
    return BatchPlan(input=open_input(given, columns), options=options, summaries=summaries, reading=reading)


def run_batch(
    plan: BatchPlan,
    progress: ProgressListener = ignore_progress,
    tell_failure: FailureListener | None = None,
) -> BatchResult:
    """Summarise every document that has no row yet, with the processes of this machine.

    Args:
        progress: Told how many documents are done.
        tell_failure: Told of every document without a summary, and why.

    Raises:
        OutputError: The folder cannot be written, or holds something else.
        LsumError: The options are at fault, and every document would fail.
    """
    with (
        plan.make_workers(jobs=plan.reading.jobs, is_on_gpu=plan.wants_gpu) as workers,
        BatchFolder.open(plan.storage, plan.fingerprint, overwrite=plan.options.overwrite) as folder,
    ):
        return _LocalRun(plan, folder, workers, progress, tell_failure or (lambda *_: None)).run()


@dataclass(kw_only=True)
class _OpenShard:
    """A shard that is being done; of its items only what their rows need is kept."""

    shard: Shard
    left: int


@dataclass
class _LocalRun:
    """A run of the processes of this machine; what is done is on disk at once, and not in memory."""

    plan: BatchPlan
    folder: BatchFolder
    workers: SummaryWorkers[JsonObject]
    progress: ProgressListener
    tell_failure: FailureListener
    _open: dict[str, _OpenShard] = field(default_factory=dict)
    _places: set[str] = field(default_factory=set)
    _counts: RowCounts = field(default_factory=RowCounts)
    _resumed: int = 0
    _done: int = 0

    def run(self) -> BatchResult:
        tasks = self._tasks()
        first = list(islice(tasks, _SAMPLES))
        jobs = self.workers.choose_jobs(first)
        for outcome in self.workers.completed(_chain(first, tasks), self.progress):
            place, position = outcome.id
            current = self._open[place]
            item = current.shard.items[position]
            if outcome.error is None and outcome.result is not None:
                row = Row.of_summary(item, outcome.result)
            else:
                assert outcome.error is not None
                row = self._fail(item, outcome.error)
            self._add(current, position, row)
        self.folder.finish(self._counts, self._places)
        return BatchResult(counts=self._counts, resumed=self._resumed, jobs=jobs)

    def _tasks(self) -> Iterator[_Task]:
        """What is left to do; shards that are done are counted on the way."""
        for shard in self.plan.input.shards(self.plan.options.shard_size):
            self._places.add(shard.place)
            if self.folder.is_done(shard):
                self._counts += self.folder.store.count(shard)
                self._resumed += len(shard.items)
                self._tell(len(shard.items))
                continue
            earlier = self.folder.rows_of(shard).keys()
            self._resumed += len(earlier)
            self._tell(len(earlier))
            left = [position for position in range(len(shard.items)) if position not in earlier]
            light = tuple(replace(item, content="") for item in shard.items)
            current = _OpenShard(shard=replace(shard, items=light), left=len(left))
            self._open[shard.place] = current
            if not left:
                self._complete(current)
            for position in left:
                item = shard.items[position]
                if isinstance(item.content, LsumError):
                    self._add(current, position, self._fail(item, item.content))
                else:
                    yield SummaryTask(id=(shard.place, position), source=item.content)

    def _fail(self, item: Item, error: LsumError) -> Row:
        self.tell_failure(item.where, error)
        return Row.of_error(item, error)

    def _add(self, current: _OpenShard, position: int, row: Row) -> None:
        self.folder.add(current.shard, position, row)
        current.left -= 1
        self._tell(1)
        if not current.left:
            self._complete(current)

    def _complete(self, current: _OpenShard) -> None:
        shard = current.shard
        self._counts += self.folder.complete(shard)
        del self._open[shard.place]

    def _tell(self, number: int) -> None:
        if number:
            self._done += number
            total = self.plan.input.num_documents
            self.progress(ProgressEvent(stage=STAGE, done=self._done, total=total, unit="documents"))


def _chain(first: Sequence[_Task], rest: Iterator[_Task]) -> Iterator[_Task]:
    yield from first
    yield from rest


def _by_flag(kind: type, values: dict[str, object] | dict[str, str | None]) -> dict[str, str | None]:
    """The values of options, by flag, as text; those that rows do not depend on are left out."""
    flags = {name: known.flag for name, known in options_of(kind).items()}
    return {
        flags[each.name]: None if (value := values[each.name]) is None else str(value)
        for each in fields(kind)
        if each.name in flags and each.name in values and each.name not in INDIFFERENT
    }
