"""What minutes, talk and release notes mark, and a request asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from extraction import summarize

from lsum_cli import read
from lsum_cli.summaries import Style

MINUTES = """# Mooring Club board, minutes of 4 March

Present: Ada Lund (chair), Bram Oke, Cilla Rao

## Jetty

The planks on the north side are rotten, and the last storm took two of them away.

It was agreed to close the north jetty until June.

ACTION: Bram to get three offers by 1 April

## Fees

The fees of the neighbouring clubs were compared. Cilla will write to the members about the new account.

## Lights

The question of the lamps along the quay was deferred to the May meeting.
"""
NOTES = """# Lathe 4.0 release notes

Lathe 4.0 has a new scheduler.

## Breaking changes

- Python 3.8 is no longer supported by the scheduler.
- The function that runs a job now returns a result instead of a tuple.

## Security

- Job names were not escaped on the web page, so that others could run scripts there.

## Bug fixes

- Jobs no longer hang when their log file is deleted while they run.

## Known issues

- On Windows the command to pause a job does not stop child processes.

## Other changes

- The documentation of the scheduler has been rewritten for new users.
"""


def answers(folder: Path, text: str, focus: str, **options: object) -> list[str]:
    path = folder / "source.md"
    path.write_text(text, encoding="utf-8")
    return [each.text for each in summarize(read(path), focus=focus, **options).sentences]


@pytest.mark.parametrize(
    ("focus", "beginnings"),
    [
        ("what was decided", ["It was agreed"]),
        ("who has to do what?", ["ACTION: Bram", "Cilla will"]),
        ("open questions", ["The question"]),
        ("decisions and action items", ["It was agreed", "ACTION: Bram", "Cilla will"]),
    ],
)
def test_all_that_minutes_mark_so_is_quoted(tmp_path: Path, focus: str, beginnings: list[str]) -> None:
    quoted = answers(tmp_path, MINUTES, focus)
    assert [text[: len(begins)] for text, begins in zip(quoted, beginnings, strict=True)] == beginnings


@pytest.mark.parametrize(
    ("focus", "beginnings"),
    [
        ("what breaks", ["Python 3.8", "The function"]),
        ("security fixes", ["Job names"]),
        ("what was fixed", ["Jobs no longer"]),
        ("known problems", ["On Windows"]),
        ("fixes and known issues", ["Jobs no longer", "On Windows"]),
    ],
)
def test_all_changes_of_a_kind_are_quoted(tmp_path: Path, focus: str, beginnings: list[str]) -> None:
    quoted = answers(tmp_path, NOTES, focus)
    assert [text[: len(begins)] for text, begins in zip(quoted, beginnings, strict=True)] == beginnings


TASKS = """# Mooring Club board, minutes of 4 March

Present: Ada Lund (chair), Bram Oke, Cilla Rao

## Jetty

ACTION: Bram to get three offers by 1 April

## Fees

The fees of the neighbouring clubs were compared with those of the club. Cilla will write to the members about the new account.

## Crane

The motor of the crane stops when it rains, and nobody has found out why so far. Bram will look into this.
"""


@pytest.mark.parametrize(
    ("options", "openings"),
    [
        ({}, ["ACTION:", "Cilla", "The", "Bram"]),
        ({"length": 60}, ["ACTION:", "Cilla", "The", "Bram"]),
        ({"length": 37}, ["ACTION:", "Cilla", "Bram"]),
        ({"length": 20}, ["ACTION:", "Cilla"]),
        ({"style": Style.OUTLINE}, ["ACTION:", "Cilla", "The", "Bram"]),
    ],
)
def test_what_stands_before_a_task_is_shown_only_with_it_and_where_it_needs_that(
    tmp_path: Path, options: dict[str, object], openings: list[str]
) -> None:
    quoted = answers(tmp_path, TASKS, "tasks", **options)
    assert [text.split()[0] for text in quoted] == openings
    assert not any(text.startswith("The fees") for text in quoted)


def test_a_fix_is_one_under_whatever_heading(tmp_path: Path) -> None:
    notes = NOTES.replace("## Bug fixes", "## Added\n\n- Fixed a crash of the timer.\n\n## Bug fixes")
    quoted = answers(tmp_path, notes, "fixes")
    assert [text.split()[0] for text in quoted] == ["Fixed", "Jobs"]


def test_what_is_asked_for_beside_and_not_marked_is_named(tmp_path: Path) -> None:
    path = tmp_path / "source.md"
    path.write_text(NOTES, encoding="utf-8")
    made = summarize(read(path), focus="fixes and deprecations")
    assert [each.text.split()[0] for each in made.sentences] == ["Jobs"]
    assert made.warnings == ("the source does not speak of “deprecations”",)


def test_what_was_decided_of_what_an_answer_names_is_quoted_with_it(tmp_path: Path) -> None:
    text = MINUTES.replace("## Jetty\n\n", "").replace("## Fees\n\n", "").replace("## Lights\n\n", "")
    text += "\nThere was a long discussion about the car park. No agreement was reached; the item was postponed.\n"
    text += "\nThe hedge was cut. It is two metres high now.\n"
    assert answers(tmp_path, text, "what about the car park") == [
        "There was a long discussion about the car park.",
        "No agreement was reached; the item was postponed.",
    ]
    assert answers(tmp_path, text, "the hedge") == ["The hedge was cut."]


def test_in_talk_what_others_decided_is_no_decision(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"{('Ada', 'Bram')[number % 2]}: {said}"
        for number, said in enumerate(
            [
                "Did anybody hear from the lab about the filter values this week?",
                "They picked the values for the filters last month.",
                "That was in the report which the lab sent around to all of the partners.",
                "We have a decision to make about our own filters after the tests.",
                "The tests take about three days on the small machine in the cellar.",
                "The weather was rather bad in the mountains at the weekend.",
                "So I stayed at home and read the paper about the antennas.",
                "What did it say about the noise in the cellar?",
            ]
        )
    )
    path = tmp_path / "talk.txt"
    path.write_text(text, encoding="utf-8")
    made = summarize(read(path), focus="what was decided")
    assert not any("They picked" in each.text for each in made.sentences)
    assert any("hardly speaks" in warning for warning in made.warnings)
