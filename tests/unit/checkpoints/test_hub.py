"""The hub's interface, spoken by a loopback server to the real client of ``huggingface_hub``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from loopback_hub import COMMIT, LoopbackHub, Misbehaviour

WEIGHTS = os.urandom(400_000)
SMALL = b'{"model_type": "bart"}'

FETCH = """
import sys
from pathlib import Path
from lsum_cli.machine.network import configure_network
configure_network(offline=False)
from lsum_cli.checkpoints import hub
from lsum_cli.checkpoints.store import HubName
from lsum_cli.errors import LsumError
try:
    model = hub.describe_model(HubName.parse(sys.argv[1]))
    print(model.commit, model.licence, [file.name for file in model.files])
    for name in sys.argv[2:]:
        path = hub.fetch_file(model, model.find(name), Path("."), lambda event: print(event.stage, event.done))
        print("got", path, path.stat().st_size)
except LsumError as error:
    print("error:", error)
    sys.exit(error.exit_code)
"""


@pytest.fixture
def hub():
    with LoopbackHub() as server:
        server.add("some/model", {"config.json": SMALL, "model.safetensors": WEIGHTS}, license="mit")
        yield server


@pytest.fixture
def fetch(hub, tmp_path):
    """Describe a model and fetch files of it, in a process of its own."""

    def run(*arguments: str, wait: bool = True, **environment: str):
        (tmp_path / "here").mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-c", FETCH, *arguments],
            cwd=tmp_path / "here",
            env={
                **os.environ,
                "HF_ENDPOINT": hub.endpoint,
                "HF_HOME": str(tmp_path / "hf"),
                "LSUM_HOME": str(tmp_path / "home"),
                "HF_HUB_DOWNLOAD_TIMEOUT": "1",
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if not wait:
            return process
        output, _ = process.communicate(timeout=60)
        assert "Traceback" not in output
        return process.returncode, output

    return run


def got(tmp_path, name="model.safetensors"):
    path = tmp_path / "here" / name
    return path.read_bytes() if path.exists() else None


def test_what_a_model_consists_of_and_its_files(hub, fetch, tmp_path):
    code, output = fetch("some/model", "config.json", "model.safetensors", HF_TOKEN="hf_secret")
    assert code == 0, output
    assert f"{COMMIT} mit ['config.json', 'model.safetensors']" in output
    assert got(tmp_path) == WEIGHTS
    assert got(tmp_path, "config.json") == SMALL
    assert set(hub.tokens) == {"Bearer hf_secret"}
    assert [method for method, _, _ in hub.requests] == ["GET"] * 3
    code, _ = fetch("some/model", "model.safetensors")
    assert code == 0
    assert len(hub.ranges_of("model.safetensors")) == 1  # what is there is not fetched again


def test_what_another_program_has_cached_is_used(hub, fetch, tmp_path):
    snapshot = tmp_path / "hf" / "hub" / "models--some--model" / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").write_bytes(WEIGHTS)
    code, output = fetch("some/model", "model.safetensors")
    assert (code, got(tmp_path)) == (0, WEIGHTS), output
    assert hub.ranges_of("model.safetensors") == []


def test_a_damaged_copy_in_the_cache_is_not_used(hub, fetch, tmp_path):
    snapshot = tmp_path / "hf" / "hub" / "models--some--model" / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").write_bytes(WEIGHTS[:-1] + b"?")
    code, output = fetch("some/model", "model.safetensors")
    assert (code, got(tmp_path)) == (0, WEIGHTS), output


def test_a_connection_that_breaks_is_resumed_within_a_run(hub, fetch, tmp_path):
    hub.misbehaviour["model.safetensors"] = Misbehaviour(cut_after=150_000)
    code, output = fetch("some/model", "model.safetensors")
    assert (code, got(tmp_path)) == (0, WEIGHTS), output
    assert hub.ranges_of("model.safetensors") == [None, "bytes=150000-", "bytes=300000-"]


def test_a_hub_without_ranges_starts_again(hub, fetch, tmp_path):
    hub.misbehaviour["model.safetensors"] = Misbehaviour(cut_after=150_000)
    process = fetch("some/model", "model.safetensors", wait=False)
    while not hub.ranges_of("model.safetensors"):
        time.sleep(0.02)
    hub.misbehaviour["model.safetensors"] = Misbehaviour(ignore_range=True)
    output, _ = process.communicate(timeout=60)
    assert (process.returncode, got(tmp_path)) == (0, WEIGHTS), output


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_in_mid_download_the_next_run_resumes(hub, fetch, tmp_path, end):
    hub.misbehaviour["model.safetensors"] = Misbehaviour(seconds_per_chunk=0.02)
    process = fetch("some/model", "model.safetensors", wait=False)
    part = (
        tmp_path / "home" / "checkpoints" / ".downloads" / f"some--model@{COMMIT}" / "model.safetensors.part"
    )
    while not part.exists() or part.stat().st_size < 20_000:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.02)
    process.send_signal(end)
    process.communicate(timeout=60)
    have = part.stat().st_size
    assert 0 < have < len(WEIGHTS)
    hub.misbehaviour.clear()
    hub.requests.clear()
    code, output = fetch("some/model", "model.safetensors")
    assert (code, got(tmp_path)) == (0, WEIGHTS), output
    assert hub.ranges_of("model.safetensors") == [f"bytes={have}-"]


def test_a_part_that_is_wrong_is_noticed_and_fetched_anew(hub, fetch, tmp_path):
    part = (
        tmp_path / "home" / "checkpoints" / ".downloads" / f"some--model@{COMMIT}" / "model.safetensors.part"
    )
    part.parent.mkdir(parents=True)
    part.write_bytes(b"?" * 1000)
    code, output = fetch("some/model", "model.safetensors")
    assert (code, "hash differs" in output) == (4, True), output
    assert fetch("some/model", "model.safetensors")[0] == 0
    assert got(tmp_path) == WEIGHTS


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (Misbehaviour(corrupt=True), "hash differs"),
        (Misbehaviour(announced_size=399_999), "instead of 399,999"),
        (Misbehaviour(announced_size=400_001), "400,000 bytes instead of 400,001"),
        (Misbehaviour(status=500), "fails with status 500"),
        (Misbehaviour(status=404, headers={"X-Error-Code": "EntryNotFound"}), "was removed from the hub"),
        (Misbehaviour(hang=20), "did not answer in time"),
    ],
    ids=["corrupt", "longer", "shorter", "500", "gone", "hangs"],
)
def test_a_file_that_does_not_come_right_is_one_line(hub, fetch, tmp_path, wrong, part):
    hub.misbehaviour["model.safetensors"] = wrong
    started = time.perf_counter()
    code, output = fetch("some/model", "model.safetensors")
    assert time.perf_counter() - started < 10
    assert code == 4
    assert part in output
    assert len([line for line in output.splitlines() if line.startswith("error")]) == 1
    assert got(tmp_path) is None


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (Misbehaviour(status=401), "private (401)"),
        (
            Misbehaviour(status=404, headers={"X-Error-Code": "RepoNotFound"}),
            "has no model some/model, or it is private",
        ),
        (Misbehaviour(status=403, headers={"X-Error-Code": "GatedRepo"}), "accept them at"),
        (Misbehaviour(status=429, headers={"Retry-After": "77"}), "pull again in 77 seconds"),
        (Misbehaviour(status=500), "fails with status 500"),
        (Misbehaviour(status=200), "does not answer like a model hub"),
        (Misbehaviour(hang=20), "did not answer in time"),
    ],
    ids=["401", "404", "gated", "429", "500", "no hub", "hangs"],
)
def test_a_hub_that_does_not_describe_is_one_line(hub, fetch, wrong, part):
    hub.api = wrong
    started = time.perf_counter()
    code, output = fetch("some/model")
    assert time.perf_counter() - started < 10
    assert code == 4, output
    assert part in output
    assert len(output.splitlines()) == 1


def test_names_that_are_not_there(hub, fetch):
    assert "has no model some/other, or it is private" in fetch("some/other")[1]
    assert "no revision 'v9'" in fetch("some/model@v9")[1]
    assert COMMIT in fetch("some/model@v1")[1]


def test_a_hub_that_cannot_be_reached_fails_at_once(fetch):
    started = time.perf_counter()
    code, output = fetch("some/model", HF_ENDPOINT="http://127.0.0.1:9")
    assert time.perf_counter() - started < 5
    assert (code, "cannot be reached" in output) == (4, True)
    assert len(output.splitlines()) == 1


def test_a_proxy_is_used(hub, fetch):
    code, output = fetch("some/model", HF_ENDPOINT="http://hub.invalid", HTTP_PROXY=hub.endpoint)
    assert code == 0, output  # the loopback server answers for a host that does not exist
    assert hub.requests


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "LSUM_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_offline_asks_nobody(hub, fetch, variable):
    code, output = fetch("some/model", **{variable: "1"})
    assert (code, "nothing is downloaded offline" in output) == (4, True)
    assert hub.requests == []


def test_a_model_in_the_cache_of_the_hub_is_found(hub, tmp_path):
    snapshot = tmp_path / "hf" / "hub" / "models--some--model" / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_bytes(SMALL)
    refs = snapshot.parent.parent / "refs"
    refs.mkdir()
    (refs / "main").write_text(COMMIT)
    script = (
        "import json, sys\n"
        "from lsum_cli.checkpoints.store import find_in_hub_cache\n"
        "from lsum_cli.checkpoints.store import HubName\n"
        "print(json.dumps([str(find_in_hub_cache(HubName.parse(name))) for name in sys.argv[1:]]))\n"
    )

    def find(*names):
        command = [sys.executable, "-c", script, *names]
        environment = {**os.environ, "HF_HOME": str(tmp_path / "hf")}
        return json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)

    assert find("some/model") == ["None"]  # weights are missing
    (snapshot / "model.safetensors").write_bytes(WEIGHTS)
    assert find("some/model", f"some/model@{COMMIT}", "some/other") == [str(snapshot), str(snapshot), "None"]
