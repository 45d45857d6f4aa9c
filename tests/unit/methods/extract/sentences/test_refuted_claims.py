"""Claims that an essay reports in order to refute them."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli.methods.extract.sentences.refuted_claims import granted_at_first_sight, refuted_claims
from lsum_cli.methods.extract.structure import Structure

_OTHER = "The harbour has four quays and a crane."
_ASKS = "Do wide streets slow a town down?"


def _found(heading: str | None, *paragraphs: str) -> list[str]:
    candidates = candidates_of(document_of((heading, paragraphs), title="Streets", language="en"))
    is_claim = refuted_claims(candidates)
    return [each.text for each, claim in zip(candidates.sentences, is_claim, strict=True) if claim]


@pytest.mark.parametrize(
    "claim",
    [
        "Some planners argue that wide streets slow a town down.",
        "It is often said that wide streets slow a town down.",
        "According to many planners wide streets slow a town down.",
        "The usual (e.g. liberal) argument is that wide streets slow a town down.",
        "Thus, it is claimed, wide streets slow a town down.",
        "Opponents of the plan have also claimed that wide streets slow a town down.",
    ],
)
@pytest.mark.parametrize("heading", [_ASKS, "The plan"])
def test_claims_that_are_answered_next_are_not_the_texts_own(heading: str, claim: str) -> None:
    assert _found(heading, f"{claim} However, no count of carts has ever shown that.") == [claim]


@pytest.mark.parametrize(
    "claim",
    [
        "Weirbook argued that wide streets slow a town down.",
        "Weirbook, let us not forget, argued that wide streets slow a town down.",
        "Forgetting what he had written, Weirbook claimed that wide streets slow a town down.",
        "As well as the argument from cost, Weirbook raises another argument against the plan.",
    ],
)
def test_under_a_question_a_claim_of_one_is_answered_some_sentences_on(claim: str) -> None:
    answer = "The best answer to that can be found on the quays."
    assert _found(_ASKS, claim, _OTHER, answer) == [claim]
    assert _found("The plan", claim, _OTHER, answer) == []


def test_what_goes_on_with_a_claim_is_of_it_until_the_text_turns() -> None:
    claim = "Many planners maintain that wide streets slow a town down."
    reason = "This is because carts stop more often there."
    drawn = "Thus the width of a street is of no use to a town."
    assert _found(_ASKS, f"{claim} {reason} {drawn} In fact, carts stop less often. {_OTHER}") == [
        claim,
        reason,
        drawn,
    ]


@pytest.mark.parametrize(
    "own",
    [
        # Nobody answers it.
        "Some planners argue that wide streets slow a town down. The council has asked for a count.",
        # It has its answer with it.
        "While some planners argue that wide streets slow a town down, no count shows it. But counts are rare.",
        "Some planners say that wide streets slow a town down, but no count shows it. However, counts are rare.",
        "Some planners claim, mistakenly, that wide streets slow a town down. However, counts are rare.",
        # Who is called upon, and who speaks for the text.
        "As Weirbook argued, narrow streets slow a town down. However, counts are rare.",
        "We argue that narrow streets slow a town down. However, counts are rare.",
        "Planners, therefore, think that streets must be wide. But planners are rare, as some planners say.",
        "Eco-planners, while in doubt, argue that streets must be wide. However, other planners say not.",
        # No claims.
        "The second argument is the width of the street. However, it may be left out.",
        "Let's say the street is wide. However, it may be narrow.",
        "Some claims of the planners are on the table. However, counts are rare.",
        "Most towns have such work paid by the state. However, counts are rare.",
    ],
)
def test_what_the_text_holds_itself_is_its_own(own: str) -> None:
    assert _found(_ASKS, own) == []


def test_people_for_whom_the_text_speaks_hold_what_it_holds() -> None:
    spoken = "Most carters think that streets must be wide. However, counts are rare."
    often = " ".join(f"In {place} the carters argue so." for place in ("Weir", "Holm", "Lund", "Vik"))
    assert _found(_ASKS, spoken) == ["Most carters think that streets must be wide."]
    assert _found(_ASKS, spoken, often) == []


def test_a_brief_answer_stands_with_what_the_text_says_of_it() -> None:
    claim = "Some wardens maintain that herons eat the eggs of ducks."
    point = "Herons take frogs and small fish all year round."
    asked = {
        "Can herons be kept on a lake?": "Yes. The county allows three pairs for every hectare of water.",
        "Do herons eat the eggs of ducks?": f"No. {claim} However, no warden has seen it. {point}",
        "What does a pair of herons cost?": "A pair costs as much as a boat with two oars. Ask in May.",
        "Who counts the nests of herons?": "The wardens are sent to count the nests in April. I am one.",
    }
    filler = " ".join(
        (
            "The Tarn was dug by Edwin in 1900 for the mill at the lake.",
            "Edwin sold the meadow next to the mill some years after that.",
            "Cattle drank there until the fence was put up along the path.",
        )
    )
    source = document_of(*((question, [f"{answer} {filler}"]) for question, answer in asked.items()))
    parts = {entry.heading: [each.text for each in entry.sentences] for entry in summarize(source).outline}
    # Quoted with its refutation the claim is nobody's view but theirs.
    assert parts["Do herons eat the eggs of ducks?"] == ["No.", claim, "However, no warden has seen it."]


@pytest.mark.parametrize(
    "after",
    [
        "Sadly, the names of half of them are lost.",
        "Unfortunately, the council has not acted on their report.",
        "Ironically, the council had been wrong about the mills.",
        "Confusion about the date lasted for years.",
        "The report was ignored by the council.",
        "Nothing was done for years.",
    ],
)
@pytest.mark.parametrize("heading", [_ASKS, "The plan"])
def test_regret_and_errors_elsewhere_refute_no_claim(heading: str, after: str) -> None:
    assert _found(heading, f"It is believed that ninety people died in the flood. {after}") == []


@pytest.mark.parametrize(
    "after",
    [
        "But no count shows it.",
        "Yet no count shows it.",
        "On the contrary, carts stop less often.",
        "This is simply false.",
        "That is nonsense.",
        "This is a myth.",
        "This reasoning is a fallacy.",
        "Not so.",
        "Nothing could be further from the truth.",
    ],
)
def test_denials_refute_a_claim(after: str) -> None:
    claim = "Some planners argue that wide streets slow a town down."
    assert _found("The plan", f"{claim} {after}") == [claim]


def test_news_refute_nothing_and_what_tells_of_events_only_under_a_heading_that_asks() -> None:
    claim = "According to most planners, the streets were too wide on 4 May 1998."
    told = f"{claim} However, the council opened them on 7 June 1999."
    assert _found(_ASKS, told, told, told) == []
    parts = [("Past", (told,)), (_ASKS, (told,)), ("Quays", (_OTHER,)), ("Mills", (_OTHER,))]
    candidates = candidates_of(document_of(*parts, title="Streets", language="en"))
    assert candidates.is_of_events
    assert refuted_claims(candidates).tolist() == [False, False, True, False, False, False]


def _granted(*sentences: str) -> list[str]:
    candidates = candidates_of(document_of((None, [" ".join(sentences)]), title="Gates", language="en"))
    granted = granted_at_first_sight(candidates)
    return [each.text for each, is_granted in zip(candidates.sentences, granted, strict=True) if is_granted]


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("In theory the gate could always be open.", "But nobody has ever seen that."),
        ("It may seem that the gate is open at night.", "Unfortunately, the keeper shuts it."),
        ("At first glance the gate is made of oak.", "The paint, however, hides a frame of iron."),
        ("One could open the gate by hand.", "In practice, it is too heavy."),
        ("One could simply open the gate by hand.", "Many keepers find that slow."),
    ],
)
def test_what_the_next_sentence_takes_back_is_only_granted(claim: str, answer: str) -> None:
    assert _granted(_OTHER, claim, answer) == [claim]


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("In theory the gate could always be open.", "The keepers open it in spring."),
        ("In theory the gate could be open, but nobody has tried.", "However, some will."),
        ("The gate could always be open in spring.", "But nobody has ever seen that."),
    ],
)
def test_what_is_not_taken_back_or_answered_itself_stands(claim: str, answer: str) -> None:
    assert _granted(_OTHER, claim, answer) == []


def test_what_is_granted_is_not_quoted_without_what_takes_it_back() -> None:
    claim, answer = "In theory the gate of the lock could always be open.", "But this floods the lower quays."
    document = document_of((None, [f"{claim} {answer}", _OTHER]), title="Gates", language="en")
    structure = Structure.of(candidates_of(document))
    assert structure.first.tolist() == [-1, 0, 2]
