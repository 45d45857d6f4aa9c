"""``lsum summarize`` and ``lsum plan`` with a checkpoint, from the outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from safetensors.torch import load_file, save_file
from tiny_models import save_family, save_pagesum

import lsum_cli

SCHEMA = Path(lsum_cli.__file__).parent / "rendering" / "schemas" / "summary-1.schema.json"
# Small models gain nothing from more threads, and busy machines lose.
QUIET = {"OMP_NUM_THREADS": "1"}


def load(text: str) -> dict:
    summary = json.loads(text)
    jsonschema.validate(summary, json.loads(SCHEMA.read_text(encoding="utf-8")))
    return summary


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny", max_position_embeddings=512)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory) -> Path:
    return save_family(tmp_path_factory.mktemp("models") / "baseline", "bart")


def test_a_summary_with_confidences_and_a_quiet_terminal(lsum, article, checkpoint):
    result = lsum("summarize", article, "-m", checkpoint, "--max-tokens", "30", "-f", "json", **QUIET)
    assert result.code == 0
    summary = load(result.stdout)
    assert (summary["method"], summary["locality"]) == ("pagesum", "spatial")
    assert summary["checkpoint"]["name"] == "tiny"
    assert summary["checkpoint"]["trained_confidence"] is True
    assert summary["sentences"]
    for sentence in summary["sentences"]:
        assert sentence["attribution"]["kind"] == "confidence"
        weights = [page["weight"] for page in sentence["attribution"]["pages"]]
        assert sum(weights) == pytest.approx(1, abs=1e-3)
        assert sentence["log_prob"] < 0
    assert summary["coverage"]["tokens_dropped"] == 0
    assert summary["options"]["beams"] == 4
    # What a tiny model writes, and so whether a sentence is flagged, depends on the processor.
    said = re.compile(
        r"lsum: warning: (?:a summary was cut off|the last sentence broke off|\d of \d sentences (?:is|are) flagged)"
    )
    assert all(map(said.match, result.stderr.splitlines()))


def test_text_names_the_pages(lsum_here, article, checkpoint):
    code, out, _ = lsum_here("summarize", article, "-m", checkpoint, "--max-tokens", "20")
    assert code == 0
    assert "[part" in out


def test_any_encoder_decoder_summarises_in_parts(lsum_here, article, baseline):
    code, out, _ = lsum_here("summarize", article, "-m", baseline, "--max-tokens", "40", "-f", "json")
    summary = load(out)
    assert (code, summary["method"]) == (0, "seq2seq")
    assert summary["options"]["parts"] == len(summary["pages"]) > 1
    assert {s["attribution"]["kind"] for s in summary["sentences"]} == {"alignment"}


def test_where_it_ran_is_said_under_v(lsum_here, article, checkpoint):
    arguments = ("summarize", article, "-m", checkpoint, "--max-tokens", "8", "--dtype", "float32")
    code, _, err = lsum_here(*arguments, "-v")
    assert code == 0
    assert "device cpu, dtype float32" in err
    for stage in ("load", "encode", "decode", "attribute"):
        assert f"lsum: {stage}: " in err


def test_dtype_auto_chooses_and_says_what(lsum_here, article, checkpoint):
    _, out, _ = lsum_here("summarize", article, "-m", checkpoint, "--max-tokens", "8", "-f", "json", "-q")
    assert load(out)["options"]["dtype"] in ("float32", "bfloat16")


def test_an_installed_checkpoint_is_used_and_named(lsum_here, article, checkpoint, monkeypatch, tmp_path):
    home = tmp_path / "home"
    (home / "checkpoints").mkdir(parents=True)
    save_installed(checkpoint, home / "checkpoints" / "mine")
    monkeypatch.setenv("LSUM_HOME", str(home))
    code, out, err = lsum_here("summarize", article, "--max-tokens", "20", "-f", "json")
    assert code == 0
    assert load(out)["checkpoint"]["name"] == "mine"
    assert "written by the checkpoint mine (method pagesum)" in err


def save_installed(source: Path, target: Path) -> None:
    """Install a folder of ``transformers`` files as the store holds it."""
    from lsum_cli.checkpoints.loading import load_folder
    from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
    from lsum_cli.checkpoints.saving import save_checkpoint
    from lsum_cli.checkpoints.values import CheckpointMethod
    from lsum_cli.locality import Locality

    loaded = load_folder(source)
    manifest = Manifest(
        name=target.name,
        method=CheckpointMethod.PAGESUM,
        locality=Locality.SPATIAL,
        page_len=64,
        trained_confidence=True,
        origin=Origin(kind=OriginKind.TRAINING, source="test"),
    )
    save_checkpoint(target, loaded.model, loaded.tokenizer, manifest)


def test_a_plan_with_a_checkpoint(lsum_here, article, checkpoint):
    arguments = [article, "-m", checkpoint, "--max-tokens", "20", "-f", "json"]
    code, out, _ = lsum_here("plan", *arguments)
    plan = json.loads(out)
    assert (code, plan["method"]) == (0, "pagesum")
    assert plan["seconds"] >= 0
    _, out, _ = lsum_here("summarize", *arguments)
    assert plan["pages"] == load(out)["pages"]


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["--method", "seq2seq"], 4, "not for seq2seq"),
        (["--method", "extract"], 2, "needs no checkpoint"),
        (["--device", "cuda:99"], 6, "cuda:99"),
        (["--device", "abacus"], 2, "abacus"),
        (["--dtype", "float8"], 2, "float8"),
        (["--min-tokens", "9", "--max-tokens", "8"], 2, "--min-tokens 9"),
        (["--max-tokens", "5000"], 2, "--max-tokens at most"),
        (["--beams", "1", "--length-penalty", "2"], 2, "--beams 1"),
        (["--page-tokens", "4000"], 2, "--page-tokens at most"),
    ],
)
def test_what_cannot_be_is_one_line_and_its_code(lsum_here, article, checkpoint, arguments, code, part):
    found, out, err = lsum_here("summarize", article, "-m", checkpoint, *arguments)
    assert (found, out) == (code, "")
    assert len(err.splitlines()) == 1
    assert part in err


def without(folder: Path, name: str) -> None:
    (folder / name).unlink()


def truncate(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def spoil(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["confidence_layer.weight"].fill_(float("nan"))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def change(folder: Path, **settings) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        spoil,
        lambda folder: without(folder, "model.safetensors"),
        lambda folder: without(folder, "config.json"),
        lambda folder: without(folder, "tokenizer.json"),
        lambda folder: change(folder, d_model=0),
        lambda folder: change(folder, d_model=10**6),
        lambda folder: change(folder, model_type="gpt2"),
        lambda folder: change(folder, encoder_attention_heads=7),
        lambda folder: (folder / "config.json").write_text("{"),
    ],
)
def test_a_damaged_checkpoint_is_code_4_and_one_line(lsum_here, article, tmp_path, damage):
    folder = save_pagesum(tmp_path / "damaged")
    damage(folder)
    code, out, err = lsum_here("summarize", article, "-m", folder, "--max-tokens", "8", "-q")
    assert (code, out) == (4, "")
    assert len(err.splitlines()) == 1


def test_a_checkpoint_that_is_not_here_names_the_command_that_fetches_it(lsum_here, article):
    code, _, err = lsum_here("summarize", article, "-m", "owner/nothing-like-it", "--offline")
    assert code == 4
    assert "owner/nothing-like-it" in err
    assert "lsum models" in err


def test_hundreds_of_pages(lsum_here, checkpoint, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text(" ".join(f"The marsh {number} rose." for number in range(520)), encoding="utf-8")
    arguments = ("--page-tokens", "14", "--max-tokens", "6", "--beams", "2", "-f", "json", "-q")
    code, out, _ = lsum_here("summarize", path, "-m", checkpoint, *arguments)
    summary = load(out)
    assert code == 0
    assert len(summary["pages"]) >= 500
    assert summary["coverage"]["tokens_dropped"] == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_while_writing_leaves_no_output(article, checkpoint, tmp_path):
    article.write_text(article.read_text(encoding="utf-8") * 40, encoding="utf-8")
    arguments = [
        "-m",
        str(checkpoint),
        "--min-tokens",
        "500",
        "--max-tokens",
        "510",
        "--beams",
        "16",
        "--no-repeat-ngram",
        "0",
    ]
    output = tmp_path / "summary.json"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            INTERRUPTIBLE,
            str(tmp_path / "begun"),
            "summarize",
            str(article),
            *arguments,
            "-o",
            str(output),
        ],
        stderr=subprocess.PIPE,
        env={**os.environ, **QUIET},
    )
    try:
        waited = time.monotonic() + 120
        while not (tmp_path / "begun").exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < waited
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert {path.name for path in tmp_path.iterdir()} == {"begun", article.name}


# Leaves a file once the tenth token is written.
INTERRUPTIBLE = """
import sys
from pathlib import Path
from lsum_cli.cli.app import run
from lsum_cli.generation.beam import DocumentSearch
advance = DocumentSearch.advance
steps = 0
def counted(*arguments):
    global steps
    steps += 1
    if steps == 10:
        Path(sys.argv[1]).touch()
    return advance(*arguments)
DocumentSearch.advance = counted
sys.exit(run(sys.argv[2:]))
"""
