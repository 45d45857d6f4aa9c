"""One run of ``lsum models import``: what the file is, and how it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.progress import ProgressListener

_USAGE = "see lsum models import --help"


@dataclass(frozen=True, kw_only=True)
class ImportJob:
    """What is imported, and under which name.

    Attributes:
        name: ``None`` for an archive under its own name.
        base: Folder or name of the model that published weights were initialised from.
    """

    name: str | None
    source: Path
    base: str | None
    locality: Locality | None
    page_len: int | None
    overwrite: bool
    offline: bool

    @classmethod
    def choose(
        cls,
        paths: Sequence[str],
        *,
        base: str | None,
        locality: Locality | None,
        page_len: int | None,
        overwrite: bool,
        offline: bool,
    ) -> ImportJob:
        """A job for ``FILE`` or ``NAME FILE``.

        Raises:
            OptionError: Something else was given, or a name or flag does not go with the file.
            CheckpointError: The file does not exist.
        """
        if len(paths) > 2:
            raise OptionError(f"{len(paths)} arguments are too many", "give NAME and FILE")
        name, source = (paths[0] if len(paths) > 1 else None), Path(paths[-1]).expanduser()
        if not source.exists():
            raise CheckpointError(f"there is no file {source}", "check the path")
        job = cls(
            name=name,
            source=source,
            base=base,
            locality=locality,
            page_len=page_len,
            overwrite=overwrite,
            offline=offline,
        )
        if name is None and not job._is_archive:
            raise OptionError(f"{source} needs a name", f"lsum models import NAME {source}")
        if (base or locality or page_len) and not job._is_published:
            raise OptionError("--base, --locality and --page-tokens are for published weights", _USAGE)
        if page_len is not None and page_len < 1:
            raise OptionError(f"--page-tokens {page_len} is too small", "give --page-tokens at least 1")
        return job

    def run(self, progress: ProgressListener) -> Manifest:
        """Install it.

        Raises:
            CheckpointError: It is damaged, unsafe, or of something else.
        """
        if self._is_published:
            return self._import_published(progress)
        if self.name is not None and self.source.is_dir():
            from lsum_cli.checkpoints.importing import import_folder

            return import_folder(self.name, self.source, overwrite=self.overwrite, progress=progress)
        from lsum_cli.checkpoints.archives import import_archive

        return import_archive(self.source, self.name, overwrite=self.overwrite, progress=progress)

    @property
    def _is_archive(self) -> bool:
        return self.source.is_file() and not self._is_published

    @property
    def _is_published(self) -> bool:
        from lsum_cli.checkpoints.importing import WEIGHT_SUFFIXES

        return self.source.is_file() and self.source.suffix.lower() in WEIGHT_SUFFIXES

    def _import_published(self, progress: ProgressListener) -> Manifest:
        from lsum_cli.checkpoints.catalogue import find_entry
        from lsum_cli.checkpoints.importing import DEFAULT_BASE, PublishedSettings, import_published
        from lsum_cli.checkpoints.pulling import base_folder

        assert self.name is not None  # choose() saw to it
        entry = find_entry(self.name)
        base_name = self.base or (entry.base if entry is not None else None) or DEFAULT_BASE
        settings = PublishedSettings.for_name(self.name, locality=self.locality, page_len=self.page_len)
        with base_folder(base_name, offline=self.offline, progress=progress) as base:
            return import_published(
                self.name,
                self.source,
                base,
                settings,
                base_name=Path(base_name).name if Path(base_name).is_dir() else base_name,
                overwrite=self.overwrite,
                progress=progress,
            )
