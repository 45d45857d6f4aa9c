"""One thread for a while."""

from __future__ import annotations

import pytest
import torch

from lsum_cli.models.blocks.threads import one_thread


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
