"""Limits of the machine, and the minimum cost of the work."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.decoding.measuring import Span, now
from benchmarks.decoding.setting import Setting

INSTRUCTIONS = ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_tile", "asimd", "bf16", "i8mm", "sve")
GIB = 2**30
# Threads that wait for others sleep, as in the program: processor time is then work, also beside others.
ASLEEP = {"OMP_WAIT_POLICY": "PASSIVE", "KMP_BLOCKTIME": "0"}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The best of several measurements, with the setting's threads.

    Attributes:
        float32: Operations per second of matrix products.
        bfloat16: The same in bfloat16.
        float32_per_cpu: Operations per second of processor time.
        bfloat16_per_cpu: The same in bfloat16.
        reading: Bytes per second read from memory.
    """

    float32: float
    bfloat16: float
    float32_per_cpu: float
    bfloat16_per_cpu: float
    reading: float


@dataclass(frozen=True, kw_only=True)
class Floor:
    """What the work costs at least, with everything that flows in bfloat16.

    Attributes:
        encode_operations: Operations of encoder and cross-attention keys and values: multiplications
            and additions.
        step_bytes: Weights of the decoder and of the vocabulary, keys and values of all pages: each
            read once a step.
    """

    encode_operations: int
    step_bytes: int


def floor_of(setting: Setting) -> Floor:
    """Count what must be computed and read."""
    hidden, ffn, tokens = setting.hidden, setting.ffn, setting.pages * setting.page_len
    encoder_layer = 2 * tokens * (4 * hidden**2 + 2 * hidden * ffn) + 4 * tokens * setting.page_len * hidden
    projections = 2 * tokens * 2 * hidden**2
    decoder_layer = 6 * hidden**2 + 2 * hidden * ffn  # weights
    weights = setting.layers * decoder_layer + setting.vocab * hidden
    memory = setting.layers * 2 * tokens * hidden
    return Floor(
        encode_operations=setting.layers * (encoder_layer + projections), step_bytes=2 * (weights + memory)
    )


def measure_limits(setting: Setting) -> Limits:
    """Multiply matrices as large as the encoder's widest layer has, and sum up more than a cache holds."""
    import torch

    torch.set_num_threads(setting.threads)
    rows, hidden, ffn = setting.page_len, setting.hidden, setting.ffn
    rates = {}
    for dtype in (torch.float32, torch.bfloat16):
        inputs, weight = torch.randn(rows, hidden).to(dtype), torch.randn(ffn, hidden).to(dtype)
        span = _best(lambda x=inputs, w=weight: torch.nn.functional.linear(x, w), 12)  # type: ignore[misc]
        rates[dtype] = 2 * rows * hidden * ffn / span.wall, 2 * rows * hidden * ffn / max(span.cpu, 1e-9)
    block = torch.ones(min(setting.hidden**2, 2**20) * 128)
    reading = block.numel() * 4 / _best(block.sum, 6).wall
    return Limits(
        float32=rates[torch.float32][0],
        bfloat16=rates[torch.bfloat16][0],
        float32_per_cpu=rates[torch.float32][1],
        bfloat16_per_cpu=rates[torch.bfloat16][1],
        reading=reading,
    )


def _best(function: Callable[[], object], times: int) -> Span:
    function()
    spans = []
    for _ in range(times):
        started = now()
        function()
        spans.append(now() - started)
    return min(spans, key=lambda span: span.wall)


def describe_machine() -> str:
    """Processors and those of their instruction sets that matter, without names."""
    info = Path("/proc/cpuinfo")
    flags = set(info.read_text().split()) if info.exists() else set()
    found = [name for name in INSTRUCTIONS if name in flags]
    versions = [f"{name} {_version(name)}" for name in ("torch", "transformers", "ctranslate2")]
    return (
        f"{os.cpu_count()} processors "
        f"({platform.machine()}; {', '.join(found) or 'instruction sets unknown'}), "
        f"{', '.join(versions)}"
    )


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
