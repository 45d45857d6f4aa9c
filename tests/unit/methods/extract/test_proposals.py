"""A proposal is told by its own summary, then by the problem, what the change costs, and how it is done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from extraction import candidates_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract import own_summary, proposals
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.kinds import DocumentKind, document_kind_of, kind_of
from lsum_cli.methods.extract.proposals import shares_of
from lsum_cli.methods.extract.request import Extract, Request
from lsum_cli.methods.extract.selection import Share, select
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length
from lsum_cli.status import status_of

SUMMARY = (
    "This proposal lets the wardens of a lake open several sluices at once by a single call.",
    "A plan of openings is sent to the lock house, which carries it out as a whole or not at all.",
)
PROBLEM = (
    "Wardens cannot open more than one sluice today before the keeper of the lock has answered their call.",
    "Farmers complain because the meadows below the weir are flooded whenever those answers come too late.",
    "Without a list of what is to be opened, two wardens often ask for the same gate and neither knows it.",
    "Repairs of broken boards cost the county some ninety crowns in the spring, which no fund has paid so far.",
)
DESIGN = (
    "The lock house checks each plan against the height of the water before it moves a gate.",
    "Twelve sluices at most may be named in a plan, and the reason for each stands beside its number.",
    "What the wardens send is stored in the ledger of openings under the date of the new moon.",
    "If boards are being mended, the house refuses the plan and names the carpenter who works there.",
    "Gates move in the order in which the plan lists them, one for every stroke of the brass bell.",
    "A plan that was sent after dusk waits for the morning, since nobody can see the marks in the dark.",
    "Copies of the ledger are kept by the clerk of the county, who seals them with red wax in autumn.",
    "When the level rises above the second mark, every plan that still waits is dropped by the house.",
    "The messenger who brings a plan is given a ticket with its number and the hour of his arrival.",
    "Wardens read the outcome of their plan on the board at the mill by the evening of the same day.",
    "Boats that lie in the upper basin are told of an opening by a yellow flag on the southern tower.",
    "For night watches a lamp replaces the flag, and its colour says how many gates will be opened.",
)
COST = tuple(
    f"Keepers of {what} must learn the new plans, since {why} will no longer move by a call for each sluice."
    for what, why in (("old locks", "their gates"), ("small weirs", "their boards"))
)
REJECTED = "We considered bells that ring once for each sluice, and rejected them because nobody counts them."
TESTS = "Each lock house of the northern lake will be tried with empty basins for a week in the month of May."
SECTIONS = (
    ("Motivation", PROBLEM),
    ("Specification", DESIGN),
    ("Drawbacks", COST),
    ("Alternatives", (REJECTED,)),
    ("Test plan", (TESTS,)),
)


def proposal(*sections: tuple[str, Sequence[str]], title: str = "Openings of Sluices") -> Document:
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    return compose_document(passages, id="d0", source="-", title=title)


def kind(source: Document) -> DocumentKind:
    candidates = candidates_of(source)
    return document_kind_of(candidates, kind_of(candidates))


def summarised(source: Document, **wishes: object) -> Extract:
    words = suit_length(sum(len(each.text.split()) for each in source.sentences))
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return compose(pages, [source], Request(num_words=words, **wishes))  # type: ignore[arg-type]


def quoted(source: Document) -> set[str]:
    return {sentence.text for sentence in summarised(source).sentences}


def test_a_proposal_tells_its_summary_the_problem_the_costs_and_the_design() -> None:
    told = quoted(proposal(("Abstract", SUMMARY), *SECTIONS))
    assert told.issuperset(SUMMARY)
    assert told & set(PROBLEM)
    assert told & set(COST)
    assert told & set(DESIGN)
    assert told.isdisjoint({REJECTED, TESTS})


def test_what_is_told_beside_the_summary_stands_under_the_headings_of_its_sections() -> None:
    made = summarised(proposal(("Abstract", SUMMARY), *SECTIONS))
    assert [entry.heading for entry in made.outline] == ["Motivation", "Specification", "Drawbacks"]
    listed = [sentence for entry in made.outline for sentence in entry.sentences]
    assert made.sentences == (*made.sentences[: len(SUMMARY)], *listed)
    for entry, texts in zip(made.outline, (PROBLEM, DESIGN, COST), strict=True):
        assert {sentence.text for sentence in entry.sentences} <= set(texts)


def test_the_status_which_stands_above_is_not_told_again() -> None:
    deferred = "This proposal has been deferred, since no warden had the time to carry it to the county."
    source = proposal(("Abstract", SUMMARY), ("Deferral notice", (deferred,)), *SECTIONS)
    assert [line.text for line in status_of(source)] == [deferred]
    assert deferred not in quoted(source)


def test_what_is_left_alone_is_told_of_no_design() -> None:
    left = (
        "The plans do not reach the mills below the weir.",
        "Boats that lie at anchor are left alone too.",
    )
    assert quoted(proposal(("Abstract", SUMMARY), ("Non-Goals", left), *SECTIONS)).isdisjoint(left)


def test_a_length_to_be_filled_several_lengths_and_a_focus_have_no_headings() -> None:
    source = proposal(("Abstract", SUMMARY), *SECTIONS)
    for wishes in ({"has_length": True}, {"all_lengths": True}, {"focus": "the ledger of openings"}):
        made = summarised(source, **wishes)
        assert made.sentences
        assert not made.outline


def test_each_part_has_its_share_even_if_another_is_told_better() -> None:
    candidates = candidates_of(proposal(*SECTIONS))
    worth = {**dict.fromkeys(PROBLEM, 3.0), **dict.fromkeys(DESIGN, 2.0), **dict.fromkeys(COST, 1.9)}
    salience = np.array([worth.get(sentence.text, -20.0) for sentence in candidates.sentences])

    def told(shares: Sequence[Share]) -> list[int]:
        chosen = select(
            candidates, salience, 120, is_read=True, is_ranked=True, given=[len(PROBLEM)], shares=shares
        )
        texts = {candidates.sentences[position].text for position in chosen}
        return [len(texts & set(part)) for part in (PROBLEM, DESIGN, COST)]

    problem, design, cost = told(shares_of(candidates, np.zeros(len(candidates), bool)))
    assert problem == 2
    assert design >= 2
    assert cost == 1
    assert told(())[0] == len(PROBLEM)


def test_more_is_told_beside_a_long_summary_of_a_proposal() -> None:
    long = (
        *SUMMARY,
        "Farmers asked for it after the floods of two springs, when hay of forty meadows was lost to water.",
        "It follows what canals in other counties have done for years with messengers and printed cards.",
    )
    told = quoted(proposal(("Abstract", long), *SECTIONS))
    assert told.issuperset(long)
    assert told & set(PROBLEM)
    assert told & set(DESIGN)


USES = ("Flooding of the meadows (of hay, of clover, etc.)", "filling of basins", "Races of boats")


def test_the_phrases_of_a_list_in_a_summary_stand_below_what_announces_them() -> None:
    summary = (*SUMMARY, "Plans are used for:", *USES)
    made = summarised(proposal(("Abstract", summary), *SECTIONS))
    assert tuple(sentence.text for sentence in made.sentences[: len(summary)]) == summary


@pytest.mark.parametrize(
    "items",
    [
        (*USES, "gate-plan --open 7 >> /var/log", "gate-plan --shut 7 >> /var/log"),
        tuple(f"{use}, {time}" for use in USES for time in ("by night", "by day", "at noon")),
        USES[:1],
    ],
)
def test_no_code_long_list_or_single_phrase_is_quoted_of_a_summary(items: Sequence[str]) -> None:
    told = quoted(proposal(("Abstract", (*SUMMARY, "Plans are used for:", *items)), *SECTIONS))
    assert told.issuperset(SUMMARY)
    assert told.isdisjoint(items)


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("Sluices are opened by a plan that the wardens send to the lock house (by messenger)", True),
        ("A plan of openings for the wardens of the northern lake and its mills", False),
        ("Plans of Openings Potentially Required by Wardens of the Lake", False),
        ("Sluices are opened by a plan that is explained in the ledger, https://lake.example/plans", False),
        ("Sluices are opened by a plan (https://lake.example) that the wardens send to the house.", True),
        ("Sluices are opened by a plan of all openings that the wardens of the lake send to:", False),
        ("Thanks to all wardens who have read this plan for the sluices of the lake.", False),
        ("Lake evolution discussion thread: the wardens want to open the sluices by a plan.", False),
    ],
)
def test_a_line_of_a_summary_is_a_sentence_without_its_stop_but_no_title_or_address(
    line: str, is_told: bool
) -> None:
    told = quoted(proposal(("Abstract", (*SUMMARY, line)), *SECTIONS))
    assert told.issuperset(SUMMARY)
    assert (line in told) is is_told


def test_a_name_in_lower_case_begins_a_sentence_of_a_summary() -> None:
    named = "gatectl prints a plan. lockctl attaches to the gates of a lock that is being opened by hand."
    told = quoted(proposal(("Abstract", (f"{SUMMARY[0]} {named}",)), *SECTIONS))
    assert told.issuperset(named.partition(". ")[::2][1:])
    first = "gatectl opens several sluices of a lake at once by a single call of the wardens."
    assert first in quoted(proposal(("Abstract", (first, *SUMMARY)), *SECTIONS))


def test_a_summary_may_be_a_list_and_announce_what_is_not_read() -> None:
    announced = "This proposal lets the wardens of a lake do three things with a single call:"
    listed = (announced, "opening of several sluices at once", "closing of all of them by night")
    told = [sentence.text for sentence in summarised(proposal(("Abstract", listed), *SECTIONS)).sentences]
    assert tuple(told[: len(listed)]) == listed
    linked = "Sluices are opened by a plan (https://lake.example) that the wardens send to the house."
    shown = [
        f"In the ledger of {where} a plan for several sluices is written by hand like this:" for where in USES
    ]
    told_of_both = quoted(proposal(("Abstract", (*SUMMARY, linked, *shown)), *SECTIONS))
    assert told_of_both.issuperset((*SUMMARY, linked))
    assert told_of_both.isdisjoint(shown)


def test_another_of_the_series_is_cited_with_its_title() -> None:
    cited = (
        "This proposal extends LAKE-12 | Plans of Openings to let the wardens open several sluices at once."
    )
    assert cited in quoted(proposal(("Abstract", (cited, SUMMARY[1])), *SECTIONS))


@pytest.mark.parametrize("heading", [None, "Introduction"])
def test_what_a_proposal_without_a_summary_begins_with_is_told(heading: str | None) -> None:
    opening = "Wardens of a lake open several sluices at once by a single call that names them all in a plan."
    sections = (SECTIONS[0], ("Specification", (*DESIGN, *SUMMARY)), *SECTIONS[2:])
    passages = [
        Passage(heading=each, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for each, texts in ((heading, (opening,)), *sections)
    ]
    source = compose_document(passages, id="d0", source="-", title="Openings of Sluices")
    assert summarised(source).sentences[0].text == opening


def test_a_long_opening_leaves_room_for_what_follows() -> None:
    tests = tuple(TESTS.replace("northern", f"{number}th") for number in range(4, 12))
    more = (PROBLEM[2].replace("two wardens", f"the {number} wardens of a lake") for number in range(3, 9))
    opening = (*SUMMARY, *PROBLEM[:3], *more)
    sections = ((None, opening), ("Specification", DESIGN), ("Drawbacks", COST), ("Test plan", tests))
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    told = quoted(compose_document(passages, id="d0", source="-", title="Openings of Sluices"))
    assert 3 <= len(told & set(opening)) < len(opening)
    assert len(told & set(DESIGN)) >= 3


def test_of_the_fields_of_a_call_one_sentence_is_told_unless_the_title_names_them() -> None:
    def told(title: str, heading: str) -> int:
        before = (("Abstract", SUMMARY[:1]), ("Motivation", PROBLEM[:1]), ("Specification", DESIGN[:1]))
        source = proposal(*before, (heading, DESIGN[1:]), title=title)
        return len(quoted(source) & set(DESIGN[1:]))

    assert told("Openings of Sluices", "What a call holds") > 1
    assert told("Openings of Sluices", "The call and its fields") == 1
    assert told("Plans and Their Fields", "The call and its fields") > 1


def test_reasons_have_a_share_after_the_design_and_tell_the_problem_before_it() -> None:
    def parts(*headings: str) -> list[bool]:
        passages = [(heading, (DESIGN[number],)) for number, heading in enumerate(headings)]
        candidates = candidates_of(proposal(*passages))
        shares = shares_of(candidates, np.zeros(len(candidates), bool))
        place = headings.index("Rationale")
        return [bool(shares[number].is_part[place]) for number in (3, 5)]

    assert parts("Rationale", "Specification") == [True, False]
    assert parts("Motivation", "Specification", "Rationale") == [False, True]


def test_the_mechanism_is_told_where_a_heading_says_that_it_is() -> None:
    source = proposal(
        ("Motivation", PROBLEM), ("Order of the gates", DESIGN[2:]), ("Specification", DESIGN[:2])
    )
    candidates = candidates_of(source)
    worth = {**dict.fromkeys(DESIGN[2:], 3.0), **dict.fromkeys(DESIGN[:2], 2.0)}
    salience = np.array([worth.get(sentence.text, -20.0) for sentence in candidates.sentences])
    shares = shares_of(candidates, np.zeros(len(candidates), bool))
    chosen = select(candidates, salience, 90, is_read=True, is_ranked=True, given=[5], shares=shares)
    assert {candidates.sentences[position].text for position in chosen} & set(DESIGN[:2])


def test_how_is_told_by_what_changes() -> None:
    design = tuple(text.replace("will be", "is").replace("will", "must") for text in DESIGN)

    def told(text: str) -> bool:
        sections = (SECTIONS[0], ("Specification", (design[0], text, *design[1:])), SECTIONS[2])
        return text in quoted(proposal(("Abstract", SUMMARY), *sections))

    assert told("The lock house will be told of every plan by the clerk before noon.")
    assert not told("The lock house is told of every plan by the clerk before noon.")


def test_what_changes_leaves_the_problem_its_share() -> None:
    verbs = ("checks", "waits", "refuses", "replaces")
    design = [text.replace("is ", "will be ").replace("are ", "will be ") for text in DESIGN]
    for verb in verbs:
        design = [text.replace(verb, f"will {verb[:-1]}") for text in design]
    sections = (("Motivation", PROBLEM[2:]), ("Specification", design), SECTIONS[2])
    assert quoted(proposal(("Abstract", SUMMARY[:1]), *sections)).issuperset(PROBLEM[2:])


def test_what_breaks_is_told_of_the_costs() -> None:
    costs = tuple(
        f"Keepers of {what} must learn the new plans of the lake, since {why} are moved by a call for each "
        "sluice."
        for what, why in (("old locks", "their gates"), ("small weirs", "their boards"))
    )

    def told(text: str) -> bool:
        sections = (*SECTIONS[:2], ("Drawbacks", (text, *costs)))
        return text in quoted(proposal(("Abstract", SUMMARY), *sections))

    gates = "the gates of old locks, which must be moved by a call for each sluice."
    assert told(f"The plans of the lake are incompatible with {gates}")
    assert not told(f"The plans of the lake are in accordance with {gates}")


def test_what_a_summary_says_again_at_its_end_is_told_once() -> None:
    again = "A single call opens several sluices of a lake in the order of its plan."
    first = "With this proposal, a single call opens several sluices of a lake in the order of its plan."
    told = [
        each.text
        for each in summarised(proposal(("Abstract", (first, *SUMMARY, again)), *SECTIONS)).sentences
    ]
    assert first in told
    assert again not in told


POINTS = ("no gate can be opened by night", "calls of two wardens are easily mixed up")


def with_points(*problem: str) -> set[str]:
    sections = (("Motivation", (*PROBLEM, *problem)), *SECTIONS[1:])
    return quoted(proposal(("Abstract", SUMMARY), *sections))


def test_the_points_of_a_problem_are_told_with_what_announces_them() -> None:
    announced = "Calls by messenger have several known drawbacks:"
    assert with_points(announced, *POINTS).issuperset((announced, *POINTS))
    # Of points of several sentences the first, where it is known how many there are.
    counted, longer = "Calls by messenger have two drawbacks:", "This has cost forty meadows their hay."
    points = [f"{point[:1].upper()}{point[1:]}. {longer}" for point in POINTS]
    told = with_points(counted, *points, "Boats lie idle in the upper basin.")
    assert told.issuperset((counted, *(point.partition(" This")[0] for point in points)))
    assert longer not in told
    assert with_points(announced, *points).isdisjoint((announced, *points))


def test_the_points_of_a_problem_come_after_what_they_go_on_from() -> None:
    before, announced = "A messenger walks along the dike twice a day.", "This way has several drawbacks:"
    told = with_points(f"{before} {announced}", *POINTS)
    assert told.issuperset((before, announced, *POINTS))


@pytest.mark.parametrize(
    ("announced", "points"),
    [
        ("A plan of openings looks like this:", POINTS),
        ("Calls by messenger have, for example, these drawbacks:", POINTS),
        ("Calls by messenger have three drawbacks:", POINTS),
        ("Calls by messenger have several drawbacks:", POINTS[:1]),
        (
            "Calls by messenger have several drawbacks:",
            tuple(f"{POINTS[0]} of {each} May" for each in "123456"),
        ),
        ("Calls by messenger have several drawbacks:", (f"{POINTS[0]}?", f"{POINTS[1]}?")),
        ("Calls by messenger have several drawbacks:", (f"{POINTS[0]}:", f"{POINTS[1]}:")),
        ("Calls by messenger have several drawbacks:", ("gate --open=7 > /dev/7", "gate --shut=7 > /dev/7")),
        ("Calls by messenger have several drawbacks:", tuple(f"{each} " * 6 for each in POINTS)),
    ],
)
def test_no_other_list_is_told_of_the_problem(announced: str, points: Sequence[str]) -> None:
    assert with_points(announced, *points).isdisjoint((announced, *points))


def test_a_record_of_a_decision_tells_context_decision_and_consequences() -> None:
    told = quoted(proposal(("Context", PROBLEM), ("Decision", DESIGN), ("Consequences", COST)))
    assert all(told & set(texts) for texts in (PROBLEM, DESIGN, COST))


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("Motivation", "problem"),
        ("Problem Description", "problem"),
        ("2. Motivation: why is this proposal necessary?", "problem"),
        ("Backwards Compatibility", "cost"),
        ("Risks", "cost"),
        ("Security Impact", "cost"),
        ("Specification", "proposed"),
        ("Detailed Explanation", "proposed"),
        ("The plan of openings", "design"),
        ("Current state of the sluices", "problem"),
        ("Order of gates (previous version)", "problem"),
        ("Plans before this change", "problem"),
        ("Specification › Rationale and alternatives", "reason"),
        ("Audience", None),
        ("Ringing bells (rejected)", None),
        ("Frequently Asked Questions", None),
        ("Motivation › Slow wardens", "problem"),
        ("Specification › Security of the ledger", "cost"),
        ("Rejected Ideas › Ringing bells", None),
        ("Goals", "proposed"),
        ("Main Objectives of the plan", "proposed"),
        ("Goals and Non-Goals", None),
        ("Non Goals", None),
        ("Upgrade / Downgrade Strategy", None),
        ("Test Plan", None),
        ("Implementation History", None),
    ],
)
def test_the_part_of_a_section_is_told_by_its_headings(path: str, part: str | None) -> None:
    passages = []
    for level, heading in enumerate(path.split(" › "), start=1):
        passages.append(Passage(heading=heading, level=level, paragraphs=(Paragraph.of(DESIGN[level]),)))
    candidates = candidates_of(compose_document(passages, id="d0", source="-", title="Openings"))
    shares = shares_of(candidates, np.zeros(len(candidates), bool))
    # What is proposed has a share before the others, and what they leave.
    names = ("summary", "proposed", "design", "problem", "cost", "reason", "design")
    parts = [name for name, share in zip(names, shares, strict=True) if share.is_part[-1]]
    assert parts[:1] == [part][: part is not None]
    assert ("design" in parts) is (part in ("proposed", "design"))


def test_why_is_told_by_what_is_wrong_rather_than_by_how_things_are() -> None:
    known = (
        "Every sluice of the lake has its own keeper, who lives beside it and knows each board by heart.",
        "Calls for an opening go to that keeper by a messenger, who walks along the dike twice a day.",
        "Some forty meadows lie below the weir, and the hay of the county grows on most of them today.",
        "In other counties the keepers are paid by the mills, whose owners meet once in every spring.",
    )
    wrong = "While calls are slow, two sluices are hard to open, and the hay below the weir of the lake is wasted."
    told = quoted(proposal(("Abstract", SUMMARY), ("Motivation", (*known, wrong)), *SECTIONS[1:]))
    assert wrong in told
    assert len(told & set(known)) < 2


@pytest.mark.parametrize(
    ("heading", "text", "is_told"),
    [
        (
            "Security considerations",
            "Plans of openings bring no new risks for the boats or for the mills.",
            False,
        ),
        (
            "Performance impact",
            "There will be a minimal impact on the house, which reads a plan of openings only once.",
            False,
        ),
        (
            "Performance impact",
            "Reading each plan of openings should not be a significant issue for the keepers of locks.",
            False,
        ),
        (
            "Risks",
            "The risks are largely the same as those of the calls by which wardens open a sluice.",
            False,
        ),
        (
            "Security considerations",
            "A forged plan opens every sluice at once, unless the seal is checked.",
            True,
        ),
        (
            "Backwards compatibility",
            "Plans of openings bring no change to existing calls by messengers.",
            True,
        ),
    ],
)
def test_what_costs_nothing_is_told_of_what_stops_working_alone(
    heading: str, text: str, is_told: bool
) -> None:
    told = quoted(proposal(("Abstract", SUMMARY), *SECTIONS[:2], (heading, (text,))))
    assert (text in told) is is_told


@pytest.mark.parametrize(
    "beside",
    [
        "Note that the wardens of the lake send a plan of openings to the lock house by a single call.",
        "Lock house: the house that checks a plan of openings and moves the gates of the sluices of the lake.",
        "The lock house sends plans of openings to several lakes in the future, whose wardens carry them out.",
        "In the future the lock house sends plans of openings to several lakes, whose wardens carry them out.",
        "As a warden of the lake, I want the lock house to carry out a plan of openings as a whole by my call.",
        "Although the wardens of the lake send a plan of openings to the lock house by a single call to it.",
        "The lock house carries out a plan of openings as described below, and moves the gates of the lake.",
        "With Option B the lock house carries out a plan of openings for the wardens of the lake as a whole.",
        "This section describes how the lock house carries out a plan of openings by a call of the wardens.",
        "Here we will describe the plan of openings that the lock house carries out for the wardens of the lake.",
        "How the lock house carries out a plan of openings for the lake is beyond the scope of the wardens.",
        "There are no changes to the calls of the wardens, which the lock house carries out for the lake.",
    ],
)
def test_notes_labels_and_what_is_left_for_later_are_not_told_of_the_design(beside: str) -> None:
    design = ("Specification", (beside, *DESIGN))
    told = quoted(proposal(("Abstract", SUMMARY[:1]), SECTIONS[0], design, *SECTIONS[2:]))
    assert told & set(DESIGN)
    assert beside not in told


@pytest.mark.parametrize(
    "place",
    [
        "A reference implementation of the plans can be found in the mill of the clerk of the county.",
        "See Plans of Later Springs for more.",
    ],
)
def test_where_something_else_stands_is_not_told(place: str) -> None:
    told = quoted(proposal(("Abstract", (*SUMMARY, place)), *SECTIONS))
    assert told.issuperset(SUMMARY)
    assert place not in told


@pytest.mark.parametrize(
    "title", ["XEP-0712: Openings", "[RFC 12] Openings", "MSC3440 Openings", "KEP-7: Dams"]
)
def test_a_title_that_numbers_a_proposal_speaks_for_one(title: str) -> None:
    sections = (("Sluices", DESIGN), ("Security considerations", COST))
    assert kind(proposal(*sections, title=title)) is DocumentKind.PROPOSAL
    assert kind(proposal(*sections, title="Openings of 12 Sluices")) is DocumentKind.OTHER


def test_a_specification_that_demands_in_capitals_is_a_proposal() -> None:
    demands = ["A keeper of a sluice MUST ring the bell of the mill before the gate is opened."]
    own = ["This document defines how sluices are opened.", "No table of the tides is in this specification."]
    design = ("Sluices", (*DESIGN, *demands, *demands))
    sections = (("Introduction", own), design, ("Security Considerations", COST))
    assert kind(proposal(*sections)) is DocumentKind.PROPOSAL
    guide = (sections[0], ("Sluices", [text.replace("MUST", "must") for text in design[1]]), sections[2])
    assert kind(proposal(*guide)) is DocumentKind.OTHER
    assert kind(proposal(*sections[:2], ("Safety", COST))) is DocumentKind.OTHER


def test_what_a_proposal_says_of_sources_is_of_compatibility() -> None:
    sections = (("Proposed solution", DESIGN), ("Source compatibility", COST))
    assert kind(proposal(*sections)) is DocumentKind.PROPOSAL


def test_a_proposal_that_lists_the_releases_of_its_rollout_is_no_release_notes() -> None:
    rollout = [text for number in (3, 4, 5) for text in (f"Release 1.{number}", DESIGN[number])]
    sections = (("Motivation", PROBLEM), ("Rollout", rollout), ("Proposal", DESIGN), ("Test plan", [TESTS]))
    assert kind(proposal(*sections)) is DocumentKind.PROPOSAL


def test_a_proposal_that_tells_no_how_is_as_long_as_suits() -> None:
    said = (*PROBLEM, *DESIGN)
    source = proposal(("Summary", SUMMARY), ("Motivation", said), title="KEP-7: Openings of Sluices")
    assert kind(source) is DocumentKind.PROPOSAL
    pages = paginate([source], choose_locality([source]).locality, 1024)
    num_words = suit_length(sum(len(text.split()) for text in (*SUMMARY, *said)))
    told = compose(pages, [source], Request(num_words=num_words)).sentences
    assert sum(len(sentence.text.split()) for sentence in told) >= num_words


@pytest.mark.parametrize(
    ("focus", "answers"),
    [
        ("what problem does this solve?", PROBLEM),
        ("why is this needed", PROBLEM),
        ("arguments against it", COST),
        ("alternatives considered", (REJECTED,)),
    ],
)
def test_a_focus_is_answered_by_the_part_that_tells_it(focus: str, answers: Sequence[str]) -> None:
    made = summarised(proposal(("Abstract", SUMMARY), *SECTIONS), focus=focus)
    assert made.sentences
    assert {sentence.text for sentence in made.sentences} <= set(answers)


@pytest.mark.parametrize(
    "text",
    [
        "Here we propose to replace the auction of the lock by a fixed fee.",
        "Nodes of the lake — both full and light — must upgrade before the fork.",
        "Connection pooling provides each worker with a gate of its own.",
        "The least fee is defined as ten percent below the median fee of a day.",
    ],
)
def test_what_is_said_of_the_design_itself_is_not_beside_it(text: str) -> None:
    assert not proposals._is_beside(text)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("For more information see the guide of the lock.", True),
        ("See the guide of the lock for its fees.", True),
        ("See Amble's operational documentation for how the lock works.", True),
        ("For more than a decade, keepers have set the fee of the lock by an auction.", False),
        ("For more complex locks the tool needs two passes.", False),
        ("e.g. keepers set the fee of the lock by an auction.", True),
        ("We hope to halve the cost of a crossing.", False),
        ("See und Ufer stehen ab Mai unter Schutz.", False),
    ],
)
def test_what_sends_elsewhere_is_none_of_a_summary(text: str, points: bool) -> None:
    assert (own_summary._POINTS.match(text) is not None) is points


def test_what_announces_points_is_told_only_where_it_is_understood() -> None:
    changes = (
        "They make three changes:",
        "The auction takes an hour.",
        "Small boats lose it.",
        "They wait for days.",
    )
    source = compose_document(
        [
            Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
            for heading, texts in (
                (None, ("Ada Weir, keeper of the lock.", "Draft of May.")),
                ("Motivation", changes),
                *SECTIONS[1:],
            )
        ],
        id="d0",
        source="-",
        title="PEP 9 - Openings of Sluices",
    )
    assert "Ada Weir, keeper of the lock." not in quoted(source)


def test_what_could_be_done_instead_is_no_reason() -> None:
    reason = "A plan leaves the gates of the lake to one house, which knows the height of the water."
    instead = (
        "We could give each warden a bell for the gates of the lake, which the house hears at night.",
        "The first was to let the wardens of the lake ring a bell for each gate in the house.",
    )
    source = proposal(*SECTIONS[:2], ("Rationale and alternatives", (*instead, reason)))
    candidates = candidates_of(source)
    *_, reasons, _ = shares_of(candidates, np.zeros(len(candidates), bool))
    assert [candidates.sentences[row].text for row in np.flatnonzero(reasons.is_part)] == [reason]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("To end this delay, the present proposal lets a plan of openings move several gates at once.", True),
        ("The goal of this proposal is to spare the wardens this delay by plans of openings.", True),
        ("In order to close this gap, we propose to let a plan of openings move several gates.", True),
        ("This PEP proposes plans of openings, by which this delay of the sluices is ended.", True),
        ("The goal of this proposal is to address this delay.", False),
        ("Because of this delay an earlier version of this proposal suggested plans of openings.", False),
        ("To end this delay of the sluices, we propose to replace it by a plan of openings.", False),
        ("In order to close this gap, we propose the following plan of openings of the sluices.", False),
        ("To end this delay, we propose to build the first two options of the sluices.", False),
        ("Because of this delay the gates of the sluices are moved by a plan of openings.", False),
    ],
)
def test_what_a_proposal_says_that_it_proposes_needs_nothing_before_it(text: str, is_told: bool) -> None:
    candidates = candidates_of(proposal(SECTIONS[0], ("Proposal", (text, *DESIGN)), *SECTIONS[2:]))
    position = [sentence.text for sentence in candidates.sentences].index(text)
    assert Structure.of(candidates).stands_alone[position] == is_told


def test_a_rule_that_shares_the_words_of_another_does_not_restate_it() -> None:
    short = "A plan of openings moves the gates of a sluice."
    longer = (
        "A plan of openings moves the gates of a sluice in the order in which the wardens of the lake list "
        "them, one for every stroke of the bell."
    )
    told = quoted(
        proposal(("Abstract", (short, SUMMARY[1])), SECTIONS[0], ("Specification", (longer, *DESIGN)))
    )
    assert longer in told


def test_that_it_is_not_compatible_is_told_first_of_the_costs() -> None:
    breaks = "The lock house is not compatible with the lamps on the towers of the lake."
    costs = tuple(
        f"Keepers of {what} must learn the new plans of openings of the lake, since {why} will no longer move "
        "by a call for each sluice."
        for what, why in (
            ("old locks", "their gates"),
            ("small weirs", "their boards"),
            ("long dikes", "their flags"),
            ("high mills", "their wheels"),
        )
    )
    told = quoted(proposal(("Abstract", SUMMARY), *SECTIONS[:2], ("Drawbacks", (*costs, breaks))))
    assert breaks in told


def test_that_it_is_not_compatible_may_be_told_in_few_words() -> None:
    breaks = "This TAP is not backwards compatible."
    told = quoted(proposal(("Abstract", SUMMARY), *SECTIONS[:2], ("Backwards compatibility", (breaks,))))
    assert breaks in told


def test_what_only_points_to_another_text_is_not_told() -> None:
    pointer = (
        "This blog post has more on the plans of openings that the wardens of the lake send to the house."
    )
    design = (*DESIGN[:6], pointer, *DESIGN[6:])
    assert pointer not in quoted(proposal(("Abstract", SUMMARY), SECTIONS[0], ("Specification", design)))


def told_of_design(text: str, *after: str) -> bool:
    design = (*DESIGN[:6], " ".join((text, *after)), *DESIGN[6:])
    sections = (SECTIONS[0], ("Specification", design), SECTIONS[2])
    return text in quoted(proposal(("Abstract", SUMMARY), *sections))


def test_what_a_long_paragraph_of_the_change_begins_with_is_told() -> None:
    topic = "The paper of the wardens is folded twice before a messenger brings it to the mill."
    assert told_of_design(topic, "It lists the gates.", "It has a seal.")
    assert not told_of_design(topic)


def test_what_holds_in_some_case_is_told_less_often() -> None:
    assert told_of_design("The lock house will tell the wardens of the lake by noon, if a gate is stuck.")
    assert not told_of_design("If a gate is stuck, the lock house will tell the wardens of the lake by noon.")


def test_a_long_summary_leaves_room_for_what_is_proposed() -> None:
    more = tuple(
        PROBLEM[2].replace("two wardens", f"the {number} wardens of a lake") for number in range(3, 9)
    )
    told = quoted(proposal(("Abstract", (*SUMMARY, *more)), *SECTIONS))
    assert told & set(more)
    assert not told.issuperset(more)


def test_what_opens_a_section_of_a_proposal_is_shown_without_the_code_below() -> None:
    line = "Every lock house must implement the ledger of openings:"
    for texts, is_shown in (((line, *DESIGN), True), ((*DESIGN[:2], line, *DESIGN[2:]), False)):
        source = proposal(("Abstract", SUMMARY), ("Motivation", PROBLEM), ("Specification", texts))
        assert kind(source) is DocumentKind.PROPOSAL
        candidates = candidates_of(source)
        structure = Structure.of(candidates)
        position = [sentence.text for sentence in candidates.sentences].index(line)
        assert structure.stands_alone[position] == is_shown
        assert structure.shown(candidates, position) == (f"{line[:-1]}." if is_shown else line)


def test_items_that_open_a_section_of_a_proposal_are_shown() -> None:
    items = tuple(DESIGN[number].rstrip(".") for number in (1, 4, 8, 9, 10))
    source = proposal(("Abstract", SUMMARY), ("Motivation", PROBLEM), ("Specification", items))
    assert kind(source) is DocumentKind.PROPOSAL
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    position = [sentence.text for sentence in candidates.sentences].index(items[0])
    assert structure.is_presentable[position : position + 3].tolist() == [True, True, False]


def test_the_colon_before_code_is_a_stop_though_a_sentence_follows() -> None:
    line = "Every lock house must implement the ledger of openings:"
    source = proposal(("Abstract", SUMMARY), ("Motivation", PROBLEM), ("Specification", (line, *DESIGN)))
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    position = [sentence.text for sentence in candidates.sentences].index(line)
    assert structure.shown(candidates, position, before=position + 1) == f"{line[:-1]}."


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("A timetable is a sheet of openings that the clerk of the county writes for the wardens.", True),
        ("A timetable is a difficult topic that the clerk of the county writes for the wardens.", False),
    ],
)
def test_what_the_term_means_that_a_section_is_headed_with_is_told(text: str, is_told: bool) -> None:
    source = proposal(
        ("Motivation", PROBLEM), ("Specification", DESIGN[3:]), ("Timetables", (*DESIGN[:3], text))
    )
    assert (text in quoted(source)) is is_told
