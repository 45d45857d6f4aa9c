"""What is put into the package is a checkpoint that loads, and says what is known of it."""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from tiny_training import tiny_settings, write_examples

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import read_manifest, verify_hashes
from lsum_cli.checkpoints.store import resolve_checkpoint

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "ship_mini"
SOURCES = "id\tsource\tlicence\npmc/1\tA journal\tCC-BY-4.0\npmc/2\tOne\tCC0-1.0\nscotus/1\tThe court\tPublic Domain\n"
GATE = """# The gate of a small checkpoint

Made with `…`.

| corpus | documents |
|---|---:|
| pmc | 7 |

Passed on 3 of 4 corpora; 3 are needed: **the gate is {}passed**.

### pmc/1

**tiny:** Text.
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of two stages with its data; not to be changed."""
    pytest.importorskip("accelerate")
    from lsum_cli.training.options import TrainOptions
    from lsum_cli.training.recipes import decode_recipe
    from lsum_cli.training.run import train

    home = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LSUM_HOME", str(home / "cache"))
        (home / "data" / "train").mkdir(parents=True)
        file = write_examples(home / "data" / "train" / "pmc.jsonl", 6)
        (home / "data" / "SOURCES.tsv").write_text(SOURCES)
        for name, base in (("first", None), ("second", str(home / "first" / "checkpoint-1"))):
            settings = tiny_settings(
                file.parent,
                file,
                description=f"the {name} stage",
                base=base,
                model={"locality": None, "copy": True},
                training={"max_steps": 2, "eval_steps": 1, "seed": 5},
            )
            if base:  # which has sizes and a tokenizer already
                settings = settings | {
                    "model": {"locality": None, "copy": True, "page_len": 64},
                    "tokenizer": {},
                }
            recipe = decode_recipe(settings, name)
            train(recipe, TrainOptions(output=home / name))
    return home / "second"


@pytest.fixture
def ship(tmp_path, packaged, monkeypatch):
    """Run the script with a package of its own, whose packaged checkpoints are found by name."""
    spec = importlib.util.spec_from_loader("ship_mini", SourceFileLoader("ship_mini", str(SCRIPT)))
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "ship_mini", script)  # dataclasses look for their module
    spec.loader.exec_module(script)
    package = tmp_path / "package"
    (package / "training" / "recipes").mkdir(parents=True)
    monkeypatch.setattr("lsum_cli.checkpoints.store.PACKAGED", package / "checkpoints" / "packaged")

    def call(*arguments, **constants):
        for name, value in constants.items():
            monkeypatch.setattr(script, name, value)
        monkeypatch.setattr("sys.argv", ["ship_mini", *map(str, arguments), "--package", str(package)])
        assert script.main() == 0
        return json.loads((package / "training" / "recipes" / "lsum-mini.json").read_text())

    return call


def test_a_finished_run_is_shipped_with_all_that_is_known_of_it(run, ship):
    import torch

    state = ship(run, "--set", "beams=3")
    folder = resolve_checkpoint("lsum-mini")
    manifest = read_manifest(folder)
    verify_hashes(folder, manifest)
    assert (manifest.name, manifest.licence, manifest.generation.beams) == ("lsum-mini", "Apache-2.0", 3)
    assert not manifest.beats_extraction
    assert "optimizer.pt" not in {file.name for file in manifest.files}
    assert gzip.decompress((folder / "SOURCES.tsv.gz").read_bytes()).decode() == SOURCES
    shipped, trained = (load_folder(each, device="cpu").model.state_dict() for each in (folder, run))
    for name, weight in shipped.items():
        assert weight.dtype == torch.bfloat16
        assert torch.equal(weight, trained[name].bfloat16()), name
    card = (folder / "README.md").read_text()
    for part in (
        "| pmc | 2 | CC-BY-4.0, CC0-1.0 |",
        "Drawn from the 3 documents",
        "| the first stage | 1 | all | 4 |",
        "| the second stage | 2 | all | 4 |",
        "Not measured.",
        "- beams: 3",
    ):
        assert part in card, part
    assert [(stage["step"], stage["seed"]) for stage in state["stages"]] == [(1, 5), (2, 5)]
    assert state["sha256"] == manifest.weights_sha256
    assert state["stages"][1]["data"]["train"]
    told = card + json.dumps(state) + manifest.to_json()
    assert str(run.parent) not in told, "a path of this machine"


@pytest.mark.parametrize("passed", [False, True])
def test_the_gate_decides_whether_it_is_used_unasked(run, ship, tmp_path, passed):
    (tmp_path / "gate.md").write_text(GATE.format("" if passed else "not "))
    ship(run, "--gate", tmp_path / "gate.md")
    folder = resolve_checkpoint("lsum-mini")
    assert read_manifest(folder).beats_extraction is passed
    card = (folder / "README.md").read_text()
    assert "| pmc | 7 |" in card
    assert "### pmc/1" not in card


def test_the_gate_of_other_weights_is_refused(run, ship, tmp_path):
    ship(run)
    for weights in (
        read_manifest(run).weights_sha256,
        read_manifest(resolve_checkpoint("lsum-mini")).weights_sha256,
    ):
        (tmp_path / "gate.md").write_text(
            GATE.format("").replace("\n\n###", f"\n\nWeights: `{weights}`\n\n###")
        )
        ship(run, "--gate", tmp_path / "gate.md")
    (tmp_path / "gate.md").write_text(f"| corpus |\n\nWeights: `{'0' * 64}`\n")
    with pytest.raises(SystemExit, match="the gate is of other weights"):
        ship(run, "--gate", tmp_path / "gate.md")


def test_of_an_unfinished_run_the_best_checkpoint_is_taken(run, ship, tmp_path, capsys):
    unfinished = shutil.copytree(run, tmp_path / "second")
    (unfinished / "manifest.json").unlink()
    (unfinished / "model.safetensors").unlink()
    ship(unfinished, "--sources", run.parent / "data" / "SOURCES.tsv")
    said = capsys.readouterr()
    state = json.loads((unfinished / "checkpoint-2" / "trainer_state.json").read_text())
    best = unfinished / f"checkpoint-{state['best_global_step']}"
    assert f"is not at its end: {best.name} is taken" in said.err
    weights = [
        load_folder(each, device="cpu").model.state_dict() for each in (best, resolve_checkpoint("lsum-mini"))
    ]
    assert weights[0]["lm_head.weight"].bfloat16().equal(weights[1]["lm_head.weight"])


def test_what_is_too_large_is_refused(run, ship):
    with pytest.raises(SystemExit, match="too many to be packaged"):
        ship(run, MAX_BYTES=1000)
    from lsum_cli.errors import CheckpointError

    with pytest.raises(CheckpointError):
        resolve_checkpoint("lsum-mini")
