"""The checks of ``lsum doctor`` that need no torch: Python, libraries, memory, extras, the hub."""

from __future__ import annotations

import enum
import importlib.metadata
import platform
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from lsum_cli.errors import LsumError, first_line
from lsum_cli.machine.memory import measure_memory
from lsum_cli.version import __version__

DISTRIBUTION = "lsum-cli"
OLDEST_PYTHON = (3, 11)
SMALL_MEMORY = 4 << 30
# The oldest and the newest minor version that the tests ran with.
TESTED = {"transformers": ((5, 17), (5, 23)), "torch": ((2, 11), (2, 13))}
_SECONDS_FOR_HUB = 5.0
_DEVELOPERS_EXTRAS = {"test", "dev", "bench"}
_VERSION = re.compile(r"(\d+)\.(\d+)")
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"](?P<extra>[\w-]+)['\"])?")


class CheckStatus(enum.StrEnum):
    """The result of a check; ``problem`` means that nothing can be summarised before it is solved."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One line of a diagnosis; ``advice`` says what to do if the status is not ok."""

    name: str
    status: CheckStatus
    detail: str
    advice: str = ""

    @classmethod
    def of_error(cls, name: str, error: LsumError, status: CheckStatus = CheckStatus.WARNING) -> Check:
        """The check that ended with an error."""
        return cls(name=name, status=status, detail=error.what, advice=error.next_step)


def check_python() -> Check:
    """Whether Python is new enough."""
    machine = f"{platform.system()} {platform.machine()}"
    detail = f"lsum {__version__}, Python {platform.python_version()} on {machine}"
    if sys.version_info < OLDEST_PYTHON:
        advice = f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer"
        return Check(name="python", status=CheckStatus.PROBLEM, detail=detail, advice=advice)
    return Check(name="python", status=CheckStatus.OK, detail=detail)


def check_libraries() -> Iterator[Check]:
    """Whether every library of a plain install is there."""
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


def check_versions() -> Iterator[Check]:
    """Whether the libraries that models depend on have versions that lsum was tested with."""
    for name, (oldest, newest) in TESTED.items():
        version = _version(name)
        found = _VERSION.match(version or "")
        if version is None or found is None:
            continue
        own = int(found[1]), int(found[2])
        tested = " to ".join(".".join(map(str, each)) for each in (oldest, newest))
        if oldest <= own <= newest:
            yield Check(name=f"{name} version", status=CheckStatus.OK, detail=f"{version}, tested: {tested}")
            continue
        age, bound = ("older", ">=" + ".".join(map(str, oldest)))
        if own > newest:
            age, bound = ("newer", f"<{newest[0]}.{newest[1] + 1}")
        yield Check(
            name=f"{name} version",
            status=CheckStatus.WARNING,
            detail=f"{version} is {age} than lsum was tested with ({tested})",
            advice=f"if models fail or write differently: pip install '{name}{bound}'",
        )


def check_memory() -> Check:
    """How much memory there is, and whether a large model may fit."""
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


def check_extras() -> Iterator[Check]:
    """Which of the optional extras are installed."""
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


def check_hub(*, offline: bool) -> Check:
    """Whether the hub responds; makes no connection where that is forbidden."""
    if offline:
        return Check(name="hub", status=CheckStatus.OK, detail="offline as requested: no connection is made")
    from huggingface_hub import constants, get_session

    started = time.perf_counter()
    try:
        response = get_session().head(constants.ENDPOINT, timeout=_SECONDS_FOR_HUB)
        status = response.status_code
    except Exception as error:  # network, proxy and TLS raise many types of exception
        return Check(
            name="hub",
            status=CheckStatus.WARNING,
            detail=f"{constants.ENDPOINT} cannot be reached: {first_line(error)}",
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
