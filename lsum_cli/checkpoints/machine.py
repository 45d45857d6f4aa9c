"""What this machine offers: memory and processor."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """Bytes; ``available`` is what programs can still get, ``None`` where the system does not tell."""

    total: int | None
    available: int | None


def measure_memory() -> Memory:
    """Ask the operating system for its memory; a container's limit counts as the total."""
    if sys.platform == "win32":
        return _measure_windows()
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return Memory(total=None, available=None)
    available = _available_on_linux()
    limit = _container_limit()
    if limit is not None and limit < total:
        available = None if available is None else min(available, limit)
        total = limit
    return Memory(total=total, available=available)


def processor_features() -> tuple[str, ...]:
    """The instructions that decide which precision is fast, as torch finds them."""
    import torch

    capabilities = torch.cpu.get_capabilities()
    return tuple(name for name in _FEATURES if capabilities.get(name))


_FEATURES = ("avx2", "avx512_f", "avx512_bf16", "avx512_vnni", "amx_bf16", "amx_int8", "bf16", "i8mm", "sve")


def _available_on_linux() -> int | None:
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _container_limit() -> int | None:
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            text = Path(path).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdecimal():
            return int(text)
    return None


def _measure_windows() -> Memory:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("total", ctypes.c_ulonglong),
            ("available", ctypes.c_ulonglong),
            ("rest", ctypes.c_ulonglong * 5),
        )

    status = Status()
    status.length = ctypes.sizeof(Status)
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined]
        return Memory(total=None, available=None)
    return Memory(total=status.total, available=status.available)
