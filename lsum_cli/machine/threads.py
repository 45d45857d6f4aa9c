"""How many processors and threads this process may use; asks no torch, unlike the processor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_CONTAINER_SHARE = Path("/sys/fs/cgroup/cpu.max")
# Read once, when the library is loaded.
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def available_cores() -> int:
    """Processors that this process may use: those it is bound to, and its container's share of time."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    try:
        quota, period = _CONTAINER_SHARE.read_text(encoding="ascii").split()
        cores = min(cores, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        pass  # "max": there is no limit
    return cores


def use_threads(number: int) -> None:
    """Let this process compute with so many threads, in libraries that are loaded and in later ones."""
    for name in _THREAD_VARIABLES:
        os.environ[name] = str(number)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(number)
