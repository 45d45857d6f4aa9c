"""A summary says what its abbreviations stand for, as its documents say it and only where they do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import lsum_cli
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.glossary import explain
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import OutlineEntry, Style, Summary, SummaryLength, SummarySentence

MINI = Path(lsum_cli.__file__).parent / "checkpoints" / "packaged" / "lsum-mini"


def document(*sentences: str, id: str = "d0", title: str | None = "Ponds") -> Document:
    passage = Passage(heading="A", level=1, paragraphs=tuple(map(Paragraph.of, sentences)))
    return compose_document([passage], id=id, source=f"{id}.txt", title=title)


def summary_of(documents: list[Document], *quoted: tuple[int, int]) -> Summary:
    """The summary that quotes these sentences, each given by its document and its number."""
    whole = Summarizer(SummaryOptions(method="extract", length=1000)).summarize(documents)
    ids = [each.id for each in documents]
    chosen = [
        sentence
        for place in quoted
        for sentence in whole.sentences
        if sentence.attribution
        and (
            ids.index(sentence.attribution.evidence[0].document_id),
            sentence.attribution.evidence[0].sentence_index,
        )
        == place
    ]
    assert len(chosen) == len(quoted)
    return explain(replace(whole, sentences=tuple(chosen), outline=(), lengths=()))


def explained(summary: Summary) -> dict[str, str]:
    return {each.short: each.long for each in summary.abbreviations}


POND = (
    "The slowly drying ponds (SDPs) of the plain were counted in May by two men.",
    "Each SDP held frogs, and a mean pond depth (MPD) of two feet was read there.",
    "Where the MPD fell under one foot, the frogs of every SDP left for the river in a week.",
)


def test_long_forms_are_those_of_the_source_in_the_order_of_use() -> None:
    source = document(*POND)
    [one, two] = summary_of([source], (0, 2)).abbreviations
    assert (one.short, one.long, one.document_id, one.sentence_index) == ("MPD", "mean pond depth", "d0", 1)
    assert (two.short, two.long, two.sentence_index) == ("SDPs", "slowly drying ponds", 0)
    for each in (one, two):
        assert each.long in source.sentences[each.sentence_index].text


def test_what_the_summary_or_its_title_spells_out_is_not_told_again() -> None:
    assert explained(summary_of([document(*POND)], (0, 0), (0, 2))) == {"MPD": "mean pond depth"}
    titled = document(*POND, title="A slowly drying pond and its frogs")
    assert explained(summary_of([titled], (0, 2))) == {"MPD": "mean pond depth"}


def test_nor_what_the_summary_spells_out_in_other_words() -> None:
    source = document(
        "Keywords: acid rain fund (ARF), frogs, ponds and mills of the plain.",
        "The acid rain funding (ARF) of the plain was stopped in May by two men.",
        "The ARF had paid for the frogs of every pond (SDP) in the plain since the war.",
    )
    assert explained(summary_of([source], (0, 1))) == {}
    assert explained(summary_of([source], (0, 2))) == {"ARF": "acid rain fund"}


def test_a_heading_may_be_what_says_it() -> None:
    source = document("Each SDP held frogs and the men counted them in May of that year.", "It rained.")
    [section] = source.sections
    headed = replace(source, sections=(replace(section, heading="The slowly drying ponds (SDPs)"),))
    [told] = summary_of([headed], (0, 0)).abbreviations
    assert (told.short, told.long, told.sentence_index) == ("SDPs", "slowly drying ponds", None)


def test_nothing_is_told_of_what_a_document_gives_two_meanings() -> None:
    source = document(
        "The evening rain (ER) filled the old ponds of the plain again that year.",
        "An early river (ER) runs beside the ponds of the plain in most years.",
        "After the ER of May the frogs came back to all of the ponds there.",
    )
    assert explained(summary_of([source], (0, 2))) == {}


@pytest.mark.parametrize(
    ("told", "names", "is_explained"),
    [
        ("The log of the mill keeps the IP addresses of all of its guests.", "intellectual property", False),
        ("No IP packet and no ip port of the mill was open in that year.", "intellectual property", False),
        ("The mill sold its IP and the IP addresses of all of its guests.", "intellectual property", True),
        ("The log of the mill keeps the IP addresses of all of its guests.", "Internet Protocol", True),
    ],
)
def test_nothing_is_told_of_a_short_form_in_a_term_where_it_means_something_else(
    told: str, names: str, is_explained: bool
) -> None:
    source = document(f"The owner holds the {names} (IP) of the mill in the plain.", told)
    assert explained(summary_of([source], (0, 1))) == ({"IP": names} if is_explained else {})


def test_each_document_is_asked_for_its_own_meaning() -> None:
    rain = document("The evening rain (ER) filled the ponds.", "After the ER of May the frogs came back.")
    river = document(
        "An early river (ER) runs beside the mill.", "The ER drove three wheels of the mill.", id="d1"
    )
    assert explained(summary_of([rain, river], (0, 1))) == {"ER": "evening rain"}
    assert explained(summary_of([rain, river], (1, 1))) == {"ER": "early river"}
    assert explained(summary_of([rain, river], (0, 1), (1, 1))) == {}
    silent = document("The ER drove three wheels of the old mill.", "It stood.", id="d1")
    assert explained(summary_of([rain, silent], (1, 0))) == {"ER": "evening rain"}


def test_the_form_that_says_more_is_told() -> None:
    source = document(
        "The Old MDP (OMDP) was drained.",
        "The Old Mill Drying Pond (OMDP) held frogs.",
        "The OMDP was a loss.",
    )
    assert explained(summary_of([source], (0, 2))) == {"OMDP": "Old Mill Drying Pond"}


def test_headings_and_parts_and_lengths_are_read_too() -> None:
    summary = summary_of([document(*POND)], (0, 0))
    assert explained(summary) == {}
    part = OutlineEntry(heading="What the MPD says", level=1, document_id="d0")
    assert explained(explain(replace(summary, outline=(part,)))) == {"MPD": "mean pond depth"}
    long = SummaryLength(name="long", sentences=(SummarySentence(text="The MPD fell.", index=0),))
    assert explained(explain(replace(summary, lengths=(long,)))) == {"MPD": "mean pond depth"}


@pytest.mark.parametrize(
    "options",
    [
        {"method": "extract", "focus": "frogs left the river", "length": 22},
        {"method": "extract", "focus": "frogs left the river", "length": 22, "style": Style.BULLETS},
        {"model": str(MINI)},
    ],
)
def test_extracts_and_texts_of_models_are_explained(options) -> None:
    source = document(POND[1], POND[0], *(f"{POND[2]} Some {number} came back." for number in range(9)))
    summary = Summarizer(SummaryOptions(**options)).summarize([source])
    assert "MPD" in summary.text
    assert ("mean pond depth" in summary.text) is ("MPD" not in explained(summary))
    assert explained(replace(summary, abbreviations=())) == {}


def test_what_changed_is_explained_by_what_did_not() -> None:
    from lsum_cli.changes import EarlierText

    old = document(*POND)
    new = document(*POND, "In June the MPD of the last pond fell to nothing, and the men went home.")
    summary = Summarizer(SummaryOptions(method="extract")).summarize_changes(EarlierText.of(old), new)
    assert "MPD" in summary.text
    assert explained(summary) == {"MPD": "mean pond depth"}


LOCK = (
    "In May respondent Jane Mill closed the lock of the old canal for a year.",
    "In that year Ada Weir, the keeper of the lock, went to the port with all of her men.",
    "Mill paid the men of Weir nothing, and the men drained the canal in one night.",
)


def introduced(summary: Summary) -> list[tuple[str, str]]:
    return [(each.short, each.long) for each in summary.people]


def test_people_are_introduced_as_the_source_does_it() -> None:
    source = document(*LOCK)
    mill, weir = summary_of([source], (0, 2)).people
    assert (mill.short, mill.long) == ("Mill", "respondent Jane Mill")
    summary = summary_of([source], (0, 0), (0, 2))
    assert introduced(summary) == [("Weir", "Ada Weir, the keeper of the lock")]
    [weir] = summary.people
    assert weir.sentence_index == 1
    assert weir.long in source.sentences[1].text
    assert introduced(summary_of([document(*LOCK, title="Jane Mill and Ada Weir")], (0, 2))) == []


def test_nobody_is_introduced_of_whom_the_summary_says_as_much_by_the_surname() -> None:
    told = "The court held that respondent Mill owes the men of Weir the pay of a year."
    assert introduced(summary_of([document(*LOCK, told)], (0, 3))) == [
        ("Weir", "Ada Weir, the keeper of the lock")
    ]


def test_nobody_is_introduced_of_whom_there_may_be_two_or_whose_name_is_a_word_or_a_case() -> None:
    two = document(*LOCK, "His son Tom Weir, a sailor, stayed in the port for the whole of that year.")
    assert introduced(summary_of([two], (0, 2))) == [("Mill", "respondent Jane Mill")]
    word = document(*LOCK, "There was a weir above the port and nobody had seen it in all these years.")
    assert introduced(summary_of([word], (0, 2))) == [("Mill", "respondent Jane Mill")]
    case = document(*LOCK, "That was decided by Mill v. Port, and it was said to be right at that time.")
    assert introduced(summary_of([case], (0, 2))) == [("Weir", "Ada Weir, the keeper of the lock")]
    own = document(
        *LOCK, "That was decided by Mill v. Port, and it was said to be right.", title="Mill v. Dock"
    )
    assert ("Mill", "respondent Jane Mill") in introduced(summary_of([own], (0, 2)))


def test_people_are_introduced_in_english_only() -> None:
    german = replace(document(*LOCK), language="de")
    assert introduced(summary_of([german], (0, 2))) == []


def test_each_length_is_read_without_the_longer_ones() -> None:
    whole = Summarizer(SummaryOptions(method="extract", length=1000)).summarize([document(*POND)])
    short = SummaryLength(name="short", sentences=whole.sentences[2:])
    long = SummaryLength(name="long", sentences=whole.sentences)
    assert explained(explain(replace(whole, outline=(), lengths=(long,)))) == {}
    found = explained(explain(replace(whole, outline=(), lengths=(short, long))))
    assert found == {"MPD": "mean pond depth", "SDPs": "slowly drying ponds"}
