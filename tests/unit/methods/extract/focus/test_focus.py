"""The focus of a summary: its words in any inflection, their company, what is nearest, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from extraction import candidates_of
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.focus.ranking import FocusRanking, with_announced
from lsum_cli.methods.extract.focus.relevance import rank
from lsum_cli.methods.extract.guides.faq import Faq
from lsum_cli.methods.extract.kinds import SourceKind
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.text.encoder import packaged_encoder

MARSH = {
    "Growth": "Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water"
    " down and hold the mud in place for many years. A marsh rises by four millimetres in a good year.",
    "Dams": "Where rivers are dammed upstream, the marshes of the valley starve of sediment. Dam gates let water"
    " pass and keep the sand. Engineers now flush the gates once a year, and the sand moves again.",
    "Funding": "The survey was paid for by the harbour board of the county for three years. No board member took"
    " part in the measurements of the marshes.",
}


def document(id: str = "d0", language: str | None = "en") -> Document:
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),)) for heading, text in MARSH.items()
    ]
    return compose_document(passages, id=id, source=id, title="Marshes", language=language)


def ranked(
    candidates: Candidates, focus: str, language: str | None = None, *, is_talk: bool = False
) -> FocusRanking:
    """The ranking of sentences none of which says more of the whole than another."""
    structure = Structure.of(candidates)
    if is_talk:
        structure = replace(structure, source_kind=SourceKind.CONVERSATION)
    return rank(candidates, structure, np.zeros(len(candidates)), focus, language)


def ranking(focus: str, language: str | None = "en") -> FocusRanking:
    source = document()
    return ranked(candidates_of(source), focus, language)


def _candidates(texts: list[str]) -> Candidates:
    passages = [Passage(paragraphs=(Paragraph.of(" ".join(texts)),))]
    source = compose_document(passages, id="d0", source="d0")
    return candidates_of(source)


def best(focus: str) -> str:
    return document().sentences[int(ranking(focus).relevance.argmax())].text


@pytest.mark.parametrize(
    ("focus", "holds"),
    [
        ("damming", "Dam gates"),
        ("What does the report say about how marshes grow?", "marshes grow"),
        ("GRASS", "Grasses slow"),
        ("who paid", "paid for by the harbour board"),
    ],
)
def test_words_are_found_in_any_inflection_and_asking_words_do_not_count(focus: str, holds: str) -> None:
    assert holds in best(focus)
    assert not ranking(focus).is_weak


def test_forms_of_irregular_verbs_are_inflections() -> None:
    source = _candidates(
        [
            "The board had withdrawn the plan.",
            "Nobody wrote a report.",
            "A mason found two blocks by the road.",
        ]
    )
    for focus, number in (
        ("withdrew", 0),
        ("withdrawing", 0),
        ("written", 1),
        ("rewrote", None),
        ("finding", 2),
    ):
        about = ranked(source, focus, "en")
        assert np.flatnonzero(about.names).tolist() == ([] if number is None else [number]), focus
    assert ranked(source, "withdrew", "de").is_weak


def test_the_section_that_has_the_focus_in_its_heading_is_about_it() -> None:
    about = ranking("funding")
    assert about.is_about.tolist() == [False] * 6 + [True] * 2
    assert about.missing == ()


def test_where_the_source_hardly_speaks_of_it_what_is_nearest_is_said() -> None:
    about = ranking("sedimentology of estuaries")
    assert about.is_weak
    assert about.missing == ("sedimentology", "estuaries")
    (warning,) = about.warnings("sedimentology of estuaries")
    assert "hardly speaks" in warning
    assert "“sediment”" in warning


def test_where_it_does_not_speak_of_it_at_all_nothing_is_about_it() -> None:
    about = ranking("quantum")
    assert not about.is_about.any()
    assert about.warnings("quantum") == (
        "the source does not speak of “quantum”: the summary is of the whole",
    )


@pytest.mark.parametrize(
    ("focus", "warnings"),
    [
        ("grasses and dams", ()),
        ("grasses and quantum", ("the source does not speak of “quantum”",)),
        ("the funding of the survey, dams and what giraffes eat?", ("“what giraffes eat”",)),
        ("dam gates & прилив", ("the source does not speak of “прилив”",)),
        ("quantum, giraffes", ("“quantum, giraffes”: the summary is of the whole",)),
        ("when and where do the grasses grow", ()),
        ("dams and estuarine sedimentology", ()),
        ("dams and which sort of sedimentology is the best in estuaries", ()),
        # A word is misspelt, and another says in other words what it says.
        ("dams, grasses and harbuor", ()),
        ("dams, grasses and vegetation", ()),
        ("dams and lorries, please", ("does not speak of “lorries”",)),
        # What names nothing, asks for the whole or for what a kind of document states is not missed.
        ("What about the dams, please?", ()),
        ("Hello, what about the dams?", ()),
        ("the dams, grasses, etc.", ()),
        ("dams, yes or no", ()),
        ("both dams and grasses, in brief", ()),
        ("the dams, grasses and anything related to them", ()),
        ("dams, and explain", ()),
        ("summary, dams", ()),
        ("overview and dams", ()),
        ("dams, grasses, summary and conclusions", ()),
        ("limitations and funding", ()),
        # Not even the ninth of many.
        ("dams, grasses, sand, mud, water, sea, gates, marshes, quantum", ()),
    ],
)
def test_of_several_things_that_are_asked_for_those_without_an_answer_are_named(
    focus: str, warnings: tuple[str, ...]
) -> None:
    found = ranking(focus).warnings(focus)
    assert len(found) == len(warnings)
    assert all(end in warning for end, warning in zip(warnings, found, strict=True))


@pytest.mark.parametrize("focus", ["", "  ", "?!", "what is the", "of it and they"])
def test_a_focus_that_names_nothing_is_wrong_usage(focus: str) -> None:
    with pytest.raises(OptionError, match="--focus"):
        Summarizer(SummaryOptions(method="extract", focus=focus)).summarize([document()])


@pytest.mark.parametrize("focus", ["прилив", "潮汐", "μέγεθος"])
def test_another_script_is_refused(focus: str) -> None:
    with pytest.raises(OptionError, match="script"):
        ranking(focus)


def test_a_sentence_in_another_language_is_refused_but_a_name_is_not() -> None:
    with pytest.raises(OptionError, match=r"another language \(de\)"):
        ranking("Welche Rolle spielt der Staudamm für die Salzwiesen?")
    assert ranking("Staudamm").is_weak
    assert ranking("Welche Rolle spielt der Staudamm für die Salzwiesen?", language=None).is_weak


def test_the_summary_is_about_the_focus_and_of_nothing_else() -> None:
    summary = Summarizer(SummaryOptions(method="extract", focus="dams", length="60")).summarize([document()])
    sections = {
        document().sentences[s.attribution.evidence[0].sentence_index].section_index
        for s in summary.sentences
    }  # type: ignore[union-attr]
    assert sections == {1}
    assert summary.options["focus"] == "dams"
    assert summary.warnings == ()


def test_with_several_documents_those_that_say_nothing_about_it_are_named() -> None:
    other = compose_document(
        [Passage(paragraphs=(Paragraph.of("Herons nest in tall reeds far away from any road or mill."),))],
        id="d1",
        source="herons.txt",
        title="Herons",
        language="en",
    )
    options = SummaryOptions(method="extract", focus="dams", length="60")
    summary = Summarizer(options).summarize([document(), other])
    assert summary.sentences
    assert "not in the summary: Herons (nothing about “dams”)" in summary.warnings


def test_where_what_is_about_it_cannot_be_quoted_the_summary_is_of_the_whole() -> None:
    endless = f"The mill {'and the canal ' * 60}are old."
    texts = (
        "The lathe turns oak for the millers.",
        f"{endless} This includes support for dredging in spring.",
    )
    documents = [
        compose_document(
            [Passage(paragraphs=(Paragraph.of(text),))],
            id=f"d{n}",
            source=f"{n}.txt",
            title=f"T{n}",
            language="en",
        )
        for n, text in enumerate((*texts, "Herons nest in the willows beside the ponds of the county."))
    ]
    summary = Summarizer(SummaryOptions(method="extract", focus="dredging")).summarize(documents)
    assert summary.sentences
    assert summary.warnings[0].startswith("the source only names “dredging”")


@settings(max_examples=80, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_any_focus_ranks_or_is_wrong_usage(focus: str) -> None:
    try:
        SummaryOptions(focus=focus)
        about = ranking(focus)
    except OptionError:
        return
    assert len(about.relevance) == len(document().sentences)
    assert 0 <= about.relevance.min() <= about.relevance.max() <= 1 + 1e-9


def test_what_a_fragment_announces_is_about_the_focus() -> None:
    text = "Last point, hiring. We got forty-two applications. The freeze stays."
    passage = Passage(heading=None, level=0, paragraphs=(Paragraph.of(text),))
    source = compose_document([passage], id="d0", source="d0", title=None, language="en")
    candidates = candidates_of(source)
    found = ranked(candidates, "hiring", "en")
    assert found.is_about.tolist() == [True, False, False]
    found = with_announced(found, np.array([False, True, True]), candidates)
    assert found.is_about.tolist() == [True, True, False]
    assert found.relevance[1] == found.relevance[0]


@pytest.mark.parametrize(
    ("word", "used", "language", "is_akin"),
    [
        ("marshes", "marshall", "en", False),
        ("marshes", "march", "en", False),
        ("contract", "contrast", "en", False),
        ("communist", "community", "en", False),
        ("enviroment", "environment", "en", True),
        ("telescpoe", "telescope", "en", True),
        ("definately", "definitely", "en", True),
        ("regulatory", "regulations", "en", True),
        ("economic", "economy", "en", True),
        ("sichersten", "sicher", "de", True),
        ("kinder", "kindersitze", "de", True),
        ("kinder", "kindersitze", "fr", False),
    ],
)
def test_a_word_not_used_stands_for_its_family_or_its_right_spelling(
    word: str, used: str, language: str, is_akin: bool
) -> None:
    texts = [f"The {used} of the harbour rose.", "Nobody saw the ferry.", "The mill stood still for years."]
    candidates = _candidates(texts)
    ranking = ranked(candidates, word, language)
    assert ranking.is_about.tolist() == [is_akin, False, False]
    assert ranking.is_weak


def test_a_misspelt_word_among_others_is_found_too() -> None:
    candidates = _candidates(
        ["The harbour has ferries.", "The lighthouse of the harbour shines.", "It rains."]
    )
    ranking = ranked(candidates, "harbour ligthhouse", "en")
    assert int(np.argmax(ranking.relevance)) == 1


def test_function_words_of_the_sources_language_do_not_count() -> None:
    texts = ["Wir sind am Hafen und warten.", "Die Fähre ist die sicherste.", "Alle sind am Deich."]
    ranking = ranked(_candidates(texts), "Welche Fähre ist am sichersten?", "de")
    assert ranking.is_about.tolist() == [False, True, False]
    with pytest.raises(OptionError, match="only function words"):
        ranked(_candidates(texts), "und welche sind die", "de")
    with pytest.raises(OptionError, match="no words"):
        ranked(_candidates(texts), "???", "de")


def test_what_refers_to_a_sentence_that_is_not_about_the_focus_is_not_quoted() -> None:
    texts = (
        "Rivers carry mud and sand to the sea in every spring. Their herons then leave the nests of the valley"
        " for a year.",
        "The keeper of the lock counts boats on each day of the week. The bridge was painted in the autumn.",
        "Herons of the valley build nests in the oaks that stand along the northern canal of the county.",
        "A mill grinds the corn that boats bring from the southern villages and sells the flour in the town.",
    )
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, texts)))]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="nests of herons", length="long")
    quoted = [sentence.text for sentence in Summarizer(options).summarize([source]).sentences]
    assert any(text.startswith("Herons of the valley") for text in quoted)
    assert not any(text.startswith("Their herons") for text in quoted)


def test_where_all_that_is_about_the_focus_is_anaphoric_its_antecedents_are_quoted_too() -> None:
    texts = (
        "The board of Amble drained the marsh in the north of the county in spring. This made the herons leave"
        " the oaks in which they used to build their nests.",
        "The mill was painted red by the miller and his two sons. A keeper of the lock counts the boats.",
    )
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, texts)))]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="herons")
    quoted = [sentence.text for sentence in Summarizer(options).summarize([source]).sentences]
    assert [text[:9] for text in quoted] == ["The board", "This made"]


def test_the_best_answer_is_quoted_though_a_word_within_it_refers_back() -> None:
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),))
        for heading, text in (
            ("Painting", "The gates of the lock may open by night where boatmen of the county ask for it."),
            ("Wardens", "Members of this group may open the gates of the lock by night with their own key."),
            ("Sluices", "It is they who may open the gates of the lock by night, and they use a key."),
            ("Millers", "Millers grind the corn that boats bring from the villages, and sell the flour."),
        )
    ]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="who may open the gates by night?")
    quoted = [sentence.text for sentence in Summarizer(options).summarize([source]).sentences]
    assert any(text.startswith("Members of this group") for text in quoted)
    assert not any(text.startswith("It is they") for text in quoted)


@pytest.mark.parametrize(
    ("focus", "is_weak"),
    [
        ("mud collection", True),
        ("How many people were killed by the earthquake?", True),
        ("Is it still growing?", False),
        ("mud settles", False),
        ("How often are the gates flushed?", False),
    ],
)
def test_of_words_that_nowhere_stand_together_the_source_hardly_speaks(focus: str, is_weak: bool) -> None:
    assert ranking(focus).is_weak == is_weak


@pytest.mark.parametrize(
    "answer",
    [
        "The maximum number of boats to allow before the lock before sending a warning to the keeper.",
        "Default: True. If enabled, it sends a warning to the keeper when many boats wait before the lock.",
        "Boatmen get a warning from the keeper of the lock by mailing keeper@lock.example while boats wait.",
    ],
)
def test_the_best_answer_is_quoted_however_it_is_worded(answer: str) -> None:
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),))
        for heading, text in (
            ("Painting", "The gates of the lock are painted red in spring, and the bridge in the autumn."),
            ("Sluices", "No warning is sent at night, when the lock is closed to all boats of the county."),
            ("Waiting", answer),
            ("Millers", "Millers grind the corn that boats bring from the villages, and sell the flour."),
        )
    ]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="how to get a warning when boats wait before the lock")
    quoted = [sentence.text for sentence in Summarizer(options).summarize([source]).sentences]
    assert any(text.endswith(answer[-30:]) for text in quoted)


@pytest.mark.parametrize(
    ("focus", "holds"),
    [
        # In other words than the document's.
        ("what slows the current", "Grasses slow"),
        ("which staff participated in measuring", "took part in the measurements"),
        # What is asked for is a number, or a date.
        ("how many millimetres in a year", "four millimetres"),
        ("how often are the gates flushed", "once a year"),
    ],
)
def test_a_question_is_answered_in_the_documents_words(focus: str, holds: str) -> None:
    assert holds in best(focus)


def test_a_word_that_says_nearly_the_same_counts_less_than_the_word() -> None:
    texts = ["The fee of the mill is low.", "Nobody saw the mill.", "The cost of the mill is low."]
    asked = ranked(_candidates(texts), "cost of mills", "en")
    assert asked.relevance[2] > asked.relevance[0]
    alone = ranked(_candidates(texts[:2]), "cost", "en")
    assert alone.is_about.tolist() == [True, False]
    assert not alone.is_weak
    # In another language the words of a group say something else.
    assert not ranked(_candidates(texts[:2]), "cost", "de").is_about.any()


@pytest.mark.parametrize(
    ("focus", "text"),
    [
        # The stem of a stem may be another: "expenses", "expens", "expen".
        ("cost", "Expenses of the lock rose."),
        ("permission", "A licence, or license, is given to each boat."),
        ("reply", "The response of the board came late."),
    ],
)
def test_what_says_nearly_the_same_is_found_by_its_stem(focus: str, text: str) -> None:
    assert ranked(_candidates(["Nobody saw the mill.", text]), focus, "en").is_about.tolist() == [False, True]


def test_a_number_or_a_date_counts_where_it_is_asked_for() -> None:
    texts = ["The ferry sank in the harbour.", "Nobody saw it.", "The ferry sank in 1855.", "It was grey."]
    for focus, wanted in (("when did the ferry sink", 2), ("the ferry that sank in a harbour", 0)):
        assert int(ranked(_candidates(texts), focus, "en").relevance.argmax()) == wanted


def test_that_a_number_is_asked_for_is_no_word_that_the_source_lacks() -> None:
    candidates = _candidates(["Twelve ferries sail.", "The ferries are red.", "A ferry sank in the marsh."])
    for focus in ("how many ferries", "how often do ferries sail"):
        ranking = ranked(candidates, focus, "en")
        assert not ranking.is_weak
        assert not ranking.missing
    assert ranked(candidates, "green ferries", "en").missing == ("green",)


def test_in_talk_a_word_counts_for_what_is_said_long_after_it() -> None:
    texts = [
        "Shall we paint the ferry?",
        *(f"I said so in week {week}." for week in range(9)),
        "The mill stood.",
    ]
    candidates = _candidates(texts)
    far = [
        float(ranked(candidates, "ferry", "en", is_talk=is_talk).relevance[6]) for is_talk in (False, True)
    ]
    assert far[0] == 0
    assert far[1] > 0


def test_only_a_length_that_is_asked_for_is_filled_with_what_is_less_relevant() -> None:
    texts = (
        "The ferry of Amble was built of oak in the yard below the mill, and the ferry carries forty sheep.",
        "Keepers of the lock count the boats of the valley on each day of the week and write their names down.",
        "A bridge for carts was opened beside the tower, and whoever had come by ferry now walks to the market.",
        "Herons of the valley build nests in the elms that stand along the northern canal of the county.",
    )
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, texts)))]
    source = compose_document(passages, id="d0", source="d0", language="en")

    def quoted(**wishes: object) -> set[str]:
        options = SummaryOptions(method="extract", focus="the oak ferry of the yard below the mill", **wishes)  # type: ignore[arg-type]
        return {sentence.text for sentence in Summarizer(options).summarize([source]).sentences}

    assert quoted() == {texts[0]}
    assert quoted(length="100") >= {texts[0], texts[2]}


def test_a_heading_in_other_words_and_what_stands_beside_a_label_answer() -> None:
    sections = (
        ("Design", "The plan of openings is kept by the clerk, who seals it with red wax in autumn."),
        ("Drawbacks", "Keepers of old locks must learn the new plans before the gates are moved in spring."),
        ("Costs", "Boards are bought by the county from the mill below the weir in every second year."),
    )
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),)) for heading, text in sections
    ]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="what are the downsides")
    assert [each.text for each in Summarizer(options).summarize([source]).sentences] == [sections[1][1]]
    label = Passage(paragraphs=(Paragraph.of("Cons:"), Paragraph.of(sections[1][1])))
    others = [Passage(paragraphs=(Paragraph.of(text),)) for _, text in (sections[0], sections[2])]
    source = compose_document([others[0], label, others[1]], id="d0", source="d0", language="en")
    assert [each.text for each in Summarizer(options).summarize([source]).sentences] == [sections[1][1]]


def test_a_label_that_only_names_the_focus_answers_nothing() -> None:
    rows = ("Industry", "Software", "Founded", "Website", "Address")
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, (*rows, *MARSH.values()))))]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="when was it founded")
    summary = Summarizer(options).summarize([source])
    assert not {each.text for each in summary.sentences} & set(rows)
    assert any("only names “when was it founded”" in each for each in summary.warnings)
    row = "Founded | 28 February 1998"
    told = [Passage(paragraphs=tuple(map(Paragraph.of, (*rows[:2], row, *rows[3:], *MARSH.values()))))]
    source = compose_document(told, id="d0", source="d0", language="en")
    summary = Summarizer(options).summarize([source])
    assert [each.text for each in summary.sentences] == [row]
    assert summary.warnings == ()


GARDENS = (
    "The gardens are open from April to October, every day except Monday. Entry is by the north gate. The fee is 12"
    " pounds.",
    "Dogs are not allowed. Visitors who come with a dog can leave it with the keeper at the gate, who gives it water.",
    "The tea room serves lunch from noon until three. They are not accepted. Cards are not accepted.",
)


@pytest.mark.parametrize(
    ("focus", "answer"),
    [
        ("are dogs allowed", "Dogs are not allowed."),
        ("how much is the fee", "The fee is 12 pounds."),
        ("are cards accepted", "Cards are not accepted."),
    ],
)
def test_a_short_sentence_answers_alone(focus: str, answer: str) -> None:
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, GARDENS)))]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus=focus)
    told = [each.text for each in Summarizer(options).summarize([source]).sentences]
    assert answer in told
    assert not {"Entry is by the north gate.", "They are not accepted."} & set(told)


@pytest.mark.parametrize("amount", ["2,300 pounds", "£2,300", "2.3 million dollars", "EUR 2300", "40 €"])
def test_an_amount_of_money_says_what_something_costs(amount: str) -> None:
    texts = (
        "The keepers looked at the roof of the house on Friday.",
        "The slates on the north side are broken, and water has come into the loft of the keeper.",
        "Nobody has lived below the loft of the house for at least 40 years.",
        f"They can mend all of it in April for {amount} if the weather is good.",
        "The garden behind the house is open from noon until the keepers go home in the evening.",
    )
    source = _candidates(list(texts))
    for focus in ("how much does it cost", "price", "is that expensive?"):
        found = ranked(source, focus, "en")
        assert int(found.relevance.argmax()) == 3
        assert not found.is_weak
    assert ranked(source, "weight of the slates", "en").relevance[3] < 1


EVERYDAY = (
    "The gates of the lower lock were replaced in spring by a firm of the next county.",
    "Herons of the valley build nests in the elms that stand along the northern canal.",
    "Expenditure on the works came to two million, a third above what the council had approved.",
    "Keepers write the names of boats and their masters down in a book that lies on a desk.",
)


def test_a_question_in_other_words_is_answered_by_what_it_means() -> None:
    passages = [Passage(paragraphs=tuple(map(Paragraph.of, EVERYDAY)))]
    source = compose_document(passages, id="d0", source="d0", language="en")
    options = SummaryOptions(method="extract", focus="did they overspend")
    summary = Summarizer(options).summarize([source])
    assert [each.text for each in summary.sentences] == [EVERYDAY[2]]
    (warning,) = summary.warnings
    assert warning.endswith("(it does not use “overspend”): quoted is what is nearest in meaning")


def test_meaning_is_compared_in_english_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError("the encoder knows English only")

    monkeypatch.setattr("lsum_cli.methods.extract.focus.relevance.packaged_encoder", fail)
    monkeypatch.setattr("lsum_cli.methods.extract.focus.words.packaged_encoder", fail)
    assert not ranked(_candidates(list(EVERYDAY)), "dépenses", "fr").is_about.any()


def test_in_a_long_text_what_means_the_same_is_among_the_sentences_that_are_encoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"Boat {number} passed the lock of the town at noon." for number in range(300)]
    texts.insert(150, EVERYDAY[2])
    encoded = []
    encoder = packaged_encoder()
    encode = encoder.encode
    monkeypatch.setattr(encoder, "encode", lambda texts: (encoded.extend(texts), encode(texts))[1])
    ranking = ranked(_candidates(texts), "how much money was spent", "en")
    assert len(encoded) == 1 + 64
    assert ranking.relevance.argmax() == 150


FAQ = (
    "Q: Who can apply?",
    "A: Anyone who has finished two years of a degree. People from outside Europe are welcome.",
    "Q: How much does it cost?",
    "A: 450 euros for two weeks. That covers lunches and the excursion, but not your room.",
    "Q: Where will I sleep?",
    "A: Most participants stay in the student residence. A single room is 35 euros a night.",
    "Q: Are children welcome?",
    "A: Unfortunately not. There is no childcare on campus in July.",
)


def _summary(focus: str, *passages: Passage, length: int | None = None) -> list[str]:
    source = compose_document(passages, id="d0", source="d0", title="School", language="en")
    options = (
        SummaryOptions(focus=focus) if length is None else SummaryOptions(focus=focus, length=str(length))
    )
    made = Summarizer(options).summarize([source])
    return [sentence.text for sentence in made.sentences]


@pytest.mark.parametrize(
    ("focus", "quoted"),
    [
        ("how expensive is it", [FAQ[2], "A: 450 euros for two weeks."]),
        (
            "can I bring my kids",
            [FAQ[6], "A: Unfortunately not.", "There is no childcare on campus in July."],
        ),
    ],
)
def test_an_answer_is_found_by_its_question_and_quoted_below_it(focus: str, quoted: list[str]) -> None:
    assert _summary(focus, Passage(paragraphs=tuple(map(Paragraph.of, FAQ))))[: len(quoted)] == quoted


def test_questions_are_quoted_within_the_length_that_is_given() -> None:
    made = _summary("can I bring my kids", Passage(paragraphs=tuple(map(Paragraph.of, FAQ))), length=10)
    assert "childcare" in " ".join(made)
    assert len(" ".join(made).split()) <= 10


def test_a_heading_that_asks_the_same_names_what_answers() -> None:
    asked = {
        "How long will I be in hospital?": "Most people go home the same day. Plan for four hours in all.",
        "May I drive home?": "Not on the same day. Ask somebody to collect you.",
        "When can I go swimming again?": "Wait at least four weeks, so that nothing gets into the wound.",
        "Who do I call if it gets worse?": "Ring the ward. It is open day and night if the pain gets worse.",
        "Will it hurt?": "No. Drops numb the surface completely, and you will feel only a little pressure.",
    }
    passages = [Passage(heading=each, level=1, paragraphs=(Paragraph.of(asked[each]),)) for each in asked]
    assert _summary("can I take the car after the operation", *passages)[0] == "Not on the same day."
    assert any("Drops numb" in text for text in _summary("is it painful", *passages))


def test_questions_below_one_another_are_answered_elsewhere() -> None:
    lines = ("Who can apply?", "How much does it cost?", "Where will I sleep?", "It began in the year 1990.")
    source = compose_document(
        [Passage(paragraphs=tuple(map(Paragraph.of, lines)))], id="d0", source="d0", language="en"
    )
    assert not Faq.of(candidates_of(source)).asks.any()


def test_a_word_of_another_meaning_that_begins_alike_is_not_of_its_family() -> None:
    source = _candidates(["Drops numb the surface of the eye.", "Ring the ward if your sight gets dimmer."])
    assert "numb" not in ranked(source, "telephone number", "en").nearest


def test_of_several_topics_each_sentence_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"Boat {number} passed the lock of the town at noon." for number in range(100)]
    topics = [f"money {number}" for number in range(40)]
    encoded = []
    encoder = packaged_encoder()
    encode = encoder.encode
    monkeypatch.setattr(encoder, "encode", lambda texts: (encoded.extend(texts), encode(texts))[1])
    ranked(_candidates(texts), "; ".join(topics), "en")
    assert set(topics) <= set(encoded)
    assert len(encoded) <= len(topics) + len(texts)
