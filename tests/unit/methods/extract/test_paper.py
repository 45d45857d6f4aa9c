"""A paper without an abstract is told by its aim, once, how many were studied, and what was found, in figures."""

from __future__ import annotations

import numpy as np
import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.ranking import scoring
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.sentences.similarity import Similarity
from lsum_cli.methods.extract.sentences.statements import tells_procedure
from lsum_cli.methods.extract.structure import Structure

AIM = "The aim of this study was to determine whether shade helps herons to raise more chicks on small lakes."
AGAIN = (
    "In this study, we aimed to determine whether the shade of small lakes helps herons to raise more chicks."
)
SAMPLE = "We recruited 84 farmers who keep lakes, and 40 of them had planted willows that give shade all day."
FIGURES = "Nests below willows held significantly more eggs than others (3.2 vs. 1.9 a nest, p < 0.001)."
CONCLUSION = (
    "In conclusion, our results suggest that whoever keeps a pond should plant willows on its southern bank."
)
SETTING = "The soil of the islands has 31% sand and 12% clay, and the canal is 4.2 m deep in the spring."
TALK = tuple(
    f"The {what} of the {place} lake is {look} by the {who} of the county on day {day} of the {month}."
    for day in range(2, 14)
    for what, look, month in (
        ("level", "read", "spring"),
        ("ice", "cut", "winter"),
        ("reed", "mown", "autumn"),
    )
    for place, who in (("upper", "wardens"), ("lower", "millers"), ("outer", "keepers"))
)


def paper(*, aims: tuple[str, ...] = (AIM,)) -> Document:
    sections = (
        ("Introduction", [*TALK[:20], aims[0]]),
        ("Methods", [f"{SAMPLE} {TALK[20]}", *TALK[21:50]]),
        ("Results", [SETTING, *TALK[50:60], FIGURES, *TALK[60:80]]),
        ("Discussion", [*aims[1:], *TALK[80:]]),
        ("Conclusion", [CONCLUSION]),
    )
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    return compose_document(passages, id="d0", source="-", title="Shade and the chicks of herons")


def told(source: Document, num_words: int = 190) -> set[str]:
    """What is selected where readers would prefer the conclusion, then the aims, then any of the others."""
    candidates = candidates_of(source)
    texts = [sentence.text for sentence in candidates.sentences]
    worth = {CONCLUSION: 3.0, AIM: 2.5, AGAIN: 2.4, SAMPLE: 0.4, FIGURES: 0.85, SETTING: 0.85}
    values = np.array([worth.get(text, 0.5 + number % 7 / 10) for number, text in enumerate(texts)])
    chosen = select(
        candidates,
        values - values.mean(),
        num_words,
        None,
        Structure.of(candidates),
        is_read=True,
        is_ranked=True,
    )
    return {texts[position] for position in chosen}


def test_aim_how_many_were_studied_result_in_figures_and_conclusion_are_told() -> None:
    assert {AIM, SAMPLE, FIGURES, CONCLUSION} <= told(paper())


def test_figures_of_the_setting_are_no_result() -> None:
    assert SETTING not in told(paper())


def test_the_aim_is_told_once() -> None:
    assert {AIM, AGAIN} & told(paper(aims=(AIM, AGAIN))) == {AIM}


def test_what_restates_a_sentence_is_not_told_beside_it() -> None:
    again = "Whoever keeps a pond should then plant willows on the southern bank of it, our results suggest."
    source = paper(aims=(AIM, again))
    candidates = candidates_of(source)
    texts = [sentence.text for sentence in candidates.sentences]
    restated = Similarity(candidates.terms).restates(texts.index(CONCLUSION))
    assert [texts[row] for row in np.flatnonzero(restated)] == [again, CONCLUSION]


def test_the_parts_of_an_abstract_are_headed_as_there() -> None:
    parts = (
        ("Background", 2, TALK[0], AIM),
        ("Results", 2, FIGURES, SETTING),
        ("Conclusions", 2, CONCLUSION),
    )
    passages = [
        Passage(heading="Abstract", level=1, paragraphs=()),
        *(
            Passage(heading=heading, level=level, paragraphs=tuple(map(Paragraph.of, texts)))
            for heading, level, *texts in (
                *parts,
                ("Introduction", 1, *TALK[:20]),
                ("Methods", 1, *TALK[20:40]),
                ("Results", 1, *TALK[40:60]),
                ("Conclusions", 1, *TALK[60:70]),
            )
        ),
    ]
    source = compose_document(passages, id="d0", source="-", title="Shade and the chicks of herons")
    pages = paginate([source], choose_locality([source]).locality, 1024)
    made = compose(pages, [source], Request(num_words=100))
    assert [entry.heading for entry in made.outline] == ["Background", "Results", "Conclusions"]
    assert [[each.text for each in entry.sentences] for entry in made.outline] == [
        list(texts) for _, _, *texts in parts
    ]
    # A longer summary quotes the paper's own sections too.
    made = compose(pages, [source], Request(num_words=150, has_length=True))
    headings = [entry.heading for entry in made.outline]
    assert len(headings) == len(set(headings))


LIMIT = "Our study was limited by a small number of lakes, none of which had been drained in ten years."
NEXT = "Future research should compare lakes of several counties that are drained in winter with these."


@pytest.mark.parametrize(
    ("focus", "answer"),
    [
        ("aim of the study", AIM),
        ("what did they find?", CONCLUSION),
        ("take-home message", CONCLUSION),
        ("who took part", SAMPLE),
        ("limitations", LIMIT),
        ("weak points of the study", LIMIT),
        ("what should be studied next", NEXT),
        # A question of function words alone names what a paper tells, too.
        ("how did they do it?", SAMPLE),
    ],
)
def test_a_focus_is_answered_by_what_the_paper_states(focus: str, answer: str) -> None:
    sections = (
        ("Introduction", [*TALK[:5], AIM]),
        ("Methods", [SAMPLE, *TALK[5:8]]),
        ("Results", [SETTING, FIGURES, *TALK[8:12]]),
        ("Discussion", [TALK[12], LIMIT, TALK[13], NEXT, TALK[14]]),
        ("Conclusion", [CONCLUSION]),
    )
    made = summarize(document_of(*sections, title="Shade and the chicks of herons"), focus=focus)
    texts = [sentence.text for sentence in made.sentences]
    assert answer in texts
    assert not made.warnings
    stated = {AIM, FIGURES, CONCLUSION, SAMPLE, LIMIT, NEXT}
    assert len(stated.intersection(texts)) <= 3


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("The eggs were weighed on the day after they had been laid.", True),
        ("We collected the shells of all nests below the willows.", True),
        ("To assess whether shade leads to more chicks, willows were planted on both banks.", True),
        ("In order to find the nests, we surveyed the banks of the lakes.", True),
        ("Each nest contained a small thermometer.", True),
        ("The eggs were weighed and found to be heavier below the willows.", False),
        ("We examined the nests, which held 20% of the eggs.", False),
        ("In this study, we investigated the chicks of herons on small lakes.", False),
        ("The chicks grew faster in the shade.", False),
        ("The drug was subject to a ban in 40 countries.", False),
        ("Antibiotics were used by half of all patients.", False),
        ("The vaccine was tested in 44,000 people and prevented disease in most of them.", False),
        ("The vaccine was tested and prevented the disease.", False),
        ("We analysed 12,431 patients from 40 hospitals.", False),
        ("We study herons on small lakes.", False),
    ],
)
def test_what_was_done_is_no_finding(text: str, is_so: bool) -> None:
    assert tells_procedure(text) is is_so


def test_what_was_done_costs_but_in_an_abstract(monkeypatch: pytest.MonkeyPatch) -> None:
    done = "The eggs of the herons were weighed on the day after that on which they had been laid."

    def cost(heading: str) -> float:
        passages = [
            Passage(heading=title, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
            for title, texts in (
                (heading, [done, FIGURES, *TALK[50:60]]),
                ("Introduction", [*TALK[:20], AIM]),
                ("Methods", [SAMPLE, *TALK[21:50]]),
                ("Results", TALK[60:80]),
                ("Conclusion", [CONCLUSION]),
            )
        ]
        candidates = candidates_of(compose_document(passages, id="d0", source="-", title="Shade of herons"))
        at = [sentence.text for sentence in candidates.sentences].index(done)
        values = []
        for weight in (0.0, 1.0):
            monkeypatch.setattr(scoring, "PROCEDURE", weight)
            values.append(float(Scores.of(candidates, Structure.of(candidates)).values[at]))
        return values[0] - values[1]

    assert cost("Eggs") > 0
    assert cost("Abstract") == 0
