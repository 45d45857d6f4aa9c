"""What works on this machine, and what to do about the rest."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsum_cli.checkpoints.catalogue import list_catalogue
from lsum_cli.checkpoints.checks import Check, CheckStatus
from lsum_cli.checkpoints.machine import measure_memory, processor_features
from lsum_cli.checkpoints.network import settle_network
from lsum_cli.checkpoints.store import InstalledCheckpoint, list_installed, store_path
from lsum_cli.checkpoints.verification import verify_hashes
from lsum_cli.errors import CheckpointError, LsumError
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.version import __version__

DISTRIBUTION = "lsum-cli"
OLDEST_PYTHON = (3, 11)
SMALL_MEMORY = 4 << 30
_SECONDS_FOR_HUB = 5.0
_DEVELOPERS_EXTRAS = {"test", "dev", "bench"}
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"](?P<extra>[\w-]+)['\"])?")


def diagnose(
    *,
    offline: bool = False,
    trial: Callable[[], str],
    progress: ProgressListener = ignore_progress,
) -> Iterator[Check]:
    """Check everything a summary needs, one after the other.

    Args:
        offline: Whether the user asked for no connection at all.
        trial: Makes a summary and says what it did.
    """
    offline = settle_network(offline=offline)
    yield _check_python()
    yield from _check_libraries()
    yield from _check_torch()
    yield _check_memory()
    yield from _check_extras()
    yield _check_store()
    yield _check_hub(offline=offline)
    yield from _check_checkpoints(progress)
    yield _check_trial(trial)


def _check_python() -> Check:
    machine = f"{platform.system()} {platform.machine()}"
    detail = f"lsum {__version__}, Python {platform.python_version()} on {machine}"
    if sys.version_info < OLDEST_PYTHON:
        advice = f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer"
        return Check(name="python", status=CheckStatus.PROBLEM, detail=detail, advice=advice)
    return Check(name="python", status=CheckStatus.OK, detail=detail)


def _check_libraries() -> Iterator[Check]:
    missing = [name for name, extra in _requirements() if extra is None and _version(name) is None]
    if missing:
        yield Check(
            name="libraries",
            status=CheckStatus.PROBLEM,
            detail=f"missing: {', '.join(missing)}",
            advice=f"pip install --force-reinstall {DISTRIBUTION}",
        )
        return
    shown = ("transformers", "huggingface_hub", "safetensors", "tokenizers", "pypdf", "trafilatura")
    detail = ", ".join(f"{name} {version}" for name in shown if (version := _version(name)))
    yield Check(name="libraries", status=CheckStatus.OK, detail=detail)


def _check_torch() -> Iterator[Check]:
    try:
        import torch

        from lsum_cli.checkpoints.devices import choose_device
        from lsum_cli.models.blocks.precision import best_precision

        device = choose_device()
        precision = best_precision(device)
    except Exception as error:  # a broken installation fails in every way there is
        yield Check(
            name="torch",
            status=CheckStatus.PROBLEM,
            detail=f"cannot be used: {_first_line(error)}",
            advice="install it anew: pip install --force-reinstall torch",
        )
        return
    yield Check(
        name="torch",
        status=CheckStatus.OK,
        detail=f"torch {torch.__version__}, {torch.get_num_threads()} threads",
    )
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        what = f"{device} {properties.name} with {properties.total_memory / (1 << 30):.1f} GiB"
    else:
        what = f"{device} {platform.processor() or platform.machine()}".strip()
    yield Check(
        name="device", status=CheckStatus.OK, detail=f"{what}; --dtype auto computes in {precision.value}"
    )
    features = processor_features()
    slow = device.type == "cpu" and precision.value == "float32"
    yield Check(
        name="processor",
        status=CheckStatus.OK,
        detail=(", ".join(features) or "no vector instructions that torch knows")
        + ("; no bfloat16: models run at half the speed" if slow else ""),
    )


def _check_memory() -> Check:
    memory = measure_memory()
    if memory.total is None:
        return Check(name="memory", status=CheckStatus.OK, detail="unknown")
    free = "" if memory.available is None else f", {memory.available / (1 << 30):.1f} GiB available"
    detail = f"{memory.total / (1 << 30):.1f} GiB{free}"
    left = memory.total if memory.available is None else memory.available
    if left < SMALL_MEMORY:
        return Check(
            name="memory",
            status=CheckStatus.WARNING,
            detail=detail,
            advice="large models may not fit: close programs, or use distilbart-cnn-6-6 or --method extract",
        )
    return Check(name="memory", status=CheckStatus.OK, detail=detail)


def _check_extras() -> Iterator[Check]:
    extras: dict[str, list[str]] = {}
    for name, extra in _requirements():
        if extra is not None and extra not in _DEVELOPERS_EXTRAS:
            extras.setdefault(extra, []).append(name)
    for extra, names in extras.items():
        missing = [name for name in names if _version(name) is None]
        yield Check(
            name=f"extra {extra}",
            status=CheckStatus.WARNING if missing else CheckStatus.OK,
            detail=f"missing: {', '.join(missing)}" if missing else "installed",
            advice=f"where needed: pip install '{DISTRIBUTION}[{extra}]'" if missing else "",
        )


def _check_store() -> Check:
    path = store_path()
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    try:
        size = sum(each.size for each in list_installed() if not each.is_packaged)
        free = shutil.disk_usage(existing).free
        writable = existing.is_dir() and _can_write(existing)
    except (OSError, CheckpointError) as error:
        return Check(
            name="store",
            status=CheckStatus.WARNING,
            detail=f"{path}: {_first_line(error)}",
            advice="make it readable, or move it with LSUM_HOME",
        )
    detail = f"{path}, {_gigabytes(size)} used, {_gigabytes(free)} free"
    if not writable:
        return Check(
            name="store",
            status=CheckStatus.WARNING,
            detail=f"{detail}; read-only, so that nothing can be pulled",
            advice="make it writable, or move it with LSUM_HOME",
        )
    return Check(name="store", status=CheckStatus.OK, detail=detail)


def _check_hub(*, offline: bool) -> Check:
    if offline:
        return Check(name="hub", status=CheckStatus.OK, detail="offline, as asked for: no connection is made")
    from huggingface_hub import constants, get_session

    started = time.perf_counter()
    try:
        response = get_session().head(constants.ENDPOINT, timeout=_SECONDS_FOR_HUB)
        status = response.status_code
    except Exception as error:  # whatever network, proxy and TLS can come up with
        return Check(
            name="hub",
            status=CheckStatus.WARNING,
            detail=f"{constants.ENDPOINT} cannot be reached: {_first_line(error)}",
            advice="check network, HTTPS_PROXY and HF_ENDPOINT, or bring models with lsum models import",
        )
    seconds = time.perf_counter() - started
    if status >= 500:
        return Check(
            name="hub",
            status=CheckStatus.WARNING,
            detail=f"{constants.ENDPOINT} answers with status {status}",
            advice="try again later",
        )
    detail = f"{constants.ENDPOINT} answers in {seconds:.1f} s; its cache is {constants.HF_HUB_CACHE}"
    return Check(name="hub", status=CheckStatus.OK, detail=detail)


def _check_checkpoints(progress: ProgressListener) -> Iterator[Check]:
    try:
        installed = list_installed()
    except CheckpointError as error:
        yield _failed_check("checkpoints", error)
        return
    if all(each.is_packaged for each in installed) and not _is_default(installed):
        smallest = min(list_catalogue(), key=lambda entry: entry.size).name
        yield Check(
            name="checkpoints",
            status=CheckStatus.WARNING,
            detail=f"none is installed{_but(installed)}: summaries are extracted from the source",
            advice=_ways_to_a_model(installed, smallest),
        )
    for checkpoint in installed:
        yield _check_checkpoint(checkpoint, progress)


def _is_default(packaged: Sequence[InstalledCheckpoint]) -> bool:
    return any(each.manifest is not None and each.manifest.beats_extraction for each in packaged)


def _but(packaged: Sequence[InstalledCheckpoint]) -> str:
    return f" but {packaged[0].name}, which is used by its name" if packaged else ""


def _ways_to_a_model(packaged: Sequence[InstalledCheckpoint], smallest: str) -> str:
    pull = f"run: lsum models pull {smallest}, or another of lsum models list"
    return f"give -m {packaged[0].name}, which comes with lsum; or {pull}" if packaged else pull


def _check_checkpoint(checkpoint: InstalledCheckpoint, progress: ProgressListener) -> Check:
    name = f"checkpoint {checkpoint.name}"
    try:
        if checkpoint.problem is not None:
            raise checkpoint.problem
        assert checkpoint.manifest is not None  # else there is a problem
        verify_hashes(checkpoint.path, checkpoint.manifest, progress)
    except CheckpointError as error:
        return _failed_check(name, error)
    except OSError as error:
        return Check(name=name, status=CheckStatus.WARNING, detail=_first_line(error), advice="pull it again")
    manifest = checkpoint.manifest
    locality = f", {manifest.locality.value}" if manifest.locality else ""
    packaged = ", comes with lsum" if checkpoint.is_packaged else ""
    return Check(
        name=name,
        status=CheckStatus.OK,
        detail=f"verified, {manifest.method.value}{locality}, {_gigabytes(checkpoint.size)}{packaged}",
    )


def _check_trial(trial: Callable[[], str]) -> Check:
    try:
        return Check(name="summary", status=CheckStatus.OK, detail=trial())
    except LsumError as error:
        return Check(name="summary", status=CheckStatus.PROBLEM, detail=error.what, advice=error.next_step)
    except Exception as error:  # a broken installation fails in every way there is
        return Check(
            name="summary",
            status=CheckStatus.PROBLEM,
            detail=f"cannot be made: {type(error).__name__}: {_first_line(error)}",
            advice=f"pip install --force-reinstall {DISTRIBUTION}",
        )


def _failed_check(name: str, error: LsumError) -> Check:
    return Check(name=name, status=CheckStatus.WARNING, detail=error.what, advice=error.next_step)


def _requirements() -> list[tuple[str, str | None]]:
    """Every requirement of the package with the extra it belongs to, ``None`` for a plain install."""
    try:
        declared = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:  # run from the sources
        return []
    found = []
    for text in declared:
        match = _REQUIREMENT.match(text)
        if match is not None and match["name"] != DISTRIBUTION:
            found.append((match["name"], match["extra"]))
    return found


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _can_write(folder: Path) -> bool:
    if not os.access(folder, os.W_OK):
        return False
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:,.2f} GB" if size >= 5e6 else f"{size / 1e3:,.0f} kB"


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
