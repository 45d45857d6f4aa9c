"""Checkpoints that come with the program: found by name, never changed, never in the way."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys

import pytest

from lsum_cli.checkpoints.archives import export_archive, import_archive
from lsum_cli.checkpoints.checks import check_installed
from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.checkpoints.known import find_known, list_known
from lsum_cli.checkpoints.loading import load_checkpoint
from lsum_cli.checkpoints.manifest import read_manifest
from lsum_cli.checkpoints.pulling import pull
from lsum_cli.checkpoints.store import (
    best_installed,
    checkpoint_path,
    find_installed,
    list_installed,
    remove_checkpoint,
    resolve_checkpoint,
)
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OutputError
from lsum_cli.machine.doctor import diagnose


@pytest.fixture
def mini(packaged, tiny_bart):
    """A tiny checkpoint that comes with the program."""
    import_folder("mini", tiny_bart)
    folder = packaged / "mini"
    shutil.move(checkpoint_path("mini"), folder)
    return folder


def pass_gate(folder):
    manifest = dataclasses.replace(read_manifest(folder), beats_extraction=True)
    (folder / MANIFEST_NAME).write_text(manifest.to_json())


def test_without_one_its_name_is_unknown():
    with pytest.raises(CheckpointError, match="no checkpoint 'mini' is installed or known"):
        resolve_checkpoint("mini")
    assert list_installed() == ()


def test_a_mistyped_name_gets_a_suggestion(mini):
    for name, nearest in (("mni", "mini"), ("pagesum-pumbed", "pagesum-pubmed")):
        with pytest.raises(CheckpointError, match=f"did you mean {nearest}[?]"):
            resolve_checkpoint(name)


def test_it_is_found_listed_and_loaded_by_name(mini):
    assert resolve_checkpoint("mini", offline=True) == mini
    (installed,) = list_installed()
    assert (installed.name, installed.is_packaged, installed.problem) == ("mini", True, None)
    assert list_known()[0].name == find_known("mini").name == "mini"
    assert load_checkpoint("mini", device="cpu").path == mini


@pytest.mark.skipif(sys.platform == "win32", reason="no such folders")
def test_no_store_is_needed(mini, monkeypatch):
    for home in ("/dev/null/home", "/proc/none"):
        monkeypatch.setenv("LSUM_HOME", home)
        assert resolve_checkpoint("mini") == mini
        assert [each.name for each in list_installed()] == ["mini"]


def test_it_cannot_be_removed_or_pulled(mini):
    with pytest.raises(CheckpointError, match="'mini' is part of lsum and cannot be removed"):
        remove_checkpoint("mini")
    for overwrite in (False, True):
        with pytest.raises(CheckpointError, match="'mini' is part of lsum and needs no download"):
            pull("mini", overwrite=overwrite)
    assert find_installed("mini").problem is None


def test_what_the_user_installs_goes_before_it_once_asked_for(mini, tiny_bart, tmp_path):
    export_archive("mini", tmp_path / "mini.tar")
    with pytest.raises(OutputError, match="'mini' is part of lsum") as caught:
        import_folder("mini", tiny_bart)
    assert "--overwrite" in caught.value.next_step
    with pytest.raises(OutputError, match="'mini' is part of lsum"):
        import_archive(tmp_path / "mini.tar")
    import_archive(tmp_path / "mini.tar", overwrite=True)
    assert resolve_checkpoint("mini") == checkpoint_path("mini")
    assert [each.is_packaged for each in list_installed()] == [False]
    assert remove_checkpoint("mini").path == checkpoint_path("mini")
    assert resolve_checkpoint("mini") == mini


def test_nobody_gets_it_unasked_before_it_passes_the_gate(mini, tiny_bart):
    assert best_installed() is None
    pass_gate(mini)
    assert best_installed().path == mini
    import_folder("zulu", tiny_bart)
    assert best_installed().name == "zulu"


def test_a_damaged_one_says_how_to_mend_it(mini):
    pass_gate(mini)
    (mini / "config.json").write_text(json.dumps({"model_type": "bart"}) + " ")
    problem = find_installed("mini").problem
    assert "damaged" in problem.what
    assert "reinstall lsum" in problem.next_step
    assert best_installed() is None


def test_the_diagnosis_names_it(mini):
    checks = {
        check.name: check
        for check in diagnose(
            installed=check_installed(recommend=lambda: "lsum models pull any"), trial=lambda: ""
        )
    }
    assert checks["checkpoints"].advice.endswith("; or give -m mini")
    assert checks["checkpoint mini"].detail.endswith(", packaged")
    assert " 0 kB used" in checks["store"].detail
    pass_gate(mini)
    assert "checkpoints" not in {
        check.name
        for check in diagnose(
            installed=check_installed(recommend=lambda: "lsum models pull any"), trial=lambda: ""
        )
    }
