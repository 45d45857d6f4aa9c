"""Files published on Google Drive, through the extra ``drive``."""

from __future__ import annotations

from pathlib import Path

from lsum_cli.checkpoints.catalogue import CatalogueEntry
from lsum_cli.checkpoints.installation import DOWNLOADS, check_room, disk_trouble
from lsum_cli.checkpoints.store import store_path
from lsum_cli.errors import CheckpointError, MissingDependency
from lsum_cli.progress import ProgressEvent, ProgressListener

_SECONDS_TO_CONNECT = 10.0
_SECONDS_TO_READ = 30.0


def fetch_published(entry: CatalogueEntry, progress: ProgressListener) -> Path:
    """Download the published file of a checkpoint; an interrupted download is resumed.

    Returns:
        Where it lies now, in the store's folder of downloads.

    Raises:
        MissingDependency: The extra is not installed.
        CheckpointError: Google Drive does not give the file.
    """
    by_hand = f"get {entry.link} with a browser, then: lsum models import {entry.name} model.bin"
    try:
        import gdown
    except ImportError as error:
        raise MissingDependency(
            f"{entry.name} lies on Google Drive", f"pip install 'lsum-cli[drive]', or {by_hand}"
        ) from error

    def report(done: int, total: int | None) -> None:
        progress(
            ProgressEvent(
                stage=f"fetching {entry.name}",
                done=done >> 20,
                total=None if total is None else total >> 20,
                unit="MiB",
            )
        )

    target = store_path() / DOWNLOADS / f"{entry.name}@{entry.drive}" / "model.bin"
    with disk_trouble(store_path()):
        target.parent.mkdir(parents=True, exist_ok=True)
        check_room(target.parent, entry.size)
    try:
        gdown.download(
            id=entry.drive,
            output=str(target),
            quiet=True,
            resume=True,
            progress=report,
            use_cookies=False,
            timeout=(_SECONDS_TO_CONNECT, _SECONDS_TO_READ),
        )
    except Exception as error:  # gdown raises what requests, parsing and Google's pages make it raise
        reason = next(
            (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
        )
        raise CheckpointError(f"Google Drive does not give {entry.name}: {reason[:200]}", by_hand) from error
    return target
