"""Limits of the machine, and the minimum cost of the work."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

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
        products: Seconds of each of a step's products, in the order of :func:`step_products`, with
            operands in the processor's cache as far as they fit: with the fastest kernel at hand.
    """

    float32: float
    bfloat16: float
    float32_per_cpu: float
    bfloat16_per_cpu: float
    reading: float
    products: Sequence[Span] = field(default_factory=list)

    @classmethod
    def from_json(cls, answer: dict[str, Any]) -> Self:
        """Read what a worker measured."""
        return cls(**(answer | {"products": [Span(**span) for span in answer["products"]]}))

    def best(self, other: Self) -> Self:
        """The better of two measurements, each quantity by itself."""
        rates = ("float32", "bfloat16", "float32_per_cpu", "bfloat16_per_cpu", "reading")
        return type(self)(
            **{name: max(getattr(self, name), getattr(other, name)) for name in rates},
            products=[
                Span(wall=min(one.wall, two.wall), cpu=min(one.cpu, two.cpu))
                for one, two in zip(self.products, other.products, strict=True)
            ],
        )


@dataclass(frozen=True, kw_only=True)
class Product:
    """A matrix product of a decoding step.

    Attributes:
        name: What it computes.
        times: How often a step computes it.
        rows: Inputs at once.
        inputs: Length of an input.
        outputs: Length of an output.
        batch: Products side by side, each with a matrix of its own.
        exact: Whether it is in float32, whatever flows between the layers.
    """

    name: str
    times: int
    rows: int
    inputs: int
    outputs: int
    batch: int = 1
    exact: bool = False

    @property
    def operations(self) -> int:
        """Multiplications and additions of a step."""
        return 2 * self.times * self.batch * self.rows * self.inputs * self.outputs


def step_products(setting: Setting) -> list[Product]:
    """The matrix products of one step; attention to what was written is left out, as it grows."""
    rows, hidden, layers = setting.pages * setting.beams, setting.hidden, setting.layers
    heads, dim = setting.pages * setting.heads, setting.hidden // setting.heads
    linear = [
        Product(name="query, key, value", times=layers, rows=rows, inputs=hidden, outputs=3 * hidden),
        Product(name="other projections", times=3 * layers, rows=rows, inputs=hidden, outputs=hidden),
        Product(name="feed-forward, wider", times=layers, rows=rows, inputs=hidden, outputs=setting.ffn),
        Product(name="feed-forward, narrower", times=layers, rows=rows, inputs=setting.ffn, outputs=hidden),
    ]
    few, length = setting.beams, setting.page_len
    attention = [
        Product(name="scores of tokens", times=layers, rows=few, inputs=dim, outputs=length, batch=heads),
        Product(name="weighted values", times=layers, rows=few, inputs=length, outputs=dim, batch=heads),
    ]
    vocabulary = Product(
        name="vocabulary", times=1, rows=few, inputs=hidden, outputs=setting.vocab, exact=True
    )
    return [*linear, *attention, vocabulary]


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
    reading = 1 / time_reading(min(setting.hidden**2, 2**20) * 128).wall
    return Limits(
        float32=rates[torch.float32][0],
        bfloat16=rates[torch.bfloat16][0],
        float32_per_cpu=rates[torch.float32][1],
        bfloat16_per_cpu=rates[torch.bfloat16][1],
        reading=reading,
        products=[measure_product(product) for product in step_products(setting)],
    )


def time_reading(size: int = 2**27) -> Span:
    """Seconds of reading a byte, with torch's threads from so many float32 numbers."""
    import torch

    block = torch.ones(size)
    return _best(block.sum, 6).divided(block.numel() * 4)


def measure_product(product: Product) -> Span:
    """Seconds that a step spends on a product at least: the best of all kernels that compute it here."""
    import torch
    from torch.nn import functional

    from lsum_cli.machine.devices import Precision, best_precision
    from lsum_cli.models.blocks.attention import PackedProduct, packs_pages
    from lsum_cli.models.blocks.precision import Preparation, keeps_compact

    device = torch.device("cpu")
    precision = Precision.FLOAT32 if product.exact else best_precision(device)
    dtype = Preparation(precision).dtype
    if product.batch > 1:
        inputs = torch.randn(product.batch, product.rows, product.inputs).to(dtype)
        matrices = torch.randn(product.batch, product.outputs, product.inputs).to(dtype)
        straight = matrices.transpose(1, 2).contiguous()
        kernels: list[Callable[[], object]] = [
            lambda: torch.bmm(inputs, matrices.transpose(1, 2)),
            lambda: torch.bmm(inputs, straight),
        ]
        if packs_pages(dtype):
            packed = PackedProduct(matrices)
            side_by_side = inputs.transpose(0, 1).flatten(1)
            kernels.append(lambda: packed(side_by_side))
    else:
        inputs = torch.randn(product.rows, product.inputs).to(dtype)
        layer = torch.nn.Linear(product.inputs, product.outputs).requires_grad_(False)
        weight, bias = layer.weight.to(dtype), layer.bias.to(dtype)
        prepared = Preparation(precision).linear(layer, rows=product.rows)
        kernels = [lambda: functional.linear(inputs, weight, bias), lambda: prepared(inputs)]
        if product.exact and keeps_compact():
            compact = Preparation(precision).compact_linear(weight, bias, rows=product.rows)
            kernels.append(lambda: compact(inputs))
    with torch.inference_mode():
        found = [_best(kernel, 24) for kernel in kernels]
    return Span(
        wall=product.times * min(span.wall for span in found),
        cpu=product.times * min(span.cpu for span in found),
    )


def _best(function: Callable[[], object], times: int) -> Span:
    function()
    spans = []
    for _ in range(times):
        started = now()
        function()
        spans.append(now() - started)
    return Span(wall=min(span.wall for span in spans), cpu=min(span.cpu for span in spans))


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
