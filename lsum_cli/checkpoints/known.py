"""The checkpoints that can be named: those of the store, and those of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lsum_cli.checkpoints.catalogue import CatalogueEntry, find_entry, list_catalogue
from lsum_cli.checkpoints.store import (
    InstalledCheckpoint,
    find_installed,
    inspect_folder,
    list_installed,
    not_installed,
    resolve_checkpoint,
)
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.locality import Locality


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownCheckpoint:
    """A checkpoint of the catalogue, of the store, or of both."""

    name: str
    entry: CatalogueEntry | None
    installed: InstalledCheckpoint | None

    @property
    def size(self) -> int | None:
        """Its size in bytes: on disk, or of the download if it is not installed."""
        if self.installed is not None:
            return self.installed.size
        return self.entry.size if self.entry is not None else None

    @property
    def method(self) -> CheckpointMethod | None:
        """The method that its weights are for."""
        source = self.installed.manifest if self.installed and self.installed.manifest else self.entry
        return source.method if source is not None else None

    @property
    def locality(self) -> Locality | None:
        """The locality it was trained for."""
        source = self.installed.manifest if self.installed and self.installed.manifest else self.entry
        return source.locality if source is not None else None

    @property
    def licence(self) -> str | None:
        """The name of its licence."""
        source = self.installed.manifest if self.installed and self.installed.manifest else self.entry
        return source.licence if source is not None else None


def list_known() -> tuple[KnownCheckpoint, ...]:
    """The installed ones first, then the rest of the catalogue.

    Raises:
        CheckpointError: The store cannot be read.
    """
    installed = list_installed()
    names = {each.name for each in installed}
    return (
        *(KnownCheckpoint(name=each.name, entry=find_entry(each.name), installed=each) for each in installed),
        *(
            KnownCheckpoint(name=entry.name, entry=entry, installed=None)
            for entry in list_catalogue()
            if entry.name not in names
        ),
    )


def find_known(name: str) -> KnownCheckpoint:
    """Everything known about a checkpoint, by its name or its folder.

    Raises:
        CheckpointError: It is neither installed nor in the catalogue, nor a folder with a checkpoint.
    """
    entry = find_entry(name)
    installed = find_installed(name) or (find_installed(entry.name) if entry is not None else None)
    if entry is None and installed is None:
        if Path(name).expanduser().is_dir():
            return KnownCheckpoint(name=name, entry=None, installed=inspect_folder(resolve_checkpoint(name)))
        raise not_installed(name, offline=False)
    known_as = installed.name if installed is not None else entry.name if entry is not None else name
    return KnownCheckpoint(name=known_as, entry=entry, installed=installed)
