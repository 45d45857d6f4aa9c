"""A decision with a syllabus is told as the syllabus tells it: the case, how it came, what was held."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from extraction import document_of, summarize

from lsum_cli.documents import Document
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import SummarySentence

FILLER = tuple(
    f"The {place} of the {side} county is kept by {number} wardens who measure the water of the lakes."
    for number, (place, side) in enumerate(
        (place, side)
        for place in ("harbour", "canal", "mill", "weir", "bridge")
        for side in ("northern", "southern", "eastern", "western")
    )
)

CASE = (
    "Respondent Marsh keeps herons on a lake that the county drains every spring for its canal.",
    "She asked the wardens for leave to close the sluice, and they refused without a hearing.",
    "When she closed it anyway, they fined her under the rule of 1855.",
    "The trial court upheld the fine after a day of argument about the history of the rule.",
    "The Court of Appeals reversed, finding that no warden may fine a keeper whom nobody heard.",
)
FIRST = "A keeper must be heard before the wardens fine her."
REASON = "(a) The history of the rule shows that hearings were held in every parish before the canal was dug."
SECOND = "The rule of 1855 does not reach lakes that the county itself has drained."
JUDGMENT = "The judgment of the Court of Appeals is affirmed."


def decision(*sections: tuple[str, Sequence[str]]) -> Document:
    return document_of(*sections, title="COUNTY v. MARSH")


def told(source: Document, length: str | None = None) -> Sequence[SummarySentence]:
    """The sentences of the summary of a named length, or of the one that suits the document."""
    return summarize(source, length=length or "auto").sentences


def texts_of(source: Document, length: str | None = None) -> list[str]:
    return [each.text for each in told(source, length)]


DECISION = decision(
    ("Syllabus", [" ".join(CASE), f"Held: 1. {FIRST} {REASON}", f"2. {SECOND}", "Affirmed."]),
    ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT]),
)


def test_the_case_reads_on_from_its_beginning_to_what_was_held() -> None:
    assert texts_of(DECISION) == [*CASE, FIRST, REASON.removeprefix("(a) "), SECOND, JUDGMENT]


def test_what_was_held_and_the_judgment_are_labelled() -> None:
    # After "The Court of Appeals reversed" nothing else says whose view it is.
    assert {each.text: each.label for each in told(DECISION)} == {
        **dict.fromkeys((*CASE, REASON.removeprefix("(a) "))),
        FIRST: "Held",
        SECOND: "Held",
        JUDGMENT: "Judgment",
    }


@pytest.mark.parametrize("name", ["short", "medium"])
def test_a_shorter_one_keeps_the_first_fact_the_ruling_below_and_the_holding(name: str) -> None:
    shorter = texts_of(DECISION, name)
    assert shorter[0] == CASE[0]
    assert {CASE[-1], FIRST, JUDGMENT} <= set(shorter) <= set(texts_of(DECISION, "long"))
    assert sum(len(text.split()) for text in shorter) <= NAMED_LENGTHS[name]


def test_without_a_word_of_what_was_held_it_is_no_syllabus_of_a_case() -> None:
    course = decision(
        ("Syllabus", [" ".join(CASE)]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *FILLER, JUDGMENT]),
    )
    assert JUDGMENT in texts_of(course)
    assert texts_of(course)[: len(CASE)] != list(CASE)


BACKGROUND = tuple(
    f"The {name} Act of 18{year} lets the county drain {count} lakes for canals and asks nobody for leave."
    for name, year, count in (
        ("Canal", 31, "two"),
        ("Lake", 44, "six"),
        ("Sluice", 52, "nine"),
        ("Ice", 60, "ten"),
    )
)
CLAIM = "Marsh sued the wardens, alleging that the fine was a taking of her herons."


def test_what_was_claimed_is_told_before_more_of_the_background() -> None:
    case = (*BACKGROUND, "The wardens of the county fined respondent Marsh.", CLAIM, CASE[-1])
    made = decision(
        ("Syllabus", [" ".join(case), f"Held: {FIRST}", "Affirmed."]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *FILLER, JUDGMENT]),
    )
    shorter = texts_of(made, "short")
    assert {CLAIM, CASE[-1], FIRST, JUDGMENT} <= set(shorter)
    assert set(BACKGROUND) - set(shorter)


def test_each_thing_that_was_held_is_told() -> None:
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST} {SECOND}", "Affirmed."]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT]),
    )
    assert texts_of(made)[-3:] == [FIRST, SECOND, JUDGMENT]


def test_a_judgment_is_told_once() -> None:
    judged = "The judgment is affirmed, and the case is remanded."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {judged}"]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT]),
    )
    told = texts_of(made)
    assert judged in told
    assert JUDGMENT not in told


def test_an_order_that_is_quoted_is_no_judgment() -> None:
    order = "The order of the county read in its entirety: “The petition is DENIED.”"
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}"]),
        (
            "Opinion of the Court",
            ["JUSTICE REED delivered the opinion of the Court.", *FILLER[:9], order, *FILLER],
        ),
    )
    assert "Judgment" not in {each.label for each in told(made)}


def test_why_it_was_held_is_told_by_what_is_worded_as_a_reason() -> None:
    reason = "Because a fine that is paid cannot be unpaid, a hearing after it would come too late."
    asides = [f"The wardens of the {place} have kept a book of fines for many years." for place in "ABCDEF"]
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}", " ".join([*asides[:3], reason, *asides[3:]])]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT]),
    )
    assert reason in texts_of(made, "medium")


def test_what_the_judges_of_a_plurality_concluded_is_told_beside_the_judgment() -> None:
    concluded = (
        "JUSTICE REED, joined by JUSTICE BROOK, concluded that the fine took property without a hearing."
    )
    made = decision(
        ("Syllabus", [" ".join(CASE), "Held: The judgment is affirmed.", concluded, SECOND]),
        (
            "Opinion of the Court",
            ["JUSTICE REED announced the judgment of the Court.", *3 * FILLER, JUDGMENT],
        ),
    )
    labels = {each.text: each.label for each in told(made, "medium")}
    assert concluded in labels
    # What some of the judges concluded is not what the Court held.
    assert labels[concluded] is None


def test_what_the_court_concluded_is_told_though_the_sentence_names_who_wrote_for_it() -> None:
    concluded = "JUSTICE REED delivered the opinion of the Court, concluding that no fine is due unheard."
    made = decision(
        ("Syllabus", [" ".join(CASE), "Held: The judgment is affirmed.", concluded, f"(a) {SECOND}"]), OPINION
    )
    assert concluded in texts_of(made, "medium")


def test_what_was_held_may_be_a_list_without_its_numbers() -> None:
    reasons = [f"({letter}) {REASON[4:-1]}, as is known of case {letter}." for letter in "abcdef"]
    listed = decision(
        ("Syllabus", [" ".join(CASE), "Held:", FIRST, *reasons, SECOND, *reasons, "Affirmed."]),
        ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT]),
    )
    assert {FIRST, SECOND, JUDGMENT} <= set(texts_of(listed, "medium"))


OPINION = (
    "Opinion of the Court",
    ["JUSTICE REED delivered the opinion of the Court.", *3 * FILLER, JUDGMENT],
)


def told_of(case: Sequence[str], held: str, length: str | None = None) -> list[str]:
    return texts_of(decision(("Syllabus", [" ".join(case), held, "Affirmed."]), OPINION), length)


def test_a_name_is_told_with_the_sentence_that_introduces_it() -> None:
    introduces = "The county leases the lower lake to two clubs of anglers (Lower Clubs) for a crown a year."
    rules = "The Court of Appeals reversed, finding that the Lower Clubs must pay what the wardens demanded."
    others = [f"In May of 18{year} the weir was raised by a foot for the mills." for year in range(30, 60)]
    told = told_of((CASE[0], *others, introduces, *others[:3], rules), f"Held: {FIRST}", "medium")
    assert {introduces, rules} <= set(told)


def test_a_ruling_is_told_with_the_one_that_it_agrees_with() -> None:
    below = (
        "The District Court dismissed the suit of the keeper, for wardens need hear nobody under the rule."
    )
    agrees = "The Seventh Circuit affirmed."
    told = told_of((*CASE[:2], *BACKGROUND, below, agrees), f"Held: {FIRST}", "short")
    assert {below, agrees} <= set(told)


def test_the_story_begins_with_a_party_where_the_law_is_told_first() -> None:
    law = (
        "The Sluice Act of 1852 requires every county to keep a book of the fines that its wardens impose, of the"
        " keepers who pay them, and of the lakes that are drained in spring."
    )
    told = told_of((law, *CASE), f"Held: {FIRST}", "short")
    assert CASE[0] in told
    assert law not in told


def test_of_the_facts_those_are_told_that_what_was_held_answers() -> None:
    heard = "Nobody heard the keeper before the wardens fined her, though she had asked them for a day to be heard."
    years = ("1840", "1841", "1842", "1843", "1844", "1845")
    others = tuple(
        f"In {year} the mill of the northern parish ground flour for its bakers." for year in years
    )
    told = told_of((CASE[0], *others, heard, CASE[-1]), f"Held: {FIRST}", "medium")
    assert heard in told
    assert set(others) - set(told)


@pytest.mark.parametrize(
    "beside",
    [
        "Because the keeper prevails, the Court need not decide whether the herons were taken from her.",
        "The wardens also contend that a hearing delays the canal because the keepers must be called.",
        "Nothing in Millbrook, where the keeper had been heard twice, suggests what a hearing must be like.",
        "The wardens’ counterarguments do not overcome the history of hearings before a keeper is fined.",
    ],
)
def test_what_stands_beside_the_point_is_no_reason(beside: str) -> None:
    reason = "Because a fine that is paid cannot be unpaid, a hearing after it would come too late."
    cites = "See Millbrook v. County of Ashe, 12 Rep. 44."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}", " ".join([cites, beside, reason]), "Affirmed."]),
        OPINION,
    )
    told = texts_of(made)
    assert reason in told
    assert beside not in told


def test_what_was_held_is_told_by_the_opinion_where_the_syllabus_says_it_at_length() -> None:
    long = (
        "Held: " + ", and ".join(f"no warden may fine keeper {n} whom nobody heard" for n in range(20)) + "."
    )
    holds = "We hold that wardens must hear a keeper before they fine her."
    made = decision(
        ("Syllabus", [" ".join(CASE), long, REASON, "Affirmed."]),
        (OPINION[0], [OPINION[1][0], *3 * FILLER, holds, JUDGMENT]),
    )
    told = texts_of(made, "medium")
    assert {CASE[0], CASE[-1], holds, JUDGMENT} <= set(told)


def test_the_judgment_may_be_given_for_reasons_given_above() -> None:
    judged = "For the reasons discussed above, the judgment of the U. S. Court of Appeals is affirmed."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}", "Affirmed."]),
        (OPINION[0], [*OPINION[1][:-1], judged]),
    )
    assert judged in texts_of(made, "short")


def test_what_goes_on_from_a_reason_is_not_told_as_held() -> None:
    limit = "This reading is limited to lakes that the county has drained for its canals."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: 1. {FIRST} {REASON}", f"2. {limit}", "Affirmed."]), OPINION
    )
    assert limit not in texts_of(made, "medium")


def test_the_judgment_is_told_in_a_sentence_that_stands_alone() -> None:
    instead = "Instead, we affirm the judgment of the Court of Appeals for that reason."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}", "Affirmed."]),
        (OPINION[0], [*OPINION[1][:-1], f"{JUDGMENT} We do not order a new hearing. {instead}"]),
    )
    told = texts_of(made, "medium")
    assert JUDGMENT in told
    assert instead not in told


def test_of_two_cases_decided_together_each_judgment_is_told() -> None:
    other = "The judgment of the Court of Appeals in No. 12 is reversed."
    made = decision(
        ("Syllabus", [" ".join(CASE), f"Held: {FIRST}", "Affirmed."]),
        (OPINION[0], [*OPINION[1], other]),
    )
    assert {JUDGMENT, other} <= set(texts_of(made, "medium"))


def test_the_last_line_of_a_syllabus_is_not_told() -> None:
    line = "523 Fed. Appx. 709, affirmed in part, reversed in part, and remanded."
    made = decision(("Syllabus", [" ".join(CASE), "Held:", FIRST, SECOND, line]), OPINION)
    told = texts_of(made)
    assert {FIRST, SECOND} <= set(told)
    assert line not in told


def test_the_judgment_below_is_told_rather_than_what_else_that_court_found() -> None:
    reversed_ = "The Court of Appeals reversed the fine, for nobody had heard the keeper in the spring."
    found = (
        "The Court of Appeals found that the herons of the lower lake had been counted twice by the wardens."
    )
    told = told_of((*CASE[:2], reversed_, *BACKGROUND, found), f"Held: {FIRST}", "short")
    assert reversed_ in told
    assert found not in told


def test_what_a_court_affirms_is_told_though_another_fact_stands_between() -> None:
    below = "The District Court dismissed the suit of the keeper."
    affirms = "The Seventh Circuit affirmed, for the wardens had asked the clerk of the county for a paper."
    case = (*CASE[:2], *BACKGROUND[:3], below, *BACKGROUND[3:], affirms)
    told = told_of(case, f"Held: {FIRST}", "short")
    assert {below, affirms} <= set(told)


def test_what_a_court_affirms_is_told_with_what_it_speaks_of() -> None:
    asks = "The rule of 1855 asks every keeper for a bond of nine crowns before the ice is cut in winter."
    below = "The District Court found that Marsh had not met that requirement."
    affirms = "The Court of Appeals affirmed, for a bond of six crowns is no bond of nine."
    told = told_of((*CASE[:2], *BACKGROUND, asks, below, affirms), f"Held: {FIRST}")
    assert {asks, below, affirms} <= set(told)


def test_what_brought_the_case_about_is_told_before_what_was_asked_on_the_way() -> None:
    asked = "Marsh moved to be heard before the wardens fine her, and the wardens of the county argued against it."
    told = told_of((CASE[0], *BACKGROUND, CLAIM, asked, CASE[-1]), f"Held: {FIRST}", "short")
    assert CLAIM in told
    assert asked not in told


def test_a_claim_is_told_at_length_where_it_says_who_asks_whom_for_what() -> None:
    claim = (
        "Petitioner Brill, who mends boats on the lower lake, sued respondent Marsh, alleging that she closed the"
        " sluice in the spring without a word to him, that three of his boats were left on dry ground for a week,"
        " that two of these were broken when the ice came back, and that nobody in the county would lend him a"
        " horse to bring the third to the harbour, so that he lost what the anglers would have paid him."
    )
    assert claim in told_of((CASE[0], claim, *BACKGROUND, CASE[-1]), f"Held: {FIRST}", "long")


def test_what_is_known_by_a_name_is_told_where_the_name_is_used() -> None:
    names = "Voters of the county passed an initiative known as Measure 7, banning every keeper of birds from the lakes."
    uses = "Respondent Marsh sued the wardens, challenging Measure 7 under the law of the land."
    others = [f"In May of 18{year} the weir was raised by a foot for the mills." for year in range(30, 60)]
    told = told_of((CASE[0], *others, names, *others[:3], uses, CASE[-1]), f"Held: {FIRST}", "medium")
    assert {names, uses} <= set(told)


def test_after_much_law_the_story_begins_with_who_sued_whom() -> None:
    law = tuple(
        f"Section {number} of the Canal Act requires the clerk of a lake to keep a book of the {what} in it."
        for number, what in enumerate(("boats", "boards", "birds", "bells", "bonds", "barges"), 3)
    )
    sues = "Respondent Marsh, who keeps herons, sued petitioner Brill, alleging that his boats woke them."
    claims = "The clerk sought damages, for a keeper must be heard before the wardens fine her for a sluice."
    told = told_of((*law, sues, claims, CASE[-1]), f"Held: {FIRST}", "short")
    assert sues in told
