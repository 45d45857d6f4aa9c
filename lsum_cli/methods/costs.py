"""Estimating the cost of an encoder-decoder from its sizes and the speed of this machine."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import free_bytes
from lsum_cli.machine.memory import MEMORY_SHARE
from lsum_cli.methods.base import Cost

if TYPE_CHECKING:
    import torch

    from lsum_cli.machine.devices import Precision

# Memory of the program with torch and transformers, without weights.
PROGRAM_BYTES = 450 << 20
# Share of the measured rates that a complete model reaches.
COMPUTE_EFFICIENCY, MEMORY_EFFICIENCY = 0.6, 0.3
_FLOAT32_BYTES = 4
_BYTES = {"float32": _FLOAT32_BYTES, "bfloat16": 2, "float16": 2, "int8": 1}
# Products of float16 weights in float32, which processors of PCs have.
_COMPACT_BYTES = 2
_MATRIX = 1024
_STREAM_BYTES = 1 << 27
_NAMES = {
    "hidden": ("d_model", "hidden_size"),
    "encoder_layers": ("encoder_layers", "num_layers"),
    "decoder_layers": ("decoder_layers", "num_decoder_layers", "num_layers"),
    "ffn": ("encoder_ffn_dim", "d_ff", "decoder_ffn_dim"),
    "vocab": ("vocab_size",),
}


@dataclass(frozen=True, kw_only=True)
class ModelSizes:
    """The sizes of an encoder-decoder that determine its cost."""

    hidden: int
    encoder_layers: int
    decoder_layers: int
    ffn: int
    vocab: int

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> ModelSizes:
        """Read the sizes from a ``config.json``, under the names that any supported architecture uses.

        Raises:
            CheckpointError: A size is missing or invalid.
        """
        sizes = {}
        for size, names in _NAMES.items():
            value = next((config[name] for name in names if config.get(name) is not None), None)
            if type(value) is not int or value < 1:
                raise CheckpointError(
                    f"the configuration of the checkpoint is damaged: {names[0]} is {value!r}",
                    "import or download the checkpoint again",
                )
            sizes[size] = value
        return cls(**sizes)

    @property
    def encoder_weights(self) -> int:
        """Number of weights in the encoder's layers."""
        return self.encoder_layers * (4 * self.hidden**2 + 2 * self.hidden * self.ffn)

    @property
    def decoder_weights(self) -> int:
        """Number of weights in the decoder's layers, all read at every step."""
        return self.decoder_layers * (6 * self.hidden**2 + 2 * self.hidden * self.ffn)

    @property
    def cross_weights(self) -> int:
        """Number of weights that compute the cross-attention keys and values, used once."""
        return self.decoder_layers * 2 * self.hidden**2

    @property
    def embedding_weights(self) -> int:
        """Number of weights in the embeddings, shared with the vocabulary projection."""
        return self.vocab * self.hidden


@dataclass(frozen=True, kw_only=True)
class Work:
    """The amount of computation.

    Attributes:
        page_lengths: Length of each page in tokens.
        steps: Number of tokens to write in a pass.
        passes: Number of passes: one, or one per part.
        rows: Number of sequences decoded in parallel in a pass.
        memory_copies: Copies of the cross-attention keys and values: 1 if beams share them, else
            the number of beams.
        held_tokens: Number of tokens whose keys and values are in memory at once; ``None`` for those of
            all pages if there is one pass, else of the longest page.
        has_own_vocabulary: Whether the vocabulary is scored with weights of its own beside the
            embeddings, as engines do, and not with these.
    """

    page_lengths: tuple[int, ...]
    steps: int
    passes: int
    rows: int
    memory_copies: int
    held_tokens: int | None = None
    has_own_vocabulary: bool = True


def estimate_cost(sizes: ModelSizes, work: Work, device: torch.device, precision: Precision) -> Cost:
    """Estimate time and memory of encoding pages and writing a summary."""
    from lsum_cli.models.blocks.precision import keeps_compact

    width = _BYTES[precision.value]
    is_compact = width < _FLOAT32_BYTES and device.type == "cpu" and keeps_compact()
    vocabulary_width = _COMPACT_BYTES if is_compact else _FLOAT32_BYTES
    cost = estimate_at_rates(sizes, work, measure_rates(device, precision), width, vocabulary_width)
    return replace(cost, precision=precision.value)


def estimate_at_rates(
    sizes: ModelSizes,
    work: Work,
    rates: tuple[float, float],
    width: int,
    vocabulary_width: int = _FLOAT32_BYTES,
) -> Cost:
    """As :func:`estimate_cost`, at known operations and bytes per second.

    Args:
        width: Bytes of a weight.
        vocabulary_width: Bytes of a weight of the vocabulary's projection, where that has its own.
    """
    flops_rate, bytes_rate = rates
    tokens = sum(work.page_lengths)
    encoding = 2 * tokens * (sizes.encoder_weights + sizes.cross_weights)
    encoding += 4 * sizes.encoder_layers * sizes.hidden * sum(length**2 for length in work.page_lengths)
    held_tokens = work.held_tokens or (tokens if work.passes == 1 else max(work.page_lengths))
    token_bytes = sizes.decoder_layers * 2 * sizes.hidden * work.memory_copies * max(2, width)
    held = held_tokens * token_bytes
    stepping = 2 * work.rows * (sizes.decoder_weights + sizes.embedding_weights)
    # Embeddings are not quantised.
    table_width = max(2, width)
    scored_width = vocabulary_width if work.has_own_vocabulary else table_width
    step_bytes = width * sizes.decoder_weights + scored_width * sizes.embedding_weights + held
    step_seconds = stepping / flops_rate + step_bytes / bytes_rate
    weights = sizes.encoder_weights + sizes.decoder_weights + sizes.cross_weights
    tables = table_width + (vocabulary_width if work.has_own_vocabulary else 0)
    weight_bytes = width * weights + tables * sizes.embedding_weights
    return Cost(
        seconds=encoding / flops_rate + work.passes * work.steps * step_seconds,
        memory_bytes=PROGRAM_BYTES + weight_bytes + held,
        token_bytes=token_bytes,
        held_tokens=held_tokens,
    )


def tokens_in_memory(device: torch.device, fixed_bytes: int, token_bytes: float) -> int | None:
    """Tokens for which the memory that is free suffices; ``None`` where it is unknown.

    Args:
        fixed_bytes: What is still to be taken whatever the number of tokens, such as weights.
        token_bytes: What each token takes.
    """
    available = free_bytes(device)
    if available is None or token_bytes <= 0:
        return None
    return max(0, int((MEMORY_SHARE * available - fixed_bytes) / token_bytes))


@cache
def measure_rates(device: torch.device, precision: Precision) -> tuple[float, float]:
    """Measure operations and bytes per second of linear layers on this machine, in a tenth of a second."""
    import torch

    dtype = torch.bfloat16 if precision.value == "int8" else getattr(torch, precision.value)
    matrix = torch.ones(_MATRIX, _MATRIX, dtype=dtype, device=device)
    stream = torch.ones(_STREAM_BYTES // 4, device=device)
    flops = 2 * _MATRIX**3 / _seconds(lambda: (matrix @ matrix)[0, 0].item())
    bytes_read = _STREAM_BYTES / _seconds(lambda: stream.sum().item())
    return flops * COMPUTE_EFFICIENCY, bytes_read * MEMORY_EFFICIENCY


def measure_rates_roughly() -> tuple[float, float]:
    """As :func:`measure_rates` for the processor in float32, without torch, which takes a second to load."""
    import numpy as np

    matrix = np.ones((_MATRIX, _MATRIX), np.float32)
    stream = np.ones(_STREAM_BYTES // 4, np.float32)
    flops = 2 * _MATRIX**3 / _seconds(lambda: matrix @ matrix)
    bytes_read = _STREAM_BYTES / _seconds(lambda: stream @ stream)
    return flops * COMPUTE_EFFICIENCY, bytes_read * MEMORY_EFFICIENCY


def _seconds(action: Any) -> float:
    """The shortest of three runs after a warm-up run."""
    action()
    times = []
    for _ in range(3):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)
