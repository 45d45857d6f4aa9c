"""What is quoted of talk is understood, alone or after what is said before it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Document
from lsum_cli.methods.extract import balance, selection
from lsum_cli.methods.extract.conversations import utterances
from lsum_cli.methods.extract.conversations.utterances import is_hearing, quotable, with_questions
from lsum_cli.methods.extract.selection_weights import PreferenceWeights
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

ASKED = "How will the council pay for the new noise barrier along the railway?"
REPLY = "They have promised the council a grant of two hundred thousand for the barrier."
ALONE = "The railway has promised us a grant of two hundred thousand for the barrier."
SHORTER = "The baker of the village pays the miller twice a year."
THIRD = "The smith of the town shoes the horses of the squire for an ox."
LONGER = "The farmers of the valley sell their milk to the dairy beside the mill."


# A conversation that comes back to its things.
ABOUT = [
    f"{who}: The council will repair the noise barrier along the railway in the {month} of this year."
    for month in ("spring", "summer", "autumn")
    for who in ("Anna", "Ben", "Carol")
] * 9


def document(*turns: str) -> Document:
    return document_of((None, turns), language="en")


def quoted(*turns: str, reply: str = REPLY) -> list[str]:
    """What is quoted of a conversation where this reply is chosen."""
    made = document(*turns)
    candidates = candidates_of(made)
    texts = [sentence.text.rpartition(": ")[2] for sentence in candidates.sentences]
    return [texts[position] for position in with_questions(candidates, [texts.index(reply)])]


def first_of(*turns: str) -> list[int]:
    """With which sentence each of these turns' is quoted, by their number; -1 where it is not quoted."""
    made = document(*turns, *ABOUT)
    candidates = candidates_of(made)
    count = len(candidates) - len(ABOUT)
    return quotable(candidates, np.ones(len(candidates), bool)).first[:count].tolist()


@pytest.mark.parametrize(
    "said",
    [
        # Who was not there does not know what is meant.
        "I think that is what the council of the railway will have to pay.",
        "These are for the barrier along the railway and the council.",
        "They will pay the council for the noise barrier along the railway.",
        # It is begun twice, or in the middle, and breaks off.
        "We will I will ask the council about the noise barrier.",
        "The we the barrier along the railway will be repaired.",
        "Asking the council about the noise barrier and The railway pays.",
        "Would pay the council for the noise barrier along the railway.",
        "The council will pay for the noise barrier, and it should.",
        # It counts, or names nothing to which the talk comes back.
        "The council has one, two, three, four, five noise barriers.",
        "I really do not know what to make of them any more.",
        "I think so, because the council pays for the noise barrier.",
        # It counts on, or goes back to what was said.
        "The second is that the council pays for the noise barrier.",
        "That came from the council of the railway and the barrier.",
        # Another begins in the same line.
        "The railway has the barrier Anna: Thank you, the council pays.",
        # It is of the sitting, or announces what is to be said.
        "The railway and the council have 20 seconds for the barrier.",
        "We still have to decide on the noise barrier along the railway.",
        "I just wanted to mention the noise barrier along the railway.",
        "I'll invite Ben to speak of the noise barrier and the railway.",
        "Couldn't we pay the council for the noise barrier along the railway …",
        "So shall we ask the council about the barrier along the railway …",
        "My name is Anna, and the council pays for the noise barrier.",
        "We have some ideas about the noise barrier along the railway.",
        "I suggest we talk about the noise barrier along the railway.",
        "We are going to have a meeting about the noise barrier and the railway.",
        "There are seven minutes per speaker for the railway and the barrier.",
        "The next slide shows the noise barrier along the railway.",
        "Why don't you speak for the council of the railway next, Ben.",
        "I think that that would cost the council a noise barrier along the railway.",
        # It is half a sentence, or illustrates what was said.
        "But, like the council said, the noise barrier belongs to the railway.",
        "Cuz the council pays for the noise barrier along the railway.",
        "Especially the noise barrier that the council has along the railway.",
        "Something that the council has along the railway and the barrier.",
        "For example the council pays for the noise barrier along the railway.",
        # It says what is to come or was asked, and not what that tells.
        "I will present the new noise barrier along the railway to the council.",
        "We also asked the council which of the noise barriers the railway will repair.",
        "We should take a decision on the noise barrier and the railway.",
        "I have some new information about the noise barrier along the railway.",
        "I have got an email from the railway about the noise barrier.",
        "We will hear the railway and close the meetings of the council.",
        "We will now proceed to the next item, the railway and the noise barrier.",
        "We are short on time, so the council will pay for the barrier.",
        "We will go over the notes of the council about the noise barrier.",
        "We'll evaluate the noise barrier along the railway for the council.",
        "You will present the noise barrier along the railway to the council.",
        "After today, that shouldn't cost the council a noise barrier of the railway.",
        "Now is the time to ask the council about the noise barrier.",
        "Otherwise the council pays for the noise barrier along the railway.",
        "I'm just going to go over the noise barrier of the council.",
        "We should ask him about the noise barrier along the railway.",
        "If the council and the railway pay for the noise barrier …",
        # It announces what is said next, or lists what was not introduced.
        "Let me summarize the noise barrier of the railway for the council.",
        "We should talk a little bit about the noise barrier and the railway.",
        "The first dimension is the noise barrier of the railway.",
        "One is the noise barrier along the railway for the council.",
        "In some it seems that the council pays for the noise barrier.",
        # It begins in the middle.
        "So that if the council pays, the railway builds the noise barrier.",
        "That it would help the council if the railway builds the noise barrier.",
        "Then saying the noise barrier of the railway is old helps the council.",
        "Meaning that the railway took out the noise barrier of the council.",
        # It has no verb, or only those of clauses that depend on others.
        "The noise barrier along the railway and the council in the valley.",
        "If you'd save the barrier of the council for railways that you wouldn't need.",
        "As long as we allow the noise barrier of the council along the railway.",
        # Which pen to take tells nothing of the barrier.
        "The council and the railway use different line widths for the barrier.",
        # What is likened to something, or set against it.
        "Similarly the council pays for the noise barrier along the railway.",
        "Whereas the council pays for the noise barrier along the railway.",
        # An aim without what it is for, a subject of which nothing is said.
        "To repair the noise barrier along the railway for the council this year.",
        "The council of the railway pays for the barrier, and I think the engineers.",
    ],
)
def test_what_nobody_else_understands_is_not_quoted(said: str) -> None:
    assert (
        first_of("Anna: The council will hear the railway about the noise barrier.", f"Ben: {said}")[1] == -1
    )


@pytest.mark.parametrize(
    "said",
    [
        "Two or three, because the council likes the noise barrier.",
        "I forgot the noise barrier of the railway.",
    ],
)
def test_what_a_reader_objects_to_costs_in_english(said: str) -> None:
    made = document(f"Anna: {said}", *ABOUT)
    assert quotable(candidates_of(made), np.ones(len(made.sentences), bool)).cost[0] >= 1


@pytest.mark.parametrize(
    "said",
    [
        "But until the council pays, the noise barrier of the railway is not built.",
        "But even if the council pays, the railway builds the noise barrier.",
    ],
)
def test_a_whole_sentence_with_but_and_a_condition_is_quoted(said: str) -> None:
    assert first_of(f"Anna: {said}") == [0]


def test_what_names_what_it_speaks_of_is_quoted() -> None:
    assert first_of("Anna: It is important to repair the noise barrier that the railway built.") == [0]


@pytest.mark.parametrize(
    "said",
    [
        "We asked the council what it pays for the barrier, and the railway pays most.",
        "If the council repairs the noise barrier it will cost the railway little.",
        "If the railway pays, the council repairs the noise barrier.",
        "To repair the noise barrier the council needs the money of the railway.",
        "I think the railway pays the council for the noise barrier.",
        "To repair the noise barrier the council raised the fares of the railway.",
    ],
)
def test_what_says_what_it_is_for_is_quoted(said: str) -> None:
    assert first_of(f"Anna: {said}") == [0]


@pytest.mark.parametrize(
    "said",
    [
        "We will go over the budget by two million euros because the price of stone has doubled.",
        "My job was cut in March when the ferry stopped for the winter.",
        "I got an email that the funding is cancelled.",
        "I had a report that the bridge is unsafe.",
        "The ministry will proceed to sell the land.",
        "Our first question was whether the dam is safe, and it is not.",
        "The hospitals are short of time for the patients.",
        "When the dam broke forty people died in the valley below.",
        "If the council repairs the barrier the railway pays for it.",
        "Since the storm the society lost two hundred members.",
    ],
)
def test_what_tells_something_is_quoted(said: str) -> None:
    made = document(f"Anna: {said}", *[f"{who}: {said}" for who in ("Ben", "Carol", "Anna")], *ABOUT)
    candidates = candidates_of(made)
    assert quotable(candidates, np.ones(len(candidates), bool)).first[0] == 0


def test_what_leans_is_quoted_after_the_sentence_before_it_in_the_turn() -> None:
    said = "The council will repair the noise barrier along the railway."
    assert first_of(f"Anna: {said} That is what the railway wanted of the council.") == [0, 0]
    assert first_of(f"Anna: {said}", "Ben: That is what the railway wanted of the council.") == [0, -1]


def test_what_leans_is_quoted_with_the_question_to_which_it_replies() -> None:
    reply = "They will pay for it with a grant of the railway and the council."
    assert first_of(f"Anna: {ASKED}", f"Ben: {reply}")[1] == 1
    assert quoted(f"Anna: {ASKED}", f"Ben: {reply}", reply=reply) == [ASKED, reply]
    # A question that needs an antecedent says nothing to it.
    assert first_of("Anna: How will the council pay the railway for that?", f"Ben: {reply}")[1] == -1


@pytest.mark.parametrize(
    "said",
    [
        "The railw railway along the barrier belongs to the council.",
        "The council has seen this page about the noise barrier.",
        "Somebody told the council something about the noise barrier.",
        "The council has the noise barrier along the railway",
        "The barrier was painted when nobody looked at what was done.",
        "We want what we have to pay for the noise barrier along the railway.",
        "I think we had a noise barrier along the railway in the spring.",
        "I am not sure who pays the railway for the noise barrier of the council.",
        "The council will continue to support who lives along the railway.",
        "The council will continue to support who lives along the railway in K-19.",
        "The council is working very closely with the railway on the barrier.",
        "The barrier might have been built by the railway for the council.",
        "The railway and the council are in the first four rows of the barrier.",
        # A word breaks off, or one comes that does not go on from the last.
        "The railway along the bar of the kno council is a barrier.",
        "The railingy railingylike barrier belongs to the council.",
        "The council of the railway did what how the barrier costs.",
        "The barrier of the council of the railway could the noise is loud.",
        "The railway and the maybe the council will pay for the barrier.",
        "The council pays for noise along the railway for noise with the barrier.",
        "The railway wants the barrier the noise barrier for the council.",
        "The council could be we have a noise barrier of the railway.",
        "I just the noise barrier along the railway belongs to the council.",
        "The council said that the what would be a barrier is the railway.",
        "The railway of the council didn't pay didn't have a barrier.",
        "S in terms of the barrier the railway and the council agreed.",
        "The council of the railway said it's should be a noise barrier.",
        "I'm I probably want the noise barrier along the railway.",
        "I when the council pays want the noise barrier along the railway.",
        "The people of the council tend to would be for the barrier of the railway.",
        "The council of the railway might must have a noise barrier.",
        "The council will build the barrier for because the railway is loud.",
        "The council has a barrier so and the railway is loud.",
        "No maybe the council pays for the noise barrier along the railway.",
        "So the council will have Berg Berg for the railway and the barrier.",
        "We are very proud of the noise barrier along the railway.",
        # It tells of who speaks, replies, illustrates, or only lists.
        "My own house is beside the noise barrier and the railway.",
        "I used to walk along the railway to the noise barrier.",
        "No, the council pays for the noise barrier along the railway.",
        "Imagine you pay the council for the noise barrier along the railway.",
        "Noise barriers along the railway, a council house, a repair shop.",
        "Do the noise barrier along the railway in the dark with the council.",
        "Say, the council pays for the noise barrier along the railway.",
    ],
)
def test_what_is_said_badly_tells_against_it(said: str) -> None:
    made = document(f"Anna: {said}", *ABOUT)
    candidates = candidates_of(made)
    found = quotable(candidates, np.ones(len(candidates), bool))
    assert found.first[0] == 0
    assert found.cost[0] > found.cost[1] == 0


@pytest.mark.parametrize(
    "said",
    [
        "The council decides about the barrier and about the railway.",
        "The more the council pays the better the railway is.",
        "The people of the town want the council to repair the railway.",
    ],
)
def test_what_goes_on_from_itself_is_not_said_badly(said: str) -> None:
    made = document(f"Anna: {said}", *ABOUT)
    assert quotable(candidates_of(made), np.ones(len(made.sentences), bool)).cost[0] == 0


def test_words_of_other_languages_are_not_taken_for_broken_ones() -> None:
    turns = ("Anna: Der Rat zahlt der Bahn den Wall.", *ABOUT)
    made = document_of((None, turns), language="de")
    assert quotable(candidates_of(made), np.ones(len(made.sentences), bool)).cost[0] == 0


def test_what_is_quoted_of_a_meeting_is_of_several_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [turn.replace(": The", ": I hope the") for turn in ABOUT]
    candidates = candidates_of(document(f"Anna: {SHORTER}", f"Ben: {LONGER}", *turns, f"Carol: {THIRD}"))
    structure = Structure.of(candidates)
    worth = np.zeros(len(candidates))
    worth[:2], worth[-1] = (5.2, 5.0), 4.9
    is_open = worth > 0
    monkeypatch.setattr(selection._Selection, "state_centre", lambda _: None)
    monkeypatch.setattr(balance, "_WORDS_PER_TURN", 10)

    def chosen() -> list[int]:
        return selection.select(candidates, worth, 27, is_open, structure, is_read=True, is_ranked=True)

    assert chosen() == [0, len(candidates) - 1]
    monkeypatch.setattr(balance, "_OF_TALK", 0.0)
    assert chosen() == [0, 1]


def test_a_promise_with_a_number_is_no_vague_one() -> None:
    made = document("Anna: The council will continue to pay 200,000 a year for the barrier.", *ABOUT)
    assert quotable(candidates_of(made), np.ones(len(made.sentences), bool)).cost[0] == 0


def test_a_question_with_a_letter_that_is_no_word_is_not_quoted() -> None:
    reply = "That needs a grant of two hundred thousand for the barrier."
    asked = "Anna: How will the council w pay for the new noise barrier along the railway?"
    assert first_of(asked, f"Ben: {reply}")[1] == -1
    assert first_of(asked.replace(" w ", " "), f"Ben: {reply}")[1] == 1


def test_what_goes_on_is_quoted_without_the_word_that_says_so() -> None:
    turns = [turn.replace(": The", ": I hope the") for turn in ABOUT]
    candidates = candidates_of(document("Anna: The council pays. But the railway owns the barrier.", *turns))
    structure = Structure.of(candidates)
    assert structure.shown(candidates, 1, int(structure.before[1])) == "But the railway owns the barrier."
    assert structure.shown(candidates, 1) == "The railway owns the barrier."
    candidates = candidates_of(document("Anna: No, but the railway owns the barrier.", *turns))
    assert Structure.of(candidates).shown(candidates, 0) == "The railway owns the barrier."


def test_of_a_meeting_a_longer_sentence_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [turn.replace(": The", ": I hope the") for turn in ABOUT]
    made = document(*turns, f"Anna: {SHORTER}", f"Ben: {LONGER}")
    candidates = candidates_of(made)
    structure = Structure.of(candidates)
    worth = np.zeros(len(candidates))
    worth[-2:] = 5.0, 5.2
    is_open = np.arange(len(candidates)) >= len(candidates) - 2

    def chosen() -> list[int]:
        found = selection.select(
            candidates, worth, 20, is_open, structure, is_read=True, is_ranked=True, given=()
        )
        return [position - len(candidates) for position in found]

    monkeypatch.setattr(selection._Selection, "state_centre", lambda _: None)
    assert chosen() == [-1]
    monkeypatch.setattr(selection, "PREFERENCE", PreferenceWeights(length_of_a_meeting=9.0))
    assert chosen() == [-2]


def test_of_talk_of_which_nothing_is_understood_what_is_whole_is_quoted() -> None:
    turns = [f"{who}: That is what all of us have said of these before." for who in ("Anna", "Ben")]
    made = document(*turns)
    candidates = candidates_of(made)
    assert quotable(candidates, np.ones(2, bool)).first.tolist() == [0, 1]


def test_a_reply_that_leans_is_quoted_with_its_question() -> None:
    assert quoted(f"Anna: We come to the budget. {ASKED}", f"Ben: Thank you. {REPLY}") == [ASKED, REPLY]


@pytest.mark.parametrize(
    "turns",
    [
        # Anna goes on; nothing is asked; Ben has long been talking of something else.
        (f"Anna: {ASKED}", f"Anna: {REPLY}"),
        ("Anna: The council will pay for the new noise barrier along the railway.", f"Ben: {REPLY}"),
        # It is broken off.
        ("Anna: From the point of view of the noise barrier along the railway—?", f"Ben: {REPLY}"),
        (f"Anna: {ASKED}", f"Ben: I do not know. We saw it. {REPLY}"),
        # The question says nothing, or is none of what is talked about.
        ("Anna: Would you like to say more about that now, if you can?", f"Ben: {REPLY}"),
        (
            "Anna: Anna, will you turn off the microphone of the council clerk in the railway hall?",
            f"Ben: {REPLY}",
        ),
        ("Anna: So will the council Yeah how will the council pay for the noise barrier?", f"Ben: {REPLY}"),
    ],
)
def test_what_is_no_question_to_it_is_not_quoted_with_it(turns: tuple[str, ...]) -> None:
    assert quoted(*turns) == [REPLY]


def test_a_reply_that_is_understood_alone_is_quoted_without_its_question() -> None:
    assert quoted(f"Anna: {ASKED}", f"Ben: {ALONE}", reply=ALONE) == [ALONE]


def test_the_summary_of_a_conversation_has_the_question_before_the_reply() -> None:
    idle = [f"{who}: Yeah, I mean, you know, it is what it is." for who in ("Anna", "Ben", "Carol") * 40]
    reply = "They have decided to pay for the noise barrier with a grant that the railway has promised us."
    made = document(*idle, f"Anna: {ASKED}", f"Ben: {reply}", *idle)
    texts = [each.text for each in Summarizer(SummaryOptions(method="extract")).summarize([made]).sentences]
    assert texts.index(ASKED) == texts.index(reply) - 1
    filled = Summarizer(SummaryOptions(method="extract", length=30)).summarize([made])
    assert ASKED not in [each.text for each in filled.sentences]


ANSWERS = (
    "I think that the council needs four million pounds for the noise barrier along the railway by May.",
    "We believe that the old bridge over the canal will have to be closed to lorries for 18 months.",
    "Our view is that the tunnel under the market should be left to the water company, who own the pumps.",
    "There is a shortage of drivers, so that the station at Elm Lane can have no more than two buses an hour.",
    "We expect that the signal box will be sold to the museum, which has offered us 90,000 pounds.",
    "I would say that the level crossing is the most dangerous in the county, with nine accidents a year.",
)
HEARING = [
    turn
    for answer in ANSWERS
    for turn in (
        "Chair: We have some more questions now, so what can you tell the members about the next one of these?",
        f"Witness: Thank you for that. I am glad you ask. {answer} That is what it is, as you know, and it was"
        " like that before, so there you are, in a way. We will see about all of that, I suppose.",
    )
]


def test_of_those_who_answer_at_length_the_answers_are_quoted() -> None:
    made = Summarizer(SummaryOptions(method="extract")).summarize([document(*HEARING)])
    assert len(made.sentences) > 1
    assert {sentence.text for sentence in made.sentences} <= set(ANSWERS)
    assert {sentence.label for sentence in made.sentences} == {"Witness"}


def test_what_is_quoted_of_a_hearing_is_of_several_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [HEARING[0], f"{HEARING[1]} {' '.join(ANSWERS[1:3])}", *HEARING[6:]]
    monkeypatch.setattr(selection, "PREFERENCE", PreferenceWeights(of_one_answer=9.0))
    made = Summarizer(SummaryOptions(method="extract")).summarize([document(*turns)])
    assert len(made.sentences) < len(ANSWERS)
    assert {sentence.text for sentence in made.sentences} >= set(ANSWERS[3:])


def test_only_those_who_answer_at_length_are_heard() -> None:
    found = []
    for turns in (HEARING, ABOUT):
        made = document(*turns)
        candidates = candidates_of(made)
        found.append(is_hearing(candidates))
    assert found == [True, False]


def test_who_has_no_name_is_not_named() -> None:
    turns = [
        turn.replace("Carol: The", "None: I think the").replace(": The", ": I hope the") for turn in ABOUT
    ]
    made = Summarizer(SummaryOptions(method="extract")).summarize([document(*turns)])
    assert None in {sentence.label for sentence in made.sentences} <= {"Anna", "Ben", None}
    assert not any(sentence.text.startswith("None") for sentence in made.sentences)


@pytest.mark.parametrize(
    "text",
    [
        "The app will cost the county ten euros a month.",
        "The IT department will move to the house at the harbour.",
        "The in-house designers will draw the new case of the lamp.",
        "There is a will to reform the office of the harbour.",
        "What we agreed to is a fee of three euros for a boat.",
        "The plan the council approved costs three million euros.",
        "Bus number nine replaces bus number four at the harbour.",
        "No decision on the harbour was made by the board.",
    ],
)
def test_plain_sentences_are_not_taken_for_broken_ones(text: str) -> None:
    assert utterances._cost(text, Counter(utterances.WORD.findall(f"{text} {text}".lower()))) == 0
