"""Memory: how much there is, what is said when it runs out, and giving back what was freed."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.errors import DeviceError

# Share of the memory that is free which may be taken by an estimate.
MEMORY_SHARE = 0.8
_MEMINFO = Path("/proc/meminfo")
_MAPS = Path("/proc/self/maps")
_MADV_DONTNEED = 4  # on Linux
_CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
_PHRASES = ("out of memory", "can't allocate memory", "cannot allocate memory", "not enough memory")


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """Memory in bytes; ``available`` is what programs can still get. ``None`` where it is unknown."""

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


class _Sharers:
    """How many processes count on the memory that is free, this one included."""

    number = 1


def share_memory(number: int) -> None:
    """Let this process count on one of so many equal shares of the memory that is free."""
    _Sharers.number = number


def own_share(num_bytes: int) -> int:
    """What this process may count on, of so much memory that is free."""
    return num_bytes // _Sharers.number


@contextmanager
def explain_out_of_memory(device: str) -> Iterator[None]:
    """Turn a failed allocation, of Python or torch, into one line that names the options that help.

    Args:
        device: Where the work is done, as ``--device`` names it.

    Raises:
        DeviceError: There is too little memory.
    """
    try:
        yield
    except MemoryError as error:
        raise _too_little(device) from error
    except RuntimeError as error:  # torch.OutOfMemoryError is one; on a CPU torch raises it plainly
        if not any(phrase in str(error).lower() for phrase in _PHRASES):
            raise
        raise _too_little(device) from error


def return_freed_memory() -> None:
    """Return memory freed in small pieces to the system; glibc would retain it."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


class MappedFile:
    """A file that is mapped into this process's memory and that nobody writes to there.

    What of it has been read counts as memory of the process until the system needs it elsewhere. On other
    systems than Linux nothing is known of it.

    Args:
        file: The file, mapped already.
    """

    def __init__(self, file: Path) -> None:
        self._ranges = _mapped_ranges(file)

    def let_go(self, address: int, num_bytes: int) -> None:
        """Count a part of the file no more; should it be used again, it is read from the file again.

        Args:
            address: Where the part begins; nothing happens where that is not within the file.
            num_bytes: Its length. Its first and last kilobytes may be of a neighbour, and stay.
        """
        page = mmap.PAGESIZE
        first, end = -(-address // page) * page, (address + num_bytes) // page * page
        if first < end and any(start <= first and end <= stop for start, stop in self._ranges):
            madvise = ctypes.CDLL(None).madvise
            madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), _MADV_DONTNEED)


def _mapped_ranges(file: Path) -> list[tuple[int, int]]:
    """First address and end of each place where a file is mapped, as a private copy."""
    if sys.platform != "linux":
        return []
    try:
        path, lines = os.path.realpath(file), _MAPS.read_bytes().splitlines()
    except OSError:
        return []
    fields = [line.split(maxsplit=5) for line in lines]
    addresses = [
        each[0].split(b"-")
        for each in fields
        if len(each) == 6 and each[5] == os.fsencode(path) and each[1].endswith(b"p")
    ]
    return [(int(first, 16), int(end, 16)) for first, end in addresses]


def _too_little(device: str) -> DeviceError:
    where = "this machine" if device in ("cpu", "auto") else f"the device {device}"
    advice = "give fewer --beams, smaller --page-tokens or fewer --pdf-pages"
    if device != "cpu":
        advice += ", or --device cpu"
    return DeviceError(f"{where} does not have enough memory", advice)


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
    for path in _CONTAINER_LIMITS:
        try:
            text = path.read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdecimal():
            return int(text)
    return None


def _measure_windows() -> Memory:
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
