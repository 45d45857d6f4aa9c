"""Limits of a process: processor time and memory for a piece of work, no network, an end with its parent."""

from __future__ import annotations

import errno
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

# The timer that raises comes first; work that never returns to Python is ended by the system later.
GRACE_SECONDS = 2.0
# The timer raises again after this time, should a library have caught what it raised.
_INSISTENCE = 0.5
_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread", "bad_alloc")
_STATM = Path("/proc/self/statm")

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_AF_UNIX = 1
# (architecture as the kernel numbers it, its number of socket(2)); io_uring_setup(2) is 425 everywhere.
_SOCKET_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_IO_URING_SETUP = 425
_NETWORK_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a piece of work may take.

    Attributes:
        seconds: Processor time, of the process and of those it started.
        memory: Bytes that it may have at a time, beyond what the process had before.
    """

    seconds: float
    memory: int


class OverLimit(Exception):
    """A part of the work took more than a part may; the rest can go on."""


class OverBudget(Exception):
    """The work took more than it may.

    Attributes:
        limits: What it was allowed.
        is_memory: Whether it was memory; else time.
    """

    def __init__(self, limits: Limits, *, is_memory: bool) -> None:
        super().__init__("memory" if is_memory else "time")
        self.limits = limits
        self.is_memory = is_memory

    def __reduce__(self) -> tuple[object, ...]:
        return _over_budget, (self.limits, self.is_memory)


def _over_budget(limits: Limits, is_memory: bool) -> OverBudget:
    return OverBudget(limits, is_memory=is_memory)


class Budget:
    """The budget of a piece of work. This one is unlimited: for work in the caller's own process."""

    def allow(self, limits: Limits) -> None:
        """Set the limits of the whole work, counted from its beginning."""

    def check(self) -> None:
        """Raise if the time is used up, that of other processes started by this one included."""

    @contextmanager
    def part(self, seconds: float) -> Iterator[None]:  # noqa: ARG002 - there is no limit here
        """Limit the time of a part of the work.

        Raises:
            OverLimit: The part took more processor time, or all the memory there is.
        """
        yield


UNLIMITED = Budget()


class _PartExpired(BaseException):
    """Raised by the timer in the middle of a part; no library catches it as an error of its own."""


class _Expired(BaseException):
    """Raised by the timer when the time of the whole work is used up."""


class ProcessBudget(Budget):
    """The budget of the work that a process does now, which the operating system keeps.

    For the main thread of a process that does nothing else. A timer interrupts Python code in time. Code
    that does not return to Python is ended with the process, :data:`GRACE_SECONDS` later. Memory beyond
    the limit cannot be had (``MemoryError``). Where the system keeps no such limits, :meth:`check` and the
    timer remain, as far as there is one.
    """

    def __init__(self) -> None:
        self._limits: Limits | None = None
        self._begun = 0.0
        self._part_ends: float | None = None
        self._rings_at = math.inf  # the processor time at which the timer rings
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGPROF, self._ring)

    @contextmanager
    def work(self, limits: Limits) -> Iterator[None]:
        """Do one piece of work within limits, which :meth:`allow` may change meanwhile.

        Raises:
            OverBudget: It takes more than that.
        """
        self._begun = _time_used()
        self._memory_before = _address_space()
        self.allow(limits)
        try:
            yield
        except _Expired:
            raise OverBudget(self._limits or limits, is_memory=False) from None
        except Exception as error:
            if not _is_lack_of_memory(error):
                raise
            self.release()  # or there is no memory to say so
            raise OverBudget(self._limits or limits, is_memory=True) from error
        finally:
            self._limits = None
            self.release()

    def allow(self, limits: Limits) -> None:
        """See :class:`Budget`."""
        self._limits = limits
        _limit_memory(self._memory_before + limits.memory)
        self._arm()

    def check(self) -> None:
        """See :class:`Budget`."""
        if self._limits is not None and _time_used() - self._begun > self._limits.seconds:
            raise _Expired

    @contextmanager
    def part(self, seconds: float) -> Iterator[None]:
        """See :class:`Budget`."""
        try:
            self._part_ends = time.process_time() + seconds
            # A timer that was set for an earlier part rings in time, and is set anew then.
            if self._part_ends < self._rings_at:
                self._arm()
            yield
        except _PartExpired:
            self._rings_at = math.inf
            raise OverLimit(f"more than {seconds:g} s") from None
        except MemoryError as error:
            raise OverLimit("too much memory") from error
        finally:
            self._part_ends = None

    def release(self) -> None:
        """Lift the limits: the process waits for its next work."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
        self._rings_at = math.inf
        _limit_seconds(None)
        _limit_memory(None)

    def _arm(self) -> None:
        """Set the timer to whatever ends first, and the system's own limit behind it."""
        if self._limits is None or not hasattr(signal, "setitimer"):
            return
        now, left = time.process_time(), self._limits.seconds - (_time_used() - self._begun)
        _limit_seconds(now + max(left, 0) + GRACE_SECONDS)
        if self._part_ends is not None:
            left = min(left, self._part_ends - now)
        left = max(left, 0.001)
        self._rings_at = now + left
        signal.setitimer(signal.ITIMER_PROF, left, _INSISTENCE)

    def _ring(self, _signum: int, _frame: FrameType | None) -> None:
        self.check()
        if self._part_ends is not None and time.process_time() >= self._part_ends:
            raise _PartExpired
        # The timer's clock and ours differ by a little.
        self._arm()


def _is_lack_of_memory(error: Exception) -> bool:
    """Whether an error comes of memory that could not be had, as Python, libraries and the loader say it."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    return isinstance(error, ImportError | RuntimeError) and any(each in str(error) for each in _NO_MEMORY)


def end_with_parent(parent: int) -> None:
    """Let the system end this process when its parent ends, where it can; ``parent`` is its id."""
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:  # it ended meanwhile
            os._exit(1)


def disable_core_dumps() -> None:
    """Write no image of the memory to the disk should the process crash."""
    _set_limit("RLIMIT_CORE", 0)


def block_network() -> None:
    """Give up the network for good, for this process and those it starts.

    Linux itself refuses every socket but local ones; elsewhere Python does.
    """
    if not _refuse_sockets():
        sys.addaudithook(_refuse_network)


def _refuse_network(event: str, _arguments: tuple[object, ...]) -> None:
    if event in _NETWORK_EVENTS:
        raise PermissionError(errno.EACCES, "this process may not use the network")


def _refuse_sockets() -> bool:
    """Install a filter of system calls (seccomp) that lets ``socket(2)`` make local sockets alone."""
    call = _SOCKET_CALLS.get(os.uname().machine) if sys.platform == "linux" else None
    if call is None:
        return False
    import ctypes
    import struct

    architecture, socket_call = call
    load, equal, give = 0x20, 0x15, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    # (operation, jump if true, jump if false, value); data: the call at 0, the architecture at 4,
    # the first argument at 16.
    program = (
        (load, 0, 0, 4),
        (equal, 0, 6, architecture),
        (load, 0, 0, 0),
        (equal, 5, 0, _IO_URING_SETUP),
        (equal, 0, 3, socket_call),
        (load, 0, 0, 16),
        (equal, 1, 0, _AF_UNIX),
        (give, 0, 0, refuse),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    installed = Program(len(program), ctypes.addressof(code))
    return _prctl(_PR_SET_NO_NEW_PRIVS, 1) and _prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(installed)
    )


def _prctl(option: int, first: int, second: int = 0) -> bool:
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).prctl
    number = ctypes.c_ulong
    return bool(call(option, number(first), number(second), number(0), number(0)) == 0)


def _time_used() -> float:
    """Processor seconds of this process and of those it started that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _address_space() -> int:
    """Bytes of this process's address space; 0 where that is unknown."""
    with suppress(OSError, ValueError, IndexError):
        return int(_STATM.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _limit_memory(num_bytes: int | None) -> None:
    _set_limit("RLIMIT_AS", num_bytes)


def _limit_seconds(seconds: float | None) -> None:
    _set_limit("RLIMIT_CPU", None if seconds is None else int(seconds) + 1)


def _set_limit(name: str, value: int | None) -> None:
    """Set a limit that can be raised again, below the one that cannot; ``None`` lifts it that far."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        which = getattr(resource, name)
        most = resource.getrlimit(which)[1]
        if value is None or (most != resource.RLIM_INFINITY and value > most):
            value = most
        resource.setrlimit(which, (value, most))
