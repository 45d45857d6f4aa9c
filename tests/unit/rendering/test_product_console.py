import io

import pytest

from lsum_cli.rendering.console import ProductConsole


class Deserted(io.StringIO):
    def write(self, text):
        raise BrokenPipeError


def test_a_reader_that_went_away_is_left_to_the_caller():
    with pytest.raises(BrokenPipeError):
        ProductConsole(file=Deserted()).print("A result.")
