"""The catalogue: what can be pulled by a short name."""

from __future__ import annotations

import re

import pytest

from lsum_cli.checkpoints.catalogue import find_entry, list_catalogue
from lsum_cli.checkpoints.store import HubName, checkpoint_path
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.locality import Locality


@pytest.mark.parametrize("entry", list_catalogue(), ids=lambda entry: entry.name)
def test_every_entry_can_be_pulled_and_described(entry):
    assert checkpoint_path(entry.name).name == entry.name
    assert (entry.hub is None) != (entry.drive is None)
    assert entry.hub is None or HubName.parse(entry.hub)
    assert entry.drive is None or re.fullmatch(r"[\w-]{33}", entry.drive)
    assert entry.size > 100_000_000
    assert entry.licence
    assert entry.summary
    assert find_entry(entry.name.upper()) is entry


def test_names_are_unique_and_the_published_ones_are_there():
    names = [entry.name for entry in list_catalogue()]
    assert len(set(names)) == len(names)
    published = [entry for entry in list_catalogue() if entry.drive]
    assert {entry.name for entry in published} == {
        "pagesum-arxiv-spatial",
        "pagesum-arxiv-discourse",
        "pagesum-pubmed",
        "pagesum-govreport",
        "pagesum-multinews",
    }
    for entry in published:
        assert entry.method is CheckpointMethod.PAGESUM
        assert entry.page_len == 1024
        assert entry.base == "facebook/bart-large-cnn"
    report = find_entry("pagesum-govreport")
    assert (report.pages, report.generation.min_tokens, report.generation.max_tokens) == (20, 500, 900)
    assert find_entry("pagesum-multinews").locality is Locality.DOCUMENT


def test_a_hub_id_finds_its_entry():
    assert find_entry("facebook/bart-large-cnn").name == "bart-large-cnn"
    assert find_entry("nobody/nothing") is None
