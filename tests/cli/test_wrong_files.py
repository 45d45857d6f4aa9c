"""Whole files only, and never the wrong one: links, devices, forbidden places, odd names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch
from tiny_models import save_family, save_pagesum

from lsum_cli import load_checkpoint
from lsum_cli.errors import CheckpointError, DeviceError, ExitCode
from lsum_cli.machine.devices import choose_device

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and devices of POSIX")


def test_an_export_replaces_no_device_and_follows_no_link(lsum, tmp_path):
    save_pagesum(tmp_path / "tiny", max_position_embeddings=64)
    assert lsum("models", "import", "tiny", tmp_path / "tiny").code == 0
    private = tmp_path / "private.txt"
    private.write_text("mine")
    link, pipe, whole = tmp_path / "link.tar", tmp_path / "pipe.tar", tmp_path / "whole.tar"
    link.symlink_to(private)
    os.mkfifo(pipe)
    for target, said in ((link, "is a link"), (pipe, "is not a regular file"), (tmp_path, "is a folder")):
        for more in ((), ("--overwrite",)):
            result = lsum("models", "export", "tiny", target, *more)
            assert result.code == ExitCode.OUTPUT
            assert f"lsum: error: {target} {said};" in result.stderr
    assert private.read_text() == "mine"
    assert link.is_symlink()
    assert pipe.is_fifo()
    dangling = tmp_path / "dangling.tar"
    dangling.symlink_to(tmp_path / "nowhere")
    assert lsum("models", "export", "tiny", dangling).code == ExitCode.OUTPUT
    assert lsum("models", "export", "tiny", whole).code == 0
    assert lsum("models", "export", "tiny", whole).code == ExitCode.OUTPUT
    assert lsum("models", "export", "tiny", whole, "--overwrite").code == 0
    assert lsum("models", "export", "tiny", tmp_path / ("x" * 300)).code == ExitCode.OUTPUT


def test_a_link_in_the_output_folder_is_never_followed_unasked(lsum, article, tmp_path):
    other = tmp_path / "other.md"
    other.write_text("# Other\n\nAnother document about the tide. It falls.\n")
    folder = tmp_path / "out"
    folder.mkdir()
    outside = tmp_path / "outside.txt"
    (folder / "marsh.txt").symlink_to(outside)  # leads to nothing yet
    result = lsum("summarize", "--each", article, other, "-f", "text", "-o", f"{folder}/")
    assert result.code == ExitCode.OUTPUT
    assert f"{folder / 'marsh.txt'} exists already" in result.stderr
    assert not outside.exists()
    (folder / "marsh.txt").unlink()
    # The record of what was written is one more file of the folder.
    outside.write_text("mine")
    (folder / ".lsum-summaries.jsonl").symlink_to(outside)
    result = lsum("summarize", "--each", article, other, "-f", "text", "-o", f"{folder}/")
    assert result.code == ExitCode.OUTPUT
    assert outside.read_text() == "mine"


def test_a_link_that_leads_to_itself_is_one_line(lsum, article, tmp_path):
    loop = tmp_path / "loop.txt"
    loop.symlink_to("loop.txt")
    result = lsum("summarize", article, "-o", loop)
    assert result.code == ExitCode.OUTPUT
    assert result.stderr.count("\n") == 1
    assert lsum("summarize", article, "-o", loop, "--overwrite").code == 0
    assert loop.is_file()
    assert not loop.is_symlink()


def test_a_folder_with_links_to_forbidden_places_is_read_without_them(lsum, article, tmp_path, monkeypatch):
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(article, folder / "a.md")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "nothing.md").symlink_to("/no/such/place")
    (folder / "again").symlink_to(".")
    result = lsum("summarize", "--each", folder, "-q")
    assert (result.code, result.stderr) == (0, "")
    # Root may look everywhere, so the place is made forbidden here.
    (folder / "secret.md").symlink_to(tmp_path / "secret")
    real = Path.stat

    def stat(path, **keywords):
        if path.name == "secret.md":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, **keywords)

    monkeypatch.setattr(Path, "stat", stat)
    from lsum_cli.reading.sources import expand_sources

    expansion = expand_sources([folder])
    assert expansion.sources == (str(folder / "a.md"),)
    assert str(folder / "secret.md") in expansion.skipped


def test_a_link_to_a_folder_elsewhere_is_not_followed(lsum, article, tmp_path):
    """Such as to the root of the disk, which takes minutes to walk through."""
    folder, private = tmp_path / "papers", tmp_path / "private"
    (folder / "own").mkdir(parents=True)
    private.mkdir()
    shutil.copy(article, folder / "own" / "a.md")
    (private / "diary.md").write_text("# Diary\n\nNobody is to read this. It is mine.\n")
    (folder / "again").symlink_to("own")
    for name, target in (("other", private), ("root", "/"), ("processes", "/proc"), ("above", tmp_path)):
        (folder / name).symlink_to(target)
    result = lsum("summarize", "--each", folder, "-f", "text", "-v")
    assert result.code == 0
    assert "mine" not in result.stdout
    assert "left out 4 folders that" in result.stderr
    assert f"left out {folder / 'root'}" in result.stderr
    assert lsum("batch", folder, "-o", tmp_path / "out", "--method", "extract").code == 0
    (folder / "own" / "a.md").rename(folder / "own" / "a.txt")
    assert lsum("eval", "--data", folder, "--baselines", "lead3").code == ExitCode.DATASET
    # The folder itself may be named by a link.
    named = tmp_path / "named"
    named.symlink_to(private)
    assert "mine" in lsum("summarize", named, "-f", "text").stdout


def test_from_a_folder_that_was_deleted(article, tmp_path):
    gone = tmp_path / "gone"
    script = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})\nfrom lsum_cli.cli.app import main\nmain()"
    for output, code in (("out.md", ExitCode.OUTPUT), ("out/", ExitCode.OUTPUT), ("-", ExitCode.DONE)):
        gone.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", script, "summarize", str(article), "-o", output],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr


def test_nothing_is_computed_in_a_folder_that_was_deleted(tmp_path, monkeypatch):
    """There oneMKL would end the process, with a message and an exit code of its own."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(DeviceError, match="the current folder was deleted; change to a folder that exists"):
        choose_device()


def test_weights_of_other_sizes_are_said_to_be_so(tmp_path):
    folder = save_family(tmp_path / "bart", "bart")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"d_model": 2 * config["d_model"]}))
    with pytest.raises(
        CheckpointError, match=r"of other sizes than config.json says|has the wrong sizes for"
    ):
        load_checkpoint(folder)


def test_names_that_are_too_long_and_sources_that_are_empty(lsum, article):
    for output in ("x" * 300, "x" * 300 + "/", "x" * 300 + "/a.md"):
        result = lsum("summarize", article, "-o", output)
        assert (result.code, result.stderr.count("\n")) == (ExitCode.OUTPUT, 1)
    for source in ("", " "):
        assert lsum("summarize", source).code == ExitCode.OPTION


def test_numbers_that_are_none_do_not_end_the_reading(lsum, tmp_path):
    """A superscript is a digit to Python but no number, and 5,000 digits are more than it converts."""
    digits = "7" * 5000
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    levels = "".join(
        f'<w:p><w:pPr><w:outlineLvl w:val="{value}"/></w:pPr><w:r><w:t>The tide rises.</w:t></w:r></w:p>'
        for value in ("²", digits, "٣", "-1", "")
    )
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {w}><w:body>{levels}</w:body></w:document>")
    for name, text in {
        "a.txt": f"{digits}. Heading\n\nThe tide rises {digits} times.\n\n{digits}\n",
        "a.rst": f"A\n=\n\n{digits}. The tide rises. :rfc:`²` It falls.\n\n{digits}. It falls.\n",
        "a.html": f"<h1>A</h1><ol start='{digits}'><li value='²'>The tide rises.</ol><td colspan={digits}>x",
        "a.srt": f"{digits}\n00:00:01,000 --> 00:00:02,000\nThe tide rises {digits} times.\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for path in sorted(tmp_path.glob("a.*")):
        result = lsum("plan", path)
        assert result.code == 0, (path, result.stderr)


def test_sparse_tensors_are_refused(lsum, tmp_path):
    folder = save_family(tmp_path / "sparse", "bart")
    (folder / "model.safetensors").unlink()
    torch.save({"shared.weight": torch.eye(8).to_sparse()}, folder / "pytorch_model.bin")
    result = lsum("models", "import", "sparse", folder)
    assert result.code == ExitCode.CHECKPOINT
    assert "holds 'shared.weight' as a sparse tensor" in result.stderr
    assert result.stderr.count("lsum: error") == 1


@pytest.mark.parametrize("value", [None, 10**6, -5])
@pytest.mark.parametrize("family", ["bart", "pagesum"])
def test_a_checkpoint_without_a_start_token_is_refused(tmp_path, family, value):
    folder = tmp_path / family
    if family == "pagesum":
        save_pagesum(folder)
    else:
        save_family(folder, family)
    load_checkpoint(folder)
    for name in ("config.json", "generation_config.json"):
        settings = json.loads((folder / name).read_text())
        settings |= {"decoder_start_token_id": value, "bos_token_id": value}
        (folder / name).write_text(json.dumps(settings))
    with pytest.raises(CheckpointError, match="does not say which token a summary begins with"):
        load_checkpoint(folder)


def test_a_pipe_in_the_place_of_the_record_is_not_waited_for(lsum, article, tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(article, folder / "a.md")
    os.mkfifo(folder / ".lsum-summaries.jsonl")
    assert lsum("summarize", "--each", folder, "-q").code == 0
