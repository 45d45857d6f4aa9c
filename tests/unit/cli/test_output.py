"""Where results are written: files, links, devices, folders."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lsum_cli.cli.output import check_output, write_output
from lsum_cli.cli.summary_folder import Output
from lsum_cli.cli.summary_output import FinishedSummary, Sink, SummaryOutput
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError, OutputError
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.rendering.formats import Format


def summary_of(source):
    document = compose_document([Passage(paragraphs=(Paragraph.of("Mud is soft."),))], id="d0", source=source)
    return Summarizer().summarize([document])


def sink(output, format=None, *, sources=(), overwrite=False, resume=False, open_after=False, several=False):
    return Sink.choose(
        io.StringIO(),
        SummaryOutput(format=format, output=output, overwrite=overwrite, resume=resume, open=open_after),
        list_outputs=lambda _format: [Output(source=source, key=None) for source in sources],
        attribution=False,
        several=several,
    )


def test_a_file_that_exists_is_replaced_only_when_asked(tmp_path):
    path = tmp_path / "out.txt"
    write_output(path, "one", overwrite=False)
    with pytest.raises(OutputError, match="exists already"):
        write_output(path, "two", overwrite=False)
    write_output(path, "three", overwrite=True)
    assert path.read_text() == "three"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_written_through(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("no links here")
    write_output(link, "new", overwrite=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="no named pipes in folders")
def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_output(path, "through", overwrite=True)
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert path.is_fifo()


def test_nothing_is_left_behind_where_writing_fails(tmp_path, monkeypatch):
    def refuse(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OutputError, match="No space left"):
        write_output(tmp_path / "out.txt", "text", overwrite=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("output", [None, "-", "/dev/stdout"])
def test_a_dash_is_standard_output(output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chosen = sink(output)
    chosen.write([(0, FinishedSummary(summary=summary_of("a.txt")))])
    assert chosen.stream.getvalue() == "Mud is soft.\n"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OptionError, match="--open"):
        sink(output, open_after=True)
    with pytest.raises(OptionError, match="--resume needs the folder"):
        sink(output, resume=True)


def test_a_long_name_of_a_source_still_names_a_file(tmp_path):
    sources = [f"https://example.org/{'long-' * 100}{letter}" for letter in "ab"]
    sources += ["https://example.org/" + "ü" * 300]
    chosen = sink(f"{tmp_path}/out/", Format.MARKDOWN, sources=sources, several=True)
    chosen.write(enumerate(FinishedSummary(summary=summary_of(each)) for each in sources))
    names = sorted(path.name for path in (tmp_path / "out").glob("[!.]*"))
    assert len(names) == 3
    assert all(name.endswith(".md") and len(os.fsencode(name)) <= 255 for name in names)


def test_sources_of_one_name_do_not_share_a_file(tmp_path):
    sources = [f"{folder}/Paper.pdf" for folder in "ab"]
    chosen = sink(f"{tmp_path}/", Format.JSON, sources=sources, several=True)
    chosen.write(enumerate(FinishedSummary(summary=summary_of(each)) for each in sources))
    assert sorted(path.name for path in tmp_path.glob("[!.]*")) == ["Paper-2.json", "Paper.json"]


def test_folders_are_made_where_that_is_wanted(tmp_path):
    path = tmp_path / "a" / "b" / "out.txt"
    with pytest.raises(OutputError, match="does not exist"):
        check_output(path, overwrite=False)
    check_output(path, overwrite=False, makes_parents=True)
    assert not (tmp_path / "a").exists()  # a check makes nothing
    write_output(path, "text", overwrite=False, makes_parents=True)
    assert path.read_text() == "text"
    with pytest.raises(OutputError, match="is no folder"):
        check_output(path / "below.txt", overwrite=False, makes_parents=True)


def test_what_a_library_prints_meanwhile_is_no_product():
    # Without a flush it would wait in the buffer until standard output is the output's again.
    code = (
        "from lsum_cli.cli.streams import finish_standard_output, prepare_standard_streams, result_stream\n"
        "prepare_standard_streams()\n"
        "with result_stream() as stream:\n"
        "    print('noise')\n"
        "    stream.write('output\\n')\n"
        "finish_standard_output()\n"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (finished.stdout, finished.stderr) == ("output\n", "noise\n")


@pytest.mark.parametrize(
    ("encoding", "written", "said"),
    [
        ("utf-8", "Zoë → дом?", ""),
        ("cp1252", "Zoë ? ????", "4 characters"),
        ("ascii", "Zo? ? ????", "5 characters"),
    ],
)
def test_characters_that_the_encoding_of_standard_output_lacks_are_counted(encoding, written, said):
    code = (
        "from lsum_cli.cli.streams import result_stream\n"
        "with result_stream() as stream:\n"
        "    stream.write('Zo\\xeb \\u2192 \\u0434\\u043e\\u043c?\\n')\n"
    )
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    assert done.stdout.decode(encoding) == f"{written}\n"
    assert said in done.stderr.decode()
    assert bool(done.stderr) == bool(said)
