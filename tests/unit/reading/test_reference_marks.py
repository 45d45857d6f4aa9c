"""Reference marks are taken out where a document has them; intervals, indices and versions stay."""

from __future__ import annotations

import pytest
from reading_samples import left_out_of

from lsum_cli import read
from lsum_cli.documents import Paragraph, Passage, SectionRole
from lsum_cli.reading.reference_marks import without_marks

CITED = [
    ("Rivers rise in spring [1].", "Rivers rise in spring."),
    ("Ice melts [1, 2], and snow [3] too.", "Ice melts, and snow too."),
    ("Abbott et al. [4] measured it [5]-[7] and [8–10].", "Abbott et al. measured it."),
    ("It was “so it was.”[9] Then it froze.[2,10]", "It was “so it was.” Then it froze."),
]
KEPT = [
    "We follow the method of [3], and as in [4, 5] the ice melts.",
    "Values in the interval [1, 5] and x ∈ [2,3] are [sic] a[1] of the array [4].",
    "See [1] for C12, version 2.1 and the year [2019].",
    "The first is [0, 1] and the output is\n[1] 10.4 5.6.",
    "Let y = [1, 2] and call f[3](x).",
]
STUCK = [
    ("The river was closed.1 It froze.", "The river was closed. It froze."),
    ("So it was “shown.”2 The ice melted.3,4", "So it was “shown.” The ice melted."),
    (
        "Nobody came.5 Section 3.1 of version 2.12 says so.",
        "Nobody came. Section 3.1 of version 2.12 says so.",
    ),
    ("They sued (in 2007).6 They won (“as ever”).7", "They sued (in 2007). They won (“as ever”)."),
]


def cleaned(texts: list[str], entries: int = 0) -> tuple[list[str], int]:
    references = [f"[{n}] Abbott, A. Rivers. 19{n + 10}." for n in range(1, entries + 1)]
    passages = [
        Passage(heading="Body", level=1, paragraphs=tuple(map(Paragraph.of, texts))),
        Passage(
            heading="References",
            level=1,
            role=SectionRole.REFERENCES,
            paragraphs=tuple(map(Paragraph.of, references)),
        ),
    ]
    found, count = without_marks(passages)
    assert found[1:] == passages[1:]
    return [paragraph.pieces[0].text for paragraph in found[0].paragraphs], count


@pytest.mark.parametrize("entries", [0, 10])
def test_marks_in_brackets_are_taken_out(entries: int):
    texts, count = cleaned([text for text, _ in CITED], entries)
    assert texts == [wanted for _, wanted in CITED]
    assert count == 7


def test_what_the_sentence_needs_stays():
    texts, _ = cleaned([text for text, _ in CITED] + KEPT, 10)
    assert texts[len(CITED) :] == KEPT


def test_numbers_stuck_to_the_end_of_sentences_are_taken_out():
    texts, count = cleaned([text for text, _ in STUCK])
    assert texts == [wanted for _, wanted in STUCK]
    assert count == 6


@pytest.mark.parametrize(
    "texts",
    [
        ["The list has [3] and [17] items [40].", "It ends [12] here [99]."],
        ["The river was closed.47 It froze.", "So it was.99 The ice melted.12 It rained."],
        ["See fig.1 The river. See fig.2 The ice. See chap.3 So it was."],
        ["[1] She sued.", "[2] The duty [1] was owed.", "[3] It [2] binds, and the rule [3] too."],
        ["One mark [1] is not enough to tell."],
        ["Keys are lettered [1] for the street.", "One presses [2] to rise.", "Nobody presses [3] alone."],
    ],
)
def test_numbers_that_do_not_count_upwards_stay(texts: list[str]):
    assert cleaned(texts) == (texts, 0)


def test_a_text_of_brackets_takes_no_longer_than_its_length():
    text = "word [1] " * 20_000 + "[1][" * 20_000
    assert cleaned([text])[1] >= 0


def test_no_mark_is_left_in_a_paper(shared):
    document = read(shared / "data/inputs/pdf/paper-2col-trials-18.pdf")
    body = " ".join(
        sentence.text
        for section in document.sections
        if section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    )
    assert "for one third of survivors." in body.replace("\n", " ") or "third of survivors." in body
    assert "survivors [1]" not in body
    assert left_out_of(document)["reference marks"] >= 40


ORDINARY = "The keepers measure the water of the lower lake at noon."
EMPTIED = {
    ".md": f"# Gates\n\nIt was shown ([^1]) and drawn (![a](b.png)). {{kept}}\n\n{ORDINARY}\n\n[^1]: A note.\n",
    ".rst": (
        "Gates\n=====\n\nIt was shown ([1]_, [2]_) and drawn ([1]_). {kept}\n\n"
        f"{ORDINARY}\n\n.. [1] A note.\n.. [2] It too.\n"
    ),
    ".html": (
        f"<article><h1>Gates</h1><p>It was shown (<sup><a href='#n'>1</a></sup>) and drawn [<i hidden>b</i>]. {{kept}}</p>"
        f"<p>{ORDINARY}</p></article>"
    ),
    ".wiki": (
        "= Gates =\n\n== Use ==\n\nIt was shown ({{cite|a}}, {{cite|b}}) and drawn (<ref>n</ref>)."
        f" {{kept}}\n\n{ORDINARY}\n"
    ),
}


@pytest.mark.parametrize("suffix", EMPTIED)
def test_brackets_that_a_mark_leaves_empty_go_and_those_of_the_author_stay(write, suffix):
    kept = "The default is [], or () instead of [] in all of them."
    document = read(write(f"a{suffix}", EMPTIED[suffix].replace("{kept}", kept)))
    sentences = [sentence.text for sentence in document.sentences]
    assert sentences[:2] == ["It was shown and drawn.", kept]
