"""Data sets of the hub by name, through the library ``datasets``: fetched once, kept as Parquet."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsum_cli.errors import DatasetError, MissingDependency
from lsum_cli.machine.network import settle_network
from lsum_cli.machine.storage import cache_path, hold_lock
from lsum_cli.progress import ignore_progress

PREFIX = "hub:"
_FORM = f"{PREFIX}OWNER/NAME[@REVISION][/CONFIGURATION]:SPLIT"
_WORD = r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*"
_NAME = re.compile(
    rf"{PREFIX}(?P<repo>{_WORD}/{_WORD})(?:@(?P<revision>{_WORD}))?"
    rf"(?:/(?P<configuration>{_WORD}))?:(?P<split>{_WORD})"
)


def fetch_named(name: str) -> Path:
    """The Parquet file of a split of a data set; fetched if it is not kept from an earlier time.

    What was fetched without a revision stays as it was then; its file is named by what was asked for.

    Args:
        name: ``hub:OWNER/NAME[@REVISION][/CONFIGURATION]:SPLIT``.

    Raises:
        DatasetError: It is not such a name, there is no such data set, or it cannot be fetched.
        MissingDependency: The library is not installed.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise DatasetError(f"'{name}' does not name a data set of the hub", f"write it as {_FORM}")
    parts = [match["repo"].replace("/", "--"), match["configuration"], match["revision"], match["split"]]
    file = cache_path("data") / f"{'.'.join(filter(None, parts))}.parquet"
    if file.is_file():
        return file
    if settle_network(offline=False):
        raise DatasetError(f"{name} is not on this machine, and nothing is fetched offline", "go online")
    try:
        import datasets
    except ImportError as error:
        raise MissingDependency(
            f"{name} is fetched by datasets, which is not installed",
            "install it: pip install 'lsum-cli[datasets]'",
        ) from error
    try:
        with hold_lock(
            file.with_suffix(".lock"), "waiting for another lsum that fetches this", ignore_progress
        ):
            _fetch(datasets, match, file)
    except OSError as error:
        reason = error.strerror or str(error).partition("\n")[0]
        raise DatasetError(f"{name} cannot be fetched: {reason}", "check network and disk") from error
    return file


def _fetch(datasets: Any, match: re.Match[str], file: Path) -> None:
    if file.is_file():
        return  # by the process that held the lock
    draft = file.with_name(f".{file.name}.part")
    datasets.disable_progress_bars()
    try:
        rows = datasets.load_dataset(
            match["repo"], match["configuration"], split=match["split"], revision=match["revision"]
        )
    except OSError:
        raise
    except Exception as error:
        # The library has an error of its own for each thing that can be wrong with a repository.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise DatasetError(
            f"{match[0]} cannot be read: {reason}", "check name, configuration, split and revision"
        ) from error
    try:
        rows.to_parquet(str(draft))
        draft.replace(file)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
