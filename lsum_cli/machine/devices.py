"""The device and the precision that a model runs with."""

from __future__ import annotations

import enum
import os
from typing import TYPE_CHECKING

from lsum_cli.errors import DeviceError, OptionError
from lsum_cli.machine.memory import measure_memory, own_share
from lsum_cli.machine.processor import computes_bfloat16

if TYPE_CHECKING:
    import torch

AUTO = "auto"


class Precision(enum.StrEnum):
    """Precision of a model's weights and activations; ``int8`` is for linear layers on a CPU."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"
    INT8 = "int8"


def choose_device(name: str = AUTO) -> torch.device:
    """The device for ``auto``, ``cpu``, ``cuda``, ``cuda:N`` or ``mps``.

    Raises:
        OptionError: The name is not one of these.
        DeviceError: This machine has no such device, or nothing can be computed here.
    """
    _check_folder()
    import torch

    kind, _, number = name.partition(":")
    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if name == AUTO:
        return torch.device("cuda" if has_cuda else "mps" if has_mps else "cpu")
    if kind not in ("cpu", "cuda", "mps") or (number and (kind != "cuda" or not number.isdecimal())):
        raise OptionError(f"there is no device '{name}'", "give --device auto, cpu, cuda, cuda:N or mps")
    if kind == "cuda" and int(number or 0) >= torch.cuda.device_count():
        raise DeviceError(
            f"this machine has no device {name}: {torch.cuda.device_count()} CUDA devices were found",
            "give --device cpu, or see lsum doctor",
        )
    if kind == "mps" and not has_mps:
        raise DeviceError("this machine has no device mps", "give --device cpu, or see lsum doctor")
    return torch.device(name)


def _check_folder() -> None:
    """Refuse a current folder that was deleted: from there oneMKL finds no library, and ends the process."""
    try:
        os.getcwd()  # noqa: PTH109 - nothing of it is used
    except OSError as error:
        raise DeviceError("the current folder was deleted", "change to a folder that exists") from error


def choose_precision(name: str, device: torch.device) -> Precision:
    """The precision for ``auto``, ``float32``, ``bfloat16``, ``float16`` or ``int8`` on a device.

    Raises:
        OptionError: The name is not one of these.
    """
    if name == AUTO:
        return best_precision(device)
    try:
        return Precision(name)
    except ValueError:
        known = ", ".join((AUTO, *Precision))
        raise OptionError(f"there is no --dtype '{name}'", f"give one of {known}") from None


def best_precision(device: torch.device) -> Precision:
    """The fastest precision that the device computes natively without noticeable loss."""
    import torch

    if device.type == "cuda":
        return Precision.BFLOAT16 if torch.cuda.is_bf16_supported() else Precision.FLOAT16
    return Precision.BFLOAT16 if device.type == "cpu" and computes_bfloat16() else Precision.FLOAT32


def free_bytes(device: torch.device) -> int | None:
    """Memory of a device that this process can still get, its share of it; ``None`` where it is unknown."""
    if device.type == "cpu":
        available = measure_memory().available
        return None if available is None else own_share(available)
    if device.type != "cuda":
        return None
    import torch

    free, _ = torch.cuda.mem_get_info(device)
    # What torch has taken and does not use is free to it.
    return own_share(int(free)) + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
