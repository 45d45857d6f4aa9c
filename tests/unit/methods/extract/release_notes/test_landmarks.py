"""What of a long history is told: its landmarks, and of versions only the end of the latest."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from written_notes import labelled, told, written

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.support import bounds_of, is_of_ended
from lsum_cli.methods.extract.listed_changes.wording import is_minor, is_trifle
from lsum_cli.methods.extract.release_notes import changelog
from lsum_cli.methods.extract.release_notes.landmarks import landmarks_of

THINGS = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells", "masts", "lamps", "piers")


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


NEWEST = tuple(
    (
        f"9.{9 - at}.0",
        f"- The panel of {thing} is drawn anew whenever the water of {thing} rises.\n"
        f"- Drawings of {thing} are kept in a folder that the keeper of {thing} chooses.\n"
        f"- Keepers of {thing} can write their diaries to a file of any name they choose.",
    )
    for at, thing in enumerate(THINGS)
)


def small(first: int, most: int) -> list[tuple[str, str]]:
    """Releases of which each changes next to nothing."""
    return [
        (f"{first}.{most - at}.0", f"- Some of the {thing} of rivers are drawn in grey.")
        for at, thing in enumerate(THINGS)
    ]


def test_landmarks_of_the_history_are_told(tmp_path: Path) -> None:
    text = series(
        *NEWEST,
        *small(8, 20),
        ("8.5.0", "- Add support for passwords and private keys."),
        *small(7, 20),
        ("7.5.0", "- Add a new command that opens PDF files."),
    )
    lines = labelled(told(tmp_path, text, words=150))
    for landmark in (
        "Add support for passwords and private keys.",
        "Add a new command that opens PDF files.",
    ):
        assert any(landmark in line for line in lines)
    # The newest release is told first, and with more than one change.
    assert sum("gates" in line for line in lines[:3]) > 1


def test_what_later_releases_speak_of_is_a_landmark(tmp_path: Path) -> None:
    later = [
        (f"8.{11 - at}.0", f"- Raise kestrels of {thing} by {at + 2} feet at night.")
        for at, thing in enumerate(THINGS)
    ]
    both = "- Add ospreys to the watch of the harbour.\n- Add kestrels to the watch of the harbour."
    lines = labelled(
        told(tmp_path, series(*NEWEST, *later, ("7.5.0", both), ("7.4.0", "- Mend a rope.")), words=150)
    )
    assert any("Add kestrels to the watch" in line for line in lines)
    assert not any("ospreys" in line for line in lines)


def test_only_the_latest_end_of_versions_is_told(tmp_path: Path) -> None:
    text = series(
        *NEWEST[:3],
        ("9.0.0", "- Drop support for Lathe 3.8."),
        ("8.2.0", "- Lathe 3.4 is now fully deprecated."),
        ("8.1.0", "- Drop support for Lathe 3.7."),
        ("8.0.0", "- Require Lathe >= 3.6."),
        ("7.1.0", "- Add support for Lathe 3.5."),
        ("7.0.0", "- Drop support for Lathe 2."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    of_lathe = [sentence for sentence in sentences if "Lathe" in sentence]
    assert len(of_lathe) == 2
    assert "Lathe 3.8" in of_lathe[0]
    assert "Lathe 2" in of_lathe[1]


def test_only_the_latest_version_that_came_is_told(tmp_path: Path) -> None:
    text = series(
        ("9.1.0", "- Add support for Lathe 3.15 (#12)."),
        ("9.0.0", "- Add support for Lathe 3.14.\n- Keepers can write their diaries to a file of any name."),
        ("8.0.0", "- Add support for Lathe 3.13 on Windows.\n- Mend the bell of the second bridge."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    of_lathe = " ".join(sentence for sentence in sentences if "Lathe" in sentence)
    assert "3.15" in of_lathe
    assert "3.14" not in of_lathe
    # What says more than that is told.
    assert "3.13 on Windows" in of_lathe


MANY = (
    "Passwords can be read from a private file.",
    "Add a command that exports every drawing to PDF.",
    "Support requests over encrypted sockets.",
    "Allow several keepers to open one session at once.",
    "Load plugins from any directory of the user.",
    "Add an option to resolve addresses without a server.",
    "Memory of unused panels is returned to the system.",
    "Windows of the viewer can be tiled automatically.",
    "Print tables in the language of the reader.",
    "Compress archives with a faster algorithm by default.",
    "Watch a folder and index whatever arrives there.",
    "Send an email when a measurement is overdue.",
)


def test_a_long_history_leaves_room_for_the_newest_release_and_takes_it_of_others(tmp_path: Path) -> None:
    text = series(
        ("10.0.0", "".join(f"- {each}\n" for each in MANY)),
        ("9.95.0", "".join(f"- {each.replace('.', ' of boats and barges.')}\n" for each in MANY)),
        *NEWEST,
        *small(8, 20),
        ("7.5.0", "- Add support for kestrels and private keys."),
    )
    made = told(tmp_path, text, words=280)
    of_newest, *others = [len(entry.sentences or ()) for entry in made.outline]
    assert 5 <= of_newest <= 8
    assert all(number <= 5 for number in others[:-1])
    assert any("kestrels" in line for line in labelled(made))


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("Drop support for Lathe 3.7 and 3.8", {"lathe": (3, 8, math.inf)}),
        ("Drop support for Lathe < 3.8", {"lathe": (3, 8)}),
        ("Require Lathe >= 3.9", {"lathe": (3, 9)}),
        ("Drop support for Lathe 3.8, require Lathe >= 3.9", {"lathe": (3, 9)}),
        ("Drop support for Lathe 3.8, add support for Lathe 3.14", {"lathe": (3, 8, math.inf)}),
        ("Lathe versions before 3.8 are no longer supported", {"lathe": (3, 8)}),
        ("Tidewatch has officially stopped support for Lathe 3.4.", {"lathe": (3, 4, math.inf)}),
        ("Drop support for Lathe 3 < 3.4", {}),
        ("The minimum supported version of Lathe 3.15 is now 3.15b2", {}),
    ],
)
def test_below_which_versions_nothing_runs(text: str, bounds: dict[str, tuple[float, ...]]) -> None:
    assert bounds_of(text) == bounds


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("Add support for Lathe 3.8", True),
        ("Add support for Lathe 3.8 and 3.9", False),
        ("Add support for Lathe 3", False),
        ("Add support for Lathe 2", True),
        ("Add support for Sluice 3.8", False),
        ("Lathe 3.8 draws its panels twice as fast", False),
        ("Lathe 3.8 is fully deprecated", True),
        ("Lathe 3.8 is not supported any more", False),
    ],
)
def test_what_is_said_of_versions_that_have_ended(text: str, ended: bool) -> None:
    assert is_of_ended(text, {"lathe": (3, 8, math.inf)}) is ended


def test_what_else_a_release_brings_is_beside_what_it_ends() -> None:
    text = "Dropped support for Lathe 3.7, declared support for Lathe 3.15"
    bounds = {"lathe": (3, 8, math.inf)}
    assert is_of_ended(text, bounds, bounds)
    assert not is_of_ended(text, bounds, {})
    # What is needed must not have ended, whenever it did.
    assert is_of_ended("Require Lathe >= 3.8", bounds, {})
    assert not is_of_ended("Require Lathe >= 3.9", bounds, {})
    # The versions of PyPy are those of Python.
    bounds = {"python": (3, 8, math.inf)}
    assert is_of_ended("Drop support for PyPy 3.7", bounds, bounds)


def test_a_link_to_what_is_new_is_no_change() -> None:
    assert is_trifle("What's new in Lathe 3.0 →")
    assert not is_trifle("Typing → draws an arrow")
    assert is_trifle("Add Programming Language :: Lathe :: 3 to the PyPI classifier metadata")


@pytest.mark.parametrize(
    ("text", "is_for_makers"),
    [
        ("Removed gates.KNOWN_COLOURS; no longer needed as colours are computed", True),
        ("lathe.TABLE was never used and has been removed", True),
        ("The black checks no longer skip some of the files", True),
        ("Black bells and chains are drawn anew", False),
        ("Gates no longer need a key", False),
    ],
)
def test_what_nobody_had_a_use_for_concerns_the_makers(text: str, is_for_makers: bool) -> None:
    assert is_minor(text) is is_for_makers


def landmarks_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> list[str]:
    """The landmarks of a changelog, told or not."""
    found: list[str] = []

    def keep(candidates: Candidates, *others: Any) -> list[Change]:
        changes = landmarks_of(candidates, *others)
        found.extend(candidates.sentences[change.row].text for change in changes)
        return changes

    monkeypatch.setattr(changelog, "landmarks_of", keep)
    told(tmp_path, text)
    return found


@pytest.mark.parametrize(
    ("later", "is_landmark"),
    [
        ("Drop support for kestrels.", False),
        ("Switched to using lamps instead of kestrels.", False),
        ("Raise kestrels by two feet at night.", True),
    ],
)
def test_what_a_later_release_removes_is_no_landmark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, later: str, is_landmark: bool
) -> None:
    landmark = "Add support for kestrels and drawings."
    text = series(*NEWEST, *small(8, 20), ("7.6.0", f"- {later}"), ("7.5.0", f"- {landmark}"))
    assert (landmark in landmarks_found(monkeypatch, tmp_path, text)) is is_landmark


@pytest.mark.parametrize(("which", "is_landmark"), [("and drawings", True), ("except drawings", False)])
def test_what_is_not_all_done_is_no_landmark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, which: str, is_landmark: bool
) -> None:
    landmark = f"Add support for kestrels {which}."
    text = series(*NEWEST, *small(8, 20), ("7.5.0", f"- {landmark}"))
    assert (landmark in landmarks_found(monkeypatch, tmp_path, text)) is is_landmark
