"""``lsum models`` from the outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from loopback_hub import COMMIT, LoopbackHub, Misbehaviour, repository_of
from tiny_checkpoints import make_bart, make_base, make_published
from tiny_models import save_pagesum

GUARD = """
import os, socket
def refuse(*arguments, **keywords):
    with open(os.environ["SOCKET_LOG"], "a") as log:
        print(arguments, file=log)
    raise OSError("sockets are closed")
for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, refuse)
socket.getaddrinfo = socket.create_connection = socket.gethostbyname = refuse
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    make_bart(folder / "bart")
    make_base(folder / "base")
    make_published(folder / "model.bin")
    return folder


@pytest.fixture
def hub(tiny):
    with LoopbackHub() as server:
        server.add("sshleifer/distilbart-cnn-6-6", repository_of(tiny / "bart"), license="apache-2.0")
        yield server


@pytest.fixture
def closed(tmp_path):
    """Environment of a process in which every use of a socket fails and is noted."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    return {"PYTHONPATH": str(tmp_path / "guard"), "SOCKET_LOG": str(tmp_path / "sockets.log")}


@pytest.mark.slow
def test_pull_export_and_import_on_a_machine_without_a_network(lsum, hub, closed, tmp_path, article):
    online = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "hf")}
    result = lsum("models", "pull", "distilbart-cnn-6-6", **online)
    assert result.code == 0, result.stderr
    assert result.stdout.strip() == os.path.join(os.environ["LSUM_HOME"], "checkpoints", "distilbart-cnn-6-6")  # noqa: PTH118
    assert result.stderr.startswith("lsum: installed distilbart-cnn-6-6, ")
    assert len(result.stderr.splitlines()) == 1
    summary = lsum("summarize", article, "-m", "distilbart-cnn-6-6", "-f", "json", "--max-tokens", "12")
    assert summary.code == 0, summary.stderr
    assert json.loads(summary.stdout)["checkpoint"]["name"] == "distilbart-cnn-6-6"
    exported = lsum("models", "export", "distilbart-cnn-6-6", "model.tar", "--json")
    assert json.loads(exported.stdout)["size_bytes"] == (tmp_path / "model.tar").stat().st_size

    offline = {**closed, "LSUM_HOME": str(tmp_path / "second"), "HF_HOME": str(tmp_path / "none")}
    imported = lsum("models", "import", "model.tar", "--json", **offline)
    assert imported.code == 0, imported.stderr
    description = json.loads(imported.stdout)
    assert description["manifest"]["origin"]["revision"] == COMMIT
    assert description["licence"] == "apache-2.0"
    again = lsum(
        "summarize",
        article,
        "-m",
        "distilbart-cnn-6-6",
        "-f",
        "json",
        "--max-tokens",
        "12",
        "--offline",
        **offline,
    )
    assert again.code == 0, again.stderr
    assert json.loads(again.stdout)["text"] == json.loads(summary.stdout)["text"]
    assert not (tmp_path / "sockets.log").exists()


def test_import_published_weights_then_list_info_path_rm(lsum, tiny):
    imported = lsum(
        "models",
        "import",
        "pagesum-pubmed",
        tiny / "model.bin",
        "--base",
        tiny / "base",
        "--page-tokens",
        "32",
    )
    assert imported.code == 0, imported.stderr
    assert "licence none stated" in imported.stderr
    listed = json.loads(lsum("models", "list", "--json").stdout)
    assert listed["schema"] == "lsum.models/1"
    first, *others = [each for each in listed["checkpoints"] if not each["packaged"]]
    assert (first["name"], first["installed"], first["locality"]) == ("pagesum-pubmed", True, "spatial")
    assert len(others) == 11
    assert not any(each["installed"] for each in others)
    table = lsum("models", "list")
    assert "\x1b" not in table.stdout
    assert "pagesum-pubmed" in table.stdout
    assert "biomedical articles" in table.stdout
    packaged = [each for each in listed["checkpoints"] if each["packaged"]]
    assert [each["summary"] for each in packaged] == ["English, trained on designdocs, pmc, scotus, osnotes"]
    info = json.loads(lsum("models", "info", "pagesum-pubmed", "--verify", "--json").stdout)
    assert info["verified"] is True
    assert info["manifest"]["page_len"] == 32
    assert "hold “.” and take part" in lsum("models", "info", "pagesum-pubmed").stdout
    path = lsum("models", "path", "pagesum-pubmed").stdout.strip()
    assert json.loads(lsum("models", "path", "pagesum-pubmed", "--json").stdout)["path"] == path
    with open(os.path.join(path, "config.json"), "a") as file:  # noqa: PTH118, PTH123
        file.write(" ")
    damaged = lsum("models", "info", "pagesum-pubmed", "--verify")
    assert damaged.code == 4
    assert "instead of" in damaged.stderr
    assert "damaged" in lsum("models", "list").stdout
    removed = json.loads(lsum("models", "rm", "pagesum-pubmed", "--json").stdout)
    assert removed["path"] == path
    assert lsum("models", "path", "pagesum-pubmed").code == 4


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["path", "nothing"], 4, "no checkpoint 'nothing'"),
        (["info", "nothing"], 4, "lsum models list"),
        (["rm", "bart-large-cnn"], 4, "not installed"),
        (["export", "bart-large-cnn", "x.tar"], 4, "lsum models pull bart-large-cnn"),
        (["import", "missing.tar"], 4, "there is no file missing.tar"),
        (["import", "weights.bin"], 2, "cannot be imported without a name"),
        (["import", "a", "b", "c"], 2, "at most 2 arguments"),
        (["import", "name", "text.tar", "--base", "x"], 2, "published weights"),
        (["import", "name", "weights.bin", "--page-tokens", "0"], 2, "--page-tokens 0"),
        (["import", "name", "weights.bin", "--base", "."], 2, "give --locality and --pages"),
        (["import", "name", "weights.bin", "--base", ".", "--locality", "spatial"], 2, "give --pages"),
        (["import", "../up", "weights.bin", "--base", ".", "--locality", "spatial", "--pages", "7"], 4, ""),
        (["import", "text.tar"], 4, "not an archive of a checkpoint"),
        (["pull"], 2, "NAME"),
        (["pull", "a b"], 4, "no checkpoint 'a b'"),
        (["list", "--colour"], 2, "--colour"),
        (["lisst"], 2, "lisst"),
    ],
)
def test_what_is_wrong_is_one_line(lsum, tmp_path, arguments, code, part):
    (tmp_path / "weights.bin").write_bytes(b"weights")
    (tmp_path / "text.tar").write_bytes(b"hello" * 500)
    result = lsum("models", *arguments)
    assert (result.code, result.stdout) == (code, "")
    assert len(result.stderr.splitlines()) == 1
    assert part in result.stderr


def test_offline_a_missing_checkpoint_fails_at_once_and_says_what_to_do(lsum, closed, tmp_path, article):
    for arguments in (["models", "pull"], ["models", "path"], ["summarize", article, "-m"]):
        started = time.perf_counter()
        result = lsum(*arguments, "bart-large-cnn", "--offline", **closed)
        assert time.perf_counter() - started < 30  # under a second on an idle machine; no retries, no waiting
        assert (result.code, result.stdout) == (4, "")
        assert "'bart-large-cnn'" in result.stderr
        assert "on a machine with a network run: lsum models pull bart-large-cnn" in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "sockets.log").exists()


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "LSUM_OFFLINE"])
def test_offline_by_the_environment(lsum, closed, tmp_path, variable):
    result = lsum("models", "pull", "some/model", **closed, **{variable: "1"})
    assert (result.code, "nothing is downloaded offline" in result.stderr) == (4, True)
    assert not (tmp_path / "sockets.log").exists()


def test_no_command_connects_when_offline(lsum, closed, tmp_path, tiny, article):
    commands = [
        ["models", "list"],
        ["models", "info", "bart-large-cnn"],
        # Its base is not here.
        ["models", "import", "x", tiny / "model.bin", "--offline", "--locality", "spatial", "--pages", "4"],
        ["models", "rm", "x"],
        ["models", "export", "x", "x.tar"],
        ["summarize", "--offline", article],
        ["plan", "--offline", article],
        ["doctor", "--offline"],
    ]
    codes = [lsum(*command, **closed).code for command in commands]
    assert codes == [0, 0, 4, 4, 4, 0, 0, 0]
    assert not (tmp_path / "sockets.log").exists()


def test_the_guard_notices_a_connection(lsum, closed, tmp_path):
    result = lsum("models", "pull", "some/model", HF_ENDPOINT="http://127.0.0.1:9", **closed)
    assert result.code == 4
    assert (tmp_path / "sockets.log").exists()


def test_interrupted_a_pull_ends_quietly_and_leaves_nothing_half(lsum, hub, tmp_path):
    hub.misbehaviour["model.safetensors"] = Misbehaviour(seconds_per_chunk=0.05)
    environment = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "hf")}
    process = subprocess.Popen(
        [sys.executable, "-m", "lsum_cli", "models", "pull", "distilbart-cnn-6-6"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        text=True,
    )
    while not hub.ranges_of("model.safetensors"):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "lsum: interrupted\n")
    assert lsum("models", "path", "distilbart-cnn-6-6").code == 4
    hub.misbehaviour.clear()
    assert lsum("models", "pull", "distilbart-cnn-6-6", **environment).code == 0
    first, second = hub.ranges_of("model.safetensors")
    assert first is None
    assert second is not None
    assert int(second.removeprefix("bytes=").rstrip("-")) > 0


def test_listing_needs_no_heavy_library(tmp_path):
    for command in (["list"], ["info", "bart-large-cnn"], ["path", "nothing"], ["rm", "nothing"]):
        script = (
            "import sys\n"
            "from lsum_cli.cli.app import run\n"
            f"run({['models', *command]!r})\n"
            "heavy = {'torch', 'transformers', 'huggingface_hub'} & set(sys.modules)\n"
            "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
        )
        process = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, process.stderr


def test_an_imported_model_is_compared_in_int8_if_asked_for(lsum, tmp_path):
    save_pagesum(tmp_path / "tiny")
    result = lsum("models", "import", "mine", tmp_path / "tiny", "--calibrate")
    if "cannot compute int8" in result.stderr:
        pytest.skip("this processor cannot compute int8")
    assert result.code == 0, result.stderr
    assert result.stdout.strip().endswith("mine")
    assert "lsum: int8: the same token on " in result.stderr
    described = json.loads(lsum("models", "info", "mine", "--json").stdout)["manifest"]["int8"]
    assert described["sample"] == "the built-in text"
    assert described["tokens"] >= 100
    assert len(described["speed"]) == 1
