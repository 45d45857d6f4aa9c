"""Archives: what is exported can be imported elsewhere, and nothing in one is trusted."""

from __future__ import annotations

import io
import json
import shutil
import tarfile

import pytest

from lsum_cli.checkpoints.archives import export_archive, import_archive
from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.checkpoints.manifest import verify_hashes
from lsum_cli.checkpoints.store import checkpoint_path, find_installed, list_installed
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OutputError


@pytest.fixture
def archive(tiny_bart, tmp_path, monkeypatch):
    """An archive, made on a machine with another store."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("LSUM_HOME", str(tmp_path / "elsewhere"))
        import_folder("tiny", tiny_bart)
        export_archive("tiny", tmp_path / "model.tar")
    return tmp_path / "model.tar"


def members_of(archive):
    with tarfile.open(archive) as tar:
        return [(member, tar.extractfile(member).read()) for member in tar]


def write(target, members):
    with tarfile.open(target, "w") as tar:
        for member, content in members:
            tar.addfile(member, io.BytesIO(content))
    return target


def plain(name, content, **fields):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    for key, value in fields.items():
        setattr(member, key, value)
    return member, content


def test_there_and_back(archive):
    assert list_installed() == ()
    manifest = import_archive(archive)
    installed = find_installed("tiny")
    assert installed.manifest == manifest
    verify_hashes(installed.path, manifest)
    assert import_archive(archive, "other").name == "other"
    with pytest.raises(OutputError, match="installed already"):
        import_archive(archive)
    import_archive(archive, overwrite=True)


def test_an_archive_is_the_manifest_first_and_nobody_s(archive):
    members = [member for member, _ in members_of(archive)]
    assert members[0].name == MANIFEST_NAME
    assert {member.name for member in members} >= {"model.safetensors", "config.json", "README.md"}
    assert {(member.uid, member.uname, member.mode) for member in members} == {(0, "", 0o644)}


def test_exporting_keeps_what_is_there(archive, tiny_bart):
    import_folder("tiny", tiny_bart)
    with pytest.raises(OutputError, match="exists already"):
        export_archive("tiny", archive)
    export_archive("tiny", archive, overwrite=True)
    with pytest.raises(OutputError, match="cannot write"):
        export_archive("tiny", archive.parent / "no" / "folder.tar")
    with pytest.raises(CheckpointError, match="no checkpoint 'none'"):
        export_archive("none", archive.parent / "x.tar")
    (checkpoint_path("tiny") / "config.json").write_bytes(
        b" " * (checkpoint_path("tiny") / "config.json").stat().st_size
    )
    with pytest.raises(CheckpointError, match="SHA-256 differs"):
        export_archive("tiny", archive.parent / "damaged.tar")
    assert not (archive.parent / "damaged.tar").exists()


ADDITIONS = {
    "absolute": (plain("/etc/canary", b"x"), "which its manifest does not list"),
    "parent": (plain("../canary", b"x"), "which its manifest does not list"),
    "other file": (plain("extra.py", b"x"), "which its manifest does not list"),
    "link": (plain("config.json", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"), "not a regular file"),
    "hard link": (plain("config.json", b"", type=tarfile.LNKTYPE, linkname="x"), "not a regular file"),
    "device": (plain("config.json", b"", type=tarfile.CHRTYPE), "not a regular file"),
    "pipe": (plain("config.json", b"", type=tarfile.FIFOTYPE), "not a regular file"),
    "folder": (plain("config.json", b"", type=tarfile.DIRTYPE), "not a regular file"),
}


@pytest.mark.parametrize("added", ADDITIONS)
def test_what_the_manifest_does_not_name_is_refused(archive, tmp_path, added):
    addition, part = ADDITIONS[added]
    manifest, *rest = members_of(archive)
    rest = [(member, content) for member, content in rest if member.name != addition[0].name]
    evil = write(tmp_path / "evil.tar", [manifest, addition, *rest])
    with pytest.raises(CheckpointError) as caught:
        import_archive(evil)
    assert part in str(caught.value)
    assert list_installed() == ()
    assert not list(tmp_path.rglob("canary"))


def test_a_file_twice(archive, tmp_path):
    members = members_of(archive)
    with pytest.raises(CheckpointError, match="a second time"):
        import_archive(write(tmp_path / "evil.tar", [*members, members[1]]))


def test_more_or_other_bytes_than_the_manifest_says(archive, tmp_path):
    manifest, (member, content), *rest = members_of(archive)
    longer = plain(member.name, content + b"!")
    with pytest.raises(CheckpointError, match="its manifest says"):
        import_archive(write(tmp_path / "longer.tar", [manifest, longer, *rest]))
    other = plain(member.name, content[:-1] + b"!")
    with pytest.raises(CheckpointError, match="SHA-256 differs"):
        import_archive(write(tmp_path / "other.tar", [manifest, other, *rest]))
    with pytest.raises(CheckpointError, match="lacks"):
        import_archive(write(tmp_path / "shorter.tar", [manifest, *rest]))


def test_a_manifest_that_leads_elsewhere(archive, tmp_path):
    (member, content), *rest = members_of(archive)
    raw = json.loads(content)
    for name, part in (("../evil", "not a valid name"), ("a/b/c", "not a valid name")):
        changed = plain(MANIFEST_NAME, json.dumps(raw | {"name": name}).encode())
        with pytest.raises(CheckpointError, match=part):
            import_archive(write(tmp_path / "evil.tar", [changed, *rest]))
    assert member.name == MANIFEST_NAME


def test_what_is_no_archive(archive, tmp_path):
    content = archive.read_bytes()
    cases = {
        "empty.tar": b"",
        "text.tar": b"hello" * 1000,
        "cut.tar": content[: len(content) // 2],
        "packed.tar": b"\x1f\x8b\x08\x00" + b"\0" * 600,
    }
    for name, bytes_of_it in cases.items():
        (tmp_path / name).write_bytes(bytes_of_it)
        with pytest.raises(CheckpointError):
            import_archive(tmp_path / name)
    with pytest.raises(CheckpointError, match="there is no file"):
        import_archive(tmp_path / "missing.tar")
    no_manifest = write(tmp_path / "plain.tar", members_of(archive)[1:])
    with pytest.raises(CheckpointError, match="no manifest"):
        import_archive(no_manifest)
    assert list_installed() == ()


def test_more_bytes_than_the_disk_has(archive, tmp_path):
    (_, content), *rest = members_of(archive)
    raw = json.loads(content)
    raw["files"][0]["size"] = 1 << 60
    with pytest.raises(OutputError, match="is full"):
        import_archive(write(tmp_path / "huge.tar", [plain(MANIFEST_NAME, json.dumps(raw).encode()), *rest]))


def test_a_folder_with_a_checkpoint_is_exported_as_an_installed_one_is(archive, tmp_path):
    import_archive(archive)
    run = tmp_path / "run"
    shutil.copytree(checkpoint_path("tiny"), run)
    assert export_archive(str(run), tmp_path / "of-run.tar").name == "tiny"
    assert [member.name for member, _ in members_of(tmp_path / "of-run.tar")] == [
        member.name for member, _ in members_of(archive)
    ]
    # What training saves on the way lists no files; of a run that has not ended there is nothing at all.
    manifest = json.loads((run / MANIFEST_NAME).read_bytes()) | {"files": []}
    (run / MANIFEST_NAME).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(CheckpointError, match="a checkpoint of a run in progress"):
        export_archive(str(run), tmp_path / "no.tar")
    (run / MANIFEST_NAME).unlink()
    with pytest.raises(CheckpointError, match="no finished checkpoint"):
        export_archive(str(run), tmp_path / "no.tar")
    assert not (tmp_path / "no.tar").exists()
