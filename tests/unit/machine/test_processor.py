"""What the processor is taken for, and threads."""

from __future__ import annotations

import pytest
import torch

from lsum_cli.errors import OptionError
from lsum_cli.machine import processor
from lsum_cli.machine.devices import Precision, best_precision, choose_precision
from lsum_cli.machine.processor import TEST_VARIABLE, one_thread, processor_features

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def new_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor that has everything."""
    monkeypatch.delenv(TEST_VARIABLE, raising=False)
    monkeypatch.setattr(processor, "_found_features", lambda: processor._FEATURES)
    monkeypatch.setattr(processor, "_is_x86", lambda: True)


def test_a_new_processor_computes_in_16_bits() -> None:
    assert "avx512_bf16" in processor_features()
    assert processor.computes_bfloat16()
    assert processor.packs_bfloat16()
    assert processor.computes_int8()
    assert best_precision(CPU) is choose_precision("auto", CPU) is Precision.BFLOAT16
    assert best_precision(torch.device("mps")) is Precision.FLOAT32


def test_it_can_be_taken_for_an_older_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TEST_VARIABLE, "avx2")
    assert processor_features() == ("avx2",)
    assert not processor.computes_bfloat16()
    assert not processor.packs_bfloat16()
    assert not processor.computes_int8()
    assert best_precision(CPU) is choose_precision("auto", CPU) is Precision.FLOAT32
    # What the user asks for by name is not overruled.
    assert choose_precision("bfloat16", CPU) is Precision.BFLOAT16


def test_an_unknown_processor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TEST_VARIABLE, "z80")
    with pytest.raises(OptionError, match="LSUM_TEST_CPU is 'z80'; set it to avx2"):
        processor_features()


def test_the_number_of_threads_is_as_before_even_after_an_error() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        with one_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 3
        with pytest.raises(ZeroDivisionError), one_thread():
            1 / 0  # noqa: B018 - it is the error that matters
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
