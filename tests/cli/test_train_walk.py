"""The walk of docs/training.md, from own data to a checkpoint: its commands, in their order."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tiny_models import save_pagesum
from tiny_training import write_examples

from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.cli.app import run

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "training.md"


def test_the_commands_of_the_walk_run_as_they_stand(tmp_path, monkeypatch, capfd):
    blocks = re.findall(r"<!-- walk -->\n```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    commands = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    assert [command[1] for command in commands] == [
        *("train", "train", "train", "summarize", "models", "models")
    ]
    monkeypatch.chdir(tmp_path)
    write_examples(tmp_path / "papers.jsonl", 24)
    (tmp_path / "new.txt").write_text("The marsh rises. Mud feeds the grass. The dam holds old mud.\n")
    # A tiny base in place of lsum-mini, whose name the recipe has.
    import_folder("lsum-mini", save_pagesum(tmp_path / "base", locality=None, copy=True))
    capfd.readouterr()
    folder, told = tmp_path / "runs" / "papers", []
    for command in commands:
        assert run(command[1:]) == 0, (command, capfd.readouterr().err)
        told.append(capfd.readouterr())
        assert folder.exists() is (len(told) > 1)
    dry, trained, resumed, summary, exported, pushed = told
    assert "pagesum from lsum-mini" in dry.err
    assert trained.out.strip() == str(folder)
    assert "already finished" in resumed.err
    assert summary.out.strip()
    assert (tmp_path / "papers.tar").stat().st_size > 1000
    assert "papers.tar" in exported.out
    assert "nothing was sent" in pushed.err
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert manifest["training"]["recipe"]["model.copy"] == "true"
