"""Listing and downloading the files of a hub model; interrupted downloads are resumed.

Connections go through the client of ``huggingface_hub``, so that its endpoint, token, proxies and cache
are used. The download itself is ours: an interrupted ``snapshot_download`` deletes partial files, so that
gigabytes would have to be downloaded again; it also checks sizes but not hashes, and retries requests to an
unresponsive hub for up to a minute each. Files are downloaded to a folder of the store, where the next run
resumes them.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsum_cli.checkpoints.manifest import LICENCE_UNKNOWN
from lsum_cli.checkpoints.saving import (
    DOWNLOADS,
    check_disk_space,
    disk_error,
    reporting_disk_errors,
)
from lsum_cli.checkpoints.store import HubName, store_path
from lsum_cli.errors import CheckpointError
from lsum_cli.machine.storage import link_or_copy
from lsum_cli.progress import ProgressEvent, ProgressListener

_TRIES_WITHOUT_PROGRESS = 2
_SECONDS_BETWEEN_TRIES = 0.5
_PARTIAL_CONTENT = 206


@dataclass(frozen=True, kw_only=True, slots=True)
class HubFile:
    """A file of a hub model, with the hashes given by the hub."""

    name: str
    size: int | None
    sha256: str | None = None
    git_sha1: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class HubModel:
    """A hub model at one commit; only the files in its top folder."""

    repo: str
    commit: str
    licence: str
    base: str | None
    languages: tuple[str, ...] = ()
    files: tuple[HubFile, ...]

    def find(self, name: str) -> HubFile | None:
        """The file of that name, or ``None``."""
        return next((file for file in self.files if file.name == name), None)


def describe_model(name: HubName) -> HubModel:
    """Ask the hub what a model consists of.

    Raises:
        CheckpointError: There is no such model or revision, access is denied, or the hub does
            not respond.
    """
    from huggingface_hub import HfApi

    with _explained(name):
        info = HfApi().model_info(
            name.repo, revision=name.revision, files_metadata=True, timeout=_timeout_seconds()
        )
    card: dict[str, Any] = info.card_data.to_dict() if info.card_data else {}  # type: ignore[no-untyped-call]
    files = tuple(
        HubFile(
            name=sibling.rfilename,
            size=sibling.size,
            sha256=sibling.lfs.sha256 if sibling.lfs else None,
            git_sha1=None if sibling.lfs else sibling.blob_id,
        )
        for sibling in info.siblings or ()
        if "/" not in sibling.rfilename and "\\" not in sibling.rfilename
    )
    if not info.sha or not files:
        raise CheckpointError(f"{name} is empty on the hub", "give another model")
    return HubModel(
        repo=name.repo,
        commit=info.sha,
        licence=_joined(card.get("license")) or LICENCE_UNKNOWN,
        base=_joined(card.get("base_model")),
        languages=_languages(card.get("language")),
        files=files,
    )


def fetch_file(model: HubModel, file: HubFile, folder: Path, progress: ProgressListener) -> Path:
    """Put a file of a hub model into a folder, complete and verified.

    A copy in the hub library's cache is used if there is one; otherwise the file is downloaded, resuming
    an interrupted download.

    Raises:
        CheckpointError: The hub does not deliver the file, or delivers something else.
        OutputError: The disk is full, or cannot be written.
    """
    from huggingface_hub import try_to_load_from_cache

    target = folder / file.name
    cached = try_to_load_from_cache(model.repo, file.name, revision=model.commit)
    if isinstance(cached, str):
        link_or_copy(Path(cached).resolve(), target)
        if _is_right(target, file):
            return target
        target.unlink()
    downloaded = downloads_of(model) / file.name
    if not (downloaded.is_file() and _is_right(downloaded, file)):
        _download(model, file, downloaded, progress)
    link_or_copy(downloaded, target)
    return target


def downloads_of(model: HubModel) -> Path:
    """The folder for a model's downloads until it is installed."""
    return store_path() / DOWNLOADS / f"{model.repo.replace('/', '--')}@{model.commit}"


def forget_downloads(model: HubModel) -> None:
    """Remove what was downloaded, once it is installed."""
    shutil.rmtree(downloads_of(model), ignore_errors=True)


def hub_endpoint() -> str:
    """The address of the hub that is used."""
    from huggingface_hub import constants

    return constants.ENDPOINT


def _download(model: HubModel, file: HubFile, target: Path, progress: ProgressListener) -> None:
    part = target.with_name(target.name + ".part")
    with reporting_disk_errors(store_path()):
        target.parent.mkdir(parents=True, exist_ok=True)
        check_disk_space(target.parent, (file.size or 0) - _size_of(part))
    fruitless = 0
    while True:
        before = _size_of(part)
        try:
            with _explained(HubName(repo=model.repo, revision=model.commit)):
                _receive(model, file, part, progress)
            break
        except _Broken:
            fruitless = 0 if _size_of(part) > before else fruitless + 1
            if fruitless >= _TRIES_WITHOUT_PROGRESS:
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES)
    if not _is_right(part, file):
        got = _size_of(part)
        part.unlink(missing_ok=True)
        what = f"{file.name} of {model.repo} arrived with {got:,} bytes"
        if file.size is not None and got != file.size:
            raise CheckpointError(
                f"{what} instead of {file.size:,}", "pull again; if this persists, report it to the hub"
            )
        raise CheckpointError(f"{what}, but its hash differs from the hub's", "pull again")
    part.replace(target)


def _receive(model: HubModel, file: HubFile, part: Path, progress: ProgressListener) -> None:
    """Download the missing remainder of the file to ``part``."""
    from huggingface_hub import get_session, hf_hub_url
    from huggingface_hub.utils import build_hf_headers, hf_raise_for_status  # type: ignore[attr-defined]

    done = _size_of(part)
    if file.size is not None and done > file.size:
        part.unlink()
        done = 0
    if done and done == file.size:
        return
    headers = build_hf_headers() | {"Accept-Encoding": "identity"}
    if done:
        headers["Range"] = f"bytes={done}-"
    url = hf_hub_url(model.repo, file.name, revision=model.commit)
    with get_session().stream("GET", url, headers=headers, timeout=_timeout_seconds()) as response:
        hf_raise_for_status(response)
        if response.status_code != _PARTIAL_CONTENT:  # the whole file instead of the requested range
            done = 0
        with part.open("ab" if done else "wb") as stream:
            # Without a chunk size, since a partly filled chunk would be lost when the connection breaks.
            for chunk in response.iter_bytes():
                stream.write(chunk)
                done += len(chunk)
                progress(
                    ProgressEvent(
                        stage=f"fetching {file.name}",
                        done=done >> 20,
                        total=None if file.size is None else file.size >> 20,
                        unit="MiB",
                    )
                )
                if file.size is not None and done > file.size:
                    return


def _is_right(path: Path, file: HubFile) -> bool:
    """Whether a file has the size and the hash given by the hub."""
    size = path.stat().st_size
    if file.size is not None and size != file.size:
        return False
    if file.sha256 is not None:
        digest, expected = hashlib.sha256(), file.sha256
    elif file.git_sha1 is not None:
        digest, expected = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False), file.git_sha1
    else:
        return True
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: digest).hexdigest() == expected


class _Broken(CheckpointError):
    """The connection failed during a transfer, which can be retried."""


@contextmanager
def _explained(name: HubName) -> Iterator[None]:
    """Turn exceptions of the hub's client into one-line errors.

    Raises:
        CheckpointError: The hub refuses.
        _Broken: The connection failed.
        OutputError: What arrives cannot be written.
    """
    from huggingface_hub import errors

    connection_error: Any = errors.HTTPError  # type: ignore[attr-defined]  # httpx's, in the version it uses
    try:
        yield
    except errors.HFValidationError as error:
        raise CheckpointError(
            f"'{name}' is not a valid name of a hub model", "give OWNER/NAME[@REVISION]"
        ) from error
    except errors.OfflineModeIsEnabled as error:
        raise CheckpointError(
            f"{name} is not on this machine, and nothing is downloaded offline", "go online"
        ) from error
    except errors.HfHubHTTPError as error:
        raise _explain_status(name, error) from error
    except connection_error as error:
        kind = "did not answer in time" if "Timeout" in type(error).__name__ else "cannot be reached"
        reason = str(error).partition("\n")[0]
        raise _Broken(
            f"the hub at {hub_endpoint()} {kind}" + (f": {reason}" if reason else ""),
            "check network, HTTPS_PROXY and HF_ENDPOINT, then pull again; the download will resume",
        ) from error
    except OSError as error:
        raise disk_error(error, store_path()) from error
    except (ValueError, TypeError, KeyError) as error:
        raise CheckpointError(
            f"{hub_endpoint()} does not answer like a model hub", "check HF_ENDPOINT and the proxy"
        ) from error


def _explain_status(name: HubName, error: Any) -> CheckpointError:
    from huggingface_hub import errors

    status = error.response.status_code
    if isinstance(error, errors.GatedRepoError):
        return CheckpointError(
            f"{name} is gated: its terms must be accepted first",
            f"accept them at {hub_endpoint()}/{name.repo}, then set HF_TOKEN",
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return CheckpointError(f"{name.repo} has no revision '{name.revision}'", "give an existing one")
    if isinstance(error, errors.RemoteEntryNotFoundError):
        return CheckpointError(f"a file of {name} was removed from the hub", "pull again")
    if isinstance(error, errors.RepositoryNotFoundError) or status in (401, 403, 404):
        return CheckpointError(
            f"the hub has no model {name}, or it is private ({status})",
            "check the name; for a private model set HF_TOKEN",
        )
    if status == 429:
        after = error.response.headers.get("Retry-After")
        return CheckpointError(
            f"the hub limits requests (429): {name} cannot be pulled now",
            f"pull again in {after} seconds" if after else "pull again in a few minutes, or set HF_TOKEN",
        )
    return CheckpointError(
        f"the hub at {hub_endpoint()} fails with status {status} for {name}",
        "pull again later; the download will resume",
    )


def _timeout_seconds() -> float:
    from huggingface_hub import constants

    return float(constants.HF_HUB_DOWNLOAD_TIMEOUT)


def _languages(value: object) -> tuple[str, ...]:
    """Two-letter codes, where a model card names nothing but such."""
    codes = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(codes) if all(isinstance(code, str) and len(code) == 2 for code in codes) else ()


def _joined(value: object) -> str | None:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or None
    return str(value) if value else None


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
