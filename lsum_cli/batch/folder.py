"""The folder of a batch: what it was made with, the shards that are done, and the rows of those under way.

Once a batch is done the folder holds ``batch.json`` and the shards alone. The name of a shard,
``part-00000-00012-1a2b3c4d5e6f.jsonl``, has its place in the input and a hash of what it summarises, so
that a listing of the folder says what is done. While a batch runs, a hidden folder has the rows of
shards that are not complete; whatever ends the run, the next one goes on from there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsum_cli.batch.inputs import Shard
from lsum_cli.batch.rows import Row, RowCounts, ShardFormat, encode_line
from lsum_cli.errors import OutputError

MANIFEST_NAME = "batch.json"
SCHEMA = "lsum.batch/1"
WORKING_NAME = ".lsum-batch"
_PART = re.compile(r"part-(?P<place>\d{5,}-\d{5,})-(?P<digest>[0-9a-f]{12})\.(?P<format>jsonl|parquet)")
_LOCK_NAME = "lock"
_LONGEST_SHOWN = 60


@dataclass(frozen=True, kw_only=True)
class BatchIdentity:
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
    input: Mapping[str, Any]
    settings: Mapping[str, str | None]
    writers: object
    shards: ShardFormat
    shard_size: int

    def as_json(self) -> dict[str, Any]:
        """The object of the manifest, without what became of the run."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "input": dict(self.input),
            "settings": dict(self.settings),
            "writers": self.writers,
            "shards": self.shards.value,
            "shard_size": self.shard_size,
        }


@dataclass(kw_only=True)
class BatchFolder:
    """A folder that a batch is written to.

    Attributes:
        path: The folder.
        identity: What its rows depend on.
        done: The names of the shards that are complete, by their place in the input.
    """

    path: Path
    identity: BatchIdentity
    done: dict[str, str] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def open(cls, path: Path, identity: BatchIdentity, *, overwrite: bool = False) -> Iterator[BatchFolder]:
        """Open a folder for one run, alone; it is made if need be.

        Args:
            overwrite: Whether a batch of other input or settings is removed.

        Raises:
            OutputError: The folder cannot be written, another run writes to it, or it holds other files, or
                a batch of other input or settings.
        """
        folder = cls(path=path, identity=identity)
        with _explained(path):
            path.mkdir(parents=True, exist_ok=True)
            folder._read_manifest()  # a folder of something else is left without a trace
            folder._working.mkdir(exist_ok=True)
        with folder._locked():
            folder._begin(overwrite=overwrite)
            yield folder
            folder._tidy()

    def _begin(self, *, overwrite: bool) -> None:
        with _explained(self.path):
            earlier = self._read_manifest()
            if overwrite and earlier is not None:
                self._clear()
            elif earlier is not None:
                _compare(earlier, json.loads(json.dumps(self.identity.as_json())), self.path)
            self._write_manifest({"finished": False})
            self.done = {match["place"]: match.group() for match in self._parts()}

    def is_done(self, shard: Shard) -> bool:
        """Whether a shard is complete.

        Raises:
            OutputError: The folder has its place filled by other documents.
        """
        name = self.done.get(shard.place)
        if name is not None and name != self.name_of(shard):
            raise OutputError(
                f"{self.path / name} holds other documents than {shard.span} now are: the input has changed",
                "give another --output, or --overwrite to begin anew",
            )
        return name is not None

    def name_of(self, shard: Shard) -> str:
        """The name of the file of a shard."""
        return f"part-{shard.place}-{shard.digest}{self.identity.shards.suffix}"

    def count(self, shard: Shard) -> RowCounts:
        """Count the rows of a shard that is complete.

        Raises:
            OutputError: Its file is damaged, or has too few rows.
        """
        path = self.path / self.name_of(shard)
        with _explained(path):
            counts = self.identity.shards.count(path.read_bytes(), str(path))
        if counts.documents != len(shard.items):
            raise OutputError(
                f"{path} has {counts.documents:,} rows instead of {len(shard.items):,}",
                "remove it, and run the same command again",
            )
        return counts

    def rows_of(self, shard: Shard) -> dict[int, Row]:
        """The rows of a shard that an earlier run has done, by their position in it."""
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
        with _explained(draft), draft.open("ab", buffering=0) as stream:
            # Begins with a line break, so that it does not continue a line that was cut off.
            line = b"\n" + encode_line({"position": position, "row": row.values})
            if stream.write(line) != len(line):
                raise OSError(28, os.strerror(28))

    def complete(self, shard: Shard, rows: Mapping[int, Row]) -> RowCounts:
        """Write the file of a shard, whole or not at all, its rows in the order of the input.

        Raises:
            OutputError: The disk cannot be written.
        """
        ordered = [rows[position] for position in range(len(shard.items))]
        name = self.name_of(shard)
        self._replace(self.path / name, self.identity.shards.encode(ordered))
        self.done[shard.place] = name
        with suppress(OSError):
            self._draft_of(shard).unlink(missing_ok=True)
        return RowCounts.of(ordered)

    def finish(self, counts: RowCounts, places: set[str]) -> None:
        """Say in the manifest that everything is done, and remove what was needed until then.

        Args:
            counts: The rows of all shards.
            places: All shards of the input.

        Raises:
            OutputError: The folder has shards that the input has no more, or cannot be written.
        """
        foreign = sorted(self.done[place] for place in self.done.keys() - places)
        if foreign:
            raise OutputError(
                f"{self.path / foreign[0]} holds documents that the input no longer has",
                "give another --output, or --overwrite to begin anew",
            )
        with _explained(self.path):
            self._write_manifest(
                {
                    "finished": True,
                    "documents": counts.documents,
                    "failed": counts.failed,
                    "lossy": counts.lossy,
                    "files": len(places),
                }
            )

    @property
    def _working(self) -> Path:
        return self.path / WORKING_NAME

    def _draft_of(self, shard: Shard) -> Path:
        return self._working / f"{shard.place}-{shard.digest}.jsonl"

    def _parts(self) -> list[re.Match[str]]:
        return [match for name in os.listdir(self.path) if (match := _PART.fullmatch(name))]

    def _read_manifest(self) -> dict[str, Any] | None:
        """What an earlier run says of itself; ``None`` where the folder is empty.

        Raises:
            OutputError: The folder holds something else.
        """
        manifest = self.path / MANIFEST_NAME
        try:
            content = json.loads(manifest.read_bytes())
        except FileNotFoundError:
            foreign = sorted(name for name in os.listdir(self.path) if name != WORKING_NAME)
            if foreign:
                raise OutputError(
                    f"{self.path} holds other files ({foreign[0]}), and no {MANIFEST_NAME} of a batch",
                    "give a new or an empty folder as --output",
                ) from None
            return None
        except ValueError:
            content = None
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise OutputError(f"{manifest} is not that of a batch", "give another --output")
        return content

    def _write_manifest(self, more: Mapping[str, object]) -> None:
        content = json.dumps({**self.identity.as_json(), **more}, indent=2, ensure_ascii=False) + "\n"
        self._replace(self.path / MANIFEST_NAME, content.encode("utf-8", "replace"))

    def _replace(self, path: Path, content: bytes) -> None:
        draft = self._working / f"{path.name}.draft"
        with _explained(path):
            try:
                with draft.open("wb") as stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
                draft.replace(path)
            except OSError:
                draft.unlink(missing_ok=True)
                raise

    def _clear(self) -> None:
        for match in self._parts():
            (self.path / match.group()).unlink()
        for path in self._working.iterdir():
            if path.name != _LOCK_NAME:
                path.unlink()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock

        lock = filelock.FileLock(self._working / _LOCK_NAME)
        try:
            with _explained(self.path):
                lock.acquire(timeout=0)
        except filelock.Timeout:
            raise OutputError(
                f"another run is writing to {self.path}", "wait for it, or give another --output"
            ) from None
        try:
            yield
        finally:
            lock.release()

    def _tidy(self) -> None:
        """Leave only results, if everything is done; where another run has just begun, it needs the folder."""
        earlier = self._read_manifest()
        if earlier is not None and earlier.get("finished"):
            shutil.rmtree(self._working, ignore_errors=True)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say what a disk refuses."""
    try:
        yield
    except OSError as error:
        import errno

        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OutputError(
                f"{path} cannot be written: {error.strerror}; what is done is kept",
                "free some space, and run the same command again",
            ) from error
        raise OutputError(f"{path} cannot be written: {error.strerror}", "give another --output") from error


def _compare(there: Mapping[str, Any], here: Mapping[str, Any], path: Path) -> None:
    """Refuse to go on with a batch of something else.

    Raises:
        OutputError: They differ; the message says in what.
    """
    differences = [text for key in here for text in _differences(key, there.get(key), here[key])]
    if differences:
        more = f" and {len(differences) - 3} more" if len(differences) > 3 else ""
        raise OutputError(
            f"{path} holds the batch of another run: {', '.join(differences[:3])}{more}",
            "give the same input and options, another --output, or --overwrite to begin anew",
        )


def _differences(name: str, there: object, here: object) -> Iterator[str]:
    if there == here:
        return
    if isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys([*there, *here]):
            yield from _differences(key if name == "settings" else f"{name} {key}", there.get(key), here.get(key))
        return
    shown = [json.dumps(value, ensure_ascii=False) for value in (there, here)]
    if all(len(text) <= _LONGEST_SHOWN for text in shown):
        yield f"{name} was {shown[0]} and is {shown[1]}"
    else:
        yield f"{name} is another"
