"""Which method and checkpoint: by name, by what is installed, never a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
from lsum_cli.checkpoints.store import checkpoint_path
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import choose_method


def describe(folder: Path, method: str, **settings) -> Path:
    """A folder that says what it is; choosing needs no more."""
    manifest = Manifest(
        name=folder.name,
        method=CheckpointMethod(method),
        origin=Origin(kind=OriginKind.TRAINING, source="test"),
        **settings,
    )
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({"model_type": "bart"}), encoding="utf-8")
    return folder


def install(name: str, method: str, **settings) -> Path:
    return describe(checkpoint_path(name), method, **settings)


def test_without_checkpoints_auto_extracts():
    assert choose_method(SummaryOptions()).name == "extract"


def test_auto_takes_the_best_installed_for_the_locality():
    install("any", "seq2seq")
    install("near", "pagesum", locality=Locality.SPATIAL, trained_confidence=True)
    install("sections", "pagesum", locality=Locality.DISCOURSE, trained_confidence=True)
    for locality, name in ((Locality.SPATIAL, "near"), (Locality.DISCOURSE, "sections")):
        choice = choose_method(SummaryOptions(), locality)
        assert (choice.name, choice.folder) == ("pagesum", checkpoint_path(name))
    assert choose_method(SummaryOptions(method="extract")).folder is None


def test_a_named_method_takes_its_own_best_checkpoint():
    install("near", "pagesum", locality=Locality.SPATIAL, trained_confidence=True)
    install("raw", "pagesum", locality=Locality.SPATIAL)
    install("baseline", "seq2seq")
    assert choose_method(SummaryOptions(method="seq2seq")).folder == checkpoint_path("baseline")
    choice = choose_method(SummaryOptions(method="pagesum"), Locality.SPATIAL)
    assert choice.folder == checkpoint_path("near")


@pytest.mark.parametrize("beats_extraction", [False, True])
def test_what_comes_with_the_program_is_taken_unasked_only_where_it_beats_extraction(
    packaged, beats_extraction
):
    mini = describe(packaged / "mini", "pagesum", trained_confidence=True, beats_extraction=beats_extraction)
    unasked = mini if beats_extraction else None
    assert choose_method(SummaryOptions()).folder == unasked
    assert choose_method(SummaryOptions(method="book")).folder == unasked
    assert choose_method(SummaryOptions(model="mini")).folder == mini
    if beats_extraction:
        assert choose_method(SummaryOptions(method="pagesum")).folder == mini
    else:
        with pytest.raises(CheckpointError, match="lsum-mini comes with lsum"):
            choose_method(SummaryOptions(method="pagesum"))
    installed = install("any", "pagesum")
    for wishes in ({}, {"method": "pagesum"}):
        assert choose_method(SummaryOptions(**wishes)).folder == installed


def test_a_checkpoint_that_does_not_read_the_language_is_not_taken_unasked():
    english = install("english", "pagesum", languages=("en",))
    assert choose_method(SummaryOptions(), language="en").folder == english
    assert choose_method(SummaryOptions(), language=None).folder == english
    assert choose_method(SummaryOptions(), language="zh").name == "extract"
    assert choose_method(SummaryOptions(any_language=True), language="zh").folder == english
    assert choose_method(SummaryOptions(method="pagesum"), language="zh").folder == english  # it is refused
    chinese = install("multilingual", "seq2seq", languages=("zh", "en"))
    assert choose_method(SummaryOptions(), language="zh").folder == chinese


def test_a_method_without_a_checkpoint_says_so():
    with pytest.raises(CheckpointError, match="no checkpoint for the method pagesum"):
        choose_method(SummaryOptions(method="pagesum"))


def test_the_method_of_a_named_checkpoint_is_its_own(tmp_path):
    folder = describe(tmp_path / "mine", "seq2seq")
    choice = choose_method(SummaryOptions(model=str(folder)))
    assert (choice.name, choice.folder) == ("seq2seq", folder)


def test_a_checkpoint_of_another_method_is_refused(tmp_path):
    folder = describe(tmp_path / "mine", "seq2seq")
    with pytest.raises(CheckpointError, match="for the method seq2seq, not for pagesum"):
        choose_method(SummaryOptions(model=str(folder), method="pagesum"))


def test_unknown_methods_are_refused():
    with pytest.raises(OptionError, match="magic"):
        choose_method(SummaryOptions(method="magic"))
    with pytest.raises(CheckpointError, match="nowhere"):
        choose_method(SummaryOptions(model="nowhere"))


@pytest.mark.parametrize(
    ("wish", "part"),
    [
        ({"stride": 10}, "--stride"),
        ({"windowing": "static"}, "--windowing"),
        ({"coverage_penalty": 1.0}, "--coverage-penalty"),
    ],
)
def test_options_of_another_method_are_refused(wish, part):
    with pytest.raises(OptionError, match=f"{part} does not apply to the method extract") as caught:
        choose_method(SummaryOptions(method="extract", **wish))
    assert "--method windowing" in caught.value.next_step


@pytest.mark.parametrize(
    "wish",
    [
        {"window": 0},
        {"stride": 0},
        {"window": 100, "stride": 101},
        {"windowing": "quadratic"},
        {"coverage_penalty": -1.0},
        {"coverage_penalty": float("nan")},
    ],
)
def test_windows_that_cannot_be_are_refused(wish):
    with pytest.raises(OptionError):
        SummaryOptions(**wish)
