"""What a request asks of a document of its kind, and what else it names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli.documents import Document
from lsum_cli.errors import OptionError
from lsum_cli.methods.extract.focus.relevance import rank
from lsum_cli.methods.extract.focus.statements import Asked, asked_statements, asks_for_the_whole
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.structure import Structure

QUESTION = "The question before us is whether a keeper must be heard before the wardens fine her."
HOLDING = "We hold that nobody may be made to pay who has not been heard, and that she may pay nothing."
JUDGMENT = "The judgment of the Court of Appeals is affirmed."
REPORT = (
    "The county keeps twelve sluices on the northern lake, and each of them has a keeper of its own.",
    "Keepers open the sluices in spring, when the snow of the hills fills the upper basin within a day.",
    "This report describes what the repairs of three sluices would cost the county in the next ten years.",
    "A sluice of oak lasts some forty years, and one of iron twice as long if it is painted in autumn.",
    "Repairs cost ninety crowns for each sluice, of which the millers pay a third in the years of drought.",
    "We found that repairs of oak are cheaper than those of iron, which take a smith from another county.",
)


def decision() -> Document:
    opening = ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", QUESTION])
    filling = [f"The {name} canal was dug by masons of the county." for name in ("upper", "lower", "outer")]
    return document_of(
        opening, ("Opinion of the Court / Part I", [*filling, HOLDING, JUDGMENT]), title="A v. B"
    )


def asked(source: Document, focus: str) -> Asked | None:
    candidates = candidates_of(source)
    return asked_statements(focus, candidates, Structure.of(candidates))


def stated(source: Document, focus: str) -> set[str]:
    """The sentences that most clearly state what is asked for."""
    found = asked(source, focus)
    assert found is not None
    texts = [sentence.text for sentence in candidates_of(source).sentences]
    return {texts[row] for row in np.flatnonzero(found.clarity >= 0.5)}


@pytest.mark.parametrize(
    ("focus", "statements"),
    [
        ("Who won?", {HOLDING, JUDGMENT}),
        ("what had the court to decide about", {QUESTION, HOLDING, JUDGMENT}),
        ("THE RULING", {HOLDING, JUDGMENT}),
        ("issue", {QUESTION}),
    ],
)
def test_words_ask_for_statements_that_do_not_have_them(focus: str, statements: set[str]) -> None:
    assert stated(decision(), focus) == statements


@pytest.mark.parametrize(
    ("focus", "named"),
    [
        ("what did the court decide?", False),
        ("what does the court say in its ruling?", False),
        ("what did the court decide about canals?", True),
    ],
)
def test_what_else_a_request_names_is_known(focus: str, named: bool) -> None:
    found = asked(decision(), focus)
    assert found is not None
    assert bool(found.rest) == named
    assert ("canals" in found.rest) == named


def test_what_answers_each_of_several_questions_is_known() -> None:
    found = asked(decision(), "what did the court decide, and what was the question?")
    assert found is not None
    assert [answer.words for answer in found.answers] == ["decide", "question"]
    joined = asked(decision(), "what did the court decide on the question?")
    assert joined is not None
    assert len(joined.answers) == 1


def test_reasons_stand_past_what_tells_the_case_and_the_judgment_at_the_end() -> None:
    filling = [f"The canal of the county has sluice {number}, which a keeper opens." for number in range(20)]
    opinion = ["JUSTICE REED delivered the opinion of the Court.", *filling, JUDGMENT]
    source = document_of(("Opinion of the Court", opinion), title="A v. B")
    stands = {}
    for focus in ("facts", "reasoning", "outcome"):
        found = asked(source, focus)
        stands[focus] = [] if found is None else np.flatnonzero(found.is_there).tolist()
    told = stands["facts"][-1]
    assert 0 < told < len(opinion) / 2
    assert stands["reasoning"][:1] == [told + 1]
    assert stands["outcome"][:1] > [0.8 * len(opinion)]
    assert stands["outcome"][-1:] == [len(opinion) - 1]


def test_without_headings_what_an_opening_says_of_the_problem_states_it() -> None:
    problem = "Keepers cannot open two sluices at once today, which is a problem for the mills in spring."
    design = [f"The house at sluice {number} checks each plan before it moves a gate." for number in range(9)]
    proposal = "This proposal introduces plans of openings that name several sluices and their order."
    source = document_of(
        ("Specification", [proposal, problem, *design]), title="PEP 9999 – Plans of Openings"
    )
    assert Structure.of(candidates_of(source)).document_kind is DocumentKind.PROPOSAL
    assert stated(source, "what problem does this solve?") == {problem}


def test_of_what_a_request_names_the_statement_about_it_is_most_relevant() -> None:
    about = "We hold that herons of the lake belong to the keeper who feeds them in the winter of a year."
    told = [f"Herons of the lake {verb} the keeper who feeds them in the winter." for verb in ("see", "know")]
    opinion = ["JUSTICE REED delivered the opinion of the Court.", *told, HOLDING, about, *told, JUDGMENT]
    source = document_of(("Opinion of the Court", opinion), title="A v. B")
    candidates = candidates_of(source)
    alike = np.zeros(len(candidates))
    found = rank(candidates, Structure.of(candidates), alike, "what was held on herons of the lake", "en")
    assert candidates.sentences[int(found.relevance.argmax())].text == about


def herons(first: str, second: str) -> Document:
    """A decision that says two things of herons side by side."""
    filling = [f"The canal of the county has sluice {number}, which a keeper opens." for number in range(9)]
    opinion = [
        "JUSTICE REED delivered the opinion of the Court.",
        *filling,
        first,
        second,
        *filling,
        JUDGMENT,
    ]
    return document_of(("Opinion of the Court", opinion), title="A v. B")


def most_relevant(source: Document, focus: str, **salience: float) -> str:
    """What says most about a focus, where the sentences that begin with these words have that salience."""
    candidates = candidates_of(source)
    texts = [sentence.text for sentence in candidates.sentences]
    values = [next((salience[each] for each in salience if text.startswith(each)), 0.0) for text in texts]
    found = rank(candidates, Structure.of(candidates), np.array(values), focus, "en")
    return texts[int(found.relevance.argmax())]


def test_of_a_subject_what_states_it_comes_before_what_only_speaks_of_it() -> None:
    told = "They hold that herons of the lake belong to them."
    held = "We hold that herons of the lake belong to them."
    assert most_relevant(herons(told, held), "what was held on herons of the lake") == held


@pytest.mark.parametrize("focus", ["what was held on herons of the lake", "what was held"])
def test_of_two_statements_the_one_that_says_more_of_the_whole_is_most_relevant(focus: str) -> None:
    first, second = (
        f"We hold {when} that herons of the lake belong to keepers." for when in ("now", "today")
    )
    source = herons(first, second)
    assert most_relevant(source, focus, **{"We hold now": 1.0}) == first
    assert most_relevant(source, focus, **{"We hold today": 1.0}) == second


def test_where_no_clear_sentence_is_near_the_words_decide() -> None:
    said = "The ruling of the wardens was a choice between two seals."
    clear = "A sluice of approved oak lasts some forty years."
    filling = [f"The northern lake has a {number}th sluice of its own." for number in range(4, 9)]
    source = document_of((None, [clear, *filling, said, *filling]))
    found = asked(source, "decisions")
    assert found is not None
    assert np.flatnonzero(found.clarity).tolist() == [0]
    candidates = candidates_of(source)
    salience = np.zeros(len(candidates))
    salience[0], salience[6] = -9.0, 9.0
    about = rank(candidates, Structure.of(candidates), salience, "decisions", "en").is_about
    assert [candidates.sentences[row].text for row in np.flatnonzero(about)] == [said]


def test_words_that_name_no_statement_ask_for_none() -> None:
    assert asked(decision(), "canals of the county") is None
    # Of a report only a request that names nothing else asks for what papers state.
    report = document_of((None, REPORT))
    assert Structure.of(candidates_of(report)).document_kind is DocumentKind.OTHER
    assert asked(report, "results of the repairs") is None
    assert asked(report, "results") is not None
    assert stated(report, "purpose of the report") == {REPORT[2]}


@pytest.mark.parametrize(
    ("focus", "is_of_all"),
    [
        ("main points", True),
        ("What is this document about?", True),
        ("give me a short summary", True),
        ("tl;dr", True),
        ("main points of the contract", False),
        ("what is a sluice about", False),
        ("summary judgment", False),
        ("What happened?", True),
        ("what happened to the sluice", False),
    ],
)
def test_a_request_for_the_main_points_is_one_for_the_whole(focus: str, is_of_all: bool) -> None:
    candidates = candidates_of(document_of((None, REPORT)))
    assert asks_for_the_whole(focus, candidates, Structure.of(candidates)) == is_of_all


def test_what_happened_is_asked_of_the_heading_of_that_name_and_of_the_facts_of_a_case() -> None:
    reported = candidates_of(document_of((None, REPORT), ("What happened", ["The oak sluice broke in May."])))
    assert not asks_for_the_whole("what happened", reported, Structure.of(reported))
    decided = candidates_of(decision())
    assert not asks_for_the_whole("what happened", decided, Structure.of(decided))


def test_a_focus_on_the_main_points_is_the_summary_of_the_whole() -> None:
    source = document_of((None, REPORT))
    focused, whole = summarize(source, focus="Main points?"), summarize(source)
    assert [each.text for each in focused.sentences] == [each.text for each in whole.sentences]
    assert not focused.warnings


FILLING = (
    "The northern lake has twelve sluices, and each of them has a keeper of its own.",
    "A sluice of oak lasts some forty years if it is painted in autumn.",
)
CAUSE = "The upper sluice leaked in March because a rat had gnawed through its seal."
DUTY = "The miller must report a leak to the wardens within three days."
BAN = "The miller must not open the lower sluice at night."
OPEN = "Whether the county pays for the seals is not settled."
ADVICE = "Seals of lead outlast seals of leather, and cost the county a crown more."


@pytest.mark.parametrize(
    ("focus", "statements"),
    [
        ("why did it happen", {CAUSE}),
        ("obligations", {DUTY}),
        ("deadlines", {DUTY}),
        ("what is not allowed", {BAN}),
        ("what is still undecided", {OPEN}),
        ("deadlines and prohibitions", {DUTY, BAN}),
    ],
)
def test_the_wording_of_any_document_tells_what_is_asked(focus: str, statements: set[str]) -> None:
    assert stated(document_of((None, [*FILLING, CAUSE, DUTY, BAN, OPEN])), focus) == statements


def test_vague_wording_tells_nothing_in_a_long_document_and_in_talk() -> None:
    longer = [f"The {number}th sluice of the lake has a keeper of its own." for number in range(160)]
    assert asked(document_of((None, [*longer[:9], CAUSE])), "who is to blame") is not None
    assert asked(document_of((None, [*longer, CAUSE])), "who is to blame") is None
    assert asked(document_of((None, [*longer, DUTY])), "deadlines") is not None
    talk = document_of((None, [f"{name}: I think that {CAUSE}" for name in ("Ada", "Bram", "Cilla") * 4]))
    assert asked(talk, "who is to blame") is None


@pytest.mark.parametrize("focus", ["recommendations", "what should be done"])
def test_all_under_a_heading_that_asks_the_same_is_quoted(focus: str) -> None:
    advice = [ADVICE, "Each keeper is to be paid in spring.", "Two of the sluices are to be closed."]
    source = document_of(
        ("Findings", [*FILLING, CAUSE, "The recommendations of 1890 should be read again."]),
        ("Recommendations", advice),
    )
    assert [each.text for each in summarize(source, focus=focus).sentences] == advice


def test_of_several_things_each_is_asked_of_its_own_heading() -> None:
    source = document_of(
        ("Causes", ["A rat gnawed through the seal of the sluice."]),
        ("History", FILLING),
        ("Next steps", ["Each of the seals is replaced by one of lead."]),
    )
    quoted = [each.text for each in summarize(source, focus="root cause, next steps").sentences]
    assert quoted == [
        "A rat gnawed through the seal of the sluice.",
        "Each of the seals is replaced by one of lead.",
    ]


def test_of_several_documents_each_states_its_own() -> None:
    clear = document_of(("Abstract", ["In conclusion, our results show that herons return.", *REPORT[:2]]))
    vague = document_of(("Abstract", ["Our results suggest that terns may return.", *REPORT[2:4]]))
    documents = [replace(each, id=name) for each, name in ((clear, "d0"), (vague, "d1"))]
    candidates = candidates_of(*documents)
    structure = Structure.of(candidates)
    salience = np.where(candidates.document == 0, 1.0, -1.0)
    found = rank(candidates, structure, salience, "conclusions", "en")
    assert [found.relevance[candidates.document == number].max() for number in (0, 1)] == [1.0, 1.0]


def test_what_only_wording_tells_is_told_by_the_very_word_too() -> None:
    told = "The impact of the mill on the valley was great, and its wheel stood still for years."
    other = "Because of a flood in spring one keeper closed the old door of the upper sluice."
    source = document_of((None, [REPORT[0], told, REPORT[1], other]))
    assert told in {each.text for each in summarize(source, focus="impact").sentences}


def test_a_question_that_another_document_answers_is_no_wrong_usage() -> None:
    source = document_of((None, REPORT[:2]))
    found = summarize(source, focus="how did they do it")
    assert found.sentences
    with pytest.raises(OptionError, match="only function words"):
        summarize(source, focus="what is the")
