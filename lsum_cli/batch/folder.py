"""The folder of a batch: what it was made with, the shards that are done, and the rows of those under way.

Once a batch is done the folder holds ``batch.json`` and the shards alone. The name of a shard,
``part-00000-00012-1a2b3c4d5e6f.jsonl``, has its place in the input and a hash of what it summarises, so
that a listing of the folder says what is done. While a batch runs, a hidden folder has the rows of
shards that are not complete; whatever ends the run, the next one goes on from there.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lsum_cli.batch.inputs import Shard
from lsum_cli.batch.rows import Row, RowCounts, ShardFormat, encode_line
from lsum_cli.batch.storage import MANIFEST_NAME, SCHEMA, RemoteStorage, Storage, reporting_storage_errors
from lsum_cli.errors import OutputError

_PART = re.compile(r"part-(?P<place>\d{5,}-\d{5,})-[0-9a-f]{12}\.(?:jsonl|parquet)")
_LOCK_NAME = "lock"
_LONGEST_SHOWN = 60
_DIFFERENCES_SHOWN = 3
_BEGIN_ANEW = "give another --output, or --overwrite to begin anew"


@dataclass(frozen=True, kw_only=True)
class BatchFingerprint:
    """What the rows of a batch depend on; another run may go on with it only where all is the same.

    Attributes:
        version: That of lsum.
        input: What describes the input without reading it.
        settings: The options, by flag, as text.
        writers: The methods and checkpoints that may write.
        shards: Format of the files.
        shard_size: Most documents of a file.
    """

    version: str
    input: Sequence[Mapping[str, object]]
    settings: Mapping[str, str | None]
    writers: object
    shards: ShardFormat
    shard_size: int

    def as_json(self) -> dict[str, Any]:
        """The object of the manifest, without what became of the run."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "input": list(self.input),
            "settings": dict(self.settings),
            "writers": self.writers,
            "shards": self.shards.value,
            "shard_size": self.shard_size,
        }


@dataclass(frozen=True, kw_only=True)
class PartStore:
    """The files with rows; on a cluster, every machine has one.

    Attributes:
        storage: Where they are.
        format: Their format.
    """

    storage: Storage
    format: ShardFormat

    def name_of(self, shard: Shard) -> str:
        """The name of the file of a shard."""
        return shard.name + self.format.suffix

    def check(self, shard: Shard, name: str) -> None:
        """Check that the file in the place of a shard is that of the same documents.

        Raises:
            OutputError: It is not.
        """
        if name != self.name_of(shard):
            raise OutputError(
                f"{self.storage}/{name} holds other documents than {shard.span}: the input has changed",
                _BEGIN_ANEW,
            )

    def count(self, shard: Shard) -> RowCounts:
        """Count the rows of a shard that is complete.

        Raises:
            OutputError: Its file is damaged, or has too few rows.
        """
        path, step = f"{self.storage}/{self.name_of(shard)}", "remove it, and run the same command again"
        content = self.storage.read(self.name_of(shard))
        counts = None if content is None else self.format.count_rows(content)
        if counts is None:
            raise OutputError(f"{path} is damaged", step)
        if counts.documents != len(shard.items):
            raise OutputError(f"{path} has {counts.documents:,} rows instead of {len(shard.items):,}", step)
        return counts

    def write(self, shard: Shard, rows: Mapping[int, Row]) -> RowCounts:
        """Write the file of a shard, whole or not at all, its rows in the order of the input.

        Raises:
            OutputError: It cannot be written.
        """
        ordered = [rows[position] for position in range(len(shard.items))]
        self.storage.write(self.name_of(shard), self.format.encode_rows(ordered))
        return RowCounts.of(ordered)

    def is_seen(self) -> bool:
        """Whether this machine sees the folder."""
        return self.storage.read(MANIFEST_NAME) is not None


@dataclass(kw_only=True)
class BatchFolder:
    """A folder that a batch is written to.

    Attributes:
        store: The files with rows.
        fingerprint: What the rows depend on.
        done: The names of the shards that are complete, by their place in the input.
    """

    store: PartStore
    fingerprint: BatchFingerprint
    done: dict[str, str] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def open(
        cls, storage: Storage, fingerprint: BatchFingerprint, *, overwrite: bool = False
    ) -> Iterator[BatchFolder]:
        """Open a folder for one run, alone; it is made if need be.

        Args:
            overwrite: Whether a batch of other input or settings is removed.

        Raises:
            OutputError: The folder cannot be written, another run writes to it, or it holds other files, or
                a batch of other input or settings.
        """
        folder = cls(store=PartStore(storage=storage, format=fingerprint.shards), fingerprint=fingerprint)
        storage.make()
        folder._check(overwrite=overwrite)  # a folder of something else is left without a trace
        with folder._locked():
            folder._begin(overwrite=overwrite)
            yield folder
            folder._tidy()

    def is_done(self, shard: Shard) -> bool:
        """Whether a shard is complete.

        Raises:
            OutputError: The folder has its place filled by other documents.
        """
        name = self.done.get(shard.place)
        if name is not None:
            self.store.check(shard, name)
        return name is not None

    def rows_of(self, shard: Shard) -> dict[int, Row]:
        """The rows of a shard that is not complete, by their position in it, those of earlier runs too."""
        rows = {}
        with suppress(FileNotFoundError), self._draft_of(shard).open("rb") as draft:
            for line in draft:
                # A line may have been cut off where the run was ended.
                with suppress(ValueError, KeyError, TypeError):
                    entry = json.loads(line)
                    rows[int(entry["position"])] = Row.parse(entry["row"])
        return {position: row for position, row in rows.items() if position < len(shard.items)}

    def add(self, shard: Shard, position: int, row: Row) -> None:
        """Keep a row of a shard that is not complete; it outlives this process.

        Raises:
            OutputError: The disk cannot be written.
        """
        draft = self._draft_of(shard)
        # Begins with a line break, so that it does not continue a line that was cut off.
        line = memoryview(b"\n" + encode_line({"position": position, "row": row.values}))
        with reporting_storage_errors(draft), draft.open("ab", buffering=0) as stream:
            while line:
                line = line[stream.write(line) :]

    def complete(self, shard: Shard) -> RowCounts:
        """Make of the rows of a shard its file.

        Raises:
            OutputError: The disk cannot be written.
        """
        counts = self.store.write(shard, self.rows_of(shard))
        self.done[shard.place] = self.store.name_of(shard)
        with reporting_storage_errors(self._draft_of(shard)):
            self._draft_of(shard).unlink(missing_ok=True)
        return counts

    def finish(self, counts: RowCounts, places: set[str]) -> None:
        """Say in the manifest that everything is done.

        Args:
            counts: The rows of all shards.
            places: All shards of the input.

        Raises:
            OutputError: The folder has shards that the input has no more, or cannot be written.
        """
        foreign = sorted(self.done[place] for place in self.done.keys() - places)
        if foreign:
            raise OutputError(
                f"{self.store.storage}/{foreign[0]} holds documents that the input no longer has", _BEGIN_ANEW
            )
        became = {"finished": True, "files": len(places), **asdict(counts)}
        self._write_manifest(became)

    @property
    def _working(self) -> Path:
        return self.store.storage.working

    def _draft_of(self, shard: Shard) -> Path:
        return self._working / f"{shard.name}.jsonl"

    def _check(self, *, overwrite: bool) -> bool:
        """Whether there is a batch already; refuse one of something else, unless it is to be replaced."""
        earlier = self._read_manifest()
        if earlier is not None and not overwrite and self._has_rows():
            _compare(earlier, json.loads(json.dumps(self.fingerprint.as_json())), str(self.store.storage))
        return earlier is not None

    def _begin(self, *, overwrite: bool) -> None:
        # Another run may have come first.
        if self._check(overwrite=overwrite) and overwrite:
            self._clear()
        self._write_manifest({"finished": False})
        matches = filter(None, map(_PART.fullmatch, self.store.storage.names()))
        self.done = {match["place"]: match.group() for match in matches}

    def _has_rows(self) -> bool:
        """Whether an earlier run has done anything; one that only began binds nobody."""
        names = [path.name for path in self._working.glob("part-*")] + self.store.storage.names()
        return any(map(_PART.fullmatch, names))

    def _read_manifest(self) -> dict[str, Any] | None:
        """What an earlier run says of itself; ``None`` where the folder is empty.

        Raises:
            OutputError: The folder holds something else.
        """
        storage = self.store.storage
        text = storage.read(MANIFEST_NAME)
        if text is None:
            foreign = storage.names()
            if foreign:
                raise OutputError(
                    f"{storage} holds other files ({foreign[0]}), and no {MANIFEST_NAME} of a batch",
                    "give a new or an empty folder as --output",
                )
            return None
        content = None
        with suppress(ValueError):
            content = json.loads(text)
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise OutputError(f"{storage}/{MANIFEST_NAME} is not that of a batch", "give another --output")
        return content

    def _write_manifest(self, more: Mapping[str, object]) -> None:
        content = json.dumps({**self.fingerprint.as_json(), **more}, indent=2, ensure_ascii=False) + "\n"
        self.store.storage.write(MANIFEST_NAME, content.encode("utf-8", "replace"))

    def _clear(self) -> None:
        """Remove the files of an earlier batch, and nothing else."""
        for name in filter(_PART.fullmatch, self.store.storage.names()):
            self.store.storage.remove(name)
        with reporting_storage_errors(self._working):
            for path in self._working.iterdir():
                if path.name != _LOCK_NAME:
                    path.unlink()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock

        with reporting_storage_errors(self._working):
            self._working.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self._working / _LOCK_NAME)
            try:
                lock.acquire(timeout=0)
            except filelock.Timeout:
                raise OutputError(
                    f"another run is writing to {self.store.storage}",
                    "wait for it, or give another --output",
                ) from None
        try:
            yield
        finally:
            lock.release()

    def _tidy(self) -> None:
        """Leave only results, if everything is done."""
        earlier = self._read_manifest()
        if earlier is not None and earlier.get("finished"):
            shutil.rmtree(self._working, ignore_errors=True)
            if isinstance(self.store.storage, RemoteStorage):
                self.store.storage.tidy()


def _compare(there: Mapping[str, Any], here: Mapping[str, Any], place: str) -> None:
    """Refuse to go on with a batch of something else.

    Raises:
        OutputError: They differ; the message says in what.
    """
    differences = [text for key in here for text in _differences(key, there.get(key), here[key])]
    if differences:
        others = len(differences) - _DIFFERENCES_SHOWN
        more = f" and {others} more" if others > 0 else ""
        raise OutputError(
            f"{place} holds the batch of another run: {', '.join(differences[:_DIFFERENCES_SHOWN])}{more}",
            f"give the same input and options, {_BEGIN_ANEW.removeprefix('give ')}",
        )


def _differences(name: str, there: object, here: object) -> Iterator[str]:
    if there == here:
        return
    if name == "writers":
        yield "the methods or checkpoints are others"
    elif isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys([*there, *here]):
            inner = key if name == "settings" else f"{name} {key}"
            yield from _differences(inner, there.get(key), here.get(key))
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for number, (old, new) in enumerate(zip(there, here, strict=True), start=1):
            yield from _differences(f"{name} {number}" if len(here) > 1 else name, old, new)
    elif isinstance(there, list) and isinstance(here, list):
        yield f"{name} had {len(there):,} files and has {len(here):,}"
    else:
        yield f"{name} was {_shown(there)} and is {_shown(here)}"


def _shown(value: object) -> str:
    text = "not given" if value is None else str(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
