"""Which device and precision a model runs with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsum_cli.errors import DeviceError, OptionError

if TYPE_CHECKING:
    import torch

    from lsum_cli.models.blocks.precision import Precision

AUTO = "auto"


def choose_device(wish: str = AUTO) -> torch.device:
    """The device for ``auto``, ``cpu``, ``cuda``, ``cuda:N`` or ``mps``.

    Raises:
        OptionError: No such word.
        DeviceError: This machine has no such device.
    """
    import torch

    kind, _, number = wish.partition(":")
    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if wish == AUTO:
        return torch.device("cuda" if has_cuda else "mps" if has_mps else "cpu")
    if kind not in ("cpu", "cuda", "mps") or (number and (kind != "cuda" or not number.isdecimal())):
        raise OptionError(f"there is no device '{wish}'", "give --device auto, cpu, cuda, cuda:N or mps")
    if kind == "cuda" and int(number or 0) >= torch.cuda.device_count():
        raise DeviceError(
            f"this machine has no device {wish}: {torch.cuda.device_count()} CUDA devices were found",
            "give --device cpu, or see lsum doctor",
        )
    if kind == "mps" and not has_mps:
        raise DeviceError("this machine has no device mps", "give --device cpu, or see lsum doctor")
    return torch.device(wish)


def choose_precision(wish: str, device: torch.device) -> Precision:
    """The precision for ``auto``, ``float32``, ``bfloat16``, ``float16`` or ``int8`` on a device.

    Raises:
        OptionError: No such word.
    """
    from lsum_cli.models.blocks.precision import Precision, best_precision

    if wish == AUTO:
        return best_precision(device)
    try:
        return Precision(wish)
    except ValueError:
        known = ", ".join((AUTO, *Precision))
        raise OptionError(f"there is no --dtype '{wish}'", f"give one of {known}") from None
