"""What makes the program easy: short spellings, names of outputs, the clipboard, completion, the manual."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lsum_cli.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def desktop(tmp_path: Path) -> dict[str, str]:
    """An environment in which xclip writes to ``clipboard`` and nothing else is installed."""
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "xclip"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\n/bin/cat > {tmp_path}/clipboard\n')
    program.chmod(0o755)
    return {"PATH": str(programs), "DISPLAY": ":0", "WAYLAND_DISPLAY": ""}


def test_a_summary_is_copied_as_it_is_printed(lsum, article, tmp_path, desktop):
    result = lsum("summarize", article, "--copy", "--length", "short", **desktop)
    assert result.code == 0
    assert result.stderr.endswith("lsum: copied to the clipboard\n")
    assert (tmp_path / "clipboard").read_text(encoding="utf-8") == result.stdout
    assert (tmp_path / "arguments").read_text().split() == ["-selection", "clipboard"]
    lsum("summarize", article, article, "--copy", "-f", "markdown", "-o", "both.md", **desktop)
    assert (tmp_path / "clipboard").read_text(encoding="utf-8") == (tmp_path / "both.md").read_text("utf-8")


def test_without_a_clipboard_nothing_is_summarised(lsum, article, tmp_path, desktop):
    (tmp_path / "programs" / "xclip").unlink()
    for display, advice in (
        ({}, "install xclip or xsel"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "install wl-clipboard"),
        ({"DISPLAY": ""}, "neither WAYLAND_DISPLAY nor DISPLAY is set"),
    ):
        result = lsum("summarize", article, "--copy", **{**desktop, **display})
        assert (result.code, result.stdout) == (8, "")
        assert len(result.stderr.splitlines()) == 1
        assert advice in result.stderr


def test_a_clipboard_that_fails_is_an_error(lsum, article, tmp_path, desktop):
    (tmp_path / "programs" / "xclip").write_text("#!/bin/sh\nexit 3\n")
    result = lsum("summarize", article, "--copy", "-q", **desktop)
    assert result.code == 8
    assert result.stdout
    assert "xclip could not write to the clipboard (exit code 3)" in result.stderr


def test_a_folder_is_not_copied(lsum, article, desktop):
    result = lsum("summarize", article, "--copy", "-o", "out/", **desktop)
    assert (result.code, result.stdout) == (2, "")
    assert "--copy copies one text" in result.stderr


@pytest.mark.parametrize("name", ["x.docx", "x.pdf", "X.DOC"])
def test_a_format_that_does_not_exist_is_not_written(lsum, article, tmp_path, name):
    result = lsum("summarize", article, "-o", name)
    assert (result.code, result.stdout) == (2, "")
    for suffix in (".txt", ".md", ".json", ".html"):
        assert suffix in result.stderr
    assert not (tmp_path / name).exists()
    # Who says what it is gets it.
    assert lsum("summarize", article, "-o", name, "-f", "text").code == 0
    assert (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["notes", "notes v1.2"])
def test_a_name_without_a_suffix_is_text(lsum, article, tmp_path, name):
    assert lsum("summarize", article, "-o", name, "-q").code == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == lsum("summarize", article, "-q").stdout


@pytest.mark.parametrize("more", [(), ("--resume",), ("-f", "json")])
def test_several_sources_need_a_name_that_says_file_or_folder(lsum, article, tmp_path, more):
    second = tmp_path / "second.md"
    second.write_text(article.read_text(encoding="utf-8"), encoding="utf-8")
    result = lsum("summarize", article, second, "-o", "out", *more)
    assert (result.code, result.stdout) == (2, "")
    assert "write out/ for a file per source, or out.md for one file" in result.stderr
    assert not (tmp_path / "out").exists()
    assert lsum("summarize", article, second, "-o", "out/", "-q").code == 0
    assert sorted(path.name for path in (tmp_path / "out").glob("*.txt")) == ["marsh.txt", "second.txt"]
    # Now that it is a folder, nothing is in doubt.
    assert lsum("summarize", article, second, "-o", "out", "--resume", "-q").code == 0


def test_flags_may_come_before_the_sources(lsum, article):
    plain = lsum("summarize", article, "-q", "--length", "short")
    assert lsum("-q", "--length", "short", article) == plain
    assert lsum("summarise", article, "-q", "--length", "short") == plain


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("--length 50", "no source is given; lsum summarize SOURCE --length 50"),
        ("--focus 'two words' -q", "no source is given; lsum summarize SOURCE --focus 'two words' -q"),
        ("summarise -m lsum-mini", "no source is given; lsum summarize SOURCE -m lsum-mini"),
        ("plan --length 50", "no source is given; lsum plan SOURCE --length 50"),
        ("--length", "Option '--length' requires an argument; see lsum summarize --help"),
        ("--length 50 plan a.md", "--length stands before the command; lsum plan --length …"),
        ("-Z 50", "No such option: -Z; see lsum summarize --help"),
    ],
)
def test_flags_alone_are_told_where_the_source_goes(lsum, typed, said):
    result = lsum(*shlex.split(typed))
    assert (result.code, result.stdout, result.stderr) == (2, "", f"lsum: error: {said}\n")


def test_flags_before_what_is_no_source_or_of_the_program_itself(lsum):
    assert lsum("--length", "50", "nowhere").stderr == "lsum: error: nowhere does not exist; check the path\n"
    assert lsum("--version").stdout.startswith("lsum ")
    assert "COMMAND" in lsum("-h").stdout


def complete(words: str, shell: str = "bash") -> list[str]:
    environment = {
        **os.environ,
        "_LSUM_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lsum"))],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_a_shell_completes_commands_flags_and_values():
    assert set(complete("lsum ")) >= set(COMMANDS)
    assert complete("lsum summ") == ["summarize"]
    assert {"--length", "--length-penalty"} <= set(complete("lsum summarize --len"))
    assert complete("lsum summarize --style ") == ["prose", "bullets", "outline"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(lsum, shell):
    result = lsum("--show-completion", shell)
    assert (result.code, result.stderr) == (0, "")
    assert "_LSUM_COMPLETE" in result.stdout
    assert {"bash": "complete -o", "zsh": "compdef", "fish": "complete --command"}[shell] in result.stdout


def test_a_shell_without_completion_is_one_line(lsum):
    result = lsum("--show-completion", "tcsh")
    assert (result.code, result.stdout) == (2, "")
    assert "tcsh" in result.stderr
    assert result.stderr.count("\n") == 1
    assert lsum("--show-completion", "--help").code == 0


def test_the_manual_has_every_command_and_flag():
    manual = (ROOT / "docs" / "reference" / "lsum.1").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"\n.SH lsum {command}" in manual
    flags = set(re.findall(r"`(--[a-z-]+)`", (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")))
    assert flags
    for flag in flags:
        assert flag.replace("-", "\\-") in manual


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_is_troff():
    page = ROOT / "docs" / "reference" / "lsum.1"
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", str(page)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    assert "summaries of long documents" in done.stdout
