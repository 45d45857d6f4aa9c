"""``lsum doctor`` from the outside."""

from __future__ import annotations

import json
import subprocess
import sys

from loopback_hub import LoopbackHub


def checks_of(result):
    diagnosis = json.loads(result.stdout)
    assert diagnosis["schema"] == "lsum.doctor/1"
    return diagnosis["works"], {check["name"]: check for check in diagnosis["checks"]}


def test_a_healthy_machine_offline(lsum_anew):
    result = lsum_anew("doctor", "--offline", "--json")
    assert (result.code, result.stderr) == (0, "")
    works, checks = checks_of(result)
    assert works
    for name in (
        "python",
        "libraries",
        "torch",
        "device",
        "processor",
        "memory",
        "OCR",
        "store",
        "hub",
        "summary",
    ):
        assert checks[name]["status"] in ("ok", "warning"), checks[name]
        assert checks[name]["detail"]
    assert "torch 2" in checks["torch"]["detail"]
    assert "offline" in checks["hub"]["detail"]
    assert checks["checkpoints"]["status"] == "warning"
    assert "run: lsum models pull " in checks["checkpoints"]["advice"]
    assert " for a 10-page paper on this machine" in checks["checkpoints"]["advice"]
    assert all(check["advice"] for check in checks.values() if check["status"] != "ok")


def test_a_hub_that_answers(lsum_anew, tmp_path):
    with LoopbackHub() as hub:
        result = lsum_anew("doctor", HF_ENDPOINT=hub.endpoint, HF_HOME=str(tmp_path))
        assert hub.endpoint in result.stdout
        assert hub.requests == [("HEAD", "/", None)]
    assert result.code == 0
    assert "\x1b" not in result.stdout


DAMAGE = """
import sys
from lsum_cli.checkpoints.saving import draft_of, finish_draft, locked
from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
from lsum_cli.checkpoints.values import CheckpointMethod
for name in ("good", "bad"):
    with locked(name) as path, draft_of(path) as draft:
        (draft / "model.safetensors").write_bytes(b"weights")
        finish_draft(draft, path, Manifest(name=name, method=CheckpointMethod.SEQ2SEQ,
                     origin=Origin(kind=OriginKind.FILE, source="test")))
(path / "model.safetensors").write_bytes(b"weightz")
"""


def test_installed_checkpoints_are_verified_and_a_missing_hub_is_said(lsum_anew):
    subprocess.run([sys.executable, "-c", DAMAGE], check=True)
    result = lsum_anew("doctor", "--json", HF_ENDPOINT="http://127.0.0.1:9")
    _, checks = checks_of(result)
    assert checks["hub"]["status"] == "warning"
    assert "cannot be reached" in checks["hub"]["detail"]
    assert result.code == 0  # a summary can be made all the same
    assert checks["checkpoint good"]["status"] == "ok"
    assert checks["checkpoint bad"]["status"] == "warning"
    assert "SHA-256 differs" in checks["checkpoint bad"]["detail"]


def test_a_broken_installation_is_said_and_is_no_success(lsum_anew, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sentencex.py").write_text("raise ImportError('a library is missing')")
    (broken / "torch.py").write_text("raise ImportError('libcudart.so.12: cannot open shared object file')")
    result = lsum_anew("doctor", "--offline", "--json", PYTHONPATH=str(broken))
    works, checks = checks_of(result)
    assert (result.code, works) == (5, False)
    assert checks["torch"]["status"] == "problem"
    assert "libcudart" in checks["torch"]["detail"]
    assert checks["summary"]["status"] == "problem"
    assert "pip install" in checks["summary"]["advice"]
