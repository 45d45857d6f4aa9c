"""What the program says of a command line that asks for more than it can do: idle flags, sources named twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_models import save_pagesum

from lsum_cli.cli.eval import EvaluationInput
from lsum_cli.methods.options import SummaryOptions

IDLE = "no effect: sentences are extracted, and no model writes"


@pytest.fixture
def streams(lsum, monkeypatch, tmp_path, article):
    """Run the program beside an article: what is on both streams."""
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))

    def call(*arguments: object) -> tuple[str, str]:
        code, out, err = lsum(*arguments)
        assert code == 0
        return out, err

    return call


@pytest.mark.parametrize("command", [["summarize"], ["plan"], ["batch", "-o", "rows"]])
def test_flags_that_only_a_model_heeds_are_named_once(command, streams):
    _, err = streams(*command, "marsh.md", "--method", "extract", "--beams", "3", "--dtype", "int8")
    assert err.count(IDLE) == 1
    assert f"warning: --beams and --dtype have {IDLE}" in err


def test_pages_of_what_has_no_pages_are_named(streams):
    out, err = streams("summarize", "marsh.md", "--pdf-pages", "1-2")
    assert out
    assert err.count("--pdf-pages chooses pages of PDFs alone; all of this was read") == 1
    _, err = streams("summarize", "marsh.md")
    assert "--pdf-pages" not in err


@pytest.mark.parametrize("command", ["summarize", "plan"])
def test_flags_for_pdfs_are_named_where_none_was_read(command, streams, monkeypatch):
    _, err = streams(command, "marsh.md", "--ocr", "always", "--password", "x")
    assert err.count("--ocr has no effect") == 1
    assert err.count("--password has no effect") == 1
    # Set once for all documents, they concern those that are PDFs.
    monkeypatch.setenv("LSUM_OCR", "always")
    _, err = streams(command, "marsh.md", "--ocr", "never")
    assert "no effect" not in err
    _, err = streams(command, "marsh.md")
    assert "no effect" not in err


def test_flags_for_pdfs_are_not_named_where_one_was_read(streams):
    document = Path(__file__).parents[2] / "docs" / "examples" / "tide-tables.pdf"
    _, err = streams("summarize", "marsh.md", document, "--password", "x", "--jobs", "1")
    assert "no effect" not in err


def test_an_evaluation_of_extracts_names_them(streams, tmp_path):
    example = {"text": "Mud settles slowly. Grass holds it.", "summary": "Mud."}
    (tmp_path / "test.jsonl").write_text(json.dumps(example))
    data = ["--data", "test.jsonl", "--method", "extract", "--length", "5", "--resamples", "10"]
    _, err = streams("eval", *data, "--jobs", "1", "--beams", "3")
    assert err.count(f"--beams has {IDLE}") == 1


@pytest.mark.parametrize(
    ("models", "baselines", "has_none"),
    [
        ((), None, True),
        ((), "lead3,lead:extract,oracle", True),
        ((), "lead3,concat:model", False),
        (("model",), None, False),
    ],
)
def test_an_evaluation_with_a_model_heeds_them(models, baselines, has_none):
    source = EvaluationInput(models=models, baselines=baselines)
    assert source.has_no_model(SummaryOptions(method="extract")) == has_none


def test_of_many_sources_they_are_named_once(streams, tmp_path):
    (tmp_path / "other.txt").write_text("Mud settles slowly. Grass holds the mud.")
    _, err = streams("marsh.md", "other.txt", "--method", "extract", "--beams", "3", "--jobs", "1")
    assert err.count(f"--beams has {IDLE}") == 1


def test_settings_and_the_environment_are_no_wish_of_this_run(streams, monkeypatch, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("beams = 3\n")
    monkeypatch.setenv("LSUM_DTYPE", "float32")
    _, err = streams("marsh.md", "--method", "extract", "--length", "20")
    assert "no effect" not in err


def test_a_model_heeds_them(streams, tmp_path):
    save_pagesum(tmp_path / "model")
    _, err = streams("marsh.md", "-m", "./model", "--beams", "2", "--max-tokens", "8")
    assert "no effect" not in err


def test_a_source_named_twice_is_summarised_once(streams, tmp_path):
    (tmp_path / "link.md").symlink_to("marsh.md")
    out, err = streams("marsh.md", "marsh.md", "link.md", "--method", "extract", "-f", "json")
    assert json.loads(out)["title"] == "Salt Marshes"
    assert "lsum: marsh.md was named before: it counts once\n" in err
    assert "lsum: link.md is the same file as marsh.md: it counts once\n" in err


def test_together_it_counts_once(streams):
    out, err = streams("--multi", "marsh.md", "./marsh.md", "--method", "extract", "-f", "json")
    assert len(json.loads(out)["documents"]) == 1
    assert "it counts once" in err


def test_in_a_batch_it_has_one_row(streams, tmp_path):
    (tmp_path / "texts").mkdir()
    Path(tmp_path / "marsh.md").rename(tmp_path / "texts" / "marsh.md")
    (tmp_path / "texts" / "other.txt").write_text("Mud settles slowly. Grass holds the mud.")
    _, err = streams("batch", "texts/other.txt", "texts", "-o", "rows", "--method", "extract")
    rows = [row for part in (tmp_path / "rows").glob("part-*") for row in part.read_text().splitlines()]
    assert len(rows) == 2
    assert "texts/other.txt was named before: it counts once" in err


def test_a_plan_of_several_jobs_says_what_memory_each_may_take(streams):
    out, _ = streams("plan", "marsh.md", "--method", "extract", "--jobs", "2", "-f", "json")
    two = json.loads(out)["memory_share_bytes"]
    out, _ = streams("plan", "marsh.md", "--method", "extract", "--jobs", "4", "-f", "json")
    # What is free may change meanwhile.
    assert 0.3 < json.loads(out)["memory_share_bytes"] / two < 0.7
    out, _ = streams("plan", "marsh.md", "--method", "extract", "--jobs", "2")
    assert "2 at a time: each counts on" in out
    out, _ = streams("plan", "marsh.md", "--method", "extract", "-f", "json")
    assert "memory_share_bytes" not in json.loads(out)


def test_a_variable_that_sets_nothing_is_named(lsum, article):
    """Misspelt, of a flag that no variable sets, of nothing; one of another command is known."""
    variables = {
        "LSUM_LENGHT": "long",
        "LSUM_FOCUS": "mud",
        "LSUM_OTHER": "1",
        "LSUM_REPORT_TO": "none",
        "LSUM_STYLE": "bullets",
    }
    result = lsum("--length", "20", article, **variables)
    assert result.code == 0
    assert result.stdout.startswith("- ")
    warnings = [line for line in result.stderr.splitlines() if "LSUM_" in line]
    assert warnings == [
        "lsum: warning: LSUM_FOCUS is ignored: no variable sets --focus",
        "lsum: warning: LSUM_LENGHT is ignored: no flag has this variable; did you mean LSUM_LENGTH?",
        "lsum: warning: LSUM_OTHER is ignored: no flag has this variable",
    ]
    assert "LSUM_" not in lsum("-q", "--length", "20", article, **variables).stderr


@pytest.mark.parametrize(
    ("variables", "settings", "message"),
    [
        (
            {"LSUM_LENGTH": "lonng"},
            "",
            "'lonng' is not a valid length (--length is set by LSUM_LENGTH); give",
        ),
        ({"LSUM_JOBS": "0"}, "", "--jobs 0 is too small (--jobs is set by LSUM_JOBS); give"),
        ({"LSUM_JOBS": "two"}, "", "'--jobs': it must be a whole number (it is set by LSUM_JOBS); see"),
        ({"HF_HUB_OFFLINE": "ja"}, "", "'--offline': it must be true or false (it is set by HF_HUB_OFFLINE)"),
        ({}, "jobs = 0", "--jobs 0 is too small (--jobs is set by {home}); give"),
        ({}, "max-seconds = 'all'", "'--max-seconds': it must be a number (it is set by {home}); see"),
    ],
)
def test_a_wrong_value_says_where_it_comes_from(lsum, article, tmp_path, variables, settings, message):
    (tmp_path / "config.toml").write_text(settings)
    result = lsum(article, **{"LSUM_HOME": str(tmp_path), **variables})
    assert (result.code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert message.format(home=tmp_path / "config.toml") in result.stderr


def test_a_wrong_value_of_the_folder_or_the_command_line_does_too(lsum, article, tmp_path):
    (tmp_path / "lsum.toml").write_text("length = 'lonng'")
    assert "'lonng' is not a valid length (--length is set by lsum.toml); give" in lsum(article).stderr
    assert "'foo' is not a valid length; give" in lsum(article, "--length", "foo", LSUM_LENGTH="bar").stderr
