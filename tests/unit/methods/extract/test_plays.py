"""Who speaks in a play, and what its summary shows of that."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from extraction import candidates_of, document_of, structure_of

from lsum_cli.documents import Document, Sentence
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract import composition
from lsum_cli.methods.extract.kinds import SourceKind
from lsum_cli.methods.extract.plays import cast_of, is_play, speakers, speech_starts
from lsum_cli.methods.extract.request import Extract, Request
from lsum_cli.methods.extract.story_scores import story_scores

TALK = ["ANNA.", "I went home.", "BEN.", "I did not.", "MME. ROSS.", "Nor did I."] * 3


@pytest.mark.parametrize(
    ("lines", "spoken"),
    [
        (["ANNA.", "I will sell the mill. It is old."], [None, "ANNA", "ANNA"]),
        (["ANNA. I will sell the mill. It is old."], [None, "ANNA", "ANNA"]),
        # What stands apart may be a direction without brackets; what is said may have several paragraphs.
        (["BEN.", "It is cold.", "Anna stabs Ben and runs.", "I die!"], [None, "BEN", None, "BEN"]),
        # Another scene, and what follows the end.
        (["BEN.", "SCENE II. At night.", "The miller lies dead."], [None, None, None, None]),
        (["BEN.", "I go.", "THE END", "My play was acted in Leeds."], [None, "BEN", None, None]),
        # What is done is said by nobody, what is said after a direction is.
        (["BEN.", "[A shot is heard.", "ANNA falls.]", "Help!"], [None, None, None, "BEN"]),
        (["BEN.", "[Rising] I go to town."], [None, "BEN"]),
        (["BEN.", "ANNA and MME. ROSS come in.", "ANNA, I am here."], [None, None, "BEN"]),
        # A single name may be of the list of characters.
        (["SIR JOHN.", "OLIVIA, a rich countess."], [None, None]),
        (["BEN.", "ANNA, MME. ROSS and BEN come in.", "I am here."], [None, None, "BEN"]),
    ],
)
def test_each_speech_of_a_play_is_somebodys(lines: list[str], spoken: list[str | None]) -> None:
    assert speakers(lines_of([*TALK, *lines]))[len(TALK) :] == spoken


def test_the_name_of_who_speaks_may_have_no_stop() -> None:
    lines = [
        "ANNA I went home. It was late.",
        "BEN [To Anna] I did not.",
        "MME. ROSS 'Twas I who did.",
        "Anna stabs Ben and runs.",
    ]
    sentences = lines_of(lines * 3)
    assert speakers(sentences)[-5:] == ["ANNA", "ANNA", "BEN", "MME. ROSS", None]
    starts = speech_starts(sentences).tolist()
    shown = [sentence.text[start:] for sentence, start in zip(sentences, starts, strict=True)]
    assert shown[-5:-1] == ["I went home.", "It was late.", "[To Anna] I did not.", "'Twas I who did."]


def test_who_speaks_is_shown_once() -> None:
    source = play()
    told = [
        (section.heading, [f"{lines[at].rstrip('.')} {lines[at + 1]}" for at in range(0, len(lines), 3)])
        for section in source.sections
        if (lines := [sentence.text for sentence in section.sentences])
    ]
    summary = compose(document_of(*told, title="The Mill"))
    assert {sentence.label for sentence in summary.sentences} <= {"ANNA", "BEN", "MME. ROSS"}
    assert all(
        sentence.label and not sentence.text.startswith(sentence.label) for sentence in summary.sentences
    )


def test_the_scenes_of_an_act_stand_under_one_heading() -> None:
    scenes = [(section.heading, [each.text for each in section.sentences]) for section in play().sections]
    acts = [(f"ACT {number // 2 + 1}", lines) for number, (_, lines) in enumerate(scenes * 2)]
    headings = [entry.heading for entry in compose(document_of(*acts, title="The Mill")).outline[1:]]
    assert len(headings) == len(set(headings))
    assert not any(second.startswith(first.split("–")[-1]) for first, second in pairwise(headings))


def test_what_follows_the_scenes_is_nobodys_speech() -> None:
    note = "The play was first acted in Leeds and my father was fined for it."
    told = speakers(document_of(("ACT I", TALK), ("NOTE", [note, "ANNA.", "I went home."])).sentences)
    assert told[len(TALK) :] == [None, None, "ANNA"]


@pytest.mark.parametrize(
    "texts",
    [
        # Two people who are named now and then, and a book in which somebody is called.
        ["ANNA.", "I went home.", "BEN.", "I did not."] * 3,
        [*TALK, *["Then the miller went to the town and sold his flour."] * 200],
        # What somebody answers, or a text says of itself.
        ["Yes.", "I went home.", "No.", "I did not.", "Sometimes.", "Nor did I."] * 4,
        ["Note:", "I went home.", "Proof.", "I did not.", "Mon.", "Nor did I."] * 4,
        # Numerals and parts.
        ["ACT I.", "He left.", "SCENE.", "She left.", "IV.", "They left."] * 4,
    ],
)
def test_few_names_between_sentences_make_no_play(texts: list[str]) -> None:
    assert not is_play(lines_of(texts))


def test_the_cast_is_who_says_most_and_no_crowd() -> None:
    several = ["ALL.", "Long live the king."] * 9
    told = cast_of(lines_of([*TALK, *several, "MME. ROSS.", "I said so."]))
    assert [name.text for name in told] == ["Mme. Ross", "Anna", "Ben"]
    lines = ["KING OF FRANCE.", "I came.", "BEN.", "I went.", "ANNA.", "I stayed."] * 3
    assert [name.text for name in cast_of(lines_of(lines))] == ["King of France", "Ben", "Anna"]


def test_a_play_is_quoted_with_who_speaks_and_lists_its_people() -> None:
    summary = compose(play())
    assert {sentence.label for sentence in summary.sentences} <= {"ANNA", "BEN", "MME. ROSS"}
    assert all(sentence.label for sentence in summary.sentences)
    assert set(summary.outline[0].people) == {"Anna", "Ben", "Mme. Ross"}


def test_a_play_without_quotation_marks_is_a_story() -> None:
    assert structure_of(play()).source_kind is SourceKind.NARRATIVE
    # Options with what they are by default are none.
    table = ["NONE.", "The size of the cache.", "TRUE.", "Whether to log.", "FALSE.", "Whether to stop."]
    assert structure_of(document_of(("Options", table * 3))).source_kind is SourceKind.PROSE


def test_what_is_said_to_somebody_tells_less_of_a_play_than_what_is_said_of_others() -> None:
    told = "{} killed the old miller with a knife at the mill."
    lines = [*TALK, "ANNA.", told.format("Ben"), "MME. ROSS.", told.format("Thou, Ben,")]
    source = document_of(("ACT I", lines))
    candidates, structure = candidates_of(source), structure_of(source)
    cast = [("Anna",), ("Ben",)]
    scored = story_scores(candidates, cast, structure, np.zeros(len(candidates)), None)
    assert scored is not None
    of_others, to_somebody = (scored.alone[len(TALK) + place] for place in (1, 3))
    assert of_others > to_somebody


def test_who_comes_in_is_no_event_of_a_play() -> None:
    told = [
        "ANNA and BEN come in with the old miller and the two boys.",
        "ANNA killed BEN with the old knife.",
    ]
    source = document_of(("ACT I", [*TALK, *told]))
    candidates, structure = candidates_of(source), structure_of(source)
    cast = [("Anna", "ANNA"), ("Ben", "BEN")]
    scored = story_scores(candidates, cast, structure, np.zeros(len(candidates)), None)
    assert scored is not None
    assert not scored.can_be[len(TALK)]


def lines_of(lines: list[str]) -> tuple[Sentence, ...]:
    return document_of((None, lines)).sentences


def play() -> Document:
    """A play of four acts in which everybody tells who dies."""
    acts = []
    for number in range(1, 5):
        lines = []
        for person, other in (("ANNA", "Ben"), ("BEN", "Anna"), ("MME. ROSS", "Ben")) * 4:
            lines += [
                f"{person}.",
                f"I heard at the mill that {other} killed the {number}th of the old millers with a knife.",
                f"I shall never forgive {other}, for he was a friend of the house and of my father.",
            ]
        acts.append((f"ACT {number}", lines))
    return document_of(*acts, title="The Mill")


def compose(source: Document) -> Extract:
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return composition.compose(pages, [source], Request(num_words=200))
