"""``lsum batch`` as a user runs it: every document once, whatever happens to the run."""

from __future__ import annotations

import gzip
import json
import lzma
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from lsum_cli.batch.rows import SUMMARY_KEYS
from lsum_cli.errors import ExitCode
from lsum_cli.rendering.json_object import read_schema

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps all the limits")
NOUNS = ("harbour", "lamp", "gauge", "sluice", "marsh", "chart", "storm")
EXTRACT = ("--method", "extract", "--length", "30", "--jobs", "2", "--shard-size", "5")


def record(number: int) -> dict[str, object]:
    sentences = [
        f"The {noun} of station {number} was measured {place + 2} times in the year {1950 + number + place}."
        for place, noun in enumerate(NOUNS)
    ]
    return {"id": f"station-{number}", "text": " ".join(sentences), "year": number}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(record(number)) + "\n" for number in range(23)))
    return path


def rows_of(folder: Path) -> list[dict]:
    return [
        json.loads(line) for part in sorted(folder.glob("part-*")) for line in part.read_text().splitlines()
    ]


def without_seconds(rows: list[dict]) -> list[dict]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def listed(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def manifest_of(folder: Path) -> dict:
    return json.loads((folder / "batch.json").read_text())


def test_every_record_gets_one_row_in_the_order_of_the_input(lsum, corpus, tmp_path):
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert (result.code, result.stdout) == (0, "out\n"), result.stderr
    rows = rows_of(tmp_path / "out")
    assert [row["id"] for row in rows] == [f"station-{number}" for number in range(23)]
    assert all(row["summary"] and row["error"] is None and row["lost"] == [] for row in rows)
    assert all(f"station {number} " in row["summary"] for number, row in enumerate(rows))
    parts = sorted(listed(tmp_path / "out") - {"batch.json"})
    assert len(parts) == 5
    assert all(name.startswith("part-") for name in parts)
    manifest = manifest_of(tmp_path / "out")
    assert (manifest["finished"], manifest["documents"], manifest["failed"]) == (True, 23, 0)


def test_rows_have_the_names_and_values_of_the_json_of_summaries(lsum, corpus, tmp_path):
    lsum("batch", corpus, "-o", "out", *EXTRACT)
    schema = read_schema()
    for row in rows_of(tmp_path / "out"):
        for document in row["documents"]:
            document["content"] = []
        left_out = {"locality_reason": "", "changes": None, "options": {}}
        described = {**{key: row[key] for key in SUMMARY_KEYS}, **left_out}
        jsonschema.validate({"schema": "lsum.summary/1", "text": row["summary"], **described}, schema)
        assert row["sentences"][0]["attribution"]["evidence"]


def test_a_broken_line_is_named_and_counted_and_the_rest_is_done(lsum, corpus, tmp_path):
    lines = corpus.read_bytes().splitlines()
    lines[7:7] = [b'{"id": "torn", "text": "The ha', b"\xff\xfe", b"[1, 2]"]
    lines.append(b'{"id": "silent", "text": "  "}')
    corpus.write_bytes(b"\n".join(lines))
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == ExitCode.PARTIAL
    assert "4 of 27 documents failed" in result.stderr
    for place in ("line 8", "line 9", "line 10", "line 27"):
        assert f"corpus.jsonl, {place}" in result.stderr
    failed = {row["id"]: row["error"] for row in rows_of(tmp_path / "out") if row["error"]}
    assert failed.keys() == {"corpus-8", "corpus-9", "corpus-10", "silent"}
    assert "not valid JSON" in failed["corpus-8"]
    again = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert again.code == ExitCode.PARTIAL
    assert "nothing was left to do" in again.stderr


def test_a_killed_run_is_gone_on_with_and_every_document_is_done_once(lsum, tmp_path):
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    corpus.write_text("".join(json.dumps(record(number)) + "\n" for number in range(240)))
    command = [sys.executable, "-m", "lsum_cli", "batch", str(corpus), "-o", "out", *EXTRACT, "-q"]
    for parts in (0, 4, 15):
        process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not list(out.glob(".lsum-batch/part-*.jsonl")) or len(list(out.glob("part-*"))) < parts:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
        process.wait()
    before = {path.name: path.read_bytes() for path in out.glob("part-*")}
    assert 15 <= len(before) < 48
    result = lsum("batch", corpus, "-o", "out", *EXTRACT, "--resume")
    assert result.code == 0, result.stderr
    rows = rows_of(out)
    assert Counter(row["id"] for row in rows) == Counter(f"station-{number}" for number in range(240))
    assert all(row["summary"] for row in rows)
    # What was complete is not touched, and nothing is left but results.
    assert all((out / name).read_bytes() == content for name, content in before.items())
    assert all(name.startswith("part-") or name == "batch.json" for name in listed(out))


def test_rows_of_an_unfinished_shard_are_kept(lsum, corpus, tmp_path):
    """The documents of a shard that was under way are not summarised again."""
    assert lsum("batch", corpus, "-o", "out", *EXTRACT).code == 0
    whole = without_seconds(rows_of(tmp_path / "out"))
    part = sorted((tmp_path / "out").glob("part-*"))[1]
    rows = [json.loads(line) for line in part.read_text().splitlines()]
    rows[3]["summary"] = "Kept."
    drafts = tmp_path / "out" / ".lsum-batch"
    drafts.mkdir()
    kept = json.dumps({"position": 3, "row": rows[3]})
    torn = json.dumps({"position": 1, "row": rows[1]})[:-40]
    (drafts / part.name).write_text(f"\n{kept}\n\n{torn}")
    part.unlink()
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert "19 of 23 documents were done" in result.stderr
    found = without_seconds(rows_of(tmp_path / "out"))
    assert found[8].pop("summary") == "Kept."
    whole[8].pop("summary")
    assert found == whole


def test_other_settings_are_refused_and_named(lsum, corpus, tmp_path):
    lsum("batch", corpus, "-o", "out", *EXTRACT)
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    changes = {
        ("--length", "50"): "--length was 30 and is 50",
        ("--shard-size", "7"): "shard_size was 5 and is 7",
        ("--id-column", "-"): "--id-column was not given and is -",
    }
    for change, said in changes.items():
        result = lsum("batch", corpus, "-o", "out", *EXTRACT, *change)
        assert result.code == ExitCode.OUTPUT
        assert said in result.stderr
        assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    anew = lsum("batch", corpus, "-o", "out", *EXTRACT, "--length", "50", "--overwrite")
    assert anew.code == 0
    assert len(rows_of(tmp_path / "out")) == 23


def test_other_input_is_refused_and_named(lsum, corpus, tmp_path):
    lsum("batch", corpus, "-o", "out", *EXTRACT)
    content = corpus.read_bytes()
    corpus.write_bytes(content + content)
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == ExitCode.OUTPUT
    assert f"input bytes was {len(content)} and is {2 * len(content)}" in result.stderr
    # As many bytes, but other ones.
    corpus.write_bytes(content.replace(b"station 12", b"station 98"))
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == ExitCode.OUTPUT
    assert "line 11 to " in result.stderr
    assert "the input has changed" in result.stderr


def test_a_folder_of_something_else_is_left_alone(lsum, corpus, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.md").write_text("mine")
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == ExitCode.OUTPUT
    assert "out holds other files (thesis.md)" in result.stderr
    assert listed(tmp_path / "out") == {"thesis.md"}


def test_two_runs_do_not_write_to_one_folder(lsum, corpus, tmp_path):
    lsum("batch", corpus, "-o", "out", *EXTRACT)
    (tmp_path / "out" / ".lsum-batch").mkdir()
    import filelock

    with filelock.FileLock(tmp_path / "out" / ".lsum-batch" / "lock"):
        result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == ExitCode.OUTPUT
    assert "another run is writing to out" in result.stderr


def test_an_interrupted_run_says_how_to_go_on(tmp_path, lsum):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(record(number)) + "\n" for number in range(2000)))
    command = [sys.executable, "-m", "lsum_cli", "batch", str(corpus), "-o", "out", *EXTRACT]
    process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").glob("part-*")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert b"run the same command again to go on" in said
    assert b"Traceback" not in said


FULL_DISK = """
import resource, sys
from lsum_cli.batch.folder import BatchFolder
from lsum_cli.cli.app import main
begin = BatchFolder._begin

def begin_and_fill(self, **how):
    begin(self, **how)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))

BatchFolder._begin = begin_and_fill
main()
"""


def test_a_full_disk_stops_the_run_cleanly(lsum, corpus, tmp_path):
    command = [sys.executable, "-c", FULL_DISK, "batch", str(corpus), "-o", "out", *EXTRACT]
    full = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    said = full.stderr.decode()
    assert full.returncode == ExitCode.OUTPUT, said
    assert "what is done is kept; free some space, and run the same command again" in said
    assert "Traceback" not in said
    result = lsum("batch", corpus, "-o", "out", *EXTRACT)
    assert result.code == 0, result.stderr
    assert "documents were done" in result.stderr
    assert [row["id"] for row in rows_of(tmp_path / "out")] == [f"station-{number}" for number in range(23)]


DEADLY = """
import os, signal
from lsum_cli.cli.app import main
from lsum_cli.methods.summarizer import Summarizer
summarize = Summarizer.summarize

def die(self, documents, **more):
    if any("station 4 " in sentence.text for sentence in documents[0].sentences):
        os.kill(os.getpid(), signal.SIGKILL)
    return summarize(self, documents, **more)

Summarizer.summarize = die
main()
"""


def test_a_document_that_kills_its_worker_twice_gets_a_row_with_its_error(corpus, tmp_path):
    command = [sys.executable, "-c", DEADLY, "batch", str(corpus), "-o", "out", *EXTRACT]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert run.returncode == ExitCode.PARTIAL, run.stderr.decode()
    rows = {row["id"]: row for row in rows_of(tmp_path / "out")}
    assert len(rows) == 23
    assert "SIGKILL" in rows["station-4"]["error"]
    assert [row["id"] for row in rows.values() if row["error"]] == ["station-4"]


def test_packed_files_parquet_folders_and_lists_are_read(lsum, corpus, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    content = corpus.read_bytes()
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(content))
    (folder / "b.jsonl.xz").write_bytes(lzma.compress(content))
    with pyarrow.output_stream(str(folder / "c.jsonl.zst"), compression="zstd") as stream:
        stream.write(content)
    table = pyarrow.Table.from_pylist([record(number) for number in range(23)])
    parquet.write_table(table, folder / "d.parquet")
    assert lsum("batch", folder, "-o", "out", *EXTRACT).code == 0
    rows = rows_of(tmp_path / "out")
    assert Counter(row["id"] for row in rows) == dict.fromkeys((f"station-{n}" for n in range(23)), 4)

    papers = tmp_path / "papers"
    (papers / "old").mkdir(parents=True)
    names = ["a.md", "old/b.txt", "c.html"]
    for number, name in enumerate(names):
        (papers / name).write_text(
            f"<p>{record(number)['text']}</p>" if "html" in name else record(number)["text"]
        )
    assert lsum("batch", papers, "-o", "papers-out", *EXTRACT).code == 0
    assert sorted(row["id"] for row in rows_of(tmp_path / "papers-out")) == sorted(names)

    (tmp_path / "list.txt").write_text("papers/a.md\n\npapers/nothing.md\npapers/c.html\n")
    result = lsum("batch", "@list.txt", "-o", "list-out", *EXTRACT)
    assert result.code == ExitCode.PARTIAL
    rows = rows_of(tmp_path / "list-out")
    assert [row["id"] for row in rows] == ["papers/a.md", "papers/nothing.md", "papers/c.html"]
    assert "does not exist" in rows[1]["error"] or "not found" in rows[1]["error"]
    assert rows[1]["where"] == "list.txt, line 3"


def test_input_and_output_may_be_at_addresses(lsum, corpus, tmp_path):
    """As in object storage: reached by pyarrow, here through the address of a folder."""
    pytest.importorskip("pyarrow")
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "a.jsonl.gz").write_bytes(gzip.compress(corpus.read_bytes()))
    (archive / "notes.txt").write_text("No data.")
    out = f"file://{tmp_path}/out"
    first = lsum("batch", f"file://{archive}", "-o", out, *EXTRACT)
    assert (first.code, first.stdout) == (0, f"{out}\n"), first.stderr
    assert "left out 1 file of an unsupported kind" in first.stderr
    assert [row["id"] for row in rows_of(tmp_path / "out")] == [f"station-{number}" for number in range(23)]
    assert all(name.startswith("part-") or name == "batch.json" for name in listed(tmp_path / "out"))
    next((tmp_path / "out").glob("part-00000-00002-*")).unlink()
    again = lsum("batch", f"file://{archive}/*.gz", "-o", out, *EXTRACT)
    assert "18 of 23 documents were done" in again.stderr
    assert len(rows_of(tmp_path / "out")) == 23
    other = lsum("batch", f"file://{archive}", "-o", out, *EXTRACT, "--length", "50")
    assert other.code == ExitCode.OUTPUT
    nothing = lsum("batch", f"file://{archive}/nothing.jsonl", "-o", out, *EXTRACT)
    assert nothing.code == ExitCode.DATASET
    assert "nothing is at file://" in nothing.stderr
    unknown = lsum("batch", "gopher://host/x.jsonl", "-o", "other", *EXTRACT)
    assert unknown.code == ExitCode.DATASET
    assert "gopher://host/x.jsonl cannot be reached" in unknown.stderr


def test_what_a_batch_wrote_below_its_input_is_no_input(lsum, corpus, tmp_path):
    (tmp_path / "data").mkdir()
    corpus.rename(tmp_path / "data" / "corpus.jsonl")
    for _ in range(2):
        assert lsum("batch", "data", "-o", "data/out", *EXTRACT).code == 0
        assert len(rows_of(tmp_path / "data" / "out")) == 23


def test_a_run_that_did_nothing_binds_no_other(lsum, corpus, tmp_path):
    failed = lsum("batch", corpus, "-o", "out", "--method", "windowing")
    assert failed.code == ExitCode.CHECKPOINT
    assert lsum("batch", corpus, "-o", "out", *EXTRACT).code == 0
    assert len(rows_of(tmp_path / "out")) == 23


def test_parquet_files_hold_the_same_rows(lsum, corpus, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    corpus.write_text(corpus.read_text() + "{\n")
    lsum("batch", corpus, "-o", "lines", *EXTRACT)
    result = lsum("batch", corpus, "-o", "tables", *EXTRACT, "--shards", "parquet")
    assert result.code == ExitCode.PARTIAL
    rows = [
        row
        for part in sorted((tmp_path / "tables").glob("part-*"))
        for row in parquet.read_table(part).to_pylist()
    ]
    assert without_seconds(rows) == without_seconds(rows_of(tmp_path / "lines"))
    assert dict(rows[0]["seconds"]).keys() >= {"read"}
    again = lsum("batch", corpus, "-o", "tables", *EXTRACT, "--shards", "parquet")
    assert "1 of 24 documents failed" in again.stderr


def test_a_column_that_is_not_there_leaves_no_folder(lsum, corpus, tmp_path):
    result = lsum("batch", corpus, "-o", "out", *EXTRACT, "--text-column", "body")
    assert result.code == ExitCode.DATASET
    assert "no column 'body'" in result.stderr
    assert not (tmp_path / "out").exists()


def test_under_strict_a_loss_is_an_exit_code(lsum, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "torn.rtf").write_bytes(b"{\\rtf1 The lamp was lit. The keeper slept well.")
    (tmp_path / "data" / "whole.md").write_text("The lamp was lit. The keeper slept well.")
    arguments = ("batch", "data", "-o", "out", *EXTRACT)
    relaxed = lsum(*arguments)
    lossy = manifest_of(tmp_path / "out")["lossy"]
    assert relaxed.code == 0
    assert lsum(*arguments, "--strict").code == (ExitCode.INPUT_LOST if lossy else 0)
    assert [bool(row["lost"]) for row in rows_of(tmp_path / "out")].count(True) == lossy
