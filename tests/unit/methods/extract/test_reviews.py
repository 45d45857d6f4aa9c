"""A review without an abstract is told by its subject, its aim, its conclusions and what its parts come to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from extraction import candidates_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.kinds import DocumentKind, document_kind_of, kind_of, tells_of_own_work
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.length import suit_length

SUBJECT = "Reed beds are the main source of oxygen in shallow lakes, and they shelter most of the fish fry."
AIM = "This review examines how reed beds of shallow lakes recover after floods, and what keepers can do for them."
WORKS = (
    "Reviews have been published on reed beds of shallow lakes (Hale, 1998; Moss and Lind, 2004), on floods of lakes"
    " (Orton, 2011), and on the seeds of reed after floods (Pell, 2009)."
)
INTRODUCTION = (
    SUBJECT,
    WORKS,
    "Floods have grown more frequent in river valleys since the dams upstream were raised (Hale, 2004).",
    "Keepers of lakes have asked for advice on when to cut the stems after high water (Orton, 2011).",
    "Answers differ between countries, and few of them rest on measurements (Lind, 2013).",
    AIM,
)
SUMS_UP = {
    "Roots": "Overall, roots of reed survive a flood if the water falls again within some four weeks.",
    "Stems": "Taken together, these studies show that stems cut before a flood rot and kill the root below.",
    "Seeds": "Thus seeds hardly matter for the recovery of reed beds after floods in shallow lakes.",
}
FINDINGS = {
    heading: tuple(
        f"{name} et al. ({year}) found that {what} of reed beds lost {lost} of {total} samples in {days} days of flood."
        for name, year, lost, total, days in (
            ("Hale", 2004, 12, 80, 31),
            ("Orton", 2011, 7, 64, 19),
            ("Lind", 2013, 33, 96, 44),
            ("Pell", 2016, 21, 72, 27),
            ("Moss", 2018, 15, 58, 36),
        )
    )
    for heading, what in (("Roots", "roots"), ("Stems", "cut stems"), ("Seeds", "floating seeds"))
}
CONCLUSIONS = (
    "Reed beds of shallow lakes recover from floods by their roots, not by their seeds.",
    "Keepers should leave the stems uncut from autumn until the water has fallen in late spring.",
    "Short floods do no lasting harm, while those of more than a month destroy a bed for years.",
    "How dams could release water without drowning the roots remains an open question for engineers.",
)


def review(*, introduction: Sequence[str] = INTRODUCTION, parts: Sequence[str] = tuple(SUMS_UP)) -> Document:
    sections = [
        ("1. Introduction", introduction),
        *((part, (*FINDINGS[name], SUMS_UP[name])) for part, name in zip(parts, SUMS_UP, strict=True)),
        ("5. Conclusions", CONCLUSIONS),
    ]
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(" ".join(texts)),))
        for heading, texts in sections
    ]
    return compose_document(passages, id="d0", source="-", title="Reed beds after floods")


def kind(source: Document) -> DocumentKind:
    candidates = candidates_of(source)
    return document_kind_of(candidates, kind_of(candidates))


def quoted(source: Document) -> list[str]:
    words = suit_length(sum(len(each.text.split()) for each in source.sentences))
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return [sentence.text for sentence in compose(pages, [source], Request(num_words=words)).sentences]


def test_a_review_tells_its_subject_its_aim_and_its_conclusions() -> None:
    told = set(quoted(review()))
    assert {SUBJECT, AIM} <= told
    assert len(told & set(CONCLUSIONS)) > 1


def test_of_a_part_what_sums_it_up_is_told_and_no_single_finding() -> None:
    told = set(quoted(review()))
    assert told & set(SUMS_UP.values())
    assert told.isdisjoint(text for texts in FINDINGS.values() for text in texts)


def test_what_lists_the_works_of_others_does_not_tell_the_subject() -> None:
    assert WORKS not in quoted(review(introduction=(WORKS, AIM)))


def test_a_review_says_that_it_is_one_or_cites_often() -> None:
    assert kind(review()) is DocumentKind.PAPER
    guide = compose_document(
        [
            Passage(heading=heading, level=1, paragraphs=(Paragraph.of(" ".join(texts)),))
            for heading, texts in (
                ("Introduction", (SUBJECT, INTRODUCTION[3].partition(" (")[0] + ".")),
                ("Roots", tuple(SUMS_UP.values()) * 2),
                ("Conclusions", CONCLUSIONS),
            )
        ],
        id="d0",
        source="-",
        title="Reed beds after floods",
    )
    assert kind(guide) is DocumentKind.OTHER


@pytest.mark.parametrize(
    ("heading", "is_of_work"),
    [("3. Results", True), ("Results / Roots", True), ("Materials and methods", True), ("Roots", False)],
)
def test_methods_and_results_are_work_of_its_own(heading: str, is_of_work: bool) -> None:
    assert tells_of_own_work(heading) is is_of_work
