"""The text of a change: credits go, what is said stays."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of

from lsum_cli.methods.extract.listed_changes.change import plain_change, without_label, without_maker


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Backups are incremental (#212).", "Backups are incremental."),
        ("cli: add a format (#820) (abc1234)", "cli: add a format"),
        ("Totals are right, closes #815", "Totals are right"),
        ("Read the page at https://example.org", "Read the page at https://example.org"),
        ("Drop rule #5 of 7.", "Drop rule #5 of 7."),
        ("Wide tables are read (#12; PR by @kira)", "Wide tables are read"),
        ("Wide tables are read (Kira Dahl, PR 12)", "Wide tables are read"),
        ("Wide tables are read (kira/tables#12).", "Wide tables are read."),
        ("#12, #13: Wide tables are read", "Wide tables are read"),
        ("PR #12: (kira) Wide tables are read @ 2024-05-01 10:11:12 UTC", "Wide tables are read"),
        ("3b9f20c771 Wide tables are read", "Wide tables are read"),
        ("The fault came with the fix for #12.", "The fault came with the fix for #12."),
        ("defaced Tables are read", "defaced Tables are read"),
        ("Wide tables are read (@kira).", "Wide tables are read."),
        ("Wide tables are read (thanks to @kira and @ada-n) (#12)", "Wide tables are read"),
        ("Wide tables are read (#12) (@kira - thanks!)", "Wide tables are read"),
        ("Wide tables are read, thanks to @kira", "Wide tables are read"),
        ("Wide tables are read -- by Kira Dahl.", "Wide tables are read."),
        ("Wide tables are read -- by kira_92 and Ada Brook", "Wide tables are read"),
        ("Wide tables are read faster -- by half.", "Wide tables are read faster -- by half."),
        ("Wide tables are read faster -- by 30x", "Wide tables are read faster -- by 30x"),
        ("Wide tables are read (#12) (3b9f20c771) -- Kira Dahl", "Wide tables are read"),
        ("Wide tables are read (thanks to kira_92 and Ada Brook (@ada))", "Wide tables are read"),
        (
            "Tables are read at once (thanks to the new parser)",
            "Tables are read at once (thanks to the new parser)",
        ),
        *(
            (f"Tables are read at once (thanks to {why})",) * 2
            for why in ("caching", "SIMD and Rust", "Windows", "Ada Brook and caching", "Apple Silicon")
        ),
        ("Fonts are drawn, but not on old hosts (by Core Text)",) * 2,
        ("Wide tables are read (#12, 3b9f20c)", "Wide tables are read"),
        ("``tables`` and `rows` are read", "tables and rows are read"),
        ("**Removed** the old tables", "Removed the old tables"),
        ("PR 638: read: return wide tables", "read: return wide tables"),
        ("Wide tables are read (#12 by KiraDahl)", "Wide tables are read"),
        ("Wide tables are read (pull request #12, by Kira Dahl)", "Wide tables are read"),
        ("Wide tables are read (See https://a.example/lathe/issues/99)", "Wide tables are read"),
        ("02/07/2020 Removed wide tables", "Removed wide tables"),
        ("(2020-07-02) Tables of that day are read", "(2020-07-02) Tables of that day are read"),
        ("Bugfix #544: Wide tables are read", "Wide tables are read"),
        ("Feature #12/#13: Add wide tables", "Add wide tables"),
        ("https://a.example/pull/1 -- Read wide tables", "Read wide tables"),
        ("https://a.example is where tables are read", "https://a.example is where tables are read"),
        ("Wide tables are read -- by default", "Wide tables are read -- by default"),
        ("Wide tables are read -- Kira Dahl", "Wide tables are read -- Kira Dahl"),
        ("Wide tables are read thanks to Numbers", "Wide tables are read thanks to Numbers"),
        ("Methods can be read as fields (@property)", "Methods can be read as fields (@property)"),
        ("Add a decorator for gates (@gate)", "Add a decorator for gates (@gate)"),
        ("Tables are read (by Oracle, not by us).", "Tables are read (by Oracle, not by us)."),
        ("Wide tables are read #12 (kira-92).", "Wide tables are read #12 (kira-92)."),
        ("Mend the gate requested by @kira", "Mend the gate"),
        ("Mend the gate (@kira #12)", "Mend the gate"),
        ("Mend the gate requested by @kira in https://a.example/pull/1", "Mend the gate"),
        ("Mend the gate proposed by @kira (#12)", "Mend the gate"),
        ("Doors are closed by @kira", "Doors are closed by @kira"),
        ("Mend the feed by @kira", "Mend the feed"),
        ("Doors stay closed by @kira in https://a.example/pull/1", "Doors stay closed"),
        ("Wide tables are read (#12) (windows)", "Wide tables are read (#12) (windows)"),
        ("Wide tables are read (kira)", "Wide tables are read (kira)"),
        ("Wide tables are read (3b9f20c by Ada Brook).", "Wide tables are read."),
        ("Wide tables are read ( #12 reported by @kira , fixed by @ada )", "Wide tables are read"),
        ("Wide tables are read ( #12 ; by @kira )", "Wide tables are read"),
        ("(#12) Wide tables are read", "Wide tables are read"),
        ("MRG: Read wide tables", "Read wide tables"),
        ("[WIP] Read wide tables", "Read wide tables"),
        ("[MRG+1] ENH: Read wide tables", "Read wide tables"),
        ("BUG Read wide tables", "Read wide tables"),
        ("[DOC] Read wide tables", "Read wide tables"),
        ("DOC files are read", "DOC files are read"),
    ],
)
def test_credits_go_and_what_is_said_stays(written: str, plain: str) -> None:
    assert plain_change(written) == plain


@pytest.mark.parametrize(
    ("others", "written", "plain"),
    [
        (["#1 (kira)", "#2 (adabrook)", "#3 (noor-l)"], "Open doors #4 (kira).", "Open doors #4."),
        (["#1 (kira)", "#2 (adabrook)", "#3 (noor-l)"], "Open doors #4 (opt-in)", "Open doors #4 (opt-in)"),
        (["#1 (kira)", "#2 (adabrook)", "#3 (noor-l)"], "Open doors #4 (3x)", "Open doors #4 (3x)"),
        (["#1", "#2", "#3"], "Write logs #4 (verbose)", "Write logs #4 (verbose)"),
        (["#1 (kira)", "#2", "#3", "#5"], "Write logs #4 (verbose)", "Write logs #4 (verbose)"),
        *(
            ([], f"Delete records #12 ({word})", f"Delete records #12 ({word})")
            for word in (
                *("opt-in", "disabled", "optional", "internal", "unix", "security", "3x", "regression"),
                "kira",
            )
        ),
    ],
)
def test_accounts_go_where_changes_have_one_as_a_rule(others: list[str], written: str, plain: str) -> None:
    lines = [f"The gates of the pier are open {end}" for end in [*others, "at night"]]
    candidates = candidates_of(document_of((None, lines)))
    assert without_maker(candidates, written) == plain


@pytest.mark.parametrize(
    "where", ["Internet Explorer", "Apple Silicon", "Debian and Ubuntu", "Not On Windows"]
)
@pytest.mark.parametrize("number", [" #103", ""])
def test_a_restriction_is_no_name_of_a_person(number: str, where: str) -> None:
    lines = [f"The gates of pier {at} are open{number} (Kira Dahl)" for at in range(9)]
    written = f"Removed the old ledger{number} ({where})"
    for others in ([], [(None, ["Thanks to Kira Dahl for all of it"])], [("Contributors", ["Kira Dahl"])]):
        candidates = candidates_of(document_of((None, [*lines, written]), *others))
        assert without_maker(candidates, written) == written
        shown = lines[0].removesuffix(" (Kira Dahl)") if others else lines[0]
        assert without_maker(candidates, lines[0]) == shown


@pytest.mark.parametrize("thanks", ["thanks to", "by"])
def test_thanks_to_a_full_name_go_where_it_is_listed_as_that_of_a_contributor(thanks: str) -> None:
    written = f"Wide tables are read ({thanks} Ada Brook and Kira Dahl) (#12)"
    assert plain_change(written) == written.removesuffix(" (#12)")
    for others, is_listed in (
        ([], False),
        ([("Contributors", ["Kira Dahl"])], False),
        ([("Contributors", ["Kira Dahl (@kira)", "Ada Brook"])], True),
    ):
        candidates = candidates_of(document_of((None, [written]), *others))
        made = plain_change(without_maker(candidates, written))
        assert made == ("Wide tables are read" if is_listed else written.removesuffix(" (#12)"))


@pytest.mark.parametrize("end", [" (#12) by kira.", " via @kira.", " - via @kira."])
def test_a_name_after_the_number_of_a_change_goes_where_many_have_one(end: str) -> None:
    lines = [f"The gates of pier {at} are open{end}" for at in range(7)]
    candidates = candidates_of(document_of((None, lines)))
    assert plain_change(without_maker(candidates, lines[0])) == "The gates of pier 0 are open."
    halved = "Gates open faster (#12) by half."
    assert without_maker(candidates, halved) == halved
    few = candidates_of(document_of((None, lines[:3])))
    assert without_maker(few, lines[0]) == lines[0]


@pytest.mark.parametrize("again", [" #1", " #1 and", ", (#1)", " https://a.example/pull/1"])
def test_many_numbers_that_do_not_end_a_change_are_read_in_no_time(again: str) -> None:
    """A pattern that gave numbers back one by one would need hours for as few as forty."""
    text = f"Fixed a{again * 4000} end"
    assert plain_change(text) == text


def test_a_label_of_what_breaks_is_no_part_of_the_change() -> None:
    for label in ("backwards-incompatible", "Breaking change", "BREAKING"):
        assert without_label(f"{label}: Tables are read at once") == "Tables are read at once"
    assert without_label("Tables: read at once") == "Tables: read at once"
