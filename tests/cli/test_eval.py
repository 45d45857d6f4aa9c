"""``lsum eval`` from the outside."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tiny_models import save_family, save_pagesum

from lsum_cli.cli.app import run


@dataclass(frozen=True)
class Result:
    code: int
    stdout: str
    stderr: str


RECORDS = [
    {
        "id": f"r{number}",
        "article": f"Salt marshes grow where mud settles, {number} of them. Grasses slow the water down in winter."
        " The slow water drops its mud. Dams hold back the mud of rivers. A starving marsh drowns soon.",
        "summary": f"Mud makes {number} marshes grow. Dams hold back the mud of rivers.",
    }
    for number in range(6)
]


@pytest.fixture
def data(tmp_path) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


@pytest.fixture
def lsum_here(capfd, tmp_path, monkeypatch):
    """Run a command line in this process, where the libraries are loaded already."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Result:
        code = run([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err, captured.err
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def files(tmp_path) -> None:
    (tmp_path / "p.txt").write_text("The cat sat.\n\nA dog ran off.\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("The cat sat down.\nBirds sing.\nA dog ran.\n", encoding="utf-8")


def test_files_are_scored(lsum, files):
    result = lsum("eval", "--predictions", "p.txt", "--references", "r.txt")
    assert result.code == 0
    (row,) = (line for line in result.stdout.splitlines() if line.startswith(" p.txt") and "(" in line)
    # 3 of 3 and 4; nothing; 3 of 4 and 3: (6/7 + 0 + 6/7) / 3
    assert row.split()[1] == "57.14"
    assert "signature rouge:f1|impl:rouge-score" in result.stdout
    assert result.stderr == ("lsum: warning: p.txt: 1 of 3 summaries is empty and scores 0 (r.txt, line 2)\n")


def test_systems_and_baselines_stand_side_by_side(lsum, data):
    arguments = ("eval", "--data", data, "--method", "extract", "--baselines", "lead2,random,oracle")
    result = lsum(*arguments, "-f", "csv")
    assert result.code == 0
    (warning,) = result.stderr.splitlines()
    assert "ROUGE depends on length" in warning
    assert "--baselines lead:extract adds a baseline of its length" in warning
    means = {
        (row["system"], row["measure"]): float(row["mean"] or "nan")
        for row in csv.DictReader(io.StringIO(result.stdout))
    }
    assert means["oracle", "rouge1"] > means["lead2", "rouge1"]
    assert means["extract", "tokens_dropped"] == 0
    again = lsum(*arguments, "-f", "csv")
    assert again.stdout == result.stdout
    assert "extract: 6 of 6 summaries taken from an earlier run" in again.stderr
    table = lsum(*arguments, "--metrics", "origin,novel_2")
    assert "Novel 2-grams (%)" in table.stdout
    assert "Advantage of extract" in table.stdout


def test_reports_are_compared(lsum_here, data, tmp_path):
    assert lsum_here("eval", "--data", data, "--method", "extract", "-o", "a.json").code == 0
    assert lsum_here("eval", "--data", data, "--baselines", "lead1", "-o", "b.json").code == 0
    result = lsum_here("eval", "compare", "a.json", "b.json")
    assert (result.code, result.stderr) == (0, "")
    assert "extract minus lead1" in result.stdout
    again = lsum_here("eval", "--data", data, "--method", "extract", "-o", "a.json")
    assert (again.code, again.stdout) == (8, "")
    assert lsum_here("eval", "--data", data, "--limit", "3", "--baselines", "lead1", "-o", "c.json").code == 0
    refused = lsum_here("eval", "compare", "a.json", "c.json")
    assert (refused.code, refused.stdout) == (2, "")
    assert "they differ in data" in refused.stderr
    assert lsum_here("eval", "compare", data).code == 7


def test_predictions_against_a_data_set_know_the_source(lsum_here, data, tmp_path):
    lines = [json.dumps({"id": record["id"], "text": record["summary"]}) for record in reversed(RECORDS)]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = lsum_here(
        "eval", "--predictions", "p.jsonl", "--data", data, "--baselines", "lead1", "-f", "json"
    )
    assert result.code == 0
    assert "ROUGE depends on length" in result.stderr
    report = json.loads(result.stdout)
    assert [system["name"] for system in report["systems"]] == ["p.jsonl", "lead1"]
    assert report["systems"][0]["scores"]["rougeLsum"]["mean"] == 1
    assert report["systems"][0]["scores"]["compression"]["mean"] > 1
    assert report["comparisons"][0]["differences"]["rouge1"]["count"] == 6


def test_systems_are_evaluated_beside_predictions(lsum_here, data, tmp_path):
    lines = [json.dumps({"prediction": record["summary"]}) for record in RECORDS]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = lsum_here(
        *("eval", "--predictions", "p.jsonl", "--data", data, "--method", "extract", "--length", "9"),
        *("--baselines", "lead:p.jsonl,lead:extract", "--limit", "3", "-f", "json"),
    )
    assert result.code == 0
    assert "lead:p.jsonl has its length" in result.stderr
    told, extract, lead, other = json.loads(result.stdout)["systems"]
    assert [each["name"] for each in (extract, lead, other)] == ["extract", "lead:p.jsonl", "lead:extract"]
    assert lead["scores"]["words"] == told["scores"]["words"]
    assert other["scores"]["words"] == extract["scores"]["words"]
    # 9 words were asked for, of the predictions too, which have 12.
    assert told["scores"]["length_error"]["mean"] == pytest.approx(3 / 9)


def test_models_of_two_methods(lsum_here, data, tmp_path):
    save_pagesum(tmp_path / "one", max_position_embeddings=512)
    save_family(tmp_path / "two", "bart")
    result = lsum_here(
        *("eval", "--data", data, "-m", tmp_path / "one", "-m", tmp_path / "two", "--limit", "2"),
        *("--beams", "1", "--min-tokens", "4", "--max-tokens", "12", "--device", "cpu", "--dtype", "float32"),
        *("-o", "report.json"),
    )
    assert result.code == 0, result.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    one, two, *leads = report["systems"]
    assert (one["name"], two["name"]) == ("one", "two")
    # By default each has a baseline of its own lengths, and is compared with that.
    assert [system["name"] for system in leads] == ["lead:one", "lead:two"]
    pairs = [(each["first"], each["second"]) for each in report["comparisons"]]
    assert pairs == [("one", "two"), ("one", "lead:one"), ("two", "lead:two")]
    assert one["settings"]["method"] == "pagesum"
    assert one["checkpoint"]["path"] == str(tmp_path / "one")
    kept = [json.loads(line) for line in Path(one["summaries"]).read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in kept] == ["r0", "r1"]
    assert kept[0]["coverage"]["tokens_read"] > 0
    assert kept[0]["sentences"][0]["attribution"]["pages"]


def test_runs_in_one_folder_are_one_system(lsum_here, data, tmp_path):
    for number in (2, 10):
        save_pagesum(tmp_path / "mine" / f"seed-{number}", seed=number, max_position_embeddings=512)
    arguments = (
        *("eval", "--data", data, "-m", tmp_path / "mine", "--limit", "3", "--beams", "1"),
        *("--min-tokens", "4", "--max-tokens", "12", "--device", "cpu", "--dtype", "float32"),
    )
    result = lsum_here(*arguments, "-f", "json")
    assert result.code == 0, result.stderr
    report = json.loads(result.stdout)
    mine, lead = report["systems"]
    assert (mine["name"], lead["name"]) == ("mine", "lead:mine")
    assert [run["name"] for run in mine["runs"]] == ["seed-2", "seed-10"]
    assert [run["checkpoint"]["path"] for run in mine["runs"]] == [
        str(tmp_path / "mine" / f"seed-{number}") for number in (2, 10)
    ]
    assert [row["run"] for row in mine["rows"]] == ["seed-2"] * 3 + ["seed-10"] * 3
    assert len({row["text"] for row in mine["rows"]}) > 3  # the runs write different texts
    assert [row["scores"]["words"] for row in lead["rows"]] == [
        pytest.approx((first["scores"]["words"] + second["scores"]["words"]) / 2, abs=0.5)
        for first, second in zip(mine["rows"][:3], mine["rows"][3:], strict=True)
    ]
    again = lsum_here(*arguments)
    assert "mine: 6 of 6 summaries taken from an earlier run" in again.stderr
    assert "Runs of mine (ROUGE F1 × 100)" in again.stdout
    # A run that is not finished is not left out unsaid.
    (tmp_path / "mine" / "seed-3").mkdir()
    refused = lsum_here(*arguments)
    assert (refused.code, refused.stdout) == (4, "")
    assert "seed-3" in refused.stderr


def test_predictions_of_several_runs(lsum_here, files, tmp_path):
    (tmp_path / "mine").mkdir()
    for number, last in ((1, "A dog ran off."), (2, "Dogs run.")):
        text = f"The cat sat.\nBirds.\n{last}\n"
        (tmp_path / "mine" / f"seed-{number}.txt").write_text(text, encoding="utf-8")
    result = lsum_here("eval", "--predictions", "mine", "--predictions", "p.txt", "--references", "r.txt")
    assert result.code == 0, result.stderr
    assert "Runs of mine" in result.stdout
    assert "the same examples and 2 runs (hierarchical)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("--predictions", "p.txt", "--references", "short.txt"),
            7,
            "the first without a counterpart is p.txt, line 2",
        ),
        (
            ("--predictions", "short.txt", "--references", "r.txt"),
            7,
            "the first without a counterpart is r.txt, line 2",
        ),
        (("--predictions", "p.txt", "--references", "latin.txt"), 7, "latin.txt, line 2, byte 4: not UTF-8"),
        (
            ("--predictions", "p.txt", "--references", "blank.txt"),
            7,
            "all references are empty, from blank.txt, line 1 on",
        ),
        (("--predictions", "p.txt", "--references", "none.txt"), 7, "none.txt does not exist"),
        (("--predictions", "p.txt"), 2, "--references"),
        (
            ("--predictions", "p.txt", "--references", "r.txt", "--method", "extract"),
            2,
            "--model, --method and --baselines need documents",
        ),
        (
            ("--predictions", "p.txt", "--references", "r.txt", "--summary-column", "x"),
            2,
            "--prediction-column",
        ),
        (
            ("--data", "data.jsonl", "--reference-column", "x"),
            2,
            "--reference-column was given without --references",
        ),
        (("--data", "data.jsonl", "--baselines", "lead:extract"), 2, "choose one of: none"),
        (
            ("--data", "data.jsonl", "--limit", "2", "compare", "a.json"),
            2,
            "--data, --limit before 'compare' would have no effect",
        ),
        ((), 2, "there is nothing to evaluate"),
        (("--data", "bare.jsonl", "--method", "extract"), 7, "bare.jsonl"),
        (("--data", "unwritten.jsonl", "--method", "extract"), 7, "2 empty references"),
        (("--data", "data.jsonl", "--baselines", "led3"), 2, "there is no baseline 'led3'"),
        (("--data", "data.jsonl", "--metrics", "beauty"), 2, "there is no metric 'beauty'"),
        (("--data", "data.jsonl", "--length", "0"), 2, "at least 1 word"),
        (("--data", "data.jsonl", "--resamples", "0"), 2, "--resamples"),
        (("--data", "data.jsonl", "-m", "./nowhere"), 4, "nowhere"),
        (("--predictions", "p.txt", "--references", "r.txt", "--nli", "a/b"), 2, "give --data"),
        (("--data", "data.jsonl", "--method", "extract", "--nli", "a/b"), 4, "hf download a/b"),
        (("--data", "data.jsonl", "--nli-evidence", "cited"), 2, "--nli-evidence was given without --nli"),
    ],
)
def test_bad_input_is_said_in_one_line(lsum_here, files, data, tmp_path, arguments, code, message):
    (tmp_path / "short.txt").write_text("One line.\n", encoding="utf-8")
    (tmp_path / "blank.txt").write_text("\n \n\n", encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes("One.\nCafé.\nThree.\n".encode("latin-1"))
    (tmp_path / "bare.jsonl").write_text(json.dumps({"id": 1, "article": "A text."}), encoding="utf-8")
    unwritten = [json.dumps({"article": "A text.", "summary": ""})] * 2
    (tmp_path / "unwritten.jsonl").write_text("\n".join(unwritten), encoding="utf-8")
    result = lsum_here("eval", *arguments)
    assert (result.code, result.stdout) == (code, "")
    assert result.stderr.startswith("lsum: error: ")
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr


def test_bad_files_leave_their_code_and_no_output(lsum, files, tmp_path):
    (tmp_path / "short.txt").write_text("One line.\n", encoding="utf-8")
    unequal = lsum("eval", "--predictions", "p.txt", "--references", "short.txt")
    assert (unequal.code, unequal.stdout) == (7, "")
    assert unequal.stderr == (
        "lsum: error: 3 predictions, but 1 reference: the first without a counterpart is p.txt, line 2;"
        " give one prediction per reference, in the same order\n"
    )
    (tmp_path / "latin.txt").write_bytes("Café.\nTwo.\nThree.\n".encode("latin-1"))
    encoded = lsum("eval", "--predictions", "p.txt", "--references", "latin.txt")
    assert (encoded.code, encoded.stdout) == (7, "")
    assert encoded.stderr == "lsum: error: latin.txt, line 1, byte 4: not UTF-8; save the file as UTF-8\n"


def test_an_interrupted_run_is_taken_up_again(tmp_path, lsum):
    record = {
        "article": " ".join(f"Sentence {n} tells of marsh {n}." for n in range(3000)),
        "summary": "Marshes.",
    }
    lines = [json.dumps(record | {"id": number, "summary": f"Marsh {number}."}) for number in range(400)]
    (tmp_path / "long.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["eval", "--data", "long.jsonl", "--baselines", "lead3", "--results", "kept", "--limit"]
    command = [sys.executable, "-m", "lsum_cli", *arguments, "400"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(
        path.stat().st_size for path in tmp_path.glob("kept/*/summaries.jsonl")
    ):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"interrupted" in err
    (path,) = tmp_path.glob("kept/*/summaries.jsonl")
    kept = len(path.read_bytes().splitlines())
    assert 0 < kept < 400
    result = lsum(*arguments, str(kept))
    assert result.code == 0
    assert f"lead3: {kept} of {kept} summaries taken from an earlier run" in result.stderr
    assert len(path.read_bytes().splitlines()) == kept


def test_settings_of_a_file_reach_it(lsum_here, data, tmp_path):
    (tmp_path / "lsum.toml").write_text('[eval]\nlength = "7"\n', encoding="utf-8")
    result = lsum_here("eval", "--data", data, "--baselines", "lead", "-f", "csv")
    rows = {row["measure"]: row["mean"] for row in csv.DictReader(io.StringIO(result.stdout))}
    assert rows["words"] == "7"
