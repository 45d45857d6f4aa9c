"""Systems: anything that writes a summary of an example and can be evaluated."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from lsum_cli.checkpoints.manifest import hash_file
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.checkpoints.values import MANIFEST_NAME, WEIGHT_FILES
from lsum_cli.datasets.example import Example
from lsum_cli.errors import LsumError
from lsum_cli.methods.base import MethodChoice
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import EXTRACT, choose_method
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import CheckpointReference, OptionValue, Summary
from lsum_cli.text.terms import count_words
from lsum_cli.version import __version__

_RUN = re.compile(r"seed-(\d+)(\.\w.*)?")
# These do not change the summaries; the checkpoint's files do.
_NOT_IN_FINGERPRINT = ("device", "offline", "model")


class System(Protocol):
    """Writes a summary of an example.

    Attributes:
        name: Name in tables.
        is_baseline: Whether it is there for comparison only.
        requested_words: The requested length; ``None`` where none was requested.
        checkpoint: The checkpoint it writes with, where that is known beforehand.
    """

    name: str
    is_baseline: bool
    requested_words: int | None
    checkpoint: CheckpointReference | None

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """Everything besides example and checkpoint that its summaries depend on."""
        ...

    @property
    def fingerprint(self) -> str:
        """A hash of settings, checkpoint and version: equal fingerprints give equal summaries."""
        ...

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Write a summary of the example's documents.

        Raises:
            LsumError: It cannot.
        """
        ...


@runtime_checkable
class BatchingSystem(Protocol):
    """A system that may write several summaries together."""

    def summarize_batch(
        self, examples: Sequence[Example], progress: ProgressListener
    ) -> list[Summary] | None:
        """Write a summary of each example's documents; ``None`` where each must be written on its own.

        Raises:
            LsumError: It cannot write them.
        """
        ...


class WorkersOfSystems(Protocol):
    """Processes in which several summaries are written at a time."""

    def write(
        self, system: System, examples: Iterable[Example], progress: ProgressListener
    ) -> Iterator[tuple[Example, Summary | LsumError]]:
        """Let a system summarise examples; yield each with its summary, or its error, as they end."""
        ...


class SummarizerSystem:
    """A method with its options, as ``lsum summarize`` would use it.

    The method and the checkpoint are chosen once, so that all examples are summarised by the same.
    Extraction without a requested length writes as many words as each reference has, as the baselines do:
    unlike a checkpoint it has no length of its own.

    Args:
        options: How summaries are made.
        name: Name in tables; by default that of the checkpoint, else of the method.

    Raises:
        OptionError: There is no such method.
        CheckpointError: The checkpoint is not on this machine, damaged, or of another method.
    """

    is_baseline = False

    def __init__(self, options: SummaryOptions, name: str | None = None) -> None:
        self.choice = choose_method(options, options.locality)
        self.options = _with_choice(options, self.choice)
        self.checkpoint = self.choice.reference
        self.name = name or (self.checkpoint.name if self.checkpoint else self.choice.name)
        self.requested_words = options.num_words if options.length else None
        self._summarizer: Summarizer | None = None
        self._listener: ProgressListener | None = None

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """The options that are set, as plain values."""
        values: dict[str, object] = asdict(self.options)
        if self._follows_references:
            values["lengths"] = "those of the references"
        return {
            name: value if isinstance(value, int | float) else str(value)
            for name, value in values.items()
            if value is not None and name not in _NOT_IN_FINGERPRINT
        }

    @cached_property
    def fingerprint(self) -> str:
        """See :class:`System`."""
        folders = [self.choice.folder]
        if self.options.chapter_model is not None:
            folders.append(resolve_checkpoint(self.options.chapter_model, offline=self.options.offline))
        return fingerprint_of(self.settings, *filter(None, folders))

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Write a summary of the example's documents."""
        # Oracle pooling reads the reference: an upper bound, which the report's settings show.
        reference = example.reference if self._needs_reference else None
        if self._follows_references and example.reference:
            options = replace(self.options, length=str(max(1, count_words(example.reference))))
            return Summarizer(options, progress).summarize(example.documents)
        return self._summarizer_for(progress).summarize(example.documents, reference=reference)

    def summarize_batch(
        self, examples: Sequence[Example], progress: ProgressListener
    ) -> list[Summary] | None:
        """Write summaries together, where the method can; ``None`` where it cannot."""
        if self._needs_reference or self._follows_references:
            return None
        return self._summarizer_for(progress).summarize_batch([example.documents for example in examples])

    @property
    def _follows_references(self) -> bool:
        return self.choice.name == EXTRACT and self.options.length is None

    @property
    def _needs_reference(self) -> bool:
        return self.options.pooling == "oracle"

    def _summarizer_for(self, progress: ProgressListener) -> Summarizer:
        if self._summarizer is None or progress is not self._listener:
            self._summarizer, self._listener = Summarizer(self.options, progress), progress
        return self._summarizer


class SystemRuns:
    """A system that was trained several times, with different seeds: one system in every table.

    Args:
        name: Name in tables.
        runs: What summarises, by the name of the run.
    """

    is_baseline = False

    def __init__(self, name: str, runs: Mapping[str, System]) -> None:
        self.name, self.runs = name, runs


def make_system(options: SummaryOptions) -> SummarizerSystem | SystemRuns:
    """The system of a method, or of all runs in a folder that holds several: ``seed-1``, ``seed-2``, ….

    Raises:
        OptionError: There is no such method.
        CheckpointError: A checkpoint is not on this machine, damaged, or of another method; or a run has
            none yet.
    """
    folder = Path(options.model).expanduser() if options.model else None
    found = find_runs(folder) if folder else []
    if folder is None or not found:
        return SummarizerSystem(options)
    name = folder.resolve().name
    return SystemRuns(
        name,
        {
            run.name: SummarizerSystem(replace(options, model=str(run.absolute())), f"{name} {run.name}")
            for run in found
        },
    )


def find_runs(folder: Path, *, are_files: bool = False) -> list[Path]:
    """The runs in a folder that is not a checkpoint itself, by number: ``seed-1``, ``seed-2``, ….

    Args:
        are_files: Whether the runs are files with a suffix, such as ``seed-1.txt``, rather than folders.
    """
    if not folder.is_dir() or any((folder / name).is_file() for name in (MANIFEST_NAME, "config.json")):
        return []
    runs = {
        path: int(name[1])
        for path in folder.iterdir()
        if (name := _RUN.fullmatch(path.name))
        and bool(name[2]) is are_files
        and path.is_dir() is not are_files
    }
    return sorted(runs, key=lambda path: (runs[path], path.name))


def fingerprint_of(settings: Mapping[str, OptionValue], *folders: Path) -> str:
    """A hash of settings, of the checkpoints in some folders, and of this version."""
    weights = [file for folder in folders for file in _hash_weights(folder)]
    content = [__version__, sorted(settings.items()), weights]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _hash_weights(folder: Path) -> list[tuple[str, str]]:
    """Name and SHA-256 of every file that can change what a checkpoint writes."""
    small = {".json", ".txt", ".model", ".npy", ".npz", ".safetensors"}
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and (path.suffix in small or path.name in WEIGHT_FILES)
    ]
    return [(path.name, hash_file(path)) for path in files]


def _with_choice(options: SummaryOptions, choice: MethodChoice) -> SummaryOptions:
    return replace(options, method=choice.name, model=str(choice.folder) if choice.folder else None)
