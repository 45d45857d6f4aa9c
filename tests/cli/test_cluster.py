"""``lsum batch --ray`` on a real cluster of two nodes: every document once, though an actor and a node are lost."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from lsum_cli.errors import ExitCode

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed"),
]
NOUNS = ("harbour", "lamp", "gauge", "sluice", "marsh", "chart", "storm", "keeper", "tide", "current")
SECONDS = 120
# For 127.0.0.1 Ray takes an address that other machines reach.
LOOPBACK = "127.0.0.2"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def write_corpus(path: Path, number: int) -> Path:
    def text(n: int) -> str:
        return " ".join(
            f"The {noun} of station {n} was measured {year - 1900} times in {year}, more than any other {noun}."
            for year in range(1950, 1990)
            for noun in NOUNS
        )

    path.write_text("".join(json.dumps({"id": f"s{n}", "text": text(n)}) + "\n" for n in range(number)))
    return path


def rows_of(folder: Path) -> list[dict]:
    return [
        json.loads(line) for part in sorted(folder.glob("part-*")) for line in part.read_text().splitlines()
    ]


def descendants(pid: int) -> list[int]:
    """The processes below one; those that end meanwhile may be missing."""
    below: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, children.read_text().split()):
                below += [child, *descendants(child)]
    return below


def named(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


@dataclass
class Cluster:
    address: str
    head: subprocess.Popen
    second: subprocess.Popen
    environment: dict[str, str]

    run: subprocess.Popen | None = None

    def start(self, *arguments: str | Path, cwd: Path) -> subprocess.Popen:
        command = [sys.executable, "-m", "lsum_cli", *map(str, arguments)]
        self.run = subprocess.Popen(
            command, cwd=cwd, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        return self.run

    def end(self) -> None:
        """End the program that was started, if it still runs."""
        if self.run is not None:
            self.run.kill()
            self.run.communicate()


def start_node(environment: dict[str, str], *arguments: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", *arguments]
    usual = [f"--node-ip-address={LOOPBACK}", "--num-cpus=1", "--object-store-memory=80000000", "--block"]
    return subprocess.Popen(
        [*command, *usual, "--disable-usage-stats"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for(what: Callable[[], object], process: subprocess.Popen | None = None) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        if process is not None and process.poll() is not None:
            pytest.fail(f"it ended with {process.returncode}: {process.communicate()}")
        assert time.monotonic() < deadline
        time.sleep(0.05)


def end(process: subprocess.Popen) -> None:
    """End a node at once, and every process it has started."""
    for pid in [*descendants(process.pid), process.pid] if process.poll() is None else []:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    # The names of Unix sockets below it are long already.
    temporary = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    home = {"HOME": str(tmp_path_factory.mktemp("home")), "RAY_TMPDIR": temporary}
    environment = {**os.environ, **home, "RAY_USAGE_STATS_ENABLED": "0", "COLUMNS": "100"}
    port = free_port()
    address = f"{LOOPBACK}:{port}"
    head = start_node(environment, "--head", f"--port={port}", "--include-dashboard=false")
    try:
        wait_for(lambda: accepts(port), head)
        second = start_node(environment, f"--address={address}")
        try:
            wait_for(lambda: any("raylet" in named(pid) for pid in descendants(second.pid)), second)
            wait_for(lambda: nodes_of(address, environment) == 2, second)
            running = Cluster(address, head, second, environment)
            yield running
            running.end()
        finally:
            end(second)
    finally:
        end(head)
        shutil.rmtree(temporary, ignore_errors=True)


def nodes_of(address: str, environment: dict[str, str]) -> int:
    """How many nodes the cluster knows: a run counts its processors once, when it begins."""
    code = (
        f"import ray; ray.init({address!r}, log_to_driver=False, _node_ip_address={LOOPBACK!r})\n"
        "print('nodes', sum(node['Alive'] for node in ray.nodes()))"
    )
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    return int(found.stdout.rpartition("nodes ")[2] or 0)


def accepts(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((LOOPBACK, port)) == 0


def test_an_actor_and_a_node_are_lost_and_every_document_is_done_once(cluster, tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 240), tmp_path / "out"
    lines = corpus.read_text().splitlines()
    corpus.write_text("\n".join([*lines[:50], "{torn", *lines[50:]]))
    run = cluster.start(
        "batch", corpus.name, "-o", out.name, "--method", "extract", "--length", "30", "--shard-size", "4", "--ray",
        cluster.address, cwd=tmp_path,
    )  # fmt: skip

    def parts() -> int:
        return len(list(out.glob("part-*")))

    def actors(node: subprocess.Popen) -> list[int]:
        return [pid for pid in descendants(node.pid) if "ray::MapWorker" in named(pid)]

    wait_for(lambda: parts() >= 3 and actors(cluster.head) and actors(cluster.second), run)
    os.kill(actors(cluster.head)[0], signal.SIGKILL)
    before = parts()
    wait_for(lambda: parts() >= before + 5, run)
    end(cluster.second)
    assert parts() < 61
    product, said = run.communicate(timeout=SECONDS)
    assert run.returncode == ExitCode.PARTIAL, said
    assert product == "out\n"
    assert all(line.startswith("lsum: ") for line in said.splitlines()), said
    assert "corpus.jsonl, line 51" in said
    assert "1 of 241 documents failed" in said
    rows = rows_of(out)
    assert Counter(row["id"] for row in rows) == Counter([*(f"s{n}" for n in range(240)), "corpus-51"])
    assert all(row["summary"] or row["id"] == "corpus-51" for row in rows)
    assert {path.name.partition("-")[0] for path in out.iterdir()} == {"part", "batch.json"}


def test_an_address_without_a_cluster_is_known_as_such_at_once(lsum_anew, tmp_path):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        addresses = {
            f"127.0.0.1:{free_port()}": "Connection refused",
            f"127.0.0.1:{silent.getsockname()[1]}": "does not answer as Ray does",
            "auto": "no Ray cluster on this machine or in RAY_ADDRESS",
        }
        for address, why in addresses.items():
            given = ["--ray"] if address == "auto" else ["--ray", address]
            before, began = os.times(), time.monotonic()
            home = {"RAY_TMPDIR": str(tmp_path), "RAY_ADDRESS": ""}
            result = lsum_anew("batch", corpus, "-o", "out", *given, **home)
            seconds, after = time.monotonic() - began, os.times()
            assert result.code == ExitCode.DEVICE, result.stderr
            assert why in result.stderr
            assert not (tmp_path / "out").exists()
            # Beside other work a process takes long to start, but no more of the processor.
            used = after.children_user + after.children_system - before.children_user - before.children_system
            assert used < 7, address
            assert seconds < 10 or os.getloadavg()[0] > (os.cpu_count() or 1), address
    wrong = lsum_anew("batch", "--ray", corpus, "-o", "out")
    assert wrong.code == ExitCode.OPTION


LOCAL = """
import sys
from lsum_cli.batch import cluster
from lsum_cli.cli.app import main
connected = cluster._ClusterRun.run

def run(self):
    from ray._common.usage import usage_lib
    assert not usage_lib.usage_stats_enabled()
    @self.ray.remote
    def environment():
        import os
        return os.environ.get("RAY_USAGE_STATS_ENABLED")
    assert self.ray.get(environment.options(num_cpus=0).remote()) == "0"
    print("no statistics", file=sys.stderr)
    return connected(self)

cluster._ClusterRun.run = run
main()
"""


def test_a_cluster_of_its_own_goes_on_with_what_was_done_without_and_reports_nothing(lsum_anew, tmp_path):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 12)
    options = ("--method", "extract", "--length", "30", "--shard-size", "3")
    assert lsum_anew("batch", corpus, "-o", "alone", *options).code == 0
    shutil.copytree(tmp_path / "alone", tmp_path / "out")
    for part in sorted((tmp_path / "out").glob("part-*"))[1:]:
        part.unlink()
    command = [sys.executable, "-c", LOCAL, "batch", corpus, "-o", "out", *options, "--ray", "local"]
    wanted = {**os.environ, "RAY_USAGE_STATS_ENABLED": "1", "HOME": str(tmp_path), "COLUMNS": "100"}
    run = subprocess.run(
        list(map(str, command)), cwd=tmp_path, env=wanted, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "out\n"
    assert "no statistics" in run.stderr
    assert "3 of 12 documents were done" in run.stderr
    # Nothing of Ray's own is said.
    assert [
        line for line in run.stderr.splitlines() if not line.startswith(("lsum: ", "no statistics"))
    ] == []
    for row, other in zip(rows_of(tmp_path / "out"), rows_of(tmp_path / "alone"), strict=True):
        assert {**row, "seconds": None} == {**other, "seconds": None}
