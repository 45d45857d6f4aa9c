"""A checkpoint does not read a language that it was not made for, unless that is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import save_pagesum

from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.documents import Document, Metadata, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, ExitCode
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

ENGLISH = "The marshes of the coast grow where mud settles, and the grass of the marsh slows the water that comes in."
GERMAN = "Die Marschen der Küste wachsen dort, wo sich der Schlick absetzt, und das Gras bremst das Wasser der Flut."


def document(text: str, *, declared: str | None = None) -> Document:
    passage = Passage(paragraphs=tuple(Paragraph.of(text) for _ in range(6)))
    return compose_document(
        [passage], id="d0", source="marsh.txt", title=None, language=declared, metadata=Metadata()
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = save_pagesum(tmp_path_factory.mktemp("models") / "tiny")
    manifest = replace(describe_folder(folder), languages=("en",))
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    return folder


def plan(folder: Path, *documents: Document, **wishes) -> int:
    options = SummaryOptions(model=str(folder), device="cpu", dtype="float32", **wishes)
    return len(Summarizer(options).plan(documents).pages)


@pytest.mark.parametrize("method", ["pagesum", "book"])
def test_a_document_in_another_language_is_refused_and_it_is_said_what_would_do(folder, method):
    with pytest.raises(CheckpointError) as caught:
        plan(folder, document(GERMAN), method=method)
    assert caught.value.what == "tiny reads English; this document is German"
    assert "--method extract" in caught.value.next_step
    assert "--any-language" in caught.value.next_step
    assert caught.value.exit_code is ExitCode.CHECKPOINT


def test_it_is_read_on_request(folder):
    assert plan(folder, document(GERMAN), any_language=True) > 0


def test_its_own_language_and_an_uncertain_one_pass(folder):
    assert plan(folder, document(ENGLISH)) > 0
    assert plan(folder, document("12, 13 (14)")) > 0
    # What a source declares may be wrong.
    assert plan(folder, document(ENGLISH, declared="de")) > 0


def test_one_document_of_several_is_named(folder):
    with pytest.raises(CheckpointError, match=r"tiny reads English; marsh\.txt is German"):
        plan(folder, document(ENGLISH), replace(document(GERMAN), id="d1"))


def test_a_checkpoint_that_names_no_languages_reads_all(tmp_path):
    assert plan(save_pagesum(tmp_path / "tiny"), document(GERMAN)) > 0
