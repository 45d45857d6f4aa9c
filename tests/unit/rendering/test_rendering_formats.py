"""The registry of formats, and what all of them show."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rendering_examples import extracted_summary

from lsum_cli.errors import OptionError
from lsum_cli.rendering.formats import Format, PlanFormat, ReportFormat, render
from lsum_cli.summaries import OutlineEntry


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


NAMED = tuple(f"Tide & pool {number}" for number in range(10))


@pytest.mark.parametrize(
    ("format", "sign", "text"),
    [
        (Format.TEXT, "&", "Sections: "),
        (Format.MARKDOWN, "&", "*Sections:* "),
        (Format.HTML, "&amp;", ">Sections: "),
    ],
)
def test_what_is_in_a_part_is_named_below_it(format: Format, sign: str, text: str) -> None:
    summary = extracted_summary()
    entry = OutlineEntry(heading="4 Results", level=1, document_id=None, sentences=summary.sentences[2:4])
    told = render(replace(summary, outline=(replace(entry, sections=NAMED),)), format)
    # Two more than are named.
    names = "; ".join(NAMED[:8]).replace("&", sign)
    assert f"{text}{names}; and 2 more" in told
    assert told.index(summary.sentences[3].text) < told.index(f"{text}{names}")
    assert text not in render(replace(summary, outline=(entry,)), format)


def test_what_is_in_a_part_is_listed_whole_in_json() -> None:
    entry = OutlineEntry(heading="4 Results", level=1, document_id=None, sections=NAMED)
    [made] = json.loads(render(replace(extracted_summary(), outline=(entry,)), Format.JSON))["outline"]
    assert made["sections"] == list(NAMED)
