"""Minutes of meetings: decisions, tasks and open points by topic, and no list of those present."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from extraction import candidates_of

from lsum_cli import read
from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.conversations.resolutions import Mark, read_minutes
from lsum_cli.methods.extract.request import Extract, Request

BOARD = """# Mooring Club board, minutes of 4 March

## Present

* Ada Lund (chair)
* Bram Oke
* Cilla Rao

## Agenda

* Jetty
* Fees

## Jetty

Bram: The planks on the north side are rotten, and the last storm took two of them away.

Cilla: If it was agreed to close it we would lose the ferry.

RESOLVED: Close the north jetty until June.

ACTION: Bram to get three offers by 1 April

## Fees

Ada reported on the fees of the neighbouring clubs. It was agreed that the fees stay as they are in 2025.
Cilla will write to the members about the new account.

Ada moved to buy a second dinghy; Bram seconded. Motion failed 1-2.

## Moorings list

Resolution: Deferred.

## Minutes of the last meeting

The minutes of 5 February were approved unanimously by the board.

## Lights

The lamps along the quay were talked about for a while, and the harbour office has given no answer yet.
"""


@pytest.fixture
def written(tmp_path: Path):
    """Writes a text to a file of this name and reads it as a document."""

    def make(text: str, name: str = "minutes.md") -> Document:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        document = read(path)
        assert isinstance(document, Document)
        return document

    return make


def told(document: Document, num_words: int = 200, **options: object) -> Extract:
    pages = paginate([document], choose_locality([document]).locality, 1024)
    return compose(pages, [document], Request(num_words=num_words, **options))


def lines(made: Extract) -> list[tuple[str | None, str]]:
    return [(sentence.label, sentence.text) for sentence in made.sentences]


def test_decisions_tasks_and_open_points_are_told_under_their_topics(written) -> None:
    made = told(written(BOARD))
    by_topic = {
        entry.heading: [(each.label, each.text) for each in entry.sentences] for entry in made.outline
    }
    assert by_topic["Jetty"][-2:] == [
        ("Decision", "Close the north jetty until June."),
        ("Action", "Bram to get three offers by 1 April"),
    ]
    assert ("Decision", "It was agreed that the fees stay as they are in 2025.") in by_topic["Fees"]
    assert ("Action", "Cilla will write to the members about the new account.") in by_topic["Fees"]
    assert by_topic["Moorings list"] == [("Open (Moorings list)", "Deferred.")]


def test_a_motion_is_told_with_what_became_of_it(written) -> None:
    texts = lines(told(written(BOARD)))
    at = texts.index(("Decision", "Ada moved to buy a second dinghy; Bram seconded."))
    assert texts[at + 1] == (None, "Motion failed 1-2.")


def test_what_a_sentence_is_read_by_stands_before_it(written) -> None:
    # No room for anything else.
    texts = lines(told(written(BOARD), 60, has_length=True))
    at = texts.index(("Decision", "It was agreed that the fees stay as they are in 2025."))
    assert texts[at - 1] == (None, "Ada reported on the fees of the neighbouring clubs.")


def test_those_present_the_agenda_and_routine_are_told_to_nobody(written) -> None:
    text = " ".join(sentence.text for sentence in told(written(BOARD)).sentences)
    for debris in ("chair", "5 February", "RESOLVED", "ACTION"):
        assert debris not in text


def test_what_a_speaker_supposes_is_no_decision(written) -> None:
    assert not any(label and "If it was" in text for label, text in lines(told(written(BOARD))))


def test_topics_without_a_decision_are_named(written) -> None:
    assert "no decision or action is marked under: Lights" in told(written(BOARD)).warnings


def test_a_number_of_words_is_kept_decisions_come_first_and_the_rest_is_counted(written) -> None:
    made = told(written(BOARD), 12, has_length=True)
    assert lines(made) == [
        ("Decision", "Close the north jetty until June."),
        ("Open (Moorings list)", "Deferred."),
    ]
    assert any(
        warning.startswith("not in the summary: ") and "2 actions" in warning for warning in made.warnings
    )


def test_a_shorter_length_is_part_of_a_longer_one(written) -> None:
    made = told(written(BOARD * 3), 400, has_length=True, all_lengths=True)
    texts = [[sentence.text for sentence in length.sentences] for length in made.lengths]
    assert [length.name for length in made.lengths] == ["sentence", "short", "medium", "long"]
    assert all(texts)
    assert all(set(shorter) <= set(longer) for shorter, longer in pairwise(texts))


SCRIBED = """Harbour Working Group

8 May 2031

Attendees

Present
Ann Berg, Cato Dahl

Scribe
Ann

Buoy colours

Cato: the red ones fade within a year
… and nobody can tell them from the old yellow ones

PROPOSED: Paint all buoys green

<Ann> +1

<Cato> +1

SO RESOLVED

ACTION: Cato to order green paint

Chart format

Ann: we have two formats and no tool for either of them

PROPOSED: Keep both formats

RESOLUTION: Keep the older format only
"""


def test_a_proposal_is_a_decision_once_it_is_resolved_and_gives_way_to_another(written) -> None:
    made = told(written(SCRIBED, "minutes.txt"))
    assert [
        (entry.heading, [(e.label, e.text) for e in entry.sentences if e.label]) for entry in made.outline
    ] == [
        (
            "Buoy colours",
            [("Decision", "Paint all buoys green"), ("Action", "Cato to order green paint")],
        ),
        ("Chart format", [("Decision", "Keep the older format only")]),
    ]
    assert "+1" not in " ".join(sentence.text for sentence in made.sentences)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("It was unanimously RESOLVED to sell the shed.", Mark.DECISION),
        ("The council agreed to repaint the hall.", Mark.DECISION),
        ("Hedda will ask the school for its keys.", Mark.ACTION),
        ("Hedda and Ivo agreed to prepare the budget.", Mark.ACTION),
        ("The clerk to arrange a visit.", Mark.ACTION),
        ("AI [Ivo]: Book the hall for the feast.", Mark.ACTION),
        ("There was no consensus on the colour.", Mark.OPEN),
        ("Hedda moved to sell the boat and Ivo seconded.", Mark.MOTION),
        ("Hedda and Ivo Moe to serve terms of three years.", None),
        ("Will Hedda ask the school?", None),
        ("The rain will keep the grass green.", None),
        ("Request to open the gate came in.", None),
        ("Members wondered whether the council agreed to the fence.", None),
        ("There is no consensus to go on.", Mark.OPEN),
        ("The colour of the paint was determined by the weather.", None),
        ("The proposal to give lost property away was popular.", None),
        ("Die Versammlung beschloss einstimmig, die Hütte zu streichen.", Mark.DECISION),
        ("Hedda fragte, ob der Vorstand das beschlossen hat.", None),
    ],
)
def test_what_is_marked(written, text: str, mark: Mark | None) -> None:
    head = "# Minutes of the garden society\n\n## Present\n\n* Hedda Lie\n* Ivo Moe\n\n## Sheds\n\n"
    document = written(f"{head}The rain came in and a request was read.\n\n{text}\n")
    items = read_minutes(candidates_of(document)).items
    assert [item.mark for item in items] == ([mark] if mark else [])


@pytest.mark.parametrize(
    "text",
    [
        # An article about a meeting, a recipe and a changelog.
        "# Council meets\n\n"
        + "The council voted to close the pool on Monday. Many people had come to protest.\n\n" * 8,
        "# Pancakes in 20 minutes\n\nMix the flour. It was agreed that these are best.\n\nEva will serve them.\n",
        "# Changelog\n\n## 1.2.0 - 2031-01-02\n\n### Added\n\n- Decision: a new flag\n\n## 1.1.0 - 2030-01-02\n\n"
        "### Fixed\n\n- Action: the menu works\n",
        # A paper has participants, a post its attendees, and a diary its dates.
        "# Sleep of bees\n\n## Introduction\n\nIt was decided early that bees sleep at night.\n\n"
        "## Participants\n\nParticipants were 120 bees from four hives in Utrecht.\n\n## Methods\n\nThe group "
        "decided by lot which bees were shaken.\n\n## Results\n\nWe determined that shaken bees forget the way.\n\n"
        "## Discussion\n\nWe concluded that bees need four hours of sleep, and Eva will test it.\n",
        "# What our meeting taught me\n\nAttendees often think that work happens here.\n\n"
        "## Decisions\n\nIt was agreed long ago that they need a meeting.\n\n## Actions\n\nTalk less.\n",
        "# Dinner in minutes\n\nPresent: a gift for those who cook.\n\n## In ten minutes\n\n"
        "Fry it for a few minutes.\n\nEveryone voted for garlic.\n\nEva will make pancakes.\n\nAction: stir.\n",
        "# Diary\n\n"
        + "".join(
            f"## {day} May\n\nDecision: I will not eat cake. It made me sick.\n\nI read a book by the river.\n\n"
            for day in range(1, 6)
        ),
    ],
)
def test_what_is_no_minutes_has_no_decisions(written, text: str) -> None:
    assert not any(label in ("Decision", "Action", "Open") for label, _ in lines(told(written(text))))


def test_a_motion_whose_vote_is_told_is_decided(written) -> None:
    text = (
        "# Minutes of the kiln group\n\nPresent: Eva Holt, Ben Ames, Ida Rook\n\n## Glazes\n\n"
        "The motion to allow lead glazes was moved by Eva, seconded by Ben, and lost by 4 votes to 9.\n"
    )
    assert [label for label, _ in lines(told(written(text)))] == ["Decision"]


STAND_UP = """# Kiln group meeting notes

## Attendees

* Odd Vik
* Siri Hau

## Repairs

Glazes

Odd: I'll bring the new thermometer on Monday

Siri: ask the museum for its old bricks; taking this as an action

Can somebody sweep the yard before the feast?

Odd will do that.

Decision: Fire the kiln twice a week

Tiles

Decision: Blue only

## Next meeting

The next meeting is on 3 June in the old school, and all are asked to come by boat.
"""


def test_what_speakers_promise_is_theirs(written) -> None:
    texts = lines(told(written(STAND_UP)))
    assert ("Action (Odd)", "I'll bring the new thermometer on Monday") in texts
    assert ("Action (Siri)", "ask the museum for its old bricks; taking this as an action") in texts


def test_what_points_back_is_read_by_the_paragraph_before_it(written) -> None:
    texts = lines(told(written(STAND_UP)))
    at = texts.index(("Action", "Odd will do that."))
    assert texts[at - 1] == (None, "Can somebody sweep the yard before the feast?")


def test_a_line_of_a_word_or_two_after_a_decision_opens_a_topic(written) -> None:
    made = told(written(STAND_UP))
    assert [entry.heading for entry in made.outline] == ["Repairs › Glazes", "Repairs › Tiles"]
    assert not any("3 June" in sentence.text for sentence in made.sentences)


def test_a_list_of_those_present_makes_notes_of_a_meeting_minutes(written) -> None:
    text = "# Weaving circle meeting\n\n{}\n\n## Wool\n\nRagna and Tove talked about wool from the islands.\n"
    with_list = text.format("## Attendees\n\n* Ragna Eide\n* Tove Lie")
    assert told(written(with_list)).outline
    assert not told(written(text.format("It was a fine day on the islands and many came."))).outline


def test_headings_that_begin_like_a_number_are_told_as_they_are_written(written) -> None:
    headings = ["A new roof", "I never promise roses", "2025 budget", "3 May market"]
    parts = "".join(f"## {heading}\n\nDecision: it is put off.\n\n" for heading in headings)
    made = told(
        written(
            f"# Minutes of the garden club\n\nPresent: Ada Quill, Ben Rowe\n\n{parts}## 4. Hall\n\nAgreed: no dogs."
        )
    )
    assert [entry.heading for entry in made.outline] == [*headings, "Hall"]


def test_marks_on_lines_of_one_paragraph_are_items_of_their_own(written) -> None:
    text = "Minutes of the quay club\n\nPresent: Ada Quill, Ben Rowe\n\nDecision: no music at the market.\n"
    text += "ACTION: Ben to tell the band.\nACTION: None.\nACTION Ada Quill: lock the gate.\n"
    assert lines(told(written(text, "minutes.txt"))) == [
        ("Decision", "no music at the market."),
        ("Action", "Ben to tell the band."),
        ("Action (Ada Quill)", "lock the gate."),
    ]


def test_a_summary_too_short_for_any_item_tells_one(written) -> None:
    assert len(told(written(BOARD), 1, has_length=True).sentences) == 1
    nothing = "# Minutes of the quay club meeting\n\nPresent: Ada Quill\n\n## Boats\n\nThe boats were talked about.\n"
    assert told(written(nothing), 1, has_length=True).sentences


def test_minutes_among_other_documents_keep_their_labels(written) -> None:
    museum = """# Town Museum committee, minutes of 9 May

Present: Dora Kay, Emil Lund

## Roof

Emil reported that the rain comes through above the room of the coins.

RESOLVED: Ask the council for a grant for the new roof of the museum.

ACTION: Dora to write the application for the grant
"""
    documents = [replace(written(BOARD), id="d0"), replace(written(museum), id="d1")]
    pages = paginate(documents, choose_locality(documents).locality, 1024)
    texts = [each.labelled for each in compose(pages, documents, Request(num_words=120)).sentences]
    assert "Decision: Ask the council for a grant for the new roof of the museum." in texts
    assert "Decision: Close the north jetty until June." in texts
    assert not any("Present" in text or "Ada Lund" in text for text in texts)


def test_what_is_of_one_topic_stands_together(written) -> None:
    again = "\n## Jetty\n\nACTION: Cilla to hire a painter for the jetty\n"
    made = told(written(BOARD + again))
    headings = [entry.heading for entry in made.outline]
    assert len(headings) == len(set(headings))
    jetty = next(entry for entry in made.outline if entry.heading == "Jetty")
    assert jetty.sentences[-1].text == "Cilla to hire a painter for the jetty"
    assert [each.index for each in made.sentences] == list(range(len(made.sentences)))
