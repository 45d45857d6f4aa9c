"""A decision without a syllabus is told by its question, the case, what was held, why, and who disagrees."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from extraction import candidates_of, document_of, structure_of, summarize

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole
from lsum_cli.methods.extract.sentences.precedents import cost_of_precedents
from lsum_cli.methods.extract.separate_opinions import only_joins
from lsum_cli.methods.extract.syllabus import CasePart
from lsum_cli.reading.opinions import divide_opinions
from lsum_cli.summaries import SummarySentence

QUESTION = "The question before us is whether a keeper must be heard before the wardens fine her."
HOLDING = "We hold that nobody may be made to pay who has not been heard, and that she may pay nothing."
CERTIORARI = "We granted certiorari to decide whether wardens may fine a keeper whom nobody heard."
FACT = "Respondent Ida Marsh was fined in 2019 for closing the sluice of a lake on which she keeps herons."
AGAIN = "In sum, we conclude that the wardens must hear a keeper before they fine her, and did not."
REASON = "Nothing in the rule of 1855 suggests that the canal would run dry in the days that a hearing takes."
JUDGMENT = "The judgment of the Court of Appeals is affirmed."
LAW = tuple(
    f"The {what} of the {side} county was dug in 18{year} by {number} masons from the {place} parish."
    for number, (what, year, side, place) in enumerate(
        (what, year, side, place)
        for what in ("canal", "basin", "channel")
        for year in ("31", "44", "52")
        for side in ("northern", "southern", "eastern")
        for place in ("upper", "lower", "outer")
    )
)
OPENS = "JUSTICE REED delivered the opinion of the Court."
OPINION = (
    ("Opinion of the Court", [OPENS, f"{QUESTION} {HOLDING}"]),
    ("Opinion of the Court / Part I", [f"{FACT} {LAW[0]}", *LAW[1:15], CERTIORARI]),
    (
        "Opinion of the Court / Part II",
        [*LAW[15:40], f"{REASON} {LAW[40]}", *LAW[41:], f"{AGAIN} {JUDGMENT}"],
    ),
)
DISSENT = "I would hold that a fine of four crowns needs no hearing, for the courts hear whoever disputes it."
APART = "I would hold for the keeper because the wardens had lost their office when they fined her in May."
JOINS = "I would also hold that the herons were hers, as the opinion of the Court says in other words."


def decision(*sections: tuple[str, Sequence[str]]) -> Document:
    return document_of(*sections, title="WARDENS v. MARSH")


def summary(source: Document, length: str | None = None) -> tuple[SummarySentence, ...]:
    return summarize(source, length=length or "auto").sentences


def test_question_case_holding_reason_and_judgment_are_told() -> None:
    assert {QUESTION, FACT, HOLDING, REASON, JUDGMENT} <= {each.text for each in summary(decision(*OPINION))}


def test_what_was_held_is_told_once_and_that_the_case_was_taken_not_at_all() -> None:
    told = {each.text for each in summary(decision(*OPINION))}
    assert len({HOLDING, AGAIN} & told) == 1
    assert CERTIORARI not in told


def test_what_happened_and_what_was_asked_of_the_court_is_told() -> None:
    parties = "Ida Marsh kept herons on a lake that the wardens of the lower parish drained each May."
    happened = "After the wardens had put up a fence in 2019, Marsh took it down with an axe in the night."
    asked = "In 2020, Marsh filed suit in the District Court, alleging that the wardens had never heard her."
    later = "Marsh asked for supplemental briefs on whether the question of herons had been waived by her."
    opening, (heading, _), reasons = OPINION
    case = [parties, happened, asked, later, CERTIORARI]
    told = {each.text for each in summary(decision(opening, (heading, case), reasons))}
    assert {parties, happened, asked} <= told
    assert later not in told


def test_what_the_court_says_of_its_own_doing_is_no_fact() -> None:
    assumed = "We assume the truth of what Marsh alleged of the sluice, for nobody heard her."
    opening, (heading, texts), reasons = OPINION
    told = {each.text for each in summary(decision(opening, (heading, [assumed, *texts]), reasons))}
    assert FACT in told
    assert assumed not in told


@pytest.mark.parametrize(
    "other",
    [
        "In Heron v. Crane, the Court explained that a rule on a fine of a keeper must be read by its words.",
        "As the Court of Appeals noted here, other circuits read the rule on a fine of a keeper by its words.",
        "We need not decide whether the rule on a fine of a keeper of herons must be read by its words.",
    ],
)
def test_how_other_cases_went_costs_a_sentence(other: str) -> None:
    document = decision(("Opinion of the Court", [OPENS, REASON, other]))
    candidates = candidates_of(document)
    cost = dict(
        zip((each.text for each in candidates.sentences), cost_of_precedents(candidates), strict=True)
    )
    assert cost[other] > cost[REASON] == 0


def test_another_holding_is_told_too() -> None:
    other = "We also hold that herons hatched on a drained lake belong to the county, not to the keeper."
    opening, case, (heading, texts) = OPINION
    told = {
        each.text for each in summary(decision(opening, case, (heading, [*texts[:-1], other, texts[-1]])))
    }
    assert {HOLDING, other} <= told


def test_the_question_is_told_by_what_took_the_case_where_nothing_else_tells_it() -> None:
    opening, case, reasons = OPINION
    made = decision((opening[0], [OPENS, HOLDING]), case, reasons)
    assert CERTIORARI in {each.text for each in summary(made)}


def labelled(*separate: tuple[str, str]) -> dict[str, str]:
    """The label of each claim that is told of separate opinions."""
    apart = [(heading, [claim, *LAW[:4]]) for heading, claim in separate]
    told = summary(decision(*OPINION, *apart))
    return {each.label: each.text for each in told if each.label not in (None, CasePart.JUDGMENT)}


def test_who_disagrees_has_a_line_under_the_judges_name() -> None:
    told = labelled(
        ("BROOK, J., concurring", JOINS),
        ("CROFT, J., concurring in judgment", APART),
        ("DUNN, J., dissenting", DISSENT),
    )
    assert told == {"Concurrence in the judgment (CROFT, J.)": APART, "Dissent (DUNN, J.)": DISSENT}


def test_a_short_dissent_and_what_a_judge_adds_have_a_line_too() -> None:
    added = (
        "I write separately to emphasize that the Court says nothing of the fines of those who keep geese."
    )
    apart = [
        ("DUNN, J., dissenting", [DISSENT, *LAW[:9]]),
        (
            "ELMS, J., dissenting",
            ["In my view, the keeper was heard when the wardens read her letter aloud."],
        ),
        ("BROOK, J., concurring", [added, *LAW[:4]]),
    ]
    labels = [each.label for each in summary(decision(*OPINION, *apart))]
    assert {"Dissent (DUNN, J.)", "Dissent (ELMS, J.)", "Concurrence (BROOK, J.)"} <= {*labels}


@pytest.mark.parametrize(
    "empty",
    [
        "For these reasons, I would affirm the judgment of the Court of Appeals for the northern county.",
        "Under the circumstances, I believe a passage from one of my earlier dissents merits repetition.",
    ],
)
def test_what_is_wrong_states_a_dissent_more_clearly_than_its_outcome(empty: str) -> None:
    fault = (
        "Today the majority’s love of hearings leads it to disregard the rule of 1855 on fines of keepers."
    )
    document = decision(*OPINION, ("DUNN, J., dissenting", [empty, LAW[50], fault]))
    texts = [each.text for each in candidates_of(document).sentences]
    clarity = dict(zip(texts, structure_of(document).theses, strict=True))
    assert clarity[fault] > clarity[empty]


def test_of_a_plurality_the_concurrence_that_makes_the_majority_is_told() -> None:
    heading = "Opinion of REED, J."
    announced = "JUSTICE REED announced the judgment of the Court."
    parts = [(heading + name[len("Opinion of the Court") :], texts) for name, texts in OPINION]
    parts[0] = (heading, [f"{announced} {QUESTION} {HOLDING}"])
    dissent = ("DUNN, J., dissenting", [DISSENT, *LAW[:4]])
    concurrence = ("CROFT, J., concurring in judgment", [APART, *LAW[:4]])
    labels = [each.label for each in summary(decision(*parts, dissent, concurrence), "medium")]
    assert "Concurrence in the judgment (CROFT, J.)" in labels
    assert "Plurality (REED, J.)" in labels


@pytest.mark.parametrize(
    ("first", "roles"),
    [
        (
            "Opinion by BROOK, J., concurring in part and dissenting in part.",
            [SectionRole.OPINION, SectionRole.DISSENT],
        ),
        (
            "JUSTICE BROOK, concurring in part and dissenting in part.",
            [SectionRole.OPINION, SectionRole.DISSENT],
        ),
        (
            "JUSTICE BROOK, concurring in part and concurring in the judgment.",
            [SectionRole.OPINION, SectionRole.CONCURRENCE],
        ),
    ],
)
def test_an_opinion_of_a_judge_is_what_its_first_words_say(first: str, roles: list[SectionRole]) -> None:
    made = divide_opinions(
        [
            Passage(heading="Opinion of the Court", level=1, paragraphs=(Paragraph.of(HOLDING),)),
            Passage(
                heading="Opinion of BROOK, J.",
                level=1,
                paragraphs=(Paragraph.of(first), Paragraph.of(APART)),
            ),
        ]
    )
    assert [part.role for part in made] == roles


def test_how_the_court_below_ruled_is_told() -> None:
    ruled = "The Supreme Court of the northern county affirmed the fine, for it saw no use in a hearing."
    opening, (heading, texts), reasons = OPINION
    made = decision(opening, (heading, [*texts[:5], ruled, *texts[5:]]), reasons)
    assert {ruled, HOLDING, JUDGMENT} <= {each.text for each in summary(made)}


@pytest.mark.parametrize(
    "dangling",
    [
        "Because that result is at odds with what keepers have been told since 1855, I respectfully dissent.",
        "Because that result makes nobody pay who has not been heard, I respectfully dissent from it.",
        "I would hold that it was not, and that those rules of 1855 leave the wardens no choice at all.",
        "In my view, the rule to the contrary that I describe above is the one that the county laid down.",
    ],
)
def test_a_dissent_is_told_by_what_is_understood_without_the_rest_of_it(dangling: str) -> None:
    dissents = [("DUNN, J., dissenting", [*LAW[:4], f"{dangling} {DISSENT}"])]
    told = {each.label: each.text for each in summary(decision(*OPINION, *dissents))}
    assert told["Dissent (DUNN, J.)"] == DISSENT


@pytest.mark.parametrize(
    ("claim", "is_told"),
    [
        ("Because I agree with JUSTICE CROFT’s analysis, I join Parts I and II of her opinion, and I dissent.", False),
        ("I believe that JUSTICE CROFT has the better of the argument, and I join Parts I and II of her dissent.", False),
        ("JUSTICE CROFT joins, dissenting as to Parts I and II, and I dissent because JUSTICE CROFT does.", False),
        ("I would hold that a fine of four crowns needs no hearing, and I join JUSTICE CROFT as to Part I.", True),
        ("I cannot join the opinion of the Court because it reads the rule of 1855 against its words.", True),
    ],
)  # fmt: skip
def test_who_joins_whom_is_not_what_a_dissent_comes_to(claim: str, is_told: bool) -> None:
    told = labelled(("DUNN, J., dissenting", claim))
    assert told.get("Dissent (DUNN, J.)") == (claim if is_told else None)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("I join the opinion of the Court and JUSTICE CROFT’s dissent in full.", False),
        ("I join the opinion of JUSTICE CROFT except for Part III, because the text of the Act forbids any such inquiry.", True),
        ("I join her opinion except for Part III, because the text of the Act forbids any such inquiry.", True),
        ("The majority joins the Justice Department in a reading that the statute cannot bear.", True),
        ("I believe that the Court is wrong to let a plaintiff join parts of several claims.", True),
        ("I believe that a plaintiff should not join parts of several claims.", True),
    ],
)  # fmt: skip
def test_who_says_why_does_more_than_join(text: str, is_so: bool) -> None:
    assert only_joins(text) is not is_so


def test_a_dissent_is_told_by_what_it_says_of_what_was_held() -> None:
    aside = "I would hold that the masons of the outer parish dug the basin, as the book of the canal says."
    answers = (
        "I would hold that the wardens may fine a keeper before she is heard, as they did in May of 1855."
    )
    for claims in ((aside, answers), (answers, aside)):
        made = decision(*OPINION, ("DUNN, J., dissenting", [*LAW[:4], " ".join(claims)]))
        assert answers in {each.text for each in summary(made) if each.label}


@pytest.mark.parametrize(
    ("focus", "answers"),
    [
        ("what did the court decide and why", {HOLDING, JUDGMENT, REASON}),
        ("outcome", {HOLDING, JUDGMENT}),
        ("did the respondent win?", {HOLDING, JUDGMENT}),
        ("why did the court rule that way", {REASON}),
        ("facts of the case", {FACT}),
        ("what was the issue", {QUESTION}),
    ],
)
def test_a_focus_is_answered_by_what_the_decision_states(focus: str, answers: set[str]) -> None:
    told = summarize(decision(*OPINION), focus=focus)
    texts = {sentence.text for sentence in told.sentences}
    # "In sum, …" states the holding again.
    assert answers <= texts | ({HOLDING} if AGAIN in texts else set())
    assert not told.warnings
    others = {HOLDING, JUDGMENT, REASON, FACT, QUESTION} - answers
    assert len(others & texts) <= 1


def test_a_focus_on_the_dissent_is_answered_by_it() -> None:
    apart = ("DUNN, J., dissenting", [DISSENT, *LAW[:4]])
    told = summarize(decision(*OPINION, apart), focus="why do the dissenters disagree?")
    assert DISSENT in {sentence.text for sentence in told.sentences}
    assert {HOLDING, REASON}.isdisjoint(sentence.text for sentence in told.sentences)


@pytest.mark.parametrize(
    "focus", ["what does the dissent say", "dissenting opinion", "who dissented and why"]
)
def test_a_focus_on_the_dissent_finds_the_main_one(focus: str) -> None:
    main = ("DUNN, J., dissenting", [*LAW[:4], DISSENT, *LAW[:2]])
    short = (
        "ELMS, J., dissenting",
        ["I join JUSTICE DUNN’s dissent except for its second footnote on the canal."],
    )
    made = summarize(decision(*OPINION, main, short), focus=focus)
    assert DISSENT in [each.text for each in made.sentences]
    assert all((each.label or "").startswith("Dissent") for each in made.sentences)
