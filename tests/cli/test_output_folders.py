"""``lsum summarize -o FOLDER/``: what exists is found beforehand, and ``--resume`` does what is left."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lsum_cli.errors import ExitCode
from lsum_cli.reading.sources import RECORD_NAME

TEXTS = {
    "a.txt": "Peat grows slowly. It burns quickly. Nobody plants it.",
    "b.txt": "Salt marshes grow in mud. The sea carries it. Grasses slow the water.",
    "c.md": "# Birds\n\nHerons nest in trees. They eat fish. Their nests are large.",
}


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def summarize(lsum, docs):
    """Run ``lsum summarize docs -o out/``, without a model: code, lines on standard error."""

    def call(*arguments: str) -> tuple[int, list[str]]:
        method = [] if "-m" in arguments else ["--method", "extract"]
        code, out, err = lsum("summarize", "docs", "-o", "out/", *method, *arguments)
        assert out == ""
        return code, err.splitlines()

    return call


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("[!.]*")}


def test_files_that_exist_are_found_before_any_work(lsum, docs, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    for name in ("b.txt", "c.txt"):
        (out / name).write_text("mine", encoding="utf-8")
    result = lsum("summarize", docs, "-o", out)
    assert (result.code, result.stdout) == (8, "")
    assert result.stderr == (
        f"lsum: error: {out / 'b.txt'} and 1 more file exist already; give --resume to keep what an earlier run"
        " wrote, --overwrite to replace them, or another --output\n"
    )
    assert contents(out) == {"b.txt": "mine", "c.txt": "mine"}


def test_what_exists_is_replaced_where_that_is_asked_for(summarize, tmp_path):
    assert summarize() == (0, [])
    first = contents(tmp_path / "out")
    assert summarize("--length", "5")[0] == 8
    assert contents(tmp_path / "out") == first
    assert summarize("--length", "5", "--overwrite") == (0, [])
    assert contents(tmp_path / "out").keys() == first.keys()
    assert contents(tmp_path / "out") != first


def test_a_run_that_ended_early_is_resumed(summarize, docs, tmp_path):
    (docs / "b.txt").write_bytes(b"\0" * 2000)
    assert summarize()[0] == 9
    assert contents(tmp_path / "out").keys() == {"a.txt", "c.txt"}
    (docs / "b.txt").write_text(TEXTS["b.txt"], encoding="utf-8")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("[!.]*")}
    assert summarize("--resume") == (0, ["lsum: resumed: 2 of 3 sources were done"])
    assert contents(tmp_path / "out").keys() == {"a.txt", "b.txt", "c.txt"}
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert summarize("--resume") == (0, ["lsum: resumed: nothing was left to do"])


def test_only_what_changed_is_done_again(summarize, docs, tmp_path):
    summarize("--length", "5")
    first = contents(tmp_path / "out")
    (docs / "c.md").write_text("Geese fly south in autumn. They return in spring.", encoding="utf-8")
    assert summarize("--length", "5", "--resume") == (0, ["lsum: resumed: 2 of 3 sources were done"])
    second = contents(tmp_path / "out")
    assert "Geese" in second["c.txt"]
    assert (second["a.txt"], second["b.txt"]) == (first["a.txt"], first["b.txt"])


def test_other_pages_begin_anew(summarize):
    summarize("--length", "5")
    wishes = ("--length", "5", "--pdf-pages", "1", "--resume")
    code, lines = summarize(*wishes)
    assert code == 0
    # no source is a PDF: each is said to be read whole, and none to be done already
    assert sorted(line.split(":")[2].strip() for line in lines) == ["docs/a.txt", "docs/b.txt", "docs/c.md"]
    assert summarize(*wishes) == (0, ["lsum: resumed: nothing was left to do"])


@pytest.mark.parametrize("changed", [["--length", "7"], ["--no-attribution"]])
def test_other_settings_begin_anew(summarize, changed):
    summarize("--length", "5")
    assert summarize("--length", "5", *changed, "--resume") == (0, [])
    assert summarize("--length", "5", *changed, "--resume") == (0, ["lsum: resumed: nothing was left to do"])


def test_another_checkpoint_begins_anew(summarize, tmp_path):
    from tiny_models import save_pagesum

    save_pagesum(tmp_path / "tiny", max_position_embeddings=128)
    wishes = ("-m", "./tiny", "--max-tokens", "5", "--dtype", "float32", "--no-attribution", "--resume")
    assert summarize(*wishes)[0] == 0
    assert summarize(*wishes) == (0, ["lsum: resumed: nothing was left to do"])
    (tmp_path / "tiny" / "generation_config.json").write_text('{"num_beams": 2}', encoding="utf-8")
    code, lines = summarize(*wishes)
    assert (code, [line for line in lines if "resumed" in line]) == (0, [])


def test_what_somebody_corrected_is_neither_replaced_nor_in_the_way(summarize, docs, tmp_path):
    summarize()
    (tmp_path / "out" / "a.txt").write_text("mine", encoding="utf-8")
    assert summarize("--resume") == (0, ["lsum: resumed: nothing was left to do"])
    (docs / "a.txt").write_text("Another text. It is new.", encoding="utf-8")
    code, lines = summarize("--resume")
    assert (code, lines) == (
        8,
        [
            f"lsum: error: {Path('out/a.txt')} exists already, not as an earlier run wrote it; give --overwrite to"
            " replace it, or another --output"
        ],
    )
    assert contents(tmp_path / "out")["a.txt"] == "mine"
    assert summarize("--resume", "--overwrite") == (0, ["lsum: resumed: 2 of 3 sources were done"])
    assert contents(tmp_path / "out")["a.txt"] != "mine"


def test_a_torn_record_costs_no_more_than_what_it_tore(summarize, tmp_path):
    summarize()
    record = tmp_path / "out" / RECORD_NAME
    whole = record.read_bytes()
    record.write_bytes(whole[:-20])
    (tmp_path / "out" / "c.txt").unlink()
    assert summarize("--resume") == (0, ["lsum: resumed: 2 of 3 sources were done"])
    assert summarize("--resume") == (0, ["lsum: resumed: nothing was left to do"])


def test_one_summary_of_all_is_resumed_too(summarize, docs, tmp_path):
    assert summarize("--multi") == (0, [])
    assert contents(tmp_path / "out").keys() == {"summary.txt"}
    assert summarize("--multi", "--resume") == (0, ["lsum: resumed: nothing was left to do"])
    (docs / "d.txt").write_text("A fourth text. It is new.", encoding="utf-8")
    assert summarize("--multi", "--resume") == (0, [])


def test_a_summary_that_lacks_a_source_is_not_done(summarize, docs, tmp_path):
    (docs / "b.txt").write_bytes(b"\0" * 2000)
    assert summarize("--multi")[0] == 9
    first = contents(tmp_path / "out")
    code, lines = summarize("--multi", "--resume")
    assert code == 9
    assert not any("resumed" in line for line in lines)
    assert contents(tmp_path / "out") == first
    assert summarize("--multi")[0] == 8


def test_what_was_lost_is_remembered_under_strict(summarize, docs, tmp_path):
    assert summarize("--strict")[0] == 0
    record = tmp_path / "out" / RECORD_NAME
    record.write_text(record.read_text().replace('"lost": []', '"lost": ["9 of 10 tokens were dropped"]', 1))
    code, lines = summarize("--strict", "--resume")
    assert (code, lines[0]) == (10, "lsum: resumed: nothing was left to do")
    assert "a.txt: 9 of 10 tokens were dropped" in lines[1]
    assert summarize("--resume")[0] == 0


def test_summaries_among_the_sources_are_not_summarised(summarize, docs):
    output = ("-o", "docs/summaries/")
    assert summarize(*output) == (0, [])
    assert summarize(*output, "--resume") == (
        0,
        ["lsum: left out 3 files that an earlier run wrote", "lsum: resumed: nothing was left to do"],
    )
    assert contents(docs / "summaries").keys() == {"a.txt", "b.txt", "c.txt"}


@pytest.mark.parametrize("flag", ["--overwrite", "--resume"])
def test_no_source_is_replaced_by_its_summary(summarize, docs, flag):
    before = contents(docs)
    assert summarize("-o", "docs/", flag) == (
        8,
        [f"lsum: error: {Path('docs/a.txt')} is one of the sources; give another --output"],
    )
    assert contents(docs) == before
    if flag == "--overwrite":
        code, lines = summarize("-o", "docs/b.txt", "--multi", flag)
        assert (code, lines[-1:]) == (
            8,
            [f"lsum: error: {Path('docs/b.txt')} is one of the sources; give another --output"],
        )
        assert contents(docs) == before


def test_resuming_needs_a_folder(lsum, docs):
    result = lsum("summarize", docs, "-o", "all.txt", "--resume")
    assert (result.code, result.stdout) == (2, "")
    assert "--resume needs the folder" in result.stderr


def test_each_mail_of_a_mailbox_is_a_file_and_is_resumed(lsum, tmp_path):
    box = tmp_path / "inbox.mbox"
    mails = [
        f"From a@example.org Tue Mar  5 14:20:00 2024\nFrom: Ann <a@example.org>\nSubject: S{number}\n\n{text}\n"
        for number, text in enumerate(list(TEXTS.values())[:2])
    ]
    box.write_text("\n".join(mails), encoding="utf-8")
    out = tmp_path / "out"
    arguments = ("summarize", "--each", "--method", "extract", box, "-o", f"{out}/")
    assert lsum(*arguments).code == 0
    assert sorted(contents(out)) == ["inbox-1.txt", "inbox-2.txt"]
    assert "Salt marshes" in contents(out)["inbox-2.txt"]
    box.write_text("\n".join(mails).replace("Nobody plants it", "Nobody waters it"), encoding="utf-8")
    result = lsum(*arguments, "--resume")
    assert (result.code, "1 of 2 sources were done" in result.stderr) == (0, True), result.stderr
    assert "Nobody waters it" in contents(out)["inbox-1.txt"]


def test_an_interrupted_run_into_a_folder_says_how_to_go_on(tmp_path):
    (tmp_path / "notes").mkdir()
    for number in range(400):
        text = f"Boat {number} left the harbour at noon. " + "It carries salt to the islands. " * 200
        (tmp_path / "notes" / f"{number}.txt").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "lsum_cli", "summarize", "notes", "-o", "out/", "--jobs", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("out/*.txt")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert b"run the same command with --resume to go on" in said
