"""``lsum summarize --method windowing`` from the outside: piped, on a terminal, and with bad input."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from tiny_models import save_pagesum
from tiny_windowing import save_windowing

import lsum_cli

SCHEMA = Path(lsum_cli.__file__).parent / "rendering" / "schemas" / "summary-1.schema.json"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\]8;.*?\x1b\\")  # styles, and links
COLOUR = re.compile(r"\x1b\[[0-9;]*38;2;[0-9;]*m")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    return save_windowing(tmp_path_factory.mktemp("models") / "tiny")


def test_piped_output_is_the_finished_summary_with_its_windows(lsum, article, checkpoint):
    result = lsum("summarize", article, "-m", checkpoint, "--method", "windowing")
    assert result.code == 0
    lines = result.stdout.splitlines()
    assert lines
    assert all(re.search(r" \[window \d+/\d+(; window \d+/\d+)*\]$", line) for line in lines)
    assert "\x1b" not in result.stdout
    assert all(line.startswith("lsum: warning: ") for line in result.stderr.splitlines())


def test_json_names_the_kind(lsum_here, article, checkpoint):
    code, out, _ = lsum_here("summarize", article, "-m", checkpoint, "-f", "json", "-q")
    summary = json.loads(out)
    jsonschema.validate(summary, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert code == 0
    assert {sentence["attribution"]["kind"] for sentence in summary["sentences"]} == {"window"}
    assert summary["pages"][0]["label"] == f"window 1/{len(summary['pages'])}"
    assert summary["coverage"]["tokens_dropped"] == 0


def on_a_terminal(folder: Path, *arguments: str | Path, **environment: str) -> str:
    """What lsum writes to a terminal as its standard output."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lsum_cli", *map(str, arguments)],
        stdout=follower,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={
            **os.environ,
            "COLUMNS": "100",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **environment,
        },
    )
    os.close(follower)
    parts, until = [], time.monotonic() + 120
    try:
        while time.monotonic() < until:
            if select.select([leader], [], [], 1)[0]:
                try:
                    parts.append(os.read(leader, 65536))
                except OSError:  # the other end is closed
                    break
                if not parts[-1]:
                    break
            elif process.poll() is not None:
                break
    finally:
        process.kill()
        os.close(leader)
    assert process.wait() == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_terminal_shows_windows_in_colour_and_by_name(tmp_path, article, checkpoint):
    arguments = ("summarize", article, "-m", checkpoint, "--offline")
    shown = on_a_terminal(tmp_path, *arguments)
    assert len(set(COLOUR.findall(shown))) >= 3
    assert "■ window 1/" in ESCAPES.sub("", shown)
    assert "▆▆▆▆▆ window 1/" in ESCAPES.sub("", shown)


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["--window", "10", "--stride", "11"], 2, "--stride 11 exceeds --window 10"),
        (["--stride", "99"], 2, "would skip text"),
        (["--window", "0"], 2, "--window 0 is too small"),
        (["--windowing", "sideways"], 2, "sideways"),
        (["--coverage-penalty", "-1"], 2, "--coverage-penalty"),
        (["--length", "50"], 2, "--length has no effect"),
        (["--page-tokens", "50"], 2, "--page-tokens does not apply"),
        (["--method", "pagesum"], 4, "not for pagesum"),
        (["--method", "extract", "--window", "9"], 2, "--method extract"),
    ],
)
def test_what_cannot_be_is_told(lsum_here, article, checkpoint, arguments, code, part):
    found, out, err = lsum_here("summarize", article, "-m", checkpoint, *arguments)
    assert (found, out) == (code, "")
    assert part in err


def test_a_checkpoint_of_another_method_is_code_4(lsum_here, article, tmp_path):
    pagesum = save_pagesum(tmp_path / "pages")
    code, out, err = lsum_here("summarize", article, "-m", pagesum, "--method", "windowing")
    assert (code, out) == (4, "")
    assert "is for the method pagesum, not for windowing" in err
    code, _, err = lsum_here("summarize", article, "-m", pagesum, "--stride", "5")
    assert code == 2
    assert "--stride does not apply to the method pagesum" in err


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", 3, "contains no text"),
        ("Qwertz asdfgh yxcvb poiuz. " * 20, 0, "unknown to tiny"),
        ("The marsh.", 0, ""),
        ("mud " * 5000, 0, ""),
        ("\u3042" * 3000, 0, ""),
        ('" ' * 400, 0, ""),
    ],
    ids=["empty", "unknown words", "shorter than a window", "one sentence", "one word", "quotation marks"],
)
def test_odd_texts(lsum_here, checkpoint, tmp_path, text, code, part):
    path = tmp_path / "odd.txt"
    path.write_text(text, encoding="utf-8")
    found, out, err = lsum_here("summarize", path, "-m", checkpoint, "--max-tokens", "40")
    assert (found, bool(out)) == (code, code == 0)
    assert part in err


def test_a_text_of_200000_words(lsum_here, tmp_path):
    quick = save_windowing(tmp_path / "quick", window_len=4000, stride=3900)
    path = tmp_path / "long.txt"
    sentences = (f"The marsh {number} rose while mud settled by the sea wall." for number in range(18_200))
    path.write_text("\n\n".join(sentences), encoding="utf-8")
    code, out, _ = lsum_here("summarize", path, "-m", quick, "-f", "json", "-q", "--beams", "1")
    summary = json.loads(out)
    assert code == 0
    assert summary["coverage"]["tokens_read"] > 200_000
    assert summary["sentences"][-1]["attribution"]["top_page"] == len(summary["pages"]) - 1


def test_a_plan_shows_windows_without_loading_weights(lsum_here, article, checkpoint, tmp_path):
    folder = save_windowing(tmp_path / "weightless")
    (folder / "model.safetensors").unlink()
    code, out, _ = lsum_here("plan", article, "-m", folder, "--window", "40", "--stride", "30")
    assert code == 0
    assert "window 1/" in out
    assert "dynamic windows, 30 words apart" in out
