"""Extraction: verbatim sentences in order, within the length, without repetition and debris."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from extraction import candidates_of, document_of, summarize
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.locality import Locality, choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import SourceKind, kind_of
from lsum_cli.methods.extract.method import extract
from lsum_cli.methods.extract.ranking.salience import features
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.sentences.presentability import is_presentable
from lsum_cli.progress import ProgressEvent
from lsum_cli.summaries import AttributionKind, SummarySentence
from lsum_cli.text.terms import count_words


def document(
    *sections: tuple[str | None, Sequence[str]], id: str = "d0", title: str | None = None
) -> Document:
    """A document; every string is a paragraph."""
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(Paragraph.of(text, pdf_page=4) for text in texts))
        for heading, texts in sections
    ]
    return compose_document(passages, id=id, source=id, title=title)


def run(*documents: Document, num_words: int, attribution: bool = True) -> tuple[SummarySentence, ...]:
    pages = paginate(documents, choose_locality(documents).locality, 1024)
    return extract(pages, documents, num_words=num_words, attribution=attribution)


def texts(summary: Sequence[SummarySentence]) -> list[str]:
    return [sentence.text for sentence in summary]


def chatter(seed: int, count: int, start: str = "") -> str:
    """Sentences of random words, each twelve words long, none like another."""
    generator = random.Random(seed)
    syllables = ["ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu"]

    def word() -> str:
        return "".join(generator.choices(syllables, k=3))

    return " ".join(f"{start}{' '.join(word() for _ in range(12))}".capitalize() + "." for _ in range(count))


ARTICLE = document(
    (
        "1 Introduction",
        [
            "The heron colonies of the northern lakes have lost half of their nests since the dam was built. "
            "However, this is only one part of a much longer and sadder story of the lakes. "
            "In this study we show that the dam lowers the water in the weeks when herons raise their young.",
            chatter(1, 12),
        ],
    ),
    (
        "2 Methods",
        [chatter(2, 20), "See Table 3 for the water levels of the lakes in each of the study years."],
    ),
    (
        "3 Conclusions",
        [
            "We conclude that a slower release of water from the dam would save the nests of the herons. "
            + chatter(3, 4)
        ],
    ),
    ("Funding", ["The study of herons and the dam and the lakes was funded by the heron lakes foundation."]),
    title="How a dam empties the nests of herons",
)


def test_sentences_are_verbatim_and_in_the_order_of_the_source() -> None:
    source = [sentence.text for sentence in ARTICLE.sentences]
    positions = [source.index(text) for text in texts(run(ARTICLE, num_words=80))]
    assert positions == sorted(positions)
    assert len(set(positions)) == len(positions) > 2


def test_what_the_document_is_about_is_chosen() -> None:
    chosen = " ".join(texts(run(ARTICLE, num_words=60)))
    assert "have lost half of their nests" in chosen
    assert "In this study we show" in chosen
    assert "We conclude that" in chosen


def test_funding_pointers_and_dangling_sentences_are_not() -> None:
    chosen = " ".join(texts(run(ARTICLE, num_words=60)))
    assert "foundation" not in chosen
    assert "See Table 3" not in chosen
    assert "However" not in chosen


@pytest.mark.parametrize("num_words", [13, 25, 60, 100, 250])
def test_the_summary_fills_the_length_and_never_exceeds_it(num_words: int) -> None:
    words = sum(len(text.split()) for text in texts(run(ARTICLE, num_words=num_words)))
    # Sentences have twelve words and more, so that less than another one of them is missing.
    assert num_words - 13 <= words <= num_words


def test_attribution_is_exact_by_construction() -> None:
    for sentence in run(ARTICLE, num_words=80):
        assert sentence.attribution is not None
        assert sentence.attribution.kind is AttributionKind.EXTRACTION
        assert [page.weight for page in sentence.attribution.pages] == [1.0]
        (evidence,) = sentence.attribution.evidence
        assert (evidence.text, evidence.score, evidence.document_id) == (sentence.text, 1.0, "d0")
        assert ARTICLE.sentences[evidence.sentence_index].text == sentence.text
        assert evidence.pdf_page == 4
        assert evidence.page == sentence.attribution.top_page
        pages = paginate([ARTICLE], Locality.DISCOURSE, 1024)
        assert sentence.text in [candidate.text for candidate in pages[evidence.page].sentences]


def test_attribution_can_be_left_out() -> None:
    assert all(s.attribution is None for s in run(ARTICLE, num_words=40, attribution=False))


def test_near_duplicates_are_told_once() -> None:
    fact = "The heron colonies of the northern lakes have lost half of their nests since 1990"
    repeated = document(
        (None, [f"{fact}.", chatter(4, 20), f"{fact} already.", chatter(5, 20), f"So {fact}."])
    )
    chosen = texts(run(repeated, num_words=100))
    assert sum("heron colonies" in text for text in chosen) == 1


def test_a_point_in_other_words_is_made_once_and_another_is_made_instead() -> None:
    source = document(
        (
            None,
            [
                "This proposal replaces the conformance gate of weirs with an extension gate.",
                chatter(5, 6),
                "This proposal replaces the conformance gate with one that every warden opens.",
                "Herons of the northern lakes are counted by the wardens of every harbour.",
                "The lakes have weirs, and wardens count the lakes and weirs every spring.",
                "Every spring wardens sail to the lakes and mend weirs there.",
                chatter(4, 6),
            ],
        )
    )
    candidates = candidates_of(source)
    wanted = np.array(["gate" in each.text for each in candidates.sentences], float)
    wanted += 0.9 * np.array(["Herons" in each.text for each in candidates.sentences], float)
    chosen = select(candidates, wanted, 30, is_read=True, is_ranked=True)
    quoted = [candidates.sentences[position].text for position in chosen]
    assert sum("conformance gate" in text for text in quoted) == 1
    assert any("Herons" in text for text in quoted)


def test_every_one_of_several_documents_is_heard() -> None:
    documents = [
        document((None, [chatter(seed, 30, start=f"{name} ")]), id=name, title=name)
        for seed, name in enumerate(["alpha", "beta", "gamma"])
    ]
    summary = run(*documents, num_words=80)
    origins = [s.attribution.evidence[0].document_id for s in summary if s.attribution]
    assert set(origins) == {"alpha", "beta", "gamma"}
    assert origins == sorted(origins)


def test_a_document_that_fits_is_returned_whole() -> None:
    short = document((None, ["One is here. Two is there.", "Three."]))
    assert texts(run(short, num_words=7)) == ["One is here.", "Two is there.", "Three."]


def test_a_text_without_stops_says_why_so_much_is_quoted() -> None:
    made = summarize(document_of((None, ["the keeper of the weir counts the boats of the lake " * 90])))
    assert any("no end of a sentence is found within" in warning for warning in made.warnings)
    short = summarize(document_of((None, ["The keeper counts the boats of the lake " * 8 + "in May."])))
    assert not short.warnings


def test_where_every_sentence_is_too_long_the_best_is_returned() -> None:
    (only,) = run(ARTICLE, num_words=3)
    assert only.text in [sentence.text for sentence in ARTICLE.sentences]
    assert "heron" in only.text


def test_one_sentence_is_its_own_summary() -> None:
    assert texts(run(document((None, ["There is but one sentence."])), num_words=2)) == [
        "There is but one sentence."
    ]


def test_no_pages_no_summary() -> None:
    assert extract([], [], num_words=10) == ()


def test_scripts_without_spaces_have_a_length_too() -> None:
    topic = "琵琶湖の水位は夏の間に大きく下がった。"
    others = [
        "猫は魚を食べた。",
        "犬は庭で眠っていた。",
        "空は青く晴れている。",
        "彼は新しい本を買った。",
    ] * 6
    japanese = document(
        (None, ["".join([topic, *others, "湖の水位が下がると魚が減る。"])]), title="琵琶湖の水位"
    )
    summary = texts(run(japanese, num_words=18))
    assert topic in summary
    assert sum(map(count_words, summary)) <= 18
    assert len(set(summary)) == len(summary)


def test_symbols_are_no_sentence() -> None:
    table = "3.1 | 4.15 | 92.6 | 53.5 | 8.97 | 9.32 | 3.84 | 6.26 | 43.3 | 8.32 | 7.95 | 0.28."
    noisy = document((None, [table, chatter(6, 30)]))
    assert table not in texts(run(noisy, num_words=120))


def test_what_stands_between_the_rows_of_a_table_is_not_quoted_where_the_rest_fits() -> None:
    said = "Every sluice of the harbour closes at high water."
    rows = [
        row
        for number in range(20)
        for row in (f"sluice_{number}.gate", f"Gate {number} | closed by hand in winter")
    ]
    assert texts(run(document((None, [said, *rows])), num_words=400)) == [said]


def test_an_abstract_counts_for_more_than_the_same_text_elsewhere() -> None:
    def chosen(role: SectionRole) -> int:
        """How many sentences of the middle section come into the summary."""
        passages = [
            Passage(heading="Body", level=1, paragraphs=(Paragraph.of(chatter(7, 10)),)),
            Passage(heading="Middle", level=1, role=role, paragraphs=(Paragraph.of(chatter(8, 10)),)),
            Passage(heading="More", level=1, paragraphs=(Paragraph.of(chatter(9, 10)),)),
        ]
        source = compose_document(passages, id="d0", source="-")
        return sum(text in chatter(8, 10) for text in texts(run(source, num_words=60)))

    assert chosen(SectionRole.ABSTRACT) > chosen(SectionRole.BODY)


def test_the_kind_of_source_is_told_apart() -> None:
    meeting = [f"{name}: Yeah, I think you can see what I mean about the plan." for name in ["Ann", "Bo"] * 5]
    notes = [f"Fix: The server of module {letter} no longer loses its connection." for letter in "abcdef"]

    def kind(*documents: Document) -> SourceKind:
        return kind_of(Candidates.of(paginate(documents, Locality.DOCUMENT, 1024), documents))

    assert kind(document((None, meeting))) is SourceKind.CONVERSATION
    assert kind(document((None, notes))) is SourceKind.PROSE
    assert kind(ARTICLE) is SourceKind.PROSE
    assert kind(story(8)) is SourceKind.NARRATIVE
    assert kind(document((None, notes)), document((None, meeting), id="d1")) is SourceKind.COLLECTION


def test_sums_of_a_list_are_no_talk() -> None:
    appeal = [
        "We ask you for gifts, so that we can keep the mill.",
        "My brother and I run it for all of you.",
    ]
    sums = [f"{name}: EUR {number}50.00" for number in range(1, 5) for name in ("Gifts", "Fees", "other")]
    spoken = [text.replace("EUR", "I gave you EUR") for text in sums]
    kinds = [
        kind_of(Candidates.of(paginate([each], Locality.DOCUMENT, 1024), [each]))
        for each in (document((None, [*appeal, *sums])), document((None, [*appeal, *spoken])))
    ]
    assert kinds == [SourceKind.PROSE, SourceKind.CONVERSATION]


def story(num_chapters: int) -> Document:
    """Chapters of talk, each with one sentence that tells what happens."""
    talk = [
        "“I will not go there with you, and you will not go there with me,” said the Warden of Harrow Mill.",
        "“Why do you ask me of Harrow Mill,” said the Warden, “when I told you all that I know of it?”",
        "He looked at them.",
    ]
    return document(
        *(
            (
                f"Chapter {number}",
                [
                    *talk * 8,
                    f"On day {number} the Warden walked down from Harrow Mill with {chatter(number, 1).lower()}",
                    *talk * 8,
                ],
            )
            for number in range(1, num_chapters + 1)
        ),
        title="The Warden of Harrow Mill",
    )


def test_a_story_is_told_from_its_beginning_to_its_end() -> None:
    """Not by the sentences that hold most words of its title, nor by what its people say."""
    chosen = texts(run(story(8), num_words=180))
    assert [text for text in chosen if text.startswith("On day")] == chosen
    assert len(chosen) >= 6
    assert chosen[0].startswith(("On day 1 ", "On day 2 "))
    assert chosen[-1].startswith(("On day 7 ", "On day 8 "))


@pytest.mark.parametrize(("asks", "answers"), [("Q", "A"), ("Question 3", "Answer 3"), ("Frage", "Antwort")])
def test_questions_and_answers_are_no_talk(asks: str, answers: str) -> None:
    listed = [
        text
        for key in ("gate", "boat", "lamp", "rope")
        for text in (
            f"{asks}: Where do I find the {key}, and may I use it when you are away?",
            f"{answers}: You find it by the shed, and you may use it if I know when you do.",
        )
    ]
    spoken = [text.replace(f"{asks}:", "Anna:").replace(f"{answers}:", "Bert:") for text in listed]
    kinds = [
        kind_of(Candidates.of(paginate([each], Locality.DOCUMENT, 1024), [each]))
        for each in (document((None, listed)), document((None, spoken)))
    ]
    assert kinds == [SourceKind.PROSE, SourceKind.CONVERSATION]


def test_a_tale_within_quotation_marks_that_stay_open_is_no_talk() -> None:
    tale = document(
        (None, ["“He went down to the mill. He found it empty.", "She said: “It is mine.” He said no."])
    )
    pages = paginate([tale], Locality.SPATIAL, 1024)
    assert features(Candidates.of(pages, [tale]))["dialogue"].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("text", "can_be_shown"),
    [
        ("Herons of the lakes : how the dam empties their nests / Ann Brown.", False),
        ("Copyright (c) 2014 the heron lakes foundation and the authors.", False),
        ("Permission is granted to copy and distribute this book of the herons.", False),
        ("A copy of the license is included in the section on the rights of keepers.", False),
        ("Heronry is a trademark of the heron lakes foundation in some lands.", False),
        ("The nests of the herons are discussed in Section 3.", False),
        ("What the dam does to the nests of herons is told in the next section.", False),
        ("The dam is built in Section 3 of the river and is 40 m high / 100 m wide.", True),
    ],
)
def test_cataloguing_copyright_and_outlines_are_not_shown(text: str, can_be_shown: bool) -> None:
    assert is_presentable(text) is can_be_shown


def test_progress_begins_and_ends() -> None:
    events: list[ProgressEvent] = []
    pages = paginate([ARTICLE], Locality.SPATIAL, 1024)
    extract(pages, [ARTICLE], num_words=40, progress=events.append)
    assert [event.done for event in events] == [0, len(ARTICLE.sentences)]
    assert {event.total for event in events} == {len(ARTICLE.sentences)}


anything = st.lists(
    st.text(max_size=60) | st.sampled_from(["A word. And more of it.", "(1)", "…", "猫。"]), max_size=8
)


@given(first=anything, second=anything, num_words=st.integers(1, 60))
@settings(max_examples=80, deadline=None)
def test_any_text_gives_some_of_its_sentences(first: list[str], second: list[str], num_words: int) -> None:
    documents = [document((None, first)), document((None, second), id="d1")]
    summary = texts(run(*documents, num_words=num_words))
    source = [sentence.text for each in documents for sentence in each.sentences]
    assert bool(summary) == bool(source)
    assert all(text in source for text in summary)
    assert len(summary) == 1 or sum(map(count_words, summary)) <= num_words
    assert summary == texts(run(*documents, num_words=num_words))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60), st.booleans())
def test_a_longer_summary_holds_the_sentences_of_a_shorter_named_one(
    seed: int, count: int, has_long_sentences: bool
) -> None:
    body = chatter(seed, count).split(". ")
    if has_long_sentences:  # of up to 200 words, so that even the first may not fit
        body = [" ".join(body[at : at + 1 + (seed + at) % 17]) for at in range(len(body))]
    source = document((None, [f"{text.rstrip('.')}." for text in body]))
    chosen = {
        num_words: {s.attribution.evidence[0].sentence_index for s in run(source, num_words=num_words)}  # type: ignore[union-attr]
        for num_words in (75, 150, 300)
    }
    assert chosen[75] <= chosen[150] <= chosen[300]


def test_of_a_long_text_without_headings_every_stretch_is_quoted() -> None:
    chance = random.Random(5)
    words = ["lamp", "rope", "barrel", "goat", "lantern", "wheel", "hedge", "bell", "coat", "ladder"]
    words += ["basket", "stove", "fence", "saddle", "drum"]
    subjects = ("weir", "mill", "market")
    paragraphs = [
        " ".join(
            f"One of the wardens saw a {chance.choice(words)} and a {chance.choice(words)} by the {subject}, "
            f"where the {chance.choice(words)} was."
            for _ in range(16)
        )
        for subject in subjects
        for _ in range(2)
    ]
    quoted = " ".join(texts(summarize(document_of((None, paragraphs))).sentences))
    assert all(subject in quoted for subject in subjects)
