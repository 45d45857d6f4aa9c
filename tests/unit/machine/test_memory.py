"""A failed allocation becomes one line that names what helps; any other error stays what it is."""

from __future__ import annotations

import pytest
import torch

from lsum_cli.errors import DeviceError
from lsum_cli.machine.memory import explain_out_of_memory


def allocate_too_much() -> None:
    torch.empty(1 << 60)


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_too_little_memory_names_what_helps(device):
    with (
        pytest.raises(DeviceError, match=r"does not have enough memory.*--beams") as error,
        explain_out_of_memory(device),
    ):
        allocate_too_much()
    assert ("--device cpu" in str(error.value)) == (device != "cpu")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to …"),
        RuntimeError("mmap: Cannot allocate memory"),
    ],
)
def test_every_kind_of_failed_allocation_counts(error):
    with pytest.raises(DeviceError), explain_out_of_memory("cuda"):
        raise error


@pytest.mark.parametrize("error", [RuntimeError("size mismatch"), KeyboardInterrupt(), ValueError("no")])
def test_other_errors_pass(error):
    with pytest.raises(type(error)), explain_out_of_memory("cpu"):
        raise error
