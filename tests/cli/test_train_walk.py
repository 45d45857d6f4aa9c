"""The walk of docs/training.md, from own data to a checkpoint: its commands, in their order."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tiny_models import save_pagesum
from tiny_training import write_examples

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "training.md"


def test_the_commands_of_the_walk_run_as_they_stand(lsum, tmp_path):
    blocks = re.findall(r"<!-- walk -->\n```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    commands = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    assert [command[1] for command in commands] == [
        "train",
        "train",
        "train",
        "summarize",
        "models",
        "models",
    ]
    write_examples(tmp_path / "papers.jsonl", 24)
    (tmp_path / "new.txt").write_text("The marsh rises. Mud feeds the grass. The dam holds old mud.\n")
    # A tiny base in place of lsum-mini, whose name the recipe has.
    save_pagesum(tmp_path / "lsum-mini", locality=None, copy=True)
    home = tmp_path / "home"
    run = tmp_path / "runs" / "papers"
    assert (
        lsum("models", "import", "lsum-mini", tmp_path / "lsum-mini", "--overwrite", LSUM_HOME=str(home)).code
        == 0
    )
    results = []
    for command in commands:
        result = lsum(*command[1:], LSUM_HOME=str(home))
        results.append(result)
        assert result.code == 0, (command, result.stderr)
        assert run.exists() is (len(results) > 1)
    dry, trained, resumed, summary, exported, pushed = results
    assert "24 " in dry.stderr or "22 " in dry.stderr
    assert "from lsum-mini" in dry.stderr
    assert trained.stdout.strip() == str(run)
    assert "already finished" in resumed.stderr
    assert summary.stdout.strip()
    assert (tmp_path / "papers.tar").stat().st_size > 1000
    assert "papers.tar" in exported.stdout
    assert "nothing was sent" in pushed.stderr
    manifest = json.loads((run / "manifest.json").read_bytes())
    assert manifest["licence"] == "none stated"
    assert manifest["training"]["recipe"]["model.copy"] == "true"
