"""The program with a checkpoint that comes with it, as it is unpacked from a wheel."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tiny_training import tiny_recipe, write_examples

import lsum_cli
from lsum_cli.checkpoints.store import PACKAGED

# Neither can be made: a home of nobody, and a store that cannot be.
NOWHERE = {"HOME": "/dev/null/home", "LSUM_HOME": "/dev/null/store", "HF_HOME": "/dev/null/hub"}


@pytest.fixture(scope="module")
def mini(tmp_path_factory):
    """A tiny checkpoint named lsum-mini."""
    from lsum_cli.checkpoints.saving import save_checkpoint
    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.training.pagesum import build_objective

    folder = tmp_path_factory.mktemp("mini")
    file = write_examples(folder / "train.jsonl")
    recipe = tiny_recipe(file, model={"locality": None, "copy": True})
    objective = build_objective(recipe, open_dataset(file), None)
    save_checkpoint(
        folder / "lsum-mini", objective.model, objective.tokenizer, objective.manifest("lsum-mini")
    )
    return folder / "lsum-mini"


@pytest.fixture
def program(mini, tmp_path):
    """A copy of the package, in the folder where the tests' program is run, that brings the checkpoint."""
    package = Path(lsum_cli.__file__).parent
    packaged = PACKAGED.relative_to(package)
    shutil.copytree(
        package,
        tmp_path / "lsum_cli",
        ignore=lambda folder, names: [
            name for name in names if name == "__pycache__" or Path(folder, name) == package / packaged
        ],
    )
    shutil.copytree(mini, tmp_path / "lsum_cli" / packaged / "lsum-mini")
    return tmp_path / "lsum_cli" / packaged / "lsum-mini"


def test_it_summarises_by_name_without_network_and_home(lsum_anew, program, article):
    result = lsum_anew("summarize", article, "-m", "lsum-mini", "--offline", "-f", "json", **NOWHERE)
    assert result.code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert (summary["method"], summary["checkpoint"]["name"]) == ("pagesum", "lsum-mini")
    assert summary["checkpoint"]["trained_confidence"] is True
    assert Path(summary["checkpoint"]["path"]) == program
    assert {each["attribution"]["kind"] for each in summary["sentences"]} == {"confidence"}
    unasked = lsum_anew("summarize", article, "-f", "json", **NOWHERE)
    assert json.loads(unasked.stdout)["method"] == "extract"


def test_the_commands_of_models_know_it(lsum_anew, program):
    (first, *others) = json.loads(lsum_anew("models", "list", "--json", **NOWHERE).stdout)["checkpoints"]
    assert (first["name"], first["installed"], first["packaged"]) == ("lsum-mini", True, True)
    assert not any(each["packaged"] for each in others)
    info = lsum_anew("models", "info", "lsum-mini", "--verify", **NOWHERE)
    assert info.code == 0, info.stderr
    assert "packaged" in info.stdout
    assert lsum_anew("models", "path", "lsum-mini", **NOWHERE).stdout.strip() == str(program)
    removed = lsum_anew("models", "rm", "lsum-mini")
    assert (removed.code, removed.stdout) == (4, "")
    assert removed.stderr.splitlines() == [
        "lsum: error: the checkpoint 'lsum-mini' is part of lsum and cannot be removed alone;"
        " to remove both: pip uninstall lsum-cli"
    ]
    exported = lsum_anew("models", "export", "lsum-mini", "mini.tar")
    assert exported.code == 0, exported.stderr


@pytest.mark.skipif(not (PACKAGED / "lsum-mini").is_dir(), reason="no checkpoint comes with this lsum")
def test_the_one_that_is_shipped(lsum_anew, article):
    assert lsum_anew("models", "info", "lsum-mini", "--verify", **NOWHERE).code == 0
    result = lsum_anew("summarize", article, "-m", "lsum-mini", "--offline", "-f", "json", **NOWHERE)
    assert result.code == 0, result.stderr
    summary = json.loads(result.stdout)
    # Its own settings: sentences of the source, whole.
    source = " ".join(article.read_text(encoding="utf-8").split())
    assert summary["sentences"]
    for sentence in summary["sentences"]:
        assert sentence["text"] in source
        assert (sentence["flags"], sentence["copied_share"]) == ([], 1)
    folder = Path(summary["checkpoint"]["path"])
    assert {"README.md", "SOURCES.tsv.gz"} <= {file.name for file in folder.iterdir()}
    assert sum(file.stat().st_size for file in folder.iterdir()) < 60_000_000


@pytest.mark.skipif(not (PACKAGED / "lsum-mini").is_dir(), reason="no checkpoint comes with this lsum")
def test_the_one_that_is_shipped_in_its_own_words_is_compared_with_the_source(lsum_anew, article):
    freely = ("-m", "lsum-mini", "--offline", "--faithful", "flag", "--read", "all", "-f", "json")
    result = lsum_anew("summarize", article, *freely, **NOWHERE)
    assert result.code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert {each["attribution"]["kind"] for each in summary["sentences"]} == {"confidence"}
    assert all(0 <= each["copied_share"] <= 1 for each in summary["sentences"])
    assert "check" in summary["seconds"]
    chinese = article.with_name("chinese.txt")
    chinese.write_text("盐沼生长在泥沙沉积比海水带走得更快的地方。草减缓了水流。" * 5, encoding="utf-8")
    refused = lsum_anew("summarize", chinese, "-m", "lsum-mini", "--offline", **NOWHERE)
    assert (refused.code, refused.stdout) == (4, "")
    assert "lsum-mini reads English; this document is Chinese; give --method extract" in refused.stderr
