"""Training on two machines, which are two launchers on this one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import yaml
from tiny_training import tiny_settings, write_examples

from lsum_cli.training.options import TrainOptions
from lsum_cli.training.recipes import load_recipe
from lsum_cli.training.run import train

psutil = pytest.importorskip("psutil")
SECONDS = 280
# Summaries of every validation give the test time to end a process before the run ends.
TRAINING = {"dropout": 0.0, "max_steps": 40, "eval_steps": 5, "eval_samples": 3, "logging_steps": 1}


def write_recipe(folder: Path, accumulation: int) -> Path:
    # Thirteen documents in batches of two: at the end of an epoch one machine has nothing left.
    folder.mkdir()
    data = write_examples(folder / "train.jsonl", 13), write_examples(folder / "valid.jsonl", 3, seed=1)
    settings = tiny_settings(*data, training=TRAINING | {"gradient_accumulation_steps": accumulation})
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path


class Node:
    """A launcher with one process, and what it says."""

    def __init__(self, folder: Path, recipe: Path, port: int) -> None:
        launcher = ["-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "1"]
        launcher += ["--max-restarts", "2", "--rdzv-backend", "c10d", "--rdzv-id", "marsh"]
        launcher += ["--rdzv-endpoint", f"127.0.0.1:{port}", "--local-addr", "127.0.0.1"]
        self.process = subprocess.Popen(
            [
                sys.executable,
                *launcher,
                "-m",
                "lsum_cli",
                "train",
                str(recipe),
                "-o",
                "run",
                "--device",
                "cpu",
            ],
            cwd=folder,
            env={**os.environ, "GLOO_SOCKET_IFNAME": "lo", "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _hear(self) -> None:
        with self.process.stdout as lines:
            for line in lines:
                self.said.append(line)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._hearing.join(30)

    def find_worker(self) -> psutil.Process:
        (worker,) = (
            child
            for child in psutil.Process(self.process.pid).children(recursive=True)
            if "lsum_cli" in child.cmdline()
        )
        return worker


def wait_for(text: str, nodes: list[Node]) -> None:
    end = time.monotonic() + SECONDS
    while not any(text in line for node in nodes for line in node.said):
        assert time.monotonic() < end, nodes[0].said + nodes[1].said
        time.sleep(0.02)


@pytest.mark.timeout(900)
def test_two_machines_train_as_one_and_outlive_the_loss_of_a_process(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    recipe = write_recipe(tmp_path / "two", 1)
    nodes = [Node(tmp_path / "two", recipe, port) for _ in range(2)]
    try:
        # Which of them has the main process, the launchers settle between them.
        wait_for("step 1 of", nodes)
        worker = nodes[1].find_worker()
        # Then the checkpoint of step 5 is complete.
        wait_for("validation at step 10", nodes)
        worker.send_signal(signal.SIGKILL)
        alone = TrainOptions(output=tmp_path / "one" / "run", device="cpu", report_to=())
        train(load_recipe(str(write_recipe(tmp_path / "one", 2))), alone)
        codes = [node.process.wait(timeout=SECONDS) for node in nodes]
    finally:
        for node in nodes:
            node.end()
    said = [line for node in nodes for line in node.said]
    assert codes == [0, 0], "".join(said)
    assert any("resuming from step" in line for line in said)
    state = json.loads((tmp_path / "two" / "run" / "trainer_state.json").read_bytes())
    one = json.loads((tmp_path / "one" / "run" / "trainer_state.json").read_bytes())
    # Steps after the last checkpoint were done twice; their losses are those of one process without a loss.
    for key in ("loss", "eval_loss"):
        ours, alone_ = (
            {entry["step"]: entry[key] for entry in each["log_history"] if key in entry}
            for each in (state, one)
        )
        assert sorted(ours) == sorted(alone_)
        assert ours == pytest.approx(alone_, rel=1e-3)
    sessions = json.loads((tmp_path / "two" / "run" / "run.json").read_bytes())["sessions"]
    assert [session["launch"] for session in sessions] == ["marsh", "marsh"]
