"""``lsum summarize`` from the outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import lsum_cli

SCHEMA = Path(lsum_cli.__file__).parent / "rendering" / "schemas" / "summary-1.schema.json"


def load(text: str) -> dict:
    summary = json.loads(text)
    jsonschema.validate(summary, json.loads(SCHEMA.read_text(encoding="utf-8")))
    return summary


def test_piped_output_is_plain_text_with_sources(lsum, article):
    result = lsum("summarize", article, "--length", "40")
    assert result.code == 0
    assert "\x1b" not in result.stdout
    assert "Repair" in result.stdout or "Decline" in result.stdout or "Growth" in result.stdout
    said, recommended = result.stderr.splitlines()
    assert (
        said == "lsum: no checkpoint is installed: sentences are extracted from the source (method extract)"
    )
    # What to pull, with its size and how long it takes here.
    assert re.fullmatch(
        r"lsum: for sentences that a model writes: lsum models pull \S+ \(.+; [\d.]+ [MG]B,"
        r" about .+ for a 10-page paper on this machine\)",
        recommended,
    )
    # Once a day is enough; how a summary is made is said on request.
    assert lsum("summarize", article, "--length", "40").stderr == ""
    assert said in lsum("summarize", article, "--length", "40", "-v").stderr.splitlines()


def test_json_says_where_every_sentence_came_from(lsum, article):
    result = lsum("summarize", article, "--length", "40", "-f", "json", "-q")
    assert (result.code, result.stderr) == (0, "")
    summary = load(result.stdout)
    assert summary["schema"] == "lsum.summary/1"
    assert summary["title"] == "Salt Marshes"
    assert (summary["method"], summary["locality"], summary["checkpoint"]) == ("extract", "discourse", None)
    assert [page["label"] for page in summary["pages"]] == ["Growth", "Decline", "Repair"]
    assert summary["sentences"]
    text = article.read_text(encoding="utf-8").replace("\n", " ")
    for sentence in summary["sentences"]:
        assert sentence["text"] in text
        attribution = sentence["attribution"]
        assert attribution["kind"] == "extraction"
        assert attribution["evidence"][0]["text"] == sentence["text"]
        assert attribution["pages"] == [{"page": attribution["top_page"], "weight": 1.0}]
    coverage = summary["coverage"]
    assert coverage["tokens_read"] == coverage["tokens_total"] == sum(p["tokens"] for p in summary["pages"])


@pytest.mark.parametrize("words", [10, 25, 60])
def test_the_length_is_kept_in_words(lsum, article, words):
    summary = load(lsum("summarize", article, "--length", str(words), "-f", "json").stdout)
    assert 0 < len(summary["text"].split()) <= max(words, 14)
    assert summary["text"].endswith(".")


def test_no_attribution_is_just_the_summary(lsum, article):
    result = lsum("summarize", article, "--no-attribution")
    assert result.code == 0
    text = article.read_text(encoding="utf-8")
    assert "[" not in result.stdout
    assert all(word in text for word in result.stdout.split())


def test_standard_input_is_sniffed(lsum, article):
    result = lsum("summarize", "-", "-f", "json", stdin=article.read_bytes())
    assert [page["label"] for page in load(result.stdout)["pages"]] == ["Growth", "Decline", "Repair"]


@pytest.fixture
def folder(tmp_path, article):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "b.md").write_text(article.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "a.txt").write_text("Peat grows slowly. It burns quickly. Nobody plants it.", encoding="utf-8")
    (folder / ".hidden.txt").write_text("Nothing to see.", encoding="utf-8")
    return folder


def test_a_folder_becomes_one_summary_with_multi(lsum, folder):
    result = lsum("summarize", "--multi", folder, "-f", "json")
    assert result.code == 0
    summary = load(result.stdout)
    assert summary["locality"] == "document"
    assert [Path(document["source"]).name for document in summary["documents"]] == ["a.txt", "b.md"]
    assert summary["title"] == "docs (2 documents)"


def test_a_folder_becomes_a_summary_of_each(lsum, folder):
    result = lsum("summarize", folder, "-f", "json")
    assert result.code == 0
    summaries = [load(line) for line in result.stdout.splitlines()]
    assert [Path(s["documents"][0]["source"]).name for s in summaries] == ["a.txt", "b.md"]


def test_one_bad_file_does_not_end_the_others(lsum, folder):
    (folder / "a1.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    result = lsum("summarize", "--each", folder, "-f", "json")
    assert result.code == 9
    assert len(result.stdout.splitlines()) == 2
    errors = [line for line in result.stderr.splitlines() if "error" in line]
    assert len(errors) == 2
    assert "a1.pdf" in errors[0]
    assert "1 of 3 sources failed" in errors[1]


def test_when_all_of_many_fail_nothing_is_partial(lsum, tmp_path):
    result = lsum("summarize", "one.pdf", "two.pdf")
    assert result.code == 3
    assert result.stdout == ""
    assert "2 of 2 sources failed" in result.stderr


def test_an_output_folder_gets_a_file_per_source(lsum, folder, tmp_path):
    (folder / "b.txt").write_text(
        "Another document of the same stem. It has two sentences.", encoding="utf-8"
    )
    result = lsum("summarize", folder, "-o", "out/", "-f", "markdown")
    assert (result.code, result.stdout) == (0, "")
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["a.md", "b-2.md", "b.md"]


def test_the_output_name_decides_the_format(lsum, article, tmp_path):
    assert lsum("summarize", article, "-o", "summary.json").code == 0
    load((tmp_path / "summary.json").read_text(encoding="utf-8"))


def test_an_existing_output_is_kept(lsum, article, tmp_path):
    target = tmp_path / "summary.txt"
    target.write_text("mine", encoding="utf-8")
    result = lsum("summarize", article, "-o", target)
    assert result.code == 8
    assert "--overwrite" in result.stderr
    assert target.read_text(encoding="utf-8") == "mine"
    assert lsum("summarize", article, "-o", target, "--overwrite").code == 0
    assert target.read_text(encoding="utf-8") != "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--multi", "--each"], "exclude each other"),
        (["--length", "huge"], "huge"),
        (["--length", "0"], "empty summary"),
        (["--pages", "0"], "--pages"),
        (["--locality", "document", "--pages", "3"], "document"),
        (["--method", "magic"], "magic"),
        (["--formt", "json"], "--formt"),
        (["--open"], "--output"),
        (["--format", "pdf"], "pdf"),
    ],
)
def test_wrong_usage_is_code_2_and_one_line(lsum, article, arguments, part):
    result = lsum("summarize", article, *arguments)
    assert (result.code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert part in result.stderr
    assert "Value error" not in result.stderr


def test_what_is_left_out_is_counted_in_words_of_one_and_many(lsum, tmp_path):
    (tmp_path / "a.md").write_text("# Birds\n\n<!-- one -->\n\nHerons nest in trees.\n", encoding="utf-8")
    (tmp_path / "b.zip").write_bytes(b"PK")
    result = lsum("summarize", tmp_path, "-v")
    assert result.code == 0
    assert "left out 1 word: comments" in result.stderr
    assert "left out 1 file of an unsupported kind (-v lists them)" in result.stderr
    (tmp_path / "b.zip").rename(tmp_path / "figure.png")
    result = lsum("summarize", tmp_path)
    assert "left out 1 picture beside documents (-v lists them)" in result.stderr
    assert "unsupported" not in result.stderr


def test_no_source_is_wrong_usage(lsum):
    result = lsum("summarize")
    assert result.code == 2
    assert result.stderr == "lsum: error: no source is given; lsum summarize SOURCE\n"


def test_a_missing_file_is_code_3(lsum):
    result = lsum("summarize", "nowhere.pdf")
    assert (result.code, result.stdout) == (3, "")
    assert len(result.stderr.splitlines()) == 1
    assert "nowhere.pdf" in result.stderr


def test_control_characters_of_a_document_reach_no_terminal(lsum, tmp_path):
    path = tmp_path / "evil.txt"
    path.write_text("A sentence with \x1b[31mcolour\x1b[0m and [bold]markup[/bold] in it.", encoding="utf-8")
    for name in ("text", "rich", "markdown"):
        result = lsum("summarize", path, "-f", name)
        assert result.code == 0
        assert "\x1b" not in result.stdout
        assert "bold" in result.stdout


def test_settings_come_from_files_and_environment(lsum, article, tmp_path):
    (tmp_path / "lsum.toml").write_text('length = "10"\n[summarize]\nformat = "json"\n', encoding="utf-8")
    assert load(lsum("summarize", article).stdout)["options"]["length"] == 10
    assert load(lsum("summarize", article, LSUM_LENGTH="20").stdout)["options"]["length"] == 20
    result = lsum("summarize", article, "--length", "30", LSUM_LENGTH="20")
    assert load(result.stdout)["options"]["length"] == 30


@pytest.mark.parametrize(
    "content", ["lenght = 10", "[summarise]\nlength = 10", 'output = "article.txt"\noverwrite = true']
)
def test_wrong_settings_are_refused(lsum, article, tmp_path, content):
    (tmp_path / "lsum.toml").write_text(content, encoding="utf-8")
    result = lsum("summarize", article)
    assert (result.code, result.stdout) == (2, "")
    assert "lsum.toml" in result.stderr
    assert lsum("--version").code == 0


def test_the_current_folders_settings_are_said_once_or_ignored(lsum, article, tmp_path):
    (tmp_path / "lsum.toml").write_text('length = "10"\nformat = "json"\n', encoding="utf-8")
    result = lsum("summarize", article, "-f", "text")
    assert result.stderr.count("length from ./lsum.toml") == 1
    assert "format" not in result.stderr
    assert "lsum.toml" not in lsum("summarize", article, "-q").stderr
    (tmp_path / "lsum.toml").unlink()
    os.mkfifo(tmp_path / "lsum.toml")
    result = lsum("summarize", article)
    assert result.code == 0
    assert "warning: lsum.toml is not a regular file; it is ignored" in result.stderr


def test_an_output_that_cannot_be_a_file_is_one_line(lsum, article, tmp_path):
    result = lsum("summarize", article, "-o", tmp_path / ("x" * 300 + ".txt"))
    assert result.code == 8
    assert result.stderr.count("\n") == 1
    assert "File name too long" in result.stderr


def test_a_source_needs_no_command(lsum, article, tmp_path):
    expected = lsum("summarize", article).stdout
    assert lsum(article).stdout == expected
    assert lsum("summarise", article).stdout == expected
    assert lsum(article, "-f", "json").stdout.startswith("{")
    (tmp_path / "plan").write_text("A file that is called like a command.", encoding="utf-8")
    assert "SOURCE" in lsum("plan").stderr
    result = lsum("missing.pdf")
    assert (result.code, "missing.pdf does not exist" in result.stderr) == (3, True)
    result = lsum("thesis")
    assert (result.code, "No such command or file 'thesis'" in result.stderr) == (2, True)
    result = lsum("")
    assert (result.code, "the name of a source is empty" in result.stderr) == (2, True)
    article.with_name("-a.md").write_bytes(article.read_bytes())
    assert lsum("--", "-a.md").stdout == expected


def test_a_mistyped_path_of_a_model_is_no_name_on_the_hub(lsum, article, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "papers").mkdir(parents=True)
    result = lsum("summarize", article, "-m", "runs/paper")
    assert result.code == 4
    assert "there is no folder runs/paper" in result.stderr
    assert f"did you mean {Path('runs', 'papers')}?" in result.stderr
    (tmp_path / "papers.tar").write_bytes(b"")
    result = lsum("summarize", article, "-m", "papers.tar")
    assert (result.code, "run: lsum models import papers.tar" in result.stderr) == (4, True)


def test_a_mistyped_command_gets_a_suggestion(lsum):
    result = lsum("sumarize", "paper.pdf")
    assert result.code == 2
    assert "; did you mean 'summarize'? Or see lsum --help" in result.stderr


def test_an_empty_source_is_not_the_current_folder(lsum):
    result = lsum("summarize", "")
    assert (result.code, result.stdout) == (2, "")
    assert "a source is empty" in result.stderr


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("summarize", "--help"), ("models", "list")]
)
def test_a_reader_that_went_away_is_no_error_of_any_command(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "lsum_cli", *arguments]
    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_streams(article):
    def run(*arguments, **streams):
        command = [sys.executable, "-m", "lsum_cli", *map(str, arguments)]
        return subprocess.run(command, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})

    with Path("/dev/full").open("wb") as full:
        assert run("summarize", article, stderr=full).returncode == 0
        assert run("summarize", "missing.txt", stderr=full).returncode == 3
        help_text = run("--help", stdout=full)
    assert help_text.returncode == 8
    assert help_text.stderr.count(b"\n") == 1


def test_a_closed_pipe_ends_quietly(article):
    command = [sys.executable, "-m", "lsum_cli", "summarize", "-q", str(article)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert errors == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["summarize", "plan"])
def test_a_full_disk_behind_standard_output_is_said(article, command):
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "lsum_cli", command, "-q", str(article)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert process.returncode == 8
    assert len(process.stderr.splitlines()) == 1
    assert b"standard output" in process.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(("closed", "code", "product"), [(">&-", 8, False), ("2>&-", 0, True)])
def test_closed_streams_are_no_bug(article, closed, code, product):
    script = f'"{sys.executable}" -m lsum_cli summarize "{article}" {closed}'
    process = subprocess.run(["sh", "-c", script], capture_output=True, check=False)
    assert process.returncode == code
    assert bool(process.stdout) is product
    assert b"Traceback" not in process.stderr


def test_summaries_are_the_same_every_time(lsum_anew, article):
    first = lsum_anew("summarize", article, "-q")
    # Nor does what is loaded say anything.
    assert (first.code, first.stderr) == (0, "")
    assert lsum_anew("summarize", article, "-q").stdout == first.stdout
