"""What the processor computes well; every choice of precision asks here."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from lsum_cli.errors import OptionError

# For tests alone: "avx2" makes the program take the processor for one without bfloat16 and AVX-512.
TEST_VARIABLE = "LSUM_TEST_CPU"

_FEATURES = (
    "avx2",
    "avx512_f",
    "avx512_bf16",
    "avx512_vnni",
    "avx_vnni",
    "avx_ne_convert",
    "amx_bf16",
    "amx_int8",
    "bf16",
    "i8mm",
    "sve",
)
_IN_AVX2 = ("avx2",)


def processor_features() -> tuple[str, ...]:
    """The instruction sets that decide which precision is fast, as torch names them.

    Raises:
        OptionError: ``LSUM_TEST_CPU`` is set to an unknown value.
    """
    pretended = os.environ.get(TEST_VARIABLE)
    if not pretended:
        return _found_features()
    if pretended != "avx2":
        raise OptionError(f"{TEST_VARIABLE} is '{pretended}'", "set it to avx2, or not at all")
    return tuple(name for name in _found_features() if name in _IN_AVX2)


def processor_class() -> str:
    """What processors have in common that compute equally fast in a precision: their instruction sets."""
    return " ".join(processor_features()) or "none"


def computes_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 natively; emulated it is slower than float32."""
    return _has("avx512_bf16", "amx_bf16", "bf16")


def packs_bfloat16() -> bool:
    """Whether bfloat16 weights can be repacked for the processor: oneDNN then needs AVX-512 at least."""
    return _has("avx512_f", "avx_ne_convert") or not _is_x86()


def computes_int8() -> bool:
    """Whether 8-bit products may be exact: without VNNI an x86 processor sums them in 16 bits."""
    return _has("avx512_vnni", "avx_vnni", "amx_int8") or not _is_x86()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread inside the context, faster where many small products are made.

    The number of threads belongs to the whole process; it is restored afterwards.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _has(*names: str) -> bool:
    return not set(names).isdisjoint(processor_features())


def _is_x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64", "i386", "i686", "x86")


@cache
def _found_features() -> tuple[str, ...]:
    import torch

    capabilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return tuple(name for name in _FEATURES if capabilities.get(name))
