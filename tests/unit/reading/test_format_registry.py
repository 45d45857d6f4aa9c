"""The registry: what a row says is what messages, help, folders and recognition know of a format."""

from __future__ import annotations

import importlib

import pytest

from lsum_cli import read
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.errors import SourceError
from lsum_cli.reading import intake, registry, sources
from lsum_cli.reading.registry import FORMATS, PLAIN, SUPPORTED, USUAL_SUFFIXES, Format, Storage


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_every_row_names_a_reader_and_is_listed(row):
    module, function = row.reader.split(":")
    assert callable(getattr(importlib.import_module(module), function))
    assert row.name in SUPPORTED
    assert row.suffixes[0] in USUAL_SUFFIXES
    assert row.noun.startswith(("a ", "an "))


def test_no_two_rows_share_a_name():
    for values in (
        [row.media_type for row in FORMATS],
        [suffix for row in FORMATS for suffix in row.suffixes],
        [alias for row in FORMATS for alias in (row.media_type, *row.aliases)],
        [row.noun for row in FORMATS],
    ):
        assert len(values) == len(set(values))
    assert PLAIN.media_type == "text/plain"


def test_a_new_format_is_a_reader_and_a_row(monkeypatch, pack, tmp_path):
    row = Format(
        media_type="application/vnd.oasis.opendocument.presentation",
        name="ODP",
        noun="an OpenDocument presentation",
        suffixes=(".odp",),
        reader=f"{__name__}:read_odp",
        storage=Storage.ZIP,
    )
    members = {"mimetype": row.media_type, "content.xml": "<office/>"}
    with pytest.raises(SourceError, match="an OpenDocument presentation, which is not supported"):
        read(pack("talk.odp", members))
    monkeypatch.setattr(intake, "FORMATS", (*FORMATS, row))
    for module in (intake, sources, registry):
        for name in ("FORMATS_BY_SUFFIX", "FORMATS_BY_MEDIA_TYPE"):
            if hasattr(module, name):
                key = row.suffixes[0] if name == "FORMATS_BY_SUFFIX" else row.media_type
                monkeypatch.setitem(getattr(module, name), key, row)
    assert read(pack("talk.odp", members)).text == "Read from talk.odp."
    assert read(pack("talk", members)).metadata.media_type == "text/plain"
    assert sources.expand_sources([tmp_path]).sources == (str(tmp_path / "talk.odp"),)
    (tmp_path / "photo.odp").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00\x01\x02" * 100)
    with pytest.raises(SourceError, match=r"photo\.odp is a PNG image, not an OpenDocument presentation"):
        read(tmp_path / "photo.odp")


def read_odp(raw, _options):
    """The reader of the made-up row."""
    text = f"Read from {raw.name.rpartition('/')[2]}."
    return compose_document([Passage(paragraphs=(Paragraph.of(text),))], id=raw.id, source=raw.name)
