"""The papers' analyses as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from lsum_cli.errors import ExitCode

RECORDS = [
    {
        "id": f"doc{number}",
        "title": "Marshes",
        "sections": [
            {
                "title": "Growth",
                "text": "Salt marshes grow where mud settles. Grasses slow the water. It rises.",
            },
            {
                "title": "Decline",
                "text": "Dams hold back the mud of rivers. The marshes starve. Birds leave them.",
            },
        ],
        "summary": "Marshes grow where mud settles and starve where dams hold it back. Birds leave.",
    }
    for number in (1, 2)
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "marsh.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_models import save_pagesum

    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def check_files(folder: Path, name: str) -> list[dict[str, str]]:
    """Picture and numbers are there; returns the latter."""
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    return rows((folder / f"{name}.csv").read_text(encoding="utf-8"))


def test_dependencies_of_references_and_predictions(lsum, data, tmp_path):
    (tmp_path / "system.txt").write_text("Mud settles and birds leave.\n\n", encoding="utf-8")
    result = lsum("eval", "dependencies", "--data", data, "--predictions", "system.txt", "-o", "distances")
    assert result.code == 0
    assert "wrote distances.png, distances.svg and distances.csv" in result.stderr
    reference, system = rows(result.stdout)
    assert (reference["summaries"], reference["sentences"], reference["fusion_sentences"]) == (
        "reference",
        "4",
        "2",
    )
    assert (system["summaries"], system["documents"], system["sentences"]) == ("system", "2", "1")
    numbers = check_files(tmp_path, "distances")
    assert {row["summaries"] for row in numbers} == {"reference", "system", "by chance"}
    assert sum(float(row["share"]) for row in numbers if row["summaries"] == "reference") == pytest.approx(1)


def test_locality_of_two_data_sets_leaves_existing_files_alone(lsum, data, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(RECORDS[0] | {"summary": None}) + "\n", encoding="utf-8")
    arguments = ("eval", "locality", "--data", data, "--data", other, "--max-distance", "3")
    result = lsum(*arguments)
    assert result.code == 0
    found = rows(result.stdout)
    assert [row["data"] for row in found] == ["marsh", "other"]
    assert [row["documents"] for row in found] == ["2", "1"]
    # The same text twice: a sentence is as like those of the other document as its own.
    assert float(found[0]["two_documents"]) > float(found[0]["same_document"])
    assert found[1]["two_documents"] == ""
    assert len(check_files(tmp_path, "locality")) == 2 * (3 + 2)
    before = (tmp_path / "locality.csv").read_bytes()
    again = lsum(*arguments, "-q")
    assert again.code == ExitCode.OUTPUT
    assert "locality.png exists already" in again.stderr
    assert lsum(*arguments, "-q", "--overwrite").stderr == ""
    assert (tmp_path / "locality.csv").read_bytes() == before


def test_locality_by_embeddings_that_are_not_here(lsum, data, tmp_path):
    result = lsum("eval", "locality", "--data", data, "--embeddings", "nobody/nothing")
    assert result.code == ExitCode.CHECKPOINT
    assert result.stdout == ""
    assert "hf download nobody/nothing" in result.stderr
    assert not list(tmp_path.glob("locality.*"))


def test_confidence_of_the_generated_summary_and_the_reference(lsum, data, model, tmp_path):
    result = lsum(
        "eval", "confidence", "--data", data, "-m", model, "--example", "doc2", "--max-tokens", "9",
        "--min-tokens", "3", "--locality", "discourse", "--page-tokens", "60", "--device", "cpu", "--dtype", "float32",
    )  # fmt: skip
    assert result.code == 0
    assert "example doc2" in result.stderr
    generated, reference = rows(result.stdout)
    assert (generated["summary"], reference["summary"]) == ("generated", "reference")
    assert generated["pages"] == reference["pages"]
    numbers = check_files(tmp_path, "confidence")
    for name in ("generated", "reference"):
        first = [float(row["confidence"]) for row in numbers if (row["summary"], row["step"]) == (name, "1")]
        assert sum(first) == pytest.approx(1, abs=1e-4)


def test_confidence_needs_an_example_and_a_model_with_pages(lsum, data):
    result = lsum("eval", "confidence", "--data", data, "--method", "extract", "--example", "3")
    assert result.code == ExitCode.DATASET
    assert "has no example '3'; give an id, or a number from 1 to 2" in result.stderr
    result = lsum("eval", "confidence", "--data", data, "--method", "extract")
    assert result.code == ExitCode.OPTION
    assert "the method extract has no page confidences" in result.stderr


def test_sweep_over_a_setting_of_the_checkpoint(lsum, data, model, tmp_path):
    result = lsum(
        "eval", "sweep", "--data", data, "-m", model, "--setting", "decoding", "--values", "page, global",
        "--min-tokens", "3", "--max-tokens", "9", "--beams", "2", "--page-tokens", "40", "--device", "cpu",
        "--dtype", "float32", "--results", "kept",
    )  # fmt: skip
    assert result.code == 0
    assert [row["value"] for row in rows(result.stdout)] == ["page", "global"]
    assert all(float(row["rouge1_low"]) <= float(row["rouge1"]) for row in rows(result.stdout))
    assert check_files(tmp_path, "sweep") == rows(result.stdout)
    assert json.loads((model / "config.json").read_text())["decoding"] == "page"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["dependencies"], ExitCode.OPTION, "--data"),
        (["dependencies", "--data", "nothing.jsonl"], ExitCode.DATASET, "nothing.jsonl"),
        (
            ["sweep", "--data", "marsh.jsonl", "--setting", "hue", "--values", "1", "--method", "extract"],
            ExitCode.OPTION,
            "no setting 'hue'",
        ),
        (
            ["dependencies", "--data", "marsh.jsonl", "--data", "marsh.jsonl", "--predictions", "x.txt"],
            ExitCode.OPTION,
            "--predictions belong to one data set",
        ),
        (
            ["dependencies", "--data", "marsh.jsonl", "--predictions", "one.txt"],
            ExitCode.DATASET,
            "1 prediction, but 2 examples",
        ),
    ],
)
def test_wrong_usage(lsum, data, tmp_path, arguments, code, message):
    (tmp_path / "one.txt").write_text("Mud settles.\n", encoding="utf-8")
    result = lsum("eval", *arguments)
    assert (result.code, result.stdout) == (code, "")
    assert message in result.stderr


def test_data_without_references_have_no_dependencies(lsum, tmp_path):
    path = tmp_path / "bare.jsonl"
    path.write_text(
        json.dumps({key: RECORDS[0][key] for key in ("id", "title", "sections")}) + "\n", encoding="utf-8"
    )
    result = lsum("eval", "dependencies", "--data", path)
    assert result.code == ExitCode.DATASET
    assert result.stdout == ""
