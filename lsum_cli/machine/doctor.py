"""What works on this machine, and what to do about the rest."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator

from lsum_cli.errors import DeviceError, LsumError, first_line
from lsum_cli.machine.checks import (
    DISTRIBUTION,
    Check,
    CheckStatus,
    check_extras,
    check_hub,
    check_libraries,
    check_memory,
    check_python,
    check_versions,
)
from lsum_cli.machine.devices import Precision, best_precision, choose_device
from lsum_cli.machine.network import configure_network
from lsum_cli.machine.processor import processor_features


def diagnose(
    *, offline: bool = False, installed: Iterable[Check] = (), trial: Callable[[], str]
) -> Iterator[Check]:
    """Check everything a summary needs, one after the other.

    Args:
        offline: Whether the user gave ``--offline``.
        installed: The checks of what is installed, which only the store can make.
        trial: Makes a summary and describes it.
    """
    offline = configure_network(offline=offline)
    yield check_python()
    yield from check_libraries()
    yield from check_versions()
    yield from _check_torch()
    yield check_memory()
    yield from check_extras()
    yield check_hub(offline=offline)
    yield from installed
    yield _check_trial(trial)


def _check_torch() -> Iterator[Check]:
    try:
        import torch

        device = choose_device()
        precision = best_precision(device)
    except Exception as error:  # a broken installation fails in every way there is
        if isinstance(error, DeviceError):
            yield Check.of_error("torch", error, CheckStatus.PROBLEM)
            return
        yield Check(
            name="torch",
            status=CheckStatus.PROBLEM,
            detail=f"cannot be used: {first_line(error)}",
            advice="reinstall it: pip install --force-reinstall torch",
        )
        return
    yield Check(
        name="torch",
        status=CheckStatus.OK,
        detail=f"torch {torch.__version__}, {torch.get_num_threads()} threads",
    )
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        what = f"{device} {properties.name} with {properties.total_memory / (1 << 30):.1f} GiB"
    else:
        what = f"{device} {platform.processor() or platform.machine()}".strip()
    yield Check(
        name="device", status=CheckStatus.OK, detail=f"{what}; --dtype auto computes in {precision.value}"
    )
    features = processor_features()
    slow = device.type == "cpu" and precision is Precision.FLOAT32
    yield Check(
        name="processor",
        status=CheckStatus.OK,
        detail=(", ".join(features) or "no vector instructions that torch supports")
        + ("; no bfloat16: models run at half the speed" if slow else ""),
    )


def _check_trial(trial: Callable[[], str]) -> Check:
    try:
        return Check(name="summary", status=CheckStatus.OK, detail=trial())
    except LsumError as error:
        return Check.of_error("summary", error, CheckStatus.PROBLEM)
    except Exception as error:  # a broken installation fails in every way there is
        return Check(
            name="summary",
            status=CheckStatus.PROBLEM,
            detail=f"cannot be made: {type(error).__name__}: {first_line(error)}",
            advice=f"pip install --force-reinstall {DISTRIBUTION}",
        )
