"""Replies are quoted with the questions that say what they are about."""

from __future__ import annotations

import pytest

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.talk import with_questions
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

ASKED = "How will the council pay for the new noise barrier along the railway?"
REPLY = "The railway has promised us a grant of two hundred thousand for it."


def document(*turns: str) -> Document:
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, turns)))
    return compose_document([passage], id="d0", source="-", title=None, language="en")


def quoted(*turns: str, reply: str = REPLY, num_words: int = 100) -> list[str]:
    """What is quoted of a conversation where this reply is chosen."""
    made = document(*turns)
    candidates = Candidates.of(paginate([made], choose_locality([made]).locality, 1024), [made])
    texts = [sentence.text.rpartition(": ")[2] for sentence in candidates.sentences]
    return [texts[position] for position in with_questions(candidates, [texts.index(reply)], num_words)]


def test_a_reply_is_quoted_with_its_question() -> None:
    assert quoted(f"Anna: We come to the budget. {ASKED}", f"Ben: Thank you. {REPLY}") == [ASKED, REPLY]


@pytest.mark.parametrize(
    "turns",
    [
        # Anna goes on; nothing is asked; Ben has long been talking of something else.
        (f"Anna: {ASKED}", f"Anna: {REPLY}"),
        ("Anna: The council will pay for the new noise barrier along the railway.", f"Ben: {REPLY}"),
        (f"Anna: {ASKED}", f"Ben: I do not know. We saw it. It was late. {REPLY}"),
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


def test_a_question_that_is_too_much_is_left_out() -> None:
    assert quoted(f"Anna: {ASKED}", f"Ben: {REPLY}", num_words=20) == [REPLY]


def test_the_summary_of_a_conversation_has_the_question_before_the_reply() -> None:
    idle = [f"{who}: Yeah, I mean, you know, it is what it is." for who in ("Anna", "Ben", "Carol") * 40]
    reply = "We have decided to pay for the noise barrier with a grant that the railway has promised us."
    made = document(*idle, f"Anna: {ASKED}", f"Ben: {reply}", *idle)
    texts = [each.text for each in Summarizer(SummaryOptions(method="extract")).summarize([made]).sentences]
    assert texts.index(ASKED) == texts.index(reply) - 1
    filled = Summarizer(SummaryOptions(method="extract", length=30)).summarize([made])
    assert ASKED not in [each.text for each in filled.sentences]
