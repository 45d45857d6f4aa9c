"""The store: a folder per installed checkpoint, found by name; needs no torch.

Besides, some checkpoints are packaged with the program, in :data:`PACKAGED`. They are read in place;
a checkpoint that the user installs under the same name takes precedence.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsum_cli.checkpoints.values import MANIFEST_NAME, WEIGHT_FILES, CheckpointMethod
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality
from lsum_cli.machine.storage import cache_path, find_holder
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from lsum_cli.checkpoints.manifest import Manifest

# Checkpoints packaged with the program: only data, each in the format of the store.
PACKAGED = Path(__file__).with_name("packaged")

_SHORT_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_HUB_NAME = regex(
    r"(?P<repo>[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95})"
    r"(?:@(?P<revision>[A-Za-z0-9][A-Za-z0-9._/-]{0,99}))?"
)
# The preference of `auto`, best first, if localities do not decide.
_PREFERENCE = (
    CheckpointMethod.PAGESUM,
    CheckpointMethod.TOPDOWN,
    CheckpointMethod.SEQ2SEQ,
    CheckpointMethod.WINDOWING,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class HubName:
    """A model on the hub, ``OWNER/NAME`` or ``OWNER/NAME@REVISION``."""

    repo: str
    revision: str | None = None

    @classmethod
    def parse(cls, name: str) -> HubName | None:
        """Parse a hub id; ``None`` if the name is not one."""
        match = _HUB_NAME.fullmatch(name)
        if match is None or ".." in name or "//" in name:
            return None
        return cls(repo=match["repo"], revision=match["revision"])

    def __str__(self) -> str:
        return f"{self.repo}@{self.revision}" if self.revision else self.repo


@dataclass(frozen=True, kw_only=True, slots=True)
class InstalledCheckpoint:
    """A folder of the store; ``manifest`` is ``None`` if ``problem`` says what is wrong."""

    name: str
    path: Path
    manifest: Manifest | None
    problem: CheckpointError | None = None

    @property
    def is_packaged(self) -> bool:
        """Whether it is packaged with the program."""
        return self.path.parent == PACKAGED

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.iterdir() if file.is_file())


@dataclass(frozen=True, kw_only=True, slots=True)
class RemovedCheckpoint:
    """A deleted checkpoint: its size in bytes, and the folder it was in."""

    name: str
    path: Path
    size: int


def store_path() -> Path:
    """The folder of all checkpoints; ``LSUM_HOME`` moves it."""
    return cache_path("checkpoints")


def checkpoint_path(name: str) -> Path:
    """The folder that a checkpoint of this name has or would have.

    Raises:
        CheckpointError: The name is not valid.
    """
    hub_name = HubName.parse(name)
    if hub_name is None and not _SHORT_NAME.fullmatch(name):
        raise CheckpointError(
            f"'{name}' is not a valid name of a checkpoint",
            "give a short name of letters, digits, dots and dashes, or OWNER/NAME[@REVISION]",
        )
    return store_path() / name.replace("/", "--")


def list_installed() -> tuple[InstalledCheckpoint, ...]:
    """Every checkpoint of the store, damaged ones too, in the order of their names; then packaged ones.

    Raises:
        CheckpointError: The store cannot be read.
    """
    return tuple(map(inspect_folder, _installed_folders()))


def _installed_folders() -> list[Path]:
    """The folders of the store, then the packaged ones that none of them replaces."""
    try:
        stored = _folders_in(store_path())
    except OSError as error:
        raise CheckpointError(
            f"{store_path()} cannot be read: {error.strerror}", "make it readable, or move it with LSUM_HOME"
        ) from error
    taken = {folder.name for folder in stored}
    return [*stored, *(folder for folder in _folders_in(PACKAGED) if folder.name not in taken)]


def find_installed(name: str) -> InstalledCheckpoint | None:
    """The installed checkpoint of that name, else the packaged one.

    A hub id also finds a checkpoint from there that was installed under a short name.
    """
    try:
        path = checkpoint_path(name)
    except CheckpointError:
        return None
    for folder in (path, PACKAGED / path.name):
        if os.path.isdir(folder):  # noqa: PTH112 - an unreadable store counts as empty, not as an error
            return inspect_folder(folder)
    hub_name = HubName.parse(name)
    if hub_name is None:
        return None
    return next((each for each in list_installed() if _comes_from(each, hub_name)), None)


def resolve_checkpoint(name: str, *, offline: bool = False) -> Path:
    """Find the folder of a checkpoint without loading it.

    Args:
        name: A short name, ``OWNER/NAME[@REVISION]``, or a directory.
        offline: Whether the message must suggest an offline solution.

    Raises:
        CheckpointError: It is not installed.
    """
    path = Path(name).expanduser()
    looks_like_path = name.startswith((".", "~")) or path.is_absolute() or "\\" in name or name.endswith("/")
    if looks_like_path or (("/" in name) and path.is_dir()):
        return _check_folder(path)
    installed = find_installed(name)
    if installed is not None:
        return installed.path
    hub_name = HubName.parse(name)
    if hub_name is not None:
        cached = find_in_hub_cache(hub_name)
        if cached is not None:
            return cached
    elif path.is_dir():
        return _check_folder(path)
    raise not_installed(name, offline=offline)


def find_encoder(name: str) -> Path:
    """Find the folder of an encoder.

    Raises:
        CheckpointError: It is not on this machine; the message says how to download it.
    """
    path = Path(name).expanduser()
    if (path / "config.json").is_file():
        return path
    if path.is_dir():
        raise CheckpointError(
            f"{path} contains no model: there is no config.json", "give the folder of a model"
        )
    hub_name = HubName.parse(name)
    if hub_name is None:
        raise CheckpointError(
            f"'{name}' is neither a folder nor a valid name on the hub",
            "give a folder, or OWNER/NAME[@REVISION]",
        )
    cached = find_in_hub_cache(hub_name)
    if cached is None:
        revision = f" --revision {hub_name.revision}" if hub_name.revision else ""
        raise CheckpointError(
            f"the encoder {name} is not on this machine",
            f"with a network connection, run: hf download {hub_name.repo}{revision}",
        )
    return cached


def not_installed(name: str, *, offline: bool) -> CheckpointError:
    """The error for a checkpoint that is not installed, with the command that installs it."""
    from difflib import get_close_matches

    from lsum_cli.checkpoints.catalogue import find_entry, list_catalogue

    if Path(name).expanduser().is_dir():
        return CheckpointError(f"the folder {name} is not installed", f"run: lsum models import NAME {name}")
    if Path(name).expanduser().is_file():
        given = name if name.endswith(".tar") else f"NAME {name}"
        return CheckpointError(f"{name} is a file and not installed", f"run: lsum models import {given}")
    checkpoint_path(name)
    if HubName.parse(name) is None and find_entry(name) is None:
        known = [*(each.name for each in list_installed()), *(each.name for each in list_catalogue())]
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? see: lsum models list" if near else "see: lsum models list"
        return CheckpointError(f"no checkpoint '{name}' is installed or known", hint)
    folder = Path(name).expanduser()
    if len(folder.parts) > 1 and folder.parent.is_dir():
        # "runs/papers" may be a name on the hub, but where there is a folder "runs" it is a misspelt path.
        near = get_close_matches(folder.name, [each.name for each in _folders_in(folder.parent)], n=1)
        hint = f"did you mean {folder.parent / near[0]}?" if near else "check the path"
        return CheckpointError(
            f"there is no folder {name}, and no checkpoint of that name is installed",
            f"{hint}; if it is on the hub, run: lsum models pull {name}",
        )
    if offline:
        return CheckpointError(
            f"the checkpoint '{name}' is not installed, and nothing is downloaded offline",
            f"on a machine with a network run: lsum models pull {name} && lsum models export {name} model.tar"
            ", and here: lsum models import model.tar",
        )
    return CheckpointError(f"the checkpoint '{name}' is not installed", f"run: lsum models pull {name}")


def best_installed(
    locality: Locality | None = None, *, language: str | None = None
) -> InstalledCheckpoint | None:
    """The intact checkpoint to use if the user asked for no model.

    PageSum trained for the locality comes first, then PageSum of another locality with trained
    confidence, then the other methods; installed checkpoints come before packaged ones, which are used only
    if they were measured to write better summaries than extraction.

    Args:
        locality: How the document will be divided into pages; ``None`` while unknown.
        language: Two-letter code of what it has to read; ``None`` while unknown.
    """

    def rank(found: InstalledCheckpoint) -> tuple[bool, bool, bool, int, str]:
        manifest = found.manifest
        assert manifest is not None  # see below
        paged = manifest.method is CheckpointMethod.PAGESUM and manifest.trained_confidence
        matches = paged and (locality is None or manifest.locality is locality)
        preference = _PREFERENCE.index(manifest.method)
        return found.is_packaged, not matches, not paged, preference, manifest.name

    folders = [each for each in _installed_folders() if each.parent != PACKAGED or _beats_extraction(each)]
    intact = [
        each
        for each in map(inspect_folder, folders)
        # A tagger cannot summarise and is not in the order of preference.
        if each.manifest is not None and each.problem is None and each.manifest.method in _PREFERENCE
        if each.manifest.reads(language)
    ]
    return min(intact, key=rank, default=None)


def remove_checkpoint(name: str) -> RemovedCheckpoint:
    """Delete an installed checkpoint, damaged or not.

    Raises:
        CheckpointError: It is not installed, being trained, or cannot be deleted.
    """
    installed = find_installed(name)
    folder = Path(name).expanduser() if installed is None else installed.path
    if holder := find_holder(folder):
        raise CheckpointError(
            f"{name} is being trained, by {holder}", "wait until the run ends, or stop it with Ctrl-C or kill"
        )
    if installed is None and folder.is_dir():
        raise CheckpointError(f"{name} is a folder and not installed", "delete it as you would any folder")
    if installed is None:
        raise CheckpointError(f"the checkpoint '{name}' is not installed", "see: lsum models list")
    if installed.is_packaged:
        raise CheckpointError(
            f"the checkpoint '{name}' is part of lsum and cannot be removed alone",
            "to remove both: pip uninstall lsum-cli",
        )
    size = installed.size
    try:
        # Rename it first: a half-deleted folder must not be found.
        doomed = installed.path.rename(
            installed.path.with_name(f".removed-{installed.path.name}-{os.getpid()}")
        )
        shutil.rmtree(doomed)
    except OSError as error:
        raise CheckpointError(
            f"{installed.path} cannot be deleted: {error.strerror}", "check its permissions"
        ) from error
    return RemovedCheckpoint(name=installed.name, path=installed.path, size=size)


def inspect_folder(folder: Path) -> InstalledCheckpoint:
    """The checkpoint in a folder, or what is wrong with it."""
    # Imported here: most runs without a model inspect no folder.
    from lsum_cli.checkpoints.manifest import read_manifest, verify_sizes

    name = folder.name.replace("--", "/", 1)
    manifest = None
    try:
        manifest = read_manifest(folder)
        verify_sizes(folder, manifest)
    except CheckpointError as problem:
        return InstalledCheckpoint(
            name=manifest.name if manifest else name, path=folder, manifest=manifest, problem=problem
        )
    return InstalledCheckpoint(name=manifest.name, path=folder, manifest=manifest)


def _beats_extraction(packaged: Path) -> bool:
    """Whether a packaged checkpoint was measured to beat extraction.

    Every summary without a model asks this, so the manifest is not validated, which takes longer than
    to extract from a short text.
    """
    try:
        return json.loads((packaged / MANIFEST_NAME).read_bytes()).get("beats_extraction") is True
    except (OSError, ValueError, AttributeError):
        return False


def _folders_in(path: Path) -> list[Path]:
    """The checkpoint folders in a folder (which need not exist), sorted by name."""
    try:
        return sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _comes_from(installed: InstalledCheckpoint, hub_name: HubName) -> bool:
    from lsum_cli.checkpoints.manifest import OriginKind

    if installed.manifest is None or installed.manifest.origin.kind is not OriginKind.HUB:
        return False
    origin = installed.manifest.origin
    if origin.source != hub_name.repo:
        return False
    if hub_name.revision is None:
        return True
    commit_matches = len(hub_name.revision) >= 7 and (origin.revision or "").startswith(hub_name.revision)
    return commit_matches or hub_name.revision == origin.requested


def _check_folder(path: Path) -> Path:
    if not path.is_dir():
        raise CheckpointError(f"there is no folder {path}", "give a folder with a checkpoint, or a name")
    if not (path / MANIFEST_NAME).is_file() and not (path / "config.json").is_file():
        raise CheckpointError(
            f"{path} is not a checkpoint: it has no config.json", "give a folder with a checkpoint"
        )
    return path


def find_in_hub_cache(name: HubName) -> Path | None:
    """The folder of a hub model that another program has downloaded completely, or ``None``."""
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name.repo, "config.json", revision=name.revision)
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    return folder if any((folder / file).exists() for file in WEIGHT_FILES) else None
