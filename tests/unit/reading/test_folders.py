"""Folders become their files."""

from __future__ import annotations

import os

import pytest

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.registry import FORMATS
from lsum_cli.reading.sources import RECORD_NAME, expand_sources


def test_files_come_in_natural_order_at_any_depth(write, tmp_path):
    for name in ("part10.txt", "part2.txt", "Part1.md", "sub/z.html", "sub/deeper/a.PDF"):
        write(name, "text")
    expansion = expand_sources([str(tmp_path)])
    names = [os.path.relpath(source, tmp_path) for source in expansion.sources]
    assert names == ["Part1.md", "part2.txt", "part10.txt", "sub/deeper/a.PDF", "sub/z.html"]
    assert expansion.skipped == ()


def test_unsupported_files_are_skipped_and_said_hidden_ones_are_not(write, tmp_path):
    for name in ("a.txt", "photo.png", "sub/data.xlsx", ".hidden.txt", ".git/notes.txt"):
        write(name, "text")
    expansion = expand_sources([str(tmp_path)])
    assert [os.path.relpath(source, tmp_path) for source in expansion.sources] == ["a.txt"]
    assert sorted(os.path.relpath(name, tmp_path) for name in expansion.skipped) == [
        "photo.png",
        "sub/data.xlsx",
    ]


def test_what_is_no_folder_stays(write, tmp_path):
    path = write("strange.xyz", "text")
    sources = [str(path), "-", "https://example.org/a", "missing.txt", "nul\x00byte"]
    assert expand_sources(sources).sources == tuple(sources)


def test_order_of_the_arguments_is_kept(write, tmp_path):
    write("b/1.txt", "text")
    write("a/1.txt", "text")
    expansion = expand_sources([str(tmp_path / "b"), str(tmp_path / "a")])
    assert [os.path.relpath(source, tmp_path) for source in expansion.sources] == ["b/1.txt", "a/1.txt"]


def test_what_lsum_wrote_is_no_source_unless_there_is_nothing_else(write, tmp_path):
    for name in ("a.txt", "out/a.txt", "out/notes.txt"):
        write(name, "text")
    write(f"out/{RECORD_NAME}", '{"file": "a.txt"}\n{"file": "gone.txt"}\n{"fi\n7\n')
    expansion = expand_sources([str(tmp_path)])
    assert [os.path.relpath(source, tmp_path) for source in expansion.sources] == ["a.txt", "out/notes.txt"]
    assert [os.path.relpath(source, tmp_path) for source in expansion.summaries] == ["out/a.txt"]
    assert expansion.skipped == ()
    (tmp_path / "out" / "notes.txt").unlink()
    expansion = expand_sources([str(tmp_path / "out")])
    assert [os.path.relpath(source, tmp_path) for source in expansion.sources] == ["out/a.txt"]
    assert expansion.summaries == ()


def test_links_in_circles_end(write, tmp_path):
    write("sub/a.txt", "text")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "sub" / "broken.txt").symlink_to(tmp_path / "nowhere.txt")
    expansion = expand_sources([str(tmp_path)])
    assert [os.path.relpath(source, tmp_path) for source in expansion.sources] == ["sub/a.txt"]
    assert [os.path.relpath(source, tmp_path) for source in expansion.skipped] == ["sub/broken.txt"]


def test_a_folder_without_readable_files(write, tmp_path):
    write("photo.gif", "text")
    with pytest.raises(SourceError, match="contains no supported file"):
        expand_sources([str(tmp_path)])


def test_images_beside_documents_are_their_figures(write, tmp_path):
    figure, scans = write("figure.png", "text"), tmp_path / "scans"
    document = write("a.txt", "text")
    scans.mkdir()
    (scans / "page2.jpg").write_bytes(b"")
    (scans / "page1.tif").write_bytes(b"")
    assert expand_sources([str(scans)]).sources == (str(scans / "page1.tif"), str(scans / "page2.jpg"))
    found = expand_sources([str(tmp_path)])
    assert found.sources == (str(document),)
    assert str(figure) in found.skipped


def test_a_pipe_in_a_folder_is_left_alone(write, tmp_path):
    write("a.txt", "text")
    os.mkfifo(tmp_path / "pipe.txt")
    found = expand_sources([str(tmp_path)])
    assert (len(found.sources), found.skipped) == (1, (str(tmp_path / "pipe.txt"),))


def test_a_folder_that_may_not_be_read_is_not_an_empty_one(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SourceError, match="permission denied"):
        expand_sources([str(tmp_path)])


def test_every_format_is_taken_from_a_folder(write, tmp_path):
    names = [
        f"a{suffix}" for row in FORMATS for suffix in row.suffixes if not row.media_type.startswith("image/")
    ]
    for name in names:
        write(name, "x")
    assert sorted(expand_sources([tmp_path]).sources) == sorted(str(tmp_path / name) for name in names)


def test_a_source_named_again_counts_once_under_its_first_name(write, tmp_path):
    first = write("a/1.txt", "text")
    other = write("a/2.txt", "text")
    link = tmp_path / "link.txt"
    link.symlink_to(other)
    named = [
        str(first),
        str(tmp_path / "a"),
        str(link),
        "https://example.org/a",
        "-",
        "https://example.org/a",
    ]
    expansion = expand_sources(named)
    assert expansion.sources == (str(first), str(other), "https://example.org/a", "-")
    assert expansion.again == (
        (str(first), str(first)),
        (str(link), str(other)),
        ("https://example.org/a", "https://example.org/a"),
    )


def test_equal_files_are_not_the_same(write, tmp_path):
    write("1.txt", "text")
    write("2.txt", "text")
    assert len(expand_sources([str(tmp_path)]).sources) == 2


def test_all_words_of_release_notes_are_read(shared):
    notes = sorted((shared / "data/inputs/folder/osnotes-ironic-antelope").glob("*.md"))
    assert notes
    for path in notes:
        written = path.read_text("utf-8").partition("\n")[2].split()
        assert [word for each in read(path).sentences for word in each.text.split()] == written, path.name
