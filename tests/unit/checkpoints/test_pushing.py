"""Pushing to a loopback hub: nothing unless told, no paths of this machine, and back again as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from loopback_hub import LoopbackHub

from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.checkpoints.manifest import TrainingData, TrainingRecord, read_manifest
from lsum_cli.checkpoints.store import checkpoint_path
from lsum_cli.checkpoints.values import MANIFEST_NAME


@pytest.fixture
def trained(tiny_bart, tmp_path) -> Path:
    """A checkpoint that was trained on files of this machine."""
    import_folder("tiny", tiny_bart)
    folder = checkpoint_path("tiny")
    record = TrainingRecord(
        recipe={
            "data.train_file": "/home/me/secret/papers.jsonl",
            "training.seed": "0",
            "base": "/home/me/base",
        },
        data=(
            TrainingData(
                split="train",
                name="papers",
                examples=3,
                fingerprint="f",
                files={"/home/me/secret/papers.jsonl": "a"},
            ),
        ),
        step=5,
        epoch=1.0,
        hardware="a machine",
    )
    manifest = json.loads((folder / MANIFEST_NAME).read_bytes())
    from lsum_cli.records import encode

    manifest |= {"training": encode(record), "base": "/home/me/base", "metrics": {"validation_rouge1": 30.5}}
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def push(hub: LoopbackHub, *arguments: str, token: str | None = "hf_t", **more: str):
    environment = {
        key: value for key, value in os.environ.items() if key not in ("HF_TOKEN", "HF_HUB_OFFLINE")
    }
    environment |= {"HF_ENDPOINT": hub.endpoint, "HF_HOME": os.environ["LSUM_HOME"], **more}
    if token:
        environment["HF_TOKEN"] = token
    command = [sys.executable, "-m", "lsum_cli", "models", "push", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_a_push_is_planned_sent_and_pulled_again(trained):
    with LoopbackHub() as hub:
        planned = push(hub, str(trained), "me/papers", token=None)
        assert planned.returncode == 0, planned.stderr
        assert "nothing was sent" in planned.stderr
        assert "the card states no licence" in planned.stderr
        assert "model.safetensors" in planned.stdout
        assert planned.stdout.splitlines()[-1] == f"{hub.endpoint}/me/papers"
        assert hub.requests == []
        sent = push(hub, "tiny", "me/papers", "--licence", "cc-by-4.0", "--private", "--yes", "--json")
        assert sent.returncode == 0, sent.stderr
        assert json.loads(sent.stdout)["sent"] is True
        assert set(hub.tokens) == {"Bearer hf_t"}
        assert hub.cards["me/papers"] == {"private": True}
        there = hub.repositories["me/papers"]
        assert {"model.safetensors", "config.json", "README.md", MANIFEST_NAME} <= there.keys()
        assert there["model.safetensors"] == (trained / "model.safetensors").read_bytes()
        for name in ("README.md", MANIFEST_NAME):
            assert b"secret" not in there[name]
            assert b"/home/me" not in there[name]
        front = yaml.safe_load(there["README.md"].decode().split("---")[1])
        assert front["license"] == "cc-by-4.0"
        assert front["model-index"][0]["results"][0]["metrics"][0]["type"] == "rouge"
        assert b"Porter stemming" in there["README.md"]
        # What was sent is intact: its manifest has the hashes of all that is there.
        back = trained.parent / "back"
        back.mkdir()
        for name, content in there.items():
            (back / name).write_bytes(content)
        assert {file.name for file in read_manifest(back).files} == there.keys() - {
            MANIFEST_NAME,
            ".gitattributes",
        }


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "said"),
    [
        (["tiny", "me/papers", "--yes"], {"token": None}, 4, "without a token of the hub"),
        (["tiny", "papers", "--yes"], {}, 2, "is not the name of a repository"),
        (["tiny", "me/papers@main", "--yes"], {}, 2, "is not the name of a repository"),
        (["none", "me/papers", "--yes"], {}, 4, "none"),
        (["tiny", "me/papers", "--yes", "--offline"], {}, 4, "nothing is sent offline"),
        (
            ["tiny", "me/papers", "--yes"],
            {"status": 403},
            4,
            "does not let this token write to me/papers (403)",
        ),
    ],
)
def test_what_cannot_be_pushed_is_said_in_a_line(trained, arguments, environment, code, said):
    with LoopbackHub() as hub:
        environment = dict(environment)
        hub.api.status = environment.pop("status", None)
        refused = push(hub, *arguments, **environment)
        assert refused.returncode == code, refused.stderr
        assert said in refused.stderr
        assert refused.stderr.count("error:") == 1
        assert "Traceback" not in refused.stderr
        assert hub.repositories == {}
