"""The shapes of a summary, through the program: styles, keywords and focus in every format."""

from __future__ import annotations

import json
import re

import pytest

REPORT = """# Marsh report

## Growth

Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water down and hold
the mud in place for many years. The salt marshes of the bay rise by four millimetres in a good year.

## Dams

Where rivers are dammed upstream, the salt marshes of the valley starve of sediment. Engineers now flush the gates
of every dam once a year, and the sand moves again. The oldest dam was taken down, and its marsh recovered.
"""


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(REPORT, encoding="utf-8")
    return path


def summarize(lsum, source, *arguments):
    code, out, err = lsum("summarize", source, "--method", "extract", "-q", *arguments)
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("text", r"^Growth\n-{6}\n.+\.\n(.+\n)*\nDams\n-{4}\n.+\n(.+\n)*\nKeywords: salt marshes"),
        ("markdown", r"\n## Growth\n\n.+\n(.+\n)*\n## Dams\n\n.+\n(.+\n)*\n\*\*Keywords:\*\* salt marshes"),
        (
            "html",
            r"<h2 dir=\"auto\">Growth</h2><p>.*<h2 dir=\"auto\">Dams</h2>.*<b>Keywords:</b> salt marshes",
        ),
        ("rich", r"\nGrowth\n.+\n(.+\n)*\nDams\n.+\n(.+\n)*\nKeywords: salt marshes"),
    ],
)
def test_outline_and_keywords_are_in_every_format(lsum, report, format, expected):
    out = summarize(lsum, report, "--style", "outline", "--keywords", "-f", format)
    assert re.search(expected, out), out


def test_outline_and_keywords_in_json(lsum, report):
    found = json.loads(summarize(lsum, report, "--style", "outline", "--keywords", "-f", "json"))
    assert [entry["heading"] for entry in found["outline"]] == ["Growth", "Dams"]
    assert [s for entry in found["outline"] for s in entry["sentences"]] == found["sentences"]
    assert found["keywords"][0] == "salt marshes"
    assert found["options"]["style"] == "outline"


@pytest.mark.parametrize(
    ("format", "bullet"),
    [
        ("text", r"^- Salt"),
        ("markdown", r"^- .+ \("),
        ("html", r"<ul><li><span class=\"sentence"),
        ("rich", "^• "),
    ],
)
def test_bullets_are_items_of_the_same_sentences(lsum, report, format, bullet):
    assert re.search(bullet, summarize(lsum, report, "--style", "bullets", "-f", format), re.M)
    styles = ("prose", "bullets")
    one, other = (json.loads(summarize(lsum, report, "--style", style, "-f", "json")) for style in styles)
    assert one["sentences"] == other["sentences"]


def test_a_focus_decides_what_is_said(lsum, report):
    assert "dam" in summarize(lsum, report, "--focus", "what do dams do", "--length", "25")
    assert "dam" not in summarize(lsum, report, "--focus", "growth of grasses", "--length", "25")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--focus", ""), "--focus '' is empty"),
        (("--focus", "what is the"), "--focus 'what is the' names nothing"),
        (("--focus", "прилив"), "--focus 'прилив' is in Cyrillic script, and the source in Latin"),
        (("--style", "poem"), "Invalid value for '--style'"),
        (("--length", "huge"), "'huge' is not a valid length"),
    ],
)
def test_what_cannot_be_is_wrong_usage_in_one_line(lsum, report, arguments, message):
    code, out, err = lsum("summarize", report, "--method", "extract", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_focus_the_source_does_not_speak_of_is_a_warning(lsum, report):
    code, out, err = lsum("summarize", report, "--method", "extract", "--focus", "quantum computers")
    assert code == 0
    assert out
    assert "warning: the source does not speak of “quantum computers”" in err


def test_a_model_with_an_outline_keeps_its_text_and_the_outline_follows(lsum_here, report, tmp_path):
    from tiny_checkpoints import make_bart

    folder = make_bart(tmp_path / "tiny")
    arguments = ("summarize", report, "-m", folder, "--style", "outline", "--keywords", "-f", "json", "-q")
    code, out, _ = lsum_here(*arguments)
    found = json.loads(out)
    assert (code, found["method"]) == (0, "seq2seq")
    outlined = [sentence for entry in found["outline"] for sentence in entry["sentences"]]
    assert [entry["heading"] for entry in found["outline"]] == ["Growth", "Dams"]
    assert {s["index"] for s in outlined}.isdisjoint(s["index"] for s in found["sentences"])
    assert all(s["text"] in " ".join(REPORT.split()) for s in outlined)
    assert found["keywords"]


def test_all_lengths_stand_under_their_names(lsum, report):
    text = summarize(lsum, report, "--length", "all", "--no-attribution")
    # The whole report has less than 150 words.
    assert re.fullmatch(
        r"Sentence\n-{8}\n.+\.\n\nShort\n-{5}\n(.+\.\n)+\nMedium, long\n-{12}\n(.+\.\n)+", text
    )
    markdown = summarize(lsum, report, "--length", "all", "-f", "markdown")
    assert re.findall(r"^## (.+)$", markdown, re.M) == ["Sentence", "Short", "Medium, long", "Sources"]
    made = json.loads(summarize(lsum, report, "--length", "all", "-f", "json"))
    assert [length["name"] for length in made["lengths"]] == ["sentence", "short", "medium", "long"]
    assert made["lengths"][-1]["text"] == made["text"]
    assert made["lengths"][-1]["sentences"] == made["sentences"]


def test_all_lengths_with_several_documents(lsum, report, tmp_path):
    other = tmp_path / "other.md"
    other.write_text("# Dykes\n\nThe dyke of the northern polder was raised by a metre last autumn.\n")
    together = json.loads(summarize(lsum, report, other, "--multi", "--length", "all", "-f", "json"))
    assert len(together["lengths"]) == 4
    each = summarize(lsum, report, other, "--each", "--length", "all", "-f", "json").splitlines()
    assert [len(json.loads(line)["lengths"]) for line in each] == [4, 4]
    text = summarize(lsum, report, "--style", "outline", "--length", "all")
    assert "\nMedium, long\n" in text
    assert "\nGrowth\n......\n" in text


def test_a_report_holds_the_source_unless_it_must_not(lsum, report):
    unquoted = "Grasses slow the water down"
    with_it = summarize(lsum, report, "-f", "html", "--length", "20")
    without = summarize(lsum, report, "-f", "html", "--length", "20", "--no-source")
    assert unquoted in with_it
    assert unquoted not in without
    assert "Dams" in without


def test_a_folder_of_reports_is_written_again_when_the_source_must_go(lsum, report):
    folder = ("--each", "-f", "html", "-o", "out/", "--length", "20", "--method", "extract")
    assert lsum("summarize", report, *folder)[0] == 0
    (written,) = report.parent.glob("out/*.html")
    assert "Grasses slow the water down" in written.read_text()
    code, _, err = lsum("summarize", report, *folder, "--resume")
    assert (code, "nothing was left to do" in err) == (0, True)
    assert lsum("summarize", report, *folder, "--resume", "--no-source", "--overwrite")[0] == 0
    assert all(
        "Grasses slow the water down" not in each.read_text() for each in report.parent.glob("out/*.html")
    )


def test_a_report_of_an_extract_zooms_unless_a_length_was_given(lsum, report):
    stops = r'<span class="stop">(.+?)</span>'
    found = re.findall(stops, summarize(lsum, report, "-f", "html"))
    assert (found[0], found[-1]) == ("Sentence", "Full text")
    assert len(found) >= 4
    found = re.findall(stops, summarize(lsum, report, "-f", "html", "--length", "20"))
    assert found == ["Summary", "Full text"]


def test_that_there_are_no_keywords_is_said_once(lsum, tmp_path):
    (tmp_path / "one.txt").write_text("Salt marshes grow where mud settles.")
    code, _, err = lsum("summarize", tmp_path / "one.txt", "--method", "extract", "--keywords")
    assert (code, err.count("there are no keywords")) == (0, 1)


SECTIONS = (
    "Sluices",
    "Turbines",
    "Spillways",
    "Penstocks",
    "Ladders",
    "Gauges",
    "Aprons",
    "Booms",
    "Screens",
)
WEIRS = "# Weirs\n\nA weir is a low wall across a river that raises the water above it.\n" + "".join(
    f"\n## {name}\n\n{name} were cast in the foundry of the valley and set into the wall by six men in a "
    f"summer. Nobody has moved the old {name.lower()} since, and the keeper oils them in the first week of each "
    "month.\n"
    for name in SECTIONS
)


def test_sections_that_are_not_quoted_are_named(lsum, tmp_path):
    path = tmp_path / "weirs.md"
    path.write_text(WEIRS, encoding="utf-8")
    *sentences, blank, others = summarize(lsum, path).splitlines()
    assert blank == ""
    assert others.startswith("Other sections: ")
    named = others.removeprefix("Other sections: ").split("; ")
    quoted = {re.search(r"\[(.+?)\]$", sentence)[1] for sentence in sentences}
    assert len(named) > 1
    assert sorted({*named, *quoted} - {"Weirs", "Opening"}) == sorted(SECTIONS)
    assert not quoted & set(named)
    assert json.loads(summarize(lsum, path, "-f", "json"))["other_sections"] == named
    assert f"**Other sections:** {'; '.join(named)}\n" in summarize(lsum, path, "-f", "markdown")
    # Sentences alone stay sentences alone.
    assert "Other sections" not in summarize(lsum, path, "--no-attribution")


PARISH = "\n\n".join(
    f"{who}: {said.format(thing)}"
    for thing in ("noise barrier", "school bus", "flood meadow")
    for _ in range(9)
    for who, said in (
        ("Anna Berg", "We have to decide about the {} before the summer, as all of you have asked us to do."),
        ("Ben Cole", "I went to see the {} and it was worse than anybody had told me that it would be."),
        ("Carol Dunn", "You know, people like the {}, but they do not want to be the ones who pay for it."),
    )
)


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("text", r"^Topics: (.+)\n\n\w"),
        ("rich", r"\n\nTopics: (.+)\n\n\w"),
        ("markdown", r"\n\n\*\*Topics:\*\* (.+)\n\n\S"),
    ],
)
def test_what_is_talked_about_is_named(lsum, tmp_path, format, line):
    path = tmp_path / "parish.txt"
    path.write_text(PARISH, encoding="utf-8")
    named = json.loads(summarize(lsum, path, "-f", "json"))["topics"]
    assert named
    found = re.search(line, summarize(lsum, path, "-f", format))
    assert found
    assert found[1].strip() == "; ".join(named)


TIDES = """# Tides of the bay

## Readings

Sea surface temperature (SST) was read by the Bay Monitoring Programme (BMP) every day of the year from four buoys.

## Birds

The birds went away when SST passed fifteen degrees and the worms of the mud died. Worms are what birds eat.
"""


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("text", r"\n\nAbbreviations: (.+)\n"),
        ("rich", r"\n\nAbbreviations: (.+)\n"),
        ("markdown", r"\n\n\*\*Abbreviations:\*\* (.+)\n"),
        ("html", r"<b>Abbreviations:</b> (.+?)</p>"),
    ],
)
def test_abbreviations_are_spelled_out_as_the_document_does(lsum, tmp_path, format, line):
    path = tmp_path / "tides.md"
    path.write_text(TIDES, encoding="utf-8")
    arguments = ("--focus", "birds and worms", "--length", "20")
    found = json.loads(summarize(lsum, path, *arguments, "-f", "json"))
    assert found["abbreviations"] == [
        {"short": "SST", "long": "Sea surface temperature", "document": "d0", "sentence": 0, "pdf_page": None}
    ]
    written = summarize(lsum, path, *arguments, "-f", format)
    assert re.search(line, written)[1].strip() == "SST, Sea surface temperature"
    if format != "html":
        assert "Abbreviations" not in summarize(lsum, path, *arguments, "-f", format, "--no-attribution")


LOCK = """# The lock

## The closing

In May respondent Jane Mill closed the lock of the old canal for a year, and no boat came to the town.

## The draining

Mill paid the men nothing, and so the men drained the canal in one night.
"""


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("text", r"\n\nPeople: (.+)\n"),
        ("rich", r"\n\nPeople: (.+)\n"),
        ("markdown", r"\n\n\*\*People:\*\* (.+)\n"),
    ],
)
def test_people_are_introduced_as_the_document_does(lsum, tmp_path, format, line):
    path = tmp_path / "lock.md"
    path.write_text(LOCK, encoding="utf-8")
    arguments = ("--focus", "men drained nothing", "--length", "16")
    [mill] = json.loads(summarize(lsum, path, *arguments, "-f", "json"))["people"]
    assert (mill["short"], mill["long"], mill["sentence"]) == ("Mill", "respondent Jane Mill", 0)
    assert re.search(line, summarize(lsum, path, *arguments, "-f", format))[1].strip() == mill["long"]


# Of its sentences only "It is gone." and "That was all." are short, and neither stands alone.
DANGLING = """The harbour office built a lamp of green glass for the eastern pier last winter. It is gone.
Storms of the following spring tore it from its post and carried it out to the open sea. That was all.
"""


@pytest.mark.parametrize(("words", "style"), [("3", "prose"), ("6", "bullets")])
def test_a_summary_is_never_empty_however_few_its_words(lsum, tmp_path, words, style):
    (tmp_path / "lamp.txt").write_text(DANGLING, encoding="utf-8")
    result = lsum("--length", words, "--style", style, "lamp.txt")
    assert result.code == 0
    assert result.stdout.strip().removeprefix("- ") in " ".join(DANGLING.split())
    assert len(result.stdout.split()) > 6
    assert f"more words than --length {words}: this one has 15" in result.stderr


def test_a_length_that_is_kept_needs_no_remark(lsum, article):
    assert "--length" not in lsum("--length", "20", article).stderr


def test_an_outline_without_room_for_a_sentence_says_so(lsum, article):
    result = lsum("--length", "2", "--style", "outline", article)
    assert (result.code, result.stdout) == (0, "Other sections: Growth; Decline; Repair\n")
    assert "no sentence to quote fits in --length 2: the parts are only named" in result.stderr


def test_a_focus_given_several_times_is_about_each(lsum, article):
    """Whatever else is said about the topic of which much is said; a settings file may give one or several."""
    expected = lsum("--focus", "marsh; grasses; cost", article)
    result = lsum("--focus", "marsh", "--focus", "grasses", "--focus", "cost", article)
    assert (result.code, result.stdout) == (0, expected.stdout)
    for word in ("A starving marsh drowns", "Grasses slow the water", "cost was lower"):
        assert word in result.stdout
    assert result.stderr.count("the source does not speak of") == 0
    result = lsum("--focus", "giraffes", "--focus", "cost", article)
    assert "cost was lower" in result.stdout
    assert "warning: the source does not speak of “giraffes”\n" in result.stderr
    result = lsum("--focus", "giraffes", "--focus", "zebras", article)
    assert "does not speak of “giraffes; zebras”: the summary is of the whole" in result.stderr
    result = lsum("--focus", "mud settles", "--focus", "cost", "--length", "14", article)
    assert "The cost was lower" in result.stdout
    assert "warning: there is no room for what answers “mud settles”: give more --length" in result.stderr


def test_settings_give_one_value_or_several(lsum, article, tmp_path):
    for settings, given in (("focus = 'cost'", 1), ("focus = ['cost', 'grasses']", 2)):
        (tmp_path / "config.toml").write_text(settings)
        result = lsum("-q", article, LSUM_HOME=str(tmp_path))
        assert (result.code, result.stderr) == (0, "")
        assert ["cost was lower" in result.stdout, "grasses came back" in result.stdout] == [True, given == 2]


CALL = """# Lamps on the pier

## Trial

The new lamps used 41 percent less power than the old ones over the winter. Skippers could see the pier from
twice as far in fog. The office paid for the work from its budget for repairs.

## Next steps

Please let us know by 15 May whether you want lamps on your berth. The club meets again in September.
"""


def test_a_call_answers_what_it_names_and_nothing_beside_it(lsum, tmp_path):
    """It was never quoted, and the sentence after it was, whatever that says."""
    (tmp_path / "lamps.md").write_text(CALL, encoding="utf-8")
    call = "Please let us know by 15 May whether you want lamps on your berth. [Next steps]\n"
    assert lsum("-q", "--focus", "lamps on my berth", "lamps.md").stdout == call
    answer = "The club meets again in September. [Next steps]\n"
    assert lsum("-q", "--focus", "when is the next meeting", "lamps.md").stdout == answer
