"""Memory that does not suffice, told as the user can mend it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lsum_cli.errors import DeviceError

_SIGNS = ("can't allocate memory", "not enough memory", "out of memory", "cannot allocate memory")


@contextmanager
def memory_watched(device: str) -> Iterator[None]:
    """Turn a failed allocation into one line that names what helps.

    Args:
        device: Where the work is done, as the user would name it.

    Raises:
        DeviceError: The memory does not suffice.
    """
    try:
        yield
    except MemoryError as error:
        raise _too_little(device) from error
    except RuntimeError as error:  # torch.OutOfMemoryError is one, and a CPU's allocator raises it plainly
        if not any(sign in str(error).lower() for sign in _SIGNS):
            raise
        raise _too_little(device) from error


def _too_little(device: str) -> DeviceError:
    where = "this machine" if device == "cpu" else f"the device {device}"
    advice = "give fewer --beams, smaller --page-tokens or fewer --pdf-pages"
    if device != "cpu":
        advice += ", or --device cpu"
    return DeviceError(f"the memory of {where} does not suffice", advice)
