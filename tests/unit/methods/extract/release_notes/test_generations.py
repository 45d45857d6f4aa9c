"""What a changelog tells once, and for long: new generations, ends of support, and no refrains."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_notes import written

from lsum_cli.methods.extract.listed_changes.change import plain_change
from lsum_cli.methods.extract.listed_changes.support import ends_within, only_comes
from lsum_cli.methods.extract.release_notes.generations import generations_begun

NAMES = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells", "piers", "boats")


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("Add support for PyLathe6 and LatheSide6 with Lathe 6 >= 6.2.0", {("pylathe", 6), ("latheside", 6)}),
        ("Add Lathe6 support, fixes entries and docs", {("lathe", 6)}),
        ("Now compatible with Lathe 6", {("lathe", 6)}),
        ("Add support for Lathe 6.2", set()),
        ("Add support for IPv6 and Lathe modules", {("ipv", 6)}),
        ("Lathe 6 support is dropped", set()),
        ("Fix support for Lathe6", set()),
    ],
)
def test_a_generation_begins(text: str, begun: set[tuple[str, int]]) -> None:
    assert generations_begun(text) == begun


def test_the_newest_generation_is_told_of_an_old_release(tmp_path: Path) -> None:
    releases = [
        f"## 9.{n}.0\n\n- Added new {NAMES[n]} that keepers may open at night.\n" for n in range(9, 0, -1)
    ]
    old = "## 8.0.0\n\n- Add Lathe6 support, fixes entries and docs\n- Show {} of Lathe5 in red.\n"
    text = "# Changes\n\n" + "\n".join([*releases, old])
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert any("Add Lathe6 support" in sentence for sentence in sentences)


def test_what_most_releases_say_is_not_quoted(tmp_path: Path) -> None:
    refrain = "Follow the general instructions in order to perform the upgrade."
    text = "# Changes\n" + "".join(
        f"\n## 9.{n}.0\n\n- Added new {NAMES[n]} that keepers may open at night.\n- {refrain}\n"
        for n in range(5, 0, -1)
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert sentences
    assert not any(refrain in sentence for sentence in sentences)


def test_the_end_of_support_is_told_once(tmp_path: Path) -> None:
    assert ends_within("Remove Lathe4 support", "Drop support for PyLathe4, Tide and Sluice.")
    assert not ends_within("Drop Lathe 3.1", "Drop support for Lathe 3.10")
    text = (
        "# Changes\n\n## 2.0.0\n\n- Drop support for PyLathe4, Tide and Sluice.\n- Remove Lathe4 support\n"
        "- Gates open faster than before.\n\n## 1.0.0\n\n- Added the first gates of the river.\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert not any("Remove Lathe4" in sentence for sentence in sentences)


def test_what_is_now_supported_breaks_nothing() -> None:
    assert only_comes("Lathe 3.12 is now supported, though not recommended, see lathe-deps.")
    assert not only_comes("Lathe 3.12 is now required.")


def test_the_mark_of_a_pull_request_is_not_shown() -> None:
    assert plain_change("PR 252 - PR: Remove the old gates, by @kira (505, 502)") == "Remove the old gates"
