"""What a run was made with: code, libraries, machine, and the energy that its processor counted."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from lsum_cli.machine.memory import measure_memory
from lsum_cli.version import __version__

_LIBRARIES = ("torch", "transformers", "accelerate", "tokenizers", "numpy", "peft")
_CPU_INFO = Path("/proc/cpuinfo")
_COUNTERS = Path("/sys/class/powercap")
_GIT_SECONDS = 5
_MICROJOULES_PER_WATT_HOUR = 3.6e9


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What a run was made with.

    Attributes:
        commit: The commit of the repository in the current folder; ``+`` behind it where files had changed.
            ``None`` outside of one.
        versions: Versions of Python, lsum and the libraries.
        processor: Name of the processor, ``None`` where the system does not say it.
        cores: Cores that the process may use.
        memory: Bytes of memory of the machine.
        accelerators: Names of the GPUs that torch sees.
        launch: What ``torchrun`` calls this launch of processes; ``None`` without it.
        started: When the run started, in UTC.
    """

    commit: str | None
    versions: Mapping[str, str]
    processor: str | None
    cores: int
    memory: int | None
    accelerators: tuple[str, ...] = ()
    launch: str | None = None
    started: str = field(
        default_factory=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    )

    @classmethod
    def here(cls) -> Environment:
        """That of this process; torch is imported."""
        import torch

        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        return cls(
            commit=_find_commit(),
            versions=list_versions(),
            processor=_name_processor(),
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
            memory=measure_memory().total,
            accelerators=tuple(torch.cuda.get_device_name(number) for number in range(count)),
            launch=find_launch(),
        )

    @property
    def hardware(self) -> str:
        """The machine in a line."""
        parts = [
            *self.accelerators,
            f"{self.processor or platform.machine()}, {self.cores} core{'s' * (self.cores > 1)}",
        ]
        if self.memory is not None:
            parts.append(f"{self.memory / 1e9:.0f} GB of memory")
        return ", ".join(parts)


def find_launch() -> str | None:
    """What ``torchrun`` calls this launch, also when it starts the processes again; ``None`` if nothing."""
    name = os.environ.get("TORCHELASTIC_RUN_ID", "")
    return None if name in ("", "none") else name


def list_versions() -> dict[str, str]:
    """Versions of Python, lsum, and of the libraries that are installed."""
    found = {"lsum": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


class EnergyMeter:
    """The energy of the processor's packages from now on, by the counters of the system (RAPL).

    Other programs on the machine count too, and accelerators do not.
    """

    def __init__(self, counters: Path = _COUNTERS) -> None:
        self._counters = counters
        self._last = self._read()
        self._used: int | None = 0 if self._last else None

    def sample(self) -> None:
        """Add what was used since the last sample; to be called before a counter can fill up twice."""
        now = self._read()
        if self._used is None or now.keys() != self._last.keys():
            self._used = None
            return
        for name, (value, most) in now.items():
            before = self._last[name][0]
            # A counter begins anew when it is full.
            self._used += value - before + (most + 1 if value < before else 0)
        self._last = now

    def watt_hours(self) -> float | None:
        """What was used since the start; ``None`` where nothing counts it, or it may not be read."""
        self.sample()
        return None if self._used is None else self._used / _MICROJOULES_PER_WATT_HOUR

    def _read(self) -> dict[str, tuple[int, int]]:
        found = {}
        # One zone for each package; the zones within one have another colon in their name.
        for zone in sorted(self._counters.glob("intel-rapl:*")):
            if zone.name.count(":") == 1:
                with suppress(OSError, ValueError):
                    value = int((zone / "energy_uj").read_text())
                    found[zone.name] = value, int((zone / "max_energy_range_uj").read_text())
        return found


def _find_commit() -> str | None:
    try:
        commit, changes = (
            subprocess.run(  # noqa: S603
                ["git", *command],  # noqa: S607
                capture_output=True,
                text=True,
                timeout=_GIT_SECONDS,
                check=True,
            ).stdout.strip()
            for command in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}+" if changes else commit


def _name_processor() -> str | None:
    with suppress(OSError):
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or None
