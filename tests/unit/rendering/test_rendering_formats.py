"""The registry of formats."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from lsum_cli.errors import OptionError
from lsum_cli.rendering.formats import Format, PlanFormat, ReportFormat


@pytest.mark.parametrize("format", [each for each in Format if each is not Format.RICH])
def test_every_format_of_summaries_has_a_module_and_suffixes(format: Format) -> None:
    writer = importlib.import_module(f"lsum_cli.rendering.{format.module}")
    assert callable(writer.write_one)
    assert callable(writer.write_many)
    assert Format.choose(None, Path(f"summary{format.suffix.upper()}"), is_terminal=True) is format


@pytest.mark.parametrize("formats", [Format, PlanFormat, ReportFormat])
def test_without_a_suffix_the_terminal_decides(formats: type[Format]) -> None:
    assert formats.choose(None, is_terminal=True) == "rich"
    assert formats.choose(None, is_terminal=False) == "text"
    with pytest.raises(OptionError, match="there is no format"):
        formats.choose(None, Path("summary.unknown"), is_terminal=True)
    assert formats.choose(formats.JSON, Path("summary.md"), is_terminal=True) == "json"


def test_suffixes_name_one_format() -> None:
    for formats in (Format, ReportFormat):
        suffixes = [suffix for each in formats for suffix in each.suffixes]
        assert len(suffixes) == len(set(suffixes))
    assert Format.RICH.suffix == ".txt"
