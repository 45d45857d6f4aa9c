"""A batch on the machines of a Ray cluster: read, summarised by actors that hold the model, written.

The pipeline is one of Ray Data. A task for each part of the input yields its shards; actors, each with the
workers of :mod:`~lsum_cli.batch.workers` and so with the model in memory, turn a shard into its file.
Files are written whole under names that say what they hold, so a shard that Ray does again, because an
actor or a machine was lost, is still one file.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import pickle
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from lsum_cli.batch.folder import BatchFolder, PartStore
from lsum_cli.batch.inputs import Shard, Unit
from lsum_cli.batch.rows import Row, RowCounts
from lsum_cli.batch.run import STAGE, BatchPlan, BatchResult, FailureListener
from lsum_cli.batch.workers import SummaryTask, SummaryWorkers
from lsum_cli.errors import (
    CheckpointError,
    DatasetError,
    DeviceError,
    LsumError,
    MissingDependency,
    OptionError,
    OutputError,
)
from lsum_cli.methods.registry import fingerprint_writers
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.rendering.json_object import JsonObject
from lsum_cli.version import __version__

ANY_CLUSTER = "auto"
OWN_CLUSTER = "local"
# An address where nobody answers is known as wrong after this time.
ANSWER_SECONDS = 3.0
_HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
_LONGEST_REASON = 200
_ADDRESS = re.compile(r"(ray://)?(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})")
# Failures that are told one by one, of every shard; all are in the rows.
_FAILURES_TOLD = 10
# Nothing is reported to Ray's makers, and the display is ours.
_ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1"}


@dataclass(frozen=True, kw_only=True)
class ShardResult:
    """What became of a shard on the cluster.

    Attributes:
        place: Which shard it is.
        name: The file with its rows.
        counts: Its rows.
        is_earlier: Whether an earlier run has made the file.
        failures: Where its first failures are, and why.
        error: Why the whole batch must stop.
        remarks: What is to be told of it, and of reading its documents.
    """

    place: str
    name: str
    counts: RowCounts = field(default_factory=RowCounts)
    is_earlier: bool = False
    failures: tuple[tuple[str, LsumError], ...] = ()
    error: LsumError | None = None
    remarks: tuple[str, ...] = ()


def check_address(address: str) -> None:
    """Check how the address of a cluster is written.

    Raises:
        OptionError: It is none.
    """
    if address in (ANY_CLUSTER, OWN_CLUSTER) or _ADDRESS.fullmatch(address):
        return
    raise OptionError(
        f"'{address}' is not the address of a Ray cluster",
        f"give --ray HOST:PORT, --ray {OWN_CLUSTER}, or --ray alone at the end of the command",
    )


def run_on_cluster(
    plan: BatchPlan,
    address: str,
    progress: ProgressListener = ignore_progress,
    tell_failure: FailureListener | None = None,
) -> BatchResult:
    """As :func:`~.run.run_batch`, by the machines of a Ray cluster.

    Input and output must be where every machine finds them: in a shared folder, or in object storage.

    Args:
        address: ``"HOST:PORT"``; ``"auto"`` for the cluster that ``RAY_ADDRESS`` or this machine knows of;
            ``"local"`` starts one of this machine alone, for the time of the run.

    Raises:
        MissingDependency: Ray is not installed.
        DeviceError: There is no cluster at the address, or it has no processors or devices for the work.
        OutputError: The folder cannot be written, or holds something else.
    """
    check_address(address)
    with (
        _connected(address) as ray,
        BatchFolder.open(plan.storage, plan.fingerprint, overwrite=plan.options.overwrite) as folder,
    ):
        return _ClusterRun(plan, folder, ray, progress, tell_failure or (lambda *_: None)).run()


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster.

    Raises:
        MissingDependency: It is not installed.
        DeviceError: There is no cluster.
    """
    if importlib.util.find_spec("ray") is None:
        raise MissingDependency("--ray needs Ray Data, which is not installed", "pip install 'lsum-cli[ray]'")
    # Read when Ray is imported, or when it starts a process.
    os.environ |= _ENVIRONMENT
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    how: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == OWN_CLUSTER:
        how["include_dashboard"] = False
    try:
        _check_answer(address)
        import ray
        import ray.data

        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        if address == ANY_CLUSTER:
            from ray._private.services import canonicalize_bootstrap_address

            how["address"] = canonicalize_bootstrap_address(address)
            _check_answer(how["address"] or "")
        with _without_stderr():
            ray.init(**{"address": address, **how})
    except ImportError as error:
        raise MissingDependency(
            f"--ray needs Ray Data, which cannot be imported: {error}", "pip install 'lsum-cli[ray]'"
        ) from error
    except (OSError, RuntimeError, ValueError, OverflowError) as error:
        where = "on this machine or in RAY_ADDRESS" if address == ANY_CLUSTER else f"at {address}"
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())[:_LONGEST_REASON]
        raise DeviceError(
            f"there is no Ray cluster {where}: {reason}",
            f"start one with `ray start --head`, or give --ray {OWN_CLUSTER}",
        ) from error
    # What is done again Ray says on standard output, at the latest when it ends; its logs have it too.
    with Path(os.devnull).open("w", encoding="utf-8") as nothing, redirect_stdout(nothing):
        try:
            yield ray
        finally:
            ray.shutdown()


def _check_answer(address: str) -> None:
    """Check that a server as Ray's answers at an address; Ray itself would wait for minutes.

    Raises:
        OSError: None does.
    """
    known = _ADDRESS.fullmatch(address)
    if known is None or os.environ.get("RAY_USE_TLS", "0") not in ("0", ""):
        return
    with socket.create_connection((known[2].strip("[]"), int(known[3])), timeout=ANSWER_SECONDS) as server:
        # Ray speaks gRPC, and so HTTP/2: a server begins with its settings, a frame of type 4.
        server.sendall(_HTTP2_PREFACE)
        try:
            answer = server.recv(9)
        except TimeoutError:
            answer = b""
    if answer[3:4] != b"\x04":
        raise OSError("what listens there does not answer as Ray does")


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Keep from the terminal what Ray says of its own start; errors it raises."""
    saved = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


@dataclass
class _ClusterRun:
    """A run of a cluster, seen from the program that the user started."""

    plan: BatchPlan
    folder: BatchFolder
    ray: Any
    progress: ProgressListener
    tell_failure: FailureListener

    def run(self) -> BatchResult:
        actors = _plan_actors(self.ray, self.plan)
        counts, resumed, places = RowCounts(), 0, set()
        told: set[str] = set()
        for result in self._results(actors):
            for remark in result.remarks:
                # What concerns the whole run every actor remarks.
                if remark not in told:
                    told.add(remark)
                    self._tell(counts, remark)
            if result.error is not None:
                raise result.error
            for where, error in result.failures:
                self.tell_failure(where, error)
            self.folder.done[result.place] = result.name
            places.add(result.place)
            counts += result.counts
            resumed += result.counts.documents if result.is_earlier else 0
            self._tell(counts)
        self.folder.finish(counts, places)
        return BatchResult(counts=counts, resumed=resumed, jobs=actors.number)

    def _tell(self, counts: RowCounts, remark: str = "") -> None:
        done, total = counts.documents, self.plan.input.num_documents
        self.progress(ProgressEvent(stage=STAGE, done=done, total=total, unit="documents", remark=remark))

    def _results(self, actors: _Actors) -> Iterator[ShardResult]:
        ray, plan = self.ray, self.plan
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        # Every shard is a block of its own, so that it goes to whichever actor is free.
        context.target_max_block_size = 1
        corpus = _make_corpus(plan, dict(self.folder.done))
        shards = ray.data.read_datasource(corpus, override_num_blocks=len(plan.input.units), num_cpus=0)
        done = shards.map_batches(
            ShardActor,
            fn_constructor_kwargs={
                "plan": replace(plan, input=replace(plan.input, units=())),
                "store": self.folder.store,
                "cores": actors.cpus,
                "has_gpu": actors.gpus > 0,
                "home": _Home.here(plan),
            },
            batch_size=1,
            batch_format="numpy",
            compute=ray.data.ActorPoolStrategy(size=actors.number),
            num_cpus=actors.cpus,
            num_gpus=actors.gpus or None,
        )
        for row in done.iter_rows():
            yield cast(ShardResult, pickle.loads(row["result"]))  # noqa: S301 - from our own actors


@dataclass(frozen=True, kw_only=True)
class _Home:
    """The machine that the batch was started on, as the others must be.

    Attributes:
        folder: Where relative paths begin.
        version: That of lsum.
        writers: The methods and checkpoints that may write.
    """

    folder: str
    version: str
    writers: object

    @classmethod
    def here(cls, plan: BatchPlan) -> _Home:
        """This machine."""
        writers = fingerprint_writers(plan.summaries)
        return cls(folder=os.getcwd(), version=__version__, writers=writers)  # noqa: PTH109

    def enter_folder(self) -> None:
        """Let relative paths of this process be those of the home, if it has the folder."""
        with suppress(OSError):
            os.chdir(self.folder)

    def check(self, plan: BatchPlan, store: PartStore) -> None:
        """Check that this machine is as the home.

        Raises:
            DeviceError: It has another lsum.
            CheckpointError: It has other checkpoints.
            OutputError: It does not see the folder of the batch.
        """
        host = socket.gethostname()
        if self.version != __version__:
            raise DeviceError(
                f"{host} has lsum {__version__}, and the batch was begun by {self.version}",
                "install the same version on every machine",
            )
        if fingerprint_writers(plan.summaries) != self.writers:
            raise CheckpointError(
                f"{host} has other checkpoints than the machine of this command",
                "install the same on every machine, or give --model a folder that all of them share",
            )
        if not store.is_seen():
            raise OutputError(
                f"{host} does not see {store.storage}",
                "give --output a folder that all machines share, or one of object storage",
            )


@dataclass(frozen=True, kw_only=True)
class _Actors:
    """How many actors there are, and what each may use."""

    number: int
    cpus: int
    gpus: int


def _plan_actors(ray: Any, plan: BatchPlan) -> _Actors:
    """As many actors as the cluster has processors, or GPUs; or as the user wants.

    Raises:
        DeviceError: The cluster has none.
    """
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    cpus = [int(node.get("CPU", 0)) for node in nodes]
    gpus = int(sum(node.get("GPU", 0) for node in nodes))
    device = plan.summaries.device
    if device.startswith("cuda") or (device == "auto" and gpus and plan.summaries.method != "extract"):
        if not gpus:
            raise DeviceError(f"the cluster has no GPU for --device {device}", "give --device cpu")
        return _Actors(number=min(plan.reading.jobs or gpus, gpus), cpus=1, gpus=1)
    if not sum(cpus):
        raise DeviceError("the cluster has no processors", "start its nodes with --num-cpus")
    number = min(plan.reading.jobs or sum(cpus), sum(cpus))
    # Of its own machine, an actor may use what the others there leave.
    each = max(1, sum(cpus) // number)
    while each > 1 and sum(have // each for have in cpus) < number:
        each -= 1
    return _Actors(number=number, cpus=each, gpus=0)


def _make_corpus(plan: BatchPlan, done: dict[str, str]) -> Any:
    """The input as a source of Ray Data: a block with one row for every shard."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    home = _Home.here(plan)

    class Corpus(Datasource):  # type: ignore[misc]
        """The shards of a batch's input."""

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, parallelism: int, *_: object, **__: object) -> list[Any]:
            del parallelism  # one task reads one part from beginning to end
            size, suffix = plan.options.shard_size, plan.options.shards.suffix
            return [
                ReadTask(
                    _Reading(unit, size, suffix, done, home),
                    BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None),
                )
                for unit in plan.input.units
            ]

    return Corpus()


@dataclass(frozen=True)
class _Reading:
    """Reads one part of the input on some machine of the cluster."""

    unit: Unit
    shard_size: int
    suffix: str
    done: dict[str, str]
    home: _Home

    def __call__(self) -> Iterable[Any]:
        import pyarrow

        self.home.enter_folder()
        for task in self._tasks():
            yield pyarrow.table({"task": [pickle.dumps(task)]})

    def _tasks(self) -> Iterator[_ShardTask | ShardResult]:
        file = self.unit.file
        if file is not None and file.num_bytes is None:
            error = DatasetError(
                f"{socket.gethostname()} does not see {file}",
                "give an input that all machines share, or one of object storage",
            )
            yield ShardResult(place="", name="", error=error)
            return
        for shard in self.unit.shards(self.shard_size):
            name = self.done.get(shard.place)
            # Of a shard that is done nothing has to cross the network but what it is.
            is_done = name == shard.name + self.suffix
            items = tuple(replace(item, content="") for item in shard.items) if is_done else shard.items
            yield _ShardTask(shard=replace(shard, items=items), done=name)


@dataclass(frozen=True, kw_only=True)
class _ShardTask:
    """A shard, and the file that an earlier run has put in its place."""

    shard: Shard
    done: str | None


class ShardActor:
    """Turns shards into their files; holds the model, in a process that it outlives.

    Args:
        plan: What is to be done, without the input.
        store: Where the files go.
        cores: How many processors it may use.
        has_gpu: Whether it has a GPU.
        home: What its machine must be like.
    """

    def __init__(self, plan: BatchPlan, store: PartStore, cores: int, has_gpu: bool, home: _Home) -> None:
        self._plan, self._store, self._home = plan, store, home
        self._cores, self._has_gpu = cores, has_gpu
        self._workers: SummaryWorkers[JsonObject] | None = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Do one shard."""
        [content] = batch["task"]
        task: _ShardTask | ShardResult = pickle.loads(content)  # noqa: S301 - from our own task
        if isinstance(task, ShardResult):
            return {"result": [content]}
        try:
            result = self._do(task.shard, task.done)
        except LsumError as error:
            result = ShardResult(place=task.shard.place, name="", error=error)
        return {"result": [pickle.dumps(result)]}

    def _do(self, shard: Shard, done: str | None) -> ShardResult:
        store, workers = self._store, self._ready()
        name = store.name_of(shard)
        if done is not None:
            store.check(shard, done)
            return ShardResult(place=shard.place, name=name, counts=store.count(shard), is_earlier=True)
        rows: dict[int, Row] = {}
        failures: list[tuple[str, LsumError]] = []

        def fail(position: int, error: LsumError) -> None:
            rows[position] = Row.of_error(shard.items[position], error)
            if len(failures) < _FAILURES_TOLD:
                failures.append((shard.items[position].where, error))

        remarks: dict[str, None] = {}

        def hear(event: ProgressEvent) -> None:
            if event.remark:
                remarks[event.remark] = None

        tasks = []
        for position, item in enumerate(shard.items):
            if isinstance(item.content, LsumError):
                fail(position, item.content)
            else:
                tasks.append(SummaryTask(id=position, source=item.content))
        for outcome in workers.completed(tasks, hear):
            position = outcome.id
            if outcome.error is not None:
                fail(position, outcome.error)
            else:
                rows[position] = Row.of_summary(shard.items[position], cast(JsonObject, outcome.result))
        counts = store.write(shard, rows)
        return ShardResult(
            place=shard.place, name=name, counts=counts, failures=tuple(failures), remarks=tuple(remarks)
        )

    def _ready(self) -> SummaryWorkers[JsonObject]:
        """The process with the model; the machine is checked before the first shard.

        Raises:
            LsumError: The machine is not as it must be.
        """
        if self._workers is None:
            self._home.enter_folder()
            self._home.check(self._plan, self._store)
            workers = self._plan.make_workers(jobs=1, is_on_gpu=self._has_gpu, cores=self._cores)
            self._workers = workers.__enter__()
        return self._workers
