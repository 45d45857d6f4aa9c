"""The manifest: what a checkpoint is, where it came from, and whether its files are intact."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsum_cli.checkpoints.values import FAITHFULNESS, MANIFEST_NAME, READING, WEIGHTS_NAME, CheckpointMethod
from lsum_cli.errors import CheckpointError
from lsum_cli.generation.options import Slots
from lsum_cli.locality import Locality
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.records import RecordError, decode, encode
from lsum_cli.text.patterns import regex
from lsum_cli.version import __version__

FORMAT = 1
LICENCE_UNKNOWN = "none stated"
ABSENT_PAGE_TEXT = "."
MAX_MANIFEST_BYTES = 1 << 20
_MAX_CONFIG_BYTES = 4 << 20
# Numbers in a configuration that decide how much is built before any weights are read.
_LAYERS = regex(r"(?:^|_)(?:layers?|blocks?)$")
_SIZE = regex(r"(?:size|dim|heads|positions|embeddings|model|d_ff|d_kv|window|buckets|distance)$")
_MAX_LAYERS = 1_000
_MAX_SIZE = 1 << 24

_FILE_NAME = regex(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}")
_LANGUAGE = regex(r"[a-z]{2}")
_SHA256 = regex(r"[0-9a-f]{64}")


class OriginKind(enum.StrEnum):
    """The kind of place that a checkpoint came from."""

    HUB = "hub"
    DRIVE = "drive"
    FILE = "file"
    TRAINING = "training"


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where a checkpoint came from.

    Attributes:
        source: Hub id, link, file name, or what it was trained from.
        revision: The exact state: the hub's commit, or the SHA-256 of a published file.
        requested: The revision the user asked for by name; ``None`` for the newest.
    """

    kind: OriginKind
    source: str
    revision: str | None = None
    requested: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FileRecord:
    """The expected size and hash of one file of a checkpoint."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationDefaults:
    """Search settings that a checkpoint was tuned with; ``None`` if it has none.

    Attributes:
        min_tokens: Minimum length of the summary, without start, first and end tokens.
        max_tokens: Maximum length of the summary, counted likewise.
        slots: Where finished hypotheses stay during the search.
    """

    min_tokens: int | None = None
    max_tokens: int | None = None
    beams: int | None = None
    length_penalty: float | None = None
    no_repeat_ngram: int | None = None
    early_stopping: bool | None = None
    slots: Slots | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingData:
    """A data set that a checkpoint was trained or validated on.

    Attributes:
        split: ``"train"`` or ``"validation"``.
        name: Name of the data set.
        examples: Number of examples used.
        fingerprint: Hash of the content of the files and of the options they were read with.
        files: SHA-256 of every file, by its path.
    """

    split: str
    name: str
    examples: int
    fingerprint: str
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingRecord:
    """How a checkpoint was trained.

    Attributes:
        recipe: Every setting by its path, such as ``"training.seed": "0"``.
        step: Number of optimizer steps up to these weights.
        epoch: Number of passes over the data up to then.
        processes: Number of processes that trained together.
        versions: Versions of the libraries.
        commit: Commit of the repository that it was started in; ``+`` behind it where files had changed.
        hardware: The machine, in a line.
        parameters: Number of weights.
        seconds: Time of training, as far as the last start goes back.
        energy_wh: Energy that the processor counted in this time, in watt hours; ``None`` where none did.
    """

    recipe: Mapping[str, str]
    data: tuple[TrainingData, ...]
    step: int
    epoch: float
    processes: int = 1
    versions: Mapping[str, str] = field(default_factory=dict)
    commit: str | None = None
    hardware: str | None = None
    parameters: int | None = None
    seconds: float | None = None
    energy_wh: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Int8Record:
    """How a checkpoint in 8-bit integers compares with its full weights.

    Attributes:
        agreement: Share of tokens for which both think the same one the most probable.
        divergence: Mean Kullback-Leibler divergence of what integers expect from what the full weights
            expect, in nats a token.
        tokens: Number of tokens compared.
        sample: What was summarised for it.
        speed: Processor time in integers, divided by that in the precision otherwise chosen there: for
            every class of processors that it was measured on.
    """

    agreement: float
    divergence: float
    tokens: int
    sample: str
    speed: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """Everything that is known about a checkpoint without loading it.

    Attributes:
        format: Version of the manifest's format.
        name: Short name, or hub id.
        method: The method that the weights are for.
        base: The model it was initialised from, or ``None``.
        locality: The locality it was trained for, or ``None``.
        page_len: Maximum number of tokens of a page, ``<s>`` and ``</s>`` included.
        pages: Number of pages it was trained with, if fixed.
        mask_absent_pages: Whether a page without text has weight exactly 0.
        absent_page_text: The text of such a page if it is not masked.
        trained_confidence: Whether its page confidences were trained, so that they can be shown.
        languages: Two-letter codes of the languages it reads; empty where that is not known.
        generation: Lengths and search settings it was tuned with.
        faithful: The value of ``--faithful`` unless the user gives one, of :data:`FAITHFULNESS`.
        read: The value of ``--read`` unless the user gives one, as :data:`READING` has it.
        licence: Name of the licence, or :data:`LICENCE_UNKNOWN`.
        files: Every file except the manifest.
        metrics: Scores by name, as published or measured.
        beats_extraction: Whether it passed the gate of ``benchmarks.mini_gate``. A packaged checkpoint that
            did not is used only on request.
        int8: How it compares in 8-bit integers, if that was measured.
        training: How it was trained, if by lsum.
        lsum_version: The version of lsum that wrote the manifest.
        created: The date of creation (ISO 8601).
    """

    format: int = FORMAT
    name: str
    method: CheckpointMethod
    base: str | None = None
    locality: Locality | None = None
    page_len: int | None = None
    pages: int | None = None
    mask_absent_pages: bool = True
    absent_page_text: str = ""
    trained_confidence: bool = False
    languages: tuple[str, ...] = ()
    generation: GenerationDefaults = field(default_factory=GenerationDefaults)
    faithful: str | None = None
    read: str | None = None
    licence: str = LICENCE_UNKNOWN
    origin: Origin
    files: tuple[FileRecord, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)
    beats_extraction: bool = False
    int8: Int8Record | None = None
    training: TrainingRecord | None = None
    lsum_version: str = __version__
    created: str = field(default_factory=lambda: datetime.date.today().isoformat())

    def reads(self, language: str | None) -> bool:
        """Whether it reads a language, as far as both are known."""
        return language is None or not self.languages or language in self.languages

    @property
    def size(self) -> int:
        """The total size of its files in bytes."""
        return sum(file.size for file in self.files)

    @property
    def weights_sha256(self) -> str | None:
        """The hash of the weights if they are a single file."""
        return next((file.sha256 for file in self.files if file.name == WEIGHTS_NAME), None)

    def with_files(self, files: tuple[FileRecord, ...]) -> Manifest:
        """Return this manifest with other files."""
        return dataclasses.replace(self, files=files)

    def to_json(self) -> str:
        """Return the text of ``manifest.json``."""
        return json.dumps(encode(self), indent=2, ensure_ascii=False) + "\n"


def parse_manifest(text: str | bytes, where: str) -> Manifest:
    """Read a manifest from its text.

    Args:
        where: The name of the checkpoint for messages.

    Raises:
        CheckpointError: It is damaged, or its format is newer.
    """
    try:
        raw = json.loads(text)
        version = raw.get("format") if isinstance(raw, dict) else None
        if type(version) is int and version > FORMAT:
            raise CheckpointError(
                f"{where} has a manifest of format {version}; this lsum reads up to {FORMAT}",
                "upgrade lsum: pip install -U lsum-cli",
            )
        manifest = decode(Manifest, raw)
        _check(manifest)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(
            f"the manifest of {where} is damaged: {error}", "pull or import the checkpoint again"
        ) from error
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a checkpoint's folder.

    Raises:
        CheckpointError: There is none, or it is damaged or of a newer format.
    """
    path = folder / MANIFEST_NAME
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise CheckpointError(
                f"{path} is too large to be a manifest", "pull or import the checkpoint again"
            )
        text = path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"{path} cannot be read: {error.strerror}", "pull or import the checkpoint again"
        ) from error
    return parse_manifest(text, str(folder))


def _check(manifest: Manifest) -> None:
    names = [file.name for file in manifest.files]
    for file in manifest.files:
        if not _FILE_NAME.fullmatch(file.name) or file.name == MANIFEST_NAME:
            raise RecordError(f"{file.name!r} is not a valid file name")
        if file.size < 0 or not _SHA256.fullmatch(file.sha256):
            raise RecordError(f"size or hash of {file.name} is not valid")
    if len({name.casefold() for name in names}) < len(names):
        raise RecordError("files: a name is listed twice")
    if manifest.format < 1:
        raise RecordError(f"format: must be 1 or more, not {manifest.format}")
    if manifest.faithful not in (None, *FAITHFULNESS):
        raise RecordError(f"faithful: must be one of {', '.join(FAITHFULNESS)}, not {manifest.faithful!r}")
    if manifest.read is not None and not READING.fullmatch(manifest.read):
        raise RecordError(f"read: must be all or salient[:TOKENS], not {manifest.read!r}")
    if (int8 := manifest.int8) is not None:
        if not (0 <= int8.agreement <= 1 and int8.divergence >= 0 and int8.tokens >= 0):
            raise RecordError("int8: agreement is a share, divergence and tokens are 0 or more")
        if any(not share > 0 for share in int8.speed.values()):
            raise RecordError("int8: a share of time is more than 0")
    if any(_LANGUAGE.fullmatch(language) is None for language in manifest.languages):
        raise RecordError(f"languages: must be codes of two letters, not {', '.join(manifest.languages)}")
    for label, number in (("page_len", manifest.page_len), ("pages", manifest.pages)):
        if number is not None and number < 1:
            raise RecordError(f"{label}: must be 1 or more, not {number}")


_CHUNK = 1 << 22
_AGAIN_OR_REINSTALL = "pull or import it again with --overwrite, or reinstall lsum if it is part of lsum"


def record_files(
    folder: Path, progress: ProgressListener = ignore_progress, *, known: Iterable[FileRecord] = ()
) -> tuple[FileRecord, ...]:
    """Record size and hash of every file of a folder except the manifest, sorted by name.

    Args:
        known: Files whose hashes were verified while they were written; not hashed again.
    """
    records = {file.name: file for file in known}
    names = sorted(p.name for p in folder.iterdir() if p.name != MANIFEST_NAME and p.is_file())
    unknown = [folder / name for name in names if name not in records]
    for path, sha256 in zip(unknown, _hash_all(unknown, "hashing", progress), strict=True):
        records[path.name] = FileRecord(name=path.name, size=path.stat().st_size, sha256=sha256)
    return tuple(records[name] for name in names)


def verify_sizes(folder: Path, manifest: Manifest) -> None:
    """Check that every file exists and has its size; fast enough for every load.

    Raises:
        CheckpointError: One is missing or has another size.
    """
    for file in manifest.files:
        try:
            size = (folder / file.name).stat().st_size
        except OSError as error:
            raise CheckpointError(
                f"{manifest.name} lacks the file {file.name} in {folder}", _AGAIN_OR_REINSTALL
            ) from error
        if size != file.size:
            raise CheckpointError(
                f"{folder / file.name} has {size:,} bytes instead of {file.size:,}: it is damaged",
                _AGAIN_OR_REINSTALL,
            )


def verify_hashes(folder: Path, manifest: Manifest, progress: ProgressListener = ignore_progress) -> None:
    """Check the hash of every file.

    Raises:
        CheckpointError: One is missing or differs.
    """
    verify_sizes(folder, manifest)
    hashes = _hash_all([folder / file.name for file in manifest.files], "verifying", progress)
    for file, sha256 in zip(manifest.files, hashes, strict=True):
        if sha256 != file.sha256:
            raise CheckpointError(
                f"{folder / file.name} does not match its manifest: SHA-256 differs", _AGAIN_OR_REINSTALL
            )


def hash_file(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return _hash_all([path], "hashing", ignore_progress)[0]


def _hash_all(paths: Iterable[Path], stage: str, progress: ProgressListener) -> list[str]:
    paths = list(paths)
    total = sum(path.stat().st_size for path in paths)
    done, hashes = 0, []
    for path in paths:
        digest = hashlib.sha256()
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                done += len(chunk)
                progress(ProgressEvent(stage=stage, done=done >> 20, total=total >> 20, unit="MiB"))
        hashes.append(digest.hexdigest())
    return hashes


_AGAIN = "pull or import the checkpoint again"


def describe_folder(path: Path) -> Manifest:
    """Read the manifest of a folder, or infer one from ``config.json`` where there is none.

    Raises:
        CheckpointError: The manifest is damaged, or there is no usable configuration.
    """
    if (path / MANIFEST_NAME).is_file():
        return read_manifest(path)
    config = read_config(path)
    model_type: str = config["model_type"]
    own = model_type in [method.value for method in CheckpointMethod]
    method = CheckpointMethod(model_type) if own else CheckpointMethod.SEQ2SEQ
    method = CheckpointMethod.TAGGER if is_tagger(config) else method
    is_pagesum = method is CheckpointMethod.PAGESUM
    masks = bool(config.get("mask_absent_pages", True))
    name, origin = _origin_of(path)
    try:
        return Manifest(
            name=name,
            method=method,
            locality=Locality(config["locality"]) if is_pagesum and config.get("locality") else None,
            page_len=int(config["page_len"]) if is_pagesum and "page_len" in config else None,
            mask_absent_pages=masks,
            absent_page_text="" if masks else ABSENT_PAGE_TEXT,
            trained_confidence=is_pagesum and bool(config.get("locality")),
            origin=origin,
        )
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"the configuration of {path} is damaged: {error}", _AGAIN) from error


def is_tagger(config: Mapping[str, Any]) -> bool:
    """Whether a configuration is that of a model that scores the tokens of a document."""
    architectures = config.get("architectures")
    names = architectures if isinstance(architectures, list) else []
    return any(str(name).endswith("ForTokenClassification") for name in names)


def _origin_of(path: Path) -> tuple[str, Origin]:
    """Name and origin of a folder without a manifest; in the hub library's cache, the path contains both."""
    repository = path.parent.parent.name
    if path.parent.name == "snapshots" and repository.startswith("models--"):
        name = repository.removeprefix("models--").replace("--", "/", 1)
        return name, Origin(kind=OriginKind.HUB, source=name, revision=path.name)
    return path.name, Origin(kind=OriginKind.FILE, source=str(path))


def read_config(path: Path) -> dict[str, Any]:
    """Read ``config.json`` of a folder.

    Raises:
        CheckpointError: It is missing, not a JSON object, names no architecture, or one of a size that no
            model has: building it would take memory and time before its weights are even looked at.
    """
    file = path / "config.json"
    try:
        if file.stat().st_size > _MAX_CONFIG_BYTES:
            raise CheckpointError(f"{file} is larger than {_MAX_CONFIG_BYTES >> 20} MiB", _AGAIN)
        config = json.loads(file.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{file} cannot be read: {error.strerror}", _AGAIN) from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{file} is damaged: not valid JSON", _AGAIN) from error
    if not isinstance(config, dict) or not isinstance(config.get("model_type"), str):
        raise CheckpointError(f"{file} names no model_type", "give a model that transformers supports")
    for name, size in _sizes_of(config):
        limit = _MAX_LAYERS if _LAYERS.search(name) else _MAX_SIZE
        if size > limit:
            raise CheckpointError(
                f"{file} says {name} is {size:,}, which no model has (at most {limit:,})", _AGAIN
            )
    return config


def _sizes_of(config: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What a configuration says of the sizes of its model, and of the models it consists of."""
    for name, value in config.items():
        if isinstance(value, dict):
            yield from _sizes_of(value)
        elif isinstance(value, list):
            yield name, len(value)
        elif isinstance(value, int) and (_LAYERS.search(name) or _SIZE.search(name)):
            yield name, value
