"""Pulling from a loopback hub: what is chosen, converted, refused, and never fetched unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from loopback_hub import COMMIT, LoopbackHub, repository_of
from safetensors.torch import load_file, save_file
from tiny_checkpoints import make_base, make_published

from lsum_cli.checkpoints.loading import load_checkpoint
from lsum_cli.checkpoints.manifest import GenerationDefaults, Manifest, Origin, OriginKind
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import CheckpointMethod

OURS = Manifest(
    name="ours",
    method=CheckpointMethod.SEQ2SEQ,
    origin=Origin(kind=OriginKind.TRAINING, source="tiny"),
    generation=GenerationDefaults(max_tokens=77),
    licence="cc-by-4.0",
    metrics={"dev/rouge1": 1.5},
)

PULL = """
import json, sys
from lsum_cli.checkpoints.pulling import pull
from lsum_cli.records import encode
from lsum_cli.errors import LsumError
results = {}
for name in sys.argv[1:]:
    try:
        pulled = pull(name)
        results[name] = {"manifest": encode(pulled.manifest), "fresh": pulled.fresh, "path": str(pulled.path)}
    except LsumError as error:
        results[name] = {"error": str(error), "code": error.exit_code}
print(json.dumps(results))
"""

GDOWN = """
import os, shutil
def download(*, id, output, quiet, resume, progress, use_cookies, timeout):
    assert quiet and resume
    if os.environ.get("DRIVE_QUOTA"):
        raise RuntimeError("Too many users have viewed or downloaded this file recently.\\nTry again later.")
    with open(os.environ["DRIVE_LOG"], "a") as log:
        print(id, file=log)
    shutil.copyfile(os.environ["DRIVE_FILE"], output)
    progress(10, 10)
    return output
"""


@pytest.fixture(scope="module")
def hub(tiny_bart, tmp_path_factory):
    folder = tmp_path_factory.mktemp("repositories")
    files = repository_of(tiny_bart)
    with LoopbackHub() as server:
        extra = {"LICENSE": b"do what you like", "README.md": b"# Theirs", "tf_model.h5": b"x" * 2000}
        server.add("o/safe", files | extra, license="mit", base_model=["o/base"])
        state = load_file(tiny_bart / "model.safetensors")
        without = {name: content for name, content in files.items() if name != "model.safetensors"}
        torch.save(state, folder / "pytorch_model.bin")
        server.add("o/pickle", without | {"pytorch_model.bin": (folder / "pytorch_model.bin").read_bytes()})
        names = sorted(state)
        shards = {"model-1.safetensors": names[::2], "model-2.safetensors": names[1::2]}
        sharded = dict(without)
        for shard, held in shards.items():
            save_file({name: state[name] for name in held}, folder / shard, metadata={"format": "pt"})
            sharded[shard] = (folder / shard).read_bytes()
        weight_map = {name: shard for shard, held in shards.items() for name in held}
        index = {"metadata": {}, "weight_map": weight_map}
        sharded["model.safetensors.index.json"] = json.dumps(index).encode()
        server.add("o/sharded", sharded)
        server.add("o/gpt", {"config.json": b'{"model_type": "gpt2"}', "model.safetensors": b"x" * 2000})
        server.add("o/flax", without | {"flax_model.msgpack": b"x" * 2000})
        server.add("o/broken", files | {"model.safetensors": b"x" * 2000})
        ours = load_checkpoint(tiny_bart, dtype="float32")
        save_checkpoint(folder / "ours", ours.model, ours.tokenizer, OURS)
        server.add("o/ours", repository_of(folder / "ours"))
        base = repository_of(make_base(folder / "base", positions=1024))
        server.add("facebook/bart-large-cnn", base | {"model.safetensors": b"x" * 2000}, license="mit")
        yield server


@pytest.fixture(scope="module")
def pull(hub, tmp_path_factory):
    folder = tmp_path_factory.mktemp("machine")
    published = make_published(folder / "model.bin", positions=1024)
    (folder / "gdown.py").write_text(GDOWN)

    def run(*names, **environment):
        process = subprocess.run(
            [sys.executable, "-c", PULL, *names],
            env={
                **os.environ,
                "HF_ENDPOINT": hub.endpoint,
                "HF_HOME": str(folder / "hf"),
                "LSUM_HOME": str(folder / "home"),
                "PYTHONPATH": str(folder),
                "DRIVE_FILE": str(published),
                "DRIVE_LOG": str(folder / "drive.log"),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert process.returncode == 0, process.stderr
        assert process.stderr == ""
        return json.loads(process.stdout)

    run.folder = folder
    return run


NAMES = (
    "o/ours",
    "o/safe",
    "o/safe@v1",
    "o/pickle",
    "o/sharded",
    "o/gpt",
    "o/flax",
    "o/broken",
    "pagesum-pubmed",
)


@pytest.fixture(scope="module")
def pulled(pull):
    return pull(*NAMES)


def test_safetensors_are_preferred_and_only_what_is_needed_is_fetched(hub, pull, pulled):
    result = pulled["o/safe"]
    manifest = result["manifest"]
    assert result["fresh"]
    assert {file["name"] for file in manifest["files"]} == {
        "LICENSE",
        "ORIGINAL_CARD.md",
        "README.md",
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    assert (manifest["licence"], manifest["base"], manifest["method"]) == ("mit", "o/base", "seq2seq")
    assert manifest["origin"] == {"kind": "hub", "source": "o/safe", "revision": COMMIT, "requested": None}
    assert hub.ranges_of("tf_model.h5") == []
    waiting = {path.name for path in (pull.folder / "home" / "checkpoints" / ".downloads").iterdir()}
    assert waiting == {f"o--flax@{COMMIT}"}  # its description, of a model that may get weights yet


def test_a_checkpoint_of_ours_brings_its_manifest(pulled):
    manifest = pulled["o/ours"]["manifest"]
    assert manifest["name"] == "o/ours"
    assert manifest["metrics"] == {"dev/rouge1": 1.5}
    assert manifest["generation"]["max_tokens"] == 77
    assert (manifest["licence"], manifest["origin"]["kind"]) == ("cc-by-4.0", "hub")


def test_a_revision_is_a_checkpoint_of_its_own(pulled):
    assert pulled["o/safe@v1"]["manifest"]["origin"]["requested"] == "v1"
    assert pulled["o/safe@v1"]["path"].endswith("o--safe@v1")


def test_a_pickle_is_converted_once(pulled, tiny_bart):
    names = {file["name"] for file in pulled["o/pickle"]["manifest"]["files"]}
    assert "model.safetensors" in names
    assert "pytorch_model.bin" not in names
    ours = load_file(Path(pulled["o/pickle"]["path"]) / "model.safetensors")
    theirs = load_file(tiny_bart / "model.safetensors")
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_shards_come_all(pulled):
    names = {file["name"] for file in pulled["o/sharded"]["manifest"]["files"]}
    assert {"model-1.safetensors", "model-2.safetensors", "model.safetensors.index.json"} <= names


def test_what_cannot_summarise_is_refused_before_its_weights_are_fetched(hub, pulled):
    assert "is a gpt2, which cannot be used to summarise" in pulled["o/gpt"]["error"]
    assert not any("o/gpt" in path and "safetensors" in path for _, path, _ in hub.requests)
    assert "contains no weights that lsum reads" in pulled["o/flax"]["error"]
    assert pulled["o/flax"]["code"] == 4


def test_what_does_not_load_is_not_installed(pull, pulled):
    assert "cannot be loaded" in pulled["o/broken"]["error"]
    folders = {path.name for path in (pull.folder / "home" / "checkpoints").iterdir()}
    assert "o--broken" not in folders
    assert not [name for name in folders if name.startswith(".draft")]


def test_a_published_file_with_its_base_s_configuration(hub, pull, pulled):
    manifest = pulled["pagesum-pubmed"]["manifest"]
    assert (manifest["method"], manifest["locality"], manifest["pages"]) == ("pagesum", "spatial", 7)
    assert manifest["origin"]["kind"] == "drive"
    assert manifest["origin"]["source"].startswith("https://drive.google.com/file/d/1EimoIDdGne1")
    assert len(manifest["origin"]["revision"]) == 64
    assert manifest["base"] == "facebook/bart-large-cnn"
    assert not any("bart-large-cnn" in path and "safetensors" in path for _, path, _ in hub.requests)
    assert (pull.folder / "drive.log").read_text().split() == ["1EimoIDdGne1xak2lmKcmgMvj9p-EDjsE"]


def test_what_is_installed_is_not_fetched_again(hub, pull, pulled):
    before = len(hub.requests)
    again = pull("o/safe", "pagesum-pubmed")
    assert [result["fresh"] for result in again.values()] == [False, False]
    assert len(hub.requests) == before


def test_a_drive_that_refuses_says_how_to_do_it_by_hand(pull, pulled):
    (result,) = pull("pagesum-govreport", DRIVE_QUOTA="1").values()
    assert result["code"] == 4
    assert "Too many users" in result["error"]
    assert "https://drive.google.com/file/d/1BQoZu69w6IM" in result["error"]
    assert "lsum models import pagesum-govreport model.bin" in result["error"]
    assert "\n" not in result["error"]


def test_without_the_extra_the_link_and_the_command_are_given(pull, pulled, tmp_path):
    (tmp_path / "gdown.py").write_text("raise ImportError('no gdown')")
    (result,) = pull("pagesum-govreport", PYTHONPATH=str(tmp_path)).values()
    assert result["code"] == 5
    assert "lsum-cli[drive]" in result["error"]
    assert "lsum models import pagesum-govreport model.bin" in result["error"]


def test_unknown_names(pull):
    results = pull("unknown", "o/none", "no name")
    assert "no checkpoint 'unknown' is known" in results["unknown"]["error"]
    assert "has no model o/none" in results["o/none"]["error"]
    assert "no checkpoint 'no name'" in results["no name"]["error"]
