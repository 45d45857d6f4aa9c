"""Weights prepared for inference: the only module that depends on precision and processors.

An engine asks a :class:`Preparation` for its linear layers and gets callables. The engine need not know
whether these compute in float32, bfloat16, float16 or int8, or with weights repacked for the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine import processor
from lsum_cli.machine.devices import Precision, best_precision
from lsum_cli.machine.memory import MappedFile, return_freed_memory
from lsum_cli.models.blocks.weights import ReadModule

FLOAT16_MOST = 65504.0
# Half the distance between the numbers next to 0.
FLOAT16_LEAST = 2.0**-25
# Around this float32 number the next ones are 1 apart, and the last byte of its own bits is 0.
LAST_BYTE_0 = 1.5 * 2.0**23
ROUNDED_AT_ONCE = 2**18

PreparedLinear = Callable[[Tensor], Tensor]
"""(…, inputs) -> (…, outputs)."""


@dataclass(frozen=True)
class Preparation:
    """How weights are prepared.

    Args:
        precision: Precision of linear layers and of the activations between them.
        device: Where to.
        release: Whether the module's own copy is freed as its weights are taken over; the module
            cannot be used afterwards, and no more than one copy is held at any time.
        mapped: The file that the weights are in, if they are; with ``release``, let go with them.

    Raises:
        OptionError: The device cannot compute in this precision.
    """

    precision: Precision
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    release: bool = False
    mapped: MappedFile | None = None
    _tables: dict[int, Tensor] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.precision is Precision.INT8 and not (self.device.type == "cpu" and computes_int8()):
            raise OptionError(
                f"--dtype int8 cannot be computed on this {self.device.type}", "choose --dtype auto instead"
            )

    @property
    def dtype(self) -> torch.dtype:
        """What flows between layers."""
        if self.precision is Precision.INT8:
            return torch.bfloat16 if processor.computes_bfloat16() else torch.float32
        return {
            Precision.FLOAT32: torch.float32,
            Precision.BFLOAT16: torch.bfloat16,
            Precision.FLOAT16: torch.float16,
        }[self.precision]

    def tensor(self, tensor: Tensor) -> Tensor:
        """Prepare any tensor that is not the matrix of a linear layer."""
        return self._own(tensor.detach().to(self.device, self.dtype), tensor)

    def table(self, weight: Tensor) -> Tensor:
        """Prepare an embedding; modules that share it get the same tensor."""
        key = weight.data_ptr()
        if key not in self._tables:
            self._tables[key] = self.tensor(weight)
        return self._tables[key]

    def _own(self, prepared: Tensor, original: Tensor) -> Tensor:
        # Weights are often views of a mapped file: a single view would keep the whole file mapped.
        is_same = prepared.data_ptr() == original.data_ptr()
        own = prepared.clone() if self.release and is_same else prepared
        self._let_go(original)
        return own

    def _let_go(self, original: Tensor) -> None:
        if self.release and self.mapped is not None:
            self.mapped.let_go(original.data_ptr(), original.nbytes)

    def linear(self, *layers: nn.Linear, rows: int, activation: str | None = None) -> PreparedLinear:
        """Prepare linear layers over one input as one, their outputs side by side.

        Args:
            *layers: At least one.
            rows: The usual number of inputs at once.
            activation: Applied to the output; a name of ``transformers``' table.
        """
        with torch.no_grad():
            # Converted one by one, to need little memory meanwhile; a single one is packed where it is.
            dtype = torch.float32 if self.precision is Precision.INT8 else self.dtype
            weights = [layer.weight.detach().to(self.device, dtype) for layer in layers]
            weight = weights[0] if len(weights) == 1 else torch.cat(weights)
            bias = torch.cat([_bias_of(layer).to(self.device, dtype) for layer in layers])
            del weights
        fused = activation if activation == "gelu" else None
        is_shared = weight.data_ptr() == layers[0].weight.data_ptr()
        prepared = self._linear(weight, bias, rows, fused)
        if is_shared and isinstance(prepared, PlainLinear):
            prepared = PlainLinear(weight.clone(), bias)
        del weight
        if self.release:
            for layer in layers:
                self._let_go(layer.weight)
                layer.weight.data = layer.weight.new_empty(0)
        if activation is None or (activation == fused and not isinstance(prepared, PlainLinear)):
            return prepared
        function = activation_of(activation)
        return lambda inputs: function(prepared(inputs))

    def exact_linear(self, weight: Tensor, bias: Tensor, *, rows: int) -> PreparedLinear:
        """Prepare a layer that computes in float32 at any precision, such as the vocabulary's."""
        exact_weight = weight.detach().to(self.device, torch.float32)
        exact_bias = self._own(bias.detach().to(self.device, torch.float32), bias)
        if self.device.type == "cpu" and _packs(torch.float32):
            packed = PackedLinear(exact_weight, exact_bias, rows, None)
            self._let_go(weight)
            return packed
        return PlainLinear(self._own(exact_weight, weight), exact_bias)

    def compact_linear(self, weight: Tensor, bias: Tensor | None = None, *, rows: int) -> PreparedLinear:
        """Prepare a matrix that computes in float32 and is stored in 16 bits, for few inputs at once.

        The cost of such a layer is reading its weights. They retain 11 binary digits: all of a bfloat16
        checkpoint's, and more than computing in bfloat16 retains. Where this processor has no such
        product, weights stay in float32.

        Args:
            weight: (outputs, inputs).
            bias: (outputs,), by default 0.
            rows: The usual number of inputs at once.
        """
        if self.device.type == "cpu" and keeps_compact():
            exact = weight.detach().to(self.device, torch.float32)
            # Without a copy of all weights, as their absolute values would be.
            if max(float(end.abs()) for end in exact.aminmax()) <= FLOAT16_MOST:
                own_bias = None if bias is None else self._own(bias.detach().float(), bias)
                compact = CompactLinear(exact, own_bias)
                self._let_go(weight)
                return compact
        return self.exact_linear(weight, weight.new_zeros(len(weight)) if bias is None else bias, rows=rows)

    def vocabulary(self, weight: Tensor, bias: Tensor, *, rows: int) -> PreparedLinear:
        """Prepare the scores of a vocabulary: products in float32, and weights too if all else is.

        With few inputs at once it is bound by reading its weights: in 16 bits it takes half the time and
        half the memory, and 11 binary digits are more than the inputs have.
        """
        if self.precision is Precision.FLOAT32:
            return self.exact_linear(weight, bias, rows=rows)
        return self.compact_linear(weight, bias, rows=rows)

    def _linear(self, weight: Tensor, bias: Tensor, rows: int, activation: str | None) -> PreparedLinear:
        if self.precision is Precision.INT8:
            return Int8Linear(weight, bias, rows, activation, self.dtype)
        if self.device.type == "cpu" and _packs(self.dtype):
            return PackedLinear(weight, bias, rows, activation)
        return PlainLinear(weight, bias)


class PlainLinear:
    """A linear layer as torch computes it."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        self._weight = weight
        self._bias = bias

    def __call__(self, inputs: Tensor) -> Tensor:
        """(…, inputs) -> (…, outputs)."""
        return functional.linear(inputs, self._weight, self._bias)


class PackedLinear:
    """A linear layer whose weights oneDNN has packed for ``rows`` inputs at once."""

    def __init__(self, weight: Tensor, bias: Tensor, rows: int, activation: str | None) -> None:
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight, rows)
        self._bias = bias
        # The algorithm "none" is the exact GELU, not its approximation by tanh.
        self._epilogue: tuple[Any, ...] = (activation or "none", [], "none" if activation else "")

    def __call__(self, inputs: Tensor) -> Tensor:
        """(…, inputs) -> (…, outputs)."""
        outputs: Tensor = torch.ops.mkldnn._linear_pointwise(
            inputs, self._weight, self._bias, *self._epilogue
        )
        return outputs


class CompactLinear:
    """A matrix stored in float16 whose products are computed in float32 (FBGEMM)."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self._weight = torch.ops.quantized.linear_prepack_fp16(weight, bias)

    def __call__(self, inputs: Tensor) -> Tensor:
        """(…, inputs) -> (…, outputs)."""
        outputs: Tensor = torch.ops.quantized.linear_dynamic_fp16(inputs, self._weight)
        return outputs


class Int8Linear:
    """A linear layer in 8-bit integers: weights scaled per output, inputs per call (dynamically)."""

    def __init__(
        self, weight: Tensor, bias: Tensor, rows: int, activation: str | None, dtype: torch.dtype
    ) -> None:
        weight = weight.float()
        self._scales = weight.abs().amax(dim=1).clamp_min(1e-12) / 127  # (outputs,)
        integers = (weight / self._scales.unsqueeze(1)).round().to(torch.int8)
        self._weight = torch.ops.onednn.qlinear_prepack(integers, [rows, weight.shape[1]])
        self._zeros = torch.zeros(weight.shape[0], dtype=torch.int64)
        self._bias = bias.detach().float()
        self._epilogue: tuple[Any, ...] = (
            1.0,
            0,
            dtype,
            activation or "none",
            [],
            "none" if activation else "",
        )

    def __call__(self, inputs: Tensor) -> Tensor:
        """(…, inputs) -> (…, outputs)."""
        low, high = (float(end) for end in inputs.aminmax())
        low, high = min(low, 0.0), max(high, 0.0)
        # With half a step to spare, so that nothing rounds to more than 255.
        scale = max((high - low) / 254.5, 1e-12)
        zero = round(-low / scale)
        integers = round_to_bytes(inputs, 1 / scale, zero)
        outputs: Tensor = torch.ops.onednn.qlinear_pointwise(
            integers, scale, zero, self._weight, self._scales, self._zeros, self._bias, *self._epilogue
        )
        return outputs


def round_to_bytes(inputs: Tensor, factor: float, shift: int) -> Tensor:
    """Round ``inputs × factor + shift``, which lies between -0.5 and 255.5, to integers of 8 bits.

    Where float32 numbers are one apart, adding rounds, and the last byte is the integer: a third of the time
    of converting. In parts that stay in the processor's cache, and whose memory is used again.
    """
    first = torch.tensor(LAST_BYTE_0 + shift)
    flat = inputs.reshape(-1)
    outputs = torch.empty(flat.shape, dtype=torch.uint8)
    for start in range(0, len(flat), ROUNDED_AT_ONCE):
        part = flat[start : start + ROUNDED_AT_ONCE].float()
        rounded = torch.add(first, part, alpha=factor)
        outputs[start : start + ROUNDED_AT_ONCE] = rounded.view(torch.int32)
    return outputs.view(inputs.shape)


def activation_of(name: str) -> Callable[[Tensor], Tensor]:
    """Return an activation function by its name in ``transformers``.

    Raises:
        CheckpointError: There is none of that name.
    """
    known: dict[str, Callable[[Tensor], Tensor]] = {
        "gelu": functional.gelu,
        "relu": functional.relu,
        "silu": functional.silu,
    }
    if name in known:
        return known[name]
    # Importing it takes seconds, and hardly a model needs it.
    from transformers.activations import ACT2FN

    if name not in ACT2FN:
        raise CheckpointError(
            f"the model's configuration is damaged: activation_function '{name}' is unknown",
            "import or download the checkpoint again",
        )
    function: Callable[[Tensor], Tensor] = ACT2FN[name]
    return function


def _bias_of(layer: nn.Linear) -> Tensor:
    return layer.bias if layer.bias is not None else layer.weight.new_zeros(layer.out_features)


@cache
def _packs(dtype: torch.dtype) -> bool:
    """Whether oneDNN's packed layers are available here and correct."""
    if dtype is torch.bfloat16 and not processor.packs_bfloat16():
        return False
    weight, inputs = torch.eye(16, dtype=dtype), torch.arange(16, dtype=dtype).view(1, 16)
    try:
        outputs = PackedLinear(weight, torch.zeros(16, dtype=dtype), 1, None)(inputs)
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
    return bool((outputs == inputs).all())


def survives_float16(weight: Tensor) -> bool:
    """Whether float16 represents a matrix without loss, as it does bfloat16 numbers, except next to 0."""
    lost = (weight.detach().to(torch.float16).float() - weight.detach().float()).abs().amax()
    return bool(lost <= FLOAT16_LEAST)


@cache
def keeps_compact() -> bool:
    """Whether this processor multiplies matrices stored in float16 correctly."""
    weight, inputs = torch.eye(16) / 3, torch.arange(16.0).view(1, 16)
    try:
        outputs = CompactLinear(weight)(inputs)
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
    return torch.equal(outputs, inputs @ weight.half().float())


@cache
def computes_int8() -> bool:
    """Whether 8-bit products are summed exactly; older processors overflow in 16 bits on the way."""
    if not processor.computes_int8():
        return False
    weight = torch.full((16, 64), 127.0)
    try:
        outputs = Int8Linear(weight, torch.zeros(16), 1, None, torch.float32)(torch.full((1, 64), 255.0))
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
    return torch.allclose(outputs, torch.full((1, 16), 127.0 * 255 * 64), rtol=1e-2)


@contextmanager
def take_over(
    model: Any, precision: Precision | None, device: torch.device | None, *, release: bool
) -> Iterator[Preparation]:
    """Prepare the weights of a model within the context.

    Args:
        model: The model; unchanged unless ``release``.
        precision: Precision of the computation; ``None`` for the device's best.
        device: Where; ``None`` for where the model is.
        release: Free the model's own copy; the model is unusable afterwards.

    Raises:
        CheckpointError: A weight is NaN or infinite.
        OptionError: The device cannot compute in this precision.
    """
    mapped = model.mapped if release and isinstance(model, ReadModule) else None
    _refuse_damaged(model, mapped)
    device = device or model.device
    with torch.inference_mode():
        yield Preparation(precision or best_precision(device), device, release, mapped)
        if release:
            release_weights(model)


def release_weights(model: nn.Module) -> None:
    """Free the memory of a model's own weights."""
    for parameter in model.parameters():
        parameter.data = parameter.new_empty(0)
    for module in model.modules():
        for name, buffer in list(module.named_buffers(recurse=False)):
            # Replaced: a view would keep alive what it is a view of.
            setattr(module, name, buffer.new_empty(0))
    return_freed_memory()


def _refuse_damaged(model: nn.Module, mapped: MappedFile | None) -> None:
    for name, weight in [*model.named_parameters(), *model.named_buffers()]:
        # A sum is one pass without a copy, and a single NaN makes it NaN.
        if weight.is_floating_point() and not torch.isfinite(weight.detach().sum(dtype=torch.float32)):
            raise CheckpointError(
                f"the weights {name} are damaged: they contain NaN or infinity",
                "download or import the checkpoint again",
            )
        if mapped is not None:
            mapped.let_go(weight.data_ptr(), weight.nbytes)
