"""A failed allocation becomes one line that names what helps; any other error stays what it is."""

from __future__ import annotations

import pytest
import torch

from lsum_cli.errors import DeviceError
from lsum_cli.methods.model_method import memory_watched


def allocate_too_much() -> None:
    torch.empty(1 << 60)


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_too_little_memory_names_what_helps(device):
    with pytest.raises(DeviceError, match=r"does not suffice.*--beams") as error, memory_watched(device):
        allocate_too_much()
    assert ("--device cpu" in str(error.value)) == (device != "cpu")


@pytest.mark.parametrize("error", [MemoryError(), torch.OutOfMemoryError("CUDA out of memory. Tried to …")])
def test_every_kind_of_failed_allocation_counts(error):
    with pytest.raises(DeviceError), memory_watched("cuda"):
        raise error


def test_other_errors_pass():
    with pytest.raises(RuntimeError, match="shape"), memory_watched("cpu"):
        raise RuntimeError("shape mismatch")
