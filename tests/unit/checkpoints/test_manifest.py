"""Manifests: what is written is read again, and nothing else is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.checkpoints.manifest import (
    FileRecord,
    GenerationDefaults,
    Manifest,
    Origin,
    OriginKind,
    parse_manifest,
    read_manifest,
)
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality

MANIFEST = Manifest(
    name="pagesum-tiny",
    method=CheckpointMethod.PAGESUM,
    base="facebook/bart-large-cnn",
    locality=Locality.DISCOURSE,
    page_len=1024,
    pages=8,
    mask_absent_pages=False,
    absent_page_text=".",
    trained_confidence=True,
    generation=GenerationDefaults(min_tokens=100, max_tokens=350, beams=4, length_penalty=2.0),
    licence="none stated",
    origin=Origin(kind=OriginKind.DRIVE, source="https://example.org/x", revision="a" * 64),
    files=(FileRecord(name="model.safetensors", size=12, sha256="b" * 64),),
    metrics={"arxiv/rouge1": 49.84},
)


def test_what_is_written_is_read_again():
    assert parse_manifest(MANIFEST.to_json(), "here") == MANIFEST
    assert MANIFEST.weights_sha256 == "b" * 64
    assert MANIFEST.size == 12


def test_the_least_that_is_needed():
    least = {"name": "x", "method": "seq2seq", "origin": {"kind": "file", "source": "x"}}
    manifest = parse_manifest(json.dumps(least), "here")
    assert (manifest.locality, manifest.trained_confidence, manifest.files) == (None, False, ())


def changed(**changes):
    raw = json.loads(MANIFEST.to_json()) | changes
    return json.dumps({key: value for key, value in raw.items() if value != "absent"})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "Expecting"),
        ("[]", "must be an object, not []"),
        ("null", "must be an object, not null"),
        (changed(colour="red"), "colour: unknown key"),
        (changed(name="absent"), "name: missing"),
        (
            changed(method="magic"),
            'method: must be one of pagesum, topdown, windowing, seq2seq, tagger, not "magic"',
        ),
        (changed(page_len="1024"), 'page_len: must be a whole number, not "1024"'),
        (changed(page_len=True), "page_len: must be a whole number, not true"),
        (changed(page_len=0), "page_len: must be 1 or more, not 0"),
        (changed(trained_confidence=1), "trained_confidence: must be true or false, not 1"),
        (changed(metrics={"x": "y"}), "metrics.x"),
        (changed(files=[{"name": "a", "size": 1}]), "files[0].sha256: missing"),
        (changed(files=[{"name": "../a", "size": 1, "sha256": "b" * 64}]), "'../a'"),
        (changed(files=[{"name": "/a", "size": 1, "sha256": "b" * 64}]), "'/a'"),
        (changed(files=[{"name": "manifest.json", "size": 1, "sha256": "b" * 64}]), "manifest.json"),
        (changed(files=[{"name": "a", "size": -1, "sha256": "b" * 64}]), "size or hash of a"),
        (changed(files=[{"name": "a", "size": 1, "sha256": "x"}]), "size or hash of a"),
        (changed(files=[{"name": n, "size": 1, "sha256": "b" * 64} for n in ("a", "A")]), "twice"),
        (changed(format=0), "format: must be 1 or more, not 0"),
        ("[" * 100_000, ""),
    ],
)
def test_a_damaged_manifest_is_one_line(text, part):
    with pytest.raises(CheckpointError) as caught:
        parse_manifest(text, "here")
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_newer_format_asks_for_an_upgrade():
    with pytest.raises(CheckpointError, match=r"format 2.*upgrade lsum"):
        parse_manifest(changed(format=2, something="new"), "here")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_no_json_at_all_gets_past(raw):
    with pytest.raises(CheckpointError):
        parse_manifest(json.dumps(raw), "here")


def test_a_folder_without_one(tmp_path):
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b" " * (2 << 20))
    with pytest.raises(CheckpointError, match="too large"):
        read_manifest(tmp_path)
