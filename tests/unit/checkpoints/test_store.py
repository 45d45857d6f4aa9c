"""The store: whole checkpoints or none, found by name."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind, verify_hashes, verify_sizes
from lsum_cli.checkpoints.saving import draft_of, finish_draft, locked
from lsum_cli.checkpoints.store import (
    HubName,
    best_installed,
    checkpoint_path,
    find_installed,
    list_installed,
    remove_checkpoint,
    resolve_checkpoint,
    store_path,
)
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import CheckpointError, OutputError
from lsum_cli.locality import Locality


def manifest_of(name, method=CheckpointMethod.SEQ2SEQ, **fields):
    fields.setdefault("origin", Origin(kind=OriginKind.FILE, source="test"))
    return Manifest(name=name, method=method, **fields)


def install(name, content=b"weights", **fields):
    with locked(name) as path, draft_of(path) as draft:
        (draft / "model.safetensors").write_bytes(content)
        (draft / "config.json").write_text(json.dumps({"model_type": "bart"}))
        return finish_draft(draft, path, manifest_of(name, **fields))


def leftovers():
    return [path.name for path in store_path().iterdir() if path.name.startswith((".draft", ".replaced"))]


def test_lsum_home_moves_the_store(tmp_path, monkeypatch):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "elsewhere"))
    assert store_path() == tmp_path / "elsewhere" / "checkpoints"
    monkeypatch.delenv("LSUM_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if sys.platform == "linux":
        assert store_path() == tmp_path / "cache" / "lsum" / "checkpoints"


def test_installed_found_listed_removed():
    assert list_installed() == ()
    written = install("tiny")
    assert [file.name for file in written.files] == ["config.json", "model.safetensors"]
    found = find_installed("tiny")
    assert (found.manifest, found.problem) == (written, None)
    assert resolve_checkpoint("tiny") == checkpoint_path("tiny")
    removed = remove_checkpoint("tiny")
    assert removed.size > 7
    assert list_installed() == ()
    with pytest.raises(CheckpointError, match="not installed"):
        remove_checkpoint("tiny")


def test_replacing_keeps_one():
    install("tiny", b"old")
    install("tiny", b"newer")
    assert (checkpoint_path("tiny") / "model.safetensors").read_bytes() == b"newer"
    assert leftovers() == []


@pytest.mark.parametrize(
    "name", ["", "a b", "../up", "a/b/c", "a@b", "-x", "a/../b", "x" * 97, "a/b@..", "a\nb", "über"]
)
def test_what_is_no_name(name):
    with pytest.raises(CheckpointError, match="is not a valid name"):
        checkpoint_path(name)
    assert find_installed(name) is None


def test_hub_names():
    assert HubName.parse("a/b@v1.0") == HubName(repo="a/b", revision="v1.0")
    assert HubName.parse("plain") is None
    assert checkpoint_path("a/b@v1").parent == store_path()


def test_a_hub_id_finds_what_came_from_there():
    commit = "0123456789" * 4
    origin = Origin(kind=OriginKind.HUB, source="some/model", revision=commit, requested="v1")
    install("short", origin=origin)
    for name in ("some/model", "some/model@v1", f"some/model@{commit}", "some/model@0123456"):
        assert find_installed(name).name == "short", name
    for name in ("some/model@v2", "some/other", "some/model@0123"):
        assert find_installed(name) is None, name


def test_a_name_that_is_not_here_says_which_command_brings_it():
    with pytest.raises(CheckpointError, match="lsum models pull bart-large-cnn"):
        resolve_checkpoint("bart-large-cnn")
    with pytest.raises(CheckpointError, match="on a machine with a network run: lsum models pull a/b"):
        resolve_checkpoint("a/b", offline=True)
    with pytest.raises(CheckpointError, match="lsum models list"):
        resolve_checkpoint("unknown")


def test_directories(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    with pytest.raises(CheckpointError, match=r"no config.json"):
        resolve_checkpoint("./mine")
    (tmp_path / "mine" / "config.json").write_text("{}")
    assert resolve_checkpoint("./mine") == Path("mine")
    assert resolve_checkpoint("mine") == Path("mine")
    assert resolve_checkpoint(str(tmp_path / "mine")) == tmp_path / "mine"
    with pytest.raises(CheckpointError, match="no folder"):
        resolve_checkpoint("./yours")
    install("mine")
    assert resolve_checkpoint("mine") == checkpoint_path("mine")  # what is installed comes first


def test_the_best_one_for_a_locality():
    assert best_installed() is None
    install("tagger", method=CheckpointMethod.TAGGER)  # it summarises nothing
    assert best_installed() is None
    install("plain")
    assert best_installed(Locality.SPATIAL).name == "plain"
    for locality in ("spatial", "discourse"):
        install(
            f"p-{locality}",
            method=CheckpointMethod.PAGESUM,
            locality=Locality(locality),
            trained_confidence=True,
        )
    install("untrained", method=CheckpointMethod.PAGESUM, locality=Locality.DOCUMENT)
    assert best_installed(Locality.DISCOURSE).name == "p-discourse"
    assert best_installed(Locality.SPATIAL).name == "p-spatial"
    assert best_installed(Locality.DOCUMENT).name in ("p-discourse", "p-spatial")
    (checkpoint_path("p-discourse") / "model.safetensors").write_bytes(b"")
    assert best_installed(Locality.DISCOURSE).name == "p-spatial"  # a damaged one is not chosen


def test_damage_is_noticed_and_said():
    manifest = install("tiny")
    path = checkpoint_path("tiny")
    (path / "model.safetensors").write_bytes(b"weightz")
    verify_sizes(path, manifest)
    with pytest.raises(CheckpointError, match="SHA-256 differs"):
        verify_hashes(path, manifest)
    (path / "model.safetensors").write_bytes(b"weight")
    with pytest.raises(CheckpointError, match="6 bytes instead of 7"):
        verify_sizes(path, manifest)
    (path / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"lacks the file model.safetensors"):
        verify_sizes(path, manifest)
    (problem,) = list_installed()
    assert problem.problem is not None
    (path / "manifest.json").unlink()
    (nameless,) = list_installed()
    assert (nameless.name, nameless.manifest) == ("tiny", None)
    remove_checkpoint("tiny")


def test_an_error_while_building_leaves_nothing():
    def build() -> None:
        with locked("tiny") as path, draft_of(path) as draft:
            (draft / "model.safetensors").write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        build()
    assert list_installed() == ()
    assert leftovers() == []


def test_what_a_crash_left_is_cleaned_by_the_next_one():
    script = (
        "import os\n"
        "from lsum_cli.checkpoints.saving import draft_of, locked\n"
        "with locked('crashed') as path, draft_of(path) as draft:\n"
        "    (draft / 'model.safetensors').write_bytes(b'half')\n"
        "    os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    assert len(leftovers()) == 1
    assert find_installed("crashed") is None
    install("another")
    assert leftovers() == []


def test_downloads_that_nobody_came_back_to_for_a_month_are_cleaned(monkeypatch):
    downloads = store_path() / ".downloads"
    for name in ("half@1", "whole@2"):
        (downloads / name).mkdir(parents=True)
        file = downloads / name / "model.bin.part"
        file.write_bytes(b"half")
        # As the file is dated by who made it; it came just now.
        os.utime(file, (0, 0))
    install("another")
    assert {path.name for path in downloads.iterdir()} == {"half@1", "whole@2"}
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 31 * 24 * 3600)
    install("a-month-later")
    assert list(downloads.iterdir()) == []


def test_a_crash_between_the_two_renames_loses_nothing():
    install("tiny", b"old")
    checkpoint_path("tiny").rename(store_path() / ".replaced-tiny")
    install("another")
    assert find_installed("tiny").problem is None
    assert leftovers() == []


def install_slowly(number: int) -> None:
    with locked("tiny") as path, draft_of(path) as draft:
        (draft / "model.safetensors").write_bytes(b"%d" % number * 1000)
        time.sleep(0.2)
        finish_draft(draft, path, manifest_of("tiny"))


def test_two_processes_at_once_install_one_whole_checkpoint():
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    processes = [context.Process(target=install_slowly, args=(number,)) for number in (1, 2)]
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes):
        for each in list_installed():
            if each.manifest is not None and each.problem is None and each.path.exists():
                assert len((each.path / "model.safetensors").read_bytes()) == 1000
        time.sleep(0.02)
    assert [process.exitcode for process in processes] == [0, 0]
    found = find_installed("tiny")
    verify_hashes(found.path, found.manifest)
    assert leftovers() == []


def test_a_store_that_is_a_file(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "file"))
    assert list_installed() == ()
    with pytest.raises(OutputError, match=r"cannot be written.*LSUM_HOME"):
        install("tiny")


needs_mount = pytest.mark.skipif(
    sys.platform != "linux"
    or os.geteuid() != 0
    or subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode != 0,
    reason="mounting needs root",
)

FILL = """
import sys
from pathlib import Path
from lsum_cli.checkpoints.store import list_installed, store_path
from lsum_cli.checkpoints.saving import draft_of, finish_draft, locked
from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import OutputError
try:
    with locked("big") as path, draft_of(path) as draft:
        (draft / "model.safetensors").write_bytes(b"x" * int(sys.argv[1]))
        finish_draft(draft, path, Manifest(name="big", method=CheckpointMethod.SEQ2SEQ,
                     origin=Origin(kind=OriginKind.FILE, source="test")))
except OutputError as error:
    print(error)
print([each.name for each in list_installed() if not each.is_packaged], [p.name for p in store_path().glob(".draft*")])
"""


@needs_mount
@pytest.mark.parametrize(
    ("size", "options", "part", "listed"),
    [
        (3_000_000, "size=1m", "is full; make room", "[] []"),
        (500_000, "size=1m", "", "['big'] []"),
        (1, "size=1m,ro", "cannot be written: Read-only file system", "[] "),
    ],
)
def test_a_small_and_a_read_only_disk(tmp_path, size, options, part, listed):
    (tmp_path / "disk").mkdir()
    (tmp_path / "script.py").write_text(FILL)
    command = (
        f"mount -t tmpfs -o {options} none {tmp_path}/disk && {sys.executable} {tmp_path}/script.py {size}"
    )
    process = subprocess.run(
        ["unshare", "-m", "sh", "-c", command],
        env={**os.environ, "LSUM_HOME": str(tmp_path / "disk")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert part in process.stdout
    assert listed in process.stdout


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        manifest_of("x").name = "y"
