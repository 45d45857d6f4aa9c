"""Running out of memory, said so that the user can do something about it; and using less of it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from lsum_cli.errors import DeviceError

_PHRASES = ("out of memory", "can't allocate memory", "not enough memory")


@contextmanager
def explain_out_of_memory(device: torch.device) -> Iterator[None]:
    """Turn whatever torch raises when memory runs out into a :class:`DeviceError`; let the rest pass.

    Args:
        device: Where the work is done, to name it and what may help.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        elsewhere = "" if device.type == "cpu" else ", or --device cpu"
        raise DeviceError(
            f"the memory of {device} does not suffice",
            f"try fewer --page-tokens, fewer --beams, --dtype bfloat16 or int8{elsewhere}",
        ) from error


def return_freed_memory() -> None:
    """Give back to the system what was freed in small pieces, which glibc would keep for later."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def _is_out_of_memory(error: BaseException) -> bool:
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(
        phrase in str(error).lower() for phrase in _PHRASES
    )
