"""``lsum plan`` from the outside."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys

import pytest


def test_a_plan_shows_pages_and_costs(lsum, article):
    result = lsum("plan", article)
    assert result.code == 0
    for part in ("Growth", "Decline", "Repair", "discourse", "3 sections were found", "tokens would be read"):
        assert part in result.stdout


def test_piped_output_has_no_escapes_even_where_colour_is_forced(lsum, article):
    for arguments in (("plan", article), ("models", "list"), ("summarize", article)):
        result = lsum(*arguments, FORCE_COLOR="1")
        assert result.code == 0
        assert "\x1b" not in result.stdout


def test_a_plan_says_the_format_of_each_document(lsum, tmp_path):
    path = tmp_path / "quay.txt"
    path.write_text("The quay\n========\n\n.. note:: Bring a rope.\n\nSee :doc:`ropes`.\n", encoding="utf-8")
    assert "reStructuredText" in lsum("plan", path).stdout
    (document,) = json.loads(lsum("plan", path, "-f", "json").stdout)["documents"]
    assert document["media_type"] == "text/x-rst"


def test_a_plan_for_programs(lsum, article):
    result = lsum("plan", article, "--locality", "spatial", "--pages", "2", "-f", "json")
    plan = json.loads(result.stdout)
    assert plan["schema"] == "lsum.plan/1"
    assert [page["label"] for page in plan["pages"]] == ["part 1/2", "part 2/2"]
    assert sum(page["tokens"] for page in plan["pages"]) == plan["coverage"]["tokens_read"]
    assert plan["memory_bytes"] > 0


def test_a_plan_goes_to_a_file_in_the_format_of_its_suffix(lsum, article, tmp_path):
    path = tmp_path / "plans" / "plan.json"
    first = lsum("plan", article, "-o", path)
    assert (first.code, first.stdout) == (0, "")
    assert json.loads(path.read_text())["schema"] == "lsum.plan/1"
    assert "exists already" in lsum("plan", article, "-o", path).stderr
    assert lsum("plan", article, "-o", path, "--overwrite", "-f", "text").code == 0
    assert "tokens would be read" in path.read_text()
    assert lsum("plan", article, "-o", tmp_path / "plan.html").code == 2


def test_a_plan_agrees_with_the_summary(lsum, article):
    arguments = [article, "--page-tokens", "20", "-f", "json"]
    plan = json.loads(lsum("plan", *arguments).stdout)
    summary = json.loads(lsum("summarize", *arguments).stdout)
    assert plan["pages"] == summary["pages"]


def test_a_bad_source_is_said(lsum, article):
    result = lsum("plan", article, "missing.pdf")
    assert result.code == 9
    assert "missing.pdf" in result.stderr
    assert "Growth" in result.stdout


def test_a_source_that_cannot_be_planned_does_not_end_the_others(lsum, article, tmp_path):
    headings = tmp_path / "headings.md"
    headings.write_text("# One\n\n## Two\n\n- \n", encoding="utf-8")
    result = lsum("plan", headings, article)
    assert result.code == 9
    assert "headings.md" in result.stderr
    assert "Growth" in result.stdout


def on_terminal(columns, *arguments):
    """Standard output and error of a run, as they stand on a terminal so wide; and the exit code."""
    import termios  # on Unix alone

    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (40, columns))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "lsum_cli", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**environment, "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # Linux's end of a terminal
        while read := os.read(ours, 1 << 16):
            shown += read
    os.close(ours)
    _, errors = process.communicate(timeout=240)
    lines = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown.decode()).replace("\r", "").split("\n")
    return [line.rstrip() for line in lines], errors.decode(), process.returncode


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_table_that_is_too_wide_is_listed(article):
    """No word of it is broken; a terminal that is wide enough shows the table."""
    lines, errors, code = on_terminal(30, "plan", article, "-q")
    assert (errors, code) == ("", 0)
    assert lines[0].startswith("Salt Marshes")
    for line in ("  Format    Markdown", "  Sections  3", "  Sentences 9", "Part 0", "  Label     Growth"):
        assert line in lines
    assert max(map(len, lines)) <= 30
    lines, errors, code = on_terminal(30, "models", "list")
    assert (errors, code) == ("", 0)
    assert "pagesum-arxiv-discourse" in lines
    assert "  Installed packaged" in lines
    lines, _, _ = on_terminal(100, "plan", article, "-q")
    assert any("Format" in line and "Sentences" in line for line in lines)
