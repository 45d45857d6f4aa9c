"""The names of groups of documents."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.headlines import headline
from lsum_cli.methods.extract.topics import group_by_topic


def name_of(*texts: Sequence[str]) -> str:
    """The name of the group that documents of these sentences are, beside one about something else."""
    others = ["The bakery sells bread and cakes.", "Flour comes from the mill.", "Cakes are sold in May."]
    documents: list[Document] = [
        compose_document([Passage(paragraphs=tuple(map(Paragraph.of, text)))], id=f"d{number}", source="-")
        for number, text in enumerate([*texts, others])
    ]
    pages = paginate(documents, choose_locality(documents).locality, 1024)
    topic, *_ = group_by_topic(Candidates.of(pages, documents), documents)
    assert topic.documents == tuple(range(len(texts)))
    return topic.name


def test_words_that_stand_side_by_side_are_one_name() -> None:
    alone = [*(f"{word} Vera." for word in ("By", "To", "For", "With", "From")), "By Holm."]
    name = name_of(["By Vera Holm.", *alone], ["Of Vera Holm.", *alone])
    assert name.startswith("Vera Holm")


@pytest.mark.parametrize("second", ["harbour minimum", "minimum harbour"])
def test_the_second_phrase_shares_no_word_with_the_first(second: str) -> None:
    name = name_of(
        [f"The harbour sentence and the {second} of the pier are old.", "A harbour sentence is read aloud."],
        [f"Each harbour sentence has a {second} beside it.", f"The {second} is set for the pier."],
    )
    words = name.replace(",", "").lower().split()
    assert "harbour" in words
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("title", "heading", "source", "called"),
    [
        ("Weir", None, "weir/README.md", "Weir"),
        ("Overview", "Overview", "packages/weir/README.rst", "weir"),
        (None, "Introduction", "packages/weir.md", "weir"),
        ("Installation", "Versions of the gate", "packages/weir.md", "weir"),
        ("Installation", None, "packages/installation.md", "Installation"),
        (None, "The weir of Holm", "packages/a.md", "The weir of Holm"),
        ("Introduction", None, "-", "Introduction"),
    ],
)
def test_a_document_is_called_by_what_tells_it_from_others(
    title: str | None, heading: str | None, source: str, called: str
) -> None:
    passages = [
        Passage(heading=heading, paragraphs=(Paragraph.of("The weir holds the water back."),)),
        Passage(heading="Installation", paragraphs=(Paragraph.of("It is built in May."),)),
    ]
    assert headline(compose_document(passages, id="d", source=source, title=title)) == called


def _grouped(*sections: Sequence[tuple[str | None, str]], titles: Sequence[str | None]) -> list[str]:
    """The names of the groups of documents of these sections and titles, each the readme of a folder."""
    documents: list[Document] = [
        compose_document(
            [Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),)) for heading, text in each],
            id=f"d{number}",
            source=f"folder{number}/README.md",
            title=title,
        )
        for number, (each, title) in enumerate(zip(sections, titles, strict=True))
    ]
    pages = paginate(documents, choose_locality(documents).locality, 1024)
    return [topic.name for topic in group_by_topic(Candidates.of(pages, documents), documents)]


_OF_LOCKS = "The lock lets boats pass from the river to the canal. Boats wait before the gates of the lock."
_OF_BREAD = "The bakery sells bread and cakes. Flour comes from the mill. Cakes are sold in May."


def test_a_few_documents_are_named_by_their_brief_headlines() -> None:
    readmes = [[(None, _OF_LOCKS)], [(None, _OF_LOCKS)], [(None, _OF_BREAD)]]
    assert _grouped(*readmes, titles=["Weir", "Overview", "Bread"])[0] == "Weir, folder1"
    long = "How the lock of Holm was built and opened"
    assert "folder1" not in _grouped(*readmes, titles=[long, "Overview", "Bread"])[0]


def test_whom_readmes_thank_joins_them_to_no_group() -> None:
    thanks = ("Sponsors", "Riverbank Holdings pays for it. Sponsor it through Riverbank Holdings on GitHub.")
    names = _grouped([(None, _OF_LOCKS), thanks], [(None, _OF_BREAD), thanks], titles=["Weir", "Bread"])
    assert names == ["Weir", "Bread"]
