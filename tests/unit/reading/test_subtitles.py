"""Subtitles: cues joined to sentences, labelled with their times; sounds and markup left out."""

from __future__ import annotations

import pytest
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError

SRT = """1
00:00:01,000 --> 00:00:04,000
<i>Welcome back to the channel.</i>
Today we look at

2
00:00:04,100 --> 00:00:07,000
how bread is baked.

3
00:00:07,500 --> 00:00:09,000
[DOOR SLAMS]

4
00:00:09,500 --> 00:00:11,000
- Who is there?
- It's me (LAUGHS), your neighbour.

5
00:01:20,000 --> 00:01:24,000
The oven must reach 300 degrees.
"""


def texts(document):
    return [sentence.text for sentence in document.sentences]


def test_cues_become_sentences_below_their_times(write):
    document = read(write("talk.srt", SRT))
    assert texts(document) == [
        "Welcome back to the channel.",
        "Today we look at how bread is baked.",
        "Who is there?",
        "It's me, your neighbour.",
        "The oven must reach 300 degrees.",
    ]
    assert headings_of(document) == [(1, "00:00:01 – 00:00:11"), (1, "00:01:20 – 00:01:24")]
    assert left_out_of(document) == {"descriptions of sounds": 3}
    assert document.metadata.warnings == ()


def test_a_section_does_not_cut_a_sentence(write):
    cues = [
        f"{n}\n00:00:{n * 5:02}.000 --> 00:00:{n * 5 + 4:02}.000\nword number {n},\n" for n in range(1, 11)
    ]
    cues.append("11\n00:01:06.000 --> 00:01:08.000\nand here it ends.\n")
    cues.append("12\n00:01:09.000 --> 00:01:12.000\nThe next one.\n")
    document = read(write("long.srt", "\n".join(cues)))
    assert headings_of(document) == [(1, "00:00:05 – 00:01:08"), (1, "00:01:09 – 00:01:12")]
    assert len(document.sentences) == 2


def test_webvtt_with_notes_settings_voices_and_entities(write):
    text = (
        "WEBVTT - a talk\nLanguage: de\n\nNOTE checked twice\n\nSTYLE\n::cue { color: red }\n\nintro\n"
        "00:01.000 --> 00:04.000 align:start position:0%\n<v Ann Lee>Salz &amp; Brot &lt;hier&gt;.\n\n"
        "NOTE\nnobody reads this\n\n00:04.000 --> 00:09.000\nNun <c.yellow>das</c> <00:00:05.000>Mehl.\n"
    )
    document = read(write("talk.vtt", text))
    assert texts(document) == ["Ann Lee: Salz & Brot <hier>.", "Nun das Mehl."]
    assert document.language == "de"
    assert left_out_of(document) == {"comments": 10}


def test_rolling_captions_are_read_once(write):
    lines = ["so today", "we are going to", "talk about bread", "and how it is made", "in the old way"]
    cues = ["WEBVTT\n"]
    for n, line in enumerate(lines):
        before = lines[n - 1] if n else ""
        cues.append(
            f"00:00:{2 * n:02}.000 --> 00:00:{2 * n + 2:02}.000\n{before}\n{line}\n".replace("\n\n", "\n")
        )
        cues.append(f"00:00:{2 * n + 1:02}.990 --> 00:00:{2 * n + 2:02}.000\n{line}\n")
    document = read(write("auto.vtt", "\n".join(cues)))
    assert document.text.endswith(" ".join(lines))
    assert left_out_of(document)["lines that the next caption repeats"] > 10
    assert any("no punctuation" in warning for warning in document.metadata.warnings)


def test_a_line_said_twice_stays_twice(write):
    said = ["No.", "No.", "Why not?", "Because it rains.", "And then?", "Then it stops."]
    cues = [f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{line}\n" for n, line in enumerate(said, 1)]
    assert texts(read(write("twice.srt", "\n".join(cues)))) == said


def test_broken_times_are_said_and_their_text_is_read(write):
    broken = SRT.replace("00:00:04,100 --> 00:00:07,000", "00:xx --> ??")
    document = read(write("broken.srt", broken))
    assert "Today we look at how bread is baked." in texts(document)
    assert document.metadata.warnings == ("the times of 1 of 5 captions cannot be read; their text was",)
    unordered = "2\n00:00:09,000 --> 00:00:10,000\nSecond.\n\n1\n00:00:01,000 --> 00:00:02,000\nFirst.\n"
    document = read(write("unordered.srt", unordered))
    assert texts(document) == ["Second.", "First."]
    assert "not in order" in document.metadata.warnings[0]


def test_missing_blank_lines_and_numbers_that_are_text(write):
    text = "1\n00:00:01,000 --> 00:00:02,000\nIt was in\n1984\n2\n00:00:02,500 --> 00:00:03,000\nthat it began.\n"
    assert texts(read(write("tight.srt", text))) == ["It was in 1984 that it began."]


def test_no_captions_or_nothing_spoken_is_an_error(write):
    with pytest.raises(SourceError, match="contains no captions"):
        read(write("prose.srt", "This is prose in a file of the wrong name.\n"))
    with pytest.raises(SourceError, match="contains no text"):
        read(write("silent.srt", "1\n00:00:01,000 --> 00:00:02,000\n[MUSIC]\n"))


def test_content_tells_where_the_name_does_not(write):
    assert read(write("noname", SRT)).metadata.media_type == "application/x-subrip"
    assert (
        read(write("noname2", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi there.\n")).metadata.media_type
        == "text/vtt"
    )


@pytest.mark.parametrize("label", ["<v {0}>{1}</v>", "{0}: {1}"])
def test_every_paragraph_has_one_speaker_named_once(write, label):
    said = [
        ("Sarah Lind", "Ahmed, how is the roof?"),
        ("Ahmed Khan", "There is water damage in the"),
        ("Ahmed Khan", "north wing. The repair costs 48,000 euros."),
        ("Sarah Lind", "Then we repair it."),
    ]
    cues = [
        f"{n}\n00:00:0{n}.000 --> 00:00:0{n}.900\n{label.format(*turn)}\n" for n, turn in enumerate(said, 1)
    ]
    assert texts(read(write("call.vtt", "WEBVTT\n\n" + "\n".join(cues)))) == [
        "Sarah Lind: Ahmed, how is the roof?",
        "Ahmed Khan: There is water damage in the north wing.",
        "The repair costs 48,000 euros.",
        "Sarah Lind: Then we repair it.",
    ]


def test_two_voices_of_one_line_are_two_paragraphs(write):
    cue = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Is it dry?</v> <v Bob>No.</v>\n"
    assert texts(read(write("two.vtt", cue))) == ["Ann: Is it dry?", "Bob: No."]
