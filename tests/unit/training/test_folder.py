"""The folder of a run: who may write in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_training import tiny_recipe, write_examples

from lsum_cli.checkpoints.store import remove_checkpoint, store_path
from lsum_cli.errors import CheckpointError, OutputError
from lsum_cli.machine.storage import CLAIM_FILES, find_holder
from lsum_cli.training.folder import RunDescription, RunFolder
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.run import train

HOLD = """
import sys
from pathlib import Path
from lsum_cli.machine.storage import FolderClaim
claim = FolderClaim(Path(sys.argv[1]))
claim.take()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def begun(tmp_path: Path) -> RunFolder:
    """A run that was begun and ended at once."""
    folder = RunFolder(tmp_path / "run")
    recipe = tiny_recipe(write_examples(tmp_path / "train.jsonl"))
    folder.begin(RunDescription(recipe=recipe, data={}, processes=1), overwrite=False)
    folder.claim.close()
    return folder


def hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that has claimed the folder."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_a_claim_leaves_nothing_behind(begun):
    assert sorted(path.name for path in begun.path.iterdir()) == ["run.json"]


@pytest.mark.parametrize("flags", [{"overwrite": True}, {"resume": True}, {}])
def test_a_run_in_progress_is_left_alone_until_its_process_has_died(begun, flags):
    other = hold(begun.path)
    recipe = begun.read().recipe
    options = TrainOptions(output=begun.path, device="cpu", report_to=(), **flags)
    with pytest.raises(OutputError, match=f"is being trained in .*, by process {other.pid} on ") as caught:
        train(recipe, options)
    assert "stop it with Ctrl-C or kill" in str(caught.value)
    assert (begun.path / "run.json").is_file()
    # However it dies: its files stay, the claim does not.
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert {path.name for path in begun.path.iterdir()} >= CLAIM_FILES
    assert find_holder(begun.path) is None
    begun.take()
    assert find_holder(begun.path).process == os.getpid()
    begun.begin(RunDescription(recipe=recipe, data={}, processes=2), overwrite=True)
    assert begun.read().processes == 2
    begun.claim.close()


def test_of_two_new_runs_in_one_folder_the_first_has_it(begun):
    # Both found no folder when they started; one reads its data for longer.
    begun.take()
    late = RunFolder(begun.path)
    with pytest.raises(OutputError, match=f"by process {os.getpid()} on "):
        late.begin(begun.read(), overwrite=True)
    begun.claim.close()


def test_a_run_in_progress_is_not_removed(begun):
    begun.take()
    with pytest.raises(CheckpointError, match=f"is being trained, by process {os.getpid()} on "):
        remove_checkpoint(str(begun.path))
    begun.claim.close()
    with pytest.raises(CheckpointError, match="is a folder and not installed"):
        remove_checkpoint(str(begun.path))
    # One that lies in the store has a name.
    inside = RunFolder(store_path() / "mine")
    inside.begin(begun.read(), overwrite=False)
    with pytest.raises(CheckpointError, match="mine is being trained, by process"):
        remove_checkpoint("mine")
    inside.claim.close()
    assert remove_checkpoint("mine").name == "mine"
