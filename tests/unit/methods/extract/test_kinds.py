"""Which kind a document is: what looks like notes, a paper or a story, and is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.extract.digest import parts_to_quote
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    SourceKind,
    document_kind_of,
    kind_of,
    releases_before_changes,
    releases_of_readme,
    shown_heading,
)
from lsum_cli.reading.blocks import role_of
from lsum_cli.reading.sources import read

THINGS = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells", "lamps", "sluices")


def kind(source: Document) -> DocumentKind:
    candidates = candidates_of(source)
    return document_kind_of(candidates, kind_of(candidates))


def lines(*numbers: str) -> list[str]:
    """A line for each number, with what it tells of."""
    return [
        f"{number}: The {THINGS[place % len(THINGS)]} of the river" for place, number in enumerate(numbers)
    ]


@pytest.mark.parametrize(
    ("numbers", "are_releases"),
    [
        (("2.1.1", "2.1.2", "2.2.1", "2.2.1.1", "2.2.2", "2.1.1", "2.1.2", "2.2.1", "2.2.2"), False),
        (("1.0.0", "1.0.1", "1.0.2", "1.1.0", "1.1.1", "1.2.0"), True),
        (("1.2.2", "1.2.1", "1.1.2", "1.1.1", "1.0.1"), True),
        (("1.0.1", "1.0.2", "1.0.3", "1.0.4"), True),
        (("v1.0.1", "v1.0.2", "v1.1.1", "v1.1.2"), True),
    ],
)
def test_numbers_of_sections_are_no_releases(numbers: tuple[str, ...], are_releases: bool) -> None:
    source = document_of((None, lines(*numbers)))
    assert bool(releases_before_changes(candidates_of(source))) is are_releases
    assert (kind(source) is DocumentKind.NOTES) is are_releases


@pytest.mark.parametrize(
    ("title", "is_changelog"),
    [
        ("GNU lathe NEWS", True),
        ("Lathe change log", True),
        ("NEWS file for the lathe", True),
        ("A handbook of the lathe", False),
        ("Good news", False),
    ],
)
def test_a_title_says_that_a_text_is_a_changelog(title: str, is_changelog: bool) -> None:
    older = [f"It opens the {thing} of a river when the water is high." for thing in THINGS]
    releases = [
        (f"Version 1.{number}.0", [f"It rings the {thing}."]) for number, thing in ((2, "bell"), (1, "horn"))
    ]
    source = document_of(*releases, ("Before the lathe was one", older), title=title)
    assert (kind(source) is DocumentKind.NOTES) is is_changelog
    prose = [(f"How the {thing} is made", older) for thing in THINGS[:4]]
    assert kind(document_of(*prose, *releases, title=title)) is DocumentKind.OTHER


def test_a_number_behind_that_of_a_section_counts_what_is_in_it() -> None:
    texts = [f"It opens the {thing} of a river when the water is high." for thing in THINGS]
    sections = [(f"12.{1 + at // 3}-{1 + at % 3} Open{at}", [text]) for at, text in enumerate(texts)]
    assert kind(document_of(*sections, title="Chapter 12: Gates")) is DocumentKind.OTHER
    assert shown_heading("12.1-2 OpenGate") == "OpenGate"
    # A release is told by its number, too.
    sections = [(f"12.{1 + at // 3}.{1 + at % 3}", [text]) for at, text in enumerate(texts)]
    assert kind(document_of(*sections, title="Changes")) is DocumentKind.NOTES


def test_what_comes_with_a_system_names_none_of_its_releases() -> None:
    told = "The county added a mill to the old weir, and the keepers of the lake moved there in spring."
    programs = ("Lathe 3.9.1", "Mill 11.13.1", "Weir 2.2.16", "Weir 2.2.22", "Sluice 5.5.30")
    assert kind(document_of(("History", [told, *programs, told]))) is DocumentKind.OTHER
    own = ("Lathe 3.9.1", "Lathe 3.9.0", "Lathe 3.8.2", "Mill 1.2.16", "Lathe 3.8.1")
    assert kind(document_of(("History", [text for each in own for text in (each, told)]))) is (
        DocumentKind.NOTES
    )


def test_what_says_since_when_there_is_something_names_no_release() -> None:
    told = "The keepers of the lake open it when the water of the river is high in spring."
    marks = ("New in version 8.3.", "New in version 7.5.", "New in version 7.3.", "New in version 7.1.")
    sections = [(thing, [mark, told]) for thing, mark in zip(THINGS, marks, strict=False)]
    assert kind(document_of(*sections, title="Settings of the weir")) is DocumentKind.OTHER
    sections = [(thing, [mark[:-1], told]) for thing, mark in zip(THINGS, marks, strict=False)]
    assert kind(document_of(*sections, title="Settings of the weir")) is DocumentKind.NOTES


def test_a_guide_that_speaks_to_its_readers_is_no_story() -> None:
    guide = [
        f"If you open the {thing} of gate {number}, you must tell your keeper that you did."
        for number in range(21)
        for thing in THINGS
    ]
    assert kind_of(candidates_of(document_of((None, guide)))) is SourceKind.PROSE
    diary = [
        f"I opened the {thing} at noon on the day of gate {number}, and I shall tell you of my keeper."
        for number in range(21)
        for thing in THINGS
    ]
    assert kind_of(candidates_of(document_of((None, diary)))) is SourceKind.NARRATIVE


def told(words: int) -> list[str]:
    """Paragraphs of so many words."""
    line = "The keepers of the lake open one of the {} when the water of the river is high in spring."
    return [line.format(THINGS[number % len(THINGS)]) for number in range(words // 18)]


def with_roles(*sections: tuple[str, list[str]]) -> Document:
    """A document of headings and paragraphs, whose sections have the roles that their headings name."""
    passages = [
        Passage(heading=heading, level=1, role=role_of(heading), paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    return compose_document(passages, id="d0", source="-", title="The gates of the lake")


@pytest.mark.parametrize(
    ("words", "after", "is_paper"), [(43_000, 30_000, False), (43_000, 900, True), (9_000, 7_000, True)]
)
def test_the_conclusion_of_one_chapter_makes_no_paper_of_a_book(
    words: int, after: int, is_paper: bool
) -> None:
    source = with_roles(
        ("Abstract", told(90)),
        ("Introduction", told(90)),
        ("Gates", told(words - after)),
        ("Conclusion", told(90)),
        ("Locks", told(after)),
    )
    assert (kind(source) is DocumentKind.PAPER) is is_paper


@pytest.mark.parametrize(
    ("headings", "is_paper"),
    [
        (("Introduction", "Gates", "Conclusion"), False),
        (("Introduction", "Gates", "Limitations"), False),
        (("Introduction", "Methods", "Conclusion"), True),
        (("Introduction", "Gates", "Discussion"), True),
        (("Abstract", "Gates", "Conclusion"), True),
    ],
)
def test_a_guide_with_a_conclusion_is_no_paper(headings: tuple[str, ...], is_paper: bool) -> None:
    sections = [(heading, told(90)) for heading in headings]
    assert (kind(with_roles(*sections)) is DocumentKind.PAPER) is is_paper
    cited = with_roles(*sections, ("References", ["Brown A. Herons of the north. Lakes 2003; 2: 1-9."]))
    assert kind(cited) is DocumentKind.PAPER


RELEASES = ("2.1.0", "2.0.0", "1.9.0", "1.8.0")


def test_a_readme_that_holds_its_changelog_is_a_readme(tmp_path: Path) -> None:
    what = "Lathe is a program that opens and closes the gates of all the rivers of a country."
    installing = "Lathe runs on every machine that has a clock and at least one lamp."
    using = "A keeper tells Lathe when the water is high, and Lathe opens the gates of the river."
    changes = "".join(
        f"### {name}\n\n"
        + "".join(f"- Added a panel of {thing} to the view of pier {name[0]}.\n" for thing in THINGS)
        + "\n"
        for name in RELEASES
    )
    for above in ("Changelog", "News"):
        text = f"# Lathe\n\n{what}\n\n## Installation\n\n{installing}\n\n## Usage\n\n{using}\n\n## {above}\n\n{changes}"
        path = tmp_path / "README.md"
        path.write_text(text, encoding="utf-8")
        assert kind(read(path)) is DocumentKind.OTHER
        quoted = [sentence.text for sentence in summarize(read(path)).sentences]
        assert {what, installing, using} <= set(quoted)
        assert not any("panel" in sentence for sentence in quoted)
    # One such section may be how to get a release, and each release may tell of its documentation.
    path.write_text(text.replace("## Usage", "## Keepers"), encoding="utf-8")
    assert kind(read(path)) is DocumentKind.NOTES
    each = "### Documentation\n\n- Tell of gates.\n\n### Requirements\n\n- Needs a lamp.\n\n"
    notes = "".join(f"## {name}\n\n{each}" for name in RELEASES)
    path.write_text(f"# Lathe\n\n{what}\n\n{notes}", encoding="utf-8")
    assert kind(read(path)) is DocumentKind.NOTES


@pytest.mark.parametrize("length", [1, 2])
def test_the_news_of_a_readme_is_not_quoted(tmp_path: Path, length: int) -> None:
    using = "A keeper tells Lathe when the water is high, and Lathe opens the {} of the river at once."
    news = "The panel of {} in release {} now shows keepers how high the water of the river stands."
    path = tmp_path / "README.md"
    path.write_text(
        "# Lathe\n\nLathe opens and closes the gates of all the rivers of a country.\n\n"
        "## Installation\n\nLathe runs on every machine that has a clock and at least one lamp.\n\n"
        "## Usage\n\n"
        + "\n\n".join(using.format(thing) for thing in THINGS[:length])
        + "\n\n## Keepers\n\nThe county pays the keepers who tell Lathe when the water is high.\n\n## News\n\n"
        + "\n\n".join(
            news.format(thing, number) for number in range(1, 1 + 2 * length) for thing in THINGS[:4]
        ),
        encoding="utf-8",
    )
    quoted = [sentence.text for sentence in summarize(read(path)).sentences]
    assert any("one lamp" in text for text in quoted)
    assert not any("panel" in text for text in quoted)
    source = read(path)
    parts = [part.heading for part, _ in parts_to_quote(candidates_of(source), source)]
    assert "Keepers" in parts
    assert "News" not in parts


@pytest.mark.parametrize(
    ("using", "news", "are_many"), [(900, 900, True), (13_000, 13_000, False), (900, 90, False)]
)
def test_news_are_left_out_of_a_readme_that_has_many(using: int, news: int, are_many: bool) -> None:
    source = document_of(
        ("Installation", told(90)), ("Usage", told(using)), ("News", told(news)), title="Lathe"
    )
    assert releases_of_readme(candidates_of(source)).any() == are_many
